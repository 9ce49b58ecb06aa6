"""Translates positions and actions to the compiled kernels and back.

There are two kernels: `tetrasolve.tetrarchia.kernel` plays the base game, `tetrasolve.tetrarchia.whole` also the modules,
variants and rebels. They work with integers; this module chooses a kernel, gives it its tables and translates. It contains
no rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from types import ModuleType
from typing import Any, cast

from tetrasolve.errors import ArgumentError
from tetrasolve.tetrarchia import kernel, whole
from tetrasolve.tetrarchia.action import MOST_PAID, PIRATES, Action, Kind, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Kernel, State
from tetrasolve.tetrarchia.pieces import (
    DUX,
    HELPERS,
    NO_PIECES,
    REBEL_FIGURES,
    RESERVE,
    VICARIUS,
    BarbarianDiscs,
    Counts,
    Goths,
    Helper,
    Pieces,
    Pirates,
    Rebel,
    Rebels,
)
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset
from tetrasolve.tetrarchia.status import require_kernel

OUTCOMES = (Outcome.VICTORY, Outcome.DRAW, Outcome.DEFEAT)

EXTENSIONS = (
    "dux",
    "vicarius",
    "pirates",
    "goths",
    "mare-nostrum",
    "via-romana",
    "usurpator",
    "roma-aeterna",
    "imperium",
    "barbaria",
)

# Numbers of the figures that act with the active Emperor's IP: the helpers from 1 on, then the other Emperors.
_OTHERS = len(HELPERS)


def engine_for(ruleset: Ruleset, *, rebels: bool = False) -> ModuleType:
    """The compiled module that plays a ruleset: its `Kernel`, `State`, `Rng`, `Turn` and `Line` go together.

    The kernel of the base game is faster; rebels, house rules, and some readings, need the other one.

    :raises ReferenceOnlyError: for a ruleset with readings or house rules that only the reference rules play.
    """
    ruleset.require_kernel()
    return whole if rebels or ruleset.extensions or ruleset.house or needs_whole(ruleset) else kernel


def needs_whole(ruleset: Ruleset) -> bool:
    """Whether it has a reading that the kernel of the base game does not know."""
    return any(READINGS[name].whole for name, _ in ruleset.interpretations)


@lru_cache(maxsize=256)
def kernel_for(board: Board, ruleset: Ruleset, *, rebels: bool = False) -> Kernel:
    """The kernel for a board and a ruleset, made once; levels that differ only in their set-up have equal rules.

    `rebels`: whether there may be rebels in the positions, see `kernel_of`.

    :raises ReferenceOnlyError: for a ruleset with readings or house rules that only the reference rules play.
    """
    engine = engine_for(ruleset, rebels=rebels)
    tables: dict[str, Any] = _tables(board, ruleset)
    if engine is kernel:
        return Kernel(kernel.Tables(**tables))
    tables |= {name.replace("-", "_"): name in ruleset.extensions for name in EXTENSIONS}
    tables["house"] = dict(ruleset.house)
    # whole.Kernel has all methods of kernel.Kernel
    return cast(Kernel, whole.Kernel(whole.Tables(**tables)))


def kernel_of(position: Position) -> Kernel:
    """The kernel for the state of this position (`to_state`)."""
    return kernel_for(position.board, position.ruleset, rebels=bool(position.rebels))


def _tables(board: Board, ruleset: Ruleset) -> dict[str, Any]:
    order = board.order
    return {
        "links": [(order[a], order[b], link.broken) for link in board.links for a, b in [link.between]],
        "zones": [sum(1 << (zone - 1) for zone in province.zones) for province in board.provinces.values()],
        "adjacent_zones": [(min(pair), max(pair)) for pair in board.adjacent_zones],
        "arrows": [-1 if p.arrow is None else order[p.arrow] for p in board.provinces.values()],
        "region": [province.region for province in board.provinces.values()],
        "number": [province.number for province in board.provinces.values()],
        "borders": [order[border] for border in board.borders],
        "roma": order[board.roma],
        "capitals": [order[emperor.capital] for emperor in board.emperors],
        "printed": [board.mask(board.printed(emperor.id)) for emperor in board.emperors],
        "garrisons": ruleset.garrisons,
        "readings": {name: READINGS[name].number(value) for name, value in ruleset.interpretations},
    }


def to_state(position: Position) -> State:
    """The kernel's form of a legal position; IP left over in the Barbarian phase are dropped.

    :raises IllegalPositionError: with all reasons, when the position cannot occur.
    """
    require_kernel(position, house=True)
    return state_of(position)


def state_of(position: Position, *, rebels: bool = False) -> State:
    """The kernel's form of a position that is known to be legal, for example one that the rules produced.

    `rebels`: whether it is for the kernel of positions that may have some, see `kernel_for`.
    """
    board = position.board
    ids = [emperor.id for emperor in board.emperors]
    roman = position.phase is Phase.ROMAN
    fields: dict[str, Any] = {
        "revolts": position.revolts_mask,
        "unrest": position.unrest_mask,
        "garrisons": tuple(position.garrisons_mask(emperor) for emperor in ids),
        "armies": position.armies_mask,
        "emperors": tuple(_row(place, board) for place in position.emperors.values()),
        "fleets": sum(1 << (zone - 1) for zone in position.fleets),
        "to_move": ids.index(position.to_move),
        "ip": position.ip if roman else 0,
        "phase": kernel.ROMAN if roman else kernel.BARBARIAN,
        "result": kernel.WON if position.is_won else kernel.OPEN,
    }
    if engine_for(position.ruleset, rebels=rebels or bool(position.rebels)) is kernel:
        return State(**fields)
    # whole.State has all that kernel.State has
    return cast(State, whole.State(**fields, **_figures(position)))


def _row(place: str | None, board: Board) -> int:
    """The row of a figure's province, or the number for off the board."""
    return kernel.OFF if place is None else board.order[place]


def _figures(position: Position) -> dict[str, Any]:
    """The figures of modules, variants and rebels, for `whole`."""
    board, pieces = position.board, position.pieces
    figures: dict[str, Any] = {
        name: whole.RESERVE if helper.is_unused else _row(helper.place, board)
        for name, helper in ((DUX, pieces.dux), (VICARIUS, pieces.vicarius))
        if helper is not None
    }
    if pieces.goths is not None:
        figures["goths"] = whole.RESERVE if pieces.goths.place is None else board.order[pieces.goths.place]
    if position.passing is not None:
        figures["passing"] = 1 + _figure_number(
            position.passing if position.passing != position.to_move else None, board
        )
    if position.glory:
        figures["glory"] = tuple(position.glory[emperor.id] for emperor in board.emperors)
    if position.removed:
        figures["removed"] = tuple(position.removed[emperor.id] for emperor in board.emperors)
    return figures | {
        "pirates": 0 if pieces.pirates is None else pieces.pirates.zone or 0,
        "power": int(position.power_used),
        "gray": position.gray,
        "black": position.black,
        "rebels": [
            (board.order[border], rebel.fleet, 1 + REBEL_FIGURES.index(rebel.figure))
            for border, rebel in position.rebels.items()
        ],
    }


def _figure_number(figure: str | None, board: Board) -> int:
    """The kernel's number of the figure that acts: the active Emperor, a helper, or another Emperor."""
    if figure is None:
        return 0
    if figure in HELPERS:
        return 1 + HELPERS.index(figure)
    return _OTHERS + next(number for number, emperor in enumerate(board.emperors) if emperor.id == figure)


def _figure_of(number: int, board: Board) -> str | None:
    if number > _OTHERS:
        return board.emperors[number - _OTHERS].id
    return HELPERS[number - 1] if number else None


def to_position(state: State, board: Board, ruleset: Ruleset) -> Position:
    """The position of a kernel state whose Empire has not fallen.

    :raises ValueError: for the state of a fallen Empire.
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
        pieces=_pieces(state, board, ruleset),
    )


def _pieces(state: object, board: Board, ruleset: Ruleset) -> Pieces:
    """The pieces of modules, variants and rebels; `NO_PIECES` for a state of the base game."""
    if not isinstance(state, whole.State):
        return NO_PIECES
    passing = state.passing and not ruleset.extensions.isdisjoint((*HELPERS, "imperium"))
    in_use = ruleset.extensions
    return Pieces(
        dux=_helper(state.dux, board) if DUX in in_use else None,
        vicarius=_helper(state.vicarius, board) if VICARIUS in in_use else None,
        passing=(_figure_of(state.passing - 1, board) or board.emperors[state.to_move].id) if passing else None,
        pirates=Pirates(state.pirates or None) if "pirates" in in_use else None,
        goths=Goths(None if state.goths == whole.RESERVE else board.ids[state.goths]) if "goths" in in_use else None,
        glory=_by_emperor(state.glory, board) if "roma-aeterna" in in_use else None,
        removed=_by_emperor(state.removed, board) if "imperium" in in_use else None,
        power=bool(state.power) and "imperium" in in_use,
        barbarian_discs=BarbarianDiscs(state.black, state.gray) if "barbaria" in in_use else None,
        rebels=_rebels(state.rebels, board) if state.rebels else None,
    )


def _helper(place: int, board: Board) -> Helper:
    if place == whole.RESERVE:
        return Helper()
    return Helper(dead=True) if place == whole.OFF else Helper(board.ids[place])


def _by_emperor(discs: tuple[int, ...], board: Board) -> Counts:
    return Counts(tuple(sorted((emperor.id, count) for emperor, count in zip(board.emperors, discs, strict=True))))


def _rebels(rebels: Iterable[tuple[int, int, int]], board: Board) -> Rebels:
    return Rebels.of({board.ids[row]: Rebel(REBEL_FIGURES[figure - 1], zone) for row, zone, figure in rebels})


def to_code(action: Action, board: Board) -> int:
    """The kernel's integer for an action."""
    kind = KINDS.index(action.kind)
    a = b = 0
    if action.place == PIRATES:
        kind = whole.PIRATES
    elif action.place == RESERVE:
        a = whole.RESERVE
    elif action.place is not None:
        a = board.order[action.place]
    if action.zones is not None:
        a, b = action.zones
    if action.outcome is not None:
        b = OUTCOMES.index(action.outcome)
    return kind | a << 4 | b << 10 | _figure_number(action.figure, board) << 12 | _payment_code(action.payments, board)


def _payment_code(payments: tuple[str, ...], board: Board) -> int:
    """The bits of an action's code for the discs paid in an attack.

    :raises ArgumentError: for more discs than an Emperor has, and than there are bits for.
    """
    if len(payments) > MOST_PAID:
        raise ArgumentError("payments", payments, f"at most {MOST_PAID} discs")
    rows = [board.order[paid] + 1 for paid in payments if paid != RESERVE]
    return payments.count(RESERVE) << 15 | sum(row << (18 + 6 * slot) for slot, row in enumerate(rows))


def payments_of(code: int, board: Board) -> tuple[str, ...]:
    """The discs paid in an attack, from its code in `whole`."""
    paid = [RESERVE] * (code >> 15 & 7)
    code >>= 18
    while code:
        paid.append(board.ids[(code & 63) - 1])
        code >>= 6
    return tuple(paid)


def to_action(code: int, board: Board) -> Action:
    """The action of one of the kernel's integers."""
    kind, a, b = code & 15, code >> 4 & 63, code >> 10 & 3
    figure = _figure_of(code >> 12 & 7, board)
    if kind in (whole.ATTACK, whole.PIRATES):
        target = PIRATES if kind == whole.PIRATES else board.ids[a]
        return Action(Kind.ATTACK, target, outcome=OUTCOMES[b], figure=figure, payments=payments_of(code, board))
    if kind == whole.IMPERIUM:
        return Action(Kind.IMPERIUM, RESERVE if a == whole.RESERVE else board.ids[a])
    match KINDS[kind]:
        case Kind.SAIL:
            return Action(Kind.SAIL, zones=(a, b))
        case Kind.ENTER | Kind.MOVE | Kind.DEPLOY | Kind.TRANSFER as named:
            return Action(named, board.ids[a], figure=figure)
        case plain:
            return Action(plain, figure=figure)


# In the order of the kernel's numbers, which distinguish an attack on the Pirates.
KINDS = (
    Kind.ENTER,
    Kind.MOVE,
    Kind.SAIL,
    Kind.SECURE,
    Kind.REMOVE,
    Kind.REDUCE,
    Kind.ATTACK,
    Kind.END,
    Kind.DEPLOY,
    Kind.TRANSFER,
    Kind.ATTACK,
    Kind.IMPERIUM,
)
