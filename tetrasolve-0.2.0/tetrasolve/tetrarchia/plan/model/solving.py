"""Solves a task with the model: an engine maximises, and the reference rules verify the answer.

An engine maximises one sum at a time. Lexicographic terms are packed into one sum if the engine supports its range: each term
is weighted by the ranges of all later ones, so the maximum of the sum is the best row of values, and a bound on the sum is a
bound on the row. Terms that do not fit are maximised next, with the values reached so far as constraints.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from tetrasolve.errors import IllegalActionError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.plan.answer import Answer, DisagreementError, Status
from tetrasolve.tetrarchia.plan.model.formula import Formula, Lit, Sum
from tetrasolve.tetrarchia.plan.model.goals import exclude, impose, sums
from tetrasolve.tetrarchia.plan.model.turn import TurnModel
from tetrasolve.tetrarchia.plan.objective import Goal, LeastIp, Value
from tetrasolve.tetrarchia.plan.replay import carry_out, is_within, value_at
from tetrasolve.tetrarchia.plan.task import Task

Values: TypeAlias = tuple[int, ...]
Progress: TypeAlias = Callable[[Values | None, Values | None], None]


@dataclass(frozen=True, slots=True)
class Found:
    """The result of a maximisation.

    `true` are the true variables of the best solution found (None: none was found), `bound` is an upper bound (None: no
    bound), `closed` whether the solution is proved best or, without one, that there is none.
    """

    true: frozenset[Lit] | None
    bound: int | None
    closed: bool


class Engine(Protocol):
    """A solver with a formula loaded."""

    name: str
    version: str
    widest: int  # the largest range of a sum that it supports

    @property
    def nodes(self) -> int:
        """The engine's measure of its work so far."""
        ...

    def maximise(self, goal: Sum, stop: Stop | None, report: Callable[[frozenset[Lit], int | None], None]) -> Found:
        """The greatest value of a sum, or what was found before `stop` was set.

        `report` gets every solution that is found with the current bound.
        """
        ...

    def demand(self, goal: Sum, least: int) -> None:
        """From now on a sum must be at least so much."""
        ...


@dataclass(frozen=True)
class Stage:
    """Terms packed into one sum, the first of them weighing most."""

    terms: tuple[Sum, ...]

    @property
    def sum(self) -> Sum:
        """The packed sum: each term from 0 to its range, times the space of all after it."""
        packed = Sum(())
        for term in self.terms:
            packed = packed.scaled(_space(term)) + term + Sum((), -term.low)
        return packed

    @property
    def space(self) -> int:
        """The number of rows of values."""
        rows = 1
        for term in self.terms:
            rows *= _space(term)
        return rows

    def unpacked(self, value: int) -> Values:
        """The row of values of a packed sum; a sum beyond the range gives the row of all maxima."""
        value = min(value, self.space - 1)
        row: list[int] = []
        for term in reversed(self.terms):
            value, digit = divmod(value, _space(term))
            row.insert(0, digit + term.low)
        return tuple(row)


def _space(term: Sum) -> int:
    return term.high - term.low + 1


def stages(terms: Sequence[Sum], widest: int) -> list[Stage]:
    """The terms in as few stages as an engine allows, at least one term each."""
    made = [Stage((terms[0],))]
    for term in terms[1:]:
        joined = Stage((*made[-1].terms, term))
        made[-1:] = [joined] if joined.space <= widest else [made[-1], Stage((term,))]
    return made


def solve(
    task: Task,
    engine_for: Callable[[Formula], Engine],
    kind: type[Engine],
    stop: Stop | None,
    *,
    seed: int,
    progress: Progress | None,
    sparing: bool = False,
) -> Answer:
    """The answer of an engine, verified by the reference rules.

    `sparing` leaves out turns that are no better than others, see `TurnModel.waste_no_sails`. Where the task leaves out an
    end, these others may be missing: then all turns stay in.

    Once `stop` is set it is the best that was found until then; while the model is still being written, nothing.

    :raises DisagreementError: when the reference rules refuse a step or give other values.
    """
    started = time.perf_counter()
    try:
        return _solved(task, engine_for, stop, seed=seed, progress=progress, sparing=sparing)
    except Stopped:
        took = time.perf_counter() - started
        return Answer(kind.name, Status.UNKNOWN, None, None, _ceiling(task), took, 0, kind.version, seed)


def _ceiling(task: Task) -> Values | None:
    """What no end of any turn is worth more than; None where a term is none of a model."""
    found: list[int] = []
    for term in task.objective.terms:
        match term:
            case Goal():
                found.append(1)
            case LeastIp():
                found.append(0)
            case Value():
                found.append(term.ceiling(task.position.board))
            case _:
                return None
    return tuple(found)


def _solved(
    task: Task,
    engine_for: Callable[[Formula], Engine],
    stop: Stop | None,
    *,
    seed: int,
    progress: Progress | None,
    sparing: bool,
) -> Answer:
    started = time.perf_counter()
    formula = Formula(stop)
    turn = TurnModel.of(formula, task.position, {army: (outcome,) for army, outcome in task.stated})
    terms = sums(turn, task.objective)
    impose(turn, task.objective.constraint)
    if task.other_than is not None:
        exclude(turn, task.other_than)
    elif sparing:
        turn.waste_no_sails()
    engine = engine_for(formula)
    best: frozenset[Lit] | None = None
    bound: Values = ()
    ceiling = tuple(term.high for term in terms)
    closed = True

    def report(true: frozenset[Lit], limit: int | None) -> None:
        if progress is not None:
            shown = bound + (stage.unpacked(limit) if limit is not None else ())
            progress(_values(terms, true), shown + ceiling[len(shown) :])

    for stage in stages(terms, engine.widest):
        packed = stage.sum
        found = engine.maximise(packed, stop, report)
        best = found.true if found.true is not None else best
        closed = found.closed
        if found.bound is not None:
            bound += stage.unpacked(found.bound)
        if found.true is None or not closed:
            break
        engine.demand(packed, packed.value(found.true.__contains__))
    steps = None if best is None else turn.actions(best)
    values = None if best is None else _values(terms, best)
    if steps is not None and values is not None:
        check(task, steps, values, engine.name)
    return Answer(
        engine=engine.name,
        status=_status(task, values, closed),
        steps=steps,
        values=values,
        bound=None if values is None and closed else bound + ceiling[len(bound) :],
        seconds=time.perf_counter() - started,
        nodes=engine.nodes,
        version=engine.version,
        seed=seed,
    )


def _values(terms: Sequence[Sum], true: frozenset[Lit]) -> Values:
    return tuple(term.value(true.__contains__) for term in terms)


def _status(task: Task, values: Values | None, closed: bool) -> Status:
    if not closed:
        return Status.UNKNOWN if values is None else Status.FEASIBLE
    if values is None or (isinstance(task.objective.terms[0], Goal) and values[0] == 0):
        return Status.INFEASIBLE_PROVED
    return Status.OPTIMAL_PROVED


def check(task: Task, steps: Sequence[Action], values: Values, engine: str) -> None:
    """Replay a plan by the reference rules: it must be legal, meet the constraint and have these values.

    :raises DisagreementError: when it does not.
    """
    plan = "; ".join(map(str, steps)) or "nothing"
    answer = f"plan '{plan}' of position '{task.position}' for '{task.objective}': {engine} says {values}, the reference rules"
    try:
        end, paid = carry_out(task.position, steps, task.stated)
    except IllegalActionError as error:
        raise DisagreementError(f"{answer} refuse it ({error}); please report this") from error
    replayed = tuple(
        int(-value if isinstance(term, LeastIp) else value)
        for term in task.objective.terms
        for value in [value_at(term, end, paid)]
    )
    if replayed != values or not is_within(task.objective.constraint, end, paid) or task.leaves_out(end):
        raise DisagreementError(f"{answer} {replayed}; please report this")
