"""One Barbarian phase, exactly: the figures by the reference rules, held against the kernel.

The reference rules give fractions, the kernel the same figures in doubles from a second, independent sweep. Both are
asked, and a difference is an error, not an answer.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Figures
from tetrasolve.tetrarchia.status import require_legal

TOLERANCE = 1e-9  # doubles summed over up to a million outcomes; a wrong rule differs by far more


class FiguresDisagreeError(TetrasolveError):
    """The reference rules and the kernel differ on a figure: a bug of tetrasolve, never of its user."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What the coming Barbarian phase can do to `position`: exact `figures`, which two roads agree on."""

    position: Position
    figures: Figures
    kind: str = "exact"


def risk(position: Position) -> Risk:
    """The exact risk of the Barbarian phase that would follow if the active Emperor stopped now.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> risk(example("movement")).figures.p_uprising
    Fraction(1, 6)

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    """
    require_legal(position)
    figures = rules.figures(position)
    fast_figures = fast.kernel_for(position.board, position.ruleset).phase(fast.to_state(position))
    for field in fields(Figures):
        slow, quick = getattr(figures, field.name), fast_figures[field.name]
        if abs(float(slow) - quick) > TOLERANCE * max(1.0, abs(quick)):
            raise FiguresDisagreeError(
                f"{field.name} of '{position}': {float(slow)} by the reference rules, {quick} by the kernel; please report this"
            )
    return Risk(position, figures)

