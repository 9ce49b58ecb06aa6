"""Facts that positions show: how turns, phases and games end. The checker finds the same positions and plays them itself.

The value `verdict` is whether the rulebook is right; `witness` is taken from the text of the positions, so that it says which
ones they are.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial

from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.rulebook.words import barbarians, prices, table
from tetrasolve.tetrarchia.facts.saying import filled
from tetrasolve.tetrarchia.position import Position

UNSHOWN = "unshown"  # the verdict where a board has no such position, or another one


def witness(positions: Iterable[str]) -> str:
    """A word by which a value names positions."""
    text = "".join(f"{line}\n" for line in positions)
    return "w" + hashlib.sha256(text.encode("ascii")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Answer:
    """The numbers of a statement, whether the rulebook is right, and the positions that show it."""

    values: Mapping[str, Value]
    right: bool
    positions: tuple[str, ...]

    def all_values(self) -> dict[str, Value]:
        """The values of the fact."""
        verdict = "confirmed" if self.right else "refuted"
        return {**self.values, "verdict": verdict, "witness": witness(self.positions)}


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement: the page of the rulebook, how it is worked out on a board, and its words with values in braces."""

    page: int
    work: Callable[[Board], Answer]
    words: str


class NotHereError(TetrasolveError):
    """A board has no position that would show a statement."""


@lru_cache(maxsize=64)
def answer(statement: Statement, board: Board) -> Answer | None:
    """What a statement comes to on a board; None where it cannot be shown there."""
    try:
        return statement.work(board)
    except (TetrasolveError, KeyError, ValueError, AssertionError):
        return None


def statements(
    name: str,
    title: str,
    how: str,
    rows: tuple[str, ...],
    instances: Mapping[str, Statement],
    certainty: str = "exact",
    effort: float = 0.01,
) -> Topic:
    """A kind of fact with a statement for each instance."""
    return Topic(
        id=name,
        family="invariants",
        title=title,
        how=how,
        certificate="",
        rows=rows,
        derive=partial(_derive, instances),
        certify=None,
        say=partial(_say, instances),
        ruleset="the base game, usual readings",
        certainty=certainty,
        effort=effort,
    )


def _derive(instances: Mapping[str, Statement], board: Board) -> Mapping[str, Values]:
    found: dict[str, Values] = {}
    for name, statement in instances.items():
        shown = answer(statement, board)
        found[name] = {"verdict": UNSHOWN} if shown is None else shown.all_values()
    return found


def _say(instances: Mapping[str, Statement], instance: str, values: Values) -> str:
    statement = instances[instance]
    if values["verdict"] == UNSHOWN:
        return f"Page {statement.page}: on this board nothing shows whether the rulebook is right."
    return f"{str(values['verdict']).capitalize()} (page {statement.page}): {filled(statement.words, values)}"


# -- positions -----------------------------------------------------------------------------------------------------


def play(position: Position, *texts: str) -> tuple[list[Position], str]:
    """The positions from the start on, and the line that shows them."""
    found = [position]
    for text in texts:
        after = rules.play(found[-1], rules.parse(found[-1], text))
        assert isinstance(after, Position)
        found.append(after)
    return found, "; ".join([str(position), *texts])


def legal(position: Position) -> Position:
    """A position that can occur.

    :raises NotHereError: when it cannot, on this board.
    """
    if position.status():
        raise NotHereError(f"{position} cannot occur on this board")
    return position


def quiet(board: Board) -> Position:
    """Nothing on the table when the Barbarians come."""
    return barbarians(Position.parse("4200 D:6 -/-/-/- 23 - - - -/-/-/-", board))


def exact(number: Fraction | int) -> Value:
    """A number as a value: whole where it is."""
    fraction = Fraction(number)
    return fraction.numerator if fraction.denominator == 1 else fraction


def empire(board: Board) -> tuple[str, ...]:
    """All Roman provinces."""
    return tuple(place.id for place in board.provinces.values() if not place.is_border)


def falls(board: Board) -> dict[str, int]:
    """By how much each kind of action lowers twice the IP, with one more for an Emperor off the board, at least."""
    found = {"enter": 1}
    inside = empire(board)
    for place in board.ids:
        for fleets in ((), (1,), (2,), (3,), (1, 2, 3)):
            armies = (army for army in board.neighbours(place) if army != board.roma)
            lies = ({}, {"revolts": inside}, {"unrest": inside}, *({"armies": [army]} for army in armies))
            for what in lies:
                for name, ip in prices(table(board, at=place, fleets=fleets, **what)).items():  # type: ignore[arg-type]
                    kind = name.partition(" ")[0]
                    found[kind] = min(2 * ip, found.get(kind, 2 * ip))
    return found
