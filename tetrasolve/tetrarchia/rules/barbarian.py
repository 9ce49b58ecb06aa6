"""The Barbarian phase (rulebook page 9) as a whole: its exact distribution, its figures, and a sampled phase.

Its three modules are `revolts`, `activity` and `advance`; each step has the next roll.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact import Distribution, absorb
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.numbers import DIE
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import revolts
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, uprisings
from tetrasolve.tetrarchia.rules.chance import Dice, faces_of
from tetrasolve.tetrarchia.rules.choices import Decide, Reroll, decline, settled
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.questions import landed, may_ask, may_reroll
from tetrasolve.tetrarchia.rules.step import Rerolled, Rolling, Settled, Step, unmarked


def outcomes(
    position: Position, decide: Decide = decline, *, seconds: float | None = None, cancel: Stop | None = None
) -> Distribution[Position | Fall]:
    """Every result of the Barbarian phase of this position, with its exact chance; `decide` answers its choices.

    :raises IllegalPositionError: when the game is won, or two figures of Rome share a province.
    :raises OutOfTimeError: when `seconds` are over, or `cancel` is set, before all are known.
    """
    with answering(f"the outcomes of '{position}'"):
        return solve(position, decide, stop_of(seconds, cancel)).ends


def sample(position: Position, dice: Dice, decide: Decide = decline) -> Position | Fall:
    """One Barbarian phase with these dice and decisions.

    :raises IllegalPositionError: as `outcomes`.
    """
    return finished(begin(position), dice, decide)


def finished(first: Step, dice: Dice, decide: Decide = decline) -> Position | Fall:
    """The result of the rest of a Barbarian phase, from a step of it, with these dice and decisions."""
    step = settled(first, decide)
    while not isinstance(step, (Position, Fall)):
        roll = step.roll()
        faces = tuple(dice.roll(question) for question in roll.questions)
        step = settled(landed(step, faces, roll.result(faces)), decide)
    return step


# Rule p09-each-turn, p09-sequence
def begin(position: Position) -> Step:
    """The Barbarian phase of this position, up to its first roll or choice.

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
    """The exact figures of one Barbarian phase.

    `p_uprising`: chance of at least one uprising; `e_uprisings`: their expected number, including echoes without effect;
    `p_lost`: chance that the Empire falls; `p_new_army`: chance that an echo brings an army; `e_revolts`: chance times revolts
    on the board, summed over the results that are not lost; `outcomes`: distinct results, all lost ones as one.
    """

    p_uprising: Fraction
    e_uprisings: Fraction
    p_lost: Fraction
    p_new_army: Fraction
    e_revolts: Fraction
    outcomes: int


@dataclass(frozen=True, slots=True)
class SolvedPhase:
    """A Barbarian phase solved as an absorbing chain: its results, and the expected number of each roll.

    `decide` has answered its choices, which are not states of the chain: each comes after a roll, or before the first.
    """

    ends: Distribution[Position | Fall]
    visits: Mapping[Settled, Fraction]
    decide: Decide = decline

    def figures(self) -> Figures:
        """The exact figures of this phase."""
        first = again = new_army = Fraction(0)
        for step, visits in self.visits.items():
            if isinstance(step, (Position, Fall)):
                continue
            match unmarked(step):
                case Activity():
                    first += visits * uprising_share(step, self.decide)
                case EchoProvince():
                    again += visits * uprising_share(step, self.decide)
                case EchoRegion():
                    new_army += visits * arrival_share(step, self.decide)
        standing = [(result, chance) for result, chance in self.ends.items() if isinstance(result, Position)]
        lost = self.ends.probability(lambda result: isinstance(result, Fall))
        return Figures(
            p_uprising=first,
            e_uprisings=first + again,
            p_lost=lost,
            p_new_army=new_army,
            e_revolts=sum((chance * len(result.revolts) for result, chance in standing), Fraction(0)),
            outcomes=len(standing) + (lost > 0),
        )


def solve(position: Position, decide: Decide = decline, stop: Stop | None = None) -> SolvedPhase:
    """The Barbarian phase of this position, solved exactly; `decide` answers its choices and must be deterministic.

    :raises IllegalPositionError: as `outcomes`.
    :raises Stopped: when `stop` is set before it is solved.
    """
    absorbed = absorb(start(position, decide), lambda step: row(step, decide), stop)
    return SolvedPhase(absorbed.ends.map(_result), absorbed.visits, decide)


def figures(position: Position, decide: Decide = decline) -> Figures:
    """The exact figures of the Barbarian phase of this position.

    :raises IllegalPositionError: as `outcomes`.
    """
    return solve(position, decide).figures()


def uprising_chance(position: Position, decide: Decide = decline, stop: Stop | None = None) -> Fraction:
    """The exact chance of at least one uprising, `Figures.p_uprising`, without the steps after the first uprising.

    :raises IllegalPositionError: as `outcomes`.
    :raises Stopped: when `stop` is set before it is known.
    """

    def until_uprising(step: Settled | bool) -> Distribution[Settled | bool] | None:
        if isinstance(step, (bool, Position, Fall)):
            return None
        rolled = unmarked(step)
        if isinstance(rolled, Activity):
            again, risen = rerolls(step, decide), frozenset(uprisings(rolled))
            return Distribution.uniform(again.get(faces, faces in risen) for faces in faces_of(2))
        return cast(Distribution[Settled | bool] | None, row(step, decide))

    first: Settled | bool = start(position, decide)
    return absorb(first, until_uprising, stop).ends.probability(lambda end: end is True)


# -- the chain -------------------------------------------------------------------------------------------------


def start(position: Position, decide: Decide = decline) -> Settled:
    """The first roll of the phase, after the choices before it.

    :raises IllegalPositionError: as `outcomes`.
    """
    return settled(begin(position), decide)


def row(step: Settled, decide: Decide = decline) -> Distribution[Settled] | None:
    """The distribution after a roll, up to the next roll; None where the phase has ended."""
    if isinstance(step, (Position, Fall)):
        return None
    roll = step.roll()
    if not may_ask(step.position):
        return cast(Distribution[Settled], roll.distribution())  # there are no choices
    faces = zip(roll.faces, roll.results, strict=True)
    return Distribution.uniform(settled(landed(step, shown, result), decide) for shown, result in faces)


def rerolls(step: Rolling, decide: Decide = decline) -> Mapping[tuple[int, ...], Rolling]:
    """The faces that are rolled again, each with the new roll."""
    if isinstance(step, Rerolled) or not may_reroll(step.position):
        return {}
    roll = step.roll()
    landings = {faces: landed(step, faces, result) for faces, result in zip(roll.faces, roll.results, strict=True)}
    return {faces: choice.again for faces, choice in landings.items() if isinstance(choice, Reroll) and decide(choice)}


def uprising_share(step: Rolling, decide: Decide = decline) -> Fraction:
    """The chance that this roll of an activity or an echo's province starts an uprising, in [0, 1].

    Faces that are rolled again do not.
    """
    again, rolled = rerolls(step, decide), unmarked(step)
    assert isinstance(rolled, (Activity, EchoProvince)), "no other roll starts an uprising"
    return Fraction(sum(1 for faces in uprisings(rolled) if faces not in again), len(rolled.places()))


def arrival_share(step: Rolling, decide: Decide = decline) -> Fraction:
    """The chance that this roll of an echo's region brings an army, in [0, 1]; faces that are rolled again do not."""
    again, rolled = rerolls(step, decide), unmarked(step)
    assert isinstance(rolled, EchoRegion), "no other roll brings an army"
    return Fraction(sum(1 for faces, _ in rolled.arrivals() if faces not in again), DIE)


def _result(step: Settled) -> Position | Fall:
    assert isinstance(step, (Position, Fall))
    return step
