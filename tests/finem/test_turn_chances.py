"""Turns followed exactly by the reference rules: those of the kernel, and card by card where few are left."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tablefinem import ALL_RULESETS

from tetrasolve.exact.deadline import stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.examples import examples
from tetrasolve.finem.lint import effects
from tetrasolve.finem.lint.pairs import later_pairs
from tetrasolve.finem.lint.turns import turn_chances
from tetrasolve.finem.policies import POLICIES, careful
from tetrasolve.finem.position import Phase, Position, Result, Step
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.stop import Stopped


@pytest.mark.sampled(4)
@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.slow)])
@pytest.mark.parametrize("text", ALL_RULESETS)
def test_a_turn_is_that_of_the_kernel(text: str, count: int) -> None:
    """The whole turn of so many positions of games, under every value that the kernel plays."""
    ruleset = Ruleset.from_text(text)
    is_free = ruleset.readings["E-PACIFY"] == "free"  # then every game ends in its first turn
    played_by = ruleset.with_readings([("E-PACIFY", "automatic")]) if is_free else ruleset
    for played_position in effects.sample(str(played_by), count):
        position = played_position.replace(ruleset=ruleset) if is_free else played_position
        found = turn_risk(position)
        assert turn_chances(position) == (found.p_lost, found.p_won)


def end_of_turn(position: Position) -> tuple[Fraction, Fraction]:
    """The chances of a loss and a victory by the reference rules, card by card."""
    lost = won = Fraction(0)
    for state, weight in rules.follow(position, POLICIES["careful"]).items():
        if isinstance(state, Result):
            lost, won = lost + weight * (not state.is_won), won + weight * state.is_won
        elif state.phase is Phase.INVASION:
            found = end_of_turn(state)
            lost, won = lost + weight * found[0], won + weight * found[1]
    return lost, won


# Eight cards are left for a whole campaign and an invasion, or fewer where cards of the hand are known
SMALL = {
    "E-WIN=at-once/turn": (
        "standard consul C7/C7/E5 1115/OCE 2/3 OR:O3.CS:C3.CC:C3.CR:C3.ES:E3.BS:B3 "
        "draw O7.OS.OC.C5.C6.CS.CC.E6.E7.ES.EC.ER.B5.B6.BS.BC.BR"
    ),
    "E-LIMIT=once/lost": (
        "standard consul C7/C7/E5 4511/CEB 2/2 OC:O3.OR:O3.C5:C3.CR:C3.EC:E3.BR:B3 "
        "draw O5.O6.OS.OC.C5.C6.C7.CC.CR.E5.E7.ES.ER.B6.BS.BR"
    ),
    "E-LIMIT-DICE=any/open": (
        "standard consul C7/C7/E5 4421/OEB 2/1 O6:O3.O7:O3.CC:C3.E5:E3.E6:E3.ES:E3 "
        "draw O5.O6.O7.OR.C5.C7.CC.CR.E5.E6.ES.EC.ER.B5.BS.BC"
    ),
    "E-LIMIT-ORDER=suits/drawn": (
        "standard?E-LIMIT=each-point consul C7/C7/E5 1145/OC 2/3 E6:E3.E7:E3.ER:E3 "
        "draw O5.O6.O7.OS.OC.C5.C6.C7.CC.CR.E5.E7.ES.B5.B6.BS.BR"
    ),
    "E-LIMIT-ORDER=suits/chosen": (
        "standard?E-LIMIT=each-point consul C7/C7/E5 1145/OC 2/3 E6:E3.E7:E3.ER:E3 "
        "draw O5.O6.O7.OS.OC.C5.C6.C7.CC.CR.E5.E7.ES.B5.B6.BS.BR"
    ),
    "E-LIMIT=once/before-six": (
        "standard consul C7/C7/E5 5411/EB 2/2 OC:O3.OR:O3.CC:C3.CR:C3.EC:E3.BR:B3 "
        "draw O7.OS.OC.OR.CS.CC.CR.E6.E7.ES.EC.ER.B6.B7.BS.BC.BR"
    ),
    "E-THREE=crisis/either": (
        "standard consul C7/C7/E5 4511/CEB 3/1 OC:O3.OR:O3.C5:C3.CR:C3.EC:E3.BR:B3 "
        "draw O5.O6.OS.O7.C5.C6.C7.CC.E6.E5.E7.ES.ER.B6.BS.BR"
    ),
    "E-CHAIN-FIRST=once/again": (
        "standard consul C7/C7/E5 5111/CEB 2/1 O7:O3.OR:O3.C7:C3.CS:C3.E5:E3.E6:E3 "
        "draw O7.OS.OC.OR.C7.CC.CR.E5.E6.E7.EC.ER.B5.B6.B7.BS"
    ),
    "E-ORDER=listed/crisis-last": (
        "standard consul C7/C7/E5 5111/CEB 2/3 E6:E3.E7:E1.ER:E3 draw O5.O6.O7.OS.OC.C5.C6.CC.CS.B7.B5 hand=C5.C6"
    ),
    "E-FILL=missing/held": (
        "standard consul C7/C7/E5 2221/- 3/2 E6:E3.E7:E2.EC:E1.ER:E3 "
        "crisis O5.O6.O7.OS.OC.OR.C5.C6.CC.CS.B7.B5 hand=C5.C6.B7"
    ),
    "E-RESIST-ALL=instead/besides": (
        "standard consul C7/C7/E5 2522/CEB 2/2 C6:C3.E7:E3.ES:E3.B5:B3.B6:B3.B7:B3 "
        "draw O5.O6.OR.C5.C7.CS.CC.CR.E5.E6.ES.EC.B5.B6.B7.BS"
    ),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", SMALL)
def test_a_small_turn_is_the_same_card_by_card(name: str) -> None:
    """Under both values, which differ there."""
    (pair,) = (pair for pair in later_pairs() if pair.id == name)
    position = Position.parse(SMALL[name])
    both = [position, position.replace(ruleset=position.ruleset.with_readings([(pair.reading, pair.second)]))]
    one, other = (turn_chances(table) for table in both)
    assert [one, other] == [end_of_turn(table) for table in both] and one != other


def test_a_named_region_depends_on_the_cards_that_are_out() -> None:
    """Event C, from a hand that was not seen: the region that loses, or the next one where its card is in the hand."""
    line = "standard consul C7/C7/E5 2221/- 1/3 {} draw O6.O7.OS.OC.OR.C5.C6.C7.CC.E5.E6.E7.ES.EC.B6.BC"
    for cubes in ("O5:O3.CR:C3.ER:E3.BS:B3", "CS:C3.ER:E3.B5:B3"):
        position = Position.parse(line.format(cubes))
        assert turn_chances(position) == end_of_turn(position)


def test_a_region_is_named_when_all_cards_of_the_hand_are_known() -> None:
    """[E-PROTECT-OUT] deck: every card of the hand was asked for and is in it, and the policy names one that is not out."""
    line = "standard?E-PROTECT-OUT=deck consul C7/C7/BC 2221/- 2/1 O5:O2.O7:O3.C7:C3.E7:E3.B5:B1 act:4 -"
    position = Position.parse(line)
    found = turn_risk(position)
    assert turn_chances(position) == (found.p_lost, found.p_won)


@pytest.mark.parametrize(
    "line",
    [
        "standard dictator C7/C7/E7 1115/OCE 1/3 OR:O3.B7:B3 act:4 -",
        pytest.param(str(examples()["dictator"]), marks=pytest.mark.slow),
    ],
    ids=["few cubes", "example"],
)
def test_a_turn_is_followed_from_a_ride_on(line: str) -> None:
    """The mean over the Dictator's cards of what the kernel says after each of them."""
    ride = rules.take(Position.parse(line), "ride")
    assert isinstance(ride, Position)
    lost = won = Fraction(0)
    for card in ride.deck:
        state = rules.take(ride, card)
        while isinstance(state, Position) and state.step in (Step.RIDE, Step.ACT):
            state = rules.take(state, careful(state, rules.node(state)))
        assert isinstance(state, Position)
        found = turn_risk(state)
        lost, won = lost + found.p_lost / len(ride.deck), won + found.p_won / len(ride.deck)
    assert turn_chances(ride) == (lost, won)


def test_the_order_of_cards_counts_where_it_should() -> None:
    """[E-LIMIT-ORDER], by hand: the die of 5 must rise before both cards of the tribe at 4; a third of the orders of 90 hands."""
    first = Position.parse("standard?E-LIMIT=each-point consul C7/C7/E5 1145/OC 1/1 - act:4 -")
    second = first.replace(ruleset=first.ruleset.with_readings([("E-LIMIT-ORDER", "drawn")]))
    assert (turn_chances(first), turn_chances(second)) == ((0, 0), (0, Fraction(90, 3 * 2024)))


def test_a_turn_ends_with_its_stop() -> None:
    with pytest.raises(Stopped):
        turn_chances(Position.parse(SMALL["E-WIN=at-once/turn"]), stop_of(0))


def test_a_crisis_and_dice_that_pacify_nothing_come_to_the_same() -> None:
    """[E-ORDER] crisis-last, from the crisis on, with a board that loses often."""
    line = "standard{} consul C7/C7/E5 {}/- 3/3 E6:E3.ER:E3.E7:E1 crisis O5.O6.O7.OS.OC.C5.C6.CC.CS.B7.B5 hand=C5.C6.B7"
    one, other = (
        Position.parse(line.format(reading, dice)) for reading, dice in (("", "2221"), ("?E-ORDER=crisis-last", "2422"))
    )
    assert turn_chances(one) == turn_chances(other) == end_of_turn(one) and end_of_turn(one)[0] > 0
