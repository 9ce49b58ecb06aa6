"""Why a position cannot occur: every reason at once, each with the rule behind it.

A position without reasons is *legal*: nothing in it contradicts the rules. That does not prove that a game reaches it.

============ ====================================================================================
module       checks
============ ====================================================================================
`values`     fields that hold no value of theirs; with one of these nothing else is looked at
`table`      cubes, dice, tracks, the start, cubes of other suits
`turn`       step, role, hand, cards out until a campaign is complete, marks of events
`course`     whether some campaign, event, crisis and invasion fit the cards, decline, dice and cubes
`firstturn`  the first turn: what a set-up and at most four actions leave
`victory`    four pacified tribes where the game goes on
============ ====================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tetrasolve.errors import IllegalPositionError
from tetrasolve.finem.position import Position
from tetrasolve.finem.status.course import course
from tetrasolve.finem.status.firstturn import first_turn
from tetrasolve.finem.status.table import TABLE_CHECKS
from tetrasolve.finem.status.turn import TURN_CHECKS
from tetrasolve.finem.status.values import values
from tetrasolve.finem.status.victory import victory
from tetrasolve.reason import Reason

Check = Callable[[Position], Iterator[Reason]]

CHECKS: tuple[Check, ...] = (*TABLE_CHECKS, victory, *TURN_CHECKS, first_turn, course)

__all__ = ["CHECKS", "Check", "Reason", "require_kernel", "require_legal", "status"]


def status(position: Position) -> tuple[Reason, ...]:
    """Every reason why this position cannot occur; none when it is legal."""
    if reasons := tuple(values(position)):
        return reasons
    return tuple(reason for check in CHECKS for reason in check(position))


def require_kernel(position: Position) -> None:
    """Refuse a position that the kernel does not play, before any work is done on it.

    :raises ReferenceOnlyError: for readings that only the reference rules play.
    :raises IllegalPositionError: with all reasons, when it cannot occur.
    """
    position.ruleset.require_kernel()
    require_legal(position)


def require_legal(position: Position) -> None:
    """Refuse a position that cannot occur.

    :raises IllegalPositionError: with all reasons.
    """
    if reasons := status(position):
        raise IllegalPositionError(reasons)
