"""The notation, the rules and the picture of the game for `tetrasolve.games`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import TypeAlias

from tetrasolve.errors import IllegalActionError
from tetrasolve.exact import Distribution
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.examples import example, examples
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

State: TypeAlias = "Position | Fall"

END_OF_TURN = "end"
BARBARIANS = "barbarians"


class TetrarchiaNotation:
    """Positions in their one-line notation."""

    def read(self, text: str) -> Position:
        """The position with this text.

        :raises PositionSyntaxError: when it cannot be read.
        """
        return Position.parse(text)

    def write(self, position: Position) -> str:
        """A position as one line of text."""
        return str(position)

    def examples(self) -> Mapping[str, Position]:
        """The positions that ship with the library."""
        return {name: example(name) for name in examples()}

    def start(self, level: str, seed: int) -> Position:
        """The set-up of a level, rolled from a seed.

        :raises RulesetError: when there is no such level.
        """
        return new_game(Ruleset.from_text(level), seed).start

    def levels(self) -> tuple[str, ...]:
        """The first level, the one that the documentation uses most, and the last."""
        first, *_, last = map(str, all_levels())
        return (first, "4211", last)


class TetrarchiaPlay:
    """The rules: actions of the Roman phase, the end of the turn, and the Barbarian phase.

    An attack is one move with several outcomes; payments and choices in the Barbarian phase are declined.
    """

    def moves(self, position: State) -> tuple[str, ...]:
        """The legal moves: actions, ``end``, or ``barbarians``."""
        if isinstance(position, Fall) or position.is_won:
            return ()
        if position.phase is Phase.BARBARIAN:
            return (BARBARIANS,)
        found = list(dict.fromkeys(map(_move, self._actions(position))))
        return (*found, END_OF_TURN) if rules.may_end(position) else tuple(found)

    def outcomes(self, position: State, move: str) -> Distribution[State]:
        """The positions that a move can lead to, with their chances.

        :raises IllegalActionError: when the move is not legal.
        """
        found = self._legal(position, move)
        if isinstance(found, Position):
            return rules.outcomes(found)
        at, actions = found
        if actions[0].kind is not Kind.ATTACK:
            return Distribution.point(rules.play(at, actions[0]))
        place = actions[0].place
        assert place is not None
        roll = rules.attack_roll(at, place, actions[0].figure)
        return roll.distribution().map(lambda action: rules.play(at, action))

    def sample(self, position: State, move: str, random: Random) -> State:
        """One of these positions, drawn with its chance.

        :raises IllegalActionError: when the move is not legal.
        """
        found = self._legal(position, move)
        if isinstance(found, Position):
            return rules.sample(found, RandomDice(random.getrandbits(64)))
        return self.outcomes(position, move).sample(random)

    def result(self, position: State) -> str:
        """``won``, ``fallen: why``, or nothing while the game continues."""
        if isinstance(position, Fall):
            return f"fallen: {position}"
        return "won" if position.is_won else ""

    def _legal(self, position: State, move: str) -> Position | tuple[Position, tuple[Action, ...]]:
        """The position with the actions that a move means, none of them for the Barbarian phase."""
        if isinstance(position, Fall) or move not in self.moves(position):
            raise IllegalActionError(move, "it is no legal move here")
        if move == BARBARIANS:
            return position
        if move == END_OF_TURN:
            return position, (rules.parse(position, END_OF_TURN),)
        return position, tuple(action for action in self._actions(position) if _move(action) == move)

    def _actions(self, position: Position) -> tuple[Action, ...]:
        return tuple(action for action in rules.legal_actions(position) if not action.payments)


def _move(action: Action) -> str:
    """An action as a move: an attack without its outcome."""
    if action.kind is not Kind.ATTACK:
        return str(action)
    leader = "" if action.figure is None else f" by {action.figure}"
    return f"attack {action.place}{leader}"


def picture(position: Position) -> str:
    """A position as SVG text."""
    return board_svg(position.board, position)


NOTATION = TetrarchiaNotation()
PLAY = TetrarchiaPlay()
