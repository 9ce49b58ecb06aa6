"""Which rule of the rulebook is where in the code, and which tests hold it.

Three things are put together: the rules, from `rulebook.toml`; comments `# Rule id, id` in the library, above a definition or
at its side; and marks `@pytest.mark.rule("id", ...)` on tests. Sources are read and never imported.

A fourth says what the tests find: changes of the rules that break a row, and the test of that row that failed (tests/mutation).
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

RULES = "docs/rulebook.toml"
MUTANTS = "tests/mutation/mutants.toml"
RESULTS = "tests/mutation/results.jsonl"
ID = re.compile(r"p\d\d(-[a-z]+)+")
SECOND = "et-"  # how sections of the second game begin, which are no rows of the rulebook (rulebook-finem.toml)
COMMENT = re.compile(r"# Rule (p\d\d.*)")

Found = tuple[str, int, str]  # a rule, the line of what it marks, and the name of that


@dataclass(frozen=True)
class Place:
    """A definition or a test: the file as seen from the top of the project, the line, and what stands there."""

    path: str
    line: int
    name: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name}"


@dataclass(frozen=True)
class Mutant:
    """A change of the rules: in a definition `before` becomes `after`; the test that found it, or what became of it."""

    place: str
    before: str
    after: str
    found: str


@dataclass(frozen=True)
class Chapter:
    """A part of the rulebook: what each rule says, by id; where it is `uncovered`, why."""

    title: str
    rules: Mapping[str, str]
    uncovered: str = ""


@dataclass(frozen=True)
class Coverage:
    """The rulebook with the places that name a rule, in the code and among the tests."""

    chapters: tuple[Chapter, ...]
    code: Mapping[str, tuple[Place, ...]]
    tests: Mapping[str, tuple[Place, ...]]

    def problems(self) -> list[str]:
        """What keeps the rulebook from being covered, in words; nothing where all is well."""
        ids = [rule for chapter in self.chapters for rule in chapter.rules]
        problems = [
            f"{rule}: an id is p, two figures for the page, and words" for rule in ids if not ID.fullmatch(rule)
        ]
        problems += [f"{rule}: listed twice" for rule in dict.fromkeys(ids) if ids.count(rule) > 1]
        for chapter in self.chapters:
            for rule in chapter.rules:
                problems += self._problems_of(rule, chapter)
        for places in (self.code, self.tests):
            for rule in sorted(places.keys() - set(ids)):
                problems += [f"{rule}: not in {RULES}, but named at {place}" for place in places[rule]]
        return problems

    def _problems_of(self, rule: str, chapter: Chapter) -> Iterator[str]:
        for what, places in (("code", self.code), ("test", self.tests)):
            if chapter.uncovered and rule in places:
                yield f"{rule}: marked as uncovered, but named at {places[rule][0]}"
            elif not chapter.uncovered and rule not in places:
                yield f"{rule}: no {what} names it"


def page_of(rule: str) -> int:
    """The page of the rulebook that states a rule."""
    return int(rule[1:3])


def read(root: Path) -> Coverage:
    """What the files of the project below `root` say."""
    data = tomllib.loads((root / RULES).read_text("utf-8"))
    return Coverage(
        tuple(Chapter(row["title"], row["rules"], row.get("uncovered", "")) for row in data["chapter"]),
        _by_rule(root, "tetrasolve", {".py": in_code, ".toml": in_data}),
        _by_rule(root, "tests", {".py": in_tests}),
    )


def mutants(root: Path) -> Mapping[str, tuple[Mutant, ...]]:
    """The changes of each rule with their stored results; a rule without changes is not there."""
    stated = tomllib.loads((root / MUTANTS).read_text("utf-8"))
    results = {row["mutant"]: row for row in map(json.loads, (root / RESULTS).read_text("utf-8").splitlines())}
    return {
        rule: tuple(
            Mutant(*change, found=_found_by(results.get(f"{rule}/{number}", {})))
            for number, change in enumerate(changes, start=1)
        )
        for rule, changes in stated.items()
        if not isinstance(changes, str)
    }


def _found_by(result: Mapping[str, str]) -> str:
    return (
        result.get("by", "").rpartition("::")[2].partition("[")[0]
        or result.get("how")
        or result.get("state", "not run")
    )


def _by_rule(
    root: Path, folder: str, readers: Mapping[str, Callable[[str], Iterator[Found]]]
) -> dict[str, tuple[Place, ...]]:
    found = defaultdict(list)
    for path in sorted((root / folder).rglob("*")):
        if reader := readers.get(path.suffix):
            for rule, line, name in reader(path.read_text("utf-8")):
                if rule.startswith(SECOND):
                    continue
                found[rule].append(Place(path.relative_to(root).as_posix(), line, name))
    return {rule: tuple(places) for rule, places in found.items()}


# -- reading one file ------------------------------------------------------------------------------------------


def in_code(text: str) -> Iterator[Found]:
    """Each rule that a comment of a Python file names, with the definition it stands above, beside or in."""
    definitions = list(_definitions(ast.parse(text).body)) if COMMENT.search(text) else []
    for rule, line in _commented(text):
        around = [(first, start, name) for first, start, last, name in definitions if first <= line <= last]
        _, start, name = max(around, default=(line, line, ""))  # the innermost begins last
        yield rule, start, name


def in_data(text: str) -> Iterator[Found]:
    """Each rule that a comment of a TOML file names, with the key or table it stands above."""
    lines = text.splitlines()
    for rule, line in _commented(text):
        yield rule, line, lines[line - 1].partition("=")[0].partition("#")[0].strip()


def in_tests(text: str) -> Iterator[Found]:
    """Each rule that a test names in its mark, with the test; a mark on anything else holds nothing."""
    for node in ast.walk(ast.parse(text)) if "mark.rule(" in text else ():
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    yield from ((_literal(rule), node.lineno, node.name) for rule in mark.args)


def _literal(node: ast.expr) -> str:
    """The text that is written here; of anything else its code, which is no id of a rule."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)


def _commented(text: str) -> Iterator[tuple[str, int]]:
    """The rules that comments name, each with the line it is about: its own, or the first below that is no comment."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if found := COMMENT.search(line):
            about = number
            while about + 1 < len(lines) and lines[about].lstrip().startswith("#"):
                about += 1
            for rule in found[1].split(","):
                yield rule.strip(), about + 1


def _definitions(body: list[ast.stmt], outer: str = "") -> Iterator[tuple[int, int, int, str]]:
    """Functions, classes and constants: the first line with decorators, that of the name, the last line, the name."""
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            first = min([node.lineno, *(mark.lineno for mark in node.decorator_list)])
            yield first, node.lineno, node.end_lineno or node.lineno, outer + node.name
            if isinstance(node, ast.ClassDef):
                yield from _definitions(node.body, f"{outer}{node.name}.")
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            yield node.lineno, node.lineno, node.end_lineno or node.lineno, outer + ast.unparse(target)
