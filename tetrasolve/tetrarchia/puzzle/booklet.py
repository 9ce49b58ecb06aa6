"""A booklet of puzzles: pictures and questions, the answers at the back, with page numbers in both directions.

`tetrasolve.draw.sheets` lays it out. Answers are those of the file; ``tetrasolve puzzle check`` works them out again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve import strict
from tetrasolve.draw.sheets import (
    Booklet,
    Item,
    Sheets,
    answer_rows,
    require_choices,
    short,
)
from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.sentences import Sentences
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.draw import board_svg
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle.collection import Entry
from tetrasolve.tetrarchia.puzzle.kinds import MISTAKE, emperors
from tetrasolve.tetrarchia.puzzle.terms import term_in_words
from tetrasolve.tetrarchia.puzzle.themes import themes
from tetrasolve.tetrarchia.text import pieces_in_words

PICTURE = 0.66  # height of a picture by its width: a little more than that of the map


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/booklet.toml").read_text("utf-8")
    return strict.read_toml(text)


@cache
def _sources(language: str) -> Sentences:
    """How the sources of puzzles are said."""
    return Sentences(_words()[language]["sources"])


def booklet(
    entries: Sequence[Entry],
    *,
    title: str | None = None,
    language: str = "en",
    per_page: int = 2,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Booklet:
    """A booklet of these puzzles, numbered from 1 on, with one or two on a page, as HTML.

    :raises PuzzleError: when there is no puzzle, there are more than 500, or one is too long for a page.
    :raises ArgumentError: when there is no such language, or another number on a page.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before all pictures were drawn.
    """
    require_choices(language, per_page, len(entries))
    stop = stop_of(seconds, cancel)
    said = _Said(_words()[language], language)
    with answering("a booklet", "all its pictures were drawn"):
        items = [Item(said.question(entry), said.picture(entry), list(said.solution(entry))) for entry in entries]
        return Sheets(items, title, said.words, language, per_page, PICTURE, lambda: check(stop)).booklet()


@dataclass(frozen=True)
class _Said:
    """What is said of puzzles in a language."""

    words: Mapping[str, Any]
    language: str

    def picture(self, entry: Entry) -> Callable[[str], str]:
        """The board under a title."""
        position = entry.question.position
        return lambda title: board_svg(position.board, position, title=title, frame=False)

    def question(self, entry: Entry) -> list[str]:
        """The question, whose turn it is, and the rules."""
        words = self.words
        position = entry.question.position
        asked = entry.question.said(self.language)
        if entry.data.get("sharp") is False:
            asked += f" {words['least_ip']}"
        rows = [asked, f"{self.turn(position)} · {self.rules(position)}"]
        beside = "; ".join(
            f"{words['names'].get(name, name)}: {self.translated(what)}"
            for name, what in pieces_in_words(position).items()
        )
        if entry.question.kind.form == MISTAKE:
            steps = entry.question.line.steps
            rows.append("; ".join(f"{number}: {step.action}" for number, step in enumerate(steps, start=1)))
        if beside:
            rows.append(words["beside"].format(what=beside))
        rows.append(f"{words['notation']}: {position}")
        return rows

    def translated(self, what: str) -> str:
        """What is said of a piece beside the map."""
        for english, other in self.words["pieces"]:  # provinces and zones have the names of the board
            what = what.replace(english, other)
        return what

    def turn(self, position: Position) -> str:
        """Whose turn it is."""
        name = emperors(position.board, self.language)[position.to_move]
        key = "to_move" if position.phase is Phase.ROMAN else "phase"
        return str(self.words[key].format(emperor=name, ip=position.ip))

    def rules(self, position: Position) -> str:
        """The level, the modules and the readings."""
        ruleset, words = position.ruleset, self.words
        names = ", ".join(words["names"].get(name, name) for name in sorted(ruleset.extensions))
        chosen = ", ".join(f"{name} = {value}" for name, value in ruleset.interpretations)
        parts = (
            words["level"].format(level=ruleset.level),
            words["modules"].format(names=names) if names else words["no_modules"],
            words["readings"].format(names=chosen) if chosen else words["no_readings"],
        )
        return " · ".join(parts)

    def solution(self, entry: Entry) -> Iterator[tuple[str, str]]:
        """The rows of an answer, as the file has it; the first is the answer."""
        titles = [themes()[name].title[self.language] if name in themes() else short(name) for name in entry.themes]
        board = entry.question.position.board
        yield from answer_rows(
            entry.data,
            self.words,
            titles,
            entry.grade,
            lambda term: term_in_words(term, board, self.language),
        )
        proof = f". {self.words['proof']}" if entry.data.get("certificate") else ""
        yield self.words["source"], short(_sources(self.language).say(entry.source)) + proof
