"""Barbarian phase, 3: armies advance (rulebook pages 10 and 11)."""

from fractions import Fraction
from itertools import product

import pytest
from tabletop import LINKS, MAP, PROVINCES, barbarians, build_map, chance, faces_of, make_position

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.rules import Fall

QUIET = faces_of("bithynia")  # an activity that finds a printed disc
LINKED, BLOCKED = 4, 3


def start(at=None, **on_the_table):
    return make_position("diocletian", {"diocletian": "asia"} | (at or {}), barbarian=True, **on_the_table)


# -- moving on -------------------------------------------------------------------------------------------------


@pytest.mark.rule("p10-advance")
def test_an_army_follows_its_arrow():
    """An army goes one province along the arrow (p. 10)."""
    after = barbarians(start(armies="libya"), *QUIET)

    assert after.armies == ("aegyptus",)
    assert after.revolts == {"aegyptus"}


@pytest.mark.rule("p10-enter")
@pytest.mark.parametrize(
    "lying", [{}, {"unrest": "aegyptus"}, {"garrisons": {"galerius": "aegyptus"}}, {"revolts": "aegyptus"}]
)
def test_an_army_that_enters_a_province_leaves_a_revolt_there(lying):
    """Any disc of the province goes back to its reserve, and a revolt is placed (p. 11)."""
    after = barbarians(start(armies="libya", **lying), *QUIET)

    assert dict(after.discs) == {"aegyptus": "revolt"}
    assert (after.reserve_unrest, after.reserve_garrisons("galerius")) == (21, 4)


@pytest.mark.rule("p10-enter", "p05-printed-disc")
def test_an_army_covers_a_printed_disc():
    """A capital is no obstacle: its printed disc is covered by the revolt (p. 11)."""
    after = barbarians(start(armies="germania_superior", revolts="germania_superior"), *QUIET, LINKED)

    assert after.armies == ("cisalpina",)
    assert after.own_discs("maximian") == {"roma"}


@pytest.mark.rule("p10-advance")
def test_what_an_army_leaves_behind_stays():
    """The revolt of the province that an army leaves stays there (p. 11)."""
    after = barbarians(start(armies="aegyptus", revolts="aegyptus"), *QUIET)

    assert after.revolts == {"aegyptus", "cyrenaica"}


@pytest.mark.rule("p10-advance-broken", "p09-check")
@pytest.mark.parametrize(("face", "goes"), [(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)])
def test_an_army_checks_a_broken_link(face, goes):
    """An army passes a broken link on 4 to 6 (p. 9, 10)."""
    after = barbarians(start(armies="britannia"), *QUIET, face)

    assert after.armies == (("belgica",) if goes else ("britannia",))
    assert after.revolts == ({"belgica"} if goes else set())


@pytest.mark.rule("p09-check-again")
def test_each_army_has_its_own_check():
    """Two armies before the same broken links are checked one by one: each passes with 1/2 (p. 9)."""
    position = start(armies="britannia germania_magna")

    for armies in (
        {"britannia", "germania_magna"},
        {"belgica", "germania_magna"},
        {"britannia", "rhaetia"},
        {"belgica", "rhaetia"},
    ):
        assert chance(position, lambda after, armies=armies: set(after.armies) == armies) == Fraction(1, 4)


@pytest.mark.rule("p11-fall-roma")
def test_an_army_that_enters_roma_ends_the_empire():
    """The Empire ends when an army enters Roma (p. 11)."""
    assert barbarians(start(armies="etruria", revolts="etruria"), *QUIET) is Fall.ARMY_IN_ROMA
    assert rules.outcomes(start(armies="lucania", revolts="lucania"))[Fall.ARMY_IN_ROMA] == 1


# -- order and blocking ----------------------------------------------------------------------------------------


@pytest.mark.rule("p10-order-distance")
def test_the_nearest_to_roma_goes_first():
    """Armies closest to Roma move first, so that one behind another finds its way free (p. 10)."""
    armies = "aegyptus cyrenaica tripolitania"
    after = barbarians(start(armies=armies, revolts=armies), *QUIET)

    assert after.armies == ("cyrenaica", "tripolitania", "africa")


@pytest.mark.choice("I-ORDER-DISTANCE")
def test_the_distance_is_that_along_the_arrows():
    """From Libya a shorter way leads past Aegyptus, but the army does not go there (p. 10)."""
    after = barbarians(start(armies="aegyptus libya", revolts="aegyptus"), *QUIET)

    assert after.armies == ("aegyptus", "cyrenaica")


@pytest.mark.rule("p10-blocked", "p07-one-figure")
def test_a_blocked_army_stays_with_all_behind_it():
    """An army whose way is blocked by another does not move, nor does the one behind it (p. 11)."""
    position = start(armies="africa tripolitania cyrenaica", revolts="africa tripolitania cyrenaica")

    assert barbarians(position, *QUIET, BLOCKED).armies == ("cyrenaica", "tripolitania", "africa")
    assert barbarians(position, *QUIET, LINKED).armies == ("sicilia", "tripolitania", "africa")
    assert barbarians(position, *QUIET, LINKED).armies != position.armies


@pytest.mark.choice("I-ORDER")
def test_a_blocked_army_checks_no_link():
    """Where another army stands in the way there is nothing to check (p. 11)."""
    position = start(
        armies="narbonensis germania_superior cisalpina", revolts="narbonensis germania_superior cisalpina"
    )
    after = barbarians(
        position, *QUIET, LINKED
    )  # cisalpina has gone on to etruria; germania_superior enters, narbonensis stays

    assert set(after.armies) == {"etruria", "cisalpina", "narbonensis"}


@pytest.mark.rule("p10-order-region")
def test_at_the_same_distance_the_lower_region_goes_first():
    """Germania Superior (II) and Rhaetia (III) are three provinces from Roma: II goes first (p. 11)."""
    position = start(armies="rhaetia germania_superior", revolts="rhaetia germania_superior")

    assert set(barbarians(position, *QUIET, LINKED).armies) == {"cisalpina", "rhaetia"}
    assert set(barbarians(position, *QUIET, BLOCKED, LINKED).armies) == {"cisalpina", "germania_superior"}

    no_echo = start(armies="rhaetia germania_superior libya", revolts="rhaetia germania_superior")
    assert chance(no_echo, lambda after: "rhaetia" not in after.armies) == Fraction(1, 4)


@pytest.mark.choice("I-ORDER-ITALIA")
def test_italia_comes_before_the_numbered_regions():
    """A province of Italia counts as region 0: Sicilia before Epirus, both two provinces from Roma [I-ORDER]."""
    position = start(armies="epirus sicilia", revolts="epirus sicilia")

    assert set(barbarians(position, *QUIET, LINKED).armies) == {"lucania", "epirus"}


@pytest.mark.choice("I-ORDER")
def test_within_a_region_the_lower_number_goes_first():
    """Germania Superior (II:3) before Narbonensis (II:6), though its row of the map comes later [I-ORDER]."""
    position = start(armies="narbonensis germania_superior", revolts="narbonensis germania_superior")

    assert set(barbarians(position, *QUIET, LINKED).armies) == {"cisalpina", "narbonensis"}


@pytest.mark.rule("p10-advance")
def test_the_order_is_that_of_the_start_of_the_advance():
    """An army that has moved does not move again, though it is the nearest now (p. 10)."""
    assert barbarians(start(armies="libya"), *QUIET).armies == ("aegyptus",)


# -- Emperors in the way ---------------------------------------------------------------------------------------


@pytest.mark.rule("p11-attack")
def test_an_emperor_in_the_way_is_attacked():
    """The army attacks the Emperor who blocks its way: two dice, and the Emperor's values as in his attack (p. 11)."""
    position = start({"maximian": "aegyptus"}, armies="libya")  # d6 against d6

    for outcome, expected in ((Outcome.VICTORY, 15), (Outcome.DRAW, 6), (Outcome.DEFEAT, 15)):
        assert rules.battle(position, "maximian", "libya").chances()[outcome] == expected
    assert chance(position, lambda after: after.armies == ()) == Fraction(15, 36)
    assert chance(position, lambda after: after.armies == ("libya",)) == Fraction(6, 36)
    assert chance(position, lambda after: after.armies == ("aegyptus",)) == Fraction(15, 36)


@pytest.mark.rule("p11-attack-victory")
@pytest.mark.parametrize("lying", [{}, {"garrisons": {"galerius": "cyrenaica"}}])
def test_when_the_army_wins_the_emperor_leaves_and_it_enters(lying):
    """Barbarian victory: the Emperor is removed, the army enters and puts a revolt (p. 11)."""
    position = start({"maximian": "cyrenaica"}, armies="aegyptus", revolts="aegyptus", **lying)
    after = barbarians(position, *QUIET, 1, 6)

    assert after.emperors["maximian"] is None
    assert after.armies == ("cyrenaica",)
    assert after.discs == {"aegyptus": "revolt", "cyrenaica": "revolt"}


@pytest.mark.rule("p11-attack-defeat")
@pytest.mark.parametrize(
    ("army", "revolts", "here"), [("libya", "", "aegyptus"), ("aegyptus", "aegyptus", "cyrenaica")]
)
def test_when_the_army_loses_it_leaves_with_the_disc_under_it(army, revolts, here):
    """Barbarian defeat: the army and any disc of its province are removed, the Emperor stays where he is (p. 11)."""
    after = barbarians(start({"maximian": here}, armies=army, revolts=revolts), *QUIET, 6, 1)

    assert after.armies == ()
    assert after.discs == {}
    assert after.emperors["maximian"] == here


@pytest.mark.rule("p11-attack-draw")
def test_a_draw_leaves_both_where_they_are():
    """Draw: nothing happens (p. 11)."""
    position = start(
        {"maximian": "cyrenaica"}, armies="aegyptus", revolts="aegyptus", garrisons={"maximian": "cyrenaica"}
    )
    after = barbarians(position, *QUIET, 3, 3)  # d6 + 1 against d6 + 1

    assert after == position.replace(to_move="galerius", phase=after.phase, ip=6)


@pytest.mark.rule("p10-advance-broken", "p11-example-wait")
def test_the_broken_link_is_checked_before_the_battle():
    """Where the link is broken the attack arrives on 4 to 6 only (p. 11)."""
    position = start({"maximian": "belgica"}, armies="britannia")

    assert barbarians(position, *QUIET, BLOCKED).armies == ("britannia",)
    assert barbarians(position, *QUIET, LINKED, 6, 1).armies == ()


@pytest.mark.rule("p11-fall-roma", "p11-attack")
def test_an_emperor_in_roma_defends_it():
    """The army attacks him first, and enters only if it wins (p. 10, 11)."""
    position = start({"maximian": "roma"}, armies="etruria", revolts="etruria")
    won = barbarians(position, *QUIET, 6, 1)

    assert (won.armies, won.emperors["maximian"]) == ((), "roma")
    assert barbarians(position, *QUIET, 1, 6) is Fall.ARMY_IN_ROMA


@pytest.mark.rule("p10-enter")
def test_an_army_that_enters_a_revolt_needs_no_other():
    """What lies there gives way to the revolt, so the last one in the reserve is not asked for (p. 10)."""
    others = [p.id for p in MAP.provinces.values() if not p.is_border and p.id not in ("roma", "asia", "lucania")]
    revolts = dict.fromkeys(["macedonia", "epirus", *others])
    position = start(armies="macedonia", revolts=" ".join([*revolts][:21]))

    assert position.reserve_revolts == 0
    assert barbarians(position, *faces_of("asia")).armies == ("epirus",)


@pytest.mark.rule("p11-attack-support")
def test_support_is_counted_at_the_opponent_here_too():
    """Emperors linked to the army and armies linked to the Emperor double, though the army attacks now (p. 11)."""
    allies = {"maximian": "cyrenaica", "galerius": "libya", "constantius": "tripolitania"}
    position = start(allies, armies="aegyptus", revolts="aegyptus")
    # Galerius in Libya is linked to the army; Constantius in Tripolitania only to Maximian
    assert barbarians(position, *QUIET, 2, 2).armies == ()  # 2 x 2 against 2 + 1
    assert barbarians(position, *QUIET, 2, 3).armies == ("aegyptus",)  # 2 x 2 against 3 + 1: a draw
    beside = start(
        {"maximian": "cyrenaica"}, armies="aegyptus libya", revolts="aegyptus", garrisons={"maximian": "cyrenaica"}
    )
    assert barbarians(beside, *QUIET, 5, 2).armies == ("aegyptus", "libya")  # 6 against 3 x 2: a draw
    behind = start({"maximian": "cyrenaica"}, armies="aegyptus syria", revolts="aegyptus syria")
    assert barbarians(behind, *QUIET, 4, 2).armies == ("cilicia", "aegyptus")  # 4 against 2 + 2: a draw


@pytest.mark.rule("p11-attack")
def test_an_emperor_of_any_turn_is_attacked():
    """Any figure in the way is attacked, whose turn it is does not matter (p. 11)."""
    for emperor in ("diocletian", "galerius", "constantius", "maximian"):
        position = make_position(
            "diocletian", {"diocletian": "asia"} | {emperor: "aegyptus"}, armies="libya", barbarian=True
        )
        assert barbarians(position, *QUIET, 1, 6).emperors[emperor] is None


@pytest.mark.rule("p11-fall-roma", "p11-attack-victory")
def test_a_defeat_in_roma_opens_the_gates():
    """An Emperor in Roma blocks the way; when he is beaten the army enters, and the Empire ends (p. 11)."""
    position = start({"maximian": "roma"}, armies="lucania", revolts="lucania", unrest="cisalpina")
    # Roma's printed disc is under him: d6 + 1 against d6 + 1
    assert barbarians(position, *QUIET, 1, 6) is Fall.ARMY_IN_ROMA
    assert rules.outcomes(position)[Fall.ARMY_IN_ROMA] == Fraction(15, 36)


@pytest.mark.rule("p10-order-distance", "p10-blocked")
def test_a_beaten_army_frees_the_way_for_the_next():
    """Armies act one after the other: what the first leaves is what the next finds (p. 10)."""
    position = start({"maximian": "tripolitania"}, armies="cyrenaica aegyptus", revolts="cyrenaica aegyptus")

    assert barbarians(position, *QUIET, 6, 1).armies == ("cyrenaica",)  # 6 against 1 + 2, the second moves up
    assert barbarians(position, *QUIET, 1, 6).armies == ("cyrenaica", "tripolitania")
    assert barbarians(position, *QUIET, 3, 1).armies == ("aegyptus", "cyrenaica")  # a draw: the second is blocked


# -- new armies ------------------------------------------------------------------------------------------------


@pytest.mark.choice("I-FRESH")
def test_an_army_that_has_just_come_advances_too():
    """All armies advance, those of this phase's echo as well (p. 10) [I-FRESH]."""
    after = barbarians(start(revolts="numidia"), *faces_of("numidia"), 6)

    assert after.armies == ("aegyptus",)
    assert "aegyptus" in after.revolts


# -- paths of other boards -------------------------------------------------------------------------------------


@pytest.mark.program
def test_an_army_off_the_paths_stays():
    """Armies follow arrows; one that no arrow leads on stays (p. 10)."""
    position = start(armies="gallaecia", revolts="gallaecia", legal=False)

    assert barbarians(position, *QUIET).armies == ("gallaecia",)


@pytest.mark.rule("p11-attack-defeat")
def test_an_army_whose_defeat_is_certain():
    """An attack that no roll can save ends the army with all 36 (p. 8, 11).

    On a map whose path leads from Syria to Aegyptus: four garrisons make d6 + 4, x2 by Galerius; the army has d6 + 1.
    """
    syria = "syria              syr V:1   3  cilicia"
    board = build_map(PROVINCES.replace(syria, syria.replace("cilicia", "aegyptus")), LINKS)
    position = start(
        {"maximian": "aegyptus", "galerius": "cilicia"},
        armies="syria",
        revolts="syria",
        garrisons={"maximian": "aegyptus cyrenaica tripolitania africa"},
        board=board,
    )

    assert all(barbarians(position, *QUIET, *faces).armies == () for faces in product(range(1, 7), repeat=2))
