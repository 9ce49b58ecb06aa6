"""The checker stands alone: a folder that any Python runs, that imports nothing of ours, and that a stranger can read."""

from __future__ import annotations

import ast
import gzip
import lzma
import shutil
import subprocess
import sys
from pathlib import Path

import checker
import pytest
from checker import checker_facts

from tetrasolve.certify import checking
from tetrasolve.certify.checking import checker_folder, run_checker
from tetrasolve.certify.dimacs import Formula
from tetrasolve.certify.form import load, read_certificate
from tetrasolve.certify.unsat import FIELDS, SECTIONS, certify_unsatisfiable
from tetrasolve.errors import CertificateError, ProofError
from tetrasolve.tetrarchia.plan.certificate import certify
from tetrasolve.tetrarchia.position import Position

SOURCES = sorted(checker_folder().glob("*.py"))
PARTS = sorted(checker_folder().glob("*/*.py"))  # the rules of the other games
PACKAGES = {path.parent.name for path in PARTS}
TURN = "4211 M:2 bit/pin/aqu/gsu 23 nar tin.bae.lus.car.gla.tar.nar - -/-/lug/etr.dal"


def run(*arguments: str, cwd: Path | None = None) -> tuple[int, str, str]:
    result = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, cwd=cwd)
    return result.returncode, result.stdout, result.stderr


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A certificate of each kind."""
    certify(Position.parse(TURN), "kill narbonensis").write(tmp_path / "turn.cert.xz")
    certify_unsatisfiable(Formula.of([[1], [-1]]), "yes and no").write(tmp_path / "formula.cert")
    return [str(tmp_path / "turn.cert.xz"), str(tmp_path / "formula.cert")]


@pytest.mark.parametrize("path", [*SOURCES, *PARTS], ids=lambda path: f"{path.parent.stem}/{path.stem}")
def test_it_imports_the_standard_library_and_itself(path: Path) -> None:
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert not node.level
            names.add(str(node.module).partition(".")[0])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"__import__", "exec", "eval", "compile"}

    assert names <= sys.stdlib_module_names | {source.stem for source in SOURCES} | PACKAGES
    assert "importlib" not in names


def imported(path: Path) -> set[Path]:
    """A module of the checker with all of its modules that it needs."""
    found, waiting = {path}, [path]
    while waiting:
        for node in ast.walk(ast.parse(waiting.pop().read_text("utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            fresh = {source for source in SOURCES if source.stem in names} - found
            found |= fresh
            waiting += fresh
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", ["turn", "unsatisfiable", *checker_facts.PROVERS])
def test_what_a_kind_of_certificate_needs_can_be_read_in_a_long_evening(kind: str) -> None:
    """Its module with all that this imports, and what every certificate goes through."""
    names = {"turn": "turns", "unsatisfiable": "lrat"}
    module = names.get(kind) or checker_facts.PROVERS[kind][1].__module__
    needed = imported(checker_folder() / f"{module}.py")
    needed |= {checker_folder() / f"{name}.py" for name in ("__main__", "facts", "claimed", "index")}
    lines = [len(path.read_text("utf-8").splitlines()) for path in needed]

    assert sum(lines) < 3_000, {path.stem for path in needed}


def test_no_module_is_long() -> None:
    assert max(len(path.read_text("utf-8").splitlines()) for path in SOURCES) < 420


def test_it_runs_anywhere(files: list[str], tmp_path: Path) -> None:
    """Copied to a folder of its own, with a board file beside it, by a Python that knows no other library."""
    away = tmp_path / "away"
    shutil.copytree(checker_folder(), away / "judge", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(checker.BOARDS[0], away / "map.toml")
    code, message, errors = run("-I", "-S", "judge", "--board", "map.toml", *files, cwd=away)

    assert (code, errors) == (0, "")
    assert [line.split(": ")[1] for line in message.splitlines()] == ["confirmed", "confirmed"]
    assert run("-S", "-m", "judge", "--board", "map.toml", *files, cwd=away) == (0, message, "")
    code, message, _ = run("-I", "-S", "judge", *files, cwd=away)
    assert (code, [line.split(": ")[1] for line in message.splitlines()]) == (2, ["unreadable", "confirmed"])


def test_its_exit_codes(files: list[str], tmp_path: Path) -> None:
    bad = tmp_path / "bad.cert"
    bad.write_text(Path(files[1]).read_text("ascii").replace("1 0\n", "-1 0\n", 1), "ascii")
    nothing = str(tmp_path / "nothing")

    assert run_checker(files)[0] == checker.CONFIRMED
    assert run_checker([*files, str(bad)])[0] == checker.REFUTED
    assert run_checker([*files, nothing]) == (
        2,
        run_checker(files)[1] + f"{nothing}: unreadable: No such file or directory\n",
    )
    assert run_checker([nothing, str(bad)])[0] == checker.REFUTED
    assert run_checker([str(tmp_path)])[0] == checker.UNREADABLE
    for wrong in ([], ["--wrong"], ["--board"], ["--board", "map.toml"], ["--rows"]):
        code, message, usage = run("-I", "-S", str(checker_folder()), *wrong)
        assert (code, message) == (2, "") and "CERTIFICATE" in usage
    code, message, usage = run("-I", "-S", str(checker_folder()), "--help")
    assert (code, usage) == (0, "") and "CERTIFICATE" in message
    code, message, _ = run("-I", "-S", str(checker_folder()), "--rows", str(checker.BOARDS[0]))
    assert code == 0 and message.startswith("board tetrarchia roma roma zones 3\nadjacent 1 2\n")


def test_a_checker_that_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(checking, "FOLDERS", (tmp_path / "checker",))

    with pytest.raises(ProofError, match="the checker is missing"):
        run_checker(["some.cert"])


def test_names_of_files_that_are_none() -> None:
    with pytest.raises(ProofError, match="cannot be run on"):
        run_checker(["a\0b"])
    assert run_checker(["\udcff"]) == (checker.UNREADABLE, "\\udcff: unreadable: No such file or directory\n")
    assert run_checker(["--board"]) == (checker.UNREADABLE, "--board: unreadable: No such file or directory\n")


# -- files -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".cert", ".cert.xz", ".cert.gz"])
def test_files_read_back(suffix: str, tmp_path: Path) -> None:
    certificate = certify_unsatisfiable(Formula.of([[1], [-1]]), "yes and no")
    path = tmp_path / f"square{suffix}"
    certificate.write(path)
    first = path.read_bytes()
    certificate.write(path)

    assert path.read_bytes() == first
    assert load(path) == certificate.text()
    assert read_certificate(load(path), FIELDS, SECTIONS) == certificate
    assert checker.verdict(first)[0] == checker.CONFIRMED


@pytest.mark.parametrize("pack", [lzma.compress, gzip.compress], ids=["xz", "gzip"])
def test_compressed_files_that_are_spoiled(pack: object, tmp_path: Path) -> None:
    """Cut off, with something behind it, or changed: neither the library nor the checker takes it."""
    data: bytes = pack(certify(Position.parse(TURN), "kill narbonensis").text().encode())  # type: ignore[operator]
    assert checker.verdict(data)[0] == checker.CONFIRMED
    tampered = [data[: len(data) // 2], data + b"more", data + data, data[:-1], data[:40] + b"\0\0\0" + data[43:]]
    for number, copy in enumerate(tampered):
        path = tmp_path / f"{number}.cert"
        path.write_bytes(copy)
        assert checker.verdict(copy)[0] == checker.UNREADABLE
        with pytest.raises(CertificateError, match="decompressed"):
            load(path)


@pytest.mark.parametrize("wrong", ["\xe9", "\0", "\r"])
def test_the_checker_names_the_line_that_is_not_plain(wrong: str) -> None:
    text = certify(Position.parse(TURN), "kill narbonensis").text()
    lines = text.split("\n")
    lines[4] += wrong
    code, message = checker.verdict("\n".join(lines).encode())
    assert code == checker.UNREADABLE and "line 5: expected printable ASCII" in message


MISTAKES = [
    ("certificate 1", "certificate 2", 1, "expected 'tetrasolve-certificate 1'"),
    ("kind", "sort", 2, "expected 'kind' and a value"),
    ("yes", "y\tes", 3, "printable"),
    ("formula 3", "formula three", 4, "expected the number of lines"),
    ("formula 3", "formula 03", 4, "expected the number of lines"),
    ("formula 3", "formula 30", 11, "the text ends here, expected line 7 of 30 of 'formula'"),
    ("proof 1", "proof 2", 11, "the text ends here, expected 'sha256"),
    ("-1 0", "-2 0", 10, "expected 'sha256"),
]


@pytest.mark.parametrize(("old", "new", "line", "why"), MISTAKES)
def test_errors_of_the_format_name_the_line(old: str, new: str, line: int, why: str) -> None:
    text = certify_unsatisfiable(Formula.of([[1], [-1]]), "yes and no").text()
    with pytest.raises(CertificateError) as caught:
        read_certificate(text.replace(old, new, 1), FIELDS, SECTIONS)

    assert why in str(caught.value) and caught.value.line == line, caught.value


def test_ends_of_the_text_are_where_they_should_be() -> None:
    text = certify_unsatisfiable(Formula.of([[1], [-1]]), "yes and no").text()
    for wrong, why in (
        (text[:-1], "line 10: expected a line feed"),
        (text + "\n", "line 11: expected the end"),
        ("", "line 1"),
    ):
        with pytest.raises(CertificateError, match=why):
            read_certificate(wrong, FIELDS, SECTIONS)
