"""Questions in work: a run answers all who ask the same at the same time, and each of them may leave when it likes.

A `Run` is one request to the workers, an `Exchange` what one client sees of it. The run is cancelled when the last one leaves.
Of the partial answers only the newest is kept, so a client that reads slowly costs no memory.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from contextlib import suppress
from hashlib import sha256
from typing import Any
from uuid import uuid4

from tetrasolve.analysis.messages import answer


def digest_of(kind: str, fields: Mapping[str, Any]) -> bytes:
    """What makes two questions equal: their kind and every field, how long they may take and how often they report included.

    So nobody's answer is cut short by the time of somebody else.

    >>> digest_of("risk", {"a": 1, "seconds": 5}) == digest_of("risk", {"seconds": 5, "a": 1})
    True
    >>> digest_of("risk", {"a": 1, "seconds": 5}) == digest_of("risk", {"a": 1, "seconds": 6})
    False
    """
    return sha256(json.dumps([kind, fields], sort_keys=True).encode("ascii")).digest()


class Run:
    """One request to the workers, and what they answered so far."""

    def __init__(self, question: bytes) -> None:
        self.id, self.question = uuid4().hex, question
        self.latest: dict[str, Any] | None = None
        self.begun_at: float | None = None
        self._loop = asyncio.get_running_loop()
        self._listeners: list[Exchange] = []
        self._last: Exchange | None = None  # the last one that left, which waits for the final answer
        self._is_kept = False

    @property
    def has_begun(self) -> bool:
        """Whether a worker has begun with it."""
        return self.begun_at is not None

    @property
    def is_over(self) -> bool:
        """Whether it has its final answer."""
        return self.latest is not None and bool(self.latest["final"])

    @property
    def is_open(self) -> bool:
        """Whether one more may join: somebody listens, and it has not failed, since a second try may succeed."""
        is_lost = self.is_over and self.latest is not None and self.latest["status"] != "done"
        return bool(self._listeners) and not is_lost

    def keep(self) -> bool:
        """Whether its result is still to be stored; says so to the first who asks."""
        was_kept, self._is_kept = self._is_kept, True
        return not was_kept

    def join(self) -> Exchange:
        """One more listener, which begins with the newest answer."""
        found = Exchange(self)
        self._listeners.append(found)
        return found

    def leave(self, exchange: Exchange) -> bool:
        """One listener less; whether the run is to be cancelled, since it was the last one."""
        if exchange not in self._listeners:
            return False
        self._listeners.remove(exchange)
        if self.is_over:
            return False
        if self._listeners:
            exchange.end()
            return False
        self._last = exchange
        return True

    def begin(self) -> None:
        """Note that a worker begins with it, from any thread."""
        self.begun_at = self.begun_at or time.monotonic()
        with suppress(RuntimeError):  # as below
            self._loop.call_soon_threadsafe(self._begin)

    def put(self, message: dict[str, Any]) -> None:
        """Take an answer, from any thread."""
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self._loop.call_soon_threadsafe(self._take, message)

    def _begin(self) -> None:
        for listener in self._all():
            listener.begin()

    def _take(self, message: dict[str, Any]) -> None:
        self.latest = message
        for listener in self._all():
            listener.note()

    def _all(self) -> list[Exchange]:
        return self._listeners if self._last is None else [self._last]


class Exchange:
    """A question of one client: it joins a run, and may leave it before the others."""

    def __init__(self, run: Run) -> None:
        self.run = run
        self._news = asyncio.Event()
        self._begun = asyncio.Event()
        self._joined_at = time.monotonic()
        self._end: dict[str, Any] | None = None  # its final answer, where it left before others
        if run.has_begun:
            self.begin()
        if run.latest is not None:
            self.note()

    @property
    def waited(self) -> float:
        """Seconds until a worker began with it; so far, where it still waits."""
        begun_at = self.run.begun_at
        return max(0.0, (time.monotonic() if begun_at is None else begun_at) - self._joined_at)

    @property
    def has_begun(self) -> bool:
        """Whether a worker has begun with it."""
        return self.run.has_begun

    def begin(self) -> None:
        """Note that a worker has begun with it."""
        self._begun.set()

    def note(self) -> None:
        """Note that the run has an answer."""
        self._news.set()
        if self.run.is_over:
            self._begun.set()

    def end(self) -> None:
        """Take the newest result as the final one: that of a question which is cancelled."""
        latest = self.run.latest
        result = {"result": latest["result"]} if latest is not None and "result" in latest else {}
        self._end = answer(self.run.id, "cancelled", **result)
        self._news.set()
        self._begun.set()

    async def begun(self, seconds: float) -> bool:
        """Wait until a worker begins with it, or it is answered without one; False when neither is in so many seconds."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._begun.wait()
        return self._begun.is_set()

    async def next(self, seconds: float | None = None) -> dict[str, Any] | None:
        """The newest answer that was not given yet; None when there is none for so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self._news.wait()
        except TimeoutError:
            return None
        self._news.clear()
        return self._end or self.run.latest

    async def final(self) -> dict[str, Any]:
        """The final answer."""
        while (message := await self.next()) is None or not message["final"]:
            pass
        return message
