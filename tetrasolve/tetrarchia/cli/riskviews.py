"""The views of ``tetrasolve risk``: by event, by province, by disc; each as tables and as data."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tetrasolve.cli.common import exact
from tetrasolve.stop import Stop
from tetrasolve.tables import titled, value_cells, value_table
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board
from tetrasolve.tetrarchia.phase.events import Events, events
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.why import Marginals, Struck, cuts, deadliest, marginals

VIEWS = ("event", "province", "disc")


# -- by event --------------------------------------------------------------------------------------------------


def event_tables(position: Position, stop: Stop | None = None) -> Iterator[Table]:
    """The distribution of each kind of event in the phase."""
    for title, rows in _event_rows(events(position, stop=stop), position.board).items():
        if rows:
            yield value_table(title, rows)


def event_data(position: Position, stop: Stop | None = None) -> dict[str, object]:
    """The same as data."""
    rows = _event_rows(events(position, stop=stop), position.board)
    return {title: {name: exact(value) for name, value in values.items()} for title, values in rows.items()}


def _event_rows(seen: Events, board: Board) -> dict[str, dict[str, Fraction]]:
    uprisings = {str(number): chance for number, chance in seen.uprisings.items()}
    uprisings["more"] = seen.more_uprisings
    uprisings["expected"] = seen.expected_uprisings
    return {
        "uprisings": uprisings,
        "provinces newly in revolt": _numbers(seen.new_revolts),
        "provinces newly in unrest": _numbers(seen.new_unrest),
        "garrisons lost": _numbers(seen.garrisons_lost),
        "army arrives": {board[border].name: chance for border, chance in seen.arrivals.items()},
        "Emperor removed": {str(emperor): chance for emperor, chance in seen.removed.items()},
        "battles": {
            f"army in {board[army].name}, {emperor}: {outcome}": chance
            for (army, emperor, outcome), chance in seen.battles.items()
        },
        "the Empire falls": {str(cause): chance for cause, chance in seen.falls.items()},
    }


def _numbers(counts: Mapping[int, Fraction]) -> dict[str, Fraction]:
    return {str(number): chance for number, chance in counts.items()}


# -- by province -----------------------------------------------------------------------------------------------


def province_tables(position: Position, stop: Stop | None = None) -> Iterator[Table]:
    """The effect of an activity roll in each province, by region, the worst first."""
    for region, seen in deadliest(position, stop).items():
        name = position.board.regions[region].name
        columns = ("province", "expected new revolts", "", "fall", "")
        made = titled(f"{ROMAN_NUMERALS[region]} {name}: if an activity roll names it", *columns)
        for row in seen:
            made.add_row(position.board[row.province].name, *value_cells(row.e_new_revolts), *value_cells(row.p_lost))
        yield made


def province_data(position: Position, stop: Stop | None = None) -> dict[str, object]:
    """The same as data."""
    return {
        ROMAN_NUMERALS[region]: [_struck(row) for row in seen] for region, seen in deadliest(position, stop).items()
    }


def _struck(row: Struck) -> dict[str, object]:
    return {"province": row.province, "e_new_revolts": exact(row.e_new_revolts), "p_lost": exact(row.p_lost)}


# -- by disc ---------------------------------------------------------------------------------------------------

FIGURES = ("p_uprising", "e_uprisings", "p_lost", "e_revolts")


def disc_tables(position: Position, stop: Stop | None = None) -> Iterator[Table]:
    """The decrease of the figures by each single change, and the cuts that leave an army the least support."""
    found = _marginals(position, stop)
    made = titled("What one change would lower (exact, rounded here)", "change", "province", *FIGURES)
    for change in found.ranked():
        gains = [change.gain(found.before, figure) for figure in FIGURES]
        if any(gains):  # changes without effect are left out
            rounded = (f"{float(gain):.6f}" for gain in gains)
            made.add_row(change.what, position.board[change.province].name, *rounded)
    yield made
    best = titled("Cuts: revolts that hold an army's group together", "army", "without the revolts in", "group", "left")
    for cut in cuts(position):
        names = ", ".join(position.board[province].name for province in cut.removed)
        best.add_row(position.board[cut.army].name, names, str(cut.support), str(cut.left))
    if best.row_count:
        yield best


def disc_data(position: Position, stop: Stop | None = None) -> dict[str, object]:
    """The same as data."""
    found = _marginals(position, stop)
    return {
        "changes": [
            {"what": change.what, "province": change.province}
            | {figure: exact(change.gain(found.before, figure)) for figure in FIGURES}
            for change in found.ranked()
        ],
        "cuts": [
            {"army": cut.army, "removed": list(cut.removed), "group": cut.support, "left": cut.left}
            for cut in cuts(position)
        ],
    }


def _marginals(position: Position, stop: Stop | None) -> Marginals:
    """The marginal risks, with progress on a terminal: each change is a phase to solve."""
    if not sys.stderr.isatty():
        return marginals(position, stop=stop)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("phases", total=None)
        return marginals(
            position, stop=stop, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
