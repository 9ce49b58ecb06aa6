"""Tests of the text under every value of every reading: what the text decides holds whatever is chosen where it is open.

A test that fails under another value of a reading asserts a choice of ours, and is marked with `choice` instead of `rule`.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

import pytest
from _pytest.runner import runtestprotocol
from mutation import children, running

from tetrasolve.lint import patching
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

SECONDS = 600  # of processor time for one value


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
        work = [partial(_failing, session.items, *pair) for pair in self.wanted]
        for number, ended in children.run(work, self.processes, SECONDS):
            self.each(Found(*self.wanted[number], ended.value or (), ended.how))
        return True


def values(readings: Iterable[str] = ()) -> list[tuple[str, str]]:
    """Each reading with each value that is not its default; all readings where none is named."""
    named = [READINGS[name] for name in readings] or READINGS.values()
    return [(reading.name, value) for reading in named for value in reading.options if value != reading.default]


def find(
    files: Iterable[str], each: Callable[[Found], object], wanted: Sequence[tuple[str, str]] = (), processes: int = 1
) -> None:
    """Call `each` with what fails under each value; `files` hold the tests."""
    plugin = OtherValues(wanted or values(), each, processes)
    pytest.main([*running.OPTIONS, "-m", "rule and not slow", *files], plugins=[plugin])


def _failing(items: Sequence[pytest.Item], reading: str, value: str) -> tuple[str, ...]:
    take(reading, value)
    failing = []
    for item in items:
        watch = running.Watch()
        item.session.config.pluginmanager.register(watch)
        runtestprotocol(item, log=False, nextitem=None)
        item.session.config.pluginmanager.unregister(watch)
        if watch.by:
            failing.append(watch.by)
    return tuple(failing)


def take(name: str, value: str) -> None:
    """Make a value the default of a reading, in this process; there is no way back."""
    reading = READINGS[name]
    options: Mapping[str, str] = {value: reading.options[value], **reading.options}
    object.__setattr__(reading, "options", MappingProxyType(options))
    for found in gc.get_objects():
        if isinstance(found, Ruleset):
            vars(found).pop("readings", None)  # kept from before
    patching.forget()
