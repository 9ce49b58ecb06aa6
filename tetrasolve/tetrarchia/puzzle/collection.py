"""Collections of puzzles: files with a puzzle on each line, and what is chosen from them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from tetrasolve import files
from tetrasolve.errors import PuzzleError, TetrasolveError, shown
from tetrasolve.puzzles import csvfile
from tetrasolve.puzzles.csvfile import as_number, as_text
from tetrasolve.puzzles.lines import id_of, line_data, lines_of, require_grades, stated_grade, stated_themes
from tetrasolve.puzzles.themes import require_themes
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind
from tetrasolve.tetrarchia.puzzle.puzzle import FORMAT
from tetrasolve.tetrarchia.puzzle.themes import themes as known_themes
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS

CERTIFICATE = "certificate"  # has lines
SHIPPED = "data/puzzles/shipped"  # .jsonl.xz and .json


COLUMNS = (
    "PuzzleId", "Position", "Kind", "Target", "Question", "Answer", "Gap", "Themes", "Source",
    "Grade", "Tries", "Random", "Finder", "Tempting", "Near", "Length", "Branches",
)  # fmt: skip


class Entry(NamedTuple):
    """A puzzle of a collection: its question, where it comes from, and all that the file says, unchecked."""

    question: Question
    source: str
    data: dict[str, Any]

    def line(self) -> str:
        """The puzzle as a line of a collection, with all that the file says."""
        return json.dumps(self.data, separators=(",", ":"))

    @property
    def text(self) -> str:
        """The question as the file has it, if it says more than its kind does."""
        text, own = self.data.get("question"), str(self.question)
        return text if isinstance(text, str) and text.startswith(own) else own

    @property
    def themes(self) -> tuple[str, ...]:
        """The themes as the file has them."""
        return stated_themes(self.data)

    @property
    def grade(self) -> int | None:
        """The grade as the file has it, 1 to 5; None where it is unknown or there is none."""
        return stated_grade(self.data)

    @property
    def id(self) -> str:
        """Ten hexadecimal digits, which depend on the question only."""
        question = self.question
        return id_of(question.kind.name, question.target, question.position)

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
            as_text(self.data.get("answer")),
            as_text(gap.get("exact")) if isinstance(gap, dict) else "",
            " ".join(self.themes),
            self.source,
            str(self.grade or ""),
            *(as_number(figures.get(name)) for name in ("tries", "random")),
            as_text(figures.get("finder")),
            *(as_number(figures.get(name)) for name in ("tempting", "near", "length", "branches")),
        )


class Broken(NamedTuple):
    """A line that is no puzzle, or one that the board has no place for: why."""

    reason: str


def csv_text(entries: Sequence[Entry]) -> str:
    """A collection as CSV with a row of names, one puzzle a row; themes are separated by spaces.

    A cell that a spreadsheet would take for a formula begins with an apostrophe.
    """
    return csvfile.csv_text(COLUMNS, (entry.row() for entry in entries))


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
    data = line_data(text, FORMAT, of_lines=(CERTIFICATE,))
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
    return [read_line(line, where, board) for where, line in lines_of(text, source)]


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


def read_to_check(text: str, source: str, board: Board | None = None) -> list[Entry | Broken]:
    """The puzzles of a collection, one a line; `Broken` where a line is no puzzle, or the board has no such position or question.

    :raises PuzzleError: when no line is a puzzle on any board.
    """
    found: list[Entry | Broken] = []
    unreadable: list[PuzzleError] = []
    lines = lines_of(text, source)
    for where, line in lines:
        try:
            data = _data(line)
        except TetrasolveError as error:
            unreadable.append(PuzzleError(f"{where}: {error}"))
            found.append(Broken(str(unreadable[-1])))
            continue
        try:
            found.append(_entry(data, board))
        except TetrasolveError as error:
            found.append(Broken(str(error)))
    if len(unreadable) == len(lines):  # another kind of file
        raise unreadable[0]
    return found


def select(
    entries: Sequence[Entry],
    *,
    kinds: Collection[str] = (),
    themes: Collection[str] = (),
    grades: Sequence[int] = (),
    module: str | None = None,
    sharp: bool = False,
) -> Iterator[tuple[int, Entry]]:
    """The puzzles of one of these kinds and grades (none named: any) with all of these themes, by number from 1 on.

    All is as the file has it. `module`: only with this module or variant. `sharp`: only sharp ones.

    :raises PuzzleError: when there is no such kind, theme, grade, module or variant.
    """
    chosen = [kind(name) for name in kinds]
    require_grades(grades)
    require_themes(themes, known_themes())
    if module is not None and module not in MODULES + VARIANTS:
        raise PuzzleError(f"module {shown(module)}: expected one of {', '.join(MODULES + VARIANTS)}")
    for number, entry in enumerate(entries, start=1):
        if (
            (not chosen or entry.question.kind in chosen)
            and set(themes) <= set(entry.themes)
            and (not grades or entry.grade in grades)
            and (module is None or module in entry.question.position.ruleset.extensions)
            and (not sharp or entry.data.get("sharp") is True)
        ):
            yield number, entry
