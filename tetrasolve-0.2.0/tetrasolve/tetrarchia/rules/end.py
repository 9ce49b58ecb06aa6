"""The end of the game (rulebook page 11).

Rome wins when all six borders are secured: `Position.is_won`. A fall of the Empire is an event that the position does not
show, so it is a separate outcome, a `Fall`.
"""

from __future__ import annotations

from enum import Enum


# Rule p11-at-once
class Fall(Enum):
    """The fall of the Empire, with its cause."""

    ARMY_IN_ROMA = "an army has entered Roma"
    NO_REVOLT_LEFT = "no revolt is left to be placed"
    NO_UNREST_LEFT = "no unrest is left to be placed"

    def __str__(self) -> str:
        return self.value
