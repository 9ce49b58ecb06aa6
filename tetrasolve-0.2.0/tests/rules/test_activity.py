"""Barbarian phase, 2: activity, uprisings and echoes (rulebook page 10)."""

from fractions import Fraction

import pytest
from tabletop import BORDERS, MAP, barbarians, chance, faces_of, make_position

from tetrasolve.tetrarchia import rules

NORTH_EAST = "sarmatia persia germania_magna"  # the reserve is empty, and each has to pass a broken link
QUIET_ADVANCE = (3, 3, 3)
AROUND_GALATIA = {"galatia", "asia", "bithynia", "cappadocia", "cilicia"}


def start(at=None, **on_the_table):
    return make_position("diocletian", {"diocletian": "asia"} | (at or {}), barbarian=True, **on_the_table)


# -- what lies there -------------------------------------------------------------------------------------------


@pytest.mark.rule("p10-garrison", "p08-secure-effect")
@pytest.mark.parametrize("owner", ["diocletian", "maximian"])
def test_a_garrison_protects(owner):
    """On a garrison of any Emperor the activity does nothing (p. 10)."""
    position = start(garrisons={owner: "noricum"})

    assert barbarians(position, *faces_of("noricum")).discs == {"noricum": owner}


@pytest.mark.rule("p05-printed-disc")
@pytest.mark.parametrize("capital", ["bithynia", "pannonia_inferior", "germania_inferior"])
def test_an_uncovered_printed_disc_protects(capital):
    """A printed disc counts as a garrison while nothing covers it (p. 5, 10)."""
    assert barbarians(start(), *faces_of(capital)).discs == {}


@pytest.mark.rule("p10-no-disc")
def test_no_disc_becomes_unrest():
    """Where no disc lies, an unrest is placed (p. 10)."""
    assert barbarians(start(), *faces_of("noricum")).discs == {"noricum": "unrest"}


@pytest.mark.rule("p10-unrest")
@pytest.mark.parametrize("place", ["noricum", "bithynia"])
def test_unrest_becomes_a_revolt(place):
    """An unrest is changed to a revolt, on a covered printed disc too (p. 10)."""
    assert barbarians(start(unrest=place), *faces_of(place)).discs == {place: "revolt"}


@pytest.mark.rule("p11-no-protection")
def test_an_emperor_does_not_protect():
    """Only garrisons keep the roll away, an Emperor does not (p. 11)."""
    assert barbarians(start(), *faces_of("asia")).discs == {"asia": "unrest"}


@pytest.mark.rule("p10-activity")
def test_every_coordinate_is_equally_likely():
    """Two dice name one of the 36 provinces outside Italia, each with chance 1/36 (p. 10)."""
    outcomes = rules.outcomes(start())
    protected = 3  # the capitals of the East, of Gallia and of Illyricum; the fourth lies in Italia

    assert len(outcomes) == 36 - protected + 1
    assert max(weight for _, weight in outcomes.items()) == Fraction(protected, 36)
    for province in MAP.provinces.values():
        expected = Fraction(1, 36) if province.number and not province.printed else 0
        assert outcomes.probability(lambda after, p=province.id: after.discs.get(p) == "unrest") == expected


@pytest.mark.rule("p10-unrest", "p11-no-protection")
def test_an_emperor_keeps_no_unrest_from_growing():
    """The roll takes no notice of him (p. 10, 11)."""
    assert barbarians(start(unrest="asia"), *faces_of("asia")).revolts == {"asia"}


@pytest.mark.rule("p10-activity")
def test_the_first_die_is_the_region():
    """Two and five are II:5, not V:2 (p. 10)."""
    assert barbarians(start(), 2, 5).unrest == {MAP.at(2, 5)}


# -- uprising --------------------------------------------------------------------------------------------------


@pytest.mark.rule("p10-uprising")
def test_an_uprising_puts_revolts_around():
    """A roll on a revolt puts a revolt in all Roman provinces linked to it (p. 10)."""
    after = barbarians(start(revolts="numidia", armies=NORTH_EAST), *faces_of("numidia"), *QUIET_ADVANCE)

    assert after.revolts == {"numidia", "africa", "caesariensis"}


@pytest.mark.rule("p10-uprising-discs")
@pytest.mark.parametrize(
    "lying",
    [
        {"garrisons": {"maximian": "africa"}},
        {"garrisons": {"galerius": "africa", "maximian": "caesariensis"}},
    ],
)
def test_garrisons_are_changed_to_revolts(lying):
    """Garrisons of any Emperor around an uprising are changed to revolts (p. 10)."""
    position = start(revolts="numidia", armies=NORTH_EAST, **lying)
    after = barbarians(position, *faces_of("numidia"), *QUIET_ADVANCE)

    assert after.revolts == {"numidia", "africa", "caesariensis"}
    assert set(after.discs.values()) == {"revolt"}


@pytest.mark.rule("p11-garrisons-return", "p10-uprising-revolts")
def test_discs_around_an_uprising_go_back_to_their_reserve():
    """What a revolt replaces lies in its reserve again; a revolt that lies there already stays as it is (p. 10)."""
    position = start(revolts="numidia tripolitania africa", garrisons={"maximian": "caesariensis"}, armies=NORTH_EAST)
    after = barbarians(position, *faces_of("numidia"), *QUIET_ADVANCE)

    assert after.revolts == {"numidia", "africa", "caesariensis", "tripolitania"}
    assert after.reserve_garrisons("maximian") == 4
    assert after.reserve_revolts == 21 - 4


@pytest.mark.rule("p10-uprising")
def test_an_uprising_covers_printed_discs():
    """A printed disc stops no uprising (p. 10)."""
    position = start(revolts="noricum", armies=NORTH_EAST)
    after = barbarians(position, *faces_of("noricum"), *QUIET_ADVANCE)

    assert after.revolts == {"noricum", "rhaetia", "pannonia_superior", "pannonia_inferior"}


@pytest.mark.rule("p11-secured-for-good", "p10-uprising")
def test_borders_never_revolt():
    """Uprisings spread to Roman provinces only: a secured border stays, an empty one stays empty (p. 10, 11)."""
    position = start(revolts="aegyptus", garrisons={"maximian": "libya"}, armies=NORTH_EAST)
    after = barbarians(position, *faces_of("aegyptus"), *QUIET_ADVANCE)

    assert after.revolts == {"aegyptus", "syria", "cyrenaica"}
    assert after.secured == ("libya",)


@pytest.mark.rule("p10-uprising-broken", "p09-check")
@pytest.mark.parametrize(("face", "reached"), [(3, False), (4, True)])
def test_an_uprising_checks_broken_links(face, reached):
    """A province behind a broken link is reached on 4 to 6 (p. 9, 10)."""
    position = start(revolts="africa", armies=NORTH_EAST)
    after = barbarians(position, *faces_of("africa"), face, *QUIET_ADVANCE)

    assert after.revolts == {"africa", "numidia", "tripolitania"} | ({"sicilia"} if reached else set())


@pytest.mark.rule("p09-check-again")
@pytest.mark.parametrize(("first", "again", "reached"), [(3, 3, False), (3, 4, True)])
def test_a_link_is_checked_again_when_it_is_needed_again(first, again, reached):
    """Blocked for the spreading, it is rolled for once more when the same revolt rises (p. 9)."""
    position = start(revolts="africa", unrest="sicilia", armies=NORTH_EAST)
    after = barbarians(position, first, *faces_of("africa"), again, *QUIET_ADVANCE)

    assert after.has_revolt("sicilia") == reached


@pytest.mark.rule("p10-uprising")
def test_the_uprising_does_not_spread_by_itself():
    """An uprising reaches the provinces linked to the rolled one, not those behind them (p. 10)."""
    position = start(revolts="numidia", unrest="tripolitania", armies=NORTH_EAST)

    assert barbarians(position, *faces_of("numidia"), *QUIET_ADVANCE).unrest == {"tripolitania"}


@pytest.mark.rule("p10-uprising-revolts")
def test_no_broken_link_to_a_revolt_is_checked():
    """An uprising has nothing to do there, so no die is rolled (p. 10)."""
    position = start(revolts="thracia bithynia", armies=NORTH_EAST)

    assert barbarians(position, *faces_of("thracia"), *QUIET_ADVANCE).has_revolt("bithynia")


@pytest.mark.rule("p11-uprising-emperor")
def test_an_emperor_reached_by_an_uprising_stays_for_now():
    """If an uprising reaches an Emperor, he is not removed until the next turn (p. 11)."""
    position = start({"galerius": "caesariensis"}, revolts="numidia", armies=NORTH_EAST)
    after = barbarians(position, *faces_of("numidia"), *QUIET_ADVANCE)

    assert after.emperors["galerius"] == "caesariensis"
    assert "caesariensis" in after.revolts


# -- echo ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("p10-echo-border")
@pytest.mark.parametrize(("region", "border"), list(enumerate(BORDERS, start=1)))
def test_an_army_arrives_at_the_border_of_the_rolled_region(region, border):
    """An echo rolls a region, and an army is placed on its border if that is empty (p. 10)."""
    rising = "galatia" if region == 6 else "numidia"
    position = start(revolts=rising, readings={"I-FRESH": "wait"})

    assert barbarians(position, *faces_of(rising), region).armies == (border,)


@pytest.mark.rule("p10-echo-army-left", "p04-figures")
def test_the_last_army_in_reserve_comes_too():
    """With two armies on the board the third is left, and comes (p. 10)."""
    position = start(revolts="galatia", armies="sarmatia persia", readings={"I-FRESH": "wait"})

    assert barbarians(position, *faces_of("galatia"), 6, 3, 3).armies == ("sarmatia", "persia", "libya")


@pytest.mark.rule("p10-echo-army-left")
def test_without_an_army_in_reserve_there_is_no_echo():
    """Only if an army is left in the reserve does an uprising echo (p. 10)."""
    position = start(revolts="numidia", armies=NORTH_EAST)

    assert barbarians(position, *faces_of("numidia"), *QUIET_ADVANCE).armies == position.armies
    assert rules.figures(position).p_new_army == 0


@pytest.mark.rule("p10-echo-occupied")
@pytest.mark.parametrize(
    "occupant",
    [{"at": {"maximian": "libya"}}, {"armies": "libya"}, {"garrisons": {"galerius": "libya"}}],
)
def test_an_occupied_border_turns_the_echo_into_another_activity(occupant):
    """Where a figure or a garrison is on the border, a province of that region has the activity (p. 10)."""
    position = start(revolts="galatia", readings={"I-FRESH": "wait"}, **occupant)
    after = barbarians(position, *faces_of("galatia"), 6, 2)

    assert "cyrenaica" in after.unrest
    assert len(after.armies) == len(position.armies)


@pytest.mark.rule("p10-echo-chain")
def test_echoes_can_chain():
    """The new activity may be an uprising with an echo of its own, which may bring the army after all (p. 10)."""
    position = start(
        {"maximian": "libya"},
        revolts="galatia cyrenaica",
        readings={"I-FRESH": "wait"},
        garrisons={"galerius": "libya"},
    )
    after = barbarians(position, *faces_of("galatia"), 6, 2, 3)

    assert after.revolts == {"cyrenaica", "aegyptus", "tripolitania"} | AROUND_GALATIA
    assert after.armies == ("germania_magna",)


@pytest.mark.rule("p10-echo-occupied")
def test_the_echo_is_an_activity_like_any_other():
    """The new activity does what lies there asks for: unrest becomes a revolt, a garrison holds (p. 10)."""
    position = start({"maximian": "libya"}, revolts="galatia", unrest="cyrenaica", garrisons={"diocletian": "aegyptus"})

    assert barbarians(position, *faces_of("galatia"), 6, 2).revolts == {"cyrenaica"} | AROUND_GALATIA
    assert barbarians(position, *faces_of("galatia"), 6, 1).discs["aegyptus"] == "diocletian"


@pytest.mark.rule("p10-uprising-discs")
def test_an_uprising_can_change_unrest():
    """An echo finds the position as the uprising left it: unrest that no revolt reached before is reached now (p. 10).

    Unrest beside a revolt has become one in step 1 already, unless a broken link held it up: here Sicilia's did.
    """
    position = start(revolts="africa", unrest="sicilia", armies=NORTH_EAST)
    after = barbarians(position, 3, *faces_of("africa"), 4, *QUIET_ADVANCE)

    assert after.revolts == {"africa", "numidia", "tripolitania", "sicilia"}
    assert after.reserve_unrest == 21


@pytest.mark.choice("I-ECHO-HOME")
def test_an_echo_can_come_to_its_own_region():
    """It is announced for elsewhere in the Empire, and every face brings it where it says (p. 10)."""
    position = start(revolts="numidia", readings={"I-FRESH": "wait"})
    held = start({"maximian": "libya"}, revolts="numidia", readings={"I-FRESH": "wait"})

    assert barbarians(position, *faces_of("numidia"), 6).armies == ("libya",)
    assert barbarians(held, *faces_of("numidia"), 6, 4, 1).armies == ("gaetulia",)  # the same province rises again


@pytest.mark.choice("I-ECHO-HOME")
def test_exact_chances_of_a_single_echo():
    """One revolt rises with 1/36; five of six echoes bring an army, the sixth finds no revolt to raise (p. 10)."""
    figures = rules.figures(start(revolts="numidia", garrisons={"maximian": "persia"}))

    assert figures.p_uprising == figures.e_uprisings == Fraction(1, 36)
    assert figures.p_new_army == Fraction(5, 216)


@pytest.mark.choice("I-ECHO-HOME")
def test_exact_chances_of_an_endless_chain():
    """A chain of uprisings that may come back to where it was is summed to the end (p. 10).

    All of Africa and whatever is linked to it are in revolt, and Libya alone is occupied. A first uprising is rolled with 8/36
    (Sicilia lies in Italia). Each echo brings an army with 5/6 and another uprising, in Africa, with 1/6: so the army comes for
    certain, and 1 / (1 - 1/6) uprisings are expected.
    """
    revolts = "aegyptus cyrenaica tripolitania numidia caesariensis africa sicilia tingitana syria"
    position = start(revolts=revolts, garrisons={"galerius": "libya"}, readings={"I-FRESH": "wait"})
    figures = rules.figures(position)

    assert figures.p_uprising == Fraction(8, 36)
    assert figures.e_uprisings == Fraction(8, 36) * Fraction(6, 5)
    assert figures.p_new_army == Fraction(8, 36)
    # Nothing revolts again: six rolls in Africa, and Tingitana while its one broken link (to Baetica) holds
    unchanged = Fraction(6, 36) + Fraction(1, 36) / 2
    assert chance(position, lambda after: after.revolts == position.revolts and len(after.armies) == 1) == unchanged
    assert chance(position, lambda a: a.revolts == position.revolts and a.armies == ("persia",)) == unchanged / 5
