"""Phase of the role: a card is drawn for the next turn, or the Emperor names it; then the next turn begins."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import ROLES

EMPEROR = "emperor"


def begin(position: Position) -> Position:
    """The beginning of the phase: all cards of the turn go back to the deck."""
    return position.replace(
        step=Step.APPOINT if position.role == EMPEROR else Step.ROLE,
        left=0,
        hand=(),
        out=frozenset(),
        protected=None,
        is_quiet=False,
        has_exchanged=False,
    )


def options(position: Position) -> tuple[str, ...]:
    """The roles that can come, or that the Emperor can name [E-EMPEROR]."""
    others_only = position.step is Step.APPOINT and position.ruleset.readings["E-EMPEROR"] == "other"
    return tuple(role for role in ROLES if not (others_only and role == EMPEROR))


def take(position: Position, role: str) -> Position:
    """The next turn, in this role."""
    return position.replace(role=role, step=Step.ACT, left=numbers.ACTIONS)
