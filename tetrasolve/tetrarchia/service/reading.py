"""Fields that several requests have: text, and a plan as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tetrasolve.analysis.messages import RequestError
from tetrasolve.errors import ActionError, shown
from tetrasolve.tetrarchia.hint.comparison import read_for
from tetrasolve.tetrarchia.plan import Plan
from tetrasolve.tetrarchia.plan.tree import DEEPEST, depth_of
from tetrasolve.tetrarchia.position import Position

LONGEST_TEXT = 2000  # characters of an objective, a goal or stated attacks
LONGEST_PLAN = 20_000


def text_of(fields: Mapping[str, Any], where: str, expected: str, longest: int = LONGEST_TEXT) -> str | None:
    """A field that is text, None where it is missing.

    :raises RequestError: when it is something else.
    """
    found = fields.get(where)
    if where in fields and (not isinstance(found, str) or len(found) > longest):
        raise RequestError(f"found {shown(found)}", where=where, expected=f"{expected}, at most {longest:,} characters")
    return found


def required(fields: Mapping[str, Any], where: str, expected: str, longest: int = LONGEST_TEXT) -> str:
    """A field that is text and must be there.

    :raises RequestError: when it is missing or something else.
    """
    found = text_of(fields, where, expected, longest)
    if found is None:
        raise RequestError("missing", where=where, expected=expected)
    return found


def read_turn(fields: Mapping[str, Any], where: str, position: Position) -> Plan:
    """A field that is the plan of a turn from this position; an attack at its end may leave its branches out.

    :raises RequestError: when it is missing, nested too deep, or cannot be read.
    """
    text = required(fields, where, "a plan as text", LONGEST_PLAN)
    if depth_of(text) > DEEPEST:
        raise RequestError("nested too deep", where=where, expected=f"at most {DEEPEST} attacks in a row")
    try:
        return read_for(position, text)
    except ActionError as error:
        raise RequestError(str(error), where=where) from None
