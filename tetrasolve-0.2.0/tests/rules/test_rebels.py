"""Rebel armies (rulebook page 16)."""

import pytest
from moduletable import extended, rebel_army
from tabletop import barbarians, chance, faces_of, play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, attack
from tetrasolve.tetrarchia.rules import Battle
from tetrasolve.tetrarchia.rules.activity import EchoProvince, EchoRegion

QUIET = faces_of("bithynia")


def rebels(border="libya", figure="dux", fleet=3, *, revolts="", armies="", here="aegyptus", **more):
    return extended(
        more.pop("extensions", ""),
        {"rebels": {border: rebel_army(figure, fleet)}} | more.pop("pieces", {}),
        at={"diocletian": here} | more.pop("at", {}),
        armies=f"{border} {armies}",
        revolts=f"{border} {revolts}",
        **more,
    )


@pytest.mark.rule("p16-rebel-stays")
def test_they_do_not_advance():
    """A rebel army remains on its border (p. 16)."""
    position = rebels(here="asia", barbarian=True)

    assert barbarians(position, *QUIET).armies == ("libya",)
    assert barbarians(position.without_rebel("libya").with_disc("libya", None), *QUIET).armies == ("aegyptus",)


@pytest.mark.rule("p16-rebel-revolt")
def test_they_stand_on_a_revolt_that_counts_in_battle():
    """A revolt lies under it (p. 9, 16)."""
    assert rules.battle(rebels(), "diocletian", "libya") == Battle(0, 0, 1, 0)
    assert rules.battle(rebels(revolts="cyrenaica"), "diocletian", "libya") == Battle(0, 0, 2, 0)


@pytest.mark.rule("p08-attack-cost", "p16-rebel-revolt")
def test_an_attack_on_them_pays_for_the_revolt():
    """A revolt under the army costs one IP more (p. 8, 16)."""
    assert rules.cost(rebels(), attack("libya", Outcome.DRAW)) == 2


@pytest.mark.rule("p17-carausius-fleet", "p18-mauretania-fleet", "p19-persia-fleet")
def test_they_are_attacked_only_with_a_fleet_in_their_zone():
    """The scenarios ask for a Roman fleet in one zone (p. 17 to 19)."""
    away = rebels(fleets=(1, 2))

    assert rules.objection(rebels(), attack("libya", Outcome.DRAW)) is None
    assert "there must be a Roman fleet in zone 3" in rules.objection(away, attack("libya", Outcome.DRAW))
    assert rules.objection(play(away, "sail 2>3"), attack("libya", Outcome.DRAW)) is None


@pytest.mark.rule("p17-carausius-fleet")
def test_other_armies_are_attacked_without_it():
    """The fleet is needed against the rebels only (p. 17)."""
    position = rebels(armies="syria", revolts="syria", fleets=(1, 2))

    assert rules.objection(position, attack("syria", Outcome.DRAW)) is None


@pytest.mark.rule("p16-rebel-stays")
def test_beaten_rebels_are_gone():
    """Army and revolt leave the board, and the victor stands there; their border is one like any other then (p. 8, 16)."""
    after = play(rebels(), "attack libya: victory")

    assert (after.armies, dict(after.discs), after.here) == ((), {}, "libya")
    assert after.pieces.rebels is None
    assert after.reserve_armies == 3
    assert play(after, "secure").secured == ("libya",)


@pytest.mark.rule("p16-unchanged")
def test_who_loses_against_them_is_removed():
    """A battle as any other (p. 8, 16)."""
    after = play(rebels(garrisons={"galerius": "aegyptus"}), "attack libya: defeat")

    assert after.here is None
    assert dict(after.discs) == {"libya": "revolt"}
    assert set(after.rebels) == {"libya"}


@pytest.mark.rule("p08-battle-armies")
def test_they_support_other_armies():
    """They are an army (p. 8, 16)."""
    position = rebels(armies="cyrenaica", revolts="cyrenaica")

    assert rules.battle(position, "diocletian", "cyrenaica") == Battle(0, 0, 2, 1)


@pytest.mark.rule("p16-rebel-counts")
def test_they_count_among_the_three_armies():
    """They count for the maximum (p. 16)."""
    position = rebels(armies="persia sarmatia", revolts="lusitania", here="asia", barbarian=True)

    assert position.reserve_armies == 0
    assert not isinstance(rules.activity.resolve(position, "lusitania"), (EchoRegion, EchoProvince))


@pytest.mark.rule("p16-rebel-blocks")
def test_they_block_their_border():
    """No other army arrives there: a province of the region is rolled (p. 10, 16)."""
    echo = EchoRegion(rebels(here="asia", barbarian=True))

    assert echo.roll().results[5] == EchoProvince(echo.position, 6)
    assert len(list(echo.arrivals())) == 5


@pytest.mark.rule("p09-spread")
def test_their_revolt_spreads():
    """A linked unrest becomes a revolt, as beside any revolt (p. 9, 16)."""
    position = rebels(here="asia", unrest="cyrenaica", barbarian=True)

    assert barbarians(position, *QUIET).revolts == {"libya", "cyrenaica"}


@pytest.mark.rule("p10-uprising")
def test_an_uprising_does_not_reach_them():
    """Uprisings spread to Roman provinces only (p. 11)."""
    position = rebels(here="asia", revolts="tripolitania", readings={"I-FRESH": "wait"}, barbarian=True)
    after = barbarians(position, *faces_of("tripolitania"), 1)

    assert after.revolts == {"libya", "tripolitania", "cyrenaica", "africa"}


@pytest.mark.rule("p16-rebel-figures")
def test_a_goths_figure_that_is_a_rebel_adds_nothing():
    """The components are used, not the module (p. 16)."""
    position = rebels("persia", "goths", here="syria")

    assert rules.battle(position, "diocletian", "persia") == Battle(0, 0, 1, 0)


@pytest.mark.rule("p12-dux-attack", "p17-carausius-fleet")
def test_the_dux_attacks_them_too():
    """He needs the fleet as well (p. 12, 16)."""
    table = {"extensions": "dux", "pieces": {"dux": "cyrenaica"}, "here": "asia"}
    position = rebels(figure="goths", **table)

    assert rules.objection(position, attack("libya", Outcome.DRAW, "dux")) is None
    away = rebels(figure="goths", fleets=(1, 2), **table)
    assert "fleet in zone 3" in rules.objection(away, attack("libya", Outcome.DRAW, "dux"))


@pytest.mark.rule("p16-rebel-stays")
def test_the_phase_keeps_them():
    """No Barbarian phase moves or removes rebels (p. 16)."""
    position = rebels(here="asia", revolts="tripolitania", unrest="numidia", barbarian=True)

    assert chance(position, lambda after: set(after.rebels) == {"libya"} and after.has_revolt("libya")) == 1
