"""All steps of a turn together: what can come at a position, and what follows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from random import Random

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact import Distribution
from tetrasolve.exact.deadline import is_over
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules import actions, campaign, crisis, events, invasion, roles
from tetrasolve.stop import Stop, Stopped


@dataclass(frozen=True, slots=True)
class TurnNode:
    """What can come at a position: equally likely cards of a chance, or the options of a decision."""

    is_chance: bool
    options: tuple[str, ...]


Options = Callable[[Position], tuple[str, ...]]
After = Callable[[Position, str], State]
Policy = Callable[[Position, TurnNode], str]  # the option that a player takes


def _deck(position: Position) -> tuple[str, ...]:
    return position.deck


_STEPS: Mapping[Step, tuple[Options, After]] = {
    Step.ACT: (actions.options, actions.acted),
    Step.DICTATOR: (_deck, actions.drawn),
    Step.RIDE: (actions.rides, actions.ridden),
    Step.DRAW: (_deck, campaign.drawn),
    Step.EXCHANGE: (campaign.exchanges, campaign.exchanged),
    Step.EVENT: (_deck, events.drawn),
    Step.TRAVEL: (events.journeys, events.travelled),
    Step.RESIST: (events.removals, events.resisted),
    Step.RAISE: (events.rises, events.risen),
    Step.PROTECT: (events.protections, events.protected),
    Step.CIVIL_WAR: (_deck, events.civil_war),
    Step.DISCARD_EVENT: (campaign.discards, campaign.discarded),
    Step.CRISIS: (_deck, crisis.drawn),
    Step.DISCARD: (campaign.discards, campaign.discarded),
    Step.INVADE: (_deck, invasion.drawn),
    Step.SWAP: (invasion.swaps, invasion.swapped),
    Step.ROLE: (roles.options, roles.take),
    Step.APPOINT: (roles.options, roles.take),
    Step.CHOOSE: (campaign.choices, campaign.chosen),
    Step.ORDER: (invasion.orders, invasion.ordered),
}


def node(position: Position) -> TurnNode:
    """What can come at a position."""
    options, _ = _STEPS[position.step]
    return TurnNode(position.step.is_chance, options(position))


def take(position: State, option: str) -> State:
    """The position after a card that is drawn, or a decision.

    :raises IllegalActionError: when it cannot come here; the error says what can.
    """
    if isinstance(position, Result):
        raise IllegalActionError(option, f"the game is over: {position}")
    options, after = _STEPS[position.step]
    found = options(position)
    if option not in found:
        listed = ", ".join(found[:LISTED]) + (f" or {len(found) - LISTED} more" if len(found) > LISTED else "")
        raise IllegalActionError(option[:LONGEST], f"at step {position.step} expected one of {listed}")
    return after(position, option)


LISTED = 8  # options named in an error
LONGEST = 40  # characters of a wrong option in an error


def outcomes(position: Position) -> Distribution[State]:
    """The positions after the chance at this step, with their exact chances.

    :raises IllegalActionError: where the player decides.
    """
    found = node(position)
    if not found.is_chance:
        raise IllegalActionError("draw", f"at step {position.step} the player decides")
    _, after = _STEPS[position.step]
    return Distribution.uniform(after(position, option) for option in found.options)


def sample(position: Position, random: Random) -> str:
    """A card of the chance at this step, drawn with its chance.

    :raises IllegalActionError: where the player decides.
    """
    found = node(position)
    if not found.is_chance:
        raise IllegalActionError("draw", f"at step {position.step} the player decides")
    return random.choice(found.options)


def follow(position: Position, policy: Policy, stop: Stop | None = None) -> Distribution[State]:
    """Where the current phase ends when a policy decides, with exact chances.

    The phase ends at the first position of another phase, or with the game. Positions in which the phase can be are merged,
    step by step.

    :raises Stopped: when `stop` is set; `partial` has the chances of the ends that were reached until then.
    """
    phase = position.phase
    ended: dict[State, Fraction] = {}
    running: dict[State, Fraction] = {position: Fraction(1)}
    while running:
        following: dict[State, Fraction] = {}
        for state, weight in running.items():
            if is_over(stop):
                raise Stopped("set", ended)
            if isinstance(state, Result) or state.phase is not phase:
                ended[state] = ended.get(state, Fraction(0)) + weight
                continue
            found = node(state)
            _, after = _STEPS[state.step]
            if found.is_chance:
                share = weight / len(found.options)
                for option in found.options:
                    image = after(state, option)
                    following[image] = following.get(image, Fraction(0)) + share
            else:
                image = take(state, policy(state, found))
                following[image] = following.get(image, Fraction(0)) + weight
        running = following
    return Distribution(ended)
