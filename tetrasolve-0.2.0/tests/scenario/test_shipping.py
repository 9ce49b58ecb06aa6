"""Collections by the recipe: a run that was stopped goes on to the same file, and a search without a result is a line of it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tetrasolve.errors import ArgumentError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario import making
from tetrasolve.tetrarchia.scenario.setups import SetUps
from tetrasolve.tetrarchia.scenario.shipping import NONE, Wanted, make_all, read_lines, recipe
from tetrasolve.tetrarchia.scenario.themes import themes

WANTED = tuple(Wanted(name, 0.5, "greedy", ("random",), 0.1, 4) for name in ("persian-front", "africa-burns"))


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games whose chance falls with the number of revolts, in place of real ones."""

    def play(self: SetUps, _policy: str, seed: int, first: int, games: int, stop: Stop | None = None) -> str:
        if stop is not None:
            stop.check()
        position = Position.from_json(self.text)
        p = max(0.0, 1 - (2 * len(position.revolts) + len(position.unrest)) / 50)
        return "".join("w" if Random(f"{seed} {n}").random() < p else "l" for n in range(first, first + games))

    monkeypatch.setattr(SetUps, "play", play)


@pytest.mark.usefixtures("known")
def test_a_run_that_was_stopped_goes_on_to_the_same_collection(tmp_path: Path) -> None:
    assert make_all(WANTED, tmp_path / "whole", tmp_path / "work")
    assert not make_all(WANTED, tmp_path / "parts", tmp_path / "work", seconds=0.0)
    assert make_all(WANTED[:1], tmp_path / "parts", tmp_path / "work")
    before = (tmp_path / "parts").read_text("utf-8")
    said: list[str] = []
    assert make_all(WANTED, tmp_path / "parts", tmp_path / "work", say=said.append)
    assert said == ["2 of 2: africa-burns-0.5-greedy-4"]
    whole = (tmp_path / "whole").read_text("utf-8")
    assert (tmp_path / "parts").read_text("utf-8") == whole
    assert whole.startswith(before)
    assert [line["theme"] for line in read_lines(tmp_path / "whole")] == [one.theme for one in WANTED]
    for line in read_lines(tmp_path / "whole"):
        low, high = line["rate"]["rate"]["ci"]
        assert 0.4 <= low <= high <= 0.6
    assert not list((tmp_path / "work").iterdir())


@pytest.mark.usefixtures("known")
def test_a_search_without_a_result_is_a_line_and_is_not_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(making, "LADDERS", 1)
    hopeless = replace(WANTED[0], win_rate=0.05, within=0.02)
    assert make_all([hopeless], tmp_path / "out", tmp_path / "work")
    (line,) = read_lines(tmp_path / "out")
    assert line["format"] == NONE
    assert "1 orders of its discs" in line["reason"]
    said: list[str] = []
    assert make_all([hopeless], tmp_path / "out", tmp_path / "work", say=said.append)
    assert not said


def test_the_recipe_has_all_themes_and_enough_scenarios() -> None:
    found = recipe()
    assert {one.theme for one in found} == {*themes()}
    assert len({one.name for one in found}) == len(found) >= 50


def test_a_line_of_another_form_is_named(tmp_path: Path) -> None:
    (tmp_path / "out").write_text(json.dumps({"theme": "x"}) + "\n", "utf-8")
    with pytest.raises(ArgumentError, match="line 1: expected an object with"):
        read_lines(tmp_path / "out")
