"""What it takes solvers to find an answer: chances and lines of small regions against drawn play, and rank correlation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, isnan
from random import Random

import pytest

from tetrasolve.puzzles.correlation import spearman
from tetrasolve.puzzles.effort import Choice, Effort, Region, chance, effort, ranks, softmax, uniform

# First one of two actions in either order, then an attack with two outcomes; after the second there is one more choice.
REGION: Region = {
    0: [Choice(True, (1,)), Choice(True, (2,)), Choice(False), Choice(False)],
    1: [Choice(False), Choice(True, (3,)), Choice(False)],
    2: [Choice(True, (3,)), Choice(False)],
    3: [Choice(False), Choice(True, (4, 5))],
    4: [Choice(True)],
    5: [Choice(True), Choice(False), Choice(False), Choice(False)],
}


def drawn(region: Region, weights: Mapping[int, Sequence[float]], random: Random) -> bool:
    """Whether one solver is right at every state that it comes to."""
    waiting = [0]
    while waiting:
        state = waiting.pop()
        (choice,) = random.choices(region[state], weights[state])
        if not choice.is_right:
            return False
        waiting += choice.after
    return True


def test_the_chance_of_random_play_is_that_of_all_its_ways() -> None:
    assert chance(REGION, uniform(REGION)) == pytest.approx((1 / 4 * 1 / 3 + 1 / 4 * 1 / 2) * 1 / 2 * 1 / 4)


def test_the_chance_of_a_solver_that_errs_is_that_of_many_such_solvers() -> None:
    values = {
        0: [0.5, 0.4, 0.4, 0.1],
        1: [0.2, 0.5, 0.3],
        2: [0.4, 0.3],
        3: [0.1, 0.5],
        4: [1.0],
        5: [0.5, 0.4, 0.2, 0.2],
    }
    shares = softmax(values.__getitem__, 0.2)
    random = Random(1)
    weights = {state: shares(state) for state in REGION}
    found = sum(drawn(REGION, weights, random) for _ in range(20_000)) / 20_000
    assert chance(REGION, shares) == pytest.approx(found, abs=0.01)  # 3 standard errors


def test_errors_fall_with_the_value_and_with_the_noise() -> None:
    worths = {0: [1.0, 0.0]}
    assert softmax(worths.__getitem__, 0.5)(0) == pytest.approx([1 / (1 + exp(-2)), exp(-2) / (1 + exp(-2))])
    sure, unsure = softmax(worths.__getitem__, 0.01)(0)[0], softmax(worths.__getitem__, 100.0)(0)[0]
    assert sure == pytest.approx(1) and unsure == pytest.approx(0.5, abs=0.01)


def test_lines_are_those_of_the_cheapest_way() -> None:
    liked = {0: [3, 1, 2, 0], 1: [3, 2, 1], 2: [1, 0], 3: [1, 0], 4: [0], 5: [0, 3, 2, 1]}
    found = effort(REGION, lambda state: [(float(worth),) for worth in liked[state]])
    assert found == Effort(
        lines=1 * 2 * 2 * 4, rank=4
    )  # by state 1: first, second, second, and fourth after one outcome


def test_choices_that_are_liked_equally_are_tried_in_any_order() -> None:
    choices = [Choice(True), Choice(False), Choice(False), Choice(True), Choice(False)]
    level = [(0.0,)] * 5
    orders = [Random(seed).sample(range(5), 5) for seed in range(4_000)]
    first = sum(1 + min(order.index(0), order.index(3)) for order in orders) / len(orders)
    assert ranks(choices, level)[0] == pytest.approx(first, abs=0.05)
    assert ranks(choices, [(1.0,), (0.0,), (0.0,), (0.0,), (2.0,)])[0] == 2


@pytest.mark.parametrize("seed", range(5))
def test_rank_correlation_is_that_of_scipy(seed: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    random = Random(seed)
    first = [random.randint(1, 5) for _ in range(40)]
    second = [number + random.gauss(0, 2) for number in first]
    assert spearman(first, second) == pytest.approx(float(stats.spearmanr(first, second)[0]))


def test_rank_correlation_needs_two_rows_that_vary() -> None:
    assert isnan(spearman([1, 1, 1], [1, 2, 3]))
    for rows in (([1], [1]), ([1, 2], [1, 2, 3])):
        with pytest.raises(ValueError, match="expected two rows"):
            spearman(*rows)
