"""Words for sentences about facts: provinces by name, rows of them, numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tetrasolve.tetrarchia.facts.fact import Value, Values

MOST_NAMES = 9  # in one place of a sentence
NEVER = "never"  # a word instead of a number: there is no way

Tree: TypeAlias = Mapping[str, Value]


def named(province: str) -> str:
    """A province by its name, from its id.

    >>> named("germania_inferior")
    'Germania Inferior'
    """
    return province.replace("_", " ").title()


def listed(things: Iterable[str]) -> str:
    """Things in a row, in words.

    >>> listed(["Roma", "Asia", "Syria"]), listed([])
    ('Roma, Asia and Syria', 'none')
    """
    row = list(things)
    return " and ".join(filter(None, (", ".join(row[:-1]), row[-1]))) if row else "none"


def provinces(values: Values, path: str) -> str:
    """The provinces of a value, in words: by name, or only how many where they are many."""
    row = words(values, path)
    return listed(map(named, row)) if len(row) <= MOST_NAMES else f"{len(row)} provinces"


def words(values: Values, path: str) -> tuple[str, ...]:
    """A value that is a row of words."""
    row = values[path]
    assert isinstance(row, tuple), (path, row)
    return row


def whole(values: Values, path: str) -> int:
    """A value that is a whole number."""
    number = values[path]
    assert isinstance(number, int), (path, number)
    return number


def many(number: Value, one: str, more: str = "") -> str:
    """A number with its noun.

    >>> many(1, "bridge"), many(2, "bridge"), many(0, "way", "ways")
    ('1 bridge', '2 bridges', '0 ways')
    """
    return f"{number} {one if number == 1 else more or one + 's'}"


def below(values: Values, prefix: str) -> Tree:
    """The values whose paths begin with these words, by the rest of their paths.

    >>> below({"12.asia": 3, "1.asia": 4}, "12")
    {'asia': 3}
    """
    return {path[len(prefix) + 1 :]: value for path, value in values.items() if path.startswith(prefix + ".")}
