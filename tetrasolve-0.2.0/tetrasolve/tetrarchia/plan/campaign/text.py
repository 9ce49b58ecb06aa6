"""Campaigns as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan.answer import Status
from tetrasolve.tetrarchia.plan.campaign.question import Campaign, name_of
from tetrasolve.tetrarchia.plan.campaign.result import CampaignResult, TurnPlan, Value
from tetrasolve.tetrarchia.plan.task import attacks_text
from tetrasolve.tetrarchia.plan.text import route_of, words
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position


def campaign_lines(found: CampaignResult) -> Iterator[str]:
    """The answer as lines of text."""
    asked = found.campaign
    board = asked.position.board
    yield f"{name_of(asked.goal, board)}, in at most {_turns(asked.most_turns)}{' of one Emperor' if asked.alone else ''}"
    yield f"between the turns: {'nothing' if asked.dice is None else _phases(len(asked.dice))}"
    if asked.dice is not None and WITH_CHOICES & asked.position.ruleset.extensions:
        yield "choices in the phases: none of the discs are spent"
    if asked.skips_phase:
        yield "the coming Barbarian phase is skipped, since no dice are stated: the next Emperor begins from this position"
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
        yield f"it takes {value_text(found.value)}"
    if found.status is not Status.OPTIMAL_PROVED and found.bound is not None:
        yield f"no plan takes less than {value_text(found.bound)}"


def turn_pictures(found: CampaignResult) -> Iterator[str]:
    """Each turn on the board, with numbered arrows, as SVG; without a plan the position at the start."""
    for number, plan in enumerate(found.plans or (), start=1):
        board, emperor = plan.position.board, plan.position.board.emperor(plan.emperor)
        assert emperor is not None
        route = route_of(plan.position, Plan(plan.steps))
        yield board_svg(board, plan.position, title=f"Turn {number}: {emperor.name}", route=route)
    if not found.plans:
        yield board_svg(found.campaign.position.board, found.campaign.position)


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


def _turns(count: int) -> str:
    return f"{count} turn{'s' * (count != 1)}"


def value_text(value: Value) -> str:
    """A number of turns and IP in words."""
    turns, ip = value
    return f"{_turns(turns)} and {ip} IP"


# -- as data ------------------------------------------------------------------------------------------------------------


def campaign_data(found: CampaignResult) -> dict[str, object]:
    """The answer as JSON data."""
    asked = found.campaign
    return {
        "position": str(asked.position),
        "goal": str(asked.goal),
        "stated": {army: str(outcome) for army, outcome in asked.stated},
        "dice": None if asked.dice is None else [str(phase) for phase in asked.dice],
        "skips_phase": asked.skips_phase,
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
