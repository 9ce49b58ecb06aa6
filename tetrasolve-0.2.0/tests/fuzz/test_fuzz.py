"""Whatever text comes: a parser reads it, or refuses it with an error that says where and why, and repairs nothing silently.

Mutations are drawn from seeds, so that each run tries the same texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from moduletable import extended
from tabletop import MAP, random_game

from tetrasolve.errors import ActionError, PositionSyntaxError, RecordError, RulesetError
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import Game
from tetrasolve.tetrarchia.jsonform import from_data
from tetrasolve.tetrarchia.pieces import Rebel
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.record import read_record, write_record
from tetrasolve.tetrarchia.rules import RandomDice
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
GAME = [position for seed in range(6) for position in random_game(f"fuzz {seed}", 8)]
PIECES = {
    "dux": "asia",
    "vicarius": "dead",
    "pirates": 3,
    "goths": "reserve",
    "rebels": (("gaetulia", Rebel("goths", 1)),),
    "removed": (("maximian", 1),),
    "glory": (),
    "power": True,
    "barbarian_discs": (("black", 1), ("gray", 4)),
}
POWERS = [
    extended("imperium", {"removed": {"diocletian": 1}, "power": True}, at={"diocletian": "asia", "galerius": "dacia"}),
    extended(
        "imperium+pirates",
        {"pirates": 3},
        to_move="galerius",
        at={"galerius": "thracia"},
        fleets=(2,),
        armies="moesia_inferior",
        revolts="moesia_inferior",
        garrisons={"galerius": "dacia macedonia"},
    ),
    extended("imperium", to_move="maximian", at={"maximian": "roma"}, garrisons={"maximian": "etruria libya"}),
]
SOURCES = GAME[::7] + [position.replace(pieces=PIECES) for position in GAME[::31]]

# Pieces of text that have broken parsers before
NASTY = [
    "",
    " ",
    "\x00",
    "\ufeff",
    "\ud800",
    "\udfff",
    "\u2028",
    "\U0001f3db",
    "٣",
    "\uff14",
    "²",
    "\u017f",
    "İ",
    "-",
    "--",
    "-0",
    "0x10",
    "1e400",
    "1_000",
    "9" * 30,
    "9" * 5000,
    "NaN",
    "Infinity",
    "null",
    "true",
    "[]",
    "{}",
    "[" * 50,
    "[" * 1200,
    '{"a":' * 400,
    '"',
    "\\",
    "\\u0000",
    "\\ud800",
    "/",
    "//",
    ".",
    "..",
    ":",
    "=",
    "?",
    "+",
    ",",
    "\n",
    "\t",
    "%s",
    "{}{}",
    "None",
    "roma",
    "rom",
    "maximian",
    "revolt",
]
ODD_VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    -1,
    1,
    7,
    99,
    100,
    10**40,
    16**5000,
    1.0,
    -0.0,
    float("nan"),
    float("inf"),
    "",
    "roma",
    "Roma",
    "rom",
    "4211",
    "4211?I-PASS=single",
    "unrest",
    "\ud800",
    "x" * 5000,
    [],
    {},
    [[]],
    [None],
    ["roma", "roma"],
    {"roma": "revolt"},
    {"": ""},
    {"\ud800": 1},
    {"a\nb": None},
    {"y" * 5000: 0},
    {1: 2},
]


def deep(depth: int) -> list[Any]:
    nest: list[Any] = []
    for _ in range(depth):
        nest = [nest]
    return nest


ODD_VALUES += [deep(50), deep(5000)]

# -- mutators ----------------------------------------------------------------------------------------------------


def flip(text: str, random: Random) -> str:
    """One character is another one."""
    at = random.randrange(len(text) + 1)
    return text[:at] + chr(random.choice([random.randrange(32, 127), random.randrange(0x2FFFF)])) + text[at + 1 :]


def cut(text: str, random: Random) -> str:
    """The end is missing, or the beginning, or something between."""
    a, b = sorted(random.randrange(len(text) + 1) for _ in range(2))
    return random.choice([text[:a], text[b:], text[:a] + text[b:]])


def double(text: str, random: Random) -> str:
    """A part stands twice."""
    a, b = sorted(random.randrange(len(text) + 1) for _ in range(2))
    return text[:b] + text[a:]


def insert(text: str, random: Random) -> str:
    """Something nasty comes in between."""
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(NASTY) + text[at:]


def swap(text: str, random: Random) -> str:
    """Two words change places."""
    words = text.split(" ")
    a, b = random.randrange(len(words)), random.randrange(len(words))
    words[a], words[b] = words[b], words[a]
    return " ".join(words)


def put(text: str, random: Random) -> str:
    """A word is something nasty."""
    words = text.split(" ")
    words[random.randrange(len(words))] = random.choice(NASTY)
    return " ".join(words)


def cross(text: str, random: Random) -> str:
    """A word is one of another position."""
    words, others = text.split(" "), str(random.choice(SOURCES)).split(" ")
    words[random.randrange(len(words))] = random.choice(others)
    return " ".join(words)


MUTATORS: list[Callable[[str, Random], str]] = [flip, cut, double, insert, swap, put, cross]


def mutated(text: str, random: Random) -> str:
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        text = random.choice(MUTATORS)(text, random)
    return text


def spots(data: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value where something stands, as (container, key)."""
    keys = data.keys() if isinstance(data, dict) else range(len(data)) if isinstance(data, list) else ()
    return [spot for key in keys for spot in [(data, key), *spots(data[key])]]


def mutate_data(data: dict[str, Any], random: Random) -> None:
    """Values of another type, missing and additional keys, values that change places."""
    places = spots(data)
    for container, key in random.sample(places, random.choice([1, 1, 2, 3])):
        what = random.randrange(5)
        if not (key in container if isinstance(container, dict) else key < len(container)):
            continue  # the last mutation has taken it away
        if what == 0:
            container[key] = random.choice(ODD_VALUES)
        elif what == 1:
            del container[key]
        elif what == 2 and isinstance(container, dict):
            container[random.choice([*NASTY[:12], "dux", "pirates", "goths", "ip", "roma"])] = container[key]
        elif what == 3:
            container[key] = random.choice([other[place] for other, place in spots(json.loads(SOURCES[-1].to_json()))])
        elif isinstance(container, list):
            container.append(container[key])


# -- what must hold ----------------------------------------------------------------------------------------------


def refused_well(error: Exception) -> None:
    """An error text names place and reason, is short, and can be printed anywhere."""
    text = str(error)
    assert text.strip()
    assert len(text) < 600
    text.encode("utf-8")
    if isinstance(error, PositionSyntaxError):
        assert error.where
        assert error.expected
        assert text.startswith(f"{error.where}: found ")
        assert error.expected in text
    else:
        assert len(text) > 10


def read_well(position: Position) -> None:
    """What was read is printed in both forms, and read back unchanged."""
    assert Position.parse(str(position)) == position
    assert Position.from_json(position.to_json()) == position
    position.status()


def same_as_given(stated: dict[str, Any], position: Position) -> bool:
    """Whether a position holds what its JSON says, figure by figure: nothing was repaired, nothing was dropped."""
    ruleset = stated["ruleset"]
    if isinstance(ruleset, str):
        same_rules = Ruleset.from_text(ruleset) == position.ruleset
    else:
        levels = [
            position.ruleset.garrisons,
            position.ruleset.fleets,
            position.ruleset.revolts,
            position.ruleset.armies,
        ]
        same_rules = [ruleset[key] for key in ("garrisons", "fleets", "revolts", "armies")] == levels
    plain = json.loads(position.to_json())
    return (
        same_rules
        and all(stated[key] == plain[key] for key in ("to_move", "phase", "emperors", "discs"))
        and stated.get("ip", 0) == plain["ip"]
        and sorted(stated["fleets"]) == plain["fleets"]
        and sorted(stated["armies"]) == sorted(plain["armies"])
        and {key: stated[key] for key in PIECES if key in stated} == {key: plain[key] for key in PIECES if key in plain}
    )


def tried(total: int, attempt: Callable[[Random], bool], seed: str) -> int:
    """Makes so many attempts and counts those that were read."""
    return sum(attempt(Random(f"{seed} {number}")) for number in range(total))


# -- positions -----------------------------------------------------------------------------------------------------


def test_mutated_lines():
    """5,000 malformed one-line positions."""

    def attempt(random: Random) -> bool:
        line = mutated(str(random.choice(SOURCES)), random)
        try:
            position = Position.parse(line)
        except PositionSyntaxError as error:
            refused_well(error)
            return False
        read_well(position)
        assert str(position) == normal(line)
        return True

    assert 200 < tried(5000, attempt, "lines") < 3000


def normal(line: str) -> str:
    """The line as it should be printed: single spaces, codes in order, plain numbers. Written without the parser."""
    words = line.split()
    words[0] = str(Ruleset.from_text(words[0]))
    letter, _, ip = words[1].partition(":")
    phase, number = ("b", ip[1:]) if ip.startswith("b") else ("", ip)
    number = str(int(number)) if number else "0"
    words[1] = f"{letter}:{phase}{number if not phase or number != '0' else ''}"
    order = [BOARD[name].code for name in BOARD.ids]
    words[3] = "".join(sorted(words[3]))
    for row in (4, 5, 6):
        words[row] = ".".join(sorted(words[row].split("."), key=order.index)) if words[row] != "-" else "-"
    words[7] = "/".join(
        ".".join(sorted(part.split("."), key=order.index)) if part != "-" else "-" for part in words[7].split("/")
    )
    words[8:] = sorted(
        f"{key}={json.dumps(sort_tables(json.loads(value)), separators=(',', ':'))}"
        for key, _, value in (word.partition("=") for word in words[8:])
    )
    return " ".join(words)


def sort_tables(value: Any) -> Any:
    return dict(sorted(value.items())) if isinstance(value, dict) else value


def test_mutated_json_text():
    """3,000 malformed JSON texts."""

    def attempt(random: Random) -> bool:
        text = mutated(random.choice(SOURCES).to_json(), random)
        try:
            position = Position.from_json(text)
        except PositionSyntaxError as error:
            refused_well(error)
            return False
        read_well(position)
        assert same_as_given(json.loads(text), position)
        return True

    assert 30 < tried(3000, attempt, "json text") < 2000


def test_mutated_bytes():
    """1,500 malformed files: bytes that are no text, or text in another encoding."""

    def attempt(random: Random) -> bool:
        raw = bytearray(
            random.choice(SOURCES).to_json().encode(random.choice(["utf-8", "utf-16", "utf-32-be", "utf-8-sig"]))
        )
        for _ in range(random.choice([0, 1, 3, 10])):
            raw[random.randrange(len(raw))] = random.randrange(256)
        try:
            position = Position.from_json(bytes(raw))
        except PositionSyntaxError as error:
            refused_well(error)
            return False
        read_well(position)
        return True

    assert tried(1500, attempt, "bytes") > 300


def test_mutated_data():
    """4,000 JSON values with other types, missing keys, deep nests, huge numbers, lone surrogates."""

    def attempt(random: Random) -> bool:
        data = json.loads(random.choice(SOURCES).to_json())
        mutate_data(data, random)
        try:
            position = from_data(data)
        except PositionSyntaxError as error:
            refused_well(error)
            return False
        read_well(position)
        assert same_as_given(data, position)
        return True

    assert tried(4000, attempt, "data") > 200


@pytest.mark.parametrize("row_of_value", range(len(ODD_VALUES)))
def test_odd_values_at_every_place(row_of_value):
    """Each odd value at each place of a position is read as it stands or refused."""
    value = ODD_VALUES[row_of_value]
    text = SOURCES[-1].to_json()
    for row in range(len(spots(json.loads(text)))):
        data = json.loads(text)
        container, key = spots(data)[row]
        container[key] = value
        try:
            position = from_data(data)
        except PositionSyntaxError as error:
            refused_well(error)
        else:
            read_well(position)
            assert same_as_given(data, position)


@pytest.mark.parametrize("depth", [1, 10, 100, 300, 490, 600, 800, 900, 950, 980, 1000, 1500, 20_000])
@pytest.mark.parametrize("form", ["[]", '{"":}'])
def test_nesting_of_any_depth(depth, form):
    """However deep a text is nested, it is refused and nothing overflows."""
    opening, closing = (form[:1], form[1:]) if form == "[]" else (form[:-1], form[-1:])
    nest = opening * depth + ("0" if form != "[]" else "") + closing * depth
    whole = SOURCES[0].to_json()
    for text in (
        nest,
        whole.replace('"phase": ', f'"phase": {nest}, "more": ', 1),
        whole[:-2] + f', "goths": {nest}}}',
    ):
        with pytest.raises(PositionSyntaxError) as caught:
            Position.from_json(text)
        refused_well(caught.value)
    with pytest.raises(PositionSyntaxError) as caught:
        Position.parse(f"{SOURCES[0]} goths={nest}")
    refused_well(caught.value)


# -- actions and rulesets ------------------------------------------------------------------------------------------


def test_mutated_actions():
    """5,000 malformed actions: unreadable, illegal, ambiguous, or a legal action that prints as it is read."""

    def attempt(random: Random) -> bool:
        position = random.choice(GAME)
        legal = rules.legal_actions(position)
        word = str(random.choice(legal)) if legal else "end"
        text = mutated(word, random)
        try:
            action = rules.parse(position, text)
        except ActionError as error:
            refused_well(error)
            return False
        assert rules.objection(position, action) is None
        assert rules.parse(position, str(action)) == action
        assert action in read_action(text, BOARD)
        return True

    assert 100 < tried(5000, attempt, "actions") < 4000


def test_mutated_actions_of_powers():
    """500 more where Emperors pay with discs and lead others, on the table of the rules' tests."""

    legal = {position: rules.legal_actions(position) for position in POWERS}

    def attempt(random: Random) -> bool:
        position = random.choice(POWERS)
        text = mutated(str(random.choice(legal[position])), random)
        try:
            action = rules.parse(position, text)
        except ActionError as error:
            refused_well(error)
            return False
        assert rules.objection(position, action) is None
        assert rules.parse(position, str(action)) == action
        return True

    assert 10 < tried(500, attempt, "actions of powers") < 480


def test_mutated_answers():
    """400 malformed dice lines of a phase with decisions: refused by their line, or a game that is written as it is read."""
    start = extended(
        "barbaria+imperium",
        {"barbarian_discs": {"gray": 2, "black": 1}},
        at={"diocletian": "asia", "galerius": "cisalpina", "constantius": "roma"},
        barbarian=True,
        armies="rhaetia",
        revolts="rhaetia",
    )
    games = [Game(start) for _ in range(20)]
    for seed, game in enumerate(games):
        answers = Random(f"answers {seed}")
        game.barbarians(RandomDice(seed), lambda choice, answers=answers: answers.randrange(len(choice.options)))
    lines = [write_record(game).splitlines() for game in games]

    def attempt(random: Random) -> bool:
        *head, dice, result = random.choice(lines)
        text = "\n".join([*head, mutated(dice, random), result])
        try:
            game = read_record(text, MAP)
        except RecordError as error:
            refused_well(error)
            return False
        assert read_record(write_record(game), MAP).state == game.state
        return True

    assert 10 < tried(400, attempt, "answers") < 380


def test_mutated_rulesets():
    """3,000 malformed rulesets."""
    texts = [
        "4211",
        "5300",
        "4211?I-PASS=single",
        "3122?I-CHECK=one-roll,I-FRESH=wait",
        "4211+dux+goths",
        "4211+barbaria",
    ]

    def attempt(random: Random) -> bool:
        text = mutated(random.choice(texts), random)
        try:
            ruleset = Ruleset.from_text(text)
        except RulesetError as error:
            refused_well(error)
            return False
        assert Ruleset.from_text(str(ruleset)) == ruleset
        assert ruleset.level == text[:4]
        return True

    assert tried(3000, attempt, "rulesets") > 50
