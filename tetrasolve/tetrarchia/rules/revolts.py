"""Barbarian phase, 1: revolts (rulebook page 9). Unrest linked to a revolt becomes a revolt, and so on.

A broken link between a revolt and an unrest is checked once in this step [I-CHECK], [I-CHECK-AGAIN]; when nothing changes any
more, the generals who stand on a revolt are removed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from tetrasolve.tetrarchia.board import Link
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import activity
from tetrasolve.tetrarchia.rules.chance import Roll, check
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.handling import first_check
from tetrasolve.tetrarchia.rules.questions import after_revolts, opened, seen
from tetrasolve.tetrarchia.rules.reserve import put_revolts
from tetrasolve.tetrarchia.rules.step import NOBODY, Step

NO_LINKS: frozenset[Link] = frozenset()


def begin(position: Position) -> Step:
    """The Barbarian phase of this position, up to its first roll or choice."""
    return opened(position, 1, NOBODY, _begin)


def _begin(position: Position, resting: frozenset[str]) -> Step:
    return _spread(position, NO_LINKS, seen(position), resting)


# Rule p09-spread-broken, p09-check-again
@dataclass(frozen=True, slots=True)
class Spreading:
    """The check of a broken link between a revolt and an unrest; the links in `checked` have been checked before.

    `before` has the data of rule modules about the position before this step; `resting` are the armies that do not advance.
    """

    position: Position
    link: Link
    checked: frozenset[Link]
    before: tuple[Hashable, ...] = ()
    resting: frozenset[str] = NOBODY

    def roll(self) -> Roll[Step]:
        """The check of the link, or of all broken links together [I-CHECK]."""
        together = self.position.ruleset.readings["I-CHECK"] == "one-roll"
        known, highest = (self.before, self.resting), self.position.ruleset.numbers["blocked"]
        if together:
            spread = _spread_everywhere(self.position, *known)
            return check("all broken links", _after(self.position, *known), spread, highest=highest)
        checked = self.checked | self._answered()
        taken = put_revolts(self.position, [p for p in self.link.between if self.position.has_unrest(p)])
        again = self.position.ruleset.readings["I-CHECK-AGAIN"] == "after-spread"
        linked = taken if isinstance(taken, Fall) else _spread(taken, NO_LINKS if again else checked, *known)
        return check(str(self.link), _spread(self.position, checked, *known), linked, highest=highest)

    def _answered(self) -> frozenset[Link]:
        """The links for which the die counts: this one, or all that now join its unrest and a revolt [I-CHECK]."""
        if self.position.ruleset.readings["I-CHECK"] != "each-unrest":
            return frozenset((self.link,))
        unrest = next(p for p in self.link.between if self.position.has_unrest(p))
        return frozenset(link for link in _fronts(self.position) if unrest in link.between)


def _spread(
    position: Position, checked: frozenset[Link], before: tuple[Hashable, ...], resting: frozenset[str]
) -> Step:
    """Let revolts spread through normal links until a broken link has to be checked or nothing changes any more."""
    spread = _domino(position, broken_too=False)
    if isinstance(spread, Fall):
        return spread
    fronts = activity.in_order_of_checks(spread, tuple(_fronts(spread)))
    for link in fronts:
        if link.broken and link not in checked:
            left = checked.intersection(fronts)  # the other links do not matter any more
            waiting = tuple(other for other in fronts if other.broken and other not in checked)
            return first_check(spread, waiting, tuple(Spreading(spread, one, left, before, resting) for one in waiting))
    return _after(spread, before, resting)


def _spread_everywhere(position: Position, before: tuple[Hashable, ...], resting: frozenset[str]) -> Step:
    spread = _domino(position, broken_too=True)
    return spread if isinstance(spread, Fall) else _after(spread, before, resting)


# Rule p09-domino
def _domino(position: Position, *, broken_too: bool) -> Position | Fall:
    while True:
        open_fronts = [link for link in _fronts(position) if broken_too or not link.broken]
        if not open_fronts:
            return position
        spread = put_revolts(position, (p for link in open_fronts for p in link.between))
        if isinstance(spread, Fall):
            return spread
        position = spread


# Rule p09-spread
def _fronts(position: Position) -> Iterator[Link]:
    """The links between a revolt and an unrest, those of each unrest in the order of the board file."""
    for province in sorted(position.unrest, key=position.board.order.__getitem__):
        for neighbour, link in position.board.neighbours(province).items():
            if position.has_revolt(neighbour):
                yield link


# Rule p09-emperors-removed, p11-uprising-emperor
def _after(position: Position, before: tuple[Hashable, ...], resting: frozenset[str]) -> Step:
    """The step after revolts have spread: generals on a revolt are removed, and the activity follows.

    Whether they are removed before what rule modules do: [I-USURPER-EMPERORS].
    """
    if position.ruleset.readings["I-USURPER-EMPERORS"] == "stand":
        return after_revolts(position, before, resting, _removed)
    return after_revolts(_without_struck(position), before, resting, activity.begin)


def _removed(position: Position, resting: frozenset[str]) -> Step:
    return activity.begin(_without_struck(position), resting)


def _without_struck(position: Position) -> Position:
    for general, place in position.generals.items():
        if position.has_revolt(place):
            position = position.with_figure(general, None)
    return position
