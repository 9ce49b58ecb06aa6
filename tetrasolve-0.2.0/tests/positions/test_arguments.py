"""What callers pass by mistake: each public function names the argument and what it expected."""

from __future__ import annotations

import pytest

import tetrasolve
from tetrasolve.errors import ArgumentError, IllegalPositionError, ObjectiveError, TetrasolveError, UnknownExampleError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.plan.expect import best_turn
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.risk.horizon import horizon

FIGHT = tetrasolve.example("fight")
BARBARIANS = FIGHT.replace(phase=Phase.BARBARIAN, ip=0)


@pytest.mark.parametrize("found", ["fight", None, 7])
@pytest.mark.parametrize(
    ("question", "more"),
    [
        (tetrasolve.risk, ()),
        (tetrasolve.plan, ("kill narbonensis",)),
        (tetrasolve.hint, ()),
        (tetrasolve.fight, ()),
        (tetrasolve.campaign, ("victory",)),
        (horizon, (2,)),
        (certify, ("kill narbonensis",)),
        (best_turn, ("weights",)),
    ],
)
def test_questions_take_positions_only(question, more, found):
    with pytest.raises(ArgumentError, match=r"expected a Position .*example\('fight'\)") as problem:
        question(found, *more)

    assert isinstance(problem.value, TetrasolveError) and isinstance(problem.value, TypeError)
    assert str(problem.value).startswith(f"{question.__name__}: position: ") and repr(found) in str(problem.value)


def test_the_argument_can_be_named():
    with pytest.raises(ArgumentError, match="risk: position: expected a Position"):
        tetrasolve.risk(position="fight")
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        tetrasolve.risk()


@pytest.mark.parametrize("found", ["fight", None, 7])
@pytest.mark.parametrize(
    ("question", "more"),
    [
        (rules.legal_actions, ()),
        (rules.may_end, ()),
        (rules.parse, ("move belgica",)),
        (rules.cost, (END,)),
        (rules.objection, (END,)),
        (rules.play, (END,)),
        (rules.attack_roll, ("narbonensis",)),
        (rules.begin, ()),
        (rules.outcomes, ()),
        (rules.solve, ()),
        (rules.figures, ()),
        (rules.uprising_chance, ()),
        (rules.sample, (rules.RandomDice(1),)),
    ],
)
def test_rules_take_positions_only(question, more, found):
    with pytest.raises(ArgumentError, match=f"^{question.__name__}: position: expected a Position .*{found!r}$"):
        question(found, *more)


@pytest.mark.parametrize("question", [rules.play, rules.cost, rules.objection])
def test_rules_take_actions_only(question):
    position = tetrasolve.example("fight")
    with pytest.raises(ArgumentError, match=r"action: expected an Action \(rules\.parse.*, found 'move belgica'"):
        question(position, "move belgica")
    with pytest.raises(ArgumentError, match=f"^{question.__name__}: action: expected an Action"):
        question(position, action="move belgica")


def test_a_review_takes_a_game():
    with pytest.raises(ArgumentError, match=r"review: game: expected a Game .*read_record.*found 'file.txt'"):
        tetrasolve.review("file.txt")


def test_an_unknown_example_names_those_there_are():
    with pytest.raises(UnknownExampleError) as problem:
        tetrasolve.example("nope")

    assert str(problem.value) == "example 'nope' does not exist; there are ambush, fight, movement"
    assert isinstance(problem.value, TetrasolveError) and isinstance(problem.value, KeyError)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"start": 4211}, "ruleset: expected text such as '4211', found 4211"),
        ({"start": "4211", "modules": "dux"}, "modules: expected a list of names, such as ['dux'], found 'dux'"),
        ({"start": "4211", "modules": 3}, "modules: expected a list of names, such as ['dux'], found 3"),
        ({"start": "4211", "variants": "imperium"}, "variants: expected a list of names, found 'imperium'"),
    ],
)
def test_build_names_the_argument(options, text):
    with pytest.raises(ArgumentError) as problem:
        tetrasolve.build(**options)

    assert str(problem.value) == text


@pytest.mark.parametrize(
    ("question", "begin"),
    [
        (lambda: tetrasolve.hint(BARBARIANS), "it is the Barbarian phase"),
        (lambda: tetrasolve.plan(BARBARIANS, "clear dacia"), "it is the Barbarian phase"),
        (lambda: tetrasolve.fight(BARBARIANS), "no Emperor can attack"),
    ],
    ids=["hint", "plan", "fight"],
)
def test_a_position_that_can_occur_is_not_called_impossible(question, begin):
    assert BARBARIANS.status() == ()
    with pytest.raises(IllegalPositionError) as problem:
        question()

    assert str(problem.value).startswith(begin) and not problem.value.cannot_occur


def test_a_position_that_cannot_occur_is():
    with pytest.raises(IllegalPositionError, match=r"^this position cannot occur: ") as problem:
        tetrasolve.risk(FIGHT.replace(ip=99))

    assert problem.value.cannot_occur and problem.value.reasons == FIGHT.replace(ip=99).status()


@pytest.mark.parametrize("goal", ["bla", "", "least ip", "most value armies=1"])
def test_a_campaign_names_its_goals(goal):
    with pytest.raises(ObjectiveError, match="expected victory, or reach, secure, clear or kill with provinces"):
        tetrasolve.campaign(FIGHT, goal)
