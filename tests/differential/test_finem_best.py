"""The best policy of a turn, twice: the kernel's sums over sets of cards, and the reference rules position by position."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from tablefinem import ALL_RULESETS, table

from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import Evaluation, read_objective
from tetrasolve.finem.examples import examples
from tetrasolve.finem.fast import engine_of, option_text, position_of, state_of
from tetrasolve.finem.kernel import Rng
from tetrasolve.finem.position import Position, Step
from tetrasolve.finem.ruleset import Ruleset

SAFE = read_objective("p_lost").evaluation.negated()
MIXED = read_objective(
    "constant=7 won=400 lost=-150 outbreaks=-20 decline=-3 die:O=2 die:B=-1 pacified:C=30 pacified:E=5 cubes:O=-2 cubes:E=3"
).evaluation
FEW = read_objective("outbreaks").evaluation.negated()


def compare(position: Position, evaluation: Evaluation) -> None:
    """The value, that of each option or card, and so the best options, are the same."""
    engine, solved = engine_of(position.ruleset), rules.best(position, evaluation.of)
    found = engine.best(state_of(position), evaluation.weights)
    assert found["known"] == found["unit"]
    assert Fraction(found["worth"], found["unit"]) == solved.values[position], str(position)
    each = {option_text(code): Fraction(worth, found["unit_of_each"]) for code, worth in found["each"].items()}
    expected = {option: solved.values[rules.take(position, option)] for option in rules.node(position).options}
    assert each == expected, str(position)


HAND_OF_THREE, HELD = "C5.E6.B7", "hand=C5.E6.B7"
# The order of a Tribune's cards decides how many outbreaks they bring [E-INVASION-ORDER]
ORDERED = (
    table(
        "tribune",
        rules="standard?E-INVASION-ORDER=tribune,E-TRIBUNE=invasion",
        cubes="E7:E3.E5:E2.B6:B3",
        dice="2221/-",
        step="swap",
        more="O5.O6.C6.E7.E5 hand=E7.E5",
    ),
    table(
        "tribune",
        rules="standard?E-EXCHANGE=must,E-INVASION-ORDER=tribune,E-TRIBUNE=invasion",
        cubes="E7:E3.E5:E2.ES:E2.B6:B3",
        dice="3221/-",
        tracks="5/1",
        step="invade:1",
        more="O5.O6.C6.E7.E5 hand=E7.E5",
    ),
)
QUICK = (
    table(
        "magister",
        cubes="O5:O3.O6:O3.C7:C3.C6:C3.E5:E3.E6:E3.E7:E2.B7:B3.BR:B3",
        tracks="3/2",
        step="invade:2",
        more="C5.E6.B7.OC protected=O6",
    ),
    table("consul", cubes="C7:C3.BR:B2O1.B7:B3", dice="1111/B", step="resist", more=f"{HAND_OF_THREE}.O7 {HELD}"),
    table("consul", dice="1345/B", cubes="E5:E3.E6:E3", step="raise", more=f"{HAND_OF_THREE}.OS {HELD}"),
    table(
        "tribune",
        rules="standard?E-TRIBUNE=either",
        cubes="O5:O3.O6:O3.O7:O3.CS:C1",
        step="invade:1",
        more="C5.E6.B7.O5 hand=O5",
    ),
    examples()["peril"].replace(left=2, out=examples()["peril"].out | {"C5"}),
)
SMALL = (
    *QUICK,
    table("consul", rules="standard", cubes="O5:O3.O6:O3.C7:C3.CS:C2", tracks="2/2", step="invade:2", more="C5.E6.B7"),
    table("consul", rules="standard", dice="4443/E", cubes="C7:C3", step="discard", more="C5.C6.B7 hand=C5.C6.B7"),
    table("consul", cubes="C7:C3.C6:C1", step="protect", more=f"{HAND_OF_THREE}.OC {HELD}"),
    table(
        "consul",
        rules="introductory?E-PROTECT=chain",
        cubes="O5:O3.O6:O3.C7:C3",
        step="protect",
        more=f"{HAND_OF_THREE}.OC {HELD}",
    ),
    table("consul", rules="standard", dice="3323/-", cubes="E5:E3", step="raise", more=f"{HAND_OF_THREE}.OS {HELD}"),
    table("consul", cubes="C7:C3", step="travel", more=f"{HAND_OF_THREE}.O5 {HELD}"),
    table(
        "tribune",
        rules="standard?E-TRIBUNE=invasion",
        cubes="O5:O3.O6:O3.CS:C1",
        step="swap",
        more="C5.E6.B7.O5.CS hand=O5.CS",
    ),
)

# More cards are out than a turn draws, so that the reference rules can follow a hand, an exchange, an event or a crisis
OUT = "O5.O6.O7.OS.OC.OR.E5.E7.ES.EC"
CALM = {"cubes": "CR:C3.CC:C3.BR:B3.B7:B3", "tracks": "2/2", "more": f"{OUT}.C5.C6.C7 hand=C5.C6.C7"}
SHORT = (
    table("tribune", dice="5351/-", step="exchange", **CALM),
    table("tribune", rules="standard?E-EXCHANGE=may", dice="3332/-", step="exchange", **CALM),
    table("consul", dice="1312/-", step="draw", **{**CALM, "more": f"{OUT}.C5.C6.C7 hand=C5.C6"}),
    table(
        "consul", cubes="CR:C3.BR:B2.B7:B3", dice="1332/-", tracks="1/2", step="draw", more=f"{OUT}.B5.C5.C6 hand=C5"
    ),
    table(
        "consul", cubes="CR:C3.BR:B2.B7:B3", dice="1312/-", tracks="2/2", step="draw", more=f"{OUT}.B5.C5.E6 hand=C5.E6"
    ),
    table("consul", rules="standard", dice="3142/-", step="crisis", **CALM),
    table(
        "emperor",
        rules="standard",
        cubes="CR:C3.ER:E3.OR:O2",
        dice="3142/-",
        step="civil-war",
        more=f"{OUT}.B5.C5.E6 hand=C5.E6.B5",
    ),
)
# A crisis that draws another card for one of an eradicated tribe [E-CRISIS-GONE]
AGAIN = (
    table(
        "consul",
        rules="introductory?E-CRISIS-GONE=again",
        dice="0222/O",
        cubes="C5:C2.CC:C3.CR:C3.B7:B3.BR:B2",
        tracks="3/2",
        step="crisis",
        more="O5.O6.O7.OS.C6.C7.CS.E5.E6.E7.ES.EC.ER.B5.B6.BS hand=E5.E6.E7",
    ),
    table(
        "consul",
        rules="introductory?E-CRISIS-GONE=again",
        dice="0202/OE",
        cubes="C5:C2.CC:C3.CR:C3.B7:B3.BR:B2",
        tracks="2/2",
        step="draw",
        more="O5.O6.O7.C5.C6.C7.CS.E5.E6.B5.B6.BS.BC hand=C6.C7",
    ),
    table(
        "tribune",
        rules="introductory?E-CRISIS-GONE=again,E-TRIBUNE=either",
        dice="0202/OE",
        cubes="C5:C2.CC:C3.CR:C3.B7:B3.BR:B2",
        tracks="2/2",
        step="exchange",
        more="O5.O6.O7.OS.C5.C6.C7.CS.E5.E6.B5.B6.BS hand=C6.C7.B5",
    ),
)
EVALUATIONS = {"safe": SAFE, "mixed": MIXED, "few": FEW}


def test_the_order_of_a_tribunes_cards_is_worth_something() -> None:
    """More than with the order in which they were drawn, which loses: with the better one there are three outbreaks."""
    drawn = ORDERED[0].replace(ruleset=Ruleset.from_text("standard?E-TRIBUNE=invasion"))
    kept = [rules.take(position, "keep") for position in (ORDERED[0], drawn)]
    chosen, lost = (rules.best(position, FEW.of).values[position] for position in kept)
    assert chosen > lost
    compare(ORDERED[0], FEW)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("position", [*QUICK, *ORDERED, SHORT[2], *AGAIN[:2]], ids=str)
def test_the_best_policy_is_that_of_the_reference_rules(position: Position) -> None:
    compare(position, MIXED)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVALUATIONS)
@pytest.mark.parametrize("position", [*SMALL, *SHORT, *AGAIN], ids=str)
def test_the_best_policy_for_several_objectives(position: Position, name: str) -> None:
    compare(position, EVALUATIONS[name])


LATE = (
    Step.TRAVEL,
    Step.RESIST,
    Step.RAISE,
    Step.CIVIL_WAR,
    Step.CRISIS,
    Step.DISCARD,
    Step.DISCARD_EVENT,
    Step.INVADE,
)


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", ALL_RULESETS)
def test_the_best_policy_on_states_of_random_games(ruleset: str) -> None:
    """In the middle of a turn, where two cards invade."""
    chosen = Ruleset.from_text(ruleset).dealt(Random(2))
    engine, rng, compared = engine_of(chosen), Rng(7), 0
    for steps in range(1, 400):
        position = position_of(chosen, engine.random_state(steps, rng))
        if not isinstance(position, Position) or position.step not in LATE or position.decline > 4:
            continue
        if position.role == "tribune" and position.step is not Step.INVADE:
            continue  # he looks at all cards of the invasion
        if len(position.deck) > 20 or (position.step is Step.RESIST and len(position.occupied) > 4):
            continue
        compare(position, (SAFE, MIXED)[compared % 2])
        compared += 1
        if compared == 4:
            return
    assert compared >= 2
