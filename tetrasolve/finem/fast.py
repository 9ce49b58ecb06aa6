"""The kernel's rules for positions: conversion to its states and options, and back.

`tetrasolve.finem.kernel` has the rules on packed states, written apart from `tetrasolve.finem.rules`. Programs that play many
turns hold on to a `Kernel` and its states; `engine_of` makes it for a ruleset.
"""

from __future__ import annotations

from functools import lru_cache

from tetrasolve.finem.kernel import Kernel, State
from tetrasolve.finem.layout import GRID, NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import Position, Result, Step
from tetrasolve.finem.position import State as PositionOrResult
from tetrasolve.finem.ruleset import KERNEL_READINGS, ROLES, Ruleset

STEPS = tuple(Step)
KIND = 12  # bits of an option's details
IN_HAND = 32  # of a card: one of the Tribune's invasion, which he carries out next
UNSEEN = 31  # in place of a card: one is drawn before another is exchanged
(
    CARD,
    ROLE,
    CONFRONT,
    MOVE,
    RIDE,
    PACIFY,
    PASS,
    STAY,
    KEEP,
    EXCHANGE,
    REMOVE,
    RAISE,
    PROTECT,
    DISCARD,
    REMOVE_BESIDE,
    CHOOSE,
) = range(16)
AN_ORDER = 64  # in the details of a choice: the order of the cards, not the way of the decline
VERBS = {
    CONFRONT: "confront",
    MOVE: "move",
    RIDE: "ride",
    PACIFY: "pacify",
    PASS: "pass",
    STAY: "stay",
    KEEP: "keep",
    EXCHANGE: "exchange",
    REMOVE: "remove",
    RAISE: "raise",
    PROTECT: "protect",
    DISCARD: "discard",
    REMOVE_BESIDE: "remove",
}


@lru_cache(maxsize=64)
def engine_of(ruleset: Ruleset) -> Kernel:
    """The kernel with the rules and the map of a ruleset.

    >>> bin(engine_of(Ruleset("standard")).neighbours[REGIONS.index("C7")]).count("1")
    3

    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    ruleset.require_kernel()
    layout = ruleset.layout
    columns, rows = range(1, GRID.columns + 1), range(1, GRID.rows + 1)
    there = [[layout.region.get((row, column)) for column in columns] for row in rows]
    starts = layout.corners if "corner" in ruleset.options else (layout.start,)
    return Kernel(
        level=ruleset.level,
        options=ruleset.options,
        readings={name: ruleset.readings[name] for name in KERNEL_READINGS},
        rows=[[-1 if region is None else NUMBER[region] for region in row] for row in there],
        starts=[NUMBER[region] for region in starts],
        table_start=NUMBER[layout.start],
    )


def state_of(position: Position) -> State:
    """The kernel's state of a position.

    :raises KernelError: when the kernel cannot go on from it: more cubes than there are, or a step without its cards.
    """
    return State(
        position.cubes,
        dice=position.dice,
        pacified=sum(1 << TRIBES.index(tribe) for tribe in position.pacified),
        decline=position.decline,
        outbreaks=position.outbreaks,
        role=0 if position.role is None else ROLES.index(position.role) + 1,
        pawn=NUMBER[position.pawn],
        start=NUMBER[position.start],
        last=NUMBER[position.last],
        step=STEPS.index(position.step),
        left=position.left,
        out=sum(1 << NUMBER[card] for card in position.out),
        card=_card(position.card),
        shield=_card(position.protected),
        is_quiet=position.is_quiet,
        has_exchanged=position.has_exchanged,
        has_travel=position.has_travel,
        hand=[NUMBER[card] for card in position.hand],
    )


def _card(card: str | None) -> int:
    return 0 if card is None else NUMBER[card] + 1


def position_of(ruleset: Ruleset, state: State) -> PositionOrResult:
    """The position of a kernel's state, or the result of the game."""
    if state.result:
        return Result(state.result)
    fields = state.fields()
    o, c, e, b = fields["dice"]
    return Position(
        ruleset=ruleset,
        role=ROLES[fields["role"] - 1] if fields["role"] else None,
        pawn=REGIONS[fields["pawn"]],
        start=REGIONS[fields["start"]],
        last=REGIONS[fields["last"]],
        cubes=tuple((row[0], row[1], row[2], row[3]) for row in fields["cubes"]),
        dice=(o, c, e, b),
        pacified=frozenset(tribe for at, tribe in enumerate(TRIBES) if fields["pacified"] >> at & 1),
        decline=fields["decline"],
        outbreaks=fields["outbreaks"],
        step=STEPS[fields["step"]],
        left=fields["left"],
        card=REGIONS[fields["card"] - 1] if fields["card"] else None,
        hand=tuple(REGIONS[card] for card in fields["hand"]),
        out=frozenset(region for at, region in enumerate(REGIONS) if fields["out"] >> at & 1),
        protected=REGIONS[fields["shield"] - 1] if fields["shield"] else None,
        is_quiet=fields["is_quiet"],
        has_exchanged=fields["has_exchanged"],
        has_travel=fields["has_travel"],
    )


def option_text(option: int) -> str:
    """An option of the kernel in the words of the reference rules.

    >>> option_text(2 << 12 | 4 | 1), option_text(13 << 12 | 2), option_text(3)
    ('confront C all', 'discard O2', 'OS')
    >>> option_text(15 << 12 | 3), option_text(15 << 12 | 64 | 1 | 1 << 4)
    ('decline 3', 'order C O C')
    """
    kind, details = option >> KIND, option & ((1 << KIND) - 1)
    match kind:
        case 0 if details & IN_HAND:
            return f"invade {REGIONS[details & 31]}"
        case 0:
            return REGIONS[details]
        case 1:
            return ROLES[details - 1]
        case 2:
            words = [TRIBES[details & 3], *(["all"] if details & 4 else [])]
        case 5 | 11:
            words = [TRIBES[details]]
        case 9 if details == UNSEEN:
            words = []
        case 3 | 9 | 12:
            words = [REGIONS[details]]
        case 10:
            words = [REGIONS[details & 31], TRIBES[details >> 5 & 3], *(["all"] if details >> 7 else [])]
        case 14:
            words = [REGIONS[details & 31], TRIBES[details >> 5 & 3], "all", REGIONS[details >> 7]]
        case 13:
            points = [(tribe, details >> 3 * at & 7) for at, tribe in enumerate(TRIBES)]
            words = [f"{tribe}{number}" for tribe, number in points if number]
        case 15 if details & AN_ORDER:
            return " ".join(["order", *(TRIBES[details >> 2 * at & 3] for at in range(3))])
        case 15:
            return f"decline {details}"
        case _:
            words = []
    return " ".join([VERBS[kind], *words])
