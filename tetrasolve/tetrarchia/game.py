"""A game as it is played: positions one after the other, dice from anywhere, and taking back.

The rules decide what may be done; a `Game` remembers what was done, so that it can be undone and written down
(`tetrasolve.tetrarchia.record`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome, ordered
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Decide, Dice, Fall, decline
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SetUp:
    """How a game began: the zones chosen for the fleets and the faces that were rolled.

    A historical scenario has a name, and is `fixed` where its revolts were not rolled for.
    """

    fleets: tuple[int, ...]
    faces: tuple[int, ...]
    scenario: str | None = None
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One thing that happened: an action, or (`action` None) a Barbarian phase.

    `course` is what was rolled: the faces of a battle, or those of a phase with the answers to its choices in between.
    """

    action: Action | None
    course: tuple[int | str, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces alone."""
        return tuple(item for item in self.course if isinstance(item, int))


# What to pay with, of the discs that can be paid, after an attack that came out like this with these faces; None: no more.
Pay = Callable[[Action, tuple[int, ...], tuple[str, ...]], str | None]


class Game:
    """A game from `start` on; `set_up` tells how that came about, where it was rolled."""

    def __init__(self, start: Position, set_up: SetUp | None = None) -> None:
        self.start = start
        self.set_up = set_up
        self._states: list[Position | Fall] = [start]
        self._played: list[Played] = []

    @property
    def state(self) -> Position | Fall:
        """The table as it lies, or how the Empire fell."""
        return self._states[-1]

    @property
    def position(self) -> Position:
        """The table as it lies, or as it lay before the fall."""
        state = self.state
        return (
            state if isinstance(state, Position) else next(s for s in reversed(self._states) if isinstance(s, Position))
        )

    @property
    def states(self) -> tuple[Position | Fall, ...]:
        """The table at the start and after everything that happened: one more than `played`."""
        return tuple(self._states)

    @property
    def played(self) -> tuple[Played, ...]:
        """Everything that happened, in order."""
        return tuple(self._played)

    @property
    def result(self) -> str:
        """``won``, ``won, bitter: who is the Great`` (Roma Aeterna), ``fallen: why``, or ``open``."""
        if isinstance(self.state, Fall):
            return f"fallen: {self.state}"
        if not self.state.is_won:
            return "open"
        great = rules.great(self.state)
        return "won" if great is None else f"won, bitter: {great} is the Great"

    @property
    def is_over(self) -> bool:
        """Whether nobody can do anything any more."""
        return self.result != "open"

    def act(self, action: Action, faces: tuple[int, ...] = ()) -> None:
        """Carry out an action; `faces` are the dice of an attack, and must lead to its outcome.

        :raises IllegalActionError: when a rule forbids it, or the faces lead to another outcome.
        """
        if isinstance(self.state, Fall):
            raise IllegalActionError(action, "the Empire has fallen")
        if action.kind is not Kind.ATTACK and faces:
            raise IllegalActionError(action, "only an attack has dice")
        if action.kind is Kind.ATTACK and action.place is not None:
            if len(faces) != 2 or not all(face in FACES for face in faces):
                raise IllegalActionError(action, "an attack comes with the faces of its two dice, each 1 to 6")
            roll = rules.attack_roll(self.state, action.place, action.figure, action.payments)
            rolled = roll.result(faces)
            if rolled != action:
                raise IllegalActionError(action, f"the dice {faces[0]}-{faces[1]} make it a {rolled.outcome}")
        self._push(rules.play(self.state, action), Played(action, faces))

    def attack(self, army: str, dice: Dice, figure: str | None = None, pay: Pay | None = None) -> Action:
        """Roll an attack on the army there, or on the ``"pirates"``, and say what came of it.

        `figure` leads it: the active Emperor where it is not given. `pay` is asked what to add 1 to the die for, as long
        as the leader can and it is no victory yet; without it nothing is added.

        :raises IllegalActionError: when a rule forbids it.
        """
        if isinstance(self.state, Fall):
            raise IllegalActionError(f"attack {army}", "the Empire has fallen")
        roll = rules.attack_roll(self.state, army, figure)
        faces = tuple(dice.roll(question) for question in roll.questions)
        action = roll.result(faces)
        while pay is not None and action.outcome is not Outcome.VICTORY:
            discs = rules.boosts(self.state, figure, action.payments)
            disc = pay(action, faces, discs) if discs else None
            if disc is None:
                break
            payments = ordered((*action.payments, disc), self.state.board)
            action = rules.attack_roll(self.state, army, figure, payments).result(faces)
        self.act(action, faces)
        return action

    def end(self) -> None:
        """The active Emperor stops.

        :raises IllegalActionError: where he may not.
        """
        self.act(END)

    def barbarians(self, dice: Dice, decide: Decide = decline) -> tuple[int | str, ...]:
        """Roll the Barbarian phase, and say which faces came, with the answers of `decide` to its choices in between.

        :raises IllegalActionError: while the Emperor's turn is not over.
        """
        state = self.state
        if isinstance(state, Fall) or state.is_won:
            raise IllegalActionError("barbarian phase", "the game is over")
        if state.phase is not Phase.BARBARIAN:
            raise IllegalActionError("barbarian phase", "the Emperor's turn is not over")
        recorder = _Recorder(dice, decide)
        after = rules.sample(state, recorder, recorder.decide)
        self._push(after, Played(None, course := tuple(recorder.course)))
        return course

    def undo(self) -> Played | None:
        """Take the last action or Barbarian phase back; None when nothing is left."""
        if not self._played:
            return None
        self._states.pop()
        return self._played.pop()

    def _push(self, state: Position | Fall, played: Played) -> None:
        self._states.append(state)
        self._played.append(played)


def new_game(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None = None, board: Board | None = None
) -> Game:
    """A game rolled from a seed as `rules.random_set_up` does, which remembers its set-up dice."""
    rolled = rules.rolled_set_up(ruleset, seed, fleets, board)
    return Game(rolled.position, SetUp(rolled.fleets, rolled.faces))


def new_scenario(
    name: str,
    seed: int | str,
    fleets: Sequence[int] | None = None,
    ruleset: Ruleset | None = None,
    *,
    fixed: bool = False,
    board: Board | None = None,
) -> Game:
    """A historical scenario rolled from a seed as `rules.rolled_scenario` does, which remembers its set-up dice.

    :raises RulesetError: when there is no such scenario, or the ruleset does not fit it.
    """
    rolled = rules.rolled_scenario(name, seed, fleets, ruleset, fixed=fixed, board=board)
    return Game(rolled.position, SetUp(rolled.fleets, rolled.faces, name, fixed))


class _Recorder:
    """Dice and decisions that write down what comes of them."""

    def __init__(self, dice: Dice, decide: Decide) -> None:
        self._dice = dice
        self._decide = decide
        self.course: list[int | str] = []

    def roll(self, question: str) -> int:
        face = self._dice.roll(question)
        self.course.append(face)
        return face

    def decide(self, choice: Choice) -> int:
        number = self._decide(choice)
        self.course.append(choice.options[number])
        return number
