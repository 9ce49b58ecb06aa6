"""A worker: a process of its own that answers one request after the other, so that no request can end the service.

An engine is a module with ``HANDLERS``, which gives each ``ask`` its `Handler`, and ``about()``, its versions and capabilities.
A handler gets the fields of the request and a `RequestContext`, and returns the result. An engine may have ``PREPARE``: requests,
by their kinds, that load what the first one of a kind would have to load. A worker answers them for itself before it is ready.

The server sends a line for each request, and a byte to cancel the one in work; the worker answers with a kind and a line:

========== =================================================================================
`STARTED`  the process is ready, or has begun with a request
`PARTIAL`  a partial answer
`FINAL`    the final answer; the next request may come
`LAST`     the final answer, after which the process ends: what it keeps for later requests fills its memory
========== =================================================================================
"""

from __future__ import annotations

import ctypes
import gc
import math
import os
import queue
import resource
import signal
import threading
import time
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from tetrasolve.analysis.messages import (
    INTERNAL,
    LIMIT,
    Request,
    RequestError,
    answer,
    error_answer,
    line_of,
    read_object,
    read_request,
)
from tetrasolve.errors import OutOfTimeError, TetrasolveError
from tetrasolve.stop import Stop

Result: TypeAlias = dict[str, Any]

STARTED, PARTIAL, FINAL, LAST = b"s", b"p", b"f", b"l"
REQUEST, CANCEL = b"r", b"c"
CANCELLED, DEADLINE, PROCESSOR_TIME = "cancelled", "deadline", "processor time"
TICK = 0.05  # seconds between looks at the processor time of a request
TRIM_EVERY = 64  # requests: it takes a millisecond or two
FULL = 0.75  # of the address space that it has when it is ready: a process that keeps more makes room for another
SPARE = 1  # seconds of processor time between the request to stop and the end by the system
LOST = 1  # exit code of a worker whose server has gone
SANITIZERS = ("libasan", "libtsan", "libubsan", "libmsan")  # they reserve terabytes of address space


class RequestContext:
    """What a handler can know and do while it works: look whether to stop, and send partial results."""

    def __init__(
        self,
        send: Callable[[Result], None] = lambda _: None,
        report_every: float | None = None,
        seconds: float | None = None,
        cancel: Stop | None = None,
    ) -> None:
        self.seconds = seconds
        self.stop_reason: str | None = None
        self._cancel = cancel
        self._send = send
        self._report_every = report_every
        self._last = -math.inf
        self._deadline = math.inf if seconds is None else time.monotonic() + seconds
        self._callbacks: list[Callable[[], None]] = []
        self._lock = threading.Lock()

    def is_stopped(self) -> bool:
        """Whether the handler should return what it has: it was cancelled, or a limit was reached."""
        if self.stop_reason is None and self._cancel is not None and self._cancel.is_set():
            self.stop(CANCELLED)
        if self.stop_reason is None and time.monotonic() >= self._deadline:
            self.stop(DEADLINE)
        return self.stop_reason is not None

    def seconds_left(self) -> float | None:
        """How much of the time is left, at least 0; None when there is no limit."""
        return None if self.seconds is None else max(0.0, self._deadline - time.monotonic())

    def on_stop(self, callback: Callable[[], None]) -> None:
        """Call this once, from any thread, as soon as the handler should stop (at once where it should already)."""
        with self._lock:
            if self.stop_reason is None:
                self._callbacks.append(callback)
                return
        callback()

    def stop(self, reason: str) -> None:
        """Ask the handler to stop; the first reason counts."""
        with self._lock:
            if self.stop_reason is not None:
                return
            self.stop_reason = reason
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            callback()

    def report_is_due(self) -> bool:
        """Whether a partial answer is due; ask this before making one. The first is due at once."""
        return self._report_every is not None and time.monotonic() - self._last >= self._report_every

    @property
    def reports(self) -> bool:
        """Whether the client asked for partial answers."""
        return self._report_every is not None

    def report(self, result: Result) -> None:
        """Send a partial answer."""
        self._last = time.monotonic()
        self._send(result)

    def part(self, share: float, send: Callable[[Result], None]) -> RequestContext:
        """The context of a part of the work, which stops when this one does; `send` gets its partial answers.

        It has this share, in [0, 1], of the time that is left. Its first partial answer is due at once, too.
        """
        left = self.seconds_left()
        return _PartContext(self, send, self._report_every, None if left is None else share * left)


class _PartContext(RequestContext):
    """As `RequestContext.part`."""

    def __init__(
        self,
        whole: RequestContext,
        send: Callable[[Result], None],
        report_every: float | None,
        seconds: float | None,
    ) -> None:
        super().__init__(send, report_every, seconds)
        self._whole = whole
        whole.on_stop(lambda: self.stop(whole.stop_reason or CANCELLED))

    def is_stopped(self) -> bool:
        """Whether the handler should return what it has: the time of this part is over, or the whole is stopped."""
        return self._whole.is_stopped() or super().is_stopped()


Handler: TypeAlias = Callable[[Mapping[str, Any], RequestContext], Result]


class Engine(Protocol):
    """A module that answers."""

    HANDLERS: Mapping[str, Handler]

    def about(self) -> Result:
        """Versions and capabilities."""
        ...


def load(engine: str) -> Engine:
    """The engine of this dotted name."""
    module: Any = import_module(engine)
    found: Engine = module
    return found


# -- the process -------------------------------------------------------------------------------------------------------


def work(
    engine: str,
    pipe: Connection,
    memory: int,
    processor_seconds: float,
    longest: int,
    depth: int,
    prepared: Collection[str] = (),
) -> None:
    """Answer requests that come through the pipe until it is closed.

    :param memory: bytes of address space; 0 for no limit.
    :param processor_seconds: the most processor time of one request.
    :param prepared: kinds of requests that are prepared before the first one comes.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends the workers
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    limit_memory(memory)
    requests: queue.SimpleQueue[tuple[bytes, _Current]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, requests, processor_seconds), daemon=True).start()
    found = load(engine)
    handlers = found.HANDLERS
    send = pipe.send_bytes
    with suppress(OSError):  # the server has gone
        for request in _preparations(found, prepared):
            handle(handlers, request, RequestContext())  # those who ask have its errors
        settle_memory()
        send(STARTED)
        most = _most_kept(memory)
        for number in count(1):
            line, current = requests.get()
            _limit_processor_time(processor_seconds + SPARE)
            send(STARTED)
            request = read_request(read_object(line, longest, depth))
            context = RequestContext(partial(_send_partial, send, request.id), request.report_every, request.seconds)
            current.begin(context)
            message = handle(handlers, request, context)
            current.end()
            line = _final_line(message)
            if _is_full(most):
                send(LAST + line)
                return
            send(FINAL + line)
            if number % TRIM_EVERY == 0:
                give_back_memory()


def _preparations(engine: Engine, kinds: Collection[str]) -> list[Request]:
    """The requests that load what requests of these kinds need."""
    found: Mapping[str, Mapping[str, Any]] = getattr(engine, "PREPARE", {})
    return [Request("", kind, fields=fields) for kind, fields in found.items() if kind in kinds]


def _send_partial(send: Callable[[bytes], None], name: str, result: Result) -> None:
    send(PARTIAL + _line(answer(name, "partial", result=result)))


def _line(message: Mapping[str, Any]) -> bytes:
    return line_of(message).encode("ascii")


def _final_line(message: Mapping[str, Any]) -> bytes:
    try:
        return _line(message)
    except (ValueError, TypeError, RecursionError, MemoryError) as error:  # a mistake of the engine
        return _line(
            error_answer(message["id"], RequestError(f"internal error: {type(error).__name__}: {error}", kind=INTERNAL))
        )


def handle(handlers: Mapping[str, Handler], request: Request, context: RequestContext) -> Result:
    """The final answer to a request; partial ones are sent meanwhile. No error leaves it."""
    result: Result | None
    try:
        result = _handler(handlers, request.ask)(request.fields, context)
    except OutOfTimeError as error:
        if context.stop_reason == CANCELLED:  # nothing to show yet is no error for a client that no longer waits for it
            return answer(request.id, "cancelled")
        return error_answer(request.id, error)
    except TetrasolveError as error:
        return error_answer(request.id, error)
    except MemoryError:
        result = None  # what its frames hold has to go before there is memory for an answer
    except RecursionError:
        return error_answer(request.id, RequestError("nested too deep"))
    except Exception as error:  # noqa: BLE001  # an error of ours: reported to the client, and the service continues
        return error_answer(request.id, RequestError(f"internal error: {type(error).__name__}: {error}", kind=INTERNAL))
    if result is None:
        give_back_memory()
        return error_answer(request.id, RequestError("the limit of memory is reached", kind=LIMIT))
    if context.stop_reason == PROCESSOR_TIME:
        problem = RequestError("the limit of processor time is reached", kind=LIMIT)
        return error_answer(request.id, problem) | {"result": result}
    return answer(request.id, "cancelled" if context.stop_reason == CANCELLED else "done", result=result)


def _handler(handlers: Mapping[str, Handler], ask: str) -> Handler:
    if ask not in handlers:
        raise RequestError(f"found '{ask[:60]}'", where="ask", expected=f"one of about, cancel, {', '.join(handlers)}")
    return handlers[ask]


class _Current:
    """The request in work, as the listening thread sees it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._context: RequestContext | None = None
        self._is_cancelled = False
        self._began = math.inf
        self.is_over = False

    def begin(self, context: RequestContext) -> None:
        """The handler begins; it may have been cancelled before."""
        with self._lock:
            self._context, self._began = context, time.process_time()
            if self._is_cancelled:
                context.stop(CANCELLED)

    def end(self) -> None:
        """The handler has returned."""
        self.is_over = True

    def cancel(self) -> None:
        """The server asks to stop."""
        with self._lock:
            self._is_cancelled = True
            if self._context is not None:
                self._context.stop(CANCELLED)

    def look(self, processor_seconds: float) -> None:
        """Stop the handler when its time is over."""
        if self._context is not None and not self.is_over:
            self._context.is_stopped()
            if time.process_time() - self._began > processor_seconds:
                self._context.stop(PROCESSOR_TIME)


def _listen(pipe: Connection, requests: queue.SimpleQueue[tuple[bytes, _Current]], processor_seconds: float) -> None:
    """Take requests and cancellations, and watch the time; when the server has gone, end the process at once."""
    current: _Current | None = None
    try:
        while True:
            while current is not None and not current.is_over and not pipe.poll(TICK):
                current.look(processor_seconds)
            data = pipe.recv_bytes()
            if data[:1] == REQUEST:
                current = _Current()
                requests.put((data[1:], current))
            elif current is not None:
                current.cancel()
    except (EOFError, OSError):
        os._exit(LOST)


def settle_memory() -> None:
    """Leave what is loaded now out of later collections of garbage: one of all of it takes 50 ms and stops every thread."""
    gc.collect()
    gc.freeze()


def give_back_memory() -> bool:
    """Give the system what was freed; False where the C library has no call for that.

    Otherwise the heap of a worker is full of holes that no request fills, and grows by megabytes with each thousand requests.
    """
    trim = _trim()
    return trim is not None and bool(trim(0))


def _most_kept(memory: int) -> int:
    """How many bytes of address space this process may still use after a request; 0 for any number."""
    used = _address_space()
    return int(used + FULL * (memory - used)) if 0 < used < memory and not under_sanitizer() else 0


def _is_full(most: int) -> bool:
    """Whether it uses more than this, also when garbage is collected: caches of some thousand boards, say."""
    if not most or _address_space() <= most:
        return False
    gc.collect()
    give_back_memory()
    return _address_space() > most


def _address_space() -> int:
    """Bytes of address space of this process; 0 where the system does not say."""
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    return 0


@cache
def _trim() -> Callable[[int], int] | None:
    found: Callable[[int], int] | None = getattr(ctypes.CDLL(None), "malloc_trim", None)
    return found


# -- limits ------------------------------------------------------------------------------------------------------------


def limit_memory(size: int) -> bool:
    """Limit the address space of this process; False where it is not: no limit is asked for, or a sanitizer is at work."""
    if not size or under_sanitizer():
        return False
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    size = size if most == resource.RLIM_INFINITY else min(size, most)
    resource.setrlimit(resource.RLIMIT_AS, (size, most))
    return True


def under_sanitizer() -> bool:
    """Whether this process runs with a sanitizer of the compiler."""
    with suppress(OSError):
        maps = Path("/proc/self/maps").read_text("utf-8", "replace")
        return any(name in maps for name in SANITIZERS)
    return any(name in os.environ.get("LD_PRELOAD", "") for name in SANITIZERS)


def _limit_processor_time(seconds: float) -> None:
    """The last resort: the system ends a handler that does not stop by itself (SIGXCPU)."""
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = math.ceil(time.process_time() + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if most == resource.RLIM_INFINITY else min(wanted, most), most))
