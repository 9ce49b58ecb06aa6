"""Construction: which cubes of a puzzle can go, and the puzzle with none that can (`tetrasolve.puzzles.construction`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tetrasolve.errors import OutOfTimeError, TetrasolveError, TooLargeError
from tetrasolve.exact.deadline import stop_of
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.kinds import question_about
from tetrasolve.finem.puzzle.puzzle import Puzzle, is_sharp
from tetrasolve.finem.puzzle.solving import solve
from tetrasolve.finem.text import NAMES
from tetrasolve.puzzles.construction import Shrunk, without_needless
from tetrasolve.stop import Stop


class Cube(NamedTuple):
    """A cube that can be taken off."""

    region: str
    tribe: str

    def removed(self, position: Position) -> Position:
        """The position without it."""
        return position.with_count(self.region, self.tribe, position.count(self.region, self.tribe) - 1)

    def __str__(self) -> str:
        return f"{NAMES[self.tribe]} in {self.region}"


def cubes(position: Position) -> list[Cube]:
    """Each cube on the map."""
    return [Cube(region, tribe) for region in REGIONS for tribe in TRIBES for _ in range(position.count(region, tribe))]


def shrink(puzzle: Puzzle, *, seconds: float | None = None, cancel: Stop | None = None) -> Shrunk[Puzzle]:
    """The puzzle without cubes that can go, first many at a time and then one by one, until each that is left is needed.

    When `seconds` are over, or `cancel` is set, it is the puzzle with the cubes that had not gone until then.
    """
    stop = stop_of(seconds, cancel)

    def listed(puzzle: Puzzle) -> list[Cube]:
        return cubes(puzzle.question.position)

    def without(puzzle: Puzzle, gone: Sequence[Cube]) -> Puzzle | None:
        return _without(puzzle, gone, stop)

    return without_needless(puzzle, listed, lambda _, cube: str(cube), without)


def _without(puzzle: Puzzle, gone: Sequence[Cube], stop: Stop | None) -> Puzzle | None:
    """The puzzle without these cubes; None where it is not the same puzzle any more."""
    position = puzzle.question.position
    for cube in gone:
        position = cube.removed(position)
    try:
        question = question_about(puzzle.question.kind.name, puzzle.question.target, position)
        found = solve(question, cancel=stop)
    except (OutOfTimeError, TooLargeError):
        raise
    except TetrasolveError:
        return None  # the position cannot occur, or it gives rise to no such question
    before = puzzle.found
    is_same = found.is_unique and found.options[0] == before.options[0] and is_sharp(found) == is_sharp(before)
    return Puzzle(question, puzzle.source, found) if is_same else None
