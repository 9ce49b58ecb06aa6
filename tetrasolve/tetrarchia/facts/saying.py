"""Words for sentences about facts: provinces by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import listed, words
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
    """A text with values in place of their paths in braces: provinces and Emperors by name, regions by numeral."""
    return re.sub(r"\{([^}]+)\}", lambda path: _word(values[path[1]]), text)


def _word(value: Value) -> str:
    row = value if isinstance(value, tuple) else (value,)
    return listed(_names().get(str(part), str(part)) for part in row)


@cache
def _names() -> Mapping[str, str]:
    board = Board.standard()
    names = {name: named(name) for name in (*board.provinces, *(emperor.id for emperor in board.emperors))}
    return names | {f"r{number}": numeral for number, numeral in enumerate(ROMAN_NUMERALS) if number}
