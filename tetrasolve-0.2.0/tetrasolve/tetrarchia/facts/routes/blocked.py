"""The ways to the borders with revolts put where they hinder most.

To enter a province in revolt costs 1 IP more. If none of the revolts still to be put lies on the cheapest way that is left,
the way stays as cheap; so only the provinces of this way need be tried for the next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from heapq import heappop, heappush

from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.routes.reach import number, starts
from tetrasolve.tetrarchia.facts.routes.travel import Fleets, Travel, travel, word_of
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.numbers import INTO_A_REVOLT

MOST_REVOLTS = 3

Revolts = frozenset[int]  # provinces by row


class Blockade:
    """The cheapest ways from one province to another with fleets that stay, against all placements of a few revolts."""

    def __init__(self, ways: Travel, start: str, border: str, fleets: Fleets) -> None:
        board = ways.board
        self.ways, self.fleets = ways, fleets
        self.start, self.end = board.order[start], board.order[border]
        self.roman = frozenset(board.order[place] for place in board.ids if not board[place].is_border)
        self.free = ways.potential(border, word_of(fleets))  # what is left without revolts: never more than with some
        self._ways: dict[Revolts, tuple[int, Revolts]] = {}

    def way(self, revolts: Revolts) -> tuple[int, Revolts]:
        """A cheapest way under these revolts (A*): its IP, and the Roman provinces that it enters."""
        if revolts not in self._ways:
            before: dict[int, int] = {}
            paid = {self.start: 0}
            waiting = [(self.free[self.start] or 0, self.start)]
            while (row := heappop(waiting)[1]) != self.end:
                for other, cost in self.ways.moves(row, self.fleets):
                    ip, left = paid[row] + cost + INTO_A_REVOLT * (other in revolts), self.free[other]
                    if left is not None and ip < paid.get(other, ip + 1):
                        paid[other], before[other] = ip, row
                        heappush(waiting, (ip + left, other))
            entered = {row}
            while before[row] != self.start:
                row = before[row]
                entered.add(row)
            self._ways[revolts] = paid[self.end], self.roman & entered
        return self._ways[revolts]

    def worst(self, more: int, revolts: Revolts = frozenset()) -> tuple[int, Revolts]:
        """The dearest cheapest way with so many revolts more, and all revolts that make it so."""
        cost, entered = self.way(revolts)
        worst = cost, revolts
        for row in sorted(entered - revolts) if more else ():
            if worst[0] == cost + more * INTO_A_REVOLT:
                break  # no revolt adds more than 1 IP to a way
            worst = max(worst, self.worst(more - 1, revolts | {row}), key=lambda found: found[0])
        return worst


@lru_cache(maxsize=16)
def _derive(board: Board) -> Mapping[str, Values]:
    ways = travel(board)
    facts: dict[str, Values] = {}
    for start in starts(board):
        values: dict[str, Value] = {}
        for fleets in (ways.fleet_sets[0], ways.fleet_sets[-1]):
            for border in board.borders:
                blockade = Blockade(ways, start, border, fleets)
                is_open = blockade.free[blockade.start] is not None
                for revolts in range(1, MOST_REVOLTS + 1):
                    ip = blockade.worst(revolts)[0] if is_open else None
                    values[f"{revolts}.{word_of(fleets)}.{border}"] = number(ip)
        facts[start] = values
    return facts


def _say(start: str, v: Values) -> str:
    def most(revolts: int, word: str) -> int:
        found = (v[path] for path in v if path.startswith(f"{revolts}.{word}."))
        return max((ip for ip in found if isinstance(ip, int)), default=0)

    last, *fewer = range(MOST_REVOLTS, 0, -1)
    others = ", ".join(f"{k} make it {most(k, 'none')} and {most(k, '123')} IP" for k in fewer)
    return (
        f"From {named(start)} to the border that is then farthest, {last} revolts can make the cheapest way as dear as "
        f"{most(last, 'none')} IP without a fleet and {most(last, '123')} IP with one in every zone; {others}."
    )


TOPICS = (
    Topic(
        "route/blocked",
        "routes",
        "IP to reach each border with revolts where they hinder most",
        "over all placements of 1, 2 and 3 revolts on Roman provinces, by branching on the provinces of the cheapest way; without "
        "a fleet, and with one in every zone",
        "",
        ("links", "kinds", "zones", "printed"),
        _derive,
        None,
        _say,
        effort=0.05,
    ),
)
