"""A turn plan: actions, and after an attack a branch for each outcome. It prints as its notation and reads back.

``move cisalpina; attack narbonensis {victory 2/3: secure; draw 1/12: end; defeat 1/4}``: a branch ends where its turn
ends; an Emperor who stops by choice does so with ``end``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.tetrarchia.action import Action, Outcome, attack


@dataclass(frozen=True, slots=True)
class Fork:
    """An attack on the army in province `army`, and the plan after each outcome with its chance in (0, 1]."""

    army: str
    branches: tuple[tuple[Outcome, Fraction, Plan], ...]

    def action(self, outcome: Outcome) -> Action:
        """The attack with this outcome."""
        return attack(self.army, outcome)


@dataclass(frozen=True, slots=True)
class Plan:
    """Actions in order, then nothing more or an attack that branches."""

    steps: tuple[Action, ...] = ()
    fork: Fork | None = None

    def __str__(self) -> str:
        parts = [str(step) for step in self.steps]
        if self.fork is not None:
            branches = "; ".join(f"{o} {chance}{': ' if str(plan) else ''}{plan}" for o, chance, plan in self.fork.branches)
            parts.append(f"attack {self.fork.army} {{{branches}}}")
        return "; ".join(parts)

    def lines(self) -> Iterator[tuple[tuple[tuple[Outcome, Fraction], ...], Plan]]:
        """Every way the turn can go: the outcomes rolled with their chances, and the last leg of the plan."""
        if self.fork is None:
            yield (), self
            return
        for outcome, chance, plan in self.fork.branches:
            for outcomes, last in plan.lines():
                yield ((outcome, chance), *outcomes), last

    def main_line(self) -> tuple[Action, ...]:
        """The actions when every attack goes as hoped: the first branch each time (victory where it can be rolled)."""
        steps = self.steps
        if self.fork is not None:
            outcome, _, plan = self.fork.branches[0]
            steps += (self.fork.action(outcome), *plan.main_line())
        return steps


