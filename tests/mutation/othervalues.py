"""Tests of the text under every value of every reading: what the text decides holds whatever is chosen where it is open.

A test that fails under another value of a reading asserts a choice of ours, and is marked with `choice` instead of `rule`.
Only the tests run that ask for the reading. `python tests/mutation/othervalues.py finem` prints what fails, of the game of that
set of planted points.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from _pytest.runner import runtestprotocol
from mutation import children, judging, running  # found on the path set above
from mutation.games import Game
from mutation.judging import TEXT

from tetrasolve.lint import patching

SECONDS = 1200  # of processor time for one piece of work


@dataclass(frozen=True)
class Found:
    """The tests that fail when `reading` has `value` by default; `how` says what kept them from running."""

    reading: str
    value: str
    failing: tuple[str, ...] = ()
    how: str = ""


class OtherValues:
    """A plugin of pytest: runs the tests that are collected under other values of readings, in child processes."""

    def __init__(
        self, game: Game, wanted: Sequence[tuple[str, str]], each: Callable[[Found], object], processes: int
    ) -> None:
        self.game, self.wanted, self.each, self.processes = game, wanted, each, processes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """No test is run in this process."""
        asked: dict[str, frozenset[str]] = {}
        parts = [partial(_asked, self.game, session.items[start :: self.processes]) for start in range(self.processes)]
        for _, ended in children.run(parts, self.processes, SECONDS):
            if ended.how:
                raise RuntimeError(ended.how)
            asked |= ended.value
        work = [
            partial(
                _failing, self.game, [item for item in session.items if reading in asked[item.nodeid]], reading, value
            )
            for reading, value in self.wanted
        ]
        for number, ended in children.run(work, self.processes, SECONDS):
            self.each(Found(*self.wanted[number], ended.value or (), ended.how))
        return True


def values(game: Game, readings: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Each reading with each value that is not its default; all readings where none is named."""
    named = [game.readings[name] for name in readings] or game.readings.values()
    return [(reading.name, value) for reading in named for value in reading.options if value != reading.default]


def find(
    game: Game,
    files: Iterable[str],
    each: Callable[[Found], object],
    wanted: Sequence[tuple[str, str]] = (),
    processes: int = 2,
) -> None:
    """Call `each` with what fails under each value; `files` hold the tests."""
    plugin = OtherValues(game, wanted or values(game), each, processes)
    pytest.main([*running.OPTIONS, "-m", TEXT, *files], plugins=[plugin])


class _Recorded(dict[str, str]):
    """The values of readings, which notes what is asked for."""

    asked: set[str]

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def _asked(game: Game, items: Sequence[pytest.Item]) -> dict[str, frozenset[str]]:
    """The readings that each test asks for."""
    found: dict[str, frozenset[str]] = {}
    names: set[str] = set()

    def recorded(self: Any) -> _Recorded:
        readings = _Recorded(judging.readings_of(game, self))
        readings.asked = names
        return readings

    game.ruleset.readings = property(recorded)  # type: ignore[attr-defined]
    for item in items:
        patching.forget()
        names.clear()
        runtestprotocol(item, log=False, nextitem=None)
        found[item.nodeid] = frozenset(names)
    return found


def _failing(game: Game, items: Sequence[pytest.Item], reading: str, value: str) -> tuple[str, ...]:
    judging.take_default(game, reading, value)
    return tuple(_failures(game, items))


def _failures(game: Game, items: Sequence[pytest.Item]) -> Iterator[str]:
    for item in items:
        watch = running.Watch(game.folder)
        item.session.config.pluginmanager.register(watch)
        runtestprotocol(item, log=False, nextitem=None)
        item.session.config.pluginmanager.unregister(watch)
        if watch.by:
            yield watch.by


def main(which: str) -> int:
    """Print what fails under other values of the readings of a game; 1 if anything does."""
    from mutation import points

    game, wrong = points.game_of(which), []

    def each(found: Found) -> None:
        if found.failing or found.how:
            wrong.append(found)
            print(f"{found.reading}={found.value}: {found.how} {' '.join(found.failing)}", flush=True)

    running.prepare(game)
    wanted = [pair for pair in values(game) if pair not in game.fixed]
    find(game, [str(running.ROOT / path) for path in game.tests()], each, wanted, processes=1)
    print(f"{len(wanted)} values, {len(wrong)} under which tests of the text fail")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
