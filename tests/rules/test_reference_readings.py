"""Readings of which only the reference rules play every value: each value, on a position where they differ."""

from fractions import Fraction
from itertools import product

import pytest
from moduletable import extended, first_choice, phase
from plants import UNSEEN, read, reading_answers
from tabletop import barbarians, faces_of, make_position, others_than, play

from tetrasolve.errors import IllegalActionError, ReferenceOnlyError, RulesetError
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.action import END, REMOVE, Kind, Outcome, imperium, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, READINGS, Ruleset

QUIET = faces_of("bithynia")
REFERENCE = {name: reading for name, reading in READINGS.items() if reading.reference}
NAMED = [
    plant
    for plant in (*read()[0], *read(UNSEEN)[0])
    if plant.label == "named" and plant.reading.partition("=")[0] in REFERENCE
]


@pytest.mark.choice(
    "I-FLEETS",
    "I-GARRISON-ATTACK",
    "I-ECHO-HOME",
    "I-HELPERS-ALONE",
    "I-MAKE-ROOM",
    "I-GARRISON-SEA",
    "I-GALERIUS-PAYS",
    "I-ENTRY-ROMA",
    "I-SUPPORT-BROKEN",
    "I-PASS-HELPERS",
    "I-PASS-POWER",
    "I-GOTHS-ACTIVITY",
    "I-WAY-BLOCKED",
    "I-USURPER-FRESH",
    "I-SHAME-DUX",
    "I-REROLL-ECHO",
    "I-TURN-BACK",
    "I-BLACK-FRESH",
    "I-BLACK-GOTHS",
    "I-REVOLT-BESIDE",
    "I-CHECK",
    "I-CHECK-AGAIN",
    "I-DIOCLETIAN-WHEN",
    "I-MARE-SAIL",
    "I-VIA-PRICE",
    "I-REFILL",
)
@pytest.mark.parametrize("plant", NAMED, ids=lambda plant: plant.id)
def test_the_value_of_a_reading_is_what_its_plant_says(plant):
    """The default answers as the rules do without a reading, the other value as the changed rules do."""
    for answered, said in reading_answers(plant):
        assert answered == said


@pytest.mark.program
@pytest.mark.parametrize("reading", REFERENCE.values(), ids=str)
def test_the_kernels_know_the_other_values_only(reading):
    """The default is played by everything, and what the data file calls a value of the reference rules is refused by name."""
    assert reading.default not in reading.reference
    assert {*reading.reference} < {*reading.options}
    assert (reading.name in KERNEL_READINGS) == (len(reading.played) > 1)
    for value in reading.reference:
        ruleset = Ruleset.from_text("+".join(["4211", *reading.needs[:1]])).with_readings([(reading.name, value)])
        assert ruleset.reference_only == (f"{reading.name}={value}",)
        with pytest.raises(ReferenceOnlyError, match=f"{reading.name}={value}: only the reference rules"):
            fast.engine_for(ruleset)


# -- the base game -------------------------------------------------------------------------------------------------


@pytest.mark.choice("I-FLEETS")
def test_fleets_in_one_zone():
    """Each choice of zones, with the same one twice; no fleet sails to another, and one leaves the other (p. 7, 8)."""
    apart, together = (Ruleset.from_text(f"4211?I-FLEETS={value}") for value in READINGS["I-FLEETS"].options)
    two = make_position("diocletian", at={"diocletian": "asia"}, fleets=(1, 1), readings={"I-FLEETS": "together"})

    assert [*rules.fleet_choices(apart)] == [(1, 2), (1, 3), (2, 3)]
    assert [*rules.fleet_choices(together)] == [(1, 1), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3)]
    assert {rules.random_set_up(together, seed).fleets for seed in range(99)} == {*rules.fleet_choices(together)}
    with pytest.raises(RulesetError, match="expected 2 different zones"):
        rules.random_set_up(apart, 1, fleets=(2, 2))
    with pytest.raises(RulesetError, match="expected 2 zones"):
        rules.random_set_up(together, 1, fleets=(2, 4))
    assert two.status() == ()
    assert Position.parse(str(two), two.board) == two == Position.from_json(two.to_json(), two.board)
    assert len({*rules.legal_actions(two)}) == len(rules.legal_actions(two))
    sailed = play(two, "sail 1-2")
    assert sailed.fleets == (1, 2)
    with pytest.raises(IllegalActionError, match="a fleet lies in zone 2 already"):
        play(sailed, "sail 1-2")


@pytest.mark.choice("I-GARRISON-ATTACK")
def test_a_garrison_lost_in_an_attack():
    """It returns to the reserve, or is out of the game (p. 8, 11); other garrisons return in any case."""
    table = {
        "at": {"maximian": "noricum"},
        "garrisons": {"maximian": "noricum"},
        "armies": "rhaetia",
        "revolts": "rhaetia",
    }
    returns, gone = (
        play(make_position("maximian", readings={"I-GARRISON-ATTACK": value}, **table), "attack rhaetia: defeat")
        for value in READINGS["I-GARRISON-ATTACK"].options
    )

    assert returns.reserve_garrisons("maximian") == gone.reserve_garrisons("maximian") + 1
    assert (dict(returns.removed), gone.removed["maximian"], sum(gone.removed.values())) == ({}, 1, 1)
    assert gone.status() == ()
    assert Position.parse(str(gone), gone.board) == gone == Position.from_json(gone.to_json(), gone.board)
    assert isinstance(rules.sample(gone, rules.RandomDice(1)), Position)
    kept = returns.with_piece("removed", tuple(gone.removed.items()))
    assert {reason.code for reason in kept.status()} == {"piece-without-rule"}
    another = make_position("maximian", readings={"I-GARRISON-ATTACK": "gone"}, **{**table, "garrisons": {}})
    assert play(another, "attack rhaetia: defeat").removed == {}


@pytest.mark.choice("I-GARRISON-ATTACK")
def test_lost_garrisons_move_nobody():
    """Without Imperium the active Emperor alone is moved: whom he shares a province with does not pass (p. 7)."""
    position = make_position(
        "maximian",
        at={"maximian": "noricum", "galerius": "rhaetia"},
        readings={"I-GARRISON-ATTACK": "gone"},
    ).with_piece("removed", (("constantius", 0), ("diocletian", 0), ("galerius", 1), ("maximian", 0)))
    shared = play(position, "move rhaetia")

    assert position.status() == shared.status() == ()
    assert (shared.passing, shared.pieces.passing) == ("maximian", None)
    assert position.reserve_garrisons("galerius") == position.reserve_garrisons("maximian") - 1


def echoing(value, **table):
    """Every border but that of region 6 has an army, and one revolt lies in region 6."""
    return make_position(
        "diocletian", at={"diocletian": "asia"}, barbarian=True, readings={"I-ECHO-HOME": value}, **table
    )


@pytest.mark.choice("I-ECHO-HOME")
def test_an_echo_at_home():
    """It comes to the region and the province of the uprising, to another region, or to another province (p. 10)."""
    libya = {"armies": "libya", "revolts": "aegyptus"}
    anywhere, region, province = (echoing(value, **libya) for value in READINGS["I-ECHO-HOME"].options)
    uprising = faces_of("aegyptus")

    risen = barbarians(anywhere, *uprising, 6, 1, 5, 4)
    calm = barbarians(province, *uprising, 6, 1)
    assert barbarians(region, *uprising, 6, 6, 5, 4) == barbarians(region, *uprising, 5, 4)
    assert (len(risen.armies), len(calm.armies)) == (2, 1)


@pytest.mark.choice("I-ECHO-HOME")
@pytest.mark.parametrize(("value", "new_army"), [("anywhere", 1), ("other-region", 1), ("other-province", 1)])
def test_the_chance_of_an_army_where_all_borders_are_empty(value, new_army):
    """Each uprising brings one (p. 10); rolls that are rolled again bring none."""
    figures = rules.figures(echoing(value, revolts="aegyptus"))

    assert figures.p_uprising == Fraction(1, 36)
    assert figures.p_new_army == figures.e_uprisings * new_army


@pytest.mark.choice("I-ECHO-HOME")
def test_the_chances_of_an_echo_at_home():
    """With an army on its border: 5 of 6 regions have an empty border, or 5 of the 5 that count (p. 10)."""
    table = {"armies": "libya", "revolts": "aegyptus"}
    found = {value: rules.figures(echoing(value, **table)) for value in READINGS["I-ECHO-HOME"].options}

    assert found["other-region"].e_uprisings == Fraction(1, 36) == found["other-region"].p_new_army
    assert found["other-province"].p_new_army < found["other-region"].p_new_army
    assert found["anywhere"].e_uprisings > found["other-province"].e_uprisings > Fraction(1, 36)


# -- Dux and Vicarius ------------------------------------------------------------------------------------------------


@pytest.mark.choice("I-HELPERS-ALONE")
def test_helpers_without_their_emperor():
    """They act with his IP, and he cannot enter any more; a helper in a shared province moves on first (p. 7, 12)."""
    pieces, at = {"dux": "galatia", "vicarius": None}, {"diocletian": None, "galerius": "cappadocia"}
    none, act, deploy = (
        extended("dux+vicarius", pieces, at=at, readings={"I-HELPERS-ALONE": value})
        for value in READINGS["I-HELPERS-ALONE"].options
    )

    assert {action.kind.value for action in rules.legal_actions(none)} == {"enter"}
    assert {action.figure for action in rules.legal_actions(act)} == {None, "dux"}
    assert {action.figure for action in rules.legal_actions(deploy)} == {None, "dux", "vicarius"}
    moved = play(act, "dux: move asia")
    assert (moved.ip, moved.here, moved.status()) == (5, None, ())
    assert {action.figure for action in rules.legal_actions(moved)} == {"dux"}
    assert rules.may_end(moved)
    passing = play(act, "dux: move cappadocia")
    assert passing.status() == ()
    assert {(action.kind.value, action.figure) for action in rules.legal_actions(passing)} == {("move", "dux")}
    assert rules.objection(passing, END) is not None
    assert play(deploy, "deploy vicarius asia").pieces.vicarius.place == "asia"


@pytest.mark.choice("I-HELPERS-ALONE")
def test_the_dux_sends_a_fleet_without_an_emperor():
    """As an Emperor does (p. 12); with one on the board it is that one who sends it, and the Vicarius sends none."""
    pieces = {"dux": "galatia", "vicarius": "asia"}
    _, act, _ = (
        extended("dux+vicarius", pieces, at={"diocletian": None}, fleets=(2,), readings={"I-HELPERS-ALONE": value})
        for value in values_of("I-HELPERS-ALONE")
    )

    sails = {str(action) for action in rules.legal_actions(act) if action.kind is Kind.SAIL}
    assert sails == {"dux: sail 2>1", "dux: sail 2>3"}
    sailed = play(act, "dux: sail 3")
    assert (sailed.fleets, sailed.ip, sailed.status()) == ((3,), act.ip - 1, ())
    with pytest.raises(IllegalActionError, match="the Dux cannot do that"):
        play(act.with_emperor("diocletian", "bithynia"), "dux: sail 2>3")
    with pytest.raises(IllegalActionError):
        play(act, "vicarius: sail 2>3")


@pytest.mark.choice("I-MAKE-ROOM")
def test_either_makes_room():
    """The Dux leaves the province to the Emperor who came, who has no IP to go on (p. 7, 12)."""
    pieces = {"dux": "galatia"}
    newcomer, either = (
        extended("dux", pieces, readings={"I-MAKE-ROOM": value}, ip=2) for value in READINGS["I-MAKE-ROOM"].options
    )
    for position in (newcomer, either):
        assert play(position, "move galatia").passing == "diocletian"
    left = play(either, "move galatia", "dux: move cappadocia")
    assert (left.passing, left.here, left.place_of("dux"), left.status()) == (None, "galatia", "cappadocia", ())
    assert play(either, "move galatia", "move cappadocia").passing is None
    with pytest.raises(IllegalActionError, match="must move away first"):
        play(newcomer, "move galatia", "dux: move cappadocia")


# -- variants --------------------------------------------------------------------------------------------------------


def attacked(extensions, pieces=None, **more):
    """An army in Rhaetia and Galerius in its way to Cisalpina behind a broken link; two discs count for him, one revolt."""
    at = {"diocletian": "asia", "galerius": "cisalpina"}
    return extended(extensions, pieces, at=at, barbarian=True, armies="rhaetia", revolts="rhaetia", **more)


@pytest.mark.choice("I-GALERIUS-WON")
def test_galerius_goes_on_after_a_victory():
    """He is asked again although he has won, and a disc more is gone (p. 14)."""
    stops, goes_on = (
        attacked("imperium", garrisons={"galerius": "etruria"}, readings={"I-GALERIUS-WON": value})
        for value in READINGS["I-GALERIUS-WON"].options
    )
    faces = (*QUIET, 4, 3, 2)

    assert phase(stops, *faces).removed["galerius"] == 0
    assert phase(goes_on, *faces, "no").removed["galerius"] == 0
    more = phase(goes_on, *faces, "boost:etruria", "boost:reserve", "no")
    assert (more.armies, more.removed["galerius"]) == ((), 2)
    assert rules.eager(first_choice(goes_on, *faces)) == 0


@pytest.mark.choice("I-GALERIUS-WON")
@pytest.mark.parametrize(("value", "paid"), [("stops", 0), ("goes-on", 4)])
def test_galerius_goes_on_in_his_own_attack(value, paid):
    """He who is asked for each disc pays all that he has, for nothing (p. 14)."""
    table = {"at": {"galerius": "noricum"}, "armies": "rhaetia", "revolts": "rhaetia"}
    game = Game(extended("imperium", to_move="galerius", readings={"I-GALERIUS-WON": value}, **table))
    action = game.attack("rhaetia", rules.GivenDice((6, 1)), pay=lambda _action, _faces, discs: discs[0])

    assert action.outcome is Outcome.VICTORY
    assert game.state.removed["galerius"] == paid


@pytest.mark.choice("I-GALERIUS-PAYS")
def test_a_disc_that_pays_no_longer_counts():
    """Paid from the board, it adds one and takes one away; paid from the reserve it adds one (p. 14)."""
    counts, lost = (
        attacked("imperium", garrisons={"galerius": "etruria"}, readings={"I-GALERIUS-PAYS": value})
        for value in READINGS["I-GALERIUS-PAYS"].options
    )
    faces = (*QUIET, 4, 2, 4)

    for value, after in (("counts", counts), ("lost", lost)):
        draw = phase(after, *faces, "boost:reserve", "no")
        assert draw.emperors["galerius"] == "cisalpina", value
    assert phase(counts, *faces, "boost:etruria", "no").emperors["galerius"] == "cisalpina"
    assert phase(lost, *faces, "boost:etruria", "no").emperors["galerius"] is None


@pytest.mark.choice("I-GLORY-RESERVE")
@pytest.mark.parametrize(("value", "fallen"), [("without", False), ("falls", True)])
def test_no_disc_is_left_for_glory(value, fallen):
    """The victor goes without, or the Empire falls; with a disc left he takes it (p. 15)."""
    free = ("rhaetia", "noricum", "roma", "dalmatia", "cisalpina")
    for lying, falls in ((21, fallen), (20, False)):
        table = extended(
            "roma-aeterna",
            to_move="galerius",
            at={"galerius": "noricum"},
            armies="rhaetia",
            revolts="rhaetia",
            unrest=" ".join(others_than(*free).split()[:lying]),
            readings={"I-GLORY-RESERVE": value},
        )
        after = play(table, "attack rhaetia: victory")
        assert (after is Fall.NO_UNREST_LEFT) == falls
        assert falls or after.glory["galerius"] == 21 - lying
    glory = {"diocletian": 0, "galerius": 0, "constantius": 0, "maximian": 21}
    defends = attacked("roma-aeterna", {"glory": glory}, readings={"I-GLORY-RESERVE": value})
    assert defends.reserve_unrest == 0
    assert (phase(defends, *QUIET, 4, 6, 1) is Fall.NO_UNREST_LEFT) == fallen


@pytest.mark.choice("I-REROLL-GALERIUS", "I-REROLL")
def test_who_decides_last_in_a_battle():
    """The Barbarian player before Galerius, or after him, whose payment is lost when the dice are rolled again (p. 14, 15)."""
    pieces = {"barbarian_discs": {"gray": 1, "black": 0}}
    before, after = (
        attacked("imperium+barbaria", pieces, garrisons={"galerius": "etruria"}, readings={"I-REROLL-GALERIUS": value})
        for value in READINGS["I-REROLL-GALERIUS"].options
    )
    dice = (*QUIET, "no", "no", 4, "no", 2, 4)

    assert first_choice(before, *dice).decider == "barbarian"
    assert first_choice(after, *dice).decider == "galerius"
    assert first_choice(after, *dice, "boost:reserve", "no").decider == "barbarian"
    again = phase(after, *dice, "boost:reserve", "boost:reserve", "reroll", 1, 6, "no")
    assert (again.removed["galerius"], again.emperors["galerius"], again.gray) == (2, None, 0)
    kept = phase(after, *dice, "boost:reserve", "no", "no")
    assert (kept.removed["galerius"], kept.emperors["galerius"], kept.gray) == (1, "cisalpina", 1)
    once = attacked(
        "imperium+barbaria",
        {"barbarian_discs": {"gray": 2, "black": 0}},
        garrisons={"galerius": "etruria"},
        readings={"I-REROLL-GALERIUS": "after"},
    )
    stands = phase(once, *dice, "no", "reroll", 1, 6, "no")
    assert (stands.emperors["galerius"], stands.gray) == (None, 1)  # the new dice stand: he is not asked again


# -- what players may do, and what comes, in several values at once -----------------------------------------------------


def values_of(name):
    """The values of a reading, the default first."""
    return READINGS[name].options


@pytest.mark.choice("I-ENTRY-ROMA")
@pytest.mark.parametrize("discs", [{"unrest": "roma"}, {"revolts": "roma"}, {"garrisons": {"galerius": "roma"}}, {}])
def test_which_discs_close_roma(discs):
    """No disc, a revolt, any disc, or a revolt and an unrest (p. 7)."""
    (lies,) = discs or {"": ""}
    closes = {"open": (), "no-revolt": ("revolts",), "no-disc": tuple(discs), "no-unrest": ("revolts", "unrest")}

    for value, kinds in closes.items():
        position = make_position("diocletian", readings={"I-ENTRY-ROMA": value}, **discs)
        assert ("enter roma" in map(str, rules.legal_actions(position))) == (lies not in kinds), value


@pytest.mark.choice("I-SUPPORT-BROKEN", "I-BATTLE-BROKEN")
def test_support_over_broken_links():
    """Of both sides, either may attack; groups of discs are joined over them all the same (p. 8, 11)."""
    table = {
        "at": {"galerius": "noricum", "maximian": "cisalpina"},
        "armies": "rhaetia germania_magna",
        "revolts": "rhaetia",
    }
    found = {}
    for value in values_of("I-SUPPORT-BROKEN"):
        position = make_position("galerius", readings={"I-SUPPORT-BROKEN": value}, **table)
        found[value] = rules.battle(position, "galerius", "rhaetia"), rules.battle(position, "maximian", "rhaetia")
        near = position.board.neighbours("rhaetia")["cisalpina"], position.board.neighbours("noricum")["germania_magna"]
        assert all(link.broken for link in near)
    (first, second), (attacks, defends) = found.values()

    assert (first.emperors, attacks.emperors) == (1, 0)
    assert (first.armies, attacks.armies) == (1, 0)
    assert (attacks.garrisons, attacks.revolts) == (first.garrisons, first.revolts)
    assert (second.emperors, defends.emperors) == (1, 1)  # Galerius, by a normal link
    neither = make_position("galerius", readings={"I-BATTLE-BROKEN": "not-linked"}, **table)
    assert rules.battle(neither, "galerius", "rhaetia").emperors == 0


@pytest.mark.choice("I-PASS-HELPERS")
def test_helpers_act_before_he_moves_on():
    """As long as he can move on, and nobody else passes; an attack could end the turn, and waits (p. 7, 12)."""
    pieces, at = {"dux": "galatia", "passing": "diocletian"}, {"diocletian": "macedonia", "galerius": "macedonia"}
    wait, act, every = (
        extended("dux", pieces, at=at, armies="bithynia", revolts="bithynia", ip=2, readings={"I-PASS-HELPERS": value})
        for value in values_of("I-PASS-HELPERS")
    )

    assert {action.figure for action in rules.legal_actions(wait)} == {None}
    assert rules.legal_actions(every) == rules.legal_actions(act)
    assert {(action.kind.value, action.figure) for action in rules.legal_actions(act)} == {
        ("move", None),
        ("move", "dux"),
    }
    moved = play(act, "dux: move asia")
    assert (moved.ip, moved.passing, moved.status()) == (1, "diocletian", ())
    assert {action.figure for action in rules.legal_actions(moved)} == {None}  # the last IP is his
    with pytest.raises(IllegalActionError, match="could not move away any more"):
        play(moved, "dux: move galatia")
    together = extended(
        "dux", {**pieces, "dux": "epirus"}, at={**at, "maximian": "dalmatia"}, readings={"I-PASS-HELPERS": "act"}
    )
    with pytest.raises(IllegalActionError, match="before another passes one"):
        play(together, "dux: move dalmatia")


def under(reading, text):
    """The position of this text on the board of the game, under each value of the reading; `text` has {} after the extensions."""
    for value in values_of(reading):
        position = Position.parse(text.format(f"?{reading}={value}"), Board.standard())
        assert position.status() == ()
        yield position


DUX_PASSES = '4211+dux{} M:5 mac/-/-/lug 23 - lug - -/-/-/- dux="macedonia" passing="dux"'
PAID = 'removed={{"diocletian":1,"galerius":0,"constantius":0,"maximian":0}}'
HE_PASSES = (
    f'4211+dux+imperium{{}} D:5 mac/mac/-/rom 23 - - - -/-/-/- dux="asia" passing="diocletian" power=true {PAID}'
)
TWO_EMPERORS = f'4211+imperium{{}} D:5 mac/mac/-/- 23 - - - -/-/-/- passing="diocletian" power=true {PAID}'


@pytest.mark.choice("I-PASS-HELPERS")
def test_an_emperor_acts_before_the_dux_moves_on():
    """He is elsewhere, and does what is no attack while the Dux keeps a way on; his turn does not end there (p. 7, 12)."""
    for position, acts in zip(under("I-PASS-HELPERS", DUX_PASSES), (False, False, True), strict=True):
        actions = rules.legal_actions(position)
        assert {action.figure for action in actions} == ({None, "dux"} if acts else {"dux"})
        assert (REMOVE in actions) == acts
        assert {action.kind for action in actions if action.figure == "dux"} == {Kind.MOVE}
        assert rules.objection(position, END) is not None

    done = play(position, "remove")
    assert (done.passing, {*done.revolts}, done.status()) == ("dux", set(), ())
    assert play(done, "dux: move epirus").passing is None
    with pytest.raises(IllegalActionError, match="could not move away any more"):
        play(position.replace(ip=position.ip - done.ip), "remove")
    with pytest.raises(IllegalActionError, match="before another passes one"):
        play(position.with_emperor("galerius", "belgica"), "move belgica")
    army = position.with_army(None, "belgica").with_disc("belgica", "revolt")
    with pytest.raises(IllegalActionError, match="the Dux shares a province"):
        play(army, "attack belgica: victory")
    beside = position.with_emperor("maximian", "macedonia").with_emperor("diocletian", None)
    assert {action.figure for action in rules.legal_actions(beside)} == {"dux"}  # he shares that province


@pytest.mark.choice("I-PASS-HELPERS")
def test_diocletian_moves_a_third_emperor_before_he_moves_on():
    """With Imperium, and the Dux as under the value of helpers; Galerius, who is passed, stays (p. 12, 14)."""
    moved = [{None}, {None, "dux"}, {None, "dux", "maximian"}]
    for position, figures in zip(under("I-PASS-HELPERS", HE_PASSES), moved, strict=True):
        assert {action.figure for action in rules.legal_actions(position)} == figures
        assert (move("etruria", "maximian") in rules.legal_actions(position)) == ("maximian" in figures)
    assert play(position, "maximian: move etruria").passing == "diocletian"

    _, act, every = under("I-PASS-HELPERS", HE_PASSES.replace("+dux", "").replace('dux="asia" ', ""))
    assert {action.figure for action in rules.legal_actions(act)} == {None}
    assert {action.figure for action in rules.legal_actions(every)} == {None, "maximian"}


@pytest.mark.choice("I-PASS-HELPERS", "I-HELPERS-ALONE")
def test_nobody_enters_before_a_helper_moves_on():
    """An Emperor enters at the start of his turn; the other helper acts (p. 7, 12)."""
    pieces = {"dux": "galatia", "vicarius": "asia", "passing": "dux"}
    at, alone = {"diocletian": None, "galerius": "galatia"}, {"I-HELPERS-ALONE": "act"}
    for value, figures in zip(values_of("I-PASS-HELPERS"), ({"dux"}, {"dux"}, {"dux", "vicarius"}), strict=True):
        position = extended("dux+vicarius", pieces, at=at, readings={**alone, "I-PASS-HELPERS": value})
        assert {action.figure for action in rules.legal_actions(position)} == figures


@pytest.mark.choice("I-PASS-HELPERS", "I-PASS-POWER")
def test_a_power_while_the_dux_passes():
    """It is an action of the Emperor elsewhere, and no use of it while he passes himself (p. 12, 14)."""
    text = DUX_PASSES.replace("dux{}", "dux+imperium{}") + " " + PAID
    for position, acts in zip(under("I-PASS-HELPERS", text), (False, False, True), strict=True):
        assert (rules.objection(position, imperium("reserve")) is None) == acts
    assert play(position, "imperium reserve").ip == position.ip + 1
    alone = extended(
        "imperium",
        {"passing": "maximian"},
        "maximian",
        {"galerius": "macedonia", "maximian": "macedonia"},
        readings={"I-PASS-HELPERS": "all"},
    )
    assert rules.objection(alone, imperium("reserve")) is not None


@pytest.mark.choice("I-MAKE-ROOM")
def test_either_emperor_makes_room():
    """With Diocletian's power alone, where he moves both; without it he alone moves (p. 7, 14)."""
    newcomer, either = under("I-MAKE-ROOM", TWO_EMPERORS)

    assert {action.figure for action in rules.legal_actions(newcomer)} == {None}
    assert {action.figure for action in rules.legal_actions(either)} == {None, "galerius"}
    left = play(either, "galerius: move epirus")
    assert (left.passing, left.here, left.status()) == (None, "macedonia", ())
    unpaid = either.without_piece("power")
    assert unpaid.status() == ()
    assert {action.figure for action in rules.legal_actions(unpaid)} == {None}


@pytest.mark.choice("I-PASS-POWER")
def test_a_power_while_he_passes():
    """The seventh IP comes before he has moved on, and he still must (p. 7, 14)."""
    pieces, at = {"passing": "maximian"}, {"galerius": "macedonia", "maximian": "macedonia"}
    first, may = (
        extended("imperium", pieces, "maximian", at, ip=1, readings={"I-PASS-POWER": value})
        for value in values_of("I-PASS-POWER")
    )

    with pytest.raises(IllegalActionError, match="must move away first"):
        play(first, "imperium reserve")
    used = play(may, "imperium reserve")
    assert (used.ip, used.passing, used.status()) == (2, "maximian", ())
    assert {action.kind.value for action in rules.legal_actions(used)} == {"move"}
    assert rules.objection(used, END) is not None


@pytest.mark.choice("I-GOTHS-ACTIVITY")
def test_an_activity_where_the_goths_come():
    """Where they expel a garrison; on an empty border nothing else is rolled (p. 10, 13)."""
    table = {"pieces": {"goths": "reserve"}, "barbarian": True, "revolts": "numidia"}
    for value, more in zip(values_of("I-GOTHS-ACTIVITY"), ((), (1,)), strict=True):
        readings = {"I-GOTHS-ACTIVITY": value, "I-FRESH": "wait"}
        taken = extended("goths", garrisons={"galerius": "sarmatia"}, readings=readings, **table)
        empty = extended("goths", readings=readings, **table)

        after = phase(taken, *faces_of("numidia"), 4, *more)
        assert (after.goths, len(after.unrest)) == ("sarmatia", len(more))
        assert phase(empty, *faces_of("numidia"), 4).goths == "sarmatia"


@pytest.mark.choice("I-BLACK-GOTHS")
def test_the_goths_for_the_black_disc():
    """Only they come to a border that is taken, and only while they are in the reserve (p. 13, 16)."""
    taken = {"garrisons": {"galerius": "sarmatia persia"}}
    for value, borders in zip(values_of("I-BLACK-GOTHS"), ((), ("army:sarmatia",)), strict=True):
        pieces = {"barbarian_discs": {"gray": 0, "black": 1}, "goths": "reserve"}
        table = extended("barbaria+goths", pieces, barbarian=True, readings={"I-BLACK-GOTHS": value}, **taken)
        alone = extended(
            "barbaria",
            {"barbarian_discs": pieces["barbarian_discs"]},
            barbarian=True,
            readings={"I-BLACK-GOTHS": value},
            **taken,
        )

        assert {*first_choice(table).options} & {"army:sarmatia", "army:persia"} == {*borders}
        assert not {*first_choice(alone).options} & {"army:sarmatia", "army:persia"}


@pytest.mark.choice("I-BLACK-FRESH", "I-FRESH")
@pytest.mark.parametrize(("fresh", "waits"), [("advance", (False, True)), ("wait", (True, True))])
def test_the_army_of_the_black_disc_in_its_first_phase(fresh, waits):
    """It advances as that of an echo, or waits in any case (p. 10, 16)."""
    for value, stays in zip(values_of("I-BLACK-FRESH"), waits, strict=True):
        pieces, readings = {"barbarian_discs": {"gray": 0, "black": 1}}, {"I-BLACK-FRESH": value, "I-FRESH": fresh}
        table = extended("barbaria", pieces, barbarian=True, readings=readings)
        after = phase(table, "army:libya", *QUIET)
        assert (after.armies == ("libya",)) == stays


@pytest.mark.choice("I-WAY-BLOCKED")
def test_another_way_as_short():
    """It is taken while it is free; an army that has none waits, and the Barbarian player is asked about that way (p. 10, 15)."""
    two, three = "rhaetia noricum", "rhaetia noricum pannonia_superior"
    waits, another = (
        extended("usurpator", barbarian=True, armies=two, revolts=two, readings={"I-WAY-BLOCKED": value})
        for value in values_of("I-WAY-BLOCKED")
    )
    ways = [rules.advance.way(position, "noricum") for position in (waits, another)]
    full = extended("usurpator", barbarian=True, armies=three, revolts=three, readings={"I-WAY-BLOCKED": "another"})

    assert [place for place, _ in ways] == ["rhaetia", "pannonia_superior"]
    assert ways[0][1] == ways[1][1]  # the order of armies does not change
    assert rules.advance.way(full, "noricum")[0] == "rhaetia"
    free = extended(
        "usurpator", barbarian=True, armies="noricum", revolts="noricum", readings={"I-WAY-BLOCKED": "another"}
    )
    assert rules.advance.way(free, "noricum")[0] == "rhaetia"
    discs = {"barbarian_discs": {"gray": 1, "black": 0}}
    asked = extended("barbaria", discs, barbarian=True, armies=two, revolts=two, readings={"I-WAY-BLOCKED": "another"})
    assert "advances to pannonia_superior" in first_choice(asked, *QUIET, "no", "no", 1, "no").question


@pytest.mark.choice("I-REROLL-ECHO", "I-REROLL")
def test_the_dice_of_an_echo_rolled_again():
    """The second alone, or both, whose new faces stand; the first alone while it is the only one (p. 10, 15)."""
    table = {"revolts": "asia", "garrisons": {"diocletian": "libya"}, "barbarian": True}
    last, both = (
        extended("barbaria", {"barbarian_discs": {"gray": 2, "black": 0}}, readings={"I-REROLL-ECHO": value}, **table)
        for value in values_of("I-REROLL-ECHO")
    )
    uprising = (*faces_of("asia"), "no", 6, "no", 1, "reroll")

    assert phase(last, *uprising, 2).unrest == {"cyrenaica"}
    assert phase(both, *uprising, 6, 2).unrest == {"cyrenaica"}  # not asked again, though a gray disc is left
    assert phase(both, *uprising, 6, 2).gray == 1
    assert phase(both, *faces_of("asia"), "no", 6, "reroll", 6, 2).unrest == {"cyrenaica"}
    again = both.replace(ruleset=both.ruleset.with_readings([("I-REROLL", "again")]))
    assert first_choice(again, *uprising, 6, "no", 1).options == ("no", "reroll")
    assert rules.eager(first_choice(both, *uprising[:-1])) == rules.eager(first_choice(last, *uprising[:-1]))


@pytest.mark.choice("I-REROLL-ECHO", "I-GOTHS-ACTIVITY")
def test_the_first_die_of_an_echo_stands_where_the_goths_have_come():
    """They have come with it (p. 13, 15)."""
    pieces = {"barbarian_discs": {"gray": 2, "black": 0}, "goths": "reserve"}
    readings = {"I-REROLL-ECHO": "both", "I-GOTHS-ACTIVITY": "follows", "I-FRESH": "wait"}
    table = extended(
        "barbaria+goths",
        pieces,
        barbarian=True,
        revolts="numidia",
        garrisons={"galerius": "sarmatia"},
        readings=readings,
    )
    after = phase(table, *faces_of("numidia"), "no", 4, "no", 1, "reroll", 2)

    assert (after.goths, after.unrest) == ("sarmatia", {table.board.at(4, 2)})


@pytest.mark.choice("I-TURN-BACK")
def test_no_army_is_turned_back():
    """Against an arrow; to other provinces it is (p. 15)."""
    pieces = {"barbarian_discs": {"gray": 1, "black": 0}}
    turns = {}
    for value in values_of("I-TURN-BACK"):
        table = extended(
            "barbaria", pieces, barbarian=True, armies="thracia", revolts="thracia", readings={"I-TURN-BACK": value}
        )
        turns[value] = {*first_choice(table, *QUIET, "no").options}

    against = {f"turn:{place}" for place in table.board.neighbours("thracia") if table.board[place].arrow == "thracia"}
    assert turns["may"] - turns["forbidden"] == against & turns["may"] != set()
    assert "cancel" in turns["forbidden"]


@pytest.mark.choice("I-USURPER-FRESH")
@pytest.mark.parametrize("place", ["noricum", "pannonia_superior"])
def test_a_usurper_in_his_first_phase(place):
    """He waits, or advances where no arrow leads on from his province (p. 15)."""
    from tetrasolve.tetrarchia.rules.modules.usurpator import Rising

    for value in values_of("I-USURPER-FRESH"):
        table = extended("usurpator", barbarian=True, readings={"I-USURPER-FRESH": value})
        region = table.board[place].region
        seen = []
        rising = Rising(
            table, (region,), frozenset(), lambda position, resting, seen=seen: seen.append(resting) or position
        )
        rising.roll()
        waits = any(place in resting for resting in seen)
        assert waits == (value == "waits" or table.board[place].arrow is not None)


@pytest.mark.choice("I-SHAME-DUX", "I-GLORY-DUX")
@pytest.mark.parametrize("outcome", ["victory", "draw", "defeat"])
def test_glory_and_shame_of_the_dux(outcome):
    """A victory asks one reading, a defeat the other, and a draw none (p. 12, 15)."""
    for glory in values_of("I-GLORY-DUX"):
        for shame in values_of("I-SHAME-DUX"):
            table = extended(
                "roma-aeterna+dux",
                {"dux": "noricum", "glory": {"galerius": 2}},
                to_move="galerius",
                at={"galerius": "asia"},
                armies="rhaetia",
                revolts="rhaetia",
                readings={"I-GLORY-DUX": glory, "I-SHAME-DUX": shame},
            )
            more = {"victory": glory == "active", "draw": 0, "defeat": -(shame == "active")}[outcome]
            assert play(table, f"dux: attack rhaetia: {outcome}").glory["galerius"] == 2 + more


# -- groups and checks of revolts ----------------------------------------------------------------------------------------


@pytest.mark.choice("I-REVOLT-BESIDE", "I-REVOLT-GROUP")
def test_which_group_of_revolts_counts_beside_a_border():
    """The largest or the smallest; a group under the army counts in any case, and none where only that one does (p. 8)."""
    table = {"at": {"diocletian": "dacia"}, "armies": "sarmatia", "revolts": "dacia moesia_inferior thracia"}
    for value, revolts in zip(values_of("I-REVOLT-BESIDE"), (2, 1), strict=True):
        readings = {"I-REVOLT-BESIDE": value}
        assert (
            rules.battle(make_position("diocletian", readings=readings, **table), "diocletian", "sarmatia").revolts
            == revolts
        )
        neither = {**readings, "I-REVOLT-GROUP": "under-army"}
        assert (
            rules.battle(make_position("diocletian", readings=neither, **table), "diocletian", "sarmatia").revolts == 0
        )
        none = make_position("diocletian", readings=readings, **{**table, "revolts": ""})
        assert rules.battle(none, "diocletian", "sarmatia").revolts == 0
        under = {**table, "armies": "moesia_inferior"}
        assert (
            rules.battle(
                make_position("diocletian", readings=readings, **under), "diocletian", "moesia_inferior"
            ).revolts
            == 2
        )


def _chance_that_it_falls(place, readings, **on_the_table):
    """The chance that a province is in revolt when revolts have spread, by an Emperor who stands there."""
    position = make_position("maximian", at={"galerius": place}, barbarian=True, readings=readings, **on_the_table)
    ends = rules.solve(position, rules.POLICIES["decline"]).ends
    return sum((chance for end, chance in ends.items() if end.emperors["galerius"] is None), Fraction(0))


@pytest.mark.choice("I-CHECK")
def test_dice_for_links_or_for_unrest():
    """Two broken links to one unrest: two dice or one; two unrests: two dice, or one for all (p. 9)."""
    chances = {"each-link": (3, 4), "one-roll": (1, 2), "each-unrest": (1, 2)}
    for value, (top, bottom) in chances.items():
        readings = {"I-CHECK": value}
        found = _chance_that_it_falls("dacia", readings, revolts="pannonia_inferior moesia_superior", unrest="dacia")
        assert found == Fraction(top, bottom), value
    behind = {"revolts": "epirus", "unrest": "lucania sicilia"}
    assert _chance_that_it_falls("sicilia", {"I-CHECK": "each-unrest"}, **behind) == Fraction(1, 4)


@pytest.mark.choice("I-CHECK")
def test_the_die_of_an_unrest_counts_for_the_revolts_that_lie_there():
    """Dacia has one die when Moesia Superior has fallen; Lucania has another when Sicilia falls after it was held up (p. 9)."""
    table = {"revolts": "pannonia_inferior", "unrest": "dacia moesia_superior"}
    later = {"revolts": "epirus africa", "unrest": "lucania sicilia"}  # all four joined by broken links, in a row
    found = {}
    for value in values_of("I-CHECK"):
        readings = {"I-CHECK": value}
        found[value] = (
            _chance_that_it_falls("dacia", readings, **table),
            _chance_that_it_falls("lucania", readings, **later),
        )

    assert found["each-link"] == (Fraction(3, 4), Fraction(1, 2) + Fraction(1, 8))
    assert found["one-roll"] == (Fraction(1, 2), Fraction(1, 2))
    assert found["each-unrest"] == (Fraction(1, 2), Fraction(1, 2) + Fraction(1, 8))


@pytest.mark.choice("I-CHECK-AGAIN", "I-CHECK")
def test_a_broken_link_checked_again_after_another():
    """Africa is held up, Lucania falls: then Africa is checked once more, if its link is the first of the two (p. 9)."""
    table = {"revolts": "sicilia", "unrest": "africa lucania"}
    once, again = ({"I-CHECK-AGAIN": value} for value in values_of("I-CHECK-AGAIN"))

    found = {name: _chance_that_it_falls(name, again, **table) for name in ("africa", "lucania")}
    assert {*found.values()} == {Fraction(1, 2), Fraction(1, 2) + Fraction(1, 8)}
    assert {_chance_that_it_falls(name, once, **table) for name in found} == {Fraction(1, 2)}
    together = {**again, "I-CHECK": "one-roll"}
    assert {_chance_that_it_falls(name, together, **table) for name in found} == {Fraction(1, 2)}


# -- prices, and when -----------------------------------------------------------------------------------------------------


@pytest.mark.choice("I-DIOCLETIAN-WHEN", "I-MAXIMIAN-WHEN")
@pytest.mark.parametrize(("who", "name"), [("diocletian", "I-DIOCLETIAN-WHEN"), ("maximian", "I-MAXIMIAN-WHEN")])
def test_a_power_before_or_after_ip(who, name):
    """With all his IP he can in any case; the reading of the other Emperor does not bind him (p. 14)."""
    (other,) = {"I-DIOCLETIAN-WHEN", "I-MAXIMIAN-WHEN"} - {name}
    for ip, value in product((6, 5), values_of(name)):
        for readings, binds in (({name: value}, value == "first"), ({other: value}, False)):
            table = extended("imperium", {}, who, {who: "roma"}, ip=ip, readings=readings)
            assert (rules.objection(table, imperium("reserve")) is None) == (ip == 6 or not binds)


@pytest.mark.choice("I-MARE-SAIL")
def test_a_fleet_sails_from_joined_zones():
    """From the first zone to the third for one IP, if the second is joined and the third is free (p. 8, 14)."""
    for value, sails in zip(values_of("I-MARE-SAIL"), (False, True), strict=True):
        readings = {"I-MARE-SAIL": value}
        table = {"at": {"diocletian": "asia"}, "readings": readings}
        joined = extended("mare-nostrum", {}, "diocletian", fleets=(1, 2), **table)
        alone = extended("mare-nostrum", {}, "diocletian", fleets=(1,), **table)
        plain = make_position("diocletian", fleets=(1, 2), at={"diocletian": "asia"})

        assert ("sail 1>3" in map(str, rules.legal_actions(joined))) == sails
        assert "sail 2>3" in map(str, rules.legal_actions(joined))
        assert not {"sail 1>3", "sail 1>1"} & {*map(str, rules.legal_actions(alone))}
        assert "sail 1>3" not in map(str, rules.legal_actions(plain))
        if sails:
            after = play(joined, "sail 1>3")
            assert (after.fleets, after.ip) == ((2, 3), joined.ip - 1)


@pytest.mark.choice("I-VIA-PRICE")
def test_the_price_of_a_garrison_sent():
    """Through a broken link 2 IP, or 1 where a fleet would have taken the Emperor there; no fleet opens a way (p. 14)."""
    for value, by_sea in zip(values_of("I-VIA-PRICE"), (2, 1), strict=True):
        table = {
            "at": {"diocletian": "epirus"},
            "garrisons": {"diocletian": "epirus"},
            "readings": {"I-VIA-PRICE": value},
        }
        with_fleet = extended("via-romana", {}, "diocletian", fleets=(2,), ip=2, **table)
        without = extended("via-romana", {}, "diocletian", fleets=(1,), ip=2, **table)
        poor = with_fleet.replace(ip=1)

        assert play(with_fleet, "transfer lucania").ip == 2 - by_sea
        assert play(without, "transfer lucania").ip == 0
        assert play(with_fleet, "transfer macedonia").ip == 1  # a normal link
        assert ("transfer lucania" in map(str, rules.legal_actions(poor))) == (by_sea == 1)
        with pytest.raises(IllegalActionError, match="no link leads there"):
            play(with_fleet, "transfer sicilia")


@pytest.mark.choice("I-REFILL")
@pytest.mark.parametrize(
    ("before", "lying", "short"), [("maximian", 18, True), ("maximian", 17, False), ("diocletian", 18, False)]
)
def test_too_few_discs_for_the_barbarian_player(before, lying, short):
    """He takes the rest, nothing, or the Empire falls; only when Diocletian's turn begins (p. 11, 15)."""
    places = " ".join(
        others_than("roma", "asia", "bithynia", "cisalpina", "pannonia_inferior", "germania_inferior").split()[:lying]
    )
    for value in values_of("I-REFILL"):
        discs = {"barbarian_discs": {"gray": 0, "black": 0}}
        table = extended(
            "barbaria", discs, before, {before: "roma"}, barbarian=True, unrest=places, readings={"I-REFILL": value}
        )
        after = phase(table, *QUIET)
        if short and value == "falls":
            assert after is Fall.NO_UNREST_LEFT
        else:
            expected = 0 if before == "diocletian" else 4 if not short else 3 if value == "rest" else 0
            assert after.gray == expected, value


TIED = {"at": {"maximian": "cisalpina"}, "armies": "narbonensis germania_superior"}
TIED |= {"revolts": TIED["armies"], "barbarian": True}
ON = (*QUIET, 4)  # the first army passes its broken link


@pytest.mark.choice("I-ORDER-TIE")
def test_who_goes_first_of_two_armies():
    """II:3 before II:6, the other way round, or as the Emperor says whose turn it was (p. 10)."""
    order, turned, chosen = (
        make_position("galerius", **(TIED | {"at": {}}), readings={"I-ORDER-TIE": value})
        for value in values_of("I-ORDER-TIE")
    )

    assert set(phase(order, *ON).armies) == {"cisalpina", "narbonensis"}
    assert set(phase(turned, *ON).armies) == {"cisalpina", "germania_superior"}
    asked = first_choice(chosen, *QUIET)
    assert (asked.decider, asked.options) == ("galerius", ("no", "first:narbonensis"))
    assert "germania_superior, narbonensis" in asked.question
    assert set(phase(chosen, *QUIET, "no", 4).armies) == {"cisalpina", "narbonensis"}
    assert set(phase(chosen, *QUIET, "first:narbonensis", 4).armies) == {"cisalpina", "germania_superior"}
    assert {str(end) for end in rules.outcomes(chosen)} == {
        str(end).replace(str(order.ruleset), str(chosen.ruleset)) for end in rules.outcomes(order)
    }


@pytest.mark.choice("I-ORDER-TIE")
def test_a_choice_among_three_and_none_among_unlike_armies():
    """After the first of three the two others are still of one rank; those of two regions are not (p. 10)."""
    chosen = {"readings": {"I-ORDER-TIE": "chosen"}, "at": {}, "barbarian": True, "legal": False}
    three = extended("usurpator", armies="belgica lugdunensis germania_inferior", **chosen)
    asked = first_choice(three, *QUIET)
    assert asked.options == ("no", "first:germania_inferior", "first:lugdunensis")
    later = first_choice(three, *QUIET, "first:lugdunensis")
    assert later.options == ("no", "first:germania_inferior")
    apart = make_position("galerius", armies="narbonensis macedonia", **chosen)
    with pytest.raises(AssertionError, match="without another choice"):
        first_choice(apart, *QUIET, 4, 4)


@pytest.mark.choice("I-ORDER-TIE")
def test_the_barbarian_player_chooses():
    """He handles the pieces; `eager` takes the battle that is better for its player (p. 10, 15)."""
    pieces = {"barbarian_discs": {"black": 0, "gray": 1}}
    for names, decider, eager in (("barbaria", "barbarian", 0), ("", "diocletian", 1)):
        position = extended(
            names, pieces if names else None, at={"maximian": "cisalpina", "galerius": "narbonensis"},
            armies="narbonensis germania_superior", revolts="narbonensis germania_superior", barbarian=True,
            readings={"I-ORDER-TIE": "chosen"}, legal=False,
        ).with_emperor("galerius", "aquitania")  # fmt: skip
        asked = first_choice(position, *QUIET, *(["no"] if names else []))
        assert asked.decider == decider
        assert asked.eager() == eager  # Galerius is beside Narbonensis alone


@pytest.mark.choice("I-ORDER-TIE")
def test_a_game_with_a_chosen_order_is_written_and_read():
    """The answer is in the record, among the faces (p. 10)."""
    text = "4211{} M:6 -/-/-/rom 23 thr.msu thr.msu - -/-/-/-"
    *_, start = under("I-ORDER-TIE", text)
    game = Game(start)
    game.end()
    faces = rules.GivenCourse([1, 2, "first:thracia", *"444444"])
    course = game.barbarians(faces, faces.decide)
    assert course[2] == "first:thracia"
    assert set(game.position.armies) == {"macedonia", "moesia_superior"}
    again = read_record(write_record(game))
    assert again.state == game.state and write_record(again) == write_record(game)


@pytest.mark.choice("I-ECHO-FIGURE")
def test_an_echo_while_a_fourth_figure_is_in_the_reserve():
    """No army comes; where the border is not empty there is an activity (p. 10, 13, 16)."""
    table = {"at": {}, "armies": "gaetulia libya persia", "revolts": "sardinia lusitania", "barbarian": True}
    none, figure = (
        extended("goths", {"goths": "reserve"}, readings={"I-ECHO-FIGURE": value}, **table)
        for value in values_of("I-ECHO-FIGURE")
    )
    rise, halt = faces_of("lusitania"), (3, 3)  # the armies of Gaetulia and Persia meet broken links

    assert len(phase(none, *rise, *halt).armies) == 3
    activity = phase(figure, *rise, 5, 4, *halt)
    assert activity.unrest == {"galatia"} and len(activity.armies) == 3
    empty = phase(figure, *rise, 3, *halt)
    assert (empty.goths, len(empty.armies), empty.unrest) == (None, 3, frozenset())
    plain = make_position("diocletian", readings={"I-ECHO-FIGURE": "figure"}, **table)
    assert len(phase(plain, *rise, *halt).armies) == 3  # all three figures are on the board


@pytest.mark.choice("I-ECHO-FIGURE")
def test_an_echo_beside_rebels():
    """They are of the three, and one figure of an army is left (p. 10, 16)."""
    rebels = {"libya": {"figure": "goths", "fleet": 1}}
    table = {"at": {}, "armies": "gaetulia libya persia", "revolts": "lusitania libya", "barbarian": True}
    none, figure = (
        extended("", {"rebels": rebels}, readings={"I-ECHO-FIGURE": value}, **table)
        for value in values_of("I-ECHO-FIGURE")
    )
    rise, halt = faces_of("lusitania"), (3, 3)

    assert not phase(none, *rise, *halt).unrest
    assert phase(figure, *rise, 6, 4, *halt).unrest == {"numidia"}


@pytest.mark.choice("I-TURN-WHEN")
def test_an_army_is_turned_after_its_check():
    """Whether it has passed the link or not, before it is there; once for a disc (p. 15)."""
    before, after = (
        extended(
            "barbaria",
            {"barbarian_discs": {"black": 0, "gray": 1}},
            armies="tingitana",
            revolts="tingitana",
            barbarian=True,
            readings={"I-TURN-WHEN": value, "I-REROLL-ECHO": "last"},
        )
        for value in values_of("I-TURN-WHEN")
    )
    quiet = (*QUIET, "no", "no")  # the dice stand, and it advances

    assert phase(before, *quiet, 4, "no").armies == ("baetica",)
    assert phase(before, *quiet, 3, "no").armies == ("tingitana",)
    for face in (3, 4):
        asked = first_choice(after, *quiet, face, "no")
        assert (asked.decider, asked.options) == ("barbarian", ("no", "turn:caesariensis"))
        turned = phase(after, *quiet, face, "no", "turn:caesariensis")
        assert (turned.armies, turned.gray) == (("caesariensis",), 0)
    assert "has passed the link to baetica" in asked.question
    assert phase(after, *quiet, 4, "no", "no").armies == ("baetica",)
    assert phase(after, *quiet, 3, "no", "no").armies == ("tingitana",)
    both = after.replace(ruleset=after.ruleset.with_readings([("I-CANCEL-WHEN", "after")]))
    assert first_choice(both, *quiet, 4, "no").options == ("no", "cancel", "turn:caesariensis")
    assert first_choice(both, *quiet, 3, "no").options == ("no", "turn:caesariensis")
