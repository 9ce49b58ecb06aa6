"""A Barbarian phase is a chain of steps: each is a table with a roll to come, until a `Position` or a `Fall` is left.

Where a variant lets players decide, a step can also be a `Choice`.

The chapters hand over to one another in the order of the rulebook: `revolts`, then `activity`, then `advance`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Protocol, TypeAlias

from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import Roll
from tetrasolve.tetrarchia.rules.end import Fall

NOBODY: frozenset[str] = frozenset()  # no army waits for the next phase


class Rolling(Protocol):
    """A step that waits for dice."""

    def __hash__(self) -> int:
        """Steps are compared by value, so that equal ones are met once."""
        ...

    @property
    def position(self) -> Position:
        """The table as it lies now."""
        ...

    def roll(self) -> Roll[Step]:
        """The dice that come now, and the step after each face."""
        ...


class Choice(ABC):
    """A step that waits for a decision. Choices are compared by value, like rolls."""

    __slots__ = ()

    @property
    @abstractmethod
    def position(self) -> Position:
        """The table as it lies now."""

    @property
    @abstractmethod
    def decider(self) -> str:
        """Who decides: an Emperor's id, or ``"barbarian"``."""

    @property
    @abstractmethod
    def question(self) -> str:
        """What is to be decided, for a player."""

    @property
    @abstractmethod
    def options(self) -> tuple[str, ...]:
        """The answers by their names in a record, ``no`` first; there are always two at least."""

    @abstractmethod
    def after(self, option: str) -> Step:
        """The step that follows one of the options."""

    @abstractmethod
    def eager(self) -> int:
        """What the policy `eager` answers."""


Settled: TypeAlias = Rolling | Position | Fall  # a step that nobody has to decide about
Step: TypeAlias = Settled | Choice

# What comes next in a Barbarian phase, from the table and the armies that do not advance in it; equal ones are equal.
Then: TypeAlias = Callable[[Position, frozenset[str]], Step]
