"""Each test of the rules says where what it asserts comes from: the text, our own choice, or the program."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tetrasolve.finem.lint.stored import open_points
from tetrasolve.finem.ruleset import READINGS as READINGS_OF_THE_SECOND
from tetrasolve.tetrarchia.ruleset import READINGS

KINDS = ("rule", "choice", "program")
SILENT = "tests/lint/planted/8-found.toml"
SECTIONS = "docs/rulebook-finem.toml"  # of the rules of the second game
SECOND = ("tests/finem/test_rules.py", "tests/finem/test_named.py")  # its rules, sentence by sentence

Mark = tuple[str, tuple[str, ...]]  # a kind and its names


def marks(text: str) -> Iterator[tuple[str, list[Mark]]]:
    """The tests of a file, each with its marks of these kinds."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node.name, [found for mark in node.decorator_list if (found := kind_of(mark))]


def kind_of(mark: ast.expr) -> Mark | None:
    call = mark if isinstance(mark, ast.Call) else None
    start, _, kind = ast.unparse(call.func if call else mark).rpartition(".")
    if start != "pytest.mark" or kind not in KINDS:
        return None
    return kind, tuple(ast.literal_eval(name) for name in (call.args if call else ()))


def problems(text: str, choices: set[str], *, all_marked: bool) -> list[str]:
    """What is wrong with the marks of a file."""
    found = []
    for test, of in marks(text):
        if len(of) > 1 or (all_marked and not of):
            found.append(f"{test}: {len(of)} marks, expected one of {', '.join(KINDS)}")
        for kind, names in of:
            if (kind == "program") == bool(names):
                found.append(f"{test}: {kind} has {len(names)} names")
            if kind == "choice":
                found += [
                    f"{test}: {name} is neither a reading nor a silent side" for name in names if name not in choices
                ]
    return found


@pytest.fixture(scope="module")
def choices(root: Path) -> set[str]:
    silent = tomllib.loads((root / SILENT).read_text("utf-8")).get("found", [])
    second = {*READINGS_OF_THE_SECOND, *(point.id for point in open_points())}
    return {*READINGS, *(side["id"] for side in silent), *second}


def test_every_test_of_the_rules_is_of_one_kind(root: Path, choices: set[str]) -> None:
    """What holds a choice of ours must not count as text, so no test asserts both."""
    found = {}
    for path in sorted((root / "tests").rglob("test_*.py")):
        name = path.relative_to(root).as_posix()
        found[name] = problems(
            path.read_text("utf-8"), choices, all_marked=name.startswith("tests/rules/") or name in SECOND
        )

    assert {name: wrong for name, wrong in found.items() if wrong} == {}


def test_every_reading_has_a_test_that_holds_it(root: Path) -> None:
    """In the tests of the rules, whatever else tests it."""
    held = {
        name
        for path in [*(root / "tests/rules").glob("test_*.py"), *(root / name for name in SECOND)]
        for _, of in marks(path.read_text("utf-8"))
        for kind, names in of
        for name in names
        if kind == "choice"
    }

    assert {*READINGS, *READINGS_OF_THE_SECOND} - held == set()


def test_sections_of_the_second_game_are_tested(root: Path) -> None:
    """Each by a test of what follows from it, and no test names another one."""
    sections = tomllib.loads((root / SECTIONS).read_text("utf-8"))["sections"]
    named = {
        name
        for path in (root / "tests/finem").glob("test_*.py")
        for _, of in marks(path.read_text("utf-8"))
        for kind, names in of
        for name in names
        if kind == "rule"
    }

    assert named == set(sections)


@pytest.mark.parametrize(
    ("mark", "problem"),
    [
        ("", "test_it: 0 marks"),
        ('@pytest.mark.rule("p07-ip")\n@pytest.mark.program\n', "test_it: 2 marks"),
        ("@pytest.mark.choice()\n", "test_it: choice has 0 names"),
        ('@pytest.mark.program("p07-ip")\n', "test_it: program has 1 names"),
        ('@pytest.mark.choice("I-ENTER")\n', "test_it: I-ENTER is neither"),
    ],
)
def test_what_is_wrong_is_reported(mark: str, problem: str) -> None:
    (found,) = problems(f"{mark}def test_it():\n    pass\n", {"I-ENTRY"}, all_marked=True)

    assert found.startswith(problem)


@pytest.mark.parametrize(
    "mark", ['@pytest.mark.choice("I-ENTRY")', "@pytest.mark.program", '@pytest.mark.rule("p07-ip")']
)
def test_marks_in_order(mark: str) -> None:
    assert problems(f"{mark}\ndef test_it():\n    pass\n", {"I-ENTRY"}, all_marked=True) == []
