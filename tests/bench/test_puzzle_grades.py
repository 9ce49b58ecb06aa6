"""The script that holds grades against other solvers: their shares on a puzzle made by hand, and its tables."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from tabletop import make_position

from tetrasolve.puzzles.effort import chance
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.puzzle.grade import turn_seen
from tetrasolve.tetrarchia.puzzle.kinds import questions
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle
from tetrasolve.tetrarchia.puzzle.unique import unique

BENCH = Path(__file__).parents[2] / "bench"

pytestmark = pytest.mark.skipif(not (BENCH / "benchkit").is_dir(), reason="the source tree is absent")


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCH))
    return import_module("puzzle_grades")


@pytest.fixture(scope="module")
def puzzle() -> Puzzle:
    position = make_position(
        at={"diocletian": "lugdunensis"},
        ip=4,
        armies="britannia",
        garrisons={"galerius": "belgica"},
        board=Board.standard(),
    )
    (question,) = questions(position, ("kill",))
    return Puzzle(question, "by hand", unique(position, question.objective)).graded()


def test_shares_of_each_solver_are_chances_of_all_choices(script: ModuleType, puzzle: Puzzle) -> None:
    turn = turn_seen(puzzle.solution)  # type: ignore[arg-type]  # it is about a turn
    solvers = [
        script.noticing(turn, 2),
        script.noticing(turn, 16),
        script.short_sighted(turn, 1),
        script.short_sighted(turn, 3),
    ]
    for state, choices in turn.region.items():
        for solver in solvers:
            row = solver(state)
            assert len(row) == len(choices) and sum(row) == pytest.approx(1) and min(row) >= 0
    found = [chance(turn.region, solver) for solver in solvers]
    assert 0 < found[0] < found[1] < 1 and 0 < found[2] < found[3] <= 1


def test_a_puzzle_is_measured_with_all_solvers(script: ModuleType, puzzle: Puzzle) -> None:
    row = script.measured(puzzle, Stop())
    assert row["grade"] == puzzle.grade.number and 0 < row["others"]["by random play"] <= 1
    assert len(row["others"]) == 8 and all(0 <= share <= 1 for share in row["others"].values())
    shares = list(row["erring"].values())
    assert shares == sorted(shares, reverse=True)


def test_the_tables_say_n_and_both_correlations(script: ModuleType, puzzle: Puzzle, tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for number in range(5):  # the higher the grade the fewer solvers find it
        row = json.loads(json.dumps(script.measured(puzzle, Stop())))
        row["grade"], row["figures"]["tries"] = number + 1, 10.0**number
        row["others"] = {name: 0.1**number for name in row["others"]}
        rows.append(row)
    data = {"seed": 3, "games": 2, "puzzles": rows}
    text = "\n".join(script.lines(data))
    assert text.startswith("5 puzzles of 2 games from seed 3 on") and "all of them  1.00   1.00   n=5" in text
    path = tmp_path / "kept.json"
    path.write_text(json.dumps(data), "utf-8")
    begun = import_module("benchkit.freshpuzzles").begun  # the fixture has put its folder on the path
    assert begun(path, 3) == data and begun(path, 4)["puzzles"] == []
