"""Positions and actions to the compiled kernel and back.

The kernel knows integers only; this module gives it its tables and translates. It says nothing about the rules.
"""

from __future__ import annotations

from functools import lru_cache

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.action import END, REDUCE, REMOVE, SECURE, Action, Kind, Outcome, attack, enter, move, sail
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, State, Tables
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset
from tetrasolve.tetrarchia.status import require_legal

OUTCOMES = (Outcome.VICTORY, Outcome.DRAW, Outcome.DEFEAT)

# Which value of a reading each switch of the kernel stands for.
SWITCHES = {
    "entry_may": ("I-ENTRY", "may"),
    "entry_free_only": ("I-ENTRY-SHARED", "free-only"),
    "pass_single": ("I-PASS", "single"),
    "reserve_falls": ("I-RESERVE", "falls"),
    "group_under_army": ("I-REVOLT-GROUP", "under-army"),
    "battle_unbroken": ("I-BATTLE-BROKEN", "not-linked"),
    "one_roll": ("I-CHECK", "one-roll"),
    "order_file": ("I-ORDER", "file"),
    "fresh_wait": ("I-FRESH", "wait"),
    "border_defeat_removes": ("I-BORDER-DEFEAT", "removed"),
}


@lru_cache(maxsize=256)
def kernel_for(board: Board, ruleset: Ruleset) -> Kernel:
    """The kernel for a board and a ruleset, made once; levels that differ only in their set-up have equal rules."""
    order = board.order
    switches = {name: ruleset.readings[reading] == value for name, (reading, value) in SWITCHES.items()}
    return Kernel(
        Tables(
            links=[(order[a], order[b], link.broken) for link in board.links for a, b in [link.between]],
            zones=[sum(1 << (zone - 1) for zone in province.zones) for province in board.provinces.values()],
            adjacent_zones=[(min(pair), max(pair)) for pair in board.adjacent_zones],
            arrows=[-1 if p.arrow is None else order[p.arrow] for p in board.provinces.values()],
            region=[province.region for province in board.provinces.values()],
            number=[province.number for province in board.provinces.values()],
            borders=[order[border] for border in board.borders],
            roma=order[board.roma],
            capitals=[order[emperor.capital] for emperor in board.emperors],
            printed=[board.mask(board.printed(emperor.id)) for emperor in board.emperors],
            garrisons=ruleset.garrisons,
            **switches,
        )
    )


def to_state(position: Position) -> State:
    """The kernel's form of a legal position; IP left over in the Barbarian phase are dropped.

    :raises IllegalPositionError: with all reasons, when the position cannot occur.
    """
    require_legal(position)
    return state_of(position)


def state_of(position: Position) -> State:
    """The kernel's form of a position that is known to be legal, as one is that the rules have led to."""
    board = position.board
    ids = [emperor.id for emperor in board.emperors]
    garrisons = [position.garrisons_mask(emperor) for emperor in ids]
    places = [kernel.OFF if place is None else board.order[place] for place in position.emperors.values()]
    roman = position.phase is Phase.ROMAN
    return State(
        revolts=position.revolts_mask,
        unrest=position.unrest_mask,
        garrisons=(garrisons[0], garrisons[1], garrisons[2], garrisons[3]),
        armies=position.armies_mask,
        emperors=(places[0], places[1], places[2], places[3]),
        fleets=sum(1 << (zone - 1) for zone in position.fleets),
        to_move=ids.index(position.to_move),
        ip=position.ip if roman else 0,
        phase=kernel.ROMAN if roman else kernel.BARBARIAN,
        result=kernel.WON if position.is_won else kernel.OPEN,
    )


def to_position(state: State, board: Board, ruleset: Ruleset) -> Position:
    """The position of a kernel state whose Empire has not fallen.

    :raises ValueError: for a fallen one, which is no position.
    """
    if state.result == kernel.FALLEN:
        raise ValueError("the Empire has fallen: this state is no position")
    discs = dict.fromkeys(board.unmask(state.revolts), REVOLT_DISC)
    discs |= dict.fromkeys(board.unmask(state.unrest), UNREST_DISC)
    for emperor, mask in zip(board.emperors, state.garrisons, strict=True):
        discs |= dict.fromkeys(board.unmask(mask), emperor.id)
    places = (None if place == kernel.OFF else board.ids[place] for place in state.emperors)
    return Position(
        board=board,
        ruleset=ruleset,
        to_move=board.emperors[state.to_move].id,
        phase=Phase.ROMAN if state.phase == kernel.ROMAN else Phase.BARBARIAN,
        ip=state.ip,
        emperors={emperor.id: place for emperor, place in zip(board.emperors, places, strict=True)},
        fleets=tuple(zone for zone in range(1, len(board.zones) + 1) if state.fleets >> (zone - 1) & 1),
        armies=board.unmask(state.armies),
        discs=discs,
    )


def to_code(action: Action, board: Board) -> int:
    """The kernel's integer for an action."""
    a = b = 0
    if action.place is not None:
        a = board.order[action.place]
    if action.zones is not None:
        a, b = action.zones
    if action.outcome is not None:
        b = OUTCOMES.index(action.outcome)
    return KINDS.index(action.kind) | a << 4 | b << 10


def to_action(code: int, board: Board) -> Action:
    """The action of one of the kernel's integers."""
    kind, a, b = KINDS[code & 15], code >> 4 & 63, code >> 10
    match kind:
        case Kind.ENTER:
            return enter(board.ids[a])
        case Kind.MOVE:
            return move(board.ids[a])
        case Kind.SAIL:
            return sail(a, b)
        case Kind.ATTACK:
            return attack(board.ids[a], OUTCOMES[b])
        case _:
            return PLAIN[kind]


KINDS = (
    Kind.ENTER,
    Kind.MOVE,
    Kind.SAIL,
    Kind.SECURE,
    Kind.REMOVE,
    Kind.REDUCE,
    Kind.ATTACK,
    Kind.END,
)
PLAIN = {Kind.SECURE: SECURE, Kind.REMOVE: REMOVE, Kind.REDUCE: REDUCE, Kind.END: END}
