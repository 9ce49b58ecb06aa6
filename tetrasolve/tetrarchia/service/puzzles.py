"""Requests about the puzzles that ship with the library, and about one finding of the linter.

===================== ==================================================== =======================================================
ask                   fields                                               result
===================== ==================================================== =======================================================
``puzzles``           ``kinds``, ``themes``, ``grades``, ``module``,       ``count`` of all that fit; of them ``puzzles`` without
                      ``sharp``, ``beyond``; ``after``, ``most``           answers; the ``kinds`` and ``themes`` there are
``puzzle``            ``puzzle``                                           one, and how many steps of help it has
``puzzle_of_the_day`` ``date``                                             the same with its ``date``
``puzzle_check``      ``puzzle``, ``answer``                               whether it is ``right``; the step that gives something
                                                                           up, and the dice after which it does
``puzzle_help``       ``puzzle``, ``steps``, ``language``                  so many steps of help; the last one is the answer
``finding``           ``finding``                                          one finding, and as ``svg`` the boards of both values
===================== ==================================================== =======================================================

With ``beyond`` the list has only puzzles with a greater number.

A puzzle is named by its id, ten hexadecimal digits of a digest of its question, as in the column ``PuzzleId`` of a CSV file. The
puzzle of a day depends on the date alone: the days go through the collection in an order that is mixed once, so none comes
again before all have come. Without ``date`` it is the day in UTC.

An answer is checked against the best answer, which is worked out again, so ``puzzle_check`` takes as long as that search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, whole
from tetrasolve.analysis.puzzlefields import date_field, grades_field, mixed, names_field
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import ActionError, FindingError, PuzzleError, nearest, shown
from tetrasolve.exact.certainty import fraction_data
from tetrasolve.exact.deadline import cancelled_by, stop_of
from tetrasolve.lint.findings import Finding
from tetrasolve.tetrarchia.lint.boards import side_by_side
from tetrasolve.tetrarchia.lint.stored import findings, questions
from tetrasolve.tetrarchia.puzzle.attempt import attempt
from tetrasolve.tetrarchia.puzzle.collection import Entry, select, shipped
from tetrasolve.tetrarchia.puzzle.help import LANGUAGES, helps
from tetrasolve.tetrarchia.puzzle.kinds import kinds
from tetrasolve.tetrarchia.puzzle.puzzle import solve
from tetrasolve.tetrarchia.puzzle.ranked import Ranked
from tetrasolve.tetrarchia.puzzle.text import attempt_data
from tetrasolve.tetrarchia.puzzle.themes import themes
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS
from tetrasolve.tetrarchia.service.reading import read_turn, required, text_of

MOST_PUZZLES = 1000
LONGEST_NAME = 200  # characters


@cache
def _by_id() -> Mapping[str, tuple[int, Entry]]:
    """The puzzles with their numbers from 1 on, by id, in the order of the collection."""
    return {entry.id: (number, entry) for number, entry in enumerate(shipped(), start=1)}


@cache
def _mixed() -> tuple[str, ...]:
    """The ids in the order of the days."""
    return mixed(tuple(_by_id()))


# -- choosing ----------------------------------------------------------------------------------------------------------


def _puzzles(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # looks at each puzzle once
    only(fields, dict.fromkeys(("kinds", "themes", "grades", "module", "sharp", "beyond", "after", "most"), ""))
    sharp, grades = fields.get("sharp", False), grades_field(fields)
    if not isinstance(sharp, bool):
        raise RequestError(f"found {shown(sharp)}", where="sharp", expected="true or false")
    asked, motifs = names_field(fields, "kinds", tuple(kinds())), names_field(fields, "themes", tuple(themes()))
    module, known = text_of(fields, "module", "the name of a module or variant", LONGEST_NAME), MODULES + VARIANTS
    if module is not None and module not in known:
        raise RequestError(f"found {shown(module)}", where="module", expected=f"one of {', '.join(known)}")
    after = whole(fields.get("after", 0), "after", 0, 10**6)
    most = whole(fields.get("most", MOST_PUZZLES), "most", 1, MOST_PUZZLES)
    beyond = whole(fields.get("beyond", 0), "beyond", 0, 10**6)
    entries = [entry for _, entry in _by_id().values()]
    try:
        fitting = select(entries, kinds=asked, themes=motifs, grades=grades, module=module, sharp=sharp)
        found = [row for row in fitting if row[0] > beyond]
    except PuzzleError as error:
        raise RequestError(str(error), where="grades") from None
    return {
        "count": len(found),
        "puzzles": [_shown(number, entry) for number, entry in found[after : after + most]],
        "kinds": [{"name": row.name, "form": row.form} for row in kinds().values()],
        "themes": [
            {"name": row.name, "title": dict(row.title), "meaning": dict(row.meaning)} for row in themes().values()
        ],
    }


def _shown(number: int, entry: Entry) -> Result:
    """A puzzle without its answer."""
    question = entry.question
    words = {language: question.said(language) for language in LANGUAGES}
    return {
        "puzzle": entry.id,
        "number": number,
        "kind": question.kind.name,
        "form": question.kind.form,
        "target": question.target,
        "question": {**words, "en": entry.text},
        "position": str(question.position),
        "sharp": entry.data.get("sharp") is True,
        "grade": entry.grade,
        "themes": list(entry.themes),
        "source": entry.source,
    }


def _found(fields: Mapping[str, Any]) -> tuple[int, Entry]:
    expected = "the id of a puzzle, as `puzzles` lists them"
    name = required(fields, "puzzle", expected, LONGEST_NAME)
    if name not in _by_id():
        raise RequestError(f"found {shown(name)}", where="puzzle", expected=expected)
    return _by_id()[name]


def _puzzle(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"puzzle": ""})
    number, entry = _found(fields)
    return {**_shown(number, entry), "steps": len(helps(entry))}


def _of_the_day(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, {"date": ""})
    day = date_field(fields)
    number, entry = _by_id()[_mixed()[day.toordinal() % len(_mixed())]]
    return {**_shown(number, entry), "steps": len(helps(entry)), "date": day.isoformat()}


# -- solving -----------------------------------------------------------------------------------------------------------


def _check(fields: Mapping[str, Any], context: RequestContext) -> Result:
    only(fields, dict.fromkeys(("puzzle", "answer"), ""))
    question = _found(fields)[1].question
    is_plan = question.kind.form == "turn"
    if is_plan:
        plan = read_turn(fields, "answer", question.position)
    else:
        answer = required(fields, "answer", "a fraction, a province or the number of an action", LONGEST_NAME)
    with cancelled_by(context.is_stopped) as cancel:
        stop = stop_of(context.seconds_left(), cancel)
        found = solve(question, cancel=stop)
        if isinstance(found, Ranked):
            number = found.number_of(answer)
            return {
                "right": found.is_right(answer),
                "number": None if number is None else fraction_data(number),
                "numbers": found.numbers,
            }
        try:
            return attempt_data(found, attempt(found, plan, cancel=stop))
        except ActionError as error:
            raise RequestError(str(error), where="answer") from None


def _help(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context
    only(fields, dict.fromkeys(("puzzle", "steps", "language"), ""))
    language = fields.get("language", "en")
    if language not in LANGUAGES:
        raise RequestError(f"found {shown(language)}", where="language", expected=f"one of {', '.join(LANGUAGES)}")
    _, entry = _found(fields)
    steps = helps(entry, language)
    shown_steps = whole(fields.get("steps", 1), "steps", 1, len(steps))
    return {"puzzle": entry.id, "of": len(steps), "steps": [asdict(step) for step in steps[:shown_steps]]}


# -- findings ----------------------------------------------------------------------------------------------------------


def finding_data(finding: Finding) -> Result:
    """A finding with its sentence, and the question about its reading."""
    return finding.as_data() | {"sentence": finding.sentence(), "question": asdict(questions()[finding.reading])}


def _finding(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # draws two boards
    only(fields, {"finding": ""})
    name = required(fields, "finding", "the id of a finding, as `findings` lists them", LONGEST_NAME)
    report = findings()
    try:
        found = report.named(name)
    except FindingError:
        near = nearest(name, [row.id for row in report.findings], cutoff=0)
        raise RequestError(f"found {shown(name)}", where="finding", expected=f"an id like {near}") from None
    picture = None if found.position is None else {"svg": side_by_side(found, frame=False)}
    return {"rules": report.rules, **finding_data(found), **(picture or {})}


QUICK = ("puzzles", "puzzle", "puzzle_of_the_day", "puzzle_help", "finding")
HANDLERS: Mapping[str, Handler] = {
    "puzzles": _puzzles, "puzzle": _puzzle, "puzzle_of_the_day": _of_the_day, "puzzle_check": _check,
    "puzzle_help": _help, "finding": _finding,
}  # fmt: skip
