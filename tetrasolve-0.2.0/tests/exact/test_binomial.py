"""Binomial tails and intervals against exact fractions and against scipy."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from random import Random

import pytest

from tetrasolve.exact.binomial import LIMIT_ERROR, TAIL_ERROR, clopper_pearson, lower_tail, upper_tail, wilson

CONFIDENCES = (0.5, 0.9, 0.99, 0.999, 1 - 1e-6)


def exact_tail(k: int, n: int, p: Fraction) -> Fraction:
    return sum((comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1)), Fraction(0))


@pytest.mark.parametrize("n", [1, 2, 5, 17, 60])
def test_tails_are_those_of_exact_fractions(n):
    for p in (1e-9, 0.001, 0.1, 1 / 3, 0.5, 0.9, 0.999999):
        for k in range(n + 2):
            exact = exact_tail(k, n, Fraction(p))
            assert upper_tail(k, n, p) == pytest.approx(float(exact), rel=TAIL_ERROR / 10, abs=0)
            assert lower_tail(k - 1, n, p) == pytest.approx(float(1 - exact), rel=1e-6, abs=1e-15)


def test_tails_agree_with_scipy_for_large_numbers():
    binom = pytest.importorskip("scipy.stats").binom
    random = Random(1)
    for _ in range(500):
        n = random.choice([1000, 10**5, 10**7])
        p = random.choice([random.random(), 10 ** -random.uniform(0, 5)])
        k = round(n * p + random.gauss(0, 4) * (n * p * (1 - p)) ** 0.5)
        if 0 <= k <= n and (theirs := binom.sf(k - 1, n, p)) > 1e-200:
            assert upper_tail(k, n, p) == pytest.approx(theirs, rel=1e-9)  # scipy's own error shows at 10^7


@pytest.mark.parametrize("confidence", CONFIDENCES)
@pytest.mark.parametrize("n", [1, 7, 30])
def test_no_chance_outside_an_exact_interval_makes_the_count_likely(n, confidence):
    """Its definition, with exact fractions: at its ends the tail is half the error, and never more beyond them."""
    half = (1 - Fraction(confidence)) / 2
    for k in range(n + 1):
        low, high = (Fraction(end) for end in clopper_pearson(k, n, confidence))
        assert 0 <= low < high <= 1
        at_low, at_high = exact_tail(k, n, low), 1 - exact_tail(k + 1, n, high)
        assert at_low <= half or k == 0
        assert at_high <= half or k == n
        assert k == 0 or at_low > half * (1 - 3 * (n + 1) * Fraction(LIMIT_ERROR))
        assert k == n or at_high > half * (1 - 3 * (n + 1) * Fraction(LIMIT_ERROR))


def test_exact_intervals_enclose_those_of_scipy_closely():
    beta = pytest.importorskip("scipy.stats").beta
    random = Random(2)
    for _ in range(300):
        n = random.choice([20, 1000, 10**5, 10**6])
        k = random.choice([0, n, random.randint(0, n), random.randint(0, 5)])
        confidence = random.choice(CONFIDENCES)
        half = (1 - confidence) / 2
        low, high = clopper_pearson(k, n, confidence)
        their_low = beta.ppf(half, k, n - k + 1) if k else 0.0
        their_high = beta.isf(half, k + 1, n - k) if k < n else 1.0
        assert low == pytest.approx(their_low, rel=3 * LIMIT_ERROR)
        assert high == pytest.approx(their_high, rel=3 * LIMIT_ERROR)
        assert low <= their_low
        assert high >= their_high - 1e-15


def test_wilson_agrees_with_scipy():
    stats = pytest.importorskip("scipy.stats")
    for k, n in ((0, 10), (1, 10), (5, 10), (10, 10), (37, 1000)):
        theirs = stats.binomtest(k, n).proportion_ci(0.99, method="wilson")
        assert wilson(k, n, 0.99) == pytest.approx((theirs.low, theirs.high), abs=1e-12)


@pytest.mark.parametrize("p", [0.001, 0.01, 0.2, 0.5, 0.97])
def test_an_exact_interval_covers_every_chance_as_often_as_it_says(p):
    """Without any sampling: the chance of all counts whose interval covers p, by exact fractions."""
    n, confidence = 60, 0.99
    covering = [k for k in range(n + 1) if (ends := clopper_pearson(k, n, confidence))[0] <= p <= ends[1]]
    exact = Fraction(p)
    assert sum(comb(n, k) * exact**k * (1 - exact) ** (n - k) for k in covering) >= Fraction(99, 100)


@pytest.mark.parametrize(("k", "n", "confidence"), [(0, 0, 0.9), (3, 2, 0.9), (-1, 2, 0.9), (1, 2, 1.0), (1, 2, 0.0)])
def test_what_makes_no_sense_is_refused(k, n, confidence):
    for interval in (clopper_pearson, wilson):
        with pytest.raises(ValueError, match=r"expected"):
            interval(k, n, confidence)
