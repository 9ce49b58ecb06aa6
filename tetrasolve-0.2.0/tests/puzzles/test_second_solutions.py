"""The second ways in which bench/second_solutions.py looks for second solutions: each finds one where there is one."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction

import pytest
from everyplan import EveryPlan, TooManyStatesError
from solvertasks import tasks
from tabletop import MAP, make_position

from tetrasolve.puzzles import Branch
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.action import SECURE, attack
from tetrasolve.tetrarchia.action import Outcome as Rolled
from tetrasolve.tetrarchia.plan import read_objective
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import Uniqueness, Verdict, unique
from tetrasolve.tetrarchia.puzzle.unique import Search, tables

# With 3 IP there is one attack; after a draw one province to go to is best, or two are
BESIDE = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia", garrisons={"galerius": "belgica"})
ONE_PLACE = "kill britannia then most value emperor@lugdunensis=1"
TWO_PLACES = "kill britannia then most value emperor@germania_inferior=1 emperor@lugdunensis=1"
CASES = [
    (BESIDE, ONE_PLACE),
    (BESIDE, TWO_PLACES),
    (BESIDE, "kill britannia"),
    (make_position(at={"diocletian": "belgica"}, ip=4, armies="britannia"), "kill britannia"),  # two attacks
    (make_position(at={"diocletian": "thracia"}, ip=3, unrest="macedonia"), "clear macedonia"),
    (make_position(at={"diocletian": "thracia"}, ip=2, revolts="dacia", unrest="asia"), "least p_uprising"),
    (make_position(at={"diocletian": "roma"}, ip=1, armies="etruria", revolts="etruria"), "least p_lost"),
]


def values_of(found: Uniqueness) -> tuple[Fraction, ...]:
    return tuple(natural(term, value) for term, value in zip(found.objective.terms, found.values, strict=True))


def is_single(found: Uniqueness) -> bool:
    return found.verdict in (Verdict.ONE_ANSWER, Verdict.DECIDED) and (found.other is None or found.gap is not None)


@pytest.mark.parametrize(("position", "text"), CASES)
def test_every_plan_by_the_reference_rules_gives_the_optimum_and_all_best_answers(
    position: Position, text: str
) -> None:
    objective = read_objective(text, position.board)
    found = unique(position, objective)
    best = EveryPlan(objective, len(objective.terms), 20_000).best(position)
    assert best.values == values_of(found)
    assert dict(tables(found.ends)).items() in [dict(answer).items() for answer in best.answers]
    assert (len(best.answers) == 1) == is_single(found)


def test_every_plan_agrees_on_turns_that_are_drawn() -> None:
    for task in tasks("every plan", 10, 2, 1):
        objective = task.objective
        if objective.constraint is None:
            found = unique(task.position, objective)
            best = EveryPlan(objective, len(objective.terms), 20_000).best(task.position)
            assert best.values == values_of(found) and (len(best.answers) == 1) == is_single(found)


def test_what_an_action_gives_up_is_judged_before_the_dice() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia")
    plans = EveryPlan(read_objective("kill britannia", MAP), 1, 20_000)
    assert plans.losses(position, [attack("britannia", Rolled.DEFEAT)]) == [Fraction(7, 12) - Fraction(5, 12)]
    assert plans.losses(position, [SECURE, attack("britannia", Rolled.DEFEAT)]) == [0, 0]


def test_a_listing_that_is_too_long_or_stopped_gives_no_answer() -> None:
    position, objective = CASES[4][0], read_objective(CASES[4][1], MAP)
    with pytest.raises(TooManyStatesError):
        EveryPlan(objective, 1, 3).best(position)
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        EveryPlan(objective, 1, 20_000, stop).best(position)


# -- the flow --------------------------------------------------------------------------------------------------------


def asked_of_solver(position: Position, text: str, terms: int, less: Fraction = Fraction(0)) -> str:
    """CP-SAT's status for a plan that ends otherwise and is at most so much worse in the first of these terms."""
    from policymodel import Policies

    search = Search(position, read_objective(text, position.board), None, None)
    found = search.result()
    best, names = search.answers.best[0], {}
    for table, _ in search.ends.values():
        names[search.answers._numbers[table]] = table
    ends: dict[int, tuple[Hashable, tuple[Fraction, ...]]] = {
        node: (table, tuple(Fraction(part) for part in value[:terms]))  # type: ignore[arg-type]  # no figures of phases here
        for node, (table, value) in search.ends.items()
    }
    policies = Policies([*search.turn.order()], ends, search.branches)
    values = tuple(Fraction(part) for part in best.value[:terms])  # type: ignore[arg-type]  # the same
    assert policies.most(60) == values[0] == values_of(found)[0]
    chances = {names[number]: chance for number, chance in best.chances}
    return policies.other((values[0] - less, *values[1:]), chances, 60)


def test_the_flow_finds_a_second_answer_and_none_where_there_is_none() -> None:
    pytest.importorskip("ortools", reason="the extra solvers is not installed")
    assert asked_of_solver(BESIDE, ONE_PLACE, 3) == "INFEASIBLE"
    assert asked_of_solver(BESIDE, TWO_PLACES, 3) in ("OPTIMAL", "FEASIBLE")
    alone = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia")  # he secures before he attacks
    found = unique(alone, "kill britannia")
    assert found.gap is not None and found.gap.term == found.objective.terms[0]
    assert asked_of_solver(alone, "kill britannia", 1) == "INFEASIBLE"
    assert asked_of_solver(alone, "kill britannia", 1, found.gap.amount) in ("OPTIMAL", "FEASIBLE")


def test_a_flow_through_dice_has_the_chances_of_the_dice() -> None:
    """One of two branches can be left for another end: that is another answer, though the end of the other stays."""
    pytest.importorskip("ortools", reason="the extra solvers is not installed")
    from policymodel import Policies

    half = Fraction(1, 2)
    ends = {0: ("won", (Fraction(1),)), 1: ("lost", (Fraction(0),)), 2: ("lost too", (Fraction(0),))}
    options = {3: [[Branch(Fraction(1), 1)], [Branch(Fraction(1), 2)]], 4: [[Branch(half, 0), Branch(half, 3)]]}
    policies = Policies([0, 1, 2, 3, 4], ends, lambda node: options.get(node, []))
    assert policies.most(60) == half
    assert policies.other((half,), {"won": half, "lost": half}, 60) in ("OPTIMAL", "FEASIBLE")
    assert policies.other((half + Fraction(1, 100),), {"won": half, "lost": half}, 60) == "INFEASIBLE"
    same = Policies(
        [0, 1, 3, 4],
        {node: ends[node] for node in (0, 1)},
        lambda node: [o for o in options.get(node, []) if o[0].node != 2],
    )
    assert same.other((half,), {"won": half, "lost": half}, 60) == "INFEASIBLE"
