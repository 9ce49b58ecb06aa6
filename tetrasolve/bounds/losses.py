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
from math import fsum, log, sqrt

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.bounds.process import A, Process, S
from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.estimate import Estimate

METHOD = "losses that nothing prevents"
AND_LATER = "losses that nothing prevents in the first part, and a relaxed process"


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

    The interval is that of Hoeffding (1963) for values in [0, cap], on both sides; it is short where there are few starts.

    >>> print(bound_of_losses([Fraction(1, 100)] * 1000, Fraction(1, 100)))
    at most 0.990429 (statistical, 95%, by losses that nothing prevents)

    :raises ValueError: with fewer than two losses, or a cap or a loss that is no chance.
    """
    if len(losses) < 2 or not 0 < cap <= 1 or not all(0 <= loss <= 1 for loss in losses):
        raise ValueError(f"losses and a cap of {cap}: expected at least two, and chances")
    n = len(losses)
    lost = fsum(float(min(loss, cap)) for loss in losses) / n
    half = float(cap) * sqrt(log(2 / (1 - confidence)) / (2 * n))
    return UpperBound(Estimate(1 - lost, 1 - lost - half, 1 - lost + half, n, confidence, "hoeffding"), METHOD)


def bound_with_later(losses: UpperBound, whole: UpperBound, least_later: Fraction) -> UpperBound:
    """The bound of losses in the first part of a game and of a relaxed process that covers the whole of it; statistical.

    `whole` bounds a relaxed process in which these losses do not happen, from every start; `least_later` is at most the value that
    this process has in any state in which the first part can end. Who loses in the first part gives up at least so much of
    the relaxed process, so no policy wins more than the whole less the chance of these losses times that value.

    >>> first = bound_of_losses([Fraction(1, 100)] * 1000, Fraction(1, 100))
    >>> whole = UpperBound(Exact(Fraction(95, 100)), "a relaxed process")
    >>> print(bound_with_later(first, whole, Fraction(1, 2)))
    at most 0.945215 (statistical, 95%, by losses that nothing prevents in the first part, and a relaxed process)

    :raises ValueError: when the bound of the losses is no estimate, the other one not exact, or the value is no chance.
    """
    if not isinstance(losses.value, Estimate) or not isinstance(whole.value, Exact) or not 0 <= least_later <= 1:
        raise ValueError(
            f"{losses.value}, {whole.value}, {least_later}: expected an estimate, an exact number, a chance"
        )
    offset = Exact(whole.value.value - least_later)
    return UpperBound(losses.value.moved(offset, Exact(least_later)), AND_LATER)
