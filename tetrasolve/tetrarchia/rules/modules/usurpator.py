"""Variant 4, Usurpator (rulebook pages 14 and 15): behind a secured border a region in full revolt raises an army."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import FACES, Roll
from tetrasolve.tetrarchia.rules.handling import FirstRegion
from tetrasolve.tetrarchia.rules.hooks import AdvanceRules, RevoltRules
from tetrasolve.tetrarchia.rules.questions import chooses
from tetrasolve.tetrarchia.rules.registry import register
from tetrasolve.tetrarchia.rules.shortest import shortest_way
from tetrasolve.tetrarchia.rules.step import NOBODY, Step, Then


def full(position: Position) -> frozenset[int]:
    """The regions I to VI whose six provinces are all in revolt."""
    board = position.board
    return frozenset(r for r in FACES if position.revolts.issuperset(board.members(r)))


# Rule p14-usurper-army
@register("usurpator")
class Usurpator(RevoltRules, AdvanceRules):
    """Usurpers: when they rise, and the way of an army without an arrow."""

    # Rule p14-usurper-not-again
    def seen(self, position: Position) -> Hashable:
        """A region that was full already raises no usurper (page 14)."""
        return full(position)

    # Rule p14-usurper-rises
    def revolted(self, position: Position, seen: Hashable, resting: frozenset[str], then: Then) -> Step | None:
        """One usurper for each region that has become full behind a secured border, in order [I-USURPER-ORDER] (page 14)."""
        before = seen if isinstance(seen, frozenset) else frozenset()
        secured = {position.board[border].region for border in position.secured}
        higher = position.ruleset.readings["I-USURPER-ORDER"] == "higher"
        return rise(position, tuple(sorted((full(position) - before) & secured, reverse=higher)), resting, then)

    def postponed(self, position: Position, seen: Hashable) -> frozenset[str]:
        """The regions that have become full, whose usurpers wait [I-USURPER-ECHO], [I-USURPER-ADVANCE]."""
        before = seen if isinstance(seen, frozenset) else frozenset()
        return frozenset(map(str, full(position) - before))

    def late(self, position: Position, regions: frozenset[str], resting: frozenset[str], then: Then) -> Step | None:
        """Usurpers of those that are still full."""
        return self.revolted(position, full(position) - set(map(int, regions)), resting, then)

    def way(self, position: Position, army: str) -> tuple[str, int] | None:
        """Without an arrow the shortest way to Roma (page 15)."""
        return shortest_way(position, army)


# Rule p14-usurper-reserve
def rise(position: Position, regions: tuple[int, ...], resting: frozenset[str], then: Then) -> Step | None:
    """The roll for the first of these regions in which a usurper can rise; None where there is none.

    Where the reserve has too few armies for all, a player can choose which of them is the first [I-USURPER-ORDER].
    """
    apt = tuple(region for region in regions if _room(position, region))
    if 0 < position.reserve_armies < len(apt) and chooses(position, "I-USURPER-ORDER"):
        return FirstRegion(position, apt, resting, then, Rising)
    for index, region in enumerate(regions):
        if position.reserve_armies > 0 and _room(position, region):
            return Rising(position, regions[index:], resting, then)
    return None


def _room(position: Position, region: int) -> frozenset[str]:
    """The provinces of a region where a usurper can rise.

    Where a figure stands in each there is none, or those of Roman figures, who leave the board [I-USURPER-ROOM].
    """
    unarmed = frozenset(position.board.members(region)).difference(position.armies)
    free = unarmed.difference(position.romans.values())
    return unarmed if not free and position.ruleset.readings["I-USURPER-ROOM"] == "expels" else free


# Rule p14-usurper-roll
@dataclass(frozen=True, slots=True)
class Rising:
    """The roll for a usurper in the first of these regions; `then` follows the last region.

    He rests in this phase; where no arrow leads on, [I-USURPER-FRESH].
    """

    position: Position
    regions: tuple[int, ...]
    resting: frozenset[str]
    then: Then

    def roll(self) -> Roll[Step]:
        """The province die, rolled again where a figure stands (page 14)."""
        return Roll(("usurper: province",), tuple(self._at(place) for place in self.places()))

    def places(self) -> tuple[str, ...]:
        """The province that each of the 6 faces names."""
        return tuple(self.position.board.at(self.regions[0], number) for number in FACES)

    def _at(self, province: str) -> Step:
        if province not in _room(self.position, self.regions[0]):
            return self
        here = next((figure for figure, place in self.position.romans.items() if place == province), None)
        alone = self.position if here is None else self.position.with_figure(here, None)
        at_once = self.position.ruleset.readings["I-USURPER-FRESH"] == "without-arrow"
        waits = self.position.board[province].arrow is not None or not at_once
        risen, resting = alone.with_army(None, province), self.resting | ({province} if waits else NOBODY)
        return rise(risen, self.regions[1:], resting, self.then) or self.then(risen, resting)
