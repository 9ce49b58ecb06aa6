"""``tetrasolve plan``: find an optimal turn plan."""

from __future__ import annotations

from pathlib import Path

import click

from tetrasolve.cli.common import SECONDS, echo_json, exact, json_option, write_file
from tetrasolve.cli.searching import search_bar
from tetrasolve.tetrarchia.cli.exitcodes import exit_code
from tetrasolve.tetrarchia.cli.positions import find_board, find_position, position_options
from tetrasolve.tetrarchia.plan import ENGINES, Plan, PlanResult, Status, plan
from tetrasolve.tetrarchia.plan.task import DICE, attacks_text
from tetrasolve.tetrarchia.plan.text import bounds_of, result_lines, result_svg


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
    p_lost, p_new_army, e_uprisings or e_revolts, least ip; joined by "then" in order of importance. At the end,
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
        echo_json(as_data(found))
    else:
        for line in result_lines(found):
            click.echo(line)
    return exit_code(found.status)


# -- as data -------------------------------------------------------------------------------------------------


def as_data(found: PlanResult) -> dict[str, object]:
    """The answer as JSON data."""
    second = found.runner_up_values
    shown = (
        None if found.status is Status.INFEASIBLE_PROVED else found.plan
    )  # a plan that misses the goal is not an answer
    runner_up = None if shown is None else found.runner_up
    return {
        "position": str(found.position),
        "objective": str(found.objective),
        "attacks": attacks_text(found.stated),
        "status": str(found.status),
        "engine": found.engine,
        "version": found.version,
        "seed": found.seed,
        "plan": None if shown is None else str(shown),
        "tree": None if shown is None else _tree(shown),
        "values": [{"term": str(term)} | exact(value) for term, value in found.named_values],
        "bounds": [
            {"term": str(term)} | ({"exact": None} if bound is None else exact(bound))
            for term, bound in bounds_of(found)
        ],
        "policies": found.policies,
        "optimal_ends": found.optimal_ends,
        "others_as_good": found.others_as_good,
        "runner_up": None if runner_up is None else str(runner_up),
        "runner_up_values": None if second is None or runner_up is None else [exact(value) for value in second],
        "nodes": found.nodes,
        "edges": found.edges,
        "seconds": found.seconds,
    }


def _tree(steps: Plan) -> dict[str, object]:
    tree: dict[str, object] = {"steps": [str(action) for action in steps.steps]}
    if steps.fork is not None:
        tree["attack"] = steps.fork.army
        if steps.fork.figure is not None:
            tree["figure"] = steps.fork.figure
        if steps.fork.payments:
            tree["payments"] = list(steps.fork.payments)
        tree["branches"] = {
            str(outcome): {"chance": exact(chance), "then": _tree(branch)}
            for outcome, chance, branch in steps.fork.branches
        }
    return tree
