"""Readings that make no difference on a board, whatever lies on it."""

from __future__ import annotations

from collections.abc import Mapping

from tetrasolve.tetrarchia.board import Board, Province

BORDER_GOES_LAST = 7  # a border has no province number

ORDER = "the board file lists the provinces of each region by their numbers and its border last, so both values give the same order"
SHORTEST = (
    "the board file lists the Roman provinces by region and number, so of several ways both values choose the same one"
)


def without_effect(board: Board) -> Mapping[str, str]:
    """The readings that change nothing on this board, each with the reason.

    Only those are looked at that choose between an order by numbers and the order of the board file. They cannot differ
    where the file is in the order of the numbers, whatever pieces, modules and variants are in play.

    >>> list(without_effect(Board.standard()))
    ['I-ORDER', 'I-SHORTEST']
    """
    provinces = [board[name] for name in board.ids]  # in the order of the file
    regions = [[_number(p) for p in provinces if p.region == region.number] for region in board.regions]
    found = {}
    if all(numbers == sorted(numbers) for numbers in regions):
        found["I-ORDER"] = ORDER
    roman = [(p.region, p.number) for p in provinces if not p.is_border]
    if roman == sorted(roman):
        found["I-SHORTEST"] = SHORTEST
    return found


def _number(province: Province) -> int:
    return BORDER_GOES_LAST if province.is_border else province.number
