"""Variant 2, Mare Nostrum (rulebook page 14): fleets in adjacent zones join the zones."""

from __future__ import annotations

from collections.abc import Mapping

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.hooks import SeaRules
from tetrasolve.tetrarchia.rules.registry import register


@register("mare-nostrum")
class MareNostrum(SeaRules):
    """Moves by sea through several zones, at 1 IP for each."""

    # Rule p14-mare-joined
    def sails(self, position: Position, origin: int) -> frozenset[int]:
        """Those next to a zone that is joined with the fleet's own, if joined zones are one when a fleet sails [I-MARE-SAIL]."""
        if position.ruleset.readings["I-MARE-SAIL"] == "own-zone":
            return frozenset()
        joined, near = {origin}, {*position.board.adjacent(origin)}
        while further := near.intersection(position.fleets) - joined:
            joined |= further
            near |= {zone for other in further for zone in position.board.adjacent(other)}
        return frozenset(near - joined)

    # Rule p14-mare-joined, p14-mare-cost
    def sea_ways(self, board: Board, fleets: tuple[int, ...], origin: str, zones: int) -> Mapping[str, int]:
        """The least number of zones on a way from zone to adjacent zone, each with a Roman fleet [I-MARE-ZONES] (page 14)."""
        reached: dict[str, int] = {}
        seen: set[int] = set()
        edge = {zone for zone in fleets if zone in board[origin].zones}
        crossed = 1
        while edge and crossed <= zones:
            for zone in sorted(edge):
                for province in board.coast[zone]:
                    reached.setdefault(province, crossed)
            seen |= edge
            edge = {after for zone in edge for after in board.adjacent(zone) if after in fleets} - seen
            crossed += 1
        reached.pop(origin, None)
        return reached
