"""Readings of modules and variants: on the position of a planted point both values of its reading, as the planted set says."""

import pytest
from moduletable import extended, phase, rebel_army
from plants import read, reading_answers

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.ruleset import READINGS

NAMED = [plant for plant in read()[0] if plant.label == "named" and READINGS[plant.reading.partition("=")[0]].needs]


@pytest.mark.choice(
    "I-BLACK-EMPTY",
    "I-CANCEL-WHEN",
    "I-CHECK-ORDER",
    "I-CONSTANTIUS-WHEN",
    "I-DUX-BROKEN",
    "I-GALERIUS-DEFENDS",
    "I-GALERIUS-SEA",
    "I-GLORY-DEFENCE",
    "I-GLORY-DUX",
    "I-GLORY-SEA",
    "I-GOTHS-BOTH",
    "I-GOTHS-REBELS",
    "I-GOTHS-SEA",
    "I-MARE-ZONES",
    "I-MAXIMIAN-WHEN",
    "I-PIRATES-ARMIES",
    "I-PIRATES-EMPERORS",
    "I-PIRATES-RETURN",
    "I-REFILL",
    "I-SHAME-DEFENCE",
    "I-SHAME-SEA",
    "I-TURN-BLOCKED",
    "I-TURN-BORDERS",
    "I-TURN-DISC",
    "I-TURN-STOPPED",
    "I-USURPER-ADVANCE",
    "I-USURPER-ECHO",
    "I-USURPER-EMPERORS",
    "I-USURPER-ORDER",
    "I-USURPER-ROOM",
    "I-VICARIUS-BORDER",
    "I-VICARIUS-ENTRY",
    "I-VICARIUS-PASS",
    "I-VICARIUS-UNREST",
    "I-WAY-BROKEN",
)
@pytest.mark.parametrize("plant", NAMED, ids=lambda plant: plant.id)
def test_the_value_of_a_reading_is_what_its_plant_says(plant):
    """The default answers as the rules do without a reading, the other value as the changed rules do."""
    for answered, said in reading_answers(plant):
        assert answered == said


@pytest.mark.choice("I-GOTHS-BORDER")
@pytest.mark.parametrize(("value", "kept"), [("removed", {}), ("stays", {"sarmatia": "galerius"})])
def test_the_goths_take_the_garrison_of_a_border_or_leave_it(value, kept):
    """It goes, as page 13 says, or stays, since borders are secured for good (p. 11)."""
    table = {"revolts": "aegyptus", "garrisons": {"galerius": "sarmatia"}, "barbarian": True}
    position = extended("goths", readings={"I-GOTHS-BORDER": value}, **table)

    after = phase(position, 6, 1, 4, 3)

    assert after.goths == "moesia_inferior"
    assert {border: disc for border, disc in after.discs.items() if after.board[border].is_border} == kept


@pytest.mark.choice("I-GOTHS-BORDER", "I-FRESH")
def test_goths_on_a_garrison_are_beaten_with_it():
    """Where they wait on a border that stays secured, a victory removes them with the disc under them (p. 8)."""
    readings = {"I-GOTHS-BORDER": "stays", "I-FRESH": "wait"}
    table = {"at": {"diocletian": "moesia_inferior"}, "revolts": "aegyptus", "garrisons": {"galerius": "sarmatia"}}
    waiting = phase(extended("goths", readings=readings, barbarian=True, to_move="maximian", **table), 6, 1, 4)

    assert (waiting.goths, waiting.secured, waiting.status()) == ("sarmatia", ("sarmatia",), ())
    after = rules.play(waiting, rules.parse(waiting, "attack sarmatia: victory"))
    assert (after.goths, after.secured, after.here) == (None, (), "sarmatia")


@pytest.mark.choice("I-GOTHS-REBELS")
def test_goths_who_remove_rebels_take_one_army_off_the_board():
    """The rebels are out of the game, and the revolt under them goes back (p. 13, 16)."""
    pieces = {"goths": "reserve", "rebels": {"germania_magna": rebel_army()}}
    table = {"armies": "germania_magna", "revolts": "aegyptus germania_magna", "barbarian": True}
    readings = {"I-GOTHS-REBELS": "removed", "I-FRESH": "wait"}
    after = phase(extended("goths", pieces, readings=readings, **table), 6, 1, 3)

    assert (after.armies, after.goths, dict(after.rebels)) == (("germania_magna",), "germania_magna", {})
    assert "germania_magna" not in after.discs


@pytest.mark.choice("I-PIRATES-ARMIES", "I-PIRATES-EMPERORS")
@pytest.mark.parametrize(
    "once", [(), ("I-PIRATES-ARMIES",), ("I-PIRATES-EMPERORS",), ("I-PIRATES-ARMIES", "I-PIRATES-EMPERORS")]
)
def test_allies_on_a_coast_double_each_or_once(once):
    """With two armies and two other Emperors on the coast (p. 13)."""
    at = {"diocletian": "asia", "galerius": "thracia", "maximian": "macedonia"}
    table = {"fleets": (2,), "armies": "syria aegyptus", "revolts": "syria aegyptus"}
    position = extended("pirates", {"pirates": 3}, at=at, readings=dict.fromkeys(once, "once"), **table)
    fight = rules.battle(position, "diocletian", PIRATES)

    assert fight.armies == (1 if "I-PIRATES-ARMIES" in once else 2)
    assert fight.emperors == (1 if "I-PIRATES-EMPERORS" in once else 2)


@pytest.mark.choice("I-TURN-BORDERS")
def test_an_army_that_is_turned_to_a_border_leaves_what_lies_there():
    """No revolt is placed there, a garrison stays, and the Vicarius dies (p. 13, 15)."""
    pieces = {"barbarian_discs": {"gray": 4}, "vicarius": "sarmatia"}
    table = {"armies": "moesia_inferior", "revolts": "moesia_inferior", "garrisons": {"galerius": "sarmatia"}}
    position = extended("barbaria+vicarius", pieces, readings={"I-TURN-BORDERS": "may"}, barbarian=True, **table)
    after = phase(position, 5, 6, "no", "turn:sarmatia", 4, "no")

    assert (after.armies, after.discs["sarmatia"], after.place_of("vicarius")) == (("sarmatia",), "galerius", None)
    assert after.status() == ()


@pytest.mark.choice("I-VICARIUS-UNREST")
def test_a_vicarius_on_unrest_dies_with_it():
    """Where the unrest on which he was deployed turns to revolt (p. 9, 13)."""
    readings = {"I-VICARIUS-UNREST": "stays"}
    table = {"unrest": "cilicia", "revolts": "syria", "barbarian": True}
    after = phase(extended("vicarius", {"vicarius": "cilicia"}, readings=readings, **table), 5, 6)

    assert after.revolts == {"syria", "cilicia"}
    assert after.place_of("vicarius") is None
