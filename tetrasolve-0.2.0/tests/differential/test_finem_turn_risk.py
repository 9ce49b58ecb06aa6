"""The risk of a whole turn of the second game: its figures hold together, agree with the phase's, and say what is not known."""

from fractions import Fraction

import pytest
from tablefinem import random_game, table

from tetrasolve.errors import ArgumentError, IllegalPositionError
from tetrasolve.finem import rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.kernel import POLICIES
from tetrasolve.finem.position import Position, Step, cubes_of
from tetrasolve.finem.risk import phase_risk
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.turnrisk import TurnRisk, turn_risk
from tetrasolve.stop import Stop

PERIL, LIMIT = examples()["peril"], examples()["limit"]
LAST_TWO = PERIL.replace(left=2, last="CR", out=PERIL.out | {"CR"})


def start(level: str = "standard", seed: int = 3) -> Position:
    found = rules.random_set_up(Ruleset.from_text(level), seed)
    assert isinstance(found, Position)
    return found


def hold_together(found: TurnRisk) -> None:
    """Each figure of turns after which the game goes on sums to the chance of that."""
    assert found.p_won + found.p_lost + found.p_goes_on + found.unknown == 1
    for row in (found.outbreaks, found.decline, *found.dice.values(), *found.cubes.values()):
        assert sum(row.values()) == found.p_goes_on
    on_map = sum(n * weight for row in found.cubes.values() for n, weight in row.items())
    assert on_map == sum(found.in_region.values())
    assert sum(found.by_card.values()) + found.ends.get("lost: decline", 0) == found.p_lost
    assert [*found.by_card.values()] == sorted(found.by_card.values(), reverse=True)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("level", ["introductory", "standard", "expert+corner+sphere+cap3"])
def test_the_figures_of_a_turn_hold_together(level: str, policy: str) -> None:
    positions = [position for seed in range(3) for position, _, _ in random_game(level, seed)]
    for position in positions[:: len(positions) // 12]:
        if position.step not in (Step.DICTATOR, Step.RIDE):
            found = turn_risk(position, policy)
            hold_together(found)
            assert found.status == "exact" and found.unknown == 0


def test_in_the_last_phase_the_turn_is_the_phase() -> None:
    found, phase = turn_risk(LAST_TWO), phase_risk(LAST_TWO)
    assert (found.ends, found.outbreaks, found.decline) == (phase.ends, phase.outbreaks, phase.decline)


def test_who_passes_now_and_who_has_passed_risk_the_same() -> None:
    position = start()
    passed = rules.take(position, "pass")
    assert isinstance(passed, Position) and turn_risk(position) == turn_risk(passed)


def test_the_causes_and_the_worst_card() -> None:
    """Two regions with three cubes each burst on their cards; the decline before its last place loses without a card."""
    last = PERIL.replace(left=1, last="CR", out=PERIL.out | {"CR", "E5"})
    found = turn_risk(last)
    assert found.ends == {"lost: outbreaks": Fraction(2, 19)}
    assert found.by_card == {"B6": Fraction(1, 19), "B7": Fraction(1, 19)} and found.worst_card == "B6"
    fell = turn_risk(table("consul", dice="2233/-", tracks="11/2", step="draw"))
    assert fell.ends["lost: decline"] == 1 - Fraction(864, 2024)  # three suits alone leave it where it is
    calm = turn_risk(last.replace(cubes=cubes_of({"BR": {"B": 1}, "CR": {"C": 1}, "E5": {"E": 1}}), outbreaks=1))
    assert calm.p_lost == 0 and calm.worst_card is None and calm.mean(calm.cubes["B"]) == 1 + Fraction(6, 19)


def test_without_time_nothing_is_known_and_the_interval_holds() -> None:
    cancelled, whole = Stop(), turn_risk(start())
    cancelled.set()
    for stopped in (turn_risk(start(), seconds=0), turn_risk(start(), cancel=cancelled)):
        hold_together(stopped)
        assert stopped.status == "interrupted" and stopped.mean(stopped.cubes["O"]) is None
        assert stopped.p_lost <= whole.p_lost <= stopped.p_lost + stopped.unknown


def test_what_has_no_risk_is_refused() -> None:
    with pytest.raises(ArgumentError, match="one of careful, first"):
        turn_risk(LIMIT, "bold")
    with pytest.raises(IllegalPositionError, match="finish the Dictator's action"):
        turn_risk(table("dictator", dice="2221/-", step="ride:C7", more="C7"))
    with pytest.raises(IllegalPositionError, match="cannot occur"):
        turn_risk(table(cubes="C7:C4"))
    with pytest.raises(ArgumentError):
        turn_risk("limit")  # type: ignore[arg-type]  # the error is the point
    assert LIMIT.step is Step.DISCARD
