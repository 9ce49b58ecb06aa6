"""The grade of a puzzle, 1 to 5, and the figures it is taken from: what it takes solvers that err to find the answer.

The rule and its numbers are data (``data/grades.toml``). A grade says which simulated solvers find the answer; how people fare is
not known, so it is no rating. Questions that ask for no plan have no grade: their solvers would not choose actions of a turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import sqrt
from typing import Any

from tetrasolve import strict
from tetrasolve.errors import OutOfTimeError, PuzzleError, TooLargeError
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.puzzles.effort import Region, chance, effort, softmax, uniform
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.puzzle.kinds import Question
from tetrasolve.tetrarchia.puzzle.lines import lines
from tetrasolve.tetrarchia.puzzle.solvers import PREFERENCES, Turn
from tetrasolve.tetrarchia.puzzle.unique import Gap, Uniqueness

UNKNOWN = "unknown"
DIGITS = 6  # significant ones of a figure
LEAST_CHANCE = 1e-300  # of a solver: its inverse is still a number


@dataclass(frozen=True, slots=True)
class Rule:
    """How grades are taken from figures, see ``data/grades.toml``."""

    lines: float
    noise: float
    effort: tuple[float, ...]
    near: float
    ladder: tuple[str, ...]

    def grade(self, effort: float) -> int:
        """The grade, 1 to 5, by the effort of a puzzle, see `Figures`."""
        return 1 + sum(effort > most for most in self.effort)


@cache
def rule() -> Rule:
    """The rule of all grades.

    >>> rule().grade(50), rule().grade(1e9)
    (2, 5)
    """
    row = strict.read_toml(resources.files("tetrasolve.tetrarchia").joinpath("data/grades.toml").read_text("utf-8"))
    return Rule(row["lines"], row["noise"], tuple(row["effort"]), row["near"], tuple(row["ladder"]))


@dataclass(frozen=True, slots=True)
class Figures:
    """What it takes to find an answer.

    `tries`: how often the simulated solver tries on average. `random`: the chance that random legal play is the answer. `finder`:
    the weakest solver of the ladder that finds it. `lines` and `ranks`: for each solver that goes by a preference the lines until
    the answer, and the rank of its key action, the one that the solver likes least. `tempting`: wrong choices along the answer
    that one of them likes at least as much as the right one; `near`: those after which most of what is at stake is still within
    reach. `length`: actions of the longest line of the answer; `branches`: its lines.
    """

    tries: float
    random: float
    finder: str
    lines: dict[str, float]
    ranks: dict[str, float]
    tempting: int
    near: int
    length: int
    branches: int

    @property
    def effort(self) -> float:
        """The geometric mean of the tries that the simulated solver and random play take: by it the grade is decided."""
        return sqrt(self.tries / max(self.random, LEAST_CHANCE))

    def data(self) -> dict[str, Any]:
        """The figures as JSON data."""
        return {
            "tries": self.tries,
            "random": self.random,
            "finder": self.finder,
            "lines": self.lines,
            "ranks": self.ranks,
            "tempting": self.tempting,
            "near": self.near,
            "length": self.length,
            "branches": self.branches,
        }


@dataclass(frozen=True, slots=True)
class Grade:
    """A grade, 1 to 5, with its figures; without a number `reason` says why there is none.

    `is_open`: it is only not known, since there was not enough time.
    """

    number: int | None
    figures: Figures | None = None
    reason: str = ""
    is_open: bool = False

    def data(self) -> dict[str, Any]:
        """The grade and its figures as JSON data: a number, `UNKNOWN`, or None where the kind has no grades."""
        return {
            "grade": UNKNOWN if self.is_open else self.number,
            "figures": None if self.figures is None else self.figures.data(),
        }

    def __str__(self) -> str:
        if self.figures is None:
            return f"{UNKNOWN if self.is_open else 'none'}: {self.reason}"
        found = self.figures
        at_random = f"{1 / max(found.random, LEAST_CHANCE):,.0f}"
        return f"{self.number}: found by {found.finder}; {found.tries:,.0f} tries of a solver that errs, {at_random} at random"


UNGRADED = Grade(None, reason="it was not asked for", is_open=True)
NO_PLAN = Grade(None, reason="questions that ask for no plan have no grades")


def grade(
    question: Question, solution: Uniqueness, *, seconds: float | None = None, cancel: Stop | None = None
) -> Grade:
    """The grade of a question about a turn that has one answer.

    :raises PuzzleError: when it has not.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all figures were known.
    :raises TooLargeError: when the phase is too large for the reference rules.
    """
    if not solution.is_unique or solution.gap is None:
        raise PuzzleError(f"this is no puzzle: {solution.sentence}")
    stop = stop_of(seconds, cancel)
    with answering(f"the grade of '{question}'"):
        turn = turn_seen(solution, stop)
        found = _figures(turn, solution)
    return Grade(rule().grade(found.effort), found)


def grade_if_in_time(
    question: Question, solution: Uniqueness, *, seconds: float | None = None, cancel: Stop | None = None
) -> Grade:
    """The same; not known, with the reason, where there is not enough time for it."""
    try:
        return grade(question, solution, seconds=seconds, cancel=cancel)
    except (OutOfTimeError, TooLargeError) as error:
        return Grade(None, reason=str(error), is_open=True)


def turn_seen(solution: Uniqueness, stop: Stop | None = None) -> Turn:
    """The turn of a puzzle as solvers see it: asked are the terms up to that of the gap.

    :raises Stopped: when `stop` is set.
    """
    terms = solution.objective.terms
    assert isinstance(solution.gap, Gap)
    asked = 1 + next(number for number, term in enumerate(terms) if term == solution.gap.term)
    return Turn(solution.position, solution.objective, asked, stop)


def shares(turn: Turn, noise: float) -> Callable[[int], Sequence[float]]:
    """What a solver chooses whose errors are this share of what is at stake."""
    stake = max(turn.aim.values()) - min(turn.aim.values())
    return softmax(turn.best_values, noise * stake) if stake > 0 else uniform(turn.region)


def _figures(turn: Turn, solution: Uniqueness) -> Figures:
    ruled = rule()
    region: Region = turn.region
    at_random = chance(region, uniform(region))
    worths = {name: turn.worths(1, prefer(turn)) for name, prefer in PREFERENCES.items()}
    efforts = {name: effort(region, worth) for name, worth in worths.items()}
    expected = {"random": 1 / max(at_random, LEAST_CHANCE), **{name: found.lines for name, found in efforts.items()}}
    played = list(lines(solution.position, solution.plan))
    states = turn.answer_states()
    return Figures(
        tries=_short(1 / max(chance(region, shares(turn, ruled.noise)), LEAST_CHANCE)),
        random=_short(at_random),
        finder=next(name for name in ruled.ladder if expected.get(name, 0) <= ruled.lines),
        lines={name: _short(found.lines) for name, found in efforts.items()},
        ranks={name: _short(found.rank) for name, found in efforts.items()},
        tempting=sum(_tempting(turn, state, [worth(state) for worth in worths.values()]) for state in states),
        near=sum(_near(turn, state, ruled.near) for state in states),
        length=max(len(line.steps) for line in played),
        branches=len(played),
    )


def _tempting(turn: Turn, state: int, seen: Sequence[Sequence[tuple[float, ...]]]) -> int:
    """How many wrong choices at a state some solver likes at least as much as each right one."""
    choices = turn.region[state]
    best = [max(worth for worth, choice in zip(row, choices, strict=True) if choice.is_right) for row in seen]
    return sum(
        not choice.is_right and any(row[number] >= most for row, most in zip(seen, best, strict=True))
        for number, choice in enumerate(choices)
    )


def _near(turn: Turn, state: int, share: float) -> int:
    """How many wrong choices at a state leave at least this share of what is at stake within reach."""
    least = min(turn.aim.values())
    values = turn.best_values(state)
    most = max(values)
    return sum(
        not choice.is_right and value - least >= share * (most - least)
        for choice, value in zip(turn.region[state], values, strict=True)
    )


def _short(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")
