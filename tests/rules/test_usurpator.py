"""Variant 4, Usurpator (rulebook pages 14 and 15)."""

from dataclasses import replace
from fractions import Fraction

import pytest
from moduletable import extended
from tabletop import MAP, barbarians, chance, faces_of

from tetrasolve.tetrarchia import fast, kernel, rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.activity import EchoRegion
from tetrasolve.tetrarchia.rules.modules.usurpator import Rising, rise

QUIET = faces_of("bithynia")
LINKED, BLOCKED = 4, 3
ROMA = {"diocletian": "roma"}
AFRICA = "aegyptus cyrenaica tripolitania numidia caesariensis africa".split()
ILLYRICUM = "rhaetia pannonia_superior noricum pannonia_inferior dacia dalmatia".split()


def usurpator(revolts, *, secured="libya", at=None, **more):
    """A border secured, and revolts where it says."""
    return extended(
        more.pop("extensions", "usurpator"),
        more.pop("pieces", None),
        at={"diocletian": "asia"} | (at or {}),
        revolts=" ".join(revolts),
        garrisons={"diocletian": secured},
        barbarian=True,
        **more,
    )


def but(region, *provinces):
    return [province for province in region if province not in provinces]


# -- when he rises ---------------------------------------------------------------------------------------------


@pytest.mark.rule("p14-usurper-rises")
def test_the_spread_of_revolts_raises_a_usurper():
    """A region behind a secured border becomes full: a die names the province of an army (p. 14)."""
    position = usurpator(but(AFRICA, "africa"), unrest="africa")
    after = barbarians(position, 4, *QUIET)

    assert after.armies == ("numidia",)  # the province die comes before the activity
    assert after.status() == ()


@pytest.mark.rule("p14-usurper-rises")
def test_the_activity_raises_one():
    """An unrest that becomes the sixth revolt does it, too (p. 14)."""
    position = usurpator(but(ILLYRICUM, "dacia"), secured="germania_magna", unrest="dacia")
    after = barbarians(position, BLOCKED, *faces_of("dacia"), 2)

    assert after.armies == ("pannonia_superior",)


@pytest.mark.choice("I-USURPER-ECHO")
def test_an_uprising_raises_one_before_its_echo():
    """After all its checks, and before the echo (p. 10, 14)."""
    position = usurpator(but(AFRICA, "africa"))
    step = rules.activity.resolve(position, "numidia")

    assert isinstance(step, Rising)
    after = step.roll().results[5]
    assert isinstance(after, EchoRegion)
    assert after.position.armies == ("africa",)
    whole = barbarians(position, *faces_of("numidia"), 6, 1, BLOCKED)
    assert whole.armies == ("africa", "gaetulia")


@pytest.mark.choice("I-USURPER-ECHO")
def test_the_checks_of_an_uprising_come_first():
    """A broken link of the uprising is checked before the region is looked at (p. 9, 14)."""
    position = usurpator(but(ILLYRICUM, "dacia"), secured="germania_magna")
    linked = barbarians(position, *faces_of("pannonia_inferior"), LINKED, 1, 6)
    blocked = barbarians(position, *faces_of("pannonia_inferior"), BLOCKED, 6)

    assert set(linked.armies) == {"rhaetia", "aegyptus"}
    assert blocked.armies == ("aegyptus",)


@pytest.mark.choice("I-USURPER-ECHO")
def test_an_uprising_raises_one_after_the_activity():
    """after: the echo brings its army first, and he takes what is left (p. 10, 14)."""
    table = {"readings": {"I-USURPER-ECHO": "after"}}
    both = barbarians(usurpator(but(AFRICA, "africa"), **table), *faces_of("numidia"), 1, 6, BLOCKED)
    last = barbarians(
        usurpator(but(AFRICA, "africa"), armies="persia sarmatia", **table), *faces_of("numidia"), 1, 6, 3, 3
    )

    assert set(both.armies) == {"gaetulia", "africa"}
    assert set(last.armies) == {"gaetulia", "persia", "moesia_inferior"}


@pytest.mark.choice("I-USURPER-ECHO")
def test_the_last_army_of_the_reserve_leaves_none_for_the_echo():
    """The usurper comes before the echo, which needs an army in the reserve (p. 10, 14)."""
    position = usurpator(but(AFRICA, "africa"), armies="persia sarmatia")
    step = rules.activity.resolve(position, "numidia").roll().results[5]

    assert not isinstance(step, EchoRegion)
    assert step.position.armies == ("africa", "sarmatia", "persia")


@pytest.mark.choice("I-USURPER-ADVANCE")
def test_an_army_that_enters_raises_one():
    """The revolt that an army brings can be the sixth: the usurper rises before the next army moves (p. 11, 14)."""
    region = "germania_superior belgica germania_inferior lugdunensis aquitania".split()
    position = usurpator([*region, "tarraconensis"], secured="britannia", armies="tarraconensis")
    after = barbarians(position, *QUIET, LINKED, 6, 1)  # narbonensis is taken: rolled again

    assert set(after.armies) == {"narbonensis", "belgica"}


@pytest.mark.choice("I-USURPER-ADVANCE")
@pytest.mark.parametrize(
    ("value", "again", "armies"),
    [
        ("at-once", (), {"galatia", "cilicia", "syria"}),
        ("after-all", ("bithynia",), {"galatia", "cilicia", "bithynia"}),
    ],
)
def test_a_usurper_between_two_armies_or_after_both(value, again, armies):
    """at-once: in Cilicia he blocks the army of Syria. after-all: it is there already, and the die is rolled again (p. 10, 14)."""
    revolts = "syria cilicia cappadocia asia bithynia".split()
    table = {"secured": "persia", "at": ROMA, "armies": "syria cilicia", "readings": {"I-USURPER-ADVANCE": value}}
    dice = [faces_of(place)[1] for place in ("cilicia", *again)]

    assert set(barbarians(usurpator(revolts, **table), *faces_of("cyrenaica"), *dice).armies) == armies


@pytest.mark.rule("p14-usurper-not-again")
def test_a_region_that_was_full_already_raises_none():
    """Only when it becomes full (p. 14)."""
    assert barbarians(usurpator(AFRICA), *QUIET).armies == ()


@pytest.mark.rule("p14-usurper-rises")
def test_an_open_border_raises_none():
    """Only where the border is secured; else an army can come over it (p. 14)."""
    position = usurpator(but(AFRICA, "africa"), unrest="africa", secured="persia")

    assert barbarians(position, *QUIET).armies == ()


@pytest.mark.rule("p14-usurper-rises")
def test_five_revolts_raise_none():
    """The region is full with six (p. 14)."""
    position = usurpator(but(AFRICA, "africa", "aegyptus"), unrest="africa")

    assert barbarians(position, *QUIET).armies == ()


@pytest.mark.rule("p14-usurper-reserve")
def test_without_an_army_in_the_reserve_there_is_none():
    """He needs an army of the reserve (p. 14)."""
    position = usurpator(but(AFRICA, "africa"), unrest="africa", armies="persia sarmatia gaetulia")

    assert len(barbarians(position, *QUIET, BLOCKED, BLOCKED, BLOCKED).armies) == 3


@pytest.mark.rule("p14-variants")
def test_without_the_variant_there_is_none():
    """It is a variant (p. 14)."""
    assert barbarians(usurpator(but(AFRICA, "africa"), unrest="africa", extensions=""), *QUIET).armies == ()


# -- where he rises --------------------------------------------------------------------------------------------


@pytest.mark.rule("p14-usurper-roll")
def test_an_occupied_province_is_rolled_again():
    """Where a figure stands the die is rolled again: the others are equally likely (p. 14)."""
    position = usurpator(but(AFRICA, "africa"), at={"galerius": "numidia"}, secured="libya")
    step = rules.activity.resolve(position, "caesariensis")  # reaches numidia and tingitana only
    risen = usurpator(AFRICA, at={"galerius": "numidia"})
    rising = Rising(risen, (6,), frozenset(), lambda position, _resting: position)

    assert not isinstance(step, Rising)
    assert rising.roll().results[3] == rising
    ends = rules.barbarian.absorb(rising, rules.barbarian.row).ends
    assert {end.armies for end in ends} == {(place,) for place in AFRICA if place != "numidia"}
    assert {chance for _, chance in ends.items()} == {Fraction(1, 5)}


@pytest.mark.choice("I-USURPER-ROOM")
def test_where_all_six_are_occupied_there_is_none():
    """With nowhere to stand he does not come (p. 14)."""
    at = dict(zip(["galerius", "constantius", "maximian"], AFRICA, strict=False))
    position = usurpator(
        AFRICA, at=at, extensions="usurpator+dux", pieces={"dux": "numidia"}, armies="caesariensis africa"
    )

    assert rise(position, (6,), frozenset(), advance.begin) is None


@pytest.mark.choice("I-USURPER-EMPERORS")
def test_an_emperor_is_removed_before_he_rises():
    """The spread step ends with the removal of Emperors on revolts, so none occupies a province (p. 9, 14)."""
    position = usurpator(but(AFRICA, "africa"), unrest="africa", at={"galerius": "numidia"})
    after = barbarians(position, 4, *QUIET)

    assert after.emperors["galerius"] is None
    assert after.armies == ("numidia",)


@pytest.mark.choice("I-USURPER-ORDER")
def test_two_regions_at_once():
    """The lower region first, each while armies are left (p. 14)."""
    region = "syria cilicia cappadocia galatia asia bithynia".split()
    revolts = but(AFRICA, "aegyptus") + but(region, "syria")
    table = {"at": {"diocletian": "roma"}, "unrest": "aegyptus syria", "secured": "libya persia"}
    both = barbarians(usurpator(revolts, **table), 2, 5, 4, 4)
    one = barbarians(usurpator(revolts, armies="britannia sarmatia", **table), 2, 3, 4, BLOCKED, BLOCKED)

    assert set(both.armies) == {"cilicia", "caesariensis"}
    assert set(one.armies) == {"cilicia", "britannia", "sarmatia"}


# -- his way ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("p15-usurper-way")
def test_he_rests_in_the_phase_in_which_he_rises():
    """He follows the arrow of his province in the next turn (p. 15)."""
    position = usurpator(but(AFRICA, "africa"), unrest="africa")
    risen = barbarians(position, 1, *QUIET)

    assert risen.armies == ("aegyptus",)
    following = barbarians(risen.replace(phase=position.phase, ip=0), *QUIET)
    assert following.armies == ("cyrenaica",)


@pytest.mark.choice("I-FRESH", "I-USURPER-ECHO")
def test_an_army_of_the_echo_advances_all_the_same():
    """He rests, the army that the echo brings does not [I-FRESH] (p. 10, 15)."""
    after = barbarians(usurpator(but(AFRICA, "africa")), *faces_of("numidia"), 6, 5, LINKED)

    assert set(after.armies) == {"africa", "syria"}


@pytest.mark.rule("p15-usurper-way")
@pytest.mark.parametrize(
    ("place", "following", "distance"),
    [
        ("numidia", "africa", 5),
        ("caesariensis", "numidia", 6),
        ("pannonia_superior", "cisalpina", 3),
        ("aquitania", "narbonensis", 4),
        ("sardinia", "etruria", 2),
    ],
)
def test_without_an_arrow_he_takes_the_shortest_way_to_roma(place, following, distance):
    """Counted in links (p. 15)."""
    position = usurpator([place], armies=place)
    (module,) = rules.registry.rule_modules(position).advance

    expected = (following, distance if place not in ("numidia", "caesariensis") else distance - 1)
    assert module.way(position, place) == expected


@pytest.mark.choice("I-SHORTEST")
@pytest.mark.parametrize(("place", "following"), [("noricum", "rhaetia"), ("dalmatia", "pannonia_superior")])
def test_of_equal_ways_the_lower_region_then_the_lower_number(place, following):
    """III:1 before III:2, and III before IV (p. 15)."""
    position = usurpator([place], armies=place)
    (module,) = rules.registry.rule_modules(position).advance

    assert module.way(position, place) == (following, 4)


@pytest.mark.choice("I-SHORTEST")
def test_of_equal_ways_the_reading_decides():
    """[I-SHORTEST] region: Germania Superior (II:3) before Narbonensis (II:6). file: the other way round (p. 15)."""
    region = usurpator(["lugdunensis"], armies="lugdunensis")
    file = usurpator(["lugdunensis"], armies="lugdunensis", readings={"I-SHORTEST": "file"})

    assert barbarians(region, *QUIET).armies == ("germania_superior",)
    assert barbarians(file, *QUIET).armies == ("narbonensis",)


@pytest.mark.rule("p14-usurper-army")
def test_he_behaves_like_any_other_army():
    """He checks broken links, brings revolts, kills and meets Emperors (p. 15)."""
    position = usurpator(["dacia"], armies="dacia")

    assert barbarians(position, *QUIET, BLOCKED).armies == ("dacia",)
    moved = barbarians(position, *QUIET, LINKED)
    assert len(moved.revolts) == 2
    met = usurpator(["noricum"], armies="noricum", at={"galerius": "rhaetia"})
    assert chance(met, lambda after: after.emperors["galerius"] is None) > 0


@pytest.mark.choice("I-SHORTEST")
def test_the_nearest_goes_first_on_his_way_too():
    """His distance is that of his way: from Dalmatia he finds Pannonia Superior free (p. 10, 15)."""
    position = usurpator(["pannonia_superior", "dalmatia"], armies="pannonia_superior dalmatia")

    assert set(barbarians(position, *QUIET).armies) == {"cisalpina", "pannonia_superior"}


@pytest.mark.choice("I-WAY-ARROWS", "I-WAY-BROKEN")
def test_every_province_of_the_map_has_a_way():
    """From every Roman province but Roma an army reaches Roma in the end, each step one nearer (p. 15)."""
    for province in MAP.provinces.values():
        if province.is_border or province.id == MAP.roma:
            continue
        position, place, steps = usurpator([province.id], armies=province.id, at=ROMA), province.id, 0
        _, distance = advance.way(position, place)
        while place != MAP.roma:
            place, steps = advance.way(position, place)[0], steps + 1
            assert MAP.link(province.id, place) or steps > 1
        assert steps == distance


@pytest.mark.choice("I-WAY-ARROWS")
@pytest.mark.parametrize(("value", "following"), [("links", "germania_superior"), ("arrows", "narbonensis")])
def test_the_shortest_way_is_found_by_links_or_with_the_arrows(value, following):
    """Where the arrow of Germania Superior goes over Rhaetia, two links lead from there to Italia, and three arrows (p. 15)."""
    around = dict(MAP.provinces) | {"germania_superior": replace(MAP["germania_superior"], arrow="rhaetia")}
    board = replace(MAP, provinces=around)
    position = usurpator(["lugdunensis"], armies="lugdunensis", readings={"I-WAY-ARROWS": value}).replace(board=board)

    assert advance.way(position, "lugdunensis") == (following, 5 if value == "links" else 4)
    assert barbarians(position, *QUIET).armies == (following,)
    after = fast.kernel_of(position).outcomes(fast.to_state(position))
    stands = [end for end, _ in rules.outcomes(position).items() if isinstance(end, Position)]
    assert {fast.to_state(end) for end in stands} == {state for state, _ in after if state.result == kernel.OPEN}


@pytest.mark.choice("I-WAY-BROKEN")
@pytest.mark.parametrize(("value", "following"), [("one", "rhaetia"), ("two", "pannonia_superior")])
def test_a_broken_link_counts_as_one_on_the_shortest_way_or_as_two(value, following):
    """From Noricum over Rhaetia, whose link to Cisalpina is broken, or over Pannonia Superior (p. 15)."""
    position = usurpator(["noricum"], armies="noricum", readings={"I-WAY-BROKEN": value})

    assert advance.way(position, "noricum") == (following, 4)


@pytest.mark.program
def test_the_phase_is_solved_exactly():
    """Rolling again is a chain that comes back to itself; its chances add up to one."""
    position = usurpator(but(AFRICA, "africa"), unrest="africa", at={"galerius": "roma"}, armies="persia")
    ends = rules.outcomes(position)

    assert sum(share for _, share in ends.items()) == 1
    assert all(isinstance(end, rules.Fall) or (isinstance(end, Position) and end.status() == ()) for end in ends)
