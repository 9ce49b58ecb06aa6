"""What the text says about a change, and on which table the change is seen: the judge of other readings.

The tests that are marked with rules assert what follows from the text. For each change a child process takes it and runs those
that execute the changed definition, first those that have found a change of it before, then the quickest. What none of them finds
is looked for on positions of all kinds, then on these under other values of the readings that the changed definitions ask for; the
table where it is seen is made small. Tests of our own choices take no part.

A change can be judged beside values of readings: these are the defaults then, for the tests and for the positions.
"""

from __future__ import annotations

import gc
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from itertools import combinations
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
        known: Mapping[str, Verdict],
    ) -> None:
        self.known = known
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
        self.elsewhere: dict[Key, list[Seen]] = {}
        self.shown: dict[str, Verdict] = {}  # the first of each effect
        work = _Prepared(self.wanted, partial(self._work, tests, pool, besides))
        for number, ended in children.run(work, self.processes, self.game.seconds, lambda: time.monotonic() > end):
            state = "slow" if ended.how == children.OUT_OF_TIME else "broken"
            verdict = ended.value or Verdict(self.wanted[number].id, state, ended.how)
            if verdict.state == "settled":
                for change in self.wanted[number].changes:
                    self.finders[change.path, change.name][verdict.by] = None
            if verdict.effect:
                self.shown.setdefault(verdict.effect, verdict)
            self.each(verdict)
        return True

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
        known = {name for change in case.changes for name in self.finders[change.path, change.name]}
        held = [test for test in tests if not case.beside or test.name in besides[case.beside]]
        elsewhere = self.elsewhere[_key(case, self.game)]
        ordered = sorted(held, key=lambda test: test.name not in known)
        return _judged(case, self.game, ordered, pool, elsewhere, self.shown, self.known.get(case.id))


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
    known: Mapping[str, Verdict] = MappingProxyType({}),
) -> None:
    """Call `each` with the verdict on each case, as soon as it is known.

    `files` hold the tests, `count` is the number of positions, if not that of the game; after `seconds` no further case is
    begun. A case that `is_over`, when its turn comes, is `SKIPPED`. `known` has verdicts on what stood before other tests: where
    the table shows a change still, and no test finds it, it is not looked for again.
    """
    plugin = Judge(game, wanted, each, count or game.most, processes, seconds, is_over, known)
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


def able(changes: Iterable[Change], pool: Iterable[Seen]) -> list[Seen]:
    """The positions at which these changes can be seen: what they change runs there."""
    changed = _definitions(changes)
    found = [one for one in pool if _is_reached(changed, one.runs)]
    return [found[at * len(found) // ABLE] for at in range(ABLE)] if len(found) > ABLE else found


def _definitions(changes: Iterable[Change]) -> frozenset[tuple[str, str]]:
    """The files and definitions that are changed."""
    return frozenset((change.path, change.name) for change in changes)


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
    tests: Sequence[_Test],
    pool: Sequence[Seen],
    elsewhere: Sequence[Seen],
    shown: Mapping[str, Verdict],
    known: Verdict | None,
) -> Verdict:
    """The verdict, in a process that ends with it; an effect that was shown before is shown at the same table."""
    gc.disable()  # it would copy what the process has from its parent
    verdict, changes, positions = Verdict(case.id, "standing"), case.changes, game.positions
    for name, value in case.beside:
        take_default(game, name, value)
    before = _Observer(game)
    running.take_quickly(changes, game)
    game.keep_words(before.said)
    changed = _definitions(changes)
    if found := _first_failure([test for test in tests if _is_reached(changed, test.runs)], game):
        return replace(verdict, state="broken" if found[1] else "settled", by=found[0])
    differs = lambda table: positions.behaviour(table) != before.behaviour(table)  # noqa: E731  # asked in four places
    if known is not None and known.effect and differs(positions.read(known.table)):
        return known
    if case.beside:  # what a position says of readings is said against other defaults
        seen = [one.table for one in able(changes, pool) if isinstance(one.table, str) and differs(one.table)]
    else:
        there = [(one.table, one.behaviour, positions.behaviour(one.table)) for one in able(changes, pool)]
        seen = [table for table, old, new in there if old != new]
        effect = [f"{positions.text(table)} {new}" for table, old, new in there if old != new]
    if not seen:
        other = next((one for one in elsewhere if positions.behaviour(one.table) != one.behaviour), None)
        if other is None:
            return replace(verdict, state="same")
        seen, effect = [other.table], [f"{positions.text(other.table)} {positions.behaviour(other.table)}"]
    if not case.beside:
        verdict = replace(verdict, effect=sha256("\n".join(effect).encode()).hexdigest()[:12])
    verdict = replace(verdict, seen=len(seen))
    if verdict.effect in shown:
        first = shown[verdict.effect]
        return replace(verdict, table=first.table, size=first.size)
    small = shrunk(seen[0], positions.smaller, differs, tries=400)
    return replace(verdict, table=positions.text(small), size=positions.size(small))


def _key(case: Case, game: Game) -> Key:
    """What is changed, the readings that it asks for before or after, and beside which values it is judged."""
    texts = [f"{change.after}{_text_of(game.folder / change.path, change.name)}" for change in case.changes]
    asked = tuple(name for name in game.readings if any(name in text for text in texts))
    return _definitions(case.changes), asked, case.beside


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
        item.obj(**(item.callspec.params if hasattr(item, "callspec") else {}))
    except pytest.skip.Exception:
        return None
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
