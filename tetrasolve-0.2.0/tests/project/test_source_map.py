"""The table of *Two engines* names files and functions that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/explanation/two-engines.md"
FOLDERS = ("tetrasolve/tetrarchia/rules", "ext", "proofs/checker")
ENTRY = re.compile(r"`(?P<file>[\w/]+\.\w+)`: (?P<names>`\w+`(?:, `\w+`)*)")

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the source tree is absent")


def entries() -> list[tuple[str, str, str]]:
    """Folder, file and name of each function that the table names."""
    text = PAGE.read_text("utf-8") if PAGE.exists() else ""
    rows = [
        line.strip("| \n").split(" | ")
        for line in text.split("## Where they meet")[0].splitlines()
        if line.count(" | ") == 3
    ]
    found = []
    for row in rows[2:]:
        for folder, cell in zip(FOLDERS, row[1:], strict=True):
            for entry in ENTRY.finditer(cell):
                found += [(folder, entry["file"], name) for name in re.findall(r"\w+", entry["names"])]
    return found


def test_each_rule_names_its_three_places() -> None:
    assert len(entries()) > 60


@pytest.mark.parametrize(("folder", "file", "name"), sorted(set(entries())))
def test_the_function_is_there(folder: str, file: str, name: str) -> None:
    source = (ROOT / folder / file).read_text("utf-8")
    assert re.search(rf"^ *(?:def|class|cdef) [^(=]*\b{name}\b", source, re.MULTILINE)
