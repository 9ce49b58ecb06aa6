"""A booklet of puzzles: pictures and questions, the answers at the back, with page numbers in both directions.

`tetrasolve.draw.sheets` lays it out. Answers are those of the file; ``puzzle check`` works them out again. Pictures are for print
without colours: each cube has the letter of its tribe.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve import strict
from tetrasolve.draw.sheets import Booklet, Item, Sheets, answer_rows, require_choices, short
from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.finem.draw import MAP_SIZE, SIDE, picture, picture_words
from tetrasolve.finem.puzzle.puzzle import Entry
from tetrasolve.finem.puzzle.themes import themes
from tetrasolve.finem.ruleset import OPTIONS, Ruleset
from tetrasolve.sentences import Sentences
from tetrasolve.stop import Stop

SHAPE = 1.01 * MAP_SIZE[1] / (MAP_SIZE[0] + SIDE)  # height of a picture by its width: a little more than it is


@cache
def _words() -> Mapping[str, Mapping[str, Any]]:
    return strict.read_toml(resources.files("tetrasolve.finem").joinpath("data/booklet.toml").read_text("utf-8"))


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
    words = _words()[language]
    with answering("a booklet", "all its pictures were drawn"):
        items = [_item(entry, words, language) for entry in entries]
        return Sheets(items, title, words, language, per_page, SHAPE, lambda: check(stop)).booklet()


@cache
def _sources(language: str) -> Sentences:
    """How the sources of puzzles are said."""
    return Sentences(_words()[language]["sources"])


def origin(entry: Entry, language: str) -> str:
    """Where a puzzle comes from, as a sentence; a source of another form as the file has it, cut where it is long.

    >>> from tetrasolve.finem.puzzle.puzzle import shipped
    >>> origin(shipped()[1], "en")
    'game 4 of a greedy program at the standard level, for the worst card (seed 1021)'
    """
    return short(_sources(language).say(entry.source))


def _rules(ruleset: Ruleset, words: Mapping[str, str]) -> str:
    """The level, its options, and the readings in their notation."""
    parts = [
        words["level"].format(level=words[ruleset.level]),
        *(words[name] for name in OPTIONS if name in ruleset.options),
    ]
    return ", ".join([*parts, *(f"{name}={value}" for name, value in ruleset.interpretations)])


def _item(entry: Entry, words: Mapping[str, Any], language: str) -> Item:
    position = entry.question.position
    proof = f". {words['proof']}" if entry.data.get("certificate") else ""
    titles = [themes()[name].title[language] if name in themes() else short(name) for name in entry.themes]
    return Item(
        (
            entry.question.said(language),
            words["about"].format(rules=_rules(position.ruleset, words["rules"])),
            f"{words['notation']}: {position}",
        ),
        lambda _: picture(position, letters=True, words=picture_words(language)),
        [
            *answer_rows(entry.data, words, titles, entry.grade, lambda term: words["terms"].get(term, term)),
            (words["source"], origin(entry, language) + proof),
        ],
    )
