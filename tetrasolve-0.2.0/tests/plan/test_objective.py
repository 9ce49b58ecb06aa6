"""Objectives and plans as text, and the replay that no bad plan passes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tetrasolve.errors import IllegalActionError, ObjectiveError, UnreadableActionError
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import Fork, Plan, plan, read_objective, read_plan
from tetrasolve.tetrarchia.plan.objective import Goal, Value
from tetrasolve.tetrarchia.plan.replay import endings

TEXTS = {
    "reach Roma": "reach roma then least ip",
    "SECURE sarmatia Then least p_uprising": "secure sarmatia then least p_uprising then least ip",
    "clear dac, thr and kill IV:4": "clear dacia, thracia and kill macedonia then least ip",
    "reach II:5 and clear aquitania": "reach aquitania and clear aquitania then least ip",
    "most value revolt=-3 army@rha=+10": "most value revolt=-3 army@rhaetia=10 then least ip",
    "least ip then least uprising": "least ip then least p_uprising",
    "least uprising; reach roma": "least p_uprising then reach roma then least ip",
    "least p_lost, then least e_revolts": "least p_lost then least e_revolts then least ip",
    "most expected revolt=-3 Garrison:galerius@III:1=2 fallen=-9 then least p_lost": (
        "most expected revolt=-3 garrison:galerius@rhaetia=2 fallen=-9 then least p_lost then least ip"
    ),
    "kill Pirates and reach roma": "reach roma and kill pirates then least ip",
    "deploy Dux and clear dacia": "clear dacia and deploy dux then least ip",
    "GLORY 3 and deploy vicarius, dux": "deploy dux, vicarius and glory 3 then least ip",
    "most value glory=2 pirates=-9 dux@IV:1=1": "most value glory=2 pirates=-9 dux@moesia_inferior=1 then least ip",
    "least ip subject to keep 2 discs of Imperium and keep 1 garrison": (
        "least ip subject to keep 1 garrison and keep 2 discs of imperium"
    ),
    "reach roma subject to spend at most 4 IP": "reach roma then least ip subject to spend at most 4",
    "least ip subject to do not end in rha, III:1 and end in roma, etr and keep 2 garrisons and keep 1 garrison": (
        "least ip subject to end in etruria, roma and do not end in rhaetia and keep 2 garrisons"
    ),
}

BAD = {
    "": "no objective",
    "win": "no objective",
    "reach": "no province",
    "reach atlantis": "no province",
    "reach roma, etruria": "one province only",
    "most value": "no objective",
    "most value revolt": "KIND=WEIGHT",
    "most value gold=3": "KIND=WEIGHT",
    "most value revolt=x": "whole number",
    "most value revolt=99999999": "whole number",
    "most value revolt@nowhere=1": "no province",
    "least luck": "no objective",
    "reach pirates": "'pirates' is no province",
    "deploy diocletian": "expected deploy dux or deploy vicarius",
    "deploy": "expected deploy dux",
    "glory": "expected a number of discs",
    "glory 0": "expected a number of discs",
    "glory dacia": "expected a number of discs",
    "most value glory@dacia=1": "glory is in no province",
    "least ip subject to keep 2 discs": "keep N discs of imperium",
    "reach roma then": "no objective|no province",
    "reach roma and march": "expected one of",
    "least p_luck": "no objective",
    "most expected": "no objective",
    "most expected luck=3": "expected a kind",
    "least ip subject to": "no objective|expected end in",
    "least ip subject to rest": "expected end in",
    "least ip subject to end in atlantis": "no province",
    "least ip subject to end in roma and end in etruria": "'end in' once",
    "least ip subject to keep 2 garrisons subject to spend at most 1": "'subject to' once",
}


@pytest.mark.parametrize(("text", "canonical"), TEXTS.items())
def test_objectives_read_and_print(text: str, canonical: str) -> None:
    """What is read prints in one way only, and that reads back as the same."""
    objective = read_objective(text)

    assert str(objective) == canonical
    assert read_objective(canonical) == objective


@pytest.mark.parametrize(("text", "problem"), BAD.items())
def test_bad_objectives_are_explained(text: str, problem: str) -> None:
    """Every refusal says what was found and what was expected."""
    with pytest.raises(ObjectiveError, match=problem):
        read_objective(text)


def test_a_region_means_its_provinces() -> None:
    """A weight on a region is a weight on each of its six Roman provinces, one on the borders on all six."""
    board = Board.standard()
    (value, _) = read_objective("most value revolt@III=2 garrison@borders=5", board).terms

    assert isinstance(value, Value)
    table = value.table("revolt", board)
    assert table is not None
    assert {board.ids[row] for row, weight in enumerate(table) if weight} == set(board.members(3))
    assert {place for kind, place, _ in value.weights if kind == "garrison"} == set(board.borders)


def test_a_goal_is_all_of_its_parts() -> None:
    """A goal is met where every part of it is, and nowhere else."""
    fight = example("fight")

    assert Goal(secure=frozenset(["etruria", "lugdunensis"])).is_met(fight)
    assert not Goal(secure=frozenset(["etruria", "roma"])).is_met(fight)  # a printed disc is no garrison disc
    assert Goal(reach=frozenset(["germania_superior"]), clear=frozenset(["roma"])).is_met(fight)
    assert not Goal(kill=frozenset(["narbonensis"])).is_met(fight)


@pytest.mark.parametrize("text", ["kill narbonensis", "least uprising", "reach roma", "least ip"])
def test_plans_read_back(text: str) -> None:
    """The notation of a plan is that plan."""
    found = plan(example("fight"), text)

    assert read_plan(str(found.plan), found.position.board) == found.plan


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fly roma",
        "subdue",
        "attack narbonensis",
        "attack narbonensis {}",
        "attack nowhere {draw 1: end}",
        "attack narbonensis {victory 1/0: end}",
        "attack narbonensis {victory 2/3 end}",
        "secure; ; end",
        "{",
        "}",
    ],
)
def test_bad_plans_cannot_be_read(text: str) -> None:
    """A plan that is incomplete or no plan is refused."""
    with pytest.raises(UnreadableActionError):
        read_plan(text, Board.standard())


def _branch(outcome: Outcome, share: int, then: str = "end") -> tuple[Outcome, Fraction, Plan]:
    return outcome, Fraction(share, 36), read_plan(then, Board.standard())


def test_a_good_plan_passes_the_replay() -> None:
    """The branches of the fight with their true chances lead to three ends."""
    fork = Fork("narbonensis", (_branch(Outcome.VICTORY, 24), _branch(Outcome.DRAW, 3), _branch(Outcome.DEFEAT, 9)))

    assert [(chance, paid) for chance, _, paid in endings(example("fight"), Plan((), fork))] == [
        (Fraction(24, 36), 2),
        (Fraction(3, 36), 2),
        (Fraction(9, 36), 2),
    ]


@pytest.mark.parametrize(
    "fork",
    [
        Fork("narbonensis", (_branch(Outcome.VICTORY, 24), _branch(Outcome.DEFEAT, 12))),
        Fork("narbonensis", (_branch(Outcome.VICTORY, 27), _branch(Outcome.DRAW, 3), _branch(Outcome.DEFEAT, 6))),
        Fork("rhaetia", (_branch(Outcome.VICTORY, 36),)),
        Fork(
            "narbonensis",
            (_branch(Outcome.VICTORY, 24), _branch(Outcome.DRAW, 3), _branch(Outcome.DEFEAT, 9, "secure")),
        ),
        Fork(
            "narbonensis", (*(_branch(Outcome.VICTORY, 24),) * 2, _branch(Outcome.DRAW, 3), _branch(Outcome.DEFEAT, 9))
        ),
        Fork("narbonensis", (_branch(Outcome.VICTORY, 24), _branch(Outcome.DRAW, 12))),
        Fork("narbonensis", ()),
    ],
    ids=[
        "an outcome left out",
        "wrong chances",
        "no army there",
        "action after a defeat",
        "an outcome twice",
        "draw for defeat",
        "no branch",
    ],
)
def test_bad_forks_do_not_pass_the_replay(fork: Fork) -> None:
    """The replay refuses a plan whose battle is not the one that the rules make of it."""
    with pytest.raises(IllegalActionError):
        endings(example("fight"), Plan((), fork))


@pytest.mark.parametrize("text", ["attack narbonensis: victory", "secure; attack narbonensis: victory; secure"])
def test_no_plan_takes_a_battle_for_decided(text: str) -> None:
    """An attack with its outcome is what happened in a game; a plan that counts on one is refused."""
    with pytest.raises(IllegalActionError, match="dice decide"):
        endings(example("fight"), read_plan(text, Board.standard()))


@pytest.mark.parametrize(
    "text",
    ["move roma", "secure; secure", "move macedonia", "move dalmatia; remove", "reduce", "sail 1>2", "enter roma"],
)
def test_plans_against_the_rules_do_not_pass_the_replay(text: str) -> None:
    """A step that the rules forbid, or stopping with another Emperor in the same province, is refused."""
    with pytest.raises(IllegalActionError):
        endings(example("movement"), read_plan(text, Board.standard()))
