"""Boards as subjects of the toy claims of tests/facts/toys.py, and of no others."""

from __future__ import annotations

from tetrasolve.claims.families import Claims
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.facts.subject import BoardSubject

TOYS = Claims("tetrarchia", "tetrasolve.tetrarchia.facts", {"toys": "Toys"}, CLAIMS.rows, (("toy", "replay"),))


def toy_subject(board: Board) -> BoardSubject:
    """A board of which the toy facts alone are claimed."""
    return BoardSubject(board, TOYS)
