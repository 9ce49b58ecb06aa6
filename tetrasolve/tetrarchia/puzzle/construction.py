"""Construction: which pieces of a puzzle can go, and the puzzle with none that can.

A piece can go if the puzzle without it has one answer, and the same one with the same chances. Such a piece is a *blemish*. What is
left after all have gone, one after the other, has none: each piece is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tetrasolve.errors import OutOfTimeError, TetrasolveError, TooLargeError
from tetrasolve.exact.deadline import stop_of
from tetrasolve.puzzles.construction import Shrunk, without_needless
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, Solution, solve
from tetrasolve.tetrarchia.puzzle.ranked import Ranked


class Piece(NamedTuple):
    """A piece that can be taken off: ``army``, ``disc`` or ``figure``; the province, or the name of the figure."""

    kind: str
    name: str

    def removed(self, position: Position) -> Position:
        """The position without it."""
        match self.kind:
            case "army":
                return position.with_army(self.name, None)
            case "disc":
                return position.with_disc(self.name, None)
        return position.with_figure(self.name, None)

    def said(self, position: Position) -> str:
        """What it is and where."""
        match self.kind:
            case "army":
                return f"army in {self.name}"
            case "disc":
                disc = position.discs[self.name]
                return (
                    f"{disc} in {self.name}" if disc not in position.emperors else f"garrison of {disc} in {self.name}"
                )
        return f"{self.name} in {position.place_of(self.name)}"


def pieces(position: Position) -> Iterator[Piece]:
    """The pieces that could be taken off; fleets are as many as the level says, and the active Emperor stays."""
    yield from (Piece("disc", place) for place in position.discs)
    yield from (Piece("army", place) for place in position.armies)
    for figure in position.romans:
        if figure != position.to_move and figure not in HELPERS:
            yield Piece("figure", figure)


def blemishes(puzzle: Puzzle, *, seconds: float | None = None, cancel: Stop | None = None) -> tuple[str, ...]:
    """The pieces each of which can go while all others stay.

    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all were tried.
    :raises TooLargeError: when the puzzle without one of them is too large to be solved.
    """
    stop = stop_of(seconds, cancel)
    position = puzzle.question.position
    return tuple(piece.said(position) for piece in pieces(position) if _without(puzzle, [piece], stop) is not None)


def shrink(puzzle: Puzzle, *, seconds: float | None = None, cancel: Stop | None = None) -> Shrunk[Puzzle]:
    """The puzzle without pieces that can go, first many at a time and then one by one, until each that is left is needed.

    When `seconds` are over, or `cancel` is set, it is the puzzle with the pieces that had not gone until then. A piece without
    which the puzzle is too large to be solved stays, and it is not known whether it is needed.
    """
    stop = stop_of(seconds, cancel)

    def listed(puzzle: Puzzle) -> list[Piece]:
        return list(pieces(puzzle.question.position))

    def said(puzzle: Puzzle, piece: Piece) -> str:
        return piece.said(puzzle.question.position)

    def without(puzzle: Puzzle, gone: Sequence[Piece]) -> Puzzle | None:
        return _without(puzzle, gone, stop)

    return without_needless(puzzle, listed, said, without)


def _without(puzzle: Puzzle, gone: Sequence[Piece], stop: Stop | None) -> Puzzle | None:
    """The puzzle without these pieces; None where it is not the same puzzle any more."""
    position = puzzle.question.position
    for piece in gone:
        position = piece.removed(position)
    try:
        question = puzzle.question.kind.question_about(position, puzzle.question.target)
        if question is None:
            return None
        solution = solve(question, cancel=stop)
    except (OutOfTimeError, TooLargeError):
        raise
    except TetrasolveError:
        return None  # the position cannot occur, or the turn that was played is not legal in it
    found = Puzzle(question, puzzle.source, solution)
    is_same = solution.is_unique and _answer(solution) == _answer(puzzle.solution) and found.is_sharp == puzzle.is_sharp
    return found if is_same else None


def _answer(solution: Solution) -> str:
    """The answer with its chances."""
    if isinstance(solution, Ranked):
        return f"{solution.answer} {solution.options[0][1]}"
    return f"{solution.plan} {' '.join(map(str, solution.values))}"
