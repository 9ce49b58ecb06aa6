"""Games in progress: the sequence of positions, with dice from any source and undo.

The rules decide which actions are legal; a `Game` stores the actions and dice, so that they can be undone and written as a
record (`tetrasolve.tetrarchia.record`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tetrasolve.errors import IllegalActionError
from tetrasolve.tables import as_html
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, Outcome, ordered
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Decide, Dice, Fall, decline
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.payment import goes_on
from tetrasolve.tetrarchia.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class SetUp:
    """The set-up of a game: the zones chosen for the fleets and the faces rolled.

    A historical scenario has a name; it is `fixed` if its revolts were not rolled.
    """

    fleets: tuple[int, ...]
    faces: tuple[int, ...]
    scenario: str | None = None
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class Played:
    """One event of a game: an action, or (`action` None) a Barbarian phase.

    `course` has the faces of a battle, or those of a phase with the answers to its choices in between.
    """

    action: Action | None
    course: tuple[int | str, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        """The faces without the answers."""
        return tuple(item for item in self.course if isinstance(item, int))


# Chooses a payment among the discs that can be paid, given the outcome and the faces of an attack; None: no more.
Pay = Callable[[Action, tuple[int, ...], tuple[str, ...]], str | None]


class Game:
    """A game from `start` on; `set_up` is the set-up that led to it, if it was rolled."""

    given_by = "new_game(...) or read_record(text)"

    def __init__(self, start: Position, set_up: SetUp | None = None) -> None:
        self.start = start
        self.set_up = set_up
        self._states: list[Position | Fall] = [start]
        self._played: list[Played] = []
        self._undone: list[tuple[Position | Fall, Played]] = []  # the last one undone is the first one again

    @property
    def state(self) -> Position | Fall:
        """The current position, or the fall of the Empire."""
        return self._states[-1]

    @property
    def position(self) -> Position:
        """The current position; after a fall the last one before it."""
        state = self.state
        return (
            state if isinstance(state, Position) else next(s for s in reversed(self._states) if isinstance(s, Position))
        )

    @property
    def states(self) -> tuple[Position | Fall, ...]:
        """The states at the start and after each event: one more than `played`."""
        return tuple(self._states)

    @property
    def played(self) -> tuple[Played, ...]:
        """The events so far, in order."""
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

    def _repr_svg_(self) -> str:
        return self.position._repr_svg_()

    def _repr_html_(self) -> str:
        lines = [
            f"{len(self.played):,} events; {self.result}",
            *([] if isinstance(self.state, Fall) else [str(self.state)]),
        ]
        return as_html("\n".join(lines), self._repr_svg_())

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
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
            rolled = rules.rolled_attack(self.state, action.place, faces, action.figure, action.payments)
            if rolled != action:
                raise IllegalActionError(action, f"the dice {faces[0]}-{faces[1]} make it a {rolled.outcome}")
        self._push(rules.play(self.state, action), Played(action, faces))

    def attack(self, army: str, dice: Dice, figure: str | None = None, pay: Pay | None = None) -> Action:
        """Roll an attack on the army in a province, or on the ``"pirates"``; returns the event.

        `figure` leads it (default: the active Emperor). `pay` is called for each disc that can be paid to add 1 to the die,
        until the attack is a victory [I-GALERIUS-WON]; without it nothing is paid.

        :raises IllegalActionError: when a rule forbids it.
        """
        if isinstance(self.state, Fall):
            raise IllegalActionError(f"attack {army}", "the Empire has fallen")
        further = goes_on(self.state)
        roll = rules.attack_roll(self.state, army, figure)
        faces = tuple(dice.roll(question) for question in roll.questions)
        action = roll.result(faces)
        while pay is not None and (further or action.outcome is not Outcome.VICTORY):
            discs = rules.boosts(self.state, figure, action.payments, army)
            disc = pay(action, faces, discs) if discs else None
            if disc is None:
                break
            payments = ordered((*action.payments, disc), self.state.board)
            action = rules.attack_roll(self.state, army, figure, payments).result(faces)
        self.act(action, faces)
        return action

    def end(self) -> None:
        """End the active Emperor's turn.

        :raises IllegalActionError: where it may not end.
        """
        self.act(END)

    def barbarians(self, dice: Dice, decide: Decide = decline) -> tuple[int | str, ...]:
        """Roll the Barbarian phase; returns the faces, with the answers of `decide` to its choices in between.

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
        """Undo the last action or Barbarian phase; returns it, or None when nothing is left."""
        if not self._played:
            return None
        self._undone.append((self._states.pop(), self._played.pop()))
        return self._undone[-1][1]

    def redo(self) -> Played | None:
        """Play again what was undone last, with its dice; returns it, or None where nothing was undone since the last event."""
        if not self._undone:
            return None
        state, played = self._undone.pop()
        self._states.append(state)
        self._played.append(played)
        return played

    def copy(self) -> Game:
        """A game with the same events, which goes on by itself; what was undone is left behind."""
        other = Game(self.start, self.set_up)
        other._states, other._played = [*self._states], [*self._played]
        return other

    def _push(self, state: Position | Fall, played: Played) -> None:
        self._undone.clear()
        self._states.append(state)
        self._played.append(played)


def new_game(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None = None, board: Board | None = None
) -> Game:
    """A game with the set-up of `rules.random_set_up` for a seed; the set-up dice are part of it."""
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
    """A game with the set-up of `rules.rolled_scenario` for a seed; the set-up dice are part of it.

    :raises RulesetError: when there is no such scenario, or the ruleset does not fit it.
    """
    rolled = rules.rolled_scenario(name, seed, fleets, ruleset, fixed=fixed, board=board)
    return Game(rolled.position, SetUp(rolled.fleets, rolled.faces, name, fixed))


class _Recorder:
    """Dice and decisions that are recorded."""

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
