"""Running mutants: each in a child process of its own, which takes the change and runs the tests of its row.

The parent has imported pytest and the library, so that a child begins at once. A child has limits of processor time and memory:
changed rules can run for ever.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest
from mutation.table import GAME, ROOT, Mutant, Result

from tetrasolve.lint import patching
from tetrasolve.lint.changes import Change

SECONDS = 30  # of processor time; the slowest tests of a row take three
MEMORY = 2**32  # bytes beyond what the parent has
# Failures in the library that speak of a change that cannot run rather than of another rule
NO_MUTANT = ("NameError", "UnboundLocalError", "AttributeError", "TypeError", "SyntaxError", "ImportError")

# The last: hypothesis is imported before the tests are, to save time
OPTIONS = "-x -q --no-header --no-summary -p no:cacheprovider -p no:xdist -W ignore::pytest.PytestAssertRewriteWarning".split()


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
    read = Path.read_text

    def changed(self: Path, *args, **more) -> str:
        return texts[self] if self in texts else read(self, *args, **more)

    Path.read_text = changed  # type: ignore[method-assign]
    patching.forget()


def run(wanted: Sequence[Mutant], processes: int = 1) -> Iterator[Result]:
    """The results of mutants, each as soon as it is known."""
    running: dict[int, tuple[int, Mutant]] = {}  # the pipe to read, and the mutant, by the process
    waiting = list(reversed(wanted))
    while waiting or running:
        while waiting and len(running) < processes:
            mutant = waiting.pop()
            process, pipe = _start(mutant)
            running[process] = pipe, mutant
        process, status = os.wait()
        pipe, mutant = running.pop(process)
        with os.fdopen(pipe) as file:
            text = file.read()
        yield Result(**json.loads(text)) if text else Result(mutant.id, mutant.digest(), *_silent(status))


def _silent(status: int) -> tuple[str, str, str]:
    """The state of a child that wrote nothing."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return "killed", "", "out of time"
    return "broken", "", "the process ended"


def _start(mutant: Mutant) -> tuple[int, int]:
    """A child process for a mutant, and the pipe on which its result comes."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        try:
            found = result(mutant)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the result
            found = Result(mutant.id, mutant.digest(), "broken", "", f"{type(error).__name__}: {error}")
        os.write(writing, json.dumps(asdict(found)).encode())
    finally:
        os._exit(0)


def prepare() -> None:
    """Import once what every child needs."""
    import hypothesis
    import networkx

    assert hypothesis and networkx
    sys.path.insert(0, str(ROOT / "tests"))
    os.chdir(ROOT)
    for name in ("game", "facts", "examples", "record", "parts"):
        importlib.import_module(f"tetrasolve.tetrarchia.{name}")
