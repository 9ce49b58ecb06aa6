"""What a plan leads to: the ends of the turn by the reference rules, and the exact risk of the phase that follows them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tetrasolve.tetrarchia.plan.replay import Ending, endings, risk_at
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import REVOLTS

FIGURES = ("p_lost", "p_uprising", "p_new_army", "e_uprisings", "e_revolts")


@dataclass(frozen=True, slots=True)
class Prospects:
    """A plan with every way its turn can end, and what the coming phase can do then, exactly.

    `figures`: the five figures of a phase (`FIGURES`), means over the ways the turn ends; a game that is won has no phase, an
    Empire that falls in the turn counts as lost, with all revolts on the board. `p_won`: the chance to win in this turn.
    """

    plan: Plan
    ends: tuple[Ending, ...]
    figures: dict[str, Fraction]
    p_won: Fraction

    def ip(self) -> Fraction:
        """The mean of the IP spent."""
        return sum((chance * paid for chance, _, paid in self.ends), Fraction(0))

    def as_data(self) -> dict[str, Any]:
        """The exact figures for JSON."""
        numbers = {**self.figures, "p_won_now": self.p_won, "ip": self.ip()}
        return {name: {"exact": str(value), "float": float(value)} for name, value in numbers.items()}


def prospects(position: Position, plan: Plan) -> Prospects:
    """What a plan leads to, carried out by the reference rules.

    :raises IllegalActionError: when the plan does what the rules forbid.
    """
    ends = tuple(endings(position, plan))
    figures = {name: sum((chance * _figure(name, end) for chance, end, _ in ends), Fraction(0)) for name in FIGURES}
    won = sum((chance for chance, end, _ in ends if isinstance(end, Position) and end.is_won), Fraction(0))
    return Prospects(plan, ends, figures, won)


def _figure(name: str, end: Position | Fall) -> Fraction:
    if isinstance(end, Fall):
        return Fraction({"p_lost": 1, "e_revolts": REVOLTS}.get(name, 0))
    return risk_at(name, end, 0)  # by the kernel: the reference rules would take seconds where a phase is large
