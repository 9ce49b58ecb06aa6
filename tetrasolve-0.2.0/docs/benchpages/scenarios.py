"""``{bench-scenarios}``: the historical scenarios and the measured levels of the base game on one scale, the hardest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.modules import OfModules, cell, gap
from benchpages.results import ResultsError, table
from tetrasolve.tetrarchia.rules import scenarios

POLICY, SECOND = "greedy", "expectimax"  # whose win rate is the scale, and who stands beside it


def is_scenario(row: dict[str, Any]) -> bool:
    """Whether a row is one of the historical scenarios."""
    return str(row["course"]).partition(" ")[0] in scenarios()


def is_level(row: dict[str, Any]) -> bool:
    """Whether a row is a level without modules."""
    return str(row["course"]).isdecimal()


def limits(row: dict[str, Any]) -> tuple[float, float]:
    """The interval of the win rate that is the scale."""
    low, high = row["policies"][POLICY]["rate"]["ci"]
    return float(low), float(high)


def placed(row: dict[str, Any], levels: list[dict[str, Any]]) -> str:
    """The levels whose intervals are apart from that of a row: those it is harder than, and those it is easier than."""
    low, high = limits(row)
    harder = [level["course"] for level in levels if level is not row and limits(level)[0] > high]
    easier = [level["course"] for level in levels if level is not row and limits(level)[1] < low]
    parts = [f"{word} than {', '.join(names)}" for word, names in (("harder", harder), ("easier", easier)) if names]
    return "; ".join(parts) or "not distinguished from any level"


class Scenarios(OfModules):
    """``{bench-scenarios}``: a table of what is measured; rows that are not measured yet are named below it."""

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table, and a sentence about what is missing."""
        rows = [row for row in self.rows(data) if row["opponent"] is None and (is_scenario(row) or is_level(row))]
        played = [row for row in rows if row["policies"][POLICY]["games"]]
        if not any(map(is_scenario, played)):
            raise ResultsError(
                f"no scenario is measured by {POLICY}; python bench/strength_modules.py --keep plays them"
            )
        played.sort(key=lambda row: (row["policies"][POLICY]["rate"]["float"], row["course"]))
        levels = [row for row in played if is_level(row)]
        heads = ("set-up", POLICY, SECOND, f"{SECOND} more than {POLICY}, points (95 %)", f"by {POLICY}")
        found: list[nodes.Node] = [table(heads, [*self._lines(played, levels)], range(1, 4))]
        missing = [row["course"] for row in rows if row not in played]
        if missing:
            found.append(nodes.paragraph("", f"Not measured yet: {', '.join(missing)}."))
        return found

    @staticmethod
    def _lines(played: list[dict[str, Any]], levels: list[dict[str, Any]]) -> Iterator[tuple[str, ...]]:
        for row in played:
            policies = row["policies"]
            more = gap(row["bar"]["more_than_greedy"].get(SECOND))
            yield row["course"], cell(policies[POLICY]), cell(policies.get(SECOND)), more, placed(row, levels)


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-scenarios", Scenarios)
