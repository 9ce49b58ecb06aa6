"""Hooks through which rule modules change the base game, a base class for each part of the rules.

A *rule module* is a module, a variant or the rebels of a scenario (rulebook pages 12 to 16). It is a class that inherits
the base classes of the parts it changes and overrides some of their methods; the defaults are the base game. The chapters of
the base game call the hooks of the rule modules in use (`registry`) and name none of them.

================= ====================================================== =====================
base class        part of the rules                                      called by
================= ====================================================== =====================
`SetUpRules`      pieces of a module in the set-up                       `setup`
`SeaRules`        zones of Roman fleets, moves by sea                    `setup`, `links`, `movement`
`OwnActions`      new actions of the Roman phase                         `roman`
`RomanRules`      limits and effects of the base game's actions          `roman`, `movement`
`CombatRules`     combat values, effects of battles                      `battle`, `roman`, `advance`
`RevoltRules`     revolts, unrest and uprisings                          `reserve`, `activity`, `revolts`
`AdvanceRules`    the way of an army                                     `advance`
`Decisions`       choices of players in the Barbarian phase              `barbarian` and its steps
`TurnRules`       the end of a Roman phase, the beginning of a turn      `roman`, `advance`
================= ====================================================== =====================
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import Protocol

from tetrasolve.tetrarchia.action import Action, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import Dice
from tetrasolve.tetrarchia.rules.choices import Reroll
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.step import Choice, Rolling, Step, Then


class RuleModule:
    """The base of all hooks."""


class SetUpRules(RuleModule):
    """Pieces of a rule module in the set-up of a game."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """The pieces at the beginning of a game with these initial armies, in the order they came; keys as in `Pieces`."""
        del board, armies
        return {}

    def roll(self, position: Position, dice: Dice) -> Position:
        """The position after a module's rolls at the end of the set-up, before the fleets are placed."""
        del dice
        return position


class SeaRules(RuleModule):
    """The zones of Roman fleets, and the moves of figures by sea."""

    def barred(self, position: Position, zone: int) -> str | None:
        """Why no Roman fleet can reach this zone."""
        del position, zone
        return None

    def sails(self, position: Position, origin: int) -> Iterable[int]:
        """The zones to which a fleet in this zone can sail although they are not adjacent to it."""
        del position, origin
        return ()

    def sea_ways(self, board: Board, fleets: tuple[int, ...], origin: str, zones: int) -> Mapping[str, int] | None:
        """The number of zones, up to `zones`, on a way by sea to each province; None for the rule of the base game."""
        del board, fleets, origin, zones
        return None


class OwnActions(RuleModule, ABC):
    """Actions of the Roman phase whose rules are in the rule module."""

    @abstractmethod
    def candidates(self, position: Position) -> Iterator[Action]:
        """Possible actions while the active Emperor is on the board; `objection` decides which are legal."""

    @abstractmethod
    def owns(self, action: Action) -> bool:
        """Whether this module has the rules of an action, in `objection`, `cost` and `play`."""

    @abstractmethod
    def objection(self, position: Position, action: Action) -> str | None:
        """The reason why an action of this module is illegal, given that the Emperor is on the board and nobody is passing."""

    @abstractmethod
    def cost(self, position: Position, action: Action) -> int:
        """The IP of a legal action of this module."""

    @abstractmethod
    def play(self, position: Position, action: Action) -> Position | Fall:
        """The position after a legal action of this module."""


class RomanRules(RuleModule):
    """Changes of the base game's actions."""

    def knows(self, action: Action) -> bool:
        """Whether the module allows this action of the base game, paid for with discs or led by another Emperor."""
        del action
        return False

    def pay(self, position: Position, action: Action) -> Position:
        """The position after the discs of this action's payments have been paid."""
        del action
        return position

    def ban(self, position: Position, action: Action) -> str | None:
        """The reason why an action that is legal in the base game is illegal."""
        del position, action
        return None

    def closed(self, position: Position, figure: str, province: str) -> str | None:
        """The reason why this figure cannot move to a province that is open to others."""
        del position, figure, province
        return None

    def entered(self, position: Position, figure: str, province: str) -> Position:
        """The position after this figure has reached a province."""
        del figure, province
        return position


ATTACKS, DEFENDS, AT_SEA = "attacks", "defends", "at sea"  # how a general comes to fight


class CombatRules(RuleModule):
    """Combat values, and effects of battles."""

    def battle(self, position: Position, leader: str, target: str) -> Battle | None:
        """The combat values against a target that is not an army."""
        del position, leader, target
        return None

    def bonus(self, position: Position, army: str, supporters: frozenset[str]) -> int:
        """The bonus of the Barbarian die in a battle of this army with these supporters."""
        del position, army, supporters
        return 0

    def fought(self, position: Position, leader: str, outcome: Outcome, how: str) -> Position | Fall:
        """The position after a battle that this general led, or a fall; `how` is `ATTACKS`, `DEFENDS` or `AT_SEA`."""
        del leader, outcome, how
        return position

    def goes_on(self, position: Position, leader: str) -> bool:
        """Whether the turn continues after an attack that this general has led and lost."""
        del position, leader
        return False


class RevoltRules(RuleModule):
    """Revolts, unrest and uprisings."""

    def struck(self, position: Position, provinces: frozenset[str]) -> Position:
        """The position after revolts have been placed in these provinces."""
        del provinces
        return position

    def is_calm(self, position: Position, province: str) -> bool:
        """Whether the module keeps unrest out of an otherwise unprotected province."""
        del position, province
        return False

    def uprising(self, position: Position, province: str) -> Position:
        """The position after the module's effect of an uprising, which comes before all others."""
        del province
        return position

    def rising(self, position: Position, province: str, resting: frozenset[str], then: Then) -> Choice | None:
        """A choice before the module's effect of an uprising, which is part of `then`."""
        del position, province, resting, then
        return None

    def seen(self, position: Position) -> Hashable:
        """Data for `revolted` about the position before a step that places revolts."""
        del position
        return None

    def revolted(self, position: Position, seen: Hashable, resting: frozenset[str], then: Then) -> Step | None:
        """An additional step between a step that has placed revolts and `then`; None where there is none."""
        del position, seen, resting, then
        return None

    def postponed(self, position: Position, seen: Hashable) -> frozenset[str]:
        """The numbers of regions in which the revolts just placed lead to something later: see `late`."""
        del position, seen
        return frozenset()

    def late(self, position: Position, regions: frozenset[str], resting: frozenset[str], then: Then) -> Step | None:
        """The step for what was `postponed` in these regions, before `then`; None where there is none."""
        del position, regions, resting, then
        return None

    def yields(self, position: Position, border: str) -> Position:
        """The position without what gives way to an army that is to be placed on this border."""
        del border
        return position

    def arrival(self, position: Position, border: str) -> Position | None:
        """The position after the arrival of an army at this border; None for the rule of the base game."""
        del position, border
        return None


class AdvanceRules(RuleModule):
    """The way of an army."""

    def stays(self, position: Position, army: str) -> bool:
        """Whether this army never advances."""
        del position, army
        return False

    def way(self, position: Position, army: str) -> tuple[str, int] | None:
        """The next province of an army that follows no arrow, and its distance to Roma."""
        del position, army
        return None

    def check_bonus(self, position: Position, army: str) -> int:
        """The bonus of the check of a broken link when this army moves."""
        del position, army
        return 0


class Clash(Rolling, Protocol):
    """The battle of an army that attacks a general, as `Decisions` use it: `advance.Clash`."""

    @property
    def armies(self) -> tuple[str, ...]:
        """The armies that still advance; the first of them attacks."""
        ...

    @property
    def target(self) -> str:
        """The province of the general."""
        ...

    @property
    def general(self) -> str:
        """The general who is attacked."""
        ...

    @property
    def fight(self) -> Battle:
        """The combat values."""
        ...

    def after(self, outcome: Outcome) -> Step:
        """The step after this outcome of the battle."""
        ...

    def at(self, position: Position) -> Clash:
        """The same battle with another position."""
        ...


class Decisions(RuleModule):
    """Choices of players in the Barbarian phase."""

    def handler(self) -> str | None:
        """The player who handles the pieces in that phase, and decides what the rules leave to the one who does."""
        return None

    def opening(self, position: Position, number: int, resting: frozenset[str], then: Then) -> Choice | None:
        """A choice before the step with this number (1 to 3), which is `then`."""
        del position, number, resting, then
        return None

    def rerolls(self, position: Position) -> bool:
        """Whether dice may be rolled again; if so, `rolled` is called."""
        del position
        return False

    def rolled(self, step: Rolling, faces: tuple[int, ...], result: Step) -> Reroll | None:
        """The choice to roll these dice again, before `result` follows from them."""
        del step, faces, result
        return None

    def marching(self, position: Position, armies: tuple[str, ...], chosen: str, cleared: bool) -> Choice | None:
        """A choice before the first of these armies, which advance in this order, advances.

        `chosen`: where its way begins, if a player has chosen it; `cleared`: nobody blocks it any more.
        """
        del position, armies, chosen, cleared
        return None

    def between(self, position: Position, armies: tuple[str, ...], then: Then) -> Choice | None:
        """A choice between two armies, or after the last: these are still to advance, which is `then`."""
        del position, armies, then
        return None

    def crossed(self, position: Position, armies: tuple[str, ...], target: str, cleared: bool) -> Choice | None:
        """A choice after the first of these armies has passed the check of a broken link on its way to `target`.

        `cleared`: nobody blocks it any more.
        """
        del position, armies, target, cleared
        return None

    def halted(self, position: Position, armies: tuple[str, ...]) -> Choice | None:
        """A choice after a check has stopped the first of these armies on its usual way."""
        del position, armies
        return None

    def attacked(self, clash: Clash, otherwise: Step) -> Choice | None:
        """A choice before an army attacks a general; `otherwise` follows if it is not blocked."""
        del clash, otherwise
        return None

    def decided(self, clash: Clash, fight: Battle, faces: tuple[int, int]) -> Choice | None:
        """A choice after these faces of a battle in which an army has attacked a general."""
        del clash, fight, faces
        return None


class TurnRules(RuleModule):
    """The end of a Roman phase, and the beginning of a turn."""

    def turn_over(self, position: Position) -> Position:
        """The position after the active Emperor's Roman phase."""
        return position

    def new_turn(self, position: Position) -> Position:
        """The position at the beginning of a turn."""
        return position

    def fallen(self, position: Position) -> Fall | None:
        """The fall of the Empire that the beginning of a turn brings, before `new_turn`."""
        del position
        return None
