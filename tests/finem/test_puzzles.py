"""Puzzles of the second game: one answer by exact numbers, both engines, hostile and false files, making and resuming, commands."""

import json
from fractions import Fraction
from hashlib import sha256
from importlib.resources import files
from math import exp, sqrt

import pytest
from click.testing import CliRunner

from tetrasolve.errors import OutOfTimeError, PuzzleError
from tetrasolve.finem import rules
from tetrasolve.finem.cli.puzzle import command
from tetrasolve.finem.examples import examples
from tetrasolve.finem.plan import plan
from tetrasolve.finem.position import Phase, Position, Result
from tetrasolve.finem.puzzle import making
from tetrasolve.finem.puzzle.grade import grade, rule
from tetrasolve.finem.puzzle.kinds import kind, kinds, question_about, questions
from tetrasolve.finem.puzzle.making import made, make_collection, recipe_text
from tetrasolve.finem.puzzle.puzzle import (
    LANGUAGES,
    SHIPPED,
    Puzzle,
    check,
    helps,
    is_sharp,
    read_collection,
    read_line,
    select,
    shipped,
)
from tetrasolve.finem.puzzle.solving import Ranked, confirm, end_of, situation, solve
from tetrasolve.finem.puzzle.themes import themes, themes_of
from tetrasolve.finem.turnrisk import turn_risk
from tetrasolve.puzzles.ranked import Verdict

pytestmark = pytest.mark.program

PERIL = examples()["peril"]
RESIST = next(str(entry.question.position) for entry in shipped() if entry.question.kind.name == "resist")
# Themes that no puzzle of the collection has: kind, position and answer that have them
RARE = {
    "two-tribes": (
        "survive",
        "standard consul C7/C7/BC 1111/- 1/1 C7:C1E1.O5:O1.B5:B1 act:2 -",
        "confront C; confront E",
    ),
    "pacified": ("survive", "standard?E-PACIFY=free consul C7/C7/BC 1111/- 1/1 C7:C1 act:2 -", "pacify C"),
    "chain": ("worst-card", "standard consul B5/C7/BC 1111/- 1/1 C6:C3.C7:C3 invade:2 -", "C6"),
}
TURN = examples()["dictator"].replace(role="consul", left=2)
WORST = (
    "standard consul BC/C7/B7 1113/CEB 5/1 "
    "O5:O1.OC:O1.OR:O1.C6:C1.CC:C1.CR:C1.E5:E2.E6:E3.E7:E2.ES:E1.ER:E1.B5:B1.B6:B1.B7:B1.BC:B1 invade:3 E5.ER.BR"
)


@pytest.fixture(scope="module")
def worst():
    question = question_about("worst-card", None, Position.parse(WORST))
    return Puzzle(question, "by hand", solve(question))


def test_every_kind_is_a_row_with_both_languages():
    for name, row in kinds().items():
        assert row.name == name and row.form in ("plan", "decision", "chance", "card")
        assert row.question.count("{") == row.question_es.count("{")
    assert {question.kind.name for question in questions(PERIL)} == {"worst-card", "chance-lost"}
    assert not any(row.form == "plan" for row in (question.kind for question in questions(examples()["dictator"])))


def test_a_plan_has_one_number_for_each_situation_and_the_best_is_that_of_the_plan():
    found = solve(question_about("survive", None, TURN))
    assert found.options[0][1] == plan(TURN).value.value
    assert len({end_of(TURN, name) for name, _ in found.options}) == len(found.options) == plan(TURN).ends
    assert confirm(found) == ""
    assert found.is_right(found.answer) and not found.is_right(found.other)


def test_plans_to_the_same_situation_are_one_answer():
    found = solve(question_about("survive", None, TURN))
    stays = next(name for name, _ in found.options if name == "confront C")
    assert (
        found.number_of("confront C; move C6")
        == found.number_of("confront C; move C6; pass")
        == dict(found.options)[stays]
    )
    assert found.number_of("confront E") is None and found.number_of("nonsense") is None
    assert not found.is_right("")  # passing is another answer


def test_a_fraction_is_that_of_the_turn_and_is_read_in_any_form():
    found = solve(question_about("chance-lost", None, PERIL))
    exact = turn_risk(PERIL).p_lost
    assert found.options == ((str(exact), exact),) and found.is_unique and is_sharp(found)
    assert found.is_right(f" {3 * exact.numerator}/{3 * exact.denominator} ")
    assert not any(found.is_right(text) for text in ("1/0", "", "1e9", "-19/70", "0.2714", "9" * 5000))


def test_the_worst_card_is_alone_or_there_is_no_puzzle(worst):
    assert (
        worst.found.verdict is Verdict.ONE_ANSWER and worst.found.answer == "E6" and worst.found.gap == Fraction(1, 190)
    )
    assert confirm(worst.found) == ""
    two = solve(question_about("worst-card", None, PERIL))
    assert two.verdict is Verdict.TWO_ANSWERS and not two.is_unique


def test_a_decision_is_that_of_the_reference_rules():
    line = "standard emperor C7/C7/E5 3113/E 3/1 O5:O1.O6:O3.O7:O1.OS:O1.C5:C2.C6:C1.E7:E1.EC:E1.BC:B2.BR:B2 resist CR.E7.B7.BR"
    found = solve(question_about("resist", None, Position.parse(f"{line} hand=CR.E7.BR")))
    assert found.verdict is Verdict.TWO_ANSWERS and len(found.options) == 10 and confirm(found) == ""


# -- files ---------------------------------------------------------------------------------------------------------------


def test_a_line_is_read_back_and_checked(worst):
    entry = read_line(worst.line(), "here")
    assert entry.question == worst.question and check(entry).trouble == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("answer", "E7"),
        ("other", "O5"),
        ("gap", {"exact": "1/95", "float": 1 / 95}),
        ("gap", None),
        ("answers", 19),
        ("numbers", "p_won"),
        ("question", "Which card is harmless?"),
        ("options", []),
    ],
)
def test_false_claims_are_refuted(worst, key, value):
    false = worst.data() | {key: value}
    assert key in check(read_line(json.dumps(false), "here")).trouble


def test_a_position_with_two_answers_is_refuted(worst):
    false = worst.data() | {"position": str(PERIL)}
    assert "two answers" in check(read_line(json.dumps(false), "here")).trouble


@pytest.mark.parametrize(
    "change",
    [
        {"format": "tetrasolve-puzzle/1"},
        {"kind": "chess"},
        {"target": "O"},
        {"position": "standard"},
        {"position": 5},
        {"source": "a\u0000b"},
        {"source": "\ud800"},
    ],
)
def test_hostile_lines_are_refused_by_line(worst, change):
    with pytest.raises(PuzzleError, match=r"bad\.jsonl, line 2"):
        read_collection(f"{worst.line()}\n{json.dumps(worst.data() | change)}\n", "bad.jsonl")


def test_help_gives_away_more_and_more_and_ends_with_the_answer(worst):
    for language in LANGUAGES:
        steps = helps(worst.found, language)
        assert "E6" in steps[-1] and "E6" not in steps[0]


def test_a_deadline_ends_a_question():
    with pytest.raises(OutOfTimeError):
        solve(question_about("survive", None, examples()["dictator"].replace(role="consul")), seconds=0)


# -- making --------------------------------------------------------------------------------------------------------------

RECIPE = """seed = 3
[[part]]
kind = "worst-card"
level = "standard"
number = 2
games = 12
"""


def test_a_recipe_that_is_stopped_goes_on_to_the_same_file(tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    assert make_collection(whole, RECIPE)
    assert not make_collection(parts, RECIPE, seconds=0)
    lines = []

    class StopError(Exception):
        pass

    def stop_after_first(line):
        lines.append(line)
        if "1 of 2" in line:
            raise StopError

    with pytest.raises(StopError):
        make_collection(parts, RECIPE, say=stop_after_first)
    assert make_collection(parts, RECIPE)
    assert parts.read_text() == whole.read_text()
    assert len(read_collection(whole.read_text(), "whole")) == 2
    with pytest.raises(PuzzleError, match="another recipe"):
        make_collection(parts, RECIPE.replace("seed = 3", "seed = 4"))


def test_new_puzzles_are_written_when_they_are_found_and_gone_on_with(tmp_path, monkeypatch):
    """Ctrl-C in the question after the first puzzle: the file has it, and with --resume becomes that of an undisturbed run."""
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    options = ("new", "standard", "--seed", "3", "--kind", "chance-lost", "--count", "2", "--out")
    done = run(*options, str(whole))
    assert (done.return_value, done.output) == (0, "2 of 2 puzzles; 6 questions: 4 decided, 2 one answer\n")

    def interrupted(question, **limits):
        if parts.exists():
            raise KeyboardInterrupt
        return solve(question, **limits)

    with monkeypatch.context() as changed:
        changed.setattr(making, "solve", interrupted)
        first = run(*options, str(parts))
    assert first.return_value == 3
    assert first.output.startswith("interrupted: 1 of 2 puzzles; ") and "--resume goes on" in first.output
    assert parts.read_text().splitlines() == whole.read_text().splitlines()[:1]
    again = run(*options, str(parts), "--resume")
    assert again.return_value == 0 and again.output.startswith("2 of 2 puzzles; ")
    assert parts.read_text() == whole.read_text()
    with pytest.raises(PuzzleError, match="not of these games"):
        list(making.new_puzzles("standard", 90, count=3, before=read_collection(parts.read_text(), "parts")))


def test_the_same_game_gives_the_same_puzzle():
    row = kind("worst-card")
    found = [made(row, "standard", seed) for seed in (5, 5)]
    assert found[0] == found[1]


# -- grades and themes ----------------------------------------------------------------------------------------------------


def at_random(position, best, share=Fraction(1)):
    """The chance that random legal play from a position on ends in a situation, sequence by sequence."""
    total = Fraction(0)
    options = rules.node(position).options
    for option in options:
        after = rules.take(position, option)
        if isinstance(after, Position) and after.phase is Phase.ACTIONS:
            total += at_random(after, best, share / len(options))
        elif situation(after) == best:
            total += share / len(options)
    return total


def test_the_grade_of_a_plan_is_that_of_all_its_sequences():
    found = solve(question_about("survive", None, TURN))
    graded = grade(found)
    random = at_random(TURN, end_of(TURN, found.answer))
    assert graded.random == pytest.approx(float(random), rel=1e-5) and graded.tries >= 1
    assert graded.number == rule().grade(sqrt(graded.tries / graded.random))
    assert [rule().grade(most) for most in (1, *rule().effort)] == [1, 1, 2, 3, 4]


def test_a_decision_is_graded_by_its_options_and_a_chance_is_not(worst):
    position = Position.parse(RESIST)
    found = solve(question_about("resist", None, position))
    graded = grade(found)
    assert graded.random == pytest.approx(1 / len(found.options), rel=1e-5)
    best, least = float(found.options[0][1]), float(found.options[-1][1])
    liked = [exp(-(float(number) - best) / (rule().noise * (least - best))) for _, number in found.options]
    assert graded.tries == pytest.approx(sum(liked) / liked[0], rel=1e-4)
    assert grade(worst.found).data() == {"grade": None, "figures": None}
    with pytest.raises(PuzzleError, match="this is no puzzle"):
        grade(solve(question_about("worst-card", None, PERIL)))


@pytest.mark.parametrize(
    ("key", "value"),
    [("grade", 1), ("grade", True), ("figures", {"tries": 1.0, "random": 1.0}), ("themes", []), ("themes", ["chain"])],
)
def test_a_false_grade_or_theme_is_refuted(worst, key, value):
    entry = read_line(json.dumps({**worst.data(), key: value}), "here")
    assert check(entry).trouble.startswith(f"{key}: the file says {json.dumps(value, sort_keys=True)}, expected ")


def test_themes_are_those_of_what_the_answers_do():
    """Each is found in the collection by its rule; what it says is looked up here by other means."""
    entries = shipped()
    assert {name for entry in entries for name in entry.themes} == set(themes()) - RARE.keys()
    for entry in entries:
        asked, found = entry.question, set(entry.themes)
        position, words = asked.position, entry.data["answer"].split("; ")
        if asked.kind.form == "plan":
            assert ("march" in found) == (entry.data["answer"].count("move ") > 1)
            assert ("on-the-spot" in found) == ("move " not in entry.data["answer"])
        if asked.kind.name == "worst-card":
            assert ("at-once" in found) == isinstance(rules.take(position, words[0]), Result)
        assert ("last-card" in found) == (str(position.step) == "invade" and position.left == 1)
        assert ("kept" in found) == (words == ["keep"])
        gap = entry.data["gap"]
        assert ("close-call" in found) == (gap is not None and Fraction(gap["exact"]) < Fraction(1, 100))


@pytest.mark.parametrize("name", RARE)
def test_a_theme_that_the_collection_has_not(name):
    kind_, text, answer = RARE[name]
    question = question_about(kind_, None, Position.parse(text))
    for said, has in ((answer, True), ("confront C" if kind_ == "survive" else "O5", False)):
        found = Ranked(question, "by hand", ((said, Fraction(0)), ("another", Fraction(1))), Verdict.ONE_ANSWER)
        assert (name in themes_of(found)) is has


# -- the shipped collection and the commands -----------------------------------------------------------------------------


def test_the_shipped_collection_is_varied_and_a_sample_of_it_is_right():
    entries = shipped()
    assert len(entries) >= 40 and len({entry.id for entry in entries}) == len(entries)
    assert {entry.question.kind.name for entry in entries} == set(kinds())
    made_by = json.loads((files("tetrasolve.finem") / f"{SHIPPED}.json").read_text("utf-8"))
    assert made_by["complete"] and made_by["recipe"] == sha256(recipe_text().encode()).hexdigest()[:16]
    quick = [entry for entry in entries if entry.question.kind.form in ("card", "chance")][::5]
    assert quick and all(check(entry).trouble == "" for entry in quick)
    assert {entry.grade for entry in entries} >= {None, 1, 2, 4, 5}
    for grades, motifs in (((4, 5), ()), ((), ("close-call",)), ((2,), ("left-alone",))):
        chosen = list(select(entries, grades=grades, themes=motifs))
        assert chosen == [
            (number, entry)
            for number, entry in enumerate(entries, start=1)
            if (not grades or entry.grade in grades) and set(motifs) <= set(entry.themes)
        ]
    with pytest.raises(PuzzleError, match="grade 6"):
        list(select(entries, grades=(6,)))
    with pytest.raises(PuzzleError, match="theme 'sea'"):
        list(select(entries, themes=("sea",)))


def run(*arguments, **options):
    return CliRunner().invoke(command, arguments, standalone_mode=False, **options)


def test_the_commands_list_show_solve_and_help(worst, tmp_path):
    path = tmp_path / "one.jsonl"
    path.write_text(worst.line() + "\n")
    file = str(path)
    assert (
        "worst-card" in run("list", file).output and json.loads(run("list", file, "--json").output)["puzzles"][0]["id"]
    )
    assert "E6: 3/190" in run("show", file, "--answer").output
    assert "E6: 3/190" not in run("show", file).output
    right, wrong = run("solve", file, "--try", "e6"), run("solve", file, "--try", "O5")
    assert (right.return_value, wrong.return_value) == (0, 1) and "right: 3/190" in right.output
    assert run("check", file).return_value == 0 and "confirmed" in run("check", file).output
    assert "La respuesta: E6" in run("help", file, "--steps", "9", "--language", "es").output
    assert isinstance(run("show", file, "--number", "2").exception, PuzzleError)
