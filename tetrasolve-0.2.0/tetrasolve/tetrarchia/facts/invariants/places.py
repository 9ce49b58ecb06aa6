"""The primitive changes of which all rules are made, each at one place on the board.

A `Place` is what is to be seen in a province or in a zone of the sea. A change has guards, what must be so there, and
effects. Both are words; `GUARDS` and `EFFECTS` say what each of them means. The checker has the same changes in a writing of
its own; tests hold both against the rules, wherever games at random lead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

from tetrasolve.tetrarchia.board import Board

KINDS = ("border", "roma", "roman", "way")  # on land; `way` is on a Barbarian path, `roman` is any other province
GARRISONS = tuple(f"garrison{number}" for number in range(4))
DISCS = ("revolt", "unrest", *GARRISONS)
THREATS = frozenset(DISCS[:2])
MOST_THINGS = 3  # a disc and two Emperors, one of them on his way


@dataclass(frozen=True, slots=True)
class Place:
    """What is to be seen in one place, and whose turn it is; Emperors by number, in turn order."""

    kind: str
    discs: frozenset[str] = frozenset()
    armies: int = 0
    emperors: frozenset[int] = frozenset()
    fleets: int = 0
    active: int = 0
    phase: str = "roman"

    @property
    def things(self) -> int:
        """How many things are there."""
        return len(self.discs) + self.armies + len(self.emperors) + self.fleets

    def __str__(self) -> str:
        discs = "+".join(sorted(self.discs, key=DISCS.index)) or "-"
        emperors = "".join(map(str, sorted(self.emperors))) or "-"
        return f"{self.kind} {discs} {self.armies} {emperors} {self.fleets} {self.active} {self.phase}"


GUARDS: Mapping[str, Callable[[Place], bool]] = {
    "land": lambda place: place.kind in KINDS,
    "empire": lambda place: place.kind in KINDS and place.kind != "border",
    "outside-roma": lambda place: place.kind != "roma",
    "on-a-way": lambda place: place.kind in KINDS and place.kind != "roman",
    "border": lambda place: place.kind == "border",
    "his-phase": lambda place: place.phase == "roman",
    "their-phase": lambda place: place.phase == "barbarian",
    "he-is-here": lambda place: place.active in place.emperors,
    "he-is-alone": lambda place: place.emperors <= {place.active},
    "not-shared": lambda place: place.active not in place.emperors or place.emperors == {place.active},
    "an-emperor": lambda place: len(place.emperors) > 0,
    "no-emperor": lambda place: len(place.emperors) == 0,
    "an-army": lambda place: place.armies > 0,
    "no-army": lambda place: place.armies == 0,
    "no-disc": lambda place: len(place.discs) == 0,
    "a-revolt": lambda place: "revolt" in place.discs,
    "an-unrest": lambda place: "unrest" in place.discs,
    "a-threat": lambda place: not place.discs.isdisjoint(THREATS),
    "a-fleet": lambda place: place.fleets > 0,
    "no-fleet": lambda place: place.kind == "zone" and place.fleets == 0,
    # the reserve is nowhere to be seen: these guards bear on what may be put on the board, not on where
    **{f"{kind}-left": lambda _: True for kind in ("revolt", "unrest", "garrison", "army", "fleet")},
}

EFFECTS: Mapping[str, Callable[[Place], Mapping[str, Any]]] = {
    "revolt": lambda _: {"discs": frozenset({"revolt"})},
    "no-disc": lambda _: {"discs": frozenset()},
    "unrest": lambda place: {"discs": place.discs | {"unrest"}},
    "own-garrison": lambda place: {"discs": place.discs | {GARRISONS[place.active]}},
    "no-threat": lambda place: {"discs": place.discs - THREATS},
    "no-garrison": lambda place: {"discs": place.discs & THREATS},
    "revolt-to-unrest": lambda place: {"discs": (place.discs - {"revolt"}) | {"unrest"}},
    "he-comes": lambda place: {"emperors": place.emperors | {place.active}},
    "he-goes": lambda place: {"emperors": place.emperors - {place.active}},
    "army": lambda place: {"armies": place.armies + 1},
    "army-away": lambda place: {"armies": max(0, place.armies - 1)},
    "fleet": lambda place: {"fleets": place.fleets + 1},
    "fleet-away": lambda place: {"fleets": max(0, place.fleets - 1)},
    "barbarians": lambda _: {"phase": "barbarian"},
    "next": lambda place: {"phase": "roman", "active": (place.active + 1) % 4},
}

# Name, guards, effects; `emperor-removed` alone can end in several ways
TABLE = """
first-revolt    : empire his-phase no-disc no-army revolt-left                      : revolt
come            : land his-phase no-army                                            : he-comes
go              : his-phase he-is-here                                              : he-goes
secure          : his-phase he-is-here he-is-alone no-disc garrison-left            : own-garrison
remove          : his-phase he-is-here he-is-alone a-threat                         : no-threat
reduce          : his-phase he-is-here he-is-alone a-revolt unrest-left             : revolt-to-unrest
lose-garrison   : his-phase he-is-here he-is-alone                                  : no-garrison
army-beaten     : an-army                                                           : no-disc army-away
fleet-leaves    : his-phase a-fleet                                                 : fleet-away
fleet-comes     : his-phase no-fleet fleet-left                                     : fleet
turn-ends       : his-phase not-shared                                              : barbarians
spread          : their-phase an-unrest revolt-left                                 : revolt
emperor-removed : their-phase an-emperor                                            : one-of-them
unrest-comes    : empire their-phase no-disc unrest-left                            : unrest
uprising        : empire their-phase revolt-left                                    : revolt
army-arrives    : border no-disc no-army no-emperor army-left                       : army
army-leaves     : their-phase an-army                                               : army-away
army-enters     : empire outside-roma on-a-way their-phase no-army no-emperor army-left revolt-left : revolt army
next-turn       : their-phase                                                       : next
army-crosses    : border on-a-way their-phase no-army no-emperor army-left          : army
"""
SET_UP = "first-revolt"  # the one change that happens before the first turn only
ABROAD = "army-crosses"  # where an arrow leads to a border, which no printed map has


@dataclass(frozen=True, slots=True)
class Change:
    """A primitive change: its guards, and its effects, all of which happen at once."""

    name: str
    guards: tuple[str, ...]
    effects: tuple[str, ...]

    def possible(self, place: Place) -> bool:
        """Whether its guards hold here."""
        return all(GUARDS[guard](place) for guard in self.guards)

    def results(self, place: Place) -> tuple[Place, ...]:
        """What the place can look like afterwards."""
        if self.effects == ("one-of-them",):
            return tuple(replace(place, emperors=place.emperors - {emperor}) for emperor in sorted(place.emperors))
        for effect in self.effects:
            place = replace(place, **EFFECTS[effect](place))
        return (place,)


def changes(board: Board, *, border_defeat: str) -> tuple[Change, ...]:
    """The changes that happen on a board, under a reading of I-BORDER-DEFEAT."""
    abroad = any(place.arrow is not None and board[place.arrow].is_border for place in board.provinces.values())
    return tuple(_change(line, border_defeat) for line in TABLE.strip().split("\n") if abroad or ABROAD not in line)


@lru_cache(maxsize=4096)
def _change(line: str, border_defeat: str) -> Change:
    name, guards, effects = (part.split() for part in line.split(":"))
    if name == ["lose-garrison"] and border_defeat == "stays":
        guards = ["empire", *guards]
    return Change(name[0], tuple(guards), tuple(effects))


@cache
def places() -> tuple[Place, ...]:
    """Every place with up to `MOST_THINGS` things, whether a game reaches it or not; the simpler ones first."""
    found = [place for phase in ("roman", "barbarian") for place in _places(phase)]
    return tuple(sorted(found, key=lambda place: (place.things, str(place))))


def _places(phase: str) -> Iterator[Place]:
    for fleets in range(MOST_THINGS):
        yield Place("zone", fleets=fleets, phase=phase)
    for armies in range(MOST_THINGS):
        for size in range(MOST_THINGS - armies + 1):
            for things in combinations((*DISCS, *range(4)), size):
                discs = frozenset(thing for thing in things if isinstance(thing, str))
                emperors = frozenset(thing for thing in things if isinstance(thing, int))
                for kind in KINDS:
                    yield Place(kind, discs, armies, emperors, phase=phase)


def ways(board: Board) -> frozenset[str]:
    """The provinces on a Barbarian path: the borders, and all to which arrows lead from there."""
    found: set[str] = set()
    for border in board.borders:
        here: str | None = border
        while here is not None and here not in found:
            found.add(here)
            here = board[here].arrow
    return frozenset(found)
