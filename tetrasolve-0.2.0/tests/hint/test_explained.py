"""Stored reasons for two plans in each of 60 positions, which a reader has judged.

The plans are stored too, so that the reasons rest on the rules alone and not on the evaluation that ships. After a change of the
reasons, or to have the plans of other weights explained, write them again and read every changed line as a player would:

    TETRASOLVE_UPDATE=1 pytest -n 0 tests/hint/test_explained.py

`positions.txt` has the positions: of games at 12 levels, with each module and variant, and with rebels.
"""

import json
import os
from pathlib import Path

import pytest

from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.decisive import decisive
from tetrasolve.tetrarchia.hint.prospects import Outlook
from tetrasolve.tetrarchia.hint.reasons import reasons, stopping
from tetrasolve.tetrarchia.plan.tree import Plan, read_plan
from tetrasolve.tetrarchia.position import Position

DATA = Path(__file__).parent / "data"
STORED = DATA / "explained.json"
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))
LINES = (DATA / "positions.txt").read_text("utf-8").splitlines()


def explained(position, best, other):
    """The reasons for both plans, without those that the evaluation gives."""
    outlook = Outlook(position)
    idle = [Plan()] if stopping(position) else []
    outlook.learn([best, other, *idle], None)
    without = outlook.of(Plan()) if idle else None
    found = {}
    for plan, against, name in ((best, other, "the runner-up"), (other, best, "the best plan")):
        said = [
            *reasons(position, outlook.of(plan), without),
            *decisive(outlook, outlook.of(plan), outlook.of(against), name, None),
        ]
        found[str(plan)] = [f"{reason.kind}: {reason.text}" for reason in said]
    return found


def read(row):
    position = Position.parse(row["position"])
    return position, *(read_plan(text, position.board) for text in row["reasons"])


def written(line):
    """The reasons for the two plans of a hint with the weights that ship."""
    position = Position.parse(line)
    best, other = (advice.plan for advice in hint(position, top=2).advice)
    return {"position": line, "reasons": explained(position, best, other)}


ROWS = json.loads(STORED.read_text("utf-8"))


def test_there_are_sixty():
    if UPDATE:
        STORED.write_text(json.dumps([written(line) for line in LINES], indent=1) + "\n", "utf-8")
        return
    assert [row["position"] for row in ROWS] == LINES and len(LINES) == 60
    assert all(len(row["reasons"]) == 2 and all(row["reasons"].values()) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["position"][:24])
def test_the_reasons_are_those_that_were_read(row):
    assert explained(*read(row)) == row["reasons"]
