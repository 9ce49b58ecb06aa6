"""Readings that make no difference on a board, whatever lies on it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tetrasolve.tetrarchia.board import Board, Province
from tetrasolve.tetrarchia.numbers import BROKEN_LINK

BORDER_GOES_LAST = 7  # a border has no province number
CHOSEN = "chosen"  # the value with which a player chooses what the others put in an order

ORDER = "the board file lists the provinces of each region by their numbers and its border last, so both values give the same order"
SHORTEST = (
    "the board file lists the Roman provinces by region and number, so of several ways both values choose the same one"
)
ARROWS = (
    "from each province without an arrow the shortest ways begin with the same provinces, found by the links alone "
    "or with the arrows"
)


def without_effect(board: Board) -> Mapping[str, str]:
    """The readings that change nothing on this board, each with the reason; but for the value with which a player chooses.

    Those are looked at that choose between an order by numbers and the order of the board file, which cannot differ where the
    file is in the order of the numbers, and between two ways of an army, which depend on the board alone; whatever pieces,
    modules and variants are in play.

    >>> list(without_effect(Board.standard()))
    ['I-ORDER', 'I-SHORTEST', 'I-WAY-ARROWS']
    """
    provinces = [board[name] for name in board.ids]  # in the order of the file
    regions = [[_number(p) for p in provinces if p.region == region.number] for region in board.regions]
    found = {}
    if all(numbers == sorted(numbers) for numbers in regions):
        found["I-ORDER"] = ORDER
    roman = [(p.region, p.number) for p in provinces if not p.is_border]
    if roman == sorted(roman):
        found["I-SHORTEST"] = SHORTEST
    if all(_first_steps(board, broken, True) == _first_steps(board, broken, False) for broken in (1, BROKEN_LINK)):
        found["I-WAY-ARROWS"] = ARROWS
    return found


def no_difference(board: Board, reading: str, values: Collection[str]) -> str | None:
    """The reason why values of a reading are the same on this board; None where there is none."""
    return None if CHOSEN in values else without_effect(board).get(reading)


def _first_steps(board: Board, broken: int, along_arrows: bool) -> dict[str, set[str]]:
    """Where the shortest ways to Roma from each province without an arrow begin."""
    lengths = board.lengths_to_roma(broken, along_arrows=along_arrows)
    return {
        name: {
            near
            for near, link in board.neighbours(name).items()
            if near in lengths and lengths[near] + (broken if link.broken else 1) == length
        }
        for name, length in lengths.items()
        if board[name].arrow is None and name != board.roma
    }


def _number(province: Province) -> int:
    return BORDER_GOES_LAST if province.is_border else province.number
