"""What the rulebook leaves without an order, and which falls to the player who handles the pieces in the Barbarian phase.

Each is a choice where a reading has the value ``chosen``: of the zones to which the Pirates come back [I-PIRATES-ZONE], of the
regions that raise a usurper [I-USURPER-ORDER], of the broken links that are checked in one step [I-CHECK-ORDER], and of the
shortest ways of an army [I-SHORTEST]. ``no`` is what the first value of the reading says. For armies of one rank: `precedence`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Link
from tetrasolve.tetrarchia.pieces import Pirates
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.choices import NO
from tetrasolve.tetrarchia.rules.questions import chooses, handler
from tetrasolve.tetrarchia.rules.step import Choice, Step, Then

FIRST, ZONE, WAY = "first", "zone", "way"
Advancing = Callable[[Position, tuple[str, ...], str], Step]  # the advance of armies, the first of them on this way


@dataclass(frozen=True, slots=True)
class Handled(Choice):
    """A choice of the player who handles the pieces at this position."""

    now: Position

    @property
    def position(self) -> Position:
        """The current position."""
        return self.now

    @property
    def decider(self) -> str:
        """The player who handles the pieces."""
        return handler(self.now)

    def eager(self) -> int:
        """The second of what can come first, so that the choice shows."""
        return 1


@dataclass(frozen=True, slots=True)
class PirateZone(Handled):
    """The choice to which of these zones beaten Pirates come back; `then` is the uprising that brings them."""

    zones: tuple[int, ...]
    resting: frozenset[str]
    then: Then

    @property
    def question(self) -> str:
        """The zone to which they come if nobody says otherwise."""
        return f"the Pirates come back to zone {self.zones[0]}; another zone?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``zone:`` with each zone but the lowest."""
        return NO, *(f"{ZONE}:{zone}" for zone in self.zones[1:])

    def after(self, option: str) -> Step:
        """The uprising, after they have come to the zone that is named."""
        _, _, zone = option.partition(":")
        came = self.now.with_piece(PIRATES, Pirates(int(zone))) if zone else self.now
        return self.then(came, self.resting)


@dataclass(frozen=True, slots=True)
class FirstRegion(Handled):
    """The choice which of these regions raises its usurper first, while the reserve has too few armies for all."""

    regions: tuple[int, ...]
    resting: frozenset[str]
    then: Then
    rising: Callable[[Position, tuple[int, ...], frozenset[str], Then], Step]  # in this order

    @property
    def question(self) -> str:
        """The regions, and which comes first if nobody says otherwise."""
        names = [ROMAN_NUMERALS[region] for region in self.regions]
        return f"of the regions {', '.join(names)}, full at once, {names[0]} raises its usurper first; another one?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``first:`` with the number of each region but the lowest."""
        return NO, *(f"{FIRST}:{region}" for region in self.regions[1:])

    def after(self, option: str) -> Step:
        """The roll for the region that is named, before the others."""
        _, _, first = option.partition(":")
        regions = self.regions
        if first:
            regions = (int(first), *(region for region in regions if region != int(first)))
        return self.rising(self.now, regions, self.resting, self.then)


@dataclass(frozen=True, slots=True)
class FirstCheck(Handled):
    """The choice which of these broken links is checked next; `checks` has the check of each, before the others."""

    links: tuple[Link, ...]
    checks: tuple[Step, ...]

    @property
    def question(self) -> str:
        """The links, and which is checked next if nobody says otherwise."""
        return f"of the broken links {', '.join(map(str, self.links))}, {self.links[0]} is checked first; another one?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``first:`` with each link but the first of the board file."""
        return NO, *(f"{FIRST}:{link}" for link in self.links[1:])

    def after(self, option: str) -> Step:
        """The check of the link that is named."""
        return self.checks[self.options.index(option)]

    def eager(self) -> int:
        """Check first where the most provinces are linked to those of the link, the last of equal ones."""
        board = self.now.board
        around = [sum(len(board.neighbours(place)) for place in link.between) for link in self.links]
        return max(range(len(around)), key=lambda number: (around[number], number))


@dataclass(frozen=True, slots=True)
class Path(Handled):
    """The choice which of several shortest ways the first of these armies goes; `ways` has where each begins."""

    armies: tuple[str, ...]
    ways: tuple[str, ...]
    then: Advancing

    @property
    def question(self) -> str:
        """The army, and the way that it goes if nobody says otherwise."""
        return f"the army of {self.armies[0]} goes to Roma by {self.ways[0]}; another way as short?"

    @property
    def options(self) -> tuple[str, ...]:
        """``no``, and ``way:`` with the province where each other way begins."""
        return NO, *(f"{WAY}:{place}" for place in self.ways[1:])

    def after(self, option: str) -> Step:
        """The advance on the way that is named."""
        _, _, place = option.partition(":")
        return self.then(self.now, self.armies, place or self.ways[0])


def first_check(position: Position, links: tuple[Link, ...], checks: tuple[Step, ...]) -> Step:
    """The check of the first of these links, or the choice of another one where it can matter [I-CHECK-ORDER].

    It matters where a die can be rolled again, or where what a check makes changes what is checked after it [I-CHECK],
    [I-CHECK-AGAIN].
    """
    readings = position.ruleset.readings
    if len(links) < 2 or readings["I-CHECK"] == "one-roll" or not chooses(position, "I-CHECK-ORDER"):
        return checks[0]
    again = readings["I-CHECK"] == "each-unrest" or readings["I-CHECK-AGAIN"] == "after-spread"
    return FirstCheck(position, links, checks) if position.gray or again else checks[0]
