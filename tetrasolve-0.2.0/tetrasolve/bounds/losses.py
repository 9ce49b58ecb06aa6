"""The bound of losses that nothing prevents, averaged over sampled starts.

From a start, let L be the least chance, over all policies, to lose within a given part of the game. No policy wins more than 1 - L
from there, so no policy wins more than 1 - E[L] of games whose start is drawn. Of sampled starts the mean is estimated; each L may
be replaced by any lower bound on it. A cap makes the values lie in [0, cap], and with them the error small where losses are
small: min(L, cap) is a lower bound on L, so it can only make the bound weaker, never wrong. The cap has to be chosen before the
starts are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import fsum

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.bounds.process import A, Process, S
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.estimate import Estimate, mean

METHOD = "losses that nothing prevents"


def least_loss(process: Process[S, A], start: S, steps: int) -> Exact:
    """The least chance of any policy that the process is over with payoff 0 within so many steps; all other ends count as good.

    By backward induction; for processes whose payoffs are in [0, 1].
    """

    def loss(state: S, left: int) -> Fraction:
        actions = process.actions(state)
        if not actions:
            return Fraction(process.payoff(state) == 0)
        if left == 0:
            return Fraction(0)
        return min(
            process.outcomes(state, action).expectation(lambda following: loss(following, left - 1))
            for action in actions
        )

    return Exact(loss(start, steps))


def bound_of_losses(losses: Sequence[Fraction], cap: Fraction, confidence: float = 0.95) -> UpperBound:
    """The bound of these losses, one for each independent start; statistical.

    >>> print(bound_of_losses([Fraction(1, 100)] * 1000, Fraction(1, 100)))
    at most 0.990103 (statistical, 95%, by losses that nothing prevents)

    :raises ValueError: with fewer than two losses, or a cap or a loss that is no chance.
    """
    if not 0 < cap <= 1 or not all(0 <= loss <= 1 for loss in losses):
        raise ValueError(f"losses and a cap of {cap}: expected chances")
    kept = [float(min(loss, cap)) for loss in losses]
    lost = mean(fsum(kept), fsum(value * value for value in kept), len(kept), float(cap), confidence)
    value, low, high = 1 - lost.value, 1 - lost.high, 1 - lost.low
    return UpperBound(Estimate(value, low, high, lost.n, confidence, lost.method), METHOD)
