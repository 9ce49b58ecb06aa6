"""Setting up (rulebook pages 6 and 7): revolts, additional revolts and armies by dice, fleets by choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from tetrasolve.errors import RulesetError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules.chance import Dice, RandomDice
from tetrasolve.tetrarchia.ruleset import IP_A_TURN, Ruleset

FIRST_PROVINCE = 1  # the base set-up rolls again on it


def set_up(ruleset: Ruleset, fleets: Sequence[int], dice: Dice, board: Board | None = None) -> Position:
    """A game about to begin, rolled with these dice, with the fleets in the zones the players chose.

    :raises RulesetError: when the zones are not those of as many fleets as the level has, one a zone.
    """
    board = board or Board.standard()
    if sorted(fleets) not in [sorted(choice) for choice in fleet_choices(ruleset, board)]:
        last = len(board.zones)
        raise RulesetError(
            f"fleets in zones {list(fleets)}: expected {ruleset.fleets} different zones from 1 to {last}"
        )
    discs = dict.fromkeys(_revolts(ruleset, dice, board), REVOLT_DISC)
    return Position(
        board=board,
        ruleset=ruleset,
        to_move=board.emperors[0].id,
        phase=Phase.ROMAN,
        ip=IP_A_TURN,
        emperors={emperor.id: None for emperor in board.emperors},
        fleets=tuple(fleets),
        armies=tuple(_armies(ruleset, dice, board)),
        discs=discs,
    )


def fleet_choices(ruleset: Ruleset, board: Board | None = None) -> Iterator[tuple[int, ...]]:
    """Every way to put the fleets of a level on zones, one a zone."""
    board = board or Board.standard()
    return combinations(range(1, len(board.zones) + 1), ruleset.fleets)


def drawn_fleets(ruleset: Ruleset, dice: Dice, board: Board | None = None) -> tuple[int, ...]:
    """Zones for the fleets by a die, every choice equally likely."""
    choices = list(fleet_choices(ruleset, board))
    return choices[(dice.roll("fleets") - 1) * len(choices) // 6]  # one choice or three: six faces or two each


def random_set_up(
    ruleset: Ruleset, seed: int | str, fleets: Sequence[int] | None = None, board: Board | None = None
) -> Position:
    """A game about to begin, rolled from a seed; fleets where they are not given go to zones drawn from it too."""
    dice = RandomDice(f"set-up {seed}")
    return set_up(ruleset, drawn_fleets(ruleset, dice, board) if fleets is None else fleets, dice, board)


def _revolts(ruleset: Ruleset, dice: Dice, board: Board) -> list[str]:
    """One revolt a region, never on its first province, then the additional ones anywhere but Italia."""
    revolts: list[str] = []
    for region in range(1, len(board.borders) + 1):
        while (number := dice.roll(f"revolt in region {region}")) == FIRST_PROVINCE:
            pass  # rolled again
        revolts.append(board.at(region, number))
    while len(revolts) < len(board.borders) + ruleset.revolts:
        province = board.at(dice.roll("additional revolt: region"), dice.roll("additional revolt: province"))
        if province not in revolts:
            revolts.append(province)
    return revolts


def _armies(ruleset: Ruleset, dice: Dice, board: Board) -> list[str]:
    armies: list[str] = []
    while len(armies) < ruleset.armies:
        border = board.borders[dice.roll("initial army: region") - 1]
        if border not in armies:
            armies.append(border)
    return armies
