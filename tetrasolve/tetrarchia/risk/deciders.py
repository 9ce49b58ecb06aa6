"""Who answers the choices of the Barbarian phase of a position: a stated policy, or best play in that very phase."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from tetrasolve.errors import TooLargeError
from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.best import BestPlay, Wanted
from tetrasolve.tetrarchia.rules import Decide
from tetrasolve.tetrarchia.rules.optimum import best_phase

Decider: TypeAlias = Callable[[Position], Decide]

MOST_STATES = 20_000  # rolls, choices and results of a phase that the reference rules solve in some seconds


def declining(position: Position) -> Decide:
    """The policy `decline`, in every phase."""
    del position
    return rules.decline


def by_policy(name: str) -> Decider:
    """A stated policy, in every phase."""
    policy = rules.POLICIES[name]
    return lambda _: policy


def by_best_play(
    wanted: Wanted, price: Fraction = Fraction(0), *, most_states: int = MOST_STATES, stop: Stop | None = None
) -> Decider:
    """Best play for what is `wanted`, where each disc costs `price`; each phase is solved for it by the reference rules.

    The function raises `TooManyStatesError` for a phase with more than `most_states` rolls, choices and results.
    """
    aim = wanted.aim(price)
    return lambda position: best_phase(position, aim, most_states=most_states, stop=stop).decide


def of_details(view: str, decider: Decider) -> Decider:
    """The same for the details `view` of a risk: a phase that is too large for best play is refused by a sentence.

    The function raises `TooLargeError`, which says what can be asked instead.
    """

    def decide(position: Position) -> Decide:
        try:
            return decider(position)
        except TooManyStatesError:
            raise _too_large(view) from None

    return decide


def require_details(found: BestPlay, view: str | None) -> None:
    """Refuse the details `view` of best play, if any, where the reference rules did not solve the phase.

    :raises TooLargeError: which says what can be asked instead.
    """
    if view is not None and found.status == "complete" and found.figures is None:
        raise _too_large(view)


def _too_large(view: str) -> TooLargeError:
    return TooLargeError(
        f"the details by {view} under best play: a phase has more than {MOST_STATES} rolls, choices and results, too many for the "
        "reference rules; ask for them under decline or eager, or for best play without details"
    )
