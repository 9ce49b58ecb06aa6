"""Games in progress: every card and decision in order, with undo.

The rules say what can come; a `Game` keeps what came, so that it can be undone and written as a record
(`tetrasolve.finem.record`).
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tetrasolve.errors import IllegalActionError
from tetrasolve.finem import rules
from tetrasolve.finem.position import Position, Result, State
from tetrasolve.finem.ruleset import Ruleset

OPEN = "open"


@dataclass(frozen=True, slots=True)
class SetUp:
    """The set-up of a game: the cards in the order drawn, and the region of the pawn."""

    ruleset: Ruleset
    cards: tuple[str, ...]
    start: str


class Game:
    """A game from `start` on; `set_up` is the set-up that led to it, if there was one."""

    def __init__(self, start: State, set_up: SetUp | None = None) -> None:
        self.set_up = set_up
        self._states: list[State] = [start]
        self._played: list[str] = []

    @property
    def ruleset(self) -> Ruleset:
        """The ruleset.

        :raises IllegalActionError: as `position`.
        """
        return self.position.ruleset if self.set_up is None else self.set_up.ruleset

    @property
    def start(self) -> State:
        """The first position; a result where the set-up loses [E-FULL]."""
        return self._states[0]

    @property
    def state(self) -> State:
        """The current position, or the result."""
        return self._states[-1]

    @property
    def position(self) -> Position:
        """The current position; after the end the last one before it.

        :raises IllegalActionError: when the set-up has lost the game, so that there is none.
        """
        for state in reversed(self._states):
            if isinstance(state, Position):
                return state
        raise IllegalActionError("position", f"the game is over: {self.state}")

    @property
    def states(self) -> tuple[State, ...]:
        """The states at the start and after each event: one more than `played`."""
        return tuple(self._states)

    @property
    def played(self) -> tuple[str, ...]:
        """The cards drawn and the decisions so far, in order."""
        return tuple(self._played)

    @property
    def result(self) -> str:
        """``won``, ``lost: why``, or ``open``."""
        return str(self.state) if isinstance(self.state, Result) else OPEN

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return isinstance(self.state, Result)

    def take(self, option: str) -> State:
        """Go on with a card that is drawn, or a decision.

        :raises IllegalActionError: when it cannot come here.
        """
        after = rules.take(self.state, option)
        self._states.append(after)
        self._played.append(option)
        return after

    def draw(self, random: Random) -> str:
        """Draw the card of the chance at this step; returns it.

        :raises IllegalActionError: where the player decides.
        """
        card = rules.sample(self.position, random) if not self.is_over else ""
        self.take(card)
        return card

    def undo(self) -> str | None:
        """Take the last card or decision back; returns it, or None when nothing is left."""
        if not self._played:
            return None
        self._states.pop()
        return self._played.pop()


def new_game(ruleset: Ruleset, seed: int | str) -> Game:
    """A game whose map [E-MAP] and set-up are drawn from a seed; the cards of both are part of it."""
    random = rules.seeded(seed)
    ruleset = ruleset.dealt(random)
    cards, start = rules.drawn_set_up(ruleset, random)
    return Game(rules.set_up(ruleset, cards, start), SetUp(ruleset, cards, start))
