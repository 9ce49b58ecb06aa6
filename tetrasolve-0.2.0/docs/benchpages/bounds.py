"""``{bench-bounds}``: the share of games won at each level, the upper bound, and what lies between them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.levels import rates
from benchpages.results import BenchDirective, ResultsError, interval, made_by, percent, read, table
from tetrasolve.exact.estimate import chance


def loss(row: Mapping[str, Any]) -> Fraction:
    """What is proved to be lost at least at a level."""
    return 1 - Fraction(row["bound"]["value"]["exact"])


class BoundsTable(BenchDirective):
    """``{bench-bounds}``: all levels of which both are known, the widest gap first."""

    results = "bounds"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table, folded, with a line on the games."""
        won = rates(read(self.env, "levels"))
        levels = sorted(won.keys() & data["levels"].keys(), key=lambda level: (won[level].value, level))
        if not levels:
            raise ResultsError("no level has both a win rate and a bound")
        rows = [(level, *self._numbers(data, level, won[level])) for level in levels]
        heads = (
            "level", "won", "95 % interval", "proved to be lost", "gap, points", f"lost in {data['turns']} turns", "95 % interval",
        )  # fmt: skip
        return [
            nodes.raw(
                "", f"<details open><summary>All {len(rows)} levels, the widest gap first</summary>", format="html"
            ),
            table(heads, rows, range(1, len(heads))),
            nodes.raw("", "</details>", format="html"),
            nodes.paragraph(text=f"{made_by(data)}."),
        ]

    @staticmethod
    def _numbers(data: dict[str, Any], level: str, rate: Any) -> tuple[str, ...]:
        row = data["levels"][level]
        early = chance(row["fallen"], row["games"], data["confidence"])
        least = loss(row)
        return (
            percent(rate.value), interval(rate.low, rate.high), f"{float(least):.1e}",
            f"{100 * (1 - float(least) - rate.value):.1f}", percent(early.value), interval(early.low, early.high),
        )  # fmt: skip


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-bounds", BoundsTable)
