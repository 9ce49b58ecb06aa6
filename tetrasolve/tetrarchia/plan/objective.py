"""What a turn plan is to achieve: terms compared one after the other, each with a text form.

============================================== ===========================================================
``reach sarmatia``                             the Emperor ends his turn there
``secure sarmatia``                            a garrison lies there
``clear dacia, thracia``                       neither revolt nor unrest lies there
``kill rhaetia``                               no army stands there
``reach dacia and clear dacia``                all of these together
``most value revolt=-3 army@rhaetia=-10``      weights of discs and figures, everywhere or in a province or region
``least uprising``                             the chance of an uprising in the Barbarian phase
``least ip``                                   the IP paid
============================================== ===========================================================

Terms are joined by ``then``: a later term decides only between plans that are equal in all before it. ``least ip`` is
added at the end where it is not named. With attacks, a term is the expectation over their dice.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from tetrasolve.errors import ObjectiveError, shown
from tetrasolve.tetrarchia.board import ITALIA, Board
from tetrasolve.tetrarchia.position import Position

GOALS = ("reach", "secure", "clear", "kill")
KINDS = ("revolt", "unrest", "garrison", "army", "emperor")
LARGEST_WEIGHT = 10**6  # so that exact sums stay within the integers of the kernel


@dataclass(frozen=True, slots=True)
class Goal:
    """1 where all of this is so when the turn ends, else 0: provinces to `reach`, `secure`, `clear` and `kill` in."""

    reach: frozenset[str] = frozenset()
    secure: frozenset[str] = frozenset()
    clear: frozenset[str] = frozenset()
    kill: frozenset[str] = frozenset()

    def is_met(self, position: Position) -> bool:
        """Whether it is so in this position, at the end of the active Emperor's turn."""
        return (
            all(position.here == place for place in self.reach)
            and all(position.has_garrison(place) for place in self.secure)
            and not any(position.has_revolt(place) or position.has_unrest(place) for place in self.clear)
            and not any(place in position.armies for place in self.kill)
        )

    def __str__(self) -> str:
        parts = []
        for verb in GOALS:
            places = sorted(getattr(self, verb))
            if places:
                parts.append(f"{verb} {', '.join(places)}")
        return " and ".join(parts)


@dataclass(frozen=True, slots=True)
class Value:
    """The sum of weights over what lies on the board: (kind, province or None for everywhere, weight).

    A fallen Empire is worth 0.
    """

    weights: tuple[tuple[str, str | None, int], ...]

    def of(self, position: Position) -> int:
        """The value of this position."""
        return sum(weight * len(_places(position, kind, place)) for kind, place, weight in self.weights)

    def table(self, kind: str, board: Board) -> list[int] | None:
        """The weight of one kind in each province, by row; None where it has none."""
        if all(name != kind for name, _, _ in self.weights):
            return None
        table = [0] * len(board.provinces)
        for name, place, weight in self.weights:
            if name == kind:
                for row in range(len(table)) if place is None else (board.order[place],):
                    table[row] += weight
        return table

    def __str__(self) -> str:
        words = (f"{kind}{'@' + place if place else ''}={weight}" for kind, place, weight in self.weights)
        return "most value " + " ".join(words)


@dataclass(frozen=True, slots=True)
class LeastUprising:
    """The chance of at least one uprising in the Barbarian phase that follows: none after a victory."""

    def __str__(self) -> str:
        return "least uprising"


@dataclass(frozen=True, slots=True)
class LeastIp:
    """The IP paid in the turn."""

    def __str__(self) -> str:
        return "least ip"


Term: TypeAlias = Goal | Value | LeastUprising | LeastIp


@dataclass(frozen=True, slots=True)
class Objective:
    """Terms in the order in which they decide."""

    terms: tuple[Term, ...]

    def __str__(self) -> str:
        return " then ".join(map(str, self.terms))

    def criteria(self, board: Board) -> list[tuple[Any, ...]]:
        """The terms as the kernel's criteria, each to be maximised."""
        return [_criterion(term, board) for term in self.terms]


def natural(term: Term, maximised: Fraction) -> Fraction:
    """The value of a term as people read it, from the number that is maximised: chances and IP are not negative."""
    return -maximised if isinstance(term, (LeastUprising, LeastIp)) else maximised


def _criterion(term: Term, board: Board) -> tuple[Any, ...]:
    match term:
        case Goal():
            clear = board.mask(term.clear)
            return ("goal", board.mask(term.reach), board.mask(term.secure), clear, clear, board.mask(term.kill))
        case Value():
            return ("linear", *(term.table(kind, board) for kind in KINDS), 0)
        case LeastUprising():
            return ("uprising",)
        case LeastIp():
            return ("ip",)


def _places(position: Position, kind: str, place: str | None) -> set[str]:
    match kind:
        case "revolt":
            found = set(position.revolts)
        case "unrest":
            found = set(position.unrest)
        case "garrison":
            found = {province for province in position.discs if position.has_garrison(province)}
        case "army":
            found = set(position.armies)
        case _:
            found = {position.here} - {None}  # type: ignore[assignment]  # None is taken out
    return found if place is None else found & {place}


# -- reading ---------------------------------------------------------------------------------------------------


def read_objective(text: str, board: Board | None = None) -> Objective:
    """An objective from its text form.

    >>> str(read_objective("secure Sarmatia then least uprising"))
    'secure sarmatia then least uprising then least ip'

    :raises ObjectiveError: when a term cannot be read; it is named.
    """
    board = board or Board.standard()
    terms = [_term(part, board) for part in re.split(r"\s+then\s+|\s*;\s*", text.strip(), flags=re.IGNORECASE)]
    if LeastIp() not in terms:
        terms.append(LeastIp())
    return Objective(tuple(terms))


def _term(text: str, board: Board) -> Term:
    words = text.split()
    match [word.casefold() for word in words]:
        case ["least", "uprising" | "p_uprising"]:
            return LeastUprising()
        case ["least", "ip"]:
            return LeastIp()
        case ["most", "value", *_] if len(words) > 2:
            return Value(tuple(weight for word in words[2:] for weight in _weights(word, board)))
        case [verb, *_] if verb in GOALS:
            return _goal(text, board)
    expected = "reach, secure, clear or kill with provinces, most value KIND=WEIGHT, least uprising, or least ip"
    raise ObjectiveError(f"{shown(text)} is no objective: expected {expected}")


def _goal(text: str, board: Board) -> Goal:
    wanted: dict[str, set[str]] = {verb: set() for verb in GOALS}
    for part in re.split(r"\s+and\s+", text, flags=re.IGNORECASE):
        verb, _, places = part.strip().partition(" ")
        if verb.casefold() not in GOALS:
            raise ObjectiveError(f"{shown(part)}: expected one of {', '.join(GOALS)} with provinces")
        for place in places.split(","):
            wanted[verb.casefold()].add(_province(place, part, board))
    if len(wanted["reach"]) > 1:
        raise ObjectiveError(f"{shown(text)}: an Emperor ends his turn in one province only")
    return Goal(**{verb: frozenset(places) for verb, places in wanted.items()})


def _weights(word: str, board: Board) -> list[tuple[str, str | None, int]]:
    name, equals, number = word.partition("=")
    kind, at, place = name.partition("@")
    if kind.casefold() not in KINDS or not equals:
        raise ObjectiveError(
            f"{shown(word)}: expected KIND=WEIGHT or KIND@PLACE=WEIGHT with a kind of {', '.join(KINDS)}"
        )
    if not re.fullmatch(r"[+-]?[0-9]{1,7}", number) or abs(int(number)) > LARGEST_WEIGHT:
        raise ObjectiveError(f"{shown(word)}: expected a whole number up to {LARGEST_WEIGHT} as weight")
    if not at:
        return [(kind.casefold(), None, int(number))]
    return [(kind.casefold(), province, int(number)) for province in _region_or_province(place, word, board)]


def _region_or_province(place: str, text: str, board: Board) -> tuple[str, ...]:
    """A province, or all Roman provinces of a region by its id or Roman numeral, or ``borders``."""
    key = place.casefold()
    if key == "borders":
        return board.borders
    numerals = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6}
    for region in board.regions:
        if board.find(place) is None and (
            key == region.id or (region.number != ITALIA and numerals.get(key) == region.number)
        ):
            return board.members(region.number)
    return (_province(place, text, board),)


def _province(place: str, text: str, board: Board) -> str:
    province = board.find(place)
    if province is None:
        raise ObjectiveError(f"{shown(text)}: {shown(place.strip())} is no province of this board")
    return province.id
