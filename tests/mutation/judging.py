"""Which tests of sentences find a change, and on which table it is seen: the judge of other readings.

The tests that are marked with a rule are collected once. For each change a child process takes it and runs those that execute
the changed definition, the quickest first: tests of other sentences and printed examples, then those of its own. What no test
of another sentence finds is looked for on positions of all kinds, and the table where it is seen is made small.
"""

from __future__ import annotations

import os
import pickle
import resource
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutation import positions, running
from mutation.table import GAME
from tabletop import MAP

from tetrasolve.lint.changes import Change
from tetrasolve.lint.witness import shrunk
from tetrasolve.tetrarchia.position import Position

SECONDS = 60  # of processor time for one change
TABLES = 600
EXAMPLE = (
    "-example"  # in the ids of rows that restate a printed example: what contradicts them contradicts the rulebook
)


Reading = tuple[
    str, tuple[str, ...], tuple[Change, ...]
]  # an operator, the rows that state what it changes, the changes


@dataclass(frozen=True)
class Verdict:
    """What became of a change of a sentence: `by` is the test that found it, of another sentence (`settled`) or its own (`own`).

    `standing` is one that no test of a sentence finds, `same` one that no table shows, `broken` one that cannot run.
    """

    operator: str
    rows: tuple[str, ...]
    changes: tuple[Change, ...]
    state: str
    by: str = ""
    table: str = ""
    size: int = 0

    @property
    def is_open(self) -> bool:
        """Whether nothing but the sentence itself speaks against it."""
        return self.state in ("own", "standing") and bool(self.table)


@dataclass
class _Test:
    """A marked test with all its parameters."""

    name: str
    rows: frozenset[str]
    items: list[pytest.Item]
    seconds: float = 0.0
    runs: frozenset[tuple[str, str]] = frozenset()  # the files and definitions that it executes


class Judge:
    """A plugin of pytest: judges changes in place of running the tests that are collected."""

    def __init__(
        self, wanted: Sequence[Reading], each: Callable[[Verdict], object], count: int, processes: int
    ) -> None:
        self.wanted, self.each = wanted, each
        self.count, self.processes = count, processes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge the changes; no test is run in this process."""
        tests = _tests(session.items)
        facts = _in_child(lambda: _profile(tests))
        for test in tests:
            test.seconds, test.runs = facts[test.name]
        tests.sort(key=lambda test: test.seconds)
        pool = positions.pool(self.count, "open points")
        base = _in_child(lambda: [positions.behaviour(table) for table in pool])
        work = [lambda w=w: _judged(*w, tests, pool, base) for w in self.wanted]
        for (operator, rows, changes), verdict in zip(self.wanted, _children(work, self.processes), strict=True):
            self.each(verdict or Verdict(operator, rows, changes, "broken"))
        return True


def judge(
    wanted: Sequence[Reading],
    files: Iterable[str],
    each: Callable[[Verdict], object],
    count: int = TABLES,
    processes: int = 2,
) -> None:
    """Call `each` with the verdict on each change; `files` hold the tests, `count` is the number of positions."""
    pytest.main([*running.OPTIONS, "-m", "rule", *files], plugins=[Judge(wanted, each, count, processes)])


def _tests(items: Iterable[pytest.Item]) -> list[_Test]:
    found: dict[str, _Test] = {}
    for item in items:
        rows = frozenset(row for mark in item.iter_markers("rule") for row in mark.args)
        name = item.nodeid.partition("[")[0]
        found.setdefault(name, _Test(name, rows, [])).items.append(item)
    return list(found.values())


def _profile(tests: Sequence[_Test]) -> dict[str, tuple[float, frozenset[tuple[str, str]]]]:
    """The time of each test and what it executes."""
    facts, top = {}, str(GAME)
    for test in tests:
        ran: set[Any] = set()

        def called(frame, event, _argument, ran=ran):
            if event == "call":
                ran.add(frame.f_code)

        began = time.process_time()
        sys.setprofile(called)
        for item in test.items:
            runtestprotocol(item, log=False, nextitem=None)
        sys.setprofile(None)
        ours = [code for code in ran if code.co_filename.startswith(top)]
        inside = {(code.co_filename[len(top) + 1 :], code.co_qualname.partition(".<locals>")[0]) for code in ours}
        facts[test.name] = time.process_time() - began, frozenset(inside)
    return facts


def _judged(
    operator: str,
    rows: tuple[str, ...],
    changes: tuple[Change, ...],
    tests: Sequence[_Test],
    pool: Sequence[Any],
    base: Sequence[int],
) -> Verdict:
    """The verdict, in a process that ends with it."""
    verdict = Verdict(operator, rows, changes, "standing")
    before = _Observer()
    running.take_changes(changes)
    everywhere = any(change.name.isupper() or not change.path.endswith(".py") for change in changes)
    runs = [t for t in tests if everywhere or any((change.path, change.name) in t.runs for change in changes)]
    other = [t for t in runs if any(row not in rows or EXAMPLE in row for row in t.rows)]
    if found := _first_failure(other):
        return replace(verdict, state="broken" if found[1] else "settled", by=found[0])
    if found := _first_failure([t for t in runs if t not in other]):
        verdict = replace(verdict, state="broken" if found[1] else "own", by=found[0])
    seen = next((table for table, old in zip(pool, base, strict=True) if positions.behaviour(table) != old), None)
    if seen is None:
        return verdict if verdict.state == "own" else replace(verdict, state="same")
    if isinstance(seen, positions.Start):
        return replace(verdict, table=f"set-up {seen}", size=positions.size(seen))
    small = shrunk(
        seen, positions.smaller, lambda table: positions.behaviour(table) != before.behaviour(table), tries=400
    )
    return replace(verdict, table=str(small), size=positions.size(small))


def _first_failure(tests: Iterable[_Test]) -> tuple[str, bool] | None:
    """The first test that fails, and whether because the change cannot run."""
    for test in tests:
        for item in test.items:
            watch = running.Watch()
            item.session.config.pluginmanager.register(watch)
            runtestprotocol(item, log=False, nextitem=None)
            item.session.config.pluginmanager.unregister(watch)
            if watch.by:
                return watch.by, watch.is_broken
    return None


# -- processes -------------------------------------------------------------------------------------------------


class _Observer:
    """A process with the rules as they are now, which answers how they behave at a position."""

    def __init__(self) -> None:
        (asked, ask), (replies, reply) = os.pipe(), os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(ask)
            with os.fdopen(asked) as questions, os.fdopen(reply, "w") as answers:
                for line in questions:
                    print(positions.behaviour(Position.parse(line.rstrip("\n"), MAP)), file=answers, flush=True)
            os._exit(0)
        os.close(asked)
        os.close(reply)
        self._ask, self._replies = os.fdopen(ask, "w"), os.fdopen(replies)

    def behaviour(self, table: Position) -> int:
        """As `positions.behaviour` with these rules."""
        print(table, file=self._ask, flush=True)
        return int(self._replies.readline())


def _in_child(work: Callable[[], Any]) -> Any:
    """What a piece of work gives in a child process, which leaves nothing behind."""
    return next(_children([work], 1, 10 * SECONDS))


def _children(work: Sequence[Callable[[], Any]], processes: int, seconds: int = SECONDS) -> Iterator[Any]:
    """What each piece of work gives in a child process, in their order; None where it ended without a result."""
    results: dict[int, Any] = {}
    running_now: dict[int, tuple[int, int]] = {}
    waiting = list(reversed(list(enumerate(work))))
    given = 0
    while waiting or running_now:
        while waiting and len(running_now) < processes:
            number, task = waiting.pop()
            process, pipe = _started(task, seconds)
            running_now[pipe] = process, number
        pipe = next(iter(running_now))
        process, number = running_now.pop(pipe)
        with os.fdopen(pipe, "rb") as file:
            data = file.read()
        os.waitpid(process, 0)
        results[number] = pickle.loads(data) if data else None  # noqa: S301  # from our own child
        while given in results:
            yield results.pop(given)
            given += 1


def _started(task: Callable[[], Any], seconds: int) -> tuple[int, int]:
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        spent = int(time.process_time())  # of the parent, which a child inherits
        resource.setrlimit(resource.RLIMIT_CPU, (spent + seconds, spent + seconds + 1))
        with os.fdopen(writing, "wb") as file:
            file.write(pickle.dumps(task()))
    finally:
        os._exit(0)
