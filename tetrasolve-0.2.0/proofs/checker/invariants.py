"""Invariants of the base game: what holds on an empty board and is kept by every change holds for ever.

A claim speaks of one place. It is tried on every view of a place on which it holds already, together with the claims that
support it, and on every change that is possible there.

The freer reading of a rule allows all that the other allows, so one proof serves both; only `border/secured` needs to know
that a border keeps its garrison.
"""

from collections.abc import Callable, Iterable

from board import Board
from changes import GARRISONS, View, changes, views, ways
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from maps import row
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
    """Whether what is put on the board is taken from a reserve in which it was, and is the active Emperor's own."""

    def kept(before: View, after: View, guards: Iterable[str]) -> bool:
        count = gained(before, after)[kind]
        own = kind != "garrison" or after.discs - before.discs <= {GARRISONS[before.active], "revolt", "unrest"}
        return count <= int(f"{kind}-left" in guards) and own

    return kept


def keeps_garrison(before: View, after: View, _: Iterable[str]) -> bool:
    """Whether a garrison on a border stays there."""
    return before.kind != "border" or before.discs & {*GARRISONS} <= after.discs


STEPS: dict[str, Callable[[View, View, Iterable[str]], bool]] = {
    **{f"supply-{kind}": keeps_supply(kind) for kind in ("revolt", "unrest", "garrison", "army", "fleet")},
    "border-secured": keeps_garrison,
}

# How many there are, of garrisons for each Emperor at the level with most; and how many a set-up puts on the board at most
NUMBERS = {
    "supply-revolt": (MOST_REVOLTS, 6 + 2),
    "supply-unrest": (MOST_UNREST, 0),
    "supply-garrison": (5, 0),
    "supply-army": (MOST_ARMIES, 2),
    "supply-fleet": (3, 3),
}

# What each claim needs besides itself
SUPPORT: dict[str, tuple[str, ...]] = {
    "army-on-revolt": ("one-figure",),
    "army-border-bare": ("one-figure",),
    "border-secured": ("army-border-bare", "border-no-threat", "one-figure"),
}


def broken(claim: str, before: View, after: View, guards: Iterable[str]) -> bool:
    """Whether a change breaks a claim."""
    return not STATES[claim](after) if claim in STATES else not STEPS[claim](before, after, guards)


# -- the proof -------------------------------------------------------------------------------------------------


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Try a claim, and those that support it, on every view where they hold and every change that is possible there."""
    claim = fact.instance
    if claim not in STATES and claim not in STEPS:
        raise lines.refuted(f"there is no fact {fact.id}")
    claims = (claim, *SUPPORT.get(claim, ()))
    table = changes(board, "stays" if claim == "border-secured" else "removed")
    allowed = [view for view in views() if all(STATES[other](view) for other in claims if other in STATES)]
    if any(view.things() == 0 and view not in allowed for view in views()):
        raise lines.refuted("it does not hold on an empty board")
    cases = 0
    for change in table:
        for view in filter(change.possible, allowed):
            cases += 1
            for other in claims:
                if any(broken(other, view, after, change.guards) for after in change.effect(view)):
                    raise lines.refuted(f"'{change.name}' breaks {other} here: {view}")
    numbers = dict(zip(("supply", "set-up"), map(str, NUMBERS[claim]), strict=True)) if claim in NUMBERS else {}
    if claim == "army-on-way":
        numbers["ways"] = str(len(ways(board)))
    return numbers | {
        "holds": "yes",
        "changes": str(len(table)),
        "views": str(len(allowed)),
        "cases": str(cases),
        "support": row(claims[1:]),
    }
