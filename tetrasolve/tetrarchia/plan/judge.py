"""Compares all engines for the best plan of a turn.

The exhaustive search, CP-SAT and Z3 get the same task; with modules, variants and rebels the reference rules try out everything,
too, where the turn is short. The reference rules have replayed every plan before; the comparison is about optimality. Where two
engines differ, the task is shrunk while they still differ, and the result is written to a file.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

from tetrasolve.errors import ObjectiveError, TetrasolveError
from tetrasolve.exact.deadline import is_over, share, stop_of
from tetrasolve.files import write_text
from tetrasolve.stop import Stop
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan.answer import PROVED, Answer, DisagreementError
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult, exhaustive
from tetrasolve.tetrarchia.plan.objective import FREE, LeastIp, Objective
from tetrasolve.tetrarchia.plan.policies import Watch
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.reference import REFERENCE, solve_reference
from tetrasolve.tetrarchia.plan.replay import share_within
from tetrasolve.tetrarchia.plan.solvers import SOLVERS, solve
from tetrasolve.tetrarchia.plan.task import DICE, Task, attacks_text, read_attacks
from tetrasolve.tetrarchia.position import Position

Engine: TypeAlias = Callable[[Task], Answer]

CASE = "tetrasolve-disagreement/1"


@dataclass(frozen=True)
class Verdict:
    """The answers of all engines to a task; `result` is that of the exhaustive search, with which the others agree."""

    task: Task
    result: PlanResult
    answers: tuple[Answer, ...]


def judge(
    task: Task,
    *,
    seconds: float | None = None,
    cancel: Stop | None = None,
    seed: int = 0,
    engines: Sequence[Engine] = (),
    cases: Path | None = None,
) -> Verdict:
    """The verdict of all engines on a task: the exhaustive search and `engines` (none given: `standard_engines`).

    After `seconds`, or when `cancel` is set, the verdict is of those that have answered, and `unknown` is an answer. On a
    disagreement the smallest task on which they still differ is written to the folder `cases` (None: nowhere), and named in
    the error.

    :raises ObjectiveError: when the task leaves out an end of the turn.
    :raises DisagreementError: when two engines differ, or the reference rules refuse a plan.
    :raises MissingExtraError: when a solver is not installed.
    """
    if task.other_than is not None:
        raise ObjectiveError("the task leaves out an end of the turn, and the judge compares engines on all plans")
    stop = stop_of(seconds, cancel)
    engines = engines or standard_engines(task, stop, seed)
    watch = Watch(stop, cancel=cancel)
    found, answers, differences = answers_of(task, engines, watch)
    if not differences:
        assert found is not None
        return Verdict(task, found, answers)
    smallest, is_different = task, differences

    def differ(smaller: Task) -> bool:
        nonlocal smallest, is_different
        if is_over(stop) or not (found := answers_of(smaller, engines, watch)[2]):
            return False
        smallest, is_different = smaller, found
        return True

    shrink(task, differ)
    case = as_case(smallest, is_different)
    where = "" if cases is None else f" ({_written(case, cases)})"
    raise DisagreementError(
        f"{'; '.join(case['differences'])}: position '{case['position']}', objective '{case['objective']}', attacks "
        f"{case['attacks']}{where}; please report this"
    )


def standard_engines(task: Task, stop: Stop | None = None, seed: int = 0) -> list[Engine]:
    """The solvers as engines, and the reference rules with modules, variants or rebels.

    Each has an equal share of the time that is left.
    """
    names = [*SOLVERS, *([REFERENCE] if task.position.rules_in_use else [])]

    def engine_of(name: str, after: int) -> Engine:
        def answer(task: Task) -> Answer:
            left = share(stop, 1 / (1 + after))
            return (
                solve_reference(task, cancel=left) if name == REFERENCE else solve(name, task, cancel=left, seed=seed)
            )

        return answer

    return [engine_of(name, after) for name, after in zip(names, range(len(names) - 1, -1, -1), strict=True)]


def answers_of(
    task: Task, engines: Sequence[Engine], watch: Watch | None = None
) -> tuple[PlanResult | None, tuple[Answer, ...], list[str]]:
    """The search's result and each engine's answer, with all differences.

    A plan that the reference rules refuse is a difference too. A search that `watch` has ended is compared with nothing.
    """
    try:
        found = exhaustive(task.position, task.objective, task.stated, watch)
        if found.status not in PROVED:
            return found, (), []
    except DisagreementError as error:
        return None, (), [str(error)]
    answers, differences = _answers(task, engines)
    differences += [difference for answer in answers for difference in compare(found, answer)]
    return found, answers, differences


def _answers(task: Task, engines: Sequence[Engine]) -> tuple[tuple[Answer, ...], list[str]]:
    """The answer of each engine, and the errors of those whose plans the reference rules refuse."""
    answers: list[Answer] = []
    refused: list[str] = []
    for engine in engines:
        try:
            answers.append(engine(task))
        except DisagreementError as error:
            refused.append(str(error))
    return tuple(answers), refused


def compare(found: PlanResult, answer: Answer) -> Iterator[str]:
    """The contradictions between an answer and the exhaustive search."""
    best = maximised(found)
    claim, searched = f"{answer.engine} says {answer.status} {answer.values}", found.engine
    kept = share_within(found.ends, found.objective.constraint) == 1  # else no plan meets the constraint
    if answer.status in PROVED:
        if answer.status is not found.status:
            yield f"{claim}, {searched} {found.status} {best}"
        elif answer.values is not None and answer.values != best:
            yield f"{claim}, {searched} {best}"
    elif answer.values is not None and (answer.values > best or not kept):
        yield f"{claim}, {searched} {found.status} {best}"
    if answer.bound is not None and answer.bound < best and kept:
        yield f"{answer.engine} says at most {answer.bound}, {searched} {best}"


def maximised(found: PlanResult) -> tuple[int, ...]:
    """The values of a result without dice as integers to be maximised."""
    return tuple(int(-value if isinstance(term, LeastIp) else value) for term, value in found.named_values)


# -- making it smaller -----------------------------------------------------------------------------------------


def shrink(task: Task, differ: Callable[[Task], bool]) -> Task:
    """A minimal task on which the engines still differ."""
    while True:
        for smaller in smaller_tasks(task):
            if differ(smaller):
                task = smaller
                break
        else:
            return task


def smaller_tasks(task: Task) -> Iterator[Task]:
    """The legal tasks with one element less: a term, a limit, an army, a disc, an Emperor, an IP, a reading.

    Modules and variants remain.
    """
    for objective in _smaller_objectives(task.objective):
        yield replace(task, objective=objective)
    for stated in task.stated:
        yield replace(task, stated=tuple(other for other in task.stated if other != stated))
    for position in _smaller_positions(task.position):
        if not position.status() and (rules.may_end(position) or rules.legal_actions(position)):
            yield replace(task, position=position)


def _smaller_objectives(objective: Objective) -> Iterator[Objective]:
    if objective.constraint:
        yield replace(objective, constraint=FREE)
    if len(objective.terms) > 1:
        for index in range(len(objective.terms)):
            yield replace(objective, terms=objective.terms[:index] + objective.terms[index + 1 :])


def _smaller_positions(position: Position) -> Iterator[Position]:
    for army in position.armies:
        yield position.with_army(army, None)
    for emperor, place in position.emperors.items():
        if place is not None and emperor != position.to_move:
            yield position.with_emperor(emperor, None)
    for province in position.discs:
        yield position.with_disc(province, None)
    if position.ip > 0:
        yield position.replace(ip=position.ip - 1)
    ruleset = position.ruleset
    for index in range(len(ruleset.interpretations)):
        kept = ruleset.interpretations[:index] + ruleset.interpretations[index + 1 :]
        yield position.replace(ruleset=replace(ruleset, interpretations=kept))


# -- written down ----------------------------------------------------------------------------------------------


def as_case(task: Task, differences: Sequence[str]) -> dict[str, Any]:
    """A failing case as JSON data; `read_case` gives the task back."""
    return {
        "format": CASE,
        "position": str(task.position),
        "objective": str(task.objective),
        "attacks": attacks_text(task.stated),
        "differences": list(differences),
    }


def write_case(case: dict[str, Any], folder: Path) -> Path:
    """Write a failing case to a file named by its content."""
    text = json.dumps(case, indent=2) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"disagreement-{hashlib.sha256(text.encode()).hexdigest()[:12]}.json"
    write_text(path, text)
    return path


def _written(case: dict[str, Any], folder: Path) -> str:
    try:
        return f"written to {write_case(case, folder)}"
    except OSError as error:
        return f"not written to {folder}: {error.strerror}"


def read_case(text: str, board: Board | None = None) -> Task:
    """The task of a failing case.

    :raises TetrasolveError: when it cannot be read.
    """
    try:
        data = read_json(text)
        if data["format"] != CASE or data["attacks"] == DICE:
            raise TetrasolveError(f"format {data['format']!r}: expected {CASE!r} with attacks that are stated")
        stated = read_attacks(data["attacks"], board)
        assert stated is not None
        return Task(read_position(data["position"], board), read_objective(data["objective"], board), stated)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, TetrasolveError):
            raise
        raise ObjectiveError(f"no failing case: {error!r}") from None
