"""The model by CP-SAT and by Z3, and the reference rules: with all modules, variants and rebels they agree on the same turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import cycle
from random import Random

import pytest
from bruteforce import solve as brute_force
from moduletable import extended
from moduleturns import EACH, TOGETHER, positions
from modulewords import WORDS
from solvertasks import KINDS, near, tasks

from tetrasolve.errors import ObjectiveError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import (
    ENGINES,
    Answer,
    DisagreementError,
    Status,
    Task,
    plan,
    read_attacks,
    read_objective,
)
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.judge import judge, maximised, standard_engines
from tetrasolve.tetrarchia.plan.reference import solve_reference

pytest.importorskip("ortools", reason="needs OR-Tools")
pytest.importorskip("z3", reason="needs Z3")

SECONDS = 240  # for all methods together; one that has no time left says what it has, and must not contradict


def module_tasks(extensions: str, count: int, most_ip: int) -> Iterator[Task]:
    """Turns with these modules, with objectives of every kind, and stated attacks on armies and Pirates."""
    random, kinds = Random(f"tasks {extensions}"), cycle(KINDS)
    for position in positions(extensions, 4 * count, most_ip):
        if count and (rules.may_end(position) or rules.legal_actions(position)):
            targets = [*position.armies, *(["pirates"] if position.pieces.pirates is not None else [])]
            stated = sorted((target, random.choice(list(Outcome))) for target in targets if random.random() < 0.8)
            objective = read_objective(next(kinds)(position, near(position), random))
            yield Task(position, objective, tuple(stated))
            count -= 1


def word_tasks(extensions: str, count: int, most_ip: int) -> Iterator[Task]:
    """The same turns with objectives that have words of their modules."""
    texts = [text for name in extensions.split() for text in WORDS.get(name, ())]
    for task, text in zip(module_tasks(extensions, count, most_ip), cycle(texts), strict=False):
        places = ", ".join(near(task.position)[:2])
        yield replace(
            task, objective=read_objective(text.replace("@{near}", f"@{near(task.position)[0]}").format(near=places))
        )


@pytest.mark.parametrize("extensions", [*WORDS, TOGETHER[-1]])
def test_words_of_modules_mean_the_same_to_all(extensions: str) -> None:
    for task in word_tasks(extensions, 2, most_ip=2):
        verdict = judge(task)
        assert {answer.status for answer in verdict.answers} == {verdict.result.status}


@pytest.mark.slow
@pytest.mark.parametrize("extensions", [*WORDS, *TOGETHER])
def test_words_of_modules_mean_the_same_to_all_on_many_turns(extensions: str) -> None:
    found = [judge(task, seconds=SECONDS).result for task in word_tasks(extensions, 30, most_ip=4)]
    assert all(result.status in (Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED) for result in found)
    assert any(result.plan is not None and result.plan.steps for result in found)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
def test_all_methods_agree_on_short_turns(extensions: str) -> None:
    for task in module_tasks(extensions, 1, most_ip=2):
        verdict = judge(task)
        assert {answer.status for answer in verdict.answers} == {verdict.result.status}


@pytest.mark.slow
@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
def test_all_methods_agree_on_many_turns(extensions: str) -> None:
    """Forty turns for each set; two proofs of each answer at least."""
    for task in module_tasks(extensions, 40, most_ip=4):
        verdict = judge(task, seconds=SECONDS)
        assert verdict.result.status in (Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED), task


# -- the third method ------------------------------------------------------------------------------------------


def test_the_reference_finds_what_brute_force_finds() -> None:
    """In the base game too; there brute force is compared with the kernel."""
    for task in tasks("reference", 12, 2, 1):
        answer = solve_reference(task)
        kept, *values = brute_force(task.position, task.objective, task.stated).first
        assert answer.values == (tuple(values) if kept else None)
        assert (answer.status is Status.OPTIMAL_PROVED) == (answer.values is not None and values[0] != 0) or (
            answer.status is Status.OPTIMAL_PROVED and " " in str(task.objective.terms[0])
        )


def test_the_reference_stops_at_its_limit() -> None:
    task = next(task for task in module_tasks("dux", 12, most_ip=2) if solve_reference(task).values is not None)
    answer = solve_reference(task, most_states=1)
    assert (answer.status, answer.steps, answer.values, answer.bound) == (Status.UNKNOWN, None, None, None)


# -- the judge -------------------------------------------------------------------------------------------------

PIRATES = extended("pirates", {"pirates": 3}, at={"diocletian": "bithynia"}, ip=3, fleets=(1,), level=4)
TASK = Task(PIRATES, read_objective("most value garrison=2 revolt=-1"), ())


def stating(task: Task, **changes: object) -> Answer:
    """The answer of the reference rules, changed."""
    return replace(solve_reference(task), **changes)


def test_the_answer_is_that_of_the_exhaustive_search() -> None:
    """Which counts all policies; the reference rules find the same values."""
    found = judge(TASK, engines=[solve_reference])

    assert (found.result.engine, found.result.status) == ("exhaustive", Status.OPTIMAL_PROVED)
    assert found.result.policies is not None
    assert found.answers[0].values == maximised(found.result)


def test_engines_that_differ_are_reported() -> None:
    best = solve_reference(TASK).values
    assert best is not None
    more = (best[0] + 1, *best[1:])
    with pytest.raises(DisagreementError, match="boaster says"):
        judge(TASK, engines=[solve_reference, partial(stating, engine="boaster", values=more, bound=more)])
    with pytest.raises(DisagreementError, match="liar says"):
        judge(TASK, engines=[solve_reference, partial(stating, engine="liar", status=Status.INFEASIBLE_PROVED)])


def test_the_engines_of_the_judge() -> None:
    """Beside the exhaustive search three with modules, two in the base game."""
    (base,) = tasks("one", 1, 2, 1)
    assert (len(standard_engines(TASK)), len(standard_engines(base))) == (3, 2)


# -- for users -------------------------------------------------------------------------------------------------


def test_plans_with_modules() -> None:
    """By every engine."""
    asked = "most value garrison=2 revolt=-1"
    found = [plan(PIRATES, asked, engine=engine, attacks="none") for engine in ENGINES]

    assert len({result.values for result in found}) == 1
    assert all(result.status is Status.OPTIMAL_PROVED for result in found)
    with pytest.raises(ObjectiveError, match="an army or the Pirates may be attacked here"):
        plan(PIRATES, asked, engine="judge")


def test_rebels_are_attacked_where_their_fleet_is() -> None:
    """The fleet sails to their zone first, which costs 1 IP."""
    start = rules.rolled_scenario("mauretanian-war", 7, fleets=(2, 3)).position
    position = start.with_emperor("maximian", "caesariensis").replace(ip=4, discs={"gaetulia": "revolt"})
    assert start.rebels["gaetulia"].fleet == 1
    found = plan(position, "kill gaetulia", engine="judge", attacks="victory@gaetulia")

    assert str(found.plan) == "sail 2>1; attack gaetulia: victory"
    assert found.status is Status.OPTIMAL_PROVED


@pytest.mark.parametrize(
    ("objective", "missing"),
    [
        ("kill pirates and reach roma", "kill pirates: the module pirates"),
        ("least ip then deploy dux", "deploy dux: the module dux"),
        ("glory 2", "glory 2: the variant roma-aeterna"),
        ("most value vicarius@roma=2", "vicarius: the module vicarius"),
        ("least ip subject to keep 2 discs of imperium", "2 discs of imperium: the variant imperium"),
    ],
)
def test_words_need_their_module(objective: str, missing: str) -> None:
    """The engines and certificates name the missing module."""
    (base,) = tasks("one", 1, 2, 1)
    for engine in ("exhaustive", "cpsat"):
        with pytest.raises(ObjectiveError, match=f"{missing} is not in use"):
            plan(base.position, objective, engine=engine, attacks="none")
    with pytest.raises(ObjectiveError, match=f"{missing} is not in use"):
        certify(base.position, objective, ())


@pytest.mark.parametrize(("had", "left"), [(2, 1), (0, 0)])
def test_a_lost_battle_costs_a_disc_of_glory(had: int, left: int) -> None:
    """An Emperor without glory has none to lose."""
    start = example("fight")
    glory = dict.fromkeys(start.emperors, 0) | {start.to_move: had}
    rules_too = start.ruleset.with_extensions([], ["roma-aeterna"])
    position = start.replace(ruleset=rules_too, pieces={"glory": tuple(sorted(glory.items()))}, ip=3)
    found = plan(position, "most value glory=-1", engine="judge", attacks="defeat@narbonensis")

    assert found.values is not None and found.values[0] == -left
    assert (found.plan is not None and bool(found.plan.steps)) == (had > left)


def test_pirates_are_stated_where_they_are_in_the_game() -> None:
    assert read_attacks("draw@PIRATES") == (("pirates", Outcome.DRAW),)
    assert plan(PIRATES, "least ip", engine="cpsat", attacks="draw@pirates").status is Status.OPTIMAL_PROVED
    (base,) = tasks("one", 1, 2, 1)
    with pytest.raises(ObjectiveError, match="the module pirates is not in use"):
        plan(base.position, "least ip", attacks="draw@pirates")
