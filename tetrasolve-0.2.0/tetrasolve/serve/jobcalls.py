"""The calls for jobs: open one, look at it, listen to its events, cancel it."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from contextlib import aclosing, suppress
from typing import Any, Protocol, TypeAlias

from fastapi import Request
from fastapi.responses import Response

from tetrasolve.analysis.several import BATCH
from tetrasolve.serve import bodies, streams
from tetrasolve.serve.database import StoreFailedError
from tetrasolve.serve.document import Call
from tetrasolve.serve.jobs import Jobs
from tetrasolve.serve.jobstore import FINAL, Job
from tetrasolve.serve.problems import ProblemError, unavailable
from tetrasolve.serve.settings import Settings

KEY, LAST = "idempotency-key", "last-event-id"
SHORTEST_KEY, LONGEST_KEY = 16, 255  # characters: nobody should find a key that somebody else has chosen
LONGEST_NUMBER = 9  # digits
ENDING = b"event: ending\ndata: {}\n\n"

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


class Admit(Protocol):
    """Refuses clients that may not ask, and gives the name of others."""

    async def __call__(self, request: Request, *, is_question: bool) -> str:
        """The name of the client."""
        ...


class JobCalls:
    """What a request for a job is answered.

    A job of a kind in `deepening`, whose answer gets better as long as it may, takes as long as a direct question where its client
    names no `seconds`. `admit` refuses clients that may not ask or ask too often; `require_stream` refuses one more stream where
    there are too many, and `watch` counts them. `translated` gives results and problems in the language of a client: they are
    stored in English.
    """

    def __init__(
        self,
        jobs: Jobs,
        settings: Settings,
        prefix: str,
        deepening: Collection[str],
        admit: Admit,
        require_stream: Callable[[], None],
        watch: Callable[[int], None],
        translated: Callable[[Request, Mapping[str, Any]], Mapping[str, Any]],
    ) -> None:
        self._jobs, self._settings, self._prefix, self._deepening = jobs, settings, prefix, deepening
        self._admit, self._require_stream, self._watch, self._translated = admit, require_stream, watch, translated

    def opening(self, call: Call) -> Answer:
        """The endpoint that opens jobs of a kind."""

        async def answer(request: Request) -> Response:
            client = await self._admit(request, is_question=True)
            key = _key(request)
            given = await bodies.read_object(request, self._settings)
            fields = bodies.timed(given, self._settings.job_seconds, self._default(call.ask, given))
            job = await self._stored(self._jobs.open(call.ask, fields, key, client))
            place = f"{self._prefix}/jobs/{job.id}"
            return Response(
                json.dumps(await self._state(request, job)), 202, {"location": place}, bodies.JSON,
            )  # fmt: skip

        return answer

    def _default(self, ask: str, fields: Mapping[str, Any]) -> float | None:
        """Seconds of a job whose client names none; None for as many as it may have: it ends when it is done."""
        kind = fields.get("of") if ask == BATCH else ask
        return self._settings.seconds if isinstance(kind, str) and kind in self._deepening else None

    async def look(self, request: Request) -> Response:
        """The state of a job, with the newest result."""
        return Response(json.dumps(await self._state(request, await self._find(request))), media_type=bodies.JSON)

    async def listen(self, request: Request) -> Response:
        """The events of a job."""
        after = _last(request)
        client = await self._admit(request, is_question=False)
        job = await self._find(request, client)
        if job.ended is not None and not await self._stored(self._jobs.events(job.id, after)):
            return Response(status_code=204)  # tells an EventSource not to come back
        self._require_stream()
        return streams.EventStream(self._sent(request, job, after, client), self._watch)

    async def cancel(self, request: Request) -> Response:
        """Cancel a job."""
        await self._stored(self._jobs.cancel(await self._find(request)))
        return Response(status_code=204)

    async def _sent(self, request: Request, job: Job, after: int, client: str) -> AsyncGenerator[bytes, None]:
        with suppress(StoreFailedError):
            async with aclosing(self._jobs.listen(job, after, client)) as events:
                async for event in events:
                    if event is None:
                        yield streams.COMMENT
                        continue
                    yield streams.event(event.number, event.kind, self._said(request, event.data))
                    if event.kind in FINAL:
                        return
        yield ENDING

    async def _find(self, request: Request, client: str | None = None) -> Job:
        client = await self._admit(request, is_question=False) if client is None else client
        found: Job = await self._stored(self._jobs.find(str(request.path_params["job"]), client))
        return found

    def _said(self, request: Request, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """The data of an event in the language of the client."""
        return self._translated(request, data) if data else data

    async def _state(self, request: Request, job: Job) -> Mapping[str, Any]:
        events = await self._stored(self._jobs.events(job.id))
        found: dict[str, Any] = {
            "job": job.id, "ask": job.ask, "state": "open", "event": events[-1].number if events else 0,
            "events": f"{self._prefix}/jobs/{job.id}/events",
        }  # fmt: skip
        if events and events[-1].kind in FINAL:
            found["state"] = events[-1].kind
        if found["state"] == "error":
            return {**found, "problem": self._said(request, events[-1].data)}
        results = [event.data for event in events if event.kind in {"partial", "done", "cancelled"} and event.data]
        return {**found, "result": self._said(request, results[-1])} if results else found

    async def _stored(self, work: Awaitable[Any]) -> Any:
        """What it gives; a store that fails is a problem that passes."""
        try:
            return await work
        except StoreFailedError as error:
            raise unavailable(f"the store failed ({error})", self._settings.retry_after) from None


def _key(request: Request) -> str | None:
    """The Idempotency-Key; quotation marks around it are those of a structured field."""
    found = request.headers.get(KEY)
    if found is None:
        return None
    found = found[1:-1] if len(found) > 1 and found[0] == found[-1] == '"' else found
    if not (SHORTEST_KEY <= len(found) <= LONGEST_KEY and found.isascii() and found.isprintable()):
        expected = f"{SHORTEST_KEY} to {LONGEST_KEY} printable characters, chosen at random"
        raise ProblemError(400, f"found {len(found)} characters", where="Idempotency-Key", expected=expected)
    return found


def _last(request: Request) -> int:
    """The number after which events are sent."""
    found = request.headers.get(LAST) or "0"
    if not (found.isascii() and found.isdigit() and len(found) <= LONGEST_NUMBER):
        raise ProblemError(400, "no number of an event", where="Last-Event-ID", expected="the `id` of an event")
    return int(found)
