"""What is measured: one set-up, or those that the dice of a level or of a historical scenario give.

All modules, variants, scenarios, rebels and readings that a kernel plays are covered; readings that only the reference rules
play are refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.courses import named
from tetrasolve.tetrarchia.hint.played import results
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.scenario.policies import numbers_of
from tetrasolve.tetrarchia.status import require_kernel


@dataclass(frozen=True, slots=True)
class SetUps:
    """Where games begin: the JSON text of one position, or the name of a course, whose games have set-ups of their own.

    `text` is a position's JSON form where `is_rolled` is false. It can be sent to other processes.
    """

    text: str
    board: Board
    is_rolled: bool

    @classmethod
    def fixed(cls, position: Position) -> SetUps:
        """One position for all games: the start of a Roman phase, or any position within it.

        :raises IllegalPositionError: when the position cannot occur, or the game is over or in a Barbarian phase there.
        :raises ReferenceOnlyError: when no kernel plays its readings.
        """
        require_kernel(position, house=True)
        if position.phase is not Phase.ROMAN or position.is_won:
            raise IllegalPositionError(["expected a Roman phase of a game that is not over"])
        return cls(position.to_json(), position.board, is_rolled=False)

    @classmethod
    def rolled(cls, name: str) -> SetUps:
        """A set-up of its own for each game: of a level like ``4211+dux``, or of a scenario, as `hint.courses.named` reads it.

        :raises RulesetError: when there is no such level or scenario.
        :raises ReferenceOnlyError: when no kernel plays its readings.
        """
        named(name).ruleset.require_kernel()
        return cls(name, Board.standard(), is_rolled=True)

    @property
    def position(self) -> Position | None:
        """The one position; None where each game has its own."""
        return None if self.is_rolled else Position.from_json(self.text, self.board)

    def __str__(self) -> str:
        return self.text if self.is_rolled else str(self.position)

    def play(self, policy: str, seed: int, first: int, games: int, stop: Stop | None = None) -> str:
        """How games end: ``w`` won, ``l`` lost, ``o`` not over after 400 turns, a letter for each from number `first` on.

        Set-up and dice of a game come from the seed and its number, so two policies have the same.

        :raises ArgumentError: when there is no such policy.
        :raises Stopped: when `stop` is set before all are over.

        >>> SetUps.rolled("5300").play("random", 0, 2, 2) == SetUps.rolled("5300").play("random", 0, 0, 4)[2:]
        True
        """
        numbers = numbers_of(policy)
        if not self.is_rolled:
            start = _read(self.text, self.board)
            return results(start.ruleset, start, numbers, seed, first, games, board=self.board, stop=stop)
        course = named(self.text)
        if course.scenario is None:
            return results(course.ruleset, None, numbers, seed, first, games, stop=stop)
        letters = ""
        for number in range(first, first + games):
            check(stop)
            letters += results(course.ruleset, course.start(f"{seed} {number}"), numbers, seed, number, 1, stop=stop)
        return letters


@lru_cache(maxsize=16)
def _read(text: str, board: Board) -> Position:
    return Position.from_json(text, board)
