"""Positions as integers for a search over turns: provinces are rows of the board file, sets of them are masks."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import BROKEN_LINK, BY_SEA, IP_A_TURN, NORMAL_LINK
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

OFF = -1  # the row of an Emperor who is off the board


class Packed(NamedTuple):
    """Discs and figures as masks: `places` and `garrisons` by Emperor in turn order, `fleets` by zone bit."""

    places: tuple[int, ...]
    fleets: int
    revolts: int
    unrest: int
    garrisons: tuple[int, ...]
    armies: int

    @property
    def secured(self) -> int:
        """The provinces with a garrison of any Emperor."""
        mask = 0
        for garrisons in self.garrisons:
            mask |= garrisons
        return mask


class Ground:
    """The board in masks and rows, without rules."""

    def __init__(self, board: Board, ruleset: Ruleset) -> None:
        self.board, self.ruleset = board, ruleset
        self.row = board.order
        self.emperors = tuple(emperor.id for emperor in board.emperors)
        self.capitals = tuple(self.row[emperor.capital] for emperor in board.emperors)
        self.roma = self.row[board.roma]
        self.borders = board.mask(board.borders)
        self.rows = range(len(board.ids))
        self._ways: dict[tuple[int, int], tuple[tuple[int, int], ...]] = {}  # cached as long as the object
        self.region_of_border = {self.row[b]: board.mask(board.members(board[b].region)) for b in board.borders}
        self.links: tuple[dict[int, int], ...] = tuple(
            {self.row[name]: BROKEN_LINK if link.broken else NORMAL_LINK for name, link in board.neighbours(p).items()}
            for p in board.ids
        )
        self.zones = tuple(sum(1 << zone for zone in board[p].zones) for p in board.ids)
        self.sea = {1 << zone: tuple(self.row[p] for p in coast) for zone, coast in board.coast.items()}
        self.sails = tuple((1 << zone, 1 << other) for zone in board.coast for other in board.adjacent(zone))

    def ways(self, place: int, fleets: int) -> tuple[tuple[int, int], ...]:
        """The provinces that one move can reach, with the price without revolts: by link or fleet, whichever is cheaper."""
        known = self._ways.get((place, fleets))
        if known is None:
            known = self._ways[place, fleets] = self._found_ways(place, fleets)
        return known

    def _found_ways(self, place: int, fleets: int) -> tuple[tuple[int, int], ...]:
        found = dict(self.links[place])
        for zone, coast in self.sea.items():
            if fleets & self.zones[place] & zone:
                found.update(dict.fromkeys(coast, BY_SEA))
        found.pop(place, None)
        return tuple(sorted(found.items()))

    @cached_property
    def fleet_choices(self) -> tuple[int, ...]:
        """Every placement of the fleets, as a mask of zones."""
        zones = list(self.sea)
        masks = (sum(zone for i, zone in enumerate(zones) if chosen >> i & 1) for chosen in range(1 << len(zones)))
        return tuple(mask for mask in masks if mask.bit_count() == self.ruleset.fleets)

    # -- to positions and back ---------------------------------------------------------------------------------

    def pack(self, position: Position) -> Packed:
        """A position in this form."""
        return Packed(
            places=tuple(OFF if place is None else self.row[place] for place in position.emperors.values()),
            fleets=sum(1 << zone for zone in position.fleets),
            revolts=position.revolts_mask,
            unrest=position.unrest_mask,
            garrisons=tuple(position.garrisons_mask(emperor) for emperor in self.emperors),
            armies=position.armies_mask,
        )

    def position(self, packed: Packed, mover: int, ip: int = IP_A_TURN) -> Position:
        """The position of the integers in the turn of this Emperor."""
        board = self.board
        discs = dict.fromkeys(board.unmask(packed.revolts), REVOLT_DISC)
        discs |= dict.fromkeys(board.unmask(packed.unrest), UNREST_DISC)
        for emperor, garrisons in zip(self.emperors, packed.garrisons, strict=True):
            discs |= dict.fromkeys(board.unmask(garrisons), emperor)
        return Position(
            board=board,
            ruleset=self.ruleset,
            to_move=self.emperors[mover],
            phase=Phase.ROMAN,
            ip=ip,
            emperors={
                emperor: None if place == OFF else board.ids[place]
                for emperor, place in zip(self.emperors, packed.places, strict=True)
            },
            fleets=tuple(zone for zone in board.coast if packed.fleets >> zone & 1),
            armies=board.unmask(packed.armies),
            discs=discs,
        )
