"""Hooks: where a rule module can change the base game, one base class for each part of the rules.

A *rule module* is a module, a variant or the rebels of a scenario (rulebook pages 12 to 16). It is a class that inherits
the base classes of the parts it changes and overrides some of their methods; what it does not override stays as in the
base game. The chapters of the base game call the hooks of the rule modules in use (`registry`) and name none of them.

================= ====================================================== =====================
base class        part of the rules                                      asked by
================= ====================================================== =====================
`SetUpRules`      what a module adds to the table at the beginning       `setup`
`SeaRules`        where Roman fleets may be, how far they carry          `setup`, `links`, `movement`
`OwnActions`      actions of the Roman phase that the base game lacks    `roman`
`RomanRules`      limits and effects of the base game's actions          `roman`, `movement`
`CombatRules`     combat values, what a battle brings                    `battle`, `roman`, `advance`
`RevoltRules`     revolts, unrest, uprisings and what comes with them    `reserve`, `activity`, `revolts`
`AdvanceRules`    the way of an army                                     `advance`
`Decisions`       what a player decides in the Barbarian phase           `barbarian` and its steps
`TurnRules`       the end of a Roman phase, the beginning of a turn      `roman`, `advance`
================= ====================================================== =====================
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping
from typing import Protocol

from tetrasolve.tetrarchia.action import Action, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import Piece
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.chance import Dice
from tetrasolve.tetrarchia.rules.choices import Reroll
from tetrasolve.tetrarchia.rules.combat import Battle
from tetrasolve.tetrarchia.rules.step import Choice, Rolling, Step, Then


class RuleModule:
    """The base of all hooks."""


class SetUpRules(RuleModule):
    """What a rule module adds to the table at the beginning of a game."""

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Piece]:
        """The pieces at the beginning of a game with these initial armies, in the order they came; keys as in `Pieces`."""
        del board, armies
        return {}

    def roll(self, position: Position, dice: Dice) -> Position:
        """What is rolled at the end of the set-up, before the fleets are placed."""
        del dice
        return position


class SeaRules(RuleModule):
    """Where Roman fleets may be, and how far they carry figures."""

    def barred(self, position: Position, zone: int) -> str | None:
        """Why no Roman fleet can come to this zone."""
        del position, zone
        return None

    def sea_ways(self, board: Board, fleets: tuple[int, ...], origin: str) -> Mapping[str, int] | None:
        """How many zones a figure has to cross by sea to each province, where that is not as in the base game."""
        del board, fleets, origin
        return None


class OwnActions(RuleModule, ABC):
    """Actions of the Roman phase whose rules are in the rule module."""

    @abstractmethod
    def candidates(self, position: Position) -> Iterator[Action]:
        """Further actions worth asking about, while the active Emperor is on the board."""

    @abstractmethod
    def owns(self, action: Action) -> bool:
        """Whether the rules of this action are here: then `objection`, `cost` and `play` answer for it."""

    @abstractmethod
    def objection(self, position: Position, action: Action) -> str | None:
        """Why an action of this module cannot be taken, while the Emperor is on the board and nobody passes through."""

    @abstractmethod
    def cost(self, position: Position, action: Action) -> int:
        """The IP of a legal action of this module."""

    @abstractmethod
    def play(self, position: Position, action: Action) -> Position:
        """The position after a legal action of this module."""


class RomanRules(RuleModule):
    """What changes for the actions of the base game."""

    def knows(self, action: Action) -> bool:
        """Whether its rules include an action of the base game that is paid for with discs or led by another Emperor."""
        del action
        return False

    def pay(self, position: Position, action: Action) -> Position:
        """The position after the discs of this action's payments have been paid."""
        del action
        return position

    def ban(self, position: Position, action: Action) -> str | None:
        """Why an action that the base game may allow cannot be taken."""
        del position, action
        return None

    def closed(self, position: Position, figure: str, province: str) -> str | None:
        """Why this figure cannot move to a province that is open to others."""
        del position, figure, province
        return None

    def entered(self, position: Position, figure: str, province: str) -> Position:
        """What changes where this figure has come to."""
        del figure, province
        return position


class CombatRules(RuleModule):
    """Combat values, and what a battle brings."""

    def battle(self, position: Position, leader: str, target: str) -> Battle | None:
        """The combat values against this target, where it is no army."""
        del position, leader, target
        return None

    def bonus(self, position: Position, army: str, supporters: frozenset[str]) -> int:
        """What the Barbarian die is raised by, in a battle of this army with the support of those armies."""
        del position, army, supporters
        return 0

    def fought(self, position: Position, leader: str, outcome: Outcome) -> Position:
        """What a battle that this general led brings him."""
        del leader, outcome
        return position

    def goes_on(self, position: Position, leader: str) -> bool:
        """Whether the turn goes on after an attack that this general has led and lost."""
        del position, leader
        return False


class RevoltRules(RuleModule):
    """Revolts, unrest and uprisings, and what comes with them."""

    def struck(self, position: Position, provinces: frozenset[str]) -> Position:
        """What changes where revolts have just been placed."""
        del provinces
        return position

    def is_calm(self, position: Position, province: str) -> bool:
        """Whether no unrest comes to a province that nothing else protects."""
        del position, province
        return False

    def uprising(self, position: Position, province: str) -> Position:
        """What an uprising in this province brings, before anything else of it."""
        del province
        return position

    def seen(self, position: Position) -> Hashable:
        """What `revolted` has to know about the table before a step that places revolts."""
        del position
        return None

    def revolted(self, position: Position, seen: Hashable, resting: frozenset[str], then: Then) -> Step | None:
        """The step that comes after a step that has placed revolts and before `then`; None where there is none."""
        del position, seen, resting, then
        return None

    def arrival(self, position: Position, border: str) -> Position | None:
        """The position after an army was to be put on this border, where that is not as in the base game."""
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
        """What the check of a broken link is raised by when this army moves."""
        del position, army
        return 0


class Clash(Rolling, Protocol):
    """The battle of an army that attacks a general, as `Decisions` see it: `advance.Clash`."""

    @property
    def armies(self) -> tuple[str, ...]:
        """The armies that have yet to advance; the first of them attacks."""
        ...

    @property
    def general(self) -> str:
        """Who is attacked."""
        ...

    @property
    def fight(self) -> Battle:
        """The combat values."""
        ...

    def after(self, outcome: Outcome) -> Step:
        """What follows a battle that ends like this."""
        ...

    def at(self, position: Position) -> Clash:
        """The same battle with another table."""
        ...


class Decisions(RuleModule):
    """What a player decides in the Barbarian phase."""

    def opening(self, position: Position, number: int, resting: frozenset[str], then: Then) -> Choice | None:
        """What is to be decided before the step with this number (1 to 3) begins, which is `then`."""
        del position, number, resting, then
        return None

    def rerolls(self, position: Position) -> bool:
        """Whether somebody may roll dice again; if so, `rolled` is asked."""
        del position
        return False

    def rolled(self, step: Rolling, faces: tuple[int, ...], result: Step) -> Reroll | None:
        """The choice to roll these dice again, before `result` follows from them."""
        del step, faces, result
        return None

    def marching(self, position: Position, armies: tuple[str, ...]) -> Choice | None:
        """What is to be decided before the first of these armies, which advance in this order, goes its way."""
        del position, armies
        return None

    def attacked(self, clash: Clash) -> Choice | None:
        """What is to be decided before an army attacks a general."""
        del clash
        return None

    def decided(self, clash: Clash, fight: Battle, faces: tuple[int, int]) -> Choice | None:
        """What is to be decided when an army has attacked a general and these are the faces of the battle."""
        del clash, fight, faces
        return None


class TurnRules(RuleModule):
    """What ends with a Roman phase, and what begins with a turn."""

    def turn_over(self, position: Position) -> Position:
        """What changes when the active Emperor's Roman phase is over."""
        return position

    def new_turn(self, position: Position) -> Position:
        """What changes when a turn begins."""
        return position
