"""Requests about the findings of the linter: where two values of a reading differ, and the question to the author.

============ ============= =============================================================================================
ask          fields        result
============ ============= =============================================================================================
``findings`` ``readings``  the findings about these readings (none: all), each with its sentence and its question
``finding``  ``finding``   one, and as ``svg`` its smallest position, where it has one
============ ============= =============================================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetrasolve.analysis.messages import RequestError, only, readings_of
from tetrasolve.analysis.worker import Handler, RequestContext, Result
from tetrasolve.errors import FindingError, shown
from tetrasolve.finem.draw import picture
from tetrasolve.finem.lint.stored import findings, questions
from tetrasolve.finem.position import Position
from tetrasolve.lint.findings import Finding

LONGEST_NAME = 200  # characters
EXPECTED = "the id of a finding, as findings lists them"


def _data(finding: Finding) -> Result:
    """A finding with its sentence, and the question about its reading with its values in words."""
    asked = questions()[finding.reading]
    question = {
        "reading": asked.reading,
        "english": asked.text["en"],
        "spanish": asked.text["es"],
        "english_values": dict(asked.values["en"]),
        "spanish_values": dict(asked.values["es"]),
    }
    return finding.as_data() | {"sentence": finding.sentence(), "question": question}


def _findings(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # reads what comes with the library
    only(fields, {"readings": ""})
    names = readings_of(fields, "E-FULL")
    report = findings()
    try:
        chosen = report.find(names)
    except FindingError as error:
        raise RequestError(str(error), where="readings") from None
    return {"rules": report.rules, "findings": [_data(row) for row in chosen]}


def _finding(fields: Mapping[str, Any], context: RequestContext) -> Result:
    del context  # draws one table
    only(fields, {"finding": ""})
    name = fields.get("finding")
    if not isinstance(name, str) or len(name) > LONGEST_NAME:
        problem = f"found {shown(name)}" if "finding" in fields else "missing"
        raise RequestError(problem, where="finding", expected=EXPECTED)
    report = findings()
    try:
        found = report.named(name)
    except FindingError as error:
        raise RequestError(str(error), where="finding", expected=EXPECTED) from None
    drawn = {} if found.position is None else {"svg": picture(Position.parse(found.position))}
    return {"rules": report.rules, **_data(found), **drawn}


HANDLERS: Mapping[str, Handler] = {"finding": _finding, "findings": _findings}
