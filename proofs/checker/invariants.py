"""Invariants of the base game: what holds on an empty table and is kept by every change holds for ever.

A claim speaks of one place. It is tried on every view of a place on which it holds already, together with the claims that
support it, and on every change that is possible there. The values also say what the claim rests on: each guard of a change
without which it would be broken, and each supporting claim without which it could not be shown. So a claim that holds for no
reason, or a list of changes that lacks one, is found out.

The freer reading of a rule allows all that the other allows, so one proof serves both; only `border/secured` needs to know
that a border keeps its garrison.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

from board import Board
from changes import GARRISONS, Change, View, changes, views, ways
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from rules import MOST_UNREST
from text import Lines

# -- the claims ------------------------------------------------------------------------------------------------


def one_figure(view: View) -> bool:
    """One figure at most, but the Emperor whose phase it is may pass through another."""
    if view.armies + len(view.emperors) <= 1:
        return True
    passing = view.phase == "roman" and view.active in view.emperors
    return passing and view.armies == 0 and len(view.emperors) == 2


STATES: dict[str, Callable[[View], bool]] = {
    "one-disc": lambda view: len(view.discs) <= 1,
    "one-figure": one_figure,
    "one-fleet": lambda view: view.fleets <= 1,
    "army-on-revolt": lambda view: not view.armies or view.kind == "border" or "revolt" in view.discs,
    "army-border-bare": lambda view: not view.armies or view.kind != "border" or not view.discs,
    "army-on-way": lambda view: not view.armies or view.kind in ("roma", "way", "border"),
    "roma-no-army": lambda view: not view.armies or view.kind != "roma",
    "border-no-threat": lambda view: view.kind != "border" or not view.discs & {"revolt", "unrest"},
}


def gained(before: View, after: View) -> dict[str, int]:
    """How many things of each kind a change has brought to the place."""
    new = after.discs - before.discs
    return {
        "revolt": int("revolt" in new),
        "unrest": int("unrest" in new),
        "garrison": len(new & {*GARRISONS}),
        "army": after.armies - before.armies,
        "fleet": after.fleets - before.fleets,
    }


def keeps_supply(kind: str) -> Callable[[View, View, Iterable[str]], bool]:
    """Whether what is put on the table is taken from a reserve in which it was, and is the active Emperor's own."""

    def kept(before: View, after: View, guards: Iterable[str]) -> bool:
        count = gained(before, after)[kind]
        own = kind != "garrison" or after.discs - before.discs <= {GARRISONS[before.active], "revolt", "unrest"}
        return count <= int(f"{kind}-left" in guards) and own

    return kept


def keeps_garrison(before: View, after: View, _: Iterable[str]) -> bool:
    """Whether a garrison on a border stays there."""
    return before.kind != "border" or before.discs & {*GARRISONS} <= after.discs


STEPS: dict[str, Callable[[View, View, Iterable[str]], bool]] = {
    **{f"supply/{kind}": keeps_supply(kind) for kind in ("revolt", "unrest", "garrison", "army", "fleet")},
    "border/secured": keeps_garrison,
}

# The claims by the instances of the facts `invariant`
CLAIMS = {claim.replace("/", "-"): claim for claim in (*STATES, *STEPS) if claim != "border/secured"}

# How many there are, of garrisons for each Emperor at the level with most; and how many a set-up puts on the table at most
NUMBERS = {
    "supply/revolt": (MOST_REVOLTS, 6 + 2),
    "supply/unrest": (MOST_UNREST, 0),
    "supply/garrison": (5, 0),
    "supply/army": (MOST_ARMIES, 2),
    "supply/fleet": (3, 3),
}

# What each claim needs besides itself
SUPPORT: dict[str, tuple[str, ...]] = {
    "army-on-revolt": ("one-figure",),
    "army-border-bare": ("one-figure",),
    "border/secured": ("army-border-bare", "border-no-threat", "one-figure"),
}


def broken(claim: str, before: View, after: View, guards: Iterable[str]) -> bool:
    """Whether a change breaks a claim."""
    return not STATES[claim](after) if claim in STATES else not STEPS[claim](before, after, guards)


# -- the proof -------------------------------------------------------------------------------------------------


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Try a claim on every view and every change, and say what it rests on."""
    claim = fact.id if fact.id in STEPS else CLAIMS.get(fact.instance, "")
    if claim not in STATES and claim not in STEPS:
        raise lines.refuted(f"there is no fact {fact.id}")
    shown = induction(claim, board)
    if shown.trouble:
        raise lines.refuted(shown.trouble)
    numbers = dict(zip(("supply", "set-up"), map(str, NUMBERS[claim]), strict=True)) if claim in NUMBERS else {}
    if claim == "army-on-way":
        numbers["ways"] = str(len(ways(board)))
    return numbers | {
        "holds": "yes",
        "changes": str(shown.changes),
        "views": str(shown.views),
        "cases": str(shown.cases),
        "support": row(claim for claim, _, _ in shown.support),
        "guards": row(f"{change}:{guard}" for change, guard, _ in shown.guards),
    }


class Induction(NamedTuple):
    """What trying a claim has shown: where it fails (nowhere, if empty), how much was tried, and what it rests on."""

    trouble: str
    changes: int
    views: int
    cases: int
    guards: list[tuple[str, str, View]]
    support: list[tuple[str, str, View]]


@cache
def induction(claim: str, board: Board) -> Induction:
    """Try a claim on every view and every change."""
    table = changes(board, "stays" if claim == "border/secured" else "removed")
    every = views()
    support = SUPPORT.get(claim, ())
    assumed = [other for other in (claim, *support) if other in STATES]
    allowed = [view for view in every if all(STATES[other](view) for other in assumed)]
    trouble, cases = "", 0
    if any(view.things() == 0 and view not in allowed for view in every):
        trouble = "it does not hold on an empty table"
    for change in table:
        for view in allowed:
            if change.possible(view):
                cases += 1
                for other in (claim, *support):
                    if breaks(other, change, view):
                        trouble = f"'{change.name}' breaks {other} here: {view}"
    guards, supports = needed(claim, table, allowed), supported(claim, support, table, every)
    return Induction(trouble, len(table), len(allowed), cases, guards, supports)


def breaks(claim: str, change: Change, view: View, without: str = "") -> bool:
    """Whether a change here breaks a claim, one of its guards left out."""
    guards = [guard for guard in change.guards if guard != without]
    return any(broken(claim, view, after, guards) for after in change.effect(view))


def needed(claim: str, table: list[Change], allowed: list[View]) -> list[tuple[str, str, View]]:
    """The guards without which a change would break the claim, each with the simplest view where it does."""
    found = []
    for change in table:
        for guard in change.guards:
            for view in allowed:
                if change.possible(view, guard) and breaks(claim, change, view, guard):
                    found.append((change.name, guard, view))
                    break
    return found


def supported(
    claim: str, support: tuple[str, ...], table: list[Change], every: list[View]
) -> list[tuple[str, str, View]]:
    """The supporting claims, each with a change and the simplest view where without it the rest would be broken."""
    found = []
    for left_out in support:
        rest = [other for other in (claim, *support) if other != left_out]
        states = [other for other in rest if other in STATES]
        for view in every:
            if all(STATES[other](view) for other in states):
                names = [c.name for c in table if c.possible(view) and any(breaks(other, c, view) for other in rest)]
                if names:
                    found.append((left_out, names[0], view))
                    break
    return found


def row(words: Iterable[str]) -> str:
    """Words as a value."""
    listed = list(words)
    return ".".join(listed) + ("." if len(listed) == 1 else "") if listed else "-"
