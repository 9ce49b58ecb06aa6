"""``tetrasolve plan``: an optimal turn plan, as a player would write it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import click

from tetrasolve.cli.common import echo_json, exact, find_board, find_position, json_option, position_options, write_file
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.plan import Plan, PlanResult, Status, plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.roman import after_attack

REFUTED = 1


@click.command("plan")
@position_options
@click.option(
    "--objective",
    "-o",
    required=True,
    help="What to achieve, like 'secure sarmatia then least uprising' or 'most value revolt=-3 unrest=-1'.",
)
@click.option("--svg", metavar="FILE", help="Draw the plan on the board (-: instead of text).")
@json_option
def command(
    position: str,
    objective: str,
    svg: str | None,
    as_json: bool,
    board: str | None,
    seed: int | None,
    fleets: str | None,
) -> int:
    """An optimal plan for the active Emperor's turn, proved optimal by exhaustive search.

    Terms of the objective: reach, secure, clear or kill with provinces, most value KIND=WEIGHT, least uprising,
    least ip; joined by "then" in order of importance. Exit code 1: proved that no plan can reach the goal.
    """
    found = plan(find_position(position, find_board(board), seed, fleets), objective)
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
    return REFUTED if found.status is Status.INFEASIBLE_PROVED else 0


# -- as text ---------------------------------------------------------------------------------------------------


def as_text(found: PlanResult) -> Iterator[str]:
    """The answer as lines of text."""
    emperor = found.position.board.emperor(found.position.to_move)
    assert emperor is not None
    yield f"{emperor.name}, {found.position.ip} IP: {found.objective}"
    yield f"status: {found.status} ({found.engine}, {found.nodes:,} turn states, {found.edges:,} actions)"
    yield ""
    yield from _plan_lines(found.position, found.plan, "", 1)
    yield ""
    for term, value in found.named_values:
        yield f"{term}: {_number(value)}"
    yield f"other end positions as good: {found.others_as_good}"
    if found.runner_up is None or found.runner_up_values is None:
        yield "runner-up: none, every plan is as good"
    else:
        values = ", ".join(_number(value) for value in found.runner_up_values)
        yield f"runner-up ({values}): {found.runner_up}"


def _plan_lines(position: Position, steps: Plan, indent: str, number: int) -> Iterator[str]:
    state: Position | Fall = position
    for action in steps.steps:
        assert isinstance(state, Position)  # nothing comes after a fall in a replayed plan
        yield f"{indent}{number}. {_words(action, state):<52} {rules.cost(state, action)} IP"
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
            yield from _plan_lines(after, branch, indent + "      ", number + 1)


def _words(action: Action, position: Position) -> str:
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
        "status": str(found.status),
        "engine": found.engine,
        "plan": str(found.plan),
        "tree": _tree(found.plan),
        "values": [{"term": str(term)} | exact(value) for term, value in found.named_values],
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
    for number, action in enumerate(found.plan.main_line(), start=1):
        target = action.place or here
        if target is not None:
            route.append((here or target, target, str(number)))
        moves = action.kind in (Kind.ENTER, Kind.MOVE) or action.outcome is Outcome.VICTORY
        here = target if moves else here
    return route
