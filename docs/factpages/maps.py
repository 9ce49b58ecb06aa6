"""The map with a number and a shade in each province: ``{fact-map} uprising/in-* max``.

The picture is a file of its own beside the pages, in the colours of the board whatever the theme, and a link to itself so
that it can be looked at closely. What it shows is said in its alternative text.
"""

from __future__ import annotations

import hashlib
import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from factpages.grid import FactDirective, form_of, shares
from tetrasolve.draw.svg import (
    INK,
    PAPER,
    SANS,
    circle,
    element,
    number,
    rectangle,
    safe,
    text,
    tooltip,
)
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw import layout as places
from tetrasolve.tetrarchia.draw import picture, pieces

FOOT = 74.0  # height of the scale below the map
NONE = "#e4ddd0"  # of a province without a number
BOXES = 12  # a scale of more different numbers is a ramp


@dataclass(frozen=True)
class Shaded:
    """What a map shows: a label and, where it is a number, a share from 0 to 1 for each province."""

    title: str
    labels: Mapping[str, str]
    warmth: Mapping[str, float]


def shaded_svg(board: Board, shaded: Shaded) -> str:
    """The map as the text of an SVG picture."""
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
        element("desc", safe(in_words(board, shaded))),
        *layers,
        element("g", *_scale(shaded, size.real), transform=f"translate(0 {number(map_.size.imag)})"),
        rectangle(size / 2, size.real - 3, size.imag - 3, fill="none", stroke=picture.ROAD, stroke_width=3),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(size.real)} {number(size.imag)}",
        role="img",
        font_family=SANS,
    )


def in_words(board: Board, shaded: Shaded) -> str:
    """What the map shows, for those who cannot see it."""
    found = [f"{board[name].name} {label}" for name, label in shaded.labels.items()]
    return f"Map. {shaded.title}: {', '.join(found)}."


def _zones(board: Board, map_: places.Layout) -> Iterator[str]:
    """The names of the seas only: their circles would look like numbers."""
    for zone, place in map_.zones.items():
        ink = {"fill": "#24638a", "font_style": "italic"}
        yield picture.halo(board.zones[zone - 1], place, 16, picture.SEA, **ink)


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


# -- in a page -----------------------------------------------------------------------------------------------------


class FactMap(FactDirective):
    """``{fact-map} route-enter/roma 12.*``: the star stands for a province; the content is the caption.

    `title` is written below the map. Forms of numbers are those of the role: ``uprising/in-* mean as decimal``.
    """

    option_spec: ClassVar = {"title": directives.unchanged_required}

    def nodes_of(self, wanted: str) -> list[nodes.Node]:
        """The picture with its caption."""
        pattern, form = form_of(wanted)
        board = self.shelf.subject.board
        cells = {cell.stars[0]: cell for cell in self.cells(pattern, 1) if cell.stars[0] in board.provinces}
        if not cells:
            raise ValueError("the star stands for no province")
        title = self.options.get("title") or next(iter(cells.values())).fact.kind.title
        labels = {name: self.text(cells[name].value, form) for name in board.provinces if name in cells}
        warmth = shares({name: cell.number for name, cell in cells.items()})
        shaded = Shaded(title, labels, {str(name): share for name, share in warmth.items()})
        drawn = MapPicture("", svg=shaded_svg(board, shaded), told=in_words(board, shaded))
        caption = nodes.caption("", "", *self.parse_inline("\n".join(self.content), lineno=self.content_offset)[0])
        return [nodes.figure("", drawn, *([caption] if self.content else []), classes=["fact-map"])]


class MapPicture(nodes.General, nodes.Inline, nodes.Element):
    """A picture that is written beside the pages when they are."""


def visit_map(self: HTML5Translator, node: MapPicture) -> None:
    """Write the file, and show it."""
    drawn = node["svg"].encode()
    name = f"map-{hashlib.sha256(drawn).hexdigest()[:16]}.svg"
    folder = Path(self.builder.outdir) / self.builder.imagedir
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(drawn)
    path = posixpath.join(self.builder.imgpath, name)
    self.body.append(self.starttag(node, "a", "", href=path, CLASS="fact-map-scroll"))
    self.body.append(self.emptytag(node, "img", "", src=path, alt=node["told"], loading="lazy"))
    self.body.append("</a>")
    raise nodes.SkipNode


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_node(MapPicture, html=(visit_map, None))
    app.add_directive("fact-map", FactMap)
