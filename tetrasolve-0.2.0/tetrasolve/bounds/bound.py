"""An upper bound with its certainty."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.estimate import Estimate

Certainty: TypeAlias = Literal["proved", "statistical"]


@dataclass(frozen=True, slots=True)
class UpperBound:
    """A number that no policy exceeds: `value` is the bound itself, exact, in an interval, or estimated.

    A bound is *proved* if `value` is exact or an interval. If it is an estimate the bound is *statistical*: the optimum is at
    most `high` with the confidence of the estimate.

    >>> print(UpperBound(Exact(Fraction(3, 4)), "a potential"))
    at most 0.75 (proved, by a potential)
    """

    value: Exact | Interval | Estimate
    method: str

    @property
    def certainty(self) -> Certainty:
        """Whether the bound holds for certain or at a confidence."""
        return "statistical" if isinstance(self.value, Estimate) else "proved"

    @property
    def high(self) -> Fraction | float:
        """The number that the optimum does not exceed, for certain or at the confidence."""
        return self.value.high

    def excludes(self, value: Fraction | float) -> bool:
        """Whether the optimum is below `value`, for certain or at the confidence."""
        return self.high < value

    def as_data(self) -> dict[str, Any]:
        """The bound for JSON."""
        return {"certainty": self.certainty, "method": self.method, "value": self.value.as_data()}

    def __str__(self) -> str:
        sure = f", {100 * self.value.confidence:.6g}%" if isinstance(self.value, Estimate) else ""
        return f"at most {float(self.high):.6g} ({self.certainty}{sure}, by {self.method})"
