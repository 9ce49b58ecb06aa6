"""The views of ``tetrasolve risk``: by event, by province, by disc, as tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tetrasolve.stop import Stop
from tetrasolve.tables import titled, value_cells, value_table
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS
from tetrasolve.tetrarchia.phase.events import events
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.views import FIGURES, disc_data, event_rows
from tetrasolve.tetrarchia.risk.why import Marginals, cuts, deadliest, marginals

# -- by event --------------------------------------------------------------------------------------------------


def event_tables(position: Position, stop: Stop | None = None) -> Iterator[Table]:
    """The distribution of each kind of event in the phase."""
    for title, rows in event_rows(events(position, stop=stop), position.board).items():
        if rows:
            yield value_table(title, rows)


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


# -- by disc ---------------------------------------------------------------------------------------------------


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


def disc_data_of(position: Position, stop: Stop | None = None) -> dict[str, object]:
    """The same as data."""
    return disc_data(position, _marginals(position, stop))


def _marginals(position: Position, stop: Stop | None) -> Marginals:
    """The marginal risks, with progress on a terminal: each change is a phase to solve."""
    if not sys.stderr.isatty():
        return marginals(position, stop=stop)
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("phases", total=None)
        return marginals(
            position, stop=stop, progress=lambda done, total: bar.update(task, completed=done, total=total)
        )
