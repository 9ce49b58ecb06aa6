"""The notation, the rules and the picture of the game for `tetrasolve.games`."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from tetrasolve.errors import IllegalActionError, RulesetError
from tetrasolve.exact import Distribution
from tetrasolve.finem import draw, rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.game import new_game
from tetrasolve.finem.position import Position, Result, State
from tetrasolve.finem.ruleset import Ruleset

DRAW = "draw"


class FinemNotation:
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
        return examples()

    def levels(self) -> tuple[str, ...]:
        """The levels, the last with every option of the expert."""
        return ("introductory", "standard", "expert+corner+sphere+cap3")

    def start(self, level: str, seed: int) -> Position:
        """The set-up of a level, drawn from a seed.

        :raises RulesetError: when there is no such level, or the set-up has lost the game.
        """
        start = new_game(Ruleset.from_text(level), seed).start
        if isinstance(start, Result):
            raise RulesetError(f"{level}, seed {seed}: {start} in the set-up [E-FULL]")
        return start


class FinemPlay:
    """The rules: one move for each decision, and ``draw`` where a card is drawn."""

    def moves(self, position: State) -> tuple[str, ...]:
        """The legal moves; none where the game is over."""
        if isinstance(position, Result):
            return ()
        found = rules.node(position)
        return (DRAW,) if found.is_chance else found.options

    def outcomes(self, position: State, move: str) -> Distribution[State]:
        """The positions that a move can lead to, with their chances.

        :raises IllegalActionError: when the move is not legal.
        """
        if isinstance(position, Position) and move == DRAW:
            return rules.outcomes(position)
        return Distribution.point(self._decided(position, move))

    def sample(self, position: State, move: str, random: Random) -> State:
        """One of these positions, drawn with its chance.

        :raises IllegalActionError: when the move is not legal.
        """
        if isinstance(position, Position) and move == DRAW:
            return rules.take(position, rules.sample(position, random))
        return self._decided(position, move)

    def _decided(self, position: State, move: str) -> State:
        if isinstance(position, Position) and position.step.is_chance:
            raise IllegalActionError(move, f"at step {position.step} a card is drawn: expected {DRAW}")
        return rules.take(position, move)

    def result(self, position: State) -> str:
        """``won``, ``lost: why``, or nothing while the game continues."""
        return str(position) if isinstance(position, Result) else ""


def picture(position: Position) -> str:
    """A position as SVG text."""
    return draw.picture(position)


NOTATION = FinemNotation()
PLAY = FinemPlay()
