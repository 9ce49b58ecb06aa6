"""Barbarian phase, 2: activity, uprisings and echoes (rulebook page 10)."""

from fractions import Fraction

import pytest
from tabletop import BORDERS, MAP, barbarians, chance, faces_of, table

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position

ALL_ARMIES = "gaetulia britannia libya"
LINKED, BLOCKED = 4, 3


def start(at=None, **on_the_table):
    return table("diocletian", {"diocletian": "asia"} | (at or {}), barbarian=True, **on_the_table)


# -- what lies there -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("owner", ["diocletian", "maximian"])
def test_a_garrison_protects(owner):
    """On a garrison of any Emperor the activity does nothing (p. 10)."""
    position = start(garrisons={owner: "noricum"})

    assert barbarians(position, *faces_of("noricum")).discs == {"noricum": owner}


@pytest.mark.parametrize("capital", ["bithynia", "pannonia_inferior", "germania_inferior"])
def test_an_uncovered_printed_disc_protects(capital):
    """A printed disc counts as a garrison while nothing covers it (p. 5, 10)."""
    assert barbarians(start(), *faces_of(capital)).discs == {}


def test_no_disc_becomes_unrest():
    """Where no disc lies, an unrest is placed (p. 10)."""
    assert barbarians(start(), *faces_of("noricum")).discs == {"noricum": "unrest"}


@pytest.mark.parametrize("place", ["noricum", "bithynia"])
def test_unrest_becomes_a_revolt(place):
    """An unrest is changed to a revolt, on a covered printed disc too (p. 10)."""
    assert barbarians(start(unrest=place), *faces_of(place)).discs == {place: "revolt"}


def test_an_emperor_does_not_protect():
    """Emperors do not protect against the roll (p. 11)."""
    assert barbarians(start(), *faces_of("asia")).discs == {"asia": "unrest"}


def test_every_coordinate_is_equally_likely():
    """Two dice name one of the 36 provinces outside Italia, each with chance 1/36 (p. 10)."""
    outcomes = rules.outcomes(start())
    protected = 3  # the capitals of the East, of Gallia and of Illyricum; the fourth lies in Italia

    assert len(outcomes) == 36 - protected + 1
    assert sorted(set(outcomes.items()), key=lambda item: item[1])[-1][1] == Fraction(protected, 36)
    for province in MAP.provinces.values():
        expected = Fraction(1, 36) if province.number and not province.printed else 0
        assert outcomes.probability(lambda after, p=province.id: after.discs.get(p) == "unrest") == expected


# -- uprising --------------------------------------------------------------------------------------------------


def test_an_uprising_puts_revolts_around():
    """A roll on a revolt puts a revolt in all Roman provinces linked to it (p. 10)."""
    after = barbarians(start(revolts="numidia", armies=ALL_ARMIES), *faces_of("numidia"), 1, 1)

    assert after.revolts >= {"numidia", "africa", "caesariensis"}


@pytest.mark.parametrize(
    "lying",
    [{"unrest": "africa"}, {"garrisons": {"maximian": "africa"}}, {"garrisons": {"galerius": "africa", "maximian": "caesariensis"}}],
)
def test_other_discs_are_changed_to_revolts(lying):
    """Unrest and garrisons around an uprising go back to their reserve, a revolt comes instead (p. 10)."""
    position = start(revolts="numidia", **lying)
    after = barbarians(position, *faces_of("numidia"), 4)  # the army comes to Sarmatia, which passes no broken link

    assert after is None or isinstance(after, Position)


def test_discs_around_an_uprising_go_back_to_their_reserve():
    """What a revolt replaces lies in its reserve again; a revolt that lies there already stays as it is (p. 10)."""
    position = start(
        revolts="numidia tripolitania africa", garrisons={"maximian": "caesariensis"}, armies="sarmatia persia germania_magna"
    )
    after = barbarians(position, *faces_of("numidia"), BLOCKED, BLOCKED, BLOCKED)

    assert after.revolts == {"numidia", "africa", "caesariensis", "tripolitania"}
    assert after.reserve_garrisons("maximian") == 4
    assert after.reserve_revolts == 21 - 4


def test_an_uprising_covers_printed_discs():
    """A printed disc stops no uprising (p. 10)."""
    position = start(revolts="noricum", armies="sarmatia persia germania_magna")
    after = barbarians(position, *faces_of("noricum"), BLOCKED, BLOCKED, BLOCKED)

    assert after.revolts == {"noricum", "rhaetia", "pannonia_superior", "pannonia_inferior"}


def test_borders_never_revolt():
    """Uprisings spread to Roman provinces only: a secured border stays, an empty one stays empty (p. 10, 11)."""
    position = start(revolts="aegyptus", garrisons={"maximian": "libya"}, armies="sarmatia persia germania_magna")
    after = barbarians(position, *faces_of("aegyptus"), BLOCKED, BLOCKED, BLOCKED)

    assert after.revolts == {"aegyptus", "syria", "cyrenaica"}
    assert after.secured == ("libya",)


@pytest.mark.parametrize(("face", "reached"), [(3, False), (4, True)])
def test_an_uprising_checks_broken_links(face, reached):
    """A province behind a broken link is reached on 4 to 6 (p. 9, 10)."""
    position = start(revolts="africa", armies="sarmatia persia germania_magna")
    after = barbarians(position, *faces_of("africa"), face, BLOCKED, BLOCKED, BLOCKED)

    assert after.revolts == {"africa", "numidia", "tripolitania"} | ({"sicilia"} if reached else set())


def test_the_uprising_does_not_spread_by_itself():
    """An uprising reaches the provinces linked to the rolled one, not those behind them (p. 10)."""
    position = start(revolts="numidia", unrest="tripolitania", armies="sarmatia persia germania_magna")

    assert barbarians(position, *faces_of("numidia"), BLOCKED, BLOCKED, BLOCKED).unrest == {"tripolitania"}


def test_an_emperor_reached_by_an_uprising_stays_for_now():
    """If an uprising reaches an Emperor, he is not removed until the next turn (p. 11)."""
    position = start({"galerius": "caesariensis"}, revolts="numidia", armies="sarmatia persia germania_magna")
    after = barbarians(position, *faces_of("numidia"), BLOCKED, BLOCKED, BLOCKED)

    assert after.emperors["galerius"] == "caesariensis"
    assert "caesariensis" in after.revolts


# -- echo ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("region", "border"), list(enumerate(BORDERS, start=1)))
def test_an_army_comes_to_the_border_of_the_rolled_region(region, border):
    """An echo rolls a region, and an army is placed on its border if that is empty (p. 10)."""
    position = start(revolts="numidia", readings={"I-FRESH": "wait"})

    assert barbarians(position, *faces_of("numidia"), region).armies == (border,)


def test_without_an_army_in_reserve_there_is_no_echo():
    """Only if an army is left in the reserve does an uprising echo (p. 10)."""
    position = start(revolts="numidia", armies="sarmatia persia germania_magna")

    assert barbarians(position, *faces_of("numidia"), BLOCKED, BLOCKED, BLOCKED).armies == position.armies
    assert rules.figures(position).p_new_army == 0


@pytest.mark.parametrize(
    "occupant",
    [{"at": {"maximian": "libya"}}, {"armies": "libya"}, {"garrisons": {"galerius": "libya"}}],
)
def test_an_occupied_border_turns_the_echo_into_another_activity(occupant):
    """Where a figure or a garrison is on the border, a province of that region has the activity (p. 10)."""
    position = start(revolts="numidia", readings={"I-FRESH": "wait"}, **occupant)
    advance = () if "armies" not in occupant else ()  # libya-aegyptus is a normal link
    after = barbarians(position, *faces_of("numidia"), 6, 2, *advance)

    assert "cyrenaica" in after.unrest
    assert len(after.armies) == len(position.armies)


def test_echoes_can_chain():
    """The new activity may be an uprising with an echo of its own, which may bring the army after all (p. 10)."""
    position = start(
        {"maximian": "libya"}, revolts="numidia cyrenaica", readings={"I-FRESH": "wait"}, garrisons={"galerius": "libya"}
    )
    after = barbarians(position, *faces_of("numidia"), 6, 2, 6, 4, 3)

    assert after.revolts == {"numidia", "africa", "caesariensis", "cyrenaica", "aegyptus", "tripolitania"}
    assert after.armies == ("germania_magna",)


def test_the_echo_of_an_echo_finds_what_the_first_left():
    """Activities of one phase come one after the other: an unrest from the first step of a chain may revolt in the next."""
    position = start({"maximian": "libya"}, revolts="numidia", unrest="cyrenaica", readings={"I-FRESH": "wait"})

    assert barbarians(position, *faces_of("numidia"), 6, 2).revolts >= {"cyrenaica"}


def test_exact_chance_of_a_new_army():
    """One revolt, five empty borders: 1/36 for the uprising, and 5/6 of the echoes bring an army at once (p. 10).

    The sixth border is occupied; its region's revolts are Numidia and the two that the uprising adds, so of its six provinces
    three raise a revolt again, until africa's neighbours are in revolt too. Counted by hand:
    x = chance of an army once Numidia, Africa, Caesariensis are in revolt. From there region 1 to 5: army. Region 6 (1/6):
    Numidia (1/6) changes nothing, back to x; Caesariensis adds Tingitana: y; Africa adds Tripolitania, and Sicilia in half of
    the cases: z. From every state the echo brings an army with 5/6 and ends otherwise, or comes back to an echo.
    """
    position = start({"maximian": "libya"}, revolts="numidia")
    figures = rules.figures(position)

    assert figures.p_uprising == Fraction(1, 36)
    # Only uprisings of region VI go on. Lower bound: army at once. Upper bound: every uprising of an echo ends in an army.
    assert Fraction(1, 36) * Fraction(5, 6) < figures.p_new_army < Fraction(1, 36) * (Fraction(5, 6) + Fraction(1, 6) * Fraction(6, 6))


def test_exact_endless_echo():
    """A chain that may come back to where it was has an exact chance all the same (p. 10).

    All of Africa is in revolt with its neighbours; armies stand on two borders, Libya's among them. After an uprising the
    echo brings an army with 4/6, another uprising in region VI with 1/6 x 6/6, and with 1/6 an activity in region V, whose six
    provinces hold no revolt but Syria: 1/6 of them rises.
    """
    revolts = "aegyptus cyrenaica tripolitania numidia caesariensis africa sicilia tingitana syria"
    garrisons = {"diocletian": "persia", "galerius": "libya"}
    position = start(revolts=revolts, garrisons=garrisons, armies="sarmatia")
    figures = rules.figures(position)
    # Empty borders: gaetulia, britannia, germania_magna. Occupied: sarmatia (IV), persia (V), libya (VI).
    # e: chance that an echo ends in an army while all revolts of V beyond syria are quiet
    uprising_first = Fraction(9 - 1, 36)  # sicilia lies in Italia and is never rolled
    assert figures.p_uprising == uprising_first
    # Every echo: 3/6 army; 1/6 region IV, no revolt there; 1/6 region V, syria rises and changes the table;
    # 1/6 region VI, all six rise. Without syria the chain is a geometric series.
    least = Fraction(3, 6) / (1 - Fraction(1, 6))
    assert figures.p_new_army > uprising_first * least
    assert figures.e_uprisings > uprising_first / (1 - Fraction(1, 6))


def test_exact_geometric_series():
    """Where every uprising leaves the table as it is, the echoes are a geometric series (p. 10).

    Numidia, Caesariensis, Africa, Tripolitania, Tingitana and Sicilia are in revolt; of these Numidia alone has only revolts around
    it. Garrisons on Cyrenaica's and Baetica's sides would change; so the series is taken over Numidia by way of region VI.
    Here all of region VI and what is linked to it are in revolt, and only Libya is occupied: with q = 1/6 an echo is another
    uprising, with 5/6 an army. The chance of an army is 1 after any uprising in region VI, and 1/(1-q) uprisings are expected.
    """
    revolts = "aegyptus cyrenaica tripolitania numidia caesariensis africa sicilia tingitana syria"
    position = start(revolts=revolts, garrisons={"galerius": "libya"}, readings={"I-FRESH": "wait"})
    africa = chance(position, lambda after: after.revolts == position.revolts and len(after.armies) == 1)

    # region VI is rolled first with 6/36; the army then comes for certain to one of five borders
    assert africa == Fraction(6, 36)
    assert chance(position, lambda after: after.revolts == position.revolts and after.armies == ("persia",)) == Fraction(1, 30)
