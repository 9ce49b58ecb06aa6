"""Chance and choice for two players with opposite aims, where the play can return to a state: exact values and best options.

Each state is a `Chance`, a `Pick` of one of the players, or an `End`. The play must end whatever is picked, with probability 1;
it can pass the same states several times before. Such a game is a *stochastic shortest path*: where states lead back to one
another, they are solved together by policy iteration (Howard 1960), in fractions: an optimum is reached after finitely many
steps, and is exact. Bertsekas and Tsitsiklis, *An analysis of stochastic shortest path problems* (1991).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from tetrasolve.exact.chain import NotAbsorbingError, components
from tetrasolve.exact.choices import Chance, End
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop

S = TypeVar("S", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Pick(Generic[S]):
    """A state where a player picks: each option by its name, with the gain that it adds to the value, and the next state.

    `most` says whether the player aims at the most or the least.

    :raises ValueError: when there is no option.
    """

    options: Mapping[str, tuple[Fraction, S]]
    most: bool = True

    def __post_init__(self) -> None:
        if not self.options:
            raise ValueError("a pick needs at least one option")


Node: TypeAlias = "End | Chance[S] | Pick[S]"


class MixedCycleError(ArithmeticError):
    """Both players pick among states that lead back to one another, which is not solved here."""


class TooManyStatesError(ArithmeticError):
    """There are more states than the caller allows."""


@dataclass(frozen=True, slots=True)
class Optimum(Generic[S]):
    """The value of each state under best play, and the best option of each pick: of equally good ones the first."""

    values: Mapping[S, Fraction]
    picks: Mapping[S, str]


def optimum(
    start: S, node: Callable[[S], Node[S]], *, most_states: int | None = None, stop: Stop | None = None
) -> Optimum[S]:
    """The values of all states that can follow `start`.

    >>> def again_on_one(state: str) -> Node[str]:
    ...     if state == "roll":
    ...         return Chance(Distribution.uniform(["roll", "pick", "pick"]))
    ...     if state == "pick":
    ...         return Pick({"stop": (Fraction(1), "end"), "go on": (Fraction(0), "roll")})
    ...     return End(Fraction(0))
    >>> from tetrasolve.exact import Distribution
    >>> optimum("roll", again_on_one).values["roll"]
    Fraction(1, 1)

    :raises NotAbsorbingError: when the play need not end.
    :raises MixedCycleError: when both players pick among states that lead back to one another.
    :raises TooManyStatesError: when there are more than `most_states`.
    :raises Stopped: when `stop` is set before all are known.
    """
    nodes: dict[S, Node[S]] = {}
    waiting = [start]
    while waiting:
        state = waiting.pop()
        if state in nodes:
            continue
        check(stop)
        if most_states is not None and len(nodes) == most_states:
            raise TooManyStatesError(f"more than {most_states} states")
        nodes[state] = node(state)
        waiting.extend(_followers(nodes[state]))
    rows = {state: tuple(_followers(found)) for state, found in nodes.items()}
    values: dict[S, Fraction] = {}
    picks: dict[S, str] = {}
    for component in components(start, rows, stop):
        check(stop)
        _Together(component, nodes, values, picks, stop).solve()
    return Optimum(values, picks)


def _followers(node: Node[S]) -> list[S]:
    match node:
        case Chance(outcomes):
            return list(outcomes)
        case Pick(options):
            return [state for _, state in options.values()]
    return []


class _Together(Generic[S]):
    """States that lead back to one another, or one that does not; those behind them have values."""

    def __init__(
        self,
        states: set[S],
        nodes: Mapping[S, Node[S]],
        values: dict[S, Fraction],
        picks: dict[S, str],
        stop: Stop | None,
    ) -> None:
        self.states, self.nodes, self.values, self.picks, self.stop = states, nodes, values, picks, stop
        if len({found.most for state in states if isinstance(found := nodes[state], Pick)}) > 1:
            raise MixedCycleError("both players pick among states that lead back to one another")

    def solve(self) -> None:
        """Write their values and picks."""
        for state in self.states:
            if isinstance(found := self.nodes[state], Pick):
                self.picks[state] = next(iter(found.options))
        while True:
            check(self.stop)
            self.values.update(self.evaluated())
            if not self.improved():
                break
        for state in self.states:  # of equally good options the first
            if isinstance(found := self.nodes[state], Pick):
                self.picks[state] = self.best(found)[0]

    def improved(self) -> bool:
        """Whether some state has a better option than its pick, which it takes."""
        better = False
        for state in self.states:
            found = self.nodes[state]
            if isinstance(found, Pick):
                name, value = self.best(found)
                if value != self.of_option(found, self.picks[state]):
                    self.picks[state], better = name, True
        return better

    def best(self, found: Pick[S]) -> tuple[str, Fraction]:
        """The first best option with its value."""
        values = {name: self.of_option(found, name) for name in found.options}
        name = (max if found.most else min)(values, key=values.__getitem__)
        return name, values[name]

    def of_option(self, found: Pick[S], name: str) -> Fraction:
        """The value of an option."""
        gain, state = found.options[name]
        return gain + self.values[state]

    def evaluated(self) -> dict[S, Fraction]:
        """The values under the present picks: of equations in which each state is eliminated once, the simplest first."""
        equations = {state: self.equation(state) for state in self.states}
        used: dict[S, set[S]] = {state: set() for state in self.states}  # in whose equation it is
        for state, (_, shares) in equations.items():
            for other in shares:
                used[other].add(state)
        order: list[S] = []
        left = set(self.states)
        while left:
            check(self.stop)
            state = min(left, key=lambda s: len(equations[s][1]) * len(used[s]))
            left.remove(state)
            order.append(state)
            constant, shares = equations[state]
            back = shares.pop(state, Fraction(0))
            if back == 1:
                raise NotAbsorbingError(f"the play can stay for ever at {state!r}")
            constant, shares = constant / (1 - back), {other: share / (1 - back) for other, share in shares.items()}
            equations[state] = constant, shares
            for reader in used[state] - {state}:
                if reader in left:
                    equations[reader] = self.put_in(equations[reader], state, constant, shares)
                    for other in shares:
                        used[other].add(reader)
        found: dict[S, Fraction] = {}
        for state in reversed(order):
            constant, shares = equations[state]
            found[state] = constant + sum((share * found[other] for other, share in shares.items()), Fraction(0))
        return found

    def equation(self, state: S) -> tuple[Fraction, dict[S, Fraction]]:
        """A constant, and the shares of states of this component, whose sum the state's value is."""
        found = self.nodes[state]
        if isinstance(found, End):
            return found.value, {}
        if isinstance(found, Pick):
            gain, following = found.options[self.picks[state]]
            return (gain, {following: Fraction(1)}) if following in self.states else (gain + self.values[following], {})
        constant, shares = Fraction(0), dict[S, Fraction]()
        for following, share in found.outcomes.items():
            if following in self.states:
                shares[following] = share
            else:
                constant += share * self.values[following]
        return constant, shares

    @staticmethod
    def put_in(
        equation: tuple[Fraction, dict[S, Fraction]], state: S, constant: Fraction, shares: Mapping[S, Fraction]
    ) -> tuple[Fraction, dict[S, Fraction]]:
        """An equation with the value of a state replaced by its own equation."""
        before, kept = equation
        weight = kept.pop(state)
        for other, share in shares.items():
            kept[other] = kept.get(other, Fraction(0)) + weight * share
        return before + weight * constant, kept
