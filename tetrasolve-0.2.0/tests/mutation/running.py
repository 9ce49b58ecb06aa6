"""Running mutants: each in a child process of its own, which takes the change and runs the tests of its row."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import MappingProxyType

import pytest
from mutation import children
from mutation.table import GAME, ROOT, Mutant, Result

from tetrasolve.lint import patching
from tetrasolve.lint.changes import Change
from tetrasolve.tetrarchia import house, ruleset

SECONDS = 30  # of processor time; the slowest tests of a row take three
# Failures in the library that speak of a change that cannot run rather than of another rule
NO_MUTANT = ("NameError", "UnboundLocalError", "AttributeError", "TypeError", "SyntaxError", "ImportError")

# Without plugins that no test of a row needs, which take longer to import than the tests to run. The last: hypothesis is imported
# before the tests are, to save time
OPTIONS = (
    "-x -q --no-header --no-summary -p no:cacheprovider -p no:xdist -p no:schemathesis -p no:anyio"
    " -W ignore::pytest.PytestAssertRewriteWarning"
).split()


class Watch:
    """A plugin of pytest that remembers the first failure."""

    def __init__(self) -> None:
        self.by = self.how = ""
        self.passed = 0
        self.is_broken = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.failed and not self.by:
            self.by, self.how = item.nodeid, call.excinfo.typename
            self.is_broken = self.how in NO_MUTANT and GAME in Path(call.excinfo.traceback[-1].path).parents
        self.passed += report.passed and report.when == "call"
        return report

    @pytest.hookimpl
    def pytest_collectreport(self, report):
        if report.failed and not self.by:
            self.by, self.how, self.is_broken = report.nodeid, "collection", True


def result(mutant: Mutant) -> Result:
    """What the tests of its row find in a mutant, in this process."""
    take_changes([mutant.change])
    watch = Watch()
    pytest.main([*OPTIONS, *mutant.tests], plugins=[watch])
    state = "killed" if watch.by else "survived"
    if watch.is_broken or not (watch.by or watch.passed):
        state = "broken"
    return Result(mutant.id, mutant.digest(), state, watch.by, watch.how)


def take_changes(changes: Iterable[Change]) -> None:
    """Make changes in this process.

    :raises ArgumentError: when they cannot be made.
    """
    texts: dict[Path, str] = {}
    for change in changes:
        path = GAME / change.path
        texts[path] = change.applied(texts.get(path) or path.read_text("utf-8"))
    for path in [path for path in texts if path.suffix == ".py"]:
        module = path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
        patching.patch(importlib.import_module(module), texts.pop(path))
        if path.name == "numbers.py":
            _take_numbers()
    read = Path.read_text

    def changed(self: Path, *args, **more) -> str:
        return texts[self] if self in texts else read(self, *args, **more)

    Path.read_text = changed  # type: ignore[method-assign]
    patching.forget()


def _take_numbers() -> None:
    """Let rulesets have the numbers of the rulebook as they are now: the library reads them once."""
    for name, number in house._numbers().items():
        object.__setattr__(house.HOUSE_NUMBERS[name], "default", number.default)
    house.STANDARD = ruleset.STANDARD = MappingProxyType({n.name: n.default for n in house.HOUSE_NUMBERS.values()})
    kept = vars(ruleset.Ruleset)["numbers"]
    ruleset.Ruleset.numbers = property(kept.func)  # what was kept from before is not asked


def run(wanted: Sequence[Mutant], processes: int = 1) -> Iterator[Result]:
    """The results of mutants, each as soon as it is known."""
    for number, ended in children.run([partial(result, mutant) for mutant in wanted], processes, SECONDS):
        mutant = wanted[number]
        state = "killed" if ended.how == children.OUT_OF_TIME else "broken"
        yield Result(mutant.id, mutant.digest(), state, how=ended.how) if ended.how else ended.value


def prepare() -> None:
    """Import once what every child needs."""
    import hypothesis
    import networkx

    assert hypothesis and networkx
    sys.path.insert(0, str(ROOT / "tests"))
    os.chdir(ROOT)
    for name in ("game", "facts", "examples", "record", "parts"):
        importlib.import_module(f"tetrasolve.tetrarchia.{name}")
