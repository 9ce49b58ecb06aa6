"""The layout of the map: picture coordinates for provinces and zones, computed from degrees, without overlaps.

Points are complex numbers: the real part grows to the right, the imaginary part downwards, in units of the picture.
Nothing here is random, so that the same board gives the same picture.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType

from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board

RADIUS = 29.0  # of a province
PLATE_SIZE = 20.5  # of the letters on a name plate: 9 pixels where the map is as wide as a column of the documentation
LINE_HEIGHT = 21.5
MAP_WIDTH = 1480.0  # between the outermost provinces, before they are nudged
MAP_HEIGHT = 930.0
MARGIN = 74.0  # from the outermost provinces to the edge of the map
EDGE = 8.0  # from a name plate to the edge of the map
CELL = 14.0  # side of a square of the grid on which the seas are measured
LETTER_WIDTH = 0.6  # of its size, on the average, in the widest of the usual sans-serif fonts

ZONE_BOX = (84.0, 30.0, 52.0)  # half width, height above and below the centre of a zone's circle with its name

Polygon = tuple[complex, ...]


@dataclass(frozen=True, slots=True)
class Plate:
    """The name of a province on one line or two, with its size in picture units."""

    lines: tuple[str, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """A map in picture units: its size, the places of provinces and zones, the shapes of the seas.

    `shores` holds for a coastal province and a zone the direction of that sea as an angle, `zone_dots` the dotted
    lines between zones.
    """

    size: complex
    places: Mapping[str, complex]
    plates: Mapping[str, Plate]
    waters: tuple[Polygon, ...]
    islands: tuple[Polygon, ...]
    zones: Mapping[int, complex]
    shores: Mapping[tuple[str, int], float]
    zone_dots: tuple[complex, ...]


@lru_cache(maxsize=8)  # a service draws the same few boards again and again
def layout(board: Board) -> Layout:
    """The layout of a board."""
    plates = {province.id: plate(province.name) for province in board.provinces.values()}
    anchors = project(board)
    places = settle(board, anchors, plates)
    # A long name may stick out farther than the margin
    margin = max(MARGIN, *(plate.width / 2 + EDGE for plate in plates.values()))
    corner = complex(min(p.real for p in places.values()), min(p.imag for p in places.values()))
    shift = complex(margin, MARGIN) - corner
    places = {name: place + shift for name, place in places.items()}
    far = complex(max(p.real for p in places.values()), max(p.imag for p in places.values()))
    size = far + complex(margin, MARGIN)
    bend = _Bend({name: anchor + shift for name, anchor in anchors.items()}, places)
    to_map = _projection(board)
    waters, islands = (
        tuple(tuple(bend(to_map(east, north) + shift) for east, north in outline) for outline in outlines)
        for outlines in coastline()
    )
    seas = _Seas(board, places, size, waters, islands)
    return Layout(
        size=size,
        places=MappingProxyType(places),
        plates=MappingProxyType(plates),
        waters=waters,
        islands=islands,
        zones=MappingProxyType({zone: seas.roomiest(zone, plates) for zone in board.coast}),
        shores=MappingProxyType(
            {(p.id, zone): seas.shore(p.id, zone) for p in board.provinces.values() for zone in sorted(p.zones)}
        ),
        zone_dots=tuple(seas.dots()),
    )


def plate(name: str) -> Plate:
    """A name plate; a name of two words or more takes two lines.

    >>> plate("Pannonia Superior").lines, plate("Asia").lines
    (('Pannonia', 'Superior'), ('Asia',))
    """
    words = name.split()
    splits = [(" ".join(words[:cut]), " ".join(words[cut:])) for cut in range(1, len(words))]
    lines = min(splits, key=lambda pair: max(map(len, pair))) if splits else (name,)
    return Plate(lines, text_width(max(lines, key=len), PLATE_SIZE) + 10, LINE_HEIGHT * len(lines) + 4)


def text_width(text: str, size: float) -> float:
    """An upper estimate of the width of a text of this letter size."""
    return len(text) * size * LETTER_WIDTH


@cache
def coastline() -> tuple[tuple[tuple[tuple[float, float], ...], ...], ...]:
    """The outlines in ``data/coastline.toml``: waters, then islands, in degrees."""
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/coastline.toml").read_text("utf-8")
    data = read_toml(text)
    return tuple(
        tuple(tuple((float(east), float(north)) for east, north in row["points"]) for row in data[table])
        for table in ("water", "island")
    )


# -- from degrees to places ----------------------------------------------------------------------------------------


class _Projection:
    """Degrees to picture units: plate carrée, true to scale at the middle latitude of the board."""

    def __init__(self, points: Sequence[tuple[float, float]]) -> None:
        easts = [east for east, _ in points]
        norths = [north for _, north in points]
        self.squeeze = max(math.cos(math.radians((min(norths) + max(norths)) / 2)), 0.1)  # 0.1: at the poles
        self.corner = (min(easts), max(norths))
        wide = (max(easts) - min(easts)) * self.squeeze
        high = max(norths) - min(norths)
        self.scale = min(MAP_WIDTH / max(wide, 1.0), MAP_HEIGHT / max(high, 1.0))  # 1.0: all in one place

    def __call__(self, east: float, north: float) -> complex:
        return self.scale * complex((east - self.corner[0]) * self.squeeze, self.corner[1] - north)


def _projection(board: Board) -> _Projection:
    return _Projection([province.lonlat for province in board.provinces.values()])


def project(board: Board) -> dict[str, complex]:
    """Where each province would stand if it took no space."""
    to_map = _projection(board)
    return {province.id: to_map(*province.lonlat) for province in board.provinces.values()}


class _Bend:
    """Moves points of the map as the provinces around them were moved, so that coasts fit."""

    def __init__(self, before: Mapping[str, complex], after: Mapping[str, complex]) -> None:
        self.moves = [(before[name], after[name] - before[name]) for name in before]

    def __call__(self, point: complex) -> complex:
        total = 1e-5  # far from all provinces nothing moves
        move = 0j
        for place, shift in self.moves:
            weight = 1 / (abs(point - place) ** 2 + 400) ** 1.5
            total += weight
            move += weight * shift
        return point + move / total


# -- space for everyone --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Box:
    """The extent of a province around its place: half its width, its height above and below."""

    half: float
    above: float
    below: float


def box(plate: Plate) -> Box:
    """The extent of a province with this name plate."""
    return Box(max(RADIUS + 6, plate.width / 2 + 3), RADIUS + 7, RADIUS - 8 + plate.height + 4)


def way_out(plate: Plate, way: complex) -> float:
    """The distance from the place of a province, in the direction of `way`, within which it hides a link."""
    unit = way / abs(way)
    if unit.imag <= 0:
        return RADIUS
    top = RADIUS - 8
    bottom = (top + plate.height) / unit.imag
    side = plate.width / 2 / abs(unit.real) if unit.real else math.inf
    out = min(bottom, side)
    return max(RADIUS, out) if out * unit.imag >= top else RADIUS


def settle(board: Board, anchors: Mapping[str, complex], plates: Mapping[str, Plate]) -> dict[str, complex]:
    """Move provinces apart until none overlaps another or a link between others, close to their original places."""
    names = list(anchors)
    # Provinces at the same spot start apart, in the order of the file.
    places = {name: anchors[name] + cmath.rect(0.5, index * 2.4) for index, name in enumerate(names)}
    boxes = {name: box(plates[name]) for name in names}
    for _ in range(300):
        for name in names:
            places[name] += 0.03 * (anchors[name] - places[name])
        _clear_links(board, places, boxes)
        _stretch_links(board, places, plates)
        _push_apart(places, boxes)
    turn = 0
    while _push_apart(places, boxes):
        turn += 1
        if turn % 100 == 0:  # a crowd that cannot be separated gets more space
            places = {name: place * 1.05 for name, place in places.items()}
    return places


def _push_apart(places: dict[str, complex], boxes: Mapping[str, Box]) -> int:
    """Move provinces that overlap away from each other; returns the number of such pairs."""
    rows = [(name, boxes[name], boxes[name].half) for name in places]
    pushed = 0
    for index, (one, box_of_one, half) in enumerate(rows):
        here = places[one]
        for other, box_of_other, half_of_other in rows[:index]:
            gap = here - places[other]
            if abs(gap.real) >= half + half_of_other:  # most are far apart
                continue
            push = _overlap(gap, box_of_one, box_of_other)
            if push is not None:
                pushed += 1
                places[one] = here = here + push
                places[other] -= push
    return pushed


def _overlap(gap: complex, one: Box, other: Box) -> complex | None:
    """Half of the shortest move that separates two boxes whose centres are `gap` apart; None if they do not touch."""
    side = one.half + other.half - abs(gap.real)
    if side <= 0:
        return None
    upright = (other.below + one.above if gap.imag > 0 else one.below + other.above) - abs(gap.imag)
    if upright <= 0:
        return None
    if side < upright:
        return complex(math.copysign(side / 2 + 0.5, gap.real), 0)
    return complex(0, math.copysign(upright / 2 + 0.5, gap.imag))


def _stretch_links(board: Board, places: dict[str, complex], plates: Mapping[str, Plate]) -> None:
    """Move the ends of short links apart; 34 units are visible at least, enough for a broken link or an arrow."""
    for link in board.links:
        a, b = link.between
        along = places[b] - places[a]
        if not along:
            continue
        shown = abs(along) - way_out(plates[a], along) - way_out(plates[b], -along)
        if shown < 34:
            push = along / abs(along) * (34 - shown) * 0.4
            places[a] -= push
            places[b] += push


def _clear_links(board: Board, places: dict[str, complex], boxes: Mapping[str, Box]) -> None:
    """Move provinces off the links between others."""
    for link in board.links:
        a, b = (places[end] for end in link.between)
        along = b - a
        middle, reach = (a + b) / 2, abs(along) / 2 + RADIUS
        left, right = middle.real - reach - 1, middle.real + reach + 1
        for name, place in places.items():
            if not left < place.real < right:  # most are far away
                continue
            if name in link.between or abs(place - middle) > reach:
                continue
            centre = place + complex(0, (boxes[name].below - boxes[name].above) / 2)
            foot = a + along * _share(centre, a, along)
            away = centre - foot
            clear = RADIUS + 14
            if abs(away) < clear:
                push = (away / abs(away) if away else 1j) * (clear - abs(away)) * 0.3
                places[name] += push
                for end in link.between:
                    places[end] -= push / 3


def _share(point: complex, start: complex, along: complex) -> float:
    """The position on a segment, from 0 to 1, of its point nearest to `point`."""
    length = abs(along) ** 2
    return min(1.0, max(0.0, ((point - start) * along.conjugate()).real / length)) if length else 0.0


# -- seas ------------------------------------------------------------------------------------------------------------


class _Seas:
    """The seas on a grid: which cells are water, and to which zone each belongs (that of the nearest coast)."""

    def __init__(
        self,
        board: Board,
        places: Mapping[str, complex],
        size: complex,
        waters: Sequence[Polygon],
        islands: Sequence[Polygon],
    ) -> None:
        self.board = board
        self.places = places
        self.size = size
        self.columns = int(size.real // CELL)
        self.rows = int(size.imag // CELL)
        wet: set[tuple[int, int]] = set()
        for water in waters:
            wet |= set(self._inside(water))
        for island in islands:
            wet -= set(self._inside(island))
        self.wet = wet
        self.zone = {cell: self._nearest_zone(self.point(cell)) for cell in sorted(wet)}

    def point(self, cell: tuple[int, int]) -> complex:
        """The centre of a cell."""
        return complex((cell[0] + 0.5) * CELL, (cell[1] + 0.5) * CELL)

    def _inside(self, polygon: Polygon) -> Iterator[tuple[int, int]]:
        """The cells whose centre is inside a polygon, line by line."""
        for row in range(self.rows):
            y = (row + 0.5) * CELL
            crossings = sorted(
                a.real + (y - a.imag) * (b.real - a.real) / (b.imag - a.imag)
                for a, b in zip(polygon, polygon[1:] + polygon[:1], strict=True)
                if (a.imag <= y) != (b.imag <= y)
            )
            for left, right in zip(crossings[::2], crossings[1::2], strict=True):
                first = max(0, math.ceil(left / CELL - 0.5))
                last = min(self.columns - 1, math.floor(right / CELL - 0.5))
                yield from ((column, row) for column in range(first, last + 1))

    def _nearest_zone(self, point: complex) -> int:
        """The zone of the nearest coast; provinces on two seas do not count."""
        coasts = [p for p in self.board.provinces.values() if len(p.zones) == 1]
        if not coasts:
            return 0
        nearest = min(coasts, key=lambda province: abs(self.places[province.id] - point))
        return min(nearest.zones)

    def shore(self, province: str, zone: int) -> float:
        """The direction in which a zone lies from a province, as an angle."""
        place = self.places[province]
        pull = 0j
        near = [self.point(cell) - place for cell, other in self.zone.items() if other == zone]
        for way in near:
            if 0 < abs(way) < 130:
                pull += way / abs(way) ** 3
        if not pull and near:
            pull = min(near, key=abs)
        if not pull:  # no water of this zone anywhere
            pull = 1j
        return cmath.phase(pull)

    def dots(self) -> Iterator[complex]:
        """Dots along the lines between zones."""
        drawn: list[complex] = []
        for (column, row), zone in self.zone.items():
            for other in ((column + 1, row), (column, row + 1)):
                if self.zone.get(other, zone) != zone:
                    dot = (self.point((column, row)) + self.point(other)) / 2
                    if all(abs(dot - old) > CELL * 0.95 for old in drawn):
                        drawn.append(dot)
                        yield dot

    def roomiest(self, zone: int, plates: Mapping[str, Plate]) -> complex:
        """The place for the circle and the name of a zone: in its water, far from provinces and links."""
        half, above, below = ZONE_BOX
        own = [cell for cell, other in self.zone.items() if other == zone]
        coarse = [cell for cell in own if cell[0] % 2 == cell[1] % 2 == 0]  # a quarter of them is enough
        cells = [self.point(cell) for cell in coarse or own]
        inner = [
            point
            for point in cells
            if half < point.real < self.size.real - half and above < point.imag < self.size.imag - below
        ]
        if not inner:
            return cells[0] if cells else complex(half, above) + zone * complex(0, above + below)
        coast = [self.places[name] for name in self.board.coast[zone]]
        middle = sum(coast) / len(coast) if coast else cells[0]  # search near the middle of its coasts
        boxes = {name: box(plates[name]) for name in self.places}
        return min(
            inner,
            key=lambda point: (self._crowd(point, boxes) + 0.25 * abs(point - middle), point.imag, point.real),
        )

    def _crowd(self, point: complex, boxes: Mapping[str, Box]) -> float:
        """The cost of overlaps of a zone's circle and name at a point."""
        half, above, below = ZONE_BOX
        crowd = 0.0
        for name, place in self.places.items():
            space = boxes[name]
            side = half + space.half - abs(place.real - point.real)
            upright = (above + space.below if place.imag < point.imag else below + space.above) - abs(
                place.imag - point.imag
            )
            crowd += max(0.0, min(side, upright)) * 10
            crowd += 600 / (abs(place - point) + 1)  # the middle of open water is the best
        middle = point + complex(0, (below - above) / 2)
        for link in self.board.links:
            a, b = (self.places[end] for end in link.between)
            gap = middle - (a + (b - a) * _share(middle, a, b - a))
            crowd += max(0.0, 1 - abs(gap.real) / half) * max(0.0, 1 - abs(gap.imag) / (below + 10)) * 300
        return crowd + 6 * self._land(middle)

    def _land(self, middle: complex) -> int:
        """The number of cells below a zone's circle and name that are not water of this zone."""
        half, above, below = ZONE_BOX
        column, row = int(middle.real // CELL), int(middle.imag // CELL)
        wide, high = int(half // CELL), int((above + below) / 2 // CELL)
        cells = ((column + x, row + y) for x in range(-wide, wide + 1) for y in range(-high, high + 1))
        return sum(cell not in self.wet for cell in cells)
