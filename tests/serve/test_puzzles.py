"""Puzzles and findings over HTTP: what is listed, answers that are checked, help in steps, the puzzle of a day."""

import json
from datetime import date, timedelta

import pytest

from tetrasolve.analysis.worker import RequestContext
from tetrasolve.finem.service.puzzles import HANDLERS as FINEM
from tetrasolve.tetrarchia.lint.boards import side_by_side
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.puzzle.collection import select, shipped
from tetrasolve.tetrarchia.puzzle.help import helps
from tetrasolve.tetrarchia.puzzle.kinds import TURN, kinds
from tetrasolve.tetrarchia.puzzle.themes import themes
from tetrasolve.tetrarchia.ruleset import READINGS
from tetrasolve.tetrarchia.service.engine import ask
from tetrasolve.tetrarchia.service.puzzles import MOST_PUZZLES

ENTRIES = shipped()
OF_EACH_KIND = [
    next(entry for entry in ENTRIES if entry.question.kind.name == name)
    for name in kinds()
    if any(entry.question.kind.name == name for entry in ENTRIES)
]


def kind_of(entry):
    return entry.question.kind.name


def test_an_attack_at_the_end_of_an_answer_may_leave_its_branches_out(served):
    answer = "move cyrenaica; secure; move aegyptus; attack syria"
    asked = {"puzzle": "4dd6b25a57", "answer": answer}
    assert served.post("puzzle_check", asked).json()["right"]
    assert not served.post("puzzle_check", asked | {"answer": "attack syria"}).json()["right"]
    position = served.post("puzzle", {"puzzle": "4dd6b25a57"}).json()["position"]
    turn = served.post("turn", {"position": position, "plan": answer}).json()["turn"]
    assert [(row["shows"], row["chance"]["exact"]) for row in turn["branches"]] == [
        ("victory", "17/18"), ("draw", "1/36"), ("defeat", "1/36"),
    ]  # fmt: skip


def test_a_finding_says_what_both_readings_mean(served):
    found = served.post("finding", {"finding": "I-ENTRY-ROMA=open/no-disc"}).json()["question"]
    for language in ("english", "spanish"):
        meanings = found[f"{language}_values"]
        assert meanings.keys() == {*READINGS["I-ENTRY-ROMA"].options} and all(" " in text for text in meanings.values())


# -- lists -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "chosen",
    [
        {},
        {"kinds": ["kill", "likely-revolt"]},
        {"themes": ["sea-crossing", "decoy"]},
        {"grades": [1, 5], "sharp": True},
        {"module": "goths"},
        {"module": "roma-aeterna"},
    ],
    ids=str,
)
def test_the_list_is_that_of_the_library(served, chosen):
    found = served.post("puzzles", chosen).json()
    expected = list(select(ENTRIES, **chosen))

    assert found["count"] == len(expected)
    for row, (number, entry) in zip(found["puzzles"], expected[:MOST_PUZZLES], strict=True):
        assert (row["puzzle"], row["number"], row["position"]) == (entry.id, number, str(entry.question.position))
        assert (row["question"]["en"], row["grade"]) == (entry.text, entry.grade)
    assert [row["name"] for row in found["kinds"]] == list(kinds())
    assert [row["name"] for row in found["themes"]] == list(themes())


def test_pages_of_the_list_are_parts_of_the_whole():
    pages = [ask("puzzles", after=after, most=100) for after in range(0, len(ENTRIES) + 100, 100)]

    assert [row["puzzle"] for page in pages for row in page["puzzles"]] == [entry.id for entry in ENTRIES]
    assert ask("puzzles")["puzzles"] == [row for page in pages for row in page["puzzles"]][:MOST_PUZZLES]
    assert {page["count"] for page in pages} == {len(ENTRIES)}


def ask_finem(kind, **fields):
    return FINEM[kind](fields, RequestContext())


@pytest.mark.parametrize("ask", [ask, ask_finem])
def test_a_list_begins_beyond_a_puzzle(ask):
    """The next puzzle of a grade is the first of the grade with a greater number."""
    whole = ask("puzzles")["puzzles"]
    middle = whole[len(whole) // 2]
    following = [row for row in whole if row["grade"] == middle["grade"] and row["number"] > middle["number"]]

    assert ask("puzzles", grades=[middle["grade"]], beyond=middle["number"], most=5)["puzzles"] == following[:5]
    assert ask("puzzles", beyond=middle["number"] - 1, most=1)["puzzles"] == [middle]


def test_ids_are_those_of_the_csv_file():
    assert [entry.row()[0] for entry in ENTRIES] == [entry.id for entry in ENTRIES]
    assert len({entry.id for entry in ENTRIES}) == len(ENTRIES)


def test_no_list_gives_an_answer_away():
    """An answer is a plan, which no question contains; the other fields are those of the schema."""
    plans = {entry.id: entry.data["answer"] for entry in ENTRIES if ";" in entry.data["answer"]}
    pages = [ask("puzzles", after=after)["puzzles"] for after in range(0, len(ENTRIES), MOST_PUZZLES)]
    rows = {row["puzzle"]: json.dumps(row) for page in pages for row in page}

    assert plans and not [name for name, plan in plans.items() if plan in rows[name]]


@pytest.mark.parametrize(
    ("call", "fields", "where"),
    [
        ("puzzles", {"kinds": ["checkmate"]}, "kinds"),
        ("puzzles", {"kinds": "kill"}, "kinds"),
        ("puzzles", {"themes": ["fork"]}, "themes"),
        ("puzzles", {"themes": [None]}, "themes"),
        ("puzzles", {"themes": [["sea-crossing"]]}, "themes"),
        ("puzzles", {"grades": [6]}, "grades"),
        ("puzzles", {"grades": [True]}, "grades"),
        ("puzzles", {"grades": ["1"]}, "grades"),
        ("puzzles", {"sharp": 1}, "sharp"),
        ("puzzles", {"module": 5}, "module"),
        ("puzzles", {"module": "no-such-module"}, "module"),
        ("puzzles", {"after": -1}, "after"),
        ("puzzles", {"most": 0}, "most"),
        ("puzzle", {}, "puzzle"),
        ("puzzle", {"puzzle": "0000000000"}, "puzzle"),
        ("puzzle", {"puzzle": 1}, "puzzle"),
        ("puzzle", {"puzzle": "1" * 300}, "puzzle"),
        ("puzzle_of_the_day", {"date": "31.3.2026"}, "date"),
        ("puzzle_of_the_day", {"date": "2026-02-30"}, "date"),
        ("puzzle_of_the_day", {"date": 20260331}, "date"),
        ("puzzle_of_the_day", {"date": None}, "date"),
        ("puzzle_help", {"puzzle": ENTRIES[0].id, "steps": 0}, "steps"),
        ("puzzle_help", {"puzzle": ENTRIES[0].id, "steps": 20}, "steps"),
        ("puzzle_help", {"puzzle": ENTRIES[0].id, "language": "la"}, "language"),
        ("puzzle_check", {"puzzle": ENTRIES[0].id}, "answer"),
        ("puzzle_check", {"puzzle": ENTRIES[0].id, "answer": "move atlantis"}, "answer"),
        ("puzzle_check", {"puzzle": ENTRIES[0].id, "answer": "move roma; move roma"}, "answer"),
        (
            "puzzle_check",
            {"puzzle": ENTRIES[0].id, "answer": "attack syria {victory 1: " * 40 + "end" + "}" * 40},
            "answer",
        ),
        ("finding", {"finding": "I-NONE=a/b"}, "finding"),
        ("finding", {"finding": "<script>"}, "finding"),
        ("finding", {}, "finding"),
    ],
)
def test_a_request_is_refused_where_it_is_wrong(served, call, fields, where):
    found = served.post(call, fields)
    assert (found.status_code, found.json().get("where")) == (422, where), found.text


# -- the puzzle of a day -----------------------------------------------------------------------------------------------


def test_each_puzzle_comes_once_before_one_comes_again():
    first = date(2026, 3, 31)
    days = [ask("puzzle_of_the_day", date=str(first + timedelta(days=n))) for n in range(len(ENTRIES) + 1)]

    assert len({row["puzzle"] for row in days[:-1]}) == len(ENTRIES)
    assert days[-1]["puzzle"] == days[0]["puzzle"]
    assert days[0]["number"] + 1 != days[1]["number"] or days[1]["number"] + 1 != days[2]["number"]  # mixed


def test_the_puzzle_of_a_day_is_the_puzzle_of_its_id(served):
    found = served.post("puzzle_of_the_day", {"date": "2026-03-31"}).json()
    assert found.pop("date") == "2026-03-31"
    assert found == served.post("puzzle", {"puzzle": found["puzzle"]}).json()
    today = served.post("puzzle_of_the_day", {}).json()
    assert today["puzzle"] == ask("puzzle_of_the_day", date=today["date"])["puzzle"]


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(4)
@pytest.mark.parametrize("entry", OF_EACH_KIND, ids=kind_of)
def test_the_answer_is_right_and_another_is_not(served, entry):
    right = served.post("puzzle_check", {"puzzle": entry.id, "answer": entry.data["answer"]})
    assert right.status_code == 200, right.text
    assert right.json()["right"] is True
    wrong = served.post("puzzle_check", {"puzzle": entry.id, "answer": other_than(entry)}).json()
    assert wrong["right"] is False
    if entry.question.kind.form == TURN:
        assert right.json()["mistake"] is None and wrong["mistake"]["step"]
        assert wrong["mistake"]["left"] != wrong["mistake"]["within_reach"]


def other_than(entry):
    """An answer to a question that is wrong: for a turn, its end at once."""
    if entry.question.kind.form != TURN:
        return "nonsense"
    away = [name for name, place in entry.question.position.emperors.items() if place is None]
    return "enter roma" if entry.question.position.to_move in away else "end"


# -- help --------------------------------------------------------------------------------------------------------------


def test_help_ends_with_the_answer_and_gives_it_away_there_only():
    for entry in ENTRIES:
        for language in ("en", "es"):
            steps = helps(entry, language)
            assert steps[-1].what == (entry.data["answer"],)
            assert not [s.name for s in steps[:-1] if s.what == steps[-1].what], entry.id
            assert ";" not in entry.data["answer"] or all(entry.data["answer"] not in step.text for step in steps[:-1])


def test_so_many_steps_as_are_asked_for(served):
    entry = ENTRIES[0]
    steps = served.post("puzzle", {"puzzle": entry.id}).json()["steps"]
    found = [served.post("puzzle_help", {"puzzle": entry.id, "steps": n + 1}).json() for n in range(steps)]

    assert [len(row["steps"]) for row in found] == list(range(1, steps + 1))
    assert [row["steps"] == found[-1]["steps"][: len(row["steps"])] for row in found] == [True] * steps
    assert {row["of"] for row in found} == {steps}


# -- findings ----------------------------------------------------------------------------------------------------------


def test_a_finding_has_the_picture_of_both_boards(served):
    report = findings()
    drawn = next(row for row in report.findings if row.position is not None)
    without = next(row for row in report.findings if row.position is None)

    found = served.post("finding", {"finding": drawn.id}).json()
    assert (found["id"], found["svg"], found["sentence"]) == (
        drawn.id,
        side_by_side(drawn, frame=False),
        drawn.sentence(),
    )
    assert "svg" not in served.post("finding", {"finding": without.id}).json()
