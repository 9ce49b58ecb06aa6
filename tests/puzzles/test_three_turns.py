"""Puzzles that ask for a win in three turns: one answer, by the reference rules too, refutations, and certificates."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from typing import Any

import pytest
from everyplan import EveryPlan

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.errors import OutOfTimeError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.plan import Status, read_objective, read_plan
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult, exhaustive
from tetrasolve.tetrarchia.position import Position, start_of_turn
from tetrasolve.tetrarchia.puzzle import unique
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind, questions
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, certified
from tetrasolve.tetrarchia.puzzle.recipe import recipe
from tetrasolve.tetrarchia.puzzle.unique import tables

# A game of greedy Emperors: all borders but Sarmatia are secured, and what follows has 76,810 situations
LATE = "3122 C:2 per/ach/srm/bri 3 - dac tin.lus.gla.bel.nor.dal.thr.cil.gat.num.afr aqu.per.lib/tri.gae/-/psu.bri.gma"
SUPPORT = (
    "4211 G:1 syr/pin/sic/afr 23 gma.per bae.lus.car.gla.tar.dac.min.msu.thr.mac.epi.aeg.cyr lug.asi.num "
    "tin.syr.cil/-/luc.aqu/etr.psu"
)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Position:
    """One IP for Diocletian and two for Galerius, who attacks; Maximian can help from Noricum."""

    def begun(end: Position, emperor: str) -> Position:
        return start_of_turn(end, emperor).replace(ip=2 if emperor == "galerius" else 1)

    monkeypatch.setattr("tetrasolve.tetrarchia.plan.nextturn.start_of_turn", begun)
    return Position.parse("4211 M:1 lug/rha/etr/pin 23 gma bae.rha - -/-/-/-")


def test_the_question_names_three_emperors_and_is_asked_by_name_where_it_is_far_to_a_win() -> None:
    late, asked = Position.parse(LATE), kind("three-win")
    assert asked.question_about(late, None) is None, "one border is left"
    position = late.with_disc("persia", None)
    question = asked.question_about(position, None)
    assert question is not None
    assert str(question).startswith("Constantius moves, then Maximian, then Diocletian; nothing happens in between.")
    assert question.said("es").startswith("Juega Constancio, después Maximiano y después Diocleciano; entre los turnos")
    assert str(question.objective).startswith("next next secure britannia, gaetulia, ")
    assert all(other.kind.name != "three-win" for other in questions(position))
    for border in ("libya", "gaetulia"):
        position = position.with_disc(border, None)
    assert asked.question_about(position, None) is None, "too many borders are left"


def test_every_plan_of_three_turns_by_the_reference_rules_gives_the_same_answer(short: Position) -> None:
    objective = read_objective("next next kill germania_magna")
    found = unique(short, objective)
    every = EveryPlan(objective, 1, 20_000).best(short)
    (answer,) = every.answers
    assert found.is_unique and every.values == (Fraction(2, 3), -1)
    assert dict(answer) == dict(tables(found.ends))


def test_what_is_wrong_with_another_plan_is_said(short: Position) -> None:
    found = unique(short, "next next kill germania_magna")
    tried = attempt(found, read_plan("end", short.board))
    assert not tried.is_right and tried.mistake is not None
    assert (tried.mistake.step, tried.mistake.before[0], tried.mistake.left[0]) == (
        "end",
        Fraction(2, 3),
        Fraction(5, 18),
    )


def test_what_is_wrong_is_not_said_by_plans_that_are_only_the_best_so_far(
    short: Position, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that the time has ended gives a plan, too, and its values are not those that were within reach."""
    found = unique(short, "next next kill germania_magna")

    def ended(*arguments: Any) -> PlanResult:
        return replace(exhaustive(*arguments), status=Status.FEASIBLE)

    monkeypatch.setattr("tetrasolve.tetrarchia.puzzle.attempt.exhaustive", ended)
    with pytest.raises(OutOfTimeError, match="what is wrong with"):
        attempt(found, found.plan)


def test_the_time_is_over_before_the_checker_is_done() -> None:
    """While the certificate is written, and while the checker runs, which is ended then."""
    question = kind("two-kill").question_about(Position.parse(SUPPORT), "germania_magna")
    assert question is not None
    puzzle, stop = Puzzle(question, "composed", unique(question.position, question.objective)), Stop()
    stop.set()
    for _ in range(2):
        with pytest.raises(OutOfTimeError, match="before the checker was done"):
            certified(puzzle, stop)
        assert puzzle.certificate is not None


@pytest.mark.slow
def test_with_all_ip_the_checker_confirms_a_win_within_three_turns() -> None:
    position = Position.parse(LATE)
    borders = ", ".join(sorted(position.board.borders))
    found = unique(position, f"next next secure {borders}")
    assert str(found.plan) == "secure" and found.values == (1, 2)
    assert certified(Puzzle(Question(kind("three-win"), None, position), "greedy play", found)) == CONFIRMED


def test_the_recipes_of_the_shipped_collection_are_those_it_was_made_by() -> None:
    """A limit that a kind does not have changes no recipe."""
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/puzzles/shipped.json").read_text("utf-8")
    made = json.loads(text)["parts"]
    assert {part.kind: part.digest() for part in recipe()} == {name: row["recipe"] for name, row in made.items()}
