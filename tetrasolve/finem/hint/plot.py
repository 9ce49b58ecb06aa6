"""A reviewed game as an SVG plot: the chance to win decision by decision, with blunders marked."""

from __future__ import annotations

from tetrasolve.draw.plot import Point, chance_plot
from tetrasolve.finem.hint.review import GameReview, Reviewed


def review_svg(found: GameReview, title: str = "Chance to win") -> str:
    """The plot as SVG text; lines have the colour of the surrounding text, for light and dark backgrounds.

    A point is the chance before a decision, with the best plan.
    """
    turns = [None, *(one.turn for one in found.decisions)]  # of the decision before
    points = [_point(one, is_first=one.turn != turn) for one, turn in zip(found.decisions, turns, strict=False)]
    return chance_plot(points, title, "turn")


def _point(one: Reviewed, *, is_first: bool) -> Point:
    before = one.value + one.loss
    shares = f"{100 * before:.1f} %, lost {100 * one.loss:.1f} %, luck {100 * one.luck:+.1f} %"
    return Point(before, f"turn {one.turn}, {one.step}: {shares}", one.grade, str(one.turn) if is_first else "")
