"""The map of a ruleset as data and as text: where each region lies, and what is adjacent on the map and across its border."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tetrasolve.errors import ArgumentError, nearest
from tetrasolve.finem.layout import EMPTY, FLAT, GRID, NUMBER, REGIONS, Layout, layout
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.text import NAMES
from tetrasolve.tables import as_text, titled

if TYPE_CHECKING:
    from rich.table import Table

CELL = 4  # columns of a card in the map


@dataclass(frozen=True)
class Region:
    """A card on its place; `across` are the adjacent regions over the border of the map, with the option sphere."""

    name: str
    row: int
    column: int
    neighbours: tuple[str, ...]
    across: tuple[str, ...]

    @property
    def tribe(self) -> str:
        """Its suit."""
        return self.name[0]

    @property
    def rank(self) -> str:
        """Its rank."""
        return self.name[1]

    @property
    def same_rank(self) -> tuple[str, ...]:
        """The other regions of its rank, to which a card of this rank takes a Dictator."""
        return tuple(other for other in REGIONS if other[1] == self.rank and other != self.name)

    def as_data(self) -> dict[str, Any]:
        """The region as JSON data."""
        return {
            "region": self.name,
            "tribe": self.tribe,
            "rank": self.rank,
            "row": self.row,
            "column": self.column,
            "neighbours": list(self.neighbours),
            "across": list(self.across),
        }


@dataclass(frozen=True)
class Board:
    """The map that a ruleset plays on.

    >>> Board.of(Ruleset.from_text("expert+sphere")).region("E5")
    Region(name='E5', row=1, column=1, neighbours=('E6', 'E7'), across=('ER',))

    `str` of it is the map and a table of its regions.
    """

    ruleset: Ruleset
    regions: Mapping[str, Region]

    @classmethod
    def of(cls, ruleset: Ruleset) -> Board:
        """The map of a ruleset.

        :raises RulesetError: when the map is to be dealt.
        """
        whole, flat = ruleset.layout, layout(ruleset.cards)
        return cls(ruleset, {name: _region(name, whole, flat) for name in whole.cards})

    @property
    def starts(self) -> tuple[str, ...]:
        """The regions on which the pawn can begin."""
        found = self.ruleset.layout
        return found.corners if "corner" in self.ruleset.options else (found.start,)

    @property
    def border(self) -> str:
        """What the border does: ``flat``, ``gap`` or ``skip``."""
        return self.ruleset.layout.border

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The pairs of adjacent regions, each once."""
        return tuple(
            (one, other)
            for one in REGIONS
            for other in self.ruleset.layout.neighbours[one]
            if NUMBER[one] < NUMBER[other]
        )

    def region(self, name: str) -> Region:
        """The region with a name.

        :raises ArgumentError: when there is none.
        """
        if name not in self.regions:
            near = nearest(str(name), REGIONS)
            raise ArgumentError("region", name, near or "a suit of OCEB and a rank of 567SCR, like E5")
        return self.regions[name]

    def moves(self, name: str) -> tuple[tuple[str, ...], ...]:
        """The regions by the number of moves to them from one, which stands first, alone.

        >>> Board.of(Ruleset("standard")).moves("C7")[1]
        ('O7', 'C6', 'CS')

        :raises ArgumentError: when there is no such region.
        """
        neighbours = self.ruleset.layout.neighbours
        found: list[tuple[str, ...]] = [(self.region(name).name,)]
        seen = {name}
        while last := found[-1]:
            new = {other for one in last for other in neighbours[one]} - seen
            seen |= new
            found.append(tuple(sorted(new, key=NUMBER.__getitem__)))
        return tuple(found[:-1])

    def as_data(self) -> dict[str, Any]:
        """The map as JSON data."""
        return {
            "ruleset": str(self.ruleset),
            "border": self.border,
            "starts": list(self.starts),
            "map": [line.split() for line in self.lines()],
            "regions": [region.as_data() for region in self.regions.values()],
            "pairs": [list(pair) for pair in self.pairs],
        }

    def region_data(self, name: str) -> dict[str, Any]:
        """A region as JSON data, with the other regions of its rank and those at each number of moves.

        :raises ArgumentError: when there is no such region.
        """
        found = self.region(name)
        return found.as_data() | {
            "same_rank": list(found.same_rank),
            "is_start": name in self.starts,
            "moves": [list(row) for row in self.moves(name)],
        }

    def lines(self) -> list[str]:
        """The cards as they lie."""
        places = self.ruleset.layout.region
        return [
            "".join(places.get((row, column), EMPTY).ljust(CELL) for column in range(1, GRID.columns + 1)).rstrip()
            for row in range(1, GRID.rows + 1)
        ]

    def region_text(self, name: str) -> str:
        """A region in lines of text.

        :raises ArgumentError: when there is no such region.
        """
        found = self.region(name)
        rows = {
            "place": f"row {found.row}, column {found.column}",
            "tribe": NAMES[found.tribe],
            "adjacent": " ".join(found.neighbours),
            "across": " ".join(found.across),
            "same rank": " ".join(found.same_rank),
            "start": "the pawn can begin here" if name in self.starts else "",
        }
        rows |= {_moves(number): " ".join(there) for number, there in enumerate(self.moves(name)) if number}
        return "\n".join([name, *(f"{head:<11}{words}" for head, words in rows.items() if words)])

    def __str__(self) -> str:
        return as_text(self._parts())

    def _parts(self) -> Iterator[str | Table]:
        """The map, then its regions; what lies across the border has a column where the border joins regions."""
        yield f"{self.ruleset}: {len(self.regions)} regions, {len(self.pairs)} adjacent pairs"
        yield f"start {' or '.join(self.starts)}, border {self.border}"
        yield from (f"  {line}" for line in self.lines())
        is_flat = self.border == FLAT
        table = titled(None, "region", "row", "column", "adjacent", *(() if is_flat else ("across",)), padded=False)
        for name in REGIONS:
            found = self.regions[name]
            cells = (name, str(found.row), str(found.column), " ".join(found.neighbours))
            table.add_row(*cells, *(() if is_flat else (" ".join(found.across),)))
        yield table


def _region(name: str, whole: Layout, flat: Layout) -> Region:
    row, column = whole.place[name]
    beside = flat.neighbours[name]
    return Region(name, row, column, beside, tuple(other for other in whole.neighbours[name] if other not in beside))


def _moves(number: int) -> str:
    return f"{number} move{'s' if number > 1 else ''}"
