"""Puzzles as files: what is made, what is read, what a check finds, and why a wrong answer fails."""

from __future__ import annotations

import csv
import json
from dataclasses import replace
from fractions import Fraction
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tabletop import make_position

from tetrasolve.cli import puzzleoptions
from tetrasolve.errors import IllegalActionError, PuzzleError
from tetrasolve.puzzles.making import QuestionCounts
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.cli import puzzle as cli
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.plan import read_plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import Verdict, unique
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.collection import (
    Broken,
    Entry,
    csv_text,
    read_collection,
    read_line,
    read_to_check,
    select,
)
from tetrasolve.tetrarchia.puzzle.kinds import TURN, kinds, questions
from tetrasolve.tetrarchia.puzzle.making import greedy_turns, make, turns_of
from tetrasolve.tetrarchia.puzzle.puzzle import OTHER_BOARD, Puzzle, certified, check
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
BESIDE = make_position(
    at={"diocletian": "belgica"}, ip=3, armies="britannia", garrisons={"galerius": "belgica"}, board=BOARD
)


def puzzle_of(position: Position, kind: str, target: str | None = None) -> Puzzle:
    (question,) = (q for q in questions(position, (kind,)) if q.target == target)
    return Puzzle(question, "by hand", unique(position, question.objective))


# -- kinds -------------------------------------------------------------------------------------------------------


def test_a_position_gives_rise_to_the_questions_of_its_kinds() -> None:
    asked = [(q.kind.name, q.target) for q in questions(BESIDE)]
    borders = [("secure", border) for border in BOARD.borders]
    phase = ["chance-uprising", "chance-fall", "likely-revolt", "fall", "garrison-revolts"]
    assert asked == [*borders, ("kill", "britannia"), ("uprising", None), *((name, None) for name in phase)]


def test_two_turns_are_asked_about_where_they_are_named() -> None:
    assert not [q for q in questions(BESIDE) if q.kind.by_name]
    assert [q.target for q in questions(BESIDE, ("two-kill",))] == ["britannia"]
    assert [q.target for q in questions(BESIDE, ("two-secure",))] == [*BOARD.borders]


def test_winning_is_asked_for_where_few_borders_are_left() -> None:
    for count, wanted in ((3, 0), (4, 1), (5, 1)):
        position = make_position(
            at={"diocletian": "roma"}, garrisons={"diocletian": " ".join(BOARD.borders[:count])}, level=5, board=BOARD
        )
        (*found,) = questions(position, ("win",))
        assert len(found) == wanted
        assert all(str(q) == "Diocletian moves. Win this turn with the best chance." for q in found)


def test_the_pirates_are_asked_about_where_they_are() -> None:
    game = new_game(Ruleset.from_text("4211+pirates"), 1)
    assert [q.kind.name for q in questions(game.start, ("pirates",))] == ["pirates"]
    assert not list(questions(BESIDE, ("pirates",)))


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(PuzzleError, match="'mate': expected one of win, secure"):
        list(questions(BESIDE, ("mate",)))


def test_every_kind_asks_for_what_can_be_read() -> None:
    position = make_position(
        at={"diocletian": "roma"}, garrisons={"diocletian": " ".join(BOARD.borders[:4])}, level=5, board=BOARD
    )
    for name in kinds():
        for question in questions(position, (name,)):
            assert "{" not in str(question)
            assert question.kind.form != TURN or "{" not in str(question.objective)


# -- making ------------------------------------------------------------------------------------------------------


def test_games_give_the_same_positions_for_the_same_seed() -> None:
    def played(seed: int) -> list[str]:
        return [str(position) for _, position, _ in turns_of(new_game(Ruleset.from_text("4211"), 3), seed, 3)]

    assert played(1) == played(1) != played(2)
    assert len(played(1)) == 3


def test_puzzles_are_made_and_counted() -> None:
    tally = QuestionCounts()
    games = [("by hand", 1, new_game(Ruleset.from_text("4222"), 7))]
    made = list(make(greedy_turns(games, 1), count=1, kinds=("kill",), tally=tally))
    assert [puzzle.is_sharp for puzzle in made] == [True] * len(made)
    assert tally.asked >= sum(tally.verdicts.values()) >= 1 and tally.too_long == 0
    assert str(tally).startswith(f"{tally.asked} questions: ")


@pytest.mark.slow
@pytest.mark.parametrize("level", ["4222+dux+pirates", "4121+imperium", "3222+goths+roma-aeterna", "4211+barbaria"])
def test_puzzles_with_modules_are_made_and_confirmed(level: str) -> None:
    games = ((level, seed, new_game(Ruleset.from_text(level), seed)) for seed in range(9))
    made = list(make(greedy_turns(games, 4), count=4, kinds=("win", "secure", "kill", "pirates"), sharp=False))
    assert len(made) == 4 and [certified(puzzle) for puzzle in made] == ["confirmed"] * 4


def test_a_question_that_takes_too_long_is_left_out_and_counted() -> None:
    tally = QuestionCounts()
    games = [("by hand", 1, new_game(Ruleset.from_text("4222"), 7))]
    assert not list(make(greedy_turns(games, 1), count=1, kinds=("kill",), seconds_each=0, tally=tally))
    assert tally.too_long == tally.asked == 2


# -- files -------------------------------------------------------------------------------------------------------


def test_a_puzzle_is_a_line_that_reads_back_and_is_checked() -> None:
    puzzle = puzzle_of(BESIDE, "kill", "britannia")
    question, source, data = read_line(puzzle.line(), "line 1")
    assert (question, source) == (puzzle.question, "by hand")
    done = check(question, data)
    assert (done.trouble, done.certified) == ("", "confirmed")
    assert data["sharp"] is False and data["question"].endswith("Spend as few IP as you can.")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("answer", "end"),
        ("gap", {"term": "kill britannia", "exact": "1", "float": 1.0}),
        ("certificate", None),
        ("sharp", True),
        ("states", 1),
        ("themes", ["waiting"]),
        ("objective", "kill gaetulia then least ip"),
    ],
)
def test_what_a_file_says_beside_the_question_is_compared(key: str, value: object) -> None:
    data = puzzle_of(BESIDE, "kill", "britannia").data() | {key: value}
    question, _, read = read_line(json.dumps(data), "line 1")
    stated, found = (json.dumps(part[key], sort_keys=True) for part in (data, HONEST))
    if key == "certificate":
        found = f"{found[:100]}…"
    assert check(question, read).trouble == f"{key}: the file says {stated}, expected {found}"


def test_what_a_file_leaves_out_is_named() -> None:
    data = puzzle_of(BESIDE, "kill", "britannia").data()
    del data["gap"]
    question, _, read = read_line(json.dumps(data), "line 1")
    assert check(question, read).trouble.startswith('gap: the file says nothing, expected {"exact": ')


def test_a_question_with_a_second_answer_is_found() -> None:
    """The file of a puzzle whose position was changed so that two answers are best."""
    position = make_position(at={"diocletian": "lugdunensis"}, ip=4, armies="britannia", board=BOARD)
    data = puzzle_of(BESIDE, "kill", "britannia").data() | {"position": str(position)}
    question, _, read = read_line(json.dumps(data), "line 1")
    done = check(question, read)
    assert done.solution.verdict is Verdict.TWO_ANSWERS and done.trouble.startswith("two answers: ")
    assert str(done.solution.other).startswith("move belgica; secure; attack britannia")


HONEST = puzzle_of(BESIDE, "kill", "britannia").data()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "is empty"),
        ("[]", "expected an object of the format"),
        ("{", "not JSON"),
        ('{"format":"tetrasolve-puzzle/2"}', "expected an object of the format"),
        (json.dumps(HONEST | {"kind": "mate"}), "expected one of"),
        (json.dumps(HONEST | {"kind": ["kill"]}), "expected text"),
        (json.dumps(HONEST | {"target": "persia"}), "gives rise to no such question"),
        (json.dumps(HONEST | {"target": {}}), "gives rise to no such question"),
        (json.dumps(HONEST | {"position": "4211"}), "line 1: "),
        ("[" * 100, "line 1: "),
        (json.dumps(HONEST | {"source": "\ud800x"}), r"line 1: 'source': holds the character U\+D800"),
        (json.dumps(HONEST | {"source": "a\x1b[2J"}), r"'source': holds the character U\+001B"),
        (json.dumps(HONEST | {"x": {"a\nb": 1}}), r"'x': holds the character U\+000A"),
        (json.dumps(HONEST | {"themes": ["a\nb"]}), r"'themes': holds the character U\+000A"),
        (json.dumps(HONEST | {"certificate": "a\n\x00"}), r"holds the character U\+0000"),
    ],
)
def test_what_is_no_puzzle_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason) as caught:
        read_collection(text, "file")
    assert str(caught.value).startswith("file")


def test_a_collection_is_filtered_by_all_that_is_asked_for() -> None:
    """Kinds: one of them; themes: all of them; a file without themes has none."""
    without = {key: value for key, value in HONEST.items() if key != "themes"}
    dux = str(new_game(Ruleset.from_text("4211+dux"), 1).start)
    rows = [HONEST, without, HONEST | {"kind": "uprising", "target": None, "themes": "waiting"}]
    rows.append(HONEST | {"kind": "uprising", "target": None, "position": dux, "sharp": True, "themes": ["waiting"]})
    found = read_collection("\n".join(map(json.dumps, rows)), "file")

    def numbers(**wanted: Any) -> list[int]:
        return [number for number, _ in select(found, **wanted)]

    assert numbers() == [1, 2, 3, 4]
    assert numbers(kinds=["kill"]) == [1, 2] and numbers(kinds=["kill", "uprising"]) == [1, 2, 3, 4]
    assert "broken-link" in found[0].themes and found[1].themes == found[2].themes == ()
    assert numbers(themes=["broken-link"]) == [1] and numbers(themes=["broken-link", "waiting"]) == []
    assert numbers(module="dux") == numbers(sharp=True) == numbers(themes=["waiting"]) == [4]
    for wrong in ({"kinds": ["mate"]}, {"themes": ["mate"]}):
        with pytest.raises(PuzzleError, match="'mate': expected one of"):
            numbers(**wrong)


def test_a_collection_is_written_as_csv() -> None:
    rows = [HONEST, HONEST | {"source": '=1+1,"a"', "answer": 7, "gap": None, "themes": None}, HONEST | {"sharp": True}]
    rows[2] = json.loads(puzzle_of(BESIDE, "uprising").line())
    text = csv_text(read_collection("\n".join(map(json.dumps, rows)), "file"))
    first, second, third = csv.DictReader(StringIO(text))
    assert (first["Kind"], first["Target"], first["Position"]) == ("kill", "britannia", str(BESIDE))
    assert first["Answer"] == HONEST["answer"] and first["Gap"] == HONEST["gap"]["exact"]
    assert first["Themes"].split() == HONEST["themes"] and "broken-link" in HONEST["themes"]
    assert (second["Answer"], second["Gap"], second["Themes"], second["Source"]) == ("", "", "", '\'=1+1,"a"')
    assert first["PuzzleId"] == second["PuzzleId"] != third["PuzzleId"]


def board_with(one: str, other: str, **change: Any) -> Board:
    """The board with another row for one of its links."""
    return replace(
        BOARD, links=tuple(replace(row, **change) if set(row.between) == {one, other} else row for row in BOARD.links)
    )


def test_a_changed_row_of_the_board_breaks_the_puzzles_that_rest_on_it() -> None:
    """The army in Britannia is attacked from Belgica; the link of Bithynia is far away."""
    puzzle = puzzle_of(BESIDE, "kill", "britannia")
    far, near = board_with("bithynia", "asia", broken=True), board_with("belgica", "britannia", broken=False)
    there = read_line(puzzle.line(), "line 1", far)
    assert check(there.question, there.data).trouble.startswith("board: the file says ")
    stands = check(there.question, there.data, changed_board=True)
    assert (stands.trouble, stands.certified) == ("", OTHER_BOARD) and stands.puzzle is not None
    here = read_line(puzzle.line(), "line 1", near)
    broken = check(here.question, here.data, changed_board=True)
    assert broken.trouble.startswith("answer: the file says ") and broken.puzzle is not None
    again = read_line(broken.puzzle.line(), "line 1", near)
    assert check(again.question, again.data, changed_board=True).trouble == ""


def test_puzzles_that_a_board_has_no_place_for_are_broken_and_the_others_are_read() -> None:
    """The link that Diocletian took is gone."""
    gone = replace(BOARD, links=tuple(row for row in BOARD.links if set(row.between) != {"belgica", "lugdunensis"}))
    turn = HONEST | {"kind": "mistake", "target": "kill britannia: move lugdunensis; end"}
    broken, entry, none = read_to_check("\n".join(map(json.dumps, [turn, HONEST, []])), "file", gone)
    assert isinstance(broken, Broken) and "neither a link nor a fleet" in broken.reason
    assert isinstance(entry, Entry) and entry.question.kind.name == "kill"
    assert none == Broken("file, line 3: expected an object of the format tetrasolve-puzzle/1")


FRONTIERS = " ".join(BOARD.borders[:3]), " ".join(BOARD.borders[3:])


@pytest.mark.parametrize(
    ("name", "changes", "reason"),
    [
        ("kill", {"armies": ""}, "it needs an army on the board"),
        ("roma", {}, "it needs an army one advance from Roma"),
        ("pirates", {}, "it is about pirates, which is not in play"),
        ("three-win", {}, "it needs 3 borders with garrisons, and 0 have one"),
        (
            "secure",
            {"garrisons": dict(zip(("diocletian", "galerius"), FRONTIERS, strict=True)), "legal": False},
            "every border has a garrison",
        ),
        (
            "garrison-revolts",
            {"garrisons": {"diocletian": "roma sicilia etruria cisalpina"}},
            "Diocletian has no garrison",
        ),
        ("mistake", {}, "--target missing: expected an aim, a colon and the actions of the turn"),
    ],
)
def test_a_question_that_a_position_does_not_give_rise_to_is_refused_with_the_reason(
    name: str, changes: dict[str, Any], reason: str
) -> None:
    position = make_position(
        **{"at": {"diocletian": "belgica"}, "ip": 3, "armies": "britannia", "board": BOARD} | changes
    )
    assert not list(kinds()[name].questions(position))
    ran = CliRunner().invoke(cli.command, ["ask", str(position), "--kind", name], standalone_mode=False)
    assert reason in str(ran.exception)


def test_solve_asks_for_the_answer_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "one.jsonl"
    file.write_text(json.dumps(HONEST))
    monkeypatch.setattr(puzzleoptions, "_is_terminal", lambda: True)
    for typed, code, said in ((HONEST["answer"], 0, "right"), ("end", 1, "wrong"), ("", 2, "no answer was given")):
        ran = CliRunner().invoke(cli.command, ["solve", str(file)], input=f"{typed}\n" * bool(typed))
        shown = f"{HONEST['question']}\n{BESIDE}\nturn "
        assert shown in ran.output and ran.output.count("answer (") >= 1 and said in ran.output
        assert (ran.exit_code == 2) is (code == 2)  # of a wrong answer the command group makes the exit code


def test_a_file_without_a_puzzle_is_no_collection() -> None:
    with pytest.raises(PuzzleError, match="file, line 1: expected an object"):
        read_to_check("[]\n7", "file")


@pytest.mark.parametrize("options", [[], ["--board"]])
def test_a_broken_puzzle_does_not_end_the_check(
    options: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Persia has no army, and a line is cut off: that is said of them, and the next one is checked and kept."""
    file, kept = tmp_path / "all.jsonl", tmp_path / "kept.jsonl"
    lines = [*map(json.dumps, [HONEST | {"target": "persia"}, HONEST]), json.dumps(HONEST)[:50]]
    file.write_text("\n".join(lines))
    monkeypatch.setattr(cli, "find_board", lambda _: BOARD)
    ran = CliRunner().invoke(cli.command, ["check", str(file), "--repair", str(kept), *(f"{o}=x" for o in options)])
    assert ran.exception is None, ran.exception
    assert "1: wrong: target 'persia': the position gives rise to no such question" in ran.output
    assert "2: one answer" in ran.output and kept.read_text().count("\n") == 1
    assert "3: wrong: " in ran.output and ", line 3: not JSON" in ran.output


def test_shrinking_keeps_what_is_done_and_what_cannot_be_tried(tmp_path: Path) -> None:
    """The second entry has two answers; the first one is shrunk and written all the same."""
    more = puzzle_of(BESIDE.replace(discs={**BESIDE.discs, "dacia": "revolt"}), "kill", "britannia").data()
    two = HONEST | {
        "position": str(make_position(at={"diocletian": "lugdunensis"}, ip=4, armies="britannia", board=BOARD))
    }
    file, out = tmp_path / "all.jsonl", tmp_path / "out.jsonl"
    file.write_text("\n".join(map(json.dumps, [more, two])))
    ran = CliRunner().invoke(cli.command, ["shrink", str(file), "--out", str(out)], standalone_mode=False)
    assert ran.return_value == 3 and "1: revolt in dacia" in ran.output and "2: this is no puzzle: two" in ran.output
    first, second = map(json.loads, out.read_text().splitlines())
    assert first["position"] == str(BESIDE) and second == two


# -- attempts ----------------------------------------------------------------------------------------------------

FOUND = unique(BESIDE, "kill britannia then most value emperor@lugdunensis=1")


def tried(after_a_draw: str) -> str:
    return f"attack britannia {{victory 5/12: end | draw 1/6: {after_a_draw} | defeat 5/12: end}}"


def test_the_answer_is_right() -> None:
    result = attempt(FOUND, read_plan(str(FOUND.plan), BOARD))
    assert result.is_right and result.mistake is None


def test_the_branch_that_refutes_a_wrong_answer_is_named() -> None:
    result = attempt(FOUND, read_plan(tried("move germania_inferior"), BOARD))
    assert not result.is_right and result.mistake is not None
    assert result.mistake.after == (("draw", Fraction(1, 6)),)
    assert result.mistake.step == "move germania_inferior"
    assert (result.mistake.before[1], result.mistake.left[1]) == (1, 0)


def test_ending_too_early_is_a_mistake() -> None:
    result = attempt(FOUND, read_plan(tried("end"), BOARD))
    assert not result.is_right and result.mistake is not None and result.mistake.step == "end"
    nothing = attempt(FOUND, read_plan("end", BOARD)).mistake
    assert nothing is not None and nothing.after == () and nothing.before[0] == Fraction(5, 12)


def test_a_detour_is_right_and_costs_ip() -> None:
    position = make_position(at={"diocletian": "belgica"}, ip=4, fleets=(3,), board=BOARD)
    found = unique(position, "secure lugdunensis")
    detour = "move germania_inferior; move belgica; move lugdunensis; secure"
    result = attempt(found, read_plan(detour, BOARD))
    assert result.is_right and result.mistake is not None and result.mistake.step == "move germania_inferior"


def test_an_attack_that_comes_too_early_is_the_mistake() -> None:
    """Without the garrison of Galerius one can secure first, which is better."""
    position = make_position(at={"diocletian": "belgica"}, ip=3, armies="britannia", board=BOARD)
    found = unique(position, "kill britannia")
    result = attempt(found, read_plan(tried("end"), BOARD))
    assert result.mistake is not None and result.mistake.step == "attack britannia"
    assert (result.mistake.before[0], result.mistake.left[0]) == (Fraction(7, 12), Fraction(5, 12))


def test_an_illegal_plan_is_refused() -> None:
    with pytest.raises(IllegalActionError, match="move roma"):
        attempt(FOUND, read_plan("move roma", BOARD))
