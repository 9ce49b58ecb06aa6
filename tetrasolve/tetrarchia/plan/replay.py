"""A plan carried out by the reference rules, which say whether it is legal and what it is worth.

This is the second road to a plan's value: it shares nothing with the search that found the plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Kind, Outcome
from tetrasolve.tetrarchia.plan.objective import Goal, LeastIp, LeastUprising, Objective, Term, Value
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.roman import after_attack


def endings(position: Position, plan: Plan, paid: int = 0) -> list[tuple[Fraction, Position | Fall, int]]:
    """Every way the turn ends under a plan: its chance, the table then, and the IP paid.

    :raises IllegalActionError: when the plan does something the rules forbid, takes an attack for decided, leaves an
        outcome of it out, names one twice, gives it another chance than the dice, or stops where the Emperor may not.
    """
    state: Position | Fall = position
    for action in plan.steps:
        if isinstance(state, Fall):
            raise IllegalActionError(action, "the Empire has fallen")
        if action.kind is Kind.ATTACK:
            raise IllegalActionError(action, "the dice decide an attack: a plan needs a branch for each outcome")
        paid += rules.cost(state, action) if rules.objection(state, action) is None else 0
        state = rules.play(state, action)
    if isinstance(state, Fall):
        return [(Fraction(1), state, paid)]
    if plan.fork is None:
        if state.phase is Phase.ROMAN and not state.is_won:
            rules.play(state, END)  # he stops here: he must be allowed to
        return [(Fraction(1), state, paid)]
    army = plan.fork.army
    rules.attack_roll(state, army)  # refuses an attack that the rules forbid
    shares = rules.battle(state, state.to_move, army).chances()
    chances = [(outcome, Fraction(share, 36)) for outcome, share in shares.items()]
    stated = [(outcome, chance) for outcome, chance, _ in plan.fork.branches]
    if sorted(stated) != sorted(chances):
        raise IllegalActionError(f"attack {army}", f"the plan gives {_said(stated)}, the dice {_said(chances)}")
    ways: list[tuple[Fraction, Position | Fall, int]] = []
    for outcome, chance, branch in plan.fork.branches:
        price = rules.cost(state, plan.fork.action(outcome))
        after = after_attack(state, army, outcome)
        ways += [(chance * share, end, ip) for share, end, ip in endings(after, branch, paid + price)]
    return ways


def _said(chances: Sequence[tuple[Outcome, Fraction]]) -> str:
    return ", ".join(f"{outcome} {chance}" for outcome, chance in chances) or "no outcome"


def expected_values(position: Position, plan: Plan, objective: Objective) -> tuple[Fraction, ...]:
    """The exact value of each term of an objective under a plan: chances in [0, 1], sums of weights, IP.

    :raises IllegalActionError: as `endings`.
    """
    ways = endings(position, plan)
    return tuple(
        sum((chance * value_at(term, end, ip) for chance, end, ip in ways), Fraction(0)) for term in objective.terms
    )


def value_at(term: Term, end: Position | Fall, paid: int) -> Fraction:
    """What a term is worth at the end of a turn for which so much IP was paid."""
    match term:
        case Goal():
            return Fraction(isinstance(end, Position) and term.is_met(end))
        case Value():
            return Fraction(term.of(end)) if isinstance(end, Position) else Fraction(0)
        case LeastIp():
            return Fraction(paid)
        case LeastUprising():
            return Fraction(1) if isinstance(end, Fall) else uprising_chance(end)


def uprising_chance(end: Position) -> Fraction:
    """The chance of at least one uprising in the Barbarian phase of this table, in [0, 1]; none after a victory."""
    return Fraction(0) if end.is_won else rules.uprising_chance(end)
