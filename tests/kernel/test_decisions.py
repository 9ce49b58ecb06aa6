"""Imperium and Barbaria in the kernel of the whole rulebook, sentence by sentence, on positions in names."""

from collections import Counter
from fractions import Fraction

import pytest

from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.whole import ATTACK, DECLINE, EAGER, END, FALLEN, IMPERIUM, MOVE, OFF, RESERVE, SECURE

VICTORY, DRAW, DEFEAT = 0, 1, 2
GALERIUS, CONSTANTIUS, MAXIMIAN = 1, 2, 3
ALL_TURN = {"galerius": 3, "constantius": 4, "maximian": 5}  # figures of other Emperors in Diocletian's turn


@pytest.fixture
def code(kit):
    """The code of an action, by the name of its province."""

    def of(kind, place=None, outcome=0, figure=0, reserve=0, paid=""):
        row = RESERVE if place == "reserve" else 0 if place is None else kit.row[place]
        rows = sorted(kit.row[name] for name in paid.split())
        discs = sum((row + 1) << 18 + 6 * slot for slot, row in enumerate(rows))
        return kind | row << 4 | outcome << 10 | figure << 12 | reserve << 15 | discs

    return of


def paying(engine, state):
    """Codes of the ways to use a power."""
    return {code for code in engine.legal(state) if code & 15 == IMPERIUM}


# -- Imperium, Roman phase -------------------------------------------------------------------------------------------


def test_a_power_is_paid_with_a_disc_of_the_reserve_or_of_a_province(kit, code):
    engine = kit.whole("imperium")
    state = kit.whole_state(at={"diocletian": "roma"}, discs={"diocletian": "asia syria"}, ip=0)
    assert paying(engine, state) == {code(IMPERIUM, place) for place in ("reserve", "asia", "syria")}
    spent = engine.play(state, code(IMPERIUM, "reserve"))
    assert (spent.removed, spent.power, spent.ip, spent.garrisons) == ((1, 0, 0, 0), 1, 0, state.garrisons)
    given = engine.play(state, code(IMPERIUM, "asia"))
    assert (given.removed, given.garrisons[0]) == ((1, 0, 0, 0), kit.mask("syria"))
    assert not paying(engine, spent)
    over = engine.play(spent, END)
    assert (over.power, over.removed) == (0, (1, 0, 0, 0))


def test_nobody_pays_with_what_he_has_not(kit, code):
    engine = kit.whole("imperium")
    here = {"diocletian": "roma", "galerius": "dacia"}
    assert not paying(engine, kit.whole_state(at=here, removed=(4, 0, 0, 0)))
    lying = kit.whole_state(at=here, discs={"diocletian": "asia syria", "galerius": "dacia"}, removed=(2, 0, 0, 0))
    assert paying(engine, lying) == {code(IMPERIUM, "asia"), code(IMPERIUM, "syria")}
    assert not paying(engine, kit.whole_state("galerius", at=here))
    assert not paying(kit.whole(), kit.whole_state(at=here))


@pytest.mark.parametrize("reading", [False, True])
def test_the_disc_of_a_border(kit, code, reading):
    """[I-IMPERIUM-BORDER]"""
    engine = kit.whole("imperium", imperium_border=reading)
    state = kit.whole_state(at={"diocletian": "roma"}, discs={"diocletian": "asia persia"}, removed=(2, 0, 0, 0))
    assert (code(IMPERIUM, "persia") in paying(engine, state)) is reading


def test_a_removed_disc_is_in_no_reserve(kit):
    engine = kit.whole("imperium")
    at = {"diocletian": "asia"}
    assert SECURE in engine.legal(kit.whole_state(at=at, removed=(3, 0, 0, 0)))
    assert SECURE not in engine.legal(kit.whole_state(at=at, removed=(4, 0, 0, 0)))
    with pytest.raises(whole.KernelError, match=r"removed\[0\]: expected at most 4"):
        engine.legal(kit.whole_state(at=at, discs={"diocletian": "syria"}, removed=(4, 0, 0, 0)))


def test_maximian_has_seven(kit, code):
    engine = kit.whole("imperium")
    state = kit.whole_state("maximian", at={"maximian": "roma"})
    seven = engine.play(state, code(IMPERIUM, "reserve"))
    assert (seven.ip, engine.cost(state, code(IMPERIUM, "reserve"))) == (7, 0)
    assert (
        engine.perft(kit.whole_state("maximian", at={"maximian": "roma"}, ip=1), 3) > 0
    )  # one move, the power, one more
    ends = whole.Turn(engine, state).solve([("ip",)])
    assert ends.values == ((0, 1),)
    with pytest.raises(whole.KernelError, match="ip: expected at most 6, got 7"):
        engine.legal(kit.whole_state("maximian", at={"maximian": "roma"}, ip=7))


def test_diocletian_leads_the_others(kit, code):
    engine = kit.whole("imperium")
    at = {"diocletian": "roma", "galerius": "noricum", "constantius": "belgica"}
    state = kit.whole_state(at=at, revolts="rhaetia", removed=(1, 0, 0, 0), power=1, fleets=2, ip=2)
    led = {code for code in engine.legal(state) if code >> 12 & 7 >= 3}
    assert {code & 15 for code in led} == {MOVE}
    assert {code >> 12 & 7 for code in led} == {ALL_TURN["galerius"], ALL_TURN["constantius"]}
    moved = engine.play(state, code(MOVE, "rhaetia", figure=ALL_TURN["galerius"]))
    assert (moved.ip, moved.emperors[GALERIUS]) == (0, kit.row["rhaetia"])
    unpaid = kit.whole_state(at=at, revolts="rhaetia", fleets=2, ip=2)
    assert all(code >> 12 & 7 == 0 for code in engine.legal(unpaid))


def test_who_is_led_through_another_moves_on(kit, code):
    engine = kit.whole("imperium")
    at = {"diocletian": "roma", "galerius": "noricum", "constantius": "rhaetia"}
    state = kit.whole_state(at=at, removed=(1, 0, 0, 0), power=1, ip=2)
    passing = engine.play(state, code(MOVE, "rhaetia", figure=ALL_TURN["galerius"]))
    assert passing.passing == ALL_TURN["galerius"] + 1
    assert not engine.may_end(passing)
    assert {code >> 12 & 7 for code in engine.legal(passing)} == {ALL_TURN["galerius"]}
    poor = kit.whole_state(at=at, removed=(1, 0, 0, 0), power=1, ip=1)
    assert code(MOVE, "rhaetia", figure=ALL_TURN["galerius"]) not in engine.legal(poor)


def test_galerius_pays_after_the_dice(kit, code):
    """One more on his die for each disc; values are those of before, so a garrison that he pays with still counts."""
    engine = kit.whole("imperium")
    state = kit.whole_state(
        "galerius", at={"galerius": "cyrenaica"}, armies="libya", discs={"galerius": "cyrenaica"}, removed=(0, 2, 0, 0)
    )
    attack = code(ATTACK, "libya")
    codes = [code for code in engine.legal(state) if code & 15 == ATTACK and code >> 10 & 3 == DEFEAT]
    # 1 in Cyrenaica and 1 in the reserve: each, both, or none
    assert set(codes) == {
        code(ATTACK, "libya", DEFEAT),
        code(ATTACK, "libya", DEFEAT, reserve=1),
        code(ATTACK, "libya", DEFEAT, paid="cyrenaica"),
        code(ATTACK, "libya", DEFEAT, reserve=1, paid="cyrenaica"),
    }

    def chances(added):  # die + 1 for his disc + what is paid, against die
        return tuple(
            sum((mine + 1 + added > other, mine + 1 + added == other, mine + 1 + added < other)[kind]
                for mine in range(1, 7) for other in range(1, 7))
            for kind in range(3)
        )  # fmt: skip

    assert whole.attack_odds(engine, state, attack) == chances(0)
    assert whole.attack_odds(engine, state, code(ATTACK, "libya", reserve=1)) == chances(1)
    assert whole.attack_odds(engine, state, code(ATTACK, "libya", reserve=1, paid="cyrenaica")) == chances(2)
    lost = engine.play(state, code(ATTACK, "libya", DEFEAT, paid="cyrenaica"))
    assert (lost.removed, lost.garrisons, lost.emperors[GALERIUS]) == ((0, 3, 0, 0), (0, 0, 0, 0), OFF)
    won = engine.play(state, code(ATTACK, "libya", VICTORY, reserve=1))
    assert (won.removed, won.garrisons[GALERIUS], won.armies) == ((0, 3, 0, 0), kit.mask("cyrenaica"), 0)


def test_galerius_decides_between_the_dice_and_the_outcome(kit):
    """His attack leads to what its dice can show, and from there to what he makes of it with his discs."""
    engine = kit.whole("imperium")
    state = kit.whole_state("galerius", at={"galerius": "cyrenaica"}, armies="libya", ip=2, removed=(0, 3, 0, 0))
    turn = whole.Turn(engine, state)
    dice = [edge for edge in turn.edges_from(0) if edge[0] & 15 == whole.ATTACK]

    assert {code >> 10 & 3 for code, _, _ in dice} == {3}
    assert sum(chance for _, chance, _ in dice) == 36
    shown = {(code >> 15 & 7, code >> 18 & 7): (chance, node) for code, chance, node in dice}
    assert {key: chance for key, (chance, _) in shown.items()} == {(0, 0): 15, (0, 1): 6, (1, 7): 5, (7, 7): 10}
    for (draw, victory), (_, node) in shown.items():
        assert turn.fallen_dice(node)
        assert not turn.may_end(node)
        assert turn.state(node) == state
        paid = {code >> 15 & 7: code >> 10 & 3 for code, _, _ in turn.edges_from(node)}
        ways = range(min(victory, 1) + 1)  # he stops when he has won
        assert paid == {n: VICTORY if n >= victory else 1 if n >= draw else DEFEAT for n in ways}
    assert not turn.fallen_dice(0)


def test_without_discs_galerius_has_nothing_to_decide(kit):
    """Then an attack leads to its outcomes."""
    state = kit.whole_state("galerius", at={"galerius": "cyrenaica"}, armies="libya", ip=2, removed=(0, 4, 0, 0))
    turn = whole.Turn(kit.whole("imperium"), state)

    assert {code >> 10 & 3 for code, _, _ in turn.edges_from(0) if code & 15 == whole.ATTACK} == {0, 1, 2}


# -- Imperium, Barbarian phase ---------------------------------------------------------------------------------------


def test_constantius_blocks_when_he_would_rather_lose(kit):
    engine = kit.whole("imperium")
    risen = "rhaetia germania_superior germania_inferior noricum"
    state = kit.whole_state(
        "maximian", at={"constantius": "cisalpina"}, armies="rhaetia", revolts=risen, phase=1, removed=(0, 0, 1, 0)
    )
    army, here = kit.mask("rhaetia"), kit.row["cisalpina"]
    assert kit.arguments["arrows"][kit.row["rhaetia"]] == here
    kept = [after for after, _ in engine.outcomes(state, EAGER) if after.removed[CONSTANTIUS] == 2]
    assert kept
    assert all(after.armies & army and after.emperors[CONSTANTIUS] == here for after in kept)
    assert not engine.events(state, 0, EAGER)["battles"]
    assert engine.events(state, 0, DECLINE)["battles"]


def test_galerius_adds_what_turns_the_battle(kit):
    """Each disc of his reserve is 1 more, paid only where it makes a difference: who has paid is not beaten."""
    engine = kit.whole("imperium")
    state = kit.whole_state(
        "maximian", at={"galerius": "cisalpina"}, armies="rhaetia", revolts="rhaetia", phase=1, removed=(0, 2, 0, 0)
    )
    here = kit.row["cisalpina"]
    met = {(after.removed[GALERIUS], after.emperors[GALERIUS] == here) for after, _ in engine.outcomes(state, EAGER)}
    assert met == {(2, True), (3, True), (4, True), (2, False)}
    lost = {policy: engine.events(state, 0, policy)["removed"][GALERIUS] for policy in (DECLINE, EAGER)}
    assert lost[EAGER] < lost[DECLINE]


# -- Barbaria --------------------------------------------------------------------------------------------------------


def inside(kit):
    """Rows of the Roman provinces but Roma and the capitals, which have no printed disc."""
    closed = {*kit.borders, kit.row["roma"], *kit.arguments["capitals"]}
    return [row for row in range(48) if row not in closed]


def named_by_dice(kit, rows):
    """The chance that the activity dice name one of them."""
    return Fraction(sum(1 for row in rows if kit.arguments["number"][row]), 36)


def test_his_discs_are_not_in_the_reserve(kit):
    """18 unrest and 3 gray: none is left where one must be placed."""
    engine = kit.whole("barbaria")
    lying = inside(kit)[:18]

    def lost(gray):
        state = whole.State(unrest=sum(1 << row for row in lying), to_move=1, phase=1, gray=gray)
        return engine.phase(state)["p_lost"]

    assert lost(2) == 0
    assert lost(3) == pytest.approx(float(named_by_dice(kit, inside(kit)[18:])))
    with pytest.raises(whole.KernelError, match="gray: expected at most 21"):
        lost(4)


def test_gray_discs_are_filled_up_when_diocletian_is_next(kit):
    engine = kit.whole("barbaria")
    for mover, left in (("galerius", 1), ("maximian", 4)):
        state = kit.whole_state(mover, phase=1, gray=1)
        assert {after.gray for after, _ in engine.outcomes(state)} == {left}
    # As far as there are any: 19 unrest leave 2, or fewer if one more is placed, or more if one becomes a revolt
    state = whole.State(unrest=sum(1 << row for row in inside(kit)[:19]), to_move=MAXIMIAN, phase=1)
    assert {(after.unrest.bit_count(), after.gray) for after, _ in engine.outcomes(state)} == {
        (18, 3),
        (19, 2),
        (20, 1),
    }


def test_the_black_disc_is_his_own(kit):
    """With it in front of him there are 20 revolts; placing it needs none of the reserve."""
    engine = kit.whole("barbaria")
    revolts = sum(1 << row for row in inside(kit)[:20])
    armies = kit.mask("persia")  # so that no army can come for it
    state = whole.State(revolts=revolts, armies=armies, emperors=(OFF,) * 4, to_move=1, phase=1, black=1)
    placed = [after for after, _ in engine.outcomes(state, EAGER) if after.result != FALLEN]
    assert all(after.black == 0 and after.revolts.bit_count() == 21 for after in placed)
    assert engine.phase(state, EAGER)["p_lost"] >= engine.phase(state)["p_lost"]
    with pytest.raises(whole.KernelError, match="revolts: expected at most 20, got 21"):
        whole.State(revolts=sum(1 << row for row in inside(kit)[:21]), black=1)


def test_an_army_comes_for_the_black_disc(kit):
    engine = kit.whole("barbaria", fresh_wait=True)
    state = kit.whole_state("galerius", phase=1, black=1)
    first = kit.borders[0]
    assert all(after.armies >> first & 1 and not after.black for after, _ in engine.outcomes(state, EAGER))
    assert all(after.black for after, _ in engine.outcomes(state, DECLINE))
    [name] = kit.names(1 << first)
    guarded = kit.whole_state("galerius", phase=1, black=1, discs={"diocletian": name})
    assert all(after.armies >> kit.borders[1] & 1 for after, _ in engine.outcomes(guarded, EAGER))


def test_an_eager_player_rolls_calm_again(kit):
    """One gray disc: the activity finds a garrison only if both rolls do."""
    engine = kit.whole("barbaria")
    state = kit.whole_state("galerius", phase=1, gray=1, discs={"diocletian": "asia syria"})
    share = named_by_dice(kit, {kit.row["asia"], kit.row["syria"], *kit.arguments["capitals"]})
    assert share > 0
    chances = Counter()
    for after, chance in engine.outcomes(state, EAGER):
        chances[after.unrest != 0, after.gray] += chance
    assert chances[False, 0] == pytest.approx(float(share * share))
    assert chances[True, 0] == pytest.approx(float(share * (1 - share)))
    assert chances[True, 1] == pytest.approx(float(1 - share))


@pytest.mark.parametrize("reading", [(), ("reroll_again",)])
def test_a_check_is_rolled_again(kit, reading):
    """An unrest behind one broken link catches fire unless all rolls fail: two, or as many as there are discs."""
    engine = kit.whole("barbaria", **dict.fromkeys(reading, True))
    p, q = next((p, q) for p, q, broken in kit.arguments["links"] if broken and not {p, q} & set(kit.borders))
    state = whole.State(revolts=1 << p, unrest=1 << q, emperors=(OFF,) * 4, to_move=1, phase=1, gray=3)
    calm = sum(chance for after, chance in engine.outcomes(state, EAGER) if after.unrest >> q & 1)
    all_fail, uprising = (1 / 2) ** (4 if reading else 2), 1 / 36  # which spreads to it
    assert all_fail * (1 - 2 * uprising) < calm < all_fail + 1e-12
    assert sum(chance for after, chance in engine.outcomes(state, DECLINE) if after.unrest >> q & 1) > 1 / 4


def test_an_army_goes_round_a_general_who_would_win(kit):
    engine = kit.whole("barbaria")
    garrisons = {"galerius": "cisalpina etruria lucania"}
    state = kit.whole_state(
        "galerius", at={"galerius": "cisalpina"}, armies="rhaetia", revolts="rhaetia", discs=garrisons, phase=1, gray=1
    )
    assert engine.battle(state, kit.row["rhaetia"], GALERIUS)[0] >= 3
    [fought] = engine.events(state, 0, DECLINE)["battles"].values()
    [still] = engine.events(state, 0, EAGER)["battles"].values()  # where the disc is spent on the activity
    assert sum(still) < sum(fought) / 4
    rhaetia, cisalpina = kit.row["rhaetia"], kit.row["cisalpina"]
    near = {p + q - rhaetia for p, q, _ in kit.arguments["links"] if rhaetia in (p, q)}
    first = min(near - {cisalpina, *kit.borders})  # in the board file
    turned = [after.armies for after, _ in engine.outcomes(state, EAGER) if not after.armies >> rhaetia & 1]
    assert 1 << first in turned


@pytest.mark.parametrize("gray", [0, 2])
def test_figures_are_fractions_too(kit, gray):
    engine = kit.whole("barbaria", "imperium", "usurpator", "goths")
    state = kit.whole_state(
        "galerius", at={"galerius": "cisalpina", "constantius": "belgica"}, armies="rhaetia britannia",
        revolts="rhaetia noricum", unrest="dalmatia", goths=62, phase=1, gray=gray, black=1,
    )  # fmt: skip
    for policy in (DECLINE, EAGER):
        doubles, exact = engine.phase(state, policy), engine.phase_exact(state, policy)
        for name in ("p_uprising", "e_uprisings", "p_lost", "p_new_army", "e_revolts"):
            assert doubles[name] == pytest.approx(float(Fraction(*exact[name])), rel=1e-12)
    with pytest.raises(whole.KernelError, match="policy: expected an integer from 0 to 1"):
        engine.phase(state, whole.AT_RANDOM)
