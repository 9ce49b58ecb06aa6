"""Numbers with their certainty: exact, in a proved interval, estimated, or unknown.

Each has a `kind` and the bounds `low` and `high`; comparisons with a threshold give True, False or None (undecided).
Estimates are in `tetrasolve.exact.estimate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf
from typing import Any, Literal, TypeAlias

Number: TypeAlias = "Fraction | float | int"

WIDE = 100  # an interval with a half-width above this share of its middle is shown by its ends


def fraction_data(value: Fraction) -> dict[str, Any]:
    """An exact value for JSON: the fraction as text, and the nearest float.

    >>> fraction_data(Fraction(1, 4))
    {'exact': '1/4', 'float': 0.25}
    """
    return {"exact": str(value), "float": float(value)}


def is_above(low: Number, high: Number, threshold: Number) -> bool | None:
    """Whether a number between `low` and `high` is greater than a threshold; None where both are possible."""
    if low > threshold:
        return True
    return False if high <= threshold else None


@dataclass(frozen=True, slots=True)
class Exact:
    """A number known without any error.

    >>> Exact(Fraction(1, 3)).above(0.3)
    True
    """

    value: Fraction
    kind: Literal["exact"] = "exact"

    @property
    def low(self) -> Fraction:
        """The value."""
        return self.value

    @property
    def high(self) -> Fraction:
        """The value."""
        return self.value

    def above(self, threshold: Number) -> bool:
        """Whether the value is greater than the threshold."""
        return self.value > threshold

    def moved(self, offset: Exact | Interval, factor: Exact | Interval) -> Exact | Interval:
        """The value times `factor` plus `offset`."""
        if isinstance(offset, Exact) and isinstance(factor, Exact):
            return Exact(offset.value + factor.value * self.value)
        return Interval(self.value, self.value).moved(offset, factor)

    def as_data(self) -> dict[str, Any]:
        """The value for JSON: the fraction as text, and the nearest float."""
        return {"kind": self.kind, **fraction_data(self.value)}

    def __str__(self) -> str:
        text = str(self.value)
        if len(text) <= 15:
            return text
        decimal = f"{float(self.value):.6g}"
        return ("= " if Fraction(decimal) == self.value else "~ ") + decimal


@dataclass(frozen=True, slots=True)
class Interval:
    """A number that lies between `low` and `high`, both included, for certain.

    >>> Interval(Fraction(1, 4), Fraction(1, 2)).above(Fraction(1, 3)) is None
    True

    :raises ValueError: when `low` is above `high`.
    """

    low: Fraction
    high: Fraction
    kind: Literal["interval"] = "interval"

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError(f"an interval from {self.low} to {self.high}: its ends are the wrong way round")

    def above(self, threshold: Number) -> bool | None:
        """Whether the number is greater than the threshold; None if undecided."""
        return is_above(self.low, self.high, threshold)

    def moved(self, offset: Exact | Interval, factor: Exact | Interval) -> Interval:
        """The number times `factor`, which is not negative, plus `offset`."""
        low, high = (
            min(self.low * factor.low, self.low * factor.high),
            max(self.high * factor.low, self.high * factor.high),
        )
        return Interval(offset.low + low, offset.high + high)

    def as_data(self) -> dict[str, Any]:
        """The ends for JSON, as fractions and as the nearest floats."""
        return {
            "kind": self.kind,
            "exact": [str(self.low), str(self.high)],
            "float": [float(self.low), float(self.high)],
        }

    def __str__(self) -> str:
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        if half > abs(middle) / WIDE:
            return f"from {float(self.low):.6g} to {float(self.high):.6g}"
        return f"{float(middle):.9g} +- {float(half):.1e}"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A number about which nothing is known, with the reason."""

    why: str
    kind: Literal["unknown"] = "unknown"

    @property
    def low(self) -> float:
        """Minus infinity: nothing is ruled out."""
        return -inf

    @property
    def high(self) -> float:
        """Infinity: nothing is ruled out."""
        return inf

    def above(self, threshold: Number) -> None:
        """None: nothing is known."""

    def moved(self, offset: Exact | Interval, factor: Exact | Interval) -> Unknown:
        """The same unknown number."""
        del offset, factor
        return self

    def as_data(self) -> dict[str, Any]:
        """The reason, for JSON."""
        return {"kind": self.kind, "why": self.why}

    def __str__(self) -> str:
        return f"unknown ({self.why})"
