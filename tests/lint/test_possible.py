"""What can come of a phase at all: the results that faces and answers lead to."""

import pytest

from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.boards import sides
from tetrasolve.tetrarchia.lint.compare import Pair, with_value
from tetrasolve.tetrarchia.lint.possible import results
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.readings import no_difference

BOARD = Board.standard()
GRAY = '4111+barbaria D:b -/-/-/- 1 gma - - -/-/-/- barbarian_discs={"black":0,"gray":1}'


def test_without_choices_they_are_the_results_with_a_chance():
    """All of them, and no others."""
    position = Position.parse("4111 D:b rom/-/-/- 1 gma bel - -/-/-/-", BOARD)

    assert results(position) == {*rules.outcomes(position)}


def test_with_choices_they_are_those_of_every_policy():
    """Each end that a policy comes to, whether the disc is spent or kept."""
    position = Position.parse(GRAY, BOARD)
    found = results(position)
    of_policies = {end for policy in rules.POLICIES.values() for end in rules.outcomes(position, policy)}

    assert of_policies <= found
    assert {end.gray for end in found} == {0, 1}


def test_a_flag_stops_it():
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        results(Position.parse(GRAY.replace('"gray":1', '"gray":3'), BOARD), stop)


def test_the_result_is_drawn_on_both_boards():
    """With the value under which it is possible, and what it changes marked."""
    finding = findings().named("I-BLACK-WHEN=steps/armies")
    first, second = sides(finding)

    assert "a result that is impossible" in first.caption and "a result that is possible" in second.caption
    assert first.position == second.position and first.marked == second.marked != ()


def test_the_black_disc_is_what_the_values_are_about():
    """Without one they are compared as others are, and the same."""
    pair = Pair("I-BLACK-WHEN", "start", "armies")
    assert pair.by_reference
    ends = [results(with_value(Position.parse(GRAY, BOARD), pair.reading, value)) for value in pair.values]
    assert len(ends[0]) == len(ends[1])


def test_values_that_are_the_same_on_this_board():
    """Two orders are; where a player chooses, something changes."""
    assert no_difference(BOARD, "I-SHORTEST", ("region", "file"))
    assert no_difference(BOARD, "I-SHORTEST", ("region", "chosen")) is None
    assert no_difference(BOARD, "I-BLACK-WHEN", ("steps", "start")) is None
