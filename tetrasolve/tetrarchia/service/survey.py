"""Requests that ask others: everything about a position, and the same question about many positions.

============ ================================================================ ===============================================
ask          fields                                                           result
============ ================================================================ ===============================================
``survey``   ``position``; ``parts``; ``decide``, ``top``, ``seed``,          ``parts``: under each name what the request of
             ``budget``                                                       that name answers
``batch``    ``of``, ``positions``; ``decide``, ``top``, ``seed``,            ``answers``: what the request ``of`` answers
             ``budget``                                                       about each position
============ ================================================================ ===============================================

The parts are ``read``, ``actions``, ``picture``, ``risk`` (with ``decide``) and ``hint`` (with ``top``, ``seed`` and
``budget``); ``parts`` is a list of some of them. They are done in this order, and a partial answer has those that are there: one
comes with the three quick ones, before the risk; another when the risk is known; then one with each step of the hint.
`SHARE_OF_RISK` of the time is for the risk. The hint has the rest, and what it leaves goes to a risk that is not exact yet.

``refused`` has the error of each part that the rules refuse: there is no hint where neither a turn is left
nor a choice comes. ``missing`` names those for
which the time did not suffice. ``status`` is ``complete`` where nothing is missing and no part is ``interrupted`` itself.

A batch asks ``actions``, ``read``, ``status``, ``risk`` (with ``decide``) or ``hint`` (with ``top``, ``seed`` and ``budget``) about
at most `MOST_POSITIONS` positions, one after the other. ``answers`` has an entry for each, in the order of the list: a ``result``;
the ``error`` of a position that is wrong, which costs the others nothing; or null, where there is no answer yet. ``missing`` has
the numbers of the last ones, from 0. Each position gets an equal share of the time that is left when it begins, so what one leaves
goes to those after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetrasolve.analysis.messages import RequestError, only
from tetrasolve.analysis.several import BATCH, COMPLETE, INTERRUPTED, Answers, PartRequest, batch, is_complete, require
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import shown
from tetrasolve.tetrarchia.hint import service
from tetrasolve.tetrarchia.hint.service import read_position
from tetrasolve.tetrarchia.service import positions

SHARE_OF_RISK = 0.3
MOST_POSITIONS = 50  # of a batch: with a hint for each its answer has half a megabyte

PARTS: Mapping[str, PartRequest] = {
    "read": PartRequest(positions.HANDLERS["read"], is_quick=True),
    "actions": PartRequest(positions.HANDLERS["actions"], is_quick=True),
    "picture": PartRequest(positions.HANDLERS["picture"], is_quick=True),
    "risk": PartRequest(service.HANDLERS["risk"], ("decide",), SHARE_OF_RISK),
    "hint": PartRequest(service.HANDLERS["hint"], ("top", "seed", "budget")),
}


def _survey(fields: Mapping[str, Any], context: RequestContext) -> Result:
    options = [name for part in PARTS.values() for name in part.fields]
    only(fields, dict.fromkeys(("position", "parts", *options), ""))
    parts = _parts(fields)
    for name, part in PARTS.items():
        if name in parts:
            require(part, fields)
        for option in part.fields:
            if option in fields and name not in parts:
                raise RequestError(f"it goes with the part {name}", where=option, expected="no such field")
    position = read_position(fields)

    def form(entries: Mapping[str, Result]) -> Result:
        is_whole = len(entries) == len(parts) and all(map(is_complete, entries.values()))
        return {
            "position": str(position),
            "status": COMPLETE if is_whole else INTERRUPTED,
            "parts": {name: entry["result"] for name, entry in entries.items() if "result" in entry},
            "refused": {name: entry["error"] for name, entry in entries.items() if "error" in entry},
            "missing": [name for name in parts if name not in entries],
        }

    answers: Answers[str] = Answers(context, form)
    for name, part in parts.items():
        if context.is_stopped():
            break
        answers.ask(name, part, fields["position"], fields, part.share)
    for name, part in parts.items():
        entry = answers.entries.get(name)
        is_short = entry is None or ("result" in entry and not is_complete(entry))
        if is_short and part.share < 1 and not context.is_stopped():
            answers.again(name, part, fields["position"], fields)
    return form(answers.entries)


def _parts(fields: Mapping[str, Any]) -> dict[str, PartRequest]:
    """The parts that are asked for, in the order in which they are done."""
    names = fields.get("parts", list(PARTS))
    if (
        not isinstance(names, list)
        or not names
        or not all(isinstance(name, str) and name in PARTS for name in names)
        or len(set(names)) < len(names)
    ):
        raise RequestError(f"found {shown(names)}", where="parts", expected=f"a list of some of {', '.join(PARTS)}")
    return {name: part for name, part in PARTS.items() if name in names}


# No pictures: those of 50 boards have 8 MB
OF: Mapping[str, PartRequest] = {
    **{name: PARTS[name] for name in ("actions", "read", "risk", "hint")},
    "status": PartRequest(service.HANDLERS["status"], is_quick=True),
}

HANDLERS: Mapping[str, Handler] = {"survey": _survey, BATCH: batch(OF, MOST_POSITIONS)}
