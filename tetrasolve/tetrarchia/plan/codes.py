"""Translates plans of the kernel."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, Shown
from tetrasolve.tetrarchia.whole import PIRATES

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree  # a name of the stub only


DICE_LIE = 3  # in a code, in the place of an outcome: the dice have fallen, and discs can still be paid
NEVER = 7  # no number of discs is enough


def plan_of(
    tree: PlanTree,
    board: Board,
    *,
    stated: bool = False,
    named_by_code: bool = False,
    actions: dict[int, Action] | None = None,
) -> Plan:
    """A plan of the kernel as a `Plan`; with `stated` outcomes, and once dice have fallen, an attack is an ordinary step.

    :param named_by_code: attacks are named by their codes, as in plans of `tetrasolve.tetrarchia.whole`, not by provinces.
    :param actions: actions of this board by their codes, which this adds to: the plans of a turn have few different ones.
    """
    codes, fork = tree
    actions = {} if actions is None else actions
    for code in codes:
        if code not in actions:
            actions[code] = fast.to_action(code, board)
    steps = tuple(actions[code] for code in codes)
    if fork is None:
        return Plan(steps)
    name, branches = fork
    attack = attack_of(name, board) if named_by_code else Action(Kind.ATTACK, board.ids[name])
    if stated:
        return _fought(steps, attack, branches, board, stated=True, named_by_code=named_by_code)
    assert attack.place is not None
    if named_by_code and is_dice(name):
        shown = (
            (shown_of(key), Fraction(share, 36), _paid(after, board))
            for key, (share, after) in sorted(branches.items(), key=_best_first)
        )
        return Plan(steps, Fork(attack.place, tuple(shown), attack.figure))
    ends = (
        (
            fast.OUTCOMES[outcome],
            Fraction(share, 36),
            plan_of(after, board, named_by_code=named_by_code, actions=actions),
        )
        for outcome, (share, after) in sorted(branches.items())
    )
    return Plan(steps, Fork(attack.place, tuple(ends), attack.figure, attack.payments))


def is_attack(code: int) -> bool:
    """Whether an edge of a turn is an attack, or what its dice show."""
    return code & 15 in (kernel.ATTACK, PIRATES)


def attack_name(code: int) -> int:
    """The code of an attack without what comes of it: equal for all outcomes of one attack, or all that its dice can show."""
    return code & ~(0x3F << 15 if is_dice(code) else DICE_LIE << 10)


def branch_key(code: int) -> int:
    """The key of a branch in plans of the kernel: the outcome, or what the dice show."""
    return code >> 15 if is_dice(code) else code >> 10 & 3


def is_dice(code: int) -> bool:
    """Whether an attack leads to dice that can still be paid for."""
    return code >> 10 & 3 == DICE_LIE


def attack_of(code: int, board: Board) -> Action:
    """The attack of a code of the whole kernel, whatever comes of it."""
    payments = () if is_dice(code) else fast.payments_of(code, board)
    found = fast.to_action(code & (1 << 10) - 1 | code & 7 << 12, board)
    return Action(Kind.ATTACK, found.place, figure=found.figure, payments=payments)


def shown_of(key: int) -> Shown:
    """What dice show: the key of a branch after them."""
    draw, victory = key & 7, key >> 3 & 7
    return Shown(None if draw == NEVER else draw, None if victory == NEVER else victory)


def _best_first(branch: tuple[int, object]) -> tuple[int, int]:
    """Branches with fewer discs for a victory, then for a draw, come first."""
    key, _ = branch
    return key >> 3, key & 7


def _paid(tree: PlanTree, board: Board) -> Plan:
    """A plan that begins with what is paid for an attack whose dice lie there."""
    codes, fork = tree
    assert not codes and fork is not None
    return _fought((), attack_of(fork[0], board), fork[1], board, stated=False, named_by_code=True)


def _fought(
    steps: tuple[Action, ...],
    attack: Action,
    branches: Mapping[int, tuple[int, PlanTree]],
    board: Board,
    *,
    stated: bool,
    named_by_code: bool,
) -> Plan:
    ((outcome, (_, after)),) = branches.items()
    rest = plan_of(after, board, stated=stated, named_by_code=named_by_code)
    return Plan((*steps, replace(attack, outcome=fast.OUTCOMES[outcome]), *rest.steps), rest.fork)
