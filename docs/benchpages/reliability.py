"""``{bench-reliability}``: predictions of the evaluation and results of games; ``{bench-brier}``: its scores.

``{bench-calibration-groups}``: the same for hints, by levels, modules and scenarios.

One curve for each moment: starts and ends of turns, and hints for turns. On the dotted line predictions and results are equal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, interval, made_by, percent, points, table

SIDE, LEFT, TOP, RIGHT, BOTTOM = 360, 52, 12, 12, 44
COLOURS = {"start": "#2e86c1", "end": "#d9541e", "hint": "#1e8449"}
SHIFT = {"start": -2, "end": 2, "hint": 0}  # so that their intervals do not hide each other
MOMENTS = {"start": "start of a turn", "end": "end of a turn", "hint": "hint for a turn"}


class Reliability(BenchDirective):
    """``{bench-reliability}``: the plot, and its numbers folded below."""

    results = "calibration"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """Both."""
        bins = {MOMENTS[moment]: found["bins"] for moment, found in data["moments"].items()}
        words = f"{data['games']:,} games; {made_by(data)}."
        plot = self.figure(reliability_plot(data["moments"]), "reliability", words)
        return [plot, *folded_bins("The numbers of the plot", "at the", bins)]


def folded_bins(summary: str, head: str, bins: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[nodes.Node]:
    """A table of bins under this summary: what was predicted and won in each."""
    rows = [
        (name, f"{row['from']:.1f} to {row['to']:.1f}", str(row["tables"]), str(row["games"]),
         percent(row["predicted"]), percent(row["won"]), interval(*row["ci"]))
        for name, found in bins.items() for row in found
    ]  # fmt: skip
    heads = (head, "bin", "positions", "games", "predicted", "won", "95 % interval")
    return [
        nodes.raw("", f"<details><summary>{escape(summary)}</summary>", format="html"),
        table(heads, rows, range(2, 7)),
        nodes.raw("", "</details>", format="html"),
    ]


def _x(chance: float) -> float:
    return LEFT + SIDE * chance


def _y(chance: float) -> float:
    return TOP + SIDE * (1 - chance)


def reliability_plot(moments: Mapping[str, Any]) -> str:
    """The picture as SVG."""
    view = f'viewBox="0 0 {LEFT + SIDE + RIGHT} {TOP + SIDE + BOTTOM}" font-family="sans-serif" font-size="12" fill="currentColor"'
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {view}><title>Predicted and won</title>', *_grid()]
    for place, (moment, found) in enumerate(moments.items()):
        rows += _curve(found["bins"], COLOURS[moment], SHIFT[moment], moment)
        y = TOP + 20 + 18 * place
        rows.append(
            f'<path d="M{LEFT + 12} {y}h18" stroke="{COLOURS[moment]}" stroke-width="2"/>'
            f'<text x="{LEFT + 36}" y="{y + 4}">{escape(MOMENTS[moment])}</text>'
        )
    return "\n".join([*rows, "</svg>"])


def _grid() -> Iterator[str]:
    for tick in (0, 0.25, 0.5, 0.75, 1):
        yield (
            f'<path d="M{_x(tick)} {_y(0)}V{_y(1)}M{_x(0)} {_y(tick)}H{_x(1)}" stroke="currentColor" stroke-opacity=".15"/>'
            f'<text x="{LEFT - 6}" y="{_y(tick) + 4}" text-anchor="end">{100 * tick:.0f} %</text>'
            f'<text x="{_x(tick)}" y="{_y(0) + 18}" text-anchor="middle">{100 * tick:.0f} %</text>'
        )
    yield f'<path d="M{_x(0)} {_y(0)}L{_x(1)} {_y(1)}" stroke="currentColor" stroke-opacity=".5" stroke-dasharray="2 4"/>'
    yield f'<text x="{_x(0.5)}" y="{TOP + SIDE + 38}" text-anchor="middle">predicted</text>'
    yield f'<text transform="translate(12 {_y(0.5)}) rotate(-90)" text-anchor="middle">won</text>'


def _curve(bins: list[dict[str, Any]], colour: str, shift: int, moment: str) -> Iterator[str]:
    line = "L".join(f"{_x(row['predicted']):.1f} {_y(row['won']):.1f}" for row in bins)
    yield f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"/>'
    for row in bins:
        low, high = row["ci"]
        x = _x(row["predicted"])
        words = (
            f"{moment}: predicted {percent(row['predicted'])}, won {percent(row['won'])} (95 % {interval(low, high)})"
        )
        yield (
            f"<g><title>{escape(words)}, {row['tables']} tables of {row['games']} games</title>"
            f'<path d="M{x + shift:.1f} {_y(low):.1f}V{_y(high):.1f}" stroke="{colour}" stroke-opacity=".7"/>'
            f'<circle cx="{x:.1f}" cy="{_y(row["won"]):.1f}" r="3.5" fill="{colour}"/></g>'
        )


class Brier(BenchDirective):
    """``{bench-brier}``: the Brier score beside that of always saying the base rate."""

    results = "calibration"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        rows = []
        for moment, found in data["moments"].items():
            low, high = found["gain"]["ci"]
            rows.append((
                MOMENTS[moment], f"{found['tables']:,}", f"{found['games']:,}", percent(found["predicted"]),
                percent(found["base_rate"]), f"{found['brier']:.4f}", f"{found['brier_of_base_rate']:.4f}",
                f"{found['gain']['value']:.4f} ({low:.4f} to {high:.4f})",
            ))  # fmt: skip
        heads = (
            "at the",
            "positions",
            "games",
            "predicted",
            "won",
            "Brier score",
            "of the base rate",
            "better by (95 %)",
        )
        return [table(heads, rows, range(1, len(heads)))]


class Groups(BenchDirective):
    """``{bench-calibration-groups}``: what hints predicted and what was won, for each level, module, variant and scenario."""

    results = "calibration"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table, or that there is none yet."""
        found = data.get("groups")
        if not found:
            return [nodes.paragraph("", "The groups are not measured yet.")]
        rows = []
        for row in found:
            low, high = row["difference"]["ci"]
            rows.append((
                row["group"], f"{row['games']:,}", f"{row['hints']:,}", percent(row["predicted"]), percent(row["won"]),
                f"{row['brier']:.4f}", f"{row['brier_of_base_rate']:.4f}",
                f"{points(row['difference']['value'])} ({interval(low, high)})", "yes" if low <= 0 <= high else "no",
            ))  # fmt: skip
        inside = sum(row[-1] == "yes" for row in rows)
        heads = (
            "rules", "games", "hints", "predicted", "won", "Brier score", "of the base rate",
            "predicted less won, points", "contains 0",
        )  # fmt: skip
        networks = f"networks {', '.join(data['networks'])}; " if "networks" in data else ""
        words = f"{inside} of {len(rows)} intervals contain 0; {networks}{made_by(data)}."
        bins = {row["group"]: row["bins"] for row in found}
        return [
            table(heads, rows, range(1, 8)),
            nodes.paragraph("", words),
            *folded_bins("The bins of each group", "rules", bins),
        ]


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-calibration-groups", Groups)
    app.add_directive("bench-reliability", Reliability)
    app.add_directive("bench-brier", Brier)
