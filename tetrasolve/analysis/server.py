"""The server of the protocol: reads requests, hands them to workers, and writes answers, one final answer an id.

Reading, writing and waiting are done by threads; the work is done by processes, so a request that crashes or hangs costs
its own answer and nothing else.
"""

from __future__ import annotations

import heapq
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from multiprocessing import get_context
from typing import IO, Any

from tetrasolve.analysis.messages import (
    LONGEST_LINE,
    PROTOCOL,
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
from tetrasolve.analysis.worker import load, work

MOST_WAITING = 10_000  # requests in the queue
PATIENCE = 10.0  # seconds a cancelled request has to stop by itself before its worker is ended
TICK = 0.05  # seconds between looks at a worker


@dataclass(eq=False)
class _Job:
    """A request on its way; `is_cancelled` since `told`."""

    request: Request
    is_cancelled: bool = False
    told: float = 0.0


class Server:
    """Answers requests by `workers` processes of an `engine`; `write` gets each answer as a line.

    :raises ImportError: when there is no such engine.
    """

    def __init__(self, engine: str, write: Callable[[str], None], workers: int = 1) -> None:
        self._engine = engine
        self._about = load(engine).about()
        self._write = write
        self._workers = workers
        self._lock = threading.RLock()  # guards all that follows, and the order of what is written
        self._news = threading.Condition(self._lock)
        self._queue: list[tuple[int, int, _Job]] = []
        self._open: dict[str, _Job] = {}
        self._numbers = count()
        self._is_closing = False
        self._is_deaf = False  # nobody reads what we write any more

    # -- in and out --------------------------------------------------------------------------------------------

    def serve(self, stream: IO[bytes]) -> None:
        """Answer the lines of a stream until it ends and everything is answered."""
        crew = [threading.Thread(target=self._tend, daemon=True) for _ in range(self._workers)]
        for thread in crew:
            thread.start()
        try:
            for line in lines_of(stream):
                self.take(line)
                if self._is_deaf:
                    break
        except KeyboardInterrupt:
            self.cancel_all()
        finally:
            with self._lock:
                self._is_closing = True
                self._news.notify_all()
            for thread in crew:
                thread.join()

    def take(self, line: bytes) -> None:
        """Take one line: what the server can answer itself is answered at once."""
        if not line.strip():
            return
        name: str | None = None
        try:
            data = read_object(line)
            name = self._free(id_of(data))
            request = read_request(data)
            if request.ask == "about":
                only(request.fields, {})
                self._send(answer(name, "done", result=self.about()))
            elif request.ask == "cancel":
                self._send(answer(name, "done", result={"told": self._cancel(request)}))
            else:
                self._put(request)
        except RequestError as error:
            self._send(error_answer(name, error))

    def _free(self, name: str) -> str:
        """An id that is not in work: under one that is, an error would be its second final answer."""
        with self._lock:
            if name in self._open:
                raise RequestError(f"'{name}' is in work", where="id", expected="an id that is free")
        return name

    def about(self) -> dict[str, Any]:
        """What ``about`` is answered."""
        limits = {"line": LONGEST_LINE, "waiting": MOST_WAITING, "workers": self._workers}
        return {"protocol": PROTOCOL, "limits": limits, **self._about}

    def _send(self, message: dict[str, Any]) -> None:
        with self._lock:
            if self._is_deaf:
                return
            try:
                self._write(line_of(message))
            except (BrokenPipeError, ValueError, OSError):
                self._is_deaf = True
                self.cancel_all()

    # -- the queue ---------------------------------------------------------------------------------------------

    def _put(self, request: Request) -> None:
        with self._lock:
            if len(self._queue) >= MOST_WAITING:
                raise RequestError(f"{MOST_WAITING} requests are waiting", expected="fewer at a time")
            job = _Job(request)
            self._open[request.id] = job
            heapq.heappush(self._queue, (-request.priority, next(self._numbers), job))
            self._news.notify()

    def _take_job(self) -> _Job | None:
        """The next request in order, None when there will be no more."""
        with self._lock:
            while True:
                while self._queue:
                    _, _, job = heapq.heappop(self._queue)
                    if not job.is_cancelled:
                        return job
                if self._is_closing:
                    return None
                self._news.wait()

    def _cancel(self, request: Request) -> int:
        only(request.fields, dict.fromkeys(("target", "targets"), ""))
        if request.fields.get("targets") == "all" and "target" not in request.fields:
            return self.cancel_all()
        target = request.fields.get("target")
        if not isinstance(target, str) or "targets" in request.fields:
            raise RequestError("missing or wrong", where="target", expected='an id, or "targets": "all"')
        with self._lock:
            job = self._open.get(target)
            return self._tell(job) if job else 0

    def cancel_all(self) -> int:
        """Tell every request that is not answered yet to stop, and say how many."""
        with self._lock:
            return sum(self._tell(job) for job in list(self._open.values()))

    def _tell(self, job: _Job) -> int:
        """Mark a job as cancelled; one that waits is answered here, one in work by its worker."""
        if job.is_cancelled:
            return 0
        job.is_cancelled, job.told = True, time.monotonic()
        if any(waiting is job for _, _, waiting in self._queue):
            self._close(job, answer(job.request.id, "cancelled"))
        return 1

    def _close(self, job: _Job, message: dict[str, Any]) -> None:
        """The final answer of a job."""
        with self._lock:
            if self._open.pop(job.request.id, None) is job:
                self._send(message)

    # -- workers -----------------------------------------------------------------------------------------------

    def _tend(self) -> None:
        """Keep one worker busy, and start another in its place when it dies."""
        worker = _Worker(self._engine)
        while (job := self._take_job()) is not None:
            try:
                self._close(job, self._answered(worker, job))
            except (EOFError, OSError):
                lost = RequestError(f"the worker ended ({worker.end()}); another takes its place")
                name = job.request.id
                self._close(job, answer(name, "cancelled") if job.is_cancelled else error_answer(name, lost))
                worker = _Worker(self._engine)
        worker.end()

    def _answered(self, worker: _Worker, job: _Job) -> dict[str, Any]:
        """Hand a job to a worker, pass on what it says, and give its final answer."""
        worker.begin(job.request)
        while True:
            if job.is_cancelled:
                worker.stop.set()
                if time.monotonic() - job.told > PATIENCE:
                    raise EOFError
            message = worker.hear()
            if message is None:
                continue
            if message["final"]:
                return message
            with self._lock:
                if not job.is_cancelled:
                    self._send(message)


class _Worker:
    """A process that does the work."""

    def __init__(self, engine: str) -> None:
        context = get_context("spawn")  # threads and forks do not go together
        self.pipe, theirs = context.Pipe()
        self.stop = context.Event()
        self._process = context.Process(target=work, args=(engine, theirs, self.stop), daemon=True)
        self._process.start()
        theirs.close()
        self._is_ready = False

    def begin(self, request: Request) -> None:
        """Hand it a request.

        :raises EOFError: when it could not start, or has died.
        """
        if not self._is_ready:
            self.pipe.recv()  # it says so once all is loaded
            self._is_ready = True
        self.stop.clear()
        self.pipe.send(request)

    def hear(self) -> dict[str, Any] | None:
        """What it says next; None when it says nothing for a while."""
        if not self.pipe.poll(TICK):
            return None
        message: dict[str, Any] = self.pipe.recv()
        return message

    def end(self) -> str:
        """End the process, and say how it ended."""
        self.pipe.close()
        self._process.terminate()
        self._process.join()
        return f"exit code {self._process.exitcode}"


def lines_of(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream; of one that is too long its beginning, longer than any line may be."""
    while line := stream.readline(LONGEST_LINE + 1):
        rest = line
        while not rest.endswith(b"\n") and len(rest) > LONGEST_LINE:
            rest = stream.readline(LONGEST_LINE + 1)
        yield line
