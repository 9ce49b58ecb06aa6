"""The calls of a service, and their part of the OpenAPI document, both from the JSON Schema of the protocol.

Each ``$defs/ask_KIND`` of the schema is a call ``POST /v1/KIND``, whose body has the fields of that kind of request. OpenAPI 3.1
uses the same dialect of JSON Schema, so its definitions are taken as they are: only the references change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tetrasolve.serve.problems import MEDIA_TYPE

PREFIX = "ask_"
OLD, NEW = "#/$defs/", "#/components/schemas/"
PROBLEM: Mapping[str, Any] = {
    "description": "RFC 9457; where and expected name the field of the request and what is allowed there",
    "type": "object",
    "properties": {
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "where": {"type": "string"},
        "expected": {"type": "string"},
        "kind": {"enum": ["limit", "worker", "internal", "missing"]},
        "result": {"description": "The last partial result, where a limit ended the request", "type": "object"},
    },
    "required": ["title", "status", "detail"],
}
JOB: Mapping[str, Any] = {
    "description": "A job: a question that goes on without its client",
    "type": "object",
    "properties": {
        "job": {
            "description": "Who knows it may listen to and cancel the job; of several keys the one that opened it",
            "type": "string",
        },
        "ask": {"type": "string"},
        "state": {"enum": ["open", "done", "cancelled", "error"]},
        "event": {"description": "The number of the last event, 0 where there is none", "type": "integer"},
        "events": {"description": "Where the events are", "type": "string"},
        "result": {"description": "The newest result", "type": "object"},
        "problem": {"$ref": f"{NEW}problem"},
    },
    "required": ["job", "ask", "state", "event", "events"],
    "additionalProperties": False,
}
JOB_MEDIA: Mapping[str, Any] = {"schema": {"$ref": f"{NEW}job"}}
# Each problem that a call can answer with
PROBLEMS: dict[int, str] = {
    400: "The body is no JSON object, or nested too deep",
    401: "The service requires a key, and this is none that it knows",
    408: "The body did not arrive in time",
    413: "The body is too long",
    415: "The body is of another type than application/json, or compressed",
    421: "The service does not have this name",
    422: "A field is missing, unknown or wrong, or the rules refuse it",
    429: "Too many requests, or open questions of this client; Retry-After says when to come back",
    501: "A library that the answer requires is not installed",
    503: "No place, no worker in time, a limit ended the request, or the service ends; Retry-After says when to come back",
}
SECURITY: Mapping[str, Any] = {"key": {"type": "http", "scheme": "bearer"}}
EVENTS: Mapping[
    str, Any
] = {}  # OpenAPI 3.1 cannot say what each event of a stream is; docs/reference/http-service.md does
OTHERS: dict[int, str] = {
    403: "This key may not read the counters",
    404: "There is no such job, or it belongs to another key",
}


@dataclass(frozen=True, slots=True)
class Call:
    """A kind of request as the schema describes it."""

    ask: str
    title: str
    result: str  # the definition of its result
    examples: tuple[Mapping[str, Any], ...]

    @property
    def body(self) -> str:
        """The name of the schema of its body."""
        return f"body_{self.ask}"


def calls(schema: Mapping[str, Any]) -> Iterator[Call]:
    """The kinds of requests that a schema describes."""
    for name, found in schema["$defs"].items():
        if name.startswith(PREFIX):
            yield Call(name.removeprefix(PREFIX), found["title"], found["x-result"], tuple(found["examples"]))


def components(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schemas that operations refer to."""
    found = {name: _moved(part) for name, part in schema["$defs"].items()}
    for call in calls(schema):
        found[call.body] = {
            "allOf": [{"$ref": f"{NEW}{PREFIX}{call.ask}"}],
            "properties": {
                "seconds": {"$ref": f"{NEW}seconds"},
                "report_every": schema["$defs"]["request"]["properties"]["report_every"],
            },
            "unevaluatedProperties": False,
        }
    return {**found, "problem": PROBLEM, "job": JOB}


def _moved(part: Any) -> Any:
    """A part of the schema whose references lead to the components."""
    if isinstance(part, dict):
        return {
            name: value.replace(OLD, NEW) if name == "$ref" and isinstance(value, str) else _moved(value)
            for name, value in part.items()
        }
    return [_moved(item) for item in part] if isinstance(part, list) else part


def operation(call: Call) -> dict[str, Any]:
    """What OpenAPI says of a call, with an example for it."""
    examples = {f"{call.ask}{number}": {"value": value} for number, value in enumerate(call.examples, start=1)}
    media = {"schema": {"$ref": NEW + call.body}, "examples": examples}
    forms: dict[str, Any] = {
        "application/json": {"schema": {"$ref": NEW + call.result}},
        "text/event-stream": EVENTS,
    }
    return {
        "requestBody": {"required": True, "content": {"application/json": media}},
        "responses": {"200": {"description": "The answer", "content": forms}, **problems()},
    }


def job_operation(call: Call) -> dict[str, Any]:
    """What OpenAPI says of a call that opens jobs."""
    found = operation(call)
    header = {"description": "Where the job is", "schema": {"type": "string"}}
    answer = {"description": "The job", "headers": {"Location": header}, "content": {"application/json": JOB_MEDIA}}
    return {
        **found,
        "parameters": [
            _header("Idempotency-Key", "The same key gives the same job", {"pattern": "^[A-Za-z0-9_-]{16,255}$"})
        ],
        "responses": {"202": answer, **problems()},
    }


def _header(name: str, description: str, more: Mapping[str, Any]) -> dict[str, Any]:
    schema = {"type": "string", **more}
    return {"name": name, "in": "header", "required": False, "description": description, "schema": schema}


def problems(*statuses: int) -> dict[str, Any]:
    """The errors of an operation: these, or all of a call."""
    content = {MEDIA_TYPE: {"schema": {"$ref": f"{NEW}problem"}}}
    return {
        str(status): {"description": (PROBLEMS | OTHERS)[status], "content": content} for status in statuses or PROBLEMS
    }


_NAME = {"name": "job", "in": "path", "required": True, "description": "The id of a job", "schema": {"type": "string"}}
# What OpenAPI says of operations on a job
JOB_OPERATIONS: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("GET", "jobs/{job}"): {
        "parameters": [_NAME],
        "responses": {
            "200": {"description": "Its state", "content": {"application/json": JOB_MEDIA}}, **problems(401, 404, 421, 429, 503),
        },
    },
    ("GET", "jobs/{job}/events"): {
        "parameters": [_NAME, _header("Last-Event-ID", "Send the events with higher numbers", {"pattern": "^[0-9]{0,9}$"})],
        "responses": {
            "200": {"description": "Server-sent events", "content": {"text/event-stream": EVENTS}},
            "204": {"description": "The job has ended, and there are no more events"},
            **problems(400, 401, 404, 421, 429, 503),
        },
    },
    ("DELETE", "jobs/{job}"): {
        "parameters": [_NAME],
        "responses": {"204": {"description": "It is cancelled, or had ended before"}, **problems(401, 404, 421, 429, 503)},
    },
}  # fmt: skip
