"""Server-sent events: the answers to one request as they come."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from typing import Any

from fastapi.responses import Response
from starlette.types import Receive, Scope, Send

from tetrasolve.serve.pool import Pool
from tetrasolve.serve.problems import data_of, no_worker, of_answer
from tetrasolve.serve.runs import Exchange
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


async def answers(
    exchange: Exchange, pool: Pool, settings: Settings, wait: float | None
) -> AsyncIterator[tuple[str, Mapping[str, Any]] | None]:
    """What happens to a question: the kind and the data of each event, up to the final one; None when there is none for a while.

    :param wait: seconds that it may wait for a worker.
    """
    if not await exchange.begun(SHORT):
        yield "waiting", {"ahead": pool.ahead(exchange)}
        while not await exchange.begun(
            settings.heartbeat if wait is None else min(settings.heartbeat, wait - exchange.waited)
        ):
            if wait is not None and exchange.waited >= wait:
                yield "error", data_of(no_worker(settings))
                return
            yield None
        if exchange.has_begun:
            yield "started", {"waited": round(exchange.waited, 3)}
    while True:
        message = await exchange.next(settings.heartbeat)
        if message is None:
            yield None
        elif message["status"] == "error":
            yield "error", data_of(of_answer(message, settings.retry_after))
            return
        else:
            yield message["status"], message.get("result", {})
            if message["final"]:
                return


class EventStream(Response):
    """The answer that sends events as they come, until there are no more or the client leaves; then `closed` is called.

    `watch` gets what it adds to the number of open streams.
    """

    def __init__(
        self,
        source: AsyncGenerator[bytes, None],
        watch: Callable[[int], None],
        closed: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(media_type=MEDIA_TYPE)
        del self.headers["content-length"]
        self._source, self._watch, self._closed = source, watch, closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        del scope
        self._watch(1)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            await unless_gone(receive, self._send_all(send))
        finally:
            self._closed()
            self._watch(-1)

    async def _send_all(self, send: Send) -> None:
        async with aclosing(self._source) as source:
            async for data in source:
                await _send(send, data, is_over=False)
        await _send(send, b"", is_over=True)


async def _send(send: Send, data: bytes, *, is_over: bool) -> None:
    async with asyncio.timeout(SEND_SECONDS):
        await send({"type": "http.response.body", "body": data, "more_body": not is_over})
