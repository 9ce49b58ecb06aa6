"""Objectives of a turn: sums of literals to be maximised, and constraints."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tetrasolve.errors import ObjectiveError
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.plan.model.extending import payable as payable_places
from tetrasolve.tetrarchia.plan.model.formula import FALSE, Lit, Sum
from tetrasolve.tetrarchia.plan.model.table import ARMY, GLORY, PIRATES, Table, figure
from tetrasolve.tetrarchia.plan.model.turn import TurnModel
from tetrasolve.tetrarchia.plan.objective import Constraint, Goal, LeastIp, Objective, Term, Value
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules import Fall


def sums(turn: TurnModel, objective: Objective) -> tuple[Sum, ...]:
    """The terms of a deterministic objective, each to be maximised."""
    return tuple(_sum(turn, term) for term in objective.terms)


def impose(turn: TurnModel, constraint: Constraint) -> None:
    """Add the constraint of an objective; if there is one, the Empire must not fall."""
    formula, end = turn.formula, turn.end
    if not constraint:
        return
    formula.clause(-turn.fallen)
    if constraint.end_in:
        formula.clause(*(turn.at_end(place) for place in sorted(constraint.end_in)))
    for place in sorted(constraint.not_end_in):
        formula.clause(-turn.at_end(place))
    supply = turn.ruleset.garrisons - turn.extras.removed
    formula.at_most(supply - constraint.keep, turn.used_discs(turn.last))
    if constraint.discs:
        payable = payable_places(end)
        fixed = [lit for place, lit in end.table.all(turn.emperor).items() if place not in payable]
        formula.at_most(supply - constraint.discs, [*fixed, *turn.paid_discs(turn.last)])
    if constraint.spend is not None and constraint.spend < turn.most_ip:
        formula.clause(-turn.paid(constraint.spend + 1))


DISCS_ASIDE = {
    "imperium",
    "roma-aeterna",
}  # variants with discs beside the board, which the table of a layer does not have


def exclude(turn: TurnModel, end: Position | Fall) -> None:
    """Leave out the turns that end in this position.

    :raises ObjectiveError: when a variant with discs beside the board is in use.
    """
    if used := DISCS_ASIDE & turn.ruleset.extensions:
        raise ObjectiveError(f"with {' and '.join(sorted(used))} solvers cannot leave out an end of the turn")
    if isinstance(end, Fall):
        turn.formula.clause(-turn.fallen)
        return
    lying = Table.of(end).things
    table = turn.end.table.things
    differs = [-turn.end.table[thing] for thing in lying] + [lit for thing, lit in table.items() if thing not in lying]
    if end.here is None:
        differs += [turn.at_end(place) for place in turn.board.ids]
    else:
        differs.append(-turn.at_end(end.here))
    turn.formula.clause(turn.fallen, *differs)


def _sum(turn: TurnModel, term: Term) -> Sum:
    match term:
        case Goal():
            return Sum.of([(1, turn.formula.all_of(wanted(turn, term)))])
        case Value():
            stands = -turn.fallen
            return Sum.of((weight, turn.formula.all_of((lit, stands))) for weight, lit in _weighed(turn, term))
        case LeastIp():
            return Sum.of((-1, turn.paid(least)) for least in range(1, turn.most_ip + 1))
    raise ValueError(f"{term} is about the dice of the phase that follows")


def wanted(turn: TurnModel, goal: Goal) -> Iterator[Lit]:
    """The literals that a goal requires at the end."""
    end = turn.end
    yield -turn.fallen
    yield from (turn.at_end(place) for place in sorted(goal.reach))
    yield from (end.garrison(place) for place in sorted(goal.secure))
    for place in sorted(goal.clear):
        yield from (-end.revolt(place), -end.unrest(place))
    yield from (-end.table[ARMY, place] for place in sorted(goal.kill))
    if PIRATES in goal.kill:
        yield -turn.formula.any_of(end.table.all(PIRATES).values())
    yield from (turn.helper_at_end(name) for name in sorted(goal.deploy))
    yield turn.glory(goal.glory)


def _weighed(turn: TurnModel, value: Value) -> Iterator[tuple[int, Lit]]:
    """The weighted discs and figures at the end."""
    end, board = turn.end, turn.board
    there: dict[str, Callable[[str], Lit]] = {
        "revolt": lambda place: end.table[REVOLT_DISC, place],
        "unrest": lambda place: end.table[UNREST_DISC, place],
        "garrison": end.garrison,
        "army": lambda place: end.table[ARMY, place],
        "emperor": turn.at_end,
        DUX: lambda place: end.table[figure(DUX), place],
        VICARIUS: lambda place: end.table[figure(VICARIUS), place],
    }
    for kind, literal in there.items():
        for weight, place in zip(value.table(kind, board) or (), board.ids, strict=False):
            lit = literal(place) if weight else FALSE
            if lit != FALSE:
                yield weight, lit
    for kind, _, weight in value.weights:
        if kind == PIRATES:
            yield weight, turn.formula.any_of(end.table.all(PIRATES).values())
        elif kind == GLORY:
            most = turn.extras.glory + len(end.table.all(GLORY))
            yield from ((weight, turn.glory(least)) for least in range(1, most + 1))
