"""Reads the names of provinces in objectives and evaluations."""

from __future__ import annotations

from tetrasolve.errors import ObjectiveError, shown
from tetrasolve.tetrarchia.board import ITALIA, Board

NUMERALS = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6}
BORDERS = "borders"


def read_province(place: str, text: str, board: Board) -> str:
    """A province in any of its spellings.

    :raises ObjectiveError: when it is not a province; `text` is quoted.
    """
    province = board.find(place)
    if province is None:
        raise ObjectiveError(f"{shown(text)}: {shown(place.strip())} is no province of this board")
    return province.id


def read_places(place: str, text: str, board: Board) -> tuple[str, ...]:
    """A province, or all Roman provinces of a region by its id or Roman numeral, or ``borders``.

    :raises ObjectiveError: as `read_province`.
    """
    key = place.casefold()
    if key == BORDERS:
        return board.borders
    if board.find(place) is None:
        for region in board.regions:
            if key == region.id or (region.number != ITALIA and NUMERALS.get(key) == region.number):
                return board.members(region.number)
    return (read_province(place, text, board),)
