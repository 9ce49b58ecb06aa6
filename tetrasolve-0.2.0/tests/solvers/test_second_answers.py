"""The best other answer of a turn without dice, by the solvers: the end of the best plan is left out of their model."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from moduleturns import EACH
from solvertasks import tasks
from tabletop import make_position

from tetrasolve.errors import ObjectiveError
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan import Status, Task, read_objective
from tetrasolve.tetrarchia.plan.judge import judge
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.plan.reference import solve_reference
from tetrasolve.tetrarchia.plan.solvers import solve
from tetrasolve.tetrarchia.puzzle import Verdict, unique

pytest.importorskip("ortools", reason="the extra solvers is not installed")
pytest.importorskip("z3", reason="the extra solvers is not installed")

NO_DISCS_ASIDE = [name for name in EACH if name not in ("imperium", "roma-aeterna")]


def agree(task: Task, engine: str) -> Verdict:
    """Both engines say the same best value of another answer, or that there is none."""
    found = unique(task.position, task.objective, task.stated)
    end = found.ends[0][1]
    answer = solve(engine, replace(task, other_than=end))
    reference = solve_reference(replace(task, other_than=end))
    for one in (answer, reference):
        if one.status is Status.UNKNOWN:
            continue  # the reference rules only look at small turns
        values = one.values
        if found.other is None or found.other_kept != 1:
            assert values is None  # solvers know no plan that breaks the constraint
        else:
            assert values is not None and found.other_values == tuple(
                natural(term, value) for term, value in zip(task.objective.terms, values, strict=True)
            )
    return found.verdict


@pytest.mark.parametrize("count", [8, pytest.param(300, marks=pytest.mark.slow)])
def test_solvers_agree_on_the_best_other_answer(count: int) -> None:
    found = Counter(agree(task, "cpsat") for task in tasks("others", count, 3, 1))
    assert found[Verdict.ONE_ANSWER] and sum(found.values()) == count


def test_solvers_find_a_second_answer_that_is_as_good() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=1, fleets=(3,))
    objective = read_objective("most value emperor@germania_inferior=1 emperor@lugdunensis=1")
    for engine in ("cpsat", "z3"):
        assert agree(Task(position, objective, ()), engine) is Verdict.TWO_ANSWERS


@pytest.mark.slow
def test_z3_agrees_on_the_best_other_answer() -> None:
    assert sum(1 for task in tasks("z3 others", 40, 2, 1) if agree(task, "z3")) == 40


@pytest.mark.slow
@pytest.mark.parametrize("extensions", NO_DISCS_ASIDE)
def test_solvers_agree_on_the_best_other_answer_with_modules(extensions: str) -> None:
    from moduleplans import cases

    done = 0
    for position, text in cases(extensions):
        objective = read_objective(text, position.board)
        if objective.is_deterministic:
            agree(Task(position, objective, ()), "cpsat")
            done += 1
        if done == 12:
            return


def test_what_cannot_be_left_out_is_refused() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=1)
    task = Task(position, read_objective("secure lugdunensis"), (), other_than=position)
    with pytest.raises(ObjectiveError, match="leaves out an end"):
        judge(task)
    text = '4222+imperium G:2 -/syr/-/- 12 - - - -/-/-/- removed={"diocletian":0,"galerius":1,"constantius":0,"maximian":0}'
    imperium = read_position(text)
    with pytest.raises(ObjectiveError, match="imperium solvers cannot leave out"):
        solve("cpsat", Task(imperium, read_objective("secure syria"), (), other_than=imperium))
