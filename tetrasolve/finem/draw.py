"""The table as SVG: cards as they lie, cubes on them, the pawn, the tracks and the dice."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.draw.svg import INK, PAPER, circle, element, number, rectangle, text, tooltip
from tetrasolve.finem import numbers
from tetrasolve.finem.jsonform import NO_ROLE
from tetrasolve.finem.layout import GRID, TRIBES, Point
from tetrasolve.finem.position import Position
from tetrasolve.finem.text import NAMES

CARD_WIDTH, CARD_HEIGHT, GAP, MARGIN = 92, 76, 10, 20
CUBE = 12  # the side of a cube
COLOURS = {"O": "#d9a520", "C": "#c0392b", "E": "#2f6db5", "B": "#3d8b4f"}  # the suits of the Spanish deck
WORDS = {"O": "#7d5c00", "C": "#9c2f23", "E": "#24578c", "B": "#2c6539"}  # dark enough to be read on the pale ones
PALE = {"O": "#fbf1d3", "C": "#f7ddd9", "E": "#dbe7f5", "B": "#dcefdf"}
FRAME, LIT, EMPTY_PLACE = "#8a7c66", "#1b1b1b", "#efe8d8"
SIDE = 250  # the width of the tracks beside the map


def picture(position: Position) -> str:
    """A position as SVG text."""
    width = 2 * MARGIN + GRID.columns * (CARD_WIDTH + GAP) + SIDE
    height = 2 * MARGIN + GRID.rows * (CARD_HEIGHT + GAP)
    return element(
        "svg",
        tooltip(str(position)),
        element("rect", width=width, height=height, fill=PAPER),
        *(_card(position, region, place) for region, place in position.layout.place.items()),
        *_side(position, complex(2 * MARGIN + GRID.columns * (CARD_WIDTH + GAP), MARGIN)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=number(width),
        height=number(height),
    )


def _centre(place: Point) -> complex:
    row, column = place
    return complex(
        MARGIN + (column - 1) * (CARD_WIDTH + GAP) + CARD_WIDTH / 2,
        MARGIN + (row - 1) * (CARD_HEIGHT + GAP) + CARD_HEIGHT / 2,
    )


def _card(position: Position, region: str, place: Point) -> str:
    """A card with its cubes, a row for each tribe, and the pawn."""
    centre, suit = _centre(place), region[0]
    is_protected = region == position.protected
    parts = [
        tooltip(f"{region}: {_cubes_in_words(position, region)}"),
        rectangle(
            centre, CARD_WIDTH, CARD_HEIGHT, rx=7, fill=PALE[suit],
            stroke=LIT if is_protected else FRAME, stroke_width=3 if is_protected else 1,
        ),
        text(region, centre + complex(-CARD_WIDTH / 2 + 18, -CARD_HEIGHT / 2 + 14), 15, font_weight="bold", fill=WORDS[suit]),
    ]  # fmt: skip
    if region == position.last:
        parts.append(text("last", centre + complex(CARD_WIDTH / 2 - 18, CARD_HEIGHT / 2 - 9), 10, fill=FRAME))
    for row, (tribe, count) in enumerate(position.occupied.get(region, {}).items()):
        for column in range(count):
            at = centre + complex(-CARD_WIDTH / 2 + 14 + column * (CUBE + 3), -CARD_HEIGHT / 2 + 32 + row * (CUBE + 1))
            parts.append(rectangle(at, CUBE, CUBE, fill=COLOURS[tribe], stroke=INK, stroke_width=0.7))
    if region == position.pawn:
        parts += [
            circle(centre + complex(CARD_WIDTH / 2 - 16, 6), 9, fill=LIT),
            circle(centre + complex(CARD_WIDTH / 2 - 16, -9), 6, fill=LIT),
        ]
    return element("g", *parts)


def _cubes_in_words(position: Position, region: str) -> str:
    cubes = position.occupied.get(region, {})
    return ", ".join(f"{count} of {NAMES[tribe]}" for tribe, count in cubes.items()) or "no cube"


def _side(position: Position, corner: complex) -> Iterator[str]:
    """The role, the dice, and the tracks."""

    def words(content: str, right: float, down: float, size: float = 14) -> str:
        return text(content, corner + complex(right, down), size, text_anchor="start")

    yield words(
        f"{position.role or NO_ROLE}, {position.step}" + (f" {position.left}" if position.left else ""), 0, 12, 16
    )
    for row, tribe in enumerate(TRIBES):
        down = 52 + row * 42
        die = position.die(tribe)
        if die:
            yield rectangle(corner + complex(16, down), 30, 30, rx=5, fill=COLOURS[tribe], stroke=INK)
            yield text(str(die), corner + complex(16, down), 18, fill=PAPER, font_weight="bold")
        state = ["pacified"] if tribe in position.pacified else []
        state = ["eradicated"] if not die else state
        yield words(", ".join([NAMES[tribe], *state]), 42, down)
        yield words(f"{numbers.CUBES - position.on_map(tribe)} cubes left", 150, down, 12)
    yield words("decline", 0, 232)
    yield from _track(
        corner + complex(8, 258), position.decline, position.ruleset.most_decline, position.ruleset.decline_a_card
    )
    yield words("outbreaks", 0, 300)
    yield from _track(corner + complex(8, 326), position.outbreaks, numbers.MOST_OUTBREAKS, numbers.MOST_OUTBREAKS)


def _track(start: complex, filled: int, places: int, a_card: int) -> Iterator[str]:
    """The places of a track, those with a cube filled, a gap after each card."""
    for at in range(places):
        centre = start + at * 16 + (at // a_card) * 8
        yield rectangle(centre, CUBE, CUBE, fill=LIT if at < filled else EMPTY_PLACE, stroke=FRAME)
