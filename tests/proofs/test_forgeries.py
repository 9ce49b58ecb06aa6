"""False indexes, board files and certificates made by hand, each consistent in itself: the checker confirms none of them.

A row of a table is a name, what a forger changes, and why the result is false. Digests are computed again after each change,
since a digest is no obstacle for a forger.
"""

from __future__ import annotations

import copy
import hashlib
import json
import lzma
import os
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import checker
import pytest

from tetrasolve.certify.checking import checker_folder, run_checker
from tetrasolve.tetrarchia.boardfile import standard_text
from tetrasolve.tetrarchia.facts.families import CLAIMS

Data = dict[str, Any]
FACT = "map/count"  # a small fact for forgeries of what stands around a fact


@cache
def true_index() -> Data:
    """The index of the library, with three facts of it."""
    found: Data = json.loads((CLAIMS.proofs_folder() / "index.json").read_text("ascii"))
    return {
        **found,
        "facts": [entry for entry in found["facts"] if entry["id"] in (FACT, "map/bridge", "turn-most/armies")],
    }


def verdict(path: Path, *wanted: str, board: Path | None = None) -> tuple[int, str]:
    """The exit code of the checker for an index, and all that it prints."""
    code, lines = checker._main.index_verdict(path, list(wanted), [board] if board else checker.BOARDS)
    return code, "\n".join(lines)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with certificates of the library."""
    for entry in true_index()["facts"]:
        if "file" in entry:
            target = tmp_path / entry["file"]
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(CLAIMS.proofs_folder() / entry["file"], target)
    return tmp_path


def written(folder: Path, text: str) -> Path:
    """An index with this text."""
    path = folder / "index.json"
    path.write_text(text, "utf-8")
    return path


def test_the_true_index_is_confirmed_and_says_what_was_not_checked(folder: Path) -> None:
    code, message = verdict(written(folder, json.dumps(true_index())))

    assert code == checker.CONFIRMED
    assert "not checked: sentences, robustness, whether facts are missing" in message


# -- the index ---------------------------------------------------------------------------------------------------------


def entry_with(**fields: object) -> Callable[[Data], object]:
    """A change of the first entry."""
    return lambda data: data["facts"][-1].update(fields)


def without(*names: str) -> Callable[[Data], object]:
    """The last entry without some fields."""
    return lambda data: [data["facts"][-1].pop(name) for name in names]


def values_with(**values: object) -> Callable[[Data], object]:
    """Some values of the last entry are changed."""
    return lambda data: data["facts"][-1]["values"].update(values)


INDEXES: list[tuple[str, Callable[[Data], object], str]] = [
    ("no facts at all", lambda data: data.update(facts=[]), "nothing was checked"),
    ("facts that are no list", lambda data: data.update(facts={}), "nothing was checked"),
    ("facts by number", lambda data: data.update(facts={"0": data["facts"][0]}), "facts are a list"),
    ("a fact twice", lambda data: data["facts"].append(data["facts"][0]), "counts it twice"),
    ("a fact without values", entry_with(values={}), "claims nothing"),
    ("values in a list", entry_with(values=["ip.6", "1"]), "values have paths"),
    ("a number as a value", values_with(**{"ip.6": 1}), "values are text"),
    ("null as a value", values_with(**{"ip.6": None}), "values are text"),
    ("one value more", values_with(**{"ip.7": "9"}), "no turn has 7 IP"),
    ("one value less", lambda data: data["facts"][-1]["values"].pop("ip.6"), "hides the value that matters"),
    ("a value that is not proved", values_with(**{"ip.6": "6"}), "the certificate proves another"),
    ("another kind", entry_with(kind="map/count"), "files a fact where it does not belong"),
    ("another fact", entry_with(id="turn-most/revolts"), "the certificate proves turn-most/armies"),
    ("an id that is a path", entry_with(id="turn-most/../armies"), "ids are plain"),
    ("an id with a line feed", entry_with(id="turn-most/armies\nconfirmed"), "forges a line of output"),
    ("no sentence", without("sentence"), "nobody can read what is claimed"),
    ("no file", without("file"), "no proof"),
    ("no digest", without("sha256"), "any file would do"),
    (
        "a digest in capitals",
        lambda data: entry_with(sha256=data["facts"][-1]["sha256"].upper())(data),
        "one way to write it",
    ),
    ("another digest", entry_with(sha256="0" * 64), "another file"),
    ("a field of the forger's own", entry_with(proved=True), "the checker must not skip what it does not know"),
    ("an absolute path", entry_with(file="/etc/hostname"), "outside the folder"),
    ("a path upwards", entry_with(file="../index.json"), "outside the folder"),
    ("a path up and down", entry_with(file="tempo/../tempo/turn-most/armies.cert"), "a path that is not plain"),
    ("a path with a dot", entry_with(file="./tempo/turn-most/armies.cert"), "a path that is not plain"),
    ("a path with a zero byte", entry_with(file="tempo\0"), "no name of a file"),
    ("the folder itself", entry_with(file="tempo"), "no file"),
    ("a file that is a number", entry_with(file=0), "0 is the standard input"),
    ("the index as certificate", entry_with(file="index.json"), "no certificate"),
    ("another format", lambda data: data.update(format="tetrasolve-facts 9"), "another language"),
    ("no board", lambda data: data.pop("board"), "speaks of no board"),
    ("another board", lambda data: data["board"].update(id="toy"), "speaks of another board"),
    ("no rows", lambda data: data["board"].update(rows=[]), "speaks of another board"),
    ("rows as text", lambda data: data["board"].update(rows="\n".join(data["board"]["rows"])), "rows are a list"),
    ("a digest of other rows", lambda data: data["board"].update(sha256="0" * 64), "speaks of another board"),
    ("a part of the forger's own", lambda data: data.update(verified=True), "must not skip what it does not know"),
]


@pytest.mark.parametrize(("name", "change", "why"), INDEXES, ids=[row[0] for row in INDEXES])
def test_a_forged_index_is_not_confirmed(name: str, change: Callable[[Data], object], why: str, folder: Path) -> None:
    data = copy.deepcopy(true_index())
    change(data)
    code, message = verdict(written(folder, json.dumps(data)))

    assert code in (checker.REFUTED, checker.UNREADABLE), (name, why, message)
    assert "Traceback" not in message and not any(line.startswith("confirmed") for line in message.splitlines())


TEXTS: list[tuple[str, Callable[[str], str], str]] = [
    (
        "a doubled key of a value",
        lambda text: text.replace('"ip.6": ', '"ip.6": "6", "ip.6": ', 1),
        "a reader takes the first one",
    ),
    ("a doubled list of facts", lambda text: text.replace('"facts": ', '"facts": [], "facts": ', 1), "which of them?"),
    ("a doubled file", lambda text: text.replace('"file": ', '"file": "x", "file": ', 1), "which of them?"),
    ("no number", lambda text: text.replace('"facts": [', '"facts": [NaN, ', 1), "NaN is no JSON"),
    ("very deep", lambda text: "[" * 100_000 + text, "no index"),
    ("a huge number", lambda text: text.replace('"facts": [', '"facts": [' + "9" * 10_000 + ", ", 1), "no fact"),
    (
        "letters of another alphabet",
        lambda text: text.replace("map/count", "m\u0430p-count"),
        "looks the same and is not",
    ),
    ("nothing", lambda _: "", "no index"),
    ("a list", lambda text: f"[{text}]", "no index"),
    ("only text", lambda _: '"confirmed"', "no index"),
]


@pytest.mark.parametrize(("name", "change", "why"), TEXTS, ids=[row[0] for row in TEXTS])
def test_a_forged_text_of_an_index_cannot_be_read(
    name: str, change: Callable[[str], str], why: str, folder: Path
) -> None:
    text = json.dumps(true_index())
    assert change(text) != text
    code, message = verdict(written(folder, change(text)))

    assert code == checker.UNREADABLE and "Traceback" not in message, (name, why, message)


# -- files that are none -----------------------------------------------------------------------------------------------


def replaced(folder: Path, make: Callable[[Path], object], data: bytes | None = None) -> tuple[int, str]:
    """What the checker says when the file of a certificate is something else; the index names the digest of that."""
    index = copy.deepcopy(true_index())
    entry = next(entry for entry in index["facts"] if entry["id"] == "turn-most/armies")
    path = folder / entry["file"]
    content = path.read_bytes() if data is None else data
    path.unlink()
    make(path)
    entry["sha256"] = hashlib.sha256(content).hexdigest()
    return verdict(written(folder, json.dumps(index)), "turn-most/armies")


def test_a_symbolic_link_is_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    away = tmp_path_factory.mktemp("away") / "armies.cert"
    shutil.copy(folder / "tempo/turn-most/armies.cert", away)
    code, message = replaced(folder, lambda path: path.symlink_to(away))

    assert code == checker.UNREADABLE and "symbolic link" in message


def test_a_linked_folder_is_not_followed(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    away = tmp_path_factory.mktemp("away") / "tempo"
    shutil.move(folder / "tempo", away)
    (folder / "tempo").symlink_to(away, target_is_directory=True)
    code, message = verdict(written(folder, json.dumps(true_index())))

    assert code == checker.UNREADABLE and "symbolic link" in message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_not_waited_for(folder: Path) -> None:
    code, message = replaced(folder, os.mkfifo)

    assert code == checker.UNREADABLE and "no regular file" in message
    (pipe := folder / "pipe").touch()
    pipe.unlink()
    os.mkfifo(pipe)
    assert run_checker([str(pipe)]) == (checker.UNREADABLE, f"{pipe}: unreadable: is no regular file\n")
    assert verdict(pipe)[0] == checker.UNREADABLE
    assert verdict(written(folder, json.dumps(true_index())), board=pipe)[0] == checker.UNREADABLE


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no such device")
def test_a_device_is_not_read() -> None:
    assert run_checker(["/dev/zero"]) == (checker.UNREADABLE, "/dev/zero: unreadable: is no regular file\n")
    assert verdict(Path("/dev/zero")) == (checker.UNREADABLE, "/dev/zero: unreadable: is no regular file")


def test_a_folder_is_no_file(folder: Path) -> None:
    assert replaced(folder, Path.mkdir)[0] == checker.UNREADABLE


BOMB = 2**27  # bytes of text that a few thousand bytes stand for


def bomb(tool: Any) -> bytes:
    """Compressed zeros."""
    block = b"0" * 2**20
    return b"".join([*(tool.compress(block) for _ in range(BOMB // len(block))), tool.flush()])


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "make",
    [
        lambda: bomb(lzma.LZMACompressor(preset=0)),
        lambda: bomb(zlib.compressobj(wbits=31, level=1)),
        lambda: lzma.compress(b"x", filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 2**30}])[:24],
        lambda: b"\xfd7zXZ\x00",
        lambda: b"\x1f\x8b",
        lambda: b"\n" * 2**23,
    ],
    ids=["xz", "gzip", "a dictionary of a gigabyte", "no more than a head of xz", "of gzip", "nothing but lines"],
)
def test_a_bomb_is_unreadable(make: Callable[[], bytes], folder: Path) -> None:
    data = make()
    assert checker.verdict(data)[0] == checker.UNREADABLE
    code, message = replaced(folder, lambda path: path.write_bytes(data), data)

    assert code == checker.UNREADABLE and "refuted" not in message and "Traceback" not in message


def test_a_bomb_fits_into_little_memory(tmp_path: Path) -> None:
    """With no more memory than half a gigabyte the program still ends with a verdict."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "bomb.cert.xz"
    path.write_bytes(bomb(lzma.LZMACompressor(preset=0)))
    result = subprocess.run(
        [sys.executable, "-I", "-S", str(checker_folder()), str(path)],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29)),  # no threads here
    )

    assert (result.returncode, result.stderr) == (checker.UNREADABLE, "") and "unreadable" in result.stdout


def test_a_mistake_of_the_checker_confirms_and_refutes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(checker._main, "Lines", fail)

    assert checker.verdict(b"") == (checker.UNREADABLE, "unreadable: this program cannot check it (MemoryError: )")


# -- the board ---------------------------------------------------------------------------------------------------------

BOARDS: list[tuple[str, str, str, str]] = [
    ("a number as text", "number = 1", 'number = "1"', "'1' is no face of a die, so no region is found"),
    ("a number that is true", "number = 1", "number = true", "true equals 1 and is none"),
    ("a number with a point", "number = 1", "number = 1.0", "1.0 equals 1 and is written otherwise"),
    ("a number no die shows", "number = 1", "number = 7", "no roll finds it"),
    ("number zero", "number = 1", "number = 0", "no roll finds it"),
    ("zones as text", "zones = [2]", 'zones = ["2"]', "no fleet lies there"),
    ("zones that are true", "zones = [1]", "zones = [true]", "true equals 1 and is none"),
    ("zones as a word", "zones = [1, 2]", 'zones = "12"', "its figures are no numbers"),
    ("a zone twice", "zones = [2]", "zones = [2, 2]", "a set has it once"),
    ("a zone that is not there", "zones = [2]", "zones = [4]", "three zones"),
    ("a link that is 7", "broken = false", "broken = 7", "neither true nor false"),
    ("a link that is 1", "broken = true", "broken = 1", "equals true and costs otherwise"),
    ("a link that is text", "broken = false", 'broken = "false"', "text counts as true"),
    ("a link without a kind", "broken = false\n", "", "normal or broken?"),
    ("a link to itself", 'between = ["cisalpina", "etruria"]', 'between = ["etruria", "etruria"]', "leads nowhere"),
    ("a link of three", 'between = ["cisalpina", "etruria"]', 'between = ["cisalpina", "etruria", "roma"]', "two ends"),
    ("a link to nowhere", 'between = ["cisalpina", "etruria"]', 'between = ["cisalpina", "nowhere"]', "no province"),
    ("a link twice", 'between = ["cisalpina", "etruria"]', 'between = ["sicilia", "lucania"]', "which kind counts?"),
    ("an arrow to nowhere", 'arrow = "etruria"', 'arrow = "nowhere"', "no province"),
    ("an arrow as a list", 'arrow = "etruria"', 'arrow = ["etruria"]', "one arrow"),
    ("a kind of its own", 'kind = "roman"', 'kind = "Border"', "is read as Roman"),
    ("a region of its own", 'region = "italia"', 'region = "etc"', "no region"),
    ("a code with a space", 'code = "rom"', 'code = "r m"', "forges a field of a row"),
    ("a code twice", 'code = "rom"', 'code = "etr"', "which province?"),
    ("a name with a line feed", 'id = "roma"', 'id = "roma\\nlink roma libya normal"', "forges a row"),
    ("a printed disc of nobody", 'printed = ["', 'printed = ["nero", "', "no Emperor"),
    ("a printed disc as text", 'printed = ["', 'printed = "diocletian"\nunused = ["', "a name within a word"),
    ("zones of the sea as a number", 'zones = ["Mare Atlanticum"', 'zones = [1, "Mare Atlanticum"', "four zones"),
    ("zones that meet themselves", "adjacent = [[1, 2], [2, 3]]", "adjacent = [[1, 1], [2, 3]]", "sails nowhere"),
    ("zones that meet twice", "adjacent = [[1, 2], [2, 3]]", "adjacent = [[1, 2], [2, 1]]", "once is enough"),
    ("zones that meet by true", "adjacent = [[1, 2], [2, 3]]", "adjacent = [[true, 2], [2, 3]]", "true equals 1"),
    ("three Emperors", '[[emperor]]\nid = "maximian"', '[[emperor3]]\nid = "maximian"', "the fourth has no turn"),
    ("Emperors with one letter", 'name = "Galerius"', 'name = "Diocletian II"', "whose turn is D?"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "why"), BOARDS, ids=[row[0] for row in BOARDS])
def test_a_forged_board_file_is_not_taken(
    name: str, old: str, new: str, why: str, folder: Path, tmp_path: Path
) -> None:
    text = standard_text()
    assert old in text
    board = tmp_path / "board.toml"
    board.write_text(text.replace(old, new, 1), "utf-8")
    code, message = verdict(written(folder, json.dumps(true_index())), board=board)

    assert code == checker.UNREADABLE and "board file" in message, (name, why, message)


def test_what_no_row_tells_changes_nothing(tmp_path: Path) -> None:
    """The order of links in the file: the board that is read is the same."""
    from board import read_board  # of the checker

    head, *links = standard_text().split("[[link]]")
    last, *rest = links[-1].split("[[", 1)
    board = tmp_path / "board.toml"
    text = "[[link]]".join([head, last, *reversed(links[:-1])]) + "".join(f"\n[[{part}" for part in rest)
    board.write_text(text, "utf-8")
    ours, theirs = read_board(checker.BOARDS[0]), read_board(board)

    assert list(ours.all_rows()) == list(theirs.all_rows())
    assert [list(linked.items()) for linked in ours.links.values()] == [list(x.items()) for x in theirs.links.values()]
