"""Which pieces of a puzzle can go, as far as it is alike in all games.

A piece can go if the puzzle without it has one answer, and the same one with the same number. Such a piece is a *blemish*. What is
left after all have gone, one after the other, has none: each piece is needed, for the answer or for the position to occur.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from tetrasolve.errors import OutOfTimeError, TooLargeError

P = TypeVar("P")  # a puzzle
T = TypeVar("T")  # a piece of it


@dataclass(frozen=True)
class Shrunk(Generic[P]):
    """A puzzle after pieces have gone: `removed` says which, in order; `is_complete`: each that is left is needed."""

    puzzle: P
    removed: tuple[str, ...]
    is_complete: bool


def without_needless(
    puzzle: P,
    pieces: Callable[[P], Sequence[T]],
    said: Callable[[P, T], str],
    without: Callable[[P, Sequence[T]], P | None],
) -> Shrunk[P]:
    """The puzzle without pieces that can go, first many at a time and then one by one.

    `pieces` lists what could be taken off, `said` names a piece, and `without` is the puzzle without some of them, None where it
    is not the same puzzle any more. When `without` raises `OutOfTimeError`, the result is the puzzle as it is then. A piece
    without which it raises `TooLargeError` stays, and it is not known whether it is needed.
    """
    removed: list[str] = []
    size = max(1, len(pieces(puzzle)) // 2)
    try:
        while True:
            left = pieces(puzzle)
            parts = [left[row : row + size] for row in range(0, len(left), size)]
            has_changed, is_known = False, True
            for part in parts:
                try:
                    found = without(puzzle, part)
                except TooLargeError:
                    found, is_known = None, False
                if found is not None:
                    removed += [said(puzzle, piece) for piece in part]
                    puzzle, has_changed = found, True
            if size == 1 and not has_changed:
                return Shrunk(puzzle, tuple(removed), is_complete=is_known)
            size = max(1, size // 2)
    except OutOfTimeError:
        return Shrunk(puzzle, tuple(removed), is_complete=False)
