"""Variant 5, Roma Aeterna (rulebook page 15)."""

import pytest
from moduletable import extended
from tabletop import barbarians, faces_of, others_than, play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.rules import Fall

QUIET = faces_of("bithynia")
BORDERS = ["gaetulia", "britannia", "germania_magna", "sarmatia", "persia", "libya"]


def glory(discs=None, **more):
    """Maximian in Noricum, an army in Rhaetia, and the glory discs that it says."""
    extensions = more.pop("extensions", "roma-aeterna")
    pieces = more.pop("pieces", {}) | {"glory": discs or {}}
    at = {"maximian": "noricum"} | more.pop("at", {})
    table = {"armies": "rhaetia", "revolts": "rhaetia"} | more
    return extended(extensions, pieces, table.pop("to_move", "maximian"), at, **table)


@pytest.mark.rule("p15-glory-victory")
def test_who_leads_a_victory_takes_a_disc():
    """One gray disc from the reserve (p. 15)."""
    after = play(glory(), "attack rhaetia: victory")

    assert after.glory == {"diocletian": 0, "galerius": 0, "constantius": 0, "maximian": 1}
    assert after.reserve_unrest == 20
    assert not any(play(glory(), "attack rhaetia: draw").glory.values())


@pytest.mark.rule("p15-glory-defeat")
def test_who_is_defeated_gives_one_back():
    """If he has one (p. 15)."""
    assert play(glory({"maximian": 2}), "attack rhaetia: defeat").glory["maximian"] == 1
    assert play(glory({"maximian": 2}), "attack rhaetia: defeat").reserve_unrest == 20
    assert play(glory({"galerius": 1}), "attack rhaetia: defeat").glory == glory({"galerius": 1}).glory


@pytest.mark.rule("p15-glory-victory", "p15-glory-defeat")
def test_a_draw_moves_no_disc():
    """Neither victory nor defeat (p. 15)."""
    assert play(glory({"maximian": 1}), "attack rhaetia: draw").glory["maximian"] == 1


@pytest.mark.choice("I-GLORY-RESERVE")
def test_without_unrest_in_the_reserve_there_is_no_glory():
    """He takes it from the reserve (p. 15)."""
    unrest = " ".join(others_than("rhaetia", "noricum", "roma").split()[:21])

    assert play(glory(unrest=unrest), "attack rhaetia: victory").glory["maximian"] == 0


@pytest.mark.choice("I-GLORY-DEFENCE", "I-SHAME-DEFENCE")
def test_a_battle_in_the_advance_counts_too():
    """The Emperor who is attacked leads (p. 11, 15)."""
    table = glory({"galerius": 1}, at={"galerius": "cisalpina"}, barbarian=True)

    assert barbarians(table, *QUIET, 6, 6, 1).glory["galerius"] == 2
    assert barbarians(table, *QUIET, 6, 1, 6).glory["galerius"] == 0
    assert barbarians(table, *QUIET, 6, 2, 3).glory["galerius"] == 1


@pytest.mark.rule("p15-glory-victory")
def test_supporters_take_nothing():
    """Only who leads (p. 15)."""
    after = play(glory(at={"galerius": "pannonia_superior"}), "attack rhaetia: victory")

    assert after.glory["galerius"] == 0


@pytest.mark.choice("I-GLORY-DUX")
def test_the_dux_takes_nothing():
    """He is no Emperor (p. 12, 15)."""
    table = glory(extensions="roma-aeterna+dux", pieces={"dux": "pannonia_superior"})

    assert sum(play(table, "dux: attack rhaetia: victory").glory.values()) == 0


@pytest.mark.choice("I-GLORY-SEA", "I-SHAME-SEA")
def test_a_battle_at_sea_brings_glory():
    """He leads it as any other (p. 13, 15)."""
    table = glory(
        {"galerius": 1},
        to_move="galerius",
        extensions="roma-aeterna+pirates",
        pieces={"pirates": 2},
        at={"galerius": "sicilia"},
        fleets=(1, 3),
    )

    assert play(table, "attack pirates: victory").glory["galerius"] == 2
    assert play(table, "attack pirates: defeat").glory["galerius"] == 0


@pytest.mark.rule("p15-glory-victory", "p11-fall-unrest")
def test_glory_is_missing_in_the_reserve():
    """An unrest that must be placed and is somebody's glory lets Rome fall (p. 11, 15)."""
    unrest = " ".join(others_than("rhaetia", "noricum", "roma", "dalmatia").split()[:19])
    table = glory({"maximian": 2}, unrest=unrest, revolts="", armies="", barbarian=True)

    assert table.reserve_unrest == 0
    assert barbarians(table, *faces_of("dalmatia")) is Fall.NO_UNREST_LEFT


@pytest.mark.choice("I-RESERVE")
def test_reducing_a_revolt_needs_a_disc_that_is_nobodys_glory():
    """[I-RESERVE] (p. 8, 15)."""
    unrest = " ".join(others_than("rhaetia", "noricum", "roma", "dalmatia").split()[:19])
    table = glory({"maximian": 2}, unrest=unrest, revolts="noricum", armies="")

    assert "[I-RESERVE]" in rules.objection(table, rules.roman.REDUCE)


# -- the end ---------------------------------------------------------------------------------------------------


def won(*owners, **more):
    """The six borders secured by these Emperors, by region."""
    garrisons = {}
    for border, owner in zip(BORDERS, owners, strict=True):
        garrisons[owner] = f"{garrisons.get(owner, '')} {border}"
    return glory(more, garrisons=garrisons, armies="", revolts="")


D, G, C, M = "diocletian", "galerius", "constantius", "maximian"


@pytest.mark.rule("p15-score")
def test_the_score_is_borders_and_glory():
    """Each Emperor's borders and glory discs are added (p. 15)."""
    table = won(D, D, G, C, M, M, galerius=3)

    assert rules.scores(table) == {D: 2, G: 4, C: 1, M: 2}
    assert rules.scores(table.with_disc("asia", C)) == rules.scores(table)  # a garrison on no border


@pytest.mark.rule("p15-great")
@pytest.mark.parametrize(
    ("owners", "discs", "expected"),
    [
        ((D, D, G, C, M, M), {}, None),
        ((D, D, D, C, M, M), {}, None),  # one point above is not enough
        ((D, D, D, D, M, M), {}, D),
        ((D, D, G, C, M, M), {M: 2}, M),
        ((D, D, G, C, M, M), {M: 1}, None),
        ((D, D, G, C, M, M), {M: 2, D: 1}, None),
    ],
)
def test_the_great_is_two_points_above_each_of_the_others(owners, discs, expected):
    """Two or more, above each (p. 15)."""
    assert rules.great(won(*owners, **discs)) == expected


@pytest.mark.rule("p15-bitter")
def test_a_victory_with_a_great_is_bitter():
    """The result of the game says so (p. 15)."""
    assert Game(won(D, D, D, D, M, M)).result == "won, bitter: diocletian is the Great"
    assert Game(won(D, D, G, C, M, M)).result == "won"
    assert Game(won(D, D, D, D, M, M)).is_over


@pytest.mark.rule("p14-variants")
def test_without_the_variant_nobody_is_great():
    """It is a variant (p. 15)."""
    position = won(D, D, D, D, M, M)

    assert rules.great(position.replace(pieces={})) is None
