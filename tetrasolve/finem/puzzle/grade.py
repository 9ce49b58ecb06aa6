"""The grade of a puzzle, 1 to 5, and the figures it is taken from: what it takes solvers that err to find the answer.

The rule and its numbers are data (``data/grades.toml``); solvers and effort are those of `tetrasolve.puzzles.effort`. States and
options are those of the reference rules, numbers those of the answer. A grade says which simulated solvers find the answer; how
people fare is not known, so it is no rating. Questions about a chance or a card ask for no decision, and have no grade.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import sqrt
from typing import Any

from tetrasolve import strict
from tetrasolve.errors import PuzzleError
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.position import Phase, Position, State
from tetrasolve.finem.puzzle.kinds import DECISION, PLAN
from tetrasolve.finem.puzzle.solving import Ranked, end_of, situation
from tetrasolve.puzzles.effort import Choice, chance, softmax, uniform
from tetrasolve.stop import Stop

DIGITS = 6  # significant ones of a figure


@dataclass(frozen=True, slots=True)
class Rule:
    """How grades are taken from figures, see ``data/grades.toml``."""

    effort: tuple[float, ...]
    noise: float

    def grade(self, effort: float) -> int:
        """The grade, 1 to 5, by the effort of a puzzle, see `Grade`."""
        return 1 + sum(effort > most for most in self.effort)


@cache
def rule() -> Rule:
    """The rule of all grades.

    >>> rule().grade(2), rule().grade(1e9)
    (1, 5)
    """
    row = strict.read_toml(resources.files("tetrasolve.finem").joinpath("data/grades.toml").read_text("utf-8"))
    return Rule(tuple(row["effort"]), row["noise"])


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade, 1 to 5, and its figures; None where the kind has no grades.

    `tries`: how often the solver that errs tries on average. `random`: the chance in (0, 1] that random legal play is the answer.
    """

    number: int | None
    tries: float | None = None
    random: float | None = None

    def data(self) -> dict[str, Any]:
        """The grade and its figures as JSON data."""
        figures = None if self.number is None else {"tries": self.tries, "random": self.random}
        return {"grade": self.number, "figures": figures}

    def __str__(self) -> str:
        if self.number is None or self.tries is None or self.random is None:
            return "none: questions that ask for no decision have no grades"
        return f"{self.number}: {self.tries:,.0f} tries of a solver that errs, {1 / self.random:,.0f} at random"


NONE = Grade(None)


@public_question
def grade(found: Ranked, *, seconds: float | None = None, cancel: Stop | None = None) -> Grade:
    """The grade of a question that has one answer.

    :raises PuzzleError: when it has not.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all states were found.
    """
    if not found.is_unique:
        raise PuzzleError(f"this is no puzzle: {found.sentence}")
    if found.question.kind.form not in (PLAN, DECISION):
        return NONE
    stop = stop_of(seconds, cancel)
    with answering(f"the grade of '{found.question}'"):
        region, worths = region_of(found, stop)
    numbers = [float(number) for _, number in found.options]
    stake = max(numbers) - min(numbers)
    at_random = chance(region, uniform(region))
    seen = chance(region, softmax(lambda state: worths[state], rule().noise * stake))
    tries = 1 / seen
    return Grade(rule().grade(sqrt(tries / at_random)), _short(tries), _short(at_random))


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


def region_of(found: Ranked, stop: Stop | None = None) -> tuple[dict[int, list[Choice]], dict[int, list[float]]]:
    """The states of right play with their choices, and what is within reach after each; the greater the better.

    :raises Stopped: when `stop` is set before all states were found.
    """
    position = found.question.position
    sign = read_objective(found.question.objective).sign
    best = sign * found.options[0][1]
    if found.question.kind.form == DECISION:
        numbers = [sign * number for _, number in found.options]
        return {0: [Choice(number == best) for number in numbers]}, {0: [float(number) for number in numbers]}
    values = {end_of(position, name): sign * number for name, number in found.options}

    @cache
    def reach(state: State) -> Fraction:
        """The best that is within reach."""
        check(stop)
        if not isinstance(state, Position) or not _is_open(state):
            return values[situation(state)]
        return max(reach(rules.take(state, option)) for option in rules.node(state).options)

    region: dict[int, list[Choice]] = {}
    worths: dict[int, list[float]] = {}
    numbers_of = {position: 0}
    waiting = [position]
    for here in waiting:  # which grows
        at, row = numbers_of[here], []
        after = [rules.take(here, option) for option in rules.node(here).options]
        for state in after:
            is_right = reach(state) == best
            if is_right and isinstance(state, Position) and _is_open(state):
                if state not in numbers_of:
                    numbers_of[state] = len(numbers_of)
                    waiting.append(state)
                row.append(Choice(True, (numbers_of[state],)))
            else:
                row.append(Choice(is_right))
        region[at], worths[at] = row, [float(reach(state)) for state in after]
    return region, worths


def _is_open(state: State) -> bool:
    """Whether actions are still taken."""
    return isinstance(state, Position) and state.phase is Phase.ACTIONS
