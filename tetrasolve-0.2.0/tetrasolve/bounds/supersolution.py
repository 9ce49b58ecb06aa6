"""The bound of a function of states that no action raises on average: a supersolution of Bellman's equation.

If V is at least the payoff where the process is over, and in each other state at least E[V(next)] of each action, then no policy
reaches more than V of the state where it begins. A relaxed process, in which the player can do more, has such a function: its
value.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.bounds.process import A, Potential, Process, S, reachable
from tetrasolve.exact.certainty import Exact


def greatest_excess(process: Process[S, A], states: Iterable[S], potential: Potential[S]) -> Fraction:
    """By how much the best action, or the payoff, exceeds the potential at most, over these states; negative if nowhere.

    :raises ValueError: when there is no state.
    """
    worst = max((_excess(process, state, potential) for state in states), default=None)
    if worst is None:
        raise ValueError("no states: expected at least one")
    return worst


def _excess(process: Process[S, A], state: S, potential: Potential[S]) -> Fraction:
    actions = process.actions(state)
    if not actions:
        return process.payoff(state) - potential(state)
    return max(process.outcomes(state, action).expectation(potential) for action in actions) - potential(state)


def potential_bound(process: Process[S, A], start: S, potential: Potential[S], steps: int) -> UpperBound:
    """The bound of a potential: its value at the start and, for each step, the greatest excess over all states if there is one.

    `steps`: the most steps of a game, its end included. Every state that can be reached is checked, so the bound is proved. The
    excess over the states of some games only, those that a policy plays, would bound nothing.
    """
    excess = max(Fraction(0), greatest_excess(process, reachable(process, start), potential))
    return UpperBound(Exact(potential(start) + steps * excess), "a potential checked on every state")
