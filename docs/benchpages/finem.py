"""Tables of the second game.

``{bench-finem-strength}``: how often each policy wins; ``:compared:`` gives the differences instead. ``{bench-finem-bounds}``: what
no policy exceeds beside what one reaches.
"""

from __future__ import annotations

from math import ceil
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, ResultsError, interval, percent, points, read, table


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


class FinemBounds(BenchDirective):
    """A row for each ruleset whose bound is known and that a policy has played."""

    results = "finem_bounds"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        series = [entry for entry in read(self.env, "finem_strength")["series"] if entry["games"]]
        rows = []
        for name, bound in data["bounds"].items():
            played = [entry for entry in series if entry["level"] == name]
            if not played:
                continue
            best = max(played, key=lambda entry: float(entry["rate"]["ci"][0]))
            proved, both = (
                percent(ceil(1e4 * share) / 1e4, 2)  # a bound is rounded up
                for share in (data["races"][bound["race"]]["float"], bound["value"]["ci"][1])
            )
            rows.append((name, best["name"], interval(*best["rate"]["ci"]), proved, f"{bound['set_ups']:,}", both))
        if not rows:
            raise ResultsError("no bounds are kept")
        heads = ("ruleset", "policy", "it wins, 95 % interval", "proved bound", "set-ups", "statistical bound")
        return [table(heads, rows, range(2, 6))]


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-finem-strength", FinemStrength)
    app.add_directive("bench-finem-bounds", FinemBounds)
