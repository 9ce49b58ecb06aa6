"""Absorbing Markov chains, solved in exact fractions.

A random process that can return to a state has no bound on its number of steps, but the distribution of its end is a
finite sum: the returns of each state to itself are a geometric series, which is summed exactly.
Kemeny and Snell, *Finite Markov Chains* (1960), chapter 3.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeVar

from tetrasolve.exact.deadline import check
from tetrasolve.exact.distribution import Distribution
from tetrasolve.stop import Stop

S = TypeVar("S", bound=Hashable)


class NotAbsorbingError(ArithmeticError):
    """The process can reach states from which it never ends."""


@dataclass(frozen=True, slots=True)
class Absorption(Generic[S]):
    """The distribution of the end of a process, and the expected number of visits to each state."""

    ends: Distribution[S]
    visits: Mapping[S, Fraction]


def absorb(start: S, step: Callable[[S], Distribution[S] | None], stop: Stop | None = None) -> Absorption[S]:
    """The exact distribution of the state in which `step`, applied from `start` on, first gives None.

    >>> def leave_on_six(state: str) -> Distribution[str] | None:
    ...     return Distribution.uniform(["in"] * 5 + ["out"]) if state == "in" else None
    >>> absorb("in", leave_on_six).visits["in"]  # the die is expected to be rolled six times
    Fraction(6, 1)

    :raises NotAbsorbingError: when the process need not end.
    :raises Stopped: when `stop` is set before all of it is solved.
    """
    rows = _explore(start, step, stop)
    inflow: dict[S, Fraction] = dict.fromkeys(rows, Fraction(0))
    inflow[start] = Fraction(1)
    visits: dict[S, Fraction] = {}
    ends: dict[S, Fraction] = {}
    for component in reversed(components(start, rows, stop)):
        check(stop)
        for state, count in _solve(component, rows, inflow).items():
            row = rows[state]
            if row is None:
                ends[state] = count
                continue
            visits[state] = count
            for image, weight in row.items():
                if image not in component:
                    inflow[image] += count * weight
    return Absorption(Distribution(ends), visits)


def _explore(
    start: S, step: Callable[[S], Distribution[S] | None], stop: Stop | None
) -> dict[S, Distribution[S] | None]:
    rows: dict[S, Distribution[S] | None] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in rows:
            continue
        check(stop)
        row = rows[state] = step(state)
        if row is not None:
            waiting.extend(image for image in row if image not in rows)
    return rows


def components(start: S, rows: Mapping[S, Iterable[S] | None], stop: Stop | None) -> list[set[S]]:
    """The strongly connected components, each before those that lead to it (Tarjan 1972, without recursion)."""
    found: list[set[S]] = []
    index: dict[S, int] = {}
    low: dict[S, int] = {}
    stack: list[S] = []
    on_stack: set[S] = set()
    index[start] = low[start] = 0
    stack.append(start)
    on_stack.add(start)
    work = [(start, iter(rows[start] or ()))]
    while work:
        check(stop)
        state, images = work[-1]
        for image in images:
            if image not in index:
                index[image] = low[image] = len(index)
                stack.append(image)
                on_stack.add(image)
                work.append((image, iter(rows[image] or ())))
                break
            if image in on_stack:
                low[state] = min(low[state], index[image])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[state])
            if low[state] == index[state]:
                component: set[S] = set()
                while state not in component:
                    member = stack.pop()
                    on_stack.remove(member)
                    component.add(member)
                found.append(component)
    return found


def _solve(
    component: set[S], rows: Mapping[S, Distribution[S] | None], inflow: Mapping[S, Fraction]
) -> dict[S, Fraction]:
    """Expected visits to each state of one component, by eliminating state after state.

    Each state is eliminated once: its flow is passed on to its successors, its returns to itself summed as a geometric
    series. The state with the fewest pairs of neighbours goes first, which keeps sparse rows sparse.
    """
    if len(component) == 1:
        (state,) = component
        row = rows[state]
        back = row[state] if row is not None else Fraction(0)
        return {state: _returning(inflow[state], back)}
    into: dict[S, dict[S, Fraction]] = {state: {} for state in component}
    out: dict[S, dict[S, Fraction]] = {state: {} for state in component}
    for state in component:
        row = rows[state]
        for image, weight in row.items() if row is not None else ():
            if image in component:
                out[state][image] = into[image][state] = weight
    flow = {state: inflow[state] for state in component}
    taken: list[tuple[S, Fraction, dict[S, Fraction]]] = []
    left = set(component)
    while left:
        state = min(left, key=lambda s: len(into[s]) * len(out[s]))
        left.remove(state)
        back = out[state].pop(state, Fraction(0))
        into[state].pop(state, None)
        if back == 1:
            raise NotAbsorbingError(f"the process can stay for ever at {state!r}")
        series = 1 / (1 - back)
        for image, share in out[state].items():
            onward = share * series
            del into[image][state]
            flow[image] += flow[state] * onward
            for origin, weight in into[state].items():
                total = out[origin].get(image, Fraction(0)) + weight * onward
                out[origin][image] = into[image][origin] = total
        for origin in into[state]:
            del out[origin][state]
        taken.append((state, series, into[state]))
    visits: dict[S, Fraction] = {}
    for state, series, origins in reversed(taken):
        arriving = sum((visits[origin] * weight for origin, weight in origins.items()), Fraction(0))
        visits[state] = (flow[state] + arriving) * series
    return visits


def _returning(inflow: Fraction, back: Fraction) -> Fraction:
    if back == 1:
        raise NotAbsorbingError("the process can stay for ever in one state")
    return inflow / (1 - back) if back else inflow
