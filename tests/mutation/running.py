"""Running mutants: each in a child process of its own, which takes the change and runs the tests of its row."""

from __future__ import annotations

import functools
import gc
import importlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest
from mutation import children
from mutation.games import ROOT, Game
from mutation.table import Mutant, Result

from tetrasolve.errors import ArgumentError
from tetrasolve.lint import patching
from tetrasolve.lint.changes import Change, definitions, extent

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
    """A plugin of pytest that remembers the first failure, and whether it comes from the rules below a folder that cannot run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.by = self.how = ""
        self.passed = 0
        self.is_broken = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call):
        report = yield
        if report.failed and not self.by:
            self.by, self.how = item.nodeid, call.excinfo.typename
            self.is_broken = self.how in NO_MUTANT and self.folder in Path(call.excinfo.traceback[-1].path).parents
        self.passed += report.passed and report.when == "call"
        return report

    @pytest.hookimpl
    def pytest_collectreport(self, report):
        if report.failed and not self.by:
            self.by, self.how, self.is_broken = report.nodeid, "collection", True


def result(mutant: Mutant, game: Game) -> Result:
    """What the tests of its row find in a mutant, in this process."""
    take_changes([mutant.change], game)
    watch = Watch(game.folder)
    pytest.main([*OPTIONS, *mutant.tests], plugins=[watch])
    state = "killed" if watch.by else "survived"
    if watch.is_broken or not (watch.by or watch.passed):
        state = "broken"
    return Result(mutant.id, mutant.digest(), state, watch.by, watch.how)


def take_changes(changes: Iterable[Change], game: Game) -> None:
    """Make changes of a game in this process.

    :raises ArgumentError: when they cannot be made.
    """
    texts: dict[Path, str] = {}
    for change in changes:
        path = game.folder / change.path
        texts[path] = change.applied(texts.get(path) or path.read_text("utf-8"))
    for path in [path for path in texts if path.suffix == ".py"]:
        patching.patch(_module(path), texts.pop(path))
        if path.name == "numbers.py" and game.take_numbers is not None:
            game.take_numbers()
    read = Path.read_text

    def changed(self: Path, *args, **more) -> str:
        return texts[self] if self in texts else read(self, *args, **more)

    Path.read_text = changed  # type: ignore[method-assign]
    patching.forget()


def _module(path: Path) -> ModuleType:
    return importlib.import_module(
        path.relative_to(ROOT).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
    )


@contextmanager
def taken(change: Change, game: Game) -> Iterator[None]:
    """A change of a function or a constant of a game in this process, until the block ends; quicker than a process of its own.

    :raises ArgumentError: when it cannot be made, or is of something else, or of a constant from which the game has others.
    """
    if change.name.isupper():
        with _constant_taken(change, game):
            yield
        return
    function, code = _code(change, game)
    before = function.__code__
    forget = caches()
    try:
        function.__code__ = code
        forget()
        yield
    finally:
        function.__code__ = before
        forget()


@contextmanager
def _constant_taken(change: Change, game: Game) -> Iterator[None]:
    path = game.folder / change.path
    if path.name == "numbers.py" and game.has_numbers:
        raise ArgumentError("change", f"{change}", "a change of a number that the game does not keep anywhere else")
    forget = caches()
    before, after, holders = patching.constant(_module(path), change.name, change.applied(_text(path)))
    try:
        for holder, called in holders:
            vars(holder)[called] = after
        forget()
        yield
    finally:
        for holder, called in holders:
            vars(holder)[called] = before
        forget()


def take_quickly(changes: Sequence[Change], game: Game) -> None:
    """As `take_changes`, in a process that was forked after `caches` was asked; a change of one function is made alone.

    :raises ArgumentError: when they cannot be made.
    """
    if len(changes) > 1 or changes[0].name.isupper() or not changes[0].path.endswith(".py"):
        take_changes(changes, game)
        return
    try:
        function, code = _code(changes[0], game)
    except ArgumentError:
        take_changes(changes, game)
        return
    function.__code__ = code
    caches()()


def _code(change: Change, game: Game) -> tuple[FunctionType, CodeType]:
    """The function that a change is of, and what it becomes."""
    path = game.folder / change.path
    code = patching.code_of(path, _definition(path, change), change.name)
    function = patching.function_of(_module(path), change.name)
    if code is None or function is None or function.__code__.co_freevars != code.co_freevars:
        raise ArgumentError("change", f"{change}", "a change of a function")
    return function, code


def _definition(path: Path, change: Change) -> str:
    """The changed definition alone, in its class: quicker to compile than its file."""
    text = _text(path)
    (first, last), after = extent(text, change.name), change.applied(text)
    lines = after[first : last + len(after) - len(text)]
    outer = change.name.split(".")[:-1]
    for depth, name in enumerate(reversed(outer)):
        lines = f"{'    ' * (len(outer) - depth - 1)}class {name}:\n{'    ' * (len(outer) - depth)}{lines.lstrip()}"
    return f"from __future__ import annotations\n{lines}"


@cache
def _text(path: Path) -> str:
    return path.read_text("utf-8")


@cache
def caches() -> Callable[[], None]:
    """What empties the caches that there are now; a function that is imported later has nothing in its cache from before."""
    gc.unfreeze()  # objects that were frozen are not listed
    found = [one for one in gc.get_objects() if isinstance(one, functools._lru_cache_wrapper)]  # the only name

    def forget() -> None:
        for one in found:
            if one not in (caches, _text, definitions):  # what these keep is no rule
                one.cache_clear()

    return forget


def run(wanted: Sequence[Mutant], game: Game, processes: int = 1) -> Iterator[Result]:
    """The results of mutants, each as soon as it is known."""
    for number, ended in children.run([partial(result, mutant, game) for mutant in wanted], processes, SECONDS):
        mutant = wanted[number]
        state = "killed" if ended.how == children.OUT_OF_TIME else "broken"
        yield Result(mutant.id, mutant.digest(), state, how=ended.how) if ended.how else ended.value


def prepare(game: Game) -> None:
    """Import once what every child needs."""
    import hypothesis
    import networkx

    assert hypothesis and networkx
    sys.path.insert(0, str(ROOT / "tests"))
    os.chdir(ROOT)
    for name in game.modules:
        importlib.import_module(name)
