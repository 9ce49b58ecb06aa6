"""Optimal turn plans by exhaustive search: the kernel visits every turn state, the reference rules replay the answer.

The search covers all policies: actions after an attack may depend on its outcome. All decisive numbers are exact, so equal
plans compare equal. The reference rules replay the answer branch by branch; if its value is not that of the search, an error
is raised.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tetrasolve.errors import ObjectiveError
from tetrasolve.exact.deadline import at_least, share
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tables import as_html
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.kernel import Solution, Turn
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.plan.amount import Part, Value
from tetrasolve.tetrarchia.plan.answer import DisagreementError, Status
from tetrasolve.tetrarchia.plan.codes import plan_of
from tetrasolve.tetrarchia.plan.graph import criteria, turn_of
from tetrasolve.tetrarchia.plan.nextturn import Budget, NextTurns
from tetrasolve.tetrarchia.plan.objective import (
    Goal,
    LeastRisk,
    MostExpected,
    NextGoal,
    Objective,
    Term,
    criterion,
    natural,
)
from tetrasolve.tetrarchia.plan.policies import (
    Column,
    Expectations,
    Measures,
    Policies,
    Watch,
    end_values,
    one_sided,
)
from tetrasolve.tetrarchia.plan.prospect import Prospects, prospect_of
from tetrasolve.tetrarchia.plan.replay import Ending, Later, expected_values, share_within, ways
from tetrasolve.tetrarchia.plan.task import Stated, require_stated, require_turn, require_words
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree  # a name of the stub only

ENGINE = "exhaustive"
A_MOMENT = 0.1  # seconds for the graph of the turn and for the values of the plan, even after the deadline
SHARE_FOR_PROOF = 0.6  # share of the time for figures; the rest is for the best plan by what is known


@dataclass(frozen=True)
class PlanResult:
    """The best turn plan found, and its status.

    `ends` are all ends of the turn under `plan`, each with its chance, the position and the IP paid; `values` the exact values of
    the objective's terms: chances in [0, 1], expected numbers, IP paid; `bounds` their best possible values, in order (None:
    not known). `optimal_ends` counts the end positions of all optimal plans (IP left ignored), `policies` all plans, None where
    the time ran out before; `runner_up` is the best plan that is worse, None if all are equally good. Attributes that an engine
    does not provide are None.

    `stated`: the stated outcomes of attacks, None where the dice decide. `status`: `optimal_proved`; `feasible`, a better plan
    may exist; `infeasible_proved`, no plan reaches the first goal with a chance above zero, or none meets the constraint for
    all dice, and the plan is the best of the rest; `unknown`, with no plan, or with one that may not meet the constraint. If
    the time ran out before the values were exact, `values` is None.
    """

    position: Position
    objective: Objective
    stated: Stated | None
    status: Status
    plan: Plan | None
    ends: tuple[Ending, ...]
    values: tuple[Fraction, ...] | None
    bounds: tuple[Fraction | None, ...] | None
    nodes: int
    seconds: float
    engine: str
    version: str
    seed: int | None = None
    edges: int | None = None
    policies: int | None = None
    optimal_ends: int | None = None
    runner_up: Plan | None = None
    runner_up_values: tuple[Fraction, ...] | None = None

    @property
    def named_values(self) -> tuple[tuple[Term, Fraction], ...]:
        """The terms of the objective with their values; none without a plan."""
        return tuple(zip(self.objective.terms, self.values, strict=True)) if self.values is not None else ()

    @property
    def others_as_good(self) -> int | None:
        """The number of other end positions that are as good as those of the plan (IP left ignored)."""
        if self.optimal_ends is None:
            return None
        own = {end if isinstance(end, Fall) else end.replace(ip=0) for _, end, _ in self.ends}
        return self.optimal_ends - len(own)

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.plan.text import result_lines

        return "\n".join(result_lines(self))

    def _repr_svg_(self) -> str:
        from tetrasolve.tetrarchia.plan.text import result_svg

        return result_svg(self)

    def _repr_html_(self) -> str:
        return as_html(str(self), self._repr_svg_())


def exhaustive(
    position: Position, objective: Objective, stated: Stated | None = None, watch: Watch | None = None
) -> PlanResult:
    """An optimal plan for the rest of the active Emperor's turn, among all policies.

    :raises IllegalPositionError: when the position cannot occur, or there is no decision left in it.
    :raises ObjectiveError: when a term is about a phase that the search does not look through.
    """
    require_turn(position)
    require_words(position, objective)
    require_stated(position, stated or ())
    require_phase(position, objective)
    return _Search(position, objective, stated, watch or Watch()).result()


def require_phase(position: Position, objective: Objective) -> None:
    """Refuse figures of phases with choices for which no best play is known."""
    choices = sorted(WITH_CHOICES & position.ruleset.extensions)
    for term in objective.terms:
        known = criterion(term, position) is not None or prospect_of(term, position) is not None
        if isinstance(term, LeastRisk) and choices and not known:
            raise ObjectiveError(
                f"'{term}': with {' and '.join(choices)} players decide in the phase after the turn, and best play is known for "
                "p_lost, p_uprising and e_revolts; expected one of these"
            )


def places(position: Position, objective: Objective, turn: Turn, watch: Watch) -> list[Column]:
    """For each part of a value its index among the exact ones, or the term itself; the constraint comes first."""
    where: list[Column] = [0] if objective.constraint else []
    budget = Budget()
    for term in objective.terms:
        prospect = prospect_of(term, position)
        match term:
            case _ if prospect is not None:
                where.append(Prospects(position, prospect, watch))
            case MostExpected():
                weights = term.evaluation.tables(position.board)
                where.append(Expectations(turn, fast.kernel_of(position), weights, watch))
            case NextGoal():
                where.append(NextTurns(position, term, watch, budget))
            case LeastRisk() if criterion(term, position) is None:
                where.append(term.figure)
            case _:
                where.append(sum(isinstance(place, int) for place in where))
    return where


def as_fraction(part: Part, term: Term | None, uprising_parts: int) -> Fraction:
    """A part of a value of `Policies` as a fraction; `uprising_parts` are those of the solution it was made from."""
    if isinstance(part, (int, Fraction)):
        return Fraction(part) / (uprising_parts if str(term) == "least p_uprising" else 1)
    return part.exact()


@dataclass(frozen=True, slots=True)
class _CarriedOut:
    """A plan with its ends by the reference rules: the chance that they meet the constraint, and their values."""

    plan: Plan
    ends: tuple[Ending, ...]
    kept: Fraction
    values: tuple[Fraction, ...] | None  # None: the time ran out


class _Search:
    """One turn as a graph, and its optimum."""

    def __init__(self, position: Position, objective: Objective, stated: Stated | None, watch: Watch) -> None:
        self.started = time.perf_counter()
        self.position, self.objective, self.stated, self.watch = position, objective, stated, watch
        self.kernel = fast.kernel_of(position)
        self._turn: Turn | None = None
        self._moment: Stop | None = None
        self._later: Later | None = None
        self.uprising_parts = 1  # in the integers of a graph with figures

    @property
    def turn(self) -> Turn:
        """The graph of the turn."""
        assert self._turn is not None
        return self._turn

    def result(self) -> PlanResult:
        """The best plan, or the best answer within the time."""
        stop = at_least(A_MOMENT, self.watch.stop, self.watch.cancel)  # without the graph there is no plan
        try:
            self._turn = turn_of(self.position, self.stated, stop)
            solution = self.turn.solve(criteria(self.objective, self.position) or [("ip",)], stop=stop)
        except Stopped:
            return self._result(Status.UNKNOWN, None, None)
        try:
            if all(criterion(term, self.position) for term in self.objective.terms):
                return self._proved(solution)
            return self._figures(solution)
        except Stopped:  # the best plan by the terms of the end of the turn
            found = self._carried_out(solution.plan())
            return self._result(Status.FEASIBLE if found.kept == 1 else Status.UNKNOWN, found, self._bounds(solution))

    def _bounds(self, solution: Solution) -> tuple[Fraction | None, ...]:
        """The best values of the first terms, up to the first that is about the coming phase."""
        values = [Fraction(top, bottom) for top, bottom in solution.values][1 if self.objective.constraint else 0 :]
        bounds: list[Fraction | None] = []
        for term in self.objective.terms:
            if criterion(term, self.position) is None:
                bounds.append(Fraction(0) if isinstance(term, LeastRisk) else None)  # no figure is below 0
                break
            bounds.append(natural(term, values[len(bounds)]))
        return (*bounds, *[None] * (len(self.objective.terms) - len(bounds)))

    def _proved(self, best: Solution | Policies) -> PlanResult:
        """The answer of a complete search."""
        if isinstance(best, Policies):
            second = best.plan(second=True) if best.second[0] is not None else None
            optimal_ends = best.optimal_ends()
        else:
            second, optimal_ends = best.runner_up_plan(), best.count_optimal_ends(stop=self.watch.stop)
        plan = self._carried_out(best.plan())
        self._hold(plan, self._claimed(best, second=False))
        runner_up = None if second is None else self._carried_out(second)
        if runner_up is not None:
            self._hold(runner_up, self._claimed(best, second=True))
        return self._result(
            Status.INFEASIBLE_PROVED if self._is_hopeless(plan) else Status.OPTIMAL_PROVED,
            plan,
            plan.values,
            optimal_ends=optimal_ends,
            runner_up=None if runner_up is None else runner_up.plan,
            runner_up_values=None if runner_up is None else runner_up.values,
        )

    # -- terms about the coming phase --------------------------------------------------------------------------

    def _figures(self, solution: Solution) -> PlanResult:
        """The best policies where some terms are figures of the phase that follows."""
        stop = self.watch.stop
        self.watch = replace(self.watch, stop=share(stop, SHARE_FOR_PROOF))
        measures = Measures(self.kernel, self.watch)
        exact = solution.end_values(stop=stop)
        self.uprising_parts = solution.uprising_parts
        where = places(self.position, self.objective, self.turn, self.watch)
        try:
            return self._proved(self._policies(end_values(self.turn, exact, where, measures, self.watch)))
        except Stopped:
            self.watch = Watch(stop, cancel=self.watch.cancel)
            measures.closed = True
            for place in where:
                if isinstance(place, Prospects):
                    place.closed = True
            rows = end_values(self.turn, exact, where, measures, self.watch)
            return self._feasible(rows, where)

    def _policies(self, ends: list[Value | None]) -> Policies:
        return Policies(self.turn, ends, self.watch, whole=bool(self.position.rules_in_use))

    def _feasible(self, rows: list[tuple[Any, ...] | None], where: list[Column]) -> PlanResult:
        """The best plan by lower bounds, and a bound by upper bounds, up to the first figure."""
        cautious = self._policies(one_sided(rows, self.watch, low=True))
        hopeful = self._policies(one_sided(rows, self.watch, low=False))
        plan = self._carried_out(cautious.plan())
        skip = 1 if self.objective.constraint else 0
        first = next(i for i, place in enumerate(where) if not isinstance(place, int))
        bounds = tuple(
            natural(term, as_fraction(hopeful.best[0][skip + i], term, self.uprising_parts))
            if skip + i <= first
            else None
            for i, term in enumerate(self.objective.terms)
        )
        return self._result(Status.FEASIBLE if plan.kept == 1 else Status.UNKNOWN, plan, bounds)

    # -- the reference rules as the second method ----------------------------------------------------------------

    def _carried_out(self, tree: PlanTree) -> _CarriedOut:
        """A plan of the kernel, replayed by the reference rules."""
        plan = plan_of(
            tree,
            self.position.board,
            stated=self.stated is not None,
            named_by_code=bool(self.position.rules_in_use),
        )
        ends = tuple(ways(self.position, plan, self.stated))
        kept = share_within(ends, self.objective.constraint)
        values = None
        with suppress(Stopped):
            moment = self._last_moment()
            if self._later is None or self._later.watch.stop is not moment:
                self._later = Later(moment)
            values = expected_values(ends, self.objective, moment, self._later)
        return _CarriedOut(plan, ends, kept, values)

    def _last_moment(self) -> Stop | None:
        """The flag for the parts of an answer that are computed even after the deadline, for `A_MOMENT` in total at most."""
        if self._moment is None or self._moment is self.watch.stop:
            self._moment = at_least(A_MOMENT, self.watch.stop, self.watch.cancel)
        return self._moment

    def _hold(self, found: _CarriedOut, claimed: list[Fraction]) -> None:
        """Compare the values of a plan by the search with those by the reference rules."""
        if found.values is None:
            raise Stopped("deadline")
        replayed = [*([found.kept] if self.objective.constraint else []), *found.values]
        if replayed != claimed:
            raise DisagreementError(
                f"plan '{found.plan}' of position '{self.position}' for '{self.objective}': the search says "
                f"{', '.join(map(str, claimed))}, the reference rules {', '.join(map(str, replayed))}; "
                "please report this"
            )

    def _claimed(self, best: Solution | Policies, *, second: bool) -> list[Fraction]:
        """The displayed values of a plan by the search, the constraint first."""
        terms: list[Term | None] = [None] if self.objective.constraint else []
        terms += self.objective.terms
        if isinstance(best, Policies):
            row = best.second[0] if second else best.best[0]
            assert row is not None
            parts = [as_fraction(part, term, self.uprising_parts) for part, term in zip(row, terms, strict=True)]
        else:
            pairs = best.runner_up if second else best.values
            assert pairs is not None
            parts = [Fraction(top, bottom) for top, bottom in pairs]
        return [part if term is None else natural(term, part) for term, part in zip(terms, parts, strict=True)]

    def _is_hopeless(self, best: _CarriedOut) -> bool:
        """Whether even the best plan fails: its first goal for certain, or the constraint for some dice."""
        assert best.values is not None  # compared with the search
        return best.kept < 1 or (isinstance(self.objective.terms[0], Goal) and best.values[0] == 0)

    def _result(
        self, status: Status, found: _CarriedOut | None, bounds: tuple[Fraction | None, ...] | None, **more: Any
    ) -> PlanResult:
        policies = None
        if self._turn is not None:
            with suppress(Stopped):
                policies = self._turn.count_policies(stop=self._last_moment())
        return PlanResult(
            position=self.position,
            objective=self.objective,
            stated=self.stated,
            status=status,
            plan=None if found is None else found.plan,
            ends=() if found is None else found.ends,
            values=None if found is None else found.values,
            bounds=bounds,
            nodes=0 if self._turn is None else self._turn.nodes,
            edges=None if self._turn is None else self._turn.edges,
            policies=policies,
            seconds=time.perf_counter() - self.started,
            engine=ENGINE,
            version=version(),
            **more,
        )
