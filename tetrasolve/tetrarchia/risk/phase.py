"""One Barbarian phase, exactly: the figures by the reference rules, held against the kernel.

The reference rules give fractions, the kernel the same figures in doubles from a second, independent sweep. Both are
asked, and a difference is an error, not an answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Figures, SolvedPhase
from tetrasolve.tetrarchia.status import require_legal

TOLERANCE = 1e-9  # doubles summed over up to a million outcomes; a wrong rule differs by far more


class FiguresDisagreeError(TetrasolveError):
    """The reference rules and the kernel differ on a figure: a bug of tetrasolve, never of its user."""


@dataclass(frozen=True, slots=True)
class Risk:
    """What the coming Barbarian phase can do to `position`: exact `figures`, which two roads agree on.

    `revolts` is the chance, in [0, 1], that the Empire stands after it and a revolt lies in a province; provinces where
    that is impossible are left out.
    """

    position: Position
    figures: Figures
    revolts: Mapping[str, Fraction]
    kind: str = "exact"

    def new_revolts(self) -> dict[str, Fraction]:
        """`revolts` where none lies now, likeliest first."""
        new = [
            (province, chance) for province, chance in self.revolts.items() if not self.position.has_revolt(province)
        ]
        return dict(sorted(new, key=lambda item: (-item[1], self.position.board.order[item[0]])))


def risk(position: Position) -> Risk:
    """The exact risk of the Barbarian phase that would follow if the active Emperor stopped now.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> risk(example("movement")).figures.p_uprising
    Fraction(1, 6)

    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    """
    require_legal(position)
    solved = rules.solve(position)
    figures = solved.figures()
    fast_figures = fast.kernel_for(position.board, position.ruleset).phase(fast.to_state(position))
    for field in fields(Figures):
        slow, quick = getattr(figures, field.name), fast_figures[field.name]
        if abs(float(slow) - quick) > TOLERANCE * max(1.0, abs(quick)):
            raise FiguresDisagreeError(
                f"{field.name} of '{position}': {float(slow)} by the reference rules, {quick} by the kernel; "
                "please report this"
            )
    return Risk(position, figures, _revolt_chances(solved))


def _revolt_chances(solved: SolvedPhase) -> dict[str, Fraction]:
    chances: dict[str, Fraction] = {}
    for result, chance in solved.ends.items():
        for province in result.revolts if isinstance(result, Position) else ():
            chances[province] = chances.get(province, Fraction(0)) + chance
    return chances
