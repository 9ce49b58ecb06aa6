"""The script that holds grades of the second game against other solvers: their shares on a puzzle that ships, and its tables."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from tetrasolve.finem.puzzle.grade import region_of
from tetrasolve.finem.puzzle.puzzle import shipped
from tetrasolve.finem.puzzle.solving import Ranked, solve

BENCH = Path(__file__).parents[2] / "bench"

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module("finem_puzzle_grades")


@pytest.fixture(scope="module")
def found() -> Ranked:
    return solve(next(entry.question for entry in shipped() if entry.question.kind.name == "resist"))


def test_who_notices_more_or_plays_more_turns_finds_more(script: ModuleType, found: Ranked) -> None:
    region, worths = region_of(found)
    number = len(found.options)
    noticed = [script.noticing(region, worths, count) for count in (1, 2, 4)]
    assert noticed[0] == pytest.approx(1 / number)
    # the best of two that are noticed is the answer, if one of them is
    assert noticed[1] == pytest.approx((2 * (number - 1) + 1) / number**2)
    assert noticed == sorted(noticed)
    played = [script.playing(found, turns, Random(1)) for turns in (3, 300, 100_000)]
    assert played == sorted(played) and played[0] < 0.9 and played[2] > 0.95


def test_the_tables_have_every_solver_and_both_correlations(script: ModuleType) -> None:
    others = {"notices 2": 0.9, "plays 30 turns": 0.8}
    rows = [
        {
            "grade": grade,
            "figures": {"tries": 10.0**grade, "random": 0.5},
            "others": {name: share / 10**grade for name, share in others.items()},
        }
        for grade in (1, 2, 3)
    ]
    printed = list(script.lines({"puzzles": rows, "games": 5, "seed": 7}))
    assert printed[0] == "3 puzzles of 5 games of seed 7"
    assert next(line for line in printed if "all of them" in line).split()[-2:] == ["1.00", "1.00"]
    assert sum("notices 2" in line for line in printed) == 2
    assert len(list(script.lines({"puzzles": rows[:2], "games": 5, "seed": 7}))) == 1
