"""A finite decision process, and its optimum by backward induction.

A game that ends after a limited number of random steps is one if the states carry what is left of the limit. Payoffs and
chances are fractions, so an optimum is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import Protocol, TypeAlias, TypeVar

from tetrasolve.exact.certainty import Exact
from tetrasolve.exact.distribution import Distribution

S = TypeVar("S", bound=Hashable)
A = TypeVar("A")

Potential: TypeAlias = Callable[[S], Fraction]  # a value of states, whatever it rests on


class Process(Protocol[S, A]):
    """States, what can be done in them, and where that leads; no state is reached twice in one game."""

    def actions(self, state: S) -> Sequence[A]:
        """What can be done in a state; empty if the process is over there."""
        ...

    def outcomes(self, state: S, action: A) -> Distribution[S]:
        """The next state."""
        ...

    def payoff(self, state: S) -> Fraction:
        """What a state is worth in which the process is over."""
        ...


def optimum(process: Process[S, A], start: S) -> Exact:
    """The greatest expected payoff of any policy from a state, by backward induction over all states that can be reached."""
    return Exact(values(process, start)[start])


def values(process: Process[S, A], start: S) -> dict[S, Fraction]:
    """The optimum from each state that can be reached."""
    known: dict[S, Fraction] = {}
    pending = [start]
    while pending:  # a stack of its own: a process may be deeper than Python's
        state = pending[-1]
        if state in known:
            pending.pop()
            continue
        actions = process.actions(state)
        rows = [process.outcomes(state, action) for action in actions]
        missing = {following for row in rows for following in row if following not in known}
        if missing:
            pending += missing
            continue
        pending.pop()
        reached = [row.expectation(known.__getitem__) for row in rows]
        known[state] = max(reached) if reached else process.payoff(state)
    return known


def reachable(process: Process[S, A], start: S) -> Iterator[S]:
    """Every state that can be reached, each once."""
    seen, pending = {start}, [start]
    while pending:
        state = pending.pop()
        yield state
        for action in process.actions(state):
            for following in process.outcomes(state, action):
                if following not in seen:
                    seen.add(following)
                    pending.append(following)
