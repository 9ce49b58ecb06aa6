"""The two written forms of a position: what is printed can be read, and what cannot be read is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import BOARD, positions, rulesets
from tabletop import random_game

from tetrasolve.errors import PositionSyntaxError, RulesetError
from tetrasolve.tetrarchia.jsonform import from_data, ruleset_data, to_data
from tetrasolve.tetrarchia.pieces import Rebel
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import MODULES, READINGS, VARIANTS, Ruleset, all_levels

FIGHT = {
    "format": "tetrasolve-position/1",
    "board": "tetrarchia",
    "ruleset": "4211",
    "to_move": "maximian",
    "phase": "roman",
    "ip": 6,
    "emperors": {
        "diocletian": "bithynia",
        "galerius": None,
        "constantius": "aquitania",
        "maximian": "germania_superior",
    },
    "fleets": [2, 3],
    "armies": ["narbonensis"],
    "discs": {"narbonensis": "revolt", "tarraconensis": "unrest", "lugdunensis": "constantius", "etruria": "maximian"},
}
LINE = "4211 M:6 bit/-/aqu/gsu 23 nar nar tar -/-/lug/etr"


def without(key):
    return {name: value for name, value in FIGHT.items() if name != key}


# -- there and back --------------------------------------------------------------------------------------------


@given(positions())
def test_json_is_read_back_as_printed(position):
    """JSON of any position, possible or not, gives the same position; printing it again gives the same text."""
    text = position.to_json()

    assert Position.from_json(text) == position
    assert Position.from_json(text.encode()) == position
    assert Position.from_json(text).to_json() == text
    assert json.loads(text) == to_data(position)


@given(positions())
def test_a_line_is_read_back_as_printed(position):
    """The one-line notation of any position gives the same position; printing it again gives the same text."""
    line = str(position)

    assert Position.parse(line) == position
    assert str(Position.parse(line)) == line
    assert "\n" not in line
    assert repr(position) == f"<Position {line}>"


def test_the_two_forms_mean_the_same():
    """The example of the format and its line are one position."""
    position = Position.from_json(json.dumps(FIGHT))

    assert position == Position.parse(LINE)
    assert str(position) == LINE
    assert to_data(position) == FIGHT | {"ruleset": ruleset_data(Ruleset.from_level("4211"))}


def test_positions_of_games_are_read_back():
    """Every position of games at random survives both forms."""
    for seed in range(12):
        for position in random_game(f"forms {seed}", 8):
            assert Position.parse(str(position)) == Position.from_json(position.to_json()) == position


def test_keys_come_in_the_order_of_the_format():
    """The keys of the JSON form have one order, and discs that of the board file."""
    data = to_data(Position.parse(LINE))

    assert list(data) == list(FIGHT)
    assert list(data["discs"]) == sorted(data["discs"], key=BOARD.order.__getitem__)


def test_order_in_a_file_does_not_matter():
    """Keys, armies and fleets may come in any order."""
    turned = {key: FIGHT[key] for key in reversed(FIGHT)} | {"fleets": [3, 2]}

    assert from_data(turned) == Position.parse(LINE)


def test_ip_may_be_left_out_in_the_barbarian_phase():
    """In the Barbarian phase there are no IP to show."""
    position = from_data(without("ip") | {"phase": "barbarian"})

    assert (position.phase, position.ip) == (Phase.BARBARIAN, 0)
    assert str(position).split()[1] == "M:b"
    assert Position.parse(str(position.replace(ip=2))).ip == 2  # impossible, but kept


def test_pieces_are_read_back_as_written():
    """Each key of a module, written by hand in both forms."""
    pieces = {
        "dux": None,
        "vicarius": "roma",
        "passing": "vicarius",
        "pirates": 2,
        "goths": "sarmatia",
        "rebels": {"libya": {"figure": "dux", "fleet": 3}, "persia": {"figure": "goths", "fleet": 3}},
        "glory": {"constantius": 0, "diocletian": 1, "galerius": 0, "maximian": 2},
    }
    position = from_data(FIGHT | pieces)

    assert {key: to_data(position)[key] for key in pieces} == pieces
    assert Position.parse(str(position)) == position
    assert str(position).endswith(
        'pirates=2 rebels={"libya":{"figure":"dux","fleet":3},"persia":{"figure":"goths","fleet":3}} vicarius="roma"'
    )
    assert position.rebels == {"libya": Rebel("dux", 3), "persia": Rebel("goths", 3)}


def test_a_byte_order_mark_is_no_hindrance_in_bytes():
    """Some editors put a byte order mark in front of a file."""
    assert Position.from_json(b"\xef\xbb\xbf" + json.dumps(FIGHT).encode()) == Position.parse(LINE)


# -- errors name the field -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key", ["format", "board", "ruleset", "to_move", "phase", "ip", "emperors", "fleets", "armies", "discs"]
)
def test_a_missing_key_is_named(key):
    with pytest.raises(PositionSyntaxError) as caught:
        from_data(without(key))

    assert caught.value.where == key
    assert "required" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"format": "tetrasolve-position/2"}, "format"),
        ({"board": "atlantis"}, "board"),
        ({"ruleset": "4299"}, "ruleset"),
        ({"ruleset": 4211}, "ruleset"),
        ({"ruleset": None}, "ruleset"),
        ({"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1}}, "ruleset.armies"),
        ({"ruleset": {"garrisons": "4", "fleets": 2, "revolts": 1, "armies": 1}}, "ruleset.garrisons"),
        ({"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1, "armies": 1, "level": 1}}, "ruleset.level"),
        ({"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1, "armies": 1, "modules": "dux"}}, "ruleset.modules"),
        ({"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1, "armies": 1, "modules": [1]}}, "ruleset.modules[0]"),
        (
            {"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1, "armies": 1, "variants": ["barbaria"] * 2}},
            "ruleset.variants",
        ),
        (
            {"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1, "armies": 1, "interpretations": []}},
            "ruleset.interpretations",
        ),
        (
            {"ruleset": {"garrisons": 4, "fleets": 2, "revolts": 1, "armies": 1, "interpretations": {"I-PASS": 1}}},
            "ruleset.interpretations.I-PASS",
        ),
        ({"to_move": "carausius"}, "to_move"),
        ({"to_move": None}, "to_move"),
        ({"phase": "greek"}, "phase"),
        ({"phase": ["roman"]}, "phase"),
        ({"ip": "6"}, "ip"),
        ({"ip": 6.0}, "ip"),
        ({"ip": True}, "ip"),
        ({"ip": 100}, "ip"),
        ({"ip": -100}, "ip"),
        ({"ip": None}, "ip"),
        ({"emperors": []}, "emperors"),
        ({"emperors": FIGHT["emperors"] | {"carausius": None}}, "emperors.carausius"),
        ({"emperors": {"diocletian": None}}, "emperors.galerius"),
        ({"emperors": FIGHT["emperors"] | {"galerius": "Roma"}}, "emperors.galerius"),
        ({"emperors": FIGHT["emperors"] | {"galerius": ""}}, "emperors.galerius"),
        ({"fleets": 2}, "fleets"),
        ({"fleets": [2, 0]}, "fleets[1]"),
        ({"fleets": [4]}, "fleets[0]"),
        ({"fleets": [True]}, "fleets[0]"),
        ({"armies": "narbonensis"}, "armies"),
        ({"armies": ["libya", "nar"]}, "armies[1]"),
        ({"armies": [None]}, "armies[0]"),
        ({"discs": ["narbonensis"]}, "discs"),
        ({"discs": {"nar": "revolt"}}, "discs"),
        ({"discs": {"asia": "garrison"}}, "discs.asia"),
        ({"discs": {"asia": None}}, "discs.asia"),
        ({"dux": 3}, "dux"),
        ({"vicarius": "alive"}, "vicarius"),
        ({"pirates": 4}, "pirates"),
        ({"pirates": True}, "pirates"),
        ({"goths": None}, "goths"),
        ({"goths": 3}, "goths"),
        ({"passing": "carausius"}, "passing"),
        ({"passing": None}, "passing"),
        ({"rebels": ["gaetulia"]}, "rebels"),
        ({"rebels": {"kent": {"figure": "dux", "fleet": 1}}}, "rebels.kent"),
        ({"rebels": {"libya": "dux"}}, "rebels.libya"),
        ({"rebels": {"libya": {"figure": "dux"}}}, "rebels.libya"),
        ({"rebels": {"libya": {"figure": "dux", "fleet": 1, "ip": 1}}}, "rebels.libya"),
        ({"rebels": {"libya": {"figure": "vicarius", "fleet": 1}}}, "rebels.libya.figure"),
        ({"rebels": {"libya": {"figure": ["dux"], "fleet": 1}}}, "rebels.libya.figure"),
        ({"rebels": {"libya": {"figure": "dux", "fleet": 4}}}, "rebels.libya.fleet"),
        ({"rebels": {"libya": {"figure": "dux", "fleet": True}}}, "rebels.libya.fleet"),
        ({"removed": []}, "removed"),
        ({"removed": {"carausius": 1}}, "removed.carausius"),
        ({"glory": {"maximian": -1}}, "glory.maximian"),
        ({"glory": {"maximian": 1.5}}, "glory.maximian"),
        ({"barbarian_discs": {"white": 1}}, "barbarian_discs.white"),
        ({"colour": "blue"}, "colour"),
        ({"two\nlines": 1}, "'two\\nlines'"),
    ],
)
def test_the_field_that_cannot_be_read_is_named(change, where):
    """An error says where it is and what was expected there."""
    with pytest.raises(PositionSyntaxError) as caught:
        Position.from_json(json.dumps(FIGHT | change))

    assert caught.value.where == where
    assert str(caught.value).startswith(f"{where}: found ")
    assert caught.value.expected in str(caught.value)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("", "JSON"),
        ("{", "JSON"),
        ('{"ip": 6,}', "JSON"),
        (b"\xff\xfe\xfa", "JSON"),
        ('{"ip": NaN}', "JSON"),
        ('{"ip": -Infinity}', "JSON"),
        ('{"ip": ' + "9" * 5000 + "}", "JSON"),
        ("[" * 100_000, "JSON"),
        ("[]", "position"),
        ("null", "position"),
        ("6", "position"),
        ('"4211"', "position"),
    ],
)
def test_text_that_is_no_position_at_all(text, where):
    with pytest.raises(PositionSyntaxError) as caught:
        Position.from_json(text)

    assert caught.value.where == where


@pytest.mark.parametrize("key", ["ip", "discs", "format"])
def test_a_key_that_stands_twice_is_an_error(key):
    """Of two values for one key none is dropped silently."""
    text = json.dumps(FIGHT)
    twice = text[:-1] + f', "{key}": {json.dumps(FIGHT[key])}}}'

    with pytest.raises(PositionSyntaxError) as caught:
        Position.from_json(twice)
    assert (caught.value.where, caught.value.expected) == (key, "each key once")


def test_a_province_that_stands_twice_is_an_error():
    """A province has one disc: naming it twice is an error, in both forms."""
    text = json.dumps(FIGHT).replace('"etruria": "maximian"', '"etruria": "maximian", "etruria": "galerius"')

    with pytest.raises(PositionSyntaxError, match="etruria: found 'galerius', expected each key once"):
        Position.from_json(text)
    with pytest.raises(PositionSyntaxError, match="garrisons of Maximian: found 'lug'"):
        Position.parse(LINE.replace("lug/etr", "lug/lug"))
    with pytest.raises(PositionSyntaxError, match=r"removed\.maximian: found 2, expected each key once"):
        Position.parse(LINE + ' removed={"maximian":1,"maximian":2}')


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("", "ruleset"),
        ("4211", "active Emperor"),
        ("4211 M:6 bit/-/aqu/gsu 23 nar nar tar", "garrisons"),
        (LINE.replace("4211", "4217"), "ruleset"),
        (LINE.replace("4211", "4211+carausius"), "ruleset"),
        (LINE.replace("4211", "4211?I-PASS"), "ruleset"),
        (LINE.replace("4211", "4211?"), "ruleset"),
        (LINE.replace("4211", "421"), "ruleset"),
        (LINE.replace("4211", "\uff14\uff12\uff11\uff11"), "ruleset"),
        (LINE.replace("M:6", "X:6"), "active Emperor"),
        (LINE.replace("M:6", "M6"), "active Emperor"),
        (LINE.replace("M:6", "M:"), "active Emperor"),
        (LINE.replace("M:6", "M:six"), "active Emperor"),
        (LINE.replace("M:6", "M:٦"), "active Emperor"),
        (LINE.replace("M:6", "M:100"), "active Emperor"),
        (LINE.replace("M:6", "M:--6"), "active Emperor"),
        (LINE.replace("bit/-/aqu/gsu", "bit/-/aqu"), "Emperors"),
        (LINE.replace("bit/", "xyz/"), "place of Diocletian"),
        (LINE.replace("bit/", "/"), "place of Diocletian"),
        (LINE.replace(" 23 ", " 24 "), "fleets"),
        (LINE.replace(" 23 ", " 2,3 "), "fleets"),
        (LINE.replace(" 23 ", " \uff12\uff13 "), "fleets"),
        (LINE.replace("23 nar", "23 nar,lib"), "armies"),
        (LINE.replace("nar tar", "NAR tar"), "revolts"),
        (LINE.replace("nar tar", "nar nar"), "unrest"),
        (LINE.replace("lug/etr", "lug.xxx/etr"), "garrisons of Constantius"),
        (LINE.replace("lug/etr", "lug"), "garrisons"),
        (LINE + " more", "pieces"),
        (LINE + " dux=", "dux"),
        (LINE + ' dux="asia" dux="asia"', "pieces"),
        (LINE + " pirates=NaN", "pirates"),
        (LINE + " pirates=7", "pirates"),
        (LINE + " rebels=" + "[" * 5000, "rebels"),
        (LINE + " rebels=" + "[" * 900 + "]" * 900, "rebels"),
        (LINE + ' rebels={"libya":{"figure":"dux","fleet":0}}', "rebels.libya.fleet"),
    ],
)
def test_the_part_of_a_line_that_cannot_be_read_is_named(line, where):
    """An error in the one-line notation says which of its fields it is about."""
    with pytest.raises(PositionSyntaxError) as caught:
        Position.parse(line)

    assert caught.value.where == where
    assert len(str(caught.value)) < 400


# -- rulesets --------------------------------------------------------------------------------------------------


@given(rulesets())
def test_rulesets_are_read_back_as_printed(ruleset):
    """A ruleset prints as text that means it, with its readings sorted and the defaults left out."""
    assert Ruleset.from_text(str(ruleset)) == ruleset
    assert hash(Ruleset.from_text(str(ruleset))) == hash(ruleset)
    assert str(Ruleset.from_text(str(ruleset))) == str(ruleset)
    assert ruleset.with_readings(ruleset.interpretations) == ruleset
    assert dict(ruleset.interpretations).items() <= ruleset.readings.items()


def test_all_levels_are_all_levels():
    """Each of the 81 levels once, the easiest first and the hardest last."""
    levels = [ruleset.level for ruleset in all_levels()]

    assert len(set(levels)) == len(levels) == 81
    assert (levels[0], levels[-1]) == ("5300", "3122")
    assert {tuple(map(int, level)) for level in levels} == {
        (g, f, r, a) for g in (3, 4, 5) for f in (1, 2, 3) for r in (0, 1, 2) for a in (0, 1, 2)
    }
    assert [Ruleset.from_level(level).level for level in levels] == levels


@pytest.mark.parametrize(
    "level",
    [
        "2211",
        "6211",
        "4011",
        "4411",
        "4231",
        "4213",
        "42111",
        "421",
        "",
        "abcd",
        "4 11",
        "\uff14\uff12\uff11\uff11",
        "-421",
    ],
)
def test_a_level_that_does_not_exist_is_refused(level):
    with pytest.raises(RulesetError):
        Ruleset.from_level(level)


@pytest.mark.parametrize("value", [True, "4", 4.0, None])
def test_a_level_is_made_of_whole_numbers(value):
    with pytest.raises(RulesetError, match="garrisons"):
        Ruleset(garrisons=value)


def test_a_ruleset_names_its_modules_and_variants():
    """They stand after the level, modules first, and any set of them can be combined."""
    everything = "4211+dux+goths+pirates+vicarius+barbaria+imperium+mare-nostrum+roma-aeterna+usurpator+via-romana"
    ruleset = Ruleset.from_text(everything)

    assert ruleset.modules == set(MODULES)
    assert ruleset.variants == set(VARIANTS)
    assert ruleset.extensions == ruleset.modules | ruleset.variants
    assert str(ruleset) == everything
    assert Ruleset.from_text("4211+usurpator+dux") == Ruleset.from_text("4211+dux+usurpator")


def test_pirates_need_fewer_than_three_fleets():
    """Pirates take a sea zone, so the level has one or two Roman fleets (p. 13)."""
    for fleets in (1, 2):
        assert Ruleset(4, fleets, modules=frozenset({"pirates"})).fleets == fleets
    with pytest.raises(RulesetError, match="4311: Pirates need fewer than 3 Roman fleets"):
        Ruleset.from_text("4311+pirates")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("4211+atlantis", "no module or variant"),
        ("4211+", "no module or variant"),
        ("4211?I-LUCK=good", "'I-LUCK' does not exist"),
        ("4211?I-PASS=double", "'double' is no value"),
        ("4211?I-PASS=single,I-PASS=chain", "given twice"),
        ("4211?I-PASS=single,", "expected NAME=VALUE"),
        ("4211?", "expected NAME=VALUE"),
    ],
)
def test_what_is_wrong_with_a_ruleset_is_reported(text, problem):
    with pytest.raises(RulesetError, match=problem):
        Ruleset.from_text(text)


def test_modules_and_variants_of_unknown_names():
    """A name that is no module lists those that are."""
    for kind, known in (("modules", MODULES), ("variants", VARIANTS)):
        with pytest.raises(RulesetError) as caught:
            Ruleset(**{kind: frozenset({"atlantis"})})
        assert all(name in str(caught.value) for name in known)


@given(st.text(max_size=20))
def test_any_text_is_a_ruleset_or_an_error(text):
    """Reading a ruleset never fails in another way."""
    try:
        ruleset = Ruleset.from_text(text)
    except RulesetError:
        return
    assert Ruleset.from_text(str(ruleset)) == ruleset


def test_readings_that_change_nothing_are_refused():
    """A reading of a module that is not in use is a mistake."""
    names = [name for name, reading in READINGS.items() if reading.needs]

    assert names
    for name in names:
        with pytest.raises(RulesetError, match="changes nothing without"):
            Ruleset.from_text(f"4211?{name}={READINGS[name].default}")
