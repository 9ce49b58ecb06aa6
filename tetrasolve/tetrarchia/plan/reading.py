"""Reads objectives from their text form."""

from __future__ import annotations

import re

from tetrasolve.errors import ObjectiveError, shown
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.evaluation import read_evaluation
from tetrasolve.tetrarchia.plan.objective import (
    FREE,
    GOALS,
    KINDS,
    LARGEST_WEIGHT,
    RISKS,
    Constraint,
    Goal,
    LeastIp,
    LeastRisk,
    MostExpected,
    Objective,
    Term,
    Value,
)
from tetrasolve.tetrarchia.plan.places import read_places, read_province

_THEN = re.compile(r"\s*[,;]?\s+then\s+|\s*;\s*", re.IGNORECASE)
_SUBJECT_TO = re.compile(r"\s*[,;]?\s+subject\s+to\s+", re.IGNORECASE)
_LIMITS = re.compile(r"\s+and\s+|\s*,\s*(?=(?:end|do|not|keep|spend)\s)", re.IGNORECASE)
_END_IN = re.compile(r"(do not |not )?end in (.+)", re.IGNORECASE)
_KEEP = re.compile(r"keep ([0-9]{1,2}) garrisons?", re.IGNORECASE)
_SPEND = re.compile(r"spend at most ([0-9]{1,2})(?: ip)?", re.IGNORECASE)


def read_objective(text: str, board: Board | None = None) -> Objective:
    """An objective from its text form.

    ``least ip`` is added at the end where it is not named.

    >>> str(read_objective("secure Sarmatia, then least p_uprising subject to keep 2 garrisons"))
    'secure sarmatia then least p_uprising then least ip subject to keep 2 garrisons'

    :raises ObjectiveError: when a term cannot be read; it is named.
    """
    board = board or Board.standard()
    head, *constraints = _SUBJECT_TO.split(text.strip())
    if len(constraints) > 1:
        raise ObjectiveError(f"{shown(text)}: expected 'subject to' once")
    terms = [_term(part, board) for part in _THEN.split(head)]
    if LeastIp() not in terms:
        terms.append(LeastIp())
    return Objective(tuple(terms), _constraint(constraints[0], board) if constraints else FREE)


def _term(text: str, board: Board) -> Term:
    words = text.split()
    match [word.casefold() for word in words]:
        case ["least", "uprising"]:
            return LeastRisk("p_uprising")
        case ["least", figure] if figure in RISKS:
            return LeastRisk(figure)
        case ["most", "expected", *_] if len(words) > 2:
            return MostExpected(read_evaluation(" ".join(words[2:]), board))
        case ["least", "ip"]:
            return LeastIp()
        case ["most", "value", *_] if len(words) > 2:
            return Value(tuple(weight for word in words[2:] for weight in _weights(word, board)))
        case [verb, *_] if verb in GOALS:
            return _goal(text, board)
    risks = ", ".join(f"least {figure}" for figure in RISKS)
    most = "most value KIND=WEIGHT, most expected KIND=WEIGHT"
    raise ObjectiveError(
        f"{shown(text)} is no objective: expected reach, secure, clear or kill with provinces, {most}, {risks}, or least ip"
    )


def _goal(text: str, board: Board) -> Goal:
    wanted: dict[str, set[str]] = {verb: set() for verb in GOALS}
    for part in re.split(r"\s+and\s+", text, flags=re.IGNORECASE):
        verb, _, places = part.strip().partition(" ")
        if verb.casefold() not in GOALS:
            raise ObjectiveError(f"{shown(part)}: expected one of {', '.join(GOALS)} with provinces")
        for place in places.split(","):
            wanted[verb.casefold()].add(read_province(place, part, board))
    if len(wanted["reach"]) > 1:
        raise ObjectiveError(f"{shown(text)}: an Emperor ends his turn in one province only")
    return Goal(**{verb: frozenset(places) for verb, places in wanted.items()})


def _constraint(text: str, board: Board) -> Constraint:
    end_in: set[str] = set()
    not_end_in: set[str] = set()
    keep, spend = 0, None
    for part in map(str.strip, _LIMITS.split(text)):
        words = " ".join(part.split())
        if match := _END_IN.fullmatch(words):
            places = {read_province(place, part, board) for place in match[2].split(",")}
            if end_in and not match[1]:
                raise ObjectiveError(f"{shown(part)}: expected 'end in' once, with all allowed provinces")
            (not_end_in if match[1] else end_in).update(places)
        elif match := _KEEP.fullmatch(words):
            keep = max(keep, int(match[1]))
        elif match := _SPEND.fullmatch(words):
            spend = int(match[1]) if spend is None else min(spend, int(match[1]))
        else:
            raise ObjectiveError(
                f"{shown(part)}: expected end in PROVINCE, do not end in PROVINCE, keep N garrisons or spend at most N"
            )
    return Constraint(frozenset(end_in), frozenset(not_end_in), keep, spend)


def _weights(word: str, board: Board) -> list[tuple[str, str | None, int]]:
    name, equals, number = word.partition("=")
    kind, at, place = name.partition("@")
    if kind.casefold() not in KINDS or not equals:
        raise ObjectiveError(
            f"{shown(word)}: expected KIND=WEIGHT or KIND@PLACE=WEIGHT with a kind of {', '.join(KINDS)}"
        )
    if not re.fullmatch(r"[+-]?[0-9]{1,7}", number) or abs(int(number)) > LARGEST_WEIGHT:
        raise ObjectiveError(f"{shown(word)}: expected a whole number up to {LARGEST_WEIGHT} as weight")
    if not at:
        return [(kind.casefold(), None, int(number))]
    return [(kind.casefold(), province, int(number)) for province in read_places(place, word, board)]
