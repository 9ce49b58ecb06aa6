"""Variant 3, Via Romana (rulebook page 14)."""

import pytest
from moduletable import extended
from tabletop import play

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, transfer


def on_garrison(here="rhaetia", owner="diocletian", **more):
    """Diocletian on a garrison."""
    at = {"diocletian": here} | more.pop("at", {})
    garrisons = {owner: f"{here} {more.pop('others', '')}"}
    return extended(more.pop("extensions", "via-romana"), more.pop("pieces", None), at=at, garrisons=garrisons, **more)


def targets(position):
    return {action.place for action in rules.legal_actions(position) if action.kind is Kind.TRANSFER}


@pytest.mark.rule("p14-via-own")
def test_an_emperor_sends_the_garrison_under_him():
    """It goes to a linked province, he stays (p. 14)."""
    after = play(on_garrison(), "transfer noricum")

    assert (after.here, dict(after.discs), after.ip) == ("rhaetia", {"noricum": "diocletian"}, 5)


@pytest.mark.rule("p14-via-cost")
@pytest.mark.parametrize(("target", "price"), [("cilicia", 1), ("cappadocia", 1), ("africa", 2)])
def test_it_costs_what_he_would_have_needed_himself(target, price):
    """1 IP through a normal link, 2 through a broken one, without a fleet that would have taken him (p. 14)."""
    here = "sicilia" if target == "africa" else "galatia"

    assert rules.cost(on_garrison(here, fleets=(3,)), transfer(target)) == price
    assert target in targets(on_garrison(here, fleets=(3,), ip=price))
    assert target not in targets(on_garrison(here, fleets=(3,), ip=price - 1))


@pytest.mark.rule("p14-via-target")
def test_it_goes_to_linked_roman_provinces():
    """No border, nothing far away, nothing by sea (p. 14)."""
    assert targets(on_garrison("dalmatia")) >= {"pannonia_superior", "moesia_superior", "macedonia"}
    assert rules.objection(on_garrison(), transfer("germania_magna")) == "a garrison is sent to a Roman province"
    assert rules.objection(on_garrison(), transfer("roma")) == "no link leads there"
    assert targets(on_garrison("sicilia")) == {"africa", "lucania"}


@pytest.mark.rule("p14-via-target")
def test_it_goes_to_no_province_with_a_disc():
    """The province is empty (p. 14)."""
    position = on_garrison(others="noricum", unrest="pannonia_superior", revolts="germania_superior cisalpina")

    assert targets(position) == set()
    assert targets(position.with_disc("pannonia_superior", None)) == {"pannonia_superior"}
    for target, disc in (("noricum", "diocletian"), ("pannonia_superior", "unrest"), ("germania_superior", "revolt")):
        assert f"({disc})" in rules.objection(position, transfer(target))


@pytest.mark.choice("I-VIA-OWN", "I-VIA-OTHERS", "I-VIA-ROMA")
@pytest.mark.parametrize(
    ("here", "target", "reading"),
    [("rhaetia", "cisalpina", "I-VIA-OTHERS"), ("asia", "bithynia", "I-VIA-OWN"), ("etruria", "roma", "I-VIA-ROMA")],
)
def test_a_printed_disc_is_no_disc_in_the_way(here, target, reading):
    """allowed: another's capital, his own, and Roma are empty. forbidden: they are not (p. 5, 14)."""
    assert target in targets(on_garrison(here))
    assert target in targets(on_garrison(here, readings={"I-VIA-EMPTY": "no-disc"}))
    for other in ("I-VIA-OTHERS", "I-VIA-OWN", "I-VIA-ROMA"):
        closed = target not in targets(on_garrison(here, readings={other: "forbidden"}))
        assert closed == (other == reading)
    position = on_garrison(here, readings={reading: "forbidden"})
    assert f"[{reading}]" in rules.objection(position, transfer(target))


@pytest.mark.choice("I-VIA-EMPTY")
def test_figures_count_for_empty_or_not():
    """[I-VIA-EMPTY] no-figure: nobody may stand there. no-disc: figures do not matter (p. 14)."""
    at = {"galerius": "noricum"}
    pieces = {"vicarius": "cisalpina"}
    no_figure = on_garrison(at=at, pieces=pieces, extensions="via-romana+vicarius")
    no_disc = on_garrison(at=at, pieces=pieces, extensions="via-romana+vicarius", readings={"I-VIA-EMPTY": "no-disc"})

    assert targets(no_figure) == {"germania_superior", "pannonia_superior"}
    assert rules.objection(no_figure, transfer("noricum")) == "a figure stands there [I-VIA-EMPTY]"
    assert targets(no_disc) == {"germania_superior", "pannonia_superior", "cisalpina", "noricum"}


@pytest.mark.rule("p14-via-own")
@pytest.mark.parametrize("owner", ["galerius", "maximian"])
def test_only_his_own_garrison_obeys(owner):
    """He must stand on a garrison of his own (p. 14)."""
    assert targets(on_garrison(owner=owner)) == set()
    assert rules.objection(on_garrison(owner=owner), transfer("noricum")) == "he stands on no garrison of his own"


@pytest.mark.rule("p14-via-own")
def test_a_printed_disc_does_not_march():
    """It is no garrison that could be moved (p. 5, 14)."""
    assert targets(extended("via-romana", at={"diocletian": "roma"})) == set()


@pytest.mark.choice("I-VIA-BORDER")
def test_a_garrison_of_a_border():
    """[I-VIA-BORDER] stays: a secured border stays secured. moves: the garrison can be sent away (p. 11, 14)."""
    stays = on_garrison("germania_magna")
    moves = on_garrison("germania_magna", readings={"I-VIA-BORDER": "moves"})

    assert targets(stays) == set()
    assert "[I-VIA-BORDER]" in rules.objection(stays, transfer("noricum"))
    assert targets(moves) == {"noricum", "rhaetia"}
    assert play(moves, "transfer rhaetia").secured == ()


@pytest.mark.rule("p07-pass-through")
def test_who_passes_sends_nothing():
    """In a shared province the next action is a move (p. 7)."""
    position = play(on_garrison(at={"galerius": "noricum"}, others="noricum"), "move noricum")

    assert "must move away" in rules.objection(position, transfer("pannonia_superior"))


@pytest.mark.rule("p14-via-own")
def test_only_emperors_send_garrisons():
    """Neither Dux nor Vicarius has any (p. 12, 14)."""
    position = on_garrison(extensions="via-romana+dux+vicarius", pieces={"dux": "roma"})

    for figure in ("dux", "vicarius"):
        assert rules.objection(position, Action(Kind.TRANSFER, "noricum", figure=figure)) is not None


@pytest.mark.rule("p11-garrisons-stay", "p14-variants")
def test_without_the_variant_garrisons_stay():
    """In the base game garrisons are not moved (p. 11)."""
    assert "not in use" in rules.objection(on_garrison(extensions=""), transfer("noricum"))
