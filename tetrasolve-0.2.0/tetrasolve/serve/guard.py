"""What holds for every request: an id, the names of the service, headers, and one line in the log.

The log has no body, no query and no address; a path is logged as the route that it fits.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from uuid import uuid4

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tetrasolve.serve.metrics import Metrics
from tetrasolve.serve.problems import ENDING, ProblemError, unavailable
from tetrasolve.serve.settings import Settings

LOG = logging.getLogger("tetrasolve.serve")
UNKNOWN = "unknown"
LEFT = 499  # nobody reads it: the client has closed its connection
# Nothing is loaded, styled from elsewhere, run or framed
POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
HEADERS: Mapping[str, str] = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}


def new_id() -> str:
    """The id of a request."""
    return uuid4().hex


class Log:
    """One line and one count for each request."""

    of_server = logging.getLogger(f"{LOG.name}.connections")  # what the HTTP library says

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self.of_server.setLevel(logging.ERROR)  # what it refuses is noted by us

    def note(self, name: str, call: str, status: int, size: int, seconds: float) -> None:
        """Note the end of a request."""
        self._metrics.requests.labels(call, str(status)).inc()
        self._metrics.seconds.labels(call).observe(seconds)
        line = {"request": name, "call": call, "status": status, "bytes": size, "seconds": round(seconds, 6)}
        LOG.info("%s", json.dumps(line))


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, settings: Settings, log: Log) -> None:
        self._app, self._settings, self._log = app, settings, log
        self._open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD":
            scope = {**scope, "method": "GET"}  # the server leaves the body out
        answer = _Answer(send)
        began = time.monotonic()
        self._open += 1
        try:
            await self._answer(scope, receive, answer)
        except ProblemError as error:
            await error.response()(scope, receive, answer.send)
        except ClientDisconnect:
            answer.status = LEFT
        except asyncio.CancelledError:  # the service ends, and this request was in work for too long
            if not answer.status:
                await ProblemError(503, ENDING).response()(scope, receive, answer.send)
        except Exception as error:  # noqa: BLE001  # a mistake of ours must not end the connection without an answer
            LOG.error("%s", json.dumps({"request": answer.id, "error": type(error).__name__}))  # noqa: TRY400  # a traceback shows values of the user
            if not answer.status:
                await ProblemError(500, "internal error", request=answer.id).response()(scope, receive, answer.send)
        finally:
            self._open -= 1
            self._note(scope, answer, time.monotonic() - began)

    async def _answer(self, scope: Scope, receive: Receive, answer: _Answer) -> None:
        if self._open > self._settings.connections:
            raise unavailable("too many requests at once", 1)
        hosts = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if self._settings.hosts and (len(hosts) != 1 or name_of(hosts[0]) not in self._settings.hosts):
            raise ProblemError(
                421, "the service does not have this name", expected="one of the names given by --allow-host"
            )
        await self._app(scope, receive, answer.send)

    def _note(self, scope: Scope, answer: _Answer, seconds: float) -> None:
        call = getattr(scope.get("route"), "path", UNKNOWN)
        self._log.note(answer.id, call, answer.status, answer.bytes, seconds)


class _Answer:
    """What was sent; adds the headers."""

    def __init__(self, send: Send) -> None:
        self.id = new_id()
        self.status = self.bytes = 0
        self._send = send

    async def send(self, message: Message) -> None:
        """Send a part of the answer.

        :raises ClientDisconnect: when the connection fails, which is no mistake of ours.
        """
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = {**HEADERS, "x-request-id": self.id}
            given = {name.lower() for name, _ in message["headers"]}
            added = [(name.encode(), value.encode()) for name, value in headers.items() if name.encode() not in given]
            message = {**message, "headers": [*message["headers"], *added]}
        else:
            self.bytes += len(message.get("body", b""))
        try:
            await self._send(message)
        except OSError:
            raise ClientDisconnect from None


def name_of(host: str) -> str:
    """The name in a Host header, without the port.

    >>> name_of("localhost:8000"), name_of("[::1]:80"), name_of("Example.ORG")
    ('localhost', '::1', 'example.org')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()
