"""``tetrasolve risk --horizon``: several phases in a row, with progress on a terminal, stopped and resumed at will."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby

from rich.progress import TaskID
from rich.table import Table

from tetrasolve.cli.searching import bars_on_terminal
from tetrasolve.exact.batches import Progress as Told
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.horizon import Horizon, horizon


def look_ahead(
    position: Position,
    phases: int,
    *,
    plans: tuple[str, ...],
    runs: int,
    run_seed: int,
    seconds: float | None,
    checkpoint: str | None,
) -> Horizon:
    """The horizon that the options ask for."""
    with told_on_terminal() as progress:
        return horizon(
            position,
            phases,
            plans=plans,
            runs=runs,
            seed=run_seed,
            seconds=seconds,
            checkpoint=checkpoint,
            progress=progress,
        )


@contextmanager
def told_on_terminal() -> Iterator[Told | None]:
    """One progress bar a stage, on a terminal only."""
    with bars_on_terminal() as bars:
        if bars is None:
            yield None
            return
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = bars.add_task(stage, total=total)
            bars.update(tasks[stage], completed=done, total=total)

        yield tell


def tables(found: Horizon) -> Iterator[Table]:
    """A table a phase, every figure with how far it can be trusted."""
    for phase, rows in groupby(found.rows(), key=lambda row: row[0]):
        table = Table(title=f"After phase {phase}", title_justify="left", box=None, show_header=False)
        for _, words, figure in rows:
            table.add_row(words, figure.kind, str(figure))
        yield table
