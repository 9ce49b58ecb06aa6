"""What is linked, and what a way costs (rulebook page 7, "Move")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position

NORMAL_LINK = 1
BROKEN_LINK = 2
BY_SEA = 1
INTO_A_REVOLT = 1


def link_cost(position: Position, origin: str, target: str) -> int | None:
    """IP to go through the link between two provinces, revolt in the destination included; None without a link."""
    link = position.board.link(origin, target)
    if link is None:
        return None
    return (BROKEN_LINK if link.broken else NORMAL_LINK) + _revolt_toll(position, target)


def sea_cost(position: Position, origin: str, target: str) -> int | None:
    """IP to be carried by a fleet whose zone washes both provinces; None when there is none."""
    board = position.board
    shared = board[origin].zones & board[target].zones
    if origin == target or not any(zone in shared for zone in position.fleets):
        return None
    return BY_SEA + _revolt_toll(position, target)


def move_cost(position: Position, origin: str, target: str) -> int | None:
    """IP for the cheapest way from a province to another in one move; None when there is no way."""
    ways = [cost for cost in (link_cost(position, origin, target), sea_cost(position, origin, target)) if cost]
    return min(ways, default=None)


def destinations(position: Position, origin: str) -> Iterator[str]:
    """The provinces to which one move could lead from here, were no army there: linked, or on a coast with a fleet."""
    return iter(_destinations(position.board, position.fleets, origin))


@cache
def _destinations(board: Board, fleets: tuple[int, ...], origin: str) -> tuple[str, ...]:
    reached = set(board.neighbours(origin))
    for zone in fleets:
        if zone in board[origin].zones:
            reached.update(board.coast[zone])
    reached.discard(origin)
    return tuple(sorted(reached, key=board.order.__getitem__))


def _revolt_toll(position: Position, target: str) -> int:
    return INTO_A_REVOLT if position.has_revolt(target) else 0
