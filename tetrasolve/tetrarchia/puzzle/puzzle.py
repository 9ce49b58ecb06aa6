"""A puzzle with its answer, as a line of JSON (format ``tetrasolve-puzzle/1``), and its check.

Only the question counts: kind, target and position. All else in a file is worked out again when it is checked, and must be
the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from tetrasolve.certify.checking import verdict_on
from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, TooLargeError
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.puzzles.lines import differences
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.release import version
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.plan.certificate import board_digest
from tetrasolve.tetrarchia.plan.objective import LeastIp, NextGoal, Objective
from tetrasolve.tetrarchia.puzzle.certificate import certify_options, certify_unique
from tetrasolve.tetrarchia.puzzle.grade import NO_PLAN, UNGRADED, UNKNOWN, Grade, grade, grade_if_in_time
from tetrasolve.tetrarchia.puzzle.kinds import TURN, Question
from tetrasolve.tetrarchia.puzzle.ranked import Ranked, ranked
from tetrasolve.tetrarchia.puzzle.themes import themes_of
from tetrasolve.tetrarchia.puzzle.unique import Gap, Uniqueness, unique

FORMAT = "tetrasolve-puzzle/1"
GRADED = ("grade", "figures")
OF_THE_BOARD = ("board", "certificate", "states", *GRADED)  # keys that depend on rows that the answer does not rest on
OTHER_BOARD = "not asked: the stand-alone checker is given the board of the library"


Solution: TypeAlias = Uniqueness | Ranked


def solve(question: Question, *, seconds: float | None = None, cancel: Stop | None = None) -> Solution:
    """The answer to a question of any kind, and whether it is the only one.

    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before the search was complete.
    :raises TooLargeError: when the phase is too large for the reference rules.
    """
    if question.kind.form != TURN:
        return ranked(question, seconds=seconds, cancel=cancel)
    stop = stop_of(seconds, cancel)
    found = unique(question.position, question.objective, cancel=stop)
    if question.kind.all_turns and found.is_unique and in_fewer_turns(question, stop) == found.values[0]:
        return replace(found, verdict=Verdict.TOO_MANY_TURNS)
    return found


def in_fewer_turns(question: Question, stop: Stop | None = None) -> Fraction:
    """The best chance, in [0, 1], of the goal of a question about later turns when the last of its turns is not played.

    :raises OutOfTimeError: when `stop` is set before it is known.
    """
    term = question.objective.terms[0]
    assert isinstance(term, NextGoal)
    fewer = replace(term, turns=term.turns - 1) if term.turns > 1 else term.goal
    return unique(question.position, Objective((fewer,)), cancel=stop).values[0]


@dataclass(frozen=True)
class Puzzle:
    """A question with one answer; `source` says where its position comes from. Its grade is not known before `graded`."""

    question: Question
    source: str
    solution: Solution
    grade: Grade = field(default=UNGRADED)

    def graded(self, *, seconds: float | None = None, cancel: Stop | None = None) -> Puzzle:
        """The puzzle with its grade, which is unknown where there is not enough time for it."""
        if isinstance(self.solution, Ranked):
            return replace(self, grade=NO_PLAN)
        return replace(self, grade=grade_if_in_time(self.question, self.solution, seconds=seconds, cancel=cancel))

    @property
    def is_sharp(self) -> bool:
        """Whether every other answer is worse in what is asked, and not only in the IP paid.

        A fraction is sharp if its denominator is small enough for its kind to be worked out by hand.
        """
        limit = self.question.kind.denominator
        if limit and isinstance(self.solution, Ranked):
            return self.solution.options[0][1].denominator <= limit
        gap = self.solution.gap
        return not isinstance(gap, Gap) or not isinstance(gap.term, LeastIp)

    @property
    def text(self) -> str:
        """The question; one that is not sharp also asks for the fewest IP."""
        return f"{self.question}{'' if self.is_sharp else ' Spend as few IP as you can.'}"

    @cached_property
    def certificate(self) -> Certificate | None:
        """The certificate of the answer; None where certificates do not cover the question."""
        return self._certificate(None)

    def _certificate(self, stop: Stop | None) -> Certificate | None:
        try:
            if isinstance(self.solution, Ranked):
                return certify_options(self.solution)
            return certify_unique(self.solution, stop)
        except (ObjectiveError, TooLargeError):
            return None

    def certificate_within(self, stop: Stop | None) -> Certificate | None:
        """The certificate, which is kept.

        :raises Stopped: when the flag is set before there is one.
        """
        if "certificate" not in vars(self):
            vars(self)["certificate"] = self._certificate(stop)
        return self.certificate

    def data(self) -> dict[str, Any]:
        """The puzzle as JSON data; values and gap are exact and as floats."""
        position, proof = self.question.position, self.certificate
        found = self.solution
        return {
            "format": FORMAT,
            "kind": self.question.kind.name,
            "target": self.question.target,
            "question": self.text,
            "position": str(position),
            "board": f"{position.board.id} {board_digest(position.board)}",
            **(_ranked_data(found) if isinstance(found, Ranked) else _turn_data(found)),
            "sharp": self.is_sharp,
            "themes": [] if isinstance(found, Ranked) else list(themes_of(found)),
            **self.grade.data(),
            "certificate": None if proof is None else proof.text(),
            "source": self.source,
            "version": version(),
        }

    def line(self) -> str:
        """The puzzle as one line of a collection."""
        return json.dumps(self.data(), separators=(",", ":"))


def _turn_data(found: Uniqueness) -> dict[str, Any]:
    """A best plan and the best other one."""
    gap, second = found.gap, found.other_values
    assert gap is not None and second is not None
    return {
        "objective": str(found.objective),
        "answer": str(found.plan),
        "values": values_data(found.objective, found.values),
        "gap": gap.as_data(),
        "other": str(found.other),
        "other_values": values_data(found.objective, second),
        "states": found.nodes,
    }


def _ranked_data(found: Ranked) -> dict[str, Any]:
    """All options with their numbers."""
    return {
        "answer": found.answer,
        "numbers": found.numbers,
        "options": [{"option": name, **fraction_data(number)} for name, number in found.options],
        "gap": None if found.gap is None else fraction_data(found.gap),
        "other": found.other,
    }


def values_data(objective: Objective, values: Sequence[Fraction]) -> list[dict[str, Any]]:
    """The values of the terms of an objective, one a term, as JSON data; each is exact and as a float."""
    return [{"term": str(term), **fraction_data(value)} for term, value in zip(objective.terms, values, strict=True)]


@dataclass(frozen=True)
class Checked:
    """What became of a puzzle that was checked: `trouble` is empty if all is as the file says."""

    question: Question
    solution: Solution
    trouble: str
    certified: str  # what the stand-alone checker says, or why it says nothing; empty without one answer
    puzzle: Puzzle | None  # as it should be in a file; None without one answer


def check(
    question: Question,
    data: dict[str, Any],
    *,
    changed_board: bool = False,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Checked:
    """Work out a puzzle again, and compare it with what a file says.

    `changed_board`: the question is on another board than that of the file, so what names or counts the board is not compared, nor
    the grade. A file without a grade, or with an unknown one, says nothing about it.

    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all was done.
    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    :raises TooLargeError: when the phase is too large for the reference rules.
    """
    stop = stop_of(seconds, cancel)
    solution = solve(question, cancel=stop)
    if not solution.is_unique:
        return Checked(question, solution, solution.sentence, "", None)
    puzzle = Puzzle(question, str(data["source"]), solution)
    claims = not changed_board and _claims_grade(data)
    if claims and isinstance(solution, Uniqueness):
        puzzle = replace(puzzle, grade=grade(question, solution, cancel=stop))
    else:
        puzzle = puzzle.graded(cancel=stop)
    with answering(f"'{question}'", "its certificate was written"):
        puzzle.certificate_within(stop)
    again = puzzle.data()
    free = {"version", *(OF_THE_BOARD if changed_board else ()), *(() if claims else GRADED)}
    trouble = differences(data, again, free)
    return Checked(question, solution, trouble, OTHER_BOARD if changed_board else certified(puzzle, stop), puzzle)


def _claims_grade(data: dict[str, Any]) -> bool:
    """Whether a file says what the grade is, or anything about its figures."""
    return not _is_same(data.get("grade", UNKNOWN), UNKNOWN) or data.get("figures") is not None


def _is_same(stated: object, found: object) -> bool:
    """Whether two parts of JSON data are the same; true is no number, and 3.0 is not 3."""
    return json.dumps(stated, sort_keys=True) == json.dumps(found, sort_keys=True)


def certified(puzzle: Puzzle, stop: Stop | None = None, board: str | None = None) -> str:
    """What the stand-alone checker says about the certificate: ``confirmed``, or its whole verdict.

    :param board: the file of the puzzle's board; None for that of the library.
    :raises OutOfTimeError: when `stop` is set before the checker has ended.
    """
    with answering(f"'{puzzle.question}'", "the checker was done"):
        proof = puzzle.certificate_within(stop)
        return "certificates do not cover this question" if proof is None else verdict_on(proof, stop, board)
