"""Positions drawn at random, with pieces that lie near each other, made small where two values of a reading differ in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from random import Random

from tetrasolve.exact.deadline import check
from tetrasolve.lint.witness import shrunk
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.lint.compare import Engines, Pair
from tetrasolve.tetrarchia.lint.small import Block, Placement, Table
from tetrasolve.tetrarchia.numbers import IP_A_TURN, REVOLTS, UNREST

BATCH = 2000  # positions that are drawn with one seed
MOST = 7  # kinds of pieces that are drawn for a position
FULL = 0.04  # how often a supply is used up, nearly or wholly
MUCH_LARGER = 2  # a position that has so many pieces more than the smallest one known is not made smaller


@dataclass(frozen=True)
class Sample:
    """A position as its placements."""

    block: Block
    chosen: tuple[Placement, ...]

    @property
    def size(self) -> int:
        """Its pieces."""
        return self.block.fleets.bit_count() + sum(p.size for p in self.chosen)

    def smaller(self, table: Table) -> Iterator[Sample]:
        """The samples with one placement or fleet less, or with fewer discs beside the board; then those with fewer IP."""
        for number in range(len(self.chosen)):
            yield replace(self, chosen=self.chosen[:number] + self.chosen[number + 1 :])
        for number, placement in enumerate(self.chosen):
            for other in table.placements if placement.place < 0 else ():
                if other.key == placement.key and other.size < placement.size:
                    yield replace(self, chosen=(*self.chosen[:number], other, *self.chosen[number + 1 :]))
        for zone in range(len(table.board.zones)):
            fleets = self.block.fleets & ~(1 << zone)
            if fleets and fleets != self.block.fleets:
                yield replace(self, block=replace(self.block, fleets=fleets))
        if self.block.ip:
            for ip in range(self.block.ip):
                yield replace(self, block=replace(self.block, ip=ip))


class Sampler:
    """Draws positions of a table."""

    def __init__(self, table: Table, engines: Engines) -> None:
        self.table, self.engines = table, engines

    @cached_property
    def _kinds(self) -> tuple[tuple[Placement, ...], ...]:
        """The placements by kind, so that each kind is drawn as often as the others."""

        def kind(placement: Placement) -> tuple[str, int, int]:
            return placement.key.partition(" ")[0], placement.size, placement.adds[0][0]

        return tuple(tuple(group) for _, group in groupby(sorted(self.table.placements, key=kind), kind))

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        """Every IP, phase, active Emperor and set of fleets."""
        return self.table.blocks(len(self.table.board.zones))

    def draw(self, random: Random) -> Sample:
        """A position, which perhaps cannot occur."""
        board = self.table.board
        near = {random.choice(board.ids)}
        for _ in range(random.choice((0, 1, 1, 2, 3))):
            near |= {other for place in near for other in board.neighbours(place)}
        rows = {board.order[place] for place in near}
        chosen: list[Placement] = []
        for _ in range(random.randint(1, MOST)):
            kind = random.choice(self._kinds)
            here = [p for p in kind if p.place < 0 or p.place in rows]
            chosen += [random.choice(here)] if here else []
        chance = random.random()
        if chance < FULL:
            chosen += self._full(random)
        elif chance < 2 * FULL:
            chosen += self._full_region(random)
        block = random.choice(self._blocks)
        if block.phase == whole.ROMAN and random.random() < 0.5:
            block = replace(block, ip=IP_A_TURN)
        return Sample(block, _fitting(chosen))

    def _full(self, random: Random) -> list[Placement]:
        """As many unrests, revolts or both as there are, or a few less."""
        found: list[Placement] = []
        for at, supply in random.choice((((1, UNREST),), ((0, REVOLTS),), ((0, REVOLTS), (1, UNREST)))):
            discs = [p for p in self.table.placements if p.adds[0][0] == at and len(p.adds) == 1]
            found += random.sample(discs, min(len(discs), supply - random.choice((0, 0, 1, 2))))
        return found

    def _full_region(self, random: Random) -> list[Placement]:
        """A revolt in each province of a region, or in all but one."""
        board = self.table.board
        places = {board.order[place] for place in board.members(random.choice(board.regions[1:]).number)}
        discs = [p for p in self.table.placements if p.place in places and p.adds == ((0, 1 << p.place),)]
        return random.sample(discs, max(0, len(discs) - random.choice((0, 1))))

    def states(self, sample: Sample) -> list[whole.State]:
        """Those of the sample's states that can occur, one for each figure that may be passing; none where it cannot."""
        if any(p.key in sample.block.dead for p in sample.chosen):
            return []
        return list(self.table.found(sample.block, sample.chosen))

    def differing(self, sample: Sample, pairs: Sequence[Pair], stop: Stop | None = None) -> dict[Pair, whole.State]:
        """Those of the pairs that differ in it, each with the state in which they do."""
        found: dict[Pair, whole.State] = {}
        for state in self.states(sample):
            if self.engines.is_slow(state):
                continue
            for pair in self.engines.differing(state, pairs, stop):
                if not found.get(pair) and self.can_occur_under(state, pair):
                    found[pair] = state
        return found

    def can_occur_under(self, state: whole.State, pair: Pair) -> bool:
        """Whether the position of a state can occur under both values."""
        return not any(self.table.position(state, [(pair.reading, value)]).status() for value in pair.values)

    def _small(self, sample: Sample, pair: Pair, stop: Stop | None) -> Sample:
        """A sample that still differs, and no smaller one that is a step away does."""

        def differs(smaller: Sample) -> bool:
            return pair in self.differing(smaller, [pair], stop)

        return shrunk(sample, lambda larger: larger.smaller(self.table), differs)

    def batch(
        self, seed: str, pairs: Sequence[Pair], best: Mapping[Pair, int], stop: Stop | None = None
    ) -> dict[Pair, tuple[int, whole.State]]:
        """For the pairs that differ in the positions of one seed the smallest size and its state, smaller than the `best` known."""
        random, known = Random(seed), dict(best)
        found: dict[Pair, tuple[int, whole.State]] = {}
        for _ in range(BATCH):
            check(stop)
            sample = self.draw(random)
            for pair in self.differing(sample, pairs, stop):
                if sample.size >= known.get(pair, sample.size + 1) + MUCH_LARGER:
                    continue
                small = self._small(sample, pair, stop)
                if small.size < known.get(pair, small.size + 1):
                    known[pair] = small.size
                    found[pair] = (small.size, self.differing(small, [pair])[pair])
        return found


def _fitting(placements: Sequence[Placement]) -> tuple[Placement, ...]:
    """The first of these placements that go together, as far as that can be seen without the rules."""
    chosen: list[Placement] = []
    for placement in placements:
        if placement not in chosen and not (placement.key and any(placement.key == p.key for p in chosen)):
            chosen.append(placement)
    return tuple(chosen)
