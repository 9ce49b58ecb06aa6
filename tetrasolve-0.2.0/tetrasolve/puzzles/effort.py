"""What it takes to find the answer to a puzzle, for solvers that choose at each state: at random, by a preference, or with errors.

A *region* has the states that right play comes to, from the state 0 on. At each of them a solver makes one choice, and some of
the choices are right: after them the answer is still within reach. A right choice leads to states of the region, more than one
where dice decide; the solver has to be right in all of them, since the answer says what to do after each.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import exp, prod
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen at a state: whether it is right, and the states that follow a right one, none at the end."""

    is_right: bool
    after: tuple[int, ...] = ()


Region: TypeAlias = Mapping[int, Sequence[Choice]]


@dataclass(frozen=True, slots=True)
class Effort:
    """How many lines a solver goes through until it finds the answer, and the worst rank of a right choice on the way.

    At each state the solver looks at the choices in the order of its preference. A right choice of rank 3 multiplies the number
    of lines by 3, and so do those in all branches. Of choices that it likes equally a right one comes, on average, in the middle.
    """

    lines: float
    rank: float


def chance(region: Region, shares: Callable[[int], Sequence[float]]) -> float:
    """The chance in [0, 1] that a solver is right everywhere; `shares` gives its chances of the choices of a state, in their order.

    >>> region = {0: [Choice(False), Choice(True, (1, 2))], 1: [Choice(True)], 2: [Choice(True), Choice(False)]}
    >>> chance(region, lambda state: [1 / len(region[state])] * len(region[state]))
    0.25
    """

    @cache
    def of(state: int) -> float:
        return sum(
            share * prod(map(of, choice.after))
            for choice, share in zip(region[state], shares(state), strict=True)
            if choice.is_right
        )

    return of(0)


def uniform(region: Region) -> Callable[[int], Sequence[float]]:
    """All choices of a state are equally likely."""
    return lambda state: [1 / len(region[state])] * len(region[state])


def softmax(worths: Callable[[int], Sequence[float]], noise: float) -> Callable[[int], list[float]]:
    """The better a choice, the likelier: the chance of each is in proportion to exp(worth / `noise`)."""

    def shares(state: int) -> list[float]:
        row = worths(state)
        most = max(row)
        parts = [exp((worth - most) / noise) for worth in row]
        return [part / sum(parts) for part in parts]

    return shares


def effort(region: Region, worths: Callable[[int], Sequence[tuple[float, ...]]]) -> Effort:
    """The least effort of a solver that prefers choices with greater worths; `worths` gives those of a state, in their order.

    >>> region = {0: [Choice(False), Choice(True, (1,)), Choice(False)], 1: [Choice(True), Choice(False)]}
    >>> effort(region, lambda state: {0: [(3.0,), (2.0,), (1.0,)], 1: [(0.0,), (0.0,)]}[state])
    Effort(lines=3.0, rank=2.0)
    """

    @cache
    def of(state: int) -> Effort:
        found: list[Effort] = []
        for choice, rank in zip(region[state], ranks(region[state], worths(state)), strict=True):
            if choice.is_right:
                then = [of(after) for after in choice.after]
                found.append(
                    Effort(rank * prod(part.lines for part in then), max([rank, *(part.rank for part in then)]))
                )
        return min(found, key=lambda one: (one.lines, one.rank))

    return of(0)


def ranks(choices: Sequence[Choice], worths: Sequence[tuple[float, ...]]) -> list[float]:
    """The rank of each choice, from 1 on: the place at which a right one comes, on average, among those that are liked as well."""
    rows = []
    for choice, worth in zip(choices, worths, strict=True):
        equal = [other for other, its in zip(choices, worths, strict=True) if its == worth]
        right = sum(other.is_right for other in equal) if choice.is_right else 1
        rows.append(sum(its > worth for its in worths) + (len(equal) + 1) / (right + 1))
    return rows
