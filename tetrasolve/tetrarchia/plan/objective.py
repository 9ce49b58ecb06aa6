"""Objectives of turn plans: terms compared one after the other, under a constraint; `reading` has the text forms.

============================================== ===========================================================
``reach sarmatia``                             the Emperor ends his turn there
``secure sarmatia``                            a garrison lies there
``clear dacia, thracia``                       neither revolt nor unrest lies there
``kill rhaetia``                               no army is there
``reach dacia and clear dacia``                all of these together
``most value revolt=-3 army@rhaetia=-10``      weights of discs and figures, everywhere or in a province or region
``kill pirates``                               the Pirates are beaten
``deploy dux``, ``deploy vicarius``            he is on the board
``glory 3``                                    the Emperor has at least so many discs of glory
``least p_uprising`` (``p_lost``, ...)         a figure of the Barbarian phase that follows, see `RISKS`
``most expected revolt=-3 fallen=-200``        an `evaluation` of the position after that phase
``next secure sarmatia``                       a goal at the end of the next Emperor's turn, see `NextGoal`
``next next secure sarmatia``                  of the turn after that, and so on up to `MOST_TURNS`
``least ip``                                   the IP paid
``... subject to end in dacia``                a constraint on every end of the turn, see `Constraint`
============================================== ===========================================================

Terms are joined by ``then``: a later term decides only between plans that are equal in all before it. ``least ip`` is
added at the end where it is not named. With attacks, a term is the expectation over their dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, TypeAlias

from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import REVOLTS, UNREST
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.plan.evaluation import Evaluation
from tetrasolve.tetrarchia.position import Position

GOALS = ("reach", "secure", "clear", "kill")
KINDS = ("revolt", "unrest", "garrison", "army", "emperor")
NEXT = "next"  # before a goal: in the next Emperor's turn; twice: in the turn after that, and so on
MOST_TURNS = 8  # such words before a goal: two rounds of all Emperors
DEPLOY, GLORY = "deploy", "glory"  # goals of modules and variants
MODULE_KINDS = (DUX, VICARIUS, PIRATES, GLORY)  # their kinds in a sum of weights
NO_PLACE = (PIRATES, GLORY)  # kinds that are in no province
LARGEST_WEIGHT = 10**6  # keeps exact sums within the integers of the kernel

# Figures of the Barbarian phase after a turn, by name, with their value where the Empire has fallen before. After a victory
# there is no phase and all are 0.
RISKS: Mapping[str, int] = MappingProxyType(
    {
        "p_uprising": 1,  # chance of at least one uprising
        "p_lost": 1,  # chance that the Empire falls
        "p_new_army": 1,  # chance that an army is placed
        "e_uprisings": REVOLTS,  # expected uprisings
        "e_revolts": REVOLTS,  # expected revolts on the board; an Empire lost in the phase counts as one full of revolts
    }
)


@dataclass(frozen=True, slots=True)
class Goal:
    """A goal, 1 if it is met when the turn ends, else 0: provinces to `reach`, `secure`, `clear` and `kill` in.

    With modules and variants `kill` can have ``"pirates"``, `deploy` figures that are to be on the board, and `glory` is the
    least number of the Emperor's glory discs.
    """

    reach: frozenset[str] = frozenset()
    secure: frozenset[str] = frozenset()
    clear: frozenset[str] = frozenset()
    kill: frozenset[str] = frozenset()
    deploy: frozenset[str] = frozenset()
    glory: int = 0

    def is_met(self, position: Position) -> bool:
        """Whether it is met in this position, at the end of the active Emperor's turn."""
        return (
            all(position.here == place for place in self.reach)
            and all(position.has_garrison(place) for place in self.secure)
            and not any(position.has_revolt(place) or position.has_unrest(place) for place in self.clear)
            and not any(place in position.armies for place in self.kill)
            and not (PIRATES in self.kill and _number(position, PIRATES, None))
            and all(position.place_of(figure) is not None for figure in self.deploy)
            and _number(position, GLORY, None) >= self.glory
        )

    def words(self) -> Iterator[tuple[str, str]]:
        """The words that require a module or variant, with its name."""
        if PIRATES in self.kill:
            yield f"kill {PIRATES}", PIRATES
        yield from ((f"{DEPLOY} {figure}", figure) for figure in sorted(self.deploy))
        if self.glory:
            yield f"{GLORY} {self.glory}", _MODULES[GLORY]

    def __str__(self) -> str:
        parts = []
        for verb in (*GOALS, DEPLOY):
            places = sorted(getattr(self, verb))
            if places:
                parts.append(f"{verb} {', '.join(places)}")
        if self.glory:
            parts.append(f"{GLORY} {self.glory}")
        return " and ".join(parts)


@dataclass(frozen=True, slots=True)
class Value:
    """The sum of weights (kind, province or None for all, weight) of discs and figures on the board.

    The value of a fallen Empire is 0.
    """

    weights: tuple[tuple[str, str | None, int], ...]

    def of(self, position: Position) -> int:
        """The value of this position."""
        return sum(weight * _number(position, kind, place) for kind, place, weight in self.weights)

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

    def words(self) -> Iterator[tuple[str, str]]:
        """The words that require a module or variant, with its name."""
        yield from ((kind, _MODULES.get(kind, kind)) for kind, _, _ in self.weights if kind in MODULE_KINDS)

    def ceiling(self, board: Board) -> int:
        """What no position is worth more than."""
        rows = (row for kind in (*KINDS, DUX, VICARIUS) if (row := self.table(kind, board)) is not None)
        alone = sum(
            max(weight, 0) * (UNREST if kind == GLORY else 1) for kind, _, weight in self.weights if kind in NO_PLACE
        )
        return alone + sum(weight for row in rows for weight in row if weight > 0)

    def __str__(self) -> str:
        words = (f"{kind}{'@' + place if place else ''}={weight}" for kind, place, weight in self.weights)
        return "most value " + " ".join(words)


@dataclass(frozen=True, slots=True)
class LeastRisk:
    """A figure of the Barbarian phase that follows, one of `RISKS`: a chance in [0, 1] or an expected number."""

    figure: str

    def __str__(self) -> str:
        return f"least {self.figure}"


@dataclass(frozen=True, slots=True)
class LeastIp:
    """The IP paid in the turn."""

    def __str__(self) -> str:
        return "least ip"


@dataclass(frozen=True, slots=True)
class MostExpected:
    """The expectation of an evaluation over the Barbarian phase that follows, in units of its weights."""

    evaluation: Evaluation

    def __str__(self) -> str:
        return f"most expected {self.evaluation}"


@dataclass(frozen=True, slots=True)
class NextGoal:
    """The best chance of a goal at the end of the next Emperor's turn, when nothing happens in between.

    With `turns` it is asked for at the end of the last of so many turns, 1 to `MOST_TURNS`, each played for it as well as possible.
    """

    goal: Goal
    turns: int = 1

    def words(self) -> Iterator[tuple[str, str]]:
        """The words that require a module or variant, with its name."""
        return self.goal.words()

    def __str__(self) -> str:
        return f"{f'{NEXT} ' * self.turns}{self.goal}"


Term: TypeAlias = Goal | Value | LeastRisk | MostExpected | LeastIp | NextGoal


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint on every end of the turn; the Empire must not have fallen.

    The Emperor ends in one of `end_in` (empty: anywhere, also off the board) and in none of `not_end_in`, with at least
    `keep` of his garrisons in the reserve, after at most `spend` IP (None: any number). With Imperium, he can still pay for his
    power with at least `discs`.
    """

    end_in: frozenset[str] = frozenset()
    not_end_in: frozenset[str] = frozenset()
    keep: int = 0
    spend: int | None = None
    discs: int = 0

    def __bool__(self) -> bool:
        return self != FREE

    def is_met(self, end: Position, paid: int) -> bool:
        """Whether an end of the active Emperor's turn, after `paid` IP, meets the constraint."""
        return (
            (not self.end_in or end.here in self.end_in)
            and end.here not in self.not_end_in
            and end.reserve_garrisons(end.to_move) >= self.keep
            and (self.spend is None or paid <= self.spend)
            and (not self.discs or _payable_discs(end) >= self.discs)
        )

    def words(self) -> Iterator[tuple[str, str]]:
        """The words that require a module or variant, with its name."""
        if self.discs:
            yield _discs_of_imperium(self.discs), "imperium"

    def __str__(self) -> str:
        parts = [f"end in {', '.join(sorted(self.end_in))}"] if self.end_in else []
        parts += [f"do not end in {', '.join(sorted(self.not_end_in))}"] if self.not_end_in else []
        parts += [f"keep {self.keep} garrison{'s' * (self.keep > 1)}"] if self.keep else []
        parts += [f"keep {_discs_of_imperium(self.discs)}"] if self.discs else []
        parts += [] if self.spend is None else [f"spend at most {self.spend}"]
        return " and ".join(parts)


FREE = Constraint()


@dataclass(frozen=True, slots=True)
class Objective:
    """Terms in the order in which they are compared, and a constraint."""

    terms: tuple[Term, ...]
    constraint: Constraint = FREE

    def __str__(self) -> str:
        terms = " then ".join(map(str, self.terms))
        return f"{terms} subject to {self.constraint}" if self.constraint else terms

    @property
    def is_deterministic(self) -> bool:
        """Whether it depends on the end of the turn only, not on the phase that follows."""
        return not any(map(looks_ahead, self.terms))


def words(objective: Objective) -> Iterator[tuple[str, str]]:
    """The words of an objective that require a module or variant, with its name."""
    for part in (*objective.terms, objective.constraint):
        if isinstance(part, (Goal, NextGoal, Value, Constraint)):
            yield from part.words()


def looks_ahead(term: Term) -> bool:
    """Whether a term depends on what follows the turn: the phase, or the next turn."""
    return isinstance(term, (LeastRisk, MostExpected, NextGoal))


def natural(term: Term, maximised: Fraction) -> Fraction:
    """The displayed value of a term, from the number that is maximised: chances and IP are not negative."""
    return -maximised if isinstance(term, (LeastRisk, LeastIp)) else maximised


# -- as the kernel's criteria ----------------------------------------------------------------------------------


def criterion(term: Term, position: Position) -> tuple[Any, ...] | None:
    """A term as a criterion of the kernel for turns of a position, to be maximised; None where the kernel has none."""
    board = position.board
    match term:
        case Goal():
            clear, kill = board.mask(term.clear), board.mask(term.kill - {PIRATES})
            goal = ("goal", board.mask(term.reach), board.mask(term.secure), clear, clear, kill)
            figures = (DUX in term.deploy) + 2 * (VICARIUS in term.deploy) + 4 * (PIRATES in term.kill)
            return (*goal, figures, term.glory) if figures or term.glory else goal
        case Value():
            linear = ("linear", *(term.table(kind, board) for kind in KINDS), 0)
            if all(kind not in MODULE_KINDS for kind, _, _ in term.weights):
                return linear
            alone = (sum(weight for kind, _, weight in term.weights if kind == name) for name in (GLORY, PIRATES))
            return (*linear, *(term.table(kind, board) for kind in (DUX, VICARIUS)), *alone)
        case LeastRisk():  # a Barbarian player decides about uprisings
            return (
                ("uprising",) if term.figure == "p_uprising" and "barbaria" not in position.ruleset.extensions else None
            )
        case MostExpected() | NextGoal():
            return None
        case LeastIp():
            return ("ip",)


def limits(constraint: Constraint, board: Board) -> tuple[Any, ...]:
    """A constraint as a criterion of the kernel: 1 at ends that meet it."""
    spend = LARGEST_WEIGHT if constraint.spend is None else constraint.spend
    kept = (constraint.discs,) if constraint.discs else ()
    return ("limits", board.mask(constraint.end_in), board.mask(constraint.not_end_in), constraint.keep, spend, *kept)


_MODULES = {GLORY: "roma-aeterna"}  # the module or variant of a word, if its name is another one


def _discs_of_imperium(number: int) -> str:
    return f"{number} disc{'s' * (number > 1)} of imperium"


def _payable_discs(position: Position) -> int:
    """The discs with which the active Emperor can pay for his power [I-IMPERIUM-BORDER]."""
    stays = position.ruleset.readings["I-IMPERIUM-BORDER"] == "stays"
    lying = position.garrisons(position.to_move)
    kept = [place for place in lying if stays and position.board[place].is_border]
    return position.reserve_garrisons(position.to_move) + len(lying) - len(kept)


def _number(position: Position, kind: str, place: str | None) -> int:
    """The number of discs and figures of a kind, in a province or on the whole table."""
    match kind:
        case "glory":
            return position.glory.get(position.to_move, 0)
        case "pirates":
            return int(position.pieces.pirates is not None and position.pieces.pirates.zone is not None)
    return len(_places(position, kind, place))


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
        case "dux" | "vicarius":
            found = {position.place_of(kind)} - {None}  # type: ignore[assignment]  # None is taken out
        case _:
            found = {position.here} - {None}  # type: ignore[assignment]  # None is taken out
    return found if place is None else found & {place}
