"""The pages in transcripts/ show what the commands print.

`TETRASOLVE_UPDATE=1` writes them instead of comparing.
"""

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from transcript import Step, rerun, sessions

from tetrasolve.cli.main import program
from tetrasolve.games import SHIPPED, game
from tetrasolve.tetrarchia.boardfile import standard_text

FOLDER = Path(__file__).parent / "transcripts"
PAGES = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
OTHERS = tuple(SHIPPED)[1:]  # the games that are not the default
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))

FREE_ROW = 'between = ["belgica", "germania_superior"]\nbroken = '  # nothing certain speaks against either value
KNOWN_ROW = 'between = ["germania_superior", "narbonensis"]\nbroken = '  # the rulebook pays 1 IP for it


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[None]:
    """A new folder to work in, with the board files that the pages use."""
    text = standard_text()
    assert text.count(FREE_ROW + "false") == text.count(KNOWN_ROW + "false") == 1
    (tmp_path / "corrected.toml").write_text(text.replace(FREE_ROW + "false", FREE_ROW + "true"), "utf-8")
    (tmp_path / "wrong.toml").write_text(text.replace(KNOWN_ROW + "false", KNOWN_ROW + "true"), "utf-8")
    (tmp_path / "unreadable.toml").write_text(text.replace(FREE_ROW + "false", FREE_ROW + '"perhaps"'), "utf-8")
    with contextlib.chdir(tmp_path):
        yield


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_transcript(page: Path) -> None:
    text = page.read_text("utf-8")
    stated, found = [], []
    for block, steps in sessions(text):
        again = [rerun(step) for step in steps]
        stated += steps
        found += again
        if UPDATE:
            text = text.replace(block[0], "```console\n" + "".join(map(str, again)) + "```")
    if UPDATE:
        page.write_text(text, "utf-8")
        return

    assert [str(step) for step in found] == [str(step) for step in stated]


# -- what the pages must hold ------------------------------------------------------------------------------------------


def steps() -> list[Step]:
    return [step for page in PAGES for _, steps in sessions(page.read_text("utf-8")) for step in steps]


def commands(group: click.Group, name: str, of: str | None = None) -> Iterator[tuple[str, click.Command]]:
    """Every command below a group, by the words that call it; those of a game, or of the default game."""
    context = click.Context(group, obj=None if of is None else game(of))
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        assert command is not None
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {word}", of)
        else:
            yield f"{name} {word}", command


def test_every_option_of_every_command_is_shown() -> None:
    called = [step.command for step in steps()]
    missing = [
        f"{name} {options[0]}"
        for name, command in (
            *commands(program, "tetrasolve"),
            *(pair for other in OTHERS for pair in commands(program, f"tetrasolve --game {other}", other)),
        )
        for options in ([*parameter.opts] for parameter in command.params if isinstance(parameter, click.Option))
        if not any(name in line and any(option in line.split() for option in options) for line in called)
    ]

    assert missing == []


def test_every_exit_code_is_shown() -> None:
    """Refuted, usage, out of time; 0 is not written."""
    codes = {code for step in steps() for code in re.findall(r"^\[exit (\d)\]$", step.shown, re.MULTILINE)}

    assert codes == {"1", "2", "3"}


def test_every_command_has_a_page() -> None:
    """The commands of another game have one page together, which has its name."""
    assert {*game().commands, *OTHERS} <= {page.stem for page in PAGES}
    called = {step.command for step in steps()}
    words = [f"--game {other} {command} " for other in OTHERS for command in game(other).commands]
    assert [word for word in words if not any(word in line for line in called)] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_help_names_every_example(name: str) -> None:
    examples = game(name).get_notation().examples()

    assert f"({', '.join(examples)})" in " ".join(game(name).about.split())
