"""Every `$ tetrasolve` in README.md and docs/ does what the page shows, and the readings are those of the library.

`TETRASOLVE_UPDATE=1` writes the pages again instead of comparing. The Python examples are run by tests/project.
"""

import contextlib
import os
import shutil
from pathlib import Path

import pytest
from transcript import rerun, sessions

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.readings import without_effect
from tetrasolve.tetrarchia.ruleset import READINGS

ROOT = Path(__file__).parents[2]
PAGES = [path for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if path.exists()]
UPDATE = bool(os.environ.get("TETRASOLVE_UPDATE"))

pytestmark = pytest.mark.skipif(not (ROOT / "docs").exists(), reason="the documentation is absent")


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_page_shows(page: Path, tmp_path: Path) -> None:
    """In a folder with the examples; where a command stands without output it only has to succeed."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    text = page.read_text("utf-8")
    stated, found = [], []
    with contextlib.chdir(tmp_path):
        for block, steps in sessions(text):
            again = [rerun(step) if step.is_ours else step for step in steps]
            for step, result in zip(steps, again, strict=True):
                if step.shown:
                    stated.append(step)
                    found.append(result)
                else:
                    assert "[exit " not in result.shown, f"{step.command}\n{result.shown}"
            if UPDATE:
                kept = [result if step.shown else step for step, result in zip(steps, again, strict=True)]
                text = text.replace(block[0], "```console\n" + "".join(map(str, kept)) + "```")
    if UPDATE:
        page.write_text(text, "utf-8")
        return

    assert [str(step) for step in found] == [str(step) for step in stated]


def test_every_reading_is_described() -> None:
    """The part of the page that repeats the library is what the library says."""
    page = ROOT / "docs" / "reference" / "readings.md"
    begin, end = "<!-- from here on: READINGS -->\n", "<!-- up to here: READINGS -->\n"
    text = page.read_text("utf-8")
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    written = before + begin + readings() + end + after
    if UPDATE:
        page.write_text(written, "utf-8")
        return

    assert text == written


def readings() -> str:
    lines, inert = [], without_effect(Board.standard())
    for reading in READINGS.values():
        lines += ["", f"## {reading.name}", "", f"{reading.rule}. Page {reading.page}: *{reading.question}*"]
        if reading.needs:
            lines += ["", f"Only with {' or '.join(f'`{name}`' for name in reading.needs)}."]
        lines += ["", "| value | meaning |", "| --- | --- |"]
        for value, meaning in reading.options.items():
            lines.append(f"| `{value}`{' (default)' if value == reading.default else ''} | {meaning} |")
        if reading.reference:
            only = ", ".join(f"`{value}`" for value in reading.reference)
            lines += ["", f"Played by the reference rules only, and refused by what needs a kernel: {only}."]
        if reading.name in inert:
            but = ", but for `chosen`" if "chosen" in reading.options else ""
            lines += ["", f"It changes nothing on the board of the library{but}: {inert[reading.name]}."]
    return "\n".join([*lines, "", ""])


def test_every_reading_that_is_played_leads_to_its_rule() -> None:
    """The page on the rules says where each reading comes in."""
    text = (ROOT / "docs" / "explanation" / "rules-made-exact.md").read_text("utf-8")

    assert [name for name, reading in READINGS.items() if f"`{name}`" not in text] == []
