"""Puzzles of the second game: cubes that can go, how far two puzzles are apart, tables of them, questions of one's own."""

from __future__ import annotations

import csv
import json
from io import StringIO
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from tetrasolve.cli.common import OutputError
from tetrasolve.errors import OutOfTimeError, PuzzleError
from tetrasolve.finem.cli import puzzleask
from tetrasolve.finem.cli.puzzle import command
from tetrasolve.finem.examples import examples
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle import construction
from tetrasolve.finem.puzzle.construction import cubes, shrink
from tetrasolve.finem.puzzle.distance import MOST, OTHER_KIND, OTHER_TARGET, alike, distance
from tetrasolve.finem.puzzle.kinds import Question, kind, question_about
from tetrasolve.finem.puzzle.puzzle import Puzzle, csv_text, read_line, shipped
from tetrasolve.finem.puzzle.solving import solve
from tetrasolve.stop import Stop, Stopped

pytestmark = pytest.mark.program

WORST = (
    "standard tribune E7/C7/CR 2233/CEB 6/2 "
    "O5:O1.OR:O1.C5:C1.CR:C3.E5:E1.E7:E3.ES:E3.ER:E2.B5:B1 invade:1 C5.CS.CR.ES.B7.BC"
)
PLAN = "standard consul C7/C7/E5 2221/- 1/1 C6:C3.C7:C3.E5:E1.O5:O2 act:2 -"


def asked(position: str, name: str = "worst-card", target: str | None = None) -> Question:
    return question_about(name, target, Position.parse(position))


def puzzle_of(question: Question) -> Puzzle:
    found = solve(question)
    assert found.is_unique
    return Puzzle(question, "by hand", found)


# -- cubes that can go ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("position", "name"), [(WORST, "worst-card"), (PLAN, "survive")])
def test_each_cube_that_is_left_is_needed_and_the_answer_is_the_same(position: str, name: str) -> None:
    """What is left is tried cube by cube with a search that begins again each time."""
    puzzle = puzzle_of(asked(position, name))
    done = shrink(puzzle)
    assert done.is_complete
    left, before = cubes(done.puzzle.question.position), cubes(puzzle.question.position)
    assert len(before) - len(left) == len(done.removed) > 0
    assert done.puzzle.found.options[0] == puzzle.found.options[0]
    for cube in set(left):
        try:
            again = solve(question_about(name, None, cube.removed(done.puzzle.question.position)))
        except PuzzleError:
            continue  # nothing is asked any more
        assert not again.is_unique or again.options[0] != puzzle.found.options[0]


def test_a_search_that_is_stopped_keeps_the_puzzle_as_it_is_then() -> None:
    puzzle = puzzle_of(asked(WORST))
    stop = Stop()
    stop.set()
    done = shrink(puzzle, cancel=stop)
    assert (done.puzzle, done.removed, done.is_complete) == (puzzle, (), False)


def test_what_has_gone_is_written_when_the_time_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first cubes go, then the time is over: the file has the puzzle without them, and its grade."""
    puzzle = puzzle_of(asked(PLAN, "survive"))
    before, after = tmp_path / "before.jsonl", tmp_path / "after.jsonl"
    before.write_text(puzzle.line() + "\n", "utf-8")
    searched = []

    def until_one_went(question: Question, **given: Any) -> Any:
        found = solve(question, **given)
        if searched and searched[-1] < len(cubes(puzzle.question.position)):
            raise OutOfTimeError("'here'")
        searched.append(len(cubes(question.position)) if found.is_unique else 99)
        return found

    monkeypatch.setattr(construction, "solve", until_one_went)
    ran = CliRunner().invoke(command, ["shrink", str(before), "--out", str(after)], standalone_mode=False)
    assert (ran.exception, ran.return_value) == (None, 3)
    assert "; not all pieces were tried" in ran.output
    written = read_line(after.read_text("utf-8"), "here")
    assert len(cubes(written.question.position)) == searched[-1] < len(cubes(puzzle.question.position))
    assert (written.grade is not None, written.source) == (True, "by hand, shrunk")


@pytest.mark.parametrize("given", [["ask", WORST, "--kind", "worst-card"], ["shrink", "shipped"]])
def test_a_file_that_cannot_be_written_is_refused_before_the_work(given: list[str], tmp_path: Path) -> None:
    missing = str(tmp_path / "missing" / "file")
    ran = CliRunner().invoke(command, [*given, "--out", missing, "--seconds", "0"], standalone_mode=False)
    assert isinstance(ran.exception, OutputError)


def test_a_checker_that_is_stopped_says_so() -> None:
    question = asked(PLAN, "survive")
    with pytest.raises(OutOfTimeError, match="before the checker was done"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(puzzleask, "certified", stopped)
        CliRunner().invoke(
            command, ["ask", str(question.position), "--kind", "survive"], standalone_mode=False, catch_exceptions=False
        )


def stopped(*_: object) -> str:
    raise Stopped("deadline")


def test_cubes_are_listed_one_by_one() -> None:
    position = Position.parse(WORST)
    assert len(cubes(position)) == sum(position.on_map(tribe) for tribe in TRIBES) == 16
    assert cubes(position)[0].removed(position).count("O5", "O") == 0


# -- how far two puzzles are apart ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("other", "steps"),
    [
        (WORST, 0),
        (WORST.replace("O5:O1.", ""), MOST),
        (WORST.replace("E7/C7/CR", "C6/C7/CR"), MOST),  # the pawn stands far away
        (WORST.replace("2233", "2133"), 1),
        (WORST.replace("6/2", "5/3"), 2),
        (WORST.replace("C5.CS.CR.ES.B7.BC", "C5.CS.CR.ES.B6.BC"), 0),  # cards that are out, not held
    ],
)
def test_a_change_counts_by_its_steps(other: str, steps: int) -> None:
    assert distance(asked(WORST), asked(other)) == distance(asked(other), asked(WORST)) == steps


def test_a_cube_next_to_where_it_was_is_one_step_away() -> None:
    near = next(iter(Position.parse(WORST).layout.neighbours["O5"]))
    moved = Position.parse(WORST.replace("O5:O1.", ""))
    moved = moved.with_count(near, "O", moved.count(near, "O") + 1)
    assert distance(asked(WORST), asked(str(moved))) == 1


def test_another_kind_and_another_target_have_their_prices() -> None:
    position = Position.parse(WORST)
    one, two = Question(kind("tribune-die"), "O", position), Question(kind("tribune-die"), "B", position)
    assert distance(one, two) == OTHER_TARGET
    assert distance(one, asked(WORST)) == OTHER_KIND


def test_the_distance_is_a_metric_on_puzzles_of_one_map() -> None:
    """Where the maps differ, steps are those of the first."""
    layout = examples()["peril"].layout
    known = [entry.question for entry in shipped() if entry.question.position.layout == layout]
    questions = Random(5).sample(known, 12)
    for one, two, three in permutations(questions[:7], 3):
        assert distance(one, three) <= distance(one, two) + distance(two, three)
    assert all(distance(one, two) == distance(two, one) for one, two in permutations(questions, 2))


def test_pairs_that_are_near_are_found() -> None:
    far = "standard consul BC/C7/B7 1113/CEB 5/1 O5:O1.E6:E3.B5:B1 invade:3 E5.ER.BR"
    three = [asked(WORST), asked(far), asked(WORST.replace("2233", "2133"))]
    assert list(alike(three, 2)) == [(1, 3, 1)]
    with pytest.raises(OutOfTimeError):
        list(alike(three, 2, seconds=0))


# -- tables -----------------------------------------------------------------------------------------------------------------


def test_a_table_has_what_the_lines_say() -> None:
    entries = shipped()
    rows = list(csv.DictReader(StringIO(csv_text(entries))))
    assert len(rows) == len(entries)
    for row, entry in zip(rows, entries, strict=True):
        assert (row["PuzzleId"], row["Answer"], row["Position"]) == (
            entry.id,
            entry.data["answer"],
            str(entry.question.position),
        )
        assert row["Themes"].split() == list(entry.themes)


def test_a_cell_is_no_formula() -> None:
    line = puzzle_of(asked(WORST)).data() | {"source": "=1+1"}
    entry = read_line(json.dumps(line), "here")
    assert ",'=1+1," in csv_text([entry])


# -- questions of one's own --------------------------------------------------------------------------------------------------


def test_a_question_that_is_a_puzzle_is_written_and_checked(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    ran = CliRunner().invoke(
        command, ["ask", WORST, "--kind", "worst-card", "--out", str(path), "--json"], standalone_mode=False
    )
    assert (ran.exception, ran.return_value) == (None, 0)
    data = json.loads(ran.output)
    assert data["certificate"] == "confirmed"
    assert read_line(path.read_text("utf-8"), "here").data == data["puzzle"]


def test_a_question_with_two_answers_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "own.jsonl"
    ran = CliRunner().invoke(
        command, ["ask", "peril", "--kind", "worst-card", "--out", str(path), "--json"], standalone_mode=False
    )
    data = json.loads(ran.output)
    assert (ran.return_value, data["verdict"], data["second_answer"]) == (1, "two answers", "B7")
    assert not path.exists()


@pytest.mark.parametrize(
    ("position", "name", "target", "reason"),
    [
        (PLAN, "worst-card", None, "it is asked at the step invade"),
        (WORST, "survive", None, "it is asked in the phase of actions"),
        (PLAN.replace("consul", "dictator"), "survive", None, "a Dictator's plan is no list of actions"),
        (PLAN, "win", None, "tribes have to be pacified"),
        (PLAN, "survive", "O", "kind survive has none"),
        ("tribune", "tribune-die", None, "expected O (oros)"),
        ("tribune", "tribune-die", "gallia", "expected O (oros)"),
        (PLAN, "no-kind", None, "expected one of survive"),
    ],
)
def test_a_question_that_cannot_be_asked_says_why(position: str, name: str, target: str | None, reason: str) -> None:
    chosen = str(next(e.question.position for e in shipped() if e.question.kind.name == "tribune-die"))
    given = ["ask", chosen if position == "tribune" else position, "--kind", name]
    given += [] if target is None else ["--target", target]
    ran = CliRunner().invoke(command, given, standalone_mode=False)
    assert isinstance(ran.exception, PuzzleError)
    assert reason in str(ran.exception)


def test_the_tribe_can_be_named() -> None:
    entry = next(entry for entry in shipped() if entry.question.kind.name == "tribune-die")
    names = dict(zip(TRIBES, ("oros", "copas", "espadas", "bastos"), strict=True))
    assert entry.question.target is not None
    given = ["ask", str(entry.question.position), "--kind", "tribune-die", "--target", names[entry.question.target]]
    ran = CliRunner().invoke(command, [*given, "--json"], standalone_mode=False)
    assert json.loads(ran.output)["puzzle"]["answer"] == entry.data["answer"]


def test_all_regions_are_reached() -> None:
    """The steps on the map are symmetrical, which the metric needs."""
    layout = examples()["peril"].layout
    assert all(one in layout.neighbours[other] for one in REGIONS for other in layout.neighbours[one])
