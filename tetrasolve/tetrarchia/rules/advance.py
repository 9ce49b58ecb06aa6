"""Barbarian phase, 3: advance (rulebook page 10). Armies follow the arrows towards Roma, nearest first."""

from __future__ import annotations

from dataclasses import dataclass

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.chance import Roll, check
from tetrasolve.tetrarchia.rules.end import Fall, put_revolts
from tetrasolve.tetrarchia.rules.step import Step

BORDER_GOES_LAST = 7  # a border has no province number; the rule on ties does not reach it


def begin(position: Position, fresh: str | None) -> Step:
    """Advance all armies; `fresh` is the border where one was placed in this phase [I-FRESH]."""
    waiting = position.ruleset.readings["I-FRESH"] == "wait"
    armies = [army for army in position.armies if not (waiting and army == fresh)]
    return _advance(position, tuple(sorted(armies, key=lambda army: _rank(position, army))))


def _rank(position: Position, army: str) -> tuple[int, ...]:
    """Nearest to Roma first, then the lower region, the lower province number, the row in the board file [I-ORDER]."""
    board = position.board
    province = board[army]
    number = province.number or (BORDER_GOES_LAST if province.is_border else 0)
    by_number = position.ruleset.readings["I-ORDER"] == "number"
    distance = board.distance_to_roma.get(army, len(board.provinces))
    return (distance, province.region, number if by_number else 0, board.order[army])


def _advance(position: Position, armies: tuple[str, ...]) -> Step:
    """Advance these armies, in this order, until one needs a roll."""
    for index, army in enumerate(armies):
        target = position.board[army].arrow
        if target is None or target in position.armies:
            continue  # a way blocked by another army: it stays
        link = position.board.link(army, target)
        if link is None or link.broken:
            return Crossing(position, armies[index:])
        return _arrive(position, armies[index:])
    return start_of_turn(position, next_emperor(position))


@dataclass(frozen=True, slots=True)
class Crossing:
    """The first of these armies has to pass a broken link."""

    position: Position
    armies: tuple[str, ...]

    def roll(self) -> Roll[Step]:
        """The check of the link."""
        army, *others = self.armies
        way = f"{army}~{self.position.board[army].arrow}"
        return check(way, _advance(self.position, tuple(others)), _arrive(self.position, self.armies))


def _arrive(position: Position, armies: tuple[str, ...]) -> Step:
    """The first of these armies comes to the next province; an Emperor there is attacked."""
    army, *others = armies
    target = position.board[army].arrow
    assert target is not None
    if position.emperors_at(target):
        return Clash(position, armies)
    entered = _enter(position, army, target)
    return entered if isinstance(entered, Fall) else _advance(entered, tuple(others))


def _enter(position: Position, army: str, target: str) -> Position | Fall:
    """An army enters a province: Roma falls, any other Roman province revolts whatever lay there."""
    if target == position.board.roma:
        return Fall.ARMY_IN_ROMA
    moved = position.with_army(army, target)
    return moved if position.board[target].is_border else put_revolts(moved, [target])


@dataclass(frozen=True, slots=True)
class Clash:
    """The first of these armies attacks the Emperor in its way."""

    position: Position
    armies: tuple[str, ...]

    @property
    def emperor(self) -> str:
        """The Emperor who is attacked."""
        target = self.position.board[self.armies[0]].arrow
        assert target is not None
        return self.position.emperors_at(target)[0]

    def roll(self) -> Roll[Step]:
        """The Roman die and the Barbarian die."""
        fight = battle(self.position, self.emperor, self.armies[0])
        after = {outcome: self._after(outcome) for outcome in fight.chances()}
        return Roll(("Roman die", "Barbarian die"), tuple(after[outcome] for outcome in fight.outcomes()))

    def _after(self, outcome: Outcome) -> Step:
        army, *others = self.armies
        position: Position | Fall = self.position
        if outcome is Outcome.VICTORY:
            position = self.position.with_army(army, None).with_disc(army, None)
        if outcome is Outcome.DEFEAT:
            target = self.position.emperors[self.emperor]
            assert target is not None
            position = _enter(self.position.with_emperor(self.emperor, None), army, target)
        return position if isinstance(position, Fall) else _advance(position, tuple(others))
