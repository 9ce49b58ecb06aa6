"""The script that measures scenarios a second time: its intervals, and that a run goes on from what is kept."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.scenario.measured import shipped
from tetrasolve.tetrarchia.scenario.setups import SetUps

BENCH = Path(__file__).parents[2] / "bench"

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    found = import_module("scenario_rates")
    monkeypatch.setattr(found, "shipped", lambda: dict([*shipped().items()][:3]))
    return found


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Numbers of the games that are played: coins, in place of games."""
    numbers: list[int] = []

    def play(_self: SetUps, _policy: str, seed: int, first: int, games: int, _stop: Stop | None = None) -> str:
        numbers.extend(range(first, first + games))
        return "".join("wl"[Random(f"{seed} {n}").random() < 0.5] for n in range(first, first + games))

    monkeypatch.setattr(SetUps, "play", play)
    return numbers


def test_the_interval_of_a_difference_is_that_of_newcombe(script: ModuleType) -> None:
    # Newcombe (1998), table II, method 10: 56 of 70 and 48 of 80
    assert script.difference((56, 70), (48, 80)) == pytest.approx((0.2, 0.0524, 0.3339), abs=5e-5)
    assert script.difference((10, 10), (0, 20)) == pytest.approx((1.0, 0.6791, 1.0), abs=5e-5)


def test_a_run_goes_on_from_the_games_that_are_kept(script: ModuleType, played: list[int], tmp_path: Path) -> None:
    path, whole = tmp_path / "kept.json", tmp_path / "whole.json"
    assert script.main(["--json", str(path), "--games", "10"]) == 0
    assert len(played) == 30
    played.clear()
    assert script.main(["--json", str(path), "--games", "25"]) == 0
    assert sorted(set(played)) == [*range(10, 25)], "no game is played twice"
    assert script.main(["--json", str(whole), "--games", "25"]) == 0
    assert json.loads(path.read_text()) == json.loads(whole.read_text())


def test_a_scenario_whose_rate_is_another_is_marked(script: ModuleType) -> None:
    (name, row), *_ = shipped().items()
    text = "\n".join(
        script.lines({"policy": "greedy", "scenarios": {name: {"position": row["position"], "games": "l" * 100}}})
    )
    assert "apart" in text and "0 of 1 intervals hold zero; so few or fewer by chance: 0.05" in text
    other = {"policy": "greedy", "scenarios": {name: {"position": "another", "games": "l" * 100}}}
    assert not [*script.lines(other)], "games from another set-up say nothing of this one"
