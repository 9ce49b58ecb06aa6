"""The map: provinces, links, seas and Barbarian paths, as an immutable `Board` read from a TOML file.

Every row of the file has its `Evidence`, since the printed map was not available when the file was written. Rules, kernel
and pictures all use the corrected file. `Board.load` refuses only what cannot be read as a board;
`tetrasolve.tetrarchia.boardcheck` tests whether it can be a board of this game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from heapq import heappop, heappush
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from tetrasolve import files
from tetrasolve.errors import BoardError

if TYPE_CHECKING:
    import networkx

LARGEST_FILE = 2**20  # characters of a board file; the one that is shipped has 38,000
ITALIA = 0  # the region without a number, a border or coordinates


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a claim of the board file comes from and how sure its compiler was, in [0, 1]."""

    source: str
    confidence: float

    @property
    def certain(self) -> bool:
        """Whether the claim comes from the game itself."""
        return self.confidence == 1.0

    def __str__(self) -> str:
        return f"{self.source} {self.confidence:g}"


# Rule p05-provinces
@dataclass(frozen=True, slots=True)
class Province:
    """A space of the map: one of 42 Roman provinces or 6 borders.

    `region` is 0 for Italia and 1 to 6 for the others, `number` 1 to 6 outside Italia (0 there and on borders),
    `zones` the sea zones on whose coast it lies, `arrow` the next province on a Barbarian path, `printed` the
    Emperors whose disc is printed here.
    """

    id: str
    code: str
    name: str
    kind: Literal["roman", "border"]
    region: int
    number: int
    zones: frozenset[int]
    arrow: str | None
    printed: tuple[str, ...]
    lonlat: tuple[float, float]
    evidence: Mapping[str, Evidence] = field(compare=False, hash=False, repr=False)
    why: str = field(default="", compare=False, repr=False)

    @property
    def is_border(self) -> bool:
        """Whether it lies outside the Empire."""
        return self.kind == "border"

    # Rule p05-coasts
    @property
    def is_coastal(self) -> bool:
        """Whether a fleet can carry an Emperor to or from it."""
        return bool(self.zones)

    # Rule p05-coordinates
    @property
    def coordinates(self) -> str:
        """The region:province coordinates as dice show them, ``II:5``; only the name in Italia and on borders."""
        return f"{ROMAN_NUMERALS[self.region]}:{self.number}" if self.number else self.name

    def __str__(self) -> str:
        return self.id


# Rule p05-broken-links
@dataclass(frozen=True, slots=True)
class Link:
    """An undirected link between two provinces; a broken one crosses difficult terrain."""

    between: tuple[str, str]
    broken: bool
    exists: Evidence = field(compare=False, hash=False)
    kind: Evidence = field(compare=False, hash=False)
    why: str = field(default="", compare=False, repr=False)

    def __str__(self) -> str:
        return ("~" if self.broken else "-").join(self.between)


@dataclass(frozen=True, slots=True)
class NoLink:
    """A pair of provinces held not to be linked."""

    between: tuple[str, str]
    evidence: Evidence = field(compare=False, hash=False)
    why: str = field(default="", compare=False, repr=False)


# Rule p05-capitals
@dataclass(frozen=True, slots=True)
class Emperor:
    """One of the four, in turn order; `letter` is his initial, unique among them."""

    id: str
    name: str
    colour: str
    capital: str
    evidence: Mapping[str, Evidence] = field(default_factory=dict, compare=False, hash=False, repr=False)

    @property
    def letter(self) -> str:
        """The initial by which the one-line notation calls him."""
        return self.name[0]

    def __str__(self) -> str:
        return self.id


@dataclass(frozen=True, slots=True)
class Region:
    """Italia (number 0) or one of the six outer regions, each with its border province."""

    id: str
    name: str
    number: int
    border: str | None

    def __str__(self) -> str:
        return self.id


ROMAN_NUMERALS = ("", "I", "II", "III", "IV", "V", "VI")


@dataclass(frozen=True, eq=False)
class Board:
    """An immutable map; provinces are found by id, code, name or coordinates.

    >>> board = Board.standard()
    >>> board["bithynia"].zones, sorted(board.neighbours("roma"))
    (frozenset({3}), ['etruria', 'lucania'])
    """

    id: str
    name: str
    edition: str
    roma: str
    zones: tuple[str, ...]
    adjacent_zones: frozenset[frozenset[int]]
    regions: tuple[Region, ...]
    emperors: tuple[Emperor, ...]
    provinces: Mapping[str, Province]
    links: tuple[Link, ...]
    no_links: tuple[NoLink, ...]
    source: str = "tetrarchia.toml"

    # -- reading ---------------------------------------------------------------------------------------------

    @staticmethod
    @cache
    def standard() -> Board:
        """The board that ships with the library (one object for the whole process)."""
        from tetrasolve.tetrarchia.boardfile import standard_text

        return Board.from_toml(standard_text(), "tetrarchia.toml")

    @staticmethod
    def load(path: str | Path) -> Board:
        """Read a board file.

        :raises BoardError: when the file cannot be read as a board; every offending row is named.
        """
        try:
            text = files.read_text(path, LARGEST_FILE, "utf-8-sig")  # some editors put a byte order mark in front
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else error
            raise BoardError(str(path), [f"cannot be read: {why}"]) from None
        return Board.from_toml(text, str(path))

    @staticmethod
    def from_toml(text: str, source: str = "board") -> Board:
        """Read the text of a board file.

        :raises BoardError: as `load`.
        """
        from tetrasolve.tetrarchia.boardfile import read_board  # here, since the reader builds the values above

        return read_board(text, source)

    # -- looking up ------------------------------------------------------------------------------------------

    def __getitem__(self, province: str) -> Province:
        return self.provinces[province]

    def find(self, text: str) -> Province | None:
        """The province with this id, code, name or coordinates (``II:5``), in any case; None when there is none.

        >>> Board.standard().find("ii:5").id
        'aquitania'
        """
        key = text.strip().casefold().replace(" ", "_")
        return self._by_any_name.get(key)

    @cached_property
    def _by_any_name(self) -> dict[str, Province]:
        names: dict[str, Province] = {}
        for province in self.provinces.values():
            for name in (province.id, province.code, province.name, province.coordinates):
                names[name.casefold().replace(" ", "_")] = province
        return names

    @cached_property
    def by_code(self) -> Mapping[str, Province]:
        """Provinces by their three-letter codes."""
        return MappingProxyType({province.code: province for province in self.provinces.values()})

    @cached_property
    def order(self) -> Mapping[str, int]:
        """Row number of each province in the file, from 0: the bit that stands for it in every mask."""
        return MappingProxyType({name: row for row, name in enumerate(self.provinces)})

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Province ids by row."""
        return tuple(self.provinces)

    def mask(self, provinces: Iterable[str]) -> int:
        """Provinces as a 48-bit integer, bit = row in the file."""
        mask = 0
        for province in provinces:
            mask |= 1 << self.order[province]
        return mask

    def unmask(self, mask: int) -> tuple[str, ...]:
        """The provinces of a mask, in file order."""
        return tuple(name for name, row in self.order.items() if mask >> row & 1)

    # -- links -----------------------------------------------------------------------------------------------

    @cached_property
    def _links_of(self) -> Mapping[str, Mapping[str, Link]]:
        table: dict[str, dict[str, Link]] = {name: {} for name in self.provinces}
        for link in self.links:
            a, b = link.between
            table[a][b] = table[b][a] = link
        return table

    # Rule p05-links
    def neighbours(self, province: str) -> Mapping[str, Link]:
        """Every province linked to this one, broken links too, with the link."""
        return self._links_of[province]

    def link(self, a: str, b: str) -> Link | None:
        """The link between two provinces, if there is one."""
        return self._links_of[a].get(b)

    @cached_property
    def coast(self) -> Mapping[int, tuple[str, ...]]:
        """The coastal provinces of each sea zone, in file order."""
        return MappingProxyType(
            {
                zone: tuple(p.id for p in self.provinces.values() if zone in p.zones)
                for zone in range(1, len(self.zones) + 1)
            }
        )

    # Rule p05-zones
    def adjacent(self, zone: int) -> tuple[int, ...]:
        """The sea zones next to one, ascending."""
        return tuple(
            other for other in range(1, len(self.zones) + 1) if frozenset((zone, other)) in self.adjacent_zones
        )

    # -- regions, paths, Emperors ----------------------------------------------------------------------------

    # Rule p05-borders
    @cached_property
    def borders(self) -> tuple[str, ...]:
        """The border provinces of regions I to VI."""
        return tuple(region.border for region in self.regions if region.border is not None)

    @cached_property
    def _by_coordinates(self) -> Mapping[tuple[int, int], str]:
        return {(p.region, p.number): p.id for p in self.provinces.values() if p.number}

    def at(self, region: int, number: int) -> str:
        """The province with these coordinates, each 1 to 6, as two dice show them."""
        return self._by_coordinates[region, number]

    # Rule p05-regions
    def members(self, region: int) -> tuple[str, ...]:
        """The six Roman provinces of a region, in file order."""
        return self._members[region]

    @cached_property
    def _members(self) -> Mapping[int, tuple[str, ...]]:
        return {
            region.number: tuple(p.id for p in self.provinces.values() if p.region == region.number and not p.is_border)
            for region in self.regions
        }

    # Rule p05-arrows
    @cached_property
    def distance_to_roma(self) -> Mapping[str, int]:
        """Steps along the arrows from each province on a path to Roma, in provinces."""
        steps = {self.roma: 0}
        for start in self.provinces:
            trail: list[str] = []
            here: str | None = start
            while here is not None and here not in steps and here not in trail:
                trail.append(here)
                here = self.provinces[here].arrow
            if here is None or here not in steps:
                continue  # no path from this province
            for back, name in enumerate(reversed(trail), start=1):
                steps[name] = steps[here] + back
        return MappingProxyType(steps)

    @cached_property
    def links_to_roma(self) -> Mapping[str, int]:
        """The number of links of the shortest way from each province to Roma, by links of either kind."""
        steps = {self.roma: 0}
        edge = [self.roma]
        for here in edge:
            for near in self.neighbours(here):
                if near not in steps:
                    steps[near] = steps[here] + 1
                    edge.append(near)
        return MappingProxyType(steps)

    def lengths_to_roma(self, broken: int, *, along_arrows: bool) -> Mapping[str, int]:
        """The length of the shortest way from each Roman province to Roma through Roman provinces.

        A broken link counts as `broken` others; `along_arrows` the only way from a province with an arrow begins with it.
        """
        lengths: dict[str, int] = {}
        reached = [(0, self.roma)]
        while reached:
            length, here = heappop(reached)
            if here in lengths:
                continue
            lengths[here] = length
            for near, link in self.neighbours(here).items():
                elsewhere = along_arrows and self[near].arrow not in (None, here)
                if near not in lengths and not elsewhere and not self[near].is_border:
                    heappush(reached, (length + (broken if link.broken else 1), near))
        return MappingProxyType(lengths)

    def emperor(self, text: str) -> Emperor | None:
        """The Emperor with this id, name or initial, in any case; None when there is none."""
        key = text.strip().casefold()
        for emperor in self.emperors:
            if key in (emperor.id, emperor.name.casefold(), emperor.letter.casefold()):
                return emperor
        return None

    # Rule p05-roma
    def printed(self, emperor: str) -> tuple[str, ...]:
        """The provinces with this Emperor's printed disc: his capital and Roma."""
        return self._printed[emperor]

    @cached_property
    def _printed(self) -> Mapping[str, tuple[str, ...]]:
        return {e.id: tuple(p.id for p in self.provinces.values() if e.id in p.printed) for e in self.emperors}

    # -- elsewhere -------------------------------------------------------------------------------------------

    def to_networkx(self) -> networkx.Graph:
        """The links as a `networkx.Graph`: nodes are ids with their fields, edges have `broken` and `cost` (IP)."""
        import networkx

        graph = networkx.Graph(name=self.name)
        for province in self.provinces.values():
            graph.add_node(
                province.id,
                name=province.name,
                kind=province.kind,
                region=province.region,
                number=province.number,
                zones=sorted(province.zones),
                arrow=province.arrow,
                printed=list(province.printed),
            )
        for link in self.links:
            graph.add_edge(*link.between, broken=link.broken, cost=2 if link.broken else 1)
        return graph

    def _key(self) -> tuple[object, ...]:
        return (
            self.id,
            self.roma,
            self.zones,
            self.adjacent_zones,
            self.regions,
            self.emperors,
            tuple(self.provinces.values()),
            frozenset((frozenset(link.between), link.broken) for link in self.links),
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return self._key() == other._key() if isinstance(other, Board) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __copy__(self) -> Board:
        return self

    def __deepcopy__(self, memo: object) -> Board:
        return self

    def _repr_svg_(self) -> str:
        from tetrasolve.tetrarchia.draw import board_svg

        return board_svg(self)

    def __repr__(self) -> str:
        return f"<Board {self.id}: {self.edition}>"
