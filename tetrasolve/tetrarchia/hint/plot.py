"""A reviewed game as an SVG plot: the chance to win turn by turn, with blunders marked."""

from __future__ import annotations

from tetrasolve.draw.plot import Point, chance_plot, gravest
from tetrasolve.tetrarchia.hint.review import Review, Turn


def review_svg(found: Review, title: str = "Chance to win") -> str:
    """The plot as SVG text; lines have the colour of the surrounding text, for light and dark backgrounds."""
    return chance_plot([_point(turn) for turn in found.turns], title, "turn")


def _point(turn: Turn) -> Point:
    shares = f"{100 * turn.before:.1f} %, lost {100 * turn.loss:.1f} %, luck {100 * turn.luck:+.1f} %"
    grade = gravest([decision.grade for decision in turn.decisions])
    return Point(turn.before, f"turn {turn.number}, {turn.emperor}: {shares}", grade, str(turn.number))
