"""Rooms: what modules, variants and rebels change in the chapters of the base game (rulebook pages 12 to 19).

Each of them is a `Room`, in a module of its own. A chapter of the base game asks the rooms in use wherever the
rulebook lets something be changed, and knows none of them by name; with none in use it reads as if they did not exist.

=================== ======================================================== ==============
module              what it is                                               rulebook page
=================== ======================================================== ==============
`dux`               module 1, a figure that leads legions                    12
`vicarius`          module 2, a figure that keeps provinces calm             12, 13
`pirates`           module 3, a fleet against Rome                           13
`goths`             module 4, an army that nothing keeps out                 13
`imperium`          variant 1, powers that Emperors pay for with discs       14
`mare_nostrum`      variant 2, fleets that join                              14
`via_romana`        variant 3, garrisons that march                          14
`usurpator`         variant 4, armies that rise inside the Empire            14, 15
`aeterna`           variant 5, glory and the Great                           15
`barbaria`          variant 6, a player for the Barbarians                   15, 16
`rebels`            the rebel armies of the historical scenarios             16
=================== ======================================================== ==============
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from tetrasolve.tetrarchia.action import Action, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.rules.advance import Clash
    from tetrasolve.tetrarchia.rules.battle import Battle
    from tetrasolve.tetrarchia.rules.chance import Dice
    from tetrasolve.tetrarchia.rules.choices import Choice, Reroll
    from tetrasolve.tetrarchia.rules.step import Rolling, Step

# What comes next in a Barbarian phase, from the table and the armies that do not advance in it; equal ones are equal.
Then = Callable[[Position, frozenset[str]], "Step"]


NOBODY: frozenset[str] = frozenset()  # no army waits for the next phase


class Room:
    """What a module can change; where it says nothing the base game stays as it is."""

    # -- Roman phase -------------------------------------------------------------------------------------------

    def candidates(self, position: Position) -> Iterator[Action]:
        """Further actions worth asking about, while the active Emperor is on the board."""
        del position
        return iter(())

    def owns(self, action: Action) -> bool:
        """Whether the rules of this action are in this room: then it answers the next three questions."""
        del action
        return False

    def objection(self, position: Position, action: Action) -> str | None:
        """Why an action of this room cannot be taken, while the Emperor is on the board and nobody passes through."""
        raise NotImplementedError

    def cost(self, position: Position, action: Action) -> int:
        """The IP of a legal action of this room."""
        raise NotImplementedError

    def play(self, position: Position, action: Action) -> Position:
        """The position after a legal action of this room."""
        raise NotImplementedError

    def knows(self, action: Action) -> bool:
        """Whether its rules include an action of the base game that is paid for with discs or led by another Emperor."""
        del action
        return False

    def pay(self, position: Position, action: Action) -> Position:
        """The position after the discs of this action's payments have been paid."""
        del action
        return position

    def turn_over(self, position: Position) -> Position:
        """What changes when the active Emperor's Roman phase is over."""
        return position

    def new_turn(self, position: Position) -> Position:
        """What changes when a turn begins."""
        return position

    def ban(self, position: Position, action: Action) -> str | None:
        """Why an action that the base game may allow cannot be taken."""
        del position, action
        return None

    def closed(self, position: Position, figure: str, province: str) -> str | None:
        """Why this figure cannot move to a province that is open to others."""
        del position, figure, province
        return None

    def barred(self, position: Position, zone: int) -> str | None:
        """Why no Roman fleet can come to this zone."""
        del position, zone
        return None

    def entered(self, position: Position, figure: str, province: str) -> Position:
        """What changes where this figure has come to."""
        del figure, province
        return position

    def sea_ways(self, board: Board, fleets: tuple[int, ...], origin: str) -> Mapping[str, int] | None:
        """How many zones a figure has to cross by sea to each province, where that is not as in the base game."""
        del board, fleets, origin
        return None

    # -- battle ------------------------------------------------------------------------------------------------

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

    # -- Barbarian phase ---------------------------------------------------------------------------------------

    def opening(self, position: Position, number: int, resting: frozenset[str], then: Then) -> Choice | None:
        """What is to be decided before the step with this number (1 to 3) begins, which is `then`."""
        del position, number, resting, then
        return None

    def rerolls(self, position: Position) -> bool:
        """Whether somebody may want dice to be rolled again; if so, `rolled` is asked."""
        del position
        return False

    def rolled(self, step: Rolling, faces: tuple[int, ...], result: Step) -> Reroll | None:
        """The choice to roll these dice again, before `result` follows from them."""
        del step, faces, result
        return None

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

    # -- set-up ------------------------------------------------------------------------------------------------

    def pieces(self, board: Board, armies: tuple[str, ...]) -> Mapping[str, Hashable]:
        """The pieces of this room at the beginning of a game with these initial armies, in the order they came."""
        del board, armies
        return {}

    def roll(self, position: Position, dice: Dice) -> Position:
        """What is rolled for this room at the end of the set-up, before the fleets are placed."""
        del dice
        return position


def rooms(position: Position) -> tuple[Room, ...]:
    """The rooms in use at this table."""
    if not position.pieces and not position.ruleset.extensions:
        return ()
    return _rooms(position.ruleset.extensions, "rebels" in position.pieces)


# Rule p04-base-game, p12-modules, p14-variants
def rooms_of(ruleset: Ruleset) -> tuple[Room, ...]:
    """The rooms of a ruleset."""
    return _rooms(ruleset.extensions, rebels=False)


@cache
def _rooms(extensions: frozenset[str], rebels: bool) -> tuple[Room, ...]:
    # Rooms build on the chapters that ask for them, so they are imported when the first one asks.
    from tetrasolve.tetrarchia.rules.aeterna import RomaAeterna
    from tetrasolve.tetrarchia.rules.barbaria import Barbaria
    from tetrasolve.tetrarchia.rules.dux import Dux
    from tetrasolve.tetrarchia.rules.goths import Goths
    from tetrasolve.tetrarchia.rules.imperium import Imperium
    from tetrasolve.tetrarchia.rules.mare_nostrum import MareNostrum
    from tetrasolve.tetrarchia.rules.pirates import Pirates
    from tetrasolve.tetrarchia.rules.rebels import Rebels
    from tetrasolve.tetrarchia.rules.usurpator import Usurpator
    from tetrasolve.tetrarchia.rules.via_romana import ViaRomana
    from tetrasolve.tetrarchia.rules.vicarius import Vicarius

    built: dict[str, Room] = {
        "dux": Dux(),
        "vicarius": Vicarius(),
        "pirates": Pirates(),
        "goths": Goths(),
        "imperium": Imperium(),
        "mare-nostrum": MareNostrum(),
        "via-romana": ViaRomana(),
        "usurpator": Usurpator(),
        "roma-aeterna": RomaAeterna(),
        "barbaria": Barbaria(),
    }
    in_use = [room for name, room in built.items() if name in extensions]
    return (*in_use, Rebels()) if rebels else tuple(in_use)


# -- what several chapters ask in the same words ---------------------------------------------------------------
# Of every action worth asking about some of this is asked: without rooms not even a generator is made for it.


def ban(position: Position, action: Action) -> str | None:
    """The first room's objection to an action of the base game."""
    in_use = rooms(position)
    return next((rule for room in in_use if (rule := room.ban(position, action))), None) if in_use else None


def owner(position: Position, action: Action) -> Room | None:
    """The room that an action belongs to, None where it is one of the base game."""
    in_use = rooms(position)
    return next((room for room in in_use if room.owns(action)), None) if in_use else None


def closed(position: Position, figure: str, province: str) -> str | None:
    """The first room's reason why this figure cannot come to a province."""
    in_use = rooms(position)
    return (
        next((rule for room in in_use if (rule := room.closed(position, figure, province))), None) if in_use else None
    )


def barred(position: Position, zone: int) -> str | None:
    """The first room's reason why no Roman fleet can come to a zone."""
    return next((rule for room in rooms(position) if (rule := room.barred(position, zone))), None)


def fought(position: Position, leader: str, outcome: Outcome) -> Position:
    """What a battle brings to the general who led it."""
    for room in rooms(position):
        position = room.fought(position, leader, outcome)
    return position


def seen(position: Position) -> tuple[Hashable, ...]:
    """What each room wants to remember of the table before a step that places revolts."""
    return tuple(room.seen(position) for room in rooms(position))


def after_revolts(position: Position, before: tuple[Hashable, ...], resting: frozenset[str], then: Then) -> Step:
    """What comes after a step that has placed revolts: what a room wants, else `then`."""
    for room, remembered in zip(rooms(position), before, strict=False):
        step = room.revolted(position, remembered, resting, then)
        if step is not None:
            return step
    return then(position, resting)


def opened(position: Position, number: int, resting: frozenset[str], then: Then) -> Step:
    """What comes where step `number` of the Barbarian phase begins: what a room lets somebody decide, else `then`."""
    for room in rooms(position):
        choice = room.opening(position, number, resting, then)
        if choice is not None:
            return choice
    return then(position, resting)


def may_reroll(position: Position) -> bool:
    """Whether dice that are rolled at this table may be rolled again."""
    return any(room.rerolls(position) for room in rooms(position))


def landed(step: Rolling, faces: tuple[int, ...], result: Step) -> Step:
    """What comes when the dice of a step show these faces: the choice to roll again where there is one, else `result`."""
    for room in rooms(step.position):
        if room.rerolls(step.position) and (choice := room.rolled(step, faces, result)) is not None:
            return choice
    return result


def new_turn(position: Position) -> Position:
    """The beginning of a turn, with what rooms change then."""
    for room in rooms(position):
        position = room.new_turn(position)
    return position
