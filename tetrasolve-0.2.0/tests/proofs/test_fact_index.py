"""The index of facts and its certificates, judged by the checker: whatever is taken away or changed is found, and named."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import checker
import pytest

from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.facts.families import CLAIMS

Data = dict[str, Any]
QUICK = 4_096  # bytes of a certificate that is checked in a moment


@cache
def index() -> Data:
    """The index of the library, as JSON."""
    found: Data = json.loads((CLAIMS.proofs_folder() / "index.json").read_text("ascii"))
    return found


@pytest.fixture
def message(tmp_path: Path) -> Callable[..., str]:
    """What the checker says of some facts of an index that lies beside the certificates of the library."""
    for family in CLAIMS.proofs_folder().iterdir():
        if family.is_dir() and family.name != "checker":
            shutil.copytree(family, tmp_path / family.name)

    def ask(data: Data, *wanted: str, board: Path | None = None) -> str:
        path = tmp_path / "index.json"
        path.write_text(json.dumps(data), "ascii")
        code, lines = checker._main.index_verdict(path, list(wanted), [board] if board else checker.BOARDS)
        assert code != checker.CONFIRMED
        return "\n".join(lines)

    return ask


def changed(row: int, change: Callable[[Data], None]) -> Data:
    """The index with one fact changed."""
    data = {**index(), "facts": list(index()["facts"])}
    data["facts"][row] = copy.deepcopy(data["facts"][row])
    change(data["facts"][row])
    return data


def test_a_certificate_that_is_missing_is_named(message: Callable[..., str]) -> None:
    """Every one of them."""
    data = copy.deepcopy(index())
    for entry in data["facts"]:
        if "file" in entry:
            entry["file"] += ".gone"
    lines = message(data).splitlines()[:-1]
    data["facts"] = [entry for entry in data["facts"] if "file" in entry]

    assert len(lines) == len(data["facts"])
    for entry, line in zip(data["facts"], lines, strict=True):
        assert line.startswith(f"{entry['id']}: unreadable: {entry['file']}: No such file")


def other(text: str, random: Random) -> str:
    """Another value of the same kind."""
    if text.isdigit():
        return str(int(text) + random.choice((1, 2, 36)))
    return f"{text}1" if "/" in text else "roma" if text != "roma" else "asia"


def a_value_is_changed(row: int, message: Callable[..., str], random: Random) -> None:
    fact = index()["facts"][row]
    path = random.choice(sorted(fact["values"]))

    def change(entry: Data) -> None:
        entry["values"][path] = other(entry["values"][path], random)

    assert message(changed(row, change), fact["id"]).startswith(f"{fact['id']}: refuted: '{path}' is "), (fact, path)


def certificate_size(fact: Data) -> int:
    """Bytes of the certificate of a fact; 0 for a recount, which has none."""
    return (CLAIMS.proofs_folder() / fact["file"]).stat().st_size if "file" in fact else 0


def test_a_number_that_is_changed_is_named(message: Callable[..., str]) -> None:
    random = Random("numbers")
    sizes = [certificate_size(fact) for fact in index()["facts"]]
    for row in random.sample([row for row, size in enumerate(sizes) if size < QUICK], 30):
        a_value_is_changed(row, message, random)


@pytest.mark.slow
def test_a_number_of_any_fact_that_is_changed_is_named(message: Callable[..., str]) -> None:
    random = Random("all numbers")
    for row in range(len(index()["facts"])):
        a_value_is_changed(row, message, random)


def test_the_certificate_of_another_fact_is_refused(message: Callable[..., str]) -> None:
    """Each fact with the certificate of the next one of its kind."""
    facts = index()["facts"]
    tried = 0
    for row, (fact, following) in enumerate(pairwise(facts)):
        small = "file" in following and (CLAIMS.proofs_folder() / following["file"]).stat().st_size < QUICK // 4
        if fact["topic"] == following["topic"] and small and tried < 24:

            def take(entry: Data, theirs: Data = following) -> None:
                entry |= {"file": theirs["file"], "sha256": theirs["sha256"]}

            assert f"proves {following['id']}" in message(changed(row, take), fact["id"])
            tried += 1
    assert tried >= 6


def test_a_row_of_the_board_that_is_changed_is_named(message: Callable[..., str]) -> None:
    rows = index()["board"]["rows"]
    for number in Random("rows").sample(range(len(rows)), 24):
        row = rows[number]
        data = {**index(), "board": {**index()["board"], "rows": [*rows[:number], f"{row}x", *rows[number + 1 :]]}}
        assert "the rows of the board have changed" in (text := message(data)) and row in text


@pytest.mark.parametrize(
    ("old", "new", "row"),
    [
        (
            'between = ["cisalpina", "etruria"]\nbroken = false',
            'between = ["cisalpina", "etruria"]\nbroken = true',
            "link cisalpina etruria",
        ),
        ('arrow = "etruria"', 'arrow = "rhaetia"', "arrow cisalpina"),
        ('region = "graecia"\nnumber = 1', 'region = "graecia"\nnumber = 2', "number moesia_inferior"),
    ],
    ids=["link", "arrow", "number"],
)
def test_a_board_file_that_is_changed_is_named(
    old: str, new: str, row: str, message: Callable[..., str], tmp_path: Path
) -> None:
    text = standard_text()
    assert text.count(old) == 1
    board = tmp_path / "board.toml"
    board.write_text(text.replace(old, new), "utf-8")

    assert row in message(index(), board=board)
