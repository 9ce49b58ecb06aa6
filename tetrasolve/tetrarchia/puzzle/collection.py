"""Collections of puzzles: files with a puzzle on each line, and what is chosen from them."""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from hashlib import sha256
from importlib import resources
from io import StringIO
from typing import Any, NamedTuple
from unicodedata import category

from tetrasolve import files, strict
from tetrasolve.errors import PuzzleError, TetrasolveError, shown
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.puzzle.grade import GRADES
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind
from tetrasolve.tetrarchia.puzzle.puzzle import FORMAT
from tetrasolve.tetrarchia.puzzle.themes import require_themes

ID_LENGTH = 10  # hexadecimal digits: two of 1.2 million puzzles share one with a chance of a half
FORMULA = tuple("=+-@\t\r")
LONGEST = 10**5  # characters of a line
UNPRINTED = ("Cc", "Cs")  # control characters, and halves of pairs that no file can hold
CERTIFICATE = "certificate"  # has lines
SHIPPED = "data/puzzles/shipped"  # .jsonl.xz and .json
KEYS = {"format", "kind", "target", "position", "source"}  # what a file must have


COLUMNS = (
    "PuzzleId", "Position", "Kind", "Target", "Question", "Answer", "Gap", "Themes", "Source",
    "Grade", "Tries", "Random", "Finder", "Tempting", "Near", "Length", "Branches",
)  # fmt: skip


class Entry(NamedTuple):
    """A puzzle of a collection: its question, where it comes from, and all that the file says, unchecked."""

    question: Question
    source: str
    data: dict[str, Any]

    @property
    def text(self) -> str:
        """The question as the file has it, if it says more than its kind does."""
        text, own = self.data.get("question"), str(self.question)
        return text if isinstance(text, str) and text.startswith(own) else own

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes as the file has them."""
        found = self.data.get("themes")
        return tuple(name for name in found if isinstance(name, str)) if isinstance(found, list) else ()

    @property
    def grade(self) -> int | None:
        """The grade as the file has it, 1 to 5; None where it is unknown or there is none."""
        found = self.data.get("grade")
        return found if type(found) is int and found in GRADES else None

    @property
    def id(self) -> str:
        """Ten hexadecimal digits, which depend on the question only."""
        question = self.question
        asked = (question.kind.name, question.target or "", str(question.position))
        return sha256("\n".join(asked).encode()).hexdigest()[:ID_LENGTH]

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
            self.text,
            _text(self.data.get("answer")),
            _text(gap.get("exact")) if isinstance(gap, dict) else "",
            " ".join(self.themes),
            self.source,
            str(self.grade or ""),
            *(_number(figures.get(name)) for name in ("tries", "random")),
            _text(figures.get("finder")),
            *(_number(figures.get(name)) for name in ("tempting", "near", "length", "branches")),
        )


class Broken(NamedTuple):
    """A puzzle that the board has no place for: why, and all that the file says."""

    reason: str
    data: dict[str, Any]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(value: object) -> str:
    return str(value) if isinstance(value, (int, float)) else ""


def csv_text(entries: Sequence[Entry]) -> str:
    """A collection as CSV with a row of names, one puzzle a row; themes are separated by spaces.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for entry in entries:
        writer.writerow(f"'{cell}" if cell[:1] in FORMULA else cell for cell in entry.row())
    return out.getvalue()


def read_line(text: str, where: str, board: Board | None = None) -> Entry:
    """A line of a collection.

    :raises PuzzleError: when the line is no puzzle; `where` names it.
    """
    try:
        return _entry(_data(text), board)
    except TetrasolveError as error:
        raise PuzzleError(f"{where}: {error}") from None


def _data(text: str) -> dict[str, Any]:
    """What a line says, whatever the board is."""
    data = strict.read_json(text, size=LONGEST)
    if not isinstance(data, dict) or not data.keys() >= KEYS or data["format"] != FORMAT:
        raise PuzzleError(f"expected an object of the format {FORMAT}")
    if not all(isinstance(data[key], str) for key in ("kind", "position", "source")):
        raise PuzzleError("kind, position and source: expected text")
    for key, value in data.items():
        for part in strict.texts_in([key, value]):
            printed = part.replace("\n", "") if key == CERTIFICATE else part
            found = next((sign for sign in printed if category(sign) in UNPRINTED), None)
            if found is not None:
                raise PuzzleError(f"{shown(key)}: holds the character U+{ord(found):04X}, expected text without such")
    kind(data["kind"])
    return data


def _entry(data: dict[str, Any], board: Board | None) -> Entry:
    """The puzzle on this board."""
    position = read_position(data["position"], board)
    question = kind(data["kind"]).question_about(position, data["target"])
    if question is None:
        raise PuzzleError(f"target {shown(data['target'])}: the position gives rise to no such question")
    return Entry(question, data["source"], data)


def read_collection(text: str, source: str, board: Board | None = None) -> list[Entry]:
    """The puzzles of a collection, one a line.

    :raises PuzzleError: when a line is no puzzle, or there is none.
    """
    return [read_line(line, where, board) for where, line in _lines(text, source)]


@cache
def shipped_text() -> str:
    """The collection that ships with the library, a puzzle on each line; `tetrasolve.tetrarchia.puzzle.shipping` makes it."""
    data = resources.files("tetrasolve.tetrarchia").joinpath(f"{SHIPPED}.jsonl.xz").read_bytes()
    return files.unpack(data).decode()


def shipped() -> list[Entry]:
    """The puzzles that ship with the library.

    >>> shipped()[0].question.kind.name
    'kill'
    """
    return read_collection(shipped_text(), "the shipped collection")


def shipped_made() -> dict[str, Any]:
    """What the shipped collection was made by, and how many games and questions each part of the recipe took."""
    text = resources.files("tetrasolve.tetrarchia").joinpath(f"{SHIPPED}.json").read_text("utf-8")
    data: dict[str, Any] = json.loads(text)
    return data


def read_on_board(text: str, source: str, board: Board) -> list[Entry | Broken]:
    """The puzzles of a collection on another board, one a line; `Broken` where it has no such position or question.

    :raises PuzzleError: when a line is no puzzle on any board, or there is none.
    """
    found: list[Entry | Broken] = []
    for where, line in _lines(text, source):
        try:
            data = _data(line)
        except TetrasolveError as error:
            raise PuzzleError(f"{where}: {error}") from None
        try:
            found.append(_entry(data, board))
        except TetrasolveError as error:
            found.append(Broken(str(error), data))
    return found


def _lines(text: str, source: str) -> list[tuple[str, str]]:
    """The lines that are not empty, each after what names it."""
    lines = [(number, line) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]
    if not lines:
        raise PuzzleError(f"{source}: is empty, expected a puzzle on each line")
    return [(f"{source}, line {number}", line) for number, line in lines]


def select(
    entries: Sequence[Entry],
    *,
    kinds: Collection[str] = (),
    themes: Collection[str] = (),
    grades: Collection[int] = (),
    module: str | None = None,
    sharp: bool = False,
) -> Iterator[tuple[int, Entry]]:
    """The puzzles of one of these kinds and grades (none named: any) with all of these themes, by number from 1 on.

    All is as the file has it. `module`: only with this module or variant. `sharp`: only sharp ones.

    :raises PuzzleError: when there is no such kind, theme or grade.
    """
    chosen = [kind(name) for name in kinds]
    for number in grades:
        if number not in GRADES:
            raise PuzzleError(f"grade {shown(number)}: expected one of {', '.join(map(str, GRADES))}")
    require_themes(themes)
    for number, entry in enumerate(entries, start=1):
        if (
            (not chosen or entry.question.kind in chosen)
            and set(themes) <= set(entry.themes)
            and (not grades or entry.grade in grades)
            and (module is None or module in entry.question.position.ruleset.extensions)
            and (not sharp or entry.data.get("sharp") is True)
        ):
            yield number, entry
