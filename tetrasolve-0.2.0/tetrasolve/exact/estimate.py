"""Estimates from random runs: a value, an interval around it, and the confidence of the interval.

======================= ======================================== ==============================================
method                  of                                       coverage of the interval
======================= ======================================== ==============================================
``clopper-pearson``     a chance, from independent runs          at least the confidence, always
``wilson``              the same                                 about the confidence, on average over chances
``empirical-bernstein`` a mean of values with known bounds       at least the confidence, always
``stratified``          either, from runs in pairs of a stratum  at least the confidence, always
``paired``              a difference of two chances, same dice   at least the confidence, always
``replications``        a mean of whole repetitions              the confidence in the limit of many
======================= ======================================== ==============================================

The confidence is that of a single interval: of a hundred intervals at 99 %, one is expected to fail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import fsum, log, sqrt
from typing import Any, Literal

from tetrasolve.exact.binomial import LIMIT_ERROR, Limits, clopper_pearson, normal, wilson
from tetrasolve.exact.certainty import Exact, Interval, Number, is_above

SHARE_OF_ERROR = 0.9  # of a paired difference, for its sign
FEWEST_REPLICATIONS = 20  # below, the expansion of Student's quantile is too coarse


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number estimated from `n` independent runs, with the interval in which it lies at the stated confidence.

    >>> print(chance(3, 1000, 0.99))
    0.003 (99% between 0.000338145 and 0.0109338, n = 1000)
    """

    value: float
    low: float
    high: float
    n: int
    confidence: float
    method: str
    kind: Literal["estimate"] = "estimate"

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def above(self, threshold: Number) -> bool | None:
        """Whether the number is greater than the threshold, at the confidence; None if undecided."""
        return is_above(self.low, self.high, threshold)

    def moved(self, offset: Exact | Interval, factor: Exact | Interval) -> Estimate:
        """The number times `factor`, which is not negative, plus `offset`; what is not exact in them widens the interval."""
        ends = [end * float(share) for end in (self.low, self.high) for share in (factor.low, factor.high)]
        return replace(
            self,
            value=float(offset.low + offset.high) / 2 + self.value * float(factor.low + factor.high) / 2,
            low=float(offset.low) + min(ends),
            high=float(offset.high) + max(ends),
        )

    def widened(self, slack: float) -> Estimate:
        """The interval longer by `slack` on both sides, for a known error of the sampled distribution."""
        return replace(self, low=self.low - slack, high=self.high + slack)

    def within(self, least: float, most: float) -> Estimate:
        """The interval cut to where the number must lie."""
        return replace(self, low=min(max(self.low, least), most), high=max(min(self.high, most), least))

    def at(self, confidence: float) -> Estimate:
        """The same interval, stated at a lower confidence than it was computed for."""
        return replace(self, confidence=confidence)

    def as_data(self) -> dict[str, Any]:
        """The estimate for JSON."""
        return {
            "kind": self.kind,
            "float": self.value,
            "n": self.n,
            "ci": [self.low, self.high],
            "confidence": self.confidence,
            "method": self.method,
        }

    def __str__(self) -> str:
        share = f"{100 * self.confidence:.6g}%"
        return f"{self.value:.6g} ({share} between {self.low:.6g} and {self.high:.6g}, n = {self.n})"


# -- chances ---------------------------------------------------------------------------------------------------


def chance(successes: int, n: int, confidence: float, method: str = "clopper-pearson") -> Estimate:
    """A chance in [0, 1], from `successes` in `n` independent runs with that chance.

    :raises ValueError: when there are no runs, no such confidence, or no such method (see the table above).
    """
    methods = {"clopper-pearson": clopper_pearson, "wilson": wilson}
    if method not in methods:
        raise ValueError(f"method {method!r}: expected one of {', '.join(methods)}")
    low, high = methods[method](successes, n, confidence)
    return Estimate(successes / n, low, high, n, confidence, method)


def unequal_chance(successes: int, n: int, confidence: float) -> Estimate:
    """The mean of the chances of `n` independent runs that need not be equal, as in strata of equal weight.

    The interval is that of Clopper and Pearson: with the same mean, equal chances spread the count most. Hoeffding
    (1956), *On the distribution of the number of successes in independent trials*: his theorem leaves out counts within
    one of the mean, and of those only one success, or one failure, can matter to an interval; there the bound is that of
    Boole, which needs no theorem.
    """
    low, high = clopper_pearson(successes, n, confidence)
    boole = (1 - confidence) / 2 / n * (1 - LIMIT_ERROR)
    if successes == 1:
        low = min(low, boole)
    if successes == n - 1:
        high = max(high, 1 - boole)
    return Estimate(successes / n, low, high, n, confidence, "stratified")


def stratified_chance(successes: int, n: int, split_pairs: int, confidence: float) -> Estimate:
    """A chance from n / 2 strata of equal weight with two independent runs in each; `split_pairs` had one success.

    The interval is where two intervals of half the error overlap: `unequal_chance`, which is good for rare successes,
    and `stratified_mean`, which profits from strata that differ.
    """
    half = (1 + confidence) / 2
    rare = unequal_chance(successes, n, half)
    pairs = stratified_mean(successes, split_pairs, n, 1, half)
    return Estimate(
        successes / n, max(rare.low, pairs.low), min(rare.high, pairs.high), n, confidence, "stratified"
    ).within(0, 1)


# -- means -----------------------------------------------------------------------------------------------------


def mean(total: float, squares: float, n: int, length: float, confidence: float) -> Estimate:
    """The mean of independent values that lie in an interval of this length; `squares` is the sum of their squares.

    Empirical Bernstein bound of Maurer and Pontil (2009), theorem 4, on both sides.

    :raises ValueError: with fewer than two values.
    """
    if n < 2:
        raise ValueError(f"{n} values: expected at least two")
    value = total / n
    variance = max(0.0, squares - total * value) / (n - 1)
    weight = log(4 / (1 - confidence))
    half = sqrt(2 * variance * weight / n) + 7 * length * weight / (3 * (n - 1))
    return Estimate(value, value - half, value + half, n, confidence, "empirical-bernstein")


def stratified_mean(total: float, pair_squares: float, n: int, length: float, confidence: float) -> Estimate:
    """A mean from n / 2 strata of equal weight with two independent values in each, in an interval of this length.

    `pair_squares` is the sum over the strata of the squared difference of the two: twice an unbiased estimate of the sum
    of the variances in the strata. Bernstein's inequality with that sum bounded from above by its own lower-tail
    inequality (Maurer 2003, *A bound on the deviation probability for sums of non-negative random variables*).

    :raises ValueError: when the runs are not in pairs.
    """
    if n < 2 or n % 2:
        raise ValueError(f"{n} values: expected pairs")
    weight = log(3 / (1 - confidence))  # a third of the error for the variance, a third for each side of the mean
    space = length * length * weight / 4  # each pair's estimate of a variance is at most half the squared length
    deviation = sqrt(space) + sqrt(space + pair_squares / 2)  # of the sum of the variances, one a stratum
    half = (2 * deviation * sqrt(weight) + length * weight / 3) / n
    value = total / n
    return Estimate(value, value - half, value + half, n, confidence, "stratified")


def replications(values: Sequence[float], confidence: float, runs: int | None = None) -> Estimate:
    """The mean of independent repetitions of a whole experiment, by Student's t; `runs` is how many runs they took.

    The coverage is the confidence only in the limit: rare repetitions with large values make it fall short.

    :raises ValueError: with fewer than `FEWEST_REPLICATIONS`.
    """
    n = len(values)
    if n < FEWEST_REPLICATIONS:
        raise ValueError(f"{n} replications: expected at least {FEWEST_REPLICATIONS}")
    value = fsum(values) / n
    variance = fsum((x - value) ** 2 for x in values) / (n - 1)
    half = student(confidence, n - 1) * sqrt(variance / n)
    return Estimate(value, value - half, value + half, n if runs is None else runs, confidence, "replications")


def student(confidence: float, degrees: int) -> float:
    """The two-sided quantile of Student's t for at least 19 degrees of freedom, to a relative 0.002 up to 99.9 %.

    Expansion about the normal quantile: Abramowitz and Stegun (1964), 26.7.5.
    """
    z = normal(confidence)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return fsum(term / degrees**power for power, term in enumerate(terms))


# -- differences -----------------------------------------------------------------------------------------------


def paired_difference(only_first: int, only_second: int, n: int, confidence: float) -> Estimate:
    """The chance of a first event minus that of a second, from `n` runs in which both were looked at with the same dice.

    Only runs in which exactly one of them happened count, so the more the two have in common, the narrower the interval.
    Of the error most goes to the share of the first among these runs, and the rest to how many there are, each by
    Clopper and Pearson. So the interval excludes zero when the exact test of McNemar does, at 0.9 of the error.

    >>> paired_difference(55, 25, 1000, 0.95).low > 0, paired_difference(50, 35, 1000, 0.95).low > 0
    (True, False)
    """
    error = 1 - confidence
    share: Limits = (0.0, 1.0)
    if only_first + only_second:
        share = clopper_pearson(only_first, only_first + only_second, 1 - SHARE_OF_ERROR * error)
    rate: Limits = clopper_pearson(only_first + only_second, n, 1 - (1 - SHARE_OF_ERROR) * error)
    low, high = (2 * limit - 1 for limit in share)
    value = (only_first - only_second) / n
    return Estimate(value, low * rate[low < 0], high * rate[high > 0], n, confidence, "paired")
