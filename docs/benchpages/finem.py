"""``{bench-finem-strength}``: how often each policy of the second game wins; ``:compared:`` gives the differences instead."""

from __future__ import annotations

from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, ResultsError, interval, percent, points, table


class FinemStrength(BenchDirective):
    """The table, with the weights that were played with last."""

    results = "finem_strength"
    option_spec: ClassVar = {"compared": directives.flag}

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        last = list(data["weights"])[-1]
        if "compared" in self.options:
            rows = [
                (
                    f"{found['level']}",
                    f"{found['first']} against {found['second']}",
                    f"{found['games']:,}",
                    points(found["difference"]["float"]),
                    interval(*found["difference"]["ci"]),
                )
                for found in data["compared"]
                if {*found["weights"]} <= {None, last}
            ]
            return [table(("ruleset", "policies", "paired games", "points", "95 % interval"), rows, range(2, 5))]
        rows = [
            (
                entry["level"],
                entry["name"],
                f"{entry['games']:,}",
                percent(entry["won"] / entry["games"]),
                interval(*entry["rate"]["ci"]),
                f"{entry['turns'] / entry['games']:.1f}",
                f"{1000 * entry['seconds'] / entry['turns']:.3f}",
            )
            for entry in data["series"]
            if entry["games"] and entry["weights"] in (None, last)
        ]
        if not rows:
            raise ResultsError("no games are kept")
        heads = ("ruleset", "policy", "games", "won", "95 % interval", "turns", "ms a turn")
        return [table(heads, rows, range(2, len(heads)))]


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-finem-strength", FinemStrength)
