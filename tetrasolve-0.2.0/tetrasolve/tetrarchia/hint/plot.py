"""A reviewed game as an SVG plot: the chance to win turn by turn, with blunders marked."""

from __future__ import annotations

from html import escape

from tetrasolve.tetrarchia.hint.review import Review

WIDTH, HEIGHT = 720, 300
LEFT, RIGHT, TOP, BOTTOM = 44, 12, 24, 40  # margins
COLOURS = {"blunder": "#c0392b", "mistake": "#d68910", "inaccuracy": "#b7950b"}


def review_svg(found: Review, title: str = "Chance to win") -> str:
    """The plot as SVG text; lines have the colour of the surrounding text, for light and dark backgrounds."""
    count = max(len(found.turns), 1)

    def x(turn: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (turn - 1) / max(count - 1, 1)

    def y(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    view = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" fill="currentColor"'
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {view}><title>{escape(title)}</title>']
    for percent in (0, 25, 50, 75, 100):
        height = f"{y(percent / 100):.1f}"
        rows.append(
            f'<path d="M{LEFT} {height}H{WIDTH - RIGHT}" stroke="currentColor" stroke-opacity=".2"/>'
            f'<text x="{LEFT - 6}" y="{height}" text-anchor="end" dominant-baseline="middle">{percent} %</text>'
        )
    line = "L".join(f"{x(turn.number):.1f} {y(turn.before):.1f}" for turn in found.turns)
    if line:
        rows.append(f'<path d="M{line}" fill="none" stroke="#2e86c1" stroke-width="2"/>')
    for turn in found.turns:
        grade = max((decision.grade for decision in turn.decisions), key=_rank, default="")
        at = f'cx="{x(turn.number):.1f}" cy="{y(turn.before):.1f}"'
        shares = f"{100 * turn.before:.1f} %, lost {100 * turn.loss:.1f} %, luck {100 * turn.luck:+.1f} %"
        words = f"turn {turn.number}, {turn.emperor}: {shares}"
        size, colour = (6, COLOURS[grade]) if grade else (3, "#2e86c1")
        rows.append(f'<circle {at} r="{size}" fill="{colour}"><title>{escape(words)} {grade}</title></circle>')
    every = max(1, count // 12)
    rows += [
        f'<text x="{x(turn.number):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{turn.number}</text>'
        for turn in found.turns
        if (turn.number - 1) % every == 0
    ]
    rows.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" text-anchor="middle">turn</text></svg>')
    return "\n".join(rows) + "\n"


def _rank(grade: str) -> int:
    return ["", "inaccuracy", "mistake", "blunder"].index(grade)
