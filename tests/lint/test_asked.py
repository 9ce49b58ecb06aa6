"""What players have asked: each answer rests on rows of the rulebook, readings, facts and positions that say so."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from tetrasolve.claims.index import Index
from tetrasolve.cli.main import program
from tetrasolve.errors import FindingError
from tetrasolve.tetrarchia.lint import asked as asking
from tetrasolve.tetrarchia.lint.asked import ARMIES, NOT_LEGAL, asked, problems, result_of
from tetrasolve.tetrarchia.lint.stored import questions
from tetrasolve.tetrarchia.position import Position

ROOT = Path(__file__).parents[2]
BY_ID = {question.id: question for question in asked()}


def test_both_engines_play_what_the_answers_show():
    assert problems(asked()) == []


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        ("capital", {"result": NOT_LEGAL}, "the rules say 1 IP"),
        ("strait", {"position": "4211 M:6 -/-/-/sic 13 - - - -/-/-/-"}, "the rules say 2 IP"),
        ("share", {"position": "4211 D:3 asi/-/-/- 23 - asi - -/-/-/-"}, "the rules say 2 IP"),
        ("entry", {"what": "enter sicilia"}, "the rules say not legal"),
        ("capital", {"position": "4211 G:6 -/bit/-/- 23 bit bit - -/-/-/-"}, "bithynia"),
        ("army-region", {"result": "britannia"}, "the rules say aegyptus belgica"),
        ("black-sea", {"what": "fly to moesia_inferior"}, "fly"),
    ],
)
def test_a_wrong_answer_is_found_out(name, change, said):
    """With another result, position or action."""
    question = BY_ID[name]
    wrong = replace(question, shown=(replace(question.shown[0], **change),))

    (problem,) = problems((wrong,))
    assert problem.startswith(f"{name}: ") and said in problem


def test_what_is_open_is_an_open_question_to_the_designer():
    """And a question that the text settles names rows of the rulebook."""
    for question in asked():
        for reading in question.readings:
            assert not question.is_open or questions()[reading].state == "open"
        assert question.is_open == (not question.rows)
        assert all(question.question[language].strip().endswith("?") for language in asking.LANGUAGES)


def test_rows_and_facts_are_there():
    path = ROOT / "docs" / "rulebook.toml"
    if not path.exists():
        pytest.skip("the rulebook is not there")
    text = path.read_text("utf-8")
    index = Index.load(ROOT / "proofs" / "facts.json") if (ROOT / "proofs" / "facts.json").exists() else None
    for question in asked():
        assert all(f"\n{row} = " in text for row in question.rows), question.id
        assert index is None or all(name in index.by_id for name in question.facts), question.id


@pytest.mark.parametrize(
    ("change", "said"),
    [({"readings": ["I-NOTHING"]}, "I-NOTHING"), ({"rows": [], "readings": []}, "rows that settle it")],
)
def test_a_file_that_is_wrong_is_refused(monkeypatch, change, said):
    row = {
        "en": "?", "es": "?", "page": 1, "answer": {"en": "", "es": ""}, "rows": ["p07-ip"], "readings": [], "shown": [],
    }  # fmt: skip
    monkeypatch.setattr(asking, "read_toml", lambda _: {"one": row | change})
    with pytest.raises(FindingError, match=said):
        asked.__wrapped__()


def test_where_armies_stand_after_a_phase():
    """Of an army that nothing blocks: where it was, or one province on."""
    assert result_of(Position.parse("4201 D:b -/-/-/- 23 bri - - -/-/-/-"), ARMIES) == "belgica britannia"


def test_the_command_lists_them():
    runner = CliRunner()
    english, spanish = (
        runner.invoke(program, ["lint", "asked", "--language", language]).output for language in ("en", "es")
    )
    data = json.loads(runner.invoke(program, ["lint", "asked", "--json"]).output)

    assert len(data) == len(asked()) == 12
    assert {row["id"] for row in data if not row["by_players"]} == {
        "aeterna-border",
        "galerius-roll",
        "goths-usurper",
        "pirates-fleet",
        "scenario-level",
    }
    for question, row in zip(asked(), data, strict=True):
        assert question.question["en"] in english and question.answer["es"] in spanish
        assert row["open"] == question.is_open


def test_two_values_of_which_neither_is_the_default_are_both_a_no():
    """The default alone answers a question with yes."""
    lines = CliRunner().invoke(program, ["lint", "--reading", "I-PASS-HELPERS"]).output.splitlines()

    answers = [line.partition("; ")[2] for line in lines if line.startswith("  open; ")]
    assert answers == ["yes: wait", "yes: wait", "no: act or all"]
