"""The engines that solve a model of the turn, by name; each library is imported when it is first used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction

from tetrasolve.errors import MissingExtraError
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.kernel import ATTACK
from tetrasolve.tetrarchia.plan.answer import Answer
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.plan.replay import expected_values, ways
from tetrasolve.tetrarchia.plan.task import Task
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position

LOOKED_EVERY = 64  # nodes
CPSAT = "cpsat"
Z3 = "z3"
SOLVERS = (CPSAT, Z3)
EXTRA_OF = {"numpy": "campaign", "ortools": "solvers", "z3": "solvers"}  # the extra that installs a library


def solve(
    engine: str, task: Task, *, seconds: float | None = None, cancel: Stop | None = None, seed: int = 0
) -> Answer:
    """What an engine of `SOLVERS` says about a task, within so many seconds (None: as long as it takes), or until `cancel` is set.

    :raises MissingExtraError: when its library is not installed.
    :raises DisagreementError: when the reference rules refuse its plan or find other values.
    """
    with libraries():
        if engine == CPSAT:
            from tetrasolve.tetrarchia.plan.model.cpsat import solve_cpsat

            return solve_cpsat(task, seconds=seconds, cancel=cancel, seed=seed)
        from tetrasolve.tetrarchia.plan.model.z3model import solve_z3

        return solve_z3(task, seconds=seconds, cancel=cancel, seed=seed)


@contextmanager
def libraries() -> Iterator[None]:
    """A context for the import of an engine's library; a missing one is reported with the extra that installs it.

    :raises MissingExtraError: when one is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in EXTRA_OF:
            raise
        raise MissingExtraError(missing, EXTRA_OF[missing]) from error


def could_attack(position: Position, stop: Stop | None = None) -> bool:
    """Whether some way through the rest of this turn leads to an attack.

    With modules, variants or rebels the answer is whether there are armies or Pirates at all.

    :raises Stopped: when `stop` is set before it is known.
    """
    if position.rules_in_use:
        pirates = position.pieces.pirates
        return bool(position.armies) or (pirates is not None and pirates.zone is not None)
    turn = turn_of(position, stop=stop)
    for node in range(turn.nodes):
        if node % LOOKED_EVERY == 0:
            check(stop)
        if any(code & 15 == ATTACK for code, _, _ in turn.edges_from(node)):
            return True
    return False


def from_answer(task: Task, answer: Answer) -> PlanResult:
    """The answer of a solver as a `PlanResult`."""
    steps = None if answer.steps is None else Plan(answer.steps)
    ends = () if steps is None else tuple(ways(task.position, steps, task.stated))
    bounds = None
    if answer.bound is not None:
        bounds = tuple(
            natural(term, Fraction(bound)) for term, bound in zip(task.objective.terms, answer.bound, strict=True)
        )
    return PlanResult(
        position=task.position,
        objective=task.objective,
        stated=task.stated,
        status=answer.status,
        plan=steps,
        ends=ends,
        values=expected_values(ends, task.objective) if ends else None,
        bounds=bounds,
        nodes=answer.nodes,
        seconds=answer.seconds,
        engine=answer.engine,
        version=answer.version,
        seed=answer.seed,
    )
