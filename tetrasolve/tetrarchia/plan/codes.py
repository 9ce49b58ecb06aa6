"""Translates plans of the kernel."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.action import attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.tree import Fork, Plan

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree  # a name of the stub only


def plan_of(tree: PlanTree, board: Board, *, stated: bool = False) -> Plan:
    """A plan of the kernel as a `Plan`; with `stated` outcomes an attack is an ordinary step."""
    codes, fork = tree
    steps = tuple(fast.to_action(code, board) for code in codes)
    if fork is None:
        return Plan(steps)
    army, branches = fork
    if stated:
        ((outcome, (_, subtree)),) = branches.items()
        rest = plan_of(subtree, board, stated=True)
        return Plan((*steps, attack(board.ids[army], fast.OUTCOMES[outcome]), *rest.steps))
    return Plan(
        steps,
        Fork(
            board.ids[army],
            tuple(
                (fast.OUTCOMES[outcome], Fraction(share, 36), plan_of(subtree, board))
                for outcome, (share, subtree) in sorted(branches.items())
            ),
        ),
    )
