"""The exhaustive search, CP-SAT and Z3 on the same turns: whatever the level, the readings and the objective, they agree.

A sample runs with all tests; `make check-solvers` runs all of them.
"""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path

import pytest
from solvertasks import KINDS, tasks

from tetrasolve.tetrarchia.plan import Status, Task
from tetrasolve.tetrarchia.plan.exhaustive import exhaustive
from tetrasolve.tetrarchia.plan.judge import judge, read_case
from tetrasolve.tetrarchia.plan.model.cpsat import solve_cpsat
from tetrasolve.tetrarchia.plan.model.z3model import solve_z3

WHOLE_TURNS = 100  # with all IP
Z3_SECONDS = 20  # for one of these, of which it may take minutes: then it says what it has, and must not contradict
SHORT_TURNS = 480
SHORT_IP = 4
OBJECTIVES_A_SHORT_TURN = 3
SAMPLE = 90  # one in so many runs with all tests
CASES = Path(__file__).parent / "cases"


@cache
def _all() -> list[Task]:
    return [*tasks("whole", WHOLE_TURNS, 6, 1), *tasks("short", SHORT_TURNS, SHORT_IP, OBJECTIVES_A_SHORT_TURN)]


def _marked() -> list[object]:
    """The number of each task; the tasks take a second to make, in every process that lists the tests."""
    return [
        pytest.param(number, marks=() if number % SAMPLE == 0 else pytest.mark.slow)
        for number in range(WHOLE_TURNS + SHORT_TURNS * OBJECTIVES_A_SHORT_TURN)
    ]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", _marked())
def test_all_engines_agree(number: int) -> None:
    """What the search proves best, the models prove best; a difference is written down as small as it can be."""
    task = _all()[number]
    whole = task.position.ip > SHORT_IP
    engines = [solve_cpsat, partial(solve_z3, seconds=Z3_SECONDS if whole else None)]
    verdict = judge(task, engines=engines, cases=CASES)

    by_cpsat, by_z3 = verdict.answers
    assert by_cpsat.status is verdict.result.status
    assert by_z3.status is verdict.result.status or (whole and by_z3.status in (Status.FEASIBLE, Status.UNKNOWN))


def test_the_turns_are_of_every_kind() -> None:
    """At least 500 positions, all kinds of objectives, most levels, plans that do something, goals that fail, attacks."""
    every = _all()

    assert len(every) == len(_marked())
    assert len({task.position for task in every}) >= 500
    assert len(KINDS) >= 12
    assert len({task.position.ruleset.level for task in every}) >= 75
    assert len({task.position.ruleset.interpretations for task in every}) >= 100
    found = [exhaustive(task.position, task.objective, task.stated) for task in every[::3]]
    assert {result.status for result in found} == {Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED}
    plans = [result.plan for result in found if result.plan is not None]
    assert sum(len(plan.steps) >= 3 for plan in plans) >= 30
    assert sum(any(step.outcome for step in plan.steps) for plan in plans) >= 5


@pytest.mark.parametrize("case", sorted(CASES.glob("*.json")), ids=lambda path: path.stem)
def test_cases_that_once_failed(case: Path) -> None:
    """What was a disagreement once stays agreed on."""
    assert judge(read_case(case.read_text())).result.status in (Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED)
