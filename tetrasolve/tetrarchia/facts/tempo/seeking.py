"""How the games of `halves` are found: a search with a beam over the turns of a half, in which only useful ends of a turn are kept.

An end is useful if no other end of the same turn in the same province leaves less of a revolt and more of a garrison. Of the
tables after a turn those go on that look nearest to the end: few revolts left where a border is still to be secured, and
Emperors near them. Nothing is left to chance: the same board, beam and sets of revolts give the same games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import TypeAlias

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.tempo.halves import (
    OFF,
    Half,
    PartGame,
    Plan,
    Table,
    Walk,
    turn_of,
)
from tetrasolve.tetrarchia.numbers import FIRST_PROVINCE, IP_A_TURN
from tetrasolve.tetrarchia.rules.chance import FACES

End: TypeAlias = tuple[Walk, Plan]
Numbers: TypeAlias = tuple[int, ...]

BORDER, REVOLT, NEAR, LEFT = 4.0, 3.3, 0.6, 0.3  # IP or so, for what is still to be done: tried out, not proved
FAR = 99
MOST_TURNS = 60

# -- what has to be found --------------------------------------------------------------------------------------------

Box: TypeAlias = "tuple[tuple[Numbers, int], ...]"  # for each region some numbers, and how many of them have a revolt

PRICE, TOLL = 4, 9  # IP or so for each revolt, and for all borders: what needs more is not looked for


def boxes(regions: int, extras: int) -> Iterator[Box]:
    """All that a set-up can have in so many regions with so many additional revolts there."""
    for sizes in product(range(1, extras + 2), repeat=regions):
        if sum(sizes) == regions + extras:
            yield tuple((tuple(n for n in FACES if size > 1 or n != FIRST_PROVINCE), size) for size in sizes)


def parts(box: Box) -> Iterator[Box]:
    """Smaller boxes such that whatever is in this one is in one of them; none if it has one set-up only.

    The largest set of numbers is dealt into one heap more than it has revolts. Some heap has none of them and can be left out.
    """
    spare, region = max((len(numbers) - size, index) for index, (numbers, size) in enumerate(box))
    if spare:
        numbers, size = box[region]
        for heap in range(size + 1):
            rest = tuple(number for index, number in enumerate(numbers) if index % (size + 1) != heap)
            yield (*box[:region], (rest, size), *box[region + 1 :])


def mask_of(board: Board, regions: Sequence[int], box: Box) -> int:
    """All provinces of a box."""
    return board.mask(board.at(region, n) for region, (numbers, _) in zip(regions, box, strict=True) for n in numbers)


# -- the search ------------------------------------------------------------------------------------------------------


class Seeker:
    """The search for one half; it keeps what it has learned of turns."""

    def __init__(self, half: Half, *, guarded: bool) -> None:
        self.half, self.guarded = half, guarded
        self._ends: dict[object, tuple[End, ...]] = {}

    def cover(self, extras: int, beams: Sequence[int], most: int) -> Iterator[PartGame]:
        """Games of so many turns at most for all set-ups with so many additional revolts; for some there may be none.

        A game is sought for large boxes first, by the first of the beams. Where there is none, it is sought for their parts.
        """
        half, waiting, seen = self.half, list(boxes(len(self.half.regions), extras)), set[int]()
        ip = IP_A_TURN * sum(turn_of(half, turn) is not None for turn in range(1, most + 1))
        while waiting:
            box = waiting.pop()
            revolts = mask_of(half.board, half.regions, box)
            if any(revolts & ~known == 0 for known in seen):
                continue
            smaller = list(parts(box))
            tried = beams[: 1 if smaller else None] if PRICE * revolts.bit_count() + TOLL <= ip else ()
            game = next(filter(None, (self.find(revolts, beam, most) for beam in tried)), None)
            if game is not None:
                seen.add(revolts)
                yield game
            else:
                waiting += smaller

    def find(self, revolts: int, beam: int, most: int = MOST_TURNS) -> PartGame | None:
        """A game from these revolts that ends within so many turns; the more tables go on after each turn, the shorter."""
        half = self.half
        layer: dict[Table, tuple[Plan, ...]] = {half.begin(revolts): ()}
        for turn in range(1, most + 1):
            who = turn_of(half, turn)
            after: dict[Table, tuple[Plan, ...]] = {}
            for table, plans in layer.items():
                for there, more in self._turns(table, who):
                    if half.is_done(there) and OFF not in there.places and self._lasts(there):
                        return PartGame(revolts, plans + more)
                    later = half.phase(there) if half.is_guarded(there) or not self.guarded else None
                    if later is not None and not later.armies & ~half.borders:  # an army inside is there to stay
                        after.setdefault(later, plans + more)
            best = sorted(after, key=self._left)[:beam] if who is not None else after
            layer = {table: after[table] for table in best}
        return None

    def _lasts(self, table: Table) -> bool:
        """Whether all stays well if nobody does anything more."""
        before: Table | None = None
        while table != before:
            after = self.half.phase(table) if self.half.is_guarded(table) or not self.guarded else None
            if after is None:
                return False
            before, table = table, after
        return True

    def _turns(self, table: Table, who: int | None) -> Iterator[tuple[Table, tuple[Plan, ...]]]:
        if who is None:
            yield table, ()
            return
        for walk, plan in self.ends(table, who):
            yield self.half.after(table, who, walk), (plan,)

    def ends(self, table: Table, who: int) -> tuple[End, ...]:
        """The useful ends of a turn, each with a plan that leads there."""
        others = self.half.others(table, who)
        key = (table[:4], table.places[who], table.left[who], others, who)
        if key not in self._ends:
            wants_guard = self.guarded and not self.half.is_guarded(table)
            self._ends[key] = tuple(self._useful(list(self.half.start(table, who)), others, wants_guard))
        return self._ends[key]

    def _useful(self, start: list[tuple[str, Walk]], others: int, wants_guard: bool) -> Iterator[End]:
        half = self.half
        come: dict[Walk, tuple[Walk | None, str]] = {}  # from where, and by what
        best: set[tuple[int, ...]] = set()  # what has been come to, with whatever IP
        waiting: list[list[Walk]] = [[] for _ in range(IP_A_TURN + 1)]
        ends: dict[int, dict[tuple[int, ...], Walk]] = {}  # by the place, then by what lies on the table
        for name, walk in start:
            come[walk] = (None, name)
            waiting[walk.ip].append(walk)
        for walks in reversed(waiting):  # more IP first: who comes to the same with less has nothing from it
            for walk in walks:
                if walk[1:] in best:
                    continue
                best.add(walk[1:])
                if half.may_stop(walk, others):
                    ends.setdefault(walk.place, {}).setdefault(walk[2:6], walk)
                for name, after in half.steps(walk, others):
                    idle = name == "secure" and not wants_guard and not half.borders >> after.place & 1
                    if after not in come and after[1:] not in best and not idle:
                        come[after] = (walk, name)
                        waiting[after.ip].append(after)
        for tables in ends.values():
            for table in _best(tables):
                plan: list[str] = []
                at: Walk | None = tables[table]
                while at is not None:
                    at, name = come[at]
                    plan.append(name)
                yield tables[table], tuple(name for name in reversed(plan) if name)

    def _left(self, table: Table) -> float:
        """About how much is still to be done."""
        half = self.half
        where = [home for place, homes in zip(table.places, half.homes, strict=True) for home in _at(place, homes)]
        total = LEFT * table.revolts.bit_count()
        for border, region in half.region_of.items():
            if not table.garrisons >> border & 1:
                total += BORDER + NEAR * min(self._ways[row][border] for row in where)
                for revolt in _rows(table.revolts & region):
                    total += REVOLT + NEAR * min(self._ways[row][revolt] for row in where)
        return total

    @cached_property
    def _ways(self) -> list[list[int]]:
        """The IP from row to row on an empty table (Floyd and Warshall)."""
        rows = range(len(self.half.board.ids))
        ways = [[0 if a == b else self.half.ways[a].get(b, (FAR, 0))[0] for b in rows] for a in rows]
        for middle in rows:
            for a in rows:
                for b in rows:
                    ways[a][b] = min(ways[a][b], ways[a][middle] + ways[middle][b])
        return ways


def _at(place: int, homes: tuple[int, ...]) -> tuple[int, ...]:
    return homes if place == OFF else (place,)


def _rows(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def _best(tables: Iterable[tuple[int, ...]]) -> Iterator[tuple[int, ...]]:
    """The tables that are not worse than another one."""
    kept: list[tuple[int, ...]] = []
    for table in sorted(tables, key=lambda t: (t[0].bit_count(), t[1].bit_count(), -t[2].bit_count(), t)):
        if not any(_no_worse(other, table) for other in kept):
            kept.append(table)
            yield table


def _no_worse(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether one table has no revolt, unrest or army that the other has not, and all its garrisons."""
    (a, b, c, d), (e, f, g, h) = one, other
    return not (a & ~e or (a | b) & ~(e | f) or g & ~c or d & ~h)
