"""``{bench-levels}``: the 81 levels as a map of difficulty; ``{bench-levels-table}``: the same as numbers.

Rows are garrisons and within them fleets, columns additional revolts and within them armies. The deeper the colour the more
games are lost; each cell says the share that was won and a 95 % interval.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from benchpages.results import BenchDirective, ResultsError, interval, made_by, percent, table
from tetrasolve.exact.estimate import Estimate, chance

CELL, HIGH = 78, 46  # of a cell
LEFT, TOP = 96, 62  # for names
GAP = 8  # between groups of three
COLOUR = "#d9541e"
DEEPEST = 0.75  # opacity where every game is lost: letters of either theme can still be read
GARRISONS, FLEETS, REVOLTS, ARMIES = (5, 4, 3), (3, 2, 1), (0, 1, 2), (0, 1, 2)  # the easy ones first


def rates(data: Mapping[str, Any]) -> dict[str, Estimate]:
    """The chance to win at each level of which games are kept."""
    confidence = data["confidence"]
    return {
        level: chance(entry["won"], entry["games"], confidence)
        for level, entry in data["levels"].items()
        if entry["games"]
    }


def games(found: Mapping[str, Estimate]) -> str:
    """How many were played at each level."""
    counts = sorted({rate.n for rate in found.values()})
    if not counts:
        return "No games are kept yet"
    many = f"{counts[0]:,}" if len(counts) == 1 else f"{counts[0]:,} to {counts[-1]:,}"
    missing = 81 - len(found)
    return f"{many} games a level" + (f", {missing} levels not played yet" if missing else "")


class LevelMap(BenchDirective):
    """``{bench-levels}``: the map."""

    results = "levels"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The picture with its caption."""
        found = rates(data)
        return [self.figure(level_map(found), "levels", f"{games(found)}; {made_by(data)}.")]


def level_map(found: Mapping[str, Estimate]) -> str:
    """The picture as SVG."""
    width, height = LEFT + 9 * CELL + 2 * GAP + 2, TOP + 9 * HIGH + 2 * GAP + 2
    view = f'viewBox="0 0 {width} {height}" font-family="sans-serif" fill="currentColor"'
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {view}><title>How hard each level is</title>']
    rows += _names()
    for row, (garrisons, fleets) in enumerate((g, f) for g in GARRISONS for f in FLEETS):
        for column, (revolts, armies) in enumerate((r, a) for r in REVOLTS for a in ARMIES):
            level = f"{garrisons}{fleets}{revolts}{armies}"
            rows.append(_cell(level, found.get(level), _x(column), _y(row)))
    return "\n".join([*rows, "</svg>"])


def _x(column: int) -> int:
    return LEFT + CELL * column + GAP * (column // 3)


def _y(row: int) -> int:
    return TOP + HIGH * row + GAP * (row // 3)


def _cell(level: str, rate: Estimate | None, x: int, y: int) -> str:
    """One level: its colour, the share won, and the interval."""
    middle = x + CELL / 2
    frame = f'x="{x}" y="{y}" width="{CELL - 2}" height="{HIGH - 2}" rx="3"'
    if rate is None:
        return (
            f'<g><title>{level}: not played yet</title><rect {frame} fill="none" stroke="currentColor" stroke-opacity=".3"/>'
            f'<text x="{middle}" y="{y + 27}" text-anchor="middle" font-size="13" fill-opacity=".5">?</text></g>'
        )
    words = f"{level}: {percent(rate.value)} won, 95 % {interval(rate.low, rate.high)}, {rate.n} games"
    shade = f'fill="{COLOUR}" fill-opacity="{DEEPEST * (1 - rate.value):.3f}"'
    return (
        f'<g><title>{escape(words)}</title><rect {frame} {shade} stroke="currentColor" stroke-opacity=".25"/>'
        f'<text x="{middle}" y="{y + 20}" text-anchor="middle" font-size="15">{percent(rate.value, 0)}</text>'
        f'<text x="{middle}" y="{y + 36}" text-anchor="middle" font-size="10">'
        f"{100 * rate.low:.0f} to {100 * rate.high:.0f}</text></g>"
    )


def _names() -> Iterator[str]:
    """What rows and columns are."""
    for place, revolts in enumerate(REVOLTS):
        middle = _x(3 * place) + 1.5 * CELL
        many = f"{6 + revolts} revolts"
        yield f'<text x="{middle}" y="20" text-anchor="middle" font-size="14" font-weight="bold">{many}</text>'
    for column in range(9):
        armies = ARMIES[column % 3]
        many = ("no army", "1 army", "2 armies")[armies]
        yield f'<text x="{_x(column) + CELL / 2}" y="46" text-anchor="middle" font-size="12">{many}</text>'
    for place, garrisons in enumerate(GARRISONS):
        middle = _y(3 * place) + 1.5 * HIGH
        at = f'transform="translate(16 {middle}) rotate(-90)"'
        yield f'<text {at} text-anchor="middle" font-size="14" font-weight="bold">{garrisons} garrisons</text>'
    for row in range(9):
        fleets = FLEETS[row % 3]
        many = f"{fleets} fleet{'s' if fleets > 1 else ''}"
        yield f'<text x="{LEFT - 8}" y="{_y(row) + 27}" text-anchor="end" font-size="12">{many}</text>'


class LevelTable(BenchDirective):
    """``{bench-levels-table}``: all levels, the hardest first, folded."""

    results = "levels"

    def nodes_of(self, data: dict[str, Any]) -> list[nodes.Node]:
        """The table."""
        found = rates(data)
        if not found:
            raise ResultsError("no games are kept")
        rows = []
        for level in sorted(found, key=lambda level: (found[level].value, level)):
            entry, rate = data["levels"][level], found[level]
            fell = entry["fell_in_step"]
            rows.append((
                level, str(rate.n), percent(rate.value), interval(rate.low, rate.high), f"{entry['turns'] / rate.n:.1f}",
                *map(str, fell), str(entry["open"]),
            ))  # fmt: skip
        heads = ("level", "games", "won", "95 % interval", "turns", "fell: revolts", "activity", "advance", "not over")
        return [
            nodes.raw("", f"<details><summary>All {len(rows)} levels, the hardest first</summary>", format="html"),
            table(heads, rows, range(1, len(heads))),
            nodes.raw("", "</details>", format="html"),
        ]


def add_to(app: Sphinx) -> None:
    """Make it known to Sphinx."""
    app.add_directive("bench-levels", LevelMap)
    app.add_directive("bench-levels-table", LevelTable)
