"""The map and the numbers of the game as the subject of claims. Its rows are the author's table: none of them is uncertain."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tetrasolve import files, strict
from tetrasolve.claims.families import Claims
from tetrasolve.claims.index import NAME, Index
from tetrasolve.claims.subject import Change, Neighbourhood
from tetrasolve.errors import BoardError
from tetrasolve.finem.facts.families import CLAIMS
from tetrasolve.finem.layout import EMPTY, GRID, REGIONS, read_grid
from tetrasolve.finem.numbers import game_data
from tetrasolve.finem.ruleset import READINGS

ID = "et-finem"


@dataclass(frozen=True, slots=True)
class Table:
    """What the rules read: the rows of the map and the numbers, each as a line of text."""

    rows: tuple[str, ...]


def table_rows(data: Mapping[str, object]) -> tuple[str, ...]:
    """The rows of a data file of the game.

    :raises BoardError: when it holds no map.
    :raises StrictError: when a number is none.
    """
    grid = read_grid(data.get("map"))
    cards = dict(zip(grid.places, grid.printed, strict=True))
    lines = [
        f"row {row} {' '.join(cards.get((row, column), EMPTY) for column in range(1, grid.columns + 1))}"
        for row in range(1, grid.rows + 1)
    ]
    lines.append(f"start {grid.start[0]} {grid.start[1]}")
    lines += [f"corner {row} {column}" for row, column in grid.corners]
    numbers = data.get("numbers")
    assert isinstance(numbers, Mapping)
    return (*lines, *(f"number {name} {numbers[name]['value']}" for name in sorted(numbers)))


@dataclass(frozen=True, slots=True)
class TableSubject:
    """The table that facts are about: a `tetrasolve.claims.subject.Subject`.

    >>> read_subject().rows()[0]
    'row 1 E5 E7 ES ER'
    """

    board: Table
    claims: Claims = CLAIMS

    @property
    def id(self) -> str:
        """The name of the table."""
        return ID

    def rows(self) -> tuple[str, ...]:
        """All rows on which any rule depends."""
        return self.board.rows

    def digest(self) -> str:
        """The SHA-256 of the rows."""
        return hashlib.sha256("".join(f"{row}\n" for row in self.rows()).encode("ascii")).hexdigest()

    def uncertain_rows(self) -> Mapping[str, float]:
        """None: the table is printed as text."""
        return {}

    def neighbourhood(self) -> Neighbourhood:
        """No other table can be meant."""
        return Neighbourhood((), {})

    def both(self, first: Change, second: Change) -> None:
        """There are no changes."""
        del first, second

    def readings(self) -> Mapping[str, str]:
        """The open sentences, each with its default."""
        return {reading.name: reading.default for reading in READINGS.values()}

    def names(self) -> Mapping[str, str]:
        """Regions by the words of values."""
        return {region.lower(): region for region in REGIONS}

    def places(self) -> tuple[str, ...]:
        """The regions in reading order."""
        return tuple(region.lower() for region in GRID.printed)

    def question(self, row: str) -> str:
        """What to look for on the author's table."""
        return f"Does the author's table say '{row}'?"


def read_subject(board: str | None = None) -> TableSubject:
    """The table of the library, with all claims; a file must hold the same one.

    :raises BoardError: when a file holds another table, or none.
    """
    found = TableSubject(Table(table_rows(game_data())))
    if board is None:
        return found
    try:
        rows = table_rows(strict.read_toml(files.read_text(Path(board))))
    except (OSError, ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
        raise BoardError(board, [f"holds no table of the game: {error}"]) from None
    if rows != found.rows():
        other = next((row for row in rows if row not in found.rows()), "rows in another order")
        raise BoardError(board, [f"'{other}': the facts of this game are about its printed map"])
    return found


def standard_index() -> Index:
    """The index of facts that belongs to the library.

    :raises FactError: when it is missing, or is not as this library writes it.
    """
    return Index.load(CLAIMS.proofs_folder() / NAME)
