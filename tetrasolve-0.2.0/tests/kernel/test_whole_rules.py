"""Modules, variants and rebels in the kernel of the whole rulebook, sentence by sentence, on positions in names."""

from fractions import Fraction

import pytest

from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.whole import (
    ATTACK,
    DEPLOY,
    END,
    MOVE,
    OFF,
    PIRATES,
    REDUCE,
    REMOVE,
    RESERVE,
    SECURE,
    TRANSFER,
)

EMPEROR, DUX, VICARIUS = 0, 1, 2
VICTORY, DRAW, DEFEAT = 0, 1, 2


@pytest.fixture
def code(kit):
    """The code of an action, by the name of its province."""

    def of(kind, place=None, outcome=0, figure=EMPEROR):
        return kind | (0 if place is None else kit.row[place] << 4) | outcome << 10 | figure << 12

    return of


@pytest.fixture
def targets(kit):
    """The provinces of the legal actions of one kind of one figure, and what they cost."""

    def of(engine, state, kind, figure=EMPEROR):
        found = [code for code in engine.legal(state) if code & 15 == kind and code >> 12 == figure]
        return {kit.board["province"][code >> 4 & 63]["id"]: engine.cost(state, code) for code in found}

    return of


def chance(engine, state, event):
    """Of results of the Barbarian phase in which the Empire stands."""
    return sum(chance for after, chance in engine.outcomes(state) if after.result != whole.FALLEN and event(after))


def arrivals(engine, state):
    return engine.events(state)["arrivals"]


# -- Dux -------------------------------------------------------------------------------------------------------------


def test_the_dux_is_deployed_beside_the_emperor(kit, targets, code):
    engine = kit.whole("dux")
    state = kit.whole_state(
        at={"diocletian": "noricum", "galerius": "rhaetia"}, revolts="pannonia_superior", dux=RESERVE
    )
    assert targets(engine, state, DEPLOY, DUX) == {
        "pannonia_superior": 2,
        "pannonia_inferior": 2,
    }  # no border, no figure
    after = engine.play(state, code(DEPLOY, "pannonia_superior", figure=DUX))
    assert (after.dux, after.ip) == (kit.row["pannonia_superior"], 4)
    assert targets(kit.whole("dux", dux_no_revolt=True), state, DEPLOY, DUX) == {"pannonia_inferior": 2}
    assert not targets(engine, kit.whole_state(at={"diocletian": "noricum"}, dux=RESERVE, ip=1), DEPLOY, DUX)
    assert not targets(engine, kit.whole_state(at={"diocletian": "noricum"}, dux=OFF), DEPLOY, DUX)


def test_the_dux_acts_but_never_secures(kit, targets):
    engine = kit.whole("dux")
    state = kit.whole_state(at={"diocletian": "roma"}, revolts="noricum", armies="germania_magna", dux="noricum")
    codes = engine.legal(state)
    assert [c & 15 for c in codes if c >> 12 == DUX and c & 15 not in (MOVE, ATTACK)] == [REMOVE, REDUCE]
    assert targets(engine, state, ATTACK, DUX) == {"germania_magna": 2}
    assert targets(engine, state, MOVE, DUX) == {"rhaetia": 1, "pannonia_superior": 1, "pannonia_inferior": 1}
    assert SECURE in codes


def test_nobody_acts_without_the_active_emperor(kit):
    engine = kit.whole("dux", "vicarius")
    state = kit.whole_state(dux="noricum", vicarius="sicilia", fleets=2)
    assert {c & 15 for c in engine.legal(state)} == {whole.ENTER}


def test_who_reaches_another_figure_must_move_on(kit, code, targets):
    engine = kit.whole("dux", "vicarius")
    state = kit.whole_state(at={"diocletian": "noricum"}, dux="rhaetia", vicarius="sicilia", fleets=2)
    sharing = engine.play(state, code(MOVE, "noricum", figure=DUX))
    assert sharing.passing == 1 + DUX
    assert not engine.may_end(sharing)
    assert {(c & 15, c >> 12) for c in engine.legal(sharing)} == {(MOVE, DUX)}
    apart = engine.play(sharing, code(MOVE, "pannonia_inferior", figure=DUX))
    assert apart.passing == 0
    assert engine.may_end(apart)
    last = kit.whole_state(at={"diocletian": "noricum"}, dux="rhaetia", ip=1)
    assert "noricum" not in targets(engine, last, MOVE, DUX)  # he could not get away


@pytest.mark.parametrize(("place", "revolts", "cost"), [("rhaetia", "", 2), ("rhaetia", "germania_magna", 3)])
def test_the_dux_leads_without_discs(kit, place, revolts, cost, code):
    engine = kit.whole("dux")
    state = kit.whole_state(
        at={"diocletian": "noricum"},
        discs={"diocletian": "rhaetia noricum"},
        revolts=revolts,
        armies="germania_magna",
        dux=place,
    )
    assert engine.battle(state, kit.row["germania_magna"], 4) == (0, 1, len(revolts.split()), 0)
    assert engine.battle(state, kit.row["germania_magna"], 0)[1] == 1  # and supports as an Emperor does
    assert engine.cost(state, code(ATTACK, "germania_magna", figure=DUX)) == cost


def test_a_beaten_dux_dies_and_ends_the_turn(kit, code):
    fields = {
        "at": {"diocletian": "roma"},
        "discs": {"galerius": "rhaetia"},
        "armies": "germania_magna",
        "dux": "rhaetia",
    }
    lost = code(ATTACK, "germania_magna", DEFEAT, DUX)
    after = kit.whole("dux").play(kit.whole_state(**fields), lost)
    assert (after.dux, after.garrisons, after.phase, after.emperors[0]) == (
        OFF,
        (0,) * 4,
        whole.BARBARIAN,
        kit.row["roma"],
    )
    after = kit.whole("dux", dux_only=True).play(kit.whole_state(**fields), lost)
    assert (after.dux, after.phase, after.ip) == (OFF, whole.ROMAN, 4)


def test_an_army_meets_the_dux_and_a_revolt_under_him_kills_him(kit):
    engine = kit.whole("dux")
    state = kit.whole_state(armies="britannia", dux="belgica", phase=whole.BARBARIAN, ip=0)
    battles = engine.events(state)["battles"]
    assert list(battles) == [(kit.row["britannia"], 4)]
    assert sum(battles[kit.row["britannia"], 4]) == pytest.approx(1 / 2)  # the link is broken
    burnt = kit.whole_state(revolts="belgica", dux="belgica", phase=whole.BARBARIAN, ip=0)
    assert all(after.dux == OFF for after, _ in engine.outcomes(burnt))


# -- Vicarius --------------------------------------------------------------------------------------------------------


def test_the_vicarius_is_deployed_anywhere_and_brings_peace(kit, targets, code):
    engine = kit.whole("vicarius")
    state = kit.whole_state(
        at={"diocletian": "roma"}, revolts="noricum", unrest="syria", armies="gaetulia", vicarius=RESERVE
    )
    places = targets(engine, state, DEPLOY, VICARIUS)
    romans = {p["id"] for p in kit.board["province"]} - kit.names(sum(1 << row for row in kit.borders))
    assert set(places) == romans - {"roma", "noricum"}
    assert set(places.values()) == {2}
    after = engine.play(state, code(DEPLOY, "syria", figure=VICARIUS))
    assert after.unrest == 0


def test_the_vicarius_moves_around_revolts_and_takes_unrest_away_in_passing(kit, targets, code):
    engine = kit.whole("vicarius")
    state = kit.whole_state(
        at={"diocletian": "noricum"},
        revolts="pannonia_inferior",
        unrest="noricum pannonia_superior",
        vicarius="rhaetia",
    )
    moves = targets(engine, state, MOVE, VICARIUS)
    assert moves["noricum"] == 1
    assert moves["germania_magna"] == 2  # borders too
    passing = engine.play(state, code(MOVE, "noricum", figure=VICARIUS))
    assert kit.names(passing.unrest) == {"pannonia_superior"}
    assert set(targets(engine, passing, MOVE, VICARIUS)) == {"rhaetia", "pannonia_superior", "germania_magna"}
    assert {c & 15 for c in engine.legal(state) if c >> 12 == VICARIUS} == {MOVE}


def test_no_unrest_is_placed_at_the_vicarius(kit):
    engine = kit.whole("vicarius")
    there = kit.whole_state(vicarius="syria", phase=whole.BARBARIAN, ip=0)
    syria = kit.mask("syria")
    assert chance(engine, there, lambda after: after.unrest & syria) == 0
    dead = kit.whole_state(phase=whole.BARBARIAN, ip=0)
    assert chance(engine, dead, lambda after: after.unrest & syria) == pytest.approx(1 / 36)
    full = ["sardinia", "sicilia", "lucania", "etruria", "cisalpina", "achaia", "epirus"]
    full += [p["id"] for p in kit.board["province"] if p.get("number") and p["id"] not in (*full, "syria")][:14]
    at_the_end = kit.whole_state(unrest=" ".join(full), vicarius="syria", phase=whole.BARBARIAN, ip=0)
    other = kit.whole_state(unrest=" ".join(full), phase=whole.BARBARIAN, ip=0)
    assert engine.phase(other)["p_lost"] - engine.phase(at_the_end)["p_lost"] == pytest.approx(1 / 36)


def test_an_uprising_kills_the_vicarius_and_an_army_takes_his_province_without_battle(kit):
    engine = kit.whole("vicarius")
    state = kit.whole_state(
        revolts="syria", armies="gaetulia britannia persia", vicarius="aegyptus", phase=whole.BARBARIAN, ip=0
    )
    revolt = kit.mask("aegyptus")
    for after, _ in engine.outcomes(state):
        assert (after.vicarius == OFF) == bool(after.revolts & revolt)
    army = kit.whole_state(armies="britannia", vicarius="belgica", phase=whole.BARBARIAN, ip=0)
    assert engine.events(army)["battles"] == {}
    assert chance(engine, army, lambda after: after.vicarius == OFF) == pytest.approx(1 / 2)


# -- Pirates ---------------------------------------------------------------------------------------------------------


def test_no_fleet_sails_to_the_pirates(kit):
    engine = kit.whole("pirates")
    sails = {
        c >> 10 & 3 for c in engine.legal(kit.whole_state(at={"diocletian": "roma"}, fleets=2)) if c & 15 == whole.SAIL
    }
    assert sails == {1, 3}
    state = kit.whole_state(at={"diocletian": "roma"}, fleets=2, pirates=3)
    assert {c >> 10 & 3 for c in engine.legal(state) if c & 15 == whole.SAIL} == {1}


def odds_of(roman, barbarian):
    """By counting the faces; each side is (added to its die, times)."""
    values = [((a + roman[0]) * roman[1], (b + barbarian[0]) * barbarian[1]) for a in range(1, 7) for b in range(1, 7)]
    return (sum(a > b for a, b in values), sum(a == b for a, b in values), sum(a < b for a, b in values))


def test_the_battle_against_pirates(kit, code):
    engine = kit.whole("pirates", "dux")
    fields = {
        "at": {"diocletian": "asia", "galerius": "syria"},
        "discs": {"diocletian": "asia cyrenaica noricum", "galerius": "thracia"},
        "revolts": "aegyptus cilicia dacia",
        "armies": "aegyptus persia",
        "dux": "macedonia",
        "pirates": 3,
    }
    state = kit.whole_state(**fields)
    attack = code(PIRATES)
    assert engine.cost(state, attack) == 2
    printed = "bithynia" in kit.names(kit.arguments["printed"][0])  # his capital, on this coast, and nothing lies on it
    assert printed
    assert whole.attack_odds(engine, state, attack) == odds_of((3, 4), (2, 2))
    discs_only = kit.whole("pirates", "dux", pirates_discs_only=True)
    assert whole.attack_odds(discs_only, state, attack) == odds_of((2, 4), (2, 2))
    assert whole.attack_odds(engine, state, code(PIRATES, figure=DUX)) == odds_of((0, 4), (2, 2))


def test_what_comes_of_a_battle_against_pirates(kit, code):
    engine = kit.whole("pirates")
    state = kit.whole_state(
        at={"diocletian": "asia"},
        discs={"diocletian": "asia noricum", "galerius": "thracia"},
        revolts="aegyptus",
        pirates=3,
    )
    assert engine.play(state, code(PIRATES, outcome=VICTORY)).pirates == 0
    assert engine.play(state, code(PIRATES, outcome=DRAW)).ip == 4
    lost = engine.play(state, code(PIRATES, outcome=DEFEAT))
    assert (lost.emperors[0], lost.phase, lost.pirates) == (OFF, whole.BARBARIAN, 3)
    assert lost.garrisons == (kit.mask("noricum"), 0, 0, 0)
    inland = kit.whole_state(at={"diocletian": "noricum"}, pirates=3)
    assert PIRATES not in {c & 15 for c in engine.legal(inland)}


@pytest.mark.parametrize(
    ("fleets", "higher", "zone"), [(0, False, 2), (0, True, 3), (2, False, 3), (4, False, 2), (6, False, 0)]
)
def test_beaten_pirates_come_back_with_an_uprising(kit, fleets, higher, zone):
    """Achaia lies on zones 2 and 3. Armies everywhere else: no echo."""
    engine = kit.whole("pirates", pirates_higher=higher)
    state = kit.whole_state(
        revolts="achaia", armies="gaetulia britannia persia", fleets=fleets, phase=whole.BARBARIAN, ip=0
    )
    back = chance(engine, state, lambda after: after.pirates == zone and zone)
    assert back == pytest.approx(1 / 36 if zone else 0)
    assert chance(kit.whole(), state, lambda after: after.pirates) == 0


# -- Goths -----------------------------------------------------------------------------------------------------------


def test_the_goths_come_to_borders_three_and_four_whatever_stands_there(kit):
    engine = kit.whole("goths")
    state = kit.whole_state(
        at={"galerius": "sarmatia"},
        discs={"diocletian": "germania_magna"},
        revolts="syria",
        goths=RESERVE,
        phase=1,
        ip=0,
    )
    assert arrivals(engine, state)[2] == arrivals(engine, state)[3] == arrivals(engine, state)[0] > 0
    closed = kit.whole_state(
        at={"galerius": "sarmatia"},
        discs={"diocletian": "germania_magna"},
        revolts="syria",
        goths="persia",
        armies="persia",
        phase=1,
        ip=0,
    )
    assert arrivals(engine, closed)[2] == arrivals(engine, closed)[3] == 0
    for after, _ in engine.outcomes(state):
        if after.goths != RESERVE and after.goths in (kit.row["sarmatia"], kit.row["moesia_inferior"]):
            assert after.emperors[1] == OFF
        if after.goths in (kit.row["germania_magna"], kit.row["rhaetia"]):
            assert after.garrisons[0] == 0


@pytest.mark.parametrize("blocks", [False, True])
def test_the_goths_and_an_army_on_their_border(kit, blocks):
    engine = kit.whole("goths", goths_block=blocks, fresh_wait=True)
    state = kit.whole_state(revolts="syria", armies="sarmatia gaetulia", goths=RESERVE, phase=1, ip=0)
    assert (arrivals(engine, state)[3] > 0) != blocks
    sarmatia = kit.row["sarmatia"]
    came = chance(engine, state, lambda after: after.goths == sarmatia)
    assert came == pytest.approx(arrivals(engine, state)[3])  # and they wait, as [I-FRESH] has it here


def test_the_goths_add_one_to_the_barbarian_die(kit, code):
    fields = {"at": {"diocletian": "belgica"}, "armies": "britannia germania_inferior", "revolts": "germania_inferior"}
    attack = code(ATTACK, "britannia")
    for goths, leading, supporting in (("britannia", 1, 1), ("germania_inferior", 0, 1), (RESERVE, 0, 0)):
        state = kit.whole_state(**fields, goths=goths)
        both, lead = kit.whole("goths"), kit.whole("goths", goths_lead_only=True)
        g, e, r, a = both.battle(state, kit.row["britannia"], 0)
        assert whole.attack_odds(both, state, attack) == odds_of((g, 2**e), (r + supporting, 2**a))
        assert whole.attack_odds(lead, state, attack) == odds_of((g, 2**e), (r + leading, 2**a))


def test_the_goths_cross_a_broken_link_more_often_and_go_back_to_the_reserve(kit, code):
    engine = kit.whole("goths")
    belgica = kit.row["belgica"]
    state = kit.whole_state(armies="britannia", goths="britannia", phase=1, ip=0)
    assert chance(engine, state, lambda after: after.goths == belgica) == pytest.approx(2 / 3)
    beaten = engine.play(
        kit.whole_state(at={"diocletian": "belgica"}, armies="britannia", goths="britannia"),
        code(ATTACK, "britannia", VICTORY),
    )
    assert (beaten.goths, beaten.armies) == (RESERVE, 0)


# -- variants --------------------------------------------------------------------------------------------------------


def test_mare_nostrum_joins_the_zones_of_fleets(kit, targets):
    state = kit.whole_state(at={"diocletian": "lusitania"}, revolts="sicilia", fleets=7)
    assert "sicilia" not in targets(kit.whole(), state, MOVE)
    engine = kit.whole("mare_nostrum")
    moves = targets(engine, state, MOVE)
    assert (moves["belgica"], moves["roma"], moves["sicilia"], moves["syria"]) == (1, 2, 3, 3)
    split = kit.whole_state(at={"diocletian": "lusitania"}, fleets=5)
    assert "syria" not in targets(engine, split, MOVE)


def test_via_romana_sends_the_garrison_on(kit, targets, code):
    engine = kit.whole("via_romana")
    state = kit.whole_state(
        at={"diocletian": "rhaetia", "galerius": "noricum"}, discs={"diocletian": "rhaetia"}, unrest="germania_superior"
    )
    assert targets(engine, state, TRANSFER) == {"pannonia_superior": 1, "cisalpina": 2}
    after = engine.play(state, code(TRANSFER, "cisalpina"))
    assert (after.garrisons[0], after.emperors[0], after.ip) == (kit.mask("cisalpina"), kit.row["rhaetia"], 4)
    assert "noricum" in targets(kit.whole("via_romana", via_no_disc=True), state, TRANSFER)
    border = kit.whole_state(at={"diocletian": "libya"}, discs={"diocletian": "libya"})
    assert not targets(engine, border, TRANSFER)
    assert set(targets(kit.whole("via_romana", via_border_moves=True), border, TRANSFER)) >= {"aegyptus", "cyrenaica"}
    other = kit.whole_state(at={"diocletian": "rhaetia"}, discs={"galerius": "rhaetia"})
    assert not targets(engine, other, TRANSFER)


def region_but(kit, region, *names):
    numbered = [p["id"] for p in kit.board["province"] if p.get("number")]
    first = kit.arguments["borders"][region - 1]
    regions = kit.arguments["region"]
    return " ".join(n for n in numbered if regions[kit.row[n]] == regions[first] and n not in names)


def test_a_usurper_comes_up_where_a_secured_region_becomes_full(kit):
    engine = kit.whole("usurpator")
    five = region_but(kit, 5, "syria")
    fields = {"revolts": five, "unrest": "syria", "phase": 1, "ip": 0}
    state = kit.whole_state(discs={"diocletian": "persia"}, **fields)
    armies = [(after.armies, chance) for after, chance in engine.outcomes(state) if after.result == whole.OPEN]
    rows = {kit.row[name] for name in region_but(kit, 5).split()}
    assert all(any(mask >> row & 1 for row in rows) for mask, _ in armies)  # he stands where he came up
    for row in rows:
        share = sum(chance for mask, chance in armies if mask >> row & 1)
        assert share == pytest.approx(sum(chance for _, chance in armies) / 6)
    assert not any(
        after.armies & kit.mask(five) for after, _ in engine.outcomes(kit.whole_state(**fields))
    )  # the border is not secured
    full = kit.whole_state(discs={"diocletian": "persia"}, revolts=f"{five} syria", phase=1, ip=0)
    assert not any(after.armies & kit.mask(five) for after, _ in engine.outcomes(full))  # it was full before


def test_a_usurper_is_placed_where_nobody_stands(kit):
    engine = kit.whole("usurpator")
    five = region_but(kit, 5, "syria")
    state = kit.whole_state(
        discs={"diocletian": "persia"}, revolts=five, unrest="syria", armies="galatia asia", phase=1, ip=0
    )
    asia = kit.mask("asia")
    outcomes = [after for after, _ in engine.outcomes(state) if after.result == whole.OPEN]
    assert all(after.armies.bit_count() == 3 for after in outcomes)
    assert all(
        after.armies & asia or after.armies & kit.mask("bithynia") for after in outcomes
    )  # it has moved, or not yet


@pytest.mark.parametrize(
    ("start", "region", "file"),
    [
        ("noricum", "rhaetia", "rhaetia"),
        ("dalmatia", "pannonia_superior", "pannonia_superior"),
        ("lugdunensis", "narbonensis", "germania_superior"),
    ],
)
def test_a_usurper_without_arrow_goes_the_shortest_way(kit, start, region, file):
    """Two rebel armies keep others away. The board has its numbers in the order of its rows, so two of Gallia change places."""
    number = list(kit.arguments["number"])
    a, b = kit.row["narbonensis"], kit.row["germania_superior"]
    number[a], number[b] = number[b], number[a]
    rebels = {"rebels": [("persia", 1, whole.REBEL_DUX), ("libya", 1, whole.REBEL_GOTHS)], "phase": 1, "ip": 0}
    state = kit.whole_state(armies=f"{start} persia libya", revolts=f"{start} persia libya", **rebels)
    there = kit.mask("persia libya")
    for changes, way in (({}, region), ({"shortest_file": True}, file)):
        engine = kit.whole("usurpator", number=number, **changes)
        assert {after.armies & ~there for after, _ in engine.outcomes(state)} == {kit.mask(way)}
    assert {after.armies & ~there for after, _ in kit.whole().outcomes(state)} == {
        kit.mask(start)
    }  # without the variant it stays


def test_glory_comes_from_the_reserve(kit, code):
    engine = kit.whole("roma_aeterna", "dux")
    fields = {"at": {"diocletian": "belgica"}, "armies": "britannia", "dux": "belgica"}
    del fields["dux"]
    state = kit.whole_state(**fields, glory=(1, 0, 2, 0))
    assert engine.play(state, code(ATTACK, "britannia", VICTORY)).glory == (2, 0, 2, 0)
    assert engine.play(state, code(ATTACK, "britannia", DRAW)).glory == (1, 0, 2, 0)
    assert engine.play(state, code(ATTACK, "britannia", DEFEAT)).glory == (0, 0, 2, 0)
    none_left = kit.whole_state(**fields, glory=(0, 21, 0, 0))
    assert engine.play(none_left, code(ATTACK, "britannia", VICTORY)).glory == (0, 21, 0, 0)
    assert engine.play(none_left, code(ATTACK, "britannia", DEFEAT)).glory == (0, 21, 0, 0)
    led = kit.whole_state(at={"diocletian": "roma"}, armies="britannia", dux="belgica", glory=(1, 1, 1, 1))
    assert engine.play(led, code(ATTACK, "britannia", VICTORY, DUX)).glory == (1, 1, 1, 1)
    reducing = kit.whole_state(at={"diocletian": "syria"}, revolts="syria", glory=(0, 21, 0, 0))
    assert REDUCE not in {c & 15 for c in engine.legal(reducing)}


def test_glory_in_the_advance(kit):
    engine = kit.whole("roma_aeterna")
    state = kit.whole_state(at={"galerius": "belgica"}, armies="britannia", glory=(0, 1, 0, 0), phase=1, ip=0)
    battles = engine.events(state)["battles"][kit.row["britannia"], 1]
    for glory, share in ((2, battles[0]), (0, battles[2])):
        assert chance(engine, state, lambda after, glory=glory: after.glory[1] == glory) == pytest.approx(share)


# -- rebels ----------------------------------------------------------------------------------------------------------

CARAUSIUS = {"armies": "britannia", "revolts": "britannia", "rebels": [("britannia", 1, whole.REBEL_DUX)]}


def test_rebels_are_attacked_with_a_fleet_in_their_zone_only(kit, code, targets):
    engine = kit.whole()
    state = kit.whole_state(at={"constantius": "belgica"}, mover="constantius", **CARAUSIUS, fleets=6)
    assert not targets(engine, state, ATTACK)
    state = kit.whole_state(at={"constantius": "belgica"}, mover="constantius", **CARAUSIUS, fleets=1)
    assert targets(engine, state, ATTACK) == {"britannia": 3}
    won = engine.play(state, code(ATTACK, "britannia", VICTORY))
    assert (won.armies, won.revolts, won.rebels, won.emperors[2]) == (0, 0, (), kit.row["britannia"])


def test_rebels_stay_and_block_their_border(kit):
    engine = kit.whole()
    state = kit.whole_state(**CARAUSIUS, phase=1, ip=0)
    for after, _ in engine.outcomes(state):
        assert after.rebels == ((kit.row["britannia"], 1, whole.REBEL_DUX),)
    rising = kit.whole_state(armies="britannia", revolts="britannia syria", rebels=CARAUSIUS["rebels"], phase=1, ip=0)
    assert arrivals(engine, rising)[1] == 0
    assert arrivals(engine, rising)[0] > 0


def test_the_revolt_of_rebels_spreads_to_unrest(kit):
    engine = kit.whole()
    state = kit.whole_state(
        armies="britannia", revolts="britannia", unrest="belgica", rebels=CARAUSIUS["rebels"], phase=1, ip=0
    )
    belgica = kit.mask("belgica")
    assert chance(engine, state, lambda after: after.revolts & belgica) == pytest.approx(1 / 2 + 1 / 2 * 1 / 36)


def test_exact_figures_are_those_of_the_doubles(kit):
    engine = kit.whole("dux", "vicarius", "pirates", "goths", "usurpator", "roma_aeterna")
    state = kit.whole_state(
        at={"diocletian": "moesia_inferior"}, discs={"diocletian": "persia", "galerius": "germania_magna"},
        revolts=region_but(kit, 5, "syria") + " achaia", unrest="syria", armies="sarmatia", goths="sarmatia", dux="rhaetia",
        vicarius="aegyptus", fleets=2, glory=(1, 2, 0, 0), phase=1, ip=0,
    )  # fmt: skip
    exact, doubles = engine.phase_exact(state), engine.phase(state)
    assert exact["outcomes"] == doubles["outcomes"]
    for name in ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts"):
        assert float(Fraction(*exact[name])) == pytest.approx(doubles[name], rel=1e-13)
    assert sum(chance for _, chance in engine.outcomes(state)) == pytest.approx(1, abs=1e-13)


# -- what cannot be --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"dux": "syria", "armies": "syria"}, "dux: expected a province without an army"),
        ({"dux": "syria", "at": {"diocletian": "syria"}}, "passing: expected the figure that shares"),
        ({"dux": "syria", "passing": 2}, "passing: expected the one figure"),
        ({"vicarius": "syria", "revolts": "syria"}, "vicarius: expected a province without"),
        ({"goths": "syria"}, "goths: expected the province of an army"),
        ({"pirates": 2, "fleets": 2}, "pirates: expected a zone without a fleet"),
        ({"rebels": [("britannia", 1, 1)]}, "rebels: expected provinces with an army and a revolt"),
        ({"glory": (10, 10, 2, 0)}, "glory: expected at most 21"),
        ({"dux": 50}, "dux: expected an integer"),
    ],
)
def test_states_that_cannot_be_are_refused(kit, fields, message):
    with pytest.raises(whole.KernelError, match=message):
        kit.whole_state(**fields)


@pytest.mark.parametrize(
    "fields", [{"dux": RESERVE}, {"vicarius": RESERVE}, {"goths": RESERVE}, {"pirates": 1}, {"glory": (1, 0, 0, 0)}]
)
def test_states_of_modules_that_are_not_played_are_refused(kit, fields):
    with pytest.raises(whole.KernelError, match=f"{next(iter(fields))}: not played"):
        kit.whole().legal(kit.whole_state(**fields))


def test_unrest_under_the_vicarius_is_refused_where_he_removes_it(kit):
    with pytest.raises(whole.KernelError, match="vicarius: expected a province without unrest"):
        kit.whole("vicarius").legal(kit.whole_state(vicarius="syria", unrest="syria"))


def test_a_position_argument_that_does_not_exist_is_refused(kit):
    with pytest.raises(TypeError, match="no argument 'duks'"):
        kit.whole("duks")
    with pytest.raises(TypeError, match="no argument 'dux'"):
        kit.kernel(dux=True)


def test_end_is_refused_while_somebody_passes(kit):
    engine = kit.whole("dux")
    state = kit.whole_state(at={"diocletian": "noricum"}, dux="noricum", passing=2)
    with pytest.raises(whole.KernelError, match="code: expected a legal action"):
        engine.play(state, END)
