"""The map of Tetrarchia with a number and a shade in each province, for ``{fact-map}``."""

from __future__ import annotations

from collections.abc import Iterator

from factpages.maps import Shaded

from tetrasolve.draw.svg import INK, PAPER, SANS, circle, element, number, rectangle, safe, text, tooltip
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import layout as places
from tetrasolve.tetrarchia.draw import picture, pieces

FOOT = 74.0  # height of the scale below the map
NONE = "#e4ddd0"  # of a province without a number
BOXES = 12  # a scale of more different numbers is a ramp


def shaded_svg(board: Board, shaded: Shaded) -> str:
    """The map of a board as the text of an SVG picture: a number and a shade in each province."""
    map_ = places.layout(board)
    size = map_.size + complex(0, FOOT)
    layers = (
        *picture.seas(map_),
        *picture.links(board, map_),
        *_zones(board, map_),
        *(_province(board, map_, name, shaded) for name in board.provinces),
    )
    return element(
        "svg",
        tooltip(shaded.title),
        element("desc", safe(shaded.words)),
        *layers,
        element("g", *_scale(shaded, size.real), transform=f"translate(0 {number(map_.size.imag)})"),
        rectangle(size / 2, size.real - 3, size.imag - 3, fill="none", stroke=picture.LINE, stroke_width=3),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(size.real)} {number(size.imag)}",
        role="img",
        font_family=SANS,
    )


def _zones(board: Board, map_: places.Layout) -> Iterator[str]:
    """The names of the seas only: their circles would look like numbers."""
    for zone, place in map_.zones.items():
        ink = {"fill": "#24638a", "font_style": "italic"}
        yield picture.halo(board.zones[zone - 1], place, 20.5, picture.SEA, **ink)


def _province(board: Board, map_: places.Layout, name: str, shaded: Shaded) -> str:
    """A province: filled by its shade, its number in it, its name below."""
    place, label = map_.places[name], shaded.labels.get(name, "")
    fill = pieces.heat_colour(shaded.warmth[name]) if name in shaded.warmth else NONE
    rim = picture.BORDER if board[name].is_border else picture.REGION_COLOURS[board[name].region]
    size = min(25.0, 52.0 / max(places.text_width(label, 1.0), 1.0))
    return element(
        "g",
        tooltip(f"{board[name].name}: {label or 'no number'}"),
        circle(place, places.RADIUS, fill=PAPER, stroke=PAPER, stroke_width=9),
        circle(place, places.RADIUS, fill=fill, stroke=rim, stroke_width=3.2),
        *picture.name_plate(board[name], map_),
        text(label, place - 5j, size, fill=pieces.on_colour(fill), font_weight="bold"),
    )


def _scale(shaded: Shaded, width: float) -> Iterator[str]:
    """The title and what the shades mean: a box for each number, or a ramp from the smallest to the largest."""
    yield rectangle(complex(width, FOOT) / 2, width, FOOT, fill=PAPER)
    yield text(shaded.title, complex(28, FOOT / 2), 24, text_anchor="start", font_weight="bold")
    steps = sorted({(share, shaded.labels[name]) for name, share in shaded.warmth.items()})
    if not steps:
        return
    if len(steps) > BOXES:
        shown = (steps[0][1], steps[-1][1])
        steps = [(index / 40, "") for index in range(41)]
        wide = 9.0
    else:
        shown = ("", "")
        wide = max(46.0, *(places.text_width(label, 22) + 14 for _, label in steps))
    left = width - 28 - places.text_width(shown[1], 22) - wide * len(steps)
    for index, (share, label) in enumerate(steps):
        fill, middle = pieces.heat_colour(share), complex(left + wide * (index + 0.5), FOOT / 2)
        yield rectangle(middle, wide + 0.5, 38, fill=fill)
        yield text(label, middle, 22, fill=pieces.on_colour(fill), font_weight="bold") if label else ""
    if shown[0]:
        yield text(shown[0], complex(left - 10, FOOT / 2), 22, text_anchor="end", fill=INK)
        yield text(shown[1], complex(left + wide * len(steps) + 10, FOOT / 2), 22, text_anchor="start", fill=INK)
