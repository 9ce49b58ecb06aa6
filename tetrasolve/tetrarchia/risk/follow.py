"""Follows plans in positions for which they were not made, as far as they are legal.

- Actions are carried out in order. The first illegal one ends the turn; the rest of the plan is left out.
- An attack is rolled with its true chances, not those of the plan. After an outcome without a branch the turn ends. An attack
  written as an action, ``attack gallia victory``, continues after that outcome only. The discs that it names for Galerius are
  paid one after the other until it is a victory [I-GALERIUS-WON].
- Where the plan says what is paid for each thing that the dice can show, and not for what they show here, or what cannot be paid
  here, nothing is paid and the turn ends.
- A turn cannot end where two figures of Rome share a province: then it ends where it last could.
- A plan without actions is a turn in which nobody acts, even if an Emperor off the board would have to enter [I-ENTRY].

There is a function for each engine, so that tests can compare them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias, cast

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.action import Action, Kind, Outcome
from tetrasolve.tetrarchia.action import attack as attack_by
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, Rng, State
from tetrasolve.tetrarchia.plan.codes import attack_name
from tetrasolve.tetrarchia.plan.replay import made_by_dice, made_of, shown_by_dice
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, Shown
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.payment import goes_on

Results: TypeAlias = "list[tuple[Fraction, Action, Plan | None]]"  # None: the turn ends
UNPAID = (1 << 15) - 1  # the bits of an attack's code without payments


def _fight(plan: Plan) -> tuple[tuple[Action, ...], Fork] | None:
    """The first attack of a plan, after the actions before it."""
    for index, step in enumerate(plan.steps):
        if step.kind is Kind.ATTACK:
            assert step.place is not None and step.outcome is not None
            rest = Plan(plan.steps[index + 1 :], plan.fork)
            branches = ((step.outcome, Fraction(1), rest),)
            return plan.steps[:index], Fork(step.place, branches, step.figure, step.payments)
    return None if plan.fork is None else (plan.steps, plan.fork)


def _made_of(
    fork: Fork, shows: Outcome | Shown, is_legal: Callable[[Action], bool], *, goes_on: bool = False
) -> tuple[Action, Plan | None]:
    """What a plan makes of the dice of an attack, and the rest of the plan; `goes_on` as for `made_of`."""
    branch = {shows: branch for shows, _, branch in fork.branches}.get(shows)
    if isinstance(shows, Outcome):
        return fork.action(shows), branch
    if branch is not None:
        with suppress(IllegalActionError):
            attack, rest = made_of(fork, shows, branch, goes_on=goes_on)
            if is_legal(attack):
                return attack, rest
    return fork.action(shows.outcome(0)), None


# -- by the reference rules ------------------------------------------------------------------------------------


def follow(position: Position, plan: Plan) -> dict[Position | Fall, Fraction]:
    """Every end of the turn, with its exact chance."""
    ends: dict[Position | Fall, Fraction] = {}
    _follow(position, plan, Fraction(1), ends)
    return ends


def _follow(position: Position, plan: Plan, share: Fraction, ends: dict[Position | Fall, Fraction]) -> None:
    fight = _fight(plan)
    state, stop, stuck = _steps(position, plan.steps if fight is None else fight[0])
    results = [] if fight is None or stuck or isinstance(state, Fall) else _results(state, fight[1])
    for chance, attack, rest in results:
        assert isinstance(state, Position)
        after = rules.play(state, attack)
        if rest is None or isinstance(after, Fall):
            ends[after] = ends.get(after, Fraction(0)) + share * chance
        else:
            _follow(after, rest, share * chance, ends)
    if not results:
        ends[stop] = ends.get(stop, Fraction(0)) + share


def _results(position: Position, fork: Fork) -> Results:
    """Chance, the attack as it ends, and the rest of the plan, for all that the dice can show; none where it is illegal."""
    try:
        chances = shown_by_dice(position, fork)
    except IllegalActionError:
        return []

    def is_legal(attack: Action) -> bool:
        return rules.objection(position, attack) is None

    further = goes_on(position)
    found: Results = []
    for shows, chance in chances.items():
        attack, rest = _made_of(fork, shows, is_legal, goes_on=further)
        if isinstance(shows, Shown) or not fork.payments:
            found.append((chance, attack, rest))
        else:  # he pays what is named until he has won
            parts = made_by_dice(position, fork, shows, Plan())
            found += [(chance * part, way, rest) for part, way, _ in parts]
    return found


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
    fight = _fight(plan)
    state, stop, stuck = _state_steps(engine, board, state, plan.steps if fight is None else fight[0])
    results = [] if fight is None or stuck else _state_results(engine, board, state, fight[1])
    if results and dice is not None:
        results = [_rolled(results, dice)]
    for chance, attack, rest in results:
        after = engine.play(state, fast.to_code(attack, board))
        if rest is None:
            yield after, share * chance
        else:
            yield from _follow_state(engine, board, after, rest, share * chance, dice)
    if not results:
        yield stop, share


def _state_results(engine: Kernel, board: Board, state: State, fork: Fork) -> Results:
    """As `_results`."""
    plain = fast.to_code(attack_by(fork.army, Outcome.VICTORY, fork.figure), board)
    found = [code for code in _legal(engine, state) if attack_name(code) & UNPAID == plain]
    if not found:
        return []
    if not fork.pays_after_dice:
        return _results_of_named(engine, board, state, fork)
    attacks = {fast.to_action(code, board) for code in found}
    faces = _faces(engine, state, {len(fast.payments_of(code, board)): code for code in found})
    return [(Fraction(count, 36), *_made_of(fork, shows, attacks.__contains__)) for shows, count in faces.items()]


def _results_of_named(engine: Kernel, board: Board, state: object, fork: Fork) -> Results:
    """The same where discs are named before the dice: they are paid one after the other until it is a victory."""
    named = len(fork.payments)
    if named and not isinstance(state, whole.State):
        return []
    ways = [attack_by(fork.army, Outcome.VICTORY, fork.figure, fork.payments[:paid]) for paid in range(named + 1)]
    try:
        faces = _faces(engine, state, {paid: fast.to_code(way, board) for paid, way in enumerate(ways)})
    except whole.KernelError:  # they cannot be paid
        return []
    found = Counter[tuple[Outcome, int]]()
    for shows, count in faces.items():
        paid = named if shows.victory is None else shows.victory
        found[shows.outcome(paid), paid] += count
    rests = {outcome: branch for outcome, _, branch in fork.branches}
    return [
        (Fraction(count, 36), replace(ways[paid], outcome=outcome), rests.get(outcome))
        for (outcome, paid), count in found.items()
    ]


def _faces(engine: Kernel, state: object, attacks: Mapping[int, int]) -> Counter[Shown]:
    """How many pairs of faces show what, from the codes of an attack by the number of discs paid."""
    odds = {paid: _odds(engine, state, code) for paid, code in attacks.items()}
    return Counter(_shown_at(rank, odds) for rank in range(36))


def _shown_at(rank: int, odds: dict[int, tuple[int, int, int]]) -> Shown:
    """What a pair of faces shows, the best of 36 with rank 0: the same pairs are the best whatever is paid."""
    victory = min((paid for paid, chances in odds.items() if rank < chances[0]), default=None)
    draw = min((paid for paid, chances in odds.items() if rank < chances[0] + chances[1]), default=None)
    return Shown(draw, victory)


def _odds(engine: Kernel, state: object, code: int) -> tuple[int, int, int]:
    """The faces of the 36 for each outcome of an attack with this code."""
    if isinstance(state, whole.State):
        return whole.attack_odds(cast(whole.Kernel, engine), state, code)
    return engine.odds(cast(State, state), code >> 4 & 63)


def _rolled(results: Results, dice: Rng) -> tuple[Fraction, Action, Plan | None]:
    """One of the results, with the whole chance."""
    ticket = Fraction((dice.d6() - 1) * 6 + dice.d6() - 1, 36)
    for chance, attack, rest in results:
        ticket -= chance
        if ticket < 0:
            return Fraction(1), attack, rest
    raise AssertionError("the results of an attack have 36 faces between them")


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
