"""Distributions with exact weights."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetrasolve.exact import Distribution

DIE = Distribution.uniform(range(1, 7))
TICKETS = st.dictionaries(st.integers(0, 9), st.integers(1, 30), min_size=1)


def from_tickets(tickets: dict[int, int]) -> Distribution[int]:
    total = sum(tickets.values())
    return Distribution({outcome: Fraction(count, total) for outcome, count in tickets.items()})


DISTRIBUTIONS = TICKETS.map(from_tickets)


class Drawn(Random):
    """Gives out the tickets it was given, in turn, and remembers of how many it was asked for one."""

    def __init__(self, tickets):
        super().__init__(0)
        self.tickets = list(tickets)
        self.scales = []

    def randrange(self, start, stop=None, step=1):
        assert stop is None and step == 1
        self.scales.append(start)
        return self.tickets.pop(0)


# -- what it holds ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("weights", "problem"),
    [
        ({}, "add up to 0"),
        ({"a": Fraction(1, 2)}, "add up to 1/2"),
        ({"a": Fraction(2, 3), "b": Fraction(2, 3)}, "add up to 4/3"),
        ({"a": Fraction(1), "b": Fraction(0)}, "chance of 'b' is 0"),
        ({"a": Fraction(3, 2), "b": Fraction(-1, 2)}, "chance of 'b' is -1/2"),
    ],
)
def test_weights_are_positive_and_add_up_to_one(weights, problem):
    with pytest.raises(ValueError, match=problem):
        Distribution(weights)


def test_a_point_has_one_outcome():
    point = Distribution.point("x")

    assert (point["x"], point["y"], len(point), list(point)) == (1, 0, 1, ["x"])


def test_uniform_counts_what_is_listed_twice():
    """An outcome that is listed twice is twice as likely."""
    assert dict(Distribution.uniform("aab").items()) == {"a": Fraction(2, 3), "b": Fraction(1, 3)}


def test_uniform_needs_an_outcome():
    with pytest.raises(ValueError, match="at least one outcome"):
        Distribution.uniform([])


@given(DISTRIBUTIONS)
def test_it_is_a_mapping_from_outcomes_to_chances(d):
    """Iteration, length, membership and items speak of the same outcomes; any other has chance 0."""
    assert dict(d.items()) == {outcome: d[outcome] for outcome in d}
    assert len(d) == len(list(d))
    assert all(outcome in d for outcome in d)
    assert "other" not in d
    assert d["other"] == 0
    assert sum(weight for _, weight in d.items()) == 1


@given(TICKETS)
def test_equality_and_hash_ignore_the_order(tickets):
    """Two distributions are equal when their outcomes have equal chances."""
    turned = from_tickets(dict(reversed(tickets.items())))

    assert from_tickets(tickets) == turned
    assert hash(from_tickets(tickets)) == hash(turned)
    assert from_tickets(tickets) != Distribution.point("other")
    assert from_tickets(tickets) != tickets


def test_the_weights_given_can_be_changed_afterwards():
    """A distribution keeps its own copy of its weights."""
    weights = {"a": Fraction(1, 2), "b": Fraction(1, 2)}
    d = Distribution(weights)
    weights["c"] = Fraction(1)

    assert len(d) == 2


def test_repr_shows_the_first_outcomes():
    assert repr(Distribution.uniform("ab")) == "Distribution({'a': 1/2, 'b': 1/2})"
    assert repr(DIE.then(lambda a: DIE.map(lambda b: 10 * a + b))).endswith("16: 1/36, ...})")


# -- laws ------------------------------------------------------------------------------------------------------


@given(DISTRIBUTIONS)
def test_mapping_merges_and_keeps_the_chances(d):
    """The chance of an image is that of everything that is mapped to it."""
    image = d.map(lambda outcome: outcome % 3)

    assert d.map(lambda outcome: outcome) == d
    for value in range(3):
        assert image[value] == d.probability(lambda outcome, value=value: outcome % 3 == value)


@given(DISTRIBUTIONS, DISTRIBUTIONS, DISTRIBUTIONS)
def test_following_steps_are_a_monad(a, b, c):
    """A certain first or second step changes nothing, and three steps can be grouped either way."""
    second = {True: b, False: c}

    def follow(outcome):
        return second[outcome % 2 == 0]

    def again(outcome):
        return c if outcome < 5 else b

    assert Distribution.point(4).then(follow) == b
    assert a.then(Distribution.point) == a
    assert a.then(follow).then(again) == a.then(lambda outcome: follow(outcome).then(again))


@given(DISTRIBUTIONS, st.integers(-5, 5))
def test_expectation_is_linear_and_probability_an_expectation(d, factor):
    """E[kX + 1] = k E[X] + 1, and the chance of an event is the expectation of its indicator."""
    mean = d.expectation(lambda outcome: outcome)

    assert d.expectation(lambda outcome: factor * outcome + 1) == factor * mean + 1
    assert d.probability(lambda outcome: outcome > 4) == d.expectation(lambda outcome: int(outcome > 4))
    assert d.probability(lambda _: True) == 1


def test_two_dice():
    """The sum of two dice, a distribution that everybody knows."""
    total = DIE.then(lambda a: DIE.map(lambda b: a + b))

    assert [total[n] * 36 for n in range(1, 14)] == [0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0]
    assert total.expectation(lambda n: n) == 7
    assert total.expectation(lambda n: Fraction(n, 2)) == Fraction(7, 2)


# -- sampling --------------------------------------------------------------------------------------------------


@given(DISTRIBUTIONS)
def test_sampling_is_exact(d):
    """Of all equally likely tickets of a draw, an outcome has exactly its share."""
    probe = Drawn([0])
    d.sample(probe)
    (scale,) = probe.scales
    every = Drawn(range(scale))
    drawn = [d.sample(every) for _ in range(scale)]

    assert {outcome: Fraction(drawn.count(outcome), scale) for outcome in set(drawn)} == dict(d.items())
    assert set(every.scales) == {scale}


def test_sampling_follows_the_seed():
    assert [DIE.sample(Random(3)) for _ in range(3)] == [DIE.sample(Random(3))] * 3
    random = Random(3)
    assert {DIE.sample(random) for _ in range(200)} == {1, 2, 3, 4, 5, 6}
