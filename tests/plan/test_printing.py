"""Results print as text for people, and show themselves in notebooks."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tetrasolve
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.plan.campaign import campaign
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.risk.combat import fight

FIGHT = tetrasolve.example("fight")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param(lambda: tetrasolve.plan(FIGHT, "kill narbonensis"), "kill narbonensis: 17/18", id="plan"),
        pytest.param(lambda: tetrasolve.risk(FIGHT), " chance of at least one uprising", id="risk"),
        pytest.param(lambda: hint(FIGHT, budget="greedy"), "1. wins ", id="hint"),
        pytest.param(lambda: fight(FIGHT), "The army in Narbonensis: attack", id="fight"),
        pytest.param(lambda: review(tetrasolve.Game(FIGHT)), "turn  emperor", id="review"),
    ],
)
def test_a_result_prints_as_lines_for_people(result, expected: str) -> None:
    found = result()
    text = str(found)

    assert expected in text
    assert type(found).__name__ + "(" not in text
    assert all(line == line.rstrip() for line in text.split("\n"))
    assert found._repr_html_().endswith("</pre>")


def test_policies_are_not_counted_where_the_time_ran_out() -> None:
    """Then no number is printed, and a turn has at least one policy otherwise."""
    counted = tetrasolve.plan(FIGHT, "kill narbonensis")
    assert counted.policies
    assert f"actions, {counted.policies:,} policies" in str(counted)
    assert "actions, policies not counted" in str(replace(counted, policies=None))


def test_a_campaign_prints_its_turns() -> None:
    pytest.importorskip("numpy")
    found = campaign(tetrasolve.example("movement"), "secure sarmatia")
    assert found.turns == 2 and "turn 2: " in str(found)
    assert found._repr_svg_().startswith("<svg") and "Turn 1" in found._repr_svg_()
    shown = found._repr_html_()
    assert shown.count("<svg") == 2 and shown.endswith("</pre>")


def test_a_plan_shows_its_branches_on_lines_of_their_own() -> None:
    plan = tetrasolve.plan(FIGHT, "kill narbonensis").plan
    assert plan is not None and plan.fork is not None
    lines = plan._repr_html_().removeprefix("<pre>").removesuffix("</pre>").split("\n")
    assert f"attack {plan.fork.army}" in lines
    for outcome, chance, _ in plan.fork.branches:
        assert f"  {outcome} ({chance}):" in lines
    assert Plan()._repr_html_() == "<pre>end</pre>"


def test_a_game_shows_where_it_stands() -> None:
    game = tetrasolve.Game(FIGHT)
    shown = game._repr_html_()
    assert game._repr_svg_() == FIGHT._repr_svg_() and shown.startswith("<svg")
    assert "0 events; open" in shown and str(FIGHT) in shown


def test_a_builder_shows_its_state_and_why_it_cannot_occur() -> None:
    built = tetrasolve.build("4211").with_revolt("roma")
    assert str(built.position) in built._repr_html_()
    wrong = tetrasolve.build("4211").with_army("dacia").with_garrison("galerius", "dacia")
    assert wrong._repr_svg_().startswith("<svg") and "this position cannot occur:" in wrong._repr_html_()


def test_pictures_for_notebooks() -> None:
    for shown in (Board.standard(), FIGHT, tetrasolve.plan(FIGHT, "reach belgica"), tetrasolve.risk(FIGHT)):
        assert shown._repr_svg_().startswith("<svg")
