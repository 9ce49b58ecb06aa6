"""What the text says about a change, and on which table the change is seen: the judge of other readings.

The tests that are marked with rules assert what follows from the text. For each change a child process takes it and runs those
that execute the changed definition, the quickest first. What none of them finds is looked for on positions of all kinds, and
the table where it is seen is made small. Tests of our own choices take no part.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from typing import Any, TypeAlias

import pytest
from _pytest.runner import runtestprotocol
from mutation import children, positions, running
from mutation.table import GAME
from tabletop import MAP

from tetrasolve.errors import TetrasolveError
from tetrasolve.lint import patching
from tetrasolve.lint.changes import Change
from tetrasolve.lint.witness import shrunk
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, read_action
from tetrasolve.tetrarchia.position import Position

SECONDS = 60  # of processor time for one change
TABLES = 1000
_Objection: TypeAlias = Callable[[Position, Action], str | None]
SKIPPED = "skipped"  # of a case that needs no verdict any more
TEXT = "rule and not slow"  # the marks of the tests that assert what follows from the text


@dataclass(frozen=True)
class Case:
    """Another reading: changes of the rules, the rows that state what they change, and the operator that made them."""

    id: str
    operator: str
    rows: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Verdict:
    """What became of a case: the text settles it, by the test that found it, or it is `standing` with a table that shows it.

    `same` is one that no table shows, `broken` one that cannot run, `slow` one that took too long.
    """

    case: str
    state: str
    by: str = ""
    table: str = ""
    size: int = 0
    seen: int = 0  # of the positions that were looked at


@dataclass
class _Test:
    """A test with all its parameters."""

    name: str
    items: list[pytest.Item]
    seconds: float = 0.0
    runs: frozenset[tuple[str, str]] = frozenset()  # the files and definitions that it executes


class Judge:
    """A plugin of pytest: judges changes in place of running the tests that are collected."""

    def __init__(
        self,
        wanted: Sequence[Case],
        each: Callable[[Verdict], object],
        count: int,
        processes: int,
        seconds: float,
        is_over: Callable[[Case], bool],
    ) -> None:
        self.wanted, self.each, self.is_over = wanted, each, is_over
        self.count, self.processes, self.seconds = count, processes, seconds

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge the cases; no test is run in this process, and no case is begun when the time is over."""
        end = time.monotonic() + self.seconds
        tests = _tests(session.items)
        facts = _profiles(tests, self.processes)
        for test in tests:
            test.seconds, test.runs = facts[test.name]
        tests.sort(key=lambda test: test.seconds)
        pool = positions.pool(self.count, "open points")
        base = children.result(lambda: [positions.behaviour(table) for table in pool], 10 * SECONDS)
        work = [partial(self._judged, case, tests, pool, base) for case in self.wanted]
        for number, ended in children.run(work, self.processes, SECONDS, lambda: time.monotonic() > end):
            state = "slow" if ended.how == children.OUT_OF_TIME else "broken"
            self.each(ended.value or Verdict(self.wanted[number].id, state, ended.how))
        return True

    def _judged(self, case: Case, tests: Sequence[_Test], pool: Sequence[Any], base: Sequence[int]) -> Verdict:
        """The verdict, in a process that knows all verdicts before."""
        return Verdict(case.id, SKIPPED) if self.is_over(case) else _judged(case, tests, pool, base)


def judge(
    wanted: Sequence[Case],
    files: Iterable[str],
    each: Callable[[Verdict], object],
    count: int = TABLES,
    processes: int = 2,
    seconds: float = inf,
    is_over: Callable[[Case], bool] = lambda _: False,
) -> None:
    """Call `each` with the verdict on each case, as soon as it is known.

    `files` hold the tests, `count` is the number of positions; after `seconds` no further case is begun. A case that
    `is_over`, when its turn comes, is `SKIPPED`.
    """
    plugin = Judge(wanted, each, count, processes, seconds, is_over)
    pytest.main([*running.OPTIONS, "-m", TEXT, *files], plugins=[plugin])


def _tests(items: Iterable[pytest.Item]) -> list[_Test]:
    found: dict[str, _Test] = {}
    for item in items:
        name = item.nodeid.partition("[")[0]
        found.setdefault(name, _Test(name, [])).items.append(item)
    return list(found.values())


def _profiles(tests: Sequence[_Test], processes: int) -> dict[str, tuple[float, frozenset[tuple[str, str]]]]:
    """What `_profile` finds, in so many processes."""
    work = [partial(_profile, tests[start::processes]) for start in range(processes)]
    found = {}
    for _, ended in children.run(work, processes, 20 * SECONDS):
        if ended.how:
            raise RuntimeError(ended.how)
        found |= ended.value
    return found


def _profile(tests: Sequence[_Test]) -> dict[str, tuple[float, frozenset[tuple[str, str]]]]:
    """The time of each test and what it executes."""
    facts = {}
    for test in tests:
        patching.forget()  # what another test has asked already is asked again
        began = time.process_time()
        with profiled() as ran:
            for item in test.items:
                runtestprotocol(item, log=False, nextitem=None)
        facts[test.name] = time.process_time() - began, inside(ran)
    return facts


@contextmanager
def profiled() -> Iterator[set[Any]]:
    """The code that is run in the block."""
    ran: set[Any] = set()

    def called(frame: Any, event: str, _argument: object) -> None:
        if event == "call":
            ran.add(frame.f_code)

    sys.setprofile(called)
    try:
        yield ran
    finally:
        sys.setprofile(None)


def inside(ran: Iterable[Any]) -> frozenset[tuple[str, str]]:
    """Of code that was run the files and definitions of the rules."""
    top = str(GAME)
    ours = [code for code in ran if code.co_filename.startswith(top)]
    return frozenset((code.co_filename[len(top) + 1 :], code.co_qualname.partition(".<locals>")[0]) for code in ours)


def _judged(case: Case, tests: Sequence[_Test], pool: Sequence[Any], base: Sequence[int]) -> Verdict:
    """The verdict, in a process that ends with it."""
    verdict, changes = Verdict(case.id, "standing"), case.changes
    before = _Observer()
    running.take_changes(changes)
    rules.objection = before.in_its_words(rules.objection)
    everywhere = any(change.name.isupper() or not change.path.endswith(".py") for change in changes)
    runs = [t for t in tests if everywhere or any((change.path, change.name) in t.runs for change in changes)]
    if found := _first_failure(runs):
        return replace(verdict, state="broken" if found[1] else "settled", by=found[0])
    seen = [table for table, old in zip(pool, base, strict=True) if positions.behaviour(table) != old]
    if not seen:
        return replace(verdict, state="same")
    verdict = replace(verdict, seen=len(seen))
    if isinstance(seen[0], positions.Start):
        return replace(verdict, table=f"set-up {seen[0]}", size=positions.size(seen[0]))
    small = shrunk(
        seen[0], positions.smaller, lambda table: positions.behaviour(table) != before.behaviour(table), tries=400
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
                    print(_observed(*json.loads(line)), file=answers, flush=True)
            os._exit(0)
        os.close(asked)
        os.close(reply)
        self._ask, self._replies = os.fdopen(ask, "w"), os.fdopen(replies)

    def behaviour(self, table: Position) -> int:
        """As `positions.behaviour` with these rules."""
        return int(self._said(table))

    def in_its_words(self, objection: _Objection) -> _Objection:
        """An objection in the words of these rules, where these object too: tests ask for words, and words are no rule."""

        def said(position: Position, action: Action) -> str | None:
            words = objection(position, action)
            if words is None or position.board is not MAP:
                return words
            return self._said(position, str(action)) or words

        return said

    def _said(self, *asked: object) -> str:
        print(json.dumps([*map(str, asked)]), file=self._ask, flush=True)
        return self._replies.readline().rstrip("\n")


def _observed(table: str, action: str = "") -> str:
    """How the rules behave at a position, or what they say against an action there; nothing where it is legal."""
    position = Position.parse(table, MAP)
    if not action:
        return str(positions.behaviour(position))
    try:
        (meant,) = [one for one in read_action(action, MAP) if str(one) == action]
        return rules.objection(position, meant) or ""
    except (TetrasolveError, ValueError):
        return ""
