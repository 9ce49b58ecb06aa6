"""Errors as ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from fastapi.responses import Response

from tetrasolve.analysis.messages import LIMIT, MISSING, WORKER
from tetrasolve.serve.settings import Settings
from tetrasolve.strict import StrictError

MEDIA_TYPE = "application/problem+json"
ENDING = "the service is ending"
# Where the request is not at fault: 503 says that it may be sent again
STATUSES: Mapping[str | None, int] = {None: 422, LIMIT: 503, WORKER: 503, MISSING: 501}


class ProblemError(Exception):
    """An answer that is an error."""

    def __init__(self, status: int, problem: str, *, headers: Mapping[str, str] | None = None, **more: Any) -> None:
        super().__init__(problem)
        self.status, self.problem, self.headers, self.more = status, problem, dict(headers or {}), more

    @property
    def title(self) -> str:
        """The name of the status."""
        return HTTPStatus(self.status).phrase

    def response(self, translated: Callable[[Mapping[str, Any]], Mapping[str, Any]] = dict) -> Response:
        """The HTTP answer; `where` and `expected` are as in the analysis protocol. `translated` gives it in another language."""
        more = {name: value for name, value in self.more.items() if value is not None}
        content = {"title": self.title, "status": self.status, "detail": self.problem, **more}
        return Response(json.dumps(translated(content)), self.status, self.headers, MEDIA_TYPE)


def data_of(problem: ProblemError) -> dict[str, Any]:
    """A problem as the data of an event."""
    found: dict[str, Any] = json.loads(bytes(problem.response().body))
    return found


def refused(error: StrictError, status: int) -> ProblemError:
    """The problem that a strict reader names."""
    return ProblemError(status, error.problem, where=error.where, expected=error.expected)


def unavailable(problem: str, retry_after: int, **more: Any) -> ProblemError:
    """The request may be sent again after `retry_after` seconds."""
    return ProblemError(503, problem, headers={"retry-after": str(retry_after)}, **more)


def no_worker(settings: Settings) -> ProblemError:
    """A question has waited as long as it may."""
    return unavailable(f"no worker was free within {settings.wait:g} s", settings.retry_after, kind=LIMIT)


def of_answer(message: Mapping[str, Any], retry_after: int) -> ProblemError:
    """The problem of a final answer of the protocol that has no result to give."""
    if message["status"] == "cancelled":
        return unavailable(ENDING, retry_after, result=message.get("result"))
    error = message["error"]
    status = STATUSES.get(error.get("kind"), 500)
    more = {name: error.get(name) for name in ("where", "expected", "kind")} | {"result": message.get("result")}
    if status == 503:
        return unavailable(error["problem"], retry_after, **more)
    return ProblemError(status, error["problem"], **more)
