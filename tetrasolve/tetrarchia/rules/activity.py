"""Barbarian phase, 2: activity (rulebook page 10).

Two dice name a province; a revolt there rises, and may echo elsewhere.
An echo can be an uprising again, without end: the chain is closed exactly by `tetrasolve.exact.absorb`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.tetrarchia.board import Link
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.chance import FACES, Roll, check
from tetrasolve.tetrarchia.rules.end import Fall, put_revolts, put_unrest
from tetrasolve.tetrarchia.rules.step import Step


@dataclass(frozen=True, slots=True)
class Activity:
    """The roll of region and province."""

    position: Position

    def roll(self) -> Roll[Step]:
        """The region die and the province die."""
        results = tuple(resolve(self.position, place) for place in self.places())
        return Roll(("activity: region", "activity: province"), results)

    def places(self) -> tuple[str, ...]:
        """The province that each of the 36 pairs of faces names."""
        return tuple(self.position.board.at(region, number) for region in FACES for number in FACES)


def resolve(position: Position, province: str) -> Step:
    """What the activity does in a province: it depends on what lies there."""
    if position.has_revolt(province):
        return _rise(position, province)
    if position.has_unrest(province):
        return _then_advance(put_revolts(position, [province]))
    if position.is_protected(province):
        return _then_advance(position)
    return _then_advance(put_unrest(position, province))


def _then_advance(position: Position | Fall) -> Step:
    return position if isinstance(position, Fall) else advance.begin(position, fresh=None)


# -- uprising --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Uprising:
    """An uprising whose first broken link of `links` waits for its check."""

    position: Position
    links: tuple[Link, ...]

    def roll(self) -> Roll[Step]:
        """The check of the link, or of all broken links of the uprising together [I-CHECK]."""
        together = self.position.ruleset.readings["I-CHECK"] == "one-roll"
        now, later = (self.links, ()) if together else (self.links[:1], self.links[1:])
        taken = put_revolts(self.position, (p for link in now for p in link.between))
        what = "all broken links" if together else str(now[0])
        return check(what, _rise_on(self.position, later), _rise_on(taken, later))


def _rise(position: Position, province: str) -> Step:
    """A revolt in every Roman province linked to this one."""
    board = position.board
    reached = {
        name: link
        for name, link in board.neighbours(province).items()
        if not board[name].is_border and not position.has_revolt(name)
    }
    taken = put_revolts(position, (name for name, link in reached.items() if not link.broken))
    return _rise_on(taken, tuple(link for link in reached.values() if link.broken))


def _rise_on(position: Position | Fall, links: tuple[Link, ...]) -> Step:
    if isinstance(position, Fall):
        return position
    if links:
        return Uprising(position, links)
    return EchoRegion(position) if position.reserve_armies > 0 else advance.begin(position, fresh=None)


# -- echo ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EchoRegion:
    """An uprising brings an army to the border of a region, if that border is empty."""

    position: Position

    def roll(self) -> Roll[Step]:
        """The region die."""
        return Roll(("echo: region",), tuple(self._at(border, region) for region, border in self._borders()))

    def _at(self, border: str, region: int) -> Step:
        if self.position.is_empty(border):
            return advance.begin(self.position.with_army(None, border), fresh=border)
        return EchoProvince(self.position, region)

    def _borders(self) -> list[tuple[int, str]]:
        return list(enumerate(self.position.board.borders, start=1))

    def arrivals(self) -> int:
        """Of 6 equally likely rolls, how many bring an army."""
        return sum(1 for border in self.position.board.borders if self.position.is_empty(border))


@dataclass(frozen=True, slots=True)
class EchoProvince:
    """The border was not empty: a province of its region has a new activity."""

    position: Position
    region: int

    def roll(self) -> Roll[Step]:
        """The province die."""
        return Roll(("echo: province",), tuple(resolve(self.position, place) for place in self.places()))

    def places(self) -> tuple[str, ...]:
        """The province that each of the 6 faces names."""
        return tuple(self.position.board.at(self.region, number) for number in FACES)


def uprising_share(step: Activity | EchoProvince) -> Fraction:
    """The chance that this roll raises a revolt, in [0, 1]."""
    places = step.places()
    return Fraction(sum(1 for place in places if step.position.has_revolt(place)), len(places))
