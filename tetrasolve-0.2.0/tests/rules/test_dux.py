"""Module 1, the Dux (rulebook page 12)."""

import pytest
from moduletable import extended
from tabletop import barbarians, chance, faces_of, play

from tetrasolve.errors import IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, SECURE, Action, Kind, Outcome, attack, deploy, move, read_action
from tetrasolve.tetrarchia.position import Phase

QUIET = faces_of("bithynia")


def dux(place=None, to_move="maximian", here="noricum", **more):
    """A position with the Dux in a province, or not yet in play."""
    at = {to_move: here} | more.pop("at", {})
    return extended("dux", {"dux": place} | more.pop("pieces", {}), to_move, at, **more)


def deployments(position):
    return {action.place for action in rules.legal_actions(position) if action.kind is Kind.DEPLOY}


# -- deployment ------------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-dux-place")
def test_he_is_deployed_in_a_roman_province_linked_to_the_emperors():
    """Any province linked to the Emperor's, but no border (p. 12)."""
    assert deployments(dux()) == {"pannonia_inferior", "rhaetia", "pannonia_superior"}
    assert deployments(dux(here="libya")) == {"aegyptus", "cyrenaica", "tripolitania"}
    assert "linked" in rules.objection(dux(), deploy("dux", "roma"))
    assert "Roman province" in rules.objection(dux(), deploy("dux", "germania_magna"))


@pytest.mark.choice("I-DUX-BROKEN")
def test_he_is_deployed_through_broken_links():
    """A broken link is a link, and the price is the same (p. 12)."""
    assert deployments(dux(here="rhaetia")) == {"germania_superior", "pannonia_superior", "cisalpina", "noricum"}
    assert deployments(dux(here="germania_magna")) == {"noricum", "rhaetia"}
    assert play(dux(here="rhaetia"), "deploy dux cisalpina").ip == 4


@pytest.mark.rule("p12-dux-deploy")
def test_a_deployment_costs_two_ip():
    """He is deployed a single time, for 2 IP, no matter who is active then (p. 12)."""
    after = play(dux(ip=2), "deploy dux rhaetia")

    assert (after.place_of("dux"), after.ip) == ("rhaetia", 0)
    assert rules.cost(dux(), deploy("dux", "rhaetia")) == 2
    assert deployments(dux(ip=1)) == set()


@pytest.mark.rule("p12-dux-deploy")
@pytest.mark.parametrize("who", ["diocletian", "galerius", "constantius", "maximian"])
def test_any_emperor_deploys_him(who):
    """Any player can, in his turn (p. 12)."""
    assert play(dux(to_move=who), "deploy dux rhaetia").place_of("dux") == "rhaetia"


@pytest.mark.rule("p12-dux-no-figure")
def test_no_emperor_and_no_army_may_stand_where_he_is_deployed():
    """The province has no figures (p. 12)."""
    position = dux(at={"galerius": "rhaetia"}, armies="pannonia_superior", revolts="pannonia_superior", legal=False)

    assert deployments(position) == {"pannonia_inferior"}
    assert rules.objection(position, deploy("dux", "rhaetia")) == "a figure stands there"


@pytest.mark.rule("p12-dux-deploy", "p12-dux-dies")
def test_he_is_deployed_once():
    """He comes into the game once; a second deployment is none (p. 12)."""
    assert deployments(dux("dalmatia")) == set()
    assert deployments(dux("dead")) == set()
    assert "before" in rules.objection(dux("dead"), deploy("dux", "rhaetia"))


@pytest.mark.rule("p12-dux-place")
def test_a_disc_does_not_hinder_his_deployment():
    """The rules state nothing about discs: unrest and garrisons do not matter; for a revolt see [I-DUX-REVOLT] (p. 12)."""
    position = dux(unrest="rhaetia", garrisons={"galerius": "pannonia_inferior"})

    assert deployments(position) == {"rhaetia", "pannonia_inferior", "pannonia_superior"}


@pytest.mark.choice("I-DUX-REVOLT")
def test_deployed_on_a_revolt():
    """[I-DUX-REVOLT] allowed: at no extra cost. forbidden: not there (p. 12)."""
    allowed = dux(revolts="rhaetia")
    forbidden = dux(revolts="rhaetia", readings={"I-DUX-REVOLT": "forbidden"})

    assert play(allowed, "deploy dux rhaetia").ip == 4
    assert rules.objection(forbidden, deploy("dux", "rhaetia")) == "a revolt lies there [I-DUX-REVOLT]"
    assert deployments(forbidden) == {"pannonia_inferior", "pannonia_superior"}


@pytest.mark.choice("I-HELPERS-ALONE")
def test_an_emperor_off_the_board_can_only_enter():
    """IP are spent by an Emperor on the board: he enters first, and then spends them on the Dux (p. 7, 12)."""
    position = dux("dalmatia", here=None)

    assert {action.kind for action in rules.legal_actions(position)} == {Kind.ENTER}
    assert rules.objection(position, move("macedonia", "dux")) == "he is off the board"
    assert play(position, "enter roma", "dux: move macedonia").place_of("dux") == "macedonia"


# -- what he does ----------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-dux-ip")
def test_ip_go_to_the_emperor_and_the_dux_in_any_mix():
    """Once the Dux is there, IP of one turn go to him, to the Emperor, or to both (p. 12)."""
    late = dux("dalmatia", ip=2)
    figures = {action.figure for action in rules.legal_actions(late) if action.kind is Kind.MOVE}
    after = play(dux("dalmatia"), "move rhaetia", "dux: move macedonia", "move noricum", "dux: move thracia")

    assert figures == {None, "dux"}
    assert (after.here, after.place_of("dux"), after.ip) == ("noricum", "thracia", 6 - 1 - 2 - 1 - 1)


@pytest.mark.rule("p12-dux-move")
def test_he_moves_as_an_emperor():
    """By link, broken link and fleet, onto borders too, one more for a revolt (p. 12)."""
    position = dux("dalmatia", fleets=(2, 3), revolts="roma")

    assert rules.cost(position, move("pannonia_superior", "dux")) == 1
    assert rules.cost(position, move("macedonia", "dux")) == 2  # broken
    assert rules.cost(position, move("roma", "dux")) == 2  # by sea, into a revolt
    assert play(dux("noricum", here="roma"), "dux: move germania_magna").place_of("dux") == "germania_magna"


@pytest.mark.rule("p12-dux-subdue")
def test_he_subdues_as_an_emperor():
    """He removes and reduces where he stands, at the same prices (p. 8, 12)."""
    position = dux("dalmatia", revolts="dalmatia noricum")

    assert play(position, "dux: remove").ip == 4
    assert play(position, "dux: remove").revolts == {"noricum"}
    assert play(position, "dux: reduce").unrest == {"dalmatia"}
    assert play(position, "dux: reduce", "dux: remove").discs == {"noricum": "revolt"}
    assert play(position, "remove").revolts == {"dalmatia"}


@pytest.mark.rule("p12-dux-no-secure")
def test_no_printed_disc_is_his():
    """Roma's is a garrison of the four Emperors (p. 5, 12)."""
    position = dux("etruria", armies="cisalpina", revolts="cisalpina")

    assert rules.battle(position, "dux", "cisalpina").garrisons == 0


@pytest.mark.rule("p12-dux-no-secure")
def test_he_cannot_secure():
    """He has no garrisons (p. 12)."""
    position = dux("dalmatia")
    text = "the Dux has no garrisons and cannot secure"

    assert rules.objection(position, Action(Kind.SECURE, figure="dux")) == text
    assert rules.objection(position, SECURE) is None
    with pytest.raises(IllegalActionError, match=text):
        play(position, "dux: secure")


@pytest.mark.program
@pytest.mark.parametrize("line", ["dux: enter roma", "dux: sail 2>1", "dux: end", "dux: transfer rhaetia"])
def test_what_is_no_deed_of_his(line):
    """Entering, sailing and ending are the Emperor's (p. 7, 12)."""
    (action,) = read_action(line, dux().board)

    assert rules.objection(dux("dalmatia"), action) is not None


@pytest.mark.rule("p12-dux-deploy", "p12-dux-dies")
def test_his_deeds_need_him_on_the_board():
    """Before his deployment and after his death he does nothing (p. 12)."""
    for state in (None, "dead"):
        assert rules.objection(dux(state), move("macedonia", "dux")) == "the Dux is not on the board"
        assert all(action.figure in (None, "dux") for action in rules.legal_actions(dux(state)))


@pytest.mark.rule("p12-modules")
def test_without_the_module_there_is_no_dux():
    """In the base game his actions are refused (p. 12)."""
    position = extended("", to_move="maximian", at={"maximian": "noricum"})

    assert "not in use" in rules.objection(position, deploy("dux", "rhaetia"))
    assert "not on the board" in rules.objection(position, move("rhaetia", "dux"))


# -- passing through -------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-dux-move")
def test_he_and_an_emperor_pass_through_one_another():
    """The next action is a move, by which they no longer share a province (p. 7, 12)."""
    position = dux("rhaetia")
    emperor = play(position, "move rhaetia")
    general = play(position, "dux: move noricum")

    for shared in (emperor, general):
        assert {action.kind for action in rules.legal_actions(shared)} == {Kind.MOVE}
        assert not rules.may_end(shared)
    assert play(emperor, "move cisalpina").here == "cisalpina"
    assert play(general, "dux: move pannonia_superior").pieces.passing is None


@pytest.mark.choice("I-MAKE-ROOM")
def test_the_one_who_came_moves_on():
    """The other cannot make room for him (p. 7, 12)."""
    position = dux("rhaetia")
    emperor = play(position, "move rhaetia")
    general = play(position, "dux: move noricum")

    assert emperor.passing == "maximian"
    assert {(a.kind, a.figure) for a in rules.legal_actions(emperor)} == {(Kind.MOVE, None)}
    assert general.passing == "dux"
    assert {(a.kind, a.figure) for a in rules.legal_actions(general)} == {(Kind.MOVE, "dux")}
    assert "must move away first" in rules.objection(general, move("rhaetia"))


@pytest.mark.rule("p12-dux-move")
def test_he_reaches_another_figure_only_with_a_way_out():
    """A move into a shared province is legal only if the IP to leave it are left [I-PASS] (p. 7)."""
    assert rules.objection(dux("rhaetia", ip=2), move("noricum", "dux")) is None
    assert "[I-PASS]" in rules.objection(dux("rhaetia", ip=1), move("noricum", "dux"))


@pytest.mark.rule("p12-dux-move")
def test_the_turn_cannot_end_while_he_passes():
    """Nobody stays where another figure stands (p. 7)."""
    general = play(dux("rhaetia"), "dux: move noricum")

    assert rules.objection(general, END) == "he may not end his turn in a province with an Emperor"


# -- battle ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-dux-attack")
def test_he_leads_battles_without_garrisons():
    """He attacks at the Emperors' prices; no disc counts for him, no printed one either (p. 8, 12)."""
    position = dux("cisalpina", armies="rhaetia", revolts="rhaetia", garrisons={"maximian": "cisalpina etruria"})
    fight = rules.battle(position, "dux", "rhaetia")

    assert (fight.garrisons, fight.emperors, fight.revolts) == (0, 1, 1)  # Maximian in Noricum supports him
    beside_roma = dux("etruria", armies="cisalpina", revolts="cisalpina")
    assert rules.battle(beside_roma, "dux", "cisalpina").garrisons == 0
    assert rules.cost(position, attack("rhaetia", Outcome.DRAW, "dux")) == 3
    won = play(position, "dux: attack rhaetia: victory")
    assert (won.place_of("dux"), won.armies, won.revolts, won.ip) == ("rhaetia", (), frozenset(), 3)


@pytest.mark.rule("p12-dux-support")
def test_he_supports_battles_as_an_emperor():
    """In an Emperor's battle he counts as another Emperor linked to the army (p. 8, 12)."""
    position = dux("pannonia_superior", armies="rhaetia", revolts="rhaetia")

    assert rules.battle(position, "maximian", "rhaetia").emperors == 1
    assert rules.battle(position.with_figure("dux", "dalmatia"), "maximian", "rhaetia").emperors == 0


@pytest.mark.rule("p12-dux-dies")
def test_his_defeat_is_his_death():
    """He leaves the game with the garrison under him (p. 8, 12)."""
    position = dux("cisalpina", armies="rhaetia", revolts="rhaetia", garrisons={"galerius": "cisalpina"})
    after = play(position, "dux: attack rhaetia: defeat")

    assert after.pieces.dux.dead
    assert dict(after.discs) == {"rhaetia": "revolt"}
    assert after.here == "noricum"
    assert after.armies == ("rhaetia",)


@pytest.mark.choice("I-DUX-DEFEAT")
def test_his_defeat_ends_the_turn_or_leaves_it_to_the_emperor():
    """[I-DUX-DEFEAT] turn: it ends as after an Emperor's defeat. dux-only: it continues with the IP left (p. 12)."""
    ends = dux("cisalpina", armies="rhaetia", revolts="rhaetia")
    assert (play(ends, "dux: attack rhaetia: defeat").phase, play(ends, "dux: attack rhaetia: defeat").ip) == (
        Phase.BARBARIAN,
        0,
    )
    position = dux("cisalpina", armies="rhaetia", revolts="rhaetia", readings={"I-DUX-DEFEAT": "dux-only"})
    after = play(position, "dux: attack rhaetia: defeat")

    assert (after.pieces.plain()["dux"], after.phase, after.ip) == ("dead", Phase.ROMAN, 3)
    assert play(after, "move pannonia_superior").ip == 2
    assert play(position, "attack rhaetia: defeat").phase is Phase.BARBARIAN


@pytest.mark.choice("I-BORDER-DEFEAT")
def test_a_secured_border_outlives_his_defeat_there():
    """[I-BORDER-DEFEAT] stays: as under an Emperor, the garrison of a border stays (p. 8, 11)."""
    table = {"armies": "rhaetia", "revolts": "rhaetia", "garrisons": {"galerius": "germania_magna"}}
    stays = dux("germania_magna", **table)
    removed = dux("germania_magna", readings={"I-BORDER-DEFEAT": "removed"}, **table)

    assert play(stays, "dux: attack rhaetia: defeat").secured == ("germania_magna",)
    assert play(removed, "dux: attack rhaetia: defeat").secured == ()


@pytest.mark.rule("p08-defeat-removes")
def test_an_emperors_defeat_does_not_touch_him():
    """Only who leads a lost attack is removed (p. 8)."""
    position = dux("pannonia_superior", armies="rhaetia", revolts="rhaetia")

    assert play(position, "attack rhaetia: defeat").place_of("dux") == "pannonia_superior"


@pytest.mark.rule("p12-dux-dies")
def test_a_dead_dux_never_comes_back():
    """He leaves the game permanently (p. 12)."""
    assert deployments(dux("dead")) == set()
    assert not any(action.figure for action in rules.legal_actions(dux("dead")))


# -- Barbarian phase -------------------------------------------------------------------------------------------


@pytest.mark.rule("p12-dux-dies")
def test_he_dies_on_a_revolt():
    """Where an Emperor would be removed, after the spread of revolts, he dies (p. 9, 12)."""
    position = dux("dalmatia", revolts="pannonia_superior", unrest="dalmatia", barbarian=True)

    assert barbarians(position, *QUIET).pieces.dux.dead
    assert barbarians(dux("dalmatia", barbarian=True), *QUIET).pieces.plain()["dux"] == "dalmatia"


@pytest.mark.rule("p11-uprising-emperor")
def test_an_uprising_does_not_remove_him_before_the_next_turn():
    """As an Emperor, he stays on a revolt that an uprising brought until the next phase (p. 11)."""
    table = {"revolts": "pannonia_superior", "garrisons": {"galerius": "noricum"}, "readings": {"I-FRESH": "wait"}}
    position = dux("dalmatia", barbarian=True, **table)
    risen = barbarians(position, *faces_of("pannonia_superior"), 1)

    assert risen.place_of("dux") == "dalmatia"
    assert "dalmatia" in risen.revolts


@pytest.mark.rule("p12-dux-attacked")
def test_an_army_in_its_way_meets_him():
    """It attacks him as an Emperor: with its victory he is dead and it enters (p. 11, 12)."""
    position = dux("aegyptus", armies="libya", barbarian=True)

    assert barbarians(position, *QUIET, 1, 6).pieces.dux.dead
    assert barbarians(position, *QUIET, 1, 6).armies == ("aegyptus",)
    assert barbarians(position, *QUIET, 6, 1).armies == ()
    assert barbarians(position, *QUIET, 3, 3).armies == ("libya",)
    assert chance(position, lambda after: after.place_of("dux") is None) == chance(
        position, lambda after: after.armies == ("aegyptus",)
    )


@pytest.mark.rule("p11-no-protection")
def test_he_keeps_no_unrest_away():
    """Only garrisons protect against the Barbarian roll (p. 11)."""
    assert barbarians(dux("dalmatia", barbarian=True), *faces_of("dalmatia")).unrest == {"dalmatia"}


@pytest.mark.rule("p10-echo-border")
def test_a_border_where_he_stands_is_not_empty():
    """No army appears on a border with a figure: the province die is rolled (p. 10)."""
    position = dux("libya", revolts="galatia", barbarian=True, garrisons={"maximian": "aegyptus"})
    echo = barbarians(position, *faces_of("galatia"), 6, *faces_of("aegyptus")[1:])

    assert echo.armies == ()
