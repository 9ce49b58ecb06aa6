"""Fields of requests about collections of puzzles, and the order of the days, alike in all games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from hashlib import sha256
from typing import Any

from tetrasolve.analysis.messages import RequestError
from tetrasolve.errors import shown
from tetrasolve.strict import is_whole

MOST_NAMES = 50
LONGEST_DATE = 40  # characters


def names_field(fields: Mapping[str, Any], where: str, known: Sequence[str]) -> list[str]:
    """The names of a list of fields; none where it is left out.

    :raises RequestError: when it is no list of names that are known.
    """
    names = fields.get(where, [])
    if not isinstance(names, list) or len(names) > MOST_NAMES:
        raise RequestError(f"found {shown(names)}", where=where, expected=f"a list of at most {MOST_NAMES} names")
    for name in names:
        if name not in known:
            raise RequestError(f"found {shown(name)}", where=where, expected=f"some of {', '.join(known)}")
    return names


def grades_field(fields: Mapping[str, Any]) -> list[int]:
    """The grades that are asked for; none where they are left out.

    :raises RequestError: when they are no list of whole numbers.
    """
    grades = fields.get("grades", [])
    if not isinstance(grades, list) or len(grades) > MOST_NAMES or not all(map(is_whole, grades)):
        raise RequestError(f"found {shown(grades)}", where="grades", expected="a list of grades, 1 to 5")
    return grades


def date_field(fields: Mapping[str, Any]) -> date:
    """The day that is asked for; where it is left out, that of UTC.

    :raises RequestError: when it is no date.
    """
    if "date" not in fields:
        return datetime.now(UTC).date()
    text = fields["date"]
    try:
        if isinstance(text, str) and len(text) <= LONGEST_DATE:
            return date.fromisoformat(text)
    except ValueError:
        pass
    raise RequestError(f"found {shown(text)}", where="date", expected="a date like 2026-03-31")


def mixed(names: Sequence[str]) -> tuple[str, ...]:
    """Names in an order that is mixed once and for all: that of the days."""
    return tuple(sorted(names, key=lambda name: sha256(name.encode()).digest()))
