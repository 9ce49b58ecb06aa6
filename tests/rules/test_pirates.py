"""Module 3, the Pirates (rulebook page 13)."""

import pytest
from moduletable import extended
from tabletop import MAP, barbarians, faces_of, play

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind, Outcome, attack, read_action, sail
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.rules import Battle, GivenDice
from tetrasolve.tetrarchia.ruleset import Ruleset

QUIET = faces_of("bithynia")
COAST = MAP.coast[3]


def pirates(zone=3, here="asia", fleets=(1, 2), **more):
    at = {"diocletian": here} | more.pop("at", {})
    return extended(
        more.pop("extensions", "pirates"), {"pirates": zone} | more.pop("pieces", {}), at=at, fleets=fleets, **more
    )


# -- set-up ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("p13-pirates-fleets")
def test_they_need_fewer_than_three_fleets():
    """Two fleets leave them a zone, three do not (p. 13)."""
    assert Ruleset.from_text("4200+pirates").fleets == 2
    with pytest.raises(RulesetError, match="fewer than 3 Roman fleets"):
        Ruleset.from_text("4300+pirates")


@pytest.mark.rule("p13-pirates-roll")
def test_a_die_is_rolled_until_it_shows_two_or_three():
    """The Pirates lie in one of the two zones of the Mediterranean, rolled for before the fleets are placed (p. 13)."""
    ruleset = Ruleset.from_text("4100+pirates")

    for faces, zone in (((2,), 2), ((1, 4, 5, 6, 3), 3)):
        dice = GivenDice([2, 2, 2, 2, 2, 2, *faces])
        position = rules.set_up(ruleset, [1], dice, MAP)
        assert position.pieces.pirates.zone == zone
        assert dice.left == 0
        assert position.status() == ()


@pytest.mark.rule("p13-pirates-block", "p13-pirates-roll")
def test_no_fleet_is_placed_in_their_zone():
    """From the set-up on no fleet comes into their zone (p. 13)."""
    dice = GivenDice([2, 2, 2, 2, 2, 2, 3])

    with pytest.raises(RulesetError, match="Pirates keep fleets out of zone 3"):
        rules.set_up(Ruleset.from_text("4100+pirates"), [3], dice, MAP)


@pytest.mark.rule("p13-pirates-block")
def test_drawn_fleets_avoid_them():
    """Zones drawn from a seed are free ones, each as likely as the others (p. 6, 13)."""
    for level, choices in (("4100", {(1,), (2,), (3,)}), ("4200", {(1, 2), (1, 3)})):
        found = {}
        for seed in range(60):
            position = rules.random_set_up(Ruleset.from_text(f"{level}+pirates"), seed, board=MAP)
            assert position.status() == ()
            found.setdefault(position.fleets, set()).add(position.pieces.pirates.zone)
        assert set(found) == choices
        assert set().union(*found.values()) == {2, 3}


# -- Roman phase -----------------------------------------------------------------------------------------------


@pytest.mark.rule("p13-pirates-block")
def test_no_fleet_sails_into_their_zone():
    """As long as they are there they keep fleets out (p. 13)."""
    assert rules.objection(pirates(), sail(2, 3)) == "the Pirates keep fleets out of zone 3"
    assert rules.objection(pirates(None), sail(2, 3)) is None
    assert sail(2, 3) not in rules.legal_actions(pirates())


@pytest.mark.rule("p13-pirates-attack")
@pytest.mark.parametrize("place", COAST)
def test_an_emperor_on_their_coast_attacks_them_for_two_ip(place):
    """From any coastal province of their zone (p. 13)."""
    position = pirates(here=place, ip=2)

    assert rules.cost(position, attack("pirates", Outcome.DRAW)) == 2
    assert play(position, "attack pirates: draw") == position.replace(ip=0)
    assert "costs 2 IP" in rules.objection(position.replace(ip=1), attack("pirates", Outcome.DRAW))


@pytest.mark.rule("p13-pirates-attack")
@pytest.mark.parametrize("place", ["roma", "cappadocia", "libya"])
def test_from_elsewhere_they_are_out_of_reach(place):
    """Only on that coast (p. 13)."""
    assert "not on the coast of zone 3" in rules.objection(pirates(here=place), attack("pirates", Outcome.DRAW))
    assert not any(action.place == "pirates" for action in rules.legal_actions(pirates(here=place)))


@pytest.mark.rule("p13-pirates-victory")
def test_beaten_pirates_cannot_be_attacked():
    """They are off the board (p. 13)."""
    assert rules.objection(pirates(None), attack("pirates", Outcome.DRAW)) == "the Pirates are beaten"
    assert "not in use" in rules.objection(extended(""), attack("pirates", Outcome.DRAW))


@pytest.mark.rule("p13-pirates-revolts", "p13-pirates-garrisons", "p13-pirates-allies")
def test_the_combat_values():
    """Own garrisons and revolts of the coast are added, whatever lies between; others on the coast double (p. 13)."""
    position = pirates(
        at={"galerius": "aegyptus", "maximian": "roma"},
        garrisons={"diocletian": "thracia achaia bithynia roma", "galerius": "cyrenaica"},
        revolts="syria macedonia rhaetia",
        armies="syria rhaetia",
    )

    # Roma, Maximian, Rhaetia and its army are elsewhere
    assert rules.battle(position, "diocletian", "pirates") == Battle(3, 1, 2, 1)
    assert rules.battle(position.with_disc("achaia", None), "diocletian", "pirates") == Battle(2, 1, 2, 1)


@pytest.mark.choice("I-PIRATES-PRINTED")
def test_printed_discs_count():
    """[I-PIRATES-PRINTED] count: while nothing covers them, as in a battle on land. discs-only: they do not (p. 5, 13)."""
    count = pirates(2, here="sicilia", fleets=(1, 3), garrisons={"diocletian": "etruria"})
    discs_only = pirates(
        2,
        here="sicilia",
        fleets=(1, 3),
        garrisons={"diocletian": "etruria"},
        readings={"I-PIRATES-PRINTED": "discs-only"},
    )

    assert rules.battle(count, "diocletian", "pirates").garrisons == 2  # Etruria and Roma
    assert rules.battle(count.with_disc("roma", "revolt"), "diocletian", "pirates").garrisons == 1
    assert rules.battle(discs_only, "diocletian", "pirates").garrisons == 1


@pytest.mark.rule("p13-pirates-victory")
def test_victory_frees_the_zone():
    """The Pirates leave the board, the zone is open to fleets, and nobody moves (p. 13)."""
    position = pirates(revolts="syria")
    after = play(position, "attack pirates: victory")

    assert after.pieces.pirates.zone is None
    assert (after.here, after.ip, after.revolts) == ("asia", 4, {"syria"})
    assert play(after, "sail 2>3").fleets == (1, 3)


@pytest.mark.rule("p13-pirates-defeat")
def test_defeat_removes_the_emperor_and_all_garrisons_of_the_coast():
    """Garrisons of every Emperor, wherever on that coast; his turn ends (p. 13)."""
    position = pirates(
        garrisons={"diocletian": "asia roma", "galerius": "cyrenaica cappadocia", "maximian": "achaia"},
        revolts="syria",
        unrest="cilicia",
    )
    after = play(position, "attack pirates: defeat")

    assert after.here is None
    assert dict(after.discs) == {"roma": "diocletian", "cappadocia": "galerius", "syria": "revolt", "cilicia": "unrest"}
    assert (after.phase, after.ip, after.pieces.pirates.zone) == (Phase.BARBARIAN, 0, 3)


@pytest.mark.rule("p13-pirates-draw")
def test_a_draw_changes_nothing():
    """A draw changes nothing, and he may continue (p. 13)."""
    position = pirates()

    assert play(position, "attack pirates: draw", "attack pirates: draw") == position.replace(ip=2)


@pytest.mark.rule("p13-pirates-revolts")
def test_the_dice_of_an_attack_on_them():
    """One Roman die and one Barbarian die, as on land (p. 13)."""
    roll = rules.attack_roll(pirates(revolts="syria bithynia"), "pirates")  # d6 against d6 + 2

    assert roll.result((6, 1)) == attack("pirates", Outcome.VICTORY)
    assert roll.result((3, 1)) == attack("pirates", Outcome.DRAW)
    assert roll.result((1, 1)) == attack("pirates", Outcome.DEFEAT)
    assert {str(action) for action in rules.legal_actions(pirates()) if action.kind is Kind.ATTACK} == {
        "attack pirates: victory",
        "attack pirates: draw",
        "attack pirates: defeat",
    }


@pytest.mark.choice("I-PIRATES-PRINTED")
def test_the_dux_attacks_them_too():
    """He behaves as an Emperor: with no garrisons of his own, and dead when he is beaten (p. 12, 13)."""
    position = pirates(extensions="dux+pirates", pieces={"dux": "syria"}, here="asia", garrisons={"diocletian": "asia"})

    assert rules.battle(position, "dux", "pirates") == Battle(0, 1, 0, 0)
    assert rules.battle(position, "diocletian", "pirates") == Battle(2, 1, 0, 0)  # Asia, and printed on Bithynia
    after = play(position, "dux: attack pirates: defeat")
    assert (after.pieces.plain()["dux"], after.here, after.phase) == ("dead", "asia", Phase.BARBARIAN)
    assert dict(after.discs) == {}
    assert play(position, "dux: attack pirates: victory").pieces.pirates.zone is None


@pytest.mark.rule("p12-dux-attack", "p13-pirates-attack")
def test_he_may_attack_them_for_the_price_of_an_emperor():
    """He behaves as an Emperor but for two exceptions, of which this is none (p. 12, 13)."""
    position = pirates(extensions="dux+pirates", pieces={"dux": "syria"}, here="galatia")
    (attacked,) = read_action("dux: attack pirates: draw", MAP)

    assert rules.objection(position, attacked) is None
    assert rules.cost(position, attacked) == 2


@pytest.mark.rule("p12-dux-support", "p13-pirates-allies")
def test_he_doubles_romes_value_on_their_coast():
    """As another Emperor does; elsewhere he does not (p. 12, 13)."""
    coast, inland = (
        rules.battle(pirates(extensions="dux+pirates", pieces={"dux": place}), "diocletian", "pirates").emperors
        for place in ("syria", "galatia")
    )

    assert (coast, inland) == (1, 0)


@pytest.mark.rule("p13-pirates-attack")
def test_the_dux_is_on_the_coast_or_cannot_attack_them():
    """He needs a coast as an Emperor does (p. 13)."""
    position = pirates(extensions="dux+pirates", pieces={"dux": "galatia"})
    (undeployed,) = read_action("dux: attack pirates: draw", MAP)

    assert "not on the coast" in rules.objection(position, undeployed)
    assert rules.objection(position.with_piece("dux", None), undeployed) == "the Dux is not on the board"


@pytest.mark.rule("p07-pass-through")
def test_who_passes_cannot_attack_them():
    """In a shared province the next action is a move (p. 7)."""
    position = play(pirates(here="cilicia", at={"galerius": "asia"}), "move asia")

    assert "must move away" in rules.objection(position, attack("pirates", Outcome.DRAW))


@pytest.mark.choice("I-GOTHS-SEA", "I-GOTHS-SUPPORT")
def test_goths_on_their_coast_help_them():
    """[I-GOTHS-SUPPORT] supporter: +1 to the Barbarian die where the Goths are among the armies of the coast (p. 13)."""
    table = {
        "extensions": "pirates+goths",
        "pieces": {"goths": "moesia_inferior"},
        "armies": "moesia_inferior",
        "revolts": "moesia_inferior",
    }

    assert rules.battle(pirates(**table), "diocletian", "pirates") == Battle(1, 0, 1, 1, bonus=1)
    leader = pirates(readings={"I-GOTHS-SUPPORT": "leader"}, **table)
    assert rules.battle(leader, "diocletian", "pirates") == Battle(1, 0, 1, 1)


# -- coming back -----------------------------------------------------------------------------------------------


@pytest.mark.rule("p13-pirates-return")
@pytest.mark.parametrize(
    ("place", "fleets", "zone"), [("lusitania", (2,), 1), ("asia", (2,), 3), ("numidia", (1, 3), 2)]
)
def test_an_uprising_on_a_coast_without_a_fleet_brings_them_back(place, fleets, zone):
    """Beaten Pirates come back in the zone of a coast with an uprising and without a Roman fleet (p. 13)."""
    table = pirates(None, here="galatia", fleets=fleets, revolts=place, barbarian=True)
    step = rules.activity.resolve(table, place)

    assert step.position.pieces.pirates.zone == zone


@pytest.mark.rule("p13-pirates-return")
@pytest.mark.parametrize(("place", "fleets"), [("numidia", (2,)), ("noricum", (2,)), ("baetica", (1, 2))])
def test_a_fleet_or_the_inland_keeps_them_away(place, fleets):
    """Not where a Roman fleet lies, nor from an uprising inland (p. 13)."""
    step = rules.activity.resolve(pirates(None, here="galatia", fleets=fleets, revolts=place, barbarian=True), place)

    assert step.position.pieces.pirates.zone is None


@pytest.mark.rule("p13-pirates-return")
def test_pirates_on_the_board_stay_where_they_are():
    """Only beaten Pirates come back (p. 13)."""
    table = pirates(3, here="galatia", fleets=(2,), revolts="lusitania", barbarian=True)

    assert rules.activity.resolve(table, "lusitania").position.pieces.pirates.zone == 3


@pytest.mark.choice("I-PIRATES-ZONE")
def test_of_two_free_zones_they_take_the_lower():
    """[I-PIRATES-ZONE] lower: the lower numbered zone. higher: the higher (p. 13)."""
    lower = pirates(None, here="galatia", fleets=(1,), revolts="achaia", barbarian=True)
    higher = pirates(
        None, here="galatia", fleets=(1,), revolts="achaia", barbarian=True, readings={"I-PIRATES-ZONE": "higher"}
    )

    assert rules.activity.resolve(lower, "achaia").position.pieces.pirates.zone == 2
    assert rules.activity.resolve(higher, "achaia").position.pieces.pirates.zone == 3


@pytest.mark.choice("I-PIRATES-RETURN")
def test_the_province_that_rises_counts_and_not_those_it_reaches():
    """An uprising in Dalmatia's hinterland brings revolts to the coast, but no Pirates (p. 13)."""
    table = pirates(None, here="galatia", fleets=(1,), revolts="pannonia_superior", barbarian=True)

    assert rules.activity.resolve(table, "pannonia_superior").position.pieces.pirates.zone is None


@pytest.mark.rule("p13-pirates-return")
def test_an_uprising_that_changes_nothing_else_brings_them_back():
    """All around is in revolt already: the Pirates come all the same (p. 13)."""
    table = pirates(None, here="galatia", fleets=(2,), revolts="syria cilicia cappadocia aegyptus", barbarian=True)
    after = rules.activity.resolve(table, "syria").position

    assert after.discs == table.discs
    assert after.pieces.pirates.zone == 3


@pytest.mark.rule("p13-pirates-return")
def test_they_come_before_the_echo():
    """In one phase: the uprising, the Pirates, the army that the echo brings (p. 10, 13)."""
    wait = {"I-FRESH": "wait"}
    table = pirates(None, here="galatia", fleets=(2,), revolts="asia", readings=wait, barbarian=True)
    after = barbarians(table, *faces_of("asia"), 1)

    assert after.pieces.pirates.zone == 3
    assert after.armies == ("gaetulia",)


@pytest.mark.program
def test_a_chain_in_which_only_the_pirates_change_is_solved_exactly():
    """Echoes without end add up to one, and the Pirates are back in all of them (p. 10, 13)."""
    table = pirates(
        None,
        here="galatia",
        fleets=(2,),
        at={"maximian": "libya"},
        revolts="aegyptus cyrenaica tripolitania numidia caesariensis africa sicilia tingitana syria",
        barbarian=True,
    )
    ends = rules.outcomes(table)

    assert sum(chance for _, chance in ends.items()) == 1
    back = ends.probability(
        lambda end: isinstance(end, rules.barbarian.Position) and end.pieces.pirates.zone is not None
    )
    assert 0 < back < 1
