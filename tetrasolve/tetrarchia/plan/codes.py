"""Translates plans of the kernel."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.action import attack
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.tree import Fork, Plan

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree  # a name of the stub only


def plan_of(tree: PlanTree, board: Board, *, stated: bool = False, named_by_code: bool = False) -> Plan:
    """A plan of the kernel as a `Plan`; with `stated` outcomes an attack is an ordinary step.

    :param named_by_code: attacks are named by their codes, as in plans of `tetrasolve.tetrarchia.whole`, not by provinces.
    """
    codes, fork = tree
    steps = tuple(fast.to_action(code, board) for code in codes)
    if fork is None:
        return Plan(steps)
    name, branches = fork
    first = fast.to_action(name, board) if named_by_code else attack(board.ids[name], fast.OUTCOMES[0])
    assert first.place is not None
    if stated:
        ((outcome, (_, subtree)),) = branches.items()
        rest = plan_of(subtree, board, stated=True, named_by_code=named_by_code)
        return Plan((*steps, replace(first, outcome=fast.OUTCOMES[outcome]), *rest.steps))
    ways = tuple(
        (fast.OUTCOMES[outcome], Fraction(share, 36), plan_of(subtree, board, named_by_code=named_by_code))
        for outcome, (share, subtree) in sorted(branches.items())
    )
    return Plan(steps, Fork(first.place, ways, first.figure, first.payments))
