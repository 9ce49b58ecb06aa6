"""Grades for what players decided in the Barbarian phases of a game, with Barbaria, Imperium and the rules that ask an Emperor.

A decision is compared with the other options of its choice, as `tetrasolve.tetrarchia.hint.choices` compares them: the rest of the
phase is rolled after each of them with the same dice. The loss is the mean difference to the best option, for the one who decides;
its standard error is that of this mean. Since the best of many options is partly the luckiest, a decision has a grade only where
its loss is more than two standard errors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tetrasolve.exact.opinion import DIGITS
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.choices import mean_and_error, rolled_after_each, sign_of
from tetrasolve.tetrarchia.hint.grades import grade_of
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Choice, GivenCourse

ERRORS = 2  # standard errors that a loss must exceed for a grade
FEWEST_PHASES, MOST_PHASES = 8, 720


@dataclass(frozen=True, slots=True)
class PhaseDecision:
    """A decision in the Barbarian phase after a turn; turns are counted from 1, and 0 is a phase before the first.

    `loss` is in chances in [0, 1] that Rome wins, and `error` its standard error. The phase was rolled on `phases` times after each
    option.
    """

    turn: int
    decider: str
    question: str
    answer: str
    best: str
    loss: float
    error: float
    phases: int

    @property
    def grade(self) -> str:
        """``blunder``, ``mistake``, ``inaccuracy``, or nothing, also where the dice may explain the loss."""
        return grade_of(self.loss) if self.loss > ERRORS * self.error else ""

    def as_data(self) -> dict[str, Any]:
        """The decision as JSON data."""
        return {
            "turn": self.turn, "decider": self.decider, "question": self.question, "answer": self.answer, "best": self.best,
            "loss": round(self.loss, DIGITS), "error": round(self.error, DIGITS), "phases": self.phases, "grade": self.grade,
        }  # fmt: skip


def decisions(game: Game) -> Iterator[tuple[int, Choice, str]]:
    """Each choice in the Barbarian phases of a game, with the number of the turn before it and the answer."""
    turn, in_turn = 0, False
    for played, before in zip(game.played, game.states, strict=False):  # one more state than events
        assert isinstance(before, Position)  # a game ends with a fall
        if played.action is not None:
            turn += not in_turn
            in_turn = True
            continue
        in_turn = False
        for choice, answer in asked_in(before, played.course):
            yield turn, choice, answer


def asked_in(position: Position, course: tuple[int | str, ...]) -> list[tuple[Choice, str]]:
    """The choices of a Barbarian phase with these dice and answers, and the answers."""
    found: list[tuple[Choice, str]] = []
    given = GivenCourse(course)

    def note(choice: Choice) -> int:
        number = given.decide(choice)
        found.append((choice, choice.options[number]))
        return number

    if any(isinstance(item, str) for item in course):
        rules.sample(position, given, note)
    return found


def judged(
    turn: int, choice: Choice, answer: str, *, phases: int, seed: int, stop: Stop | None
) -> PhaseDecision | None:
    """What a decision lost; None where it was stopped before all phases were rolled.

    :raises ValueError: with fewer than two phases.
    """
    if phases < 2:
        raise ValueError(f"phases: expected at least 2, got {phases}")
    rows = list(rolled_after_each(choice, phases, seed, stop))
    if len(rows) < phases:
        return None
    sign = sign_of(choice.decider)
    best = max(choice.options, key=lambda option: (sign * sum(row[option] for row in rows), option == answer))
    gaps = [sign * (row[best] - row[answer]) for row in rows]
    return PhaseDecision(turn, choice.decider, choice.question, answer, best, *mean_and_error(gaps), phases)
