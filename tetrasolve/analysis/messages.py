"""Messages of the protocol: each request and each answer is one line with one JSON object.

A request has an ``id`` (text) and a kind (``ask``), and may have

- a ``priority``: an integer, higher ones first;
- ``seconds``: the time it may take once a worker has begun; then the best answer so far comes back;
- ``report_every``: seconds between partial answers, the first of which comes as soon as there is a result.

Other fields depend on the kind. The server itself answers:

============== ===================================================== =========================================
ask            fields                                                result
============== ===================================================== =========================================
``about``                                                            versions, kinds of requests, limits
``cancel``     ``target``: an id, or ``targets``: ``"all"``          how many requests were ``cancelled``
============== ===================================================== =========================================

An answer has the ``id``, ``final`` (an id has exactly one final answer, and it is the last), and a ``status``:
``partial`` and ``done`` come with a ``result``, ``cancelled`` with the result so far, if any, ``error`` with an
``error``: the ``problem`` and, where they are known, the field (``where``) and what was ``expected`` there; its ``kind`` is
``limit``, ``worker``, ``internal`` or ``missing`` where not the request is at fault. A request that was
stopped by a limit has the status ``error`` and, if there was a partial answer, its ``result``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tetrasolve.errors import MissingExtraError, OutOfMemoryError, OutOfTimeError, PositionSyntaxError, named, shown
from tetrasolve.strict import DEPTH, StrictError, is_whole, number, read_json, whole

__all__ = [
    "INTERNAL", "LIMIT", "MISSING", "WORKER", "Request", "RequestError", "answer", "error_answer", "id_of", "is_whole",
    "line_of", "number", "only", "read_object", "read_request", "whole",
]  # fmt: skip

PROTOCOL = "tetrasolve-analysis/1"
LONGEST_LINE = 2**16  # bytes: a position has some hundreds
LONGEST_ID = 200  # characters
MOST_PRIORITY = 10**6
MOST_READINGS = 200  # in a question about findings
SHORTEST_REPORT = 0.01  # seconds
SHORTEST_TIME = 0.001  # seconds
LONGEST_TIME = 86_400.0  # a day


LIMIT, WORKER, INTERNAL, MISSING = (
    "limit",
    "worker",
    "internal",
    "missing",
)  # kinds of errors that are not the request's


class RequestError(StrictError):
    """A request that cannot be answered; `where` names the field, `expected` says what is allowed there.

    `kind` is set where the request is not at fault: ``limit`` (of the server), ``worker`` (it ended), ``internal`` (a mistake
    of ours) or ``missing`` (a library that is not installed).
    """

    def __init__(
        self, problem: str, *, where: str | None = None, expected: str | None = None, kind: str | None = None
    ) -> None:
        self.kind = kind
        super().__init__(problem, where=where, expected=expected)


@dataclass(frozen=True, slots=True)
class Request:
    """A request; `fields` are those of its kind."""

    id: str
    ask: str
    priority: int = 0
    report_every: float | None = None
    seconds: float | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


# -- reading ---------------------------------------------------------------------------------------------------


def read_object(line: bytes, longest: int = LONGEST_LINE, depth: int = DEPTH) -> dict[str, Any]:
    """The JSON object of a line.

    :raises StrictError: when there is none, or a limit is broken.
    """
    if len(line) > longest:
        raise RequestError(f"a line of more than {longest:,} bytes")
    data = read_json(line, depth=depth, size=longest)
    if not isinstance(data, dict):
        raise RequestError(f"found {shown(data)}", expected="a JSON object")
    return data


def id_of(data: Mapping[str, Any]) -> str:
    """The id of a request.

    :raises RequestError: when it has none.
    """
    found = data.get("id")
    if not isinstance(found, str) or not 1 <= len(found) <= LONGEST_ID or not found.isprintable():
        expected = f"1 to {LONGEST_ID} printable characters"
        raise RequestError("missing" if "id" not in data else f"found {shown(found)}", where="id", expected=expected)
    return found


def read_request(data: Mapping[str, Any]) -> Request:
    """The request that a JSON object describes.

    :raises StrictError: when a field that all requests have is wrong.
    """
    rest = dict(data)
    name = id_of(rest)
    del rest["id"]
    ask = rest.pop("ask", None)
    if not isinstance(ask, str):
        raise RequestError("missing" if "ask" not in data else f"found {shown(ask)}", where="ask", expected="text")
    priority = whole(rest.pop("priority", 0), "priority", -MOST_PRIORITY, MOST_PRIORITY)
    every, seconds = rest.pop("report_every", None), rest.pop("seconds", None)
    if every is not None:
        every = number(every, "report_every", SHORTEST_REPORT, LONGEST_TIME)
    if seconds is not None:
        seconds = number(seconds, "seconds", SHORTEST_TIME, LONGEST_TIME)
    return Request(name, ask, priority, every, seconds, rest)


def only(fields: Mapping[str, Any], known: Mapping[str, str]) -> None:
    """Require that there are no other fields than these.

    :raises RequestError: which names the first one that is not known.
    """
    for name in fields:
        if name not in known:
            expected = f"one of {', '.join(known)}" if known else "no other field"
            raise RequestError("not known here", where=named(name), expected=expected)


def readings_of(fields: Mapping[str, Any], example: str) -> list[str]:
    """The field ``readings``, a list of names; none where it is left out. `example` is a name for the error.

    :raises RequestError: when it is no list of at most 200 texts.
    """
    names = fields.get("readings", [])
    if not isinstance(names, list) or len(names) > MOST_READINGS or not all(isinstance(name, str) for name in names):
        raise RequestError(f"found {shown(names)}", where="readings", expected=f"a list of readings, like {example}")
    return names


# -- writing ---------------------------------------------------------------------------------------------------


def answer(name: str | None, status: str, **parts: Any) -> dict[str, Any]:
    """An answer to the request with this id; every status but ``partial`` is final."""
    return {"id": name, "final": status != "partial", "status": status, **parts}


def error_answer(name: str | None, error: Exception) -> dict[str, Any]:
    """The answer to a request that failed."""
    found: dict[str, Any] = {"problem": str(error) or type(error).__name__, "kind": _kind_of(error)}
    if isinstance(error, StrictError):
        found |= {"problem": error.problem, "where": error.where, "expected": error.expected}
    elif isinstance(error, PositionSyntaxError):
        found |= {"where": error.where, "expected": error.expected}
    return answer(name, "error", error={key: value for key, value in found.items() if value is not None})


def _kind_of(error: Exception) -> str | None:
    if isinstance(error, RequestError):
        return error.kind
    if isinstance(error, OutOfTimeError | OutOfMemoryError):
        return LIMIT
    return MISSING if isinstance(error, MissingExtraError) else None


def line_of(message: Mapping[str, Any]) -> str:
    """A message as one line of JSON, without the line feed.

    :raises ValueError: when a value has no JSON form.
    """
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
