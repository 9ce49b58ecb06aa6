"""Barbarian phases without an uprising: their chances and results.

The results of a phase do not show whether there was an uprising, so the chance of at least one in several phases cannot be
computed from them. Without uprisings there are few distinct positions, so they are followed separately.
"""

from __future__ import annotations

from enum import Enum
from fractions import Fraction
from typing import cast

from tetrasolve.exact import Distribution, absorb
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Dice, Fall
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.barbarian import row, start
from tetrasolve.tetrarchia.rules.chance import throw
from tetrasolve.tetrarchia.rules.choices import settled
from tetrasolve.tetrarchia.rules.step import Settled


class Rose(Enum):
    """The result: there was an uprising."""

    ROSE = "rose"


def quiet_results(position: Position, stop: Stop | None = None) -> dict[Position | Fall, Fraction]:
    """The results of a phase without an uprising; their chances add up to the chance that there is none.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    :raises Stopped: when `stop` is set before all are known.
    """
    first: Settled | Rose = start(position)
    return {end: chance for end, chance in absorb(first, _row, stop).ends.items() if isinstance(end, (Position, Fall))}


def _row(step: Settled | Rose) -> Distribution[Settled | Rose] | None:
    if isinstance(step, Rose):
        return None
    if isinstance(step, Activity):
        position = step.position
        return Distribution.uniform(
            Rose.ROSE if position.has_revolt(place) else settled(step.at(place), rules.decline)
            for place in step.places()
        )
    return cast("Distribution[Settled | Rose] | None", row(step))


def rolled(position: Position, dice: Dice, *, quiet: bool = False) -> Position | Fall | Rose:
    """One phase with these dice; with `quiet` it stops at the first uprising.

    As `rules.sample`, but of the activity only the rolled province is computed.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    """
    step = start(position)
    while not isinstance(step, (Position, Fall)):
        if isinstance(step, Activity):
            region, number = (dice.roll(question) for question in ("activity: region", "activity: province"))
            place = step.position.board.at(region, number)
            if quiet and step.position.has_revolt(place):
                return Rose.ROSE
            step = settled(step.at(place), rules.decline)
        else:
            step = settled(throw(step.roll(), dice), rules.decline)
    return step
