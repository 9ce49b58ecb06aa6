"""A turn in which every province is what its Emperor wishes when he comes there: no turn can do more.

The machine knows his IP, his province, what lies under him and how many armies are left. Fleets lie in every zone. When he
comes to a province, whatever he likes lies there; the reserve is never empty, no region is in the way of a garrison, and
each attack is a victory. Whatever the rules allow in a true position the machine can do too, at the same price, and it gets
as much for it. So what it can get at most is a bound for every position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.routes.travel import travel
from tetrasolve.tetrarchia.numbers import (
    ARMIES,
    INTO_A_REVOLT,
    IP_A_TURN,
    REDUCE_REVOLT,
    REMOVE_REVOLT,
    REMOVE_UNREST,
    SECURE_BORDER,
    SECURE_PROVINCE,
)

CLEAR, UNREST, REVOLT, GARRISON = range(4)  # what lies under him
UNDER = ("clear", "unrest", "revolt", "garrison")


class Place(NamedTuple):
    """Where the machine is: IP left, province by row, what lies there, armies left to be attacked."""

    ip: int
    row: int
    under: int
    armies: int


class Deed(NamedTuple):
    """What is done, as a word and its province by row, and where it leads."""

    word: str
    row: int
    after: Place


def _disc(before: Place, word: str, under: int) -> bool:
    """Whether this deed takes such a disc from under him."""
    return word in ("remove", "reduce") and before.under == under


@dataclass(frozen=True)
class Thing:
    """Something of which a turn can do much: what it is, what is done to it, and what a deed adds (a border is told by its row)."""

    noun: str
    verb: str
    gain: Callable[[str, Place, Place, Callable[[int], bool]], int]


# An army inside the Empire stands on a revolt, which a victory takes away with it
THINGS: Mapping[str, Thing] = {
    "revolts": Thing(
        "revolts",
        "removed, reduced or taken away with a beaten army",
        lambda word, a, b, border: _disc(a, word, REVOLT) or (word == "attack" and not border(b.row)),
    ),
    "revolts-subdued": Thing("revolts", "removed or reduced", lambda word, a, _, __: _disc(a, word, REVOLT)),
    "revolts-removed": Thing(
        "revolts",
        "removed, and not reduced,",
        lambda word, a, _, __: word == "remove" and a.under == REVOLT,
    ),
    "unrest": Thing("discs of unrest", "removed", lambda word, a, _, __: _disc(a, word, UNREST)),
    "discs": Thing(
        "provinces",
        "freed of a revolt or an unrest",
        lambda word, _, b, border: word == "remove" or (word == "attack" and not border(b.row)),
    ),
    "garrisons": Thing("garrisons", "placed", lambda word, _, __, ___: word == "secure"),
    "armies": Thing("armies", "beaten", lambda word, _, __, ___: word == "attack"),
    "provinces": Thing("provinces", "entered", lambda word, _, __, ___: word in ("move", "attack")),
}


class Machine:
    """All that can be done, on one board; `best` is the most of one thing from each place."""

    def __init__(self, board: Board, thing: str) -> None:
        self.board, self.thing = board, THINGS[thing]
        self.ways = travel(board)
        self.fleets = self.ways.fleet_sets[-1]  # in every zone
        self.is_border = tuple(board[place].is_border for place in board.ids)
        self.best: dict[Place, int] = {}
        self._arrivals: dict[tuple[int, int, int], int] = {}
        for ip in range(IP_A_TURN + 1):  # every deed costs IP, so it leads to what has been worked out
            for armies in range(ARMIES + 1):
                for row in range(len(board.ids)):
                    for under in range(len(UNDER)):
                        if self.may_lie(row, under):
                            place = Place(ip, row, under, armies)
                            self.best[place] = self._best(place)

    def may_lie(self, row: int, under: int) -> bool:
        """Whether such a disc may lie there: on a border only a garrison."""
        return not self.is_border[row] or under in (CLEAR, GARRISON)

    def _best(self, place: Place) -> int:
        """The most from a place: by a deed on the spot or an attack, or by a move."""
        best = max((self.gain(place, deed) + self.best[deed.after] for deed in self._deeds(place)), default=0)
        ip, row, _, armies = place
        moves = self.ways.moves(row, self.fleets)
        onward = max((self._arrival(ip - cost, other, armies) for other, cost in moves if cost <= ip), default=None)
        if onward is not None:
            best = max(
                best, onward + self.gain(place, Deed("move", row, place))
            )  # a move counts the same wherever it leads
        return best

    def _arrival(self, ip: int, row: int, armies: int) -> int:
        """The most after a move, whatever lies there; the IP left do not yet count a revolt."""
        key = ip, row, armies
        if key not in self._arrivals:
            places = [Place(ip - INTO_A_REVOLT * (under == REVOLT), row, under, armies) for under in range(len(UNDER))]
            self._arrivals[key] = max(self.best[there] for there in places if there in self.best)
        return self._arrivals[key]

    def gain(self, place: Place, deed: Deed) -> int:
        """What a deed adds."""
        return int(self.thing.gain(deed.word, place, deed.after, self.is_border.__getitem__))

    def deeds(self, place: Place) -> Iterator[Deed]:
        """All that can be done from here."""
        yield from self._deeds(place)
        for other, cost in self.ways.moves(place.row, self.fleets):
            for under in range(len(UNDER)):
                left = place.ip - cost - INTO_A_REVOLT * (under == REVOLT)
                if left >= 0 and self.may_lie(other, under):
                    yield Deed("move", other, Place(left, other, under, place.armies))

    def _deeds(self, place: Place) -> Iterator[Deed]:
        """All but moves."""
        ip, row, under, armies = place
        if ip:
            yield Deed("wait", row, place._replace(ip=ip - 1))  # to sail, and to fight a draw, is no better
        if under == REVOLT and ip >= REMOVE_REVOLT:
            yield Deed("remove", row, place._replace(ip=ip - REMOVE_REVOLT, under=CLEAR))
        if under == REVOLT and ip >= REDUCE_REVOLT:
            yield Deed("reduce", row, place._replace(ip=ip - REDUCE_REVOLT, under=UNREST))
        if under == UNREST and ip >= REMOVE_UNREST:
            yield Deed("remove", row, place._replace(ip=ip - REMOVE_UNREST, under=CLEAR))
        price = SECURE_BORDER if self.is_border[row] else SECURE_PROVINCE
        if under == CLEAR and ip >= price:
            yield Deed("secure", row, place._replace(ip=ip - price, under=GARRISON))
        for other, cost in self.ways.links[row].items():
            toll = cost + INTO_A_REVOLT * (not self.is_border[other])
            if armies and toll <= ip:
                yield Deed("attack", other, Place(ip - toll, other, CLEAR, armies - 1))

    def bound(self, ip: int) -> int:
        """The most with so many IP, wherever he begins."""
        return max(best for place, best in self.best.items() if place.ip == ip and place.armies == ARMIES)


@lru_cache(maxsize=16)
def machine(board: Board, thing: str) -> Machine:
    """The machine of a board for one thing, made once."""
    return Machine(board, thing)
