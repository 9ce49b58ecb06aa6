"""Attacking in the Roman phase, and what a player types (rulebook pages 7 and 8)."""

from collections import Counter

import pytest
from tabletop import barbarians, faces_of, make_position, play

from tetrasolve.errors import AmbiguousActionError, IllegalActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome, attack
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import GivenDice


def front(ip=6, here="noricum", army="rhaetia", revolts="rhaetia", at=None, **more):
    return make_position("maximian", {"maximian": here} | (at or {}), ip=ip, armies=army, revolts=revolts, **more)


def attacks(position):
    return {action.place for action in rules.legal_actions(position) if action.kind is Kind.ATTACK}


@pytest.mark.rule("p08-attack-cost", "p08-attack-link")
@pytest.mark.parametrize(
    ("here", "army", "revolts", "price"),
    [
        ("noricum", "rhaetia", "rhaetia", 2),  # normal link, revolt under the army
        ("cisalpina", "rhaetia", "rhaetia", 3),  # broken link, revolt under the army
        ("belgica", "britannia", "", 2),  # broken link to a border
        ("cyrenaica", "libya", "aegyptus", 1),  # normal link to a border
        ("persia", "syria", "syria", 3),  # from a border
    ],
)
def test_an_attack_costs_what_the_move_would(here, army, revolts, price):
    """An attack through a link costs the IP of a move through it, revolt in the target included (p. 8)."""
    position = front(here=here, army=army, revolts=revolts)

    assert rules.cost(position, attack(army, Outcome.DRAW)) == price
    assert play(position, f"attack {army}: draw").ip == 6 - price
    assert attacks(position.replace(ip=price)) == {army}
    assert attacks(position.replace(ip=price - 1)) == set()


@pytest.mark.rule("p08-attack-link")
def test_a_fleet_makes_no_attack_cheaper():
    """An attack goes through the link even where a fleet would carry a move for less (p. 8, 11)."""
    position = front(here="sicilia", army="africa", revolts="africa", fleets=(2, 3))

    assert rules.cost(position, attack("africa", Outcome.DRAW)) == 3


@pytest.mark.rule("p08-attack-link", "p11-no-landings")
def test_there_are_no_landings():
    """Armies are attacked through links only, never by sea (p. 11)."""
    position = front(here="roma", army="africa", revolts="africa", fleets=(2, 3))

    assert "no landings" in rules.objection(position, attack("africa", Outcome.DRAW))


@pytest.mark.rule("p08-attack-link")
def test_only_armies_are_attacked():
    """The target of an attack is a province with an army (p. 8)."""
    assert rules.objection(front(), attack("dacia", Outcome.DRAW)) == "no army stands there"


@pytest.mark.rule("p08-victory-removes", "p08-victory-moves")
@pytest.mark.parametrize(("army", "revolts"), [("rhaetia", "rhaetia noricum"), ("germania_magna", "noricum")])
def test_victory(army, revolts):
    """Victory: army and any disc leave the target, the Emperor stands there, and his turn continues (p. 8)."""
    before = front(army=army, revolts=revolts)
    after = play(before, f"attack {army}: victory")

    assert after.here == army
    assert after.armies == ()
    assert after.revolts == {"noricum"} & set(revolts.split())
    assert (after.phase, after.to_move) == (Phase.ROMAN, "maximian")
    assert after.ip == before.ip - rules.cost(before, attack(army, Outcome.VICTORY))  # standing there costs no move


@pytest.mark.rule("p08-defeat-removes", "p08-defeat-ends-turn", "p11-lost-attack")
@pytest.mark.parametrize("owner", ["maximian", "galerius"])
def test_defeat_removes_the_emperor_and_any_garrison_under_him(owner):
    """Defeat: the Emperor and any Emperor's garrison of his province are removed, and his turn ends (p. 8)."""
    after = play(front(garrisons={owner: "noricum dacia"}), "attack rhaetia: defeat")

    assert after.here is None
    assert dict(after.discs) == {"rhaetia": "revolt", "dacia": owner}
    assert after.armies == ("rhaetia",)
    assert (after.phase, after.ip, after.to_move) == (Phase.BARBARIAN, 0, "maximian")


@pytest.mark.rule("p08-defeat-removes")
@pytest.mark.parametrize("lying", [{"unrest": "noricum"}, {"revolts": "rhaetia noricum"}])
def test_defeat_leaves_other_discs(lying):
    """Only a garrison is removed with a beaten Emperor; unrest and revolts stay (p. 8)."""
    before = front(**lying)

    assert play(before, "attack rhaetia: defeat").discs == before.discs


@pytest.mark.rule("p08-defeat-removes")
def test_defeat_on_his_printed_disc_removes_no_disc():
    """A printed disc cannot be removed (p. 5, 8)."""
    after = play(front(here="cisalpina"), "attack rhaetia: defeat")

    assert after.is_protected("cisalpina")


@pytest.mark.rule("p08-draw", "p08-attack-stays")
def test_draw_changes_nothing_and_he_may_go_on():
    """Draw: nothing happens but the IP spent, and he may attack again (p. 8)."""
    before = front()
    after = play(before, "attack rhaetia: draw", "attack rhaetia: draw")

    assert after == before.replace(ip=2)
    assert attacks(after) == {"rhaetia"}


@pytest.mark.program
def test_support_can_make_an_outcome_impossible():
    """An attack is listed with the outcomes that the dice can bring, and no others (p. 8)."""
    crushing = make_position(
        "maximian",
        {
            "maximian": "noricum",
            "galerius": "germania_superior",
            "diocletian": "pannonia_superior",
            "constantius": "cisalpina",
        },
        armies="rhaetia",
        revolts="rhaetia",
        garrisons={"maximian": "noricum dalmatia"},
    )
    # (d6 + 1) x 8 is at least 16, d6 + 1 at most 7
    assert [a for a in rules.legal_actions(crushing) if a.kind is Kind.ATTACK] == [attack("rhaetia", Outcome.VICTORY)]
    with pytest.raises(IllegalActionError, match="a defeat cannot be rolled"):
        play(crushing, "attack rhaetia: defeat")


@pytest.mark.rule("p08-battle-dice")
def test_the_roll_of_an_attack():
    """An attack is one Roman die and one Barbarian die; each pair of faces has its outcome (p. 8)."""
    position = front()  # (d6 + 0) against d6 + 1: cisalpina is not linked to noricum
    roll = rules.attack_roll(position, "rhaetia")
    counts = Counter(action.outcome for action in roll.results)

    assert roll.questions == ("Roman die", "Barbarian die")
    assert counts == {Outcome.VICTORY: 10, Outcome.DRAW: 5, Outcome.DEFEAT: 21}
    assert rules.throw(roll, GivenDice([6, 4])) == attack("rhaetia", Outcome.VICTORY)
    assert rules.throw(roll, GivenDice([6, 5])) == attack("rhaetia", Outcome.DRAW)
    assert rules.throw(roll, GivenDice([4, 6])) == attack("rhaetia", Outcome.DEFEAT)


@pytest.mark.program
def test_an_illegal_attack_has_no_roll():
    """Dice are rolled for legal attacks only (p. 8)."""
    with pytest.raises(IllegalActionError, match="costs 2 IP"):
        rules.attack_roll(front(ip=1), "rhaetia")
    with pytest.raises(IllegalActionError, match="turn is over"):
        rules.attack_roll(front().replace(phase=Phase.BARBARIAN, ip=0), "rhaetia")


@pytest.mark.rule("p08-attack-link")
def test_an_emperor_attacks_from_a_border():
    """Emperors act on borders as elsewhere: here from Gaetulia into Tingitana (p. 7, 8)."""
    position = front(here="gaetulia", army="tingitana", revolts="tingitana")

    assert play(position, "attack tingitana: victory").here == "tingitana"


@pytest.mark.rule("p08-victory-removes", "p08-border")
def test_after_a_victory_he_can_secure_the_border_at_once():
    """Victory leaves no disc on the border, so a garrison can follow (p. 8)."""
    after = play(front(here="belgica", army="britannia", revolts="", ip=4), "attack britannia: victory", "secure")

    assert after.secured == ("britannia",)
    assert after.ip == 0


# -- typing ----------------------------------------------------------------------------------------------------


@pytest.mark.program
def test_an_attack_without_its_outcome_is_ambiguous():
    """A text that fits several legal actions is answered with all of them."""
    with pytest.raises(AmbiguousActionError) as caught:
        rules.parse(front(), "attack rhaetia")

    assert set(caught.value.candidates) == {attack("rhaetia", outcome) for outcome in Outcome}


@pytest.mark.program
def test_what_is_the_only_legal_reading_is_not_ambiguous():
    """Of several readings only the legal ones count: one disc can be subdued in one way."""
    position = make_position("galerius", {"galerius": "dacia"}, unrest="dacia", fleets=(1, 2))

    assert str(rules.parse(position, "subdue")) == "remove"
    assert str(rules.parse(position, "sail 3")) == "sail 2>3"
    assert str(rules.parse(position, "MOVE pannonia")) == "move pannonia_inferior"


@pytest.mark.rule("p08-defeat-comes-back")
def test_a_beaten_emperor_comes_back_with_his_next_turn():
    """He is away in the turns of the others, and can enter when it is his turn again (p. 8)."""
    others = {"diocletian": "asia", "galerius": "dacia", "constantius": "lusitania"}
    now = play(front(here="pannonia_superior", at=others), "attack rhaetia: defeat")

    for following in (*others, "maximian"):
        assert now.emperors["maximian"] is None
        now = barbarians(now, *faces_of("bithynia"), 3)  # a calm province, and the army stays before its broken link
        assert now.to_move == following
        now = play(now, "end" if following in others else "enter roma")
    assert now.here == "roma"
