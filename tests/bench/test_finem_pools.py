"""The script that holds hints of rulesets without a curve of their own against fresh games."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module("finem_pools")


class Curve:
    """Says the raw value, with a tenth on both sides."""

    def chance(self, raw: float) -> tuple[float, float, float]:
        return raw, raw - 0.1, raw + 0.1


def test_each_state_has_the_same_weight(script: Any) -> None:
    """One of four games is won; it has three states of 0.9, each other game has one of 0.1."""
    rows = [(0.9, True, 0)] * 3 + [(0.1, False, game) for game in (1, 2, 3)]
    found = script.held(rows, Curve())

    assert (found["predicted"], found["interval"]) == (0.5, [0.4, 0.6])
    assert (found["won"], found["games"], found["inside"]) == (0.5, 4, True)


@pytest.mark.parametrize(("raw", "inside"), [(0.39, False), (0.41, True), (0.59, True), (0.61, False)])
def test_the_share_won_is_inside_or_not(script: Any, raw: float, inside: bool) -> None:
    assert script.held([(raw, game % 2 == 0, game) for game in range(10)], Curve())["inside"] is inside
