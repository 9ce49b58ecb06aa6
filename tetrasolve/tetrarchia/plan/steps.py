"""A turn plan as data: its steps with what they cost, its branches with their chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.plan.replay import made_by_dice
from tetrasolve.tetrarchia.plan.tree import Fork, Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall


def turn_data(position: Position, plan: Plan, chance: Fraction = Fraction(1)) -> dict[str, Any]:
    """A plan carried out: each step with its IP and the position after it, each branch with its chance.

    `chance` is that of coming here; each part has the one of its own under ``reached``.

    :raises IllegalActionError: when the rules forbid a step.
    """
    state: Position | Fall = position
    steps = []
    for action in plan.steps:
        assert isinstance(state, Position)
        price = rules.cost(state, action) if rules.objection(state, action) is None else 0
        state = rules.play(state, action)  # says what forbids it
        steps.append({"action": str(action), "ip": price, "position": _line(state)})
    data: dict[str, Any] = {"reached": fraction_data(chance), "steps": steps, "position": _line(state)}
    if plan.fork is not None:
        assert isinstance(state, Position)
        data |= _fork_data(state, plan.fork, chance)
    return data


def _fork_data(position: Position, fork: Fork, chance: Fraction) -> dict[str, Any]:
    if fork.pays_after_dice:  # each branch begins with the attack as it is paid for
        branches = [
            {"shows": str(shows), "chance": fraction_data(part), "then": turn_data(position, branch, chance * part)}
            for shows, part, branch in fork.branches
        ]
        return {"attack": str(fork), "branches": branches}
    branches = []
    price = 0
    for outcome, chance_of_it, branch in fork.branches:
        for share, action, rest in made_by_dice(position, fork, outcome, branch):
            price = rules.cost(position, action) if rules.objection(position, action) is None else 0
            after = rules.play(position, action)
            assert isinstance(after, Position)
            shows = " +".join((str(outcome), *action.payments))  # what is named before the dice is paid until it is won
            part = chance_of_it * share
            branches.append(
                {"shows": shows, "chance": fraction_data(part), "then": turn_data(after, rest, chance * part)}
            )
    return {"attack": str(fork), "ip": price, "branches": branches}


def _line(state: Position | Fall) -> str | None:
    return str(state) if isinstance(state, Position) else None
