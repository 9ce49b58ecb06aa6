"""Requests about the puzzles that ship with the library.

===================== ================================= ==================================================================
ask                   fields                            result
===================== ================================= ==================================================================
``puzzles``           ``kinds``, ``themes``,            ``count`` of all that fit; of them ``puzzles`` without answers; the
                      ``grades``, ``beyond``;           ``kinds`` and ``themes`` there are; with ``beyond`` only puzzles
                      ``after``, ``most``               with a greater number
``puzzle``            ``puzzle``                        one
``puzzle_of_the_day`` ``date``                          the same with its ``date``
``puzzle_check``      ``puzzle``, ``answer``            whether it is ``right``, its number, and the best one if it is not
``puzzle_help``       ``puzzle``, ``steps``,            so many steps of help; the last one is the answer
                      ``language``
===================== ================================= ==================================================================

A puzzle is named by its id, ten hexadecimal digits of a digest of its question. An answer is checked against the best one, which is
worked out again.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.puzzlefields import date_field, grades_field, mixed, names_field
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import PuzzleError, shown
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import cancelled_by
from tetrasolve.finem.puzzle.booklet import origin
from tetrasolve.finem.puzzle.kinds import kinds
from tetrasolve.finem.puzzle.puzzle import LANGUAGES, Entry, helps, select, shipped
from tetrasolve.finem.puzzle.solving import Ranked, solve
from tetrasolve.finem.puzzle.themes import themes

LONGEST_ANSWER = 2000  # characters
MOST_STEPS = 20
MOST = 1000  # puzzles of an answer


@cache
def _entries() -> Mapping[str, tuple[int, Entry]]:
    """The puzzles by their ids, with their numbers."""
    return {entry.id: (number, entry) for number, entry in enumerate(shipped(), start=1)}


def _data(number: int, entry: Entry) -> Result:
    question = entry.question
    return {
        "puzzle": entry.id,
        "number": number,
        "kind": question.kind.name,
        "form": question.kind.form,
        "question": {language: question.said(language) for language in LANGUAGES},
        "position": str(question.position),
        "grade": entry.grade,
        "themes": list(entry.themes),
        "source": entry.source,
        "origin": {language: origin(entry, language) for language in LANGUAGES},
    }


def _entry(fields: Mapping[str, Any]) -> tuple[int, Entry]:
    """The puzzle of a request.

    :raises RequestError: when there is none with its id.
    """
    found = fields.get("puzzle")
    if not isinstance(found, str) or found not in _entries():
        problem = f"found {shown(found)}" if "puzzle" in fields else "missing"
        raise RequestError(problem, where="puzzle", expected="the id of a puzzle, as puzzles gives them")
    return _entries()[found]


def _puzzles(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, dict.fromkeys(("kinds", "themes", "grades", "beyond", "after", "most"), ""))
    asked, motifs = names_field(fields, "kinds", tuple(kinds())), names_field(fields, "themes", tuple(themes()))
    grades = grades_field(fields)
    after, most = whole(fields.get("after", 0), "after", 0, 10**6), whole(fields.get("most", MOST), "most", 1, MOST)
    beyond = whole(fields.get("beyond", 0), "beyond", 0, 10**6)
    try:
        entries = [entry for _, entry in _entries().values()]
        found = [row for row in select(entries, kinds=asked, themes=motifs, grades=grades) if row[0] > beyond]
    except PuzzleError as error:
        raise RequestError(str(error), where="grades") from None
    return {
        "count": len(found),
        "puzzles": [_data(*row) for row in found[after : after + most]],
        "kinds": [{"name": row.name, "form": row.form} for row in kinds().values()],
        "themes": [
            {"name": row.name, "title": dict(row.title), "meaning": dict(row.meaning)} for row in themes().values()
        ],
    }


def _puzzle(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"puzzle": ""})
    return _data(*_entry(fields))


@cache
def _days() -> tuple[str, ...]:
    """The ids in the order of the days."""
    return mixed(tuple(_entries()))


def _of_the_day(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"date": ""})
    day = date_field(fields)
    return {**_data(*_entries()[_days()[day.toordinal() % len(_days())]]), "date": day.isoformat()}


def _solved(entry: Entry, context: RequestContext) -> Ranked:
    with cancelled_by(context.is_stopped) as cancel:
        return solve(entry.question, seconds=context.seconds, cancel=cancel)


def _check(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("puzzle", "answer"), ""))
    _, entry = _entry(fields)
    answer = fields.get("answer")
    if not isinstance(answer, str) or len(answer) > LONGEST_ANSWER:
        problem = f"found {shown(answer)}" if "answer" in fields else "missing"
        raise RequestError(problem, where="answer", expected="actions with ; between, an option or a fraction")
    found = _solved(entry, context)
    value, right = found.number_of(answer), found.is_right(answer)
    return {
        "right": right,
        "number": None if value is None else fraction_data(value),
        "best": fraction_data(found.options[0][1]) if value is not None else None,
    }


def _help(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("puzzle", "steps", "language"), ""))
    _, entry = _entry(fields)
    language = fields.get("language", LANGUAGES[0])
    if language not in LANGUAGES:
        raise RequestError(f"found {shown(language)}", where="language", expected=f"one of {', '.join(LANGUAGES)}")
    steps = whole(fields.get("steps", 1), "steps", 1, MOST_STEPS)
    return {"steps": helps(_solved(entry, context), language)[:steps]}


HANDLERS: Mapping[str, Handler] = {
    "puzzle": _puzzle,
    "puzzle_check": _check,
    "puzzle_help": _help,
    "puzzle_of_the_day": _of_the_day,
    "puzzles": _puzzles,
}
