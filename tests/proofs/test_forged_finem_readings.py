"""False claims that a reading makes tempting: what is best under one value is claimed under the other.

Each position is one at which the two differ, so that a checker which did not know the value would confirm the wrong one.
"""

from __future__ import annotations

from random import Random

import checker
import pytest
from finem import map as checker_map
from finem import position as checker_position
from tampered import sealed
from text import Unreadable

from tetrasolve.certify.form import Certificate
from tetrasolve.errors import RulesetError
from tetrasolve.finem.certificate import certify
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.certificate import certify_answer
from tetrasolve.finem.puzzle.kinds import question_about
from tetrasolve.finem.puzzle.solving import solve
from tetrasolve.finem.ruleset import OPTIONS, READINGS, Ruleset

pytestmark = pytest.mark.program

BOARDS = [path for path in checker.BOARDS if path.exists()]
MAP = checker_map.read_map(next(path for path in checker.BOARDS if checker_map.is_map(path)))
# The reading, the position under it, and what is asked: an objective of actions, or a kind of question with one answer
CASES = {
    "a Dictator who must leave may stay": (
        "E-DICTATOR=there",
        "standard?E-DICTATOR=there dictator C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:2 -",
        "cubes:C=-1 cubes:E=-9",
    ),
    "a stay that uses an action": (
        "E-DICTATOR-STAY=free",
        "standard?E-DICTATOR-STAY=free dictator C7/C7/E5 2221/- 2/1 C7:C2.E5:E3 act:2 O5.O6",
        "cubes:C=-1 cubes:E=-9",
    ),
    "the corner as the region of the start": (
        "E-CORNER-START=table",
        "standard+corner?E-CORNER-START=table consul ER/C7/ER 2221/- 2/1 C7:C3 act:2 -",
        "cubes=-1",
    ),
    "a victory that comes at once": (
        "E-WIN=turn",
        "standard?E-WIN=turn prefect C7/C7/E5 5111/CEB 2/1 C7:C2 act:2 -",
        "cubes=-1 won=9",
    ),
    "a victory before the invasion": (
        "E-WIN=turn",
        "standard?E-WIN=turn prefect C7/C7/E5 5111/CEB 2/3 C7:C3.E5:E3.E6:E3 act:1 -",
        "win",
    ),
    "a chain that does not come back": (
        "E-CHAIN-FIRST=again",
        "standard?E-CHAIN-FIRST=again consul E5/C7/E5 3322/- 1/1 C7:C3.CS:C3 invade:2 O5.B6.C5.E7",
        "chance-lost",
    ),
}


def verdict(text: str) -> tuple[int, str]:
    return checker.verdict(text.encode("ascii"), BOARDS)


def certified(position: Position, asked: str) -> Certificate:
    if "=" in asked:
        return certify(position, asked)
    return certify_answer(solve(question_about(asked, None, position)))


def claimed(honest: Certificate, position: Position) -> tuple[int, str]:
    """The verdict on the same claim about another position."""
    rows = [f"{name} {position if name == 'position' else value}" for name, value in honest.fields]
    return verdict(sealed(["tetrasolve-certificate 1", f"kind {honest.kind}", *rows]))


@pytest.mark.parametrize("name", CASES)
def test_what_is_true_of_one_value_is_not_confirmed_of_the_other(name: str) -> None:
    chosen, line, asked = CASES[name]
    reading = chosen.partition("=")[0]
    position = Position.parse(line)
    assert f"{position.ruleset}".endswith(chosen)
    plain = position.ruleset.with_readings([(reading, READINGS[reading].default)])
    usual = position.replace(ruleset=plain)
    if reading == "E-CORNER-START":  # the corner is the region of the start there
        usual = usual.replace(start=position.pawn)
    honest = {one: certified(one, asked) for one in (position, usual)}

    for one, other in ((position, usual), (usual, position)):
        assert verdict(honest[one].text())[0] == checker.CONFIRMED
        code, sentence = claimed(honest[one], other)
        assert code == checker.REFUTED, sentence
        assert "cannot check it" not in sentence


FREE = "introductory?E-DICTATOR-STAY=free dictator C7/C7/BC 1511/OEB 8/3 O5:O1.C7:C3.E5:E1.B5:B1 act:4 O5.O6.O7.E5"


@pytest.mark.parametrize("value", ["must", "there"])
def test_a_reading_that_changes_nothing_allows_no_position(value: str) -> None:
    """Beside a Dictator who must go on nobody stays, so no four cards are out before the first action."""
    honest = certify(Position.parse(FREE), "cubes=-1")
    text = honest.text().replace("?E-DICTATOR-STAY", f"?E-DICTATOR={value},E-DICTATOR-STAY")

    assert verdict(honest.text())[0] == checker.CONFIRMED
    code, sentence = verdict(sealed(text.splitlines()[:-1]))
    assert code == checker.UNREADABLE
    assert "E-DICTATOR-STAY changes nothing" in sentence


def test_the_checker_takes_the_rulesets_that_the_library_writes_and_no_others() -> None:
    """Both say by themselves where a reading changes nothing."""
    random, refused = Random("idle readings"), 0
    for _ in range(3_000):
        level = random.choice(["introductory", "standard", "expert"])
        options = [option for option in OPTIONS if random.random() < 1 / 2] if level == "expert" else []
        if level == "expert" and not options:
            continue
        values = {
            name: random.choice([*reading.played])
            for name, reading in READINGS.items()
            if name != "E-MAP" and random.random() < 1 / 3
        }
        given = [f"{name}={value}" for name, value in sorted(values.items()) if value != READINGS[name].default]
        text = "+".join((level, *options)) + ("?" + ",".join(given) if given else "")
        try:
            is_usual = str(Ruleset.from_text(text)) == text
        except RulesetError:
            is_usual = False
        try:
            checker_position.read_rules(text, MAP)
            is_taken = True
        except Unreadable:
            is_taken = False
        assert is_taken == is_usual, text
        refused += not is_taken
    assert 500 < refused < 2_900


def test_a_game_goes_on_to_the_end_of_the_actions_that_won_it() -> None:
    """Under E-WIN=phase: what the library certifies there is confirmed, and no position from which no action can have won."""
    won = Position.parse("introductory?E-PACIFY=free,E-WIN=phase magister C7/C7/BC 1111/OCEB 2/1 C7:C2.E5:E1 act:3 -")
    honest = certify(won, "cubes=-1")

    assert verdict(honest.text())[0] == checker.CONFIRMED
    for other in (won.replace(left=4), won.replace(dice=(2, 2, 2, 2))):
        assert other.status()
        code, sentence = claimed(honest, other)
        assert code == checker.UNREADABLE
        assert "the game is won" in sentence
