"""Advice on a choice in a Barbarian phase: for the Barbarian player of Barbaria, and for Emperors with a power (Imperium).

After each option the rest of the phase is rolled by the reference rules many times, with the same dice for every option, and each
result is evaluated as the start of the next turn. Further choices on the way are made by `tetrasolve.tetrarchia.rules.eager`.
So this is the best reply of one player to that policy, judged by the evaluation: an opinion, not a proof. `tetrasolve risk --decide
best` solves one phase exactly, for an objective of that phase.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

from tetrasolve.errors import IllegalPositionError, OutOfTimeError
from tetrasolve.exact.deadline import is_over, public_question, stop_of
from tetrasolve.exact.opinion import DIGITS
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.hint.basis import Basis, basis_of
from tetrasolve.tetrarchia.hint.players import borrow
from tetrasolve.tetrarchia.kernel import Player
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Choice, Fall, RandomDice
from tetrasolve.tetrarchia.rules.barbarian import finished
from tetrasolve.tetrarchia.rules.choices import BARBARIAN
from tetrasolve.tetrarchia.rules.step import Step

PHASES = 72  # rolled after each option
LISTED = 8  # options that the text shows


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
        who = "the Barbarian player" if self.decider == BARBARIAN else self.decider.title()
        rows = [
            f"{rank}. {found.option:<24} Rome wins {100 * found.value:5.1f} % (± {200 * found.error:.1f}; evaluation)"
            for rank, found in enumerate(self.options[:LISTED], start=1)
        ]
        more = len(self.options) - LISTED
        rest = [f"and {more} more" if more > 0 else ""]
        return "\n".join(
            [
                f"{who}: {self.question} ({self.phases} phases after each option)",
                f"{self.basis.evaluator}; the chances are its raw values",
                *rows,
                *filter(None, rest),
            ]
        )


def first_choice(position: Position) -> Choice | None:
    """The choice with which the Barbarian phase of a position begins; None where it begins with dice."""
    step = rules.begin(position)
    return step if isinstance(step, Choice) else None


def advise_on_phase(
    position: Position, *, phases: int = PHASES, seed: int = 0, seconds: float | None = None, cancel: Stop | None = None
) -> ChoiceAdvice:
    """Advice on the choice with which the Barbarian phase of a position begins; see `advise`.

    :raises IllegalPositionError: when no Barbarian phase can follow, or it begins with dice.
    :raises OutOfTimeError: as `advise`.
    """
    choice = first_choice(position)
    if choice is None:
        why = "it begins with dice, and nobody can decide anything before them"
        raise IllegalPositionError([f"no choice to advise on in this Barbarian phase: {why}"])
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
    choice.position.ruleset.require_kernel()
    choice.position.ruleset.require_standard_numbers()
    if phases < 2:
        raise ValueError(f"phases: expected at least 2, got {phases}")
    stop = stop_of(seconds, cancel)
    position = choice.position
    steps = {option: choice.after(option) for option in choice.options}
    values: dict[str, list[float]] = {option: [] for option in steps}
    with borrow(position.board, position.ruleset, rebels=bool(position.rebels)) as player:
        for number in range(phases):
            row = _rolled(steps, player, bool(position.rebels), f"choice {seed} {number}", stop)
            if row is None:
                break
            for option, value in row.items():
                values[option].append(value)
    done = len(next(iter(values.values())))
    if done < 2:  # for a standard error
        raise OutOfTimeError(f"advice on '{choice.question}': the time ran out after {done} phases for each option")
    sign = 1 if choice.decider == BARBARIAN else -1
    found = sorted((_valued(option, row) for option, row in values.items()), key=lambda valued: sign * valued.value)
    whole: Literal["complete", "interrupted"] = "complete" if done == phases else "interrupted"
    return ChoiceAdvice(choice.decider, choice.question, tuple(found), done, seed, basis_of(position), whole)


def _rolled(
    steps: dict[str, Step], player: Player, rebels: bool, seed: str, stop: Stop | None
) -> dict[str, float] | None:
    """What one phase leads to after each option, all with the same dice; None when it was stopped."""
    found = {}
    for option, step in steps.items():
        if is_over(stop):
            return None
        end = finished(step, RandomDice(seed), rules.eager)
        found[option] = 0.0 if isinstance(end, Fall) else player.value(fast.state_of(end, rebels=rebels))
    return found


def _valued(option: str, row: list[float]) -> Valued:
    mean = sum(row) / len(row)
    variance = sum((value - mean) ** 2 for value in row) / (len(row) - 1)
    return Valued(option, mean, sqrt(variance / len(row)))


def is_choice_of_phase(position: Position) -> bool:
    """Whether a position is in a Barbarian phase that somebody's choice begins."""
    is_phase = position.phase is Phase.BARBARIAN and not position.is_won and not position.is_shared
    return is_phase and not position.status() and first_choice(position) is not None
