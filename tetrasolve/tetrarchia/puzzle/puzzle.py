"""A puzzle with its answer, as a line of JSON (format ``tetrasolve-puzzle/1``), and its check.

Only the question counts: kind, target and position. All else in a file is worked out again when it is checked, and must be
the same.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from tetrasolve import strict
from tetrasolve.certify.checking import run_checker
from tetrasolve.certify.form import Certificate
from tetrasolve.errors import ObjectiveError, PuzzleError, TetrasolveError, TooLargeError, shown
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan.certificate import board_digest
from tetrasolve.tetrarchia.plan.objective import LeastIp
from tetrasolve.tetrarchia.puzzle.certificate import certify_unique
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness, unique

FORMAT = "tetrasolve-puzzle/1"
LONGEST = 10**5  # characters of a line
KEYS = {"format", "kind", "target", "position", "source"}  # what a file must have


@dataclass(frozen=True)
class Puzzle:
    """A question with one answer; `source` says where its position comes from."""

    question: Question
    source: str
    solution: Uniqueness

    @property
    def is_sharp(self) -> bool:
        """Whether every other answer is worse in what is asked, and not only in the IP paid."""
        return self.solution.gap is not None and not isinstance(self.solution.gap.term, LeastIp)

    @property
    def text(self) -> str:
        """The question; one that is not sharp also asks for the fewest IP."""
        return f"{self.question}{'' if self.is_sharp else ' Spend as few IP as you can.'}"

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of the answer; None where certificates do not cover the question."""
        try:
            return certify_unique(self.solution)
        except (ObjectiveError, TooLargeError):
            return None

    def data(self) -> dict[str, Any]:
        """The puzzle as JSON data; values and gap are exact and as floats."""
        found, gap, proof = self.solution, self.solution.gap, self.certificate
        assert gap is not None and found.other is not None and found.other_values is not None
        position = self.question.position
        return {
            "format": FORMAT,
            "kind": self.question.kind.name,
            "target": self.question.target,
            "question": self.text,
            "position": str(position),
            "board": f"{position.board.id} {board_digest(position.board)}",
            "objective": str(found.objective),
            "answer": str(found.plan),
            "values": _values(found, found.values),
            "gap": {"term": str(gap.term), **_number(gap.amount)},
            "sharp": self.is_sharp,
            "other": str(found.other),
            "other_values": _values(found, found.other_values),
            "states": found.nodes,
            "certificate": None if proof is None else proof.text(),
            "source": self.source,
            "version": _version(),
        }

    def line(self) -> str:
        """The puzzle as one line of a collection."""
        return json.dumps(self.data(), separators=(",", ":"))


@cache
def _version() -> str:
    return metadata.version("tetrasolve")


def _number(value: Fraction) -> dict[str, Any]:
    return {"exact": str(value), "float": float(value)}


def _values(found: Uniqueness, values: tuple[Fraction, ...]) -> list[dict[str, Any]]:
    terms = zip(found.objective.terms, values, strict=True)
    return [{"term": str(term), **_number(value)} for term, value in terms]


@dataclass(frozen=True)
class Checked:
    """What became of a puzzle that was checked: `trouble` is empty if all is as the file says."""

    question: Question
    solution: Uniqueness
    trouble: str
    certified: str  # what the stand-alone checker says, or why it says nothing; empty without one answer


def read_line(text: str, where: str, board: Board | None = None) -> tuple[Question, str, dict[str, Any]]:
    """The question of a line of a collection, its source, and all that the line says.

    :raises PuzzleError: when the line is no puzzle; `where` names it.
    """
    try:
        data = strict.read_json(text, size=LONGEST)
        if not isinstance(data, dict) or not data.keys() >= KEYS or data["format"] != FORMAT:
            raise PuzzleError(f"expected an object of the format {FORMAT}")
        name, target, line, source = (data[key] for key in ("kind", "target", "position", "source"))
        if not (isinstance(name, str) and isinstance(line, str) and isinstance(source, str)):
            raise PuzzleError("kind, position and source: expected text")
        position = read_position(line, board)
        chosen = kind(name)
        question = next((q for q in chosen.questions(position) if q.target == target), None)
    except TetrasolveError as error:
        raise PuzzleError(f"{where}: {error}") from None
    if question is None:
        raise PuzzleError(f"{where}: target {shown(target)}: the position gives rise to no such question")
    return question, source, data


def read_collection(text: str, source: str, board: Board | None = None) -> list[tuple[Question, str, dict[str, Any]]]:
    """The puzzles of a collection, one a line.

    :raises PuzzleError: when a line is no puzzle, or there is none.
    """
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise PuzzleError(f"{source}: is empty, expected a puzzle on each line")
    return [read_line(line, f"{source}, line {number}", board) for number, line in lines]


def check(
    question: Question, data: dict[str, Any], *, seconds: float | None = None, cancel: Stop | None = None
) -> Checked:
    """Work out a puzzle again, and compare it with what a file says.

    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before the search was complete.
    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    """
    solution = unique(question.position, question.objective, seconds=seconds, cancel=cancel)
    if not solution.is_unique:
        return Checked(question, solution, solution.sentence, "")
    puzzle = Puzzle(question, str(data["source"]), solution)
    again = puzzle.data()
    wrong = [key for key in again if key != "version" and data.get(key) != again[key]]
    trouble = f"{', '.join(wrong)}: the file says something else" if wrong else ""
    return Checked(question, solution, trouble, certified(puzzle))


def certified(puzzle: Puzzle) -> str:
    """What the stand-alone checker says about the certificate: ``confirmed``, or its whole verdict."""
    proof = puzzle.certificate
    if proof is None:
        return "certificates do not cover this question"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answer.cert"
        proof.write(path)
        code, text = run_checker([str(path)])
    return "confirmed" if code == 0 else text.strip()
