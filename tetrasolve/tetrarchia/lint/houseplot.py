"""A sweep of one number of the rulebook as an SVG plot: win rates with their intervals, a line for each level."""

from __future__ import annotations

from html import escape

from tetrasolve.draw.plot import percent_lines
from tetrasolve.tetrarchia.house import STANDARD, house_number
from tetrasolve.tetrarchia.lint.housegames import HouseGames, series_of

WIDTH, HEIGHT = 720, 340
LEFT, RIGHT, TOP, BOTTOM = 52, 84, 24, 48  # margins; the names of the levels are on the right
COLOURS = ("#2e86c1", "#c0392b", "#1e8449", "#7d3c98", "#b9770e")  # of the levels in turn
DASHES = ("", "6 3", "2 3", "9 3 2 3", "1 4")  # so that lines differ in print, too


def sweep_svg(games: HouseGames, name: str) -> str:
    """The plot as SVG text; the value of the rulebook is marked. Lines have a colour and a dash for each level."""
    rows = series_of(games, name)
    values = sorted({value for row in rows.values() for value, _ in row})
    first, last = (values[0], values[-1]) if values else (0, 1)

    def x(value: int) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * (value - first) / max(last - first, 1)

    def y(chance: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance)

    title = f"Games won by {name} ({house_number(name).means}), greedy play, with 95 % intervals"
    view = f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12" fill="currentColor"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {view}><title>{escape(title)}</title>']
    parts += percent_lines(LEFT, WIDTH - RIGHT, y)
    if first <= STANDARD[name] <= last:
        at = f"{x(STANDARD[name]):.1f}"
        parts.append(
            f'<path d="M{at} {TOP}V{HEIGHT - BOTTOM}" stroke="currentColor" stroke-opacity=".4" stroke-dasharray="4 4"/>'
            f'<text x="{at}" y="{TOP - 8}" text-anchor="middle">rulebook</text>'
        )
    for number, (level, row) in enumerate(rows.items()):
        colour, dash = COLOURS[number % len(COLOURS)], DASHES[number % len(DASHES)]
        points = "L".join(f"{x(value):.1f} {y(rate.value):.1f}" for value, rate in row)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        parts.append(f'<path d="M{points}" fill="none" stroke="{colour}" stroke-width="2"{dashed}/>')
        for value, rate in row:
            words = (
                f"{level}, {name} = {value}: {100 * rate.value:.1f} % ({100 * rate.low:.1f} to {100 * rate.high:.1f})"
            )
            at = f'cx="{x(value):.1f}" cy="{y(rate.value):.1f}"'
            parts.append(
                f'<path d="M{x(value):.1f} {y(rate.low):.1f}V{y(rate.high):.1f}" stroke="{colour}"/>'
                f'<circle {at} r="4" fill="{colour}"><title>{escape(words)}</title></circle>'
            )
        at = f'x="{WIDTH - RIGHT + 10}" y="{y(row[-1][1].value):.1f}"'
        parts.append(f'<text {at} dominant-baseline="middle" fill="{colour}">{escape(level)}</text>')
    parts += [
        f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{value}</text>' for value in values
    ]
    parts.append(
        f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(name)}</text></svg>'
    )
    return "\n".join(parts) + "\n"
