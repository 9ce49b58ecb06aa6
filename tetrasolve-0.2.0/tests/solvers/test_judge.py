"""The judge finds engines that differ, makes the case small, and writes it down."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tetrasolve.errors import ObjectiveError, TetrasolveError
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import Answer, DisagreementError, Status, Task, plan, read_attacks, read_objective
from tetrasolve.tetrarchia.plan.exhaustive import exhaustive
from tetrasolve.tetrarchia.plan.judge import judge, maximised, read_case, shrink, smaller_tasks

TASK = Task(
    example("fight"),
    read_objective("reach belgica then most value revolt=-3 garrison=1 subject to keep 1 garrison"),
    read_attacks("victory@narbonensis") or (),
)


def _honest(task: Task) -> Answer:
    """An engine that says what the search says."""
    found = exhaustive(task.position, task.objective, task.stated)
    assert found.plan is not None
    best = maximised(found)
    return Answer("honest", found.status, found.plan.steps, best, best, 0.0, 1, "1")


def _boastful(task: Task) -> Answer:
    """An engine that claims an IP too few wherever an army stands in Narbonensis and Aquitania is occupied."""
    answer = _honest(task)
    wrong = "narbonensis" in task.position.armies and "aquitania" in task.position.emperors.values()
    assert answer.values is not None
    more = (*answer.values[:-1], answer.values[-1] + 1)
    return replace(answer, values=more, bound=more) if wrong else answer


def test_a_folder_that_cannot_be_written_hides_nothing(tmp_path: Path) -> None:
    """The difference is reported all the same."""
    (tmp_path / "file").write_text("")
    with pytest.raises(DisagreementError, match=r"honest says.*not written to"):
        judge(TASK, engines=[_boastful], cases=tmp_path / "file")


def test_engines_that_agree_are_all_asked() -> None:
    """The verdict holds the search's result and every answer."""
    verdict = judge(TASK, engines=[_honest, _honest])

    assert verdict.result.status is Status.OPTIMAL_PROVED
    assert [answer.engine for answer in verdict.answers] == ["honest", "honest"]


def test_a_difference_is_made_small_and_written_down(tmp_path: Path) -> None:
    """What is left has only what the difference needs, reads back, and still shows it."""
    with pytest.raises(DisagreementError, match="honest says"):
        judge(TASK, engines=[_boastful], cases=tmp_path)

    (case,) = tmp_path.glob("*.json")
    small = read_case(case.read_text())
    assert small.position.armies == ("narbonensis",)
    assert small.position.emperors["constantius"] == "aquitania"
    assert small.position.emperors["diocletian"] is small.position.emperors["galerius"] is None
    assert set(small.position.discs) <= {"narbonensis"}  # the revolt under the army must stay
    assert small.position.ip == 0
    assert not small.stated and not small.objective.constraint and len(small.objective.terms) == 1
    assert json.loads(case.read_text())["differences"]
    with pytest.raises(DisagreementError):
        judge(small, engines=[_boastful])


@pytest.mark.parametrize(
    "claim",
    [
        lambda a: replace(a, status=Status.INFEASIBLE_PROVED),
        lambda a: replace(a, status=Status.FEASIBLE, bound=(0, *a.bound[1:])),
        lambda a: replace(a, status=Status.UNKNOWN, steps=None, values=None, bound=(0, -99, -99)),
        lambda a: replace(a, status=Status.FEASIBLE, values=(1, 99, 0)),
        lambda a: replace(a, values=(a.values[0] - 1, *a.values[1:])),
    ],
    ids=["infeasible", "low bound", "low bound without a plan", "high value", "optimum too low"],
)
def test_every_false_claim_is_a_difference(claim) -> None:
    """A wrong status, a bound below the optimum, a value above it, a proved optimum below it."""
    with pytest.raises(DisagreementError):
        judge(TASK, engines=[lambda task: claim(_honest(task))])


def test_what_may_be_stated_short_of_a_proof() -> None:
    """A plan below the optimum and a bound above it are no contradiction."""
    judge(
        TASK,
        engines=[lambda task: replace(_honest(task), status=Status.FEASIBLE, values=(0, -50, 0), bound=(1, 99, 0))],
    )


def test_a_goal_out_of_reach_may_stay_unproved() -> None:
    """Stopped short of the proof that no plan reaches a goal, an engine has the plan that is best without it."""
    task = replace(TASK, objective=read_objective("secure sarmatia"))
    judge(task, engines=[lambda task: replace(_honest(task), status=Status.FEASIBLE)])
    limited = replace(TASK, objective=read_objective("least ip subject to end in persia and spend at most 1"))
    with pytest.raises(DisagreementError):
        judge(limited, engines=[lambda task: replace(_honest(task), status=Status.FEASIBLE)])


def test_a_method_whose_plan_is_refused_differs() -> None:
    """What the reference rules refuse is written down like any difference."""

    def illegal(task: Task) -> Answer:
        raise DisagreementError(f"{END} of {task.position} refused")

    with pytest.raises(DisagreementError, match="refused"):
        judge(TASK, engines=[illegal])


def test_smaller_tasks_are_legal_and_smaller() -> None:
    """Each has one thing less, and shrinking ends."""
    smaller = list(smaller_tasks(TASK))

    assert len(smaller) > 10
    assert all(not task.position.status() for task in smaller)
    assert TASK not in smaller
    least = shrink(TASK, lambda task: len(task.position.discs) >= 3)
    assert len(least.position.discs) == 3


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "no JSON",
        '{"format": "tetrasolve-disagreement/9"}',
        '{"format": "tetrasolve-disagreement/1", "position": 7, "objective": "least ip", "attacks": "none"}',
        '{"format": "tetrasolve-disagreement/1", "position": "4211", "objective": "least ip", "attacks": "dice"}',
    ],
)
def test_cases_that_cannot_be_read_are_refused(text: str) -> None:
    """With an error of the library, never another."""
    with pytest.raises(TetrasolveError):
        read_case(text)


def test_solvers_refuse_what_they_cannot_plan() -> None:
    """Dice, and figures of the coming phase, are for the exhaustive search."""
    with pytest.raises(ObjectiveError, match="knows no dice"):
        plan(example("fight"), "kill narbonensis", engine="cpsat")
    with pytest.raises(ObjectiveError, match="solvers do not support"):
        plan(example("movement"), "least p_lost", engine="z3")
    with pytest.raises(ObjectiveError, match="does not exist"):
        plan(example("movement"), "least ip", engine="oracle")


@pytest.mark.parametrize("engine", ["cpsat", "z3", "judge"])
def test_the_public_api_has_every_engine(engine: str) -> None:
    """The same question to each gives the same values."""
    best = plan(example("movement"), "clear dalmatia subject to keep 4 garrisons")
    found = plan(example("movement"), "clear dalmatia subject to keep 4 garrisons", engine=engine)

    assert (found.status, found.values, found.engine) == (best.status, best.values, engine)
    assert found.version
