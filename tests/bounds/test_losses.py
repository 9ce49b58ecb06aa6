"""Losses that nothing prevents: never more than the best policy loses, on processes and shrunken games that are solved exactly."""

from fractions import Fraction
from random import Random

import pytest

from tetrasolve.bounds import UpperBound, bound_of_losses, bound_with_later, least_loss, optimum
from tetrasolve.bounds.process import values
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.distribution import Distribution
from tetrasolve.exact.estimate import Estimate
from tetrasolve.finem import rules
from tetrasolve.finem.bestturn import best_turn
from tetrasolve.finem.bounds.firstturn import least_loss as least_loss_of_turn
from tetrasolve.finem.bounds.firstturn import start_of
from tetrasolve.finem.examples import examples
from tetrasolve.finem.position import Phase, Position, Result
from tetrasolve.finem.ruleset import Ruleset

pytestmark = pytest.mark.program

DEPTH = 4


class Wood:
    """A process drawn from a seed: two actions lead to two places of the next level; some are lost, the last level is won."""

    def __init__(self, seed):
        self.random = Random(seed)
        self.lost = {
            (level, place) for level in range(1, DEPTH + 1) for place in range(3) if self.random.random() < 0.3
        }
        self.rows = {
            (level, place, action): {
                (level + 1, self.random.randrange(3)): 1 + self.random.randrange(3) for _ in range(2)
            }
            for level in range(DEPTH)
            for place in range(3)
            for action in range(2)
        }

    def actions(self, state):
        return () if state in self.lost or state[0] == DEPTH else (0, 1)

    def outcomes(self, state, action):
        return Distribution.weighted(self.rows[(*state, action)])

    def payoff(self, state):
        return Fraction(state not in self.lost)


@pytest.mark.parametrize("seed", range(30))
def test_no_policy_escapes_these_losses(seed):
    process = Wood(seed)
    best = optimum(process, (0, 0)).value
    losses = [least_loss(process, (0, 0), steps).value for steps in range(DEPTH + 1)]
    assert losses == sorted(losses) and losses[0] == 0
    assert all(best <= 1 - loss for loss in losses)
    assert best == 1 - losses[-1]  # the whole game: the bound is the optimum


class Spared(Wood):
    """The same process, in which nothing is lost in the first two steps: a relaxed one."""

    def __init__(self, seed):
        super().__init__(seed)
        self.lost = {state for state in self.lost if state[0] > 2}


@pytest.mark.parametrize("seed", range(30))
def test_losses_of_the_first_part_and_a_relaxed_process_bound_the_whole_together(seed):
    best, relaxed = optimum(Wood(seed), (0, 0)).value, values(Spared(seed), (0, 0))
    least = min(value for state, value in relaxed.items() if state[0] == 2)
    loss = least_loss(Wood(seed), (0, 0), 2).value
    first = UpperBound(Estimate(*[float(1 - loss)] * 3, 1, 1.0, "known"), "")
    bound = bound_with_later(first, UpperBound(Exact(relaxed[0, 0]), ""), least)
    assert float(best) <= bound.high + 1e-12  # float rounding
    assert bound.high <= relaxed[0, 0] + 1e-12
    assert bound.certainty == "statistical"


def test_another_number_than_the_least_value_later_would_be_too_much():
    """The forgery: with the greatest value in place of the least one some optimum is above the "bound"."""
    found = []
    for seed in range(60):
        relaxed = values(Spared(seed), (0, 0))
        greatest = max(value for state, value in relaxed.items() if state[0] == 2)
        loss = least_loss(Wood(seed), (0, 0), 2).value
        found.append(relaxed[0, 0] - greatest * loss < optimum(Wood(seed), (0, 0)).value)
    assert any(found)


def test_what_one_policy_loses_is_no_bound():
    """The forgery: the losses of a policy that always takes the first action prove less than nothing about better ones."""

    def followed(process, state):
        if not process.actions(state):
            return process.payoff(state)
        return process.outcomes(state, 0).expectation(lambda after: followed(process, after))

    assert any(optimum(Wood(seed), (0, 0)).value > followed(Wood(seed), (0, 0)) for seed in range(30))


def test_the_bound_of_sampled_starts_holds_and_the_cap_only_weakens_it():
    random, starts = Random(5), range(400)
    losses = [Fraction(random.randrange(40), 1000) for _ in starts]
    whole, capped = bound_of_losses(losses, Fraction(1, 25)), bound_of_losses(losses, Fraction(1, 100))
    assert whole.certainty == capped.certainty == "statistical"
    assert 1 - Fraction(39, 2000) <= whole.high < 1  # the mean of the losses is 0.0195
    assert capped.value.value >= whole.value.value
    for wrong in ((losses, Fraction(0)), ([Fraction(-1)], Fraction(1)), ([Fraction(1, 2)], Fraction(1))):
        with pytest.raises(ValueError, match="expected"):
            bound_of_losses(*wrong)


class RestOfTurn:
    """A shrunken second game: it ends with the turn, and who has not lost by then has won."""

    def actions(self, state):
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            return ()
        found = rules.node(state)
        return ("draw",) if found.is_chance else found.options

    def outcomes(self, state, action):
        return rules.outcomes(state) if action == "draw" else Distribution.point(rules.take(state, action))

    def payoff(self, state):
        return Fraction(isinstance(state, Position) or state.is_won)


@pytest.mark.parametrize("name", ["peril"])
def test_the_kernel_loses_what_the_reference_rules_lose_in_a_shrunken_game(name):
    start = rules.take(examples()[name], "O7")  # two cards are left
    exact = least_loss(RestOfTurn(), start, 20)
    assert exact.value == best_turn(start, "p_lost").value.value == 1 - optimum(RestOfTurn(), start).value


def test_the_first_turn_is_the_same_at_three_levels_and_two_readings():
    texts = ("standard", "introductory", "standard?E-PACIFY=action", "expert+cap3")
    starts = [start_of(Ruleset.from_text(text), 7, 0) for text in texts]
    for move in ("move C6", "move C7", "move C6"):
        starts = [rules.take(start, move) for start in starts]
    assert len({start.cubes for start in starts}) == 1  # the same cards
    assert len({least_loss_of_turn(start) for start in starts}) == 1
