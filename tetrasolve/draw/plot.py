"""The chance to win over a game as an SVG plot, with blunders marked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from tetrasolve.draw.svg import safe

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 24, 40  # margins
MOST_LABELS = 12
COLOURS = {"blunder": "#c0392b", "mistake": "#d68910", "inaccuracy": "#b7950b"}  # the gravest first
PLAIN = "#2e86c1"


@dataclass(frozen=True, slots=True)
class Point:
    """A point of the plot: the chance in [0, 1], what its tooltip says, its grade, and its label on the axis (empty: none)."""

    chance: float
    words: str
    grade: str
    label: str


def gravest(grades: Sequence[str]) -> str:
    """The gravest of some grades, empty where there is none."""
    return next((grade for grade in COLOURS if grade in grades), "")


def percent_lines(left: int, right: int, y: Callable[[float], float]) -> Iterator[str]:
    """A line for each quarter of all chances, with its name on the left; `y` is the height of a chance."""
    for percent in (0, 25, 50, 75, 100):
        height = f"{y(percent / 100):.1f}"
        yield (
            f'<path d="M{left} {height}H{right}" stroke="currentColor" stroke-opacity=".2"/>'
            f'<text x="{left - 6}" y="{height}" text-anchor="end" dominant-baseline="middle">{percent} %</text>'
        )


def chance_plot(points: Sequence[Point], title: str, axis: str) -> str:
    """The plot as SVG text; lines have the colour of the surrounding text, for light and dark backgrounds."""
    count = max(len(points), 1)

    def x(number: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * number / max(count - 1, 1)

    def y(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    view = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" fill="currentColor"'
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {view}><title>{safe(title)}</title>']
    rows += percent_lines(LEFT, WIDTH - RIGHT, y)
    line = "L".join(f"{x(number):.1f} {y(point.chance):.1f}" for number, point in enumerate(points))
    if line:
        rows.append(f'<path d="M{line}" fill="none" stroke="{PLAIN}" stroke-width="2"/>')
    for number, point in enumerate(points):
        at = f'cx="{x(number):.1f}" cy="{y(point.chance):.1f}"'
        size, colour = (6, COLOURS[point.grade]) if point.grade else (3, PLAIN)
        words = safe(f"{point.words} {point.grade}")
        rows.append(f'<circle {at} r="{size}" fill="{colour}"><title>{words}</title></circle>')
    labelled = [(number, point.label) for number, point in enumerate(points) if point.label]
    every = max(1, ceil(len(labelled) / MOST_LABELS))
    rows += [
        f'<text x="{x(number):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{safe(label)}</text>'
        for number, label in labelled[::every]
    ]
    rows.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">{safe(axis)}</text></svg>'
    )
    return "\n".join(rows) + "\n"
