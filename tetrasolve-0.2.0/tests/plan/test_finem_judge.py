"""The best actions of a turn of the second game by three ways: the search, the model for CP-SAT, and the reference rules."""

from __future__ import annotations

from random import Random

import pytest
from tablefinem import RULESETS, table

from tetrasolve.errors import ArgumentError, IllegalActionError, IllegalPositionError, OutOfTimeError
from tetrasolve.finem import judge as judging
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, position_of
from tetrasolve.finem.judge import AnswersDifferError, judge, replayed
from tetrasolve.finem.kernel import Rng
from tetrasolve.finem.model import ModelAnswer, solve_model
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import ROLES, Ruleset
from tetrasolve.stop import Stop

pytest.importorskip("ortools", reason="the extra 'solvers' is not installed")

OBJECTIVES = (
    "cubes=-1",
    "least cubes:O=3 cubes:C=1 cubes:E=2 cubes:B=2",
    "cubes=-2 die=1 pacified=9 won=400",
    "die:O=-3 die:B=2 cubes:E=-4 pacified:C=5 won=60",
    "won=1",
)
FEW, MANY = 24, 400


def positions(count: int) -> list[Position]:
    """Beginnings of turns, and later actions, of random games under all rulesets; roles in turn, dice sometimes high."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        seed += 1
        random = Random(seed)
        chosen = Ruleset.from_text(RULESETS[seed % len(RULESETS)]).dealt(Random(seed))
        state = position_of(chosen, engine_of(chosen).random_state(random.randrange(1, 90), Rng(seed)))
        if not isinstance(state, Position) or state.step is not Step.ACT:
            continue
        role = random.choice([role for role in ROLES if role != "dictator"])
        one = state.replace(role=role, left=random.choice((2, 3, 3, 4)), out=frozenset())
        if not one.status():
            found.append(one)
    return found


def compare(count: int) -> None:
    roles, values = set(), set()
    for number, position in enumerate(positions(count)):
        found = judge(position, OBJECTIVES[number % len(OBJECTIVES)])
        assert found.model is not None
        roles.add(position.role)
        values.add(found.value)
    assert len(roles) == 5 and len(values) > 12


def test_three_ways_come_to_the_same_value() -> None:
    compare(FEW)


@pytest.mark.slow
def test_three_ways_come_to_the_same_value_on_several_hundred_positions() -> None:
    compare(MANY)


BY_HAND = (
    (table("prefect", dice="5111/CEB", cubes="C7:C2"), "won=1", 1),
    (table("prefect", rules="introductory?E-WIN=phase", dice="5111/CEB", cubes="C7:C2"), "won=9 cubes=-1", 9),
    (
        table("magister", dice="1332/O", at="O7", cubes="O6:O1.O7:O3", step="act:3"),
        "die:O=-7 cubes=-1",
        0,
    ),  # eradicated: its die is 0
    (table("consul", rules="standard", dice="2221/O", cubes="C7:C3.E5:E3", step="act:4"), "cubes=-1", -3),
    (table("consul", rules="standard?E-PACIFY=free", dice="2221/-", cubes="C7:C1"), "won=3", 3),
    (table("consul", rules="standard?E-PACIFY=free,E-AGAIN=stays", dice="1331/O", step="act:1"), "least die=1", 6),
)


@pytest.mark.parametrize(("position", "objective", "value"), BY_HAND, ids=str)
def test_positions_by_hand(position: Position, objective: str, value: int) -> None:
    assert judge(position, objective).value == value


def test_of_a_dictator_the_model_answers_plans_without_a_ride() -> None:
    position = table("dictator", rules="standard", dice="2221/-", cubes="BR:B3.BS:B3", step="act:2")
    found = judge(position, "cubes=-1")
    assert found.model is None and found.search.actions == ("ride",) and found.value > -6
    assert solve_model(position, read_objective("cubes=-1")).value == -6


# -- what is wrong is seen ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        ModelAnswer(-3, ("confront C", "confront C")),  # too good
        ModelAnswer(-5, ("confront C",)),  # too bad
        ModelAnswer(-4, ("confront C",)),  # the value, but not by these actions
        ModelAnswer(-4, ("move CS", "confront C")),
    ],
)
def test_a_wrong_answer_of_the_model_is_seen(answer: ModelAnswer, monkeypatch: pytest.MonkeyPatch) -> None:
    position = table("consul", rules="standard", dice="2221/-", cubes="C7:C3.E5:E3", step="act:2")
    assert judge(position, "cubes=-1").value == -4
    monkeypatch.setattr(judging, "solve_model", lambda *_, **__: answer)
    with pytest.raises((AnswersDifferError, IllegalActionError)):
        judge(position, "cubes=-1")


def test_what_cannot_be_judged_is_refused() -> None:
    position, stopped = table("consul", rules="standard", dice="2221/-", cubes="C7:C3", step="act:2"), Stop()
    stopped.set()
    with pytest.raises(OutOfTimeError):
        judge(position, "cubes=-1", cancel=stopped)
    with pytest.raises(OutOfTimeError):
        solve_model(position, read_objective("cubes=-1"), cancel=stopped)
    with pytest.raises(OutOfTimeError):
        solve_model(position, read_objective("cubes=-1"), seconds=0)
    with pytest.raises(IllegalPositionError):
        solve_model(examples()["limit"], read_objective("cubes=-1"))
    with pytest.raises(ArgumentError, match="turn, actions"):
        plan(position, horizon="game")
    with pytest.raises(IllegalActionError):
        replayed(position, ("confront O",), read_objective("cubes=-1"))
