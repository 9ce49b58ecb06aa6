"""The script that compares both engines of the second game counts what agrees, goes on, and finds what does not."""

import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tablefinem import random_game, table

from tetrasolve.finem.ruleset import Ruleset

BENCH = Path(__file__).parents[2] / "bench"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    script = [sys.executable, str(BENCH / "finem_engines.py"), *words]
    return subprocess.run(script, capture_output=True, text=True, check=False, timeout=900)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module("finem_engines")


def counts(path: Path) -> dict[str, tuple[int, int]]:
    data = json.loads(path.read_text("utf-8"))
    return {kind: (data[kind]["count"], data[kind]["games"]) for kind in ("states", "turns")}


def test_in_pieces_or_at_once_the_same_is_compared(tmp_path: Path) -> None:
    """And some whole turns of random rulesets agree with the reference rules."""
    pieces, whole = tmp_path / "pieces.json", tmp_path / "whole.json"
    for states, turns in ((100, 1), (1500, 8)):
        result = run("--states", str(states), "--turns", str(turns), "--json", str(pieces))
        assert result.returncode == 0, result.stderr
    assert run("--states", "1500", "--turns", "8", "--json", str(whole)).returncode == 0
    assert counts(pieces) == counts(whole)
    assert counts(whole)["states"][0] >= 1500 and counts(whole)["turns"][0] == 8


def test_what_other_engines_agreed_on_does_not_count(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    assert run("--states", "100", "--json", str(path)).returncode == 0
    data = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(data | {"engines": "others", "turns": data["turns"] | {"count": 5}}), "utf-8")
    result = run("--states", "100", "--json", str(path))
    assert "of other engines" in result.stderr
    assert counts(path)["turns"] == (0, 0)


@pytest.mark.slow
def test_many_states_and_turns_agree(tmp_path: Path) -> None:
    result = run("--states", "40000", "--turns", "100", "--json", str(tmp_path / "found.json"))
    assert result.returncode == 0, result.stderr
    data = json.loads((tmp_path / "found.json").read_text("utf-8"))
    assert set(data["turns"]["levels"]) == {"introductory", "standard", "expert"}


def test_a_state_that_differs_is_found(script: Any) -> None:
    steps = [*random_game("standard", 1)]
    assert not any(script.state_difference(*step) for step in steps)
    (position, option, following), (_, _, later) = steps[5:7]
    assert later != following
    assert script.state_difference(position, option, later) == f"the state after {option}"


def test_chances_that_differ_are_found(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    position = table("consul", rules="standard", cubes="O5:O3.O6:O3.C7:C3.CS:C2", tracks="2/2", step="draw")
    assert script.turn_difference(position) == ""
    lost, won = script.turn_chances(position)
    monkeypatch.setattr(script, "turn_chances", lambda _position: (won, lost))
    assert script.turn_difference(position).startswith("its chances to lose and to win: ")
    monkeypatch.setattr(script, "random_ruleset", lambda _random: Ruleset("standard"))
    with pytest.raises(SystemExit, match=r"turns, game 0: the kernel differs in its chances"):
        script.compared("turns", 0)


def test_rulesets_that_are_drawn_have_every_level_option_and_value(script: Any) -> None:
    random = Random(3)
    drawn = [script.random_ruleset(random) for _ in range(400)]
    assert {one.level for one in drawn} == {*script.LEVELS}
    assert {option for one in drawn for option in one.options} == {*script.OPTIONS}
    found = {(name, value) for one in drawn for name, value in one.readings.items()}
    played = {
        (name, value) for name, reading in script.KERNEL_READINGS.items() for value in reading.played if name != "E-MAP"
    }
    assert found >= played  # a map that is to be dealt is dealt
