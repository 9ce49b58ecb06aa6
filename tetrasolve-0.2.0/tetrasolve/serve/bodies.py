"""Request bodies: JSON objects within limits of bytes, depth and time."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import Any

from fastapi import Request

from tetrasolve.analysis.messages import LONGEST_TIME, SHORTEST_REPORT, SHORTEST_TIME
from tetrasolve.errors import shown
from tetrasolve.serve.headers import preferred
from tetrasolve.serve.problems import ProblemError, refused
from tetrasolve.serve.settings import Settings
from tetrasolve.strict import StrictError, number, read_json

JSON = "application/json"
IDENTITY = "identity"  # the content coding that changes nothing


async def read_object(request: Request, settings: Settings) -> dict[str, Any]:
    """The JSON object in the body.

    :raises ProblemError: when there is none, or a limit is broken.
    """
    if _media_type(request.headers.get("content-type", "")) != JSON:  # also what keeps forms of other pages out
        raise ProblemError(415, "a body of another type", expected=JSON)
    if request.headers.get("content-encoding", IDENTITY).strip().lower() != IDENTITY:
        raise ProblemError(415, "a body that is compressed", expected="no Content-Encoding")
    data = await _read(request, settings)
    try:
        found = read_json(data, depth=settings.depth, size=settings.body)
    except StrictError as error:
        raise refused(error, 400) from None
    if not isinstance(found, dict):
        raise ProblemError(400, f"found {shown(found)}", expected="a JSON object")
    return found


async def _read(request: Request, settings: Settings) -> bytes:
    length = request.headers.get("content-length", "")
    problem = ProblemError(413, f"a body of more than {settings.body:,} bytes")
    if length.isascii() and length.isdigit() and int(length[:20]) > settings.body:
        raise problem
    data = bytearray()
    try:
        async with asyncio.timeout(settings.body_seconds):
            async for chunk in request.stream():
                data += chunk
                if len(data) > settings.body:
                    raise problem
    except TimeoutError:
        raise ProblemError(408, f"the body did not arrive within {settings.body_seconds:g} s") from None
    return bytes(data)


def timed(fields: dict[str, Any], longest: float, default: float | None = None) -> dict[str, Any]:
    """The fields of a request with the time that it may take: what the client asked for, within the limit of the service.

    :param default: seconds where the client has not asked for any; None for the limit.
    :raises ProblemError: when a field is given that a client may not choose, or is no number.
    """
    for name in ("id", "ask", "priority"):
        if name in fields:
            raise ProblemError(422, "not known here", where=name, expected="no such field")
    try:
        seconds = number(
            fields.get("seconds", longest if default is None else default), "seconds", SHORTEST_TIME, LONGEST_TIME
        )
        if "report_every" in fields:
            number(fields["report_every"], "report_every", SHORTEST_REPORT, LONGEST_TIME)
    except StrictError as error:
        raise refused(error, 422) from None
    return {**fields, "seconds": min(seconds, longest)}


def _media_type(header: str) -> str:
    return header.partition(";")[0].strip().lower()


def accepted(request: Request, offered: Collection[str]) -> str | None:
    """The media type that is offered and which the Accept header prefers; of those that it likes as well the first."""
    return preferred(request, "accept", offered, str)
