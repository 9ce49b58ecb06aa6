"""The layered model solved by Z3: a lower bound on the sum is raised step by step until it is unsatisfiable.

`SolverFor("QF_FD")` is Z3's solver for finite domains; this is the fastest way to maximise with it here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import z3

from tetrasolve.exact.deadline import check, interruptible, is_over, stop_of
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.plan.answer import Answer
from tetrasolve.tetrarchia.plan.model.formula import TRUE, Formula, Lit, Sum
from tetrasolve.tetrarchia.plan.model.solving import Found, Progress, solve
from tetrasolve.tetrarchia.plan.task import Task


def solve_z3(
    task: Task,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Answer:
    """The best plan of a deterministic task by Z3.

    `seconds` is a limit of wall time (None: none), including the time to write the model; `cancel` ends it earlier.
    `progress` gets the model's values of each better plan and the current bound.
    `Answer.nodes` are decisions of its search.

    :raises DisagreementError: when the reference rules refuse the plan or give it other values.
    """
    stop = Stop(parent=stop_of(seconds, cancel))

    def work() -> Answer:
        return solve(task, lambda formula: Z3(formula, seed), Z3, stop, seed=seed, progress=progress, sparing=True)

    # All of it by another thread: Ctrl-C in the middle of a call of ctypes would become an error of its own
    return interruptible(work, stop.set, None)


class Z3:
    """Z3 with a formula loaded."""

    name = "z3"
    version = f"z3 {z3.get_version_string()}"
    widest = 1  # one term at a time: small weights make short encodings

    def __init__(self, formula: Formula, seed: int = 0) -> None:
        self.nodes = 0
        self.solver, self.variables = load(formula)
        self.solver.set("random_seed", seed)

    def maximise(self, goal: Sum, stop: Stop | None, report: Callable[[frozenset[Lit], int | None], None]) -> Found:
        """The greatest value of a sum."""
        best: frozenset[Lit] | None = None
        wanted = goal.low
        while wanted <= goal.high:
            answer = self._check(_at_least(self.variables, goal, wanted), stop)
            if answer == z3.unknown:
                return Found(best, goal.high, closed=False)
            if answer == z3.unsat:
                break
            model = self._model
            best = frozenset(
                lit
                for lit in range(1, len(self.variables))
                if z3.is_true(model.eval(self.variables[lit], model_completion=True))
            )
            value = goal.value(best.__contains__)
            report(best, goal.high)
            wanted = value + 1
        return Found(best, None if best is None else wanted - 1, closed=True)

    def demand(self, goal: Sum, least: int) -> None:
        """Add the constraint that a sum is at least this number."""
        self.solver.add(_at_least(self.variables, goal, least))

    def _check(self, sentence: z3.BoolRef, stop: Stop | None) -> z3.CheckSatResult:
        """Whether an additional constraint is satisfiable; it is not added permanently."""
        if is_over(stop):
            return z3.unknown
        self.solver.push()
        self.solver.add(sentence)
        try:
            answer = interruptible(self.solver.check, self.solver.ctx.interrupt, stop)
        except z3.Z3Exception:  # interrupted before the search itself had begun
            if not is_over(stop):
                raise
            return z3.unknown
        statistics = self.solver.statistics()
        self.nodes += next((int(number) for name, number in statistics if name.endswith("decisions")), 0)
        if answer == z3.sat:
            self._model = self.solver.model()
        self.solver.pop()
        return answer


def _at_least(variables: list[z3.BoolRef], goal: Sum, least: int) -> z3.BoolRef:
    """The constraint that a sum is at least this number, with positive weights only."""
    least -= goal.constant
    parts: list[tuple[z3.BoolRef, int]] = []
    for weight, lit in goal.terms:
        if weight > 0:
            parts.append((variables[lit], weight))
        else:  # -w x = w (not x) - w
            parts.append((z3.Not(variables[lit]), -weight))
            least -= weight
    if least <= 0 or not parts:
        return z3.BoolVal(least <= 0, variables[TRUE].ctx)
    return z3.PbGe(parts, least)


# -- the formula in Z3's terms ---------------------------------------------------------------------------------


def load(formula: Formula) -> tuple[z3.Solver, list[z3.BoolRef]]:
    """The formula in a solver, with its variables by number; in a context of its own, since no two threads may share one.

    :raises Stopped: when the flag of the formula is set.
    """
    context = z3.Context()
    variables = [z3.Bool(f"v{number}", context) for number in range(len(formula.names))]

    def literals(lits: Iterable[Lit]) -> list[z3.BoolRef]:
        check(formula.stop)
        return [variables[lit] if lit > 0 else z3.Not(variables[-lit]) for lit in lits]

    solver = z3.SolverFor("QF_FD", ctx=context)
    solver.set("ctrl_c", False)  # Ctrl-C is for Python
    solver.add(variables[TRUE], z3.Not(variables[0]))  # there is no variable 0
    for clause in formula.clauses:
        solver.add(z3.Or(literals(clause), context))
    for lits in formula.exactly_ones:
        solver.add(z3.PbEq([(lit, 1) for lit in literals(lits)], 1))
    for most, lits in formula.at_mosts:
        solver.add(z3.AtMost(*literals(lits), most))
    return solver, variables


def count_solutions(formula: Formula, deciding: Iterable[Lit]) -> int:
    """The number of assignments that satisfy a formula, up to the `deciding` variables; each is excluded once found."""
    solver, variables = load(formula)
    deciding = list(deciding)
    found = 0
    while solver.check() == z3.sat:
        found += 1
        model = solver.model()
        solver.add(
            z3.Or([variables[lit] != model.eval(variables[lit], model_completion=True) for lit in deciding], solver.ctx)
        )
    return found
