"""Changes of the reference rules, one or more for each row of the rulebook, and the stored result of each.

`mutants.toml` states the changes: each breaks one row. `results.jsonl` says which test, marked with that row, found it.
`python tests/mutation` runs what is missing or outdated there.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.files import write_text
from tetrasolve.lint.changes import Change, meaning

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
MUTANTS, RESULTS = HERE / "mutants.toml", HERE / "results.jsonl"
GAME = ROOT / "tetrasolve" / "tetrarchia"


@dataclass(frozen=True)
class Mutant:
    """A change of the rules that breaks a row, and the tests marked with that row."""

    id: str
    row: str
    change: Change
    tests: tuple[str, ...]

    def digest(self) -> str:
        """What its result depends on: the change, what it changes, and the names of the tests."""
        path, name = GAME / self.change.path, self.change.name
        try:
            rule = meaning(path.read_text("utf-8"), name) if name and path.suffix == ".py" else self.change.before
        except (OSError, ArgumentError):
            rule = "not there"  # moved or renamed: the mutant has to follow
        return hashlib.sha256(json.dumps([asdict(self.change), rule, self.tests]).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Result:
    """What became of a mutant: `killed` by a test, or `survived`, with the kind of failure; `broken` is no mutant at all."""

    mutant: str
    digest: str
    state: str
    by: str = ""
    how: str = ""


def rulebook() -> ModuleType:
    """docs/rulebook.py, which belongs to the documentation and is in no package."""
    if "rulebook" not in sys.modules:
        spec = importlib.util.spec_from_file_location("rulebook", ROOT / "docs" / "rulebook.py")
        assert spec is not None and spec.loader is not None
        sys.modules["rulebook"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules["rulebook"])
    return sys.modules["rulebook"]


def stated() -> Mapping[str, Any]:
    """The file: for each row a list of changes, or a text that says why there is none."""
    return tomllib.loads(MUTANTS.read_text("utf-8"))


def mutants() -> dict[str, Mutant]:
    """Every mutant by its id, in the order of the rulebook."""
    tests = rulebook().read(ROOT).tests
    found = {}
    for row, changes in stated().items():
        marked = tuple(dict.fromkeys(f"{test.path}::{test.name}" for test in tests.get(row, ())))
        for number, (place, before, after) in enumerate(changes if isinstance(changes, list) else (), start=1):
            path, _, name = place.partition(":")
            found[f"{row}/{number}"] = Mutant(f"{row}/{number}", row, Change(path, name, before, after), marked)
    return found


def stored() -> dict[str, Result]:
    """The stored results by the ids of mutants."""
    lines = RESULTS.read_text("utf-8").splitlines() if RESULTS.exists() else ()
    results = (Result(**json.loads(line)) for line in lines)
    return {result.mutant: result for result in results}


def store(results: Mapping[str, Result], order: Iterable[str]) -> None:
    """Write the results, in the order of the mutants; those of mutants that are gone are left out."""
    lines = [json.dumps(asdict(results[mutant])) + "\n" for mutant in order if mutant in results]
    write_text(RESULTS, "".join(lines))


def outdated(wanted: Mapping[str, Mutant], results: Mapping[str, Result]) -> list[Mutant]:
    """The mutants that are not killed, or whose result is of another change, rule or set of tests."""
    killed = {result.mutant: result.digest for result in results.values() if result.state == "killed"}
    return [mutant for mutant in wanted.values() if killed.get(mutant.id) != mutant.digest()]
