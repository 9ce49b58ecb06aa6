"""Requests about the board: its rows, whether a changed file can be right, and which facts a change alters.

================ ============================================================ ===============================================
ask              fields                                                       result
================ ============================================================ ===============================================
``board``        ``board``                                                    all rows with source and confidence, and the
                                                                              file itself as ``text``
``board_check``  ``board``                                                    ``findings``: rows that cannot be right
``board_doubts`` ``most``                                                     uncertain rows, those first on which most facts
                                                                              depend, with the changes each may stand for
``board_change`` ``board``, or ``change``: the name of one                    the rows that differ, and the facts that do
``board_facts``  ``board``, or ``change``                                     which facts are others on it, derived again;
                                                                              partial answers have those that are done
================ ============================================================ ===============================================

``board`` is the text of a board file; without it the board of the library is meant. A change is compared with that one, and what
it does is read from the stored robustness of each fact, which the library's own derivations have found (``basis``). ``known`` says
whether it is stored: where the rows are the same, or one uncertain row is otherwise. Nothing is stored about several changed rows,
or about a row that the file holds to be certain: then every fact that reads rows of the board is in ``unknown``. ``board_facts``
derives each fact again, one topic after the other, as the stored robustness was found; no certificate is made.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import cache
from multiprocessing import current_process
from typing import TYPE_CHECKING, Any

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.several import COMPLETE, INTERRUPTED
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import BoardError, shown
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.boardcheck import check
from tetrasolve.tetrarchia.boarddata import board_data, doubt_data
from tetrasolve.tetrarchia.boardfile import read_board, standard_text
from tetrasolve.tetrarchia.hint.service import playable_board

if TYPE_CHECKING:  # claims import most of the library
    from tetrasolve.claims.index import Entry, Index
    from tetrasolve.claims.subject import Change
    from tetrasolve.tetrarchia.facts.subject import BoardSubject

MOST_ROWS = 1000
UNDERESTIMATE = 3  # times as long as they say topics may take, on a slow machine
SLOWER = 1.5  # times as long, against its estimate, as the slowest before it the next topic may take
LONG_ENOUGH = 0.02  # seconds of an estimate from which on it says how slow the machine is


def _text(fields: Mapping[str, Any], name: str, expected: str) -> str | None:
    found = fields.get(name)
    if name in fields and not isinstance(found, str):
        raise RequestError(f"found {shown(found)}", where=name, expected=expected)
    return found


def _given(fields: Mapping[str, Any]) -> Board:
    """The board of a request; unlike elsewhere, one with contradictions is accepted."""
    text = _text(fields, "board", "a board file as text")
    if text is None:
        return Board.standard()
    try:
        return read_board(text)
    except BoardError as error:
        raise RequestError(str(error).removeprefix(f"{error.source}: "), where="board") from None


def _board(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # takes one step, as everything here
    only(fields, {"board": ""})
    board = _given(fields)
    return {**board_data(board), "text": fields.get("board", standard_text())}


def _board_check(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"board": ""})
    return {"findings": [finding.to_json() for finding in check(_given(fields))]}


def _board_doubts(fields: Mapping[str, Any], context: RequestContext) -> Result:
    from tetrasolve.claims.doubts import doubts

    del context
    only(fields, {"most": ""})
    most = whole(fields.get("most", MOST_ROWS), "most", 1, MOST_ROWS)
    index, subject, _, _ = _stored()
    found = doubts(index, subject)
    return {"rows": [doubt_data(doubt) for doubt in found[:most]], "uncertain": len(found), "facts": len(index.entries)}


# -- what a change alters ----------------------------------------------------------------------------------------------


@cache
def _stored() -> tuple[Index, BoardSubject, Mapping[str, Change], bool]:
    """The facts of the library, its board, the changes of one row by the digest of the board that each makes.

    The last part is whether the stored robustness is that of these facts, this board and these changes.
    """
    from tetrasolve.claims import robust
    from tetrasolve.tetrarchia.facts.subject import BoardSubject, standard_index, standard_subject

    subject = standard_subject()
    changes = subject.neighbourhood().changes
    index, by_digest = standard_index(), {BoardSubject(each.apply(subject.board)).digest(): each for each in changes}
    return index, subject, by_digest, not robust.stale(index, subject)


def _otherwise(
    fields: Mapping[str, Any], read: Callable[[Mapping[str, Any]], Board | None]
) -> tuple[BoardSubject, str | None]:
    """The changed board of a request: a file, or the change of one row, with the name of that."""
    from tetrasolve.tetrarchia.facts.subject import BoardSubject

    only(fields, {"board": "", "change": ""})
    expected = "the name of a change, as board_doubts lists them"
    name = _text(fields, "change", expected)
    if ("board" in fields) == ("change" in fields):
        problem = "missing" if name is None else "it does not go with board"
        raise RequestError(problem, where="change", expected="one of both")
    if name is None:
        return BoardSubject(read(fields) or Board.standard()), None
    _, subject, changes, _ = _stored()
    named = {change.name: change for change in changes.values()}
    if name not in named:
        raise RequestError(f"found {shown(name)}", where="change", expected=expected)
    return BoardSubject(named[name].apply(subject.board)), name


def _board_change(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    index, subject, changes, is_fresh = _stored()
    changed, name = _otherwise(fields, _given)
    is_same = changed.digest() == subject.digest()
    change = changes.get(changed.digest()) if is_fresh else None
    before, after = subject.rows(), changed.rows()
    rows = {
        "gone": [row for row in before if row not in set(after)],
        "new": [row for row in after if row not in set(before)],
    }
    altered, unknown = [], []
    for entry in () if is_same else index.entries:
        if entry.robustness is None or (change is None and entry.topic.rows):
            unknown.append(entry.id)
        elif change is not None and change.name in entry.robustness.breaks:
            altered.append(_altered(entry, change))
    return {
        "known": is_same or change is not None,
        "change": name if change is None else change.name,
        "rows": rows,
        "basis": "stored robustness",
        "facts": altered,
        "unknown": unknown,
        "unaltered": len(index.entries) - len(altered) - len(unknown),
    }


def _altered(entry: Entry, change: Change) -> Result:
    """A fact that a change alters: how many of its values, and the first of them with what they become."""
    assert entry.robustness is not None
    count, first = entry.robustness.breaks[change.name]
    return {"id": entry.id, "sentence": entry.sentence, "values": count, "first": list(first)}


def _board_facts(fields: Mapping[str, Any], context: RequestContext) -> Result:
    from tetrasolve.tetrarchia.service.boardfacts import on_board

    changed, _ = _otherwise(fields, playable_board)
    index, subject, _, _ = _stored()
    left = {entry.id: entry for entry in index.entries if entry.topic.rows}
    facts: list[Result] = []
    same = 0

    def result(status: str) -> Result:
        return {
            "status": status, "basis": "derived on this board", "facts": list(facts), "unknown": list(left), "same": same,
        }  # fmt: skip

    # A worker of a service may have no processes of its own: it begins no topic that would not be done in time
    begun, expected, slowest = time.monotonic(), 0.0, UNDERESTIMATE / SLOWER

    def fits(seconds: float) -> bool:
        nonlocal begun, expected, slowest
        now, time_left = time.monotonic(), context.seconds_left()
        if expected >= LONG_ENOUGH:
            slowest = max(slowest, (now - begun) / expected)
        begun, expected = now, seconds
        return stop is not None or time_left is None or SLOWER * slowest * seconds < time_left

    stop = None if current_process().daemon else Stop(context.seconds_left())
    if stop is not None:
        context.on_stop(stop.set)
    try:
        for name, broken in on_board(index, subject, changed.board, stop, fits):
            for entry in [entry for entry in left.values() if entry.topic.id == name]:
                del left[entry.id]
                paths, first = broken.get(entry.instance, ([], []))
                same += not paths
                if paths:
                    facts.append({"id": entry.id, "sentence": entry.sentence, "values": len(paths), "first": first})
            if context.is_stopped():
                break
            if context.report_is_due():
                context.report(result(INTERRUPTED))
    except Stopped:
        pass  # what is done so far is the answer
    return result(INTERRUPTED if left else COMPLETE)


QUICK = ("board", "board_check")
HANDLERS: Mapping[str, Handler] = {
    "board": _board, "board_check": _board_check, "board_doubts": _board_doubts, "board_change": _board_change,
    "board_facts": _board_facts,
}  # fmt: skip
