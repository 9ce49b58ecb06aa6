"""Where a general can go in the rest of a turn, with the least IP: by entering, moving and sailing alone.

The other figures stay where they are, and nobody attacks, subdues or uses a power.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.position import Position

_WAYS = (whole.ENTER, whole.MOVE)


@dataclass(frozen=True, slots=True)
class Reach:
    """The least IP for a general to be in each province, by province and the zones of the fleets then."""

    paid: Mapping[tuple[str, tuple[int, ...]], int]

    def ip(self, place: str, fleet: int | None = None) -> int | None:
        """The least IP to be in a province, with a fleet in a zone if that is required; None if he cannot be there."""
        found = [
            paid for (where, fleets), paid in self.paid.items() if where == place and (fleet is None or fleet in fleets)
        ]
        return min(found, default=None)


def reach(position: Position, leader: str, stop: Stop | None = None) -> Reach:
    """Where this general, the active Emperor or the Dux, can be in the rest of the turn, alone in his province.

    :raises Stopped: when `stop` is set before all is known.
    """
    kernel, board = fast.kernel_of(position), position.board
    ids = [emperor.id for emperor in board.emperors]
    number = 0 if leader == position.to_move else 1 + HELPERS.index(leader)
    paid: dict[tuple[int, int], int] = {}  # by row and mask of the fleets
    levels: list[list[State]] = [[] for _ in range(position.ip + 1)]
    levels[-1].append(fast.to_state(position))
    for left in range(position.ip, -1, -1):
        for state in levels[left]:  # an Emperor who enters pays nothing: his state is added to this level
            place = cast(whole.State, state).dux if number else state.emperors[ids.index(leader)]
            if (place, state.fleets) in paid:
                continue
            check(stop)
            paid[place, state.fleets] = position.ip - left
            for code in kernel.legal(state):
                if (code & 15 in _WAYS and code >> 12 & 7 == number) or code & 15 == whole.SAIL:
                    after = kernel.play(state, code)
                    levels[after.ip].append(after)
    others = {where for who, where in position.romans.items() if who != leader}
    found = {
        (board.ids[place], tuple(zone for zone in range(1, len(board.zones) + 1) if fleets >> (zone - 1) & 1)): least
        for (place, fleets), least in paid.items()
        if place < len(board.ids) and board.ids[place] not in others
    }
    return Reach(found)
