"""The risk of a whole turn: how it ends for a stated policy, in exact fractions, by the kernel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import public_question, stop_of
from tetrasolve.finem.fast import engine_of, state_of
from tetrasolve.finem.kernel import POLICIES as KERNEL_POLICIES
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import WON, Position
from tetrasolve.finem.risk import EXACT, INTERRUPTED, require_followed
from tetrasolve.stop import Stop, Stopped

Value = TypeVar("Value")

POLICIES = KERNEL_POLICIES  # those by which a turn is followed


@dataclass(frozen=True)
class TurnRisk:
    """How a turn ends under a policy.

    `ends` has the chance of each result of the game, `by_card` that of a loss by the card of each region: its invasion, crisis or
    civil war; a loss by decline has no card. All other figures are chances that the game goes on and something holds:
    `outbreaks` and `decline` by their values, `dice` and `cubes` (on the map) by tribe and value, `pacified` by tribe. `in_region`
    has the cubes of a region times the chance that the game goes on with so many, summed.

    `unknown` is the chance that was not followed before the time ran out: 0 where the figures are exact. Otherwise each chance is
    at least what stands there, and at most that plus `unknown`.
    """

    policy: str
    ends: Mapping[str, Fraction]
    by_card: Mapping[str, Fraction]
    outbreaks: Mapping[int, Fraction]
    decline: Mapping[int, Fraction]
    dice: Mapping[str, Mapping[int, Fraction]]
    cubes: Mapping[str, Mapping[int, Fraction]]
    pacified: Mapping[str, Fraction]
    in_region: Mapping[str, Fraction]
    unknown: Fraction

    @property
    def status(self) -> str:
        """``exact``, or ``interrupted`` where the time ran out."""
        return INTERRUPTED if self.unknown else EXACT

    @property
    def p_won(self) -> Fraction:
        """The chance to win in the turn; with `unknown` a lower bound."""
        return self.ends.get(WON, Fraction(0))

    @property
    def p_lost(self) -> Fraction:
        """The chance to lose in the turn; with `unknown` a lower bound."""
        return sum((weight for result, weight in self.ends.items() if result != WON), Fraction(0))

    @property
    def p_goes_on(self) -> Fraction:
        """The chance that the game goes on; with `unknown` a lower bound."""
        return sum(self.outbreaks.values(), Fraction(0))

    @property
    def worst_card(self) -> str | None:
        """The region whose card is the likeliest to lose the game, of equal ones the first; None where no card loses it."""
        return next(iter(self.by_card), None)

    def as_data(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {
            "status": self.status,
            "policy": self.policy,
            "p_won": fraction_data(self.p_won),
            "p_lost": fraction_data(self.p_lost),
            "ends": _data_of(self.ends),
            "by_card": _data_of(self.by_card),
            "outbreaks": _data_of(self.outbreaks),
            "decline": _data_of(self.decline),
            "unknown": fraction_data(self.unknown),
            "p_goes_on": fraction_data(self.p_goes_on),
            "worst_card": self.worst_card,
            "dice": {tribe: _data_of(values) for tribe, values in self.dice.items()},
            "cubes": {tribe: _data_of(values) for tribe, values in self.cubes.items()},
            "pacified": _data_of(self.pacified),
            "in_region": _data_of(self.in_region),
        }

    def mean(self, values: Mapping[int, Fraction]) -> Fraction | None:
        """The mean of figures like `dice["O"]` where the game goes on; None where it cannot, or the time ran out."""
        if self.unknown or not self.p_goes_on:
            return None
        return sum((value * weight for value, weight in values.items()), Fraction(0)) / self.p_goes_on


def _data_of(weights: Mapping[Any, Fraction]) -> dict[str, Any]:
    return {str(value): fraction_data(weight) for value, weight in weights.items()}


@public_question
def turn_risk(
    position: Position, policy: str = "careful", *, seconds: float | None = None, cancel: Stop | None = None
) -> TurnRisk:
    """How the turn ends from here on; in the phase of actions, if the player passes now.

    >>> from tetrasolve.finem.examples import examples
    >>> found = turn_risk(examples()["peril"])
    >>> found.status, found.worst_card, sum(found.by_card.values()) == found.p_lost
    ('exact', 'B6', True)

    :param policy: who decides inside the phases, ``careful`` or ``first`` of `tetrasolve.finem.policies`.
    :raises ArgumentError: when there is no such policy.
    :raises IllegalPositionError: when the position cannot occur, or the Dictator is about to ride.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop = stop_of(seconds, cancel)
    position.ruleset.require_kernel()
    require_followed(position, policy, POLICIES)
    try:
        found: Mapping[str, Any] = engine_of(position.ruleset).turn(state_of(position), policy, stop=stop)
    except Stopped as stopped:
        found = stopped.partial
    return _risk(policy, found)


def _risk(policy: str, found: Mapping[str, Any]) -> TurnRisk:
    def shares(row: Mapping[Value, int]) -> dict[Value, Fraction]:
        return {value: Fraction(weight, found["unit"]) for value, weight in row.items()}

    def by_region(row: Sequence[int]) -> dict[str, Fraction]:
        return shares(dict(zip(REGIONS, row, strict=True)))

    by_card = {REGIONS[card]: weight for card, weight in found["by_card"].items()}
    return TurnRisk(
        policy=policy,
        ends=shares(dict(sorted(found["ends"].items()))),
        by_card=shares(dict(sorted(by_card.items(), key=lambda pair: -pair[1]))),
        outbreaks=shares(found["outbreaks"]),
        decline=shares(found["decline"]),
        dice={tribe: shares(row) for tribe, row in zip(TRIBES, found["dice"], strict=True)},
        cubes={tribe: shares(row) for tribe, row in zip(TRIBES, found["cubes"], strict=True)},
        pacified=shares(dict(zip(TRIBES, found["pacified"], strict=True))),
        in_region=by_region(found["region"]),
        unknown=1 - Fraction(found["known"], found["unit"]),
    )
