"""What can happen to one place on the board: the few primitive changes of which every rule is made.

The rules of the base game move, put and lift one thing after the other. Here each such change stands by itself: *what must
be so* at the place where it happens, in words of `GUARDS`, and what the place looks like afterwards. A place is a province or
a zone of the sea, and a `View` is all that can be seen there. There are few views, so whatever is claimed of all places at
all times can be tried out on every one of them: the module `invariants` does so. That the rules are made of these changes
and of no others is looked at by tests, wherever games at random lead.

Views with more than three things need not be tried. The claims `one-disc`, `one-figure` and `one-fleet` leave no place with
more than a disc and two Emperors, and what they allow is tried for them as for all.

The Emperor whose turn it is has number 0 in a view, since all four have the same rules.
"""

from collections.abc import Callable
from functools import cache
from itertools import combinations, product
from typing import Any, NamedTuple

from board import Board

GARRISONS = tuple(f"garrison{number}" for number in range(4))
DISCS = ("revolt", "unrest", *GARRISONS)
LAND = (
    "roma",
    "way",
    "roman",
    "border",
)  # Roma, on a Barbarian path, any other Roman province, a border; else a "zone"


class View(NamedTuple):
    """All that can be seen in one place, and whose turn it is."""

    kind: str
    discs: frozenset[str]
    armies: int
    emperors: frozenset[int]
    fleets: int
    active: int
    phase: str

    def __str__(self) -> str:
        discs = "+".join(disc for disc in DISCS if disc in self.discs) or "-"
        emperors = "".join(map(str, sorted(self.emperors))) or "-"
        return f"{self.kind} {discs} {self.armies} {emperors} {self.fleets} {self.active} {self.phase}"

    def things(self) -> int:
        """How many things are there."""
        return len(self.discs) + self.armies + len(self.emperors) + self.fleets


MOST_THINGS = 3


@cache
def views() -> list[View]:
    """Every view with up to three things, whether a game can reach it or not; the simpler ones first."""
    found = []
    discs = [frozenset(some) for size in range(4) for some in combinations(DISCS, size)]
    emperors = [frozenset(some) for size in range(4) for some in combinations(range(4), size)]
    for phase in ("roman", "barbarian"):
        for kind, lying, armies, standing in product(LAND, discs, range(3), emperors):
            found.append(View(kind, lying, armies, standing, 0, 0, phase))
        found += [View("zone", frozenset(), 0, frozenset(), fleets, 0, phase) for fleets in range(3)]
    return sorted((view for view in found if view.things() <= MOST_THINGS), key=lambda view: (view.things(), str(view)))


# -- what must be so -------------------------------------------------------------------------------------------

GUARDS: dict[str, Callable[[View], bool]] = {
    "land": lambda view: view.kind != "zone",
    "empire": lambda view: view.kind in ("roma", "way", "roman"),
    "outside-roma": lambda view: view.kind != "roma",
    "on-a-way": lambda view: view.kind in ("roma", "way", "border"),
    "border": lambda view: view.kind == "border",
    "his-phase": lambda view: view.phase == "roman",
    "their-phase": lambda view: view.phase == "barbarian",
    "he-is-here": lambda view: view.active in view.emperors,
    "he-is-alone": lambda view: not view.emperors - {view.active},
    "not-shared": lambda view: view.active not in view.emperors or len(view.emperors) == 1,
    "an-emperor": lambda view: bool(view.emperors),
    "no-emperor": lambda view: not view.emperors,
    "an-army": lambda view: view.armies > 0,
    "no-army": lambda view: view.armies == 0,
    "no-disc": lambda view: not view.discs,
    "a-revolt": lambda view: "revolt" in view.discs,
    "an-unrest": lambda view: "unrest" in view.discs,
    "a-threat": lambda view: bool(view.discs & {"revolt", "unrest"}),
    "a-fleet": lambda view: view.fleets > 0,
    "no-fleet": lambda view: view.kind == "zone" and view.fleets == 0,
    # of the reserve, which no place shows
    "revolt-left": lambda _: True,
    "unrest-left": lambda _: True,
    "garrison-left": lambda _: True,
    "army-left": lambda _: True,
    "fleet-left": lambda _: True,
}


class Change(NamedTuple):
    """A change by name, what must be so, and the views that can come of it."""

    name: str
    guards: tuple[str, ...]
    effect: Callable[[View], list[View]]

    def possible(self, view: View) -> bool:
        """Whether all guards hold here."""
        return all(GUARDS[guard](view) for guard in self.guards)


# -- the changes -----------------------------------------------------------------------------------------------


def one(**new: Callable[[View], Any]) -> Callable[[View], list[View]]:
    """The effect that gives some parts of a view a new value."""
    return lambda view: [view._replace(**{part: value(view) for part, value in new.items()})]


def only(*discs: str) -> Callable[[View], frozenset[str]]:
    """These discs and no others."""
    return lambda _: frozenset(discs)


def one_less(view: View) -> int:
    """An army fewer, if there is one."""
    return max(view.armies - 1, 0)


def one_emperor_less(view: View) -> list[View]:
    """Any Emperor goes off the board."""
    return [view._replace(emperors=view.emperors - {emperor}) for emperor in sorted(view.emperors)]


REVOLT_INSTEAD = only("revolt")

CHANGES = [
    # the set-up; an army is put on its border by `army-arrives`, a fleet on its zone by `fleet-comes`
    Change("first-revolt", ("empire", "his-phase", "no-disc", "no-army", "revolt-left"), one(discs=REVOLT_INSTEAD)),
    # the Roman phase
    Change("come", ("land", "his-phase", "no-army"), one(emperors=lambda view: view.emperors | {view.active})),
    Change("go", ("his-phase", "he-is-here"), one(emperors=lambda view: view.emperors - {view.active})),
    Change(
        "secure",
        ("his-phase", "he-is-here", "he-is-alone", "no-disc", "garrison-left"),
        one(discs=lambda view: view.discs | {GARRISONS[view.active]}),
    ),
    Change(
        "remove",
        ("his-phase", "he-is-here", "he-is-alone", "a-threat"),
        one(discs=lambda view: view.discs - {"revolt", "unrest"}),
    ),
    Change(
        "reduce",
        ("his-phase", "he-is-here", "he-is-alone", "a-revolt", "unrest-left"),
        one(discs=lambda view: view.discs - {"revolt"} | {"unrest"}),
    ),
    Change("lose-garrison", ("his-phase", "he-is-here", "he-is-alone"), one(discs=lambda v: v.discs - {*GARRISONS})),
    Change("army-beaten", ("an-army",), one(armies=one_less, discs=only())),
    Change("fleet-leaves", ("his-phase", "a-fleet"), one(fleets=lambda view: max(view.fleets - 1, 0))),
    Change("fleet-comes", ("his-phase", "no-fleet", "fleet-left"), one(fleets=lambda view: view.fleets + 1)),
    Change("turn-ends", ("his-phase", "not-shared"), one(phase=lambda _: "barbarian")),
    # the Barbarian phase
    Change("spread", ("their-phase", "an-unrest", "revolt-left"), one(discs=REVOLT_INSTEAD)),
    Change("emperor-removed", ("their-phase", "an-emperor"), one_emperor_less),
    Change(
        "unrest-comes", ("empire", "their-phase", "no-disc", "unrest-left"), one(discs=lambda v: v.discs | {"unrest"})
    ),
    Change("uprising", ("empire", "their-phase", "revolt-left"), one(discs=REVOLT_INSTEAD)),
    Change(
        "army-arrives",
        ("border", "no-disc", "no-army", "no-emperor", "army-left"),
        one(armies=lambda view: view.armies + 1),
    ),
    Change("army-leaves", ("their-phase", "an-army"), one(armies=one_less)),
    Change(
        "army-enters",
        ("empire", "outside-roma", "on-a-way", "their-phase", "no-army", "no-emperor", "army-left", "revolt-left"),
        one(armies=lambda view: view.armies + 1, discs=REVOLT_INSTEAD),
    ),
    Change("next-turn", ("their-phase",), one(active=lambda view: (view.active + 1) % 4, phase=lambda _: "roman")),
]

# On a board with an arrow to a border an army would also come there, and leave no revolt behind
TO_A_BORDER = Change(
    "army-crosses",
    ("border", "on-a-way", "their-phase", "no-army", "no-emperor", "army-left"),
    one(armies=lambda view: view.armies + 1),
)


def changes(board: Board, border_defeat: str) -> list[Change]:
    """The changes on a board, under a reading of I-BORDER-DEFEAT: where it is `stays`, no border loses its garrison."""
    found = list(CHANGES)
    if any(target in board.borders for target in board.arrow.values()):
        found.append(TO_A_BORDER)
    if border_defeat == "stays":
        found = [
            change._replace(guards=("empire", *change.guards)) if change.name == "lose-garrison" else change
            for change in found
        ]
    return found


def ways(board: Board) -> set[str]:
    """The provinces to which arrows lead from the borders, and the borders."""
    found = set(board.borders)
    edge = list(found)
    while edge:
        target = board.arrow.get(edge.pop())
        if target is not None and target not in found:
            found.add(target)
            edge.append(target)
    return found
