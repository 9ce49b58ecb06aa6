"""Estimates and what they say of themselves: coverage by simulation with fixed seeds, comparisons, stopping."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tetrasolve.exact.certainty import Exact, Interval, Unknown
from tetrasolve.exact.estimate import (
    Estimate,
    chance,
    mean,
    paired_difference,
    replications,
    stratified_chance,
    stratified_mean,
    student,
    unequal_chance,
)
from tetrasolve.exact.stopping import StoppingRule

REPEATS = 1000
CONFIDENCE = 0.999
# Of 1,000 repeats with a miss in 1,000, more than 6 misses have a chance below 10^-4: the least coverage that is accepted.
MOST_MISSES = 6


def misses(truth: float, make) -> int:
    return sum(not e.low <= truth <= e.high for e in (make(Random(f"repeat {i}")) for i in range(REPEATS)))


@pytest.mark.parametrize("p", [0.0005, 0.02, 0.5])
def test_intervals_of_a_chance_hold(p):
    def make(random):
        return chance(sum(random.random() < p for _ in range(400)), 400, CONFIDENCE)

    assert misses(p, make) <= MOST_MISSES


def skewed(random: Random) -> float:
    return 21.0 if random.random() < 0.01 else random.random()


def test_intervals_of_a_mean_hold_for_skewed_values():
    def make(random):
        values = [skewed(random) for _ in range(400)]
        return mean(sum(values), sum(v * v for v in values), 400, 21, CONFIDENCE)

    assert misses(0.01 * 21 + 0.99 * 0.5, make) <= MOST_MISSES


STRATA = [(h + 0.5) / 100 for h in range(100)]  # chances of 100 strata: far from equal


SETTLED = [0.01 if h < 50 else 0.99 for h in range(100)]  # nearly decided by the stratum


def paired_runs(random: Random, strata: list[float] = STRATA) -> tuple[int, int]:
    pairs = [(random.random() < p, random.random() < p) for p in strata]
    return sum(a + b for a, b in pairs), sum(a != b for a, b in pairs)


def test_stratified_intervals_hold():
    def make(random):
        successes, split = paired_runs(random)
        return stratified_chance(successes, 200, split, CONFIDENCE)

    assert misses(0.5, make) <= MOST_MISSES


def test_rare_successes_in_unequal_strata_are_covered():
    """The case that the theorem leaves out: all of the chance in one stratum."""

    def make(random):
        return unequal_chance(int(random.random() < 0.0005), 200, CONFIDENCE)

    assert misses(0.0005 / 200, make) <= MOST_MISSES
    assert unequal_chance(1, 200, CONFIDENCE).low <= 0.0005 / 200


def test_strata_that_differ_give_a_narrower_interval():
    many = 50
    random = Random("narrow")
    totals = [paired_runs(random, SETTLED) for _ in range(many)]
    successes, split, n = sum(t[0] for t in totals), sum(t[1] for t in totals), 200 * many
    ratio = chance(successes, n, CONFIDENCE).half_width / stratified_chance(successes, n, split, CONFIDENCE).half_width
    assert ratio > 3  # the variance is 25 times smaller; part of the gain pays for the bound on it


def test_a_stratified_mean_is_a_stratified_chance_for_zeros_and_ones():
    assert stratified_mean(30, 12, 100, 1, 0.9).value == pytest.approx(stratified_chance(30, 100, 12, 0.9).value)


def test_paired_differences_hold():
    def make(random):
        rolls = [random.random() for _ in range(400)]  # the same dice for both
        return paired_difference(sum(0.2 < r < 0.25 for r in rolls), sum(r > 0.99 for r in rolls), 400, CONFIDENCE)

    assert misses(0.05 - 0.01, make) <= MOST_MISSES


@pytest.mark.parametrize("n", [1, 12, 40])
def test_paired_differences_hold_for_every_pair_of_chances(n):
    """Exactly, by all counts: the interval misses the true difference at most as often as it says."""
    counts = [(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)]
    ways = [math.comb(n, a) * math.comb(n - a, b) for a, b, _ in counts]
    intervals = [paired_difference(a, b, n, 0.9) for a, b, _ in counts]
    grid = [0, 0.01, 0.03, 0.1, 0.2, 0.35, 0.5]
    for p, q in product(grid, grid):
        missed = sum(
            way * p**a * q**b * (1 - p - q) ** c
            for way, (a, b, c), found in zip(ways, counts, intervals, strict=True)
            if not found.low - 1e-12 <= p - q <= found.high + 1e-12
        )
        assert missed <= 0.1 + 1e-9, (p, q)


def test_paired_differences_exclude_zero_with_the_test_of_mcnemar():
    """They are much sharper there than the difference of two separate intervals."""
    for only_second in (0, 3, 20, 100):
        by_test = next(
            one for one in range(only_second, 200)
            if 2 * binomial_tail(one, one + only_second) < 0.9 * 0.05
        )  # fmt: skip
        by_interval = next(
            one for one in range(only_second, 200) if paired_difference(one, only_second, 1000, 0.95).low > 0
        )
        assert by_test == by_interval


def binomial_tail(successes, n):
    """The chance of at least so many of n fair coins."""
    return sum(math.comb(n, k) for k in range(successes, n + 1)) / 2**n


def test_replications_hold_for_values_that_are_not_too_odd():
    def make(random):
        return replications([sum(random.random() < 0.1 for _ in range(50)) / 50 for _ in range(60)], CONFIDENCE)

    assert misses(0.1, make) <= MOST_MISSES


def test_student_is_that_of_scipy():
    t = pytest.importorskip("scipy.stats").t
    for degrees in (19, 30, 100, 10_000):
        for confidence in (0.9, 0.99, 0.999):
            assert student(confidence, degrees) == pytest.approx(t.ppf((1 + confidence) / 2, degrees), rel=1e-4)


# -- comparisons -----------------------------------------------------------------------------------------------


def test_comparisons_say_so_when_they_cannot_tell():
    third = Fraction(1, 3)
    assert Exact(third).above(third) is False
    assert Interval(third, third + 1).above(third) is None
    assert Interval(third, third + 1).above(0) is True
    assert Interval(third, third + 1).above(2) is False
    assert Estimate(0.3, 0.2, 0.4, 10, 0.9, "x").above(0.3) is None
    assert Estimate(0.3, 0.2, 0.4, 10, 0.9, "x").above(0.1) is True
    assert Unknown("nobody looked").above(0) is None


def test_all_kinds_go_to_json_and_say_what_they_are():
    kinds = [
        Exact(Fraction(1, 3)),
        Interval(Fraction(0), Fraction(1)),
        chance(1, 10, 0.9),
        Unknown("nobody looked"),
    ]
    for each in kinds:
        assert json.loads(json.dumps(each.as_data()))["kind"] == each.kind
        assert str(each)
    with pytest.raises(ValueError, match="wrong way round"):
        Interval(Fraction(1), Fraction(0))


def test_moving_a_number_moves_its_ends():
    half, some = Exact(Fraction(1, 2)), Interval(Fraction(1, 4), Fraction(1, 2))
    assert half.moved(half, half) == Exact(Fraction(3, 4))
    assert half.moved(some, half) == Interval(Fraction(1, 2), Fraction(3, 4))
    assert some.moved(Exact(Fraction(0)), some) == Interval(Fraction(1, 16), Fraction(1, 4))
    moved = Estimate(0.5, 0.25, 0.75, 8, 0.9, "x").moved(half, half)
    assert (moved.value, moved.low, moved.high) == (0.75, 0.625, 0.875)


# -- stopping --------------------------------------------------------------------------------------------------


def test_looks_are_fixed_in_advance_and_share_the_error():
    assert StoppingRule(9).looks() == (9,)
    assert StoppingRule(9).confidence_at_look(0.99) == pytest.approx(0.99)
    rule = StoppingRule(9, half_width=0.1)
    assert rule.looks() == (1, 2, 4, 8, 9)
    assert 1 - rule.confidence_at_look(0.99) == pytest.approx(0.01 / 5)


def test_stopping_as_soon_as_the_interval_is_narrow_does_not_spoil_it():
    """The rule that invalidates naive intervals: stop when the interval is narrow relative to its lower end."""
    p, batch = 0.03, 50
    rule = StoppingRule(40, relative=1.0)

    def make(random):
        successes = done = 0
        for look in rule.looks():
            successes += sum(random.random() < p for _ in range((look - done) * batch))
            done = look
            found = chance(successes, done * batch, rule.confidence_at_look(CONFIDENCE))
            if rule.is_met(found):
                break
        return found

    assert misses(p, make) <= MOST_MISSES


@pytest.mark.parametrize("bound", [{"most": 0}, {"most": 1, "half_width": 0.0}, {"most": 1, "seconds": -1.0}])
def test_bounds_that_are_not_positive_are_refused(bound):
    with pytest.raises(ValueError, match="expected more than 0"):
        StoppingRule(**bound)
