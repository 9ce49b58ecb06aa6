"""What is to be reached in a turn: numbers to be made as large as possible, the earlier ones first.

The words of modules and variants are read where those are in use, and looked at in an `Ending`.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from board import Board
from rules import FALLEN, IP_A_TURN, State, Table, Turn
from text import Unreadable

KINDS = ("revolt", "unrest", "garrison", "army", "emperor")
PIRATES = "pirates"
# The words of modules and variants, with what must be in use
WORDS = {"dux": "dux", "vicarius": "vicarius", PIRATES: PIRATES, "glory": "roma-aeterna"}

Value = tuple[int, ...]
Names = frozenset[str]


class Ending(NamedTuple):
    """What is looked at when a turn with modules ends; `ip` are left of those at the start."""

    ip: int
    place: str | None
    table: Table
    reserve: int  # the active Emperor's garrisons
    purse: int  # discs with which he can pay for his power
    helpers: dict[str, str]  # the Dux and the Vicarius on the board
    pirates: bool  # whether they are at sea
    glory: int


Seen = State | Ending


class Goal(NamedTuple):
    """Provinces where all of this is to be so when the turn ends; figures on the board, and discs of glory."""

    reach: Names
    secure: Names
    clear: Names
    kill: Names
    deploy: Names
    glory: int

    def worth(self, state: Seen, end: str) -> int:
        """1 where it is so, else 0."""
        table = state.table
        return int(
            end != FALLEN
            and self.reach <= {state.place}
            and self.secure <= table.secured()
            and not self.clear & (table.revolts | table.unrest)
            and not self.kill & table.armies
            and self.modules(state)
        )

    def modules(self, state: Seen) -> bool:
        """Whether that of modules and variants is so."""
        if not isinstance(state, Ending):
            return True  # none was read
        beaten = PIRATES not in self.kill or not state.pirates
        return beaten and self.deploy <= set(state.helpers) and state.glory >= self.glory


class Weights(NamedTuple):
    """Weights of what lies on the board: kind, province (None: everywhere), weight."""

    weights: tuple[tuple[str, str | None, int], ...]

    def worth(self, state: Seen, end: str) -> int:
        """Their sum; 0 where the Empire has fallen."""
        places: dict[str, frozenset[str | None]] = {
            "revolt": frozenset(state.table.revolts),
            "unrest": frozenset(state.table.unrest),
            "garrison": frozenset(state.table.secured()),
            "army": frozenset(state.table.armies),
            "emperor": frozenset({state.place} - {None}),
        }
        total = 0
        for kind, place, weight in self.weights:
            if kind in places:
                total += weight * (len(places[kind]) if place is None else place in places[kind])
            elif isinstance(state, Ending):
                total += weight * self.number(kind, place, state)
        return 0 if end == FALLEN else total

    def number(self, kind: str, place: str | None, state: Ending) -> int:
        """How much there is of a kind of a module or variant."""
        if kind in (PIRATES, "glory"):
            return int(state.pirates) if kind == PIRATES else state.glory
        return int(kind in state.helpers and place in (None, state.helpers[kind]))


class Paid(NamedTuple):
    """The IP paid since the start, as a number to be kept small."""

    ip: int

    def worth(self, state: Seen, end: str) -> int:  # noqa: ARG002  # IP are paid however the turn ends
        """Minus the IP paid."""
        return state.ip - self.ip


class Limits(NamedTuple):
    """What must be so however the turn ends: the place, the garrisons in his reserve, discs to pay with, the IP paid."""

    turn: Turn
    ip: int
    inside: Names
    outside: Names
    keep: int
    discs: int
    spend: int

    def worth(self, state: Seen, end: str) -> int:
        """1 where it is so, else 0."""
        if isinstance(state, Ending):
            reserve, purse = state.reserve, state.purse
        else:
            reserve, purse = self.turn.supply - len(state.table.garrisons[self.turn.active]), 0
        return int(
            end != FALLEN
            and (not self.inside or state.place in self.inside)
            and state.place not in self.outside
            and reserve >= self.keep
            and purse >= self.discs
            and self.ip - state.ip <= self.spend
        )


class Risk(NamedTuple):
    """Minus a chance of the phase after the turn, by the name of the figure; see `ahead`."""

    figure: str

    def worth(self, state: Seen, end: str) -> int:  # noqa: ARG002  # it is that of any term
        """It cannot be seen at the end of the turn."""
        raise AssertionError("a figure of the phase is worked out in `ahead`")


class Next(NamedTuple):
    """The best chance of a goal so many turns later, with nothing in between; see `ahead`."""

    text: str
    goal: Goal
    turns: int

    def worth(self, state: Seen, end: str) -> int:  # noqa: ARG002  # it is that of any term
        """It cannot be seen at the end of the turn."""
        raise AssertionError("the next turn is made in `ahead`")


Term = Goal | Weights | Paid | Limits | Risk | Next


class Objective:
    """Numbers to be made as large as possible, the earlier ones first; the limits, if there are any, before all."""

    def __init__(self, text: str, turn: Turn, ip: int, use: Names = frozenset()) -> None:
        goals, subject, limits = text.partition(" subject to ")
        self.names = goals.split(" then ")
        self.terms: list[Term] = [self.term(name, turn, ip, use) for name in self.names]
        if subject:
            self.names.insert(0, "subject to " + limits)
            self.terms.insert(0, read_limits(limits, turn, ip, use))

    def term(self, text: str, turn: Turn, ip: int, use: Names) -> Term:
        """A term by its text."""
        return read_term(text, turn.board, ip, use)

    def worth(self, state: Seen, end: str) -> Value:
        """The value of each term where the turn ends like this."""
        return tuple(term.worth(state, end) for term in self.terms)


def read_term(text: str, board: Board, ip: int, use: Names) -> Term:
    """A goal, weights, or the IP paid."""
    if text == "least ip":
        return Paid(ip)
    words = [word for word, module in WORDS.items() if module in use]
    if text.startswith("most value "):
        return Weights(tuple(read_weight(word, board, words) for word in text.split(" ")[2:]))
    return read_goal(text, board, use)


def read_goal(text: str, board: Board, use: Names) -> Goal:
    """A goal."""
    words = [word for word, module in WORDS.items() if module in use]
    lists: dict[str, Names] = {verb: frozenset() for verb in Goal._fields[:-1]}
    found, glory = [], 0
    for part in text.split(" and "):
        verb, _, places = part.partition(" ")
        found.append(verb)
        if verb == "glory" and verb in words and re.fullmatch("[1-9][0-9]?", places):
            glory = int(places)
        elif verb in lists:
            allowed = {"kill": {PIRATES} & set(words), "deploy": {"dux", "vicarius"} & set(words)}
            lists[verb] = read_names(places, allowed.get(verb, set()), [] if verb == "deploy" else board.provinces)
        else:
            raise Unreadable(
                f"objective '{text}': this checker knows reach, secure, clear, kill, most value and least ip, and the words "
                "of modules in use"
            )
    if found != [verb for verb in lists if lists[verb]] + ["glory"] * (glory > 0):
        raise Unreadable(f"objective '{text}': expected each of {', '.join(Goal._fields)} once, in this order")
    if len(lists["reach"]) > 1:
        raise Unreadable(f"objective '{text}': an Emperor ends his turn in one province only")
    return Goal(**lists, glory=glory)


def read_weight(word: str, board: Board, words: Iterable[str]) -> tuple[str, str | None, int]:
    """A weight, ``revolt=-3`` or ``army@rhaetia=-10``; the Pirates and glory are in no province."""
    match = re.fullmatch(r"([a-z]+)(?:@([a-z_]+))?=(0|-?[1-9][0-9]{0,6})", word)
    if match is None or match[1] not in (*KINDS, *words) or match[2] not in {None, *board.provinces}:
        raise Unreadable(f"weight '{word}': expected KIND=WEIGHT or KIND@PROVINCE=WEIGHT")
    if match[1] in (PIRATES, "glory") and match[2] is not None:
        raise Unreadable(f"weight '{word}': {match[1]} is in no province")
    return match[1], match[2], int(match[3])


def read_names(text: str, words: Iterable[str], provinces: Iterable[str]) -> Names:
    """Ids of provinces, or some other words, in alphabetical order."""
    names = text.split(", ")
    if names != sorted(set(names) & {*words, *provinces}):
        raise Unreadable(f"'{text}': expected ids of provinces, each once, in alphabetical order")
    return frozenset(names)


LIMITS = (
    ("inside", re.compile("end in (.+)")),
    ("outside", re.compile("do not end in (.+)")),
    ("keep", re.compile("keep (1(?= garrison$)|[2-9](?= garrisons)) garrisons?")),
    ("discs", re.compile("keep (1(?= disc )|[2-9](?= discs )) discs? of imperium")),
    ("spend", re.compile("spend at most ([0-9])")),
)


def read_limits(text: str, turn: Turn, ip: int, use: Names) -> Limits:
    """Limits joined by ``and``, each kind at most once and in the order of `LIMITS`."""
    found: dict[str, str] = {}
    parts = text.split(" and ")
    for name, form in LIMITS:
        match = form.fullmatch(parts[0]) if parts else None
        if match is not None and (name != "discs" or "imperium" in use):
            found[name] = match[1]
            parts = parts[1:]
    if parts:
        raise Unreadable(f"limits '{text}': cannot read '{parts[0]}' at this place")
    provinces = turn.board.provinces
    return Limits(
        turn,
        ip,
        inside=read_names(found["inside"], (), provinces) if "inside" in found else frozenset(),
        outside=read_names(found["outside"], (), provinces) if "outside" in found else frozenset(),
        keep=int(found.get("keep", 0)),
        discs=int(found.get("discs", 0)),
        spend=int(found.get("spend", IP_A_TURN + 1)),
    )
