"""Barbarian phase, 3: advance (rulebook page 10). Armies follow the arrows towards Roma, nearest first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.rules.battle import battle, remove_army
from tetrasolve.tetrarchia.rules.chance import Roll, check
from tetrasolve.tetrarchia.rules.end import Fall, put_revolts
from tetrasolve.tetrarchia.rules.extensions import NOBODY, after_revolts, fought, rooms, seen
from tetrasolve.tetrarchia.rules.step import Step

BORDER_GOES_LAST = 7  # a border has no province number; the rule on ties does not reach it


# Rule p10-advance
def begin(position: Position, resting: frozenset[str]) -> Step:
    """Advance all armies but those `resting`, which were placed in this phase and wait for the next [I-FRESH]."""
    armies = [army for army in position.armies if army not in resting and not _stays(position, army)]
    return _advance(position, tuple(sorted(armies, key=lambda army: _rank(position, army))))


def _stays(position: Position, army: str) -> bool:
    return any(room.stays(position, army) for room in rooms(position))


def _way(position: Position, army: str) -> tuple[str | None, int]:
    """The province to which this army goes next, and how far it is from Roma."""
    for room in rooms(position):
        way = room.way(position, army)
        if way is not None:
            return way
    board = position.board
    return board[army].arrow, board.distance_to_roma.get(army, len(board.provinces))


# Rule p10-order-distance, p10-order-region
def _rank(position: Position, army: str) -> tuple[int, ...]:
    """Nearest to Roma first, then the lower region, the lower province number, the row in the board file [I-ORDER]."""
    board = position.board
    province = board[army]
    number = province.number or (BORDER_GOES_LAST if province.is_border else 0)
    by_number = position.ruleset.readings["I-ORDER"] == "number"
    _, distance = _way(position, army)
    return (distance, province.region, number if by_number else 0, board.order[army])


# Rule p10-blocked
def _advance(position: Position, armies: tuple[str, ...]) -> Step:
    """Advance these armies, in this order, until one needs a roll."""
    for index, army in enumerate(armies):
        target, _ = _way(position, army)
        if target is None or target in position.armies:
            continue  # a way blocked by another army: it stays
        link = position.board.link(army, target)
        if link is None or link.broken:
            return Crossing(position, armies[index:])
        return _arrive(position, armies[index:])
    return start_of_turn(position, next_emperor(position))


@dataclass(frozen=True, slots=True)
class _Onward:
    """What follows when one army has come to rest: these advance."""

    armies: tuple[str, ...]

    def __call__(self, position: Position, resting: frozenset[str]) -> Step:
        del resting  # they are not among these
        return _advance(position, self.armies)


# Rule p10-advance-broken
@dataclass(frozen=True, slots=True)
class Crossing:
    """The first of these armies has to pass a broken link."""

    position: Position
    armies: tuple[str, ...]

    def roll(self) -> Roll[Step]:
        """The check of the link."""
        army, *others = self.armies
        bonus = sum(room.check_bonus(self.position, army) for room in rooms(self.position))
        way = f"{army}~{_way(self.position, army)[0]}"
        return check(way, _advance(self.position, tuple(others)), _arrive(self.position, self.armies), bonus)


# Rule p11-attack
def _arrive(position: Position, armies: tuple[str, ...]) -> Step:
    """The first of these armies comes to the next province; a general there is attacked."""
    army, *others = armies
    target, _ = _way(position, army)
    assert target is not None
    return Clash(position, armies) if target in position.generals.values() else _enter(position, army, target, others)


# Rule p10-enter, p11-fall-roma
def _enter(position: Position, army: str, target: str, others: Iterable[str]) -> Step:
    """An army enters a province, Roma falls, any other Roman province revolts whatever lay there; then come the others."""
    if target == position.board.roma:
        return Fall.ARMY_IN_ROMA
    moved = position.with_army(army, target)
    if position.board[target].is_border:
        return _advance(moved, tuple(others))
    entered = put_revolts(moved, [target])
    return (
        entered if isinstance(entered, Fall) else after_revolts(entered, seen(position), NOBODY, _Onward(tuple(others)))
    )


@dataclass(frozen=True, slots=True)
class Clash:
    """The first of these armies attacks the general in its way."""

    position: Position
    armies: tuple[str, ...]

    @property
    def general(self) -> str:
        """Who is attacked: an Emperor, or the Dux."""
        target, _ = _way(self.position, self.armies[0])
        return next(general for general, place in self.position.generals.items() if place == target)

    def roll(self) -> Roll[Step]:
        """The Roman die and the Barbarian die."""
        fight = battle(self.position, self.general, self.armies[0])
        after = {outcome: self._after(outcome) for outcome in fight.chances()}
        return Roll(("Roman die", "Barbarian die"), tuple(after[outcome] for outcome in fight.outcomes()))

    # Rule p11-attack-victory, p11-attack-defeat, p11-attack-draw
    def _after(self, outcome: Outcome) -> Step:
        (army, *others), general, position = self.armies, self.general, self.position
        if outcome is Outcome.VICTORY:
            return _advance(fought(remove_army(position, army), general, outcome), tuple(others))
        if outcome is Outcome.DEFEAT:
            beaten = fought(position.with_figure(general, None), general, outcome)
            return _enter(beaten, army, position.generals[general], others)
        return _advance(fought(position, general, outcome), tuple(others))
