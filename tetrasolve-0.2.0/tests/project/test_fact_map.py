"""The table of kinds of facts in the reference: each kind with its form, the library's file and the checker's function."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import CodeType
from typing import Any

import pytest

from tetrasolve.tetrarchia.facts.families import CLAIMS

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/reference/facts.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the source tree is absent")


def rows() -> dict[str, tuple[str, set[str], str, str]]:
    """By kind: its form, files of the library, the checker's file and function."""
    text = PAGE.read_text("utf-8") if PAGE.exists() else ""
    section = text.partition("\n## Kinds\n")[2].partition("\n## ")[0]
    found: dict[str, tuple[str, set[str], str, str]] = {}
    for line in section.splitlines():
        if line.startswith("| `"):
            kind, form, derived, proved = (re.findall(r"`([^`]+)`", cell) for cell in line.strip("| ").split(" | "))
            assert kind[0] not in found
            found[kind[0]] = (form[0], set(derived), *proved)
    return found


def files_of_topics() -> dict[str, set[str]]:
    """By kind the files that define its topics: the innermost module whose tuple TOPICS has the topic."""
    package = import_module(CLAIMS.package)
    names = [found.name for found in walk_packages(package.__path__, f"{CLAIMS.package}.")]
    home: dict[str, tuple[str, str]] = {}  # of a topic its kind and its module; packages come before what is in them
    for name in names:
        for topic in getattr(import_module(name), "TOPICS", ()):
            home[topic.id] = (topic.kind, name)
    files: dict[str, set[str]] = {}
    for kind, name in home.values():
        path = Path(str(import_module(name).__file__)).relative_to(Path(package.__path__[0]))
        files.setdefault(kind, set()).add(path.as_posix())
    return files


def names_in(code: CodeType) -> set[str]:
    """The names that a function reads, comprehensions included."""
    inner = [names_in(part) for part in code.co_consts if isinstance(part, CodeType)]
    return set(code.co_names).union(*inner) - {"partial", "LEVELS"}


def proves(kind: str, form: str) -> tuple[str, set[str]]:
    """The checker's file for a kind, and the name of the function, or of those that a lambda calls."""
    facts: Any = import_module("checker").checker_facts
    if form != "recount":
        certificates = {topic.certificate for topic in CLAIMS.topics().values() if topic.kind == kind}
        (prove,) = (facts.PROVERS[name][1] for name in certificates)
        return f"{prove.__module__}.py", {prove.__name__}
    for module in (facts.cascades, facts.combat, facts.distances, facts.opening, facts.waiting):
        if count := module.COUNTS.get(kind):
            wrapped = count.__name__ == "<lambda>"
            return f"{module.__name__}.py", names_in(count.__code__) & set(vars(module)) if wrapped else {
                count.__name__
            }
    prove = facts.RECOUNTS[kind]
    return f"{prove.__module__}.py", {prove.__name__}


def test_the_table_has_the_kinds_and_forms_of_the_index_and_of_the_checker() -> None:
    index = json.loads((ROOT / "proofs/index.json").read_text("ascii"))
    forms = {(fact["id"].partition("/")[0], fact["form"]) for fact in index["facts"]}
    checker: Any = import_module("checker").checker_facts

    assert {(kind, row[0]) for kind, row in rows().items()} == forms == set(checker.FORM_OF.items())


def test_the_table_has_the_files_of_the_library() -> None:
    assert {kind: row[1] for kind, row in rows().items()} == files_of_topics()


@pytest.mark.parametrize("kind", sorted(rows()))
def test_the_table_has_the_function_of_the_checker(kind: str) -> None:
    form, _, file, name = rows()[kind]
    expected, names = proves(kind, form)

    assert file == expected
    assert names == {name}
