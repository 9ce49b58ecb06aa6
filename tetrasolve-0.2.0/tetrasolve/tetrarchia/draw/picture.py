"""The layers of the picture, from the bottom up."""

from __future__ import annotations

import cmath
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Protocol

from tetrasolve.draw.svg import (
    INK,
    PAPER,
    SANS,
    SERIF,
    arc,
    at,
    circle,
    element,
    line,
    number,
    path,
    polygon,
    rectangle,
    rounded,
    safe,
    text,
    tooltip,
)
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board, Province
from tetrasolve.tetrarchia.draw import pieces
from tetrasolve.tetrarchia.draw.extras import Extras
from tetrasolve.tetrarchia.draw.layout import LINE_HEIGHT, PLATE_SIZE, RADIUS, Layout, layout, text_width, way_out

SEA = "#cfe4ee"
COAST = "#7fb0c8"
WAVES = "#3f8db5"
LAND = "#f4ecd8"
LINE = "#7a5328"
BORDER = "#463c34"
GREY = "#6b6257"
# One colour for each region, different from those of the Emperors; the numeral on each province shows the region too.
REGION_COLOURS = ("#7a4fa3", "#a06c14", "#3f7d4a", "#6f6f25", "#a8476b", "#47689a", "#a84f2a")

HEAD = 64.0  # height of the title above the map
LEGEND_ROW = 40.0

Step = tuple[str, str, str]


class PositionLike(Protocol):
    """The attributes of a position that a picture shows, as `tetrasolve.tetrarchia.position.Position` has them.

    An attribute `pieces` is optional (`Extras`).
    """

    @property
    def to_move(self) -> str:
        """The active Emperor."""

    @property
    def phase(self) -> str:
        """``"roman"`` or ``"barbarian"``."""

    @property
    def ip(self) -> int:
        """Imperium points left in a Roman phase."""

    @property
    def emperors(self) -> Mapping[str, str | None]:
        """The province of each Emperor, None off the board."""

    @property
    def fleets(self) -> tuple[int, ...]:
        """The zones with a Roman fleet."""

    @property
    def armies(self) -> tuple[str, ...]:
        """The provinces with an army."""

    @property
    def discs(self) -> Mapping[str, str]:
        """``"unrest"``, ``"revolt"`` or the Emperor whose garrison it is, by province."""


def board_svg(
    board: Board,
    position: PositionLike | None = None,
    *,
    title: str | None = None,
    route: Iterable[Step] | None = None,
    heat: Mapping[str, float] | None = None,
    marked: Collection[str] = (),
    width: float = 1200,
    frame: bool = True,
) -> str:
    """The board with a position, as the text of an SVG picture that is `width` pixels wide.

    `route` draws steps (from, to, label) as arrows with badges, `heat` a probability from 0 to 1 at each province as
    a ring that fills with it, `marked` a dashed ring around each of these provinces. Without `frame` it is the map alone,
    for a page that says the rest. The same arguments give the same text.

    :raises ValueError: for a province or a zone that the board does not have, a probability outside 0 to 1, or a
        width that is not positive.

    >>> board_svg(Board.standard(), title="The Empire")[:4]
    '<svg'
    """
    steps = tuple(route or ())
    heat = dict(heat or {})
    _refuse_nonsense(board, position, steps, (*heat, *marked), width)
    for name, share in heat.items():
        if not 0 <= share <= 1:
            raise ValueError(f"heat of {name} is {share}, expected 0 to 1")
    map_ = layout(board)
    heading = board.name if title is None else title
    layers = (
        *_ground(board),
        *zones(board, map_, position),
        *gauges(map_, heat),
        *marks(map_, marked),
        *provinces(board, map_, position),
        *itinerary(board, map_, steps),
        *figures(board, map_, position),
        *percentages(map_, heat),
        *badges(board, map_, steps),
    )
    top, foot, around = 0.0, Legend((), 0.0), list[str]()
    if frame:
        extras = Extras.of(board, position)
        top, foot = HEAD, legend(board, map_.size.real, extras, _map_signs(board, steps, heat, marked))
        moved = f"translate(0 {number(HEAD + map_.size.imag)})"
        around = [*head(board, map_, position, heading), element("g", *foot.items, transform=moved, class_="legend")]
    size = map_.size + complex(0, top + foot.height)
    return element(
        "svg",
        tooltip(heading),
        element("desc", safe(description(board, position))),
        element("g", *layers, transform=f"translate(0 {number(top)})"),
        *around,
        rectangle(size / 2, size.real - 3, size.imag - 3, fill="none", stroke=LINE, stroke_width=3),
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=width * size.imag / size.real,
        viewBox=f"0 0 {number(size.real)} {number(size.imag)}",
        role="img",
        font_family=SANS,
    )


@lru_cache(maxsize=8)  # boards
def _ground(board: Board) -> tuple[str, ...]:
    """What no position changes: seas, paths and links. It is most of a picture."""
    map_ = layout(board)
    return (*seas(map_), *paths(board, map_), *links(board, map_))


def pieces_svg(board: Board, position: PositionLike) -> str:
    """The pieces of a position alone, as the text of an SVG picture that fits over `board_svg` of the board without frame.

    A page that shows one position after the other draws the map once.

    :raises ValueError: as `board_svg`.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> len(pieces_svg(Board.standard(), example("fight"))) < len(board_svg(Board.standard(), example("fight"))) / 4
    True
    """
    _refuse_nonsense(board, position, (), (), 1)
    map_ = layout(board)
    manned = {*position.fleets, Extras.of(board, position).pirates}
    ships = (sign for sign, zone in zip(zones(board, map_, position), map_.zones, strict=True) if zone in manned)
    discs = (
        element("g", pieces.disc(board, kind, map_.places[name] - 2j), data_province=name)
        for name, kind in position.discs.items()
    )
    return element(
        "svg",
        *ships,
        *discs,
        *figures(board, map_, position),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(map_.size.real)} {number(map_.size.imag)}",
        font_family=SANS,
    )


def _refuse_nonsense(
    board: Board, position: PositionLike | None, steps: Sequence[Step], places: Sequence[str], width: float
) -> None:
    if not (math.isfinite(width) and width > 0):
        raise ValueError(f"width is {width}, expected a positive number")
    named = [*places, *(end for step in steps for end in step[:2])]
    if position is not None:
        named += [place for place in position.emperors.values() if place is not None]
        named += [*position.armies, *position.discs]
        for zone in position.fleets:
            if zone not in board.coast:
                raise ValueError(f"fleet in zone {zone}, which this board does not have")
    for name in named:
        if name not in board.provinces:
            raise ValueError(f"{name!r} is no province of this board")


# -- in words ------------------------------------------------------------------------------------------------------


def description(board: Board, position: PositionLike | None) -> str:
    """The alternative text of the picture."""
    links = len(board.links)
    broken = sum(link.broken for link in board.links)
    words = [f"Map of {len(board.provinces)} provinces with {links} links, {broken} of them broken."]
    if position is None:
        return words[0]
    words.append(f"{status(board, position)}.")
    for name, place in position.emperors.items():
        found = board.emperor(name)
        where = board[place].name if place is not None else "off the board"
        words.append(f"{found.name if found is not None else name}: {where}.")
    words.append(f"Fleets: {_listed(board.zones[zone - 1] for zone in position.fleets)}.")
    words.append(f"Armies: {_listed(board[name].name for name in position.armies)}.")
    for kind, lying in _discs_by_kind(position).items():
        words.append(f"{_sentence(_disc_name(board, kind))}: {_listed(board[name].name for name in lying)}.")
    words += Extras.of(board, position).sentences()
    return " ".join(words)


def status(board: Board, position: PositionLike) -> str:
    """The active Emperor and the IP left, or the Barbarian phase, as text.

    >>> from types import SimpleNamespace
    >>> status(Board.standard(), SimpleNamespace(to_move="maximian", phase="roman", ip=4))
    'Maximian to move, 4 IP left'
    """
    found = board.emperor(position.to_move)
    name = found.name if found is not None else position.to_move
    if position.phase == "roman":
        return f"{name} to move, {position.ip} IP left"
    return f"Barbarian phase after the turn of {name}"


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words) or "none"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _discs_by_kind(position: PositionLike) -> dict[str, list[str]]:
    kinds: dict[str, list[str]] = {}
    for name, kind in position.discs.items():
        kinds.setdefault(kind, []).append(name)
    return kinds


def _disc_name(board: Board, kind: str) -> str:
    found = board.emperor(kind)
    return f"garrison of {found.name}" if found is not None else kind


# -- land and sea --------------------------------------------------------------------------------------------------


def seas(map_: Layout) -> Iterator[str]:
    """Land, and waters with their islands."""
    yield rectangle(map_.size / 2, map_.size.real, map_.size.imag, fill=LAND)
    for water in map_.waters:  # all shores before all waters, so that adjacent waters merge
        yield path(rounded(water), fill="none", stroke="#e3d5b4", stroke_width=9)
    for water in map_.waters:
        yield path(rounded(water), fill="none", stroke=COAST, stroke_width=3)
    for water in map_.waters:
        yield path(rounded(water), fill=SEA)
    for island in map_.islands:
        yield path(rounded(island), fill=LAND, stroke=COAST, stroke_width=1.5)
    for dot in map_.zone_dots:
        yield circle(dot, 2, fill=WAVES)


def zones(board: Board, map_: Layout, position: PositionLike | None) -> Iterator[str]:
    """The circle of each sea zone with its number, its name below, and a fleet or the Pirates where they are."""
    pirates = Extras.of(board, position).pirates
    for zone, place in map_.zones.items():
        name = board.zones[zone - 1]
        parts = [tooltip(f"Zone {zone}, {name}")]
        ships = [False] if position is not None and zone in position.fleets else []
        ships += [True] if zone == pirates else []
        if ships:
            parts.append(circle(place, 27, fill=PAPER, stroke=WAVES, stroke_width=3))
            for index, pirate in enumerate(ships):  # both is impossible, but a position may have it
                parts.append(pieces.fleet(place + 1j + 14 * index * (1 + 1j), pirate=pirate))
            parts.append(pieces.tag(str(zone), place - 20 - 20j, 13, WAVES))
        else:
            parts.append(circle(place, 22, fill=SEA, stroke=WAVES, stroke_width=3))
            parts.append(text(str(zone), place, 24, fill=WAVES, font_family=SERIF, font_weight="bold"))
        parts.append(halo(name, place + 39j, 16, SEA, fill="#24638a", font_family=SERIF, font_style="italic"))
        yield element("g", *parts, class_="zone", data_zone=zone)


def halo(content: str, place: complex, size: float, ground: str, **attributes: str | float) -> str:
    """A text with an outline in the background colour, readable on lines."""
    rim: dict[str, str | float] = {**attributes, "fill": ground}
    return text(
        content, place, size, aria_hidden="true", stroke=ground, stroke_width=4, stroke_linejoin="round", **rim
    ) + text(content, place, size, **attributes)


# -- links and paths -----------------------------------------------------------------------------------------------


def trimmed(map_: Layout, a: str, b: str) -> tuple[complex, complex]:
    """The visible part of a link between its two provinces."""
    start, end = map_.places[a], map_.places[b]
    unit = (end - start) / abs(end - start)
    return start + unit * way_out(map_.plates[a], unit), end - unit * way_out(map_.plates[b], -unit)


def paths(board: Board, map_: Layout) -> Iterator[str]:
    """The black arrows of the Barbarian paths, below the links."""
    for province in board.provinces.values():
        if province.arrow is None or province.arrow == province.id:
            continue
        start, end = trimmed(map_, province.id, province.arrow)
        unit = (end - start) / abs(end - start)
        side = unit * 1j
        neck = end - unit * 19
        corners = (
            start + side * 7,
            neck + side * 7,
            neck + side * 15,
            end,
            neck - side * 15,
            neck - side * 7,
            start - side * 7,
        )
        note = tooltip(f"Barbarian path from {province.name} to {board[province.arrow].name}")
        arrow = path(polygon(corners), fill="#1c1815", stroke=LAND, stroke_width=1)
        yield element("g", note, arrow, class_="path", data_from=province.id, data_to=province.arrow)


def links(board: Board, map_: Layout) -> Iterator[str]:
    """The links: solid when normal, interrupted between two bars when broken."""
    for link in board.links:
        a, b = trimmed(map_, *link.between)
        kind = "broken" if link.broken else "normal"
        ends = " to ".join(board[end].name for end in link.between)
        strokes = broken_line(a, b) if link.broken else normal_line(a, b)
        yield element(
            "g", tooltip(f"{ends}: {kind} link"), *strokes, class_=f"link {kind}", data_link="-".join(link.between)
        )


def normal_line(a: complex, b: complex) -> tuple[str, ...]:
    """A solid link."""
    return (
        line(a, b, stroke=PAPER, stroke_width=7),
        line(a, b, stroke=LINE, stroke_width=4),
    )


def broken_line(a: complex, b: complex) -> tuple[str, ...]:
    """A link with a gap in the middle that two bars close off."""
    middle = (a + b) / 2
    unit = (b - a) / abs(b - a)
    parts: list[str] = []
    for end, way in ((a, -1), (b, 1)):
        edge = middle + unit * 5.5 * way
        bar = unit * 1j * 7
        parts.append(line(end, edge, stroke=PAPER, stroke_width=7))
        parts.append(line(edge - bar, edge + bar, stroke=PAPER, stroke_width=6, stroke_linecap="round"))
        parts.append(line(end, edge, stroke=LINE, stroke_width=4))
        parts.append(line(edge - bar, edge + bar, stroke=LINE, stroke_width=3.2, stroke_linecap="round"))
    gap = line(middle - unit * 3.5, middle + unit * 3.5, stroke=LAND, stroke_width=8)
    return (*parts, gap)


# -- provinces -----------------------------------------------------------------------------------------------------


def provinces(board: Board, map_: Layout, position: PositionLike | None) -> Iterator[str]:
    """The circles of the provinces with coast, coordinates, disc and name."""
    for province in board.provinces.values():
        place = map_.places[province.id]
        disc = position.discs.get(province.id) if position is not None else None
        parts = [tooltip(province_in_words(board, province, disc)), *ground(province, place), *shores(province, map_)]
        if disc is not None:
            parts.append(pieces.disc(board, disc, place - 2j))
        elif province.printed:
            parts.append(pieces.printed_disc(board, province.printed, place - 2j))
        parts += [*name_plate(province, map_), *coordinates(province, place)]
        yield element("g", *parts, class_=f"province {province.kind}", data_province=province.id)


def province_in_words(board: Board, province: Province, disc: str | None) -> str:
    """The description of a province in one line."""
    words = [province.name]
    if province.is_border:
        words.append(f"border of region {ROMAN_NUMERALS[province.region]}")
    elif province.number:
        words.append(province.coordinates)
    words += [f"coast of {board.zones[zone - 1]}" for zone in sorted(province.zones)]
    words += [f"printed disc of {found.name}" for found in board.emperors if found.id in province.printed]
    if disc is not None:
        words.append(_disc_name(board, disc))
    return ", ".join(words)


def ground(province: Province, place: complex) -> Iterator[str]:
    """The circle itself; that of a border is dark with a double rim."""
    colour = REGION_COLOURS[province.region]
    if province.is_border:
        yield circle(place, RADIUS, fill=BORDER, stroke=PAPER, stroke_width=6)
        yield circle(place, RADIUS, fill="#d9d0c3", stroke=BORDER, stroke_width=4)
        yield circle(place, RADIUS - 5, fill="#bfb3a3", stroke=colour, stroke_width=3)
    else:
        yield circle(place, RADIUS, fill=tint(colour), stroke=PAPER, stroke_width=6)
        yield circle(place, RADIUS, fill=tint(colour), stroke=colour, stroke_width=3.2)


def tint(colour: str) -> str:
    """A pale shade of a colour ``#rrggbb``."""
    parts = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
    return "#" + "".join(f"{round(255 - (255 - part) * 0.2):02x}" for part in parts)


def shores(province: Province, map_: Layout) -> Iterator[str]:
    """A segment of sea in the circle for each zone, on the side of the zone, with its number."""
    place = map_.places[province.id]
    for zone, angle in clear_angles({zone: map_.shores[province.id, zone] for zone in sorted(province.zones)}).items():
        half = math.acos(0.52)
        shape = arc(place, RADIUS - 1.6, angle - half, angle + half) + "Z"
        label = _white(str(zone), place + cmath.rect(RADIUS * 0.755, angle))
        yield element("g", path(shape, fill=WAVES), label, class_="shore", data_zone=zone)


def clear_angles(angles: Mapping[int, float]) -> dict[int, float]:
    """The directions of the seas, turned a little where name plate or coordinates would hide them, 1 rad apart."""
    turned: dict[int, float] = {}
    for zone, angle in angles.items():
        free = [way for way in FREE_DIRECTIONS if all(abs(turn_between(way, other)) > 1 for other in turned.values())]
        turned[zone] = min(free or FREE_DIRECTIONS, key=lambda way: abs(turn_between(way, angle)))
    return turned


def turn_between(a: float, b: float) -> float:
    """The angle from one direction to another, between half a turn back and half a turn forth."""
    return (b - a + math.pi) % math.tau - math.pi


# Not below, where the name plate is, nor above to the left, where the coordinates are; in degrees clockwise.
FREE_DIRECTIONS = tuple(math.radians(degrees) for degrees in (*range(-70, 26, 5), *range(155, 191, 5)))


def name_plate(province: Province, map_: Layout) -> Iterator[str]:
    """The name on a plate over the lower rim of the circle."""
    plate = map_.plates[province.id]
    middle = map_.places[province.id] + complex(0, RADIUS - 8 + plate.height / 2)
    dark = province.is_border
    yield rectangle(
        middle,
        plate.width,
        plate.height,
        rx=4,
        fill=BORDER if dark else PAPER,
        stroke=BORDER if dark else REGION_COLOURS[province.region],
        stroke_width=1.2,
    )
    for row, words in enumerate(plate.lines):
        offset = (row - (len(plate.lines) - 1) / 2) * LINE_HEIGHT
        ink = PAPER if dark else INK
        yield text(words, middle + complex(0, offset), PLATE_SIZE, fill=ink, font_weight="bold")


def coordinates(province: Province, place: complex) -> Iterator[str]:
    """The coordinates on a banner to the upper left; a border shows its region."""
    if province.is_border:
        yield pieces.tag(ROMAN_NUMERALS[province.region], place - 21 - 23j, 12, BORDER, stroke=PAPER, stroke_width=1.5)
    elif province.number:
        colour = REGION_COLOURS[province.region]
        yield pieces.tag(province.coordinates, place - 21 - 23j, 11, colour, stroke=PAPER, stroke_width=1.5)


# -- figures -------------------------------------------------------------------------------------------------------

# Around the centre of a province, the first one first; the centre itself while nothing lies there.
FIGURE_PLACES = (21 - 19j, 24 + 10j, -24 + 6j)


def figures(board: Board, map_: Layout, position: PositionLike | None) -> Iterator[str]:
    """Emperors, armies, and figures of modules where a position has them."""
    if position is None:
        return
    free: dict[str, list[complex]] = {}

    def stand(name: str) -> complex:
        bare = name not in position.discs and not board[name].printed
        slots = free.setdefault(name, [5 + 1j, *FIGURE_PLACES] if bare else list(FIGURE_PLACES))
        return map_.places[name] + (slots.pop(0) if slots else 0)

    extras = Extras.of(board, position)
    for province in position.armies:
        yield extras.army(province, stand(province))
    for name, place in position.emperors.items():
        if place is not None:
            active = name == position.to_move and position.phase == "roman"
            yield pieces.emperor(board, name, stand(place), active=active)
    for name, place in extras.helpers.items():
        yield pieces.helper(name, stand(place))


# -- a plan and its risks ------------------------------------------------------------------------------------------


def gauges(map_: Layout, heat: Mapping[str, float]) -> Iterator[str]:
    """A ring around each province of `heat`, filled as far as its probability."""
    for name, share in heat.items():
        ring = pieces.gauge(map_.places[name], RADIUS + 6, share)
        yield element("g", tooltip(f"{percent(share)}"), ring, class_="heat", data_province=name)


def marks(map_: Layout, marked: Iterable[str]) -> Iterator[str]:
    """A dashed ring around each province of `marked`."""
    for name in marked:
        ring = pieces.mark(map_.places[name], RADIUS + 13)
        yield element("g", ring, class_="mark", data_province=name)


def percentages(map_: Layout, heat: Mapping[str, float]) -> Iterator[str]:
    """The probabilities of `heat` in numbers."""
    for name, share in heat.items():
        if share > 0:
            colour = pieces.heat_colour(share)
            ink = pieces.on_colour(colour)
            yield pieces.tag(
                percent(share), map_.places[name] + 27 + 9j, 10.5, colour, ink, stroke=PAPER, stroke_width=1.5
            )


def percent(share: float) -> str:
    """A probability in whole percent; 0 % and 100 % only if exact.

    >>> percent(0.5), percent(0.001), percent(0.9999)
    ('50%', '<1%', '>99%')
    """
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{share * 100:.0f}%"


def _way(board: Board, map_: Layout, step: Step) -> tuple[complex, complex, complex]:
    """Start, bend and end of the arrow of a step; ways by sea bend more than those along a link."""
    start, end = (map_.places[name] for name in step[:2])
    bend = 0.12 if board.link(step[0], step[1]) is not None else 0.2
    knee = (start + end) / 2 + (end - start) * -1j * bend
    first, last = knee - start, end - knee
    start += first / abs(first) * (way_out(map_.plates[step[0]], first) + 4)
    return start, knee, end - last / abs(last) * (way_out(map_.plates[step[1]], -last) + 6)


def itinerary(board: Board, map_: Layout, steps: Sequence[Step]) -> Iterator[str]:
    """An arrow for each step of a route that leads to another province; by sea it is dashed."""
    for step in steps:
        if step[0] == step[1]:
            continue
        start, knee, end = _way(board, map_, step)
        unit = (end - knee) / abs(end - knee)
        neck = end - unit * 12
        curve = f"M{at(start)}Q{at(knee)} {at(neck)}"
        head = polygon((end, neck + unit * 9j, neck - unit * 9j))
        dashes = None if board.link(step[0], step[1]) is not None else "11 6"
        yield element(
            "g",
            tooltip(f"{step[2]}: {board[step[0]].name} to {board[step[1]].name}"),
            path(curve, fill="none", stroke=PAPER, stroke_width=9, stroke_linecap="round"),
            path(head, fill=pieces.ROUTE, stroke=PAPER, stroke_width=4, stroke_linejoin="round"),
            path(curve, fill="none", stroke=pieces.ROUTE, stroke_width=5, stroke_dasharray=dashes),
            path(head, fill=pieces.ROUTE),
            class_="step",
        )


def badges(board: Board, map_: Layout, steps: Sequence[Step]) -> Iterator[str]:
    """The labels of a route: in the middle of each arrow, or on the province where a step stays."""
    used: list[complex] = []
    for step in steps:
        if step[0] == step[1]:
            place = map_.places[step[0]] - 34j
        else:
            start, knee, end = _way(board, map_, step)
            place = start / 4 + knee / 2 + end / 4
        space = max(text_width(step[2], 13) + 12, 20)
        while any(abs(place.imag - other.imag) < 18 and abs(place.real - other.real) < space for other in used):
            place += 6
        used.append(place)
        yield element("g", pieces.tag(step[2], place, 13, pieces.ROUTE, stroke=PAPER, stroke_width=2), class_="badge")


# -- around the map ------------------------------------------------------------------------------------------------


def head(board: Board, map_: Layout, position: PositionLike | None, heading: str) -> Iterator[str]:
    """The title above the map, on the right the active Emperor and the counts."""
    width = map_.size.real
    yield rectangle(complex(width, HEAD) / 2, width, HEAD, fill=PAPER)
    yield line(complex(0, HEAD), complex(width, HEAD), stroke=LINE, stroke_width=2)
    space = 0.55 * width if position is not None else width - 60
    size = min(32.0, 32.0 * space / max(text_width(heading, 32.0), 1.0))
    beside = Extras.of(board, position).tally()
    left = complex(28, HEAD / 2 - (8 if beside else 0))
    yield text(heading, left, size, text_anchor="start", font_family=SERIF, font_weight="bold")
    if beside:
        small = min(15.0, 15.0 * space / text_width(beside, 15.0))
        yield text(beside, complex(28, HEAD - 12), small, text_anchor="start", fill=GREY, class_="beside")
    if position is not None:
        right = complex(width - 28, HEAD / 2)
        first = {"text_anchor": "end", "font_weight": "bold", "class_": "status"}
        yield text(status(board, position), right - 12j, 19, **first)
        yield text(tally(board, position), right + 14j, 15, text_anchor="end", fill=GREY)


def tally(board: Board, position: PositionLike) -> str:
    """Secured borders, discs and armies in numbers."""
    kinds = _discs_by_kind(position)
    secured = sum(position.discs.get(border, "revolt") not in ("unrest", "revolt") for border in board.borders)
    counts = [
        f"{secured} of {len(board.borders)} borders secured",
        f"revolts {len(kinds.get('revolt', []))}",
        f"unrest {len(kinds.get('unrest', []))}",
        f"armies {len(position.armies)}",
    ]
    off = [board.emperor(name) for name, place in position.emperors.items() if place is None]
    names = ", ".join(found.name for found in off if found is not None)
    return " · ".join([*counts, f"off the board: {names}"] if names else counts)


@dataclass(frozen=True, slots=True)
class Legend:
    """The elements of the legend and the height it takes."""

    items: tuple[str, ...]
    height: float


def legend(board: Board, width: float, extras: Extras, on_the_map: Iterable[tuple[str, str]]) -> Legend:
    """The legend: signs of the map, of the pieces, and of the regions, each group in a new row."""
    items: list[str] = []
    row = 0
    for signs in (on_the_map, chain(_piece_signs(board), extras.signs()), _regions(board)):
        x = 24.0
        for label, sign in signs:
            step = 58 + text_width(label, 13)
            if x + step > width - 12:
                x, row = 24.0, row + 1
            place = complex(x + 20, LEGEND_ROW * (row + 0.5) + 8)
            items.append(element("g", sign, transform=f"translate({at(place)})"))
            items.append(text(label, place + 26, 13, text_anchor="start"))
            x += step
        row += 1
    height = LEGEND_ROW * row + 16
    paper = rectangle(complex(width, height) / 2, width, height, fill=PAPER)
    edge = line(0j, complex(width, 0), stroke=LINE, stroke_width=2)
    edition = text(f"{board.name}, {board.edition}", complex(width - 24, height - 28), 12, text_anchor="end", fill=GREY)
    return Legend((paper, edge, *items, edition), height)


def _map_signs(
    board: Board, steps: Sequence[Step], heat: Mapping[str, float], marked: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Labels and signs of the map, each sign around the origin."""
    arrow = polygon((-18 + 5j, 1 + 5j, 1 + 12j, 18 + 0j, 1 - 12j, 1 - 5j, -18 - 5j))
    sea = path(arc(0j, 14, -1.02, 1.02) + "Z", fill=WAVES)
    rim = circle(0j, 14, fill="#d9d0c3", stroke=BORDER, stroke_width=3)
    yield "Link", "".join(normal_line(-18 + 0j, 18 + 0j))
    yield "Broken link", "".join(broken_line(-20 + 0j, 20 + 0j))
    yield "Barbarian path", path(arrow, fill="#1c1815")
    yield "Coast of zone 2", circle(0j, 15, fill=LAND, stroke=GREY, stroke_width=2) + sea + _white("2", 10.5 + 0j)
    yield "Border", rim + circle(0j, 9.5, fill="#bfb3a3", stroke=REGION_COLOURS[2], stroke_width=2)
    yield "Printed disc", pieces.printed_disc(board, (board.emperors[0].id,), 0j)
    if steps:
        shaft = line(-18 + 0j, 8 + 0j, stroke=pieces.ROUTE, stroke_width=5)
        yield "Route (dashed: by sea)", shaft + path(polygon((18 + 0j, 6 - 9j, 6 + 9j)), fill=pieces.ROUTE)
    if heat:
        yield "Probability", pieces.gauge(0j, 13, 0.4)
    if marked:
        yield "Differs", pieces.mark(0j, 13)


def _white(content: str, place: complex) -> str:
    return text(content, place, 9.5, fill=PAPER, font_weight="bold")


def _piece_signs(board: Board) -> Iterator[tuple[str, str]]:
    """Labels and signs of the pieces."""
    yield "Unrest", pieces.disc(board, "unrest", 0j)
    yield "Revolt", pieces.disc(board, "revolt", 0j)
    yield "Garrison", pieces.disc(board, board.emperors[0].id, 0j)
    yield "Army", pieces.army(0j)
    yield "Fleet", pieces.fleet(1j)
    for found in board.emperors:
        yield found.name, pieces.emperor(board, found.id, 0j)


def _regions(board: Board) -> Iterator[tuple[str, str]]:
    """The names of the regions beside their numerals."""
    for region in board.regions:
        colour = REGION_COLOURS[region.number]
        numeral = pieces.tag(ROMAN_NUMERALS[region.number], 0j, 12, colour)
        yield region.name, numeral if region.number else circle(0j, 9, fill=tint(colour), stroke=colour, stroke_width=3)
