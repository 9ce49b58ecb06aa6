"""Advice on a choice in a Barbarian phase: for the Barbarian player of Barbaria, and for Emperors with a power (Imperium).

After each option the rest of the phase is rolled by the reference rules many times, with the same dice for every option, and each
result is evaluated as the start of the next turn. Further choices on the way are made by `tetrasolve.tetrarchia.rules.eager`.
So this is the best reply of one player to that policy, judged by the evaluation: an opinion, not a proof. `tetrasolve risk --decide
best` solves one phase exactly, for an objective of that phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

from tetrasolve.errors import IllegalActionError, IllegalPositionError, OutOfTimeError
from tetrasolve.exact.deadline import is_over, public_question, stop_of
from tetrasolve.exact.opinion import DIGITS
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.hint.basis import RAW_VALUES, Basis, basis_of
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.kernel import Player
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Fall, GivenCourse, RandomDice
from tetrasolve.tetrarchia.rules.barbarian import finished
from tetrasolve.tetrarchia.rules.choices import BARBARIAN, answered
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Step

PHASES = 72  # rolled after each option
LISTED = 8  # options that the text shows
PHASE = "Barbarian phase"
DICE_FIRST = (
    "no choice to advise on yet: the Barbarian phase begins with dice, and nobody can decide anything before them; "
    "say which dice and answers came before the choice, or ask in `play`; `risk --decide best` solves the whole phase"
)


@dataclass(frozen=True, slots=True)
class Valued:
    """An option: the chance in [0, 1] that Rome wins after it, as the evaluation sees it, and its standard error from the dice."""

    option: str
    value: float
    error: float

    def as_data(self) -> dict[str, Any]:
        """The option as JSON data."""
        return {"option": self.option, "value": round(self.value, DIGITS), "error": round(self.error, DIGITS)}


@dataclass(frozen=True, slots=True)
class ChoiceAdvice:
    """The options of a choice, the best for its decider first, after so many `phases` each.

    The status is ``interrupted`` where the time ran out before all phases were rolled.
    """

    decider: str
    question: str
    options: tuple[Valued, ...]
    phases: int
    seed: int
    basis: Basis
    status: Literal["complete", "interrupted"] = "complete"

    @property
    def best(self) -> Valued:
        """The best option."""
        return self.options[0]

    def as_data(self) -> dict[str, Any]:
        """The advice as JSON data."""
        return {
            "kind": "evaluation", "status": self.status, "decider": self.decider, "question": self.question,
            "options": [option.as_data() for option in self.options], "phases": self.phases, "seed": self.seed,
            "basis": self.basis.as_data(),
        }  # fmt: skip

    def __str__(self) -> str:
        rows = [
            f"{rank}. {found.option:<24} Rome wins {100 * found.value:5.1f} % (± {200 * found.error:.1f}; evaluation, raw value)"
            for rank, found in enumerate(self.options[:LISTED], start=1)
        ]
        more = len(self.options) - LISTED
        rest = [f"and {more} more" if more > 0 else ""]
        return "\n".join(
            [
                f"{decider_name(self.decider)}: {self.question} ({self.phases} phases after each option)",
                str(self.basis),
                RAW_VALUES,
                *rows,
                *filter(None, rest),
            ]
        )


def decider_name(decider: str) -> str:
    """The name of somebody who decides in a Barbarian phase."""
    return "the Barbarian player" if decider == BARBARIAN else decider.title()


def steps_of(position: Position, course: Iterable[int | str]) -> Iterator[Step]:
    """The steps of a Barbarian phase, from its beginning to the one after these dice and answers.

    :raises IllegalActionError: when one of them does not fit.
    """
    given, step = GivenCourse(course), rules.begin(position)
    yield step
    try:
        while given.left:
            if isinstance(step, (Position, Fall)):
                raise IllegalActionError(PHASE, f"it is over before {' '.join(map(str, given.left))}")
            if isinstance(step, Choice):
                step = answered(step, given.decide)
            else:
                roll = step.roll()
                faces = tuple(given.roll(question) for question in roll.questions)
                step = landed(step, faces, roll.result(faces))
            yield step
    except LookupError as error:
        raise IllegalActionError(PHASE, str(error)) from None


def choice_after(position: Position, course: Iterable[int | str] = ()) -> Choice:
    """The choice that comes in the Barbarian phase of a position after these dice and answers.

    :raises IllegalPositionError: when no Barbarian phase follows, or no choice comes then; the text says what comes.
    :raises IllegalActionError: as `steps_of`.
    """
    require_phase(position)
    course = tuple(course)
    *_, step = steps_of(position, course)
    if isinstance(step, Choice):
        return step
    after = f"after {' '.join(map(str, course))}"
    if isinstance(step, (Position, Fall)):
        raise IllegalPositionError([f"the Barbarian phase is over {after}: no choice to advise on"])
    if course:
        dice = ", ".join(step.roll().questions)
        raise IllegalPositionError([f"no choice to advise on {after}: dice come next ({dice})"])
    raise IllegalPositionError([DICE_FIRST])


def require_phase(position: Position) -> None:
    """Refuse a position in which no Barbarian phase with choices is to be played.

    :raises IllegalPositionError: when it cannot occur, the game is over, a turn is to be played, or the rules have no choices.
    """
    if reasons := position.status():
        raise IllegalPositionError(reasons)
    if position.phase is not Phase.BARBARIAN or position.is_won:
        why = "the game is won" if position.is_won else "the Emperor's turn is not over"
        raise IllegalPositionError([f"no choice in a Barbarian phase to advise on: {why}"])
    if not has_choices(position):
        why = f"expected {' or '.join(sorted(WITH_CHOICES))}"
        raise IllegalPositionError([f"nobody decides anything in a Barbarian phase of {position.ruleset}: {why}"])


def has_choices(position: Position) -> bool:
    """Whether the rules have choices in the Barbarian phase."""
    return bool(WITH_CHOICES & position.ruleset.extensions)


def advise_on_phase(
    position: Position,
    course: Iterable[int | str] = (),
    *,
    phases: int = PHASES,
    seed: int = 0,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> ChoiceAdvice:
    """Advice on the choice that comes in the Barbarian phase of a position after these dice and answers; see `advise`.

    :raises IllegalPositionError: as `choice_after`.
    :raises IllegalActionError: as `choice_after`.
    :raises OutOfTimeError: as `advise`.
    """
    choice = choice_after(position, course)
    return advise(choice, phases=phases, seed=seed, seconds=seconds, cancel=cancel)


@public_question
def advise(
    choice: Choice, *, phases: int = PHASES, seed: int = 0, seconds: float | None = None, cancel: Stop | None = None
) -> ChoiceAdvice:
    """The options of a choice, the best for its decider first.

    After `seconds`, or when `cancel` is set, the advice rests on the phases rolled so far, as many after each option.

    :raises OutOfTimeError: when the time ran out before two phases were rolled after each option.
    :raises ValueError: with fewer than two phases.
    """
    *_, last = advise_in_steps(choice, phases=phases, seed=seed, seconds=seconds, cancel=cancel)
    return last


def advise_in_steps(
    choice: Choice, *, phases: int = PHASES, seed: int = 0, seconds: float | None = None, cancel: Stop | None = None
) -> Iterator[ChoiceAdvice]:
    """The advice after 2 phases, after 4 and so on, each with the status ``interrupted``; the last is that of `advise`.

    :raises OutOfTimeError: as `advise`.
    :raises ValueError: as `advise`.
    """
    choice.position.ruleset.require_kernel()
    choice.position.ruleset.require_standard_numbers()
    if phases < 2:
        raise ValueError(f"phases: expected at least 2, got {phases}")
    stop = stop_of(seconds, cancel)
    values: dict[str, list[float]] = {option: [] for option in choice.options}
    done = 0
    for row in rolled_after_each(choice, phases, seed, stop):
        for option, value in row.items():
            values[option].append(value)
        done += 1
        if 2 <= done < phases and not done & (done - 1):
            yield _advice(choice, values, done, seed, "interrupted")
    if done < 2:  # for a standard error
        raise OutOfTimeError(f"advice on '{choice.question}': the time ran out after {done} phases for each option")
    yield _advice(choice, values, done, seed, "complete" if done == phases else "interrupted")


def rolled_after_each(choice: Choice, phases: int, seed: int, stop: Stop | None) -> Iterator[dict[str, float]]:
    """For each of so many phases the chance that Rome wins after each option, with the same dice; fewer where it was stopped."""
    position = choice.position
    steps = {option: choice.after(option) for option in choice.options}
    with borrow(position.board, position.ruleset, rebels=bool(position.rebels)) as player:
        for number in range(phases):
            row = _rolled(steps, player, bool(position.rebels), f"choice {seed} {number}", stop)
            if row is None:
                return
            yield row


def sign_of(decider: str) -> int:
    """1 for an Emperor, for whom Rome is to win, and -1 for the Barbarian player."""
    return -1 if decider == BARBARIAN else 1


def _advice(
    choice: Choice, values: dict[str, list[float]], done: int, seed: int, status: Literal["complete", "interrupted"]
) -> ChoiceAdvice:
    sign = sign_of(choice.decider)
    found = sorted((_valued(option, row) for option, row in values.items()), key=lambda valued: -sign * valued.value)
    return ChoiceAdvice(choice.decider, choice.question, tuple(found), done, seed, basis_of(choice.position), status)


def _rolled(
    steps: dict[str, Step], player: Player, rebels: bool, seed: str, stop: Stop | None
) -> dict[str, float] | None:
    """What one phase leads to after each option; None when it was stopped."""
    found = {}
    for option, step in steps.items():
        if is_over(stop):
            return None
        end = finished(step, RandomDice(seed), rules.eager)
        found[option] = 0.0 if isinstance(end, Fall) else player.value(fast.state_of(end, rebels=rebels))
    return found


def _valued(option: str, row: list[float]) -> Valued:
    return Valued(option, *mean_and_error(row))


def mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean of at least two values, and its standard error."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
    return mean, sqrt(variance / len(values))


def is_about_phase(position: Position) -> bool:
    """Whether a hint for a position is advice on a choice: a Barbarian phase follows, with rules that have choices."""
    return position.phase is Phase.BARBARIAN and not position.is_won and has_choices(position)
