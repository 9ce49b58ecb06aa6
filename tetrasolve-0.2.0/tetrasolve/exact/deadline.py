"""Deadlines: a `Stop` flag that a public function makes once and passes down to all parts of its work.

A public function takes `seconds` and `cancel`, makes the flag with `stop_of`, and gives each part of its work a `share` of the
time. Calls of the kernel take the flag itself; loops in Python call `check`. Work that is stopped raises `Stopped`, which a
public function turns into its best answer so far, or into `OutOfTimeError` where there is none.
"""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from pathlib import Path
from threading import Event, Thread
from typing import Any, ParamSpec, TypeVar

from tetrasolve.errors import ArgumentError, OutOfMemoryError, OutOfTimeError, SecondsError
from tetrasolve.stop import Stop, Stopped

P = ParamSpec("P")
R = TypeVar("R")

ASKED_EVERY = 0.02  # seconds
LAST = 0.5  # seconds that an interrupted call of a library has to end
MISSING = object()  # in place of an argument that is not given
SHORTEST = 1e-3  # seconds, of a share: less would stop work before its first step


def stop_of(seconds: float | None, cancel: Stop | None = None) -> Stop | None:
    """The flag of a call that may take `seconds`, or until `cancel` is set; None where nothing can stop it.

    :raises SecondsError: when `seconds` is no number of at least 0.
    """
    require_seconds(seconds)
    return cancel if seconds is None else Stop(seconds, parent=cancel)


def require_seconds(seconds: float | None) -> None:
    """Refuse a time that is negative or not a number; None is no limit.

    :raises SecondsError: when `seconds` is no number of at least 0.
    """
    if seconds is not None and not seconds >= 0:
        raise SecondsError(f"seconds: expected at least 0, got {seconds}")


def check(stop: Stop | None) -> None:
    """Raise `Stopped` after the deadline.

    :raises Stopped: when the flag is set.
    """
    if stop is not None:
        stop.check()


def is_over(stop: Stop | None) -> bool:
    """Whether the flag is set."""
    return stop is not None and stop.is_set()


def left(stop: Stop | None) -> float | None:
    """The seconds that are left; None without a deadline."""
    return None if stop is None else stop.remaining


def share(stop: Stop | None, part: float) -> Stop | None:
    """A flag for this share, in [0, 1], of the time that is left; set whenever `stop` is."""
    rest = left(stop)
    return stop if rest is None else Stop(max(part * rest, SHORTEST), parent=stop)


def at_least(seconds: float, stop: Stop | None, cancel: Stop | None) -> Stop | None:
    """The flag `stop`, or one that ends this many seconds from now where less is left; `cancel` sets both."""
    rest = left(stop)
    return stop if rest is None or rest >= seconds else Stop(seconds, parent=cancel)


class Moment:
    """A flag on its way to who does the work: the flag itself in this process, its deadline alone in another one.

    On another machine, whose clock says nothing about this one's, the deadline is as long after it arrived as it was away when
    it was sent.
    """

    __slots__ = ("stop",)

    def __init__(self, stop: Stop) -> None:
        self.stop = stop

    def __reduce__(self) -> tuple[Callable[..., Moment], tuple[float | None, float, str]]:
        rest = self.stop.remaining
        return _moment_at, (rest, time.monotonic(), _clock())


def _moment_at(rest: float | None, sent: float, clock: str) -> Moment:
    """The flag in another process: with its own deadline where both have one clock."""
    if rest is not None and clock == _clock():
        rest = max(rest - (time.monotonic() - sent), 0.0)
    return Moment(Stop(rest))


@cache
def _clock() -> str:
    """What the monotonic clock counts from: the start of this system, which has an id on Linux; else the machine."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii")
    except OSError:
        return platform.node()


def moment(stop: Stop | None) -> Moment | None:
    """A flag in a form that can be sent to other processes, see `stop_at`; None where there is none."""
    return None if stop is None else Moment(stop)


def stop_at(when: Moment | None) -> Stop | None:
    """The flag of a `moment`, in the process that does the work."""
    return None if when is None else when.stop


def public_question(question: Callable[P, R]) -> Callable[P, R]:
    """Decorate a public function of a position, a game or another subject, which is its first argument.

    It raises `ArgumentError` for a first argument that is not of the annotated class, and for further ones that are not of
    theirs, where that class has an attribute `given_by`, which says how to get an instance; and `OutOfMemoryError`, with a
    sentence, instead of `MemoryError`.
    """

    @cache  # when it is called first: the module of the question may still be loading before
    def kinds() -> tuple[tuple[int, str, Any], ...]:
        found = ((name, question.__globals__.get(kind) if isinstance(kind, str) else kind) for name, kind in annotated)
        numbered = ((place, name, kind) for place, (name, kind) in enumerate(found))
        return tuple(row for row in numbered if not row[0] or hasattr(row[2], "given_by"))

    annotated = [item for item in question.__annotations__.items() if item[0] != "return"]

    @wraps(question)
    def asked(*args: P.args, **kwargs: P.kwargs) -> R:
        for place, name, expected in kinds():
            subject = args[place] if place < len(args) else kwargs.get(name, MISSING)
            if subject is not MISSING and not isinstance(subject, expected):
                ways = f" ({expected.given_by})" if hasattr(expected, "given_by") else ""
                article = "an" if expected.__name__[0] in "AEIO" else "a"
                raise ArgumentError(f"{question.__name__}: {name}", subject, f"{article} {expected.__name__}{ways}")
        try:
            return question(*args, **kwargs)
        except OutOfMemoryError:
            raise
        except MemoryError:
            raise OutOfMemoryError(
                f"{question.__name__}: there is not enough memory for this question; ask for less, or give it `seconds`"
            ) from None

    return asked


@contextmanager
def cancelled_by(is_stopped: Callable[[], bool]) -> Iterator[Stop]:
    """A flag that is set soon after `is_stopped` returns true: a thread polls it every `ASKED_EVERY` seconds."""
    stop, done = Stop(), Event()

    def ask() -> None:
        while not done.wait(ASKED_EVERY):
            if is_stopped():
                stop.set()
                return

    Thread(target=ask, daemon=True).start()
    try:
        yield stop
    finally:
        done.set()


def interruptible(
    work: Callable[[], R], end: Callable[[], object], stop: Stop | None, patience: float | None = None
) -> R:
    """The result of `work`, a call of a library that knows no flag: `end` is called, by another thread, once it has to end.

    It has to once the flag is set, and at Ctrl-C: the work is done by a thread, so that this one sees the signal. Work that
    continues `patience` seconds after that is left alone (None: it is waited for).

    :raises Stopped: when the work was left alone.
    """
    done: list[R] = []
    problem: list[BaseException] = []

    def run() -> None:
        try:
            done.append(work())
        except BaseException as error:  # noqa: BLE001  # raised below, where the result is expected
            problem.append(error)

    worker = Thread(target=run, daemon=True)
    worker.start()
    over_at = math.inf
    try:
        while worker.is_alive() and (patience is None or time.monotonic() < over_at + patience):
            worker.join(ASKED_EVERY)
            if is_over(stop):
                over_at = min(over_at, time.monotonic())
                end()
    except BaseException:
        end()
        worker.join(LAST)  # what still runs in a library when the interpreter ends may end the process in its own way
        raise
    if problem:
        raise problem[0]
    if not done:
        raise Stopped("deadline")
    return done[0]


@contextmanager
def answering(what: str, before: str = "there was an answer") -> Iterator[None]:
    """A context for calls without partial answers: `Stopped` becomes an error that says `before` what the time ran out.

    :raises OutOfTimeError: in place of `Stopped`.
    """
    try:
        yield
    except Stopped as stopped:
        why = "the time ran out" if stopped.reason == "deadline" else "it was cancelled"
        raise OutOfTimeError(f"{what}: {why} before {before}") from None
