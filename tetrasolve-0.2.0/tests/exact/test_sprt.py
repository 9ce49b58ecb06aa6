"""The sequential test keeps its promises on simulated games."""

from random import Random

import pytest

from tetrasolve.exact.sprt import Sprt, Verdict


def run(test: Sprt, share: float, random: Random) -> Verdict:
    first = second = 0
    while (verdict := test.verdict(first, second)) is Verdict.UNDECIDED:
        if random.random() < share:
            first += 1
        else:
            second += 1
    return verdict


def test_errors_are_as_stated() -> None:
    """Wald's bounds hold up to how far the last game overshoots them, which makes the errors smaller."""
    test, random = Sprt(share=0.6, false_better=0.1, false_equal=0.1), Random(1)
    equal = sum(run(test, 0.5, random) is Verdict.BETTER for _ in range(2000)) / 2000
    better = sum(run(test, 0.6, random) is Verdict.NOT_BETTER for _ in range(2000)) / 2000

    assert 0.04 < equal < 0.115
    assert 0.04 < better < 0.115


def test_the_ratio_is_that_of_the_likelihoods() -> None:
    from math import exp

    assert exp(Sprt(share=0.75).ratio(2, 1)) == pytest.approx((0.75**2 * 0.25) / 0.5**3)


@pytest.mark.parametrize("wrong", [{"share": 0.5}, {"share": 1.0}, {"false_better": 0.5}, {"false_equal": 0.0}])
def test_what_is_no_test_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Sprt(**wrong)
