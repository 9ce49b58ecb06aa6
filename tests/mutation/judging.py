"""What the text says about a change, and on which table the change is seen: the judge of other readings.

The tests that are marked with rules assert what follows from the text. For each change a child process takes it and runs those
that execute the changed definition, first those that have found a change of it before, then the quickest. What none of them finds
is looked for on positions of all kinds, then on these under other values of the readings that the changed definitions ask for; the
table where it is seen is made small. Tests of our own choices take no part.

A change can be judged beside values of readings: these are the defaults then, for the tests and for the positions.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, combinations, islice
from math import inf
from types import MappingProxyType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutation import children, running
from mutation.games import Game, Table

from tetrasolve.lint import patching
from tetrasolve.lint.changes import Change, extent
from tetrasolve.lint.witness import shrunk

ELSEWHERE = 250  # of the positions at which a change can be seen that are asked under other values of readings
SECONDS = 60  # of processor time for what all changes need, some times
SKIPPED = "skipped"  # of a case that needs no verdict any more
TEXT = "rule and not slow"  # the marks of the tests that assert what follows from the text


@dataclass(frozen=True)
class Case:
    """Another reading: changes of the rules, the rows that state what they change, and the operator that made them."""

    id: str
    operator: str
    rows: tuple[str, ...]
    changes: tuple[Change, ...]
    beside: tuple[tuple[str, str], ...] = ()  # values of readings, of a game whose positions are lines


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


@dataclass(frozen=True)
class Seen:
    """A position with the behaviour of the rules as they are, and the definitions that it runs (None: not known)."""

    table: Table
    behaviour: int
    runs: frozenset[tuple[str, str]] | None


class Judge:
    """A plugin of pytest: judges changes in place of running the tests that are collected."""

    def __init__(
        self,
        game: Game,
        wanted: Sequence[Case],
        each: Callable[[Verdict], object],
        count: int,
        processes: int,
        seconds: float,
        is_over: Callable[[Case], bool],
    ) -> None:
        self.game, self.wanted, self.each, self.is_over = game, wanted, each, is_over
        self.count, self.processes, self.seconds = count, processes, seconds

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Judge the cases; no test is run in this process, and no case is begun when the time is over."""
        end = time.monotonic() + self.seconds
        tests = _tests(session.items)
        running.caches()  # before the processes of the changes begin
        facts = _profiles(tests, self.game, self.processes)
        for test in tests:
            test.seconds, test.runs = facts[test.name]
        tests.sort(key=lambda test: test.seconds)
        pool = pool_of(self.game, self.count)
        besides = {values: self._held(values, tests) for values in {case.beside for case in self.wanted if case.beside}}
        self.finders: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        work = [partial(self._judged, case, tests, pool, besides) for case in self.wanted]
        for number, ended in children.run(work, self.processes, self.game.seconds, lambda: time.monotonic() > end):
            state = "slow" if ended.how == children.OUT_OF_TIME else "broken"
            verdict = ended.value or Verdict(self.wanted[number].id, state, ended.how)
            if verdict.state == "settled":
                for change in self.wanted[number].changes:
                    self.finders[change.path, change.name][verdict.by.partition("[")[0]] = None
            self.each(verdict)
        return True

    def _held(self, values: tuple[tuple[str, str], ...], tests: Sequence[_Test]) -> frozenset[str]:
        """The tests that hold beside these values of readings: one that holds under each alone can fail under several."""
        return frozenset(children.result(partial(_holding, values, tests, self.game), 20 * SECONDS))

    def _judged(
        self, case: Case, tests: Sequence[_Test], pool: Sequence[Seen], besides: Mapping[Any, frozenset[str]]
    ) -> Verdict:
        """The verdict, in a process that knows all verdicts before."""
        if self.is_over(case):
            return Verdict(case.id, SKIPPED)
        known = {name for change in case.changes for name in self.finders[change.path, change.name]}
        held = [test for test in tests if not case.beside or test.name in besides[case.beside]]
        return _judged(case, self.game, sorted(held, key=lambda test: test.name not in known), pool)


def judge(
    game: Game,
    wanted: Sequence[Case],
    files: Iterable[str],
    each: Callable[[Verdict], object],
    count: int | None = None,
    processes: int = 2,
    seconds: float = inf,
    is_over: Callable[[Case], bool] = lambda _: False,
) -> None:
    """Call `each` with the verdict on each case, as soon as it is known.

    `files` hold the tests, `count` is the number of positions, if not that of the game; after `seconds` no further case is
    begun. A case that `is_over`, when its turn comes, is `SKIPPED`.
    """
    plugin = Judge(game, wanted, each, count or game.most, processes, seconds, is_over)
    pytest.main([*running.OPTIONS, "-m", TEXT, *files], plugins=[plugin])


def _tests(items: Iterable[pytest.Item]) -> list[_Test]:
    found: dict[str, _Test] = {}
    for item in items:
        name = item.nodeid.partition("[")[0]
        found.setdefault(name, _Test(name, [])).items.append(item)
    return list(found.values())


def _profiles(
    tests: Sequence[_Test], game: Game, processes: int
) -> dict[str, tuple[float, frozenset[tuple[str, str]]]]:
    """What `_profile` finds, in so many processes."""
    work = [partial(_profile, tests[start::processes], game) for start in range(processes)]
    found = {}
    for _, ended in children.run(work, processes, 20 * SECONDS):
        if ended.how:
            raise RuntimeError(ended.how)
        found |= ended.value
    return found


def _profile(tests: Sequence[_Test], game: Game) -> dict[str, tuple[float, frozenset[tuple[str, str]]]]:
    """The time of each test and what it executes."""
    facts = {}
    for test in tests:
        patching.forget()  # what another test has asked already is asked again
        began = time.process_time()
        with profiled() as ran:
            for item in test.items:
                runtestprotocol(item, log=False, nextitem=None)
        facts[test.name] = time.process_time() - began, inside(ran, game)
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


def inside(ran: Iterable[Any], game: Game) -> frozenset[tuple[str, str]]:
    """Of code that was run the files and definitions of the rules."""
    top = str(game.folder)
    ours = [code for code in ran if code.co_filename.startswith(top)]
    return frozenset((code.co_filename[len(top) + 1 :], code.co_qualname.partition(".<locals>")[0]) for code in ours)


def pool_of(game: Game, count: int) -> list[Seen]:
    """The positions on which a difference is looked for, with what the rules do at them as they are."""
    tables = game.positions.pool(count, "open points")
    base = children.result(partial(_behaviours, game, tables), 20 * SECONDS)
    return [Seen(table, *facts) for table, facts in zip(tables, base, strict=True)]


def able(changes: Iterable[Change], pool: Iterable[Seen]) -> list[Seen]:
    """The positions at which these changes can be seen: what they change runs there."""
    changed = {(change.path, change.name) for change in changes}
    if any(_is_everywhere(change) for change in changes):
        return list(pool)
    return [one for one in pool if one.runs is None or changed & one.runs]


def _is_everywhere(change: Change) -> bool:
    """Whether a change is of a constant or of data, which can be used anywhere."""
    return change.name.isupper() or not change.path.endswith(".py")


def _behaviours(game: Game, tables: Sequence[Table]) -> list[tuple[int, frozenset[tuple[str, str]] | None]]:
    """The behaviour at each of these positions, and what runs for it where that can be known."""
    found: list[tuple[int, frozenset[tuple[str, str]] | None]] = []
    for table in tables:
        if not isinstance(table, str):
            found.append((game.positions.behaviour(table), None))
            continue
        running.caches()()  # what another position has asked already is asked again
        with profiled() as ran:
            behaviour = game.positions.behaviour(table)
        found.append((behaviour, inside(ran, game)))
    return found


def _holding(values: tuple[tuple[str, str], ...], tests: Sequence[_Test], game: Game) -> list[str]:
    """The tests that no value of these readings lets fail, in a process that ends with it."""
    for name, value in values:
        take_default(game, name, value)
    return [test.name for test in tests if _first_failure([test], game) is None]


def take_default(game: Game, name: str, value: str) -> None:
    """Make a value the default of a reading, in this process; there is no way back."""
    reading = game.readings[name]
    options = {value: reading.options[value], **reading.options}
    object.__setattr__(reading, "options", MappingProxyType(options))
    game.ruleset.readings = property(partial(readings_of, game))  # type: ignore[attr-defined]  # nothing kept from before
    patching.forget()


def readings_of(game: Game, ruleset: Any) -> Mapping[str, str]:
    """The values of all readings of a ruleset."""
    return {name: reading.default for name, reading in game.readings.items()} | dict(ruleset.interpretations)


def _judged(case: Case, game: Game, tests: Sequence[_Test], pool: Sequence[Seen]) -> Verdict:
    """The verdict, in a process that ends with it."""
    verdict, changes, positions = Verdict(case.id, "standing"), case.changes, game.positions
    for name, value in case.beside:
        take_default(game, name, value)
    before = _Observer(game)
    running.take_quickly(changes, game)
    game.keep_words(before.said)
    everywhere = any(map(_is_everywhere, changes))
    changed = {(change.path, change.name) for change in changes}
    if found := _first_failure([test for test in tests if everywhere or changed & test.runs], game):
        return replace(verdict, state="broken" if found[1] else "settled", by=found[0])
    differs = lambda table: positions.behaviour(table) != before.behaviour(table)  # noqa: E731  # asked in three places
    if case.beside:  # what a position says of readings is said against other defaults
        seen = [one.table for one in able(changes, pool) if isinstance(one.table, str) and differs(one.table)]
    else:
        seen = [one.table for one in able(changes, pool) if positions.behaviour(one.table) != one.behaviour]
    if not seen:
        seen = list(islice(filter(differs, _elsewhere(case, game, pool)), 1))
    if not seen:
        return replace(verdict, state="same")
    verdict = replace(verdict, seen=len(seen))
    small = shrunk(seen[0], positions.smaller, differs, tries=400)
    return replace(verdict, table=positions.text(small), size=positions.size(small))


def _elsewhere(case: Case, game: Game, pool: Sequence[Seen]) -> Iterator[Table]:
    """Positions under other values, of one or two readings that the changed definitions ask for before or after."""
    texts = [f"{change.after}{node_text(game, change)}" for change in case.changes]
    asked = [reading for reading in game.readings.values() if any(reading.name in text for text in texts)]
    pairs = [(reading.name, value) for reading in asked for value in reading.options]
    there = [one.table for one in able(case.changes, pool)]
    some = there[:: max(1, len(there) // ELSEWHERE)]
    for values in chain(combinations(pairs, 1), combinations(pairs, 2)):
        if len({name for name, _ in values}) < len(values):
            continue
        for table in some:
            other: Table | None = table
            for name, value in values:
                other = game.positions.with_reading(other, name, value) if other is not None else None
            if other is not None:
                yield other


def node_text(game: Game, change: Change) -> str:
    """The text of what a change is of."""
    text = (game.folder / change.path).read_text("utf-8")
    first, last = extent(text, change.name)
    return text[first:last]


def _first_failure(tests: Iterable[_Test], game: Game) -> tuple[str, bool] | None:
    """The first test that fails, and whether because the change cannot run."""
    for test in tests:
        for item in test.items:
            watch = running.Watch(game.folder)
            item.session.config.pluginmanager.register(watch)
            runtestprotocol(item, log=False, nextitem=None)
            item.session.config.pluginmanager.unregister(watch)
            if watch.by:
                return watch.by, watch.is_broken
    return None


# -- processes -------------------------------------------------------------------------------------------------


class _Observer:
    """A process with the rules as they are now, which answers how they behave at a position, or what they say there."""

    def __init__(self, game: Game) -> None:
        self._game = game
        (asked, ask), (replies, reply) = os.pipe(), os.pipe()
        self._process = os.fork()
        if self._process == 0:
            os.close(ask)
            with os.fdopen(asked) as questions, os.fdopen(reply, "w") as answers:
                for line in questions:
                    print(self._answer(*json.loads(line)), file=answers, flush=True)
            os._exit(0)
        os.close(asked)
        os.close(reply)
        self._ask, self._replies = os.fdopen(ask, "w"), os.fdopen(replies)

    def behaviour(self, table: Table) -> int:
        """As `Positions.behaviour` with these rules."""
        return int(self.said(self._game.positions.text(table)))

    def said(self, *asked: object) -> str:
        """The answer about a position, or about a position and an action."""
        print(json.dumps([*map(str, asked)]), file=self._ask, flush=True)
        return self._replies.readline().rstrip("\n")

    def _answer(self, table: str, action: str = "") -> str:
        if action:
            return self._game.words_of(table, action)
        return str(self._game.positions.behaviour(self._game.positions.read(table)))
