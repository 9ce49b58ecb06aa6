"""Numbers with an interval, exact on demand: most comparisons need only the interval.

A figure of a Barbarian phase takes microseconds in doubles and up to seconds in fractions. Of thousands of turn ends only the
nearly best ones have to be compared exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import inf, isfinite, nextafter
from typing import TypeAlias


class Amount:
    """A number that is proved to be between `low` and `high`, both included; `exact()` computes it, once."""

    __slots__ = ("_solve", "_value", "high", "low")

    def __init__(self, low: float, high: float, solve: Callable[[], Fraction]) -> None:
        self.low, self.high = low, high
        self._solve = solve
        self._value: Fraction | None = Fraction(low) if low == high and isfinite(low) else None

    def exact(self) -> Fraction:
        """The exact number."""
        if self._value is None:
            self._value = self._solve()
        return self._value


Part: TypeAlias = "int | Fraction | Amount"
Value: TypeAlias = tuple[Part, ...]  # one number for each term, compared from the left


def compare(a: Value, b: Value) -> int:
    """1 where `a` is more than `b`, -1 where it is less, 0 where they are equal; exactly."""
    if a is b:  # what one end is worth, by two ways
        return 0
    for left, right in zip(a, b, strict=True):
        if isinstance(left, Amount) or isinstance(right, Amount):
            order = _order(left, right)
            if order:
                return order
        elif left != right:
            return 1 if left > right else -1
    return 0


def _order(a: Part, b: Part) -> int:
    if a is b:
        return 0
    if not (isinstance(a, Amount) and isinstance(b, Amount)):
        raise TypeError("a term is exact at every end, or at none")
    if a.low > b.high:
        return 1
    if a.high < b.low:
        return -1
    left, right = a.exact(), b.exact()
    return (left > right) - (left < right)


def mean(shares: Sequence[tuple[Fraction, Value]]) -> Value:
    """The expectation over the dice of an attack."""
    return tuple(_mean([(share, value[i]) for share, value in shares]) for i in range(len(shares[0][1])))


def _mean(parts: Sequence[tuple[Fraction, Part]]) -> Part:
    if not isinstance(parts[0][1], Amount):
        return sum((share * part for share, part in parts if not isinstance(part, Amount)), Fraction(0))
    amounts = [(share, part) for share, part in parts if isinstance(part, Amount)]
    low = float(sum((share * Fraction(part.low) for share, part in amounts), Fraction(0)))
    high = float(sum((share * Fraction(part.high) for share, part in amounts), Fraction(0)))
    exactly = partial(_exact_mean, amounts)
    return Amount(nextafter(low, -inf), nextafter(high, inf), exactly)


def _exact_mean(amounts: Sequence[tuple[Fraction, Amount]]) -> Fraction:
    return sum((share * part.exact() for share, part in amounts), Fraction(0))
