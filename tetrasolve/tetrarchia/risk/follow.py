"""Follows plans in positions for which they were not made, as far as they are legal.

- Actions are carried out in order. The first illegal one ends the turn; the rest of the plan is left out.
- An attack is rolled with its true chances, not those of the plan. After an outcome without a branch the turn ends. An attack
  written as an action, ``attack gallia victory``, continues after that outcome only.
- A turn cannot end where two Emperors share a province: then it ends where it last could.
- A plan without actions is a turn in which nobody acts, even if an Emperor off the board would have to enter [I-ENTRY].

There is a function for each engine, so that tests can compare them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, Rng, State
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

Branches: TypeAlias = "dict[Outcome, Plan]"


def _fights(plan: Plan) -> Iterator[tuple[tuple[Action, ...], str, Branches]]:
    """The first attack of a plan: the actions before it, the army, and the rest of the plan after each outcome."""
    for index, step in enumerate(plan.steps):
        if step.kind is Kind.ATTACK:
            assert step.place is not None and step.outcome is not None
            yield plan.steps[:index], step.place, {step.outcome: Plan(plan.steps[index + 1 :], plan.fork)}
            return
    if plan.fork is not None:
        yield plan.steps, plan.fork.army, {outcome: branch for outcome, _, branch in plan.fork.branches}


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
        _, army, branches = fight
        outcomes = [outcome for outcome in Outcome if rules.objection(state, attack(army, outcome)) is None]
        for outcome in outcomes:
            chances = rules.battle(state, state.to_move, army).chances()
            after = rules.play(state, attack(army, outcome))
            part = share * Fraction(chances[outcome], 36)
            if outcome in branches and isinstance(after, Position):
                _follow(after, branches[outcome], part, ends)
            else:
                ends[after] = ends.get(after, Fraction(0)) + part
        if outcomes:
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
        _, army, branches = fight
        row = board.order[army]
        codes = [code for code in _legal(engine, state) if code & 15 == kernel.ATTACK and code >> 4 & 63 == row]
        if codes:
            odds = engine.odds(state, row)
            if dice is not None:
                codes = [_rolled(codes, odds, dice)]
            for code in codes:
                outcome = fast.OUTCOMES[code >> 10]
                after = engine.play(state, code)
                part = share * (Fraction(odds[code >> 10], 36) if dice is None else 1)
                if outcome in branches:
                    yield from _follow_state(engine, board, after, branches[outcome], part, dice)
                else:
                    yield after, part
            return
    yield stop, share


def _rolled(codes: list[int], odds: tuple[int, int, int], dice: Rng) -> int:
    ticket = (dice.d6() - 1) * 6 + dice.d6() - 1
    for code in codes:
        ticket -= odds[code >> 10]
        if ticket < 0:
            return code
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
        here = state.emperors[state.to_move]
        if here == kernel.OFF or state.emperors.count(here) == 1:
            stop = state
        if state.result == kernel.FALLEN:
            return state, stop, True
    return state, stop, False
