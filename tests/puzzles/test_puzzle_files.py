"""Puzzles as files: what is made, what is read, what a check finds, and why a wrong answer fails."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from tabletop import make_position

from tetrasolve.errors import IllegalActionError, PuzzleError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.game import new_game
from tetrasolve.tetrarchia.plan import read_plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle import Verdict, unique
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.kinds import kinds, questions
from tetrasolve.tetrarchia.puzzle.making import QuestionCounts, make, positions
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle, certified, check, read_collection, read_line
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
    assert asked == [*borders, ("kill", "britannia"), ("uprising", None)]


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
            assert "{" not in str(question) + str(question.objective)


# -- making ------------------------------------------------------------------------------------------------------


def test_games_give_the_same_positions_for_the_same_seed() -> None:
    def played(seed: int) -> list[str]:
        return [str(position) for _, position in positions(new_game(Ruleset.from_text("4211"), 3), seed, 3)]

    assert played(1) == played(1) != played(2)
    assert len(played(1)) == 3


def test_puzzles_are_made_and_counted() -> None:
    tally = QuestionCounts()
    games = [("by hand", 1, new_game(Ruleset.from_text("4222"), 7))]
    made = list(make(iter(games), count=1, turns=1, kinds=("kill",), tally=tally))
    assert [puzzle.is_sharp for puzzle in made] == [True] * len(made)
    assert tally.asked >= sum(tally.verdicts.values()) >= 1 and tally.too_long == 0
    assert str(tally).startswith(f"{tally.asked} questions: ")


@pytest.mark.slow
@pytest.mark.parametrize("level", ["4222+dux+pirates", "4121+imperium", "3222+goths+roma-aeterna", "4211+barbaria"])
def test_puzzles_with_modules_are_made_and_confirmed(level: str) -> None:
    games = ((level, seed, new_game(Ruleset.from_text(level), seed)) for seed in range(9))
    made = list(make(games, count=4, turns=4, kinds=("win", "secure", "kill", "pirates"), sharp=False))
    assert len(made) == 4 and [certified(puzzle) for puzzle in made] == ["confirmed"] * 4


def test_a_question_that_takes_too_long_is_left_out_and_counted() -> None:
    tally = QuestionCounts()
    games = [("by hand", 1, new_game(Ruleset.from_text("4222"), 7))]
    assert not list(make(iter(games), count=1, turns=1, kinds=("kill",), seconds_each=0, tally=tally))
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
        ("objective", "kill gaetulia then least ip"),
    ],
)
def test_what_a_file_says_beside_the_question_is_compared(key: str, value: object) -> None:
    data = puzzle_of(BESIDE, "kill", "britannia").data() | {key: value}
    question, _, read = read_line(json.dumps(data), "line 1")
    assert check(question, read).trouble == f"{key}: the file says something else"


def test_what_a_file_leaves_out_is_named() -> None:
    data = puzzle_of(BESIDE, "kill", "britannia").data()
    del data["gap"]
    question, _, read = read_line(json.dumps(data), "line 1")
    assert check(question, read).trouble.startswith("gap: ")


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
    ],
)
def test_what_is_no_puzzle_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason) as caught:
        read_collection(text, "file")
    assert str(caught.value).startswith("file")


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
