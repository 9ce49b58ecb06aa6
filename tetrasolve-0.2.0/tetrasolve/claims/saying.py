"""Words for sentences about facts: things in a row, numbers with the names of things, values of one type."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from tetrasolve.claims.fact import Value, Values

NEVER = "never"  # a word instead of a number: there is no way

Tree: TypeAlias = Mapping[str, Value]


def listed(things: Iterable[str]) -> str:
    """Things in a row, in words.

    >>> listed(["red", "green", "blue"]), listed([])
    ('red, green and blue', 'none')
    """
    row = list(things)
    return " and ".join(filter(None, (", ".join(row[:-1]), row[-1]))) if row else "none"


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

    >>> below({"12.hill": 3, "1.hill": 4}, "12")
    {'hill': 3}
    """
    return {path[len(prefix) + 1 :]: value for path, value in values.items() if path.startswith(prefix + ".")}
