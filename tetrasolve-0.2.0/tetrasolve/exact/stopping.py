"""Stopping rules for simulations that keep the confidence of the interval.

Stopping at an interval because it looks good makes its confidence too high. Here the looks are fixed in advance and each
interval is computed for a share of the error: with `looks` looks, the interval of each look fails with chance at most
(1 - confidence) / looks, so the chance that any of them fails is at most 1 - confidence, whichever look is the last one
(Boole's inequality). A run without a rule has one look only.
"""

from __future__ import annotations

from dataclasses import dataclass

from tetrasolve.exact.estimate import Estimate


@dataclass(frozen=True, slots=True)
class StoppingRule:
    """Stop at `most` batches; before, at a look where the interval's half-width is small enough or time is over.

    `half_width` is absolute, `relative` a share of the estimated value (of its lower end, so that it holds for the true
    one), `seconds` wall-clock time: the look at which it ends depends on the machine, but the interval is valid, since only
    planned looks are reported.

    :raises ValueError: when a bound is not positive.
    """

    most: int
    half_width: float | None = None
    relative: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name in ("most", "half_width", "relative", "seconds"):
            value = getattr(self, name)
            if value is not None and not value > 0:
                raise ValueError(f"{name} {value}: expected more than 0")

    def looks(self) -> tuple[int, ...]:
        """The numbers of batches after which to look: 1, 2, 4 and so on up to `most`; only `most` where nothing can stop it.

        >>> StoppingRule(10, relative=0.1).looks()
        (1, 2, 4, 8, 10)
        """
        if self.half_width is None and self.relative is None and self.seconds is None:
            return (self.most,)
        powers = [1 << power for power in range(self.most.bit_length()) if 1 << power < self.most]
        return (*powers, self.most)

    def confidence_at_look(self, confidence: float) -> float:
        """The confidence for which the interval of each look is computed, so that all hold with `confidence`."""
        return 1 - (1 - confidence) / len(self.looks())

    def is_met(self, estimate: Estimate) -> bool:
        """Whether the interval is narrow enough."""
        wide = estimate.half_width
        return (self.half_width is not None and wide <= self.half_width) or (
            self.relative is not None and wide <= self.relative * max(estimate.low, 0)
        )
