"""Server-sent events: the answers to one request as they come; when the listener leaves, the request is cancelled."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from itertools import count
from typing import Any

from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from tetrasolve.serve.pool import Exchange, Pool
from tetrasolve.serve.problems import ProblemError, no_worker, of_answer
from tetrasolve.serve.settings import Settings

MEDIA_TYPE = "text/event-stream"
SEND_SECONDS = 30.0  # for one event, to a client that does not read
SHORT = 0.1  # seconds that a question may wait before its listener is notified
COMMENT = b":\n\n"


def event(number: int, kind: str, data: Mapping[str, Any]) -> bytes:
    r"""One event as bytes; JSON as it is written here has no line breaks.

    >>> event(1, "done", {"sum": 3})
    b'id: 1\nevent: done\ndata: {"sum": 3}\n\n'
    """
    return f"id: {number}\nevent: {kind}\ndata: {json.dumps(data)}\n\n".encode("ascii")


def event_of(number: int, message: Mapping[str, Any], retry_after: int) -> bytes:
    """An answer of the protocol as an event: its status, and the result or the problem."""
    status = message["status"]
    if status == "error":
        return event(number, status, data_of(of_answer(message, retry_after)))
    return event(number, status, message.get("result", {}))


def data_of(problem: ProblemError) -> dict[str, Any]:
    """A problem as data."""
    found: dict[str, Any] = json.loads(bytes(problem.response().body))
    return found


async def gone(receive: Receive) -> None:
    """Wait until the client has closed its connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def unless_gone(receive: Receive, work: Awaitable[Any]) -> bool:
    """Do some work while the client is there; whether it was finished."""
    tasks = [asyncio.ensure_future(gone(receive)), asyncio.ensure_future(work)]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        if tasks[1].done():
            await tasks[1]  # raises what it raised
        return tasks[1].done()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class EventStream(Response):
    """The answer that sends each answer of an exchange as an event, and comments while there is none."""

    def __init__(
        self,
        exchange: Exchange,
        pool: Pool,
        settings: Settings,
        watch: Callable[[int], None],
        finished: Callable[[Mapping[str, Any]], Awaitable[None]],
    ) -> None:
        super().__init__(media_type=MEDIA_TYPE)
        del self.headers["content-length"]
        self._exchange, self._pool, self._settings, self._watch = exchange, pool, settings, watch
        self._finished = finished

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it; the request is cancelled when the client leaves."""
        del scope
        self._watch(1)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await unless_gone(receive, self._send_all(send))
        finally:
            self._pool.cancel(self._exchange)
            self._watch(-1)

    async def _send_all(self, send: Send) -> None:
        async for data, is_over in self._events():
            async with asyncio.timeout(SEND_SECONDS):
                await send({"type": "http.response.body", "body": data, "more_body": not is_over})

    async def _events(self) -> AsyncIterator[tuple[bytes, bool]]:
        """What is sent, and whether it is the last."""
        numbers = count(1)
        if not await self._exchange.begun(SHORT):
            yield event(next(numbers), "waiting", {"ahead": self._pool.ahead(self._exchange)}), False
            while not await self._exchange.begun(self._next_look()):
                if self._exchange.waited >= self._settings.wait:
                    yield event(next(numbers), "error", data_of(no_worker(self._settings))), True
                    return
                yield COMMENT, False
            if self._exchange.has_begun:
                yield event(next(numbers), "started", {"waited": round(self._exchange.waited, 3)}), False
        is_over = False
        while not is_over:
            message = await self._exchange.next(self._settings.heartbeat)
            if message is None:
                yield COMMENT, False
                continue
            if is_over := message["final"]:
                await self._finished(message)
            yield event_of(next(numbers), message, self._settings.retry_after), is_over

    def _next_look(self) -> float:
        """Seconds until the next comment, or the end of the time to wait."""
        return max(0.0, min(self._settings.heartbeat, self._settings.wait - self._exchange.waited))
