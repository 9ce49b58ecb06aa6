"""Barbarian phase, 2: activity (rulebook page 10).

Two dice name a province; a revolt there is an uprising and can echo elsewhere. `resting` are the armies placed in this phase
that do not advance in it.

Chains of echoes have no bound; `tetrasolve.exact.absorb` sums them exactly.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass

from tetrasolve.tetrarchia.board import Link
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.chance import FACES, Roll, check, faces_of
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.handling import first_check
from tetrasolve.tetrarchia.rules.questions import after_revolts, opened, postponed, seen
from tetrasolve.tetrarchia.rules.registry import rule_modules
from tetrasolve.tetrarchia.rules.reserve import put_revolts, put_unrest
from tetrasolve.tetrarchia.rules.step import NOBODY, Step


def begin(position: Position, resting: frozenset[str]) -> Step:
    """The activity of this position, up to its first roll or choice."""
    return opened(position, 2, resting, Activity)


# Rule p10-activity
@dataclass(frozen=True, slots=True)
class Activity:
    """The roll of region and province."""

    position: Position
    resting: frozenset[str] = NOBODY

    def roll(self) -> Roll[Step]:
        """The region die and the province die."""
        results = tuple(self.at(place) for place in self.places())
        return Roll(("activity: region", "activity: province"), results)

    def places(self) -> tuple[str, ...]:
        """The province that each of the 36 pairs of faces names."""
        return tuple(self.position.board.at(region, number) for region in FACES for number in FACES)

    def named(self, faces: tuple[int, ...]) -> str:
        """The province that these faces name."""
        region, number = faces
        return self.position.board.at(region, number)

    def at(self, province: str) -> Step:
        """The step after the dice name this province."""
        return resolve(self.position, province, self.resting)


# Rule p10-garrison, p10-no-disc, p10-unrest, p11-no-protection
def resolve(position: Position, province: str, resting: frozenset[str] = NOBODY) -> Step:
    """The step after an activity in a province, by the disc there."""
    if position.has_revolt(province):
        choices = (
            module.rising(position, province, resting, _Rise(province)) for module in rule_modules(position).revolts
        )
        return next((choice for choice in choices if choice is not None), None) or _rise(position, province, resting)
    if position.has_unrest(province):
        revolt = put_revolts(position, [province])
        return revolt if isinstance(revolt, Fall) else after_revolts(revolt, seen(position), resting, advance.begin)
    if is_untouched(position, province):
        return advance.begin(position, resting)
    unrest = put_unrest(position, province)
    return unrest if isinstance(unrest, Fall) else advance.begin(unrest, resting)


def is_untouched(position: Position, province: str) -> bool:
    """Whether an activity in this province changes nothing."""
    if position.has_revolt(province) or position.has_unrest(province):
        return False
    return position.is_protected(province) or any(
        module.is_calm(position, province) for module in rule_modules(position).revolts
    )


# -- uprising --------------------------------------------------------------------------------------------------


# Rule p10-uprising-broken
@dataclass(frozen=True, slots=True)
class Uprising:
    """An uprising before the check of the first broken link of `links`.

    `before` has the data of rule modules about the position before it; `origin` is its province where the echo asks for it.
    """

    position: Position
    links: tuple[Link, ...]
    resting: frozenset[str] = NOBODY
    before: tuple[Hashable, ...] = ()
    origin: str = ""

    def roll(self) -> Roll[Step]:
        """The check of the link, or of all broken links of the uprising together [I-CHECK]."""
        together = self.position.ruleset.readings["I-CHECK"] == "one-roll"
        now, later = (self.links, ()) if together else (self.links[:1], self.links[1:])
        taken = put_revolts(self.position, (p for link in now for p in link.between))
        what = "all broken links" if together else str(now[0])
        highest = self.position.ruleset.numbers["blocked"]
        return check(what, self._on(self.position, later), self._on(taken, later), highest=highest)

    def _on(self, position: Position | Fall, links: tuple[Link, ...]) -> Step:
        return _rise_on(position, links, self.resting, self.before, self.origin)


@dataclass(frozen=True, slots=True)
class _Rise:
    """The uprising in a province, after the choices about it."""

    province: str

    def __call__(self, position: Position, resting: frozenset[str]) -> Step:
        return _rise(position, self.province, resting)


# Rule p10-uprising, p10-uprising-revolts, p10-uprising-discs, p11-secured-for-good
def _rise(position: Position, province: str, resting: frozenset[str]) -> Step:
    """The step after revolts in all Roman provinces linked to this one."""
    board = position.board
    for module in rule_modules(position).revolts:
        position = module.uprising(position, province)
    reached = {
        name: link
        for name, link in board.neighbours(province).items()
        if not board[name].is_border and not position.has_revolt(name)
    }
    taken = put_revolts(position, (name for name, link in reached.items() if not link.broken))
    checks = tuple(link for link in reached.values() if link.broken)
    origin = "" if position.ruleset.readings["I-ECHO-HOME"] == "anywhere" else province
    return _rise_on(taken, in_order_of_checks(position, checks), resting, seen(position), origin)


def in_order_of_checks(position: Position, links: tuple[Link, ...]) -> tuple[Link, ...]:
    """Broken links in the order of their checks, from that of the board file [I-CHECK-ORDER]."""
    return links[::-1] if position.ruleset.readings["I-CHECK-ORDER"] == "reverse" else links


def _rise_on(
    position: Position | Fall,
    links: tuple[Link, ...],
    resting: frozenset[str],
    before: tuple[Hashable, ...],
    origin: str,
) -> Step:
    if isinstance(position, Fall):
        return position
    if links:
        orders = ((link, *(other for other in links if other != link)) for link in links)
        checks = tuple(Uprising(position, order, resting, before, origin) for order in orders)
        return first_check(position, links, checks)
    if position.ruleset.readings["I-USURPER-ECHO"] == "after":
        return _echo(position, resting | postponed(position, before), origin)
    return after_revolts(position, before, resting, _Echo(origin))


# -- echo ------------------------------------------------------------------------------------------------------


# Rule p10-echo-army-left
def _echo(position: Position, resting: frozenset[str], origin: str) -> Step:
    """The echo of an uprising: an army comes if one is left in the reserve."""
    return EchoRegion(position, resting, origin) if _is_left(position) else advance.begin(position, resting)


def _is_left(position: Position) -> bool:
    """Whether an army is left in the reserve: one that may come, or any figure of one [I-ECHO-FIGURE]."""
    if position.reserve_armies > 0:
        return True
    if position.ruleset.readings["I-ECHO-FIGURE"] == "may-come":
        return False
    usual = len(position.armies) - len(position.rebels) - (position.goths is not None)
    waiting = position.pieces.goths is not None and position.pieces.goths.in_reserve
    return waiting or usual < position.ruleset.numbers["armies"]


@dataclass(frozen=True, slots=True)
class _Echo:
    """The continuation after an uprising: its echo."""

    origin: str

    def __call__(self, position: Position, resting: frozenset[str]) -> Step:
        return _echo(position, resting, self.origin)


# Rule p16-rebel-blocks
def arrival(position: Position, border: str) -> Position | None:
    """The position after an army has reached a border; None if the border is not empty."""
    for module in rule_modules(position).revolts:
        arrived = module.arrival(position, border)
        if arrived is not None:
            return arrived
    for module in rule_modules(position).revolts if border not in position.discs else ():
        position = module.yields(position, border)
    return position.with_army(None, border) if position.is_empty(border) else None


def goths_expel(position: Position, border: str) -> bool:
    """Whether an army that must be placed on this border, which is not empty, is the Goths, who come even so."""
    if position.is_empty(border):
        return False
    arrived = arrival(position, border)
    return arrived is not None and arrived.goths == border


def with_fresh(position: Position, border: str, resting: frozenset[str]) -> frozenset[str]:
    """The armies that do not advance in this phase after one has reached this border [I-FRESH]."""
    return resting | {border} if position.ruleset.readings["I-FRESH"] == "wait" else resting


# Rule p10-echo-border
@dataclass(frozen=True, slots=True)
class EchoRegion:
    """The roll for the region to whose border an uprising brings an army, if that border is empty, and one may come.

    `origin` is the province of the uprising, where the echo does not come home [I-ECHO-HOME]; `stands`: the die that may
    follow is not rolled again [I-REROLL-ECHO].
    """

    position: Position
    resting: frozenset[str] = NOBODY
    origin: str = ""
    stands: bool = False

    def roll(self) -> Roll[Step]:
        """The region die."""
        return Roll(("echo: region",), tuple(self._at(border, region) for region, border in self._borders()))

    def named(self, faces: tuple[int, ...]) -> str:
        """The border of the region that this face names."""
        return dict(self._borders())[faces[0]]

    def _at(self, border: str, region: int) -> Step:
        if self._is_home(region):
            return self  # rolled again
        if self.position.reserve_armies == 0 and self.position.is_empty(border):
            return advance.begin(self.position, self.resting)  # only three may be on the board [I-ECHO-FIGURE]
        arrived = arrival(self.position, border) if self.position.reserve_armies > 0 else None
        if arrived is None:
            return EchoProvince(self.position, region, self.resting, self.origin, stands=self.stands)
        fresh = with_fresh(self.position, border, self.resting)
        if self.position.ruleset.readings["I-GOTHS-ACTIVITY"] == "follows" and goths_expel(self.position, border):
            return EchoProvince(arrived, region, fresh, self.origin, arrived=True, stands=self.stands)
        return advance.begin(arrived, fresh)

    def _is_home(self, region: int) -> bool:
        """Whether the echo does not come to this region, since the uprising was in it."""
        other = self.origin and self.position.ruleset.readings["I-ECHO-HOME"] == "other-region"
        return bool(other) and self.position.board[self.origin].region == region

    def _borders(self) -> list[tuple[int, str]]:
        return list(enumerate(self.position.board.borders, start=1))

    def arrivals(self) -> Iterator[tuple[tuple[int, ...], str]]:
        """The faces that bring an army, with its border."""
        if self.position.reserve_armies == 0:  # [I-ECHO-FIGURE]
            return
        for region, border in self._borders():
            if not self._is_home(region) and arrival(self.position, border) is not None:
                yield (region,), border


# Rule p10-echo-occupied, p10-echo-chain
@dataclass(frozen=True, slots=True)
class EchoProvince:
    """The roll for the province of a new activity, if the border was not empty; `origin` as in `EchoRegion`.

    `arrived`: the Goths have come to that border all the same [I-GOTHS-ACTIVITY]; `stands` as in `EchoRegion`.
    """

    position: Position
    region: int
    resting: frozenset[str] = NOBODY
    origin: str = ""
    arrived: bool = False
    stands: bool = False

    def roll(self) -> Roll[Step]:
        """The province die."""
        return Roll(("echo: province",), tuple(self.at(place) for place in self.places()))

    def places(self) -> tuple[str, ...]:
        """The province that each of the 6 faces names."""
        return tuple(self.position.board.at(self.region, number) for number in FACES)

    def named(self, faces: tuple[int, ...]) -> str:
        """The province that this face names."""
        return self.position.board.at(self.region, faces[0])

    def at(self, province: str) -> Step:
        """The step after the die names this province; that of the uprising itself can be left alone [I-ECHO-HOME]."""
        if self.is_home(province):
            return advance.begin(self.position, self.resting)
        return resolve(self.position, province, self.resting)

    def is_home(self, province: str) -> bool:
        """Whether the echo does nothing in this province, since the uprising was there."""
        return province == self.origin and self.position.ruleset.readings["I-ECHO-HOME"] == "other-province"


def uprisings(step: Activity | EchoProvince) -> Iterator[tuple[int, ...]]:
    """The faces that raise a revolt."""
    dice = 2 if isinstance(step, Activity) else 1
    for faces, place in zip(faces_of(dice), step.places(), strict=True):
        if step.position.has_revolt(place) and not (isinstance(step, EchoProvince) and step.is_home(place)):
            yield faces
