"""Duplicates: the verdicts on games with known chances hold as often as they say, and every planned test is decided."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.examples import example
from tetrasolve.tetrarchia.scenario.duplicates import (
    Equality,
    compare,
    difference_of,
    rule_of_pairs,
    verdict_of,
)
from tetrasolve.tetrarchia.scenario.measuring import BATCH
from tetrasolve.tetrarchia.scenario.setups import SetUps

CHANCES = {"4211": 0.5, "3122": 0.5, "5300": 0.7, "4222": 0.56}  # of stand-ins for these levels


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are won with a known chance; half of the luck is the same for all set-ups."""

    def play(self: SetUps, _policy: str, seed: int, first: int, games: int, _stop: Stop | None = None) -> str:
        def is_won(number: int) -> bool:
            shared = Random(f"{seed} {number}")
            own = Random(f"{seed} {number} {self.text}")
            return (shared if shared.random() < 0.5 else own).random() < CHANCES[self.text]

        return "".join("w" if is_won(number) else "l" for number in range(first, first + games))

    monkeypatch.setattr(SetUps, "play", play)


@pytest.mark.usefixtures("known")
def test_equal_and_different_chances_are_told_apart() -> None:
    rolled = [SetUps.rolled(text) for text in ("4211", "3122", "5300")]
    for seed in range(8):
        found = {(one.first, one.second): one for one in compare(rolled, within=0.1, seed=seed)}
        assert [found[pair].verdict for pair in ((0, 1), (0, 2), (1, 2))] == ["equal", "different", "different"]
        for (first, second), one in found.items():
            assert one.difference is not None
            true = CHANCES[rolled[first].text] - CHANCES[rolled[second].text]
            assert one.difference.low <= true <= one.difference.high


@pytest.mark.usefixtures("known")
def test_what_is_outside_the_margin_is_not_called_equal() -> None:
    rolled = [SetUps.rolled(text) for text in ("4211", "4222")]
    verdicts = [compare(rolled, within=0.05, seed=seed)[0].verdict for seed in range(10)]
    assert verdicts.count(Equality.EQUAL) == 0


@pytest.mark.usefixtures("known")
def test_an_interrupted_test_goes_on(tmp_path: Path) -> None:
    rolled = [SetUps.rolled(text) for text in ("4211", "3122", "5300")]
    whole = compare(rolled, within=0.1, seed=1)
    path = tmp_path / "pairs"
    part = compare(rolled, within=0.1, seed=1, checkpoint=path, seconds=0.02)
    assert Equality.UNDECIDED in {one.verdict for one in part}
    assert compare(rolled, within=0.1, seed=1, checkpoint=path) == whole


def test_a_set_up_is_equal_to_itself_in_the_fewest_games_and_processes_change_nothing() -> None:
    twice = [SetUps.fixed(example("fight"))] * 2
    (found,) = compare(twice, "random", within=0.4, seed=2)
    assert found.verdict is Equality.EQUAL
    assert found.difference is not None
    assert found.difference.value == 0
    assert compare(twice, "random", within=0.4, seed=2, workers=2) == (found,)


@pytest.mark.parametrize("within", [0.25, 0.4])
def test_every_test_is_decided_at_its_last_look(within: float) -> None:
    rule = rule_of_pairs(within, 0.95)
    games, confidence = rule.most * BATCH, rule.confidence_at_look(0.95)
    for differing in range(0, games + 1, 20):
        for won in range(0, differing + 1, 10):
            first = "w" * won + "l" * (games - won)
            second = "l" * won + "w" * (differing - won) + "l" * (games - differing)
            assert verdict_of(difference_of(first, second, confidence), within) is not Equality.UNDECIDED


@pytest.mark.parametrize(
    ("count", "arguments", "words"),
    [
        (1, {}, "2 to 20"),
        (2, {"within": 0.9}, "0.01 to 0.4"),
        (2, {"confidence": 1.0}, "both excluded"),
        (2, {"seed": -1}, "expected 0"),
        (2, {"policy": "best"}, "expectimax"),
    ],
)
def test_arguments_out_of_range_are_named(count: int, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        compare([SetUps.rolled("4211")] * count, **arguments)  # type: ignore[arg-type]  # on purpose
