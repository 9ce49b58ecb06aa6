"""Links, and the cost of ways (rulebook page 7, "Move")."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.hooks import SeaRules
from tetrasolve.tetrarchia.rules.registry import rule_modules


def link_cost(position: Position, origin: str, target: str) -> int | None:
    """IP to go through the link between two provinces, revolt in the destination included; None without a link."""
    link = position.board.link(origin, target)
    if link is None:
        return None
    return position.ruleset.numbers["broken-link" if link.broken else "normal-link"] + _revolt_toll(position, target)


# Rule p08-attack-cost
def attack_cost(position: Position, here: str, army: str) -> int | None:
    """IP of an attack through the link between two provinces; None without a link."""
    way = link_cost(position, here, army)
    return None if way is None else way + position.ruleset.numbers["attack"]


def sea_cost(position: Position, origin: str, target: str) -> int | None:
    """IP for a move by a fleet in a zone of both coasts; None when there is none."""
    zones = sea_ways(position, origin).get(target)
    return None if zones is None else zones * position.ruleset.numbers["by-sea"] + _revolt_toll(position, target)


def sea_ways(position: Position, origin: str) -> Mapping[str, int]:
    """The provinces that a figure can reach by sea, with the number of zones on the way."""
    return _sea_ways(position.board, position.fleets, origin, rule_modules(position).sea, _zones(position))


def _zones(position: Position) -> int:
    """The most zones that a way by sea can lead through [I-MARE-ZONES]."""
    return 2 if position.ruleset.readings["I-MARE-ZONES"] == "two" else len(position.board.coast)


# Rule p05-fleets
@lru_cache(maxsize=8192)
def _sea_ways(
    board: Board, fleets: tuple[int, ...], origin: str, in_use: tuple[SeaRules, ...], zones: int
) -> Mapping[str, int]:
    for module in in_use:
        ways = module.sea_ways(board, fleets, origin, zones)
        if ways is not None:
            return ways
    reached = {province for zone in fleets if zone in board[origin].zones for province in board.coast[zone]}
    return dict.fromkeys(reached - {origin}, 1)


def move_cost(position: Position, origin: str, target: str) -> int | None:
    """IP for the cheapest way from a province to another in one move; None when there is no way."""
    ways = [cost for cost in (link_cost(position, origin, target), sea_cost(position, origin, target)) if cost]
    return min(ways, default=None)


def destinations(position: Position, origin: str) -> Iterator[str]:
    """The provinces that one move can reach if they have no army: linked, or on a coast with a fleet."""
    return iter(_destinations(position.board, position.fleets, origin, rule_modules(position).sea, _zones(position)))


@lru_cache(maxsize=8192)
def _destinations(
    board: Board, fleets: tuple[int, ...], origin: str, in_use: tuple[SeaRules, ...], zones: int
) -> tuple[str, ...]:
    reached = {*board.neighbours(origin), *_sea_ways(board, fleets, origin, in_use, zones)} - {origin}
    return tuple(sorted(reached, key=board.order.__getitem__))


def _revolt_toll(position: Position, target: str) -> int:
    return position.ruleset.numbers["into-a-revolt"] if position.has_revolt(target) else 0
