"""Barbarian phase, 1: revolts spread (rulebook page 9).

Dice are written down here: first the checks of this step, then the two dice of the activity, which find a province that is
protected (Bithynia, V:6) unless a test requires something else.
"""

from fractions import Fraction

import pytest
from tabletop import barbarians, chance, faces_of, make_position

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import enter
from tetrasolve.tetrarchia.rules import Fall

QUIET = faces_of("bithynia")
LINKED, BLOCKED = 4, 3


def start(at=None, **on_the_table):
    return make_position("diocletian", {"diocletian": "asia"} | (at or {}), barbarian=True, **on_the_table)


@pytest.mark.rule("p09-spread")
def test_unrest_beside_a_revolt_becomes_a_revolt():
    """A revolt turns the unrest beside it, without a die where the link is normal (p. 9)."""
    after = barbarians(start(revolts="noricum", unrest="rhaetia dacia"), *QUIET)

    assert after.revolts == {"noricum", "rhaetia"}
    assert after.unrest == {"dacia"}


@pytest.mark.rule("p09-domino")
def test_revolts_spread_by_domino_effect():
    """A chain of unrest falls whole, link by link, in one phase (p. 9)."""
    after = barbarians(start(revolts="tingitana", unrest="caesariensis numidia africa tripolitania cyrenaica"), *QUIET)

    assert after.unrest == frozenset()
    assert len(after.revolts) == 6


@pytest.mark.rule("p09-spread")
def test_garrisons_and_empty_provinces_stop_the_domino():
    """Only unrest spreads a revolt further (p. 9)."""
    after = barbarians(start(revolts="tingitana", garrisons={"maximian": "caesariensis"}, unrest="numidia"), *QUIET)

    assert after.revolts == {"tingitana"}
    assert after.unrest == {"numidia"}


@pytest.mark.rule("p09-spread")
def test_unrest_alone_stays():
    """Without a revolt beside it, unrest does not change in this step (p. 9)."""
    assert barbarians(start(unrest="noricum rhaetia"), *QUIET).unrest == {"noricum", "rhaetia"}


@pytest.mark.rule("p09-check", "p09-spread-broken")
@pytest.mark.parametrize(("face", "spreads"), [(1, False), (2, False), (3, False), (4, True), (5, True), (6, True)])
def test_a_broken_link_is_checked(face, spreads):
    """A revolt passes a broken link on 4 to 6 and is held up on 1 to 3 (p. 9)."""
    after = barbarians(start(revolts="pannonia_inferior", unrest="dacia"), face, *QUIET)

    assert ("dacia" in after.revolts) == spreads


@pytest.mark.choice("I-CHECK")
def test_a_check_serves_both_ways_but_once():
    """A broken link is checked once in this step, even when the unrest behind it stays (p. 9) [I-CHECK]."""
    position = start(revolts="pannonia_inferior", unrest="dacia moesia_superior")
    # moesia_superior falls by its normal link; dacia has broken links to both, each checked once
    assert barbarians(position, BLOCKED, BLOCKED, *QUIET).unrest == {"dacia"}
    assert barbarians(position, BLOCKED, LINKED, *QUIET).unrest == frozenset()
    assert barbarians(position, LINKED, *QUIET).unrest == frozenset()


@pytest.mark.program
def test_what_has_fallen_another_way_needs_no_check():
    """Unrest that a normal link has changed is not checked over its broken links (p. 9)."""
    after = barbarians(
        start(revolts="cilicia galatia", unrest="cappadocia"), *QUIET
    )  # cilicia~cappadocia, galatia-cappadocia

    assert "cappadocia" in after.revolts


def gone(*emperors):
    return lambda after: all(after.emperors[emperor] is None for emperor in emperors)


@pytest.mark.choice("I-CHECK")
def test_exact_chances_of_spreading():
    """One broken link spreads with chance 1/2, two with 3/4, one behind the other with 1/4 (p. 9).

    An Emperor on the unrest tells whether it fell, whatever else the phase brings.
    """
    one = start({"galerius": "dacia"}, revolts="pannonia_inferior", unrest="dacia")
    two = start({"galerius": "dacia"}, revolts="pannonia_inferior moesia_superior", unrest="dacia")
    # epirus~lucania~sicilia, and roma beside lucania holds no unrest
    behind = start({"galerius": "sicilia", "maximian": "lucania"}, revolts="epirus", unrest="lucania sicilia")

    assert chance(one, gone("galerius")) == Fraction(1, 2)
    assert chance(two, gone("galerius")) == Fraction(3, 4)
    assert chance(behind, gone("maximian")) == Fraction(1, 2)
    assert chance(behind, gone("maximian", "galerius")) == Fraction(1, 4)
    assert chance(behind, lambda after: gone("galerius")(after) and not gone("maximian")(after)) == 0


@pytest.mark.choice("I-CHECK")
def test_a_ring_of_unrest_falls_from_either_side():
    """Chances of ways that share links are not added: the domino runs through a network (p. 9).

    Revolt in Pannonia Inferior, unrest in Moesia Superior (normal link) and Dacia (broken links to both), and in Sarmatia none:
    Dacia falls unless both checks fail. Moesia Superior falls for certain.
    """
    position = start({"galerius": "dacia"}, revolts="pannonia_inferior", unrest="dacia moesia_superior")

    assert chance(position, gone("galerius")) == Fraction(3, 4)


@pytest.mark.rule("p09-emperors-removed")
def test_emperors_on_a_revolt_are_removed():
    """After the spreading all Emperors on a revolt are removed, the one whose turn it was included (p. 9)."""
    position = start(
        {"diocletian": "noricum", "galerius": "rhaetia", "constantius": "dacia", "maximian": "lucania"},
        revolts="noricum",
        unrest="rhaetia dacia",
    )
    after = barbarians(position, *QUIET)

    assert dict(after.emperors) == {"diocletian": None, "galerius": None, "constantius": "dacia", "maximian": "lucania"}


@pytest.mark.rule("p09-emperors-removed")
def test_an_emperor_is_removed_by_a_revolt_that_reaches_him_now():
    """An unrest under an Emperor that becomes a revolt in this step removes him in the same step (p. 9)."""
    after = barbarians(start({"galerius": "rhaetia"}, revolts="noricum", unrest="rhaetia"), *QUIET)

    assert after.emperors["galerius"] is None


@pytest.mark.rule("p09-emperors-come-back")
def test_a_removed_emperor_comes_back_with_his_next_turn():
    """Galerius has the next turn and begins it in Roma or in his capital (p. 9)."""
    after = barbarians(start({"galerius": "noricum"}, revolts="noricum"), *QUIET)

    assert after.to_move == "galerius"
    assert set(rules.legal_actions(after)) == {enter("roma"), enter("pannonia_inferior")}


@pytest.mark.rule("p09-spread", "p09-emperors-removed")
def test_a_garrison_keeps_the_emperor_on_it():
    """Revolts do not spread to garrisons, nor to printed discs (p. 9)."""
    after = barbarians(
        start(
            {"galerius": "pannonia_inferior", "maximian": "rhaetia"},
            revolts="noricum",
            garrisons={"maximian": "rhaetia"},
        ),
        *QUIET,
    )

    assert after.emperors["galerius"] == "pannonia_inferior"
    assert after.emperors["maximian"] == "rhaetia"


@pytest.mark.rule("p11-fall-revolt")
@pytest.mark.parametrize(("twentieth", "falls"), [("dalmatia", True), ("", False)])
def test_spreading_without_enough_revolts_is_the_end(twentieth, falls):
    """When the reserve has fewer revolts than unrest must be changed, the Empire falls at once (p. 11)."""
    far = "roma cisalpina etruria lucania lusitania gallaecia tarraconensis narbonensis belgica lugdunensis aquitania "
    far += "rhaetia noricum dacia thracia macedonia achaia epirus"
    position = start(
        revolts=f"tingitana {far} {twentieth}", unrest="caesariensis numidia", at={"diocletian": "sardinia"}
    )

    assert position.reserve_revolts == (1 if falls else 2)
    fallen = rules.outcomes(position)[Fall.NO_REVOLT_LEFT]
    assert (fallen == 1) == falls
