"""Work in child processes, which end with whatever the work has changed in them.

The parent has imported pytest and the library, so that a child begins at once. A child has a limit of processor time, since
changed rules can run for ever, and its output goes nowhere.
"""

from __future__ import annotations

import os
import pickle
import resource
import selectors
import signal
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

OUT_OF_TIME = "out of time"


@dataclass(frozen=True)
class Ended:
    """What a piece of work gave, or how its process ended without a result."""

    value: Any = None
    how: str = ""


def run(
    work: Sequence[Callable[[], Any]], processes: int, seconds: int, stop: Callable[[], bool] = lambda: False
) -> Iterator[tuple[int, Ended]]:
    """What each piece of work gives, with its number, as soon as it is known; `seconds` of processor time for each.

    When `stop` says so nothing further is begun.
    """
    running: dict[int, tuple[int, int, bytearray]] = {}  # process, number and what was read, by the pipe
    waiting = list(reversed(range(len(work))))
    with selectors.DefaultSelector() as selector:
        while waiting or running:
            if waiting and stop():
                waiting = []
            while waiting and len(running) < processes:
                number = waiting.pop()
                process, pipe = _started(work[number], seconds)
                running[pipe] = process, number, bytearray()
                selector.register(pipe, selectors.EVENT_READ)
            for key, _ in selector.select() if running else ():
                process, number, read = running[key.fd]
                if data := os.read(key.fd, 2**16):
                    read += data
                    continue
                selector.unregister(key.fd)
                os.close(key.fd)
                del running[key.fd]
                _, status = os.waitpid(process, 0)
                yield number, pickle.loads(read) if read else Ended(how=_silent(status))  # noqa: S301  # of our own child


def result(work: Callable[[], Any], seconds: int) -> Any:
    """What a piece of work gives in a child process.

    :raises RuntimeError: when it gives nothing.
    """
    ((_, ended),) = run([work], 1, seconds)
    if ended.how:
        raise RuntimeError(ended.how)
    return ended.value


def _silent(status: int) -> str:
    """How a child ended that wrote nothing."""
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU:
        return OUT_OF_TIME
    return "the process ended"


def _started(task: Callable[[], Any], seconds: int) -> tuple[int, int]:
    """A child process for a piece of work, and the pipe on which its result comes."""
    reading, writing = os.pipe()
    process = os.fork()
    if process:
        os.close(writing)
        return process, reading
    try:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        try:
            ended = Ended(task())
        except Exception as error:  # noqa: BLE001  # whatever it is, it is the result
            ended = Ended(how=f"{type(error).__name__}: {error}")
        with os.fdopen(writing, "wb") as file:
            file.write(pickle.dumps(ended))
    finally:
        os._exit(0)
