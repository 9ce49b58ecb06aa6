"""``{bench-modules}``: how hard modules, variants and scenarios are; ``{bench-modules-bar}``: how strong the policies are there.

``{bench-modules-digest}`` says how much of the table is measured, and by which networks. What is not measured yet says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, ResultsError, interval, made_by, percent, points, table

NOT_YET = "not measured yet"
BARS = {True: "reached", False: "not reached", None: NOT_YET}
JUDGES = ("search", "expectimax", "greedy")  # the strongest first


class OfModules(BenchDirective):
    """A directive about bench/results/strength-modules.json."""

    results = "strength-modules"

    @staticmethod
    def rows(data: dict[str, Any]) -> list[dict[str, Any]]:
        """All rows, measured or not."""
        if not data.get("table"):
            raise ResultsError("the results have no table; python bench/strength_modules.py --keep makes one")
        return list(data["table"])


def named(row: dict[str, Any]) -> str:
    """A row as its table names it."""
    return f"{row['course']}, Barbarians: {row['opponent']}" if row["opponent"] else str(row["course"])


def cell(found: dict[str, Any] | None) -> str:
    """What one policy won."""
    if not found or not found["games"]:
        return NOT_YET
    low, high = found["rate"]["ci"]
    games = f"{found['games']:,}" if found["games"] >= found["goal"] else f"{found['games']:,} of {found['goal']:,}"
    return f"{percent(found['won'] / found['games'])} ({interval(low, high)}; {games})"


def gap(found: dict[str, Any] | None) -> str:
    """A difference with its interval."""
    return f"{points(found['float'])} ({interval(*found['ci'])})" if found else NOT_YET


def judge(row: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """The policy whose games say what a row makes easier or harder, and the difference: that of most games, then the strongest."""
    known = [
        (policy, row["policies"][policy]["difference"])
        for policy in JUDGES
        if row["policies"].get(policy, {}).get("difference")
    ]
    return max(known, key=lambda one: int(one[1]["n"])) if known else None  # the first of equal ones


def verdict(row: dict[str, Any]) -> tuple[str, ...]:
    """Easier or harder, by how many points, by which policy, in how many games."""
    if row["than"] is None:
        return ("", "", "", "")
    found = judge(row)
    if found is None:
        return (row["than"], NOT_YET, "", "")
    policy, difference = found
    low, high = difference["ci"]
    word = "easier" if low > 0 else "harder" if high < 0 else "not distinguished"
    return (row["than"], word, gap(difference), f"{policy}, {difference['n']:,}")


class Modules(OfModules):
    """``{bench-modules}``: a table for each group."""

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The tables with their titles."""
        return [*self._groups(data)]

    def _groups(self, data: dict[str, Any]) -> Iterator[nodes.Node]:
        policies = [*self.rows(data)[0]["policies"]]
        for title, rows in groupby(self.rows(data), key=lambda row: row["group"]):
            yield nodes.rubric("", title)
            lines = [
                (named(row), *(cell(row["policies"].get(policy)) for policy in policies), *verdict(row)) for row in rows
            ]
            compared = any(line[-3] for line in lines)
            heads = ("rules", *policies, "than", "", "points (95 %)", "by, paired games")
            width = len(heads) if compared else 1 + len(policies)
            yield table(heads[:width], [line[:width] for line in lines], range(1, 1 + len(policies)))


class Bar(OfModules):
    """``{bench-modules-bar}``: by how much expectimax and search win more than greedy."""

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        lines = []
        for row in self.rows(data):
            gains = row["bar"]["more_than_greedy"]
            lines.append((named(row), *(gap(gains[policy]) for policy in gains), BARS[row["bar"]["reached"]]))
        heads = ("rules", *(f"{policy} more than greedy, points (95 %)" for policy in gains), "")
        return [table(heads, lines, range(1, len(heads) - 1))]


class Digest(OfModules):
    """``{bench-modules-digest}``: how many rows are measured, how many reach the bar, with which networks."""

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """A paragraph."""
        rows = self.rows(data)
        wanted = [found for row in rows for found in row["policies"].values()]
        full = sum(found["games"] >= found["goal"] for found in wanted)
        bars = [row["bar"]["reached"] for row in rows]
        reached, missed = bars.count(True), bars.count(False)
        words = [
            f"{full} of {len(wanted)} series have all their games, {sum(not found['games'] for found in wanted)} none.",
            f"Of {len(rows)} rows {reached} reach the bar, {missed} do not, and {bars.count(None)} are {NOT_YET}.",
            f"Networks {', '.join(data['weights'])} (base game, and base game with modules); {made_by(data | {'weights': None})}.",
        ]
        return [nodes.paragraph("", " ".join(words))]


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-modules", Modules)
    app.add_directive("bench-modules-bar", Bar)
    app.add_directive("bench-modules-digest", Digest)
