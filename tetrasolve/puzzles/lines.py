"""Files with a puzzle on each line, as far as they are alike in all games: what a line must have, and what it says of itself."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Any
from unicodedata import category

from tetrasolve import strict
from tetrasolve.errors import PuzzleError, shown

KEYS = {"format", "kind", "target", "position", "source"}  # what a line must have
LONGEST = 10**5  # characters of a line
UNPRINTED = ("Cc", "Cs")  # control characters, and halves of pairs that no file can hold
ID_LENGTH = 10  # hexadecimal digits: two of 1.2 million puzzles share one with a chance of a half
GRADES = (1, 2, 3, 4, 5)
BRIEF, BEFORE = 100, 20  # characters that are shown of a value, and of these before the first that differs


def line_data(text: str, form: str, *, of_lines: Collection[str] = ()) -> dict[str, Any]:
    """The object of a line, of the format `form`; the values of the keys `of_lines` may be texts of several lines.

    :raises StrictError: when the line is no JSON.
    :raises PuzzleError: when it is no such object.
    """
    data = strict.read_json(text, size=LONGEST)
    if not isinstance(data, dict) or not data.keys() >= KEYS or data["format"] != form:
        raise PuzzleError(f"expected an object of the format {form}")
    if not all(isinstance(data[key], str) for key in ("kind", "position", "source")):
        raise PuzzleError("kind, position and source: expected text")
    for key, value in data.items():
        for part in strict.texts_in([key, value]):
            printed = part.replace("\n", "") if key in of_lines else part
            found = next((sign for sign in printed if category(sign) in UNPRINTED), None)
            if found is not None:
                raise PuzzleError(f"{shown(key)}: holds the character U+{ord(found):04X}, expected text without such")
    return data


def lines_of(text: str, source: str) -> list[tuple[str, str]]:
    r"""The lines of a file that are not empty, each after what names it.

    >>> lines_of("a\n\nb\n", "here")
    [('here, line 1', 'a'), ('here, line 3', 'b')]

    :raises PuzzleError: when there is none.
    """
    rows = enumerate(text.splitlines(), start=1)
    lines = [(f"{source}, line {number}", line) for number, line in rows if line.strip()]
    if not lines:
        raise PuzzleError(f"{source}: is empty, expected a puzzle on each line")
    return lines


def id_of(kind: str, target: str | None, position: object) -> str:
    """Ten hexadecimal digits, which depend on the question only."""
    return sha256("\n".join((kind, target or "", str(position))).encode()).hexdigest()[:ID_LENGTH]


def differences(stated: Mapping[str, Any], found: Mapping[str, Any], free: Collection[str] = ()) -> str:
    """What a line states otherwise than it was found, each with both values; a long one is shown from where they differ.

    True is no number, and 3.0 is not 3.

    >>> differences({"a": 1, "b": None}, {"a": 1, "b": 2, "c": "x"})
    'b: the file says null, expected 2; c: the file says nothing, expected "x"'

    :param free: what is not compared.
    """
    rows = []
    for key, value in found.items():
        expected = json.dumps(value, sort_keys=True)
        if key in free:
            continue
        if key not in stated:
            rows.append(f"{key}: the file says nothing, expected {_around(expected, 0)}")
            continue
        says = json.dumps(stated[key], sort_keys=True)
        if says != expected:
            pairs = enumerate(zip(says, expected, strict=False))
            at = next((at for at, (one, other) in pairs if one != other), min(len(says), len(expected)))
            rows.append(f"{key}: the file says {_around(says, at)}, expected {_around(expected, at)}")
    return "; ".join(rows)


def _around(text: str, at: int) -> str:
    """A text, or a part of it around this character."""
    if len(text) <= BRIEF:
        return text
    begin = max(0, at - BEFORE)
    return f"{'…' if begin else ''}{text[begin : begin + BRIEF]}{'…' if begin + BRIEF < len(text) else ''}"


def stated_themes(data: dict[str, Any]) -> tuple[str, ...]:
    """The themes that a line states, unchecked."""
    found = data.get("themes")
    return tuple(name for name in found if isinstance(name, str)) if isinstance(found, list) else ()


def stated_grade(data: dict[str, Any]) -> int | None:
    """The grade that a line states, 1 to 5, unchecked; None where it is unknown or there is none."""
    found = data.get("grade")
    return found if type(found) is int and found in GRADES else None


def require_grades(grades: Sequence[int]) -> None:
    """All of these are grades.

    :raises PuzzleError: when one is not.
    """
    for number in grades:
        if number not in GRADES:
            raise PuzzleError(f"grade {shown(number)}: expected one of {', '.join(map(str, GRADES))}")
