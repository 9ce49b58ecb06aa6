"""The words of ``play`` are there with every module, variant and scenario, and lead to no error of the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from tetrasolve.cli.main import program
from tetrasolve.tetrarchia.cli.play import HELP, WORDS
from tetrasolve.tetrarchia.record import read_record
from tetrasolve.tetrarchia.rules import scenarios
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS

QUICK = ("4211+imperium", "4211+barbaria", "great-persian-war")  # a hint takes a second
TABLES = [
    pytest.param(table, marks=() if table in QUICK else pytest.mark.slow)
    for table in (*(f"4211+{name}" for name in (*MODULES, *VARIANTS)), *scenarios())
]
SPOKEN = """help
risk
plan least ip
hint
picture board.svg
picture
redo
1
undo
redo
undo
quit
"""


def typed(words: str, *options: str) -> str:
    """What the program prints in answer to these lines."""
    result = CliRunner().invoke(program, ["play", *options], input=words)
    assert result.exception is None, result.exception
    return result.output


@pytest.mark.parametrize("table", TABLES)
def test_every_word_is_answered(table: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    said = typed(SPOKEN, table, "--seed", "3", "--dice-seed", "1", "--record", "game.txt", "--barbarian", "decline")

    assert HELP.splitlines()[0] in said
    assert "  uprising " in said.partition("> risk")[2].partition("> plan")[0]
    for status in ("optimal_proved", "feasible"):
        if f"  {status}: least ip" in said:
            break
    else:
        pytest.fail(said)
    assert "win" in said.partition("> hint")[2].partition("> picture")[0]
    assert Path("board.svg").read_text("utf-8").startswith("<svg")
    assert "picture: name a file" in said
    assert "nothing was undone" in said
    _, first, again = said.partition("undone: ")[2].partition("again: ")
    assert first and again
    assert said.partition("undone: ")[2].splitlines()[0] == again.splitlines()[0]
    assert "internal error" not in said
    assert read_record(Path("game.txt").read_text("utf-8")).played == ()


def test_a_whole_barbarian_phase_comes_again_with_its_dice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    typed("end\nquit\n", "fight", "--dice-seed", "5", "--record", "one.txt")
    said = typed("end\nundo\nredo\nquit\n", "fight", "--dice-seed", "5", "--record", "two.txt")

    assert "  undone: a Barbarian phase, end\n" in said
    assert "  again: end, a Barbarian phase\n" in said
    assert Path("one.txt").read_text("utf-8") == Path("two.txt").read_text("utf-8")


def test_the_end_of_a_game_comes_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lost = ("4211 D:6 -/-/-/- 23 sic sic - -/-/-/-", "--dice-seed", "2")
    turns = next(number for number in range(1, 9) if "The game is over" in typed("1\nend\n" * number, *lost))
    said = typed("1\nend\n" * turns + "undo\nredo\n\n", *lost, "--record", "game.txt")

    assert said.count("The game is over: fallen") == 2
    assert read_record(Path("game.txt").read_text("utf-8")).is_over


def test_the_help_names_every_word_that_is_no_action() -> None:
    for word in WORDS[WORDS.index("undo") :]:
        assert f"  {word}" in HELP or f", {word}" in HELP


def test_a_picture_that_cannot_be_written_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "nowhere/a.svg: cannot be written" in typed("picture nowhere/a.svg\nquit\n", "fight", "--dice-seed", "1")


def test_a_letter_that_could_end_the_turn_does_not() -> None:
    """``e roma`` enters, since nothing else takes a place; ``e`` alone is refused, and the turn goes on."""
    said = typed("e\ne roma\nquit\n", "4211", "--seed", "3", "--dice-seed", "1")

    assert "'e' could be 'enter' or 'end'" in said
    assert "Barbarian phase" not in said


def test_a_hint_that_is_refused_leaves_the_question_open() -> None:
    """With a reading that the kernel does not know: the sentence, and the discs can still be paid."""
    position = (
        "4211+imperium?I-GALERIUS-WON=goes-on G:6 -/nor/-/rom 12 rha rha - -/dac/-/num "
        'removed={"constantius":0,"diocletian":0,"galerius":0,"maximian":0}'
    )
    said = typed("attack rhaetia\n1\n3\nhint\nreserve\ndacia\nno\nquit\n", position, "--dice", "enter")
    assert "I-GALERIUS-WON=goes-on: only the reference rules play this reading" in said
    assert "1-3 and 2 added, victory" in said
