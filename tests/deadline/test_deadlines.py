"""Questions with a deadline: on a phase of millions of outcomes each comes back with a status, and the flag was seen.

Nothing here looks at the clock: how long an answer takes is measured in `bench/worst_phase.py`.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from threading import Event, Timer
from typing import Any

import pytest

from tetrasolve.errors import OutOfMemoryError, OutOfTimeError, SecondsError, TetrasolveError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.chain import absorb
from tetrasolve.exact.deadline import (
    answering,
    cancelled_by,
    check,
    interruptible,
    is_over,
    left,
    moment,
    public_question,
    share,
    stop_at,
    stop_of,
)
from tetrasolve.exact.distribution import Distribution
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.game import Game, new_scenario
from tetrasolve.tetrarchia.hint.advice import Hint, hint, think
from tetrasolve.tetrarchia.hint.comparison import compare as compare_plans
from tetrasolve.tetrarchia.hint.policy import DEFAULT, deepening
from tetrasolve.tetrarchia.hint.prospects import prospects
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.hint.rollout import rollout
from tetrasolve.tetrarchia.phase.events import events
from tetrasolve.tetrarchia.phase.exact import bounds_so_far, marginal_figures
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.plan.answer import Status
from tetrasolve.tetrarchia.plan.campaign.solving import campaign
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.expect import best_turn
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.policies import Measures, Policies, Watch, end_values, one_sided
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk import risk
from tetrasolve.tetrarchia.risk.combat import fight
from tetrasolve.tetrarchia.risk.compare import compare
from tetrasolve.tetrarchia.risk.horizon import CONFIDENCE, horizon
from tetrasolve.tetrarchia.risk.splitting import rare_fall
from tetrasolve.tetrarchia.rules import parse, solve

# Its Barbarian phase has 3,227,559 outcomes; bench/worst-phase.txt has what the search has found since
LARGE = Position.parse(
    "4211 G:6 bae/thr/cyr/gma 13 tin.bit tin.aqu.dac.bit - cis.bel.nar.srm/sar.gae.bri/gla.cyr/thr.ach.per.lib"
)
MODULES = 'barbarian_discs={"black":1,"gray":4} removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
LARGE_WITH_MODULES = Position.parse(f"{str(LARGE).replace(' ', '+barbaria+imperium ', 1)} {MODULES}")
SMALL, FIGHT = example("movement"), example("fight")
SECONDS = 0.1
ROUNDING = Fraction(1, 10**6)  # more outcomes, more of it
ARMY = (None, "persia")  # none goes, one comes


def set_flag() -> Stop:
    stop = Stop()
    stop.set()
    return stop


# -- answers so far --------------------------------------------------------------------------------------------------


def test_a_risk_gives_marginals_when_the_time_is_over(monkeypatch):
    """Intervals that are narrow, and no exact figure made up."""

    def stopped(*_: object) -> None:
        raise Stopped("deadline")

    # the time that the outcomes take depends on the machine: here it is over as soon as the marginals are known
    monkeypatch.setattr("tetrasolve.tetrarchia.phase.exact._exact_figures", stopped)
    found = risk(LARGE, seconds=60)
    assert (found.status, found.kind) == ("interrupted", "interval")
    assert set(found.values) == {"p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts"}
    assert all(isinstance(value, Exact | Interval) and value.high - value.low < 1e-6 for value in found.values.values())
    with pytest.raises(OutOfTimeError, match="before they were exact"):
        _ = found.figures
    assert "outcomes" not in found.values and "unknown: the time ran out" in str(found)


def test_the_marginals_hold_the_exact_figures():
    """What a deadline gives contains what patience gives."""
    for position in (SMALL, FIGHT):
        exact = risk(position)
        found = risk(position, cancel=set_flag())
        assert (found.status, found.kind, found.methods) == ("interrupted", "interval", ())
        assert {name: (value.low, value.high) for name, value in found.values.items()} == {
            "p_uprising": (0, 1), "p_lost": (0, 1), "p_new_army": (0, 1), "e_revolts": (0, 48),
        }  # fmt: skip
        in_time = risk(position, seconds=60)
        assert (in_time.status, in_time.figures, in_time.revolts) == ("complete", exact.figures, exact.revolts)
        rough = prospects(position, Plan(), Stop(60))
        assert rough.is_exact


def test_a_risk_with_modules_has_bounds_from_what_was_found():
    """With more time they are narrower, one within the other."""
    none, some = (risk(LARGE_WITH_MODULES, seconds=seconds) for seconds in (0.0, 0.02))
    seconds, more = 0.05, some
    while more.values["p_lost"].high >= Fraction(1, 10):  # at the first try but on a very slow machine
        seconds, more = 2 * seconds, risk(LARGE_WITH_MODULES, seconds=seconds)
    for wide, narrow in ((none, some), (some, more)):
        assert narrow.status == "interrupted" and narrow.kind == "interval" and narrow.methods == ("kernel",)
        for name in ("p_uprising", "p_lost", "p_new_army", "e_revolts"):
            outer, inner = wide.values[name], narrow.values[name]
            assert outer.low <= inner.low + ROUNDING and inner.high <= outer.high + ROUNDING
    assert none.values["p_lost"].high == 1
    assert "e_uprisings" not in more.values and "outcomes" not in more.values and str(more)


def test_bounds_from_what_was_found_hold_the_marginals():
    """Two ways to bound the same figures."""
    kernel, state = fast.kernel_of(LARGE), fast.to_state(LARGE)
    marginals = marginal_figures(kernel, [state])[0]
    with pytest.raises(Stopped) as stopped:
        kernel.phase(state, stop=Stop(SECONDS))
    for name, value in bounds_so_far(stopped.value.partial, 48).items():
        assert value.low <= marginals[name].high and marginals[name].low <= value.high
        assert value.low <= marginals[name].low + Fraction(1, 10**9)


def test_a_scenario_has_bounds():
    position = new_scenario("danubian-wars", 7).position
    found = risk(position, cancel=set_flag())
    assert found.status == "interrupted" and found.values["p_lost"].high == 1


def test_what_was_found_and_what_is_missing_add_up():
    """By hand: half of the chance is found, a fifth of it lost."""
    half = {"p_uprising": 0.5, "p_lost": 0.1, "p_new_army": 0.0, "e_revolts": 3.0, "mass": 0.5, "visits": 4.0}
    found = bounds_so_far(half, 48)
    tiny = Fraction(1, 10**9)
    for name, low, high in [("p_uprising", 0.5, 1), ("p_lost", 0.1, 0.6), ("p_new_army", 0, 0.5), ("e_revolts", 3, 27)]:
        assert abs(found[name].low - Fraction(low)) < tiny and abs(found[name].high - Fraction(high)) < tiny
        assert found[name].low <= Fraction(low)


@pytest.mark.parametrize("phases", [1, 2])
def test_a_horizon_ends_with_notes(phases):
    found = horizon(LARGE, phases, seconds=SECONDS, executor=SerialExecutor())
    assert found.status == "interrupted"
    assert "the time to solve it ran out" in found.notes[0]
    assert len(found.phases) == phases


@pytest.mark.parametrize("executor", [SerialExecutor(), None], ids=["here", "all cores"])
def test_a_horizon_that_is_cancelled_ends(executor):
    """In this process the jobs see the flag; worker processes are ended."""
    cancel = Stop()
    timer = Timer(SECONDS, cancel.set)
    timer.start()
    found = horizon(LARGE, 2, runs=10**9, cancel=cancel, executor=executor)
    timer.join()
    assert found.status == "interrupted"


def test_a_comparison_keeps_the_runs_of_its_last_look():
    ways = {"as it is": (SMALL, ()), "an army more": (SMALL.with_army(*ARMY), ())}
    found = compare(ways, 2, runs=10**9, batch=10, seconds=1.0, executor=SerialExecutor())
    n = found[0].lost.n
    assert 0 < n < 10**9 and n % 10 == 0
    assert all(one.lost.confidence == found[0].revolts.confidence == CONFIDENCE for one in found)
    exact = compare(ways, 2, runs=n, batch=10, executor=SerialExecutor())
    for timed, plain in zip(found, exact, strict=True):
        assert (
            timed.lost.value == plain.lost.value and timed.lost.high >= plain.lost.high
        )  # wider: there are more looks
    with pytest.raises(OutOfTimeError, match="compare: the time ran out"):
        compare(ways, 2, cancel=set_flag(), executor=SerialExecutor())


def test_a_rare_fall_keeps_the_replications_of_its_last_look():
    found = rare_fall(FIGHT, 2, roots=2, replicas=10**9, seconds=1.0)
    assert found.confidence == 0.99 and 0 <= found.low <= found.value <= found.high <= 1
    with pytest.raises(OutOfTimeError, match="rare fall: the time ran out"):
        rare_fall(FIGHT, 2, roots=2, cancel=set_flag())


def test_a_horizon_with_time_enough_is_complete():
    assert horizon(SMALL, 1, seconds=60, executor=SerialExecutor()).status == "complete"


@pytest.mark.parametrize("objective", ["least p_lost", "least e_revolts then least ip", "most expected revolt=-1"])
def test_a_plan_is_feasible_when_the_time_is_over(objective):
    found = plan(LARGE, objective, seconds=SECONDS)
    assert found.status is Status.FEASIBLE
    assert found.plan is not None and found.ends and found.values is None
    assert sum(chance for chance, _, _ in found.ends) == 1


def test_the_values_of_a_large_turn_look_at_the_flag():
    """What is worked out in Python for each of 23,000 turn states ends with the time too."""
    position = Position.parse("3221 D:6 -/-/-/- 12 bri bae.car.aqu.dac.msu.epi.asi.afr - -/-/-/-")
    turn, watch = turn_of(position), Watch(set_flag())
    exact = turn.solve([("ip",)]).end_values()
    measures = Measures(fast.kernel_of(position), Watch())
    measures.closed = True
    rows = end_values(turn, exact, ["p_lost", 0], measures, Watch())
    assert len(one_sided(rows, Watch(), low=True)) == len(rows) == turn.nodes > 20_000
    for work in (
        lambda: end_values(turn, exact, ["p_lost", 0], measures, watch),
        lambda: one_sided(rows, watch, low=True),
        lambda: Policies(turn, rows, watch),
    ):
        with pytest.raises(Stopped):
            work()


def test_a_plan_without_any_time_is_unknown():
    found = plan(FIGHT, "kill narbonensis", cancel=set_flag())
    assert (found.status, found.plan, found.values) == (Status.UNKNOWN, None, None)


def test_a_plan_by_marginals_is_the_same_plan():
    """With a deadline figures come from marginals first: the same optimum, proved in fractions."""
    patient, timed = (plan(SMALL, "least p_uprising then least e_revolts", seconds=seconds) for seconds in (None, 600))
    assert patient.status is timed.status is Status.OPTIMAL_PROVED
    assert (patient.plan, patient.values, patient.runner_up_values) == (
        timed.plan,
        timed.values,
        timed.runner_up_values,
    )


def test_a_hint_comes_whatever_the_time():
    """The first look is always made; figures that were not exact in time are intervals, or left out."""
    for seconds in (0.001, 0.3):
        found = hint(LARGE, seconds=seconds)
        assert found.status == "interrupted" and len(found.advice) == 3
        assert not any(advice.prospects.is_exact for advice in found.advice)
        assert found.as_data()["status"] == "interrupted" and str(found)


def test_a_comparison_comes_whatever_the_time():
    """Both plans have a value; what was not known in time is left out."""
    for seconds in (0.001, 0.3):
        found = compare_plans(LARGE, "end", seconds=seconds)
        assert found.status == "interrupted" and found.mine.win.evaluated == found.best.win.evaluated
        assert str(found) and found.as_data()["status"] == "interrupted"


def test_a_cancelled_hint_keeps_its_first_look():
    cancel = set_flag()
    assert len(list(deepening(FIGHT, DEFAULT, cancel=cancel))) == 1
    found = hint(FIGHT, cancel=cancel)
    assert (found.turns, found.status) == (1, "interrupted")


def test_a_hint_is_complete_when_its_budget_was_searched():
    """Whatever ended it, and not before: `complete` is what an uncut search has found at least."""
    assert hint(FIGHT, budget="greedy", seconds=60).status == "complete"
    assert hint(FIGHT, budget="deep", seconds=0).status == "interrupted"
    whole = hint(FIGHT)
    *before, last = think(FIGHT)
    assert (whole.status, last.status) == ("complete", "complete")
    assert before and {step.status for step in before} == {"interrupted"}
    seen = list(_until_complete(think(FIGHT, seconds=600)))
    assert seen[-1].turns >= whole.turns and seen[-1].advice == whole.advice
    assert {step.status for step in seen[:-1]} == {"interrupted"}


def _until_complete(steps: Iterator[Hint]) -> Iterator[Hint]:
    for step in steps:
        yield step
        if step.status == "complete":
            return


@pytest.mark.parametrize(("answers", "expected"), [(1, 2), (2, 2), (3, 3)])
def test_a_hint_that_is_cancelled_is_interrupted(answers, expected):
    """Between two looks, in the budget that takes longest; the second answer of the first look follows in any case."""
    cancel, steps = Stop(), []
    for step in think(FIGHT, budget="deep", cancel=cancel):
        steps.append(step)
        if len(steps) == answers:
            cancel.set()
    assert len(steps) == expected and steps[-1].status == "interrupted"
    assert [len(step.advice) for step in steps] == [1, *([3] * (expected - 1))]


def test_a_flag_that_is_never_set_changes_nothing():
    assert hint(FIGHT, budget="greedy", cancel=Stop()).advice == hint(FIGHT, budget="greedy").advice
    assert plan(SMALL, "clear dalmatia", cancel=Stop()).plan == plan(SMALL, "clear dalmatia").plan
    assert fight(FIGHT, cancel=Stop()) == fight(FIGHT)


def test_a_fight_keeps_what_it_knows():
    found = fight(
        LARGE.replace(armies=("tarraconensis",), discs={**LARGE.discs, "tarraconensis": "revolt"}), seconds=SECONDS
    )
    assert found.status == "interrupted"
    assert str(found)


def test_a_campaign_is_unknown_without_time():
    pytest.importorskip("numpy")
    found = campaign(SMALL, "secure sarmatia", cancel=set_flag())
    assert (found.status, found.plans) == (Status.UNKNOWN, None)


def test_a_review_keeps_its_turns():
    game = Game(FIGHT)
    game.act(parse(FIGHT, "secure"))
    game.end()
    found = review(game, cancel=set_flag())
    assert (found.status, found.turns) == ("interrupted", ())


def test_a_best_turn_is_feasible_or_out_of_time():
    with pytest.raises(OutOfTimeError, match="before there was an answer"):
        best_turn(LARGE, "revolt=-1", cancel=set_flag())


def test_what_has_no_partial_answer_says_so():
    with pytest.raises(OutOfTimeError, match="the time ran out after"):
        rollout(FIGHT, cancel=set_flag())
    with pytest.raises(OutOfTimeError, match="it was cancelled before there was an answer"):
        certify(FIGHT, "kill narbonensis", cancel=set_flag())


# -- the reference rules ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question", [lambda stop: solve(LARGE, stop=stop), lambda stop: events(LARGE, stop=stop)], ids=["solve", "events"]
)
def test_the_reference_rules_see_the_flag(question: Callable[[Stop], Any]):
    """They would need minutes for this phase."""
    stop = Stop(SECONDS)
    with pytest.raises(Stopped) as stopped:
        question(stop)
    assert stopped.value.reason == "deadline" and stop.is_set()


def test_a_chain_of_endless_states_is_stopped():
    steps = 0

    def onward(state: int) -> Distribution[int]:
        nonlocal steps
        steps += 1
        if steps == 1000:
            stop.set()
        return Distribution.point(state + 1)

    stop = Stop()
    with pytest.raises(Stopped):
        absorb(0, onward, stop)
    assert steps == 1000


# -- the flag --------------------------------------------------------------------------------------------------------


def test_the_time_is_shared_out():
    stop = stop_of(100)
    part = share(stop, 0.5)
    assert 40 < (left(part) or 0) <= 50
    assert 90 < (left(stop) or 0) <= 100
    assert stop is not None
    stop.set()
    assert is_over(part) and is_over(stop)
    assert share(None, 0.5) is left(None) is moment(None) is stop_at(None) is stop_of(None) is None
    assert not is_over(None)
    check(None)


def test_a_moment_keeps_its_deadline_in_another_process():
    def elsewhere(stop: Stop) -> Stop | None:
        return stop_at(pickle.loads(pickle.dumps(moment(stop))))  # noqa: S301  # what the line has written itself

    there = elsewhere(Stop(100))
    assert there is not None and 90 < (left(there) or 0) <= 100
    assert is_over(elsewhere(set_flag()))
    endless = elsewhere(Stop())
    assert endless is not None and left(endless) is None
    cancel = Stop()
    assert stop_at(moment(cancel)) is cancel


def test_a_moment_is_the_same_deadline_elsewhere():
    there = stop_at(moment(Stop(100)))
    assert there is not None and 90 < (left(there) or 0) <= 100
    assert is_over(stop_at(moment(set_flag())))


def test_a_time_that_is_none_is_refused():
    for seconds in (-1, float("nan")):
        for question in (
            lambda time: risk(SMALL, seconds=time),
            lambda time: hint(SMALL, seconds=time),
            lambda time: compare_plans(SMALL, "end", seconds=time),
            lambda time: plan(SMALL, "clear dalmatia", seconds=time),
            lambda time: fight(SMALL, seconds=time),
            lambda time: horizon(SMALL, 1, seconds=time),
            lambda time: campaign(SMALL, "secure sarmatia", seconds=time),
            lambda time: campaign(SMALL, "secure sarmatia", engine="cpsat", seconds=time),
        ):
            with pytest.raises(SecondsError, match="seconds: expected at least 0") as error:
                question(seconds)
            assert isinstance(error.value, TetrasolveError)


def test_a_function_can_cancel():
    asked = iter([False, False, True])
    with cancelled_by(lambda: next(asked, True)) as stop, pytest.raises(Stopped):
        while True:
            stop.check()


def test_a_library_without_flags_is_interrupted():
    ended, nobody = Event(), Event()
    assert interruptible(lambda: ended.wait(600), ended.set, Stop(0.05))
    assert interruptible(lambda: 7, ended.clear, None) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0, ended.set, None)
    with pytest.raises(Stopped):
        interruptible(nobody.wait, lambda: None, Stop(0.01), patience=0.05)
    nobody.set()


def test_a_judge_without_time_has_an_answer():
    """The search has no plan, or the solvers know nothing: neither is a disagreement."""
    pytest.importorskip("ortools")
    pytest.importorskip("z3")
    for cancel, status in ((set_flag(), Status.UNKNOWN), (Stop(600), Status.OPTIMAL_PROVED)):
        found = plan(SMALL, "clear dalmatia", engine="judge", attacks="none", cancel=cancel)
        assert (found.status, found.engine) == (status, "judge")


def test_stopped_becomes_a_sentence():
    with (
        pytest.raises(OutOfTimeError, match=r"^perft: it was cancelled before there was an answer$"),
        answering("perft"),
    ):
        set_flag().check()


def test_memory_becomes_a_sentence():
    @public_question
    def question() -> Fraction:
        raise MemoryError("no memory")

    with pytest.raises(OutOfMemoryError, match=r"^question: there is not enough memory") as error:
        question()
    assert isinstance(error.value, TetrasolveError) and isinstance(error.value, MemoryError)


# -- commands --------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "words",
    [
        ("risk",), ("risk", "--by", "event"), ("risk", "--horizon", "2"), ("hint",), ("hint", "--budget", "deep"),
        ("plan", "-o", "least p_lost"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_commands_take_seconds(words):
    """Each ends with exit code 3 and no traceback."""
    command = [sys.executable, "-m", "tetrasolve", words[0], str(LARGE), *words[1:], "--seconds", str(SECONDS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr and "internal error" not in done.stderr


@pytest.mark.parametrize(
    "words", [("perft", "6"), ("ends",), ("certify", "-o", "kill narbonensis", "--out", "-")], ids=" ".join
)
def test_commands_without_a_partial_answer(words):
    command = [sys.executable, "-m", "tetrasolve", words[0], "fight", *words[1:], "--seconds", "0.000001"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert "the time ran out before there was an answer" in done.stderr
