"""The plans of a turn with dice as a model for CP-SAT: is there one that is as good as the answer and ends in another way?

A plan sends a flow through the graph of the turn: all of it comes in at the first state, he chooses where it goes on, and
dice divide it among the branches of an attack. What arrives at an end is the chance of that end, times a number that makes all
of them whole. Each plan is such a flow. So where there is none that reaches the value of the answer and arrives elsewhere, no
plan is as good or better. A flow may be a mixture of plans; where all plans as good have the ends of the answer, a mixture of
them has, too.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TypeAlias

from ortools.sat.python import cp_model

from tetrasolve.puzzles import Branch

Values: TypeAlias = tuple[Fraction, ...]  # of the terms in which another answer must be worse, all to be maximised
WIDEST = 2**60  # of a sum; CP-SAT counts in 64 bits
FINEST = 10**6  # parts of a term with large denominators


class TooWideError(Exception):
    """The chances of this turn have too large a denominator for the model."""


class Policies:
    """A turn: `order` has its nodes, each after those that it leads to, the last of them the first state."""

    def __init__(
        self,
        order: Sequence[int],
        ends: Mapping[int, tuple[Hashable, Values]],
        options: Callable[[int], Sequence[Sequence[Branch]]],
    ) -> None:
        self.order, self.ends = order, ends
        self.ways = {node: options(node) for node in order}
        self.scale = self._scale()

    def _scale(self) -> int:
        """A flow into the first state that each plan divides into whole numbers."""
        needed: dict[int, int] = {}
        for node in self.order:
            needed[node] = lcm(
                1,
                *(needed[branch.node] * branch.chance.denominator for way in self.ways[node] for branch in way),
            )
        return needed[self.order[-1]]

    def _flow(self) -> tuple[cp_model.CpModel, dict[int, cp_model.IntVar]]:
        """A flow, and what of it stays at each end."""
        model = cp_model.CpModel()
        into: dict[int, list[tuple[int, cp_model.IntVar]]] = {node: [] for node in self.order}
        stays: dict[int, cp_model.IntVar] = {}
        if self.scale > WIDEST:
            raise TooWideError
        for node in reversed(self.order):
            out: list[tuple[int, cp_model.IntVar]] = []
            for number, way in enumerate(self.ways[node]):
                whole = lcm(*(branch.chance.denominator for branch in way))
                flow = model.new_int_var(0, self.scale // whole, f"{node}/{number}")
                out.append((whole, flow))
                for branch in way:
                    into[branch.node].append((int(branch.chance * whole), flow))
            if node in self.ends:
                stays[node] = model.new_int_var(0, self.scale, f"{node}")
                out.append((1, stays[node]))
            first = self.scale if node == self.order[-1] else 0
            model.add(_sum(out) == _sum(into[node]) + first)
        return model, stays

    def most(self, seconds: float) -> Fraction | None:
        """The greatest value of the first term; None where it is not proved in time.

        :raises TooWideError: when the numbers do not fit.
        """
        model, stays = self._flow()
        rows = {node: self.ends[node][1][0] for node in stays}
        unit = lcm(*(row.denominator for row in rows.values()))
        if unit * self.scale * max(1, *map(abs, rows.values())) > WIDEST:
            raise TooWideError
        goal = _sum([(int(row * unit), stays[node]) for node, row in rows.items()])
        model.maximize(goal)
        solver = _solver(seconds)
        if solver.solve(model) != cp_model.OPTIMAL:
            return None
        return Fraction(solver.value(goal), self.scale * unit)

    def other(self, values: Values, chances: Mapping[Hashable, Fraction], seconds: float) -> str:
        """Whether a flow is as good as `values` and has other ends than `chances`: CP-SAT's status, ``INFEASIBLE`` if not.

        :raises TooWideError: when the numbers do not fit.
        """
        model, stays = self._flow()
        self._as_good(model, stays, values)
        arrives: dict[Hashable, list[tuple[int, cp_model.IntVar]]] = {}
        for node, flow in stays.items():
            arrives.setdefault(self.ends[node][0], []).append((1, flow))
        more = []
        elsewhere = [flow for table, flows in arrives.items() if table not in chances for flow in flows]
        for table, chance in chances.items():
            more.append(model.new_bool_var(str(len(more))))
            least = chance * self.scale + 1
            model.add(_sum(arrives[table]) >= int(least)).only_enforce_if(more[-1])
        if elsewhere:
            more.append(model.new_bool_var("elsewhere"))
            model.add(_sum(elsewhere) >= 1).only_enforce_if(more[-1])
        model.add_bool_or(more)
        solver = _solver(seconds)
        return str(solver.status_name(solver.solve(model)))

    def _as_good(self, model: cp_model.CpModel, stays: Mapping[int, cp_model.IntVar], values: Values) -> None:
        """The flow is worth at least `values`, the first term weighing most."""
        rows = {node: self.ends[node][1] for node in stays}
        packed: dict[int, int] = dict.fromkeys(stays, 0)
        least, span = 0, 1
        for term in reversed(range(len(values))):
            low = min(row[term] for row in rows.values())
            unit = lcm(values[term].denominator, *(row[term].denominator for row in rows.values()))
            unit = min(
                unit, FINEST
            )  # ends are worth a little more then, and the answer a little less: no plan gets lost
            parts = {node: ceil((row[term] - low) * unit) for node, row in rows.items()}
            packed = {node: packed[node] + span * part for node, part in parts.items()}
            least += span * floor((values[term] - low) * unit * self.scale)
            span *= max(parts.values()) * self.scale + 1
        divisor = gcd(*packed.values()) or 1
        if max(packed.values()) // divisor * self.scale > WIDEST:
            raise TooWideError
        model.add(_sum([(worth // divisor, stays[node]) for node, worth in packed.items()]) >= -(-least // divisor))


def _sum(parts: Sequence[tuple[int, cp_model.IntVar]]) -> cp_model.LinearExprT:
    return cp_model.LinearExpr.weighted_sum([flow for _, flow in parts], [weight for weight, _ in parts])


def _solver(seconds: float) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.cp_model_probing_level = 0
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is for Python
    solver.parameters.max_time_in_seconds = seconds
    return solver
