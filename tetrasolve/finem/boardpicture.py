"""The map of a ruleset as SVG: its cards without cubes, a line between adjacent ones, and names where the border joins regions."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.draw.svg import INK, PAPER, element, line, number, rectangle, text, tooltip
from tetrasolve.finem.board import Board, Region
from tetrasolve.finem.draw import CARD_HEIGHT, CARD_WIDTH, FRAME, LIT, MAP_SIZE, PALE, WORDS, centre_of

EDGE = 24  # around the map, for the names of the regions across its border
STUB = 10  # of a line across the border


def board_svg(board: Board, *, width: int | None = None) -> str:
    """The map as SVG text, `width` pixels wide (None: its own size); a start has a thick frame.

    >>> from tetrasolve.finem.ruleset import Ruleset
    >>> board_svg(Board.of(Ruleset("standard"))).count("<line")
    28
    """
    right, down = (size + 2 * EDGE for size in MAP_SIZE)
    return element(
        "svg",
        tooltip(str(board.ruleset)),
        element("rect", x=-EDGE, y=-EDGE, width=right, height=down, fill=PAPER),
        *_lines(board),
        *(_card(board, region) for region in board.regions.values()),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"-{EDGE} -{EDGE} {number(right)} {number(down)}",
        width=number(width or right),
        height=number((width or right) * down / right),
    )


def _lines(board: Board) -> Iterator[str]:
    """A line between neighbours; across the border one from each of both, with the name of the other at its end."""
    for one, other in board.pairs:
        first, second = board.regions[one], board.regions[other]
        if other in first.neighbours:
            yield line(_centre(first), _centre(second), stroke=INK, stroke_width=2)
        else:
            yield from _stub(first, second)
            yield from _stub(second, first)


def _stub(region: Region, other: Region) -> Iterator[str]:
    """The line from a region over the border: up if the other lies below it in its column, and so on."""
    if region.column == other.column:
        way = complex(0, -1 if region.row < other.row else 1)
        edge = _centre(region) + way * (CARD_HEIGHT / 2)
    else:
        way = complex(-1 if region.column < other.column else 1, 0)
        edge = _centre(region) + way * (CARD_WIDTH / 2)
    yield line(edge, edge + way * STUB, stroke=INK, stroke_width=2, stroke_dasharray="3 2")
    yield text(other.name, edge + way * (STUB + 11), 11, fill=WORDS[other.tribe])


def _card(board: Board, region: Region) -> str:
    is_start = region.name in board.starts
    reached = ", ".join((*region.neighbours, *region.across))
    return element(
        "g",
        tooltip(f"{region.name}: adjacent to {reached}"),
        rectangle(
            _centre(region), CARD_WIDTH, CARD_HEIGHT, rx=7, fill=PALE[region.tribe],
            stroke=LIT if is_start else FRAME, stroke_width=3 if is_start else 1,
        ),
        text(region.name, _centre(region), 20, font_weight="bold", fill=WORDS[region.tribe]),
    )  # fmt: skip


def _centre(region: Region) -> complex:
    return centre_of((region.row, region.column))
