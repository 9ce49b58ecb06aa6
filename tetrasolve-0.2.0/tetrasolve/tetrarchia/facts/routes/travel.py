"""The board as one Emperor travels it, and the shortest ways to a province.

A *state* is a province (by row) with the zones where the fleets lie. A *setting* says how the fleets lie at the start and
whether they may sail: ``12`` two fleets that stay in zones 1 and 2, ``sail12`` two that lie there and may sail for 1 IP,
``none`` no fleet. Where no fleet can sail a setting with ``sail`` would be the one without it, and is left out.

A *clock* counts what a way costs. That of IP adds them up. That of turns counts the turns begun, of 6 IP each: an action is
done within one turn, so what is left of a turn may be lost. It is read backwards from the end of the last turn, which
is as good: the least number of turns into which the actions of a way can be divided, in their order, is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from typing import TypeAlias

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import BROKEN_LINK, BY_SEA, IP_A_TURN, NORMAL_LINK, SAIL_COST

Fleets: TypeAlias = frozenset[int]
Potential: TypeAlias = tuple[int | None, ...]  # for each province by row what is left from there, None: no way
Clock: TypeAlias = Callable[[int, int], int]

SAIL, NO_FLEET = "sail", "none"


def in_ip(before: int, cost: int) -> int:
    """The clock of IP."""
    return before + cost


def in_turns(before: int, cost: int) -> int:
    """The clock of turns: the IP after the end of the last turn, counted backwards; each turn holds `IP_A_TURN`.

    >>> in_turns(5, 1), in_turns(5, 2)
    (6, 8)
    """
    used = (before - 1) % IP_A_TURN + 1 if before else 0
    return before + cost if used + cost <= IP_A_TURN else before - used + IP_A_TURN + cost


def turns(time: int | None) -> int | None:
    """The turns begun by this time on the clock of turns."""
    return None if time is None else -(-time // IP_A_TURN)


def word_of(fleets: Fleets) -> str:
    """A set of fleets as a word."""
    return "".join(map(str, sorted(fleets))) or NO_FLEET


class Travel:
    """What one move or sail can do on a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.links = tuple(
            {
                board.order[other]: BROKEN_LINK if link.broken else NORMAL_LINK
                for other, link in board.neighbours(p).items()
            }
            for p in board.ids
        )
        zones = range(1, len(board.zones) + 1)
        self.fleet_sets = tuple(
            frozenset(chosen) for size in range(len(zones) + 1) for chosen in combinations(zones, size)
        )
        self._moves = {
            fleets: tuple(tuple(self._from(row, fleets)) for row in range(len(board.ids))) for fleets in self.fleet_sets
        }
        self.voyages = {fleets: tuple(self._voyages(fleets)) for fleets in self.fleet_sets}
        self._known: dict[tuple[str, Clock, int, bool, Fleets], dict[Fleets, Potential]] = {}

    def _from(self, row: int, fleets: Fleets) -> Iterator[tuple[int, int]]:
        costs = dict(self.links[row])
        for zone in fleets & self.board[self.board.ids[row]].zones:
            for place in self.board.coast[zone]:
                costs[self.board.order[place]] = BY_SEA
        costs.pop(row, None)
        yield from sorted(costs.items())

    def _voyages(self, fleets: Fleets) -> Iterator[Fleets]:
        for zone in sorted(fleets):
            for other in self.board.adjacent(zone):
                if other not in fleets:
                    yield fleets - {zone} | {other}

    def moves(self, row: int, fleets: Fleets) -> tuple[tuple[int, int], ...]:
        """Where one move leads from a province, with its IP."""
        return self._moves[fleets][row]

    @cached_property
    def settings(self) -> Mapping[str, tuple[Fleets, bool]]:
        """For each setting the fleets at the start, and whether they may sail."""
        still = {word_of(fleets): (fleets, False) for fleets in self.fleet_sets}
        return still | {SAIL + word_of(fleets): (fleets, True) for fleets in self.fleet_sets if self.voyages[fleets]}

    def potential(self, target: str, setting: str, clock: Clock = in_ip, start: int = 0) -> Potential:
        """What the shortest way to a province costs from each, where `start` is paid there at the end."""
        fleets, sails = self.settings[setting]
        group = frozenset({len(fleets)}) if sails else fleets  # who sails can reach all sets of as many fleets
        key = (target, clock, start, sails, group)
        if key not in self._known:
            ends = [other for other in self.fleet_sets if len(other) == len(fleets)] if sails else [fleets]
            self._known[key] = self._shortest(self.board.order[target], ends, clock, start, sails=sails)
        return self._known[key][fleets]

    def _shortest(
        self, target: int, ends: list[Fleets], clock: Clock, start: int, *, sails: bool
    ) -> dict[Fleets, Potential]:
        """Backwards from the target, wherever the fleets lie in the end; states in the order of their time (Dijkstra)."""
        times: dict[tuple[int, Fleets], int] = {(target, fleets): start for fleets in ends}
        waiting: dict[int, list[tuple[int, Fleets]]] = {start: list(times)}
        now = start
        while waiting:
            for state in waiting.pop(now, ()):
                if times[state] != now:
                    continue
                row, fleets = state
                before = [((other, fleets), cost) for other, cost in self._moves[fleets][row]]
                before += [((row, other), SAIL_COST) for other in self.voyages[fleets] if sails]
                for other_state, cost in before:  # every way can be gone back for the same IP
                    time = clock(now, cost)
                    if time < times.get(other_state, time + 1):
                        times[other_state] = time
                        waiting.setdefault(time, []).append(other_state)
            now += 1
        return {fleets: tuple(times.get((row, fleets)) for row in range(len(self.links))) for fleets in ends}


@lru_cache(maxsize=4)
def travel(board: Board) -> Travel:
    """The travels of a board, made once."""
    return Travel(board)
