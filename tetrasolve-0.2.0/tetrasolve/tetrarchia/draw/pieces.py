"""Discs, figures, fleets and badges, drawn around a point."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence

from tetrasolve.draw.svg import (
    INK,
    PAPER,
    SERIF,
    arc,
    at,
    circle,
    element,
    number,
    path,
    polygon,
    rectangle,
    text,
    tooltip,
)
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.draw.layout import text_width

# The palette of Okabe and Ito, for colour-blind readers; yellow a little darker for a light background.
COLOURS = {"green": "#009e73", "yellow": "#f0c419", "red": "#d55e00", "blue": "#0072b2"}
SPARE_COLOURS = ("#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f")  # for other colours of a board file
ROUTE = "#8e1b7a"
UNREST = "#a3a3a3"
REVOLT = "#111111"
WOOD = "#8a4b22"
FLAG = "#24638a"

DISC_RADIUS = 14.5

Style = dict[str, str | float | None]


def emperor_colour(board: Board, emperor: str) -> str:
    """The colour of an Emperor's pieces."""
    for index, other in enumerate(board.emperors):
        if other.id == emperor:
            return COLOURS.get(other.colour.casefold(), SPARE_COLOURS[index % len(SPARE_COLOURS)])
    return SPARE_COLOURS[-1]


def on_colour(colour: str) -> str:
    """Ink or paper colour, whichever has more contrast on a colour ``#rrggbb``."""
    red, green, blue = (int(colour[index : index + 2], 16) for index in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > 140 else PAPER  # 140 of 255: found by eye


def letter(board: Board, emperor: str) -> str:
    """The initial of an Emperor."""
    found = board.emperor(emperor)
    return found.letter if found is not None else "?"


def printed_disc(board: Board, emperors: Sequence[str], centre: complex) -> str:
    """A disc printed on the map: a ring in the colours of its owners."""
    share = cmath.tau / len(emperors)
    rings = [circle(centre, 12, fill="none", stroke=emperor_colour(board, emperors[0]), stroke_width=6)]
    for index, emperor in enumerate(emperors[1:], start=1):  # over the ring of the first
        start = share * index - math.pi / 2
        colour = emperor_colour(board, emperor)
        rings.append(path(arc(centre, 12, start, start + share), fill="none", stroke=colour, stroke_width=6))
    rims = [circle(centre, radius, fill="none", stroke=INK, stroke_width=0.8) for radius in (9, 15)]
    initials = "".join(letter(board, emperor) for emperor in emperors)
    inside = text(initials, centre, 12, font_weight="bold") if len(emperors) == 1 else ""
    return element("g", *rings, *rims, inside, class_="printed")


def disc(board: Board, kind: str, centre: complex) -> str:
    """A disc: unrest grey, revolt black, a garrison in its Emperor's colour with his initial."""
    shade = circle(centre + 1.5 + 2j, DISC_RADIUS, fill=INK, opacity=0.3)
    if kind == "unrest":
        body = circle(centre, DISC_RADIUS, fill=UNREST, stroke="#4d4d4d", stroke_width=1.5)
        mark = circle(centre, 9, fill="none", stroke=PAPER, stroke_width=1.5, stroke_dasharray="4 3")
    elif kind == "revolt":
        body = circle(centre, DISC_RADIUS, fill=REVOLT, stroke="#5c5c5c", stroke_width=1.5)
        mark = circle(centre, 9, fill="none", stroke="#8f8f8f", stroke_width=1.5)
    else:
        colour = emperor_colour(board, kind)
        body = circle(centre, DISC_RADIUS, fill=colour, stroke=INK, stroke_width=1.5)
        mark = text(letter(board, kind), centre, 16, font_weight="bold", fill=on_colour(colour))
    return element("g", shade, body, mark, class_=f"disc {kind}")


def emperor(board: Board, name: str, centre: complex, *, active: bool = False) -> str:
    """An Emperor: a shield in his colour with his initial, with a laurel-gold rim while it is his turn."""
    colour = emperor_colour(board, name)
    shield = f"M{at(centre - 12 - 14j)}H{number(centre.real + 12)}v11q0,12 -12,18q-12,-6 -12,-18Z"
    rim = path(shield, fill="none", stroke="#c9971c", stroke_width=7, stroke_linejoin="round") if active else ""
    found = board.emperor(name)
    return element(
        "g",
        tooltip(found.name if found is not None else name),
        rim,
        path(shield, fill=PAPER, stroke=PAPER, stroke_width=4.5, stroke_linejoin="round"),
        path(shield, fill=colour, stroke=INK, stroke_width=1.8, stroke_linejoin="round"),
        text(letter(board, name), centre - 1j, 17, font_family=SERIF, font_weight="bold", fill=on_colour(colour)),
        class_=f"emperor {name}",
    )


def helper(name: str, centre: complex) -> str:
    """The Dux or the Vicarius: white with a letter."""
    body = circle(centre, 11, fill=PAPER, stroke=INK, stroke_width=2)
    return element("g", tooltip(name.title()), body, text(name[0].upper(), centre, 14, font_weight="bold"), class_=name)


def army(centre: complex, note: str = "Barbarian army", initial: str = "", zone: int | None = None) -> str:
    """A Barbarian army: a black warrior with a spear.

    An `initial` names the figure, a banner the `zone` of the fleet that an attack requires: Goths have the first, rebels
    both.
    """
    body = polygon([centre + p for p in (-11 + 14j, 11 + 14j, 5 - 1j, -5 - 1j)])
    head = centre - 6j
    horns = f"M{at(head - 9 - 7j)}q2,9 9,8q7,1 9,-8"
    spear = line_of(centre + 13 + 14j, centre + 13 - 17j)
    joints = {"stroke_linejoin": "round", "stroke_linecap": "round"}
    outline: Style = {"stroke": PAPER, "stroke_width": 5, **joints}
    ink: Style = {"stroke": REVOLT, "stroke_width": 2.2, **joints}
    shapes = [
        part
        for style in (outline, ink)
        for part in (
            path(spear, fill="none", **style),
            path(horns, fill="none", **style),
            path(body, fill=REVOLT, **style),
            circle(head, 6, fill=REVOLT, **style),
        )
    ]
    if initial:
        shapes.append(text(initial, centre + 7.5j, 12, fill=PAPER, font_weight="bold"))
    if zone is not None:
        shapes.append(banner(str(zone), centre + 13 - 17j))
    kind = "rebels" if zone is not None else "goths" if initial else ""
    return element("g", tooltip(note), *shapes, class_=f"army {kind}".strip())


def banner(label: str, top: complex) -> str:
    """A small flag to the right of a point, blue as the seas, with a label on it."""
    cloth = polygon([top + p for p in (0, 18, 13.5 + 6j, 18 + 12j, 12j)])
    flag = path(cloth, fill=FLAG, stroke=PAPER, stroke_width=1.2, stroke_linejoin="round")
    return flag + text(label, top + 7 + 6j, 10.5, fill=PAPER, font_weight="bold")


def line_of(a: complex, b: complex) -> str:
    """The path of a straight line."""
    return f"M{at(a)}L{at(b)}"


def fleet(centre: complex, *, pirate: bool = False) -> str:
    """A fleet: a ship with one sail, black for pirates."""
    wood, sail = (REVOLT, "#444444") if pirate else (WOOD, PAPER)
    hull = f"M{at(centre - 19 + 5j)}h38q-4,11 -11,11h-17q-8,0 -10,-11Z"
    cloth = f"M{at(centre - 1 - 18j)}q17,7 3,19h-3Z"
    back = f"M{at(centre - 3 - 15j)}q-13,7 -11,16h11Z"
    style: Style = {"stroke": INK, "stroke_width": 1.5, "stroke_linejoin": "round"}
    return element(
        "g",
        tooltip("Pirates" if pirate else "Roman fleet"),
        path(hull, fill=wood, **style),
        path(line_of(centre - 2 - 19j, centre - 2 + 5j), fill="none", stroke=INK, stroke_width=2),
        path(cloth, fill=sail, **style),
        path(back, fill=sail, **style),
        class_="pirates" if pirate else "fleet",
    )


def tag(label: str, centre: complex, size: float, fill: str, ink: str = PAPER, **attributes: str | float) -> str:
    """A short label on a background with round ends."""
    width = max(text_width(label, size) + size * 0.8, size * 1.45)
    ground = rectangle(centre, width, size * 1.45, rx=size * 0.72, fill=fill, **attributes)
    return ground + text(label, centre, size, fill=ink, font_weight="bold")


def gauge(centre: complex, radius: float, share: float) -> str:
    """A ring that is filled clockwise as far as the share goes, darker the higher it is."""
    share = min(1.0, max(0.0, share))
    rail = circle(centre, radius, fill="none", stroke="#e8dcc4", stroke_width=8)
    if share <= 0:
        return rail
    style: Style = {"fill": "none", "stroke": heat_colour(share), "stroke_width": 8}
    if share >= 0.999:
        return rail + circle(centre, radius, **style)
    return rail + path(arc(centre, radius, -math.pi / 2, -math.pi / 2 + cmath.tau * share), **style)


def mark(centre: complex, radius: float) -> str:
    """A dashed ring."""
    style: Style = {"fill": "none", "stroke": ROUTE, "stroke_width": 5, "stroke_dasharray": "9 6"}
    return circle(centre, radius, **style)


def heat_colour(share: float) -> str:
    """A colour from pale yellow (0) over orange to dark red (1), with decreasing lightness."""
    stops = ((255, 224, 130), (240, 120, 40), (120, 10, 30))
    low, rest = (0, share * 2) if share < 0.5 else (1, share * 2 - 1)
    mixed = (round(a + (b - a) * rest) for a, b in zip(stops[low], stops[low + 1], strict=True))
    return "#" + "".join(f"{part:02x}" for part in mixed)
