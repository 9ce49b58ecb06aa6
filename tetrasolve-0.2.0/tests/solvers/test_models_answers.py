"""What a model's answer claims: values that were replayed, bounds that hold, rows of values packed into one sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.action import SECURE
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import DisagreementError, Status, Task, read_objective
from tetrasolve.tetrarchia.plan.answer import Answer
from tetrasolve.tetrarchia.plan.model.formula import LOOKED_EVERY, Formula, Sum
from tetrasolve.tetrarchia.plan.model.solving import Stage, Values, check, stages

cpsat = pytest.importorskip("tetrasolve.tetrarchia.plan.model.cpsat", reason="needs OR-Tools", exc_type=ImportError)
z3model = pytest.importorskip("tetrasolve.tetrarchia.plan.model.z3model", reason="needs Z3", exc_type=ImportError)

TASK = Task(example("movement"), read_objective("clear dalmatia then most value revolt=-3 garrison=1"))
SHORT = replace(TASK, position=TASK.position.replace(ip=3), objective=read_objective("most value revolt=-3 garrison=1"))


def test_packed_sums_keep_the_order_of_rows() -> None:
    """Every row of values has a packed sum of its own, larger for the better row, and comes back from it."""
    formula = Formula()
    a, b, c = (formula.new(name) for name in "abc")
    stage = Stage((Sum.of([(2, a), (-3, b)]), Sum.of([(-1, c)], 4), Sum.of([(5, -a), (1, c)])))
    found: dict[int, Values] = {}
    for true in product((True, False), repeat=3):
        holds = dict(zip((a, b, c), true, strict=True)).__getitem__
        row = tuple(term.value(holds) for term in stage.terms)
        packed = stage.sum.value(holds)
        assert stage.unpacked(packed) == row
        found[packed] = row

    assert [found[packed] for packed in sorted(found)] == sorted(set(found.values()))
    assert stage.unpacked(stage.space + 7) == tuple(term.high for term in stage.terms)


def test_terms_that_do_not_fit_come_one_after_the_other() -> None:
    """No stage is wider than the engine allows, but each has a term at least."""
    terms = [Sum(((9, 2),)), Sum(((9, 3),)), Sum(((9, 4),))]

    assert [len(stage.terms) for stage in stages(terms, widest=100)] == [2, 1]
    assert [len(stage.terms) for stage in stages(terms, widest=1)] == [1, 1, 1]


def test_counts_of_literals_are_those_of_their_assignments() -> None:
    """`count` holds just where at least so many hold, and adds no solutions of its own."""
    for size, wanted in product(range(1, 6), range(7)):
        formula = Formula()
        lits = [formula.new(str(number)) for number in range(size)]
        formula.clause(formula.count(lits, wanted))
        assert cpsat.count_solutions(formula) == sum(sum(row) >= wanted for row in product((0, 1), repeat=size))


@pytest.mark.parametrize("solve", [cpsat.solve_cpsat, z3model.solve_z3])
def test_without_time_nothing_is_claimed(solve) -> None:
    """Out of time there is no proof, and the bound still holds for the best plan."""
    best = cpsat.solve_cpsat(TASK)
    answer = solve(TASK, seconds=0.0)

    assert best.status is Status.OPTIMAL_PROVED and best.values == best.bound
    assert answer.status in (Status.UNKNOWN, Status.FEASIBLE)
    assert answer.bound is not None and answer.bound >= best.values


@pytest.mark.parametrize("solve", [cpsat.solve_cpsat, z3model.solve_z3])
def test_progress_comes_closer(solve) -> None:
    """The values that are reported become better, up to those of the answer, and never pass the bound."""
    stated: list[tuple[Values, Values]] = []
    answer = solve(SHORT, progress=lambda values, bound: stated.append((values, bound)))

    assert [values for values, _ in stated] == sorted(values for values, _ in stated)
    assert stated[-1][0] == answer.values
    assert all(values <= answer.values <= bound for values, bound in stated)


def test_a_constraint_that_nothing_keeps_to_is_proved_so() -> None:
    """Then there is no plan at all."""
    far = replace(SHORT, objective=read_objective("least ip subject to end in gallaecia"))

    for solve in (cpsat.solve_cpsat, z3model.solve_z3):
        answer = solve(far)
        assert (answer.status, answer.steps, answer.values) == (Status.INFEASIBLE_PROVED, None, None)


def test_a_wrong_claim_is_not_let_through() -> None:
    """A plan with other values than claimed, and one that the rules forbid, are errors."""
    with pytest.raises(DisagreementError, match="the reference rules"):
        check(SHORT, (), (99, 0), "boaster")
    with pytest.raises(DisagreementError, match="refuse"):
        check(SHORT, (SECURE,) * 4, (0, 0), "boaster")


def set_flag() -> Stop:
    stop = Stop()
    stop.set()
    return stop


@pytest.mark.parametrize("solve", [cpsat.solve_cpsat, z3model.solve_z3])
def test_the_model_is_written_in_the_time_that_is_given(solve: Callable[..., Answer]) -> None:
    """No plan is known when the flag is set before the model is whole, and a bound that looks at the objective alone."""
    found = solve(TASK, cancel=set_flag())
    assert (found.status, found.steps, found.values) == (Status.UNKNOWN, None, None)
    assert found.bound == (1, 48, 0)  # the goal, a garrison everywhere, no IP paid
    assert found.version.split()[1][0].isdigit()
    assert solve(SHORT, seconds=600).status is Status.OPTIMAL_PROVED


@pytest.mark.parametrize("load", [cpsat.load, z3model.load], ids=["cpsat", "z3"])
def test_a_formula_takes_its_flag_along(load: Callable[[Formula], object]) -> None:
    stop = Stop()
    formula = Formula(stop)
    for number in range(LOOKED_EVERY - 3):
        formula.clause(formula.new(str(number)))
    stop.set()
    with pytest.raises(Stopped):
        load(formula)
    with pytest.raises(Stopped):
        for number in range(LOOKED_EVERY):
            formula.new(str(number))


@pytest.mark.parametrize("engine", [cpsat.CpSat, z3model.Z3])
def test_an_engine_without_time_has_no_bound_that_was_never_set(engine: Callable[[Formula], Any]) -> None:
    formula = Formula()
    lits = [formula.new(str(number)) for number in range(4)]
    found = engine(formula).maximise(Sum.of([(1, lit) for lit in lits]), set_flag(), lambda *_: None)
    assert found.bound is None or found.bound >= 4
