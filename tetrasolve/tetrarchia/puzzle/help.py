"""Help with a puzzle in steps: each gives away a little more, and the last one is the answer.

The steps are worked out from the answer that the collection states, which `tetrasolve puzzle check` works out again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib import resources
from math import floor
from typing import Any

from tetrasolve import strict
from tetrasolve.errors import ArgumentError, PuzzleError
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.puzzle.collection import Entry
from tetrasolve.tetrarchia.puzzle.kinds import TURN
from tetrasolve.tetrarchia.puzzle.terms import term_in_words
from tetrasolve.tetrarchia.puzzle.themes import themes

LANGUAGES = ("en", "es")
SIXTHS = 6  # of a chance: the range that is given first is one of these


@dataclass(frozen=True, slots=True)
class Help:
    """A step of help: its `name`, what it gives away as a list of texts, and a sentence that says it.

    Names are ``themes``, ``value``, ``first``, ``line``, ``number``, ``options``, ``range`` and ``answer``.
    """

    name: str
    what: tuple[str, ...]
    text: str


@cache
def _words() -> Mapping[str, Mapping[str, str]]:
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/help.toml").read_text("utf-8")
    return strict.read_toml(text)


def helps(entry: Entry, language: str = "en") -> tuple[Help, ...]:
    """The steps of help with a puzzle of a collection, from the first to the answer.

    >>> from tetrasolve.tetrarchia.puzzle.collection import shipped
    >>> for step in helps(shipped()[0])[1:3]:
    ...     print(step.name, step.text)
    value The best value is kill syria 17/18, least ip 5.
    first Begin with: move cyrenaica.

    :raises ArgumentError: when there is no such language.
    :raises PuzzleError: when the file states no answer.
    """
    if language not in LANGUAGES:
        raise ArgumentError("help: language", language, f"one of {', '.join(LANGUAGES)}")
    answer = entry.data.get("answer")
    if not isinstance(answer, str):
        raise PuzzleError("the file states no answer to this puzzle")
    steps = _of_turn(entry, answer, language) if entry.question.kind.form == TURN else _of_options(entry, language)
    words = _words()[language]
    found = [(name, what) for name, what in steps if what]
    return tuple(
        Help(name, what, words[name].format(what=", ".join(what))) for name, what in [*found, ("answer", (answer,))]
    )


def _of_turn(entry: Entry, answer: str, language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    plan = read_plan(answer, entry.question.position.board)
    titles = (themes()[name].title[language] for name in entry.themes if name in themes())
    yield "themes", tuple(titles)
    yield "value", tuple(_value(row, entry, language) for row in _rows(entry, "values"))
    line = _before_dice(plan)
    if len(line) > 1:
        yield "first", line[:1]
        if plan.fork is not None:  # otherwise it is the answer
            yield "line", line


def _value(row: Mapping[str, Any], entry: Entry, language: str) -> str:
    """A term with its number: in English as objectives are written, otherwise in words."""
    if language == "en":
        return f"{row['term']} {row['exact']}"
    return f"{term_in_words(row['term'], entry.question.position.board, language)}: {row['exact']}"


def _before_dice(plan: Plan) -> tuple[str, ...]:
    """The actions of a plan up to the first attack."""
    steps = tuple(str(action) for action in plan.steps)
    return steps if plan.fork is None else (*steps, str(plan.fork))


def _of_options(entry: Entry, language: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    rows = _rows(entry, "options")
    if not rows:
        return
    number = Fraction(rows[0]["exact"])
    if len(rows) == 1 and rows[0]["option"] == rows[0]["exact"]:  # the number itself is the answer
        low = min(floor(number * SIXTHS), SIXTHS - 1)
        bounds = {"low": Fraction(low, SIXTHS), "high": Fraction(low + 1, SIXTHS)}
        yield "range", (_words()["between"][language].format(**bounds),)
        return
    yield "number", (str(number),)
    if len(rows) > 2:
        yield "options", tuple(sorted(row["option"] for row in rows[: (len(rows) + 1) // 2]))


def _rows(entry: Entry, key: str) -> list[dict[str, Any]]:
    found = entry.data.get(key)
    return found if isinstance(found, list) else []
