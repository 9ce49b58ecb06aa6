"""The workers of the analysis protocol, for coroutines.

A `Pool` runs a `tetrasolve.analysis.server.Server` in threads of its own. An `Exchange` is one request on its way: of the partial
answers it keeps the newest only, so a client that reads slowly costs no memory.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

from tetrasolve.analysis.messages import line_of
from tetrasolve.analysis.server import Limits, Server


class Exchange:
    """One request and what was answered so far."""

    def __init__(self, name: str) -> None:
        self.id = name
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._latest: dict[str, Any] | None = None
        self._begun = asyncio.Event()
        self._asked_at = time.monotonic()
        self._begun_at: float | None = None

    @property
    def waited(self) -> float:
        """Seconds until a worker began with it; so far, where it still waits."""
        return (time.monotonic() if self._begun_at is None else self._begun_at) - self._asked_at

    @property
    def has_begun(self) -> bool:
        """Whether a worker has begun with it."""
        return self._begun_at is not None

    def begin(self) -> None:
        """Note that a worker begins with it, from any thread."""
        self._begun_at = self._begun_at or time.monotonic()
        with suppress(RuntimeError):  # as below
            self._loop.call_soon_threadsafe(self._begun.set)

    async def begun(self, seconds: float) -> bool:
        """Wait until a worker begins with it, or it is answered without one; False when neither is in so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._begun.wait()
        return self._begun.is_set()

    def put(self, message: dict[str, Any]) -> None:
        """Take an answer, from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._take, message)

    def _take(self, message: dict[str, Any]) -> None:
        self._latest = message
        self._news.set()
        if message["final"]:
            self._begun.set()

    async def next(self, seconds: float | None = None) -> dict[str, Any] | None:
        """The newest answer that was not given yet; None when there is none for so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return None
        self._news.clear()
        return self._latest

    async def final(self) -> dict[str, Any]:
        """The final answer."""
        while (message := await self.next()) is None or not message["final"]:
            pass
        return message


class _NoInput:
    """The stream of a server to which requests are handed directly: it ends, and has no line."""

    def __init__(self) -> None:
        self._end = threading.Event()

    def read(self, size: int) -> bytes:
        """Nothing, when it has ended."""
        del size
        self._end.wait()
        return b""

    def end(self) -> None:
        """End it."""
        self._end.set()


class Pool:
    """Workers for one engine; `start` before the first request, `stop` after the last.

    :raises ImportError: when there is no such engine.
    """

    def __init__(self, engine: str, limits: Limits) -> None:
        self._server = Server(engine, self._take, limits, self._begin)
        self._open: dict[str, Exchange] = {}
        self._thread: threading.Thread | None = None
        self._input = _NoInput()

    def start(self) -> None:
        """Start the workers."""
        stream: Any = self._input
        self._thread = threading.Thread(target=self._server.serve, args=(stream,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Cancel what is open, answer it, and end the workers; takes about a second at most."""
        self._server.stop()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        self._input.end()

    def about(self) -> dict[str, Any]:
        """What the server of the protocol says of itself."""
        return self._server.about()

    @property
    def is_running(self) -> bool:
        """Whether requests are answered."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def open(self) -> int:
        """How many requests have no final answer yet."""
        return len(self._open)

    def ahead(self, exchange: Exchange) -> int:
        """How many requests that came before this one wait as well."""
        found = 0
        for other in list(self._open.values()):
            if other is exchange:
                break
            found += not other.has_begun
        return found

    def ask(self, kind: str, fields: Mapping[str, Any]) -> Exchange:
        """Send a request; also one that is refused has its final answer."""
        exchange = Exchange(uuid4().hex)
        self._open[exchange.id] = exchange
        self._server.take(line_of({**fields, "id": exchange.id, "ask": kind}).encode("ascii"))
        return exchange

    def cancel(self, exchange: Exchange) -> None:
        """Cancel a request; nothing happens if it has its final answer."""
        if exchange.id in self._open:
            self._server.take(line_of({"id": uuid4().hex, "ask": "cancel", "target": exchange.id}).encode("ascii"))

    def cancel_all(self) -> None:
        """Cancel every request; each gets its final answer."""
        self._server.cancel_all()

    def _take(self, line: str) -> None:
        """An answer of the server, from one of its threads."""
        message = json.loads(line)
        name = message["id"]
        exchange = self._open.pop(name, None) if message["final"] else self._open.get(name)
        if exchange is not None:
            exchange.put(message)

    def _begin(self, name: str) -> None:
        """A worker begins with a request."""
        if (exchange := self._open.get(name)) is not None:
            exchange.begin()
