"""``tetrasolve risk --horizon``: several phases in a row, with progress on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from rich.table import Table

from tetrasolve.cli.searching import stage_bars
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import stop_of
from tetrasolve.tables import titled
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.horizon import Horizon, horizon


def look_ahead(
    position: Position,
    phases: int,
    *,
    plans: tuple[str, ...],
    policy: str,
    runs: int,
    run_seed: int,
    seconds: float | None,
    checkpoint: str | None,
    workers: Workers,
) -> Horizon:
    """The horizon with these options."""
    with stage_bars() as progress, executing(workers, stop_of(seconds)) as executor:
        return horizon(
            position,
            phases,
            plans=plans,
            policy=policy,
            runs=runs,
            seed=run_seed,
            seconds=seconds,
            checkpoint=checkpoint,
            executor=executor,
            progress=progress,
        )


def tables(found: Horizon) -> Iterator[Table]:
    """A table for each phase, every figure with its certainty."""
    for phase, rows in groupby(found.rows(), key=lambda row: row[0]):
        table = titled(f"After phase {phase}")
        for _, words, figure in rows:
            table.add_row(words, figure.kind, str(figure))
        yield table
