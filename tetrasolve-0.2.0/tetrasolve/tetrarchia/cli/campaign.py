"""``tetrasolve campaign``: the fewest turns to a goal, over several Emperors' turns."""

from __future__ import annotations

from collections.abc import Callable

import click

from tetrasolve.cli.common import SECONDS, echo_json, json_option, read_input
from tetrasolve.cli.searching import Report, search_bar
from tetrasolve.tetrarchia.cli.exitcodes import exit_code
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.plan.campaign import ENGINES, campaign
from tetrasolve.tetrarchia.plan.campaign.question import MOST_TURNS
from tetrasolve.tetrarchia.plan.campaign.result import Value
from tetrasolve.tetrarchia.plan.campaign.text import campaign_data, campaign_lines, value_text


@click.command("campaign")
@position_options
@click.option("--goal", "-g", required=True, help="victory, or like 'secure sarmatia and clear dacia', 'reach dacia'.")
@click.option("--stated", help="How attacks end, like victory@narbonensis,victory@libya; no others are made.")
@click.option("--dice", metavar="FILE", help="The dice of each Barbarian phase, one line a phase (-: standard input).")
@click.option("--alone", is_flag=True, help="Only the active Emperor takes turns.")
@click.option(
    "--turns",
    type=click.IntRange(1, MOST_TURNS),
    help=f"The most turns (default {MOST_TURNS}, or what the dice allow).",
)
@click.option("--seconds", type=SECONDS, help="Stop after this time with the best plan found and a bound.")
@click.option(
    "--engine", type=click.Choice(ENGINES), default=ENGINES[0], help="The solver; with both, their answers must agree."
)
@click.option("--solver-seed", type=int, default=0, help="Seed of cpsat.")
@json_option
def command(
    position: str,
    goal: str,
    stated: str | None,
    dice: str | None,
    alone: bool,
    turns: int | None,
    seconds: float | None,
    engine: str,
    solver_seed: int,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """The fewest turns, then the least IP, to a goal: several Emperors' turns in a row.

    Between the turns nothing happens, or Barbarian phases with stated dice; a phase that comes first is skipped without dice.
    A line of dice is like "activity 4 2; echo 3 5; check 1*", or "dice: 1 4 2" with all faces in the order rolled. Exit code 1:
    proved that no plan with this many turns meets the goal. Exit code 3: out of time.
    """
    table = find_position(position, find_board(board), seed, fleets)
    with search_bar() as bar:
        found = campaign(
            table,
            goal,
            stated=stated,
            dice=None if dice is None else read_input(dice),
            alone=alone,
            turns=turns,
            engine=engine,
            seconds=seconds,
            seed=solver_seed,
            progress=_reporter(bar),
        )
    if as_json:
        echo_json(campaign_data(found))
    else:
        for line in campaign_lines(found):
            click.echo(line)
    return exit_code(found.status)


def _reporter(report: Report | None) -> Callable[[Value | None, Value], None] | None:
    """A callback that reports the bound and the best plan so far."""
    if report is None:
        return None

    def report_bound(value: Value | None, bound: Value) -> None:
        found = "none found yet" if value is None else f"found {value_text(value)}"
        report(f"at least {value_text(bound)}, {found}", None, None)

    return report_bound
