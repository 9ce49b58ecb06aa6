"""Setting up (rulebook pages 6 and 7): revolts, additional revolts and armies by dice, fleets by choice.

What modules put on the table comes with the pieces it belongs to; how a historical scenario begins is in `scenario`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import DIE, FIRST_PROVINCE, IP_A_TURN
from tetrasolve.tetrarchia.pieces import Pieces
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.chance import Dice, RandomDice
from tetrasolve.tetrarchia.rules.questions import barred
from tetrasolve.tetrarchia.rules.registry import rule_modules_of
from tetrasolve.tetrarchia.ruleset import Ruleset


def set_up(ruleset: Ruleset, fleets: Sequence[int], dice: Dice, board: Board | None = None) -> Position:
    """A game about to begin, rolled with these dice, with the fleets in the zones the players chose.

    :raises RulesetError: when the zones are not those of as many fleets as the level has, one a zone, none that a module closes.
    """
    board = board or Board.standard()
    require_fleets(ruleset, fleets, board)
    return with_fleets(_table(ruleset, dice, board), fleets)


def random_set_up(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None = None, board: Board | None = None
) -> Position:
    """A game about to begin, rolled from a seed; fleets where they are not given go to zones drawn from it too."""
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
    """As `random_set_up`, with what was rolled."""
    board = board or Board.standard()
    return roll_from_seed(ruleset, seed, fleets, board, lambda dice: _table(ruleset, dice, board))


def roll_from_seed(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None, board: Board, table: Callable[[Dice], Position]
) -> RolledSetUp:
    """A set-up from a seed: `table` rolls all but the fleets."""
    dice = RandomDice(f"set-up {seed}")
    if fleets is not None:
        require_fleets(ruleset, fleets, board)
    draw = dice.roll("fleets") if fleets is None else None  # rolled first, read last: a module can leave fewer choices
    before = len(dice.rolled)
    position = table(dice)
    zones = tuple(fleets or ()) if draw is None else drawn(list(open_choices(position)), draw)
    return RolledSetUp(with_fleets(position, zones), zones, tuple(dice.rolled[before:]))


# -- fleets ----------------------------------------------------------------------------------------------------


def fleet_choices(ruleset: Ruleset, board: Board | None = None) -> Iterator[tuple[int, ...]]:
    """Every way to put the fleets of a level on zones, one a zone."""
    board = board or Board.standard()
    return combinations(range(1, len(board.zones) + 1), ruleset.fleets)


def open_choices(position: Position) -> Iterator[tuple[int, ...]]:
    """The ways to put the fleets on zones of this table, as far as no module keeps them out."""
    choices = fleet_choices(position.ruleset, position.board)
    return (choice for choice in choices if not any(barred(position, zone) for zone in choice))


def drawn(choices: Sequence[tuple[int, ...]], face: int) -> tuple[int, ...]:
    """The choice of zones that a face stands for: one choice, or two or three, which six faces share evenly."""
    return choices[(face - 1) * len(choices) // DIE]


# Rule p06-level-fleets
def require_fleets(ruleset: Ruleset, fleets: Sequence[int], board: Board) -> None:
    """Refuse zones that are not those of as many fleets as the level has, one a zone."""
    if sorted(fleets) not in [sorted(choice) for choice in fleet_choices(ruleset, board)]:
        last = len(board.zones)
        raise RulesetError(
            f"fleets in zones {list(fleets)}: expected {ruleset.fleets} different zones from 1 to {last}"
        )


# Rule p07-fleets-placed
def with_fleets(position: Position, fleets: Sequence[int]) -> Position:
    """The same table with the fleets placed, which comes last (page 6).

    :raises RulesetError: when a module keeps them out of one of the zones.
    """
    for zone in fleets:
        if rule := barred(position, zone):
            raise RulesetError(f"fleets in zones {list(fleets)}: {rule}")
    return position.replace(fleets=tuple(fleets))


# -- what is rolled --------------------------------------------------------------------------------------------


# Rule p06-four-emperors, p07-off-board
def empty_table(ruleset: Ruleset, board: Board, armies: tuple[str, ...] = ()) -> Position:
    """A table before any disc or fleet is placed, Diocletian to move, with these initial armies."""
    pieces = {
        key: value for module in rule_modules_of(ruleset).set_up for key, value in module.pieces(board, armies).items()
    }
    return Position(
        board=board,
        ruleset=ruleset,
        to_move=board.emperors[0].id,
        phase=Phase.ROMAN,
        ip=IP_A_TURN,
        emperors={emperor.id: None for emperor in board.emperors},
        fleets=(),
        armies=armies,
        discs={},
        pieces=Pieces.of(pieces),
    )


def _table(ruleset: Ruleset, dice: Dice, board: Board) -> Position:
    """The table before the fleets are placed."""
    revolts = _revolts(ruleset, dice, board)
    table = empty_table(ruleset, board, tuple(_armies(ruleset, dice, board)))
    return roll_pieces(table.replace(discs=dict.fromkeys(revolts, REVOLT_DISC)), dice)


def roll_pieces(position: Position, dice: Dice) -> Position:
    """The same table after the rolls of modules, which come before the fleets."""
    for module in rule_modules_of(position.ruleset).set_up:
        position = module.roll(position, dice)
    return position


# Rule p06-first-revolts, p06-capital-in-revolt
def first_revolt(region: int, dice: Dice, board: Board) -> str:
    """The province of a region's first revolt, never the first one."""
    while (number := dice.roll(f"revolt in region {region}")) == FIRST_PROVINCE:
        pass  # rolled again
    return board.at(region, number)


# Rule p06-additional-revolts, p06-additional-revolts-reroll
def _revolts(ruleset: Ruleset, dice: Dice, board: Board) -> list[str]:
    """One revolt a region, then the additional ones anywhere but Italia."""
    revolts = [first_revolt(region, dice, board) for region in range(1, len(board.borders) + 1)]
    while len(revolts) < len(board.borders) + ruleset.revolts:
        province = board.at(dice.roll("additional revolt: region"), dice.roll("additional revolt: province"))
        if province not in revolts:
            revolts.append(province)
    return revolts


# Rule p06-initial-armies, p06-initial-armies-reroll
def _armies(ruleset: Ruleset, dice: Dice, board: Board) -> list[str]:
    armies: list[str] = []
    while len(armies) < ruleset.armies:
        border = board.borders[dice.roll("initial army: region") - 1]
        if border not in armies:
            armies.append(border)
    return armies
