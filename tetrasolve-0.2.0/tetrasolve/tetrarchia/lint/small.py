"""Small positions: all that can occur with so many pieces on the table, in a fixed order.

A *table* is a board with the modules and variants in use; ``rebels`` stands for those of the historical scenarios. The *size* of
a position is the number of pieces that are not in the reserve: fleets, Emperors on the board, discs, armies, Dux, Vicarius and
Pirates, and beside the board discs of glory, discs paid for a power, and the discs of the Barbarian player. Each Emperor has 4
garrisons, and IP are 0 in the Barbarian phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import (
    ARMIES,
    BLACK_DISCS,
    GRAY_DISCS,
    IP_A_TURN,
    MAXIMIAN_IP,
    MOST_FLEETS_WITH_PIRATES,
)
from tetrasolve.tetrarchia.pieces import HELPERS, REBEL_FIGURES
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

GARRISONS = 4  # of each Emperor
REBELS = "rebels"
BASE = "base game"
DIOCLETIAN, MAXIMIAN = 0, 3  # in turn order: those whose power is used in their own turn

# What a state of the kernel is made of, as one row of numbers; a placement adds to some of them.
_REVOLTS, _UNREST, _GARRISONS, _ARMIES, _EMPERORS, _DUX, _VICARIUS, _GOTHS, _PIRATES = 0, 1, 2, 6, 7, 11, 12, 13, 14
_GLORY, _REMOVED, _GRAY, _BLACK, _LENGTH = 15, 19, 23, 24, 25


@dataclass(frozen=True, slots=True)
class Placement:
    """Something that can lie on a table: `size` pieces in one province (`place`, a row of the board), or beside the board (-1).

    `key`: no two placements of the same key go together; empty where any number of them can.
    """

    size: int
    place: int
    key: str
    adds: tuple[tuple[int, int], ...]
    rebel: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """The positions of one size that have the same IP, phase, active Emperor, fleets and dead figures."""

    size: int
    ip: int
    phase: int  # of the kernel
    to_move: int
    fleets: int  # mask
    dead: tuple[str, ...] = ()
    power: bool = False


@dataclass(frozen=True)
class Table:
    """A board with these modules and variants, and rebels if they are named."""

    board: Board
    extensions: tuple[str, ...] = ()

    def ruleset(self, fleets: int = 1, readings: Sequence[tuple[str, str]] = ()) -> Ruleset:
        """The ruleset of its positions with this number of fleets."""
        names = frozenset(self.extensions)
        return Ruleset(
            GARRISONS, fleets, 1, 1, names.intersection(MODULES), names.intersection(VARIANTS), tuple(readings)
        )

    @property
    def name(self) -> str:
        """The modules, then the variants, ``dux+usurpator``; ``base game`` where there are none."""
        order = (*MODULES, *VARIANTS, REBELS)
        return "+".join(sorted(self.extensions, key=order.index)) or BASE

    # -- placements ----------------------------------------------------------------------------------------------------

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """Everything that can lie on it, in a fixed order: by kind, then by province."""
        return tuple(p for p in self._all_placements() if self._alone(p))

    def _all_placements(self) -> Iterator[Placement]:
        rows, used = range(len(self.board.ids)), self.extensions
        emperors = range(len(self.board.emperors))
        for who in emperors:
            for row in rows:
                yield Placement(1, row, f"emperor {who}", ((_EMPERORS + who, row - whole.OFF),))
        for name, at in zip(HELPERS, (_DUX, _VICARIUS), strict=True):
            for row in rows if name in used else ():
                yield Placement(1, row, name, ((at, row - whole.RESERVE),))
        for at in (_REVOLTS, _UNREST, *(_GARRISONS + who for who in emperors)):
            for row in rows:
                yield Placement(1, row, "", ((at, 1 << row),))
        yield from self._armies()
        for zone in range(1, len(self.board.zones) + 1) if "pirates" in used else ():
            yield Placement(1, -1, "pirates", ((_PIRATES, zone),))
        for name, at in (("roma-aeterna", _GLORY), ("imperium", _REMOVED)):
            for who in emperors if name in used else ():
                for count in range(1, GARRISONS + 1):
                    yield Placement(count, -1, f"{name} {who}", ((at + who, count),))
        if "barbaria" in used:
            yield from (Placement(n, -1, "gray", ((_GRAY, n),)) for n in range(1, GRAY_DISCS + 1))
            yield from (Placement(n, -1, "black", ((_BLACK, n),)) for n in range(1, BLACK_DISCS + 1))

    def _armies(self) -> Iterator[Placement]:
        """Armies, the Goths and rebels; inside the Empire and under rebels with the revolt that is under them."""
        for row, name in enumerate(self.board.ids):
            inside = not self.board[name].is_border
            under = ((_REVOLTS, 1 << row),) if inside else ()
            yield Placement(1 + inside, row, "", ((_ARMIES, 1 << row), *under))
            if "goths" in self.extensions:
                yield Placement(1 + inside, row, "goths", ((_ARMIES, 1 << row), (_GOTHS, row - whole.RESERVE), *under))
        for row in map(self.board.order.__getitem__, self.board.borders) if REBELS in self.extensions else ():
            for number, figure in enumerate(REBEL_FIGURES, start=1):
                for zone in range(1, len(self.board.zones) + 1) if figure not in self.extensions else ():
                    adds = ((_ARMIES, 1 << row), (_REVOLTS, 1 << row))
                    yield Placement(2, row, f"{REBELS} {figure}", adds, (row, zone, number))

    def _alone(self, placement: Placement) -> bool:
        """Whether it can lie on the table with nothing else but a fleet that does not matter to it."""
        for fleet in (0b001, 0b010):
            block = Block(placement.size + 1, 0, whole.BARBARIAN, 0, fleet)
            with suppress(whole.KernelError):  # Pirates in the zone of the fleet
                if not self.position(self._state(block, (placement,))).status():
                    return True
        return False

    # -- blocks --------------------------------------------------------------------------------------------------------

    def blocks(self, size: int) -> tuple[Block, ...]:
        """The parts of a size, in order: by IP, the Barbarian phase first, then by active Emperor, fleets and dead figures."""
        return tuple(sorted(self._blocks(size), key=lambda b: (b.ip, -b.phase, b.to_move, b.power)))

    def _blocks(self, size: int) -> Iterator[Block]:
        zones, used = range(len(self.board.zones)), self.extensions
        most = MOST_FLEETS_WITH_PIRATES if "pirates" in used else len(zones)
        fleets = [
            (n, sum(1 << zone for zone in chosen)) for n in range(1, most + 1) for chosen in combinations(zones, n)
        ]
        mortal = [name for name in HELPERS if name in used]
        dead = [names for n in range(len(mortal) + 1) for names in combinations(mortal, n)]
        for count, mask in fleets if size else ():
            if count > size:
                continue
            for who in range(len(self.board.emperors)):
                for names in dead:
                    yield Block(size, 0, whole.BARBARIAN, who, mask, names)
                    for ip in range(IP_A_TURN + 1):
                        yield Block(size, ip, whole.ROMAN, who, mask, names)
                    if "imperium" in used and who in (DIOCLETIAN, MAXIMIAN):
                        highest = IP_A_TURN + (MAXIMIAN_IP if who == MAXIMIAN else 0)
                        for ip in range(highest + 1):
                            yield Block(size, ip, whole.ROMAN, who, mask, names, power=True)

    def states(self, block: Block) -> Iterator[whole.State]:
        """Every state of a block whose position can occur, in order; each occurs once."""
        left = block.size - block.fleets.bit_count()
        placements = [p for p in self.placements if p.key not in block.dead]
        for chosen in _chosen(placements, left, 0):
            yield from self.found(block, chosen)

    def found(self, block: Block, chosen: Sequence[Placement]) -> Iterator[whole.State]:
        """The states of these placements in a block: none where they cannot occur together."""
        keys = {p.key for p in chosen}
        off = f"emperor {block.to_move}" not in keys
        if block.phase == whole.ROMAN and block.ip != IP_A_TURN and off:
            return  # he enters before he spends IP
        if block.power and (off or f"imperium {block.to_move}" not in keys):
            return  # it is used on the board, and paid for
        places = [p.place for p in chosen if p.place >= 0]
        if len(set(places)) == len(places) and len(chosen) <= ARMIES and keys.isdisjoint(self._together):
            yield self._state(block, chosen)  # what can lie there alone can lie there together
            return
        for passing in range(3 + len(self.board.emperors)):
            try:
                state = self._state(block, chosen, passing)
            except whole.KernelError:  # a state that makes no sense, such as two discs in one province
                continue
            if self.can_occur(state):
                yield state

    @cached_property
    def _together(self) -> frozenset[str]:
        """The keys of placements beside the board that rule out others on it."""
        return frozenset(p.key for p in self.placements if p.place < 0)

    def can_occur(self, state: whole.State) -> bool:
        """Whether the position of this state can occur, and is written in this way."""
        position = self.position(state)
        return not position.status() and fast.state_of(position, rebels=True) == state

    def position(self, state: whole.State, readings: Sequence[tuple[str, str]] = ()) -> Position:
        """The position of a state."""
        ruleset = self.ruleset(state.fleets.bit_count(), readings)
        return fast.to_position(state, self.board, ruleset)  # type: ignore[arg-type]  # whole.State is a State

    def _state(self, block: Block, chosen: Sequence[Placement], passing: int = 0) -> whole.State:
        row = [0] * _LENGTH
        row[_EMPERORS : _EMPERORS + 4] = [whole.OFF] * 4
        for name, at in (("dux", _DUX), ("vicarius", _VICARIUS), ("goths", _GOTHS)):
            in_use = name in self.extensions
            row[at] = whole.RESERVE if in_use and name not in block.dead else whole.OFF
        rebels = []
        for placement in chosen:
            for at, more in placement.adds:
                row[at] = row[at] | more if at <= _ARMIES else row[at] + more
            if placement.rebel is not None:
                rebels.append(placement.rebel)
        return whole.State(
            revolts=row[_REVOLTS],
            unrest=row[_UNREST],
            garrisons=tuple(row[_GARRISONS : _GARRISONS + 4]),  # type: ignore[arg-type]  # four of them
            armies=row[_ARMIES],
            emperors=tuple(row[_EMPERORS : _EMPERORS + 4]),  # type: ignore[arg-type]
            fleets=block.fleets,
            to_move=block.to_move,
            ip=block.ip,
            phase=block.phase,
            rebels=rebels,
            dux=row[_DUX],
            vicarius=row[_VICARIUS],
            goths=row[_GOTHS],
            pirates=row[_PIRATES],
            passing=passing,
            glory=tuple(row[_GLORY : _GLORY + 4]),  # type: ignore[arg-type]
            removed=tuple(row[_REMOVED : _REMOVED + 4]),  # type: ignore[arg-type]
            power=int(block.power),
            gray=row[_GRAY],
            black=row[_BLACK],
        )


def table_of(position: Position) -> Table:
    """The table on which a position lies."""
    used = position.ruleset.extensions
    names = [name for name in (*MODULES, *VARIANTS) if name in used]
    return Table(position.board, (*names, *([REBELS] if position.rebels else [])))


def size_of(position: Position) -> int:
    """The number of its pieces that are not in the reserve."""
    pirates = position.pieces.pirates
    return sum(
        (
            len(position.fleets),
            len(position.romans),
            len(position.discs),
            len(position.armies),
            int(pirates is not None and pirates.zone is not None),
            sum(position.glory.values()),
            sum(position.removed.values()),
            position.gray,
            position.black,
        )
    )


def _chosen(placements: Sequence[Placement], size: int, first: int) -> Iterator[tuple[Placement, ...]]:
    """Every set of placements from the row `first` on that has this size, in order."""
    if size == 0:
        yield ()
        return
    for number in range(first, len(placements)):
        placement = placements[number]
        if placement.size > size:
            continue
        for rest in _chosen(placements, size - placement.size, number + 1):
            if not placement.key or all(placement.key != other.key for other in rest):
                yield (placement, *rest)
