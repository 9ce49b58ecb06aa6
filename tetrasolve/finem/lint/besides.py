"""Beside which answers to other questions a question makes no difference, in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from tetrasolve.finem.lint.stored import questions
from tetrasolve.finem.ruleset import READINGS
from tetrasolve.lint.findings import Finding

SHORT = re.compile("[;:]")  # before it a value is said in short
PLACES = ("level", "option")

Row = Mapping[str, frozenset[str]]


def not_asked(finding: Finding, words: Mapping[str, str]) -> str:
    """Under which answers to other questions, at which levels or with which options two values make no difference; or nothing.

    >>> from tetrasolve.finem.lint.report import words_of
    >>> from tetrasolve.finem.lint.stored import findings
    >>> not_asked(findings().named("E-SWAP=last/place"), words_of("en"))
    'if E-TRIBUNE is "yes", or if E-INVASION-ORDER is "no"'
    """
    reading, second = READINGS[finding.reading], finding.values[1]
    rows = [
        {name: frozenset([value]) for name, value in row.items() if name != reading.name}
        for row in reading.idle
        if row.get(reading.name, second) == second
    ]
    return words["nor"].join(_condition(row, words) for row in _merged(rows))


def _merged(rows: Iterable[Row]) -> list[Row]:
    """The same conditions in fewer rows: two that differ in the values of one name are one row."""
    found: list[Row] = []
    for row in rows:
        while (other := next((one for one in found if len(_apart(one, row)) == 1), None)) is not None:
            found.remove(other)
            row = {name: values | other[name] for name, values in row.items()}  # noqa: PLW2901 - the row grows
        found.append(row)
    return found


def _apart(one: Row, other: Row) -> list[str]:
    """The names whose values are not the same; all where the names are not."""
    if one.keys() != other.keys():
        return [*one, *other]
    return [name for name in one if one[name] != other[name]]


def _condition(row: Row, words: Mapping[str, str]) -> str:
    """Levels, an option and values of other readings."""
    parts = [
        words["or"].join(words[f"at_{name}"].format(text=text) for text in sorted(words[value] for value in values))
        for name, values in row.items()
        if name in PLACES
    ]
    answers = [_answer(name, values, words) for name, values in row.items() if name not in PLACES]
    return ", ".join(parts + ([words["if"].format(answers=words["and"].join(answers))] if answers else []))


def _answer(name: str, values: frozenset[str], words: Mapping[str, str]) -> str:
    """That a reading has one of these values: yes, no, or which no where there are several."""
    default, *others = READINGS[name].options
    said = {value: SHORT.split(text)[0] for value, text in questions()[name].values[words["language"]].items()}
    if values == {default}:
        return words["answered_yes"].format(name=name)
    if values == {*others}:
        return words["answered_no"].format(name=name)
    key, chosen = ("answered_but", [one for one in others if one not in values])
    if default not in values:
        key, chosen = "answered_which", [one for one in others if one in values]
    return words[key].format(name=name, value=words["or_else"].join(said[value] for value in chosen))
