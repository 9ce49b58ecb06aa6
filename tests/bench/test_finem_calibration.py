"""The script that holds hints of the second game against fresh games counts positions and games as it says."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from tetrasolve.finem.hint.players import games
from tetrasolve.finem.ruleset import Ruleset

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module("finem_calibration")


def test_each_game_has_one_first_turn_and_the_result_that_the_policy_reaches(script: Any) -> None:
    ruleset = Ruleset("standard")
    found = script.tables(ruleset, 40, 3)
    won = {number for number, (end, _) in enumerate(games(ruleset, "greedy", 3, 0, 40)) if end == "won"}
    assert 0 < len(won) < 40
    assert [one.game for one in found["first"]] == sorted({one.game for one in found["turn"]})
    assert {one.game for one in found["turn"] if one.won} == won
    assert len(found["turn"]) > len(found["first"])


def test_the_chances_are_those_of_the_curves(script: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    class Flat:
        def __init__(self, value: float = 0.0) -> None:
            self.value = value

        def chance(self, _raw: float) -> tuple[float, float, float]:
            return self.value, 0.0, 1.0

        def curve(self, _ruleset: Ruleset, *, is_first: bool) -> "Flat":
            return Flat(0.5 if is_first else 0.25)

    monkeypatch.setattr(script, "shipped_calibration", Flat)
    found = script.tables(Ruleset("standard"), 5, 3)
    assert {one.chance for one in found["first"]} == {0.5}
    assert [one.chance for one in found["turn"]].count(0.5) == len(found["first"])
    assert {one.chance for one in found["turn"]} == {0.25, 0.5}


def test_a_ruleset_without_a_curve_is_refused(script: Any) -> None:
    with pytest.raises(SystemExit, match="E-PACIFY=free: hints have no curve"):
        script.tables(Ruleset.from_text("standard?E-PACIFY=free"), 1, 1)


def test_scores_have_a_difference_with_the_interval_of_what_was_won(script: Any) -> None:
    samples = [script.Sample(0.75, number, number % 2 == 0) for number in range(100)]
    found = script.scored(samples)
    assert (found["predicted"], found["base_rate"], found["difference"]["value"]) == (0.75, 0.5, 0.25)
    low, high = script.won_between(samples, 0.95)
    assert found["difference"]["ci"] == [round(0.75 - high, 4), round(0.75 - low, 4)]
    (row,) = found["bins"]
    assert (row["tables"], row["games"], row["from"], row["to"]) == (100, 100, 0.7, 0.8)
