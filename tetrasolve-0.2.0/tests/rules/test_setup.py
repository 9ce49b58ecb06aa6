"""Set-up (rulebook pages 6 and 7): who and what is on the board before the first turn."""

from fractions import Fraction
from itertools import product

import pytest
from tabletop import CAPITALS, MAP

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import GivenDice, RandomDice, setup
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

ONE_EACH = [2, 2, 2, 2, 2, 2]  # the dice of the six first revolts: baetica, germania_inferior, ... cyrenaica


@pytest.mark.rule("p04-figures", "p06-four-emperors")
def test_the_figures_in_the_box():
    """Four Emperors, Dux and Vicarius, three Roman fleets, three armies, the Pirates and the Goths (p. 4)."""
    everything = Ruleset(4, 2, 0, 0, frozenset({"dux", "vicarius", "pirates", "goths"}))
    position = rules.random_set_up(everything, "the box", board=MAP)

    assert set(position.emperors) == set(CAPITALS)
    assert set(position.pieces.plain()) == {"dux", "vicarius", "pirates", "goths"}
    helped = position.with_figure("dux", "asia").with_figure("vicarius", "roma")
    assert dict(helped.romans) == {"dux": "asia", "vicarius": "roma"}
    assert position.reserve_armies == 3
    with pytest.raises(RulesetError, match="fleets is 4, expected 1 to 3"):
        Ruleset(4, 4, 0, 0)


@pytest.mark.rule("p06-level-garrisons", "p06-level-fleets", "p06-level-revolts", "p06-level-armies")
@pytest.mark.parametrize(("least", "most"), [("3111", "5111"), ("4111", "4311"), ("4201", "4221"), ("4210", "4212")])
def test_a_figure_of_a_level_has_a_least_and_a_most(least, most):
    """Three to five garrisons, one to three fleets, up to two revolts and two armies (p. 6)."""
    assert {Ruleset.from_level(level).level for level in (least, most)} == {least, most}
    place = next(i for i in range(4) if least[i] != most[i])
    for figure in {int(least[place]) - 1, int(most[place]) + 1} - {-1}:
        with pytest.raises(RulesetError, match=f"is {figure}, expected {least[place]} to {most[place]}"):
            Ruleset.from_level(f"{least[:place]}{figure}{least[place + 1 :]}")


@pytest.mark.rule("p04-garrisons")
def test_twenty_garrisons_are_five_for_each_emperor():
    """No level gives more than there are discs (p. 4)."""
    position = rules.random_set_up(Ruleset.from_level("5300"), "the box", board=MAP)

    assert [position.reserve_garrisons(emperor) for emperor in CAPITALS] == [5] * 4
    with pytest.raises(RulesetError, match="garrisons is 6, expected 3 to 5"):
        Ruleset(6, 3, 0, 0)


def rolled(level: str, fleets: tuple[int, ...], *faces: int) -> Position:
    dice = GivenDice(faces)
    position = rules.set_up(Ruleset.from_level(level), fleets, dice, MAP)
    assert dice.left == 0
    return position


@pytest.mark.rule("p06-first-revolts")
def test_one_revolt_in_each_outer_region():
    """The first six revolts lie one in each region I to VI, on the province that the die names (p. 6)."""
    position = rolled("5300", (1, 2, 3), 2, 3, 4, 5, 6, 2)

    assert position.revolts == {"baetica", "germania_superior", "pannonia_inferior", "achaia", "bithynia", "cyrenaica"}
    assert set(position.discs) == position.revolts


@pytest.mark.rule("p06-first-revolts-reroll")
def test_number_one_is_rolled_again():
    """The die of a first revolt is rolled again as often as it shows 1 (p. 6)."""
    assert rolled("5300", (1, 2, 3), 1, 1, 3, *ONE_EACH[1:]).revolts >= {"lusitania"}


@pytest.mark.rule("p06-capital-in-revolt")
def test_capitals_can_start_in_revolt():
    """A printed disc keeps no revolt of the set-up away (p. 6)."""
    revolts = rolled("5300", (1, 2, 3), 2, 2, 4, 2, 6, 2).revolts

    assert {CAPITALS["constantius"], CAPITALS["galerius"], CAPITALS["diocletian"]} <= revolts


@pytest.mark.rule("p06-additional-revolts")
def test_additional_revolts_may_lie_on_number_one():
    """For an additional revolt region and province are rolled, and a 1 stands (p. 6)."""
    position = rolled("4220", (1, 2), *ONE_EACH, 1, 1, 6, 6)

    assert len(position.revolts) == 8
    assert position.revolts >= {"tingitana", "africa"}


@pytest.mark.rule("p06-additional-revolts-reroll")
def test_an_occupied_province_takes_no_second_revolt():
    """Where a revolt lies already it is rolled again (p. 6)."""
    dice = GivenDice([*ONE_EACH, 1, 2, 1, 2, 1, 3])
    position = rules.set_up(Ruleset.from_level("4210"), (1, 2), dice, MAP)

    assert len(position.revolts) == 7
    assert len(position.revolts & set(MAP.members(1))) == 2


@pytest.mark.choice("I-SETUP-REROLL")
def test_an_occupied_province_is_rolled_again_with_both_dice():
    """Where a revolt lies already, region and province of the additional revolt are rolled again (p. 6)."""
    position = rolled("4210", (1, 2), *ONE_EACH, 1, 2, 2, 2, 5, 3)

    assert len(position.revolts) == 7
    assert "cappadocia" in position.revolts


@pytest.mark.rule("p06-initial-armies")
def test_initial_armies_stand_on_borders():
    """For an initial army the region is rolled, and the army stands on its border (p. 6)."""
    position = rolled("4202", (1, 2), *ONE_EACH, 4, 1)

    assert position.armies == ("gaetulia", "sarmatia")
    assert position.reserve_armies == 1


@pytest.mark.rule("p06-initial-armies-reroll")
def test_an_occupied_border_is_rolled_again():
    """Where an army stands already, the region of the next one is rolled again (p. 6)."""
    assert rolled("4202", (1, 2), *ONE_EACH, 4, 4, 4, 5).armies == ("sarmatia", "persia")


@pytest.mark.rule("p06-four-emperors", "p07-off-board", "p07-ip")
def test_emperors_start_off_the_board_and_diocletian_begins():
    """Emperors start off the board; the first turn is Diocletian's, with 6 IP in the Roman phase (p. 7)."""
    position = rolled("4211", (2, 3), *ONE_EACH, 1, 1, 1)

    assert position.emperors == dict.fromkeys(CAPITALS)
    assert (position.to_move, position.phase, position.ip) == ("diocletian", Phase.ROMAN, 6)


@pytest.mark.rule("p07-fleets-placed")
def test_fleets_lie_where_the_players_put_them():
    """Fleets lie on zones of the players' choice, and which is named first makes no difference (p. 7)."""
    assert rolled("4200", (3, 1), *ONE_EACH).fleets == (1, 3)


@pytest.mark.rule("p06-level-fleets")
@pytest.mark.parametrize("fleets", [(), (1,), (1, 2, 3), (0, 1), (3, 4)])
def test_fleets_that_the_level_does_not_give_are_refused(fleets):
    """As many fleets as the level has, in zones that there are (p. 5, 6)."""
    with pytest.raises(RulesetError, match="expected 2 different zones from 1 to 3"):
        rules.set_up(Ruleset.from_level("4200"), fleets, GivenDice(ONE_EACH), MAP)


@pytest.mark.choice("I-FLEETS")
def test_two_fleets_in_a_zone_are_refused():
    """The text says of sailing only that no fleet comes to another (p. 7, 8)."""
    with pytest.raises(RulesetError, match="expected 2 different zones from 1 to 3"):
        rules.set_up(Ruleset.from_level("4200"), (1, 1), GivenDice(ONE_EACH), MAP)


@pytest.mark.choice("I-FLEETS")
@pytest.mark.parametrize(
    ("level", "choices"), [("4100", {(1,), (2,), (3,)}), ("4200", {(1, 2), (1, 3), (2, 3)}), ("4300", {(1, 2, 3)})]
)
def test_all_choices_of_zones_are_listed_once(level, choices):
    """One fleet a zone: three choices for one or two fleets, one for three (p. 6)."""
    listed = list(rules.fleet_choices(Ruleset.from_level(level), MAP))

    assert set(listed) == choices
    assert len(listed) == len(choices)


@pytest.mark.program
@pytest.mark.parametrize("fleets", [1, 2, 3])
def test_drawn_zones_are_equally_likely(fleets):
    """When a die draws the zones of the fleets, every choice has the same number of faces."""
    ruleset = Ruleset(4, fleets, 0, 0)
    choices = list(rules.fleet_choices(ruleset, MAP))
    drawn = [setup.drawn(choices, face) for face in range(1, 7)]

    assert {drawn.count(choice) for choice in rules.fleet_choices(ruleset, MAP)} == {6 // len(set(drawn))}


@pytest.mark.rule("p06-levels", "p06-level-garrisons", "p06-level-fleets", "p06-level-revolts", "p06-level-armies")
def test_every_level_sets_up_a_legal_game():
    """Each of the 81 levels has 6 + R revolts, A armies, F fleets, and N garrisons in reserve for each Emperor (p. 6)."""
    for ruleset in all_levels():
        position = rules.random_set_up(ruleset, f"any {ruleset}", (1, 2, 3)[: ruleset.fleets], MAP)
        assert position.status() == ()
        assert len(position.revolts) == 6 + ruleset.revolts
        assert len(position.armies) == ruleset.armies
        assert len(position.fleets) == ruleset.fleets
        assert {position.reserve_garrisons(emperor) for emperor in CAPITALS} == {ruleset.garrisons}
        assert (position.reserve_revolts, position.reserve_unrest) == (21 - 6 - ruleset.revolts, 21)


@pytest.mark.program
def test_a_seed_is_a_game():
    """The same seed sets up the same game, and another seed another one; zones may be given with a seed."""
    ruleset = Ruleset()

    assert rules.random_set_up(ruleset, 7, board=MAP) == rules.random_set_up(ruleset, 7, board=MAP)
    assert len({rules.random_set_up(ruleset, seed, board=MAP) for seed in range(20)}) == 20
    assert {rules.random_set_up(ruleset, seed, (1, 3), MAP).fleets for seed in range(5)} == {(1, 3)}


@pytest.mark.rule("p06-first-revolts-reroll")
def test_first_revolts_are_equally_likely_on_two_to_six():
    """Rolling 1 again leaves each of the other five provinces of a region the chance 1/5 (p. 6).

    The roll of one region is followed through up to three dice: what these decide is split evenly, and undecided is only 1-1-1.
    """
    found: dict[str, Fraction] = {}
    for faces in product(range(1, 7), repeat=3):
        decided = next((face for face in faces if face != 1), None)
        if decided is None:
            continue
        cut = faces[: faces.index(decided) + 1]
        region = rolled("5300", (1, 2, 3), *cut, *ONE_EACH[1:]).revolts & set(MAP.members(1))
        (province,) = region
        found[province] = found.get(province, Fraction(0)) + Fraction(1, 216)

    assert set(found) == set(MAP.members(1)) - {MAP.at(1, 1)}
    assert set(found.values()) == {Fraction(215, 216) / 5}


@pytest.mark.rule("p04-dice")
def test_random_dice_are_fair_faces():
    """Dice show whole numbers from 1 to 6, each of them, and remember what they showed."""
    dice = RandomDice("fair")
    faces = [dice.roll("any") for _ in range(6000)]

    assert dice.rolled == faces
    assert set(faces) == {1, 2, 3, 4, 5, 6}
    # five standard deviations of a binomial (6000, 1/6): a fair die strays so far with chance below 1 in 100,000
    assert all(abs(faces.count(face) - 1000) < 145 for face in range(1, 7))
