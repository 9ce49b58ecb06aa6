"""Entering, moving, passing through, sailing (rulebook page 7)."""

import pytest
from tabletop import MAP, make_position, play

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, REDUCE, REMOVE, SECURE, Action, Kind, Outcome, attack, enter, move, sail
from tetrasolve.tetrarchia.position import Phase


def moves(position):
    return {action.place for action in rules.legal_actions(position) if action.kind is Kind.MOVE}


# -- entering --------------------------------------------------------------------------------------------------


@pytest.mark.rule("p07-entry")
@pytest.mark.parametrize("place", ["roma", "bithynia"])
def test_an_emperor_enters_in_roma_or_his_capital_for_nothing(place):
    """An Emperor who is off the board starts his turn in Roma or in his capital, at no cost (p. 7)."""
    after = play(make_position("diocletian"), f"enter {place}")

    assert (after.here, after.ip, after.phase) == (place, 6, Phase.ROMAN)


@pytest.mark.rule("p07-ip-on-board")
def test_an_emperor_off_the_board_can_do_nothing_else():
    """Off the board an Emperor can only enter: IP are spent as long as he is on the board (p. 7)."""
    position = make_position("galerius", {"diocletian": "asia"}, armies="britannia")

    assert set(rules.legal_actions(position)) == {enter("roma"), enter("pannonia_inferior")}
    for action in (move("noricum"), sail(2, 1), SECURE, REMOVE, REDUCE, attack("britannia", Outcome.VICTORY)):
        assert rules.objection(position, action) == "he is off the board"


@pytest.mark.rule("p07-entry-covered")
@pytest.mark.parametrize("disc", ["revolts", "unrest", "garrisons"])
def test_a_covered_capital_cannot_be_entered(disc):
    """He enters in his capital only if no disc at all covers it, be it a garrison of his own (p. 7)."""
    lying = {"garrisons": {"maximian": "cisalpina"}} if disc == "garrisons" else {disc: "cisalpina"}
    position = make_position("maximian", **lying)

    assert rules.legal_actions(position) == (enter("roma"),)


@pytest.mark.choice("I-ENTRY-ROMA")
@pytest.mark.parametrize("disc", ["revolts", "unrest"])
def test_roma_can_be_entered_whatever_lies_there(disc):
    """Only the capital must be uncovered: a disc in Roma does not hinder (p. 7)."""
    position = make_position("maximian", **{disc: "roma"})

    assert play(position, "enter roma").ip == 6


@pytest.mark.rule("p07-entry")
@pytest.mark.parametrize("place", ["cisalpina", "etruria"])
def test_an_emperor_enters_nowhere_else(place):
    """Another Emperor's capital is no place to enter, nor is any other province (p. 7)."""
    with pytest.raises(IllegalActionError, match="in Roma or in his capital"):
        rules.play(make_position("diocletian"), enter(place))


@pytest.mark.rule("p07-entry")
def test_an_emperor_on_the_board_does_not_enter():
    """Entering is for an Emperor who is off the board (p. 7)."""
    with pytest.raises(IllegalActionError, match="on the board already"):
        rules.play(make_position("diocletian", {"diocletian": "asia"}), enter("roma"))


@pytest.mark.rule("p07-entry")
def test_an_emperor_enters_at_the_start_of_his_turn_only():
    """Once IP are spent nobody enters any more (p. 7)."""
    position = make_position("diocletian", ip=5, legal=False)

    assert rules.legal_actions(position) == ()


@pytest.mark.choice("I-ENTRY-SHARED")
def test_he_enters_beside_another_emperor_when_he_can_move_on():
    """Where another Emperor stands he enters as he would move there, and must leave with his next action (p. 7)."""
    after = play(make_position("diocletian", {"maximian": "roma"}), "enter roma")

    assert after.is_shared
    assert {action.kind for action in rules.legal_actions(after)} == {Kind.MOVE}
    assert not rules.may_end(after)


@pytest.mark.choice("I-ENTRY")
def test_his_turn_ends_when_he_can_enter_nowhere():
    """When no way leads out of an occupied Roma and the capital is covered, he stays off and his turn ends (p. 7)."""
    position = make_position(
        "galerius",
        {"diocletian": "roma"},
        armies="etruria lucania",
        revolts="etruria lucania pannonia_inferior",
        fleets=(1, 3),
    )

    assert rules.legal_actions(position) == ()
    assert rules.may_end(position)
    assert play(position, "end").phase is Phase.BARBARIAN


@pytest.mark.choice("I-ENTRY")
def test_he_must_enter_when_only_one_place_is_open():
    """He may not stay off the board while there is a place to enter (p. 7) [I-ENTRY]."""
    position = make_position("galerius", revolts="pannonia_inferior")

    with pytest.raises(IllegalActionError, match="must enter"):
        play(position, "end")


# -- moving ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("p07-move-link", "p07-move-broken", "p07-move-fleet", "p07-move-revolt")
@pytest.mark.parametrize(
    ("here", "there", "fleets", "revolts", "price"),
    [
        ("noricum", "rhaetia", (2, 3), "", 1),  # normal link
        ("dacia", "moesia_superior", (2, 3), "", 2),  # broken link
        ("noricum", "rhaetia", (2, 3), "rhaetia", 2),  # normal link into a revolt
        ("dacia", "moesia_superior", (2, 3), "moesia_superior", 3),  # broken link into a revolt
        ("roma", "numidia", (2, 3), "", 1),  # fleet
        ("roma", "numidia", (2, 3), "numidia", 2),  # fleet into a revolt
        ("noricum", "rhaetia", (2, 3), "noricum", 1),  # the revolt he leaves costs nothing
        ("sicilia", "lucania", (2, 3), "", 1),  # both ways lead there: the cheaper one
        ("sicilia", "lucania", (1, 3), "", 2),  # the same without the fleet
        ("persia", "syria", (2, 3), "", 2),  # from a border
        ("syria", "persia", (2, 3), "", 2),  # to a border
        ("cyrenaica", "libya", (2, 3), "", 1),
    ],
)
def test_what_a_move_costs(here, there, fleets, revolts, price):
    """Normal link 1 IP, broken link 2, fleet 1, and 1 more into a revolt (p. 7)."""
    position = make_position("maximian", {"maximian": here}, fleets=fleets, revolts=revolts)

    assert rules.cost(position, move(there)) == price
    after = play(position, f"move {there}")
    assert (after.here, after.ip) == (there, 6 - price)
    assert after == position.with_emperor("maximian", there).replace(ip=6 - price)


@pytest.mark.rule("p07-move-revolt")
@pytest.mark.parametrize("disc", [{"unrest": "rhaetia"}, {"garrisons": {"galerius": "rhaetia"}}])
def test_only_a_revolt_makes_a_move_dearer(disc):
    """Unrest and garrisons in the destination cost nothing (p. 7)."""
    assert rules.cost(make_position("maximian", {"maximian": "noricum"}, **disc), move("rhaetia")) == 1


@pytest.mark.rule("p07-move-broken", "p07-move-revolt")
@pytest.mark.parametrize(("ip", "legal"), [(3, True), (2, False)])
def test_a_move_needs_its_ip(ip, legal):
    """A move through a broken link into a revolt takes 3 IP, and 2 do not buy it (p. 7)."""
    position = make_position("maximian", {"maximian": "dacia"}, ip=ip, revolts="moesia_superior")

    assert (rules.objection(position, move("moesia_superior")) is None) == legal


@pytest.mark.rule("p05-links")
def test_there_must_be_a_link_or_a_fleet():
    """Without a link, and without a fleet on a common coast, no move leads there (p. 7)."""
    position = make_position("maximian", {"maximian": "roma"})

    for place in ("cisalpina", "thracia", "roma"):  # the first is on the coast of zone 2
        expected = None if place == "cisalpina" else "neither a link nor a fleet leads there"
        assert rules.objection(position, move(place)) == expected


@pytest.mark.rule("p05-fleets", "p07-move-fleet")
@pytest.mark.parametrize(
    ("fleets", "reached"),
    [
        ((1,), {"tingitana", "lusitania", "gallaecia", "belgica", "germania_inferior", "lugdunensis", "aquitania"}),
        ((3,), set()),
    ],
)
def test_a_fleet_joins_the_coast_of_its_own_zone_only(fleets, reached):
    """A fleet carries between two provinces on the coast of its zone, and no farther (p. 7)."""
    position = make_position("maximian", {"maximian": "baetica"}, fleets=fleets)

    assert moves(position) == reached | set(MAP.neighbours("baetica"))


@pytest.mark.rule("p07-move-fleet")
def test_two_fleets_do_not_add_up():
    """One fleet carries him: from zone 2 to zone 3 he lands between, in a province that lies on both (p. 7)."""
    position = make_position("maximian", {"maximian": "roma"}, fleets=(2, 3))

    assert rules.objection(position, move("asia")) is not None
    assert play(position, "move achaia", "move asia").ip == 4


@pytest.mark.rule("p05-coasts", "p11-britannia")
def test_an_inland_province_is_reached_by_no_fleet():
    """Only coastal provinces are reached by sea; borders are none, Britannia neither (p. 7, 11)."""
    position = make_position("constantius", {"constantius": "lugdunensis"}, fleets=(1, 2, 3))

    assert moves(position) & {"britannia", "germania_superior", "gaetulia"} == {"germania_superior"}  # by a link


@pytest.mark.rule("p07-one-figure", "p11-one-of-each")
def test_no_emperor_enters_a_province_with_an_army():
    """A province holds one figure, and into one with an army no move leads (p. 7)."""
    position = make_position("maximian", {"maximian": "cisalpina"}, armies="etruria britannia", revolts="etruria")

    assert rules.objection(position, move("etruria")) == "an army stands there"


@pytest.mark.rule("p07-any-order")
def test_any_action_any_number_of_times_in_any_order():
    """Up to 6 IP go into actions in any order, and the same one may come again (p. 7)."""
    position = make_position("diocletian", {"diocletian": "asia"}, revolts="galatia", unrest="asia")
    after = play(position, "remove", "secure", "move galatia", "reduce", "remove")

    assert after.ip == 0
    assert dict(after.discs) == {"asia": "diocletian"}
    assert rules.legal_actions(after) == ()
    assert rules.may_end(after)


@pytest.mark.rule("p07-ip", "p07-two-phases")
def test_he_may_stop_at_any_time():
    """Up to 6 IP: an Emperor may keep some, and they are lost (p. 7)."""
    after = play(make_position("diocletian", {"diocletian": "asia"}), "end")

    assert (after.phase, after.ip, after.here) == (Phase.BARBARIAN, 0, "asia")


# -- passing through -------------------------------------------------------------------------------------------


@pytest.mark.rule("p07-pass-through", "p07-one-figure", "p11-one-of-each")
@pytest.mark.parametrize("action", [SECURE, sail(2, 1), attack("rhaetia", Outcome.VICTORY), REMOVE, REDUCE, END])
def test_who_shares_a_province_must_move_away_with_his_next_action(action):
    """Emperors may pass through one another if they move away immediately, and do nothing else there (p. 7)."""
    position = make_position(
        "maximian",
        {"maximian": "noricum", "galerius": "pannonia_superior"},
        armies="rhaetia",
        revolts="rhaetia noricum",
    )
    between = play(position, "move pannonia_superior")

    assert between.is_shared
    assert rules.objection(between, action) is not None
    assert play(between, "move cisalpina").ip == 4


@pytest.mark.rule("p07-pass-through")
def test_who_could_not_move_on_does_not_come():
    """A move into another Emperor's province is legal only if the IP for a way out are left (p. 7) [I-PASS]."""
    at = {"maximian": "noricum", "galerius": "pannonia_superior"}

    assert "pannonia_superior" in moves(make_position("maximian", at, ip=2))
    assert "pannonia_superior" not in moves(make_position("maximian", at, ip=1))


@pytest.mark.rule("p07-pass-through")
def test_a_way_out_that_is_too_dear_is_none():
    """The way out is counted with the cost of its link and of a revolt (p. 7) [I-PASS]."""
    at = {"maximian": "pannonia_inferior", "galerius": "dacia"}
    # from dacia: back to pannonia_inferior 2, moesia_superior 2, sarmatia 2, all broken; getting there is 2 more
    assert "dacia" in moves(make_position("maximian", at, ip=4))
    assert "dacia" not in moves(make_position("maximian", at, ip=3))
    assert "dacia" not in moves(
        make_position("maximian", at, ip=4, revolts="pannonia_inferior moesia_superior", armies="sarmatia")
    )


@pytest.mark.rule("p07-pass-through")
def test_armies_close_the_way_out():
    """A way out that leads to an army is none, as no move leads there (p. 7) [I-PASS]."""
    at = {"maximian": "cisalpina", "galerius": "etruria"}
    closed = make_position("maximian", at, armies="roma sardinia cisalpina", fleets=(1, 3), legal=False)

    assert rules.objection(closed, move("etruria")) is not None
    assert "etruria" in moves(make_position("maximian", at, fleets=(1, 3)))


@pytest.mark.choice("I-PASS")
def test_several_emperors_are_passed_one_after_the_other():
    """He may come from one Emperor to the next as long as he gets away in the end (p. 7) [I-PASS]."""
    at = {"maximian": "rhaetia", "galerius": "noricum", "diocletian": "pannonia_inferior"}
    position = make_position("maximian", at, ip=3, armies="germania_magna", fleets=(2, 3))
    after = play(position, "move noricum", "move pannonia_inferior", "move dalmatia")

    assert (after.here, after.ip) == ("dalmatia", 0)
    assert rules.objection(position.replace(ip=2), move("noricum")) is None  # on to pannonia_superior, or back
    halfway = play(position.replace(ip=2), "move noricum")
    assert rules.objection(halfway, move("pannonia_inferior")) is not None
    assert moves(halfway) == {"rhaetia", "pannonia_superior"}


# -- sailing ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("p08-sail")
def test_any_fleet_sails_to_an_adjacent_free_zone_for_one_ip():
    """An Emperor sends any Roman fleet, wherever he stands, to an adjacent sea zone without a fleet for 1 IP (p. 8)."""
    position = make_position("galerius", {"galerius": "noricum"}, fleets=(1, 3))
    sails = {action.zones for action in rules.legal_actions(position) if action.kind is Kind.SAIL}

    assert sails == {(1, 2), (3, 2)}
    after = play(position, "sail 3>2")
    assert (after.fleets, after.ip, after.here) == ((1, 2), 5, "noricum")
    again = {action.zones for action in rules.legal_actions(after) if action.kind is Kind.SAIL}
    assert again == {(2, 3)}
    assert rules.legal_actions(after.replace(ip=0)) == ()


@pytest.mark.rule("p08-sail-free")
@pytest.mark.parametrize(
    ("fleets", "way", "rule"),
    [
        ((1, 2), (1, 2), "a fleet lies in zone 2 already"),
        ((1, 2), (1, 3), "zones 1 and 3 are not adjacent"),
        ((1, 2), (3, 2), "no fleet lies in zone 3"),
        ((1, 2), (2, 2), "zones 2 and 2 are not adjacent"),
    ],
)
def test_where_no_fleet_sails(fleets, way, rule):
    """One fleet a zone, and only to the next zone (p. 8)."""
    position = make_position("galerius", {"galerius": "noricum"}, fleets=fleets)

    assert rules.objection(position, sail(*way)) == rule


@pytest.mark.rule("p08-sail")
def test_sailing_needs_its_ip():
    """Sailing costs 1 IP, and with none left no fleet sails (p. 8)."""
    position = make_position("galerius", {"galerius": "noricum"}, ip=0)

    assert "costs 1 IP" in rules.objection(position, sail(2, 1))


@pytest.mark.rule("p08-sail-free")
def test_three_fleets_cannot_sail():
    """With a fleet in every zone there is nowhere to go (p. 8)."""
    position = make_position("galerius", {"galerius": "noricum"}, fleets=(1, 2, 3))

    assert not [action for action in rules.legal_actions(position) if action.kind is Kind.SAIL]


@pytest.mark.rule("p07-two-phases")
def test_in_the_barbarian_phase_nobody_acts():
    """The five actions belong to the Roman phase (p. 7)."""
    position = make_position("galerius", {"galerius": "noricum"}, barbarian=True)

    assert rules.legal_actions(position) == ()
    for action in (move("rhaetia"), sail(2, 1), SECURE, END, enter("roma"), Action(Kind.REMOVE)):
        assert rules.objection(position, action) == "the Emperor's turn is over"
