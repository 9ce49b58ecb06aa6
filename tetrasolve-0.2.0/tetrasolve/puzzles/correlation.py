"""Spearman's rank correlation, with mean ranks for ties."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt


def spearman(first: Sequence[float], second: Sequence[float]) -> float:
    """The correlation in [-1, 1] of the ranks of two rows of numbers of the same length; nan where all of one are equal.

    >>> spearman([1, 2, 3, 4], [10, 20, 40, 30])
    0.8

    :raises ValueError: when the rows differ in length, or have fewer than two numbers.
    """
    if len(first) != len(second) or len(first) < 2:
        raise ValueError(f"expected two rows of at least 2 numbers each, got {len(first)} and {len(second)}")
    one, other = _ranks(first), _ranks(second)
    middle = (len(first) + 1) / 2
    together = sum((a - middle) * (b - middle) for a, b in zip(one, other, strict=True))
    spread = sum((a - middle) ** 2 for a in one) * sum((b - middle) ** 2 for b in other)
    return together / sqrt(spread) if spread else float("nan")


def _ranks(row: Sequence[float]) -> list[float]:
    """The rank of each number from 1 on; equal ones share the mean of theirs."""
    return [sum(other < number for other in row) + (sum(other == number for other in row) + 1) / 2 for number in row]
