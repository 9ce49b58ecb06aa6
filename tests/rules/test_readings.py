"""Where the rulebook leaves a choice: each reading, at both values, on a position where they differ."""

import tomllib
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from tabletop import MAP, barbarians, chance, faces_of, make_position, play

from tetrasolve.errors import IllegalActionError, RulesetError
from tetrasolve.tetrarchia import fast, kernel, rules, whole
from tetrasolve.tetrarchia.action import END, REDUCE, SECURE, Outcome, enter, move
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.readings import without_effect
from tetrasolve.tetrarchia.rules import Fall, GivenDice, advance, shortest
from tetrasolve.tetrarchia.ruleset import KERNEL_READINGS, MODULES, READINGS, VARIANTS, Ruleset

RULEBOOK = Path(__file__).parents[2] / "docs" / "rulebook.toml"
QUIET = faces_of("bithynia")
BASE_GAME = [name for name, reading in READINGS.items() if not reading.needs]


def both(name, **on_the_table):
    """The same position under both values of a reading, the default first."""
    mover = on_the_table.pop("to_move", "maximian")
    return [make_position(mover, readings={name: value}, **on_the_table) for value in READINGS[name].options]


@pytest.mark.program
@pytest.mark.parametrize("name", BASE_GAME)
def test_a_reading_has_a_default_and_other_values(name):
    """A reading that is not chosen has its default, and choosing the default is choosing nothing."""
    reading = READINGS[name]
    default, *others = reading.options

    assert others
    assert reading.default == default
    assert Ruleset().readings[name] == default
    assert Ruleset(interpretations=((name, default),)) == Ruleset()
    for number, other in enumerate(others, start=1):
        assert Ruleset(interpretations=((name, other),)) != Ruleset()
        assert Ruleset(interpretations=((name, other),)).readings[name] == other
        assert other in reading.reference or reading.number(other) == number


@pytest.mark.program
@pytest.mark.parametrize("reading", READINGS.values(), ids=str)
def test_the_data_of_a_reading(reading):
    """A sentence, a meaning for each value, and one question to the designer; what it needs are modules and variants."""
    assert reading.rule
    assert not reading.rule.endswith(".")
    assert all(reading.options.values())
    assert reading.question.endswith("?")
    assert reading.question.count("?") == 1
    assert set(reading.needs) <= {*MODULES, *VARIANTS}


@pytest.mark.program
@pytest.mark.skipif(not RULEBOOK.exists(), reason="the documentation is not there")
def test_readings_belong_to_rows_of_the_rulebook():
    """Each names rows that exist, one of them on its page."""
    rows = {row for chapter in tomllib.loads(RULEBOOK.read_text("utf-8"))["chapter"] for row in chapter["rules"]}

    for reading in READINGS.values():
        assert rows.issuperset(reading.rows), reading.name
        assert any(row.startswith(f"p{reading.page:02}-") for row in reading.rows), reading.name


@pytest.mark.program
@pytest.mark.parametrize("engine", [kernel, whole], ids=lambda engine: engine.__name__)
def test_both_kernels_have_every_reading(engine):
    """The names and numbers of values of both kernels are those of the data file, and no two share a number."""
    assert {name: values for name, (_, values) in engine.READINGS.items()} == {
        name: len(reading.played) for name, reading in KERNEL_READINGS.items()
    }
    assert sorted(number for number, _ in engine.READINGS.values()) == list(range(len(KERNEL_READINGS)))


@pytest.mark.program
@pytest.mark.parametrize("name", [name for name in READINGS if name not in BASE_GAME])
def test_a_reading_of_a_module_needs_the_module(name):
    """A reading that changes nothing in the rules in use is refused."""
    with pytest.raises(RulesetError, match="changes nothing without"):
        Ruleset(interpretations=((name, READINGS[name].default),))


@pytest.mark.choice("I-ENTRY")
def test_entry():
    """[I-ENTRY] must: he enters if he can. may: he may stay off the board (p. 7)."""
    must, may = both("I-ENTRY")

    assert rules.objection(must, END) is not None
    assert rules.objection(may, END) is None
    assert rules.legal_actions(must) == rules.legal_actions(may)


@pytest.mark.choice("I-ENTRY-SHARED")
def test_entry_shared():
    """[I-ENTRY-SHARED] share: he enters beside another and moves on. free-only: only where no Emperor stands (p. 7)."""
    share, free_only = both("I-ENTRY-SHARED", at={"galerius": "roma"})

    assert rules.legal_actions(share) == (enter("roma"), enter("cisalpina"))
    assert rules.legal_actions(free_only) == (enter("cisalpina"),)
    _, nowhere = both("I-ENTRY-SHARED", at={"galerius": "roma", "diocletian": "cisalpina"})
    assert rules.may_end(nowhere)


@pytest.mark.choice("I-PASS")
def test_passing():
    """[I-PASS] chain: several Emperors in a row. single: after one the next province holds no figure (p. 7)."""
    at = {"maximian": "rhaetia", "galerius": "noricum", "diocletian": "pannonia_inferior"}
    chain, single = (play(position, "move noricum") for position in both("I-PASS", at=at))

    assert rules.objection(chain, move("pannonia_inferior")) is None
    assert "[I-PASS]" in rules.objection(single, move("pannonia_inferior"))
    assert rules.objection(single, move("pannonia_superior")) is None


@pytest.mark.choice("I-PASS")
def test_passing_into_a_dead_end():
    """[I-PASS] single: who could only leave by way of another Emperor does not come (p. 7)."""
    at = {"maximian": "roma", "galerius": "etruria", "diocletian": "cisalpina"}
    more = {"armies": "sardinia", "revolts": "sardinia", "fleets": (1, 3)}
    chain, single = both("I-PASS", at=at, legal=False, **more)
    # from etruria: roma, which he has left and which is free, cisalpina, sardinia
    assert rules.objection(chain, move("etruria")) is None
    assert rules.objection(single, move("etruria")) is None
    crowded = at | {"constantius": "lucania"}
    chain, single = both("I-PASS", at=crowded | {"maximian": "sicilia"}, legal=False, **more)
    chain, single = (p.with_emperor("diocletian", "roma") for p in (chain, single))
    # sicilia~lucania, then only epirus (broken), sicilia and roma
    assert rules.objection(chain, move("lucania")) is None
    assert rules.objection(single.replace(ip=3), move("lucania")) is not None
    assert rules.objection(chain.replace(ip=4), move("lucania")) is None


@pytest.mark.choice("I-RESERVE")
def test_reserve():
    """[I-RESERVE] illegal: without unrest in the reserve nothing is reduced. falls: the Empire falls (p. 8, 11)."""
    full = (
        "cisalpina etruria lucania sicilia tingitana baetica lusitania carthagenensis gallaecia tarraconensis "
        "narbonensis germania_superior belgica lugdunensis aquitania rhaetia noricum dalmatia thracia macedonia epirus"
    )
    illegal, falls = both("I-RESERVE", at={"maximian": "asia"}, revolts="asia", unrest=full)

    assert illegal.reserve_unrest == 0
    assert "[I-RESERVE]" in rules.objection(illegal, REDUCE)
    assert play(falls, "reduce") is Fall.NO_UNREST_LEFT
    one_left = falls.with_disc("epirus", None)
    assert play(one_left, "reduce").reserve_unrest == 0


@pytest.mark.choice("I-REVOLT-GROUP")
def test_revolt_group():
    """[I-REVOLT-GROUP] largest-linked: revolts beside the border count. under-army: only those it stands on (p. 8)."""
    beside, under = both(
        "I-REVOLT-GROUP", at={"maximian": "belgica"}, armies="britannia", revolts="belgica lugdunensis"
    )

    assert rules.battle(beside, "maximian", "britannia").revolts == 2
    assert rules.battle(under, "maximian", "britannia").revolts == 0
    for position in both(
        "I-REVOLT-GROUP", at={"maximian": "noricum"}, armies="rhaetia", revolts="rhaetia germania_superior"
    ):
        assert rules.battle(position, "maximian", "rhaetia").revolts == 2


@pytest.mark.choice("I-BATTLE-BROKEN")
def test_broken_links_in_battle():
    """[I-BATTLE-BROKEN] linked: broken links join groups and lend support. not-linked: they do not (p. 8, 9)."""
    linked, apart = both(
        "I-BATTLE-BROKEN",
        at={"maximian": "narbonensis", "galerius": "germania_magna", "diocletian": "noricum"},
        armies="rhaetia tarraconensis germania_superior",
        revolts="rhaetia tarraconensis germania_superior",
        garrisons={"maximian": "narbonensis"},
    )

    def values(position, army):
        fight = rules.battle(position, "maximian", army)
        return fight.garrisons, fight.emperors, fight.revolts, fight.armies

    # narbonensis~cisalpina, germania_magna~rhaetia, tarraconensis~narbonensis; the revolts are linked by normal links
    assert values(linked, "rhaetia") == (2, 2, 2, 2)
    assert values(apart, "rhaetia") == (1, 1, 2, 1)
    split = make_position("maximian", {"maximian": "aegyptus"}, armies="syria", revolts="syria cilicia cappadocia")
    assert rules.battle(split, "maximian", "syria").revolts == 3
    # a broken link is attacked through all the same
    assert rules.cost(apart, rules.parse(apart, "attack tarraconensis: draw")) == 3


@pytest.mark.choice("I-ROMA-COVERED")
def test_the_printed_disc_of_roma_under_a_garrison():
    """[I-ROMA-COVERED] covered: another's garrison covers it. counts: only a revolt or an unrest does (p. 5)."""

    def group(value, **discs):
        table = {"armies": "rhaetia", "revolts": f"rhaetia {discs.pop('revolts', '')}", **discs}
        at = {"maximian": "cisalpina"}
        position = make_position("maximian", at, readings={"I-ROMA-COVERED": value}, **table)
        battle = rules.battle(position, "maximian", "rhaetia")
        for rebels in (False, True):
            engine = fast.kernel_for(MAP, position.ruleset, rebels=rebels)
            found = engine.odds(fast.state_of(position, rebels=rebels), MAP.order["rhaetia"])
            assert dict(zip(Outcome, found, strict=True)) == {o: battle.chances().get(o, 0) for o in Outcome}
        return battle.garrisons

    others = {"garrisons": {"maximian": "etruria", "galerius": "roma"}}
    assert (group("covered", **others), group("counts", **others)) == (2, 3)
    for same in ({"garrisons": {"maximian": "etruria"}}, {"garrisons": {"maximian": "etruria roma"}}):
        assert group("covered", **same) == group("counts", **same) == 3
    for cover in ({"revolts": "roma"}, {"unrest": "roma"}):
        assert group("counts", garrisons={"maximian": "etruria"}, **cover) == 2


@pytest.mark.choice("I-BORDER-DEFEAT")
def test_defeat_on_a_border():
    """[I-BORDER-DEFEAT] stays: a secured border stays secured. removed: its garrison goes with the Emperor (p. 8, 11)."""
    at = {"maximian": "germania_magna"}
    more = {"armies": "rhaetia", "revolts": "rhaetia", "garrisons": {"galerius": "germania_magna"}}
    stays, removed = (play(p, "attack rhaetia: defeat") for p in both("I-BORDER-DEFEAT", at=at, **more))

    assert stays.secured == ("germania_magna",)
    assert removed.secured == ()
    inside = {"armies": "rhaetia", "revolts": "rhaetia", "garrisons": {"galerius": "noricum"}}
    for position in both("I-BORDER-DEFEAT", at={"maximian": "noricum"}, **inside):
        assert "noricum" not in play(position, "attack rhaetia: defeat").discs


@pytest.mark.choice("I-CHECK")
def test_one_check_for_all_links_of_spreading():
    """[I-CHECK] each-link: Dacia beside two revolts falls with 3/4. one-roll: with 1/2, and all together (p. 9)."""
    each, one, _ = both(
        "I-CHECK",
        at={"galerius": "dacia", "maximian": "lucania"},
        revolts="pannonia_inferior moesia_superior epirus",
        unrest="dacia lucania",
        barbarian=True,
    )

    def gone(*who):
        return lambda after: all(after.emperors[name] is None for name in who)

    assert (chance(each, gone("galerius")), chance(one, gone("galerius"))) == (Fraction(3, 4), Fraction(1, 2))
    assert chance(each, gone("galerius", "maximian")) == Fraction(3, 8)
    assert chance(one, gone("galerius", "maximian")) == Fraction(1, 2)


@pytest.mark.choice("I-CHECK")
def test_one_check_for_the_links_behind_too():
    """[I-CHECK] one-roll: the one die serves a broken link that the domino reaches later (p. 9)."""
    each, one, _ = both(
        "I-CHECK", at={"galerius": "sicilia"}, revolts="epirus", unrest="lucania sicilia", barbarian=True
    )

    assert chance(each, lambda after: after.emperors["galerius"] is None) == Fraction(1, 4)
    assert chance(one, lambda after: after.emperors["galerius"] is None) == Fraction(1, 2)


@pytest.mark.choice("I-CHECK")
def test_one_check_for_all_links_of_an_uprising():
    """[I-CHECK] Dacia's uprising has broken links to Pannonia Inferior and Moesia Superior (p. 10)."""
    armies = "persia britannia sarmatia"
    each, one, _ = both("I-CHECK", at={"maximian": "roma"}, revolts="dacia", armies=armies, barbarian=True)
    rest = (3, 3, 3)

    assert barbarians(each, *faces_of("dacia"), 3, 4, *rest).revolts in (
        {"dacia", "moesia_superior"},
        {"dacia", "pannonia_inferior"},
    )
    assert barbarians(one, *faces_of("dacia"), 4, *rest).revolts == {"dacia", "moesia_superior", "pannonia_inferior"}
    assert barbarians(one, *faces_of("dacia"), 3, *rest).revolts == {"dacia"}


@pytest.mark.choice("I-ORDER")
def test_order_of_armies():
    """[I-ORDER] number: II:3 before II:6. file: the row of the board decides, here Narbonensis' (p. 11)."""
    armies = "narbonensis germania_superior"
    number, file = both("I-ORDER", at={"maximian": "roma"}, armies=armies, revolts=armies, barbarian=True)

    assert set(barbarians(number, *QUIET, 4).armies) == {"cisalpina", "narbonensis"}
    assert set(barbarians(file, *QUIET, 4).armies) == {"cisalpina", "germania_superior"}


@pytest.mark.choice("I-ORDER-TIE")
def test_the_other_order_of_armies():
    """[I-ORDER-TIE] order: II:3 before II:6, and Cisalpina before Sicilia. reversed: the others first (p. 10)."""
    order, turned = both("I-ORDER-TIE", at={}, armies="narbonensis germania_superior", barbarian=True, legal=False)[:2]
    for position, army in ((order, "germania_superior"), (turned, "narbonensis")):
        found = sorted(position.armies, key=lambda army, position=position: advance._rank(position, army))
        assert found[0] == army
    both_ways = make_position("maximian", readings={"I-ORDER-TIE": "reversed", "I-ORDER-WITHIN-ITALIA": "reversed"})
    assert advance._rank(both_ways, "cisalpina") < advance._rank(both_ways, "sicilia")


@pytest.mark.choice("I-ORDER-DISTANCE")
def test_the_distance_of_an_army():
    """[I-ORDER-DISTANCE] path: its arrows are counted. links: of Tingitana and Aegyptus the first is nearer to Roma (p. 10)."""
    assert first_to_move("I-ORDER-DISTANCE", "tingitana aegyptus") == ["aegyptus", "tingitana"]


@pytest.mark.choice("I-ORDER-ITALIA")
def test_the_rank_of_italia():
    """[I-ORDER-ITALIA] first: Sicilia goes before Epirus, as near to Roma. last: after it (p. 10)."""
    assert first_to_move("I-ORDER-ITALIA", "sicilia epirus") == ["sicilia", "epirus"]
    before, after = both("I-ORDER-ITALIA", at={}, armies="sicilia epirus", revolts="sicilia epirus", barbarian=True)

    assert set(barbarians(before, *QUIET, 4).armies) == {"lucania", "epirus"}
    assert set(barbarians(after, *QUIET, 4).armies) == {"lucania", "sicilia"}


@pytest.mark.choice("I-ORDER-WITHIN-ITALIA")
def test_two_armies_in_italia():
    """[I-ORDER-WITHIN-ITALIA] file: Cisalpina before Sicilia. reversed: the later row first (p. 10)."""
    assert first_to_move("I-ORDER-WITHIN-ITALIA", "cisalpina sicilia") == ["cisalpina", "sicilia"]


@pytest.mark.choice("I-ORDER-BORDER")
def test_a_border_in_a_tie():
    """[I-ORDER-BORDER] region: Britannia is in region II, before Moesia Inferior. last: after what is inside (p. 10)."""
    assert first_to_move("I-ORDER-BORDER", "moesia_inferior britannia") == ["britannia", "moesia_inferior"]
    assert first_to_move("I-ORDER-BORDER", "thracia germania_superior", differ=False) == ["germania_superior"] * 2


def first_to_move(name, armies, *, differ=True):
    """The army that goes first under each value of a reading, in the rules and in both kernels."""
    found = []
    for position in both(name, at={}, armies=armies, barbarian=True, legal=False):
        order = sorted(position.armies, key=lambda army, position=position: advance._rank(position, army))
        discs = dict.fromkeys((army for army in position.armies if not MAP[army].is_border), "revolt")
        table = position.replace(discs=discs)
        for rebels in (False, True):
            same_phase(table, rebels=rebels)
        found.append(order[0])
    assert (len(set(found)) > 1) == differ
    return found


def same_phase(position, *, rebels=False):
    """Both engines give the phase the same results; with `rebels` the kernel of the whole rulebook."""
    engine = fast.kernel_for(position.board, position.ruleset, rebels=rebels)
    listed = dict(engine.outcomes(fast.state_of(position, rebels=rebels)))
    ends = rules.solve(position).ends
    chances = {
        fast.state_of(after, rebels=rebels): float(p) for after, p in ends.items() if not isinstance(after, Fall)
    }

    assert {after: p for after, p in listed.items() if after.result != kernel.FALLEN} == pytest.approx(chances)


def same_actions(position):
    """Both engines allow the same actions, and either kernel; these actions, with END."""
    allowed = {*rules.legal_actions(position), *([END] if rules.may_end(position) else [])}
    for rebels in (False, True):
        if position.ruleset.readings and (rebels or not fast.needs_whole(position.ruleset)):
            engine = fast.kernel_for(position.board, position.ruleset, rebels=rebels)
            state = fast.state_of(position, rebels=rebels)
            codes = {fast.to_action(code, position.board) for code in engine.legal(state)}
            assert codes | ({END} if engine.may_end(state) else set()) == allowed
    return allowed


@pytest.mark.choice("I-ENTRY-ROMA")
@pytest.mark.parametrize(
    ("discs", "open_under"),
    [
        ({}, (True, True, True)),
        ({"revolts": "roma bithynia"}, (True, False, False)),
        ({"unrest": "roma", "revolts": "bithynia"}, (True, True, False)),
        ({"garrisons": {"galerius": "roma"}}, (True, True, False)),
    ],
)
def test_entering_a_covered_roma(discs, open_under):
    """[I-ENTRY-ROMA] open: he enters on any disc. no-revolt: on no revolt. no-disc: on no disc (p. 7)."""
    played = both("I-ENTRY-ROMA", to_move="diocletian", **discs)[:3]  # the fourth value: test_reference_readings.py
    for position, is_open in zip(played, open_under, strict=True):
        allowed = same_actions(position)

        assert (enter("roma") in allowed) == is_open
        assert (END in allowed) == (enter("roma") not in allowed and enter("bithynia") not in allowed)


@pytest.mark.choice("I-SECURE-OWN", "I-SECURE-OTHERS", "I-SECURE-ROMA")
@pytest.mark.parametrize(
    ("name", "closed"),
    [
        ("I-SECURE-OWN", {"cisalpina"}),
        ("I-SECURE-OTHERS", {"bithynia", "pannonia_inferior", "germania_inferior"}),
        ("I-SECURE-ROMA", {"roma"}),
    ],
)
def test_garrisons_on_printed_discs(name, closed):
    """allowed: an uncovered printed disc keeps no garrison away. forbidden: it does: his own, another's, or Roma's (p. 5, 8)."""
    for place in ("roma", "cisalpina", "bithynia", "pannonia_inferior", "germania_inferior", "etruria"):
        allowed, forbidden = both(name, at={"maximian": place})

        assert SECURE in same_actions(allowed)
        assert (SECURE in same_actions(forbidden)) == (place not in closed)


@pytest.mark.choice("I-SETUP-REROLL")
def test_an_occupied_province_in_the_set_up():
    """[I-SETUP-REROLL] both: region and province are rolled again. province: the region stands (p. 6)."""
    faces = (2, 2, 2, 2, 2, 2, 1, 2, 4, 5)
    both_dice, one_die = set_ups("I-SETUP-REROLL", faces)

    assert both_dice.revolts - one_die.revolts == {"achaia"}
    assert one_die.revolts - both_dice.revolts == {"carthagenensis"}
    regions = rolled_by_the_kernel("I-SETUP-REROLL")
    # with both dice 5 of 35 provinces that are left lie in each region, as with one die: 1/6
    assert all(abs(share - 1 / 6) < 0.02 for shares in regions for share in shares)


@pytest.mark.choice("I-SETUP-CAPITAL")
def test_an_additional_revolt_on_a_capital():
    """[I-SETUP-CAPITAL] open: it can lie there. occupied: it is rolled again (p. 5, 6)."""
    faces = (2, 3, 4, 2, 2, 2, 2, 2, 1, 5)
    allowed, spared = set_ups("I-SETUP-CAPITAL", faces)

    assert allowed.revolts - spared.revolts == {"germania_inferior"}
    assert spared.revolts - allowed.revolts == {"gallaecia"}
    gallia = [shares[1] for shares in rolled_by_the_kernel("I-SETUP-CAPITAL")]
    assert gallia[0] - gallia[1] > 0.01  # Germania Inferior is closed, besides the province of the first revolt


def set_ups(name, faces):
    """The set-ups with these faces, under each value; faces may be left."""
    for value in READINGS[name].options:
        yield rules.set_up(Ruleset.from_text(f"5310?{name}={value}"), (1, 2, 3), GivenDice(faces), MAP)


def rolled_by_the_kernel(name):
    """For each value, how often the additional revolt lies in each region, in set-ups that the kernel rolls."""
    for value in READINGS[name].options:
        engine = fast.kernel_for(MAP, Ruleset.from_text(f"5310?{name}={value}"))
        rng, found = kernel.Rng(5), Counter()
        for _ in range(20_000):
            revolts = set(MAP.unmask(engine.setup(1, 1, 0, rng).revolts))
            full = [region for region in range(1, 7) if len(revolts & {*MAP.members(region)}) == 2]
            found.update(full)
        yield [found[region] / found.total() for region in range(1, 7)]


@pytest.mark.choice("I-FRESH")
def test_fresh_armies():
    """[I-FRESH] advance: a new army advances at once. wait: it stays on its border in this phase (p. 10)."""
    advance, wait = both(
        "I-FRESH", at={"maximian": "roma"}, revolts="numidia", armies="tingitana", barbarian=True, legal=False
    )
    advance, wait = (p.with_disc("tingitana", "revolt") for p in (advance, wait))

    assert set(barbarians(advance, *faces_of("numidia"), 6, 3).armies) == {"tingitana", "aegyptus"}
    assert set(barbarians(wait, *faces_of("numidia"), 6, 4).armies) == {"baetica", "libya"}  # the others do not wait


@pytest.mark.program
def test_readings_that_change_nothing_on_the_board_of_the_library():
    """What is concluded from the order of the file is what the rules do with all provinces at once, and not so on this map."""
    board = Board.standard()
    found = without_effect(board)

    for here, names in ((board, {"I-ORDER", "I-SHORTEST", "I-WAY-ARROWS"}), (MAP, {"I-WAY-ARROWS"})):
        assert set(without_effect(here)) == names
        for variants in (frozenset(), frozenset({"usurpator"})):
            ruleset = Ruleset(variants=variants)
            number, file = (
                rules.random_set_up(ruleset.with_readings([("I-ORDER", value)]), 1, board=here)
                for value in READINGS["I-ORDER"].options
            )
            orders = [sorted(here.ids, key=lambda army, p=p: advance._rank(p, army)) for p in (number, file)]
            assert (orders[0] == orders[1]) == ("I-ORDER" in names)
        ways = [shortest._ways(here, by_region, True, 1) for by_region in (True, False)]
        assert (ways[0] == ways[1]) == ("I-SHORTEST" in names)
        for by_region, broken in product((True, False), (1, 2)):
            assert shortest._ways(here, by_region, True, broken) == shortest._ways(here, by_region, False, broken)
    assert all(len(reason.split()) > 10 for reason in found.values())


@pytest.mark.program
def test_readings_print_with_the_ruleset():
    """What was chosen stands in the text of a ruleset, sorted, defaults left out."""
    ruleset = Ruleset.from_text("4211?I-PASS=single,I-FRESH=wait,I-ENTRY=must")

    assert str(ruleset) == "4211?I-FRESH=wait,I-PASS=single"
    assert ruleset.with_readings([("I-PASS", "chain")]) == Ruleset.from_text("4211?I-FRESH=wait")


@pytest.mark.program
def test_every_reading_of_the_base_game_is_tested_here():
    """A reading that is added needs a test of its own in this file."""
    assert set(BASE_GAME) == {
        "I-SETUP-REROLL",
        "I-SETUP-CAPITAL",
        "I-ENTRY",
        "I-ENTRY-SHARED",
        "I-ENTRY-ROMA",
        "I-SECURE-OWN",
        "I-SECURE-OTHERS",
        "I-SECURE-ROMA",
        "I-PASS",
        "I-RESERVE",
        "I-REVOLT-GROUP",
        "I-BATTLE-BROKEN",
        "I-ROMA-COVERED",
        "I-BORDER-DEFEAT",
        "I-CHECK",
        "I-ORDER",
        "I-ORDER-DISTANCE",
        "I-ORDER-ITALIA",
        "I-ORDER-WITHIN-ITALIA",
        "I-ORDER-BORDER",
        "I-FRESH",
        *(
            "I-FLEETS",
            "I-GARRISON-ATTACK",
            "I-ECHO-HOME",
            "I-SUPPORT-BROKEN",
            "I-REVOLT-BESIDE",
            "I-CHECK-AGAIN",
            "I-ORDER-TIE",
            "I-ECHO-FIGURE",
        ),  # in test_reference_readings.py
    }


@pytest.mark.choice("I-ENTRY")
def test_an_illegal_action_names_its_reading():
    """Where a reading forbids an action, the error names the reading."""
    with pytest.raises(IllegalActionError, match=r"\[I-ENTRY\]") as caught:
        play(make_position("maximian"), "end")

    assert caught.value.rule.endswith("[I-ENTRY]")
