"""Of all positions of a size those that have certain pieces: what is enumerated where a difference requires these.

They come in the order of `tetrasolve.tetrarchia.lint.small`, so that the first that differs is the first of its size.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import groupby, islice

from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.lint.needed import KINDS, Need, pieces_of
from tetrasolve.tetrarchia.lint.small import Block, Placement, Table
from tetrasolve.tetrarchia.position import Phase

Counts = tuple[int, ...]  # of pieces, in the order of KINDS

FLEET = KINDS.index("fleet")
PHASES = {Phase.ROMAN: whole.ROMAN, Phase.BARBARIAN: whole.BARBARIAN}


class Meeting:
    """The positions of a table that have what is needed."""

    def __init__(self, table: Table, need: Need) -> None:
        self.table, self.need = table, need
        self._pieces = [_pieces(table, placement) for placement in table.placements]

    def blocks(self, size: int) -> tuple[Block, ...]:
        """The blocks of a size in the phase in which something is needed."""
        phase = None if self.need.phase is None else PHASES[self.need.phase]
        return tuple(block for block in self.table.blocks(size) if phase in (None, block.phase))

    def states(self, block: Block) -> Iterator[whole.State]:
        """Those states of a block whose positions can occur and have what is needed, in order."""
        for chosen in self._choices(block):
            yield from self.table.found(block, chosen)

    def number(self, size: int, most: int) -> int:
        """How many positions of a size have what is needed, those that cannot occur among them; `most` if there are more."""
        alike = groupby(sorted(self.blocks(size), key=_free), _free)  # as many have what is needed in each of these
        count = 0
        for _, (first, *others) in alike:
            count += (1 + len(others)) * sum(1 for _ in islice(self._choices(first), most))
        return min(count, most)

    def _choices(self, block: Block) -> Iterator[tuple[Placement, ...]]:
        """The sets of placements of a block that have what is needed."""
        need = self.need
        rows = zip(self.table.placements, self._pieces, strict=True)
        runs = [  # placements of the same size and kinds that follow each other
            (size, pieces, [placement for placement, _ in run])
            for (size, pieces), run in groupby(rows, lambda row: (row[0].size, row[1]))
        ]

        @cache
        def missing(have: Counts) -> int:
            return need.missing(dict(zip(KINDS, have, strict=True)))

        def chosen(left: int, run: int, first: int, have: Counts) -> Iterator[tuple[Placement, ...]]:
            if not left:
                yield ()
                return
            for at in range(run, len(runs)):
                size, pieces, placements = runs[at]
                now = tuple(map(int.__add__, have, pieces))
                if size > left or missing(now) > left - size:
                    continue
                for number in range(first if at == run else 0, len(placements)):
                    placement = placements[number]
                    if placement.key in block.dead:
                        continue
                    for rest in chosen(left - size, at, number + 1, now):
                        if not placement.key or all(placement.key != other.key for other in rest):
                            yield (placement, *rest)

        fleets = block.fleets.bit_count()
        start = tuple(fleets if at == FLEET else 0 for at in range(len(KINDS)))
        left = block.size - fleets
        if left >= 0 and missing(start) <= left:
            yield from chosen(left, 0, 0, start)


def _free(block: Block) -> tuple[int, tuple[str, ...]]:
    """What the choice of placements in a block depends on."""
    return block.fleets.bit_count(), block.dead


def _pieces(table: Table, placement: Placement) -> Counts:
    """The pieces of a placement, by kind."""
    for fleet in (0b001, 0b010):
        block = Block(placement.size + 1, 0, whole.BARBARIAN, 0, fleet)
        for state in table.found(block, (placement,)):
            counts = pieces_of(table.position(state))
            return tuple(counts[kind] - (kind == "fleet") for kind in KINDS)
    raise AssertionError("a placement can lie on the table alone")
