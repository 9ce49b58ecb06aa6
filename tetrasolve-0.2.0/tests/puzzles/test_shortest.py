"""The shortest fall: the fewest uprisings, by the reference rules and by following all dice up to so many uprisings."""

from __future__ import annotations

import pytest
from everyplan import named_first

from tetrasolve.errors import TooLargeError
from tetrasolve.puzzles.ranked import Verdict
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import shortest
from tetrasolve.tetrarchia.puzzle.kinds import kind
from tetrasolve.tetrarchia.puzzle.ranked import ranked
from tetrasolve.tetrarchia.puzzle.shortest import Course
from tetrasolve.tetrarchia.rules import Fall, solve

SPAIN = (
    "3221 G:6 bit/aqu/lug/mac 23 gat bae.lus.car.gla.bel.gsu.syr.cil.gat.asi.cyr.afr aqu.nor srm/tri/epi.lib/psu.gma"
)
ONE = "4222 C:6 etr/nar/cap/srm 23 cis cis.lus.car.gla.tar.bel.gin.gsu.rha.psu.nor.dac cyr.afr thr.aeg.tri.lib/dal.syr/cil.per/srm"
CALM = "4222 D:6 aeg/epi/-/dal 23 - tar epi -/-/-/-"


@pytest.mark.parametrize("text", [SPAIN, ONE, CALM])
def test_the_fewest_uprisings_are_those_with_which_a_fall_is_possible(text: str) -> None:
    position = Position.parse(text)
    found = Course(position).by_first()
    for most in (0, 1, 2, 3, 5):
        assert {place for place, number in found.items() if number <= most} == named_first(position, most)
    lost = sum(chance for end, chance in solve(position).ends.items() if isinstance(end, Fall))
    assert (lost > 0) == bool(found)


def test_one_province_is_the_answer_and_the_next_one_is_worse() -> None:
    (question,) = kind("fall").questions(Position.parse(SPAIN))
    answer = ranked(question)
    assert (answer.verdict, answer.answer, answer.options[0][1]) == (Verdict.ONE_ANSWER, "germania_superior", 2)
    assert answer.is_right("Germania Superior") and not answer.is_right("syria")
    assert "the next option differs by 3" in str(answer)
    assert "levantamientos" in question.said("es")


def test_the_only_province_that_can_lead_to_a_fall_is_one_answer() -> None:
    text = "4222 M:6 epi/aqu/syr/lug 23 srm bae.lus.car.gla.tar.bel.gin.gsu.lug.rha.dac afr aeg.tri.lib/dal.syr/tin.psu.cil/- "
    (question,) = kind("fall").questions(Position.parse(text.strip()))
    answer = ranked(question)
    assert answer.is_unique and answer.other is None and len(answer.options) == 1
    assert answer.sentence == "one answer: there is no other option"
    assert answer.is_right("dacia") and not answer.is_right("5")


def test_where_nothing_falls_there_is_no_solution() -> None:
    (question,) = kind("fall").questions(Position.parse(CALM))
    assert ranked(question).verdict is Verdict.NO_SOLUTION


def test_many_provinces_that_need_none_are_two_answers() -> None:
    """An army beside Italia comes to Roma whatever is named, where the way is open; no uprising helps it."""
    position = Position.parse("4222 D:6 aeg/epi/-/rom 23 etr etr.tar - -/-/-/-")
    (question,) = kind("fall").questions(position)
    assert ranked(question).verdict is Verdict.TWO_ANSWERS
    assert set(Course(position).by_first().values()) <= {0, 1}


def test_phases_that_are_too_large_and_flags_end_it(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.parse(SPAIN)
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        Course(position, stop)
    monkeypatch.setattr(shortest, "MOST_STEPS", 10)
    with pytest.raises(TooLargeError, match="more than 10 steps"):
        Course(position)
