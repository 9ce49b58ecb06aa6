"""The end of the game (rulebook page 11), and the reserve whose emptiness ends it.

Rome wins when all six borders are secured: `Position.is_won` sees that on the table. A fall is an event and is not to
be seen on the table, so it is an outcome of its own, a `Fall`.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules.extensions import rooms


# Rule p11-at-once
class Fall(Enum):
    """The Empire has fallen, and why."""

    ARMY_IN_ROMA = "an army has entered Roma"
    NO_REVOLT_LEFT = "no revolt is left to be placed"
    NO_UNREST_LEFT = "no unrest is left to be placed"

    def __str__(self) -> str:
        return self.value


# Rule p11-fall-revolt
def put_revolts(position: Position, provinces: Iterable[str]) -> Position | Fall:
    """A revolt in each of these provinces instead of what lies there, which goes back to its reserve first."""
    places = frozenset(provinces)
    if len(position.revolts | places) - len(position.revolts) > position.reserve_revolts:
        return Fall.NO_REVOLT_LEFT
    placed = position.with_discs(places, REVOLT_DISC)
    for room in rooms(position):
        placed = room.struck(placed, places)
    return placed


# Rule p11-fall-unrest
def put_unrest(position: Position, province: str) -> Position | Fall:
    """An unrest in this province instead of what lies there."""
    if position.reserve_unrest == 0:
        return Fall.NO_UNREST_LEFT
    return position.with_disc(province, UNREST_DISC)
