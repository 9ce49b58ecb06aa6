"""A Barbarian phase is a chain of steps: each is a table with a roll to come, until a `Position` or a `Fall` is left.

Where a variant lets players decide, a step can also be a `Choice`.

The chapters hand over to one another in the order of the rulebook: `revolts`, then `activity`, then `advance`.
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import Roll
from tetrasolve.tetrarchia.rules.choices import Choice
from tetrasolve.tetrarchia.rules.end import Fall


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


Settled: TypeAlias = Rolling | Position | Fall  # a step that nobody has to decide about
Step: TypeAlias = Settled | Choice
