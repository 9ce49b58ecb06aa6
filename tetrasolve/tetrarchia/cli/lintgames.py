"""``tetrasolve lint record``, ``reach``, ``witnesses``: games that lead to a finding, or end either way; ``lint certify``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

from tetrasolve.cli.common import seconds_option, write_file, writing
from tetrasolve.cli.searching import stage_bars
from tetrasolve.errors import FindingError
from tetrasolve.stop import Stopped
from tetrasolve.tetrarchia.cli.lintplans import reading_option
from tetrasolve.tetrarchia.facts.findings import certify_finding
from tetrasolve.tetrarchia.facts.planfindings import certify_plan_finding
from tetrasolve.tetrarchia.lint.beam import Beam
from tetrasolve.tetrarchia.lint.bestplans import stored_plans
from tetrasolve.tetrarchia.lint.ends import Witnesses, all_tables, make_witnesses
from tetrasolve.tetrarchia.lint.reached import reachable_pairs, search_records, stored_records
from tetrasolve.tetrarchia.lint.steered import Steered, missing_records
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.lint.unreachable import why_unreachable

UNKNOWN = 3


@click.command("record")
@click.argument("finding", metavar="FINDING")
def record_command(finding: str) -> None:
    """Print the record of a game in which the two values of a FINDING differ at its end.

    A FINDING is named by a reading with two values, like I-CHECK=each-link/one-roll. The game begins with a set-up; it is the
    shortest that was found, and seldom ends in the smallest position.
    """
    named = findings().named(finding)
    lines = stored_records().rows.get(named.id)
    if lines is None:
        if reason := why_unreachable(named.id):
            raise FindingError(f"{named.id}: it cannot be reached: {reason}")
        raise FindingError(f"{named.id}: no game was found that comes to a position in which its values differ")
    click.echo("\n".join(lines))


@click.command("certify")
@click.argument("finding", metavar="FINDING")
@click.option("--out", metavar="FILE", default="-", show_default=True, help="Write the certificate to this file.")
@click.option("--plan", "of_plan", is_flag=True, help="Of the best plans of a turn under both values.")
def certify_command(finding: str, out: str, of_plan: bool) -> None:
    """Write a certificate of a FINDING, which `tetrasolve check` and the stand-alone checker confirm.

    It says that the two values differ in the position, what each of them makes of one action or result, and that they differ in
    none of fewer pieces than its field `least`, which is at most 3, and 1 with Barbaria: the checker makes all of these again.
    There is none where the values differ only in what players decide in the Barbarian phase, or where the checker does not know a
    value.

    With --plan it says that the best plans of the turn differ, with both, and modules are covered, too. Turns of fewer pieces than
    `least` are solved again, which is at most 2, and 1 with modules.
    """
    named = findings().named(finding)
    write_file(out, (certify_plan_finding(stored_plans()[named.id]) if of_plan else certify_finding(named)).text())


@click.command("reach")
@click.option("--games", type=click.IntRange(1, 10**6), default=100, show_default=True, help="Games of each table.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the games.")
@click.option(
    "--out", metavar="FILE", required=True, help="Keep the records in this file; if it is there, go on with it."
)
@click.option("--steer", is_flag=True, help="Choose dice and turns for findings without a record, --games of each.")
@click.option("--beam", is_flag=True, help="The same, and of several games at a time the most promising go on.")
@reading_option
@seconds_option
def reach_command(
    games: int, seed: int, out: str, steer: bool, beam: bool, readings: Sequence[str], seconds: float | None
) -> int:
    """Look for games that come to positions in which values of readings differ, and keep the shortest records."""
    if steer and beam:
        raise click.UsageError("--steer and --beam exclude each other")
    wanted = reachable_pairs(findings().find(readings))
    look = partial(missing_records, seeker=Beam if beam else Steered) if beam or steer else search_records
    with writing(out), stage_bars() as report:
        found, complete = look(Path(out), wanted, games=games, seed=seed, seconds=seconds, progress=report)
    click.echo(f"{sum(one.id in found.rows for one in wanted)} of {len(wanted)} findings have a record")
    return 0 if complete else UNKNOWN


@click.command("witnesses")
@click.argument("tables", metavar="[TABLE]...", nargs=-1)
@click.option(
    "--out", metavar="FILE", required=True, help="Keep the games in this file; if it is there, go on with it."
)
@seconds_option
def witnesses_command(tables: Sequence[str], out: str, seconds: float | None) -> int:
    """Find a game that is won and one that is lost from a set-up of each TABLE, with dice chosen for it, and waiting play.

    A TABLE is a ruleset like 4211+dux, or a scenario; without one it is every level, scenario, module and variant.
    """
    path, wanted, complete = Path(out), tables or all_tables(), True
    with writing(out), stage_bars() as report:
        try:
            make_witnesses(path, wanted, seconds=seconds, progress=report)
        except Stopped:
            complete = False
    found = Witnesses.read(path.read_bytes(), out) if path.exists() else Witnesses()
    won, lost = (sum(table in kept for table in wanted) for kept in (found.won, found.lost))
    click.echo(f"{won} of {len(wanted)} tables won, {lost} lost")
    if not complete:
        click.echo("not complete: the same command continues it", err=True)
    return 0 if complete else UNKNOWN
