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
from tetrasolve.tetrarchia.facts.tempo.halves import OFF, Half, PartGame, Plan, Table, Walk, GUARDED, QUIET, strength, turn_of
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.setup import FIRST_PROVINCE
from tetrasolve.tetrarchia.ruleset import IP_A_TURN

End: TypeAlias = tuple[Walk, Plan]
Numbers: TypeAlias = tuple[int, ...]

BORDER, REVOLT, NEAR, LEFT = 4.0, 3.3, 0.6, 0.3  # IP or so, for what is still to be done: tried out, not proved
FAR = 99
MOST_TURNS = 24

# -- what has to be found --------------------------------------------------------------------------------------------

Box: TypeAlias = "tuple[tuple[Numbers, int], ...]"  # for each region some numbers, and how many of them have a revolt

PRICE, TOLL = 3, 9  # IP or so for each revolt, and for all borders: what needs more is not looked for


def boxes(regions: int, extras: int) -> Iterator[Box]:
    """All that a set-up can have in so many regions with so many additional revolts there."""
    for sizes in product(range(1, extras + 2), repeat=regions):
        if sum(sizes) == regions + extras:
            yield tuple((tuple(n for n in FACES if size > 1 or n != FIRST_PROVINCE), size) for size in sizes)


def parts(box: Box) -> Iterator[Box]:
    """Smaller boxes such that whatever is in this one is in one of them; none if it has one set-up only.

    The largest set of numbers is dealt into one heap more than it has revolts. Some heap has none of them and can be left out.
    """
    spare, region = max((len(numbers) - size, -index) for index, (numbers, size) in enumerate(box))
    if spare:
        numbers, size = box[-region]
        for heap in range(size + 1):
            rest = tuple(number for index, number in enumerate(numbers) if index % (size + 1) != heap)
            yield (*box[:-region], (rest, size), *box[-region + 1 :])


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

        A game is sought for large boxes first. Where there is none, it is sought for their parts.
        """
        half, waiting, seen = self.half, list(boxes(len(self.half.regions), extras)), set[int]()
        ip = IP_A_TURN * sum(turn_of(half, turn) is not None for turn in range(1, most + 1))
        while waiting:
            box = waiting.pop()
            revolts = mask_of(half.board, half.regions, box)
            if any(revolts & ~known == 0 for known in seen):
                continue
            enough = PRICE * revolts.bit_count() + TOLL <= ip
            game = next(filter(None, (self.find(revolts, beam, most) for beam in beams if enough)), None)
            if game is not None:
                seen.add(revolts)
                yield game
            else:
                waiting += parts(box)

    def find(self, revolts: int, beam: int, most: int = MOST_TURNS) -> PartGame | None:
        """A game from these revolts that ends within so many turns; the more tables go on after each turn, the shorter."""
        half = self.half
        layer: dict[Table, tuple[Plan, ...]] = {half.begin(revolts): ()}
        for turn in range(1, most + 1):
            who = turn_of(half, turn)
            after: dict[Table, tuple[Plan, ...]] = {}
            for table, plans in layer.items():
                for there, more in self._turns(table, who):
                    if half.is_done(there) and OFF not in there.places:
                        game = PartGame(revolts, plans + more)
                        if strength(half, game, MOST_TURNS) >= (GUARDED if self.guarded else QUIET):
                            return game
                    later = half.phase(there) if half.is_guarded(there) or not self.guarded else None
                    if later is not None:
                        after.setdefault(later, plans + more)
            best = sorted(after, key=self._left)[:beam] if who is not None else after
            layer = {table: after[table] for table in best}
        return None

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
        nodes = [(walk, -1, name) for name, walk in start]
        seen = {walk for walk, _, _ in nodes}
        ends: dict[int, dict[tuple[int, ...], int]] = {}  # by the place, what lies on the table: the number of the node
        for number, (walk, _, _) in enumerate(nodes):  # which grow meanwhile
            if half.may_stop(walk, others):
                ends.setdefault(walk.place, {}).setdefault(walk[2:6], number)
            for name, after in half.steps(walk, others):
                idle = name == "secure" and not wants_guard and not half.borders >> after.place & 1
                if after not in seen and not idle:
                    seen.add(after)
                    nodes.append((after, number, name))
        for tables in ends.values():
            for table in _best(tables):
                plan, number = [], tables[table]
                walk = nodes[number][0]
                while number >= 0:
                    _, before, name = nodes[number]
                    plan.append(name)
                    number = before
                yield walk, tuple(name for name in reversed(plan) if name)

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
