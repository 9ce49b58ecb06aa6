"""The ways to the borders with revolts put where they hinder most.

Whoever puts k revolts on Roman provinces wants the cheapest way to a border to be as dear as it can be: to enter a province
in revolt costs 1 IP more. If none of the revolts still to be put lies on the cheapest way that is left, the way stays as
cheap; so only the provinces of this way need be tried for the next one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import TypeAlias

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import many
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.routes.reach import number, starts
from tetrasolve.tetrarchia.facts.routes.travel import Fleets, Travel, travel, word_of
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.numbers import INTO_A_REVOLT, SAIL_COST

KIND = "route-blocked"
CERTIFICATE = "blockade"
MOST_REVOLTS = 3

State: TypeAlias = tuple[int, Fleets]  # a province by row, and where the fleets lie
Revolts: TypeAlias = frozenset[int]  # provinces by row
Way: TypeAlias = tuple[State, ...]


class Blockade:
    """The cheapest ways from one start to one border in one setting, against all placements of a few revolts."""

    def __init__(self, ways: Travel, start: str, border: str, setting: str) -> None:
        self.ways, self.border, self.setting = ways, border, setting
        board = ways.board
        self.roman = frozenset(board.order[p.id] for p in board.provinces.values() if not p.is_border)
        fleets, self.sails = ways.settings[setting]
        self.start: State = (board.order[start], fleets)
        self.target = board.order[border]
        self.free = {there: self._free(there) for there in ways.fleet_sets if there == fleets or self.sails}
        self.cheapest: dict[Revolts, tuple[int, Way]] = {}  # for each placement that has been looked at
        self._worst: dict[tuple[Revolts, int], tuple[int, Revolts]] = {}

    def _free(self, fleets: Fleets) -> tuple[int | None, ...]:
        """What is left to the border without any revolt: never more than with some."""
        word = word_of(fleets)
        if self.sails and self.ways.voyages[fleets]:
            word = f"sail{word}"
        return self.ways.potential(self.border, word)

    @property
    def is_open(self) -> bool:
        """Whether there is a way at all."""
        return self.free[self.start[1]][self.start[0]] is not None

    def steps(self, state: State, revolts: Revolts) -> Iterator[tuple[State, int]]:
        """Where one move or sail leads, with its IP."""
        row, fleets = state
        for other, cost in self.ways.moves(row, fleets):
            yield (other, fleets), cost + INTO_A_REVOLT * (other in revolts)
        if self.sails:
            for there in self.ways.voyages[fleets]:
                yield (row, there), SAIL_COST

    def way(self, revolts: Revolts) -> tuple[int, Way]:
        """A cheapest way under these revolts, with its IP; what is left without revolts leads the search (A*)."""
        if revolts not in self.cheapest:
            self.cheapest[revolts] = self._way(revolts)
        return self.cheapest[revolts]

    def _way(self, revolts: Revolts) -> tuple[int, Way]:
        first = self.free[self.start[1]][self.start[0]]
        assert first is not None
        paid, before = {self.start: (0, 0)}, dict[State, State]()  # IP and steps: of equal ways that with fewer steps
        waiting = [(first, 0, 0, self.start)]
        tick = 0
        while True:
            _, _, _, state = heappop(waiting)
            if state[0] == self.target:
                way = [state]
                while way[-1] != self.start:
                    way.append(before[way[-1]])
                return paid[state][0], tuple(reversed(way))
            for other, cost in self.steps(state, revolts):
                ip, steps = paid[state][0] + cost, paid[state][1] + 1
                left = self.free[other[1]][other[0]]
                if left is not None and (other not in paid or (ip, steps) < paid[other]):
                    paid[other], before[other] = (ip, steps), state
                    tick += 1
                    heappush(waiting, (ip + left, steps, tick, other))

    def entered(self, way: Way) -> Revolts:
        """The Roman provinces into which a way leads."""
        return frozenset(b for (a, _), (b, _) in pairwise(way) if a != b) & self.roman

    def worst(self, revolts: Revolts, more: int) -> tuple[int, Revolts]:
        """The dearest cheapest way with so many revolts more, and all revolts that make it so."""
        key = (revolts, more)
        if key not in self._worst:
            cost, way = self.way(revolts)
            worst = cost, revolts
            for row in sorted(self.entered(way) - revolts) if more else ():
                if worst[0] == cost + more * INTO_A_REVOLT:
                    break  # no revolt makes a way dearer by more than 1 IP
                worst = max(worst, self.worst(revolts | {row}, more - 1), key=lambda found: found[0])
            self._worst[key] = worst
        return self._worst[key]

    # -- for the certificate -----------------------------------------------------------------------------------

    def answers(self, bound: int, revolts: Revolts, more: int) -> Iterator[Revolts]:
        """The placements whose ways show, together, that so many revolts more make no way dearer than the bound."""
        cost, way = self.way(revolts)
        yield revolts
        if cost + more * INTO_A_REVOLT > bound:
            for row in self.entered(way) - revolts:
                yield from self.answers(bound, revolts | {row}, more - 1)

    def potential(self, revolts: Revolts) -> dict[Fleets, tuple[int | None, ...]]:
        """What is left to the border from everywhere under these revolts."""
        left: dict[State, int] = {(self.target, fleets): 0 for fleets in self.free if self._is_near(fleets)}
        waiting = [(0, tick, state) for tick, state in enumerate(left)]
        tick = len(waiting)
        while waiting:
            ip, _, state = heappop(waiting)
            row, fleets = state
            if ip > left[state]:
                continue
            toll = INTO_A_REVOLT * (row in revolts)
            back = [((other, fleets), cost + toll) for other, cost in self.ways.moves(row, fleets)]
            back += [((row, there), SAIL_COST) for there in self.ways.voyages[fleets] if self.sails]
            for other, cost in back:
                if ip + cost < left.get(other, ip + cost + 1):
                    left[other] = ip + cost
                    tick += 1
                    heappush(waiting, (ip + cost, tick, other))
        rows = range(len(self.ways.board.ids))
        return {there: tuple(left.get((row, there)) for row in rows) for there in self.free if self._is_near(there)}

    def _is_near(self, fleets: Fleets) -> bool:
        return len(fleets) == len(self.start[1])


@lru_cache(maxsize=512)
def _blockade(board: Board, start: str, border: str, setting: str) -> Blockade:
    return Blockade(travel(board), start, border, setting)


def _derive(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for start in starts(board):
        values: dict[str, Value] = {}
        for setting in travel(board).settings:
            for border in board.borders:
                blockade = _blockade(board, start, border, setting)
                for revolts in range(1, MOST_REVOLTS + 1):
                    ip = blockade.worst(frozenset(), revolts)[0] if blockade.is_open else None
                    values[f"{revolts}.{setting}.{border}"] = number(ip)
        facts[start] = values
    return facts


def _certify(board: Board, instance: str, values: Values) -> Certificate:
    """Placements that make a way so dear, each with potentials; and ways that answer all placements."""
    placements: list[str] = []
    ways: list[str] = []
    for setting in travel(board).settings:
        for border in board.borders:  # in the order of their regions
            blockade = _blockade(board, instance, border, setting)
            if blockade.is_open:
                name = f"{setting} {border}"
                placements += (f"{name} {line}" for line in _placements(blockade))
                ways += (f"{name} {line}" for line in _ways(blockade))
    sections = {"placements": placements, "ways": ways}
    return fact_certificate(CERTIFICATE, board, f"{KIND}/{instance}", {"from": instance}, values, sections)


def _numbers(potential: tuple[int | None, ...]) -> str:
    """A potential as text; ``-`` where there is no way."""
    return " ".join("-" if number is None else str(number) for number in potential)


def _codes(board: Board, revolts: Revolts) -> str:
    return ".".join(board[board.ids[row]].code for row in sorted(revolts)) or "-"


def _placements(blockade: Blockade) -> Iterator[str]:
    board = blockade.ways.board
    for more in range(1, MOST_REVOLTS + 1):
        _, revolts = blockade.worst(frozenset(), more)
        for fleets, potential in blockade.potential(revolts).items():
            yield f"{more} {_codes(board, revolts)} {word_of(fleets)} {_numbers(potential)}"


def _ways(blockade: Blockade) -> Iterator[str]:
    board = blockade.ways.board
    needed: set[Revolts] = set()
    for more in range(1, MOST_REVOLTS + 1):
        needed.update(blockade.answers(blockade.worst(frozenset(), more)[0], frozenset(), more))
    for revolts in sorted(needed, key=lambda rows: (len(rows), sorted(rows))):
        _, way = blockade.way(revolts)
        yield f"{_codes(board, revolts)} {' '.join(_written(board, way))}"


def _written(board: Board, way: Way) -> Iterator[str]:
    """The provinces that are entered, by code, and the zones of the fleets after each sail."""
    for before, after in pairwise(way):
        yield board[board.ids[after[0]]].code if before[1] == after[1] else word_of(after[1])


def _say(start: str, v: Values) -> str:
    most = [max(_ip(v, f"{k}.none.", "123"), default=0) for k in range(1, MOST_REVOLTS + 1)]
    fleets = [max(_ip(v, f"{k}.123.", ""), default=0) for k in range(1, MOST_REVOLTS + 1)]
    return (
        f"From {named(start)} to the border that is then farthest, {MOST_REVOLTS} revolts can make the cheapest way as dear as "
        f"{many(most[-1], 'IP', 'IP')} without a fleet and {fleets[-1]} IP with one in every zone (1 revolt: {most[0]} and "
        f"{fleets[0]} IP, 2 revolts: {most[1]} and {fleets[1]} IP)."
    )


def _ip(values: Values, prefix: str, _: str) -> Iterator[int]:
    return (value for path, value in values.items() if path.startswith(prefix) and isinstance(value, int))


TOPICS = (
    Topic(
        KIND,
        "routes",
        "IP to reach each border with revolts where they hinder most",
        "over all placements of 1, 2 and 3 revolts on Roman provinces, by branching on the provinces of the cheapest way",
        CERTIFICATE,
        ("links", "kinds", "zones", "printed"),
        _derive,
        _certify,
        _say,
        effort=0.5,
    ),
)
