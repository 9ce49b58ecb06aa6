"""Variant 2, Mare Nostrum (rulebook page 14)."""

import pytest
from moduletable import extended
from tabletop import MAP, play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Outcome, attack, move


def sea(here="lusitania", fleets=(1, 2, 3), extensions="mare-nostrum", **more):
    return extended(extensions, at={"diocletian": here}, fleets=fleets, **more)


@pytest.mark.rule("p14-mare-cost", "p14-mare-joined")
@pytest.mark.parametrize(
    ("target", "price"),
    [
        ("aquitania", 1),  # zone 1
        ("tingitana", 1),  # zones 1 and 2: no more than the first is crossed
        ("roma", 2),
        ("achaia", 2),  # zones 2 and 3
    ],
)
def test_each_zone_crossed_costs_one_ip(target, price):
    """From a coast of one joined zone to a coast of the other, 1 IP a zone (p. 14)."""
    assert rules.cost(sea(), move(target)) == price
    assert play(sea(), f"move {target}").here == target


@pytest.mark.rule("p05-fleets", "p07-move-fleet")
def test_the_base_game_crosses_one_zone():
    """Without the variant a fleet carries within its own zone (p. 7)."""
    assert rules.objection(sea(extensions=""), move("roma")) == "neither a link nor a fleet leads there"


@pytest.mark.rule("p14-mare-joined")
def test_zones_without_a_fleet_do_not_join():
    """The fleets are in adjacent zones (p. 14)."""
    assert rules.objection(sea(fleets=(1, 3)), move("asia")) == "neither a link nor a fleet leads there"
    assert rules.objection(sea(fleets=(1, 2)), move("asia")) == "neither a link nor a fleet leads there"
    assert rules.cost(sea(fleets=(1, 2)), move("achaia")) == 2
    assert rules.objection(sea(fleets=(2, 3)), move("roma")) == "neither a link nor a fleet leads there"


@pytest.mark.rule("p14-mare-cost", "p07-move-revolt")
def test_a_revolt_at_the_end_costs_one_more():
    """As for any move (p. 7, 14)."""
    assert rules.cost(sea(revolts="sicilia"), move("sicilia")) == 3


@pytest.mark.rule("p07-move-link")
def test_the_cheapest_way_counts():
    """A move is its destination: links where they cost less than the sea (p. 7)."""
    assert rules.cost(sea("thracia"), move("macedonia")) == 1
    assert rules.cost(sea("syria"), move("aegyptus")) == 1
    assert rules.cost(sea("baetica"), move("carthagenensis")) == 1


@pytest.mark.choice("I-MARE-ZONES")
def test_every_coast_reaches_every_other():
    """With three fleets the coasts are one, at one to three IP (p. 14)."""
    assert rules.cost(sea(), move("asia")) == 3
    coastal = {province for zone in (1, 2, 3) for province in MAP.coast[zone]}

    for here in coastal:
        reached = {action.place for action in rules.legal_actions(sea(here)) if action.kind.value == "move"}
        assert coastal - {here} <= reached
        assert {rules.cost(sea(here), move(target)) for target in coastal - {here}} <= {1, 2, 3}


@pytest.mark.rule("p11-no-landings")
def test_there_are_no_landings_across_zones_either():
    """Armies are attacked through links only (p. 11)."""
    position = sea(armies="aegyptus", revolts="aegyptus")

    assert "no landings" in rules.objection(position, attack("aegyptus", Outcome.DRAW))


@pytest.mark.rule("p12-dux-move", "p12-vicarius-move", "p14-mare-cost")
def test_dux_and_vicarius_sail_as_emperors():
    """They move as Emperors (p. 12, 14)."""
    position = extended(
        "mare-nostrum+dux+vicarius",
        {"dux": "lusitania", "vicarius": "sicilia"},
        at={"diocletian": "dacia"},
        fleets=(1, 2, 3),
    )

    assert rules.cost(position, move("roma", "dux")) == 2
    assert rules.cost(position, move("asia", "vicarius")) == 2
