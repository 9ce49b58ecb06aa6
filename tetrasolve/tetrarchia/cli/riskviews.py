"""The views of ``tetrasolve risk``: by event, by province, by disc, as tables and as data, with progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from tetrasolve.stop import Stop
from tetrasolve.tables import titled, value_cells, value_table
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS
from tetrasolve.tetrarchia.phase.events import events
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.deciders import Decider
from tetrasolve.tetrarchia.risk.views import FIGURES, View, by_event, disc_data, event_rows, province_data
from tetrasolve.tetrarchia.risk.why import Marginals, Struck, cuts, deadliest, marginals

Tables = Callable[[Position, Stop | None, Decider], Iterator[Table]]


@contextmanager
def _counting(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal that counts `what`; None where there is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


# -- by event --------------------------------------------------------------------------------------------------


def event_tables(position: Position, stop: Stop | None, decider: Decider) -> Iterator[Table]:
    """The distribution of each kind of event in the phase."""
    seen = events(position, stop=stop, decide=decider(position))
    for title, rows in event_rows(seen, position.board).items():
        if rows:
            yield value_table(title, rows)


# -- by province -----------------------------------------------------------------------------------------------


def province_tables(position: Position, stop: Stop | None, decider: Decider) -> Iterator[Table]:
    """The effect of an activity roll in each province, by region, the worst first."""
    for region, seen in _deadliest(position, stop, decider).items():
        name = position.board.regions[region].name
        columns = ["province", "expected new revolts", "", "fall", ""]
        again = any(row.rolled_again for row in seen)
        made = titled(
            f"{ROMAN_NUMERALS[region]} {name}: if an activity roll names it",
            *columns,
            *(["rolled again", ""] if again else []),
        )
        for row in seen:
            figures = (row.e_new_revolts, row.p_lost, *((row.rolled_again,) if again else ()))
            made.add_row(
                position.board[row.province].name, *(cell for figure in figures for cell in value_cells(figure))
            )
        yield made


def province_data_of(position: Position, stop: Stop | None, decider: Decider) -> dict[str, Any]:
    """The same as data."""
    return province_data(_deadliest(position, stop, decider))


def _deadliest(position: Position, stop: Stop | None, decider: Decider) -> Mapping[int, tuple[Struck, ...]]:
    """The effects, with progress on a terminal: each province is the rest of a phase to solve."""
    with _counting("provinces") as progress:
        return deadliest(position, stop, decide=decider(position), progress=progress)


# -- by disc ---------------------------------------------------------------------------------------------------


def disc_tables(position: Position, stop: Stop | None, decider: Decider) -> Iterator[Table]:
    """The decrease of the figures by each single change, and the cuts that leave an army the least support."""
    found = _marginals(position, stop, decider)
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


def disc_data_of(position: Position, stop: Stop | None, decider: Decider) -> dict[str, Any]:
    """The same as data."""
    return disc_data(position, _marginals(position, stop, decider))


def _marginals(position: Position, stop: Stop | None, decider: Decider) -> Marginals:
    """The marginal risks, with progress on a terminal: each change is a phase to solve."""
    with _counting("phases") as progress:
        return marginals(position, decider=decider, progress=progress, stop=stop)


TABLES: Mapping[str, Tables] = {"event": event_tables, "province": province_tables, "disc": disc_tables}
DATA: Mapping[str, View] = {"event": by_event, "province": province_data_of, "disc": disc_data_of}
