"""Campaigns: a goal, and the events between the turns.

The search with the strong bound knows the actions of the base game. Goths, Usurpator, Roma Aeterna, Barbaria and rebels change no
action but attacks, and act in the Barbarian phase, so it takes them where nothing happens between turns and no attack is stated.
All other campaigns with modules are searched turn by turn in the kernel (`needs_turns`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tetrasolve.errors import IllegalPositionError, ObjectiveError, shown
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.campaign.dice import DiceError, PhaseDice
from tetrasolve.tetrarchia.plan.objective import DEPLOY, GLORY, GOALS, Goal, LeastIp, Objective
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.task import NO_ATTACK, Stated, require_stated, require_words
from tetrasolve.tetrarchia.position import Phase, Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.status import require_kernel

VICTORY = "victory"
REBELS = "rebels"
WITHOUT_ACTIONS = frozenset(
    {"goths", "usurpator", "roma-aeterna", "barbaria", REBELS}
)  # that change no action but attacks
MOST_TURNS = 24  # six of each Emperor: more than any set-up needs without Barbarian phases


@dataclass(frozen=True, slots=True)
class Campaign:
    """The problem of the fewest turns, then the least IP, until a goal is met at the end of a Roman phase.

    The Emperors take their turns in order from the active one on, who has the IP that are left; with `alone` the active one
    takes all turns and the others do not move. Between two turns nothing happens (`dice` None: frozen), or a Barbarian phase
    with stated dice, which must be given for all of `most_turns`; in it the
    Barbarian player and the Emperors spend no discs. A campaign that begins in a Barbarian phase without stated dice
    skips it (`skips_phase`): its first turn is the next Emperor's. Attacks are made only on armies in the provinces of
    `stated`, with the outcome given there, and only where it can be rolled.

    :raises ObjectiveError: when an army is stated twice.
    :raises DiceError: when there are fewer phases of dice than `most_turns` turns have between them.
    :raises IllegalPositionError: when the position cannot occur, or the game is won.
    :raises ObjectiveError: when the goal or a stated attack is about a module that is not in use.
    """

    position: Position
    goal: Goal
    stated: Stated = NO_ATTACK
    dice: tuple[PhaseDice, ...] | None = None
    alone: bool = False
    most_turns: int = MOST_TURNS

    def __post_init__(self) -> None:
        require_kernel(self.position)
        require_words(self.position, Objective((self.goal,)))
        require_stated(self.position, self.stated)
        if self.position.is_won:
            raise IllegalPositionError(["the game is won: no turn to plan"])
        if len(dict(self.stated)) < len(self.stated):
            raise ObjectiveError("an attack on one army is stated twice")
        if self.dice is not None and self.alone:
            raise DiceError(
                "the Barbarian phases of the other Emperors are part of a campaign with dice: `alone` is not possible"
            )
        if self.dice is not None and self.most_turns > self.turns_with_dice:
            raise DiceError(
                f"the stated dice (phases: {len(self.dice)}) allow {self.turns_with_dice} turns, not {self.most_turns}"
            )

    @property
    def needs_turns(self) -> bool:
        """Whether it has actions, attacks, phases or goals of modules, which only the search turn by turn knows."""
        used = self.position.ruleset.extensions | (frozenset({REBELS}) if self.position.rebels else frozenset())
        if used - WITHOUT_ACTIONS or any(self.goal.words()):
            return True
        return bool(used) and (self.dice is not None or bool(self.stated))

    @property
    def skips_phase(self) -> bool:
        """Whether it begins in a Barbarian phase of which nothing is stated."""
        return self.dice is None and self.position.phase is Phase.BARBARIAN

    @property
    def turns_with_dice(self) -> int:
        """The number of turns that the stated dice allow; the last turn needs none."""
        assert self.dice is not None
        return len(self.dice) + (self.position.phase is Phase.ROMAN)

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """The stated outcome of an attack on the army in a province."""
        return dict(self.stated)

    def phase_before(self, turn: int) -> PhaseDice | None:
        """The dice of the Barbarian phase before a turn (0: the first); None where there is no phase, or it is frozen."""
        phase = turn - (self.position.phase is Phase.ROMAN)
        return None if self.dice is None or phase < 0 else self.dice[phase]

    def mover(self, turn: int) -> str:
        """The Emperor of a turn (0: the first turn)."""
        first = self.position if self.position.phase is Phase.ROMAN else handed_over(self.position, alone=self.alone)
        order = [emperor.id for emperor in self.position.board.emperors]
        return first.to_move if self.alone else order[(order.index(first.to_move) + turn) % len(order)]

    @property
    def is_met_already(self) -> bool:
        """Whether the goal is met at the start, and the active Emperor may end his turn."""
        return self.goal.is_met(self.position) and not (
            self.position.is_shared or (self.goal.reach and not self.position.here)
        )


def handed_over(position: Position, *, alone: bool = False) -> Position:
    """The same position before the next turn, with no Barbarian phase between."""
    return start_of_turn(position, position.to_move if alone else next_emperor(position))


def read_goal(text: str, board: Board | None = None) -> Goal:
    """A goal from its text: ``victory``, or a goal of an objective (``secure sarmatia and clear dacia``).

    >>> str(read_goal("reach Dacia"))
    'reach dacia'

    :raises ObjectiveError: when it cannot be read.
    """
    board = board or Board.standard()
    if text.strip().casefold() == VICTORY:
        return victory(board)
    if text.casefold().strip().startswith((*GOALS, DEPLOY, GLORY)):
        objective = read_objective(text, board)
        match objective.terms:
            case [Goal() as goal, LeastIp()] if not objective.constraint:
                return goal
    raise ObjectiveError(
        f"{shown(text)}: expected victory, or reach, secure, clear or kill with provinces, or deploy or glory"
    )


def victory(board: Board) -> Goal:
    """All borders secured."""
    return Goal(secure=frozenset(board.borders))


def name_of(goal: Goal, board: Board) -> str:
    """The text of a goal."""
    return VICTORY if goal == victory(board) else str(goal)


def members_to_quiet(goal: Goal, board: Board) -> Iterator[str]:
    """The provinces that must be free of revolts for the borders of a goal to be secured."""
    for place in sorted(goal.secure):
        if board[place].is_border:
            yield from board.members(board[place].region)
