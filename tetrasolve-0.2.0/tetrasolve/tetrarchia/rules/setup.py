"""Setting up (rulebook pages 6 and 7): revolts, additional revolts and armies by dice, fleets by choice.

Rule modules add their pieces; the set-up of historical scenarios is in `scenario`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import DIE, FIRST_PROVINCE
from tetrasolve.tetrarchia.pieces import Pieces
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.chance import Dice, RandomDice
from tetrasolve.tetrarchia.rules.questions import barred
from tetrasolve.tetrarchia.rules.registry import rule_modules_of
from tetrasolve.tetrarchia.ruleset import Ruleset


def set_up(ruleset: Ruleset, fleets: Sequence[int], dice: Dice, board: Board | None = None) -> Position:
    """The first position of a game, rolled with these dice, with the fleets in these zones.

    :raises RulesetError: when the number of zones is not that of the level's fleets, a zone is repeated, or a module closes one.
    """
    board = board or Board.standard()
    require_fleets(ruleset, fleets, board)
    return with_fleets(_table(ruleset, dice, board), fleets)


def random_set_up(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None = None, board: Board | None = None
) -> Position:
    """The first position of a game, rolled from a seed; fleets that are not given are drawn from the seed too."""
    return rolled_set_up(ruleset, seed, fleets, board).position


@dataclass(frozen=True, slots=True)
class RolledSetUp:
    """A set-up rolled from a seed: the zones of the fleets, and the faces with which `set_up` gives the same position."""

    position: Position
    fleets: tuple[int, ...]
    faces: tuple[int, ...]


def rolled_set_up(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None = None, board: Board | None = None
) -> RolledSetUp:
    """As `random_set_up`, with the faces."""
    board = board or Board.standard()
    return roll_from_seed(ruleset, seed, fleets, board, lambda dice: _table(ruleset, dice, board))


def roll_from_seed(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None, board: Board, rolled: Callable[[Dice], Position]
) -> RolledSetUp:
    """A set-up from a seed: `rolled` gives all but the fleets."""
    dice = RandomDice(f"set-up {seed}")
    if fleets is not None:
        require_fleets(ruleset, fleets, board)
    draw = dice.roll("fleets") if fleets is None else None  # rolled first, used last: a module can reduce the choices
    before = len(dice.rolled)
    position = rolled(dice)
    zones = tuple(fleets or ()) if draw is None else drawn(list(open_choices(position)), draw)
    return RolledSetUp(with_fleets(position, zones), zones, tuple(dice.rolled[before:]))


# -- fleets ----------------------------------------------------------------------------------------------------


def fleet_choices(ruleset: Ruleset, board: Board | None = None) -> Iterator[tuple[int, ...]]:
    """Every choice of zones for the fleets of a level, one fleet a zone [I-FLEETS]."""
    board = board or Board.standard()
    choices = combinations if _are_apart(ruleset) else combinations_with_replacement
    return choices(range(1, len(board.zones) + 1), ruleset.fleets)


def _are_apart(ruleset: Ruleset) -> bool:
    """Whether no zone may have two fleets in the set-up [I-FLEETS]."""
    return ruleset.readings["I-FLEETS"] == "apart"


def open_choices(position: Position) -> Iterator[tuple[int, ...]]:
    """The choices of zones for the fleets of this position that no module closes."""
    choices = fleet_choices(position.ruleset, position.board)
    return (choice for choice in choices if not any(barred(position, zone) for zone in choice))


def drawn(choices: Sequence[tuple[int, ...]], face: int) -> tuple[int, ...]:
    """The choice of zones for a face; one, two, three or six choices have equal numbers of faces, of ten six are drawn."""
    return choices[(face - 1) * len(choices) // DIE]


# Rule p06-level-fleets
def require_fleets(ruleset: Ruleset, fleets: Sequence[int], board: Board) -> None:
    """Refuse zones whose number is not that of the level's fleets, or that are repeated [I-FLEETS]."""
    if sorted(fleets) not in [sorted(choice) for choice in fleet_choices(ruleset, board)]:
        last = len(board.zones)
        which = "different zones" if _are_apart(ruleset) else "zones"
        raise RulesetError(f"fleets in zones {list(fleets)}: expected {ruleset.fleets} {which} from 1 to {last}")


# Rule p07-fleets-placed
def with_fleets(position: Position, fleets: Sequence[int]) -> Position:
    """The same position with the fleets placed, the last step of the set-up (page 6).

    :raises RulesetError: when a module keeps them out of one of the zones.
    """
    for zone in fleets:
        if rule := barred(position, zone):
            raise RulesetError(f"fleets in zones {list(fleets)}: {rule}")
    return position.replace(fleets=tuple(fleets))


# -- what is rolled --------------------------------------------------------------------------------------------


# Rule p06-four-emperors, p07-off-board
def empty_board(ruleset: Ruleset, board: Board, armies: tuple[str, ...] = ()) -> Position:
    """A position before any disc or fleet is placed, Diocletian to move, with these initial armies."""
    pieces = {
        key: value for module in rule_modules_of(ruleset).set_up for key, value in module.pieces(board, armies).items()
    }
    return Position(
        board=board,
        ruleset=ruleset,
        to_move=board.emperors[0].id,
        phase=Phase.ROMAN,
        ip=ruleset.numbers["ip"],
        emperors={emperor.id: None for emperor in board.emperors},
        fleets=(),
        armies=armies,
        discs={},
        pieces=Pieces.of(pieces),
    )


def _table(ruleset: Ruleset, dice: Dice, board: Board) -> Position:
    """The position before the fleets are placed."""
    revolts = _revolts(ruleset, dice, board)
    position = empty_board(ruleset, board, tuple(_armies(ruleset, dice, board)))
    return roll_pieces(position.replace(discs=dict.fromkeys(revolts, REVOLT_DISC)), dice)


def roll_pieces(position: Position, dice: Dice) -> Position:
    """The same position after the rolls of modules, which come before the fleets."""
    for module in rule_modules_of(position.ruleset).set_up:
        position = module.roll(position, dice)
    return position


# Rule p06-first-revolts, p06-capital-in-revolt
def first_revolt(region: int, dice: Dice, board: Board) -> str:
    """The province of a region's first revolt, never that with number 1."""
    while (number := dice.roll(f"revolt in region {region}")) == FIRST_PROVINCE:
        pass  # rolled again
    return board.at(region, number)


def first_revolts(ruleset: Ruleset, regions: Iterable[int], dice: Dice, board: Board) -> list[str]:
    """The provinces of the first revolts of these regions; where one lies, the next is rolled again."""
    revolts: list[str] = []
    for region in regions:
        more = len(revolts) + ruleset.numbers["first-revolts"]
        while len(revolts) < more:
            if (province := first_revolt(region, dice, board)) not in revolts:
                revolts.append(province)
    return revolts


# Rule p06-additional-revolts, p06-additional-revolts-reroll
def _revolts(ruleset: Ruleset, dice: Dice, board: Board) -> list[str]:
    """One revolt in each region, then the additional ones anywhere except Italia, rolled again [I-SETUP-REROLL] where one lies."""
    revolts = first_revolts(ruleset, range(1, len(board.borders) + 1), dice, board)
    first = len(revolts)
    region_stands = ruleset.readings["I-SETUP-REROLL"] == "province"
    region = None
    while len(revolts) < first + ruleset.revolts:
        region = region or dice.roll("additional revolt: region")
        province = board.at(region, dice.roll("additional revolt: province"))
        if province in revolts or _is_spared(ruleset, board, province):
            region = region if region_stands else None
            continue
        revolts.append(province)
        region = None
    return revolts


def _is_spared(ruleset: Ruleset, board: Board, province: str) -> bool:
    """Whether a printed disc keeps additional revolts away [I-SETUP-CAPITAL]."""
    return bool(board[province].printed) and ruleset.readings["I-SETUP-CAPITAL"] == "occupied"


# Rule p06-initial-armies, p06-initial-armies-reroll
def _armies(ruleset: Ruleset, dice: Dice, board: Board) -> list[str]:
    armies: list[str] = []
    while len(armies) < ruleset.armies:
        border = board.borders[dice.roll("initial army: region") - 1]
        if border not in armies:
            armies.append(border)
    return armies
