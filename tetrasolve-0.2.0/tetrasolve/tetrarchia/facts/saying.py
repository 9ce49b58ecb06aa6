"""Words for sentences about facts: provinces by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import listed, many, words
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS, Board

MOST_NAMES = 9  # in one place of a sentence


def named(province: str) -> str:
    """A province by its name, from its id.

    >>> named("germania_inferior")
    'Germania Inferior'
    """
    return province.replace("_", " ").title()


def provinces(values: Values, path: str) -> str:
    """The provinces of a value, in words: by name, or only how many where they are many."""
    row = words(values, path)
    return listed(map(named, row)) if len(row) <= MOST_NAMES else f"{len(row)} provinces"


def filled(text: str, values: Values) -> str:
    """A text with values in place of their paths in braces: provinces and Emperors by name, regions by numeral.

    A path with a colon and a noun stands for a number of things, or for a row that is counted where it is long; with ``:#`` for
    how many words a row has.

    >>> filled("{links:link} of {place}, {only:#} of them alone.", {"links": 1, "place": "roma", "only": ("syria",)})
    '1 link of Roma, 1 of them alone.'
    """

    def word(found: re.Match[str]) -> str:
        path, _, noun = found[1].partition(":")
        if noun == "#":
            return str(len(words(values, path)))
        value = values[path]
        if isinstance(value, tuple) and noun:
            return _word(value) if len(value) <= MOST_NAMES else many(len(value), noun)
        return many(value, noun) if noun else _word(value)

    return re.sub(r"\{([^}]+)\}", word, text)


def _word(value: Value) -> str:
    row = value if isinstance(value, tuple) else (value,)
    return listed(" to ".join(_names().get(name, name) for name in str(part).split(":")) for part in row)


@cache
def _names() -> Mapping[str, str]:
    board = Board.standard()
    names = {name: named(name) for name in (*board.provinces, *(emperor.id for emperor in board.emperors))}
    return names | {f"r{number}": numeral for number, numeral in enumerate(ROMAN_NUMERALS) if number}
