"""``tetrasolve campaign``: the fewest turns to a goal, as the players would take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import click

from tetrasolve.cli.common import echo_json, find_board, find_position, json_option, position_options, read_input
from tetrasolve.cli.plan import words
from tetrasolve.cli.searching import Teller, exit_code, search_bar
from tetrasolve.errors import ObjectiveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.answer import Status
from tetrasolve.tetrarchia.plan.campaign import (
    ENGINES,
    Campaign,
    CampaignResult,
    TurnPlan,
    read_dice,
    read_goal,
    solve_campaign,
)
from tetrasolve.tetrarchia.plan.campaign.question import MOST_TURNS, name_of
from tetrasolve.tetrarchia.plan.campaign.result import Value
from tetrasolve.tetrarchia.plan.task import NO_ATTACK, Stated, attacks_text, read_attacks
from tetrasolve.tetrarchia.position import Phase, Position


@click.command("campaign")
@position_options
@click.option("--goal", "-g", required=True, help="victory, or like 'secure sarmatia and clear dacia', 'reach dacia'.")
@click.option("--stated", help="How attacks end, like victory@narbonensis,victory@libya; no others are made.")
@click.option(
    "--dice", metavar="FILE", help="What the dice of each Barbarian phase say, a line a phase (-: standard input)."
)
@click.option("--alone", is_flag=True, help="Only the active Emperor takes turns; the others stand still.")
@click.option(
    "--turns", type=click.IntRange(1), help=f"At most so many turns (default {MOST_TURNS}, or what the dice allow)."
)
@click.option("--seconds", type=click.FloatRange(0), help="Stop after this time with the best plan found and a bound.")
@click.option("--engine", type=click.Choice(ENGINES), default=ENGINES[0], help="Who solves it; both have to agree.")
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

    Between the turns nothing happens, or Barbarian phases with stated dice. A line of the dice is like
    "activity 4 2; echo 3 5; check 1*", or "dice: 1 4 2" with all faces as they are rolled. Exit code 1: proved that no
    plan with so many turns meets the goal. Exit code 3: out of time.
    """
    table = find_position(position, find_board(board), seed, fleets)
    phases = None if dice is None else read_dice(read_input(dice))
    most = MOST_TURNS if phases is None else len(phases) + (table.phase is Phase.ROMAN)
    asked = Campaign(
        position=table,
        goal=read_goal(goal, table.board),
        stated=_stated(stated, table.board),
        dice=phases,
        alone=alone,
        most_turns=most if turns is None else turns,
    )
    with search_bar() as bar:
        found = solve_campaign(asked, engine=engine, seconds=seconds, seed=solver_seed, progress=_teller(bar))
    if as_json:
        echo_json(as_data(found))
    else:
        for line in as_text(found):
            click.echo(line)
    return exit_code(found.status)


def _stated(text: str | None, board: Board) -> Stated:
    attacks = NO_ATTACK if text is None else read_attacks(text, board)
    if attacks is None:
        raise ObjectiveError(f"--stated {text}: a campaign is planned without dice; say how attacks end")
    return attacks


def _teller(tell: Teller | None) -> Callable[[Value | None, Value], None] | None:
    """Tells what is known so far."""
    if tell is None:
        return None

    def told(value: Value | None, bound: Value) -> None:
        found = "none found yet" if value is None else f"found {_said(value)}"
        tell(f"at least {_said(bound)}, {found}", None, None)

    return told


# -- as text ---------------------------------------------------------------------------------------------------


def as_text(found: CampaignResult) -> Iterator[str]:
    """The answer as lines of text."""
    asked = found.campaign
    board = asked.position.board
    yield f"{name_of(asked.goal, board)}, in at most {asked.most_turns} turns{' of one Emperor' if asked.alone else ''}"
    yield f"between the turns: {'nothing' if asked.dice is None else _phases(len(asked.dice))}"
    yield f"attacks: {attacks_text(asked.stated)}"
    yield f"status: {found.status} ({found.engine})"
    if found.plans is None or found.value is None:
        if found.status is Status.INFEASIBLE_PROVED:
            yield f"no plan of at most {asked.most_turns} turns meets the goal"
            return
        yield "no plan found yet"
    else:
        for number, plan in enumerate(found.plans, start=1):
            yield ""
            yield from _turn(asked, number, plan)
        yield ""
        yield f"it takes {_said(found.value)}"
    if found.status is not Status.OPTIMAL_PROVED and found.bound is not None:
        yield f"no plan takes less than {_said(found.bound)}"


def _turn(asked: Campaign, number: int, plan: TurnPlan) -> Iterator[str]:
    emperor = plan.position.board.emperor(plan.emperor)
    assert emperor is not None
    dice = asked.phase_before(number - 1)
    if dice is not None:
        yield f"   Barbarian phase ({dice})"
    yield f"turn {number}: {emperor.name}, {plan.paid} of {plan.position.ip} IP"
    state = plan.position
    for step, action in enumerate(plan.steps, start=1):
        yield f"   {step}. {words(action, state):<52} {rules.cost(state, action)} IP"
        after = rules.play(state, action)
        assert isinstance(after, Position)  # replayed: the Empire stands
        state = after
    if not plan.steps:
        yield "   1. stop"


def _phases(count: int) -> str:
    return f"{count} Barbarian phase{'s' * (count != 1)} with stated dice"


def _said(value: Value) -> str:
    turns, ip = value
    return f"{turns} turn{'s' * (turns != 1)} and {ip} IP"


# -- as data ---------------------------------------------------------------------------------------------------


def as_data(found: CampaignResult) -> dict[str, object]:
    """The answer as JSON data."""
    asked = found.campaign
    return {
        "position": str(asked.position),
        "goal": str(asked.goal),
        "stated": {army: str(outcome) for army, outcome in asked.stated},
        "dice": None if asked.dice is None else [str(phase) for phase in asked.dice],
        "alone": asked.alone,
        "most_turns": asked.most_turns,
        "status": str(found.status),
        "engine": found.engine,
        "version": found.version,
        "solver_seed": found.seed,
        "value": _as_value(found.value),
        "bound": _as_value(found.bound),
        "plans": None
        if found.plans is None
        else [
            {
                "emperor": plan.emperor,
                "position": str(plan.position),
                "paid": plan.paid,
                "steps": list(map(str, plan.steps)),
            }
            for plan in found.plans
        ],
        "nodes": found.nodes,
        "seconds": found.seconds,
    }


def _as_value(value: Value | None) -> dict[str, int] | None:
    return None if value is None else {"turns": value[0], "ip": value[1]}
