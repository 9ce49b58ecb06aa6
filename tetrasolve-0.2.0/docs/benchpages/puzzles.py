"""``{bench-second-solutions}``: in how many ways second solutions were looked for in the puzzles that ship, kind by kind.

What is not confirmed has its reason below the table: puzzles of one way and reason together, most first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, ResultsError, table

CONFIRMED, WRONG = "confirmed", "WRONG"
NO_WAYS = ("kind", "says", "proof")  # columns of a row that are not ways to look for a second solution


def ways_of(row: Mapping[str, str]) -> list[str]:
    """The ways in which a puzzle was looked at."""
    return [name for name in row if name not in NO_WAYS]


class SecondSolutions(BenchDirective):
    """``{bench-second-solutions}``: a table with a row for each kind, and the reasons."""

    results = "second_solutions"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table and the list of reasons."""
        rows = list(data["puzzles"].values())
        if not rows:
            raise ResultsError("no puzzle has been looked at")
        wrong = [
            name for name, row in data["puzzles"].items() if any(row[way].startswith(WRONG) for way in ways_of(row))
        ]
        if wrong:
            raise ResultsError(f"second solutions or other faults: {', '.join(wrong)}")
        ways = ways_of(rows[0])
        lines = [self.line(kind, [row for row in rows if row["kind"] == kind], ways) for kind in counted(rows)]
        lines.append(self.line("all", rows, ways))
        found: list[nodes.Node] = [table(("kind", "puzzles", *ways), lines, range(1, len(ways) + 2))]
        reasons = Counter((way, row[way]) for row in rows for way in ways if row[way] != CONFIRMED)
        items = [
            nodes.list_item("", nodes.paragraph("", f"{way}: {count:,} not asked: {reason}."))
            for (way, reason), count in sorted(reasons.items(), key=lambda item: (ways.index(item[0][0]), -item[1]))
        ]
        left = data["shipped"] - len(rows)
        if left:
            items.append(nodes.list_item("", nodes.paragraph("", f"Not looked at yet: {left:,}, which take longest.")))
        return [*found, nodes.bullet_list("", *items)]

    def line(self, name: str, rows: list[dict[str, str]], ways: list[str]) -> list[str]:
        """A row of the table: how many puzzles each way confirms."""
        return [name, f"{len(rows):,}", *(f"{sum(row[way] == CONFIRMED for row in rows):,}" for way in ways)]


def counted(rows: list[dict[str, str]]) -> list[str]:
    """The kinds, the most frequent first."""
    return [kind for kind, _ in Counter(row["kind"] for row in rows).most_common()]


def add_to(app: Sphinx) -> None:
    """Called once by the extension."""
    app.add_directive("bench-second-solutions", SecondSolutions)
