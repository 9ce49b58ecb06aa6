"""Module 2, the Vicarius (rulebook pages 12 and 13)."""

import pytest
from moduletable import extended
from tabletop import barbarians, faces_of, others_than, play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, Action, Kind, deploy, move
from tetrasolve.tetrarchia.rules import Fall

QUIET = faces_of("bithynia")


def vicarius(place=None, to_move="maximian", here="noricum", **more):
    """A position with the Vicarius in a province, or not yet in play."""
    at = {to_move: here} | more.pop("at", {})
    extensions = more.pop("extensions", "vicarius")
    return extended(extensions, {"vicarius": place} | more.pop("pieces", {}), to_move, at, **more)


def deployments(position):
    return {action.place for action in rules.legal_actions(position) if action.kind is Kind.DEPLOY}


# -- deployment ------------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-vicarius-place")
def test_he_is_deployed_in_any_roman_province_free_of_figures_and_revolts():
    """Any province of the Empire, however far, but none with a figure or a revolt (p. 12)."""
    position = vicarius(at={"galerius": "roma"}, armies="aegyptus libya", revolts="aegyptus asia", unrest="cyrenaica")
    free = others_than("noricum", "roma", "aegyptus", "asia").split()

    assert deployments(position) == set(free)
    assert rules.objection(position, deploy("vicarius", "roma")) == "a figure stands there"
    assert rules.objection(position, deploy("vicarius", "asia")) == "a revolt lies there"
    assert rules.objection(position, deploy("vicarius", "persia")) == "the Vicarius is deployed in a Roman province"


@pytest.mark.rule("p12-vicarius-deploy")
def test_a_deployment_costs_two_ip():
    """He is placed a single time, for 2 IP, no matter who is active then (p. 12)."""
    assert play(vicarius(ip=2), "deploy vicarius sardinia").ip == 0
    assert deployments(vicarius(ip=1)) == set()


@pytest.mark.rule("p12-vicarius-deploy")
def test_he_is_deployed_once():
    """He comes into the game once (p. 12)."""
    assert deployments(vicarius("roma")) == deployments(vicarius("dead")) == set()


@pytest.mark.choice("I-VICARIUS-UNREST")
def test_an_unrest_where_he_is_deployed_is_gone():
    """He removes unrest where he enters, without IP cost (p. 13)."""
    after = play(vicarius(unrest="sardinia"), "deploy vicarius sardinia")

    assert (dict(after.discs), after.ip, after.reserve_unrest) == ({}, 4, 21)


@pytest.mark.rule("p12-vicarius-place")
def test_dux_and_vicarius_do_not_share_a_province():
    """The Dux is a figure as well (p. 12)."""
    position = vicarius(extensions="dux+vicarius", pieces={"dux": "roma"})

    assert rules.objection(position, deploy("vicarius", "roma")) == "a figure stands there"


# -- moving ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-vicarius-ip")
def test_ip_go_to_the_emperor_and_to_moves_of_the_vicarius():
    """One spends for both in one turn, in any mix (p. 12)."""
    late = vicarius("roma", ip=2)
    figures = {action.figure for action in rules.legal_actions(late) if action.kind is Kind.MOVE}
    after = play(vicarius("roma"), "move rhaetia", "vicarius: move etruria", "secure", "vicarius: move roma")

    assert figures == {None, "vicarius"}
    assert (after.here, after.place_of("vicarius"), after.ip) == ("rhaetia", "roma", 2)


@pytest.mark.rule("p12-vicarius-move")
def test_he_moves_as_an_emperor():
    """By normal and broken links, by sea, onto borders, with any player's IP (p. 12)."""
    position = vicarius("moesia_inferior", fleets=(2, 3))

    assert rules.cost(position, move("thracia", "vicarius")) == 1
    assert rules.cost(position, move("sarmatia", "vicarius")) == 2
    assert rules.cost(position, move("aegyptus", "vicarius")) == 1
    assert {move("sarmatia", "vicarius"), move("aegyptus", "vicarius")} <= set(rules.legal_actions(position))
    after = play(position, "vicarius: move sarmatia", "move rhaetia", "vicarius: move dacia")
    assert (after.place_of("vicarius"), after.here, after.ip) == ("dacia", "rhaetia", 1)


@pytest.mark.rule("p13-vicarius-unrest")
def test_unrest_goes_away_where_he_enters():
    """Without IP, each time he enters a province (p. 13)."""
    after = play(vicarius("roma", unrest="etruria lucania"), "vicarius: move etruria")

    assert (after.unrest, after.ip) == ({"lucania"}, 5)


@pytest.mark.choice("I-VICARIUS-PASS")
def test_unrest_goes_away_where_he_only_passes():
    """He enters a province with another figure too (p. 13)."""
    position = vicarius("roma", unrest="etruria", at={"galerius": "etruria"})
    passing = play(position, "vicarius: move etruria")

    assert passing.passing == "vicarius"
    assert passing.unrest == frozenset()
    assert play(passing, "vicarius: move cisalpina").ip == 4


@pytest.mark.rule("p13-vicarius-revolt")
def test_he_cannot_enter_a_revolt():
    """He has no troops (p. 13)."""
    position = vicarius("roma", revolts="etruria")

    assert (
        rules.objection(position, move("etruria", "vicarius")) == "a revolt lies there, and the Vicarius has no troops"
    )
    assert move("etruria", "vicarius") not in rules.legal_actions(position)


@pytest.mark.rule("p07-one-figure", "p12-vicarius-move")
def test_he_cannot_move_onto_an_army():
    """Nobody moves to a province with an army (p. 7)."""
    position = vicarius("aegyptus", armies="libya")

    assert rules.objection(position, move("libya", "vicarius")) == "an army stands there"


@pytest.mark.choice("I-VICARIUS-PASS")
def test_revolts_can_bar_his_only_way_out():
    """He enters the province of another figure only if he can leave, and a revolt is no way out for him [I-PASS] (p. 7, 13)."""
    at = {"galerius": "sardinia"}
    shut = vicarius("etruria", at=at, fleets=(1, 3), unrest="cisalpina")
    open_way = vicarius("etruria", at=at, fleets=(1, 3), ip=5)

    assert rules.objection(open_way, move("sardinia", "vicarius")) is None  # and back to Etruria
    assert "[I-PASS]" in rules.objection(shut.replace(ip=3), move("sardinia", "vicarius"))
    dead_end = vicarius("aegyptus", at={"galerius": "libya"}, revolts="cyrenaica tripolitania", ip=2)
    assert rules.objection(dead_end, move("libya", "vicarius")) is None  # back to Aegyptus
    assert "[I-PASS]" in rules.objection(dead_end.replace(ip=1), move("libya", "vicarius"))


@pytest.mark.rule("p12-vicarius-ip")
@pytest.mark.parametrize("kind", [Kind.SECURE, Kind.REMOVE, Kind.REDUCE])
def test_all_he_does_is_move(kind):
    """He neither secures nor subdues (p. 13)."""
    assert rules.objection(vicarius("roma"), Action(kind, figure="vicarius")) == "the Vicarius can only move"


@pytest.mark.rule("p13-vicarius-battle")
def test_he_attacks_nobody():
    """He cannot join battles (p. 13)."""
    position = vicarius("aegyptus", armies="libya")

    assert rules.objection(position, Action(Kind.ATTACK, "libya", figure="vicarius")) == "the Vicarius can only move"


@pytest.mark.rule("p13-vicarius-battle")
def test_he_supports_nobody():
    """He cannot join battles: beside an army he doubles nothing (p. 13)."""
    position = vicarius("aegyptus", here="cyrenaica", armies="libya")

    assert rules.battle(position, "maximian", "libya").emperors == 0


@pytest.mark.choice("I-VICARIUS-PASS")
def test_while_he_passes_nobody_else_acts():
    """The figure that came in makes the next action, a move, and the turn cannot end (p. 7)."""
    position = play(vicarius("roma", here="etruria"), "vicarius: move etruria")

    assert {(action.kind, action.figure) for action in rules.legal_actions(position)} == {(Kind.MOVE, "vicarius")}
    assert rules.objection(position, END) is not None


@pytest.mark.choice("I-VICARIUS-PASS")
def test_nobody_stops_where_he_stands():
    """He is a figure: an Emperor only passes through him (p. 7, 11)."""
    position = play(vicarius("roma", here="etruria"), "move roma")

    assert position.passing == "maximian"
    assert not rules.may_end(position)
    assert rules.objection(position, END) == "he may not end his turn in a province with the Vicarius"


@pytest.mark.choice("I-VICARIUS-ENTRY")
def test_an_emperor_enters_the_province_of_the_vicarius_as_one_of_an_emperor():
    """[I-ENTRY-SHARED] speaks of any figure of Rome (p. 7)."""
    share = vicarius("roma", here=None)
    free_only = vicarius("roma", here=None, readings={"I-ENTRY-SHARED": "free-only"})

    assert {action.place for action in rules.legal_actions(share)} == {"roma", "cisalpina"}
    assert {action.place for action in rules.legal_actions(free_only)} == {"cisalpina"}


# -- Barbarian phase -------------------------------------------------------------------------------------------


@pytest.mark.rule("p13-vicarius-calm")
def test_he_blocks_the_barbarian_roll():
    """Where an unrest would be placed in his province nothing happens (p. 13)."""
    position = vicarius("dalmatia", barbarian=True)

    assert dict(barbarians(position, *faces_of("dalmatia")).discs) == {}
    assert barbarians(position, *faces_of("macedonia")).unrest == {"macedonia"}


@pytest.mark.rule("p13-vicarius-calm")
def test_he_keeps_the_empire_from_falling_where_no_unrest_is_left():
    """Nothing has to be placed in his province (p. 11, 13)."""
    there = others_than("dalmatia", "roma", "cisalpina", "noricum", "tarraconensis").split()[:21]
    position = vicarius("dalmatia", unrest=" ".join(there), barbarian=True)

    assert barbarians(position, *faces_of("dalmatia")).place_of("vicarius") == "dalmatia"
    without = vicarius(None, unrest=" ".join(there), barbarian=True)
    assert barbarians(without, *faces_of("dalmatia")) is Fall.NO_UNREST_LEFT


@pytest.mark.rule("p13-vicarius-calm", "p10-echo-occupied")
def test_he_blocks_the_roll_of_an_echo():
    """An echo resolves a province as the activity does (p. 10, 13)."""
    position = vicarius("aegyptus", here="libya", revolts="sardinia galatia", barbarian=True)
    after = barbarians(position, *faces_of("galatia"), 6, *faces_of("aegyptus")[1:])

    assert "aegyptus" not in after.discs


@pytest.mark.rule("p13-vicarius-dies")
def test_an_uprising_that_reaches_him_kills_him():
    """He dies where an uprising brings a revolt, and leaves the game (p. 13)."""
    position = vicarius("dalmatia", revolts="pannonia_superior", barbarian=True, armies="libya persia gaetulia")
    after = barbarians(position, *faces_of("pannonia_superior"), 3, 3)

    assert after.pieces.vicarius.dead
    assert "dalmatia" in after.revolts


@pytest.mark.rule("p13-vicarius-dies", "p13-vicarius-battle")
def test_an_army_that_reaches_him_kills_him_without_battle():
    """It enters his province, no battle dice are rolled (p. 13)."""
    after = barbarians(vicarius("aegyptus", armies="libya", barbarian=True), *QUIET)

    assert after.pieces.vicarius.dead
    assert after.armies == ("aegyptus",)


@pytest.mark.rule("p10-enter")
def test_a_garrison_under_him_is_lost_with_him():
    """An army removes any disc (p. 11)."""
    after = barbarians(vicarius("aegyptus", armies="libya", garrisons={"galerius": "aegyptus"}, barbarian=True), *QUIET)

    assert dict(after.discs) == {"aegyptus": "revolt"}


@pytest.mark.rule("p09-spread")
def test_the_spread_of_revolts_does_not_reach_him():
    """Unrest becomes a revolt, and he stands on none (p. 9, 13)."""
    position = vicarius("dalmatia", revolts="pannonia_superior", unrest="noricum", here="roma", barbarian=True)

    assert barbarians(position, *QUIET).place_of("vicarius") == "dalmatia"


@pytest.mark.choice("I-VICARIUS-BORDER")
def test_a_border_where_he_stands_is_not_empty():
    """No army appears on a border with a figure (p. 10)."""
    position = vicarius("libya", revolts="galatia", garrisons={"maximian": "aegyptus"}, barbarian=True)

    assert barbarians(position, *faces_of("galatia"), 6, *faces_of("aegyptus")[1:]).armies == ()
