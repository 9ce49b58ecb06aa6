"""Whether a turn has one answer: against all answers by the reference rules, and on near-duplicates written by hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest
from allanswers import TooManyError, answers, two_best
from moduleplans import cases
from moduleturns import EACH, TOGETHER
from solvertasks import tasks
from tabletop import MAP, make_position

from tetrasolve.errors import IllegalPositionError, OutOfTimeError
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.plan import Objective, read_objective, read_plan
from tetrasolve.tetrarchia.plan.objective import natural
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import Uniqueness, Verdict, unique
from tetrasolve.tetrarchia.puzzle.unique import tables


def agrees(position: Position, objective: Objective, stated: Stated | None = None) -> Uniqueness | None:
    """Both values and the verdict are those of all answers; None where there are too many to be listed."""
    try:
        first, second, is_only = two_best(answers(position, objective, stated))
    except TooManyError:
        return None
    found = unique(position, objective, stated)

    def as_read(values: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        return tuple(natural(term, value) for term, value in zip(objective.terms, values[1:], strict=True))

    assert (found.kept, found.values) == (first[0], as_read(first))
    assert (found.other is None) == (second is None)
    if second is not None:
        assert (found.other_kept, found.other_values) == (second[0], as_read(second))
        assert (found.gap is None) == (first == second) == (not is_only)
    assert str(found)
    return found


@pytest.mark.parametrize(("most_ip", "count"), [(2, 36), pytest.param(3, 500, marks=pytest.mark.slow)])
def test_answers_are_those_of_all_policies(most_ip: int, count: int) -> None:
    found: Counter[Verdict] = Counter()
    listed = 0
    for task in tasks("answers", count, most_ip, 1):
        for stated in (None, task.stated):
            result = agrees(task.position, task.objective, stated)
            if result is not None:
                found[result.verdict] += 1
                listed += 1
    of_one_turn = [verdict for verdict in Verdict if verdict is not Verdict.TOO_MANY_TURNS]
    assert listed > count and min(found[verdict] for verdict in of_one_turn) >= count // 20, found


@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
def test_answers_are_those_of_all_policies_with_modules(extensions: str) -> None:
    for position, text in islice(cases(extensions), 2):
        agrees(position, read_objective(text, position.board))


@pytest.mark.slow
@pytest.mark.parametrize("extensions", [*EACH, *TOGETHER])
def test_answers_are_those_of_all_policies_with_modules_on_many_turns(extensions: str) -> None:
    found = [agrees(p, read_objective(text, p.board)) for p, text in islice(cases(extensions), 60)]
    assert sum(one is not None for one in found) > 30


# -- near-duplicates by hand -------------------------------------------------------------------------------------

# Belgica lies beside the army by a broken link, under a garrison of Galerius: with 3 IP there is one attack
BESIDE = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia", garrisons={"galerius": "belgica"})
ONE_PLACE = "kill britannia then most value emperor@lugdunensis=1"
TWO_PLACES = "kill britannia then most value emperor@germania_inferior=1 emperor@lugdunensis=1"


def ends_of(position: Position, text: str) -> Counter[Position | None]:
    return tables(tuple(endings(position, read_plan(text, position.board))))


def attack_then(after_a_draw: str) -> str:
    return f"attack britannia {{victory 5/12: end | draw 1/6: {after_a_draw} | defeat 5/12: end}}"


def test_another_order_is_the_same_answer() -> None:
    position = make_position(at={"diocletian": "narbonensis"}, ip=2, fleets=(1,), unrest="narbonensis")
    found = unique(position, "clear narbonensis then most value emperor@baetica=1")
    orders = {"remove; sail 1>2", "sail 1>2; remove"}
    first, second = (ends_of(position, text) for text in orders)
    assert first == second and str(found.plan) not in orders
    assert found.is_unique and str(found.plan) == "remove"


def test_a_detour_is_the_same_answer_and_costs_ip() -> None:
    """All ways to a province end in one position, whatever IP are left: the gap is to the next position."""
    position = make_position(at={"diocletian": "belgica"}, ip=4, fleets=(3,))
    ways = ("move germania_inferior; move belgica; move lugdunensis", "move lugdunensis")
    first, second = (ends_of(position, f"{way}; secure") for way in ways)
    assert first == second
    found = unique(position, "secure lugdunensis")
    assert found.is_unique and found.values == (1, 2)
    # not the detour for 4 IP, but a plan that goes on from there
    assert found.other_values == (1, 3) and str(found.gap) == "1 of 'least ip'"


def test_another_position_of_the_same_value_is_a_second_answer() -> None:
    """The two plans have all values in common, but not the province where the Emperor ends."""
    position = make_position(at={"diocletian": "belgica"}, ip=1, fleets=(3,))
    found = unique(position, "most value emperor@germania_inferior=1 emperor@lugdunensis=1")
    assert found.verdict is Verdict.TWO_ANSWERS and found.gap is None
    assert {str(found.plan), str(found.other)} == {"move germania_inferior", "move lugdunensis"}
    assert found.values == found.other_values == (1, 1)
    assert "equally good" in str(found) and "second answer" in str(found)


def test_a_branch_with_two_best_continuations_makes_two_answers() -> None:
    found = unique(BESIDE, TWO_PLACES)
    assert found.verdict is Verdict.TWO_ANSWERS
    both = {str(found.plan), str(found.other)}
    assert both == {attack_then("move germania_inferior"), attack_then("move lugdunensis")}
    assert ends_of(BESIDE, str(found.plan)) != ends_of(BESIDE, str(found.other))


def test_a_branch_with_one_best_continuation_makes_one_answer() -> None:
    """The best other plan spends the last IP after a victory: the gap is 1 IP times the chance of that branch."""
    found = unique(BESIDE, ONE_PLACE)
    assert found.is_unique and str(found.plan) == attack_then("move lugdunensis")
    assert str(found.gap) == "5/12 of 'least ip'"
    assert "draw 1/6: move lugdunensis |" in str(found.other) and "victory 5/12: end" not in str(found.other)


def test_with_stated_outcomes_the_branches_that_are_left_count() -> None:
    victory = (("britannia", Outcome.VICTORY),)
    draw = (("britannia", Outcome.DRAW),)
    assert unique(BESIDE, "kill britannia", victory).is_unique
    assert unique(BESIDE, "kill britannia", draw).verdict is Verdict.NO_SOLUTION
    agrees(BESIDE, read_objective(TWO_PLACES, MAP), draw)


# -- what makes no puzzle ----------------------------------------------------------------------------------------


def test_a_goal_out_of_reach_has_no_solution() -> None:
    found = unique(BESIDE, "secure persia")
    assert found.verdict is Verdict.NO_SOLUTION and not found.is_unique
    assert str(found) == "no solution: no plan has a chance of 'secure persia'"


def test_a_constraint_that_dice_can_break_has_no_solution() -> None:
    found = unique(BESIDE, "reach persia subject to end in persia")
    assert found.verdict is Verdict.NO_SOLUTION
    assert str(found) == "no solution: no plan is certain to end in persia"


def test_what_is_so_already_is_decided() -> None:
    found = unique(BESIDE, "secure belgica")
    assert found.verdict is Verdict.DECIDED
    assert found.sentence == "decided: 'secure belgica' is so already"


def test_a_turn_without_a_choice_is_decided() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=0)
    found = unique(position, "least p_uprising")
    assert found.verdict is Verdict.DECIDED and found.other is None
    assert found.sentence == "decided: all plans end the turn in the same position"


def test_positions_without_a_turn_are_refused() -> None:
    with pytest.raises(IllegalPositionError, match="Barbarian phase"):
        unique(make_position(barbarian=True), "least p_uprising")
    with pytest.raises(IllegalPositionError, match="cannot occur"):
        unique(make_position(at={"diocletian": "persia"}, armies="persia", legal=False), "least p_uprising")


def test_a_search_that_is_not_complete_gives_no_answer() -> None:
    with pytest.raises(OutOfTimeError, match="whether 'least p_lost then least ip' has one answer"):
        unique(example("movement"), "least p_lost", seconds=0)
