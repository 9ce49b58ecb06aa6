"""Module 4, the Goths (rulebook page 13)."""

from fractions import Fraction

import pytest
from moduletable import extended, rebel_army
from tabletop import MAP, barbarians, chance, faces_of, play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.rules import Battle, GivenDice
from tetrasolve.tetrarchia.rules.activity import EchoProvince, EchoRegion, arrival
from tetrasolve.tetrarchia.ruleset import Ruleset

QUIET = faces_of("bithynia")
III, IV = "germania_magna", "sarmatia"
ONE_EACH = [2, 2, 2, 2, 2, 2]


def goths(place="reserve", **more):
    extensions = more.pop("extensions", "goths")
    return extended(extensions, {"goths": place} | more.pop("pieces", {}), **{"barbarian": True} | more)


# -- where they come -------------------------------------------------------------------------------------------


@pytest.mark.rule("p13-goths-placed")
@pytest.mark.parametrize("border", [III, IV])
def test_an_army_for_a_northeastern_border_is_theirs(border):
    """Whenever an army must be placed on III or IV, and they are in the reserve, they are placed instead (p. 13)."""
    arrived = arrival(goths(), border)

    assert arrived.armies == (border,)
    assert arrived.goths == border


@pytest.mark.rule("p13-goths-placed")
@pytest.mark.parametrize("border", ["gaetulia", "britannia", "persia", "libya"])
def test_an_army_for_another_border_is_not_theirs(border):
    """Only the two northeastern borders are theirs (p. 13)."""
    arrived = arrival(goths(), border)

    assert arrived.armies == (border,)
    assert arrived.goths is None


@pytest.mark.rule("p13-goths-placed")
def test_while_they_are_on_the_board_other_armies_come():
    """They are available only in the reserve (p. 13)."""
    table = goths("moesia_inferior", armies="moesia_inferior", revolts="moesia_inferior")
    arrived = arrival(table, III)

    assert arrived.armies == ("moesia_inferior", III)
    assert arrived.goths == "moesia_inferior"
    assert arrival(table.with_army(None, III), III) is None  # and they need an empty border


@pytest.mark.rule("p13-goths-placed")
def test_the_first_initial_army_there_is_theirs():
    """At set-up an army rolled for III or IV is theirs; of two it is the first (p. 6, 13)."""

    def rolled(*regions):
        dice = GivenDice([*ONE_EACH, *regions])
        position = rules.set_up(Ruleset.from_text("4202+goths"), [1, 2], dice, MAP)
        assert (dice.left, position.status()) == (0, ())
        return position

    assert rolled(1, 2).goths is None
    assert rolled(1, 4).goths == IV
    assert rolled(4, 3).goths == IV
    assert rolled(3, 4).goths == III
    assert set(rolled(3, 4).armies) == {III, IV}
    assert set(rolled(3, 3, 1).armies) == {III, "gaetulia"}  # an army stands there: rolled again


@pytest.mark.rule("p13-goths-placed")
def test_an_echo_brings_them():
    """In a whole phase: uprising, then an echo on IV (p. 10, 13)."""
    after = barbarians(goths(revolts="lusitania", readings={"I-FRESH": "wait"}), *faces_of("lusitania"), 4)

    assert (after.goths, after.armies) == (IV, (IV,))


@pytest.mark.choice("I-FRESH")
def test_they_advance_at_once():
    """As any army that was placed in the phase (p. 10, 13)."""
    after = barbarians(goths(revolts="lusitania"), *faces_of("lusitania"), 4, 3)

    assert after.goths == "moesia_inferior"
    assert after.armies == ("moesia_inferior",)


@pytest.mark.rule("p13-goths-three")
def test_they_never_make_a_fourth_army():
    """The maximum is still three: with three on the board, they or others, there is no echo (p. 13)."""
    others = goths(armies="libya persia gaetulia", revolts="numidia", extensions="goths")
    theirs = goths(IV, armies=f"libya persia {IV}", revolts="numidia")

    for table in (others, theirs):
        assert table.reserve_armies == 0
        assert not isinstance(rules.activity.resolve(table, "numidia"), (EchoRegion, EchoProvince))


# -- figures on the way --------------------------------------------------------------------------------------


@pytest.mark.rule("p13-goths-arrive")
@pytest.mark.parametrize("owner", ["diocletian", "maximian"])
def test_they_arrive_on_a_secured_border(owner):
    """The garrison goes back to its reserve (p. 11, 13)."""
    table = goths(garrisons={owner: IV})
    arrived = arrival(table, IV)

    assert table.secured == (IV,)
    assert (dict(arrived.discs), arrived.goths) == ({}, IV)
    assert arrived.reserve_garrisons(owner) == 4
    assert arrived.status() == ()


@pytest.mark.choice("I-GOTHS-BORDER")
def test_a_border_that_they_took_is_to_be_secured_again():
    """A border is secured while a garrison lies there (p. 11, 13)."""
    assert arrival(goths(garrisons={"maximian": IV}), IV).secured == ()


@pytest.mark.rule("p13-goths-arrive")
def test_they_remove_an_emperor():
    """Though he is in the way (p. 13)."""
    arrived = arrival(goths(at={"diocletian": "asia", "galerius": IV}), IV)

    assert (arrived.emperors["galerius"], arrived.goths) == (None, IV)


@pytest.mark.choice("I-GOTHS-BOTH")
def test_they_remove_an_emperor_and_the_garrison_under_him():
    """Both, where the text has an "or" (p. 13)."""
    arrived = arrival(goths(at={"diocletian": "asia", "galerius": IV}, garrisons={"galerius": IV}), IV)

    assert arrived.emperors["galerius"] is None
    assert (dict(arrived.discs), arrived.goths) == ({}, IV)


@pytest.mark.rule("p13-goths-arrive", "p12-dux-dies", "p13-vicarius-dies")
@pytest.mark.parametrize("figure", ["dux", "vicarius"])
def test_they_kill_dux_and_vicarius(figure):
    """A figure that is removed dies (p. 12, 13)."""
    arrived = arrival(goths(extensions=f"goths+{figure}", pieces={figure: III}), III)

    assert (arrived.pieces.plain()[figure], arrived.goths) == ("dead", III)


@pytest.mark.choice("I-GOTHS-ARMY")
def test_they_take_the_place_of_an_army():
    """[I-GOTHS-ARMY] removed: it goes back to the reserve. blocks: they do not come, the province die is rolled (p. 13)."""
    table = {"armies": f"{IV} libya", "revolts": "lusitania"}
    removed = EchoRegion(goths(**table))
    blocks = EchoRegion(goths(readings={"I-GOTHS-ARMY": "blocks"}, **table))

    assert arrival(removed.position, IV).armies == (IV, "libya")
    assert arrival(removed.position, IV).goths == IV
    assert len(list(removed.arrivals())) == 5
    assert arrival(blocks.position, IV) is None
    assert len(list(blocks.arrivals())) == 4
    assert blocks.roll().results[3] == EchoProvince(blocks.position, 4)


@pytest.mark.choice("I-GOTHS-REBELS")
def test_they_do_not_remove_rebels():
    """A rebel army remains on its border until it is defeated (p. 16)."""
    table = goths(pieces={"rebels": {IV: rebel_army()}}, armies=IV, revolts=IV)

    assert arrival(table, IV) is None
    assert arrival(table, III).goths == III


# -- what makes them fearsome ----------------------------------------------------------------------------------


def fight(place, **more):
    """Maximian in Thracia, an army in Moesia Inferior and one in Moesia Superior: one of them may be the Goths."""
    return goths(
        place,
        to_move="maximian",
        at={"maximian": "thracia"},
        armies="moesia_inferior moesia_superior",
        revolts="moesia_inferior moesia_superior",
        barbarian=False,
        **more,
    )


@pytest.mark.rule("p13-goths-battle")
def test_they_add_one_to_the_barbarian_die():
    """In a battle against them (p. 13)."""
    assert rules.battle(fight("moesia_inferior"), "maximian", "moesia_inferior") == Battle(0, 0, 2, 1, bonus=1)
    assert str(Battle(0, 0, 2, 1, bonus=1)) == "d6 + 0 against (d6 + 2 + 1) x 2"
    assert Battle(0, 0, 2, 0, bonus=1).chances() == Battle(0, 0, 3, 0).chances()
    away = {"diocletian": "asia", "maximian": "noricum"}
    elsewhere = goths(IV, armies=f"{IV} rhaetia", revolts="rhaetia", at=away)
    assert rules.battle(elsewhere, "maximian", "rhaetia").bonus == 0


@pytest.mark.choice("I-GOTHS-SUPPORT")
def test_they_add_one_where_they_support():
    """[I-GOTHS-SUPPORT] supporter: also when they double another army's value. leader: only when they lead (p. 13)."""
    supporter = fight("moesia_superior")
    leader = fight("moesia_superior", readings={"I-GOTHS-SUPPORT": "leader"})

    assert rules.battle(supporter, "maximian", "moesia_inferior") == Battle(0, 0, 2, 1, bonus=1)
    assert rules.battle(leader, "maximian", "moesia_inferior") == Battle(0, 0, 2, 1)
    assert rules.battle(leader, "maximian", "moesia_superior").bonus == 1


@pytest.mark.rule("p13-goths-battle")
def test_they_add_one_only_where_they_are():
    """In reserve, or not beside the Emperor, they are not involved (p. 13)."""
    assert rules.battle(fight("reserve"), "maximian", "moesia_inferior").bonus == 0
    far = fight("moesia_superior").with_figure("maximian", "sarmatia")
    assert rules.battle(far, "maximian", "moesia_inferior") == Battle(0, 0, 2, 0)


@pytest.mark.rule("p13-goths-link")
def test_they_pass_a_broken_link_on_three():
    """+1 on the check of a broken link when they advance: 3 to 6 (p. 13)."""
    table = goths(IV, armies=IV)

    for face, goes in ((1, False), (2, False), (3, True), (4, True), (5, True), (6, True)):
        assert (barbarians(table, *QUIET, face).goths == "moesia_inferior") == goes
    assert chance(table, lambda after: after.goths == "moesia_inferior") == Fraction(2, 3)
    other = goths("reserve", armies=IV)
    assert chance(other, lambda after: after.armies == ("moesia_inferior",)) == Fraction(1, 2)
    both = goths("macedonia", armies=f"macedonia {IV}", revolts="macedonia")
    assert barbarians(both, *QUIET, 3).armies == ("epirus", IV)


@pytest.mark.rule("p13-goths-army")
def test_the_name_of_the_goths_goes_with_them():
    """They behave as an army and leave revolts behind (p. 13)."""
    after = barbarians(goths("moesia_inferior", armies="moesia_inferior", revolts="moesia_inferior"), *QUIET)

    assert after.goths == "moesia_superior"
    assert after.revolts == {"moesia_inferior", "moesia_superior"}


@pytest.mark.rule("p13-goths-army")
def test_beaten_goths_are_in_the_reserve_again():
    """They can come back: attacked or attacking (p. 13)."""
    strong = fight("moesia_inferior", garrisons={"maximian": "thracia macedonia achaia epirus"})
    after = play(strong, "attack moesia_inferior: victory")

    assert after.pieces.goths.in_reserve
    assert after.armies == ("moesia_superior",)
    beaten = barbarians(goths(III, at={"diocletian": "rhaetia"}, armies=III), *QUIET, 3, 6, 1)
    assert beaten.pieces.goths.in_reserve
    assert arrival(beaten, IV).goths == IV
