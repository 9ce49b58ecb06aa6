"""The end of the game (rulebook page 11).

Rome wins when all six borders are secured: `Position.is_won` sees that on the table. A fall is an event and is not to
be seen on the table, so it is an outcome of its own, a `Fall`.
"""

from __future__ import annotations

from enum import Enum


# Rule p11-at-once
class Fall(Enum):
    """The Empire has fallen, and why."""

    ARMY_IN_ROMA = "an army has entered Roma"
    NO_REVOLT_LEFT = "no revolt is left to be placed"
    NO_UNREST_LEFT = "no unrest is left to be placed"

    def __str__(self) -> str:
        return self.value
