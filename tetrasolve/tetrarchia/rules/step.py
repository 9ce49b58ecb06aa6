"""Steps of a Barbarian phase: each is a position with the next roll; the last is a `Position` or a `Fall`.

Where a variant has choices, a step can also be a `Choice`. The modules follow one another in the order of the rulebook:
`revolts`, then `activity`, then `advance`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeAlias, runtime_checkable

from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import Roll
from tetrasolve.tetrarchia.rules.end import Fall

NOBODY: frozenset[str] = frozenset()  # no resting armies


class Rolling(Protocol):
    """A step that requires dice."""

    def __hash__(self) -> int:
        """Steps are compared by value, so that equal ones are merged."""
        ...

    @property
    def position(self) -> Position:
        """The current position."""
        ...

    def roll(self) -> Roll[Step]:
        """The next dice, and the step after each face."""
        ...


@runtime_checkable
class Naming(Protocol):
    """A step whose dice name a province."""

    def named(self, faces: tuple[int, ...]) -> str:
        """The province that these faces name."""
        ...


# Rule p15-barbaria-reroll
@dataclass(frozen=True, slots=True)
class Rerolled:
    """A step with dice that are rolled again, and whose new result stands [I-REROLL]."""

    rolled: Rolling

    @property
    def position(self) -> Position:
        """The current table."""
        return self.rolled.position

    def roll(self) -> Roll[Step]:
        """The dice of the step; faces that are rolled again in any case do not change that the result stands."""
        roll = self.rolled.roll()
        return Roll(roll.questions, tuple(self if result == self.rolled else result for result in roll.results))


def unmarked(step: Settled) -> Settled:
    """The step itself, where its dice are rolled again."""
    return step.rolled if isinstance(step, Rerolled) else step


class Choice(ABC):
    """A step that requires a decision. Choices are compared by value, like rolls."""

    __slots__ = ()

    @property
    @abstractmethod
    def position(self) -> Position:
        """The current position."""

    @property
    @abstractmethod
    def decider(self) -> str:
        """The decider: an Emperor's id, or ``"barbarian"``."""

    @property
    @abstractmethod
    def question(self) -> str:
        """The question, as text for a player."""

    @property
    @abstractmethod
    def options(self) -> tuple[str, ...]:
        """The answers by their names in a record, ``no`` first; there are always at least two."""

    @abstractmethod
    def after(self, option: str) -> Step:
        """The step that follows one of the options."""

    def before_rolling_again(self, stands: bool) -> Choice | None:
        """The choice to offer where it is answered before the dice may be rolled again; None where that comes first.

        `stands`: the dice were rolled again, and may not be once more.
        """
        del stands
        return None

    @abstractmethod
    def eager(self) -> int:
        """The answer of the policy `eager`."""


Settled: TypeAlias = Rolling | Position | Fall  # a step without a choice
Step: TypeAlias = Settled | Choice

# The continuation of a Barbarian phase, from the position and the armies that do not advance in it; compared by value.
Then: TypeAlias = Callable[[Position, frozenset[str]], Step]
