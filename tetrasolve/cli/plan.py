"""``tetrasolve plan``: an optimal turn plan, as a player would write it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import click

from tetrasolve.cli.common import echo_json, exact, find_board, find_position, json_option, position_options, write_file
from tetrasolve.cli.searching import exit_code, search_bar
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.plan import ENGINES, Plan, PlanResult, Status, plan
from tetrasolve.tetrarchia.plan.objective import Term
from tetrasolve.tetrarchia.plan.task import DICE, attacks_text
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.roman import after_attack


@click.command("plan")
@position_options
@click.option(
    "--objective",
    "-o",
    required=True,
    help="What to achieve, like 'secure sarmatia then least uprising' or 'most value revolt=-3 unrest=-1'.",
)
@click.option(
    "--engine", type=click.Choice(ENGINES), default=ENGINES[0], help="Who searches; judge: all, who must agree."
)
@click.option(
    "--attacks",
    default=DICE,
    help="dice (all policies), none, or how each ends, like victory@narbonensis,draw@rhaetia.",
)
@click.option("--seconds", type=click.FloatRange(0), help="Stop after this time with the best plan found and a bound.")
@click.option(
    "--cases", metavar="FOLDER", default=".", help="Where judge writes down a case on which the engines differ (here)."
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
        write_file(
            svg, board_svg(found.position.board, found.position, title=f"Plan: {objective}", route=_route(found))
        )
    if svg == "-":
        pass
    elif as_json:
        echo_json(as_data(found))
    else:
        for line in as_text(found):
            click.echo(line)
    return exit_code(found.status)


# -- as text ---------------------------------------------------------------------------------------------------


def as_text(found: PlanResult) -> Iterator[str]:
    """The answer as lines of text."""
    emperor = found.position.board.emperor(found.position.to_move)
    assert emperor is not None
    yield f"{emperor.name}, {found.position.ip} IP: {found.objective}"
    if found.stated is not None:
        yield f"attacks: {attacks_text(found.stated)}"
    yield f"status: {found.status} ({_work(found)})"
    if found.plan is None:
        yield (
            "no plan: none keeps to the constraint" if found.status is Status.INFEASIBLE_PROVED else "no plan found yet"
        )
    else:
        yield ""
        yield from plan_lines(found.position, found.plan, "", 1)
        yield ""
    for term, value in found.named_values:
        yield f"{term}: {_number(value)}"
    if found.status in (Status.FEASIBLE, Status.UNKNOWN) and found.bounds is not None:
        bounds = (f"{term} {'unknown' if b is None else _number(b)}" for term, b in _bounds(found))
        yield f"no plan is better than: {', '.join(bounds)}"
    if found.optimal_ends is None:
        return
    yield f"other end positions as good: {found.others_as_good}"
    if found.runner_up is None or found.runner_up_values is None:
        yield "runner-up: none, every plan is as good"
    else:
        values = ", ".join(_number(value) for value in found.runner_up_values)
        yield f"runner-up ({values}): {found.runner_up}"


def _work(found: PlanResult) -> str:
    """Who searched, and how much."""
    if found.edges is None:
        return f"{found.engine}, {found.version}, {found.nodes:,} nodes"
    return (
        f"{found.engine}, {found.nodes:,} turn states, {found.edges:,} actions, {_count(found.policies or 0)} policies"
    )


def _count(number: int) -> str:
    """A count, rounded when nobody could read it."""
    return f"{number:,}" if number < 10**12 else f"{number:.3e}"


def _bounds(found: PlanResult) -> Iterator[tuple[Term, Fraction | None]]:
    if found.bounds is not None:
        yield from zip(found.objective.terms, found.bounds, strict=True)


def plan_lines(position: Position, steps: Plan, indent: str, number: int) -> Iterator[str]:
    """The steps of a plan as a player says them, numbered from `number` on."""
    state: Position | Fall = position
    for action in steps.steps:
        assert isinstance(state, Position)  # nothing comes after a fall in a replayed plan
        yield f"{indent}{number}. {words(action, state):<52} {rules.cost(state, action)} IP"
        state = rules.play(state, action)
        number += 1
    if steps.fork is None:
        if not steps.steps:
            yield f"{indent}{number}. stop"
        return
    assert isinstance(state, Position)
    army = steps.fork.army
    fight = rules.battle(state, state.to_move, army)
    price = rules.cost(state, steps.fork.action(steps.fork.branches[0][0]))
    yield f"{indent}{number}. {'attack ' + state.board[army].name + f': {fight}':<52} {price} IP"
    for outcome, chance, branch in steps.fork.branches:
        after = after_attack(state, army, outcome)
        yield f"{indent}   {outcome} {chance}" + (": the turn is over" if outcome is Outcome.DEFEAT else ":")
        if outcome is not Outcome.DEFEAT:
            yield from plan_lines(after, branch, indent + "      ", number + 1)


def words(action: Action, position: Position) -> str:
    """An action as a player says it."""
    here = position.board[position.here].name if position.here else ""
    disc = position.discs.get(position.here or "", "")
    match action.kind:
        case Kind.ENTER | Kind.MOVE:
            assert action.place is not None
            return f"{action.kind} {'in' if action.kind is Kind.ENTER else 'to'} {position.board[action.place].name}"
        case Kind.SAIL:
            assert action.zones is not None
            return f"sail from zone {action.zones[0]} to zone {action.zones[1]}"
        case Kind.SECURE:
            return f"secure {here}"
        case Kind.REMOVE:
            return f"remove the {disc} in {here}"
        case Kind.REDUCE:
            return f"reduce the revolt in {here} to unrest"
    return str(action)


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} (~ {float(value):.4g})"


# -- as data and as a picture ----------------------------------------------------------------------------------


def as_data(found: PlanResult) -> dict[str, object]:
    """The answer as JSON data."""
    second = found.runner_up_values
    return {
        "position": str(found.position),
        "objective": str(found.objective),
        "attacks": attacks_text(found.stated),
        "status": str(found.status),
        "engine": found.engine,
        "version": found.version,
        "seed": found.seed,
        "plan": None if found.plan is None else str(found.plan),
        "tree": None if found.plan is None else _tree(found.plan),
        "values": [{"term": str(term)} | exact(value) for term, value in found.named_values],
        "bounds": [
            {"term": str(term)} | ({"exact": None} if bound is None else exact(bound)) for term, bound in _bounds(found)
        ],
        "policies": found.policies,
        "optimal_ends": found.optimal_ends,
        "others_as_good": found.others_as_good,
        "runner_up": None if found.runner_up is None else str(found.runner_up),
        "runner_up_values": None if second is None else [exact(value) for value in second],
        "nodes": found.nodes,
        "edges": found.edges,
        "seconds": found.seconds,
    }


def _tree(steps: Plan) -> dict[str, object]:
    tree: dict[str, object] = {"steps": [str(action) for action in steps.steps]}
    if steps.fork is not None:
        tree["attack"] = steps.fork.army
        tree["branches"] = {
            str(outcome): {"chance": exact(chance), "then": _tree(branch)}
            for outcome, chance, branch in steps.fork.branches
        }
    return tree


def _route(found: PlanResult) -> list[tuple[str, str, str]]:
    """The main line (every attack goes as hoped) as numbered steps from province to province."""
    route: list[tuple[str, str, str]] = []
    here = found.position.here
    if found.plan is None:
        return route
    for number, action in enumerate(found.plan.main_line(), start=1):
        target = action.place or here
        if target is not None:
            route.append((here or target, target, str(number)))
        moves = action.kind in (Kind.ENTER, Kind.MOVE) or action.outcome is Outcome.VICTORY
        here = target if moves else here
    return route
