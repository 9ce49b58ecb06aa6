"""The server of the protocol: reads requests, hands them to workers, and writes answers, one final answer an id.

Reading, writing and waiting are done by threads; the work is done by processes, so a request that crashes or hangs costs
its own answer and nothing else. Requests that wait are kept as the bytes they came in: what the server holds in memory is
bounded by its `Limits`, whatever the requests contain.
"""

from __future__ import annotations

import errno
import heapq
import json
import math
import os
import select
import signal
import struct
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from itertools import count
from multiprocessing import get_context
from signal import SIGXCPU, Signals
from socket import socketpair
from typing import IO, Any

from tetrasolve.analysis.messages import (
    INTERNAL,
    LIMIT,
    LONGEST_LINE,
    PROTOCOL,
    WORKER,
    Request,
    RequestError,
    answer,
    error_answer,
    id_of,
    line_of,
    only,
    read_object,
    read_request,
)
from tetrasolve.analysis.worker import CANCEL, FINAL, LAST, REQUEST, STARTED, load, work
from tetrasolve.strict import DEPTH, StrictError

PATIENCE = 1.0  # seconds a request has to stop by itself, once cancelled or late, before its worker is ended
GRACE = 0.3  # the same when the server ends
CLOSING = 0.9  # seconds after which a server that was asked to end does so, though its answers are not read
TICK = 0.05  # seconds between looks at a worker
START = 60.0  # seconds a new worker has to load the engine, and one that is ready to begin with a request
ATTEMPTS = 2  # a worker that is lost before it has begun with a request costs another attempt
LAST_WORDS = 0.2  # seconds
COLLECTED = 1.0  # seconds until the exit code of a process that has ended is there, whichever thread has asked the system for it
LONGEST_ANSWER = 2**24  # bytes
CHUNK = 2**16  # bytes read at once
END = b"."  # wakes a thread; no signal with a handler has this number
FRAME = struct.Struct("!i")  # the length of a message to or from a worker


@dataclass(frozen=True, slots=True)
class Limits:
    """What a server takes, and what its workers may use."""

    line: int = LONGEST_LINE  # bytes of a request
    depth: int = DEPTH  # levels of objects and arrays in a request
    waiting: int = 10_000  # requests in the queue
    queued: int = 2**24  # bytes of all requests in the queue
    workers: int = 1  # processes
    memory: int = 2**30  # bytes of address space of each worker; 0 for no limit
    processor_seconds: float = 3600.0  # of each request


class _LostError(Exception):
    """The worker has ended, or was ended."""


@dataclass(eq=False)
class _Job:
    """A request on its way: waiting, then in work."""

    name: str
    line: bytes
    seconds: float | None
    is_waiting: bool = True
    is_cancelled: bool = False
    cancelled_at: float = math.inf
    late_at: float = math.inf
    partial: bytes | None = None  # the last one that was sent
    wake: Callable[[], None] = lambda: None  # makes the thread of its worker look at it at once

    def ends_at(self, patience: float) -> float:
        """When its worker is ended."""
        return min(self.cancelled_at, self.late_at) + patience


class Server:
    """Answers requests by the worker processes of an `engine`; `write` gets each answer as a line.

    `begun` is called with the id of each request when a worker begins with it. Workers load what requests of the kinds in
    `prepared` require before the first one comes.

    :raises ImportError: when there is no such engine.
    """

    def __init__(
        self,
        engine: str,
        write: Callable[[str], None],
        limits: Limits | None = None,
        begun: Callable[[str], None] = lambda _: None,
        prepared: Collection[str] = (),
    ) -> None:
        self.limits = limits or Limits()
        self._engine, self._prepared = engine, tuple(prepared)
        self._about = load(engine).about()
        self._write, self._begun = write, begun
        self._writing = threading.Lock()  # keeps lines whole; never taken while `_lock` is held
        self._failure: OSError | None = None  # why nothing is written any more
        self._lock = threading.Lock()  # guards all that follows
        self._news = threading.Condition(self._lock)
        self._queue: list[tuple[int, int, _Job]] = []  # also jobs that were cancelled meanwhile
        self._waiting = self._queued = 0  # how many wait, and their bytes
        self._open: dict[str, _Job] = {}
        self._numbers = count()
        self._is_closing = False  # no more requests come
        self._is_stopping = False  # and those that are open are cancelled
        self._ended, self._end = os.pipe()  # wakes the main thread; safe in signal handlers
        weakref.finalize(self, _close_both, self._ended, self._end)

    # -- in and out --------------------------------------------------------------------------------------------

    def serve(self, stream: IO[bytes], output: int | None = None) -> bool:
        """Answer the lines of a stream until it ends and everything is answered, or `stop` is called.

        `output` is the file descriptor that `write` leads to: when nobody reads it any more, the server ends.

        :returns: whether all threads have ended; the process should end at once where they have not.
        :raises OSError: when an answer could not be written; `BrokenPipeError` when its reader has gone.
        """
        workers = [self._thread(self._run_worker) for _ in range(self.limits.workers)]
        self._thread(self._read, stream, workers)
        if output is not None:
            self._thread(self._watch, output)
        try:
            while os.read(self._ended, 1) != END:  # another byte is the number of a signal, whose handler runs now
                pass
        except KeyboardInterrupt:
            self.stop()
        deadline = time.monotonic() + CLOSING
        if self._is_stopping:
            self._cancel_everything(deadline)
        for thread in workers:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._is_stopping = True
        if self._failure is not None:
            raise self._failure
        is_writing = not self._writing.acquire(timeout=max(0.0, deadline - time.monotonic()))
        if not is_writing:
            self._writing.release()
        return not is_writing and not any(thread.is_alive() for thread in workers)

    def stop(self) -> None:
        """End soon: cancel and answer all that is open. May be called from a signal handler, more than once."""
        self._is_stopping = True
        with suppress(BlockingIOError):  # it is full of bytes that have not been read: one is enough
            os.write(self._end, END)

    @contextmanager
    def stopped_by(self, *signals: Signals) -> Iterator[None]:
        """These signals end the server; to be used in the main thread.

        A handler in Python does not run while the main thread waits, and a signal that comes just before it begins to wait does
        not wake it. So the number of the signal is written to the pipe that it waits for, at the moment when the signal comes.
        """
        os.set_blocking(self._end, False)
        handlers = {number: signal.signal(number, lambda *_: self.stop()) for number in signals}
        descriptor = signal.set_wakeup_fd(self._end, warn_on_full_buffer=False)
        try:
            yield
        finally:
            signal.set_wakeup_fd(descriptor)
            for number, handler in handlers.items():
                signal.signal(number, handler)

    def _thread(self, target: Callable[..., object], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=target, args=arguments, daemon=True)
        thread.start()
        return thread

    def _read(self, stream: IO[bytes], workers: list[threading.Thread]) -> None:
        """Take requests until the stream ends, wait until all is answered, and wake the main thread."""
        try:
            for line in lines_of(stream, self.limits.line):
                if self._is_stopping:
                    return
                self.take(line)
        except (OSError, ValueError):
            pass  # a stream that cannot be read any more, or was closed, has ended
        finally:
            with self._lock:
                self._is_closing = True
                self._news.notify_all()
            for thread in workers:
                thread.join()
            os.write(self._end, END)

    def _watch(self, output: int) -> None:
        """Wait until nobody reads the output any more."""
        poll = select.poll()
        poll.register(output, 0)  # errors only
        while not self._is_stopping and self._failure is None:
            if any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(500)):
                self._fail(BrokenPipeError(errno.EPIPE, "nobody reads the answers any more"))

    def take(self, line: bytes) -> None:
        """Take one line: what the server can answer itself is answered at once."""
        if not line.strip():
            return
        name: str | None = None
        try:
            data = read_object(line, self.limits.line, self.limits.depth)
            name = self._free(id_of(data))
            request = read_request(data)
            if request.ask == "about":
                only(request.fields, {})
                self._send(answer(name, "done", result=self.about()))
            elif request.ask == "cancel":
                found = self._cancel(request)
                result = {"cancelled": found, "told": found}  # "told": as in 0.1  # codespell:ignore told
                self._send(answer(name, "done", result=result))
            else:
                self._put(request, line)
        except StrictError as error:
            self._send(error_answer(name, error))
        except Exception as error:  # noqa: BLE001  # a mistake of ours must not cost the thread that reads
            self._send(error_answer(name, RequestError(f"internal error: {type(error).__name__}", kind=INTERNAL)))

    def _free(self, name: str) -> str:
        """An id that is not in work: under one that is, an error would be its second final answer."""
        with self._lock:
            if name in self._open:
                raise RequestError(f"'{name}' is in work", where="id", expected="an id that is free")
        return name

    def about(self) -> dict[str, Any]:
        """What ``about`` is answered."""
        return {"protocol": PROTOCOL, "limits": asdict(self.limits), **self._about}

    def _send(self, message: dict[str, Any]) -> None:
        self._send_line(line_of(message))

    def _send_line(self, line: str) -> None:
        with self._writing:
            if self._failure is not None:
                return
            try:
                self._write(line)
            except OSError as error:
                self._fail(error)
            except ValueError as error:  # a stream that is closed
                self._fail(OSError(str(error)))

    def _fail(self, error: OSError) -> None:
        """Nothing can be written any more."""
        self._failure = self._failure or error
        self.stop()

    # -- the queue ---------------------------------------------------------------------------------------------

    def _put(self, request: Request, line: bytes) -> None:
        with self._lock:
            if self._waiting >= self.limits.waiting:
                raise RequestError(
                    f"{self.limits.waiting} requests are waiting", expected="fewer at a time", kind=LIMIT
                )
            if self._queued + len(line) > self.limits.queued:
                problem = f"the requests that wait have {self._queued:,} bytes"
                raise RequestError(problem, expected=f"at most {self.limits.queued:,} bytes at a time", kind=LIMIT)
            job = _Job(request.id, line, request.seconds)
            self._open[job.name] = job
            self._waiting, self._queued = self._waiting + 1, self._queued + len(line)
            heapq.heappush(self._queue, (-request.priority, next(self._numbers), job))
            self._news.notify()

    def _next_job(self) -> _Job | None:
        """The next request in order, None when there will be no more."""
        with self._lock:
            while True:
                while self._queue:
                    _, _, job = heapq.heappop(self._queue)
                    if job.is_waiting:
                        self._leave_queue(job)
                        return job
                if self._is_closing or self._is_stopping:
                    return None
                self._news.wait()

    def _leave_queue(self, job: _Job) -> None:
        job.is_waiting = False
        self._waiting, self._queued = self._waiting - 1, self._queued - len(job.line)

    def _cancel(self, request: Request) -> int:
        only(request.fields, dict.fromkeys(("target", "targets"), ""))
        if request.fields.get("targets") == "all" and "target" not in request.fields:
            return self.cancel_all()
        target = request.fields.get("target")
        if not isinstance(target, str) or "targets" in request.fields:
            raise RequestError("missing or wrong", where="target", expected='an id, or "targets": "all"')
        with self._lock:
            job = self._open.get(target)
            jobs = [job] if job else []
        return self._cancel_jobs(jobs)

    def cancel_all(self) -> int:
        """Cancel every request that is not answered yet, and say how many."""
        with self._lock:
            jobs = list(self._open.values())
        return self._cancel_jobs(jobs)

    def _cancel_jobs(self, jobs: list[_Job]) -> int:
        """Cancel these: one that waits leaves the queue and is answered here, one in work by its worker's thread."""
        cancelled, gone = 0, []
        with self._lock:
            for job in jobs:
                if job.is_cancelled or self._open.get(job.name) is not job:
                    continue
                cancelled += 1
                job.is_cancelled, job.cancelled_at = True, time.monotonic()
                job.wake()
                if job.is_waiting:
                    self._leave_queue(job)
                    job.line = b""
                    del self._open[job.name]
                    gone.append(job)
            if len(self._queue) > 2 * self._waiting + 64:  # linear in all: half of it at least is gone
                self._queue = [entry for entry in self._queue if entry[2].is_waiting]
                heapq.heapify(self._queue)
        for job in gone:
            self._send(answer(job.name, "cancelled"))
        return cancelled

    def _cancel_everything(self, deadline: float) -> None:
        """Before the end: no request is taken any more, those that wait are answered, workers have little time."""
        with self._lock:
            self._is_closing = self._is_stopping = True
            self._news.notify_all()
        canceller = self._thread(self.cancel_all)  # its answers may find nobody who reads
        canceller.join(max(0.0, deadline - time.monotonic()))

    def _close(self, job: _Job, line: str) -> None:
        """The final answer of a job in work."""
        with self._lock:
            is_open = self._open.pop(job.name, None) is job
        if is_open:
            self._send_line(line)

    # -- workers -----------------------------------------------------------------------------------------------

    def _run_worker(self) -> None:
        """Keep one worker busy, and start another in its place when it ends."""
        worker: _Worker | None = self._new_worker()
        while (job := self._next_job()) is not None:
            line: str
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    if worker is None or not worker.is_alive():
                        if worker is not None:
                            worker.end()
                        worker = self._new_worker()
                    line = self._answered(worker, job)
                    break
                except (_LostError, OSError, EOFError):
                    has_begun = worker is not None and worker.has_begun
                    how = "it could not be started" if worker is None else worker.end()
                    worker = None
                    if has_begun or job.is_cancelled or attempt == ATTEMPTS:
                        line = self._lost(job, how)
                        break
                except Exception as error:  # noqa: BLE001  # a mistake of ours must not cost the thread
                    if worker is not None:
                        worker.end()
                    worker = None
                    line = line_of(
                        error_answer(job.name, RequestError(f"internal error: {type(error).__name__}", kind=INTERNAL))
                    )
                    break
            self._close(job, line)
            if worker is not None and worker.is_ending:
                worker.end()
                worker = self._new_worker()
        if worker is not None:
            worker.end()

    def _new_worker(self) -> _Worker | None:
        try:
            return _Worker(self._engine, self.limits, self._prepared)
        except OSError:  # no process, no memory: the next request tries again
            return None

    def _answered(self, worker: _Worker | None, job: _Job) -> str:
        """Hand a job to a worker, pass on its partial answers, and give its final one."""
        if worker is None:
            raise _LostError
        job.wake = worker.wake
        worker.begin(job.line)
        is_told = False
        while True:
            if job.is_cancelled and not is_told:
                if not worker.cancel():
                    return line_of(answer(job.name, "cancelled"))
                is_told = True
            if time.monotonic() > job.ends_at(GRACE if self._is_stopping else PATIENCE):
                raise _LostError
            message = worker.receive()
            if message is None:
                worker.require_start()
                continue
            kind, line = message[:1], message[1:]
            if kind == STARTED:
                if worker.has_begun:
                    self._begun(job.name)
                    job.late_at = math.inf if job.seconds is None else time.monotonic() + job.seconds
            elif kind in (FINAL, LAST):
                worker.is_ending = kind == LAST
                return line.decode("ascii")
            else:
                job.partial = line
                if not job.is_cancelled:
                    self._send_line(line.decode("ascii"))

    def _lost(self, job: _Job, how: str) -> str:
        """The final answer of a job whose worker has ended, with the last partial result."""
        found = {} if job.partial is None else {"result": json.loads(job.partial)["result"]}
        if job.is_cancelled:
            return line_of(answer(job.name, "cancelled", **found))
        kind = LIMIT
        if time.monotonic() > job.late_at + PATIENCE:
            problem = f"the request did not stop {PATIENCE:g} s after its {job.seconds:g} seconds; its worker was ended"
        elif how == f"signal {SIGXCPU.name}":
            problem = (
                f"the limit of processor time is reached ({self.limits.processor_seconds:g} s); the worker was ended"
            )
        else:
            kind, problem = WORKER, f"the worker ended ({how}); another takes its place"
        return line_of(error_answer(job.name, RequestError(problem, kind=kind)) | found)


class _Worker:
    """A process that does the work, as its thread in the server sees it.

    :raises OSError: when no process can be started.
    """

    def __init__(self, engine: str, limits: Limits, prepared: Collection[str]) -> None:
        context = get_context("spawn")  # threads and forks do not go together
        self._pipe, theirs = context.Pipe()
        self._woken, self._waker = socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._poll = select.poll()
        for descriptor in (self._pipe.fileno(), self._woken.fileno()):
            self._poll.register(descriptor, select.POLLIN)
        self._process = context.Process(
            target=work,
            args=(engine, theirs, limits.memory, limits.processor_seconds, limits.line, limits.depth, prepared),
            daemon=True,
        )
        os.set_blocking(self._pipe.fileno(), False)
        self._arrived = bytearray()  # of the worker's messages
        self._arrived_at = 0.0
        self._is_ready = self.has_begun = self.is_ending = False
        self._line: bytes | None = None
        self._started = time.monotonic()
        try:
            self._process.start()
        except OSError:
            self._woken.close()
            self._waker.close()
            raise
        finally:
            theirs.close()

    def is_alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.is_alive()

    def begin(self, line: bytes) -> None:
        """Hand it a request, now or when it is ready.

        :raises OSError: when it has ended.
        :raises _LostError: when it does not read.
        """
        self.has_begun = False
        self._line = line
        if self._is_ready:
            self._started = time.monotonic()
            self._put(REQUEST + line)

    def wake(self) -> None:
        """End the waiting of `receive`, from any thread."""
        with suppress(OSError):  # it was woken already, or has ended
            self._waker.send(END)

    def cancel(self) -> bool:
        """Ask it to stop with its request; False when the request was not handed over yet: it is dropped.

        :raises OSError: when it has ended.
        :raises _LostError: when it does not read.
        """
        if not self._is_ready:
            self._line = None
            return False
        self._put(CANCEL)
        return True

    def receive(self) -> bytes | None:
        """Its next message; None when there is none for a while.

        :raises EOFError: when it has ended.
        :raises OSError: as above, or when the message is too long.
        :raises _LostError: when it has stopped in the middle of a message.
        """
        message = self._take()
        if message is None:
            self._read()
            message = self._take()
        if message == STARTED:
            if self._is_ready:
                self.has_begun = True
            else:
                self._is_ready = True
                if self._line is not None:
                    self._put(REQUEST + self._line)
        return message

    # Bytes are read and written as far as they go: a worker that is stopped in the middle of a message must not hold its thread.
    # The frame is that of `multiprocessing.connection.Connection`, which the worker uses.

    def _read(self) -> None:
        """Wait a while for bytes, and take what is there."""
        ready = {descriptor for descriptor, _ in self._poll.poll(1000 * TICK)}
        if self._woken.fileno() in ready:
            self._woken.recv(CHUNK)
        if self._pipe.fileno() in ready:
            data = os.read(self._pipe.fileno(), CHUNK)
            if not data:
                raise EOFError
            self._arrived += data
            self._arrived_at = time.monotonic()
        elif self._arrived and time.monotonic() - self._arrived_at > PATIENCE:
            raise _LostError

    def _take(self) -> bytes | None:
        """The next message, once all of it has arrived."""
        if len(self._arrived) < FRAME.size:
            return None
        (length,) = FRAME.unpack_from(self._arrived)
        if not 0 <= length <= LONGEST_ANSWER:
            raise OSError(f"a message of {length} bytes")
        if len(self._arrived) < FRAME.size + length:
            return None
        message = bytes(self._arrived[FRAME.size : FRAME.size + length])
        del self._arrived[: FRAME.size + length]
        return message

    def _put(self, message: bytes) -> None:
        """Write a message."""
        rest = memoryview(FRAME.pack(len(message)) + message)
        poll = select.poll()
        poll.register(self._pipe.fileno(), select.POLLOUT)
        while rest:
            if not poll.poll(1000 * PATIENCE):
                raise _LostError
            with suppress(BlockingIOError):
                rest = rest[os.write(self._pipe.fileno(), rest) :]

    def require_start(self) -> None:
        """Give up a worker that does not become ready, or does not begin with its request.

        :raises _LostError: when it had its time.
        """
        if not self.has_begun and time.monotonic() - self._started > START:
            raise _LostError

    def end(self) -> str:
        """End the process, and say how it ended."""
        with suppress(OSError):
            self._pipe.close()
        self._woken.close()
        self._waker.close()
        self._process.join(LAST_WORDS)  # one that ends by itself says how
        self._process.kill()
        self._process.join()
        code = self._exit_code()
        if code is None:
            return "no exit code"
        self._process.close()
        return f"signal {Signals(-code).name}" if code < 0 else f"exit code {code}"

    def _exit_code(self) -> int | None:
        """The exit code of the process, which has ended; None when somebody else has taken it.

        A thread that starts a process asks the system for the exit codes of all processes that have ended, this one too.
        Until it has noted the answer, nobody can know it: the system answers once.
        """
        end = time.monotonic() + COLLECTED
        while (code := self._process.exitcode) is None and time.monotonic() < end:
            time.sleep(TICK / 10)
        return code


def _close_both(*handles: int) -> None:
    for handle in handles:
        os.close(handle)


def lines_of(stream: IO[bytes], longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long its beginning, longer than any line may be."""
    read = getattr(stream, "read1", stream.read)  # what is there, without waiting for more
    rest, is_skipping = b"", False
    while chunk := read(CHUNK):
        *lines, rest_of_chunk = chunk.split(b"\n")
        for line in lines:
            if not is_skipping:
                yield rest + line
            rest, is_skipping = b"", False
        if not is_skipping:
            rest += rest_of_chunk
            if len(rest) > longest:
                yield rest
                rest, is_skipping = b"", True
    if rest:
        yield rest
