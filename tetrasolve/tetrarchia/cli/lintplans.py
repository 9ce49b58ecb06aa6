"""``tetrasolve lint plans``: where the best plans of a turn differ under two values of a reading."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from tetrasolve.cli.common import seconds_option, writing
from tetrasolve.cli.searching import stage_bars
from tetrasolve.cli.workers import workers_options
from tetrasolve.exact.cluster import Workers
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.bestplans import Known, write_plans
from tetrasolve.tetrarchia.lint.plansearch import SIZE, search_plans

UNKNOWN = 3


reading_option = click.option("--reading", "readings", metavar="I-...", multiple=True, help="Only this reading.")


@click.command("plans")
@reading_option
@click.option(
    "--size", type=click.IntRange(1, 4), default=SIZE, show_default=True, help="Pieces of the positions enumerated."
)
@workers_options()
@click.option(
    "--out", metavar="FILE", help="Write the findings to this file; its progress is kept in FILE.work.", required=True
)
@seconds_option
def plans_command(readings: Sequence[str], size: int, workers: Workers, out: str, seconds: float | None) -> int:
    """Search for the smallest positions in which the best plan of a turn differs under two values.

    The objectives are those of data/plan-objectives.toml; a run that was interrupted continues where it was.
    """
    with writing(out), stage_bars() as report:
        found, complete = search_plans(
            Path(f"{out}.work"), readings=readings, size=size, workers=workers, seconds=seconds, progress=report
        )
        write_plans(Path(out), found, Board.standard())
    differ = sum(row.known in (Known.PROVED, Known.INTERVAL) for row in found)
    click.echo(f"the best plans of {differ} of {len(found)} pairs of values differ in a position")
    if not complete:
        click.echo("not complete: the same command continues it", err=True)
    return 0 if complete else UNKNOWN
