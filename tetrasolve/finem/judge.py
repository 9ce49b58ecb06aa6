"""Compares three ways to the best actions of a turn: the search on the kernel, the model for CP-SAT, and the reference rules.

With the horizon ``actions`` an objective is looked at when the actions end (`tetrasolve.finem.plan`). With ``turn`` it is looked at
when the turn ends: then the reference rules and the model take the value of each situation after the actions from
`tetrasolve.finem.rest`, the reference rules' own way to the best policy of everything that is drawn later; only the search takes it
from the kernel. A Dictator's cards are chance in all three. The actions of the search and the policy of the model are carried out
by the reference rules, which must come to the value that was said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.errors import OutOfTimeError, TooLargeError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import Objective, read_objective
from tetrasolve.finem.model import Drawn, End, ModelAnswer, end_of, modelled_nodes, solve_model
from tetrasolve.finem.plan import ACTIONS, TURN, Plan, plan
from tetrasolve.finem.position import Phase, Position, State, Step
from tetrasolve.finem.rest import Rest
from tetrasolve.finem.rules.actions import PASS, RIDE
from tetrasolve.finem.status.turn import collects
from tetrasolve.stop import Stop, Stopped

Worth = Callable[[State], Fraction]  # of a state after the actions


class AnswersDifferError(AssertionError):
    """Two ways come to different values, or actions do not reach theirs; the message has the position."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers, which agree: of the search, of the model, and the value; `ends` is the number of situations that were valued."""

    search: Plan
    model: ModelAnswer
    value: Fraction
    ends: int


def judge(
    position: Position,
    objective: str,
    *,
    horizon: str = ACTIONS,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Judged:
    """The best actions by all three ways.

    With the horizon ``turn`` each situation after the actions takes the reference rules seconds.

    :raises AnswersDifferError: when they do not agree.
    :raises OutOfTimeError: when the time runs out before.
    :raises TooLargeError: when the model or the reference rules do not cover the turn (`solve_model`; with the horizon ``turn`` a
        Tribune who exchanges a card of the invasion), or it has more states than the search keeps.
    :raises ArgumentError: for another horizon.
    :raises MissingExtraError: when OR-Tools is not installed.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop, aim = stop_of(seconds, cancel), read_objective(objective)
    position.ruleset.require_kernel()
    if horizon == TURN and collects(position):
        raise TooLargeError(
            "a Tribune who exchanges a card of the invasion [E-TRIBUNE]: from the actions on the reference rules would have"
            " to follow too many orders of his cards, expected the horizon actions"
        )
    modelled_nodes(position, by_cards=horizon == TURN)  # before the others begin, which may take minutes
    search = plan(position, objective, horizon=horizon, cancel=stop)
    if not isinstance(search.value, Exact):
        raise OutOfTimeError("a judgement: not all sequences of actions were looked at")
    worth = _Ends(aim, stop) if horizon == TURN else _evaluated(aim)
    try:
        known = by_reference(position, aim, {}, stop, worth)
    except Stopped:
        raise OutOfTimeError("a judgement: the time ran out before the reference rules were through") from None
    _same(position, "the search", search.value.value, known)
    ends = worth.values if isinstance(worth, _Ends) else None
    if RIDE not in search.actions:
        _same(position, "the actions of the search", replayed(position, search.actions, aim, worth), known)
    model = solve_model(position, aim, ends=ends, cancel=stop)
    _same(position, "the model", model.value, known)
    policy = model.policy or {(): model.actions}
    _same(position, "the actions of the model", carried_out(position, policy, worth, by_cards=ends is not None), known)
    return Judged(search, model, known, search.ends if ends is None else len(ends))


def _same(position: Position, what: str, found: Fraction, expected: Fraction) -> None:
    if found != expected:
        raise AnswersDifferError(f"{position}: {what} come to {found}, expected {expected}")


def _evaluated(aim: Objective) -> Worth:
    return lambda state: Fraction(aim.evaluation.of(state))


class _Ends:
    """The values of situations after the actions, at the end of the turn; each is worked out once."""

    def __init__(self, aim: Objective, stop: Stop | None) -> None:
        self.rest = Rest(aim, stop)
        self.values: dict[End, Fraction] = {}

    def __call__(self, state: State) -> Fraction:
        key = end_of(state)
        if key not in self.values:
            self.values[key] = self.rest.value(state)
        return self.values[key]


def by_reference(
    state: State,
    aim: Objective,
    known: dict[State, Fraction],
    stop: Stop | None = None,
    worth: Worth | None = None,
) -> Fraction:
    """The best value by the reference rules, all sequences considered; equal states are looked at once.

    :param worth: of a state after the actions; None: the evaluation of it.
    """
    worth = worth or _evaluated(aim)
    if not isinstance(state, Position) or state.phase is not Phase.ACTIONS:
        return worth(state)
    if state not in known:
        check(stop)
        found = rules.node(state)
        values = [by_reference(rules.take(state, option), aim, known, stop, worth) for option in found.options]
        choose = max if aim.aims_at_most else min
        known[state] = sum(values, Fraction(0)) / len(values) if found.is_chance else choose(values)
    return known[state]


def replayed(position: Position, actions: tuple[str, ...], aim: Objective, worth: Worth | None = None) -> Fraction:
    """The value of actions without a ride, carried out by the reference rules; then the phase is passed.

    :raises IllegalActionError: when one is not legal.
    """
    return carried_out(position, {(): actions}, worth or _evaluated(aim), by_cards=True)


def carried_out(
    position: Position, policy: Mapping[Drawn, tuple[str, ...]], worth: Worth, *, by_cards: bool
) -> Fraction:
    """The expected value of a policy as in `ModelAnswer`, carried out by the reference rules: all cards of each ride.

    :raises IllegalActionError: when an action is not legal.
    :raises AnswersDifferError: when the policy does not know what to do after a card.
    """

    def after(state: State, drawn: Drawn) -> Fraction:
        if drawn not in policy:
            raise AnswersDifferError(f"{position}: nothing is said of the cards {' '.join(drawn)}")
        for action in policy[drawn]:
            state = rules.take(state, action)
        if isinstance(state, Position) and state.step is Step.DICTATOR:
            cards = rules.node(state).options
            labels = [(*drawn, card if by_cards else card[1]) for card in cards]
            values = [after(rules.take(state, card), label) for card, label in zip(cards, labels, strict=True)]
            return sum(values, Fraction(0)) / len(values)
        if isinstance(state, Position) and state.step is Step.ACT:
            state = rules.take(state, PASS)
        return worth(state)

    return after(position, ())
