"""The judge of other readings: changes whose verdict is known."""

import json
import subprocess
import sys

import pytest
from mutation import table

pytestmark = pytest.mark.skipif(not table.GAME.exists(), reason="the source tree is absent")

CODE = """
import json
from dataclasses import asdict
from mutation import judging, running
from mutation.judging import Case
from mutation.tetrarchia import TETRARCHIA
from tetrasolve.lint.changes import Change

running.prepare(TETRARCHIA)
judging.judge(
    TETRARCHIA,
    [
        Case("rises", "by hand", (), (Change("rules/modules/usurpator.py", "Usurpator.revolted", " & secured", ""),)),
        Case("choice", "by hand", (), (Change("rules/activity.py", "with_fresh", '== "wait"', '!= "wait"'),)),
        Case("costs", "by hand", (), (Change("numbers.py", "SAIL_COST", "1", "2"),)),
        Case("nothing", "by hand", (), (Change("numbers.py", "SAIL_COST", "1", "2 - 1"),)),
        Case("cannot", "by hand", (), (Change("rules/movement.py", "sail", "position.fleets", "position.flets"),)),
    ],
    [running.ROOT / "tests/rules/test_usurpator.py"],
    lambda verdict: print(json.dumps(asdict(verdict))),
    count=60,
    processes=1,
)
"""


def test_changes_whose_verdict_is_known():
    run = subprocess.run(
        [sys.executable, "-c", CODE], cwd=table.HERE.parent, capture_output=True, text=True, check=True
    )
    found = {row["case"]: row for row in (json.loads(line) for line in run.stdout.splitlines() if line[:1] == "{")}

    assert (found["rises"]["state"], found["rises"]["by"].partition("::")[2]) == (
        "settled",
        "test_an_open_border_raises_none",
    )
    assert found["choice"]["state"] == "standing"  # only a test of a choice finds it
    assert (found["costs"]["state"], found["costs"]["size"]) == ("standing", 1)
    assert found["nothing"]["state"] == "same"
    assert found["cannot"]["state"] == "broken"  # no test of this file sails, but a table does


WORDS = """
from mutation import judging, running
from mutation.tetrarchia import TETRARCHIA
from tabletop import make_position
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import SECURE, END
running.prepare(TETRARCHIA)
before = judging._Observer(TETRARCHIA)
rules.objection = lambda position, action: None if action == END else "as the change says it"
TETRARCHIA.keep_words(before.said)
said = rules.objection
table = make_position("maximian", {"maximian": "belgica"}, garrisons={"maximian": "belgica"})
print(said(table, SECURE), said(table.with_disc("belgica", None), SECURE), said(table, END), sep="|")
"""


def test_words_of_an_objection_are_no_rule():
    """An action that is illegal before and after a change is so for the old reason; one that was legal is not."""
    run = subprocess.run(
        [sys.executable, "-c", WORDS], cwd=table.HERE.parent, capture_output=True, text=True, check=True
    )

    assert run.stdout == "a disc (maximian) lies there|as the change says it|None\n"


SECOND = """
import json
from dataclasses import asdict
from mutation import judging, running
from mutation.etfinem import ET_FINEM
from mutation.judging import Case
from tetrasolve.lint.changes import Change

running.prepare(ET_FINEM)
judging.judge(
    ET_FINEM,
    [
        Case("gone", "by hand", (), (Change("rules/invasion.py", "invaded", "return put(", "return (lambda state, *_: state)("),)),
        Case("stays", "by hand", (), (Change("rules/events.py", "journeys", '== MAY', '!= MAY'),)),
        Case("six", "by hand", (), (Change("numbers.py", "CUBES", '_number("cubes")', '_number("cubes") // 2'),)),
        Case("nothing", "by hand", (), (Change("rules/roles.py", "take", "left=numbers.ACTIONS", "left=1 * numbers.ACTIONS"),)),
    ],
    [running.ROOT / "tests/finem/test_drawn.py"],
    lambda verdict: print(json.dumps(asdict(verdict))),
    count=60,
    processes=1,
)
"""


def test_changes_of_the_second_game_whose_verdict_is_known():
    run = subprocess.run(
        [sys.executable, "-c", SECOND], cwd=table.HERE.parent, capture_output=True, text=True, check=True
    )
    found = {row["case"]: row for row in (json.loads(line) for line in run.stdout.splitlines() if line[:1] == "{")}

    assert found["gone"]["state"] == found["six"]["state"] == "settled"
    assert found["gone"]["by"].startswith("tests/finem/test_drawn.py::test_a_card_of_an_invasion")
    assert found["stays"]["state"] == "standing"  # only a test of a choice finds it
    assert " travel " in found["stays"]["table"]
    assert found["nothing"]["state"] == "same"
