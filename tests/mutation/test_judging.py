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
from tetrasolve.lint.changes import Change

def change(rows, *parts):
    return "by hand", tuple(rows.split()), (Change(*parts),)

revolted = ("rules/modules/usurpator.py", "Usurpator.revolted", " & secured", "")
running.prepare()
judging.judge(
    [
        change("p14-usurper-rises", *revolted),
        change("p14-usurper-army", *revolted),
        change("p08-sail", "numbers.py", "SAIL_COST", "1", "2"),
        change("p08-sail", "numbers.py", "SAIL_COST", "1", "2 - 1"),
        change("p08-sail", "rules/movement.py", "sail", "position.fleets", "position.flets"),
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
    own, settled, standing, same, broken = (json.loads(line) for line in run.stdout.splitlines() if line[:1] == "{")

    assert (own["state"], own["by"].partition("::")[2]) == ("own", "test_an_open_border_raises_none")
    assert settled["state"] == "settled"  # a test of p14-usurper-rises finds it
    assert (standing["state"], standing["size"]) == ("standing", 1)
    assert same["state"] == "same"
    assert broken["state"] == "broken"  # no test of this file sails, but a table does
