"""Which of two armies goes first where the rulebook puts neither before the other (page 10) [I-ORDER-TIE]."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, NO
from tetrasolve.tetrarchia.rules.handling import FIRST, Handled
from tetrasolve.tetrarchia.rules.step import Step

Advancing = Callable[[Position, tuple[str, ...]], Step]  # the advance of armies in this order


@dataclass(frozen=True, slots=True)
class Precedence(Handled):
    """The choice which of the first armies goes first: `ways` has those that are as near to Roma, each with its next province.

    `then` is the advance in the order that is chosen; ``no`` leaves the armies in that of [I-ORDER].
    """

    armies: tuple[str, ...]
    ways: tuple[tuple[str, str | None], ...]
    then: Advancing

    @property
    def question(self) -> str:
        """The armies, and which goes first if nobody says otherwise."""
        tied = ", ".join(army for army, _ in self.ways)
        return f"of the armies of {tied}, as near to Roma, that of {self.armies[0]} goes first; another one?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``first:`` with each army but the one that comes first anyway."""
        return NO, *(f"{FIRST}:{army}" for army, _ in self.ways[1:])

    def after(self, option: str) -> Step:
        """The advance, of the army that is named before the others."""
        _, _, army = option.partition(":")
        if not army:
            return self.then(self.now, self.armies)
        return self.then(self.now, (army, *(other for other in self.armies if other != army)))

    def eager(self) -> int:
        """Of armies that attack generals the one whose battle is best for the decider, the first of equal ones; else the last."""
        sign = -1 if self.decider == BARBARIAN else 1
        found = [(number, odds) for number, odds in enumerate(map(self._odds, self.ways)) if odds is not None]
        return max(found, key=lambda one: (sign * one[1], -one[0]), default=(len(self.ways) - 1, 0))[0]

    def _odds(self, way: tuple[str, str | None]) -> int | None:
        """By how many of 36 throws Rome rather wins than loses against this army; None where it attacks nobody."""
        army, target = way
        general = next((who for who, where in self.now.generals.items() if where == target), None)
        if general is None:
            return None
        chances = battle(self.now, general, army).chances()
        return chances.get(Outcome.VICTORY, 0) - chances.get(Outcome.DEFEAT, 0)
