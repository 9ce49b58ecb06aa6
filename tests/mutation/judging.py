"""What the text says about a change, and on which table the change is seen: the judge of other readings.

The tests that are marked with rules assert what follows from the text. For each change a child process takes it and runs those
that execute the changed definition, those first that have found most changes of it before. What none finds in a second is looked
for on positions of all kinds, then on these under other values of the readings that the changed definitions ask for. A change that
is seen nowhere there is the same, one that does the same there as another that stands, stands too, and for the rest all other tests
are run, the quickest first; the table where it is seen is made small. Tests of our own choices take no part.

A change can be judged beside values of readings: these are the defaults then, for the tests and for the positions.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import time
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from itertools import accumulate, combinations
from math import inf
from pathlib import Path
from random import Random
from traceback import walk_tb
from types import MappingProxyType
from typing import Any

import pytest
from _pytest.runner import runtestprotocol
from mutation import children, running
from mutation.games import Game, Table

from tetrasolve.lint import patching
from tetrasolve.lint.changes import Change, extent
from tetrasolve.lint.witness import shrunk

ELSEWHERE = 160  # positions under other values of readings at which a change is looked for
ABLE = 320  # positions at which it is looked for first, of those at which what it changes runs
SECONDS = 60  # of processor time for what all changes need, some times
FIRST = 1.0  # seconds of tests that are run before positions are looked at
ENDLESS = 10  # seconds of processor time after which a test, or what the rules do at a position, has no end
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
    at: tuple[tuple[str, str], ...] = ()  # files and definitions that run where it is seen, if not the changed ones


@dataclass(frozen=True)
class Verdict:
    """What became of a case: the text settles it, by the test that found it, or it is `standing` with a table that shows it.

    `same` is one that no table shows, `broken` one that cannot run, `slow` one that took too long or has no end at a table. Where a
    test has no end the text settles it: the rules come to one.
    """

    case: str
    state: str
    by: str = ""
    table: str = ""
    size: int = 0
    seen: int = 0  # of the positions that were looked at
    effect: str = ""  # the same for changes that do the same at each of these


@dataclass
class _Test:
    """A test."""

    name: str
    items: list[pytest.Item]
    seconds: float = 0.0
    runs: frozenset[tuple[str, str]] = frozenset()  # the files and definitions that it executes


@dataclass(frozen=True)
class Seen:
    """A position with the behaviour of the rules as they are, and the definitions that it runs (None: not known)."""

    table: Table
    behaviour: int
    runs: frozenset[tuple[str, str]] | None = None


Key = tuple[
    frozenset[tuple[str, str]], tuple[str, ...], tuple[tuple[str, str], ...]
]  # what it depends on where is looked


class Endless(BaseException):
    """What was asked has no end, as far as somebody waits; no rule and no test catches it."""


@contextmanager
def ending() -> Iterator[None]:
    """What takes longer than `ENDLESS` in this block is stopped; of the main thread of a process without another such timer.

    :raises Endless: then.
    """

    def stop(_number: int, _frame: object) -> None:
        raise Endless

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, ENDLESS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


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
        known: Sequence[tuple[Case, Verdict]],
        valid: Collection[str],
    ) -> None:
        self.known, self.valid, self.last = known, valid, {case.id: verdict for case, verdict in known}
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
        self.finders: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)  # how many changes each found
        self.elsewhere: dict[Key, list[Seen]] = {}
        self.shown: dict[str, Verdict] = {}  # the first of each effect
        for case, verdict in self.known:
            self._learn(case, verdict)
            if verdict.effect and case.id in self.valid:
                self.shown.setdefault(verdict.effect, verdict)
        work = _Prepared(self.wanted, partial(self._work, tests, pool, besides))
        for number, ended in children.run(work, self.processes, self.game.seconds, lambda: time.monotonic() > end):
            state = "slow" if ended.how == children.OUT_OF_TIME else "broken"
            verdict = ended.value or Verdict(self.wanted[number].id, state, ended.how)
            self._learn(self.wanted[number], verdict)
            if verdict.effect:
                self.shown.setdefault(verdict.effect, verdict)
            self.each(verdict)
        return True

    def _learn(self, case: Case, verdict: Verdict) -> None:
        """Count what found a change."""
        if verdict.state == "settled":
            for change in case.changes:
                self.finders[change.path, change.name][verdict.by] += 1

    def _work(
        self, tests: Sequence[_Test], pool: Sequence[Seen], besides: Mapping[Any, frozenset[str]], case: Case
    ) -> Callable[[], Verdict]:
        """What judges a case, in a process that begins now: what many changes of a definition need is worked out before."""
        key = _key(case, self.game)
        if key not in self.elsewhere:
            self.elsewhere[key] = children.result(partial(_elsewhere, key, self.game, pool), 20 * SECONDS)
        return partial(self._judged, case, tests, pool, besides)

    def _held(self, values: tuple[tuple[str, str], ...], tests: Sequence[_Test]) -> frozenset[str]:
        """The tests that hold beside these values of readings: one that holds under each alone can fail under several."""
        return frozenset(children.result(partial(_holding, values, tests, self.game), 20 * SECONDS))

    def _judged(
        self, case: Case, tests: Sequence[_Test], pool: Sequence[Seen], besides: Mapping[Any, frozenset[str]]
    ) -> Verdict:
        """The verdict, in a process that knows all verdicts before."""
        if self.is_over(case):
            return Verdict(case.id, SKIPPED)
        held = [test for test in tests if not case.beside or test.name in besides[case.beside]]
        elsewhere = self.elsewhere[_key(case, self.game)]
        changed = _definitions(case)
        counts = sum((self.finders[place] for place in changed), Counter[str]())
        ordered = [
            test for test in sorted(held, key=lambda test: -counts[test.name]) if _is_reached(changed, test.runs)
        ]
        spent = [*accumulate(test.seconds for test in ordered)]
        first = bisect_right(spent, FIRST)
        return _judged(
            case, self.game, ordered[:first], ordered[first:], pool, elsewhere, self.shown, self.last.get(case.id)
        )


class _Prepared(Sequence[Callable[[], Verdict]]):
    """Work that is made when it is asked for."""

    def __init__(self, wanted: Sequence[Case], make: Callable[[Case], Callable[[], Verdict]]) -> None:
        self._wanted, self._make = wanted, make

    def __len__(self) -> int:
        return len(self._wanted)

    def __getitem__(self, number: Any) -> Any:
        return self._make(self._wanted[number])


def judge(
    game: Game,
    wanted: Sequence[Case],
    files: Iterable[str],
    each: Callable[[Verdict], object],
    count: int | None = None,
    processes: int = 2,
    seconds: float = inf,
    is_over: Callable[[Case], bool] = lambda _: False,
    known: Sequence[tuple[Case, Verdict]] = (),
    valid: Collection[str] = (),
) -> None:
    """Call `each` with the verdict on each case, as soon as it is known.

    `files` hold the tests, `count` is the number of positions, if not that of the game; after `seconds` no further case is
    begun. A case that `is_over`, when its turn comes, is `SKIPPED`. `known` has verdicts on any cases of before: the tests that
    found changes are run first on others of the same definitions, and where the table shows a change still that stood, and no
    test finds it, it is not looked for again. Of these the `valid` ones are by the tests of now: what does the same stands, too.
    """
    plugin = Judge(game, wanted, each, count or game.most, processes, seconds, is_over, known, valid)
    pytest.main([*running.OPTIONS, "-m", TEXT, *files], plugins=[plugin])


def _tests(items: Iterable[pytest.Item]) -> list[_Test]:
    """Each test, with one set of parameters: what another set runs says nothing about what this one does."""
    return [_Test(item.nodeid, [item]) for item in items]


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
        running.caches()()  # what another test has asked already is asked again
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


def able(case: Case, pool: Iterable[Seen]) -> list[Seen]:
    """The positions at which a case can be seen: what it changes runs there."""
    changed = _definitions(case)
    found = [one for one in pool if _is_reached(changed, one.runs)]
    return [found[at * len(found) // ABLE] for at in range(ABLE)] if len(found) > ABLE else found


def _definitions(case: Case) -> frozenset[tuple[str, str]]:
    """The files and definitions that are changed."""
    return frozenset(case.at or ((change.path, change.name) for change in case.changes))


def _is_reached(changed: frozenset[tuple[str, str]], runs: frozenset[tuple[str, str]] | None) -> bool:
    """Whether changes of these definitions can be seen where others run (None: not known); a constant or data is used anywhere."""
    return runs is None or bool(changed & runs) or any(n.isupper() or not path.endswith(".py") for path, n in changed)


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


def _judged(
    case: Case,
    game: Game,
    first: Sequence[_Test],
    others: Sequence[_Test],
    pool: Sequence[Seen],
    elsewhere: Sequence[Seen],
    shown: Mapping[str, Verdict],
    known: Verdict | None,
) -> Verdict:
    """The verdict, in a process that ends with it; the `first` tests are run before positions are looked at."""
    gc.disable()  # it would copy what the process has from its parent
    for name, value in case.beside:
        take_default(game, name, value)
    before, positions = _Observer(game), game.positions
    running.take_quickly(case.changes, game)
    game.keep_words(before.said)
    if found := _failed(case, game, first):
        return found
    differs = lambda table: _behaviour(game, table) != before.behaviour(table)  # noqa: E731  # asked in three places
    try:
        if known is not None and known.effect and differs(positions.read(known.table)):
            return _failed(case, game, others) or known
        seen, effect = _seen(case, game, differs, pool, elsewhere)
    except Endless:
        return _failed(case, game, others) or Verdict(case.id, "slow")
    if not seen:
        return Verdict(case.id, "same")
    if effect in shown:
        return replace(shown[effect], case=case.id, seen=len(seen))
    if found := _failed(case, game, others):
        return found
    small = shrunk(seen[0], positions.smaller, partial(_ends_and, differs), tries=400)
    return Verdict(case.id, "standing", "", positions.text(small), positions.size(small), seen=len(seen), effect=effect)


def _seen(
    case: Case, game: Game, differs: Callable[[Table], bool], pool: Sequence[Seen], elsewhere: Sequence[Seen]
) -> tuple[list[Table], str]:
    """Where a change that was made is seen, of the pool, or else the first position elsewhere, and what effect it has there."""
    if case.beside:  # what a position says of readings is said against other defaults
        seen = [one.table for one in able(case, pool) if isinstance(one.table, str) and differs(one.table)]
        new: list[tuple[Table, int]] = []
    else:
        there = [(one, _behaviour(game, one.table)) for one in able(case, pool)]
        new = [(one.table, now) for one, now in there if now != one.behaviour]
        seen = [table for table, _ in new]
    if not seen:
        other = next((one.table for one in elsewhere if _behaviour(game, one.table) != one.behaviour), None)
        if other is None:
            return [], ""
        seen, new = [other], [(other, _behaviour(game, other))]
    lines = "\n".join(f"{game.positions.text(table)} {now}" for table, now in new)
    return seen, "" if case.beside else sha256(lines.encode()).hexdigest()[:12]


def _ends_and(differs: Callable[[Table], bool], table: Table) -> bool:
    """Whether a change differs at a position and comes to an end there."""
    try:
        return differs(table)
    except Endless:
        return False


def _behaviour(game: Game, table: Table) -> int:
    """What the rules of this process do at a position.

    :raises Endless: when they come to no end.
    """
    with ending():
        return game.positions.behaviour(table)


def _failed(case: Case, game: Game, tests: Iterable[_Test]) -> Verdict | None:
    """The verdict by the first of these tests that fails; None where none does."""
    found = _first_failure(tests, game)
    return Verdict(case.id, "broken" if found[1] else "settled", found[0]) if found else None


def _key(case: Case, game: Game) -> Key:
    """What is changed, the readings that it asks for before or after, and beside which values it is judged."""
    texts = [f"{change.after}{_text_of(game.folder / change.path, change.name)}" for change in case.changes]
    asked = tuple(name for name in game.readings if any(name in text for text in texts))
    return _definitions(case), asked, case.beside


def _elsewhere(key: Key, game: Game, pool: Sequence[Seen]) -> list[Seen]:
    """Positions under other values of one or two readings, at which what is changed runs, and what the rules do there.

    In a process that ends with it.
    """
    changed, asked, beside = key
    there = [one.table for one in pool if _is_reached(changed, one.runs)]
    pairs = [(name, value) for name in asked for value in game.readings[name].options]
    twos = [two for two in combinations(pairs, 2) if two[0][0] != two[1][0]]
    for name, value in beside:
        take_default(game, name, value)
    random, found = Random("elsewhere"), []
    for values in (*combinations(pairs, 1), *twos):
        number = max(1, ELSEWHERE // (2 * len(twos if len(values) > 1 else pairs)))
        for table in random.sample(there, min(number, len(there))):
            other: Table | None = table
            for name, value in values:
                other = game.positions.with_reading(other, name, value) if other is not None else None
            if other is not None:
                found.append(Seen(other, game.positions.behaviour(other)))
    return found


@cache
def _text_of(path: Path, name: str) -> str:
    """The text of a definition."""
    text = path.read_text("utf-8")
    first, last = extent(text, name)
    return text[first:last]


def _first_failure(tests: Iterable[_Test], game: Game) -> tuple[str, bool] | None:
    """The first test that fails, and whether because the change cannot run."""
    for item in (item for test in tests for item in test.items):
        if _is_plain(item):
            if (broken := _broken(item, game)) is not None:
                return item.nodeid, broken
            continue
        watch = running.Watch(game.folder)
        item.session.config.pluginmanager.register(watch)
        with suppress(Endless), ending():  # the runner takes it for a failure, where the test is at work
            runtestprotocol(item, log=False, nextitem=None)
        item.session.config.pluginmanager.unregister(watch)
        if watch.by:
            return watch.by, watch.is_broken
    return None


def _is_plain(item: Any) -> bool:
    """Whether a test is a function that is given no more than its parameters."""
    given = item.callspec.params if hasattr(item, "callspec") else {}
    has_marks = any(mark.name in ("skip", "skipif", "xfail", "usefixtures") for mark in item.iter_markers())
    return item.cls is None and not has_marks and {*item.fixturenames} <= {*given}


def _broken(item: Any, game: Game) -> bool | None:
    """Whether a test fails because the rules cannot run; None where it does not fail. Much quicker than by the runner."""
    try:
        with ending():
            item.obj(**(item.callspec.params if hasattr(item, "callspec") else {}))
    except pytest.skip.Exception:
        return None
    except Endless:
        return False
    except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  # whatever it is, the test fails
        frames = [frame for frame, _ in walk_tb(error.__traceback__)]
        return type(error).__name__ in running.NO_MUTANT and game.folder in Path(frames[-1].f_code.co_filename).parents
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
