"""Small examples of a difference: from any example by leaving out one thing after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def shrunk(example: T, smaller: Callable[[T], Iterable[T]], differs: Callable[[T], bool], tries: int = 1000) -> T:
    """An example that still differs and from which no single step leads to a smaller one that does.

    It is not the smallest of all: other steps could lead further.

    :param smaller: the examples one step smaller.
    :param tries: how often `differs` is asked at most.

    >>> shrunk({1, 2, 3, 4}, lambda s: (s - {x} for x in sorted(s)), lambda s: 3 in s)
    {3}
    """
    left = tries
    while True:
        for candidate in smaller(example):
            if left == 0:
                return example
            left -= 1
            if differs(candidate):
                example = candidate
                break
        else:
            return example
