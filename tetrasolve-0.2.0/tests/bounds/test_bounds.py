"""Upper bounds on small processes: never below the optimum, and equal to it where the function they rest on is the best."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tetrasolve.bounds import (
    UpperBound,
    greatest_excess,
    optimum,
    penalised,
    penalised_exactly,
    potential_bound,
)
from tetrasolve.bounds.process import reachable, values
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.distribution import Distribution
from tetrasolve.exact.estimate import mean

pytestmark = pytest.mark.program

DEPTH, WIDTH, ACTIONS = 3, 3, 2
SHARES = st.lists(st.integers(0, 3), min_size=WIDTH, max_size=WIDTH).filter(any)
UNIT = st.integers(0, 6).map(lambda sixths: Fraction(sixths, 6))


@dataclass(frozen=True)
class Ladder:
    """Level after level: in state (level, place) an action leads to a place of the next level; the last level pays."""

    chances: tuple[tuple[int, ...], ...]  # a row for each level, place and action
    payoffs: tuple[Fraction, ...]

    def actions(self, state: tuple[int, int]) -> range:
        return range(ACTIONS if state[0] < DEPTH else 0)

    def outcomes(self, state: tuple[int, int], action: int) -> Distribution[tuple[int, int]]:
        level, place = state
        row = self.chances[(level * WIDTH + place) * ACTIONS + action]
        return Distribution.weighted({(level + 1, where): count for where, count in enumerate(row)})

    def payoff(self, state: tuple[int, int]) -> Fraction:
        return self.payoffs[state[1]]


ROWS = DEPTH * WIDTH * ACTIONS
LADDERS = st.builds(
    Ladder, st.lists(SHARES.map(tuple), min_size=ROWS, max_size=ROWS).map(tuple), st.tuples(*[UNIT] * WIDTH)
)
STATES = list(product(range(DEPTH + 1), range(WIDTH)))
POTENTIALS = st.lists(UNIT, min_size=len(STATES), max_size=len(STATES)).map(
    lambda numbers: dict(zip(STATES, numbers, strict=True))
)
START = (0, 0)


def best_of_all_policies(ladder: Ladder) -> Fraction:
    """The optimum by a second way: every policy that looks at the state only, one after the other."""
    inner = [state for state in STATES if state[0] < DEPTH]
    best = Fraction(0)
    for choice in product(range(ACTIONS), repeat=len(inner)):
        policy = dict(zip(inner, choice, strict=True))
        now = Distribution.point(START)
        for _ in range(DEPTH):
            now = now.then(lambda state: ladder.outcomes(state, policy[state]))  # noqa: B023  # used at once
        best = max(best, now.expectation(ladder.payoff))
    return best


def a_ladder(numbers: str) -> Ladder:
    """The ladder whose rows of chances are these digits, repeated."""
    digits = [int(digit) for digit in numbers]
    rows = tuple(tuple(digits[(WIDTH * row + place) % len(digits)] for place in range(WIDTH)) for row in range(ROWS))
    return Ladder(rows, (Fraction(0), Fraction(1, 2), Fraction(1)))


EXAMPLE = a_ladder("1230211")


def test_the_optimum_is_the_best_of_all_policies() -> None:
    assert optimum(EXAMPLE, START).value == best_of_all_policies(EXAMPLE)


@settings(max_examples=30)
@given(LADDERS, POTENTIALS)
def test_known_dice_with_any_penalty_are_never_below_the_optimum(ladder: Ladder, potential: dict) -> None:
    assert penalised_exactly(ladder, START, potential.__getitem__).high >= optimum(ladder, START).value


@settings(max_examples=30)
@given(LADDERS)
def test_with_the_true_values_as_penalty_the_bound_is_the_optimum(ladder: Ladder) -> None:
    bound = penalised_exactly(ladder, START, values(ladder, START).__getitem__)

    assert bound == UpperBound(optimum(ladder, START), "known dice with a penalty")
    assert bound.certainty == "proved"


@settings(max_examples=30)
@given(LADDERS, POTENTIALS)
def test_a_potential_with_its_greatest_excess_is_never_below_the_optimum(ladder: Ladder, potential: dict) -> None:
    assert potential_bound(ladder, START, potential.__getitem__, DEPTH + 1).high >= optimum(ladder, START).value


@settings(max_examples=30)
@given(LADDERS, POTENTIALS)
def test_known_dice_improve_every_supersolution(ladder: Ladder, potential: dict) -> None:
    """Where no action raises the potential on average, the bound with the penalty is at most its value (Brown and Haugh 2017)."""
    raised: dict[tuple[int, int], Fraction] = {}
    for state in reversed(STATES):
        own = [ladder.outcomes(state, action).expectation(raised.__getitem__) for action in ladder.actions(state)]
        raised[state] = max(potential[state], *own) if own else ladder.payoff(state)
    found = penalised_exactly(ladder, START, raised.__getitem__)

    assert greatest_excess(ladder, reachable(ladder, START), raised.__getitem__) <= 0
    assert optimum(ladder, START).value <= found.high <= raised[START]


def test_without_a_penalty_known_dice_say_less() -> None:
    nothing = penalised_exactly(EXAMPLE, START, lambda _: Fraction(0)).high

    assert nothing > optimum(EXAMPLE, START).value


@settings(max_examples=30)
@given(POTENTIALS)
def test_sampled_dice_agree_with_all_dice(potential: dict) -> None:
    exact = penalised_exactly(EXAMPLE, START, potential.__getitem__).value
    sampled = penalised(
        EXAMPLE, START, potential.__getitem__, runs=60, most=Fraction(1 + 2 * DEPTH), seed=4, confidence=1 - 1e-9
    )

    assert sampled.certainty == "statistical"
    assert isinstance(exact, Exact) and sampled.value.low <= exact.value <= sampled.value.high


def test_samples_are_those_of_their_seed() -> None:
    first, again, other = (
        penalised(EXAMPLE, START, lambda _: Fraction(0), runs=40, most=Fraction(1), seed=seed) for seed in (1, 1, 2)
    )

    assert first == again != other


def test_results_further_apart_than_stated_are_refused() -> None:
    with pytest.raises(ValueError, match="expected a distance of at most 1/9"):
        penalised(EXAMPLE, START, lambda _: Fraction(0), runs=40, most=Fraction(1, 9), seed=1)


# -- what would be no bound ------------------------------------------------------------------------------------


class OneActionOnly(Ladder):
    """A player of known dice who tries the first action alone: a heuristic instead of a maximum."""

    def actions(self, state: tuple[int, int]) -> range:
        return range(min(1, len(super().actions(state))))


def test_an_inner_problem_that_is_played_and_not_maximised_bounds_nothing() -> None:
    ladder = a_ladder("3001003")
    played = penalised_exactly(OneActionOnly(ladder.chances, ladder.payoffs), START, values(ladder, START).__getitem__)

    assert played.high < optimum(ladder, START).value


def test_an_excess_on_the_states_of_one_policy_bounds_nothing() -> None:
    """The potential falls along the first action, and the second leads where it is far too low."""
    ladder = a_ladder("3001003")
    seen = list(reachable(OneActionOnly(ladder.chances, ladder.payoffs), START))
    known = values(OneActionOnly(ladder.chances, ladder.payoffs), START)
    played = OneActionOnly(ladder.chances, ladder.payoffs)

    assert greatest_excess(played, seen, known.__getitem__) <= 0
    assert known[START] < optimum(ladder, START).value


def test_no_states_prove_nothing() -> None:
    with pytest.raises(ValueError, match="expected at least one"):
        greatest_excess(EXAMPLE, [], lambda _: Fraction(1))


def test_a_bound_says_how_sure_it_is() -> None:
    proved = UpperBound(Exact(Fraction(1, 2)), "counting")
    statistical = UpperBound(mean(50, 50, 100, 1, 0.95), "counting")

    assert str(proved) == "at most 0.5 (proved, by counting)" and proved.excludes(Fraction(51, 100))
    assert "statistical, 95%" in str(statistical) and not statistical.excludes(0.51)
    assert not proved.excludes(Fraction(1, 2))
    assert proved.as_data()["certainty"] == "proved"
