"""The scripts in examples/ run, and their readers can rely on what they print."""

import subprocess
import sys
from pathlib import Path

import pytest
from transcript import call

from tetrasolve.tetrarchia.record import read_record

FOLDER = Path(__file__).parents[2] / "examples"
SCRIPTS = [path.name for path in sorted(FOLDER.glob("*.py"))]

pytestmark = pytest.mark.skipif(not SCRIPTS, reason="the examples are absent")


def printed(script: str, *arguments: str) -> str:
    command = [sys.executable, str(FOLDER / script), *arguments]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_runs_by_itself(script: str) -> None:
    assert printed(script)


def test_a_random_game_is_a_record_that_can_be_verified() -> None:
    from io import BytesIO

    record = printed("random_game.py", "3122", "5")
    output = BytesIO()

    assert read_record(record).is_over
    assert call(["replay", "-"], record.encode(), output, output) == 0
    assert printed("random_game.py", "3122", "5") == record
    assert printed("random_game.py", "3122", "6") != record


def test_a_plan_lowers_the_risk() -> None:
    assert "optimal_proved" in printed("plan_and_risk.py")


@pytest.mark.parametrize("reading", ["I-ENTRY", "I-ENTRY-SHARED", "I-PASS", "I-FRESH"])
def test_readings_are_distinguished(reading: str) -> None:
    lines = printed("compare_readings.py", reading).splitlines()

    assert lines[0].startswith(f"{reading}: ")
    assert len(lines) > 2
