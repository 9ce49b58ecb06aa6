"""Reads objectives from their text form; whether their words fit the modules of a position is asked where a turn is planned."""

from __future__ import annotations

import re

from tetrasolve.errors import ObjectiveError, shown
from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.plan.evaluation import read_evaluation
from tetrasolve.tetrarchia.plan.objective import (
    DEPLOY,
    FREE,
    GLORY,
    GOALS,
    KINDS,
    LARGEST_WEIGHT,
    MODULE_KINDS,
    MOST_TURNS,
    NEXT,
    NO_PLACE,
    RISKS,
    Constraint,
    Goal,
    LeastIp,
    LeastRisk,
    MostExpected,
    NextGoal,
    Objective,
    Term,
    Value,
)
from tetrasolve.tetrarchia.plan.places import read_places, read_province

VERBS = (*GOALS, DEPLOY, GLORY)
_THEN = re.compile(r"\s*[,;]?\s+then\s+|\s*;\s*", re.IGNORECASE)
_SUBJECT_TO = re.compile(r"\s*[,;]?\s+subject\s+to\s+", re.IGNORECASE)
_LIMITS = re.compile(r"\s+and\s+|\s*,\s*(?=(?:end|do|not|keep|spend)\s)", re.IGNORECASE)
_END_IN = re.compile(r"(do not |not )?end in (.+)", re.IGNORECASE)
_KEEP = re.compile(r"keep ([0-9]{1,2}) (garrisons?|discs? of imperium)", re.IGNORECASE)
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
        case [verb, *_] if verb in VERBS:
            return _goal(text, board)
        case ["next", *rest] if any(verb in VERBS for verb in rest):
            return _next_goal(text, board)
    risks = ", ".join(f"least {figure}" for figure in RISKS)
    most = "most value KIND=WEIGHT, most expected KIND=WEIGHT"
    raise ObjectiveError(
        f"{shown(text)} is no objective: expected reach, secure, clear or kill with provinces, kill pirates, deploy dux, deploy "
        f"vicarius, glory N, next before one of these, {most}, {risks}, or least ip"
    )


def _next_goal(text: str, board: Board) -> NextGoal:
    """A goal after the word ``next``, once for each turn until then."""
    turns, rest = 0, text.split()
    while rest[0].casefold() == NEXT:
        turns, rest = turns + 1, rest[1:]
    if turns > MOST_TURNS:
        raise ObjectiveError(f"next is said {turns} times: expected {MOST_TURNS} turns or fewer to follow this one")
    return NextGoal(_goal(" ".join(rest), board), turns)


def _goal(text: str, board: Board) -> Goal:
    wanted: dict[str, set[str]] = {verb: set() for verb in (*GOALS, DEPLOY)}
    glory = 0
    for part in re.split(r"\s+and\s+", text, flags=re.IGNORECASE):
        verb, _, objects = part.strip().partition(" ")
        verb = verb.casefold()
        if verb == GLORY:
            glory = max(glory, _discs(objects, part))
            continue
        if verb not in wanted:
            raise ObjectiveError(
                f"{shown(part)}: expected one of {', '.join(GOALS)} with provinces, or kill pirates, deploy dux, deploy "
                "vicarius, glory N"
            )
        for place in objects.split(","):
            wanted[verb].add(_object(verb, place, part, board))
    if len(wanted["reach"]) > 1:
        raise ObjectiveError(f"{shown(text)}: an Emperor ends his turn in one province only")
    return Goal(**{verb: frozenset(places) for verb, places in wanted.items()}, glory=glory)


def _object(verb: str, text: str, part: str, board: Board) -> str:
    """A province, or the Pirates who are to be beaten, or a figure that is to be deployed."""
    name = text.strip().casefold()
    if verb == DEPLOY:
        if name not in HELPERS:
            raise ObjectiveError(f"{shown(part)}: expected {' or '.join(f'{DEPLOY} {figure}' for figure in HELPERS)}")
        return name
    return name if verb == "kill" and name == PIRATES else read_province(text, part, board)


def _discs(text: str, part: str) -> int:
    if not re.fullmatch(r"[0-9]{1,2}", text.strip()) or int(text) == 0:
        raise ObjectiveError(f"{shown(part)}: expected a number of discs from 1 to 99, like glory 3")
    return int(text)


def _constraint(text: str, board: Board) -> Constraint:
    end_in: set[str] = set()
    not_end_in: set[str] = set()
    keep, discs, spend = 0, 0, None
    for part in map(str.strip, _LIMITS.split(text)):
        words = " ".join(part.split())
        if match := _END_IN.fullmatch(words):
            places = {read_province(place, part, board) for place in match[2].split(",")}
            if end_in and not match[1]:
                raise ObjectiveError(f"{shown(part)}: expected 'end in' once, with all allowed provinces")
            (not_end_in if match[1] else end_in).update(places)
        elif match := _KEEP.fullmatch(words):
            if match[2].casefold().startswith("garrison"):
                keep = max(keep, int(match[1]))
            else:
                discs = max(discs, int(match[1]))
        elif match := _SPEND.fullmatch(words):
            spend = int(match[1]) if spend is None else min(spend, int(match[1]))
        else:
            raise ObjectiveError(
                f"{shown(part)}: expected end in PROVINCE, do not end in PROVINCE, keep N garrisons, keep N discs of imperium "
                "or spend at most N"
            )
    return Constraint(frozenset(end_in), frozenset(not_end_in), keep, spend, discs)


def _weights(word: str, board: Board) -> list[tuple[str, str | None, int]]:
    name, equals, number = word.partition("=")
    kind, at, place = name.partition("@")
    kind = kind.casefold()
    if kind not in (*KINDS, *MODULE_KINDS) or not equals:
        raise ObjectiveError(
            f"{shown(word)}: expected KIND=WEIGHT or KIND@PLACE=WEIGHT with a kind of {', '.join(KINDS)} or, with modules, "
            f"{', '.join(MODULE_KINDS)}"
        )
    if at and kind in NO_PLACE:
        raise ObjectiveError(f"{shown(word)}: {kind} is in no province; expected {kind}=WEIGHT")
    if not re.fullmatch(r"[+-]?[0-9]{1,7}", number) or abs(int(number)) > LARGEST_WEIGHT:
        raise ObjectiveError(f"{shown(word)}: expected a whole number up to {LARGEST_WEIGHT} as weight")
    if not at:
        return [(kind, None, int(number))]
    return [(kind, province, int(number)) for province in read_places(place, word, board)]
