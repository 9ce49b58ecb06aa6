"""Puzzles that ask for a win in three turns: one answer, by the reference rules too, refutations, and certificates."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from importlib import resources
from random import Random
from typing import Any

import pytest
from everyplan import EveryPlan

from tetrasolve.certify.checking import CONFIRMED
from tetrasolve.errors import OutOfTimeError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import Status, read_objective, read_plan
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult, exhaustive
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.puzzle import Verdict, unique
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.composing import composed, is_small
from tetrasolve.tetrarchia.puzzle.kinds import Question, kind, questions
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, certified, in_fewer_turns, solve
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


def test_the_question_names_three_emperors_and_is_asked_by_name() -> None:
    position, asked = Position.parse(LATE), kind("three-win")
    question = asked.question_about(position, None)
    assert question is not None
    assert str(question).startswith("Constantius moves, then Maximian, then Diocletian; nothing happens in between.")
    assert question.said("es").startswith("Juega Constancio, después Maximiano y después Diocleciano; entre los turnos")
    assert str(question.objective).startswith("next next secure britannia, gaetulia, ")
    assert all(other.kind.name != "three-win" for other in questions(position))
    for border in ("persia", "libya", "gaetulia"):
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


def test_a_win_that_comes_as_surely_in_fewer_turns_is_no_puzzle_of_three() -> None:
    question = kind("three-win").question_about(Position.parse(LATE), None)
    assert question is not None
    found = solve(question)
    assert found.verdict is Verdict.TOO_MANY_TURNS and not found.is_unique
    assert found.sentence.startswith("too many turns: the chance of 'next next secure britannia, ")
    assert in_fewer_turns(question) == 1, "Constantius secures Sarmatia now"


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


# -- composed positions ----------------------------------------------------------------------------------------------


def test_a_composed_position_is_legal_and_late_and_the_same_for_the_same_draws() -> None:
    fight = example("fight")
    made = composed(fight, Random(334))
    assert made is not None and made == composed(fight, Random(334)) and composed(fight, Random(335)) is None
    second = next_emperor(made)
    third = next_emperor(made.replace(to_move=second))
    assert not made.status() and len(made.secured) == 5
    assert (made.reserve_garrisons(second), made.reserve_garrisons(third)) == (0, 1)
    assert {made.emperors[second], made.emperors[third]} <= {*made.board.borders}
    assert (made.fleets, made.armies, made.to_move) == (fight.fleets, fight.armies, fight.to_move)


def test_composed_positions_are_as_small_as_the_checker_needs_them(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse(LATE)
    assert is_small(position)
    for name, limit in (("MOST_STATES", (5, 250, 900)), ("MOST_STATES", (60, 10, 900)), ("MOST_NEXT", 20_000)):
        with monkeypatch.context() as patch:
            patch.setattr(f"tetrasolve.tetrarchia.puzzle.composing.{name}", limit)
            assert not is_small(position)
