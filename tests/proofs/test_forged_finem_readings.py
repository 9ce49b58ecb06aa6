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
    "a point that pacifies at 5 in a Prefect's turn": (
        "E-PREFECT=found",
        "standard?E-PREFECT=found prefect C7/C7/E5 4111/CEB 2/3 C7:C3.E5:E3.E6:E3 act:1 -",
        "survive",
    ),
    "a chain that does not come back": (
        "E-CHAIN-FIRST=again",
        "standard?E-CHAIN-FIRST=again consul E5/C7/E5 3322/- 1/1 C7:C3.CS:C3 invade:2 O5.B6.C5.E7",
        "chance-lost",
    ),
}

# Those of the limit, the crisis and the events; the checker follows the turn for seconds where it says `slow`
OF_TURN = {
    "a chain that reaches the protected region": (
        "E-PROTECT=chain",
        (
            "standard?E-PROTECT=chain consul C7/C7/E5 2333/CB 3/1 "
            "O5:O3.O6:O3.O7:O1.OS:O3.C7:C3.E7:E3.B6:B3.B7:B3 protect O6.EC.ER.B5 hand=O6.ER.B5"
        ),
        "protect",
    ),
    "three of a suit that stop at a crisis": (
        "E-THREE=stop",
        (
            "standard?E-THREE=stop tribune C7/C7/E5 3323/OC 3/1 "
            "O5:O1.O6:O3.OR:O1.C5:C3.C6:C1.C7:C3.CR:C1.E6:E3.EC:E1.BR:B3 exchange OR.E6.E7 hand=OR.E6.E7"
        ),
        "tribune",
    ),
    "cubes of a crisis that are not there": (
        "E-FILL=held",
        (
            "standard?E-FILL=held tribune C7/C7/E5 3332/CB 2/2 "
            "O6:O1.OS:O3.OC:O3.OR:O1.C7:C3.CC:C1.E5:E3.E6:E1.ES:E3.EC:E3.BS:B1.BC:B3 exchange O6.CR.E5 hand=O6.CR.E5"
        ),
        "tribune",
    ),
    "three suits without an event": (
        "E-EVENT=never",
        (
            "standard?E-EVENT=never tribune C7/C7/E5 3314/OC 3/3 OR:O1.C6:C3.E6:E1.ES:E3.ER:E1.B6:B1.B7:B3.BS:B3 "
            "exchange C7.E5.BR hand=C7.E5.BR"
        ),
        "tribune-die B",
    ),
    "cards of an eradicated tribe that count": (
        "E-GONE-SUITS=ignored",
        (
            "introductory?E-GONE-SUITS=ignored tribune C7/C7/E5 3250/B 2/1 O5:O1.O7:O3.CC:C3.E6:E3.EC:E3 "
            "exchange CC.E7.BS hand=CC.E7.BS"
        ),
        "tribune",
    ),
    "a die that cannot rise": (
        "E-RAISE-STUCK=not",
        (
            "standard?E-AGAIN=stays,E-RAISE-STUCK=not tribune C7/C7/E5 1115/OCE 3/2 "
            "OR:O1.C5:C1.C6:C1.CS:C3.CR:C3.EC:E3.B6:B1 exchange O5.EC.ER hand=O5.EC.ER"
        ),
        "tribune-die B",
    ),
    "a civil war without outbreaks": (
        "E-WAR=none",
        (
            "standard?E-WAR=none tribune C7/C7/E5 3233/OCB 3/3 O5:O3.OR:O3.CR:C1.EC:E1.B5:B3.B7:B3.BS:B3.BR:B3 "
            "exchange O6.CS.B7 hand=O6.CS.B7"
        ),
        "tribune-die E",
    ),
    "points taken off once": (
        "E-LIMIT=each-point",
        (
            "standard?E-LIMIT=each-point tribune C7/C7/E5 4151/EB 1/1 "
            "O6:O1.O7:O1.OC:O3.OR:O3.CS:C3.E7:E1.B6:B3.B7:B3.BC:B1.BR:B3 exchange OS.EC.B5 hand=OS.EC.B5"
        ),
        "tribune-die O",
    ),
    "points above eleven that the player chooses": (
        "E-LIMIT=lost",
        (
            "standard?E-LIMIT=lost tribune C7/C7/E5 4313/CE 4/1 O6:O3.O7:O1.C7:C3.CS:C1.E5:E1.B5:B1.B6:B3.BS:B3 "
            "exchange OC.E5.B7 hand=OC.E5.B7"
        ),
        "tribune-die O",
    ),
    "points off any die": (
        "E-LIMIT-DICE=raised",
        (
            "standard?E-LIMIT-DICE=raised tribune C7/C7/E5 3224/C 2/1 OS:O3.C6:C1.E6:E3.ER:E3.BR:B3 exchange "
            "O5.C6.ES hand=O5.C6.ES"
        ),
        "tribune-die O",
    ),
    "points off dice of pacified tribes": (
        "E-LIMIT-DICE=open",
        (
            "standard?E-LIMIT-DICE=open tribune C7/C7/E5 3341/OC 1/3 "
            "O5:O1.O6:O3.OC:O3.C5:C3.C6:C3.C7:C3.E5:E3.E6:E3.EC:E3.B7:B3.BR:B3 exchange C7.E6.BC hand=C7.E6.BC"
        ),
        "tribune-die B",
    ),
    "eleven points of all tribes": (
        "E-ELEVEN=open",
        (
            "standard?E-ELEVEN=open tribune C7/C7/E5 4511/OB 3/2 O6:O3.OR:O3.C6:C1.ER:E1.B5:B3.BS:B1.BC:B1.BR:B3 "
            "exchange C7.E5.BC hand=C7.E5.BC"
        ),
        "tribune-die C",
    ),
    "an event before the dice": (
        "E-WHEN=after",
        (
            "standard?E-WHEN=after tribune C7/C7/E5 5212/CB 2/2 O5:O3.O7:O3.OC:O3.C7:C3.CS:C3.CR:C3.E5:E3.B6:B3 "
            "exchange CR.ES.BC hand=CR.ES.BC"
        ),
        "tribune",
    ),
    "dice after the crisis": (
        "E-ORDER=dice-first",
        (
            "standard?E-ORDER=dice-first tribune C7/C7/E5 2153/OB 2/3 O7:O1.C7:C3.E6:E3.E7:E3.ES:E3.B7:B3 "
            "exchange O6.CR.B7 hand=O6.CR.B7"
        ),
        "tribune-die E",
    ),
    "one cube or all of a tribe": (
        "E-RESIST-ALL=besides",
        (
            "standard?E-RESIST-ALL=besides consul C7/C7/E5 2333/OEB 2/2 "
            "O5:O3.OS:O3.OC:O1.C7:C3.CC:C3.CR:C1.E5:E3.E7:E3.EC:E3.B6:B3.B7:B3.BS:B3.BR:B3 resist C7.ER.B7.BC hand=C7.ER.BC"
        ),
        "resist",
    ),
    "a crisis that is passed": (
        "E-CRISIS=exact",
        (
            "standard?E-CRISIS=exact tribune C7/C7/E5 1511/OCB 2/2 O5:O3.OR:O1.CS:C3.E7:E1.ER:E3.BR:B3 exchange "
            "E6.E7.ER hand=E6.E7.ER"
        ),
        "tribune-die E",
    ),
    "three of a suit that go on to a crisis": (
        "E-THREE=two",
        (
            "standard?E-THREE=two tribune C7/C7/E5 3332/OCB 3/2 "
            "O5:O3.O6:O3.O7:O3.OR:O3.CR:C3.E6:E3.ES:E3.BS:B1.BC:B1.BR:B3 exchange E7.ES.ER hand=E7.ES.ER"
        ),
        "tribune",
    ),
    "the point of an event at once": (
        "E-LIMIT-EVENT=waits",
        (
            "standard?E-LIMIT-EVENT=waits tribune C7/C7/E5 1451/O 2/2 "
            "O5:O1.OC:O3.OR:O3.C5:C3.CS:C3.CR:C3.E6:E3.ES:E3.EC:E1.BC:B1 exchange C5.CC.B7 hand=C5.CC.B7"
        ),
        "tribune-die E",
    ),
    "the name of a region whose card is out": (
        "E-PROTECT-OUT=deck",
        (
            "standard?E-PROTECT-OUT=deck consul C7/C7/E5 3134/O 2/3 O7:O3.CR:C3.ER:E1.BR:B1 protect O7.CC.EC.B5 "
            "hand=O7.EC.B5"
        ),
        "protect",
    ),
    "a crisis that puts only what is missing": (
        "E-FILL=three",
        (
            "standard?E-FILL=three tribune C7/C7/E5 1523/OB 5/1 O6:O3.C5:C3.C6:C3.C7:C1.CS:C3.E5:E3.E6:E3.EC:E3.ER:E1.B6:B1 "
            "exchange O7.OS.OC hand=O7.OS.OC"
        ),
        "tribune-die C",
    ),
}
SLOW = {
    "a point that pacifies at 5 in a Prefect's turn",
    "three of a suit that stop at a crisis",
    "cubes of a crisis that are not there",
    "a civil war without outbreaks",
    "dice after the crisis",
    "the point of an event at once",
}

# Values beside which another one than the default is tempting: from the actions on this one is as the default
AGAINST = {"E-PREFECT=found": "standing"}


def verdict(text: str) -> tuple[int, str]:
    return checker.verdict(text.encode("ascii"), BOARDS)


def certified(position: Position, asked: str) -> Certificate:
    if "=" in asked:
        return certify(position, asked)
    kind, _, tribe = asked.partition(" ")
    return certify_answer(solve(question_about(kind, tribe or None, position)))


def claimed(honest: Certificate, position: Position) -> tuple[int, str]:
    """The verdict on the same claim about another position."""
    rows = [f"{name} {position if name == 'position' else value}" for name, value in honest.fields]
    return verdict(sealed(["tetrasolve-certificate 1", f"kind {honest.kind}", *rows]))


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in (*CASES, *OF_TURN)]
)
def test_what_is_true_of_one_value_is_not_confirmed_of_the_other(name: str) -> None:
    chosen, line, asked = (CASES | OF_TURN)[name]
    reading = chosen.partition("=")[0]
    position = Position.parse(line)
    assert f"{position.ruleset}".endswith(chosen)
    plain = position.ruleset.with_readings([(reading, AGAINST.get(chosen, READINGS[reading].default))])
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
