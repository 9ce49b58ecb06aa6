"""House rules as a value: what is read, written and refused, and that nothing under them is taken for the game of the rulebook."""

import json
import re
import tomllib
from importlib import resources

import pytest

import tetrasolve
from tetrasolve.errors import PositionSyntaxError, RecordError, RulesetError
from tetrasolve.tetrarchia import numbers, rules
from tetrasolve.tetrarchia.house import HOUSE_NUMBERS, STANDARD, load_house, read_house
from tetrasolve.tetrarchia.position import Position, start_of_turn
from tetrasolve.tetrarchia.ruleset import Ruleset

HOUSE = Ruleset.from_text("4211?I-PASS=single,attack=1,ip=7")


def test_the_defaults_are_the_numbers_of_the_rulebook_by_their_constants():
    rows = tomllib.loads(resources.files("tetrasolve.tetrarchia").joinpath("data/house.toml").read_text("utf-8"))[
        "number"
    ]

    assert {row["name"]: getattr(numbers, row["constant"]) for row in rows} == dict(STANDARD)
    assert all(row["least"] <= STANDARD[row["name"]] <= row["most"] for row in rows)


def test_a_ruleset_reads_back_from_its_text():
    assert str(HOUSE) == "4211?I-PASS=single,attack=1,ip=7"
    assert Ruleset.from_text(str(HOUSE)) == HOUSE
    assert HOUSE.house == (("attack", 1), ("ip", 7))
    assert (HOUSE.numbers["ip"], HOUSE.numbers["sail"]) == (7, 1)


def test_a_number_of_the_rulebook_is_no_house_rule():
    assert Ruleset.from_text("4211?ip=6,attack=1") == Ruleset.from_text("4211?attack=1")
    assert Ruleset.from_text("4211?ip=6") == Ruleset()


def test_readings_modules_and_house_rules_keep_each_other():
    changed = HOUSE.with_readings([("I-CHECK", "one-roll")]).with_extensions(["dux"])

    assert str(changed) == "4211+dux?I-CHECK=one-roll,I-PASS=single,attack=1,ip=7"
    assert str(changed.with_house([("sail", 2)])) == "4211+dux?I-CHECK=one-roll,I-PASS=single,sail=2"


def test_positions_and_records_carry_them():
    game = tetrasolve.new_game(HOUSE, seed=1)
    text, data, record = str(game.start), game.start.to_json(), tetrasolve.write_record(game)

    assert text.split(maxsplit=1)[0] == str(HOUSE)
    assert Position.parse(text) == game.start == Position.from_json(data)
    assert game.start.ip == 7
    assert tetrasolve.read_record(record).start == game.start
    assert Position.parse(text) != Position.parse(text.replace(",attack=1,ip=7", "").replace(":7", ":6"))


def test_the_json_form_of_the_rulebook_has_no_house_rules():
    assert '"house"' not in tetrasolve.example("fight").to_json()


def test_a_record_whose_position_is_of_other_rules_is_refused():
    record = tetrasolve.write_record(tetrasolve.new_game(Ruleset.from_text("4211?attack=1"), seed=1))

    with pytest.raises(RecordError, match=r"the position is of ruleset 4211\?attack=1, the record of 4211"):
        tetrasolve.read_record(record.replace("ruleset 4211?attack=1", "ruleset 4211"))


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("4211?ip=10", "house rule ip: 10, expected a whole number from 2 to 9 (IP of a turn)"),
        ("4211?ip=1", "house rule ip: 1, expected a whole number from 2 to 9 (IP of a turn)"),
        ("4211?ip=-1", "house rule ip: '-1', expected a whole number"),
        ("4211?ip=", "house rule ip: '', expected a whole number"),
        ("4211?ip=\u0666", "house rule ip: '\u0666', expected a whole number"),
        ("4211?ip=9999", "house rule ip: '9999', expected a whole number"),
        ("4211?ip=7,ip=8", "house rule ip is given twice"),
        ("4211?ipp=7", "reading 'ipp' does not exist"),
        ("4211?deploy-dux=1", "house rule deploy-dux changes nothing without 'dux'"),
        ("4211?attack", "reading 'attack': expected NAME=VALUE, like I-PASS=single or ip=7"),
        ("4211?revolts=6", "house rules revolts=6 at level 4211: the set-up needs 7 revolts, there are 6"),
        ("4212?armies=1", "house rules armies=1 at level 4212: the set-up needs 2 armies, there are 1"),
        ("4221?first-revolts=3,revolts=19", "the set-up needs 20 revolts, there are 19"),
        ("4210+barbaria?revolts=7", "the set-up needs 8 revolts, there are 7"),
        ("4211?secure-border=7", "a border costs 7 IP, a turn has 6: no game could be won"),
        ("4211?ip=2,secure-border=3", "a border costs 3 IP, a turn has 2: no game could be won"),
    ],
)
def test_what_is_refused_in_the_text_of_a_ruleset(text, error):
    with pytest.raises(RulesetError, match=re.escape(error)):
        Ruleset.from_text(text)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "rules.toml: expected a table [house] with numbers, like ip = 7"),
        ("ip = 7", "rules.toml: ip is no part of a file of house rules, expected the table [house] alone"),
        ("house = 7", "rules.toml: expected a table [house] with numbers, like ip = 7"),
        ("[house]\nip = 7.0", "rules.toml: house rule ip: 7.0, expected a whole number from 2 to 9"),
        ("[house]\nip = true", "rules.toml: house rule ip: True, expected a whole number from 2 to 9"),
        ("[house]\nip = '7'", "rules.toml: house rule ip: '7', expected a whole number from 2 to 9"),
        ("[house]\natack = 1", "rules.toml: house rule 'atack' does not exist, expected one like attack"),
        ("[house]\nip = 7\nip = 8", "rules.toml: "),
        ("[house\nip = 7", "rules.toml: "),
        ("[house]\nip = 7\n[readings]\nI-PASS = 'single'", "rules.toml: readings is no part of a file of house rules"),
        ("[house]\nip = 7\n#" + "x" * 10_000, "rules.toml: "),
        (b"[house]\nip = 7 # \xff", "rules.toml: "),
    ],
)
def test_what_is_refused_in_a_file(text, error):
    with pytest.raises(RulesetError, match=re.escape(error)):
        read_house(text, "rules.toml")


def test_a_file_is_read(tmp_path):
    (tmp_path / "rules.toml").write_text("[house]\nip = 7\nsail = 1\nattack = 1\n", "utf-8")

    assert load_house(tmp_path / "rules.toml") == (("attack", 1), ("ip", 7))


@pytest.mark.parametrize(
    ("house", "where"), [('{"ip": 70}', "ruleset"), ('{"ip": "7"}', "ruleset.house.ip"), ("[]", "ruleset.house")]
)
def test_what_is_refused_in_the_json_form(house, where):
    position = tetrasolve.new_game(Ruleset.from_text("4211?ip=7"), seed=1).start
    data = json.dumps(json.loads(position.to_json())).replace('{"ip": 7}', house)

    with pytest.raises(PositionSyntaxError) as caught:
        Position.from_json(data)
    assert caught.value.where == where


@pytest.mark.parametrize(
    ("house", "changes", "kind"),
    [
        ("revolts=8", {"revolts": 9}, "too-many-revolt"),
        ("unrest=6", {"unrest": 7}, "too-many-unrest"),
        ("armies=1", {"armies": 2}, "too-many-armies"),
        ("ip=5", {"ip": 6}, "ip"),
    ],
)
def test_the_reasons_why_a_position_cannot_occur_follow_the_numbers(house, changes, kind):
    position = rules.random_set_up(Ruleset.from_text(f"4211?{house}"), 3)
    roman = [place.id for place in position.board.provinces.values() if not place.is_border]
    discs = dict(position.discs)
    for disc in ("revolts", "unrest"):
        for place in [place for place in roman if place not in discs][: max(changes.get(disc, 0) - len(discs), 0)]:
            discs[place] = disc.removesuffix("s")
    if "unrest" in changes:
        discs = dict.fromkeys(roman[: changes["unrest"]], "unrest")
    armies = position.board.borders[: changes.get("armies", 1)]
    changed = position.replace(discs=discs, armies=armies, ip=changes.get("ip", position.ip))

    assert position.status() == ()
    assert [reason.code for reason in changed.status()] == [kind]
    assert changed.replace(ruleset=Ruleset()).status() == () or kind == "ip"


def test_a_turn_begins_with_the_ip_of_the_house_rule():
    position = rules.random_set_up(Ruleset.from_text("4211?ip=4"), 1)

    assert position.ip == 4
    assert start_of_turn(position, "maximian").ip == 4
    assert tetrasolve.build("4211?ip=4").to_act("galerius").draft.ip == 4
    assert set(HOUSE_NUMBERS) == set(STANDARD)
