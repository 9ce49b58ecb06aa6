"""The layered model solved by CP-SAT of OR-Tools.

One worker and a seed make answers reproducible on any machine; the linear relaxation of the flow
(`linearization_level=2`) proves optima.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.metadata import version

from ortools.sat.python import cp_model

from tetrasolve.exact.deadline import check, interruptible, left, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.plan.answer import Answer
from tetrasolve.tetrarchia.plan.model.formula import TRUE, Formula, Lit, Sum
from tetrasolve.tetrarchia.plan.model.solving import Found, Progress, solve
from tetrasolve.tetrarchia.plan.task import Task

WIDEST = 2**50  # its bounds are doubles, which represent integers of this size exactly
PATIENCE = 0.1  # seconds; its presolve looks at the time now and then only
LEAST_SECONDS = 0.01  # CP-SAT takes no time limit of 0


def solve_cpsat(
    task: Task,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Answer:
    """The best plan of a deterministic task by CP-SAT.

    `seconds` is a limit of wall time (None: none), including the time to write the model; `cancel` ends it earlier.
    `progress` gets the model's values of each better plan and the current bound.
    `Answer.nodes` are branches of its search.

    :raises DisagreementError: when the reference rules refuse the plan or give it other values.
    """
    return solve(
        task, lambda formula: CpSat(formula, seed), CpSat, stop_of(seconds, cancel), seed=seed, progress=progress
    )


class CpSat:
    """CP-SAT with a formula loaded."""

    name = "cpsat"
    version = f"ortools {version('ortools')}"
    widest = WIDEST

    def __init__(self, formula: Formula, seed: int = 0) -> None:
        self.nodes = 0
        self.seed = seed
        self.model, self.variables = load(formula)

    def maximise(self, goal: Sum, stop: Stop | None, report: Callable[[frozenset[Lit], int | None], None]) -> Found:
        """The greatest value of a sum."""
        self.model.maximize(self._linear(goal))
        solver, listener = _solver(self.seed, left(stop)), _Listener(self.variables, report)
        try:
            status = interruptible(
                lambda: solver.solve(self.model, listener), solver.stop_search, stop, patience=PATIENCE
            )
        except Stopped:
            return Found(*listener.last, closed=False)
        self.nodes += solver.num_branches
        if status == cp_model.INFEASIBLE:
            return Found(None, None, closed=True)
        assert status in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.UNKNOWN), solver.status_name(status)
        if status == cp_model.UNKNOWN:
            return Found(None, None, closed=False)  # its bound may not be set
        bound = min(round(solver.best_objective_bound), goal.high)
        true = frozenset(lit for lit in range(1, len(self.variables)) if solver.boolean_value(self.variables[lit]))
        self.model.clear_hints()  # type: ignore[no-untyped-call]  # their omission
        for lit, variable in enumerate(self.variables):
            self.model.add_hint(variable, lit in true)
        return Found(true, bound, closed=status == cp_model.OPTIMAL)

    def demand(self, goal: Sum, least: int) -> None:
        """Add the constraint that a sum is at least this number."""
        self.model.add(self._linear(goal) >= least)

    def _linear(self, goal: Sum) -> cp_model.LinearExprT:
        variables = [self.variables[lit] for _, lit in goal.terms]
        return cp_model.LinearExpr.weighted_sum(variables, [weight for weight, _ in goal.terms]) + goal.constant


def _solver(seed: int, seconds: float | None) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.linearization_level = 2
    solver.parameters.cp_model_probing_level = 0  # probing takes two seconds without benefit
    solver.parameters.random_seed = seed
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is for Python
    if seconds is not None:
        solver.parameters.max_time_in_seconds = max(seconds, LEAST_SECONDS)
    return solver


class _Listener(cp_model.CpSolverSolutionCallback):
    """Reports every solution that is found."""

    def __init__(self, variables: list[cp_model.IntVar], report: Callable[[frozenset[Lit], int | None], None]) -> None:
        super().__init__()
        self.variables = variables
        self.report = report
        self.last: tuple[frozenset[Lit] | None, int | None] = (None, None)

    def on_solution_callback(self) -> None:
        """Called by CP-SAT."""
        true = frozenset(lit for lit in range(1, len(self.variables)) if self.boolean_value(self.variables[lit]))
        self.last = true, round(self.best_objective_bound)
        self.report(*self.last)


# -- the formula in CP-SAT's terms -----------------------------------------------------------------------------


def load(formula: Formula) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    """The formula as a model, with its variables by number.

    :raises Stopped: when the flag of the formula is set.
    """
    model = cp_model.CpModel()
    variables = [model.new_bool_var(name) for name in formula.names]

    def literals(lits: Iterable[Lit]) -> list[cp_model.LiteralT]:
        check(formula.stop)
        return [variables[lit] if lit > 0 else variables[-lit].negated() for lit in lits]

    model.add_bool_and([variables[TRUE], variables[0].negated()])  # there is no variable 0
    for clause in formula.clauses:
        model.add_bool_or(literals(clause))
    for lits in formula.exactly_ones:
        model.add_exactly_one(literals(lits))
    for most, lits in formula.at_mosts:
        model.add(sum(literals(lits)) <= most)
    return model, variables


def count_solutions(formula: Formula) -> int:
    """How many assignments satisfy a formula, found one by one."""
    model, _ = load(formula)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1  # enumeration requires one worker
    solver.parameters.enumerate_all_solutions = True
    counter = _Counter()
    status = solver.solve(model, counter)
    assert status in (cp_model.OPTIMAL, cp_model.INFEASIBLE), solver.status_name(status)
    return counter.found


class _Counter(cp_model.CpSolverSolutionCallback):
    """Counts solutions."""

    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def on_solution_callback(self) -> None:
        """Called by CP-SAT."""
        self.found += 1
