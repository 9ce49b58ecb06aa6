"""A puzzle with its answer, as a line of JSON (format ``tetrasolve-finem-puzzle/1``), its check, and collections of them.

Only the question counts: kind, target and position. All else in a file is worked out again when it is checked, and must be
the same.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.errors import PuzzleError, TetrasolveError, shown
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import answering, stop_of
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.certificate import certificate_of, certified
from tetrasolve.finem.puzzle.grade import Grade, grade
from tetrasolve.finem.puzzle.kinds import CHANCE, PLAN, Question, kind, question_about
from tetrasolve.finem.puzzle.solving import SEPARATOR, Ranked, confirm, solve
from tetrasolve.finem.puzzle.themes import themes as known_themes
from tetrasolve.finem.puzzle.themes import themes_of
from tetrasolve.puzzles import csvfile
from tetrasolve.puzzles.csvfile import as_number, as_text
from tetrasolve.puzzles.lines import (
    differences,
    id_of,
    line_data,
    lines_of,
    require_grades,
    stated_grade,
    stated_themes,
)
from tetrasolve.puzzles.themes import require_themes
from tetrasolve.release import version
from tetrasolve.stop import Stop

FORMAT = "tetrasolve-finem-puzzle/1"
FREE = ("version",)  # what a check does not compare
CERTIFICATE = "certificate"  # has lines; a file that was written before there were any has none
KEPT = 12  # options that a file lists, the best first
COLUMNS = (
    "PuzzleId", "Position", "Kind", "Target", "Question", "Answer", "Gap", "Themes", "Source", "Grade", "Tries", "Random",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A question with one answer; `source` says where its position comes from."""

    question: Question
    source: str
    found: Ranked

    def data(self, stop: Stop | None = None, graded: Grade | None = None) -> dict[str, Any]:
        """The puzzle as JSON data, with its themes and its grade; numbers and gap are exact and as floats.

        Without `graded` the grade is worked out.

        :raises OutOfTimeError: when `stop` is set before the grade is known.
        """
        found = self.found
        return {
            "format": FORMAT,
            "kind": self.question.kind.name,
            "target": self.question.target,
            "question": str(self.question),
            "position": str(self.question.position),
            "answer": found.answer,
            "numbers": found.numbers,
            "gap": None if found.gap is None else fraction_data(found.gap),
            "other": found.other,
            "options": [{"option": name, **fraction_data(number)} for name, number in found.options[:KEPT]],
            "answers": len(found.options),
            "themes": list(themes_of(found)),
            **(graded or grade(found, cancel=stop)).data(),
            CERTIFICATE: certificate_of(found)[0],
            "source": self.source,
            "version": version(),
        }

    def line(self, stop: Stop | None = None) -> str:
        """The puzzle as one line of a collection.

        :raises OutOfTimeError: when `stop` is set before the grade is known.
        """
        return line_of(self.data(stop))


def line_of(data: dict[str, Any]) -> str:
    """The data of a puzzle as one line of a collection."""
    return json.dumps(data, separators=(",", ":"))


def is_sharp(found: Ranked) -> bool:
    """Whether an answer is one that can be worked out: a fraction has a denominator that is small enough for its kind."""
    kind_ = found.question.kind
    return kind_.form != CHANCE or found.options[0][1].denominator <= kind_.denominator


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle of a collection: its question, where it comes from, and all that the file says, unchecked."""

    question: Question
    source: str
    data: dict[str, Any]

    def line(self) -> str:
        """The puzzle as a line of a collection, with all that the file says."""
        return line_of(self.data)

    @property
    def id(self) -> str:
        """Ten hexadecimal digits, which depend on the question only."""
        return id_of(self.question.kind.name, self.question.target, self.question.position)

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes as the file has them."""
        return stated_themes(self.data)

    @property
    def grade(self) -> int | None:
        """The grade as the file has it, 1 to 5; None where there is none."""
        return stated_grade(self.data)

    def row(self) -> tuple[str, ...]:
        """The cells of a CSV file, by `COLUMNS`."""
        question = self.question
        gap, figures = self.data.get("gap"), self.data.get("figures")
        figures = figures if isinstance(figures, dict) else {}
        return (
            self.id,
            str(question.position),
            question.kind.name,
            question.target or "",
            str(question),
            as_text(self.data.get("answer")),
            as_text(gap.get("exact")) if isinstance(gap, dict) else "",
            " ".join(self.themes),
            self.source,
            str(self.grade or ""),
            *(as_number(figures.get(name)) for name in ("tries", "random")),
        )


@dataclass(frozen=True, slots=True)
class Checked:
    """What became of a puzzle that was checked: `trouble` is empty if all is as the file says.

    `certified`: ``confirmed`` by the stand-alone checker, or why there is no certificate; empty where there is trouble.
    """

    found: Ranked
    trouble: str
    certified: str = ""


def check(entry: Entry, *, seconds: float | None = None, cancel: Stop | None = None) -> Checked:
    """Work out a puzzle again by the kernel, the reference rules and the stand-alone checker, and compare it with what a file says.

    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before the search was complete.
    :raises IllegalPositionError: when the position cannot occur.
    :raises ProofError: when there is no checker to run.
    """
    stop = stop_of(seconds, cancel)
    found = solve(entry.question, cancel=stop)
    if not found.is_unique:
        return Checked(found, found.sentence)
    again = Puzzle(entry.question, entry.source, found).data(stop)
    free = FREE if CERTIFICATE in entry.data else (*FREE, CERTIFICATE)
    if trouble := differences(entry.data, again, free):
        return Checked(found, trouble)
    if trouble := confirm(found, cancel=stop):
        return Checked(found, trouble)
    with answering(f"'{entry.question}'", "the checker was done"):
        said = certified(found, stop)
    is_refuted = again[CERTIFICATE] is not None and said != CONFIRMED
    return Checked(found, said if is_refuted else "", "" if is_refuted else said)


# -- help --------------------------------------------------------------------------------------------------------------

_HELP = {
    "en": {
        "number": "The best number is {number}.",
        "length": "The answer has {n} actions.",
        "first": "It begins with: {first}",
        "answer": "The answer: {answer}",
        "denominator": "The denominator of the answer is {n}.",
        "half": "It is one of: {some}",
    },
    "es": {
        "number": "El mejor número es {number}.",
        "length": "La respuesta tiene {n} acciones.",
        "first": "Empieza con: {first}",
        "answer": "La respuesta: {answer}",
        "denominator": "El denominador de la respuesta es {n}.",
        "half": "Es una de: {some}",
    },
}
LANGUAGES = tuple(_HELP)
SOME = 3  # options among which the answer is said to be


def helps(found: Ranked, language: str = "en") -> list[str]:
    """Steps of help: each gives away a little more, and the last one is the answer."""
    say = _HELP[language]
    steps = []
    if found.question.kind.form == CHANCE:
        steps.append(say["denominator"].format(n=found.options[0][1].denominator))
    elif found.question.kind.form == PLAN:
        actions = found.answer.split(SEPARATOR)
        steps += [
            say["number"].format(number=found.options[0][1]),
            say["length"].format(n=len(actions)),
            say["first"].format(first=actions[0]),
        ]
    else:
        steps.append(say["number"].format(number=found.options[0][1]))
        steps.append(say["half"].format(some=", ".join(sorted(name for name, _ in found.options[:SOME]))))
    return [*steps, say["answer"].format(answer=found.answer)]


# -- collections -------------------------------------------------------------------------------------------------------

SHIPPED = "data/puzzles/shipped"  # .jsonl and .json


def read_line(text: str, where: str) -> Entry:
    """A line of a collection.

    :raises PuzzleError: when the line is no puzzle; `where` names it.
    """
    try:
        data = line_data(text, FORMAT, of_lines=(CERTIFICATE,))
        question = question_about(data["kind"], data["target"], Position.parse(data["position"]))
    except TetrasolveError as error:
        raise PuzzleError(f"{where}: {error}") from None
    return Entry(question, data["source"], data)


def read_collection(text: str, source: str) -> list[Entry]:
    """The puzzles of a collection, one a line.

    :raises PuzzleError: when a line is no puzzle, or there is none.
    """
    return [read_line(line, where) for where, line in lines_of(text, source)]


def csv_text(entries: Sequence[Entry]) -> str:
    """A collection as CSV with a row of names, one puzzle a row; themes are separated by spaces."""
    return csvfile.csv_text(COLUMNS, (entry.row() for entry in entries))


@cache
def shipped_text() -> str:
    """The collection that ships with the library, a puzzle on each line; `tetrasolve.finem.puzzle.making` makes it."""
    return resources.files("tetrasolve.finem").joinpath(f"{SHIPPED}.jsonl").read_text("utf-8")


def shipped() -> list[Entry]:
    """The puzzles that ship with the library."""
    return read_collection(shipped_text(), "the shipped collection")


def select(
    entries: Sequence[Entry],
    *,
    kinds: Collection[str] = (),
    themes: Collection[str] = (),
    grades: Sequence[int] = (),
) -> Iterator[tuple[int, Entry]]:
    """The puzzles of one of these kinds and grades (none named: any) with all of these themes, by number from 1 on.

    All is as the file has it.

    :raises PuzzleError: when there is no such kind, theme or grade.
    """
    chosen = [kind(name) for name in kinds]
    require_grades(grades)
    require_themes(themes, known_themes())
    for number, entry in enumerate(entries, start=1):
        if (
            (not chosen or entry.question.kind in chosen)
            and set(themes) <= set(entry.themes)
            and (not grades or entry.grade in grades)
        ):
            yield number, entry


def chosen_entry(entries: Sequence[Entry], number: int) -> Entry:
    """The puzzle with this number, from 1 on.

    :raises PuzzleError: when there is none.
    """
    if not 1 <= number <= len(entries):
        raise PuzzleError(f"there is no puzzle {shown(number)}, expected 1 to {len(entries)}")
    return entries[number - 1]
