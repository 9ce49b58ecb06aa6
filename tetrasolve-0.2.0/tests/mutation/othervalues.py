"""Tests of the text under every value of every reading: what the text decides holds whatever is chosen where it is open.

A test that fails under another value of a reading asserts a choice of ours, and is marked with `choice` instead of `rule`.
Only the tests run that ask for the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import pytest
from _pytest.runner import runtestprotocol
from mutation import children, running
from mutation.judging import TEXT

from tetrasolve.lint import patching
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

SECONDS = 1200  # of processor time for one piece of work

# Values that a printed example contradicts: readings that the text settles
SETTLED: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        (
            "I-BATTLE-BROKEN",
            "not-linked",
        ): "p. 9: the seven revolts of the picture are one group over the broken link of Narbonensis and Tarraconensis"
    }
)


@dataclass(frozen=True)
class Found:
    """The tests that fail when `reading` has `value` by default; `how` says what kept them from running."""

    reading: str
    value: str
    failing: tuple[str, ...] = ()
    how: str = ""


class OtherValues:
    """A plugin of pytest: runs the tests that are collected under other values of readings, in child processes."""

    def __init__(self, wanted: Sequence[tuple[str, str]], each: Callable[[Found], object], processes: int) -> None:
        self.wanted, self.each, self.processes = wanted, each, processes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """No test is run in this process."""
        asked: dict[str, frozenset[str]] = {}
        parts = [partial(_asked, session.items[start :: self.processes]) for start in range(self.processes)]
        for _, ended in children.run(parts, self.processes, SECONDS):
            if ended.how:
                raise RuntimeError(ended.how)
            asked |= ended.value
        work = [
            partial(_failing, [item for item in session.items if reading in asked[item.nodeid]], reading, value)
            for reading, value in self.wanted
        ]
        for number, ended in children.run(work, self.processes, SECONDS):
            self.each(Found(*self.wanted[number], ended.value or (), ended.how))
        return True


def values(readings: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Each reading with each value that is not its default; all readings where none is named."""
    named = [READINGS[name] for name in readings] or READINGS.values()
    return [(reading.name, value) for reading in named for value in reading.options if value != reading.default]


def find(
    files: Iterable[str], each: Callable[[Found], object], wanted: Sequence[tuple[str, str]] = (), processes: int = 2
) -> None:
    """Call `each` with what fails under each value; `files` hold the tests."""
    plugin = OtherValues(wanted or values(), each, processes)
    pytest.main([*running.OPTIONS, "-m", TEXT, *files], plugins=[plugin])


class _Recorded(dict[str, str]):
    """The values of readings, which notes what is asked for."""

    asked: set[str]

    def __getitem__(self, name: str) -> str:
        self.asked.add(name)
        return super().__getitem__(name)


def _asked(items: Sequence[pytest.Item]) -> dict[str, frozenset[str]]:
    """The readings that each test asks for."""
    found: dict[str, frozenset[str]] = {}
    names: set[str] = set()

    def recorded(self: Ruleset) -> _Recorded:
        readings = _Recorded(_readings(self))
        readings.asked = names
        return readings

    Ruleset.readings = property(recorded)
    for item in items:
        patching.forget()
        names.clear()
        runtestprotocol(item, log=False, nextitem=None)
        found[item.nodeid] = frozenset(names)
    return found


def _readings(ruleset: Ruleset) -> Mapping[str, str]:
    return {name: reading.default for name, reading in READINGS.items()} | dict(ruleset.interpretations)


def _failing(items: Sequence[pytest.Item], reading: str, value: str) -> tuple[str, ...]:
    take(reading, value)
    return tuple(_failures(items))


def _failures(items: Sequence[pytest.Item]) -> Iterator[str]:
    for item in items:
        watch = running.Watch()
        item.session.config.pluginmanager.register(watch)
        runtestprotocol(item, log=False, nextitem=None)
        item.session.config.pluginmanager.unregister(watch)
        if watch.by:
            yield watch.by


def take(name: str, value: str) -> None:
    """Make a value the default of a reading, in this process; there is no way back."""
    reading = READINGS[name]
    options = {value: reading.options[value], **reading.options}
    object.__setattr__(reading, "options", MappingProxyType(options))
    Ruleset.readings = property(_readings)  # what was kept from before is not asked
    patching.forget()
