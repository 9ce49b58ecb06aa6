"""All rows of a board on which any rule depends, as lines of text, and the digest by which facts name a board.

Certificates of turns name the rows that a Roman phase reads. A fact may speak of Barbarians too, so here the numbers that
dice find and the arrows that armies follow stand behind those rows. Sources, confidences, notes, names and coordinates on
the globe are not among them: what is written again there changes no fact.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.certificate import board_rows


def all_rows(board: Board) -> Iterator[str]:
    """The rows of a board, each a line of text.

    >>> next(all_rows(Board.standard()))
    'board tetrarchia roma roma zones 3'
    """
    yield from board_rows(board)
    for place in board.provinces.values():
        if place.number:
            yield f"number {place.id} {place.number}"
    for place in board.provinces.values():
        if place.arrow is not None:
            yield f"arrow {place.id} {place.arrow}"


@lru_cache(maxsize=16)
def whole_digest(board: Board) -> str:
    """The SHA-256 of all rows, each with a line feed at its end."""
    return hashlib.sha256("".join(f"{row}\n" for row in all_rows(board)).encode("ascii")).hexdigest()
