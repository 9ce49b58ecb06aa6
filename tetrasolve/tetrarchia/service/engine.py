"""The engine of the analysis protocol: every kind of request, and the JSON Schema of all messages.

`QUICK` names the kinds that take milliseconds. A service answers them in workers of their own, so that they never wait behind
a search. `DEEPENING` names those whose answer gets better as long as there is time. `PREPARE` has the requests whose first one has
most to load: tables, pictures, the collection of puzzles, the facts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from tetrasolve.analysis.messages import LONGEST_TIME, SHORTEST_TIME, RequestError
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import shown
from tetrasolve.release import version
from tetrasolve.stop import Stop
from tetrasolve.strict import number
from tetrasolve.tetrarchia.hint import service
from tetrasolve.tetrarchia.service import boards, courses, games, positions, puzzles, questions, survey
from tetrasolve.tetrarchia.service.depth import depth

__all__ = ["DEEPENING", "HANDLERS", "PREPARE", "QUICK", "about", "ask", "depth", "digest", "schema"]

QUICK = (
    "status",
    "turn",
    "findings",
    *positions.HANDLERS,
    *courses.HANDLERS,
    *games.HANDLERS,
    *boards.QUICK,
    *puzzles.QUICK,
)
DEEPENING = ("hint", "survey")
HANDLERS: Mapping[str, Handler] = {
    **service.HANDLERS, **positions.HANDLERS, **courses.HANDLERS, **games.HANDLERS, **questions.HANDLERS,
    **survey.HANDLERS, **boards.HANDLERS, **puzzles.HANDLERS,
}  # fmt: skip
_EXAMPLE = "4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-"
PREPARE: Mapping[str, Mapping[str, Any]] = {
    "hint": {"position": _EXAMPLE, "budget": "greedy"},
    "picture": {"position": _EXAMPLE},
    "puzzles": {},
    "findings": {},
    "board_doubts": {},
}


def about() -> Result:
    """Versions and capabilities."""
    return {**service.about(), "asks": sorted(["about", "cancel", *HANDLERS]), "quick": sorted(QUICK)}


def ask(kind: str, /, *, seconds: float | None = None, cancel: Stop | None = None, **fields: Any) -> Result:
    """The result of a request, worked out in this process: a `kind` of request with the `fields` that it has in the protocol.

    After `seconds`, or soon after `cancel` is set, it is the best answer so far.

    >>> found = ask("survey", position="4211 D:6 bit/mac/-/- 23 - lus.bel.dal.ach.syr.num thr -/-/-/-", parts=["actions", "risk"])
    >>> found["status"], found["parts"]["risk"]["p_uprising"]["exact"], len(found["parts"]["actions"]["actions"])
    ('complete', '1/6', 13)

    :raises RequestError: when a field is missing, unknown or wrong.
    :raises TetrasolveError: what the library raises.
    """
    if kind not in HANDLERS:
        raise RequestError(f"found {shown(kind)}", where="kind", expected=f"one of {', '.join(HANDLERS)}")
    if seconds is not None:
        number(seconds, "seconds", SHORTEST_TIME, LONGEST_TIME)
    return HANDLERS[kind](fields, RequestContext(seconds=seconds, cancel=cancel))


@cache
def digest() -> str:
    """A digest of all that answers depend on beside their request: the version, and the data of the library."""
    found = hashlib.sha256(version().encode())
    data = [files("tetrasolve.tetrarchia") / "data", files("tetrasolve.tetrarchia.hint") / "data"]
    for folder in [*data, data[0] / "puzzles"]:
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
            if entry.is_file():
                found.update(entry.name.encode() + b"\0" + hashlib.sha256(entry.read_bytes()).digest())
    return found.hexdigest()


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of the messages (draft 2020-12).

    The fields of each kind of request are ``$defs/ask_KIND``, with examples; its ``result`` names the schema of the answer.
    """
    text = (files("tetrasolve.tetrarchia") / "data/analysis.schema.json").read_text("utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found
