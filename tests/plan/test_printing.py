"""Results print as text for people, and show themselves in notebooks."""

from __future__ import annotations

import pytest

import tetrasolve
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.plan.campaign import campaign
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


def test_a_campaign_prints_its_turns() -> None:
    pytest.importorskip("numpy")
    assert "turn 2: " in str(campaign(tetrasolve.example("movement"), "secure sarmatia"))


def test_pictures_for_notebooks() -> None:
    for shown in (Board.standard(), FIGHT, tetrasolve.plan(FIGHT, "reach belgica"), tetrasolve.risk(FIGHT)):
        assert shown._repr_svg_().startswith("<svg")
