"""Reasons of `status` under every value of every reading: what they state is of the rules in force, and their numbers hold.

Games are played at random under each value beside the values with which it is compared. What they reach has no reason. Then a
field or two of what they reached are changed: each reason of the changed position must be true under its values, and what has none
is played on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tetrasolve.errors import TetrasolveError
from tetrasolve.finem import rules, status
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position, Result, Step
from tetrasolve.finem.ruleset import READINGS, ROLES, Ruleset
from tetrasolve.reason import Reason

# Sentences that hold under some values only: the values under which each may be shown
HOLDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "a die of 6 pacifies by itself [E-PACIFY]": {"E-PACIFY": ("automatic", "free")},
    "the die of a pacified tribe stays at 1 [E-AGAIN]": {"E-AGAIN": ("stays",)},
    "it pacifies in his turn [E-PREFECT]": {"E-PREFECT": ("standing",)},
    "it pacifies when the role comes [E-PREFECT]": {"E-PREFECT": ("found",)},
    "event S: a die that can rise [E-RAISE-STUCK]": {"E-RAISE-STUCK": ("not",)},
    "the Tribune sees the other card first [E-EXCHANGE]": {"E-EXCHANGE": ("may", "must", "by-phase")},
    "the Tribune puts a card away before he sees another [E-EXCHANGE]": {"E-EXCHANGE": ("blind", "by-phase")},
    "the card lies in its place until the other comes [E-SWAP]": {"E-SWAP": ("place",)},
    "one of the first three [E-FOURTH]": {"E-FOURTH": ("first-three",)},
    "the point of event S goes by itself [E-LIMIT-DICE]": {"E-LIMIT-DICE": ("raised",)},
    "the point of event S waits for the dice [E-LIMIT-EVENT]": {"E-LIMIT-EVENT": ("waits",)},
    "points above eleven are lost [E-LIMIT]": {"E-LIMIT": ("lost",)},
    "the decline [E-THREE] or the order [E-LIMIT-ORDER]": {"E-THREE": ("either",), "E-LIMIT-ORDER": ("chosen",)},
    "the decline after three cards of a suit [E-THREE]": {"E-THREE": ("either",)},
    "the order of cards of two suits at the limit [E-LIMIT-ORDER]": {"E-LIMIT-ORDER": ("chosen",)},
    "the Tribune's is in the invasion [E-TRIBUNE]": {"E-TRIBUNE": ("invasion",)},
    "the Tribune's is in the campaign [E-TRIBUNE]": {"E-TRIBUNE": ("campaign",)},
    "an event comes with three suits": {"E-EVENT": ("three-suits",)},
    "there is none [E-EVENT]": {"E-EVENT": ("never",)},
    "only one in the deck [E-PROTECT-OUT]": {"E-PROTECT-OUT": ("deck",)},
    "brought by the Emperor's card [E-EMPEROR-TRAVEL]": {"E-EMPEROR-TRAVEL": ("besides",)},
    "the Tribune's, in the invasion [E-INVASION-ORDER]": {"E-INVASION-ORDER": ("tribune",)},
    "the game is won": {"E-WIN": ("at-once",)},
    "the game is won at the end of the phase [E-WIN]": {"E-WIN": ("phase",)},
    "the game is won at the end of the turn [E-WIN]": {"E-WIN": ("turn",)},
}
NUMBERS = {"decline": "decline", "outbreaks": "outbreaks", "left": "left"}  # fields by the code of their reason
RANGE = re.compile(r"expected (\d+) to (\d+)$")


def all_values() -> Iterator[tuple[str, str]]:
    for name, reading in READINGS.items():
        yield from ((name, value) for value in reading.options if value != reading.default)


def rulesets(name: str, value: str) -> Iterator[Ruleset]:
    """The value beside what it is compared with, at the levels and options where it applies."""
    reading = READINGS[name]
    for level in ("introductory", "standard+corner+sphere"):
        start = Ruleset.from_text("+".join([level, *(need for need in reading.needs if need == "cap3")]))
        if reading.applies(start.level, start.options):
            yield start.with_readings([*reading.compared_beside(value).items(), (name, value)])


def reached(ruleset: Ruleset, seed: int, most: int) -> Iterator[Position]:
    """The positions of a game played at random, in which tribes are pacified early."""
    random = Random(f"{ruleset} {seed}")
    ruleset = ruleset.dealt(random)
    state = rules.random_set_up(ruleset, seed)
    for _ in range(most):
        if isinstance(state, Result):
            return
        yield state
        state = rules.take(state, random.choice(rules.node(state).options))


def changed(position: Position, random: Random) -> Position:
    """One or two of its fields with another value."""
    changes: dict[str, Any] = {}
    for _ in range(random.choice((1, 1, 2))):
        field = random.choice(
            ("dice", "pacified", "decline", "outbreaks", "step", "left", "role", "card", "hand", "out", "marks")
        )
        match field:
            case "dice":
                dice = [*position.dice]
                dice[random.randrange(4)] = random.randrange(8)
                changes["dice"] = tuple(dice)
            case "pacified":
                changes["pacified"] = frozenset(random.sample(TRIBES, random.choice((1, 3, 4))))
            case "decline":
                changes["decline"] = random.randrange(15)
            case "outbreaks":
                changes["outbreaks"] = random.randrange(6)
            case "step":
                changes["step"] = random.choice([*Step])
            case "left":
                changes["left"] = random.randrange(6)
            case "role":
                changes["role"] = random.choice((None, *ROLES))
            case "card":
                changes["card"] = random.choice((None, *REGIONS, *position.hand))
            case "hand":
                changes["hand"] = tuple(random.sample(REGIONS, random.randrange(5)))
                changes["out"] = position.out | {*changes["hand"]}
            case "out":
                changes["out"] = frozenset(random.sample(REGIONS, random.randrange(8)))
            case _:
                changes |= {"protected": random.choice((None, *REGIONS)), "is_quiet": random.random() < 0.5}
                changes["has_exchanged"] = random.random() < 0.5
                changes["has_travel"] = random.random() < 0.3
    return position.replace(**changes)


def is_of_the_rules_in_force(position: Position, reason: Reason) -> bool:
    """Whether its sentence holds under the values; one that names a reading must be listed."""
    readings = position.ruleset.readings
    listed = HOLDS.get(reason.rule, {})
    named = {*re.findall(r"\[(E-[A-Z0-9-]+)\]", f"{reason.text} {reason.rule}")}
    return named <= {*listed} and all(readings[name] in values for name, values in listed.items())


def states_a_true_number(position: Position, reason: Reason) -> bool:
    """Whether the reason goes just with the numbers of its range."""
    found, field = RANGE.search(reason.text), NUMBERS.get(reason.code)
    if found is None or field is None:
        return True
    least, most = map(int, found.groups())
    return all(
        any(one.code == reason.code for one in position.replace(**{field: number}).status())
        != (least <= number <= most)
        for number in range(14)
        if field != "decline" or number <= position.ruleset.most_decline
    )


def problems(position: Position) -> list[str]:
    """What is wrong with its reasons; or, where there are none, that the reference rules do not carry on."""
    reasons = position.status()
    if not reasons:
        try:
            node = rules.node(position)
            for option in node.options:
                rules.take(position, option)
        except (TetrasolveError, ArithmeticError, LookupError, AssertionError, ValueError) as error:
            return [f"{position}: {error!r}"]
        return [] if node.options else [f"{position}: nothing can come"]
    shown = [reason for reason in reasons if not is_of_the_rules_in_force(position, reason)]
    shown += [reason for reason in reasons if not states_a_true_number(position, reason)]
    return [f"{position}: {reason}" for reason in shown]


@cache
def seen_with(name: str, value: str) -> tuple[tuple[str, ...], Counter[str]]:
    """The problems under a value, and which sentences were shown."""
    wrong: list[str] = []
    sentences: Counter[str] = Counter()
    for ruleset in rulesets(name, value):
        random = Random(f"{ruleset} changes")
        for seed in range(2):
            for position in reached(ruleset, seed, 90):
                if position.status():
                    wrong.append(f"{position} was reached: {[*map(str, position.status())]}")
                one = changed(position, random)
                wrong += problems(one)
                sentences.update(reason.rule for reason in one.status())
    return tuple(wrong), sentences


@pytest.mark.sampled(6)
@pytest.mark.parametrize(("name", "value"), [*all_values()])
def test_reasons_are_of_the_rules_in_force(name: str, value: str) -> None:
    wrong, sentences = seen_with(name, value)
    assert wrong == ()
    assert len(sentences) > 5


def test_reasons_of_the_defaults() -> None:
    for level in ("introductory", "standard"):
        ruleset, random = Ruleset(level), Random(level)
        for position in reached(ruleset, 3, 300):
            assert position.status() == ()
            assert problems(changed(position, random)) == []


def test_a_reason_of_another_value_is_found() -> None:
    """The check by itself: a sentence of a value that is not in force, one that is not listed, and a range that is wrong."""
    position = next(reached(Ruleset("standard"), 1, 1))
    for rule in ("there is none [E-EVENT]", "the game is won at the end of the phase [E-WIN]", "as ever [E-SETUP]"):
        assert not is_of_the_rules_in_force(position, Reason("x", "step", "found", rule))
    assert is_of_the_rules_in_force(position, Reason("x", "step", "found", "the game is won"))
    late = position.replace(decline=13)
    assert states_a_true_number(late, Reason("decline", "decline", "13, expected 1 to 11", ""))
    assert not states_a_true_number(late, Reason("decline", "decline", "13, expected 1 to 8", ""))


def test_each_sentence_that_names_a_reading_is_listed() -> None:
    """And each that is listed is written in a module of `status`."""
    text = " ".join(path.read_text("utf-8") for path in sorted(Path(status.__file__).parent.glob("*.py")))
    assert [sentence for sentence in HOLDS if sentence not in text] == []
    written = {*re.findall(r'"([^"\n]*\[E-[A-Z0-9-]+\])"', text)}  # docstrings end with a full stop
    assert written - {*HOLDS} == {"[E-MAP]"}
