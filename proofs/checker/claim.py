"""What a certificate claims about a turn: the position, the objective, and how attacks are decided.

Each is read from one line and must be written in the one usual way, so that a claim has one text only.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from board import Board
from rules import FALLEN, IP_A_TURN, LATER, MOST_UNREST, READINGS, USUAL, State, Table, Turn
from text import Unreadable

MOST_REVOLTS = 21
MOST_ARMIES = 3
LEVEL = re.compile(r"([3-5])([1-3])[0-2][0-2](?:\?(.+))?")
TABLE = ("fleets", "armies", "revolts", "unrest", "garrisons")
KINDS = ("revolt", "unrest", "garrison", "army", "emperor")

Value = tuple[int, ...]


class Position(NamedTuple):
    """A state with the rules of the turn that begins there."""

    turn: Turn
    start: State


# -- positions -------------------------------------------------------------------------------------------------


def read_position(text: str, board: Board) -> Position:
    """A position in one line: ruleset, active Emperor and IP, Emperors, then the five fields of a table."""
    words = text.split(" ")
    if len(words) != 8:
        raise Unreadable(f"a position has 8 fields, found {len(words)}")
    level = LEVEL.fullmatch(words[0])
    if level is None:
        raise Unreadable(f"ruleset '{words[0]}' is none of the base game")
    letter, colon, ip = words[1].partition(":")
    if not colon or letter not in board.letters or ip not in [str(number) for number in range(IP_A_TURN + 1)]:
        raise Unreadable(f"active Emperor '{words[1]}': expected {', '.join(board.letters)}, a colon and 0 to 6 IP")
    active = board.letters.index(letter)
    places = [None if code == "-" else province(code, board) for code in words[2].split("/")]
    if len(places) != 4:
        raise Unreadable(f"Emperors '{words[2]}': expected four places")
    turn = Turn(board, read_readings(level[3]), int(level[1]), active, places)
    start = State(int(ip), places[active], read_table(" ".join(words[3:]), board))
    trouble = cannot_occur(turn, start, fleets=int(level[2]))
    if trouble:
        raise Unreadable(f"this position cannot occur: {trouble}")
    return Position(turn, start)


def read_readings(text: str | None) -> dict[str, str]:
    """The reading of each open sentence; those that differ from the usual one are named, in alphabetical order."""
    readings = dict(USUAL)
    names = []
    for part in text.split(",") if text else []:
        name, _, value = part.partition("=")
        names.append(name)
        if value not in (READINGS | LATER).get(name, ())[1:]:
            raise Unreadable(f"reading '{part}': expected a name and the value that is not the usual one")
        readings[name] = value
    if names != sorted(set(names)):
        raise Unreadable(f"readings '{text}': expected each name once, in alphabetical order")
    return readings


def read_table(text: str, board: Board) -> Table:
    """A table: fleets, armies, revolts, unrest, and the garrisons of the four Emperors between slashes."""
    words = text.split(" ")
    if len(words) != len(TABLE):
        raise Unreadable(f"a table has the fields {', '.join(TABLE)}")
    fleets, armies, revolts, unrest, garrisons = words
    zones = [] if fleets == "-" else [int(zone) if zone in "123" else 0 for zone in fleets]
    four = [codes(word, board) for word in garrisons.split("/")]
    if len(four) != 4:
        raise Unreadable(f"garrisons '{garrisons}': expected four lists between slashes")
    table = Table(frozenset(zones), codes(armies, board), codes(revolts, board), codes(unrest, board), tuple(four))
    discs = [table.revolts, table.unrest, *table.garrisons]
    if sum(map(len, discs)) != len(table.discs()):
        raise Unreadable("two discs lie in one province")
    if not table.fleets <= set(board.all_zones) or write_table(table, board) != text:
        raise Unreadable("a table is written with zones and provinces in the order of the board, each once, - for none")
    return table


def write_table(table: Table, board: Board) -> str:
    """A table as one line."""

    def names(provinces: Iterable[str]) -> str:
        return ".".join(board.code[place] for place in sorted(provinces, key=board.row.__getitem__)) or "-"

    garrisons = "/".join(map(names, table.garrisons))
    fleets = "".join(map(str, sorted(table.fleets))) or "-"
    return " ".join((fleets, names(table.armies), names(table.revolts), names(table.unrest), garrisons))


def codes(word: str, board: Board) -> frozenset[str]:
    """A set of provinces by their codes, joined by points."""
    return frozenset() if word == "-" else frozenset(province(code, board) for code in word.split("."))


def province(code: str, board: Board) -> str:
    """The province with this code."""
    if code not in board.by_code:
        raise Unreadable(f"'{code}' is the code of no province")
    return board.by_code[code]


def cannot_occur(turn: Turn, start: State, fleets: int) -> str:
    """Why this is no position of an open game in the Roman phase; empty if it is one."""
    board, table = turn.board, start.table
    if len(table.fleets) != fleets:
        return "the level has another number of fleets"
    if len(table.revolts) > MOST_REVOLTS or len(table.unrest) > MOST_UNREST or len(table.armies) > MOST_ARMIES:
        return "there are not so many revolts, unrest or armies"
    if any(len(garrisons) > turn.supply for garrisons in table.garrisons):
        return "the level gives no Emperor so many garrisons"
    if len(set(turn.others)) != len(turn.others):
        return "two Emperors stand in one province"
    if table.armies & {start.place, *turn.others}:
        return "an Emperor stands with an army"
    if (table.revolts | table.unrest) & board.borders:
        return "a revolt or an unrest lies on a border"
    if board.roma in table.armies or any(
        army in table.discs() if army in board.borders else army not in table.revolts for army in table.armies
    ):
        return "an army stands in Roma, on a border with a disc, or on no revolt within the Empire"
    if start.place is None and start.ip < IP_A_TURN:
        return "the active Emperor is off the board in the middle of his turn"
    if board.borders <= table.secured():
        return "the game is won"
    return ""


# -- objectives ------------------------------------------------------------------------------------------------


class Goal(NamedTuple):
    """Provinces where all of this is to be so when the turn ends."""

    reach: frozenset[str]
    secure: frozenset[str]
    clear: frozenset[str]
    kill: frozenset[str]

    def worth(self, state: State, end: str) -> int:
        """1 where it is so, else 0."""
        table = state.table
        return int(
            end != FALLEN
            and self.reach <= {state.place}
            and self.secure <= table.secured()
            and not self.clear & (table.revolts | table.unrest)
            and not self.kill & table.armies
        )


class Weights(NamedTuple):
    """Weights of what lies on the board: kind, province (None: everywhere), weight."""

    weights: tuple[tuple[str, str | None, int], ...]

    def worth(self, state: State, end: str) -> int:
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
            total += weight * (len(places[kind]) if place is None else place in places[kind])
        return 0 if end == FALLEN else total


class Paid(NamedTuple):
    """The IP paid since the start, as a number to be kept small."""

    ip: int

    def worth(self, state: State, end: str) -> int:  # noqa: ARG002  # IP are paid however the turn ends
        """Minus the IP paid."""
        return state.ip - self.ip


class Limits(NamedTuple):
    """What must be so however the turn ends: the place, the garrisons in his reserve, the IP paid."""

    turn: Turn
    ip: int
    inside: frozenset[str]
    outside: frozenset[str]
    keep: int
    spend: int

    def worth(self, state: State, end: str) -> int:
        """1 where it is so, else 0."""
        reserve = self.turn.supply - len(state.table.garrisons[self.turn.active])
        return int(
            end != FALLEN
            and (not self.inside or state.place in self.inside)
            and state.place not in self.outside
            and reserve >= self.keep
            and self.ip - state.ip <= self.spend
        )


Term = Goal | Weights | Paid | Limits


class Objective:
    """Numbers to be made as large as possible, the earlier ones first; the limits, if there are any, before all."""

    def __init__(self, text: str, turn: Turn, start: State) -> None:
        goals, subject, limits = text.partition(" subject to ")
        self.names = goals.split(" then ")
        self.terms: list[Term] = [read_term(name, turn.board, start) for name in self.names]
        if subject:
            self.names.insert(0, "subject to " + limits)
            self.terms.insert(0, read_limits(limits, turn, start))

    def worth(self, state: State, end: str) -> Value:
        """The value of each term where the turn ends like this."""
        return tuple(term.worth(state, end) for term in self.terms)


def read_term(text: str, board: Board, start: State) -> Term:
    """A goal, weights, or the IP paid."""
    if text == "least ip":
        return Paid(start.ip)
    if text.startswith("most value "):
        return Weights(tuple(read_weight(word, board) for word in text.split(" ")[2:]))
    lists = {verb: frozenset[str]() for verb in Goal._fields}
    found = []
    for part in text.split(" and "):
        verb, _, places = part.partition(" ")
        found.append(verb)
        if verb not in lists:
            raise Unreadable(
                f"objective '{text}': this checker knows reach, secure, clear, kill, most value and least ip"
            )
        lists[verb] = read_places(places, board)
    if found != [verb for verb in Goal._fields if lists[verb]]:
        raise Unreadable(f"objective '{text}': expected each of {', '.join(Goal._fields)} once, in this order")
    if len(lists["reach"]) > 1:
        raise Unreadable(f"objective '{text}': an Emperor ends his turn in one province only")
    return Goal(**lists)


def read_weight(word: str, board: Board) -> tuple[str, str | None, int]:
    """A weight, ``revolt=-3`` or ``army@rhaetia=-10``."""
    match = re.fullmatch(r"([a-z]+)(?:@([a-z_]+))?=(0|-?[1-9][0-9]{0,6})", word)
    if match is None or match[1] not in KINDS or match[2] not in {None, *board.provinces}:
        raise Unreadable(f"weight '{word}': expected KIND=WEIGHT or KIND@PROVINCE=WEIGHT")
    return match[1], match[2], int(match[3])


def read_places(text: str, board: Board) -> frozenset[str]:
    """Ids of provinces in alphabetical order."""
    places = text.split(", ")
    if places != sorted(set(places) & set(board.provinces)):
        raise Unreadable(f"'{text}': expected ids of provinces, each once, in alphabetical order")
    return frozenset(places)


LIMITS = (
    ("inside", re.compile("end in (.+)")),
    ("outside", re.compile("do not end in (.+)")),
    ("keep", re.compile("keep (1(?= garrison$)|[2-9](?= garrisons)) garrisons?")),
    ("spend", re.compile("spend at most ([0-9])")),
)


def read_limits(text: str, turn: Turn, start: State) -> Limits:
    """Limits joined by ``and``, each kind at most once and in the order of `LIMITS`."""
    found: dict[str, str] = {}
    parts = text.split(" and ")
    for name, form in LIMITS:
        match = form.fullmatch(parts[0]) if parts else None
        if match is not None:
            found[name] = match[1]
            parts = parts[1:]
    if parts:
        raise Unreadable(f"limits '{text}': cannot read '{parts[0]}' at this place")
    return Limits(
        turn,
        start.ip,
        inside=read_places(found["inside"], turn.board) if "inside" in found else frozenset(),
        outside=read_places(found["outside"], turn.board) if "outside" in found else frozenset(),
        keep=int(found.get("keep", 0)),
        spend=int(found.get("spend", IP_A_TURN)),
    )


# -- attacks ---------------------------------------------------------------------------------------------------


def read_attacks(text: str, board: Board) -> dict[str, str] | None:
    """None where the dice decide; else how the attack on each army ends that may be attacked at all."""
    if text == "dice":
        return None
    stated = {}
    for part in text.split(", ") if text != "none" else ():
        match = re.fullmatch(r"(victory|draw|defeat)@([a-z_]+)", part)
        if match is None or match[2] not in board.row or match[2] in stated:
            raise Unreadable(f"attacks '{text}': expected dice, none, or outcomes with armies like victory@narbonensis")
        stated[match[2]] = match[1]
    if list(stated) != sorted(stated):
        raise Unreadable(f"attacks '{text}': expected the provinces in alphabetical order")
    return stated
