"""Requests that ask several others, each of which has an answer or an error of its own.

============== ==================================================================================================
`PartRequest`  one of the others: its handler, and the fields that it takes
`require`      refuses what is wrong in those fields, before any of them begins
`Answers`      takes their answers as they come, and reports them together
`batch`        makes a handler that asks the same about each position of a list
============== ==================================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tetrasolve.analysis.messages import LIMIT, Request, RequestError, only
from tetrasolve.analysis.worker import Handler, RequestContext, Result, handle
from tetrasolve.errors import shown
from tetrasolve.strict import StrictError

BATCH = "batch"
COMPLETE, INTERRUPTED = "complete", "interrupted"
SUBJECT = "position"  # the field that says what a request is about

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class PartRequest:
    """A kind of request that is asked with others.

    `fields` are those that it takes beside the position, `share` that of the time that is left when it begins. What `is_quick`
    takes milliseconds.
    """

    handler: Handler
    fields: tuple[str, ...] = ()
    share: float = 1.0
    is_quick: bool = False


def require(part: PartRequest, fields: Mapping[str, Any]) -> None:
    """Refuse fields that a handler refuses whatever the position is; it has to look at the position last.

    :raises StrictError: which names the field.
    """
    try:
        part.handler(_given(part, fields), RequestContext())
    except StrictError as error:
        if error.where != SUBJECT:
            raise
    else:
        raise RuntimeError("a handler answers without a position")


def _given(part: PartRequest, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fields[name] for name in part.fields if name in fields}


def is_complete(entry: Mapping[str, Any]) -> bool:
    """Whether neither more time nor another try could give more."""
    if "error" in entry:
        return "kind" not in entry["error"]  # the request is at fault
    return bool(entry["result"].get("status") != INTERRUPTED)


class Answers(Generic[K]):
    """Answers under keys, each with a ``result`` or an ``error``; `form` makes one result of them.

    All of them are reported before a request begins that may take long, and whenever that has a partial answer.
    """

    def __init__(self, context: RequestContext, form: Callable[[Mapping[K, Result]], Result]) -> None:
        self.entries: dict[K, Result] = {}
        self._context, self._form = context, form
        self._is_news = False

    def ask(self, key: K, part: PartRequest, position: object, fields: Mapping[str, Any], share: float) -> None:
        """Ask a request, which gets this share of the time that is left; nothing is kept where it has no answer by then."""

        def send(result: Result) -> None:
            self.entries[key] = {"result": result}
            self._report()

        if self._is_news and (not part.is_quick or self._context.report_is_due()):
            self._report()
        found = self._answer(part, position, fields, share, send)
        if found is not None:
            self.entries[key] = found
            self._is_news = True

    def again(self, key: K, part: PartRequest, position: object, fields: Mapping[str, Any]) -> None:
        """Ask a request once more, with all the time that is left; its answer is kept where it is complete now."""
        if self._is_news and self._context.reports:
            self._report()
        found = self._answer(part, position, fields, 1.0, lambda _: None)
        if found is not None and is_complete(found):
            self.entries[key] = found

    def _answer(
        self,
        part: PartRequest,
        position: object,
        fields: Mapping[str, Any],
        share: float,
        send: Callable[[Result], None],
    ) -> Result | None:
        context = self._context.part(share, send)
        message = handle(
            {"": part.handler}, Request("", "", fields={SUBJECT: position, **_given(part, fields)}), context
        )
        if "result" in message:  # also where a limit of the whole ended it: then the whole has that error
            return {"result": message["result"]}
        if context.is_stopped() and message["error"].get("kind") == LIMIT:
            return None
        return {"error": message["error"]}

    def _report(self) -> None:
        if self._context.reports:
            self._context.report(self._form(self.entries))
        self._is_news = False


def batch(parts: Mapping[str, PartRequest], most: int) -> Handler:
    """A handler for lists of at most so many positions: the kind of request in the field ``of`` is asked about each of them.

    Each gets an equal share of the time that is left when it begins, so what one leaves goes to those after it.
    """

    def answer(fields: Mapping[str, Any], context: RequestContext) -> Result:
        kind = fields.get("of")
        if not isinstance(kind, str) or kind not in parts:
            problem = f"found {shown(kind)}" if "of" in fields else "missing"
            raise RequestError(problem, where="of", expected=f"one of {', '.join(parts)}")
        part = parts[kind]
        only(fields, dict.fromkeys(("of", "positions", *part.fields), ""))
        positions = _positions(fields, most)
        require(part, fields)

        def form(entries: Mapping[int, Result]) -> Result:
            is_whole = len(entries) == len(positions) and all(map(is_complete, entries.values()))
            return {
                "of": kind,
                "status": COMPLETE if is_whole else INTERRUPTED,
                "answers": [entries.get(number) for number in range(len(positions))],
                "missing": [number for number in range(len(positions)) if number not in entries],
            }

        answers: Answers[int] = Answers(context, form)
        for number, position in enumerate(positions):
            if context.is_stopped():
                break
            answers.ask(number, part, position, fields, 1 / (len(positions) - number))
        return form(answers.entries)

    return answer


def _positions(fields: Mapping[str, Any], most: int) -> list[object]:
    found = fields.get("positions")
    if not isinstance(found, list) or not 1 <= len(found) <= most:
        shows = f"found {len(found)} of them" if isinstance(found, list) else f"found {shown(found)}"
        problem = shows if "positions" in fields else "missing"
        raise RequestError(problem, where="positions", expected=f"a list of 1 to {most} positions")
    for number, position in enumerate(found):
        if not isinstance(position, str | dict):
            where = f"positions[{number}]"
            raise RequestError(f"found {shown(position)}", where=where, expected="a position as text or as an object")
    return found
