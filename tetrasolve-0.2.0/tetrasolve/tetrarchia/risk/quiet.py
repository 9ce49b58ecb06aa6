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
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Dice, Fall
from tetrasolve.tetrarchia.rules.activity import Activity
from tetrasolve.tetrarchia.rules.barbarian import rerolls, row, start
from tetrasolve.tetrarchia.rules.chance import faces_of
from tetrasolve.tetrarchia.rules.choices import Decide, Reroll, decline, settled
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Settled, unmarked


class Rose(Enum):
    """The result: there was an uprising."""

    ROSE = "rose"


def quiet_results(
    position: Position, decide: Decide = decline, stop: Stop | None = None
) -> dict[Position | Fall, Fraction]:
    """The results of a phase without an uprising; their chances add up to the chance that there is none.

    `decide` answers the choices of the phase.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    :raises Stopped: when `stop` is set before all are known.
    """
    first: Settled | Rose = start(position, decide)
    found = absorb(first, lambda step: _row(step, decide), stop).ends
    return {end: chance for end, chance in found.items() if isinstance(end, (Position, Fall))}


def _row(step: Settled | Rose, decide: Decide) -> Distribution[Settled | Rose] | None:
    if isinstance(step, (Rose, Position, Fall)):
        return None
    rolled = unmarked(step)
    if not isinstance(rolled, Activity):
        return cast("Distribution[Settled | Rose] | None", row(step, decide))
    again = rerolls(step, decide)
    return Distribution.uniform(
        again[faces]
        if faces in again
        else Rose.ROSE
        if rolled.position.has_revolt(place)
        else settled(rolled.at(place), decide)
        for faces, place in zip(faces_of(2), rolled.places(), strict=True)
    )


def rolled(position: Position, dice: Dice, decide: Decide = decline, *, quiet: bool = False) -> Position | Fall | Rose:
    """One phase with these dice; `decide` answers its choices, and with `quiet` it stops at the first uprising.

    As `rules.sample`, but of the activity only the rolled province is computed.

    :raises IllegalPositionError: when no Barbarian phase can follow.
    """
    step = start(position, decide)
    while not isinstance(step, (Position, Fall)):
        known = unmarked(step)
        if isinstance(known, Activity):
            faces = tuple(dice.roll(question) for question in ("activity: region", "activity: province"))
            place = known.position.board.at(*faces)
            after = landed(step, faces, known.at(place))
            if isinstance(after, Reroll) and decide(after):
                step = after.again
                continue
            if quiet and known.position.has_revolt(place):
                return Rose.ROSE
        else:
            roll = step.roll()
            faces = tuple(dice.roll(question) for question in roll.questions)
            after = landed(step, faces, roll.result(faces))
        step = settled(after, decide)
    return step
