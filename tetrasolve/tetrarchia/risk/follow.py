"""Follows plans in positions for which they were not made, as far as they are legal.

- Actions are carried out in order. The first illegal one ends the turn; the rest of the plan is left out.
- An attack is rolled with its true chances, not those of the plan. After an outcome without a branch the turn ends. An attack
  written as an action, ``attack gallia victory``, continues after that outcome only. The discs that Galerius pays in it are
  paid whatever the dice show.
- A turn cannot end where two figures of Rome share a province: then it ends where it last could.
- A plan without actions is a turn in which nobody acts, even if an Emperor off the board would have to enter [I-ENTRY].

There is a function for each engine, so that tests can compare them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias, cast

from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, Rng, State
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

Branches: TypeAlias = "dict[Outcome, Plan]"


def _fights(plan: Plan) -> Iterator[tuple[tuple[Action, ...], Action, Branches]]:
    """The first attack of a plan: the actions before it, the attack, and the rest of the plan after each outcome."""
    for index, step in enumerate(plan.steps):
        if step.kind is Kind.ATTACK:
            assert step.outcome is not None
            yield plan.steps[:index], step, {step.outcome: Plan(plan.steps[index + 1 :], plan.fork)}
            return
    if plan.fork is not None:
        action = plan.fork.action(Outcome.VICTORY)
        yield plan.steps, action, {outcome: branch for outcome, _, branch in plan.fork.branches}


def _attacks(action: Action) -> Iterator[tuple[Outcome, Action]]:
    """An attack with each outcome."""
    return ((outcome, replace(action, outcome=outcome)) for outcome in Outcome)


# -- by the reference rules ------------------------------------------------------------------------------------


def follow(position: Position, plan: Plan) -> dict[Position | Fall, Fraction]:
    """Every end of the turn, with its exact chance."""
    ends: dict[Position | Fall, Fraction] = {}
    _follow(position, plan, Fraction(1), ends)
    return ends


def _follow(position: Position, plan: Plan, share: Fraction, ends: dict[Position | Fall, Fraction]) -> None:
    fight = next(_fights(plan), None)
    state, stop, stuck = _steps(position, plan.steps if fight is None else fight[0])
    if fight is not None and not stuck and isinstance(state, Position):
        _, action, branches = fight
        assert action.place is not None
        attacks = [(outcome, attack) for outcome, attack in _attacks(action) if rules.objection(state, attack) is None]
        for outcome, attack in attacks:
            battle = rules.battle(state, action.figure or state.to_move, action.place)
            chances = battle.raised(len(action.payments)).chances()
            after = rules.play(state, attack)
            part = share * Fraction(chances[outcome], 36)
            if outcome in branches and isinstance(after, Position):
                _follow(after, branches[outcome], part, ends)
            else:
                ends[after] = ends.get(after, Fraction(0)) + part
        if attacks:
            return
    ends[stop] = ends.get(stop, Fraction(0)) + share


def _steps(position: Position, steps: Sequence[Action]) -> tuple[Position | Fall, Position | Fall, bool]:
    """The position after these actions, the last position with which the turn can end, and whether an action was illegal."""
    stop: Position | Fall = position
    for step in steps:
        if step.kind is Kind.END or rules.objection(position, step) is not None:
            return position, stop, True
        after = rules.play(position, step)
        if isinstance(after, Fall):
            return after, after, True
        position = after
        if not position.is_shared:
            stop = position
    return position, stop, False


# -- by the kernel ---------------------------------------------------------------------------------------------


def follow_state(engine: Kernel, board: Board, state: State, plan: Plan) -> list[tuple[State, Fraction]]:
    """As `follow`; equal states are not merged."""
    return list(_follow_state(engine, board, state, plan, Fraction(1), None))


def follow_rolled(engine: Kernel, board: Board, state: State, plan: Plan, dice: Rng) -> State:
    """A random end of the turn, with given dice for its attacks."""
    ((end, _),) = _follow_state(engine, board, state, plan, Fraction(1), dice)
    return end


def _follow_state(
    engine: Kernel, board: Board, state: State, plan: Plan, share: Fraction, dice: Rng | None
) -> Iterator[tuple[State, Fraction]]:
    fight = next(_fights(plan), None)
    state, stop, stuck = _state_steps(engine, board, state, plan.steps if fight is None else fight[0])
    if fight is not None and not stuck:
        _, action, branches = fight
        legal = set(_legal(engine, state))
        coded = ((outcome, fast.to_code(attack, board)) for outcome, attack in _attacks(action))
        codes = {outcome: code for outcome, code in coded if code in legal}
        if codes:
            odds = dict(zip(fast.OUTCOMES, _odds(engine, state, next(iter(codes.values()))), strict=True))
            if dice is not None:
                rolled = _rolled({outcome: odds[outcome] for outcome in codes}, dice)
                codes = {rolled: codes[rolled]}
            for outcome, code in codes.items():
                after = engine.play(state, code)
                part = share * (Fraction(odds[outcome], 36) if dice is None else 1)
                if outcome in branches:
                    yield from _follow_state(engine, board, after, branches[outcome], part, dice)
                else:
                    yield after, part
            return
    yield stop, share


def _odds(engine: Kernel, state: object, code: int) -> tuple[int, int, int]:
    """The faces of the 36 for each outcome of an attack with this code."""
    if isinstance(state, whole.State):
        return whole.attack_odds(cast(whole.Kernel, engine), state, code)
    return engine.odds(cast(State, state), code >> 4 & 63)


def _rolled(odds: dict[Outcome, int], dice: Rng) -> Outcome:
    ticket = (dice.d6() - 1) * 6 + dice.d6() - 1
    for outcome, faces in odds.items():
        ticket -= faces
        if ticket < 0:
            return outcome
    raise AssertionError("the outcomes of an attack have 36 faces between them")


def _legal(engine: Kernel, state: State) -> list[int]:
    return engine.legal(state) if state.phase == kernel.ROMAN and state.result == kernel.OPEN else []


def _state_steps(engine: Kernel, board: Board, state: State, steps: Sequence[Action]) -> tuple[State, State, bool]:
    """As `_steps`."""
    stop = state
    for step in steps:
        code = fast.to_code(step, board)
        if code not in _legal(engine, state):  # END is never in it
            return state, stop, True
        state = engine.play(state, code)
        if not _is_shared(state):
            stop = state
        if state.result == kernel.FALLEN:
            return state, stop, True
    return state, stop, False


def _is_shared(state: object) -> bool:
    """Whether two figures of Rome share a province."""
    if isinstance(state, whole.State):
        return bool(state.passing)
    assert isinstance(state, State)
    here = state.emperors[state.to_move]
    return here != kernel.OFF and state.emperors.count(here) > 1
