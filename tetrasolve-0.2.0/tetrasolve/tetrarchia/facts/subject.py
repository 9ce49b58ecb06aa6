"""A board of the game as the subject of claims: its rows, the boards next to it, and questions about uncertain rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tetrasolve.claims.families import Claims
from tetrasolve.claims.index import NAME, Index
from tetrasolve.claims.subject import Change, Neighbourhood
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts import changes
from tetrasolve.tetrarchia.facts.boardrows import all_rows, whole_digest
from tetrasolve.tetrarchia.facts.families import CLAIMS
from tetrasolve.tetrarchia.risk.course import packed_board, unpacked_board
from tetrasolve.tetrarchia.ruleset import READINGS


@dataclass(frozen=True, slots=True)
class BoardSubject:
    """A board that facts are about: a `tetrasolve.claims.subject.Subject`.

    >>> BoardSubject(Board.standard()).id
    'tetrarchia'
    """

    board: Board
    claims: Claims = CLAIMS

    @property
    def id(self) -> str:
        """The id of the board."""
        return self.board.id

    def rows(self) -> tuple[str, ...]:
        """All rows of the board on which any rule depends."""
        return tuple(all_rows(self.board))

    def digest(self) -> str:
        """The SHA-256 of the rows."""
        return whole_digest(self.board)

    def uncertain_rows(self) -> Mapping[str, float]:
        """The rows that are not certain, with the confidence of each."""
        return changes.uncertain_rows(self.board)

    def neighbourhood(self) -> Neighbourhood:
        """Every board that differs from this one in one uncertain row."""
        return changes.neighbourhood(self.board)

    def both(self, first: Change, second: Change) -> Board | None:
        """The board with two changes; None where they are about the same row, or cannot be true together."""
        return changes.both(self.board, first, second)

    def readings(self) -> Mapping[str, str]:
        """The open sentences of the rulebook, each with its default."""
        return {reading.name: reading.default for reading in READINGS.values()}

    def names(self) -> Mapping[str, str]:
        """Provinces and Emperors by their ids."""
        people = {emperor.id: emperor.name for emperor in self.board.emperors}
        return people | {place.id: place.name for place in self.board.provinces.values()}

    def places(self) -> tuple[str, ...]:
        """The provinces, in the order of the board file."""
        return tuple(self.board.provinces)

    def question(self, row: str) -> str:
        """What to look for on the map."""
        return changes.question(row, self.board)

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (packed_board(self.board), self.claims)


def _rebuilt(packed: bytes, claims: Claims) -> BoardSubject:
    return BoardSubject(unpacked_board(packed), claims)


def standard_subject() -> BoardSubject:
    """The board of the library, with all claims."""
    return BoardSubject(Board.standard())


def read_subject(board: str | None = None) -> BoardSubject:
    """The board in a file, or the one of the library, with all claims.

    :raises BoardError: when the file holds no board.
    """
    return standard_subject() if board is None else BoardSubject(Board.load(board))


def standard_index() -> Index:
    """The index of facts that belongs to the library.

    :raises FactError: when it is missing, or is not as this library writes it.
    """
    return Index.load(CLAIMS.proofs_folder() / NAME)
