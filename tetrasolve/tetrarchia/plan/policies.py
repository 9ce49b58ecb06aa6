"""The best policies of a turn for objectives with terms about the phase that follows.

The kernel makes the graph of the turn and solves all terms that depend on the end of the turn only. Figures of the coming
phase have different denominators at each end, so here each node's value is a row of `amount` numbers: doubles with a bound on
their rounding decide most comparisons, fractions the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import inf, nextafter, ulp
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeAlias

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import kernel, whole
from tetrasolve.tetrarchia.kernel import Expectimax, Kernel, State, Turn, expect_exact, figures_many
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.phase.rounding import known, roundings_of_phase
from tetrasolve.tetrarchia.plan.amount import Amount, Part, Value, compare, mean
from tetrasolve.tetrarchia.plan.codes import attack_name, branch_key, is_attack
from tetrasolve.tetrarchia.plan.objective import RISKS

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree, Weights  # names of the stub only

PROGRESS_EVERY = 64  # ends
REPORT_AFTER = 0.1  # seconds
Edge: TypeAlias = tuple[int, int, int]  # (code, chance in 36ths, node)
IP_BYTE = 62  # of a state of the whole kernel
ANYTHING = -1e300  # below all values of a figure, for plans where it is not known


@dataclass
class Watch:
    """The deadline and the progress callback of a search."""

    stop: Stop | None = None
    progress: Callable[[str, int, int], None] | None = None
    cancel: Stop | None = None  # the flag of the last parts of an answer after the deadline

    def look(self) -> None:
        """Raise `Stopped` after the deadline.

        :raises Stopped: when the flag is set.
        """
        check(self.stop)

    def report(self, what: str, done: int, total: int) -> None:
        """Report progress."""
        if self.progress is not None:
            self.progress(what, done, total)


class Measures:
    """The figures of the phase after each end of the turn, computed once for each position."""

    def __init__(self, rules: Kernel, watch: Watch) -> None:
        self.kernel, self.watch = rules, watch
        self.known: dict[tuple[object, ...], dict[str, Amount]] = {}
        self.fractions: dict[tuple[object, ...], dict[str, Fraction]] = {}
        self.closed = False  # no further figures are computed; unknown ones have trivial bounds

    def at(self, end: State, figures: Sequence[str]) -> list[Amount]:
        """These figures of `RISKS` at an end, negated, to be maximised.

        :raises Stopped: when the deadline has passed.
        """
        position = scene(end)
        found = self.known.get(position)
        if found is None and self.closed:
            return [Amount(ANYTHING, 0.0, Fraction) for _ in figures]
        if found is None:
            self.watch.look()
            found = self.known[position] = self._doubles(end, figures)
        return [found[figure] for figure in figures]

    def _doubles(self, end: State, figures: Sequence[str]) -> dict[str, Amount]:
        if end.result == kernel.WON:
            return {figure: Amount(0.0, 0.0, Fraction) for figure in figures}
        if end.result == kernel.FALLEN:
            return {figure: Amount(-float(RISKS[figure]), -float(RISKS[figure]), Fraction) for figure in figures}
        if self.watch.stop is not None and not with_modules(
            end
        ):  # marginals take a fraction of the time, and their intervals are slightly wider
            (marginal,) = figures_many(self.kernel, [end], stop=self.watch.stop)
            return {figure: _marginal(marginal, figure, self._solver(end, figure)) for figure in figures}
        quick = self.kernel.phase(end, stop=self.watch.stop)
        roundings = roundings_of_phase(int(quick["visits"]), 2)  # one of them is the sum of two figures
        return {figure: _rounded(_quick(quick, figure), roundings, self._solver(end, figure)) for figure in figures}

    def _solver(self, end: State, figure: str) -> Callable[[], Fraction]:
        return partial(self._solve, end, self.fractions.setdefault(scene(end), {}), figure)

    def _solve(self, end: State, memory: dict[str, Fraction], figure: str) -> Fraction:
        """A figure in fractions; all figures are computed together."""
        if not memory:
            self.watch.look()
            exact = self.kernel.phase_exact(end, stop=self.watch.stop)
            memory.update({name: Fraction(*exact[name]) for name in RISKS})
            memory["e_revolts"] += REVOLTS * memory["p_lost"]
        return -memory[figure]


def with_modules(end: object) -> bool:
    """Whether a state is one of the kernel of the whole rulebook."""
    return isinstance(end, whole.State)


def scene(end: State) -> tuple[object, ...]:
    """The parts of an end that matter to the phase: not the fleets, but where Pirates may come back, nor the IP left."""
    if with_modules(end):
        fields = bytes(end)
        return fields[:IP_BYTE], fields[IP_BYTE + 2 :], end.result  # the byte between them has the phase and the result
    return (end.revolts, end.unrest, end.garrisons, end.armies, end.emperors, end.result)


def table_of(end: State) -> tuple[object, ...]:
    """What makes an end the same as another one: all that lies on the table, but not the IP left; all fallen Empires are one."""
    return () if end.result == kernel.FALLEN else (scene(end), end.fleets)


def _quick(doubles: dict[str, float], figure: str) -> float:
    return doubles[figure] + (REVOLTS * doubles["p_lost"] if figure == "e_revolts" else 0.0)


def _marginal(found: Mapping[str, tuple[float, float]], figure: str, solve: Callable[[], Fraction]) -> Amount:
    """A figure from marginals, with the bound on their error."""
    value, error = found[figure]
    if figure == "e_revolts":
        value, error = value + REVOLTS * found["p_lost"][0], error + REVOLTS * found["p_lost"][1]
        error += 4 * ulp(value)  # of this sum
    if not value and not error:
        return Amount(0.0, 0.0, solve)
    return Amount(nextafter(-(value + error), -inf), nextafter(-max(value - error, 0.0), inf), solve)


def _rounded(figure: float, roundings: int, solve: Callable[[], Fraction]) -> Amount:
    """A figure with the error of this number of roundings; exactly zero only without terms."""
    bounds = known(figure, roundings)
    if bounds.low == bounds.high:
        return Amount(-figure, -figure, solve)
    return Amount(nextafter(-float(bounds.high), -inf), nextafter(-float(bounds.low), inf), solve)


# -- values of policies ----------------------------------------------------------------------------------------


def grouped(edges: Sequence[Edge]) -> Iterator[tuple[Edge, ...]]:
    """The options at a node of a turn: its edges, those together that are what can come of one attack."""
    rest = iter(edges)
    group = [edge] if (edge := next(rest, None)) is not None else []
    for edge in rest:
        code, before = edge[0], group[0][0]
        if is_attack(code) and is_attack(before) and attack_name(code) == attack_name(before):
            group.append(edge)
        else:
            yield tuple(group)
            group = [edge]
    if group:
        yield tuple(group)


@dataclass(frozen=True, slots=True)
class Option:
    """The value of an action, or of an attack with all outcomes; `weak` is the outcome where `second` is worse."""

    best: Value
    second: Value | None
    edges: tuple[Edge, ...]
    weak: int = 0


@dataclass
class Policies:
    """The best value at each node of a turn, and the second best."""

    turn: Turn
    ends: list[Value | None]  # the value of ending at each node
    watch: Watch
    whole: bool = False  # whether the turn is of the kernel of the whole rulebook
    best: list[Value] = field(init=False)
    second: list[Value | None] = field(init=False)

    def __post_init__(self) -> None:
        self.best = [()] * len(self.ends)
        self.second = [None] * len(self.ends)
        for done, node in enumerate(self.turn.order()):
            if done % PROGRESS_EVERY == 0:
                self.watch.look()
            self._solve(node)

    def _solve(self, node: int) -> None:
        offers: list[Value] = []
        end = self.ends[node]
        if end is not None:
            offers.append(end)
        for option in self.options(node):
            offers.append(option.best)
            if option.second is not None:
                offers.append(option.second)
        best, second = offers[0], None
        for offer in offers[1:]:
            order = compare(offer, best)
            if order > 0:
                best, second = offer, best
            elif order < 0 and (second is None or compare(offer, second) > 0):
                second = offer
        self.best[node], self.second[node] = best, second

    def options(self, node: int) -> Iterator[Option]:
        """The options at a node, with the outcomes of an attack combined."""
        for edges in grouped(self.turn.edges_from(node)):
            if is_attack(edges[0][0]):
                yield self._attack(edges)
            else:
                ((_, _, target),) = edges
                yield Option(self.best[target], self.second[target], edges)

    def _attack(self, edges: tuple[Edge, ...]) -> Option:
        """The expectation over the dice; the second best policy is worse in one outcome, where that costs least."""
        shares = [Fraction(chance, 36) for _, chance, _ in edges]
        values = [self.best[target] for _, _, target in edges]
        best = mean(list(zip(shares, values, strict=True)))
        second, weak = None, 0
        for k, (_, _, target) in enumerate(edges):
            short = self.second[target]
            if short is None:
                continue
            value = mean(list(zip(shares, [*values[:k], short, *values[k + 1 :]], strict=True)))
            if second is None or compare(value, second) > 0:
                second, weak = value, k
        return Option(best, second, edges, weak)

    def optimal_ends(self) -> int:
        """The number of distinct positions (IP left ignored, all fallen Empires one) in which optimal policies can end."""
        found: set[tuple[object, ...]] = set()
        seen, waiting = {0}, [0]
        while waiting:
            node = waiting.pop()
            end = self.ends[node]
            if end is not None and compare(end, self.best[node]) == 0:
                state = self.turn.state(node)
                found.add(table_of(state))
            for option in self.options(node):
                if compare(option.best, self.best[node]) == 0:
                    targets = {target for _, _, target in option.edges} - seen
                    seen |= targets
                    waiting += sorted(targets)
        return len(found)

    def plan(self, node: int = 0, *, second: bool = False) -> PlanTree:
        """A policy with the best value from a node on, or with the second best; in the form of `Solution.plan`."""
        codes: list[int] = []
        while True:
            aim = self.second[node] if second else self.best[node]
            assert aim is not None
            end = self.ends[node]
            if not second and end is not None and compare(end, aim) == 0:
                return tuple(codes), None  # rather than after what is free and changes nothing
            for option in self.options(node):
                if compare(option.best, aim) == 0:
                    second = False
                    break
                if second and option.second is not None and compare(option.second, aim) == 0:
                    break
            else:
                return tuple(codes), None  # the turn ends here
            code, _, target = option.edges[0]
            if is_attack(code):
                branches = {
                    branch_key(code): (chance, self.plan(target, second=second and k == option.weak))
                    for k, (code, chance, target) in enumerate(option.edges)
                }
                return tuple(codes), (attack_name(code) if self.whole else code >> 4 & 63, branches)
            codes.append(code)
            node = target


class Expectations:
    """The expectation of an evaluation after the phase, at each end of a turn."""

    def __init__(self, turn: Turn, rules: Kernel, weights: Weights, watch: Watch) -> None:
        self.kernel, self.weights, self.watch = rules, weights, watch
        self.search = Expectimax(turn, weights, stop=watch.stop)
        self.known: dict[tuple[object, ...], Amount] = {}

    def at(self, node: int, end: State) -> Amount:
        """The expectation at an end: doubles with a proved error, fractions on demand."""
        position = scene(end)
        if position not in self.known:
            value = self.search.end_value(node)
            assert value is not None
            low, high = nextafter(value - self.search.error, -inf), nextafter(value + self.search.error, inf)
            self.known[position] = Amount(low, high, partial(self._solve, end))
        return self.known[position]

    def _solve(self, end: State) -> Fraction:
        self.watch.look()
        return Fraction(*expect_exact(self.kernel, end, self.weights, stop=self.watch.stop))


class Ahead(Protocol):
    """A value of the phase after each end of a turn."""

    def at(self, node: int, end: State) -> Amount:
        """The value at an end, to be maximised.

        :raises Stopped: when the deadline has passed.
        """


Column: TypeAlias = (
    "int | str | Ahead"  # of a term: its index in the exact values, its figure, or its value of the phase
)


def end_values(
    turn: Turn, exact: Sequence[tuple[int, ...] | None], where: Sequence[Column], measures: Measures, watch: Watch
) -> list[Value | None]:
    """The value of ending at each node; `where` has for each term its index in `exact`, or the term itself.

    :raises Stopped: when the deadline has passed.
    """
    figures = [name for name in where if isinstance(name, str)]
    rows: list[Value | None] = []
    reported = -inf
    for node, row in enumerate(exact):
        if node % PROGRESS_EVERY == 0:
            watch.look()
        if (now := monotonic()) - reported >= REPORT_AFTER:  # best play in the phase after one end can take a second
            reported = now
            watch.report("turn ends", node, len(exact))
        if row is None:
            rows.append(None)
            continue
        state = turn.state(node)
        amounts = iter(measures.at(state, figures) if figures else ())
        parts: list[Part] = []
        for place in where:
            if isinstance(place, int):
                parts.append(row[place])
            else:
                parts.append(next(amounts) if isinstance(place, str) else place.at(node, state))
        rows.append(tuple(parts))
    return rows


def one_sided(rows: Sequence[Value | None], watch: Watch, *, low: bool) -> list[Value | None]:
    """The values with each interval replaced by its lower or upper end.

    :raises Stopped: when the deadline has passed.
    """
    found: list[Value | None] = []
    for done, row in enumerate(rows):
        if done % PROGRESS_EVERY == 0:
            watch.look()
        found.append(
            None if row is None else tuple(_side(part, low=low) if isinstance(part, Amount) else part for part in row)
        )
    return found


def _side(amount: Amount, *, low: bool) -> Amount:
    side = amount.low if low else amount.high
    return Amount(side, side, Fraction)
