"""The table as SVG: cards as they lie, cubes on them, the pawn, the tracks and the dice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib import resources
from types import MappingProxyType

from tetrasolve.draw.svg import INK, PAPER, circle, element, number, rectangle, text, tooltip
from tetrasolve.errors import ArgumentError
from tetrasolve.finem import numbers
from tetrasolve.finem.jsonform import NO_ROLE
from tetrasolve.finem.layout import GRID, NUMBER, TRIBES, Point
from tetrasolve.finem.position import Position
from tetrasolve.finem.text import NAMES
from tetrasolve.strict import read_toml

CARD_WIDTH, CARD_HEIGHT, GAP, MARGIN = 92, 76, 10, 20
CUBE = 12  # the side of a cube
COLOURS = {"O": "#d9a520", "C": "#c0392b", "E": "#2f6db5", "B": "#3d8b4f"}  # the suits of the Spanish deck
WORDS = {"O": "#7d5c00", "C": "#9c2f23", "E": "#24578c", "B": "#2c6539"}  # dark enough to be read on the pale ones
PALE = {"O": "#fbf1d3", "C": "#f7ddd9", "E": "#dbe7f5", "B": "#dcefdf"}
FRAME, LIT, EMPTY_PLACE = "#8a7c66", "#1b1b1b", "#efe8d8"
SIDE = 250  # the width of the tracks beside the map
HOT, GAUGE = "#b3201a", 5  # the bar of a chance, and its height
LEAST_SHOWN = Fraction(1, 10_000)  # of chances; a smaller one would not fit on its card
MAP_SIZE = (
    2 * MARGIN + GRID.columns * (CARD_WIDTH + GAP),
    2 * MARGIN + GRID.rows * (CARD_HEIGHT + GAP),
)  # of the cards alone
LAST = "M0 -6L6 0L0 6L-6 0Z"  # the mark of the region last invaded
NO_HEAT: Mapping[str, Fraction] = MappingProxyType({})
NO_WORDS: Mapping[str, str] = MappingProxyType({})
CUBES_OF, NO_CUBE = "{n} of {tribe}", "no cube"


@cache
def picture_words(language: str) -> Mapping[str, str]:
    """The words of a picture in a language: none for English, in which they are written."""
    text_ = resources.files("tetrasolve.finem").joinpath("data/picture.toml").read_text("utf-8")
    words: Mapping[str, str] = read_toml(text_).get(language, NO_WORDS)
    return words


def picture(
    position: Position,
    heat: Mapping[str, Fraction] = NO_HEAT,
    heading: str = "",
    *,
    letters: bool = False,
    words: Mapping[str, str] = NO_WORDS,
    marks: Sequence[str] = (),
) -> str:
    """A position as SVG text.

    `heat` has a chance for regions, as `by_card` of a `tetrasolve.finem.turnrisk.TurnRisk`: each is written on its card, with a bar
    that is as long as the card for the highest. `heading` says of what it is the chance. With `letters` each cube has
    the letter of its tribe in place of its colour, for print without colours.

    `words` has what the words of the picture are in another language (``"decline"``, ``"{n} cubes left"``); others stay. `marks`
    are elements of SVG that are drawn over the cards.

    :raises ArgumentError: when `heat` names no region, or has a number that is no chance.
    """
    for region, chance in heat.items():
        if region not in NUMBER or not 0 <= chance <= 1:
            raise ArgumentError("heat", f"{region}: {chance}", "chances from 0 to 1 by region")
    width = 2 * MARGIN + GRID.columns * (CARD_WIDTH + GAP) + SIDE
    height = 2 * MARGIN + GRID.rows * (CARD_HEIGHT + GAP)
    return element(
        "svg",
        tooltip(str(position)),
        element("rect", width=width, height=height, fill=PAPER),
        *(
            _card(position, region, place, heat, words, letters=letters)
            for region, place in position.layout.place.items()
        ),
        *_side(position, complex(2 * MARGIN + GRID.columns * (CARD_WIDTH + GAP), MARGIN), words),
        *_heading(heading, complex(2 * MARGIN + GRID.columns * (CARD_WIDTH + GAP), MARGIN + 372)),
        *marks,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        width=number(width),
        height=number(height),
    )


def cards_picture(position: Position) -> str:
    """The cards as they lie, with what is on them, as SVG text: a mark, and no words, for the region last invaded."""
    width, height = MAP_SIZE
    return element(
        "svg",
        *(
            _card(position, region, place, NO_HEAT, NO_WORDS, mark=True)
            for region, place in position.layout.place.items()
        ),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
    )


def centre_of(place: Point) -> complex:
    """The middle of the card on a place: right and down from the corner of the picture."""
    row, column = place
    return complex(
        MARGIN + (column - 1) * (CARD_WIDTH + GAP) + CARD_WIDTH / 2,
        MARGIN + (row - 1) * (CARD_HEIGHT + GAP) + CARD_HEIGHT / 2,
    )


def _heading(words: str, at: complex) -> Iterator[str]:
    """What the bars show."""
    if words:
        yield rectangle(at + 16, 30, GAUGE, fill=HOT)
        yield text(words, at + 42, 12, text_anchor="start")


def _gauge(chance: Fraction, most: Fraction, centre: complex) -> Iterator[str]:
    """A chance in words and as a bar."""
    width = float(CARD_WIDTH * chance / most)
    bar = centre + complex((width - CARD_WIDTH) / 2, CARD_HEIGHT / 2 - GAUGE / 2)
    yield rectangle(bar, width, GAUGE, fill=HOT)
    words = f"{float(100 * chance):.3g} %" if chance >= LEAST_SHOWN else "< 0.01 %"
    yield text(words, centre + complex(CARD_WIDTH / 2 - 26, -CARD_HEIGHT / 2 + 14), 12, fill=HOT)


def _card(
    position: Position,
    region: str,
    place: Point,
    heat: Mapping[str, Fraction],
    said: Mapping[str, str],
    *,
    mark: bool = False,
    letters: bool = False,
) -> str:
    """A card with its cubes and its chance; `mark` stands in place of words, `letters` in place of colours."""
    centre, suit = centre_of(place), region[0]
    is_protected = region == position.protected
    parts = [
        "" if mark else tooltip(f"{region}: {_cubes_in_words(position, region, said)}"),
        rectangle(
            centre, CARD_WIDTH, CARD_HEIGHT, rx=7, fill=PALE[suit],
            stroke=LIT if is_protected else FRAME, stroke_width=3 if is_protected else 1,
        ),
        text(region, centre + complex(-CARD_WIDTH / 2 + 18, -CARD_HEIGHT / 2 + 14), 15, font_weight="bold", fill=WORDS[suit]),
    ]  # fmt: skip
    if heat.get(region):
        parts += _gauge(heat[region], max(heat.values()), centre)
    if region == position.last and mark:
        at = centre + complex(CARD_WIDTH / 2 - 12, CARD_HEIGHT / 2 - 12)
        parts.append(element("path", d=LAST, fill=FRAME, transform=f"translate({number(at.real)} {number(at.imag)})"))
    elif region == position.last:
        parts.append(
            text(said.get("last", "last"), centre + complex(CARD_WIDTH / 2 - 18, CARD_HEIGHT / 2 - 9), 10, fill=FRAME)
        )
    for row, (tribe, count) in enumerate(position.occupied.get(region, {}).items()):
        for column in range(count):
            at = centre + complex(-CARD_WIDTH / 2 + 14 + column * (CUBE + 3), -CARD_HEIGHT / 2 + 32 + row * (CUBE + 1))
            fill = PAPER if letters else COLOURS[tribe]
            parts.append(rectangle(at, CUBE, CUBE, fill=fill, stroke=INK, stroke_width=0.7))
            if letters:
                parts.append(text(tribe, at, CUBE - 2, font_weight="bold"))
    if region == position.pawn:
        parts += [
            circle(centre + complex(CARD_WIDTH / 2 - 16, 6), 9, fill=LIT),
            circle(centre + complex(CARD_WIDTH / 2 - 16, -9), 6, fill=LIT),
        ]
    return element("g", *parts)


def _cubes_in_words(position: Position, region: str, said: Mapping[str, str]) -> str:
    cubes, form = position.occupied.get(region, {}), said.get(CUBES_OF, CUBES_OF)
    found = ", ".join(form.format(n=count, tribe=NAMES[tribe]) for tribe, count in cubes.items())
    return found or said.get(NO_CUBE, NO_CUBE)


def _side(position: Position, corner: complex, said: Mapping[str, str]) -> Iterator[str]:
    """The role, the dice, and the tracks."""

    def words(content: str, right: float, down: float, size: float = 14) -> str:
        return text(content, corner + complex(right, down), size, text_anchor="start")

    def called(word: str) -> str:
        return said.get(word, word)

    turn = f"{called(position.role or NO_ROLE)}, {called(str(position.step))}"
    yield words(turn + (f" {position.left}" if position.left else ""), 0, 12, 16)
    for row, tribe in enumerate(TRIBES):
        down = 52 + row * 42
        die = position.die(tribe)
        if die:
            yield rectangle(corner + complex(16, down), 30, 30, rx=5, fill=COLOURS[tribe], stroke=INK)
            yield text(str(die), corner + complex(16, down), 18, fill=PAPER, font_weight="bold")
        state = ["pacified"] if tribe in position.pacified else []
        state = ["eradicated"] if not die else state
        yield words(", ".join([NAMES[tribe], *map(called, state)]), 42, down - 8)
        yield words(called("{n} cubes left").format(n=numbers.CUBES - position.on_map(tribe)), 42, down + 9)
    yield words(called("decline"), 0, 232)
    yield from _track(
        corner + complex(8, 258), position.decline, position.ruleset.most_decline, position.ruleset.decline_a_card
    )
    yield words(called("outbreaks"), 0, 300)
    yield from _track(corner + complex(8, 326), position.outbreaks, numbers.MOST_OUTBREAKS, numbers.MOST_OUTBREAKS)


def _track(start: complex, filled: int, places: int, a_card: int) -> Iterator[str]:
    """The places of a track, those with a cube filled, a gap after each card."""
    for at in range(places):
        centre = start + at * 16 + (at // a_card) * 8
        yield rectangle(centre, CUBE, CUBE, fill=LIT if at < filled else EMPTY_PLACE, stroke=FRAME)
