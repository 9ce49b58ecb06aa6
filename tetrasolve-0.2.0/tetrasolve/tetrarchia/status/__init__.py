"""Why a position cannot occur: every reason at once, each with the rule behind it.

A position without reasons is *legal*: nothing in it contradicts the rules. That does not prove that a game reaches it.
`base` has the checks of every game, `modules` those of modules, variants and scenarios. Both engines read positions
through these checks, which is why they are not part of `tetrasolve.tetrarchia.rules`.
"""

from __future__ import annotations

from tetrasolve.errors import IllegalPositionError
from tetrasolve.reason import Reason
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.status.base import BASE_CHECKS, Check
from tetrasolve.tetrarchia.status.modules import MODULE_CHECKS

CHECKS: tuple[Check, ...] = (*BASE_CHECKS, *MODULE_CHECKS)

__all__ = ["CHECKS", "Check", "Reason", "require_kernel", "require_legal", "status"]


def status(position: Position) -> tuple[Reason, ...]:
    """Every reason why this position cannot occur; none when it is legal."""
    return tuple(reason for check in CHECKS for reason in check(position))


def require_kernel(position: Position, *, house: bool = False) -> None:
    """Refuse a position that the kernels do not play, before any work is done on it.

    `house`: whether what was asked takes its numbers from the ruleset, so that house rules are played.

    :raises ReferenceOnlyError: for readings or house rules that only the reference rules play.
    :raises HouseRuleError: for other house rules, without `house`.
    :raises IllegalPositionError: with all reasons, when it cannot occur.
    """
    position.ruleset.require_kernel()
    if not house:
        position.ruleset.require_standard_numbers()
    require_legal(position)


def require_legal(position: Position) -> None:
    """Refuse a position that cannot occur.

    :raises IllegalPositionError: with all reasons.
    """
    reasons = status(position)
    if reasons:
        raise IllegalPositionError(reasons)
