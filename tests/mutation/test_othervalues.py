"""What tests of the text do when a reading has another value."""

import json
import subprocess
import sys

import pytest
from mutation import table

pytestmark = pytest.mark.skipif(not table.GAME.exists(), reason="the source tree is absent")

CODE = """
import json, sys
from dataclasses import asdict
from mutation import othervalues, running
from mutation.tetrarchia import TETRARCHIA

running.prepare(TETRARCHIA)
othervalues.find(
    TETRARCHIA,
    sys.argv[1:],
    lambda found: print(json.dumps(asdict(found))),
    othervalues.values(TETRARCHIA, ["I-VIA-EMPTY", "I-VIA-BORDER", "I-PASS"]),
    processes=1,
)
"""
MARKED_AS_TEXT = """
import pytest
from tetrasolve.tetrarchia.ruleset import Ruleset

@pytest.mark.rule("p14-via-target")
@pytest.mark.parametrize("name", ["I-VIA-EMPTY", "I-PASS"])
def test_a_default(name):
    assert Ruleset().readings[name] in ("no-figure", "chain", "single")
"""


def test_a_test_of_a_default_is_found(tmp_path):
    """One that asks for the default of a reading fails under the other value; those of the text do not."""
    (tmp_path / "test_marked.py").write_text(MARKED_AS_TEXT)
    files = [tmp_path / "test_marked.py", table.ROOT / "tests/rules/test_via_romana.py"]
    run = subprocess.run(
        [sys.executable, "-c", CODE, *files], cwd=table.HERE.parent, capture_output=True, text=True, check=True
    )
    found = {row["reading"]: row for row in (json.loads(line) for line in run.stdout.splitlines() if line[:1] == "{")}

    assert all(row["how"] == "" for row in found.values())
    (failing,) = found["I-VIA-EMPTY"]["failing"]
    assert failing.endswith("test_a_default[I-VIA-EMPTY]")
    assert found["I-VIA-BORDER"]["failing"] == found["I-PASS"]["failing"] == []
