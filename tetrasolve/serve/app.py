"""The routes of the service: each kind of request of the analysis protocol, and what the service says of itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Route

from tetrasolve.analysis.depth import Depth
from tetrasolve.analysis.several import BATCH
from tetrasolve.analysis.worker import load
from tetrasolve.games import Page
from tetrasolve.serve import bodies, metrics, streams
from tetrasolve.serve.connections import client_of
from tetrasolve.serve.database import StoreFailedError
from tetrasolve.serve.document import (
    JOB_OPERATIONS,
    SECURITY,
    Call,
    calls,
    components,
    job_operation,
    operation,
    problems,
)
from tetrasolve.serve.guard import LEFT, LOG, Guard, Log
from tetrasolve.serve.jobcalls import JobCalls
from tetrasolve.serve.jobs import Jobs
from tetrasolve.serve.jobstore import JobStore
from tetrasolve.serve.keys import Key, Quotas, find
from tetrasolve.serve.metrics import Metrics
from tetrasolve.serve.pagecalls import PageCalls
from tetrasolve.serve.pool import Pool
from tetrasolve.serve.problems import ENDING, ProblemError, no_worker, of_answer, unavailable
from tetrasolve.serve.rates import Places, Rates
from tetrasolve.serve.runs import Exchange
from tetrasolve.serve.settings import Settings
from tetrasolve.serve.store import Store, jobs_in, key_of, plain_depth

VERSION = "/v1"
SCHEMA_JSON = "application/schema+json"
CHALLENGE = {"www-authenticate": "Bearer"}
# A result that holds a form under this name is sent as that form alone where the client accepts it
FORMS: Mapping[str, str] = {"image/svg+xml": "svg", "text/plain": "text"}
REPORT_EVERY = 0.1  # seconds between partial answers; those who ask with and without a stream share a run

Endpoint = Callable[[Request], Awaitable[Response]]


class Service:
    """An engine behind HTTP, with the web page of a game; `asgi` is the application.

    :raises ImportError: when there is no such engine.
    """

    def __init__(
        self,
        engine: str,
        schema: Mapping[str, Any],
        settings: Settings | None = None,
        store: Store | None = None,
        page: Page | None = None,
    ) -> None:
        self.settings = settings or Settings()
        self.metrics = Metrics()
        kinds = frozenset(load(engine).HANDLERS)
        self._quick = kinds & {*load(engine).about().get("quick", ())}
        joined = self.metrics.shared.inc
        self.questions = Pool(engine, self.settings.limits(quick=False), joined, kinds - self._quick)
        self.quick = Pool(engine, self.settings.limits(quick=True), joined, self._quick)
        self.schema, self._schema = schema, json.dumps(schema).encode()
        self.is_ending = False
        self._about = self.questions.about()
        self._store = store
        self._digest = "" if store is None else str(getattr(load(engine), "digest")())  # noqa: B009  # not every engine has one
        self._depth: Callable[[str, Mapping[str, Any]], Depth | None] = getattr(load(engine), "depth", plain_depth)
        self._deepening: frozenset[str] = frozenset(getattr(load(engine), "DEEPENING", ()))  # as above
        self._rates = Rates(self.settings.rate, self.settings.burst)
        self._places = {pool: Places(self.settings.client_questions) for pool in (self.questions, self.quick)}
        self._streams = 0
        size = self.settings.job_bytes if store is None else min(self.settings.job_bytes, store.size // 2)
        database = jobs_in(store)
        self._quotas = Quotas(database)
        rows = JobStore(database, size, self.settings.job_kept)
        self.jobs = Jobs(rows, self.questions, self.settings, self._stored, self._keep)
        self.metrics.jobs.set_function(lambda: self.jobs.running)
        self.metrics.open.set_function(lambda: self.questions.open + self.quick.open)
        self.page = PageCalls(page, self._find)
        self.app = self._made()
        self.log = Log(self.metrics)
        self.asgi = Guard(self.app, self.settings, self.log)

    def end(self) -> None:
        """Take no more questions and cancel those that are open: each gets its final answer."""
        self.is_ending = True
        self.jobs.end()
        self.questions.cancel_all()
        self.quick.cancel_all()

    @asynccontextmanager
    async def _lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        del app
        pools = (self.questions, self.quick)
        for pool in pools:
            pool.start()
        self.jobs.start()
        try:
            yield
        finally:
            self.end()
            await asyncio.gather(self.jobs.close(), *(run_in_threadpool(pool.stop) for pool in pools))
            if self._store is not None:
                self._store.close()

    # -- routes --------------------------------------------------------------------------------------------------

    def _made(self) -> FastAPI:
        app = FastAPI(
            title="tetrasolve", version=str(self._about.get("version", "0")), lifespan=self._lifespan, redirect_slashes=False,
            openapi_url=None, docs_url=None, redoc_url=None,
        )  # fmt: skip
        for name, endpoint, title, example in (
            ("about", self._say_about, "Versions, kinds of requests and limits", {"protocol": self._about["protocol"]}),
            ("health", self._say_health, "Whether the process lives", {"status": "alive"}),
            ("ready", self._say_ready, "Whether questions are answered", {"status": "ready"}),
            ("metrics", self._say_metrics, "Counters in the text format of Prometheus", None),
            ("schema", self._say_schema, "The JSON Schema of the protocol", None),
        ):
            refusals = (401, 403, 429) if name == "metrics" else ()
            media_type = {"metrics": "text/plain", "schema": SCHEMA_JSON}.get(name, bodies.JSON)
            self._add(app, "GET", name, endpoint, title, _answered(media_type, example, *refusals))
        for call in calls(self.schema):
            self._add(app, "POST", call.ask, self._endpoint(call), call.title, operation(call))
        self._add_jobs(app)
        for path, endpoint in (("/", self.page.document), ("/page/{name:path}", self.page.file)):
            app.add_api_route(path, endpoint, response_model=None, response_class=Response, include_in_schema=False)
        app.add_exception_handler(HTTPException, _not_found)
        app.add_exception_handler(RequestValidationError, _invalid)
        app.add_exception_handler(ProblemError, self._say_problem)
        app.add_exception_handler(Exception, _mistake)
        app.add_api_route(f"{VERSION}/openapi.json", self._say_document, include_in_schema=False)
        written = app.openapi

        def openapi() -> dict[str, Any]:
            found = written()
            found["components"] = {"schemas": components(self.schema), "securitySchemes": SECURITY}
            found["security"] = [{}, *({name: []} for name in SECURITY)]  # {}: where no keys are required
            return found

        app.openapi = openapi  # type: ignore[method-assign]  # as FastAPI's documentation says
        self._document = json.dumps(app.openapi()).encode()  # written once: 160 kB would keep others waiting each time
        return app

    def _add(
        self, app: FastAPI, method: str, name: str, endpoint: Endpoint, title: str, said: Mapping[str, Any]
    ) -> None:
        app.add_api_route(
            f"{VERSION}/{name}", endpoint, methods=[method], operation_id=_operation_id(method, name), summary=title,
            response_model=None, response_class=Response, openapi_extra=dict(said),
        )  # fmt: skip

    def _add_jobs(self, app: FastAPI) -> None:
        found = JobCalls(
            self.jobs, self.settings, VERSION, self._deepening, self._admit, self._require_stream, self._watch,
            self.page.translated,
        )  # fmt: skip
        for call in calls(self.schema):
            if call.ask not in self._quick:
                title = f"{call.title} (as a job)"
                self._add(app, "POST", f"jobs/{call.ask}", found.opening(call), title, job_operation(call))
        for method, path, endpoint, title in (
            ("GET", "jobs/{job}", found.look, "The state of a job, and its newest result"),
            ("GET", "jobs/{job}/events", found.listen, "The events of a job"),
            ("DELETE", "jobs/{job}", found.cancel, "Cancel a job"),
        ):
            self._add(app, method, path, endpoint, title, JOB_OPERATIONS[method, path])

    async def _say_about(self, request: Request) -> Response:
        del request
        settings = self.settings
        service = {
            "seconds": settings.seconds, "wait": settings.wait, "body": settings.body, "streams": settings.streams,
            "connections": settings.client_connections, "questions": settings.client_questions,
            "jobs": settings.client_jobs, "job_seconds": settings.job_seconds,
        }  # fmt: skip
        # Those of a body, not of a worker's line
        limits = {**self._about["limits"], "line": settings.body, "depth": settings.depth}
        return _json({**self._about, "limits": limits, "service": service})

    async def _say_health(self, request: Request) -> Response:
        del request
        return _json({"status": "alive"})

    async def _say_ready(self, request: Request) -> Response:
        del request
        self._require_running()
        return _json({"status": "ready"})

    async def _say_metrics(self, request: Request) -> Response:
        _, key = self._known(request)
        if key is not None and not key.metrics:
            raise ProblemError(403, "this key may not read the counters", expected="a key with metrics = true")
        return Response(self.metrics.text(), media_type=metrics.MEDIA_TYPE)

    async def _say_schema(self, request: Request) -> Response:
        del request
        return Response(self._schema, media_type=SCHEMA_JSON)

    async def _say_document(self, request: Request) -> Response:
        del request
        return Response(self._document, media_type=bodies.JSON)

    async def _say_problem(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, ProblemError)
        return error.response(partial(self.page.translated, request))

    def _require_running(self) -> None:
        if self.is_ending or not (self.questions.is_running and self.quick.is_running):
            raise unavailable(ENDING, self.settings.retry_after)

    # -- questions -----------------------------------------------------------------------------------------------

    def _endpoint(self, call: Call) -> Endpoint:
        async def answer(request: Request) -> Response:
            return await self._answer(request, call)

        return answer

    async def _admit(self, request: Request, *, is_question: bool) -> str:
        """The name of the client, which may ask.

        :raises ProblemError: when the service ends, the client has no key, or asks too often.
        """
        self._require_running()
        client, key = self._known(request)
        if key is not None and is_question:
            await self._count(key)
        return client

    def _known(self, request: Request) -> tuple[str, Key | None]:
        """The name of the client, and its key where keys are required.

        :raises ProblemError: when it has none, or asks too often.
        """
        client = client_of(request.client.host if request.client else "")
        if not self.settings.keys:
            self._require_rate(client)
            return client, None
        key = find(self.settings.keys, request.headers.get("authorization", ""))
        if key is None:
            self._require_rate(client)
            raise ProblemError(
                401, "no key, or one that is not known", headers=CHALLENGE, expected="Authorization: Bearer KEY"
            )
        self._require_rate(f"key {key.name}", key)
        return f"key {key.name}", key

    def _require_rate(self, client: str, key: Key | None = None) -> None:
        rate, burst = (None, None) if key is None else (key.rate, key.burst)
        if seconds := self._rates.wait(client, rate, burst):
            raise ProblemError(429, "too many requests", headers={"retry-after": str(seconds)})

    async def _count(self, key: Key) -> None:
        """Count a question of the holder of a key."""
        try:
            seconds = await run_in_threadpool(self._quotas.take, key)
        except StoreFailedError as error:  # who may ask how often is not known then
            self._note_store(error)
            raise unavailable("the store failed", self.settings.retry_after) from None
        if seconds:
            problem = f"the {key.day:,} questions of this day (UTC) are used up"
            raise ProblemError(429, problem, headers={"retry-after": str(seconds)})
        self.metrics.questions.labels(key.name).inc()

    async def _answer(self, request: Request, call: Call) -> Response:
        client = await self._admit(request, is_question=True)
        fields = bodies.timed(await bodies.read_object(request, self.settings), self.settings.seconds)
        pool = self._pool(call.ask, fields)
        form = bodies.accepted(request, (bodies.JSON, streams.MEDIA_TYPE, *FORMS))
        stored = None if pool is self.quick else await self._stored(call.ask, fields)
        if stored is not None:
            if form == streams.MEDIA_TYPE:
                done = streams.event(1, "done", self.page.translated(request, stored))
                return Response(done, media_type=streams.MEDIA_TYPE)
            return _formed(self.page.translated(request, stored), form)
        if form == streams.MEDIA_TYPE:
            return self._stream(request, pool, call.ask, fields, client)
        found = await self._result(request, pool, call.ask, fields, client)
        if found is None:
            return Response(status_code=LEFT)
        result, waited = found
        return _formed(self.page.translated(request, result), form, {"server-timing": f"wait;dur={1000 * waited:.1f}"})

    async def _find(self, request: Request, ask: str, fields: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The result of a question for a document; None where the client has left.

        :raises ProblemError: as for any other question.
        """
        client = await self._admit(request, is_question=True)
        timed = bodies.timed(dict(fields), self.settings.seconds)
        pool = self._pool(ask, timed)
        stored = None if pool is self.quick else await self._stored(ask, timed)
        if stored is not None:
            return stored
        found = await self._result(request, pool, ask, timed, client)
        return None if found is None else found[0]

    async def _result(
        self, request: Request, pool: Pool, ask: str, fields: Mapping[str, Any], client: str
    ) -> tuple[dict[str, Any], float] | None:
        """What the workers answer, and how many seconds the question waited; None where the client has left.

        :raises ProblemError: when it is an error.
        """
        exchange, close = self._ask(pool, ask, fields, client)
        message: dict[str, Any] = {}

        async def wait() -> None:
            if not await exchange.begun(self.settings.wait):
                raise no_worker(self.settings)
            message.update(await exchange.final())
            if message["status"] == "done" and pool is not self.quick and exchange.run.keep():
                await asyncio.shield(self._keep(ask, fields, message["result"]))  # for others too

        try:
            is_answered = await streams.unless_gone(request.receive, wait())
        finally:
            close()
        if not is_answered:
            return None
        if message["status"] != "done":
            raise of_answer(message, self.settings.retry_after)
        return message["result"], exchange.waited

    def _pool(self, ask: str, fields: Mapping[str, Any]) -> Pool:
        """The workers for a question; a batch of quick ones is quick."""
        kind = fields.get("of") if ask == BATCH else ask
        return self.quick if isinstance(kind, str) and kind in self._quick else self.questions

    def _ask(self, pool: Pool, ask: str, fields: Mapping[str, Any], client: str) -> tuple[Exchange, Callable[[], None]]:
        """Ask the workers, in a place of this client; what is called in the end.

        :raises ProblemError: when it has too many open questions.
        """
        places = self._places[pool]
        if not places.take(client):
            problem = f"this client has {self.settings.client_questions} open questions"
            raise ProblemError(429, problem, headers={"retry-after": str(self.settings.retry_after)})
        try:
            exchange = pool.ask(ask, {"report_every": REPORT_EVERY, **fields})
        except BaseException:
            places.give_back(client)
            raise

        def close() -> None:
            pool.cancel(exchange)
            places.give_back(client)

        return exchange, close

    def _stream(self, request: Request, pool: Pool, ask: str, fields: Mapping[str, Any], client: str) -> Response:
        self._require_stream()
        exchange, close = self._ask(pool, ask, fields, client)

        async def sent() -> AsyncGenerator[bytes, None]:
            number = 0
            async for found in streams.answers(exchange, pool, self.settings, self.settings.wait):
                if found is None:
                    yield streams.COMMENT
                    continue
                kind, data = found
                if kind == "done" and pool is not self.quick and exchange.run.keep():
                    await asyncio.shield(self._keep(ask, fields, data))  # for others too
                number += 1
                yield streams.event(number, kind, self.page.translated(request, data))

        return streams.EventStream(sent(), self._watch, close)

    def _require_stream(self) -> None:
        if self._streams >= self.settings.streams:
            raise unavailable(f"{self._streams} streams are open", self.settings.retry_after)

    async def _stored(self, ask: str, fields: Mapping[str, Any]) -> dict[str, Any] | None:
        """The answer in the store; a store that fails costs time, but no answer."""
        if self._store is None:
            return None
        try:
            found = await run_in_threadpool(self._store.get, key_of(self._digest, ask, fields), fields["seconds"])
        except (StoreFailedError, ValueError) as error:
            self._note_store(error)
            return None
        if found is not None:
            self.metrics.stored.inc()
        return found

    async def _keep(self, ask: str, fields: Mapping[str, Any], result: Mapping[str, Any]) -> None:
        """Store the result of a question, as far as it is worth it."""
        depth = None if self._store is None else self._depth(ask, result)
        if self._store is None or depth is None:
            return
        try:
            key = key_of(self._digest, ask, fields)
            if await run_in_threadpool(self._store.put, key, result, depth, fields["seconds"]) and not depth.is_final:
                self.metrics.opinions.inc()
        except StoreFailedError as error:
            self._note_store(error)

    def _note_store(self, error: Exception) -> None:
        self.metrics.store_errors.inc()
        LOG.error(
            "%s", json.dumps({"store": str(error) if isinstance(error, StoreFailedError) else type(error).__name__})
        )

    def _watch(self, more: int) -> None:
        """Count open streams."""
        self._streams += more
        self.metrics.streams.set(self._streams)


def _json(data: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Response:
    return Response(json.dumps(data), headers=headers, media_type=bodies.JSON)


def _formed(result: Mapping[str, Any], form: str | None, headers: Mapping[str, str] | None = None) -> Response:
    """A result as JSON, or the form that the client accepts where the result has it."""
    if form is not None and form in FORMS and FORMS[form] in result:
        return Response(result[FORMS[form]], headers=headers, media_type=form)
    return _json(result, headers)


def _operation_id(method: str, name: str) -> str:
    """The name of an operation; that of a call is the call.

    >>> _operation_id("POST", "hint"), _operation_id("POST", "jobs/hint"), _operation_id("DELETE", "jobs/{job}")
    ('hint', 'jobs_hint', 'delete_jobs_job')
    """
    found = name.replace("/", "_").replace("{", "").replace("}", "")
    return found if "{" not in name else f"{method.lower()}_{found}"


def _answered(media_type: str, example: Mapping[str, Any] | None, *refusals: int) -> dict[str, Any]:
    """What OpenAPI says of an operation without a body."""
    said = {} if example is None else {"schema": {"type": "object"}, "example": example}
    return {
        "responses": {
            "200": {"description": "The answer", "content": {media_type: said}},
            **problems(*refusals, 421, 503),
        }
    }


async def _mistake(request: Request, error: Exception) -> Response:
    """A mistake of ours, which the log names."""
    del request, error
    return ProblemError(500, "internal error").response()


async def _not_found(request: Request, error: Exception) -> Response:
    """No such path, or no such method there; `Allow` names all methods of a path, not those of its first route."""
    assert isinstance(error, HTTPException)
    headers = dict(error.headers or {})
    if error.status_code == 405:
        path = request.scope["path"]
        fitting = [route for route in request.app.routes if isinstance(route, Route) and route.path_regex.match(path)]
        routes = [route for route in fitting if route.path == path] or fitting  # jobs/hint is no id of a job
        headers = {"allow": ", ".join(sorted({method for route in routes for method in route.methods or ()}))}
    expected = f"a call that {VERSION}/openapi.json lists" if error.status_code == 404 else None
    return ProblemError(error.status_code, str(error.detail), headers=headers, expected=expected).response()


async def _invalid(request: Request, error: Exception) -> Response:
    """A parameter of a path that is not as it should be."""
    del request
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    return ProblemError(422, str(first["msg"]), where=str(first["loc"][-1])).response()
