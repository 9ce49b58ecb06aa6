"""Messages of the protocol: a request is one line with one JSON object, and so is an answer.

A request has an ``id`` (text), says what it ``ask``s, and may have a ``priority`` (a whole number, higher ones first) and
``report_every`` (seconds between partial answers, the first of which comes as soon as there is anything to say); other fields
belong to what is asked. The server itself answers:

============== ===================================================== =========================================
ask            fields                                                result
============== ===================================================== =========================================
``about``                                                            versions, what can be asked, limits
``cancel``     ``target``: an id, or ``targets``: ``"all"``          how many requests were told to stop
============== ===================================================== =========================================

An answer has the ``id``, ``final`` (an id has exactly one final answer, and it is the last), and a ``status``:
``partial`` and ``done`` come with a ``result``, ``cancelled`` with what had been found, if anything, ``error`` with an
``error``: the ``problem`` and, where they are known, the field (``where``) and what was ``expected`` there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tetrasolve.errors import PositionSyntaxError, TetrasolveError, named, shown

PROTOCOL = "tetrasolve-analysis/1"
LONGEST_LINE = 2**20  # bytes: a position has some hundreds
LONGEST_ID = 200  # characters
MOST_PRIORITY = 10**6
SHORTEST_REPORT = 0.01  # seconds
LONGEST_TIME = 86_400.0  # a day; a request that has to take longer is none for a service


class RequestError(TetrasolveError, ValueError):
    """A request that cannot be answered; `where` names the field, `expected` says what should stand there."""

    def __init__(self, problem: str, *, where: str | None = None, expected: str | None = None) -> None:
        self.problem, self.where, self.expected = problem, where, expected
        text = f"{where}: {problem}" if where else problem
        super().__init__(f"{text}, expected {expected}" if expected else text)


@dataclass(frozen=True, slots=True)
class Request:
    """A request; `fields` are those that belong to what is asked."""

    id: str
    ask: str
    priority: int = 0
    report_every: float | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)


# -- reading ---------------------------------------------------------------------------------------------------


def read_object(line: bytes) -> dict[str, Any]:
    """The JSON object of a line.

    :raises RequestError: when there is none.
    """
    if len(line) > LONGEST_LINE:
        raise RequestError(f"a line of more than {LONGEST_LINE:,} bytes")
    try:
        data = json.loads(line.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise RequestError(f"no UTF-8 text ({error.reason} at byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise RequestError(f"no JSON: {error.msg} at column {error.colno}") from None
    except RequestError:
        raise
    except (ValueError, RecursionError) as error:  # numbers of thousands of digits, thousands of brackets
        raise RequestError(f"no JSON that can be read ({type(error).__name__})") from None
    if not isinstance(data, dict):
        raise RequestError(f"found {shown(data)}", expected="a JSON object")
    return data


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise RequestError("stands there twice", where=named(twice))
    return table


def _no_number(text: str) -> Any:
    raise RequestError(f"no JSON: {text} is no number")


def id_of(data: Mapping[str, Any]) -> str:
    """The id of a request.

    :raises RequestError: when it has none.
    """
    found = data.get("id")
    if not isinstance(found, str) or not 1 <= len(found) <= LONGEST_ID or not found.isprintable():
        wanted = f"1 to {LONGEST_ID} printable characters"
        raise RequestError("missing" if "id" not in data else f"found {shown(found)}", where="id", expected=wanted)
    return found


def read_request(data: Mapping[str, Any]) -> Request:
    """The request that an object is.

    :raises RequestError: when a field that all requests have is wrong.
    """
    rest = dict(data)
    name = id_of(rest)
    del rest["id"]
    ask = rest.pop("ask", None)
    if not isinstance(ask, str):
        raise RequestError("missing" if "ask" not in data else f"found {shown(ask)}", where="ask", expected="text")
    priority = rest.pop("priority", 0)
    if not is_whole(priority) or abs(priority) > MOST_PRIORITY:
        wanted = f"a whole number from -{MOST_PRIORITY} to {MOST_PRIORITY}"
        raise RequestError(f"found {shown(priority)}", where="priority", expected=wanted)
    every = rest.pop("report_every", None)
    if every is not None:
        every = number(every, "report_every", SHORTEST_REPORT, LONGEST_TIME)
    return Request(name, ask, priority, every, rest)


def is_whole(value: object) -> bool:
    """Whether a value of JSON is a whole number; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def number(value: object, where: str, least: float, most: float) -> float:
    """A number of JSON within bounds.

    :raises RequestError: when it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise RequestError(f"found {shown(value)}", where=where, expected=f"a number from {least:g} to {most:g}")
    return float(value)


def whole(value: object, where: str, least: int, most: int) -> int:
    """A whole number of JSON within bounds.

    :raises RequestError: when it is none.
    """
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RequestError(f"found {shown(value)}", where=where, expected=f"a whole number from {least} to {most}")
    return value


def only(fields: Mapping[str, Any], known: Mapping[str, str]) -> None:
    """Demand that no field is there but these.

    :raises RequestError: which names the first one that is not known.
    """
    for name in fields:
        if name not in known:
            raise RequestError("not known here", where=named(name), expected=f"one of {', '.join(known)}")


# -- writing ---------------------------------------------------------------------------------------------------


def answer(name: str | None, status: str, **parts: Any) -> dict[str, Any]:
    """An answer to the request with this id; every status but ``partial`` is final."""
    return {"id": name, "final": status != "partial", "status": status, **parts}


def error_answer(name: str | None, error: Exception) -> dict[str, Any]:
    """The answer that says what was wrong."""
    found: dict[str, Any] = {"problem": str(error) or type(error).__name__}
    if isinstance(error, RequestError):
        found = {"problem": error.problem, "where": error.where, "expected": error.expected}
    elif isinstance(error, PositionSyntaxError):
        found |= {"where": error.where, "expected": error.expected}
    return answer(name, "error", error={key: value for key, value in found.items() if value is not None})


def line_of(message: Mapping[str, Any]) -> str:
    """A message as its line, without the line feed."""
    return json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
