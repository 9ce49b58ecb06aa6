"""Grades of decisions in Barbarian phases."""

import pytest

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.hint.choices import advise_on_phase
from tetrasolve.tetrarchia.hint.phasereview import PhaseDecision, decisions
from tetrasolve.tetrarchia.hint.policy import GREEDY
from tetrasolve.tetrarchia.hint.review import review
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.rules import GivenCourse

RECORD = """tetrasolve-record/2
board tetrarchia
ruleset 4210+barbaria+imperium
start 4210+barbaria+imperium D:6 asi/-/cis/- 13 rha rha dac -/-/-/- barbarian_discs={"black":0,"gray":2} """
RECORD += """removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}
1 diocletian: imperium reserve; constantius: move etruria; constantius: move cisalpina; end
dice: 5 6 reroll 3 5 cancel
result open
"""


@pytest.fixture(scope="module")
def game() -> Game:
    return read_record(RECORD)


def test_the_decisions_of_a_game_are_its_answers_in_order(game: Game) -> None:
    found = [(turn, choice.decider, answer) for turn, choice, answer in decisions(game)]
    assert found == [(1, "barbarian", "reroll"), (1, "barbarian", "cancel")]


def test_a_phase_before_the_first_turn_is_number_0(game: Game) -> None:
    before = game.states[-2]
    assert isinstance(before, Position)
    later = Game(before)
    given = GivenCourse(game.played[-1].course)
    later.barbarians(given, given.decide)
    assert [turn for turn, *_ in decisions(later)] == [0, 0]


def test_a_loss_is_the_difference_to_the_best_option_of_the_advice(game: Game) -> None:
    """With the same seed and number of phases; the Barbarian player has the sign turned round."""
    found = review(game, budget=GREEDY, seed=3, phases=16)
    assert found.status == "complete" and found.ungraded == ()
    before = game.states[-2]
    assert isinstance(before, Position)
    for row, course in zip(found.phase_decisions, ((5, 6), (5, 6, "reroll", 3, 5)), strict=True):
        advice = advise_on_phase(before, course, phases=16, seed=3)
        values = {valued.option: valued.value for valued in advice.options}
        assert (row.decider, row.question, row.phases) == (advice.decider, advice.question, 16)
        assert row.loss == pytest.approx(values[row.answer] - min(values.values()), abs=1e-12)
        assert values[row.best] == min(values.values()) or row.loss == 0
    assert [row["turn"] for row in found.as_data()["phase_decisions"]] == [1, 1]
    assert "the Barbarian player: 2 decisions, lost" in str(found) and "not graded" not in str(found)


def test_a_grade_needs_more_than_what_the_dice_explain() -> None:
    def graded(loss: float, error: float) -> str:
        return PhaseDecision(1, "barbarian", "?", "no", "yes", loss, error, 72).grade

    assert graded(0.2, 0.01) == "blunder" and graded(0.06, 0.0) == "mistake" and graded(0.03, 0.01) == "inaccuracy"
    assert graded(0.2, 0.1) == graded(0.2, 0.11) == graded(0.01, 0.0) == ""


def test_what_was_not_reached_in_time_is_counted_as_not_graded(game: Game) -> None:
    plain = review(game, budget=GREEDY)
    assert plain.ungraded == (("barbarian", 2),) and plain.phase_decisions == () and plain.status == "complete"
    cancel = Stop()
    found = review(
        game, budget=GREEDY, phases=8, cancel=cancel, progress=lambda done, _: cancel.set() if done == 2 else None
    )
    assert found.status == "interrupted" and found.turns == plain.turns
    assert len(found.phase_decisions) == 1 and found.ungraded == (("barbarian", 1),)
    assert "not graded" in str(found)


def test_progress_counts_turns_and_decisions(game: Game) -> None:
    seen: list[tuple[int, int]] = []
    review(game, budget=GREEDY, phases=8, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize("phases", [-1, 1, 7, 721])
def test_a_number_of_phases_out_of_range_is_refused(game: Game, phases: int) -> None:
    with pytest.raises(ValueError, match="expected 0, or 8 to 720"):
        review(game, phases=phases)
