"""Compares three ways to the best actions of a turn: the search on the kernel, the model for CP-SAT, and the reference rules.

What they aim at is looked at when the actions end (`tetrasolve.finem.plan`, horizon ``actions``). The actions of the search and of
the model are carried out by the reference rules, which must come to the value that was said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import Objective, read_objective
from tetrasolve.finem.model import ModelAnswer, solve_model
from tetrasolve.finem.plan import ACTIONS, Plan, plan
from tetrasolve.finem.position import Phase, Position, State, Step
from tetrasolve.finem.rules.actions import DICTATOR, PASS
from tetrasolve.stop import Stop, Stopped


class AnswersDifferError(AssertionError):
    """Two ways come to different values, or actions do not reach theirs; the message has the position."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The answers, which agree: of the search, of the model (not for a Dictator, whose ride is a chance), and the value."""

    search: Plan
    model: ModelAnswer | None
    value: Fraction


def judge(position: Position, objective: str, *, seconds: float | None = None, cancel: Stop | None = None) -> Judged:
    """The best actions by all three ways.

    :raises AnswersDifferError: when they do not agree.
    :raises OutOfTimeError: when the time runs out before.
    :raises MissingExtraError: when OR-Tools is not installed.
    """
    stop, aim = stop_of(seconds, cancel), read_objective(objective)
    search = plan(position, objective, horizon=ACTIONS, cancel=stop)
    if not isinstance(search.value, Exact):
        raise OutOfTimeError("a judgement: the time ran out before all sequences of actions were looked at")
    try:
        known = by_reference(position, aim, {}, stop)
    except Stopped:
        raise OutOfTimeError("a judgement: the time ran out before the reference rules were through") from None
    _same(position, "the reference rules", known, search.value.value)
    model = None
    if position.role != DICTATOR:
        _same(position, "the actions of the search", replayed(position, search.actions, aim), known)
        model = solve_model(position, aim, cancel=stop)
        _same(position, "the model", Fraction(model.value), known)
        _same(position, "the actions of the model", replayed(position, model.actions, aim), known)
    return Judged(search, model, known)


def _same(position: Position, what: str, found: Fraction, expected: Fraction) -> None:
    if found != expected:
        raise AnswersDifferError(f"{position}: {what} come to {found}, expected {expected}")


def by_reference(state: State, aim: Objective, known: dict[State, Fraction], stop: Stop | None = None) -> Fraction:
    """The best value by the reference rules, all sequences considered; equal states are looked at once."""
    if not isinstance(state, Position) or state.phase is not Phase.ACTIONS:
        return Fraction(aim.evaluation.of(state))
    if state not in known:
        check(stop)
        found = rules.node(state)
        values = [by_reference(rules.take(state, option), aim, known, stop) for option in found.options]
        choose = max if aim.aims_at_most else min
        known[state] = sum(values, Fraction(0)) / len(values) if found.is_chance else choose(values)
    return known[state]


def replayed(position: Position, actions: tuple[str, ...], aim: Objective) -> Fraction:
    """The value of actions, carried out by the reference rules; then the phase is passed.

    :raises IllegalActionError: when one is not legal.
    """
    state: State = position
    for action in actions:
        state = rules.take(state, action)
    if isinstance(state, Position) and state.step is Step.ACT:
        state = rules.take(state, PASS)
    return Fraction(aim.evaluation.of(state))
