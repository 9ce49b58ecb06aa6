"""``tetrasolve plan``: find an optimal turn plan."""

from __future__ import annotations

from pathlib import Path

import click

from tetrasolve.cli.common import SECONDS, echo_json, json_option, write_file
from tetrasolve.cli.searching import search_bar
from tetrasolve.tetrarchia.cli.exitcodes import exit_code
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.plan import ENGINES, plan
from tetrasolve.tetrarchia.plan.task import DICE
from tetrasolve.tetrarchia.plan.text import result_lines, result_svg
from tetrasolve.tetrarchia.service.data import plan_data


@click.command("plan")
@position_options
@click.option(
    "--objective",
    "-o",
    required=True,
    help="The objective, like 'secure sarmatia then least uprising' or 'most value revolt=-3 unrest=-1'.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default=ENGINES[0],
    help="The engine; judge: all engines, whose answers must agree.",
)
@click.option(
    "--attacks",
    default=DICE,
    help="dice (all policies), none, or the stated outcome of each, like victory@narbonensis,draw@rhaetia.",
)
@click.option("--seconds", type=SECONDS, help="Stop after this time with the best plan found and a bound.")
@click.option(
    "--cases",
    metavar="FOLDER",
    default=".",
    help="With judge: folder for cases on which engines differ (default: this folder).",
)
@click.option("--solver-seed", type=int, default=0, help="Seed of cpsat and z3.")
@click.option("--svg", metavar="FILE", help="Draw the plan on the board (-: instead of text).")
@json_option
def command(
    position: str,
    objective: str,
    engine: str,
    attacks: str,
    seconds: float | None,
    cases: str,
    solver_seed: int,
    svg: str | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """An optimal plan for the active Emperor's turn, proved optimal by exhaustive search or by a solver.

    Terms of the objective: reach, secure, clear or kill with provinces, most value KIND=WEIGHT, least p_uprising,
    p_lost, p_new_army, e_uprisings or e_revolts, least ip; joined by "then" in order of importance. "next" before a goal:
    its best chance in the next Emperor's turn with nothing in between; "next next": in the turn after that. At the end,
    "subject to": end in PROVINCE, do not end in PROVINCE, keep N garrisons, spend at most N; joined by "and".
    With modules and variants also: kill pirates, deploy dux, deploy vicarius, glory N, keep N discs of imperium.
    Exit code 1: proved that no plan can reach the goal. Exit code 3: out of time.
    """
    table = find_position(position, find_board(board), seed, fleets)
    with search_bar() as progress:
        found = plan(
            table,
            objective,
            engine=engine,
            attacks=attacks,
            seconds=seconds,
            seed=solver_seed,
            cases=Path(cases),
            progress=progress,
        )
    if svg is not None:
        write_file(svg, result_svg(found, f"Plan: {objective}"))
    if svg == "-":
        pass
    elif as_json:
        echo_json(plan_data(found))
    else:
        for line in result_lines(found):
            click.echo(line)
    return exit_code(found.status)
