"""The Barbarian phase (rulebook page 9) as a whole: its exact distribution, its figures, and one phase rolled.

Its three chapters are `revolts`, `activity` and `advance`; each step knows the roll that comes next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact import Distribution, absorb
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import revolts
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, uprising_share
from tetrasolve.tetrarchia.rules.chance import Dice, throw
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.step import Step


def outcomes(position: Position) -> Distribution[Position | Fall]:
    """Every result of the Barbarian phase of this table, with its exact chance.

    :raises IllegalPositionError: when the game is won, or two figures of Rome share a province.
    """
    return solve(position).ends


def sample(position: Position, dice: Dice) -> Position | Fall:
    """One Barbarian phase with these dice.

    :raises IllegalPositionError: as `outcomes`.
    """
    step = begin(position)
    while not isinstance(step, (Position, Fall)):
        step = throw(step.roll(), dice)
    return step


# Rule p09-each-turn, p09-sequence
def begin(position: Position) -> Step:
    """The Barbarian phase of this table, up to its first roll.

    :raises IllegalPositionError: as `outcomes`.
    """
    if position.is_won:
        raise IllegalPositionError(["the game is won: no Barbarian phase follows"])
    places = position.romans.values()
    for place in places:
        if list(places).count(place) > 1:
            who = "Emperors" if len(position.emperors_at(place)) > 1 else "figures of Rome"
            raise IllegalPositionError([f"{place}: two {who} share it, so the turn cannot end"])
    return revolts.begin(position)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one Barbarian phase can do, exactly.

    `p_uprising`: chance of at least one uprising; `e_uprisings`: their expected number, echoes that change nothing
    counted; `p_lost`: chance that the Empire falls; `p_new_army`: chance that an echo brings an army; `e_revolts`: chance
    times revolts on the board, summed over the results that are not lost; `outcomes`: distinct results, all lost ones
    as one.
    """

    p_uprising: Fraction
    e_uprisings: Fraction
    p_lost: Fraction
    p_new_army: Fraction
    e_revolts: Fraction
    outcomes: int


@dataclass(frozen=True, slots=True)
class SolvedPhase:
    """A Barbarian phase solved as an absorbing chain: its results, and how often each step is expected to be passed."""

    ends: Distribution[Position | Fall]
    visits: Mapping[Step, Fraction]

    def figures(self) -> Figures:
        """The exact figures of this phase."""
        first = again = arrivals = Fraction(0)
        for step, visits in self.visits.items():
            match step:
                case Activity():
                    first += visits * uprising_share(step)
                case EchoProvince():
                    again += visits * uprising_share(step)
                case EchoRegion():
                    arrivals += visits * Fraction(step.arrivals(), 6)
        standing = [(result, chance) for result, chance in self.ends.items() if isinstance(result, Position)]
        lost = self.ends.probability(lambda result: isinstance(result, Fall))
        return Figures(
            p_uprising=first,
            e_uprisings=first + again,
            p_lost=lost,
            p_new_army=arrivals,
            e_revolts=sum((chance * len(result.revolts) for result, chance in standing), Fraction(0)),
            outcomes=len(standing) + (lost > 0),
        )


def solve(position: Position) -> SolvedPhase:
    """The Barbarian phase of this table, solved exactly.

    :raises IllegalPositionError: as `outcomes`.
    """
    absorbed = absorb(begin(position), _row)
    return SolvedPhase(absorbed.ends.map(_result), absorbed.visits)


def figures(position: Position) -> Figures:
    """The exact figures of the Barbarian phase of this table.

    :raises IllegalPositionError: as `outcomes`.
    """
    return solve(position).figures()


def uprising_chance(position: Position) -> Fraction:
    """The exact chance of at least one uprising, `Figures.p_uprising`, without following what comes after it.

    :raises IllegalPositionError: as `outcomes`.
    """

    def until_activity(step: Step) -> Distribution[Step] | None:
        return None if isinstance(step, Activity) else _row(step)

    ends = absorb(begin(position), until_activity).ends
    return ends.expectation(lambda step: uprising_share(step) if isinstance(step, Activity) else 0)


def _row(step: Step) -> Distribution[Step] | None:
    return None if isinstance(step, (Position, Fall)) else step.roll().distribution()


def _result(step: Step) -> Position | Fall:
    assert isinstance(step, (Position, Fall))
    return step
