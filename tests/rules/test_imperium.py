"""Variant 1, Imperium (rulebook page 14)."""

from fractions import Fraction

import pytest
from moduletable import extended, first_choice, phase
from tabletop import MAP, chance, faces_of, play

from tetrasolve.errors import IllegalActionError, UnreadableActionError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, attack, imperium, read_action

QUIET = faces_of("bithynia")
LINKED, BLOCKED = 4, 3


def imperial(*args, **more):
    """A position with Imperium, and whatever else it says."""
    names = "+".join(filter(None, ("imperium", more.pop("also", ""))))
    return extended(names, more.pop("pieces", None), *args, **more)


def forbidden(position, text):
    with pytest.raises(IllegalActionError) as caught:
        play(position, text)
    return str(caught.value)


# -- the price -------------------------------------------------------------------------------------------------


@pytest.mark.rule("p14-imperium-price")
def test_a_power_costs_a_disc_of_the_reserve():
    """The disc is out of the game: he has one less to secure with (p. 14)."""
    before = imperial()
    after = play(before, "imperium reserve")

    assert after.removed == {"diocletian": 1, "galerius": 0, "constantius": 0, "maximian": 0}
    assert (before.reserve_garrisons("diocletian"), after.reserve_garrisons("diocletian")) == (4, 3)
    assert after.ip == before.ip
    assert after.power_used


@pytest.mark.rule("p14-imperium-price")
def test_or_one_on_the_board():
    """The province is without it, and a printed disc under it shows again (p. 14)."""
    before = imperial(garrisons={"diocletian": "bithynia asia"})
    after = play(before, "imperium bithynia")

    assert after.discs == {"asia": "diocletian"}
    assert after.is_protected("bithynia")
    assert after.reserve_garrisons("diocletian") == before.reserve_garrisons("diocletian") == 2


@pytest.mark.rule("p14-imperium-price")
def test_he_pays_with_his_own_discs_only():
    """Neither with another's nor with a printed one, nor with one that he has not."""
    position = imperial(garrisons={"diocletian": "cilicia galatia cappadocia", "galerius": "dacia"}, level=3)

    assert "no disc of his lies in dacia" in forbidden(position, "imperium dacia")
    assert "no disc of his lies in bithynia" in forbidden(position, "imperium bithynia")
    assert "no disc left in the reserve" in forbidden(position, "imperium reserve")
    paid = {"removed": {"diocletian": 3}}
    nothing = imperial(pieces=paid, level=3)
    assert not [action for action in rules.legal_actions(nothing) if action.kind is Kind.IMPERIUM]


@pytest.mark.choice("I-IMPERIUM-BORDER")
def test_the_disc_of_a_border_stays_but_in_the_other_reading():
    """A secured border is secured for good [I-IMPERIUM-BORDER]."""
    secured = {"diocletian": "persia"}
    other = imperial(garrisons=secured, readings={"I-IMPERIUM-BORDER": "any"})

    assert "I-IMPERIUM-BORDER" in forbidden(imperial(garrisons=secured), "imperium persia")
    assert play(other, "imperium persia").secured == ()


# -- Maximian --------------------------------------------------------------------------------------------------


@pytest.mark.rule("p14-imperium-maximian")
def test_maximian_has_seven_ip():
    """One more than the others, once a turn (p. 14)."""
    fresh = imperial("maximian", {"maximian": "roma"})
    used = play(fresh, "imperium reserve")

    assert used.ip == 7
    assert used.status() == ()
    assert "has used his power" in forbidden(used, "imperium reserve")
    assert play(used, "end").status() == ()
    assert not play(used, "end").power_used


@pytest.mark.rule("p14-imperium-maximian")
def test_galerius_and_constantius_have_no_such_action():
    """Theirs are for battle."""
    for emperor in ("galerius", "constantius"):
        position = imperial(emperor, {emperor: "roma"})
        assert "is no action" in forbidden(position, "imperium reserve")


@pytest.mark.choice("I-MAXIMIAN-WHEN")
def test_maximian_decides_at_any_time():
    """After he has spent the six, too (p. 14)."""
    late = imperial("maximian", {"maximian": "roma"}, ip=0)

    assert play(late, "imperium reserve").ip == 1


@pytest.mark.choice("I-MAXIMIAN-WHEN")
def test_off_the_board_nobody_has_power():
    """IP, and what is done with them, belong to an Emperor on the board (p. 7)."""
    assert "off the board" in forbidden(imperial("maximian", {}), "imperium reserve")


# -- Diocletian ------------------------------------------------------------------------------------------------

TWO = {"diocletian": "asia", "galerius": "roma"}


@pytest.mark.rule("p14-imperium-diocletian")
def test_diocletian_moves_other_emperors():
    """With his IP and from their places, as often as he can pay, in the turn in which he used his power (p. 14)."""
    position = imperial(at=TWO, fleets=(2,), revolts="epirus")
    assert "in a turn in which he has used his power" in forbidden(position, "galerius: move cisalpina")
    after = play(position, "imperium reserve", "galerius: move epirus", "galerius: move macedonia", "move galatia")

    assert (after.emperors["galerius"], after.emperors["diocletian"], after.ip) == ("macedonia", "galatia", 2)
    unrest = after.with_disc("macedonia", "unrest")
    assert "power is to move" in str(rules.objection(unrest, Action(Kind.REMOVE, figure="galerius")))
    closed = play(after, "end")
    assert not closed.power_used
    turn = rules.barbarian.start(closed).roll().results[QUIET[0] * 6 + QUIET[1] - 7]
    assert turn.to_move == "galerius"
    assert not turn.power_used


@pytest.mark.rule("p14-imperium-diocletian")
def test_he_only_moves_them():
    """They do not act, they do not enter, and he himself needs no power."""
    position = play(imperial(at=TWO, armies="cisalpina", revolts="cisalpina"), "imperium reserve")

    assert "is to move other Emperors" in forbidden(position, "galerius: secure")
    assert "is to move other Emperors" in forbidden(position, "galerius: attack cisalpina: victory")
    assert "is to move other Emperors" in forbidden(position, "diocletian: move galatia")
    assert "Maximian is not on the board" in forbidden(position, "maximian: move roma")
    assert "army stands there" in forbidden(position, "galerius: move cisalpina")
    with pytest.raises(IllegalActionError):
        play(position, "maximian: enter roma")


@pytest.mark.rule("p14-imperium-diocletian")
def test_nobody_else_moves_them():
    """Maximian's power is another."""
    position = play(imperial("maximian", {"maximian": "asia", "galerius": "roma"}), "imperium reserve")

    assert "only Diocletian" in forbidden(position, "galerius: move lucania")


@pytest.mark.choice("I-MAKE-ROOM")
def test_the_one_who_reaches_another_must_move_on():
    """It is he who is passing, and nobody does anything else meanwhile (p. 7)."""
    position = play(imperial(at={"diocletian": "asia", "galerius": "galatia"}), "imperium reserve")
    passing = play(position, "galerius: move asia")

    assert passing.passing == "galerius"
    assert passing.status() == ()
    assert not rules.may_end(passing)
    assert {(action.kind, action.figure) for action in rules.legal_actions(passing)} == {(Kind.MOVE, "galerius")}
    away = play(passing, "galerius: move cilicia")
    assert (away.passing, away.pieces.passing) == (None, None)
    himself = play(position, "move galatia")
    assert himself.passing == "diocletian"
    assert "share" in forbidden(himself, "galerius: move cappadocia")


@pytest.mark.rule("p07-pass-through")
def test_without_a_way_out_he_cannot_come_there():
    """With the last IP nobody enters the province of another figure (p. 7)."""
    position = play(imperial(at={"diocletian": "asia", "galerius": "galatia"}), "imperium reserve").replace(ip=1)

    assert "could not move away" in forbidden(position, "galerius: move asia")


@pytest.mark.choice("I-VICARIUS-PASS")
def test_emperors_pass_dux_and_vicarius_too():
    """They are figures of Rome like the others (p. 12)."""
    pieces = {"dux": "galatia", "vicarius": "cappadocia"}
    position = imperial(at={"diocletian": "asia", "galerius": "bithynia"}, also="dux+vicarius", pieces=pieces)
    position = play(position, "imperium reserve", "galerius: move galatia")

    assert position.passing == "galerius"
    assert play(position, "galerius: move cappadocia").passing == "galerius"
    assert "Galerius" not in str(position.status())
    assert "share" in forbidden(position, "dux: move cilicia")


# -- Galerius attacks ------------------------------------------------------------------------------------------

FIGHT = {"revolts": "rhaetia", "armies": "rhaetia"}


def galerius(**more):
    return imperial("galerius", {"galerius": "noricum"} | more.pop("at", {}), **{**FIGHT, **more})


@pytest.mark.rule("p14-imperium-galerius")
def test_galerius_adds_one_for_each_disc():
    """The attack names what he paid, and the dice with what he added decide it (p. 14)."""
    position = galerius(garrisons={"galerius": "pannonia_inferior sardinia"})
    roll = rules.attack_roll(position, "rhaetia", payments=("reserve", "sardinia"))
    fight = rules.battle(position, "galerius", "rhaetia")
    after = play(position, "attack rhaetia: victory +reserve +sardinia")

    for faces, action in zip(roll.faces, roll.results, strict=True):
        assert action.outcome is fight.raised(2).outcome(*faces)
        assert action.outcome is fight.outcome(faces[0] + 2, faces[1])
    assert after.removed["galerius"] == 2
    assert after.discs == {"pannonia_inferior": "galerius"}
    assert (after.armies, after.emperors["galerius"]) == ((), "rhaetia")


@pytest.mark.rule("p14-imperium-galerius")
def test_what_he_adds_makes_other_outcomes_possible():
    """An outcome is legal when some faces lead to it with exactly so much added."""
    position = galerius(revolts="rhaetia cisalpina pannonia_superior dalmatia pannonia_inferior moesia_superior")
    fight = rules.battle(position, "galerius", "rhaetia")
    assert (fight.garrisons, fight.revolts) == (0, 6)

    assert "victory cannot be rolled" in forbidden(position, "attack rhaetia: victory")
    assert play(position, "attack rhaetia: victory +reserve +reserve").armies == ()
    assert "draw cannot be rolled" in forbidden(position, "attack rhaetia: draw")
    assert play(position, "attack rhaetia: draw +reserve").ip == 4


@pytest.mark.choice("I-IMPERIUM-BORDER")
def test_all_ways_to_pay_are_actions_of_their_own():
    """So many of the reserve and any of the provinces, but not of a border."""
    position = galerius(garrisons={"galerius": "pannonia_inferior dacia sarmatia"}, level=4)
    paid = {action.payments for action in rules.legal_actions(position) if action.outcome is Outcome.VICTORY}
    own, many = {(), ("pannonia_inferior",), ("dacia",), ("pannonia_inferior", "dacia")}, [(), ("reserve",)]

    assert paid == {reserve + places for reserve in many for places in own}
    assert "I-IMPERIUM-BORDER" in forbidden(position, "attack rhaetia: victory +sarmatia")
    assert "so many discs in the reserve" in forbidden(position, "attack rhaetia: victory +reserve +reserve")
    assert "so many discs in dacia" in forbidden(position, "attack rhaetia: victory +dacia +dacia")
    wrong = attack("rhaetia", Outcome.VICTORY, payments=("dacia", "reserve"))
    assert "in order" in str(rules.objection(position, wrong))
    twice = [str(action) for action in rules.legal_actions(position)]
    assert len(set(twice)) == len(twice)
    assert all(rules.parse(position, text) in rules.legal_actions(position) for text in twice)


@pytest.mark.rule("p14-imperium-price")
def test_a_disc_paid_is_gone_before_the_defeat_takes_its_own():
    """The garrison under him pays, and the defeat finds nothing there."""
    position = galerius(garrisons={"galerius": "noricum"}, revolts="rhaetia cisalpina pannonia_superior dalmatia")
    paid = play(position, "attack rhaetia: defeat +noricum")
    plain = play(position, "attack rhaetia: defeat")

    assert paid.removed["galerius"] == 1
    assert paid.discs == plain.discs
    assert paid.reserve_garrisons("galerius") == 3


@pytest.mark.rule("p14-imperium-galerius")
def test_only_galerius_pays_and_only_where_he_leads():
    """Neither others nor the Dux whom he sends."""
    others = imperial("maximian", {"maximian": "noricum"}, **FIGHT)
    dux = galerius(also="dux", pieces={"dux": "pannonia_superior"})

    assert "only Galerius" in forbidden(others, "attack rhaetia: victory +reserve")
    assert "only Galerius" in forbidden(dux, "dux: attack rhaetia: victory +reserve")
    plain = extended("dux", {"dux": None}, "galerius", {"galerius": "noricum"}, **FIGHT)
    assert "not in use" in forbidden(plain, "attack rhaetia: victory +reserve")
    assert "not in use" in forbidden(plain, "maximian: move roma")
    assert "not in use" in forbidden(plain, "imperium reserve")


@pytest.mark.choice("I-GALERIUS-SEA")
def test_he_adds_against_pirates_too():
    """Their defeat takes all garrisons of the coast; the disc he paid was gone before (p. 13)."""
    pieces = {"pirates": 3}
    position = imperial(
        "galerius", {"galerius": "thracia"}, also="pirates", pieces=pieces, fleets=(2,), revolts="asia syria cilicia"
    )
    fight = rules.battle(position, "galerius", "pirates")

    assert play(position, "attack pirates: victory +reserve").pieces.pirates.zone is None
    assert rules.attack_roll(position, "pirates", payments=("reserve",)).result((2, 1)).outcome is fight.outcome(3, 1)
    secured = position.with_disc("macedonia", "galerius")
    assert play(secured, "attack pirates: defeat +macedonia").removed["galerius"] == 1


@pytest.mark.rule("p15-glory-victory")
def test_glory_and_rebels_stay_as_they_are():
    """Roma Aeterna counts a victory that was bought, and one disc of glory for it (p. 15)."""
    position = galerius(also="roma-aeterna")
    after = play(position, "attack rhaetia: victory +reserve")

    assert after.glory["galerius"] == 1


# -- in the Barbarian phase ------------------------------------------------------------------------------------


def attacked(who, **more):
    """An army in Rhaetia, and an Emperor in its way to Cisalpina behind a broken link."""
    at = {"diocletian": "asia", who: "cisalpina"} | more.pop("at", {})
    return imperial(at=at, barbarian=True, **{**FIGHT, **more})


@pytest.mark.rule("p14-imperium-constantius")
def test_constantius_blocks_an_army():
    """Before the battle, for a disc; the army stays where it is (p. 14)."""
    position = imperial(
        at={"diocletian": "asia", "constantius": "aegyptus"},
        barbarian=True,
        armies="libya",
        garrisons={"constantius": "syria"},
    )
    choice = first_choice(position, *QUIET)
    after = phase(position, *QUIET, "block:syria")

    assert (choice.decider, choice.options) == ("constantius", ("no", "block:reserve", "block:syria"))
    assert (after.armies, after.emperors["constantius"]) == (("libya",), "aegyptus")
    assert after.removed["constantius"] == 1
    assert "syria" not in after.discs
    assert phase(position, *QUIET, "no", 6, 1).armies == ()


@pytest.mark.choice("I-CONSTANTIUS-WHEN")
def test_constantius_decides_after_the_check():
    """When the link has held and before the battle (p. 14)."""
    position = attacked("constantius", garrisons={"constantius": "etruria"})
    choice = first_choice(position, *QUIET, LINKED)
    after = phase(position, *QUIET, LINKED, "block:etruria")

    assert (choice.decider, choice.options) == ("constantius", ("no", "block:reserve", "block:etruria"))
    assert (after.armies, after.emperors["constantius"]) == (("rhaetia",), "cisalpina")
    assert phase(position, *QUIET, BLOCKED).armies == ("rhaetia",)  # he is not asked


@pytest.mark.rule("p14-imperium-price")
def test_he_is_not_asked_where_he_cannot_pay():
    """Without a disc there is no power."""
    position = attacked("constantius", pieces={"removed": {"constantius": 4}})

    assert phase(position, *QUIET, LINKED, 6, 1).armies == ()


@pytest.mark.rule("p14-imperium-constantius")
def test_others_cannot_block():
    """The power is his."""
    assert phase(attacked("maximian"), *QUIET, LINKED, 6, 1).armies == ()


@pytest.mark.choice("I-GALERIUS-DEFENDS")
def test_galerius_who_is_attacked_adds_to_his_die():
    """Again and again until it is a victory; what he paid is gone, and the battle ends as the dice are now (p. 14)."""
    position = attacked("galerius", garrisons={"galerius": "etruria"})
    fight = rules.battle(position, "galerius", "rhaetia")
    assert (fight.garrisons, fight.revolts) == (2, 1)
    choice = first_choice(position, *QUIET, LINKED, 2, 4)
    draw = phase(position, *QUIET, LINKED, 2, 4, "boost:etruria", "no")
    won = phase(position, *QUIET, LINKED, 2, 4, "boost:etruria", "boost:reserve")

    assert (choice.decider, choice.options) == ("galerius", ("no", "boost:reserve", "boost:etruria"))
    assert (draw.armies, draw.emperors["galerius"], draw.removed["galerius"]) == (("rhaetia",), "cisalpina", 1)
    assert (won.armies, won.removed["galerius"]) == ((), 2)
    lost = phase(position, *QUIET, LINKED, 2, 4, "no")
    assert (lost.armies, lost.emperors["galerius"]) == (("cisalpina",), None)
    assert phase(position, *QUIET, LINKED, 3, 2).armies == ()  # a victory: he is not asked


@pytest.mark.choice("I-GALERIUS-PAYS")
def test_the_values_are_those_of_the_moment_the_dice_fell():
    """A garrison that pays has counted before."""
    position = attacked("galerius", garrisons={"galerius": "etruria"}, level=3, pieces={"removed": {"galerius": 2}})
    won = phase(position, *QUIET, LINKED, 2, 3, "boost:etruria")

    assert (won.armies, won.removed["galerius"]) == ((), 3)


@pytest.mark.program
def test_the_policy_eager_blocks_where_defeat_is_likelier_than_victory():
    """Constantius then stays where he is, and the army too."""
    strong = attacked("constantius", revolts="rhaetia noricum pannonia_superior")
    weak = attacked("constantius", garrisons={"constantius": "etruria"})

    def blocked(position, decide):
        return rules.outcomes(position, decide).probability(lambda after: after.removed["constantius"] == 1)

    assert rules.eager(first_choice(weak, *QUIET, LINKED)) == 0
    assert blocked(strong, rules.decline) == 0
    assert blocked(strong, rules.eager) == Fraction(1, 2)
    assert chance(strong, lambda after: after.emperors["constantius"] is None) > Fraction(1, 4)


@pytest.mark.program
def test_the_policy_eager_boosts_where_it_helps():
    """Galerius adds where all the discs he has would make a better outcome, and then until they have."""
    position = attacked("galerius", revolts="rhaetia noricum pannonia_superior", pieces={"removed": {"galerius": 2}})
    fight = rules.battle(position, "galerius", "rhaetia")
    asked = 0
    for faces in [(roman, barbarian) for roman in range(1, 7) for barbarian in range(1, 7)]:
        if fight.outcome(*faces) is Outcome.VICTORY:
            continue
        choice = first_choice(position, *QUIET, LINKED, *faces)
        better = fight.raised(2).outcome(*faces) is not fight.outcome(*faces)
        assert rules.eager(choice) == better
        asked += better

    assert 0 < asked < 36


@pytest.mark.rule("p14-imperium-constantius")
def test_a_dux_in_the_way_is_no_emperor():
    """The powers are for battles against the Emperor himself."""
    position = imperial(at={"diocletian": "asia"}, also="dux", pieces={"dux": "cisalpina"}, barbarian=True, **FIGHT)

    assert phase(position, *QUIET, LINKED, 6, 1).armies == ()


# -- text ------------------------------------------------------------------------------------------------------


@pytest.mark.program
@pytest.mark.parametrize(
    "text",
    ["imperium reserve", "imperium dacia", "galerius: move dacia", "attack rhaetia: draw +reserve +reserve +dacia"],
)
def test_actions_come_back_from_their_text(text):
    """As they are written."""
    assert [str(action) for action in read_action(text, MAP)] == [text]


@pytest.mark.program
def test_payments_are_put_in_order():
    """Provinces may be written in any way, the reserve last."""
    (action,) = read_action("attack rha: victory + dac+reserve", MAP)

    assert str(action) == "attack rhaetia: victory +reserve +dacia"
    assert str(imperium("dacia")) == "imperium dacia"
    with pytest.raises(UnreadableActionError, match="could be in"):
        read_action("attack rhaetia: victory +pannonia", MAP)
    with pytest.raises(UnreadableActionError, match="no province"):
        read_action("imperium nowhere", MAP)
