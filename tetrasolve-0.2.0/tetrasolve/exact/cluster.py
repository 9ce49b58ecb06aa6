"""A Dask cluster: the jobs of a long computation on the worker processes of several machines, with the same results.

A job may depend on nothing but its context and its number, so a worker that is lost costs the time of its jobs and no more: the
scheduler gives them to another one. The context is kept as a task of the scheduler, which can be done again, so it is not lost
either when all workers are.

Results are equal only where the programs are. Every worker therefore has to run the same files of tetrasolve, compiled ones
too, on the same minor version of Python. The workers are asked when the cluster is reached, and each compares again before
every job, since workers may come later.

Dask sends jobs and results by pickle, so whatever can send to the scheduler runs programs on all machines of the cluster:
docs/how-to/use-a-cluster.md says how to keep others out. The type of each result is checked all the same.
"""

from __future__ import annotations

import hashlib
import pickle
import platform
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib import import_module, metadata
from pathlib import Path
from queue import Empty, SimpleQueue
from types import ModuleType
from typing import Any, Self, TypeAlias
from urllib.parse import urlsplit

from tetrasolve.errors import ClusterError, ClusterLostError, MissingExtraError, shown
from tetrasolve.exact.answers import conform, promised
from tetrasolve.exact.deadline import ASKED_EVERY, check
from tetrasolve.exact.executor import IN_FLIGHT, Executor, Job, ProcessExecutor, Results, SerialExecutor
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError

PACKAGE = "tetrasolve"
CONNECT_SECONDS = 10.0  # for the scheduler to answer, and for a first worker
LEAST_SECONDS = 0.1  # a shorter time is none for a connection
COUNTED_EVERY = 2.0  # seconds between two looks at how many workers there are
WITHOUT_WORKERS = 600.0  # seconds without any worker after which the cluster counts as lost
COMPILED = (".so", ".pyd")
SHORT = 12  # digits of a digest in a message


# -- who computes ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Build:
    """What has to be equal for equal results: the version, the digest of all files of the package, and the version of Python."""

    version: str
    files: str
    python: str

    def __str__(self) -> str:
        return f"tetrasolve {self.version} ({self.files[:SHORT]}) on Python {self.python}"


@cache
def build() -> Build:
    """That of this process."""
    folder = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder)
        is_part = path.suffix in (".py", *COMPILED) or "data" in name.parts
        if is_part and "__pycache__" not in name.parts and path.is_file():
            digest.update(f"{name.as_posix()}\0{path.stat().st_size}\0".encode())
            digest.update(path.read_bytes())
    return Build(metadata.version(PACKAGE), digest.hexdigest(), ".".join(platform.python_version_tuple()[:2]))


# -- on a worker -------------------------------------------------------------------------------------------------------


def _build_there() -> Build:
    return build()


def _kept(sealed: bytes) -> bytes:
    """The context as a task: one that the scheduler can have done again, unlike data that lie on workers."""
    return sealed


_opening = threading.Lock()
_opened: tuple[bytes, Any] = (b"", None)  # the last job and context of this process, with their digest


def _on_worker(expected: Build, digest: bytes, sealed: bytes, number: int) -> Any:
    """The result of a job, of which nothing is read before the programs are known to be equal.

    :raises ClusterError: when this worker has another program.
    """
    global _opened  # noqa: PLW0603  # one a process; it is replaced whole
    here = build()
    if here != expected:
        raise ClusterError(_differs("a worker", here, expected))
    with _opening:
        if _opened[0] != digest:
            _opened = (digest, pickle.loads(sealed))  # noqa: S301  # what came by the scheduler, which is trusted
        job, context = _opened[1]
    return job(context, number)


def _differs(who: str, there: object, here: Build) -> str:
    return (
        f"{who} runs {there}, and this is {here}: results would not be the same; install the same wheel everywhere, "
        "and start the workers again"
    )


# -- the executor ------------------------------------------------------------------------------------------------------


class DaskExecutor:
    """The workers of a Dask cluster (``pip install tetrasolve[dask]``), reached through its client, which the caller closes.

    Job, context and results must be picklable; a job of a script is sent with the functions of its file. Once `stop` is set
    `run` raises `Stopped`, and jobs that have not begun are dropped; those in work end by themselves.
    """

    def __init__(self, client: Any, *, stop: Stop | None = None) -> None:
        self._client, self._stop = client, stop
        self._counted, self._threads = float("-inf"), 0
        self._alive = time.monotonic()  # when it had workers the last time

    def run(self, job: Job, context: Any, numbers: Iterable[int]) -> Results:
        """Each number with its result, as they become ready.

        :raises ClusterError: when a worker has another program, or answers with something else than the job gives.
        :raises ClusterLostError: when the scheduler is lost, or a job has ended several workers.
        :raises Stopped: when `stop` is set.
        """
        client, kind = self._client, promised(job)
        name = getattr(job, "__qualname__", str(job))
        with _by_value(job):
            sealed = import_module("cloudpickle").dumps((job, context))
        digest = hashlib.sha256(sealed).digest()
        ready: SimpleQueue[Any] = SimpleQueue()
        left, waiting = iter(numbers), dict[str, tuple[int, Any]]()
        try:
            with _losing():
                shared = client.submit(_kept, sealed, pure=False)
            while True:
                most = self.workers * IN_FLIGHT
                while len(waiting) < most and (number := next(left, None)) is not None:
                    with _losing():
                        future = client.submit(_on_worker, build(), digest, shared, number, pure=False)
                    waiting[future.key] = number, future
                    future.add_done_callback(ready.put)
                if not waiting:
                    return
                future = self._next(ready)
                number, _ = waiting.pop(future.key)
                with _losing():
                    result = future.result()
                try:
                    conform(result, kind, f"job {name}, number {number}")
                except StrictError as error:
                    raise ClusterError(f"a worker gave something else than a result: {error}") from None
                yield number, result
        finally:
            if waiting and client.status == "running":
                with suppress(Exception):  # it may be lost right now; then nothing is to be cancelled
                    client.cancel([future for _, future in waiting.values()])

    def _next(self, ready: SimpleQueue[Any]) -> Any:
        """The next future that is done."""
        while True:
            check(self._stop)
            with suppress(Empty):
                return ready.get(timeout=ASKED_EVERY)
            if self._client.status != "running":
                raise ClusterLostError(LOST)
            if not self._count():
                raise ClusterLostError(f"the cluster has had no workers for {WITHOUT_WORKERS:g} s")

    @property
    def workers(self) -> int:
        """How many jobs the cluster does at the same time now, at least 1: workers come and go."""
        self._count()
        return max(1, self._threads)

    def _count(self) -> bool:
        """Count the threads of the workers now and then; whether there were some not long ago."""
        now = time.monotonic()
        if now - self._counted > COUNTED_EVERY:
            with _losing():
                self._threads = sum(self._client.nthreads().values())
            self._counted = now
        if self._threads:
            self._alive = now
        return now - self._alive < WITHOUT_WORKERS


LOST = "the connection to the scheduler was lost; the same command, with the same checkpoint, goes on"


@contextmanager
def _losing() -> Iterator[None]:
    """A context in which errors of Dask become those of the library; errors of a job stay as they are."""
    client, scheduler = import_module("distributed.client"), import_module("distributed.scheduler")
    comm = import_module("distributed.comm").CommClosedError
    try:
        yield
    except scheduler.KilledWorker as error:
        raise ClusterLostError(
            f"a worker ended while it did a job, as {error.allowed_failures} others before it; have they enough memory?"
        ) from None
    except (client.FutureCancelledError, comm, TimeoutError):
        raise ClusterLostError(LOST) from None


@contextmanager
def _by_value(job: Job) -> Iterator[None]:
    """A context in which the functions of a script are pickled whole, since workers cannot import it."""
    name = getattr(job, "__module__", PACKAGE)
    if name.partition(".")[0] == PACKAGE or name == "__main__":  # cloudpickle does that with __main__ by itself
        yield
        return
    cloudpickle, module = import_module("cloudpickle"), sys.modules[name]
    is_new = name not in cloudpickle.list_registry_pickle_by_value()
    if is_new:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        if is_new:
            cloudpickle.unregister_pickle_by_value(module)


# -- the cluster -------------------------------------------------------------------------------------------------------


class Cluster:
    """A Dask cluster that was reached and whose workers have this program; a context manager that leaves it.

    The scheduler and its workers stay as they are.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    @classmethod
    def connect(cls, address: str, seconds: float = CONNECT_SECONDS) -> Self:
        """The cluster whose scheduler has this address, like ``tcp://10.0.0.1:8786``.

        :param seconds: for the scheduler to answer, and for a first worker.
        :raises MissingExtraError: when Dask is not installed here.
        :raises ClusterError: when that is no address, no scheduler answers there, it has no workers, or one of them has
            another program.
        """
        if not _is_address(address):
            raise ClusterError(
                f"{shown(address)}: expected the address of a scheduler like tcp://10.0.0.1:8786 or tls://..."
            )
        distributed, seconds = _distributed(), max(seconds, LEAST_SECONDS)
        try:
            client = distributed.Client(address, timeout=seconds, set_as_default=False)
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise ClusterError(f"{shown(address)}: no scheduler of a cluster answers there: {why}") from None
        try:
            found = cls(client)
            found.require_workers(seconds)
        except BaseException:
            client.close()
            raise
        return found

    def require_workers(self, seconds: float = CONNECT_SECONDS) -> None:
        """Wait for a first worker, and see that all workers have this program.

        :raises ClusterError: when there is none in time, or one has another program.
        """
        try:
            self._client.wait_for_workers(1, timeout=seconds)
        except TimeoutError:
            raise ClusterError(f"the cluster has no workers: none came within {seconds:g} s") from None
        with _losing():
            answers = self._client.run(_build_there, on_error="return")
        for worker, answer in sorted(answers.items()):
            if answer != build():
                there = answer if isinstance(answer, Build) else f"no such tetrasolve ({_first_line(answer)})"
                raise ClusterError(_differs(f"worker {worker}", there, build()))

    def executor(self, stop: Stop | None = None) -> DaskExecutor:
        """Its workers; once `stop` is set `DaskExecutor.run` raises `Stopped`."""
        return DaskExecutor(self._client, stop=stop)

    def close(self) -> None:
        """Leave it."""
        with suppress(TimeoutError, OSError):  # it is lost already
            self._client.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _is_address(text: str) -> bool:
    """Whether Dask is asked for a connection by TCP or TLS, and for nothing else that it might do with a text."""
    try:
        parts = urlsplit(text)
        return parts.scheme in ("tcp", "tls") and bool(parts.hostname) and bool(parts.port) and text.isprintable()
    except ValueError:  # the port is no number, or too large
        return False


def _distributed() -> ModuleType:
    try:
        return import_module("distributed")
    except ImportError:
        raise MissingExtraError("Dask", "dask") from None


def _first_line(error: object) -> str:
    return f"{type(error).__name__}: {shown(str(error).partition(chr(10))[0])}"


# -- who does the work -------------------------------------------------------------------------------------------------

Workers: TypeAlias = int | Cluster  # so many processes of this machine, or a cluster


@contextmanager
def executing(workers: Workers, stop: Stop | None = None, *, start_method: str | None = None) -> Iterator[Executor]:
    """An executor for these workers; one process is this one, and then only the jobs themselves look at `stop`.

    :raises ValueError: when there are no workers.
    """
    if isinstance(workers, Cluster):
        yield workers.executor(stop)
    elif workers < 1:
        raise ValueError(f"workers {workers}: expected at least 1")
    elif workers == 1:
        yield SerialExecutor()
    else:
        with ProcessExecutor(workers, start_method, stop=stop) as processes:
            yield processes


def run_jobs(job: Job, context: Any, numbers: Iterable[int], workers: Workers, stop: Stop | None = None) -> Results:
    """The results of a job for each number, done here, by so many worker processes or by a cluster.

    Jobs do not look at a flag: where there is one they are done by processes, which end when it is set.

    :raises Stopped: when `stop` is set.
    """
    check(stop)
    if isinstance(workers, Cluster):
        yield from workers.executor(stop).run(job, context, numbers)
        return
    if workers == 1 and stop is None:
        yield from SerialExecutor().run(job, context, numbers)
        return
    with ProcessExecutor(workers, stop=stop) as executor:
        yield from executor.run(job, context, numbers)
