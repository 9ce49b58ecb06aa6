"""Combat values and outcomes (rulebook pages 8 and 9)."""

from itertools import product

import pytest
from tabletop import MAP, make_position

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.rules import Battle

V, D, L = Outcome.VICTORY, Outcome.DRAW, Outcome.DEFEAT


def values(emperor="maximian", army="rhaetia", **on_the_table):
    """Garrisons, Emperors, revolts and armies that count, with Maximian in Pannonia Superior unless `at` says else."""
    at = {"maximian": "pannonia_superior"} | on_the_table.pop("at", {})
    armies = " ".join([army, *on_the_table.pop("armies", "").split()])
    inside = [place for place in armies.split() if not MAP[place].is_border]
    revolts = " ".join(dict.fromkeys([*inside, *on_the_table.pop("revolts", "").split()]))
    fight = rules.battle(make_position("maximian", at, armies=armies, revolts=revolts, **on_the_table), emperor, army)
    return fight.garrisons, fight.emperors, fight.revolts, fight.armies


# -- Rome ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("p05-printed-disc", "p05-roma")
def test_his_printed_discs_count_while_nothing_covers_them():
    """Capital and Roma count as garrisons of the Emperor: Cisalpina alone is one, with Etruria it reaches Roma (p. 5, 9)."""
    assert values()[0] == 1
    assert values(garrisons={"maximian": "etruria"})[0] == 3


@pytest.mark.rule("p05-printed-disc")
@pytest.mark.parametrize(
    "cover", [{"revolts": "cisalpina"}, {"unrest": "cisalpina"}, {"garrisons": {"galerius": "cisalpina"}}]
)
def test_a_covered_printed_disc_does_not_count(cover):
    """A printed disc counts only when no other disc covers it, whosever that is (p. 5)."""
    assert values(**cover)[0] == 0


@pytest.mark.rule("p05-printed-disc")
def test_his_garrison_on_his_printed_disc_counts_once():
    """One disc a province: a garrison on the own capital adds one, not two (p. 5)."""
    assert values(garrisons={"maximian": "cisalpina"})[0] == 1


@pytest.mark.choice("I-ROMA-COVERED")
def test_a_garrison_in_roma_covers_its_printed_disc_for_the_others():
    """It is a disc like any other that covers a printed one (p. 5) [I-ROMA-COVERED]."""
    assert values(garrisons={"maximian": "etruria", "galerius": "roma"})[0] == 2
    assert values(garrisons={"maximian": "etruria roma"})[0] == 3


@pytest.mark.rule("p08-battle-own-group")
def test_only_garrisons_of_his_own_colour_count():
    """The Emperor adds his own discs; those of others neither count nor join groups (p. 8)."""
    assert values(garrisons={"galerius": "etruria pannonia_inferior dalmatia"})[0] == 1
    assert values(garrisons={"maximian": "roma", "galerius": "etruria"})[0] == 1


@pytest.mark.rule("p08-secure-effect")
def test_the_disc_under_him_belongs_to_the_group():
    """A garrison in his own province is linked to him, and joins what lies around (p. 8)."""
    assert values(garrisons={"maximian": "pannonia_superior"})[0] == 2
    assert values(garrisons={"maximian": "pannonia_superior dalmatia"})[0] == 3
    assert values(garrisons={"maximian": "pannonia_superior"}, unrest="cisalpina")[0] == 1


@pytest.mark.rule("p08-battle-one-group")
def test_only_one_group_counts_and_he_takes_the_largest():
    """Several groups linked to him do not add up (p. 9)."""
    # cisalpina on one side; dalmatia and moesia_superior on the other, not linked to it
    assert values(garrisons={"maximian": "dalmatia moesia_superior"})[0] == 2
    assert values(garrisons={"maximian": "dalmatia etruria"})[0] == 3


@pytest.mark.rule("p08-battle-one-group")
def test_garrisons_far_away_do_not_count():
    """Only a continuous group linked to him counts (p. 8)."""
    assert values(garrisons={"maximian": "tingitana baetica dacia"}, unrest="cisalpina")[0] == 0


@pytest.mark.choice("I-BATTLE-BROKEN")
def test_broken_links_join_garrisons():
    """In battle a broken link counts as a link, without a check (p. 8) [I-BATTLE-BROKEN]."""
    assert values(garrisons={"maximian": "germania_superior narbonensis"})[0] == 3  # narbonensis~cisalpina


@pytest.mark.rule("p08-battle-emperors")
def test_each_other_emperor_beside_the_army_doubles():
    """Every other Emperor beside the army doubles (p. 8)."""
    assert values(at={"galerius": "noricum"})[1] == 1
    assert values(at={"galerius": "noricum", "diocletian": "germania_superior"})[1] == 2
    three = {
        "maximian": "rhaetia",
        "galerius": "belgica",
        "diocletian": "lugdunensis",
        "constantius": "germania_inferior",
    }
    assert values("maximian", "germania_superior", at=three)[1] == 3


@pytest.mark.choice("I-BATTLE-BROKEN")
def test_support_crosses_broken_links():
    """Emperors beside the army and armies beside the Emperor, from outside the Empire too (p. 8)."""
    assert values(at={"galerius": "noricum", "diocletian": "germania_superior", "constantius": "cisalpina"})[1] == 3
    assert values(at={"galerius": "germania_magna"})[1] == 1
    assert values(at={"maximian": "cisalpina"}, armies="narbonensis germania_superior")[3] == 2


@pytest.mark.rule("p08-battle-emperors")
def test_emperors_beside_the_emperor_lend_no_support():
    """Support is counted at the opponent: who is linked to the Emperor only does not help (p. 8)."""
    assert values(at={"galerius": "dalmatia", "diocletian": "pannonia_inferior"})[1] == 0


# -- Barbarians ------------------------------------------------------------------------------------------------


@pytest.mark.rule("p08-battle-revolts")
def test_the_group_under_the_army_counts():
    """The army adds the continuous group of revolts that it stands on (p. 8)."""
    assert values()[2] == 1
    assert values(revolts="noricum pannonia_inferior dacia")[2] == 4
    assert values(revolts="dalmatia")[2] == 1  # linked to the Emperor, not to the army


@pytest.mark.rule("p08-battle-revolts")
def test_unrest_does_not_count():
    """Revolts add, unrest does not, and it joins no groups (p. 8)."""
    assert values(unrest="noricum", revolts="pannonia_inferior")[2] == 1


@pytest.mark.choice("I-REVOLT-GROUP")
def test_on_a_border_the_largest_group_beside_it_counts():
    """Where no revolt lies under the army, one linked group counts, the largest (p. 8) [I-REVOLT-GROUP]."""
    position = make_position(
        "maximian",
        {"maximian": "caesariensis"},
        armies="gaetulia",
        revolts="tingitana caesariensis numidia baetica aegyptus",
    )
    apart = make_position(
        "maximian", {"maximian": "tingitana"}, armies="sarmatia", revolts="dacia moesia_inferior thracia"
    )

    assert (
        rules.battle(position, "maximian", "gaetulia").revolts == 4
    )  # tingitana and caesariensis are linked: one group
    assert rules.battle(apart, "maximian", "sarmatia").revolts == 2  # dacia alone, or moesia_inferior with thracia


@pytest.mark.rule("p08-battle-revolts")
def test_an_army_without_revolts_adds_nothing():
    """Without a revolt under it or beside it the army has its die alone (p. 8)."""
    position = make_position("maximian", {"maximian": "caesariensis"}, armies="gaetulia", revolts="numidia")

    assert rules.battle(position, "maximian", "gaetulia").revolts == 0


@pytest.mark.rule("p08-battle-armies")
def test_each_other_army_beside_the_emperor_doubles():
    """Each additional army linked to the Emperor makes it x2 for the Barbarians (p. 8)."""
    assert values(armies="cisalpina")[3] == 1
    assert values(at={"maximian": "germania_superior"}, armies="narbonensis belgica")[3] == 2


@pytest.mark.rule("p08-battle-armies")
def test_armies_beside_the_army_lend_no_support():
    """Support is counted at the opponent: an army linked to the army only does not help (p. 8)."""
    assert values(armies="germania_magna germania_superior")[3] == 0


# -- the dice --------------------------------------------------------------------------------------------------


@pytest.mark.rule("p08-battle-dice", "p08-draw")
@pytest.mark.parametrize(
    ("fight", "victory", "draw", "defeat"),
    [
        (Battle(0, 0, 0, 0), 15, 6, 15),
        (Battle(3, 1, 7, 0), 24, 3, 9),  # 8 10 12 14 16 18 against 8 to 13: 0+2+4+6+6+6 victories, 3 draws
        (Battle(3, 0, 7, 0), 1, 2, 33),  # 4 to 9 against 8 to 13: 9>8; 8=8 and 9=9
        (Battle(1, 1, 1, 0), 30, 2, 4),  # 4 6 8 10 12 14 against 2 to 7: 2+4+6+6+6+6
        (Battle(0, 0, 0, 1), 6, 3, 27),  # 1 to 6 against 2 4 6 8 10 12: 0+0+1+1+2+2
        (Battle(0, 0, 12, 3), 0, 0, 36),
        (Battle(9, 3, 0, 0), 36, 0, 0),
    ],
)
def test_chances_counted_by_hand(fight, victory, draw, defeat):
    """The higher value wins, equal values are a draw; of 36 rolls so many each (p. 8)."""
    counted = {outcome: count for outcome, count in ((V, victory), (D, draw), (L, defeat)) if count}

    assert fight.chances() == counted


@pytest.mark.rule("p08-battle-dice", "p08-battle-emperors", "p08-battle-armies")
def test_values_are_die_plus_group_times_two_for_each_ally():
    """Roman = (d6 + garrisons) x 2 for each Emperor, Barbarian = (d6 + revolts) x 2 for each army (p. 8)."""
    for g, e, r, a in product(range(5), range(4), range(8), range(3)):
        faces = iter(Battle(g, e, r, a).outcomes())
        for roman, barbarian in product(range(1, 7), repeat=2):
            rome, barbary = roman + g, barbarian + r
            for _ in range(e):
                rome += rome
            for _ in range(a):
                barbary += barbary
            assert next(faces) is (V if rome > barbary else L if rome < barbary else D)


@pytest.mark.program
def test_a_battle_prints_its_values():
    """What a battle prints is what players say at the table (p. 9)."""
    assert str(Battle(3, 1, 7, 0)) == "(d6 + 3) x 2 against d6 + 7"
    assert str(Battle(0, 2, 1, 1)) == "(d6 + 0) x 4 against (d6 + 1) x 2"
