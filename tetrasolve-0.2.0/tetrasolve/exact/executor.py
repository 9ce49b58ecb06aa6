"""Executors: run numbered jobs in this process or on all cores, with the same results; `tetrasolve.exact.cluster` has one more.

A `Job` is a function of a context, which all jobs share, and a number. Results come in any order with their numbers. A job
may depend on nothing but context and number, and random numbers come from `seed_of`, so neither the executor nor the number
of workers changes a result.
"""

from __future__ import annotations

import hashlib
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import closing
from multiprocessing import connection, get_context, parent_process
from typing import Any, Protocol, Self, TypeAlias

from tetrasolve.exact.deadline import ASKED_EVERY, check, is_over
from tetrasolve.stop import Stop

Job: TypeAlias = Callable[[Any, int], Any]
Results: TypeAlias = Generator[tuple[int, Any], None, None]

IN_FLIGHT = 2  # jobs a worker: one in work, one waiting, so that stopping early wastes little


def seed_of(seed: int | str, *path: int | str) -> int:
    """64 random bits that belong to this seed and this path of names and numbers, the same on every machine.

    >>> seed_of(1, "rolls", 0) == seed_of(1, "rolls", 0) != seed_of(1, "rolls", 1)
    True
    """
    text = "/".join(repr(part) for part in (seed, *path))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


class Executor(Protocol):
    """Runs jobs by number."""

    def run(self, job: Job, context: Any, numbers: Iterable[int]) -> Results:
        """Each number with the result of ``job(context, number)``, as they become ready.

        An error of a job is raised here. To stop early, close the iterator; jobs that have not begun are dropped.
        """
        ...


class SerialExecutor:
    """Runs one job after the other in this process."""

    def run(self, job: Job, context: Any, numbers: Iterable[int]) -> Results:
        """Each number with its result, in order."""
        for number in numbers:
            yield number, job(context, number)


class ProcessExecutor:
    """Worker processes on this machine, by default one for each core; close it after use.

    Job, context and results must be picklable. Where the start method of `multiprocessing` is not ``fork``, a script has
    to keep its calls under ``if __name__ == "__main__"``. Once `stop` is set `run` raises `Stopped`. A ``with`` block
    that an error leaves ends the workers at once, in the middle of a job.
    """

    def __init__(
        self, workers: int | None = None, start_method: str | None = None, *, stop: Stop | None = None
    ) -> None:
        self.workers = workers or os.cpu_count() or 1
        self._start_method = start_method
        self._stop = stop
        self._pool: ProcessPoolExecutor | None = None
        self._context: Any = None
        self._end: connection.Connection | None = None  # what is sent here ends the workers

    def run(self, job: Job, context: Any, numbers: Iterable[int]) -> Results:
        """Each number with its result, as they become ready."""
        pool = self._pool_for(context)
        most = self.workers * IN_FLIGHT
        return _in_flight(lambda number: pool.submit(_in_worker, job, number), numbers, most, self._stop)

    def _pool_for(self, context: Any) -> ProcessPoolExecutor:
        """A pool whose workers hold this context: it is sent once to each of them, not with every job."""
        if self._pool is None or self._context is not context:
            self.close()
            processes = get_context(self._start_method)
            ended, self._end = processes.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                self.workers, processes, initializer=_begin_worker, initargs=(context, ended)
            )
            self._context = context
        return self._pool

    def close(self, *, at_once: bool = False) -> None:
        """End the worker processes; jobs in work are finished unless it is `at_once` or the flag is set, others dropped."""
        if self._pool is not None and self._end is not None:
            if at_once or is_over(self._stop):
                self._end.send_bytes(b".")  # nobody takes it out, so every worker sees it
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._end.close()
        self._pool = self._context = self._end = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(at_once=kind is not None)


_worker_context: Any = None
_worker = threading.Lock()  # guards the two flags below
_is_working = False  # within a job: nothing is being sent, so the process may end
_is_ended = False  # asked to end


def _begin_worker(context: Any, ended: connection.Connection) -> None:
    global _worker_context  # noqa: PLW0603  # one context a worker process, set before its first job
    _worker_context = context
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, who then ends the pool
    threading.Thread(target=_end_with_parent, args=(ended,), daemon=True).start()


def _end_with_parent(ended: connection.Connection) -> None:
    """A worker whose parent was killed would wait for its next job for ever; one that works may be asked to end, too.

    One that is asked ends within a job or before the next one. In between it may be sending a result: a parent that has
    read a part of it would wait for the rest for ever.
    """
    global _is_ended  # noqa: PLW0603  # one a worker process
    parent = parent_process()
    if parent is None:
        return
    if parent.sentinel not in connection.wait([parent.sentinel, ended]):
        with _worker:
            _is_ended = True
            if _is_working:
                os._exit(1)
        connection.wait([parent.sentinel])
    os._exit(1)


def _in_worker(job: Job, number: int) -> Any:
    global _is_working  # noqa: PLW0603  # one a worker process
    with _worker:
        if _is_ended:
            os._exit(1)
        _is_working = True
    try:
        return job(_worker_context, number)
    finally:
        with _worker:
            _is_working = False


def _in_flight(
    submit: Callable[[int], Future[Any]], numbers: Iterable[int], most: int, stop: Stop | None = None
) -> Results:
    """Results as they become ready, with at most so many jobs handed out at a time.

    :raises Stopped: when `stop` is set.
    """
    waiting: dict[Future[Any], int] = {}
    left = iter(numbers)
    try:
        while True:
            while len(waiting) < most and (number := next(left, None)) is not None:
                waiting[submit(number)] = number
            if not waiting:
                return
            ready, _ = wait(waiting, timeout=None if stop is None else ASKED_EVERY, return_when=FIRST_COMPLETED)
            check(stop)
            for future in ready:
                yield waiting.pop(future), future.result()
    finally:
        for future in waiting:
            future.cancel()


def in_order(results: Results, numbers: Iterable[int]) -> Results:
    """Each number with its result, in the order of these numbers, which are those of the results.

    >>> list(in_order(SerialExecutor().run(lambda _, number: -number, None, [4, 3]), [3, 4]))
    [(3, -3), (4, -4)]
    """
    ready: dict[int, Any] = {}
    left = iter(numbers)
    following = next(left, None)
    with closing(results):
        for number, result in results:
            ready[number] = result
            while following is not None and following in ready:
                yield following, ready.pop(following)
                following = next(left, None)
