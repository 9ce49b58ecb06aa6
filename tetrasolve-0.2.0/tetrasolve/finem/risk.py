"""The risk of a phase: how it ends for a stated policy, in exact fractions.

The chances are exact unless the time runs out; then each lies in an interval, from what was found to that and what was not
followed yet.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from tetrasolve.errors import ArgumentError, IllegalPositionError
from tetrasolve.exact.deadline import is_over, public_question, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.policies import POLICIES
from tetrasolve.finem.position import WON, Phase, Position, Result, State, Step
from tetrasolve.finem.status import require_legal
from tetrasolve.stop import Stop, Stopped

EXACT, INTERRUPTED = "exact", "interrupted"


@dataclass(frozen=True)
class PhaseRisk:
    """How a phase ends under a policy.

    `ends` has the chance of each result of the game, `outbreaks` and `decline` the chances of their values where the game goes
    on. `unknown` is the chance that was not followed before the time ran out: 0 where the figures are exact. Otherwise each
    chance is at least what stands there, and at most that plus `unknown`.
    """

    phase: Phase
    policy: str
    ends: Mapping[str, Fraction]
    outbreaks: Mapping[int, Fraction]
    decline: Mapping[int, Fraction]
    unknown: Fraction
    by_card: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def status(self) -> str:
        """``exact``, or ``interrupted`` where the time ran out."""
        return INTERRUPTED if self.unknown else EXACT

    @property
    def p_lost(self) -> Fraction:
        """The chance to lose in the phase; with `unknown` a lower bound."""
        return sum((weight for result, weight in self.ends.items() if result.startswith("lost")), Fraction(0))

    @property
    def p_won(self) -> Fraction:
        """The chance to win in the phase; with `unknown` a lower bound."""
        return self.ends.get(WON, Fraction(0))


def require_followed(position: Position, policy: str, policies: Collection[str]) -> None:
    """Require a position from which one of these policies is followed.

    :raises ArgumentError: when the policy is none of them.
    :raises IllegalPositionError: when the position cannot occur, or the Dictator is about to ride.
    """
    if policy not in policies:
        raise ArgumentError("policy", policy, f"one of {', '.join(policies)}")
    require_legal(position)
    if position.step in (Step.DICTATOR, Step.RIDE):
        raise IllegalPositionError([f"step {position.step}: finish the Dictator's action first"])


@public_question
def phase_risk(
    position: Position,
    policy: str = "careful",
    *,
    by_card: bool = False,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> PhaseRisk:
    """How the current phase ends; of the phase of actions the campaign that follows ``pass``.

    >>> from tetrasolve.finem.examples import examples
    >>> phase_risk(examples()["peril"]).p_lost
    Fraction(19, 70)

    :param policy: who decides inside the phase, one of `tetrasolve.finem.policies.POLICIES`.
    :param by_card: also the chance to lose for each card that can come next (`by_card`; empty where the player decides, and
        without the cards for which the time did not suffice).
    :raises ArgumentError: when there is no such policy.
    :raises IllegalPositionError: when the position cannot occur, or the Dictator is about to ride.
    """
    stop = stop_of(seconds, cancel)
    require_followed(position, policy, POLICIES)
    if position.step is Step.ACT:
        passed = rules.take(position, "pass")
        if isinstance(passed, Result):  # won at the end of the phase [E-WIN]
            return _figures(position.phase, policy, {passed: Fraction(1)})
        position = passed
    ended = _followed(position, policy, stop)
    figures = _figures(position.phase, policy, ended)
    if not by_card or not position.step.is_chance:
        return figures
    if figures.status == EXACT and not figures.p_lost:  # no card loses
        return replace(figures, by_card=_worst_first(dict.fromkeys(rules.node(position).options, Fraction(0))))
    return replace(figures, by_card=_worst_first(_by_card(position, policy, stop)))


def _by_card(position: Position, policy: str, stop: Stop | None) -> dict[str, Fraction]:
    """The chance to lose in this phase for each card that can come next; each position that follows is looked at once."""
    known: dict[State, Fraction] = {}

    def lost(state: State) -> Fraction:
        if isinstance(state, Result):
            return Fraction(not state.is_won)
        if state.phase is not position.phase:
            return Fraction(0)
        if state not in known:
            if is_over(stop):
                raise Stopped("set", None)
            found = rules.node(state)
            taken = found.options if found.is_chance else (POLICIES[policy](state, found),)
            known[state] = sum((lost(rules.take(state, one)) for one in taken), Fraction(0)) / len(taken)
        return known[state]

    cards: dict[str, Fraction] = {}
    try:
        for card in rules.node(position).options:
            cards[card] = lost(rules.take(position, card))
    except Stopped:
        pass  # the cards that were looked at until then
    return cards


def _worst_first(cards: Mapping[str, Fraction]) -> dict[str, Fraction]:
    return dict(sorted(cards.items(), key=lambda pair: (-pair[1], pair[0])))


def _followed(position: Position, policy: str, stop: Stop | None) -> Mapping[State, Fraction]:
    """The states in which the phase ends, as far as the time suffices."""
    try:
        return dict(rules.follow(position, POLICIES[policy], stop).items())
    except Stopped as stopped:
        partial: Mapping[State, Fraction] = stopped.partial
        return partial


def _figures(phase: Phase, policy: str, ended: Mapping[State, Fraction]) -> PhaseRisk:
    ends: dict[str, Fraction] = {}
    outbreaks: dict[int, Fraction] = {}
    decline: dict[int, Fraction] = {}
    for state, weight in ended.items():
        if isinstance(state, Result):
            ends[state.text] = ends.get(state.text, Fraction(0)) + weight
            continue
        outbreaks[state.outbreaks] = outbreaks.get(state.outbreaks, Fraction(0)) + weight
        decline[state.decline] = decline.get(state.decline, Fraction(0)) + weight
    return PhaseRisk(
        phase=phase,
        policy=policy,
        ends=dict(sorted(ends.items())),
        outbreaks=dict(sorted(outbreaks.items())),
        decline=dict(sorted(decline.items())),
        unknown=1 - sum(ended.values(), Fraction(0)),
    )
