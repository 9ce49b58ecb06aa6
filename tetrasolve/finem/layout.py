"""The map: which region lies where, and what is adjacent.

A *region* is a card, named by suit and rank (``E5``). A *place* is a row and a column of the table, counted from 1. The printed
map puts a card on each of 24 places; another layout puts the same cards on the same places in another order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import MappingProxyType

from tetrasolve.errors import BoardError
from tetrasolve.finem.numbers import game_data
from tetrasolve.strict import StrictError, table, text, whole

TRIBES = ("O", "C", "E", "B")  # oros, copas, espadas, bastos: the order of a civil war
RANKS = ("5", "6", "7", "S", "C", "R")
REGIONS = tuple(tribe + rank for tribe in TRIBES for rank in RANKS)
NUMBER: Mapping[str, int] = MappingProxyType({region: number for number, region in enumerate(REGIONS)})

Point = tuple[int, int]

FLAT, GAP, SKIP = "flat", "gap", "skip"
EMPTY = "."


@dataclass(frozen=True, slots=True)
class Grid:
    """The places of the map in reading order, the printed card of each, the start and the two corners."""

    places: tuple[Point, ...]
    printed: tuple[str, ...]
    start: Point
    corners: tuple[Point, ...]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return max(row for row, _ in self.places)

    @property
    def columns(self) -> int:
        """The number of columns."""
        return max(column for _, column in self.places)


def read_grid(data: object, source: str = "map") -> Grid:
    """The places and printed cards of a table of rows, as ``data/game.toml`` has it.

    >>> read_grid({"source": "nowhere", "rows": ["E5"], "start": [1, 1], "corners": []})
    Traceback (most recent call last):
    tetrasolve.errors.BoardError: map: 23 cards are missing: O5, O6, O7, OS, OC and others

    :raises BoardError: when the rows differ in length, or the cards are not each of the 24 once.
    """
    try:
        fields = table(data, source, ("source", "rows", "start", "corners"))
        text(fields["source"], "source")
        rows = [text(row, f"rows[{at}]").split() for at, row in enumerate(_list(fields["rows"], "rows"))]
        start = _place(fields["start"], "start")
        corners = tuple(_place(place, f"corners[{at}]") for at, place in enumerate(_list(fields["corners"], "corners")))
    except StrictError as error:
        raise BoardError(source, [str(error)]) from None
    if len({len(row) for row in rows}) > 1:
        raise BoardError(source, ["the rows have different numbers of places, expected the same"])
    cards = {
        (row, column): card
        for row, line in enumerate(rows, start=1)
        for column, card in enumerate(line, start=1)
        if card != EMPTY
    }
    reasons = _wrong_cards(tuple(cards.values()))
    reasons += [f"place {place} holds no card" for place in (start, *corners) if place not in cards and not reasons]
    if reasons:
        raise BoardError(source, reasons)
    return Grid(tuple(cards), tuple(cards.values()), start, corners)


def _list(value: object, where: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise StrictError("no list", where=where, expected="a list")
    return value


def _place(value: object, where: str) -> Point:
    row, column = (whole(part, where, 1, 99) for part in _pair(value, where))
    return row, column


def _pair(value: object, where: str) -> Sequence[object]:
    found = _list(value, where)
    if len(found) != 2:
        raise StrictError(f"{len(found)} numbers", where=where, expected="row and column")
    return found


def _wrong_cards(cards: Sequence[str]) -> list[str]:
    """What is wrong with a list of cards that should be each of the 24 once."""
    unknown = [card for card in cards if card not in NUMBER]
    if unknown:
        return [f"{card!r:.20} is no card, expected a suit of OCEB and a rank of 567SCR" for card in unknown]
    twice = sorted({card for card in cards if cards.count(card) > 1})
    if twice:
        return [f"{card} occurs twice" for card in twice]
    missing = [card for card in REGIONS if card not in cards]
    others = " and others" if len(missing) > 5 else ""
    return [f"{len(missing)} cards are missing: {', '.join(missing[:5])}{others}"] if missing else []


GRID = read_grid(game_data()["map"])


@dataclass(frozen=True)
class Layout:
    """The cards on the places of the grid, in its order, and what the border of the map does: ``flat``, ``gap`` or ``skip``.

    >>> layout().neighbours["C7"]
    ('O7', 'C6', 'CS')

    :raises BoardError: when the cards are not each of the 24 once.
    """

    cards: tuple[str, ...] = GRID.printed
    border: str = FLAT
    starts_by_card: bool = False  # the start is the card that is printed there, wherever it lies [E-START]

    def __post_init__(self) -> None:
        if reasons := _wrong_cards(self.cards):
            raise BoardError("map", reasons)

    @cached_property
    def place(self) -> Mapping[str, Point]:
        """The place of each region."""
        return MappingProxyType(dict(zip(self.cards, GRID.places, strict=True)))

    @cached_property
    def region(self) -> Mapping[Point, str]:
        """The region on each place."""
        return MappingProxyType(dict(zip(GRID.places, self.cards, strict=True)))

    @property
    def start(self) -> str:
        """The region on which the pawn begins [E-START]."""
        return GRID.printed[GRID.places.index(GRID.start)] if self.starts_by_card else self.region[GRID.start]

    @property
    def corners(self) -> tuple[str, ...]:
        """The regions on which it can begin with the option corner: those that lie in a corner, with [E-START] as without."""
        return tuple(self.region[place] for place in GRID.corners)

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The adjacent regions of each region, in the order of `REGIONS`."""
        pairs = {(one, other) for one in self.cards for other in self._reached(one)}
        pairs |= {(other, one) for one, other in pairs}
        return MappingProxyType(
            {
                one: tuple(sorted({other for first, other in pairs if first == one}, key=NUMBER.__getitem__))
                for one in REGIONS
            }
        )

    def _reached(self, region: str) -> set[str]:
        """The regions next to one on the grid, and across its border."""
        row, column = self.place[region]
        found = {self.region.get((row + down, column + right)) for down, right in _DIRECTIONS}
        found |= {self._across(row, column, down, right) for down, right in _DIRECTIONS}
        return {other for other in found if other is not None and other != region}

    def _across(self, row: int, column: int, down: int, right: int) -> str | None:
        """The region across the border in a direction, where a place lies on that border."""
        at = (row + down, column + right)
        if self.border == FLAT or (1 <= at[0] <= GRID.rows and 1 <= at[1] <= GRID.columns):
            return None
        for _ in range(max(GRID.rows, GRID.columns)):
            at = ((at[0] - 1) % GRID.rows + 1, (at[1] - 1) % GRID.columns + 1)
            if at in self.region or self.border == GAP:
                return self.region.get(at)
            at = (at[0] + down, at[1] + right)
        return None


_DIRECTIONS = ((-1, 0), (1, 0), (0, -1), (0, 1))


@lru_cache(maxsize=64)
def layout(cards: tuple[str, ...] = (), border: str = FLAT, *, starts_by_card: bool = False) -> Layout:
    """The layout with these cards (none: the printed ones), this border, and the start on a place or on a card.

    :raises BoardError: as `Layout`.
    """
    return Layout(cards or GRID.printed, border, starts_by_card)
