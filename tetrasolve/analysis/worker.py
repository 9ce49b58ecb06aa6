"""A worker: a process of its own that answers one request after the other, so that no request can end the service.

An engine is a module with ``ASKS``, which gives each ``ask`` its `Handler`, and ``about()``, what it says of itself. A
handler gets the fields of the request and somebody to `Talk` to, and returns the result.
"""

from __future__ import annotations

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from typing import Any, Protocol, TypeAlias

from tetrasolve.analysis.messages import Request, RequestError, answer, error_answer
from tetrasolve.errors import TetrasolveError

Result: TypeAlias = dict[str, Any]


@dataclass
class Talk:
    """What a handler can say and hear while it works."""

    tell: Callable[[Result], None]
    is_stopped: Callable[[], bool]
    report_every: float | None = None
    _last: float = -math.inf

    def wants_report(self) -> bool:
        """Whether a partial answer is due; ask this before making one. The first is due at once."""
        return self.report_every is not None and time.monotonic() - self._last >= self.report_every

    def report(self, result: Result) -> None:
        """Send a partial answer."""
        self._last = time.monotonic()
        self.tell(result)


Handler: TypeAlias = Callable[[Mapping[str, Any], Talk], Result]


class Engine(Protocol):
    """A module that answers."""

    ASKS: Mapping[str, Handler]

    def about(self) -> Result:
        """Versions and capabilities."""
        ...


class Flag(Protocol):
    """Set by the server when the request in work should stop."""

    def is_set(self) -> bool:
        """Whether it should."""
        ...


def load(engine: str) -> Engine:
    """The engine of this dotted name."""
    module: Any = import_module(engine)
    found: Engine = module
    return found


def work(engine: str, pipe: Connection, stop: Flag) -> None:
    """Answer requests that come through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, who then tells us
    threading.Thread(target=_end_with_parent, daemon=True).start()
    asks = load(engine).ASKS
    pipe.send(None)  # ready
    while True:
        try:
            request: Request = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(handle(asks, request, pipe.send, stop))


def handle(asks: Mapping[str, Handler], request: Request, send: Callable[[Any], None], stop: Flag) -> Result:
    """The final answer to a request; partial ones are sent meanwhile. No error leaves it."""
    talk = Talk(lambda result: send(answer(request.id, "partial", result=result)), stop.is_set, request.report_every)
    try:
        result = _handler(asks, request.ask)(request.fields, talk)
        return answer(request.id, "cancelled" if stop.is_set() else "done", result=result)
    except TetrasolveError as error:
        return error_answer(request.id, error)
    except MemoryError:
        return error_answer(request.id, RequestError("out of memory"))
    except Exception as error:  # noqa: BLE001  # a mistake of ours: told to who asked, and the service goes on
        return error_answer(request.id, RequestError(f"internal error: {type(error).__name__}: {error}"))


def _handler(asks: Mapping[str, Handler], ask: str) -> Handler:
    if ask not in asks:
        raise RequestError(f"found '{ask}'", where="ask", expected=f"one of about, cancel, {', '.join(asks)}")
    return asks[ask]


def _end_with_parent() -> None:
    """A worker whose server was killed would wait for ever."""
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
