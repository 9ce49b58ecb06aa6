"""The bound of a player who knows all dice beforehand and pays for it: information relaxation with a penalty.

Who knows the dice does at least as well as who does not, so the mean of his best results bounds the optimum from above. Without a
penalty that says little: he avoids every bad roll. So each step costs him what its dice gain by some function V of states,
V(next) - E[V(next)], with the expectation taken exactly. A player who does not know the dice pays 0 for this on average, whatever
V is, so the bound stays valid. With V the true value of each state it is the optimum itself (Brown, Smith and Sun 2010,
*Information relaxations and duality in stochastic dynamic programs*).

What makes a bound of it is that the best result with known dice is a true maximum: `_after` follows all actions, and no
selection of them.

The dice of a step are one number u, uniform in [0, 1): an action leads to the outcome in whose share of [0, 1) it falls. For the
bound to hold they may be coupled in any way, as long as the dice of a step are independent of those before.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Generic

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.bounds.process import A, Potential, Process, S
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.estimate import mean

GRID = 2**62  # points of [0, 1) from which a number is drawn: an outcome is off by less than this share of its chance


class _Dice(Generic[S, A]):
    """The steps of a process by the numbers of their dice."""

    def __init__(self, process: Process[S, A], potential: Potential[S]) -> None:
        self._process, self._potential = process, potential
        self._rows: dict[S, list[tuple[list[Fraction], list[tuple[S, Fraction]]]]] = {}

    def rows(self, state: S) -> list[tuple[list[Fraction], list[tuple[S, Fraction]]]]:
        """For each action the upper ends of its outcomes' shares of [0, 1), and the outcomes, each with its penalty."""
        if state not in self._rows:
            found = []
            for action in self._process.actions(state):
                chances = self._process.outcomes(state, action)
                worth = {following: self._worth(following) for following in chances}
                expected = chances.expectation(worth.__getitem__)
                ends, total = [], Fraction(0)
                for following in chances:
                    total += chances[following]
                    ends.append(total)
                found.append((ends, [(following, value - expected) for following, value in worth.items()]))
            self._rows[state] = found
        return self._rows[state]

    def _worth(self, state: S) -> Fraction:
        """The potential; of a state where the process is over the payoff, which is known."""
        return self._potential(state) if self._process.actions(state) else self._process.payoff(state)

    def cuts(self, frontier: Mapping[S, Fraction]) -> list[Fraction]:
        """The numbers at which the outcome of some action changes, from 0 to 1."""
        return sorted({Fraction(0), *(end for state in frontier for ends, _ in self.rows(state) for end in ends)})

    def after(self, frontier: Mapping[S, Fraction], number: Fraction) -> dict[S, Fraction]:
        """The states after one more step with this number, each with the greatest sum of what was paid back so far."""
        new: dict[S, Fraction] = {}
        for state, sum_so_far in frontier.items():
            for ends, outcomes in self.rows(state):
                following, penalty = outcomes[_first_above(ends, number)]
                kept = sum_so_far - penalty
                if following not in new or kept > new[following]:
                    new[following] = kept
        return new

    def split(self, frontier: Mapping[S, Fraction]) -> tuple[dict[S, Fraction], Fraction | None]:
        """The states in which something can be done, and the best result among the others."""
        going = {state: kept for state, kept in frontier.items() if self._process.actions(state)}
        over = [kept + self._process.payoff(state) for state, kept in frontier.items() if state not in going]
        return going, max(over, default=None)


def _first_above(ends: list[Fraction], number: Fraction) -> int:
    low, high = 0, len(ends) - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if number < ends[middle] else (middle + 1, high)
    return low


def _greater(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    found = [number for number in (one, other) if number is not None]
    return max(found, default=None)


def penalised_exactly(process: Process[S, A], start: S, potential: Potential[S]) -> UpperBound:
    """The bound with the mean over all dice taken exactly; proved.

    The work grows with the product, over the steps, of the numbers of outcomes: this is for small processes.
    """
    dice = _Dice(process, potential)

    def expected(frontier: dict[S, Fraction], best: Fraction | None) -> Fraction:
        going, over = dice.split(frontier)
        best = _greater(best, over)
        if not going:
            assert best is not None, "a process that never ends"
            return best
        parts = ((low, high) for low, high in pairwise(dice.cuts(going)))
        return sum(((high - low) * expected(dice.after(going, low), best) for low, high in parts), Fraction(0))

    return UpperBound(Exact(expected({start: Fraction(0)}, None)), "known dice with a penalty")


def penalised(
    process: Process[S, A],
    start: S,
    potential: Potential[S],
    *,
    runs: int,
    most: Fraction,
    seed: int | str,
    confidence: float = 0.95,
) -> UpperBound:
    """The bound with the mean over sampled dice; statistical, with an interval that holds for values of known bounds.

    `most` is the greatest distance between results that can occur: with payoffs and potentials in [0, 1] and n random steps,
    1 + 2 n is enough.

    :raises ValueError: with fewer than two runs, or where results lie further apart.
    """
    dice, random = _Dice(process, potential), Random(seed)
    results = []
    for _ in range(runs):
        frontier, best = dice.split({start: Fraction(0)})
        while frontier:
            frontier, over = dice.split(dice.after(frontier, Fraction(random.randrange(GRID), GRID)))
            best = _greater(best, over)
        assert best is not None, "a process that never ends"
        results.append(best)
    if results and max(results) - min(results) > most:
        raise ValueError(f"results from {min(results)} to {max(results)}: expected a distance of at most {most}")
    total, squares = float(sum(results)), float(sum(result * result for result in results))
    return UpperBound(mean(total, squares, runs, float(most), confidence), "known dice with a penalty")
