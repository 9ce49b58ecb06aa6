"""What holds at every moment of every game: on the empty board, and after each primitive change if it held before.

A claim is tried at every place with up to three things where it holds together with the claims that support it, and for
each change that is possible there. Tests leave out one guard of a change or one supporting claim at a time: what the claim rests
on breaks it then, so no claim holds vacuously.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial

from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.invariants.places import (
    GARRISONS,
    THREATS,
    Change,
    Place,
    changes,
    places,
    ways,
)
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS, UNREST
from tetrasolve.tetrarchia.ruleset import all_levels

STAYS = "border-secured"
ON_WAY = "army-on-way"

# -- the claims ----------------------------------------------------------------------------------------------------


def _one_figure(place: Place) -> bool:
    figures = place.armies + len(place.emperors)
    passing = place.phase == "roman" and place.armies == 0 and place.active in place.emperors
    return figures < 2 or (figures == 2 and passing)


# What each place looks like
STATES: Mapping[str, Callable[[Place], bool]] = {
    "one-disc": lambda place: len(place.discs) < 2,
    "one-figure": _one_figure,
    "one-fleet": lambda place: place.fleets < 2,
    "army-on-revolt": lambda place: place.armies == 0 or place.kind == "border" or "revolt" in place.discs,
    "army-border-bare": lambda place: place.armies == 0 or place.kind != "border" or not place.discs,
    "army-on-way": lambda place: place.armies == 0 or place.kind in ("roma", "way", "border"),
    "roma-no-army": lambda place: place.kind != "roma" or place.armies == 0,
    "border-no-threat": lambda place: place.kind != "border" or place.discs.isdisjoint(THREATS),
}


def _within_supply(kind: str, before: Place, after: Place, guards: Collection[str]) -> bool:
    """What is placed on the board is one thing out of a reserve that has it; a garrison is the active Emperor's."""
    new = after.discs - before.discs
    if kind in ("army", "fleet"):
        more = after.armies - before.armies if kind == "army" else after.fleets - before.fleets
    elif kind == "garrison":
        if new & {*GARRISONS} - {GARRISONS[before.active]}:
            return False
        more = len(new & {*GARRISONS})
    else:
        more = len(new & {kind})
    return more <= (f"{kind}-left" in guards)


def _garrison_kept(before: Place, after: Place, guards: Collection[str]) -> bool:
    del guards
    return before.kind != "border" or not (before.discs - after.discs) & {*GARRISONS}


# What a change makes of a place
STEPS: Mapping[str, Callable[[Place, Place, Collection[str]], bool]] = {
    **{f"supply-{kind}": partial(_within_supply, kind) for kind in ("revolt", "unrest", "garrison", "army", "fleet")},
    STAYS: _garrison_kept,
}

SUPPORT: Mapping[str, tuple[str, ...]] = {
    "army-on-revolt": ("one-figure",),
    "army-border-bare": ("one-figure",),
    STAYS: ("army-border-bare", "border-no-threat", "one-figure"),
}

# -- the induction -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Induction:
    """What trying a claim has shown: where it broke, and how much was tried."""

    breaks: tuple[str, ...]
    changes: int
    views: int
    cases: int


def reading(claim: str) -> str:
    """The reading of I-BORDER-DEFEAT under which a claim is shown: the freer one, which allows all that the other does."""
    return "stays" if claim == STAYS else "removed"


@lru_cache(maxsize=64)
def induction(claim: str, table: tuple[Change, ...]) -> Induction:
    """Try a claim, and those that support it, on all places where all of them hold and on all changes."""
    claims = (claim, *SUPPORT.get(claim, ()))
    states = [STATES[other] for other in claims if other in STATES]
    allowed = [place for place in places() if all(holds(place) for holds in states)]
    cases = [(change, place) for change in table for place in allowed if change.possible(place)]
    breaks = [f"{change.name}: {other}" for change, place in cases for other in claims if _breaks(other, change, place)]
    if any(place.things == 0 and place not in allowed for place in places()):
        breaks.append("the empty board")
    return Induction(tuple(breaks), len(table), len(allowed), len(cases))


def _breaks(claim: str, change: Change, place: Place) -> bool:
    after = change.results(place)
    if claim in STATES:
        return not all(map(STATES[claim], after))
    return not all(STEPS[claim](place, result, change.guards) for result in after)


# -- the facts -----------------------------------------------------------------------------------------------------

REGIONS = 6  # the outer ones, each with a first revolt
LEVELS = tuple(all_levels())

# How many there are, of garrisons for each Emperor at the level with most; and how many a set-up puts on the board at most
NUMBERS: Mapping[str, tuple[int, int]] = {
    "supply-revolt": (REVOLTS, REGIONS + max(level.revolts for level in LEVELS)),
    "supply-unrest": (UNREST, 0),
    "supply-army": (ARMIES, max(level.armies for level in LEVELS)),
    "supply-garrison": (max(level.garrisons for level in LEVELS), 0),
    "supply-fleet": (most_fleets := max(level.fleets for level in LEVELS), most_fleets),
}


def values_of(board: Board, claim: str) -> Values:
    """The values of an invariant on a board."""
    shown = induction(claim, changes(board, border_defeat=reading(claim)))
    values: dict[str, Value] = {
        "holds": "no" if shown.breaks else "yes",
        "changes": shown.changes,
        "views": shown.views,
        "cases": shown.cases,
        "support": SUPPORT.get(claim, ()),
    }
    if claim == ON_WAY:
        values["ways"] = len(ways(board))
    if claim in NUMBERS:
        values["supply"], values["set-up"] = NUMBERS[claim]
    return values


def _resting(values: Values) -> str:
    """The last part of a sentence: what a claim rests on."""
    support = values["support"]
    if values["holds"] != "yes":
        return " On this board this is not so."
    assert isinstance(support, tuple)
    return f" It rests on {' and '.join(support)}." if support else ""


# Each claim in words; what is in braces is a value
WORDS: Mapping[str, str] = {
    "supply-revolt": "Revolts on the board and in the reserve are always {supply}; a change that needs one finds it there.",
    "supply-unrest": "Unrest on the board and in the reserve is always {supply}; a change that needs one finds it there.",
    "supply-army": "There are never more than {supply} armies on the board.",
    "supply-garrison": "No Emperor ever has more garrisons on the board than the level gives him, {supply} at most.",
    "supply-fleet": "The number of Roman fleets never changes, {supply} at most.",
    "one-disc": "No province ever holds two discs.",
    "one-figure": "No province ever holds two figures, but for the Emperor whose phase it is, who may be passing through another.",
    "one-fleet": "No zone of the sea ever holds two Roman fleets.",
    "army-on-revolt": "An army inside the Empire always stands on a revolt.",
    "army-border-bare": "No disc ever lies under an army on a border.",
    "army-on-way": "An army never leaves the Barbarian paths.",
    "roma-no-army": "While the game is open no army stands in Roma.",
    "border-no-threat": "Neither a revolt nor an unrest ever lies on a border.",
    STAYS: "A border that is secured stays secured for ever, under the reading where a defeat there leaves its garrison.",
}


def _say(claim: str, values: Values) -> str:
    return WORDS[claim].format(**values) + ("" if claim in NUMBERS and values["holds"] == "yes" else _resting(values))


TOPICS = (
    Topic(
        id="invariant",
        family="invariants",
        title="What holds in every position of every game",
        how="Induction: every primitive change, at every place with up to three things where the claim holds.",
        certificate="",
        rows=("arrows",),
        derive=lambda board: {claim: values_of(board, claim) for claim in WORDS},
        certify=None,
        say=_say,
        certainty="proved",
    ),
)
