"""Made scenarios: what a search says holds as often as it says, on games with known chances and on real ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from math import exp
from pathlib import Path
from random import Random

import pytest

from tetrasolve.errors import ArgumentError, OutOfTimeError, TetrasolveError
from tetrasolve.exact.estimate import chance
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario import making
from tetrasolve.tetrarchia.scenario.made import contents, position_of, read_made, text_of
from tetrasolve.tetrarchia.scenario.making import BandRule, NoScenarioError, make_scenario
from tetrasolve.tetrarchia.scenario.measuring import rule_for
from tetrasolve.tetrarchia.scenario.setups import SetUps
from tetrasolve.tetrarchia.scenario.themes import Theme, ladder, theme, themes

GALLIA = "gallia-is-lost"
QUICK = {"within": 0.2, "seed": 3, "beside": ("random",)}


@lru_cache(maxsize=4096)
def weight(text: str) -> int:
    position = Position.from_json(text)
    return 2 * len(position.revolts) + len(position.unrest)


def easy_to_hard(text: str) -> float:
    """The chance of a set-up: the more discs, the smaller."""
    return 1 / (1 + exp((weight(text) - 26) / 8))


def never_near(text: str) -> float:
    """A chance that is always 9 points from one half."""
    return 0.59 if weight(text) < 26 else 0.41


def playing(monkeypatch: pytest.MonkeyPatch, chance_of: Callable[[str], float]) -> None:
    """Games that are won with a known chance in place of real ones."""

    def play(self: SetUps, _policy: str, seed: int, first: int, games: int, _stop: Stop | None = None) -> str:
        p = chance_of(self.text)
        return "".join("w" if Random(f"{seed} {n}").random() < p else "l" for n in range(first, first + games))

    monkeypatch.setattr(SetUps, "play", play)


def test_the_win_rate_is_in_the_band_as_often_as_the_search_says(monkeypatch: pytest.MonkeyPatch) -> None:
    playing(monkeypatch, easy_to_hard)
    found = [make_scenario(GALLIA, 0.55, within=0.06, beside=(), seed=seed) for seed in range(25)]
    true = [easy_to_hard(Position.parse(made.position).to_json()) for made in found]
    outside = [p for p in true if abs(p - 0.55) > 0.06]
    assert len(outside) <= 1  # of 25; the statement allows 5 %
    assert len({made.position for made in found}) > 15


def test_a_search_among_set_ups_outside_the_band_finds_none(monkeypatch: pytest.MonkeyPatch) -> None:
    playing(monkeypatch, never_near)
    monkeypatch.setattr(making, "LADDERS", 3)
    for seed in range(8):  # one in twenty may give one; none of these does
        with pytest.raises(NoScenarioError, match="3 orders of its discs"):
            make_scenario(GALLIA, 0.5, within=0.08, beside=(), seed=seed)


@pytest.mark.parametrize("games", [25, 400, 1000, 5000])
def test_a_confirmation_is_always_decided_at_its_last_look(games: int) -> None:
    """The narrowest interval either excludes the wanted rate or lies within the band."""
    rule = BandRule(rule_for(0.05, 0.95).most, 0.05, wanted=0.4, within=0.1)
    for won in range(0, games + 1, 5):
        found = chance(won, games, 0.95)
        assert rule.is_met(found) == (rule.excludes(found) or rule.holds(found) or found.half_width <= 0.05)
        if found.half_width <= 0.05:
            assert rule.excludes(found) or rule.holds(found)


def test_a_scenario_of_real_games_is_the_same_after_an_interruption_and_by_processes(tmp_path: Path) -> None:
    made = make_scenario(GALLIA, 0.6, **QUICK)  # type: ignore[arg-type]  # the types of the values of QUICK differ
    assert made.rate.rate is not None
    assert made.rate.rate.low >= 0.4
    assert made.rate.rate.high <= 0.8
    set_ups = SetUps.fixed(Position.parse(made.position))
    assert set_ups.play("greedy", made.rate.seed, 0, 25) == made.rate.games[:25]
    assert made.position == str(ladder(theme(GALLIA), 3, made.number).position(made.step))

    path = tmp_path / "search"
    with pytest.raises(OutOfTimeError, match="before a set-up was found"):
        make_scenario(GALLIA, 0.6, **QUICK, checkpoint=path, seconds=0.2)  # type: ignore[arg-type]  # as above
    assert make_scenario(GALLIA, 0.6, **QUICK, checkpoint=path, workers=2) == made  # type: ignore[arg-type]  # as above

    text = text_of(made)
    assert position_of(text) == made.position
    data = json.loads(text)
    assert read_made(text, "here") == data | {"rates": [data["rate"], *data["beside"]]}
    changes = (
        {"format": "x"},
        {"title": "a\x1b[2J"},
        {"sentence": 5},
        {"beside": [{}]},
        {"rate": {"policy": "x", "rate": 7}},
    )
    for change in (*changes, {"position": "4211"}):
        with pytest.raises(TetrasolveError):
            read_made(json.dumps(data | change), "here")
    for hostile in ("[" * 10**4, "[]", "", '"x"'):
        with pytest.raises(ArgumentError, match="expected a file of `tetrasolve scenario new`"):
            read_made(hostile, "here")
    assert json.loads(text)["versions"]["weights"]
    assert made.sentence.startswith(contents(Position.parse(made.position)))
    assert f"greedy wins {100 * made.rate.rate.value:.1f} %" in made.sentence


@pytest.mark.parametrize("row", themes().values(), ids=lambda row: row.name)
def test_every_step_of_a_theme_can_occur_and_has_its_pieces(row: Theme) -> None:
    board = Board.standard()
    assert {*row.revolts, *row.armies} <= {*board.provinces}
    for number in range(2):
        rungs = ladder(row, 5, number)
        weights = [weight(rungs.position(step).to_json()) for step in rungs.steps]
        assert weights == [*range(weights[0], weights[-1] + 1)]
        for step in rungs.steps:
            position = rungs.position(step)
            assert position.status() == ()
            assert {*row.revolts} <= position.revolts
            assert {*row.armies} <= {*position.armies}
    with pytest.raises(IndexError, match="expected"):
        rungs.position(rungs.steps[-1] + 1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"name": "atlantis"}, "gallia-is-lost"),
        ({"win_rate": 1.0}, "less than 0.98"),
        ({"policy": "best"}, "expectimax"),
        ({"beside": ("best",)}, "expectimax"),
        ({"within": 0.5}, "0.005 to 0.2"),
        ({"seed": -1}, "expected 0"),
    ],
)
def test_arguments_out_of_range_are_named(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        make_scenario(**({"name": GALLIA, "win_rate": 0.6} | arguments))  # type: ignore[arg-type]  # on purpose


def test_what_the_file_says_is_not_a_scenario_by_chance() -> None:
    assert position_of('{"format": "tetrasolve-position/1"}') is None
    assert position_of("4211 D:6 -") is None
    with pytest.raises(ValueError, match="position"):
        position_of('{"format": "tetrasolve-scenario/1"}')
