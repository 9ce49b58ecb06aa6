"""Replays the plans of a campaign by the reference rules, which verify every answer."""

from __future__ import annotations

from collections.abc import Sequence

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError, StatedDice
from tetrasolve.tetrarchia.plan.campaign.question import Campaign, handed_over
from tetrasolve.tetrarchia.plan.campaign.result import Steps, TurnPlan, Value
from tetrasolve.tetrarchia.plan.replay import carry_out
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall


def replay(campaign: Campaign, turns: Sequence[Sequence[Action]]) -> tuple[TurnPlan, ...]:
    """The turns of a campaign with their positions and prices.

    :raises IllegalActionError: when an action is illegal, the Empire falls, or the goal is not met at the end.
    :raises DiceError: when the stated dice run out.
    """
    plans: list[TurnPlan] = []
    state = campaign.position
    met = campaign.is_met_already
    for number, steps in enumerate(turns):
        state = start(campaign, state, number)
        end, paid = carry_out(state, steps, campaign.stated)
        if isinstance(end, Fall):
            raise IllegalActionError("; ".join(map(str, steps)), f"the Empire falls: {end}")
        plans.append(TurnPlan(state, tuple(steps), paid))
        met = campaign.goal.is_met(end)
        state = _ended(end)
    if not met:
        raise IllegalActionError(
            "; ".join(map(str, turns[-1])) if turns else "nothing", f"'{campaign.goal}' is not met"
        )
    return tuple(plans)


def _ended(position: Position) -> Position:
    """The position after the end of a turn in this one."""
    if position.phase is Phase.ROMAN and not position.is_won:
        ended = rules.play(position, END)
        assert isinstance(ended, Position)  # nothing falls at the end of a turn
        position = ended
    return position.replace(phase=Phase.BARBARIAN, ip=0)


def checked(campaign: Campaign, turns: Sequence[Steps], value: Value | None, engine: str) -> tuple[TurnPlan, ...]:
    """The turns of an engine's answer, replayed.

    :raises DisagreementError: when the reference rules refuse them, or the price differs.
    """
    plan = " / ".join("; ".join(map(str, steps)) or "nothing" for steps in turns)
    answer = (
        f"campaign '{plan}' of '{campaign.position}' for '{campaign.goal}': {engine} says {value}, the reference rules"
    )
    try:
        plans = replay(campaign, turns)
    except (IllegalActionError, DiceError) as error:
        raise DisagreementError(f"{answer} refuse it ({error}); please report this") from error
    if value != (len(plans), sum(turn.paid for turn in plans)):
        raise DisagreementError(f"{answer} {[turn.paid for turn in plans]} IP; please report this")
    return plans


def start(campaign: Campaign, position: Position, number: int) -> Position:
    """The position at the beginning of a turn (0: the first), from the position at the end of the one before.

    :raises IllegalActionError: when the Empire falls in between, or the game is won.
    :raises DiceError: when the stated dice run out.
    """
    if position.is_won:
        raise IllegalActionError("the next turn", "the game is won")
    if position.phase is Phase.ROMAN:
        return position
    dice = campaign.phase_before(number)
    if dice is None:
        return handed_over(position, alone=campaign.alone)
    after = rules.sample(position, StatedDice(dice))
    if isinstance(after, Fall):
        raise IllegalActionError("the Barbarian phase", f"the Empire falls: {after}")
    return after
