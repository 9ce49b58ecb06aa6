"""Importance splitting against the exact method: no bias whatever the levels, and less variance with good ones."""

from __future__ import annotations

import pytest

from tetrasolve.exact.executor import ProcessExecutor, SerialExecutor
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.risk.splitting import rare_fall

HERE = SerialExecutor()
# Thirteen revolts close together: in three phases the Empire falls, with no revolt left, about once in a thousand games.
POWDER = Position.parse("4211 D:6 -/-/-/- 23 - tin.bae.lus.car.gla.tar.nar.bel.lug.aqu.cae.num.afr - -/-/-/-")
BEFORE_ROMA = Position.parse("4211 D:6 -/-/-/- 23 sic sic - -/-/-/-")


def no_levels(*_):
    return 0


def odd_levels(state, _, left):
    """A level that has nothing to do with a fall."""
    return (state.unrest.bit_count() + left) % 3


@pytest.fixture(scope="module")
def truth():
    lost = horizon(POWDER, 3, executor=HERE, fractions=0, limit=10**5, runs=0).phases[2].lost
    return float(lost.low)


def test_splitting_has_no_bias_and_less_variance(truth):
    """At the same number of roots: the mean within 4.5 standard errors, the variance less than a third."""
    assert 0.0009 < truth < 0.0011
    plain = rare_fall(POWDER, 3, roots=300, replicas=150, level=no_levels, executor=HERE)
    split = rare_fall(POWDER, 3, roots=300, replicas=150, executor=HERE)
    for found in (plain, split):
        standard_error = found.half_width / 2.6  # of a 99 % interval
        assert abs(found.value - truth) < 4.5 * standard_error
    assert split.half_width**2 < plain.half_width**2 / 3
    assert split.n < 2 * plain.n, "and with less than twice the work"


@pytest.mark.parametrize("split", [1, 2, 3])
def test_bad_levels_do_no_harm_to_the_mean(split):
    found = rare_fall(BEFORE_ROMA, 3, roots=100, replicas=60, level=odd_levels, split=split, executor=HERE)
    assert abs(found.value - 0.75) < 4.5 * found.half_width / 2.66


def test_where_nothing_falls_the_interval_is_that_of_plain_runs():
    found = rare_fall(POWDER, 1, roots=50, replicas=20, executor=HERE)
    assert (found.value, found.low) == (0, 0)
    assert found.high == pytest.approx(1 - 0.005 ** (1 / 1000), rel=1e-6)


def test_intervals_of_replications_hold():
    """200 intervals at 99 %: more than 9 misses have a chance below 10^-4."""
    misses = 0
    for seed in range(200):
        found = rare_fall(BEFORE_ROMA, 3, roots=20, replicas=20, seed=seed, executor=HERE)
        misses += not found.low <= 0.75 <= found.high
    assert misses <= 9


def test_the_same_seed_gives_the_same_numbers():
    one = rare_fall(BEFORE_ROMA, 3, roots=20, replicas=20, executor=HERE)
    with ProcessExecutor(2) as pool:
        assert rare_fall(BEFORE_ROMA, 3, roots=20, replicas=20, executor=pool) == one
    assert rare_fall(BEFORE_ROMA, 3, roots=20, replicas=20, seed=1, executor=HERE) != one


@pytest.mark.parametrize("numbers", [{"split": 0}, {"roots": 0}, {"replicas": 19}])
def test_numbers_that_make_no_sense_are_refused(numbers):
    with pytest.raises(ValueError, match="expected"):
        rare_fall(BEFORE_ROMA, 1, **numbers)
