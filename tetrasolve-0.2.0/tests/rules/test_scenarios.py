"""The historical scenarios (rulebook pages 16 to 19)."""

import pytest
from tabletop import MAP, play

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, attack, sail
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import Rebel
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import GivenDice
from tetrasolve.tetrarchia.ruleset import Ruleset

EVERY = rules.scenarios()
NOBODY = {"diocletian": None, "galerius": None, "constantius": None, "maximian": None}


def begun(name, fleets, *faces, **more):
    dice = GivenDice(faces)
    position = rules.scenario_set_up(name, fleets, dice, board=MAP, **more)
    assert dice.left == 0
    assert position.status() == ()
    assert (position.phase, position.ip) == (Phase.ROMAN, 6)
    return position


def rolled(name, **more):
    """A scenario from nine seeds."""
    return [rules.rolled_scenario(name, seed, board=MAP, **more).position for seed in range(9)]


# -- each of them ----------------------------------------------------------------------------------------------


@pytest.mark.rule(
    "p17-carausius-level",
    "p16-rebel-revolt",
    "p17-carausius-rebel",
    "p17-carausius-revolts",
    "p17-carausius-pirates",
    "p17-carausius-fleet",
    "p17-carausius-place",
    "p17-carausius-first",
)
def test_the_carausian_revolt():
    """Carausius on a revolt in Britannia, three revolts in Gallia, Pirates in Mare Atlanticum, Constantius first (p. 17)."""
    gallia = {MAP.at(2, number) for number in (1, 2, 4)}
    for position in rolled("carausian-revolt"):
        assert str(position.ruleset) == "4221+pirates"
        assert position.rebels == {"britannia": Rebel("dux", 1)}
        assert "britannia" in position.armies
        assert position.revolts >= {"britannia"} | gallia
        assert position.pieces.pirates.zone == 1
        assert position.emperors == NOBODY | {"constantius": "germania_superior"}
        assert position.to_move == "constantius"


@pytest.mark.rule("p18-danube-level", "p18-danube-revolts", "p18-danube-armies", "p18-danube-places")
def test_the_danubian_wars():
    """Four revolts in Illyricum and Graecia, the Goths in Sarmatia, an army in Germania Magna (p. 18)."""
    for position in rolled("danubian-wars"):
        assert str(position.ruleset) == "4222+goths"
        assert set(position.armies) >= {"sarmatia", "germania_magna"}
        assert position.goths == "sarmatia"
        assert position.rebels == {}
        assert position.revolts >= {MAP.at(3, 3), MAP.at(3, 4), MAP.at(4, 1), MAP.at(4, 2)}
        assert position.emperors == NOBODY | {"diocletian": "thracia", "galerius": "pannonia_superior"}
        assert position.to_move == "diocletian"


@pytest.mark.rule(
    "p18-mauretania-level",
    "p16-rebel-revolt",
    "p18-mauretania-rebel",
    "p18-mauretania-revolts",
    "p18-mauretania-fleet",
    "p18-mauretania-place",
    "p18-mauretania-first",
)
def test_the_mauretanian_war():
    """The Berbers on a revolt in Gaetulia, two revolts in Hispania and two in Africa, Maximian first (p. 19)."""
    for position in rolled("mauretanian-war"):
        assert str(position.ruleset) == "4221"
        assert position.rebels == {"gaetulia": Rebel("goths", 1)}
        assert position.revolts >= {"gaetulia", MAP.at(1, 1), MAP.at(1, 2), MAP.at(6, 4), MAP.at(6, 5)}
        assert position.emperors == NOBODY | {"maximian": "carthagenensis"}
        assert position.to_move == "maximian"


@pytest.mark.rule(
    "p19-persia-level",
    "p16-rebel-revolt",
    "p19-persia-rebels",
    "p19-persia-revolts",
    "p19-persia-pirates",
    "p19-persia-fleet",
    "p19-persia-places",
)
def test_the_great_persian_war():
    """Narses in Persia, Domitianus in Libya, revolts in Africa and Asia Minor, Pirates in Mare Aegaeum (p. 19)."""
    for position in rolled("great-persian-war"):
        assert str(position.ruleset) == "4222+pirates"
        assert position.rebels == {"persia": Rebel("goths", 3), "libya": Rebel("dux", 3)}
        assert set(position.armies) >= {"persia", "libya"}
        assert position.revolts >= {"persia", "libya", MAP.at(6, 1), MAP.at(6, 2), MAP.at(5, 1), MAP.at(5, 2)}
        assert position.pieces.pirates.zone == 3
        assert position.emperors == NOBODY | {"diocletian": "bithynia", "galerius": "cappadocia"}
        assert position.to_move == "diocletian"


# -- all of them -----------------------------------------------------------------------------------------------


@pytest.mark.rule("p16-general-revolt")
@pytest.mark.parametrize("name", EVERY)
def test_the_other_regions_have_one_revolt(name):
    """The regions of the war have those that it names, each other one has a rolled one (p. 16)."""
    war = {MAP.find(place).id for place in rules.scenario(name).revolts}
    for region in range(1, 7):
        members = set(MAP.members(region))
        lying = [position.revolts & members for position in rolled(name)]
        assert all(lying)
        if war & members:
            assert war & members in lying
        else:
            assert 1 in map(len, lying)


@pytest.mark.rule("p16-general-revolt", "p16-rebel-counts")
@pytest.mark.parametrize(
    ("name", "fleets", "faces", "revolts", "armies"),
    [
        ("carausian-revolt", (2, 3), (2, 3, 4, 5, 6), 9, {"britannia"}),
        ("danubian-wars", (1, 3), (2, 2, 2, 2), 8, {"sarmatia", "germania_magna"}),
        ("mauretanian-war", (1, 2), (2, 2, 2, 2), 9, {"gaetulia"}),
        ("great-persian-war", (1, 2), (2, 2, 2, 2), 10, {"persia", "libya"}),
    ],
)
def test_nothing_else_is_rolled(name, fleets, faces, revolts, armies):
    """What a scenario places stands in place of what its level rolls (p. 16)."""
    position = begun(name, fleets, *faces)

    assert (len(position.revolts), set(position.armies)) == (revolts, armies)


@pytest.mark.rule("p16-general-revolt", "p16-rebel-counts")
@pytest.mark.parametrize("name", EVERY)
def test_the_revolts_fit_the_level(name):
    """The general revolt is the base six with the level's third figure; rebels and armies are its fourth (p. 17 to 19)."""
    position = rules.rolled_scenario(name, 1, board=MAP).position

    assert len(position.revolts) - len(position.rebels) == 6 + position.ruleset.revolts
    assert len(position.armies) == position.ruleset.armies
    assert len(position.fleets) == position.ruleset.fleets


@pytest.mark.rule("p16-fixed")
@pytest.mark.parametrize("name", EVERY)
def test_a_fixed_set_up_rolls_no_province(name):
    """Regions without general revolt have theirs in province 3 (p. 16)."""
    quiet = {1, 2, 3, 4, 5, 6} - {MAP.find(place).region for place in rules.scenario(name).revolts}

    for position in rolled(name, fixed=True):
        assert {MAP.at(region, 3) for region in quiet} <= position.revolts


@pytest.mark.rule("p16-general-revolt")
def test_a_first_province_is_rolled_again():
    """The standard rule of the set-up holds for the other regions (p. 6, 16)."""
    dice = GivenDice([1, 1, 2, 2, 1, 2, 2, *(5, 6, 6, 6) * 3])
    position = rules.scenario_set_up("mauretanian-war", (1, 2), dice, board=MAP)

    for region in (2, 3, 4, 5):
        assert MAP.at(region, 2) in position.revolts
        assert MAP.at(region, 1) not in position.revolts


@pytest.mark.program
@pytest.mark.parametrize("name", EVERY)
def test_a_scenario_is_rolled_from_a_seed(name):
    """The same seed gives the same war, and its faces give it again."""
    first, second = (rules.rolled_scenario(name, 5, board=MAP) for _ in range(2))

    assert first == second
    assert rules.scenario_set_up(name, first.fleets, GivenDice(first.faces), board=MAP) == first.position
    assert len({rules.rolled_scenario(name, seed, board=MAP).position for seed in range(9)}) > 5


@pytest.mark.program
@pytest.mark.parametrize("name", EVERY)
def test_scenarios_can_be_played_on_the_board_of_the_library(name):
    """Their provinces are found on it, and the first player can do something."""
    position = rules.rolled_scenario(name, 1).position

    assert position.board == Board.standard()
    assert position.status() == ()
    assert rules.legal_actions(position)


@pytest.mark.rule("p16-three-garrisons")
def test_fewer_garrisons_make_it_more_intense():
    """The rulebook suggests 3 for each Emperor (p. 17)."""
    war = rules.scenario("mauretanian-war")

    assert war.ruleset(3).level == "3221"
    for position in rolled("mauretanian-war", ruleset=war.ruleset(3)):
        assert position.reserve_garrisons("maximian") == 3


@pytest.mark.rule("p16-unchanged")
def test_modules_and_variants_can_be_added():
    """As far as the figures go (p. 16)."""
    war = rules.scenario("carausian-revolt")
    ruleset = war.ruleset(modules=["vicarius", "goths"], variants=["usurpator"])

    assert ruleset.extensions == {"pirates", "vicarius", "goths", "usurpator"}
    for position in rolled("carausian-revolt", ruleset=ruleset):
        assert position.pieces.plain()["vicarius"] is None
        assert position.pieces.goths is not None


@pytest.mark.rule("p13-pirates-roll")
def test_added_pirates_are_rolled_for():
    """A war that does not say where they are has them as any game does (p. 13, 16)."""
    ruleset = rules.scenario("mauretanian-war").ruleset(modules=["pirates"])

    assert begun("mauretanian-war", (1, 2), 2, 2, 2, 2, 6, 3, ruleset=ruleset).pieces.pirates.zone == 3


@pytest.mark.rule("p16-rebel-figures")
@pytest.mark.parametrize(
    ("name", "extra", "problem"),
    [
        ("carausian-revolt", {"modules": ["dux"]}, "the dux figure is the rebel army of britannia"),
        ("mauretanian-war", {"modules": ["goths"]}, "the goths figure is the rebel army of gaetulia"),
        ("great-persian-war", {"modules": ["dux"]}, "the dux figure is the rebel army of libya"),
        ("danubian-wars", {"garrisons": 6}, "garrisons is 6"),
    ],
)
def test_a_figure_is_used_once(name, extra, problem):
    """A module whose figure is a rebel cannot be added (p. 16)."""
    with pytest.raises(RulesetError, match=problem):
        rules.scenario(name).ruleset(**extra)


@pytest.mark.program
@pytest.mark.parametrize(
    ("ruleset", "problem"),
    [("4211+pirates", "expected 4221"), ("4221", "it is played with pirates"), ("4221+pirates+dux", "the dux figure")],
)
def test_the_ruleset_has_to_fit(ruleset, problem):
    """The level is the scenario's but for its garrisons, and its modules are in use (p. 17)."""
    with pytest.raises(RulesetError, match=problem):
        rules.scenario_set_up("carausian-revolt", (2, 3), GivenDice([]), Ruleset.from_text(ruleset), board=MAP)


@pytest.mark.program
def test_unknown_scenarios_and_zones_are_refused():
    """The error says which there are."""
    with pytest.raises(RulesetError, match="'punic-wars' does not exist; there are carausian-revolt"):
        rules.scenario("punic-wars")
    with pytest.raises(RulesetError, match="expected 2 different zones"):
        rules.scenario_set_up("carausian-revolt", (2,), GivenDice([]), board=MAP)
    with pytest.raises(RulesetError, match="Pirates keep fleets out of zone 1"):
        rules.scenario_set_up("carausian-revolt", (1, 2), GivenDice([]), fixed=True, board=MAP)


@pytest.mark.rule("p17-carausius-fleet")
def test_carausius_is_attacked_with_a_fleet_in_mare_atlanticum():
    """The special rule of each scenario with rebels (p. 17)."""
    position = rules.rolled_scenario("carausian-revolt", 1, (2, 3), fixed=True, board=MAP).position
    beside = position.with_figure("constantius", "belgica")

    assert "fleet in zone 1" in rules.objection(beside, attack("britannia", Outcome.DRAW))
    assert "Pirates" in rules.objection(position, sail(2, 1))
    assert play(position, "move lugdunensis").here == "lugdunensis"
