"""The figures and discs that modules and variants add to a position, by their keys of the JSON form.

A key stands in a position only where it is in use. Values are kept in a hashable form: lists as tuples, tables as
sorted pairs. Their rules are not here; this is only their place on the table.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from tetrasolve.errors import PositionSyntaxError, named
from tetrasolve.tetrarchia.board import Board

Reader = Callable[[object, str, Board], Hashable]


def _province(value: object, where: str, board: Board) -> str:
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, "a province id")


def _figure(value: object, where: str, board: Board) -> Hashable:
    """A figure that comes into play once: null not yet, then a province, then "dead"."""
    if value is None or value == "dead":
        return value
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, 'a province id, null (not yet in play) or "dead"')


def _zone(value: object, where: str, board: Board) -> Hashable:
    if value is None or (_is_count(value) and 1 <= value <= len(board.zones)):  # type: ignore[operator]  # a count is an int
        return value
    raise PositionSyntaxError(where, value, f"a sea zone from 1 to {len(board.zones)} or null")


def _goths(value: object, where: str, board: Board) -> Hashable:
    if value in ("reserve", "out"):
        return value
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, 'a province id, "reserve" or "out"')


def _rebels(value: object, where: str, board: Board) -> Hashable:
    if not isinstance(value, list):
        raise PositionSyntaxError(where, value, "a list of province ids")
    return tuple(_province(item, f"{where}[{index}]", board) for index, item in enumerate(value))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _counts(value: object, where: str, names: tuple[str, ...]) -> Hashable:
    if not isinstance(value, dict):
        raise PositionSyntaxError(where, value, "a table of numbers")
    for name, count in value.items():
        if name not in names:
            raise PositionSyntaxError(f"{where}.{named(name)}", name, f"one of {', '.join(names)}")
        if not _is_count(count) or not 0 <= count <= 99:
            raise PositionSyntaxError(f"{where}.{name}", count, "a number of discs from 0 to 99")
    return tuple(sorted(value.items()))


def _by_emperor(value: object, where: str, board: Board) -> Hashable:
    return _counts(value, where, tuple(emperor.id for emperor in board.emperors))


def _barbarian_discs(value: object, where: str, board: Board) -> Hashable:
    del board  # the Barbarian player's discs are the same on every board
    return _counts(value, where, ("gray", "black"))


# Key of the JSON form: (module or variant it belongs to; None: scenarios), how its value is read.
PIECES: Mapping[str, tuple[str | None, Reader]] = {
    "dux": ("dux", _figure),
    "vicarius": ("vicarius", _figure),
    "pirates": ("pirates", _zone),
    "goths": ("goths", _goths),
    "rebels": (None, _rebels),
    "removed": ("imperium", _by_emperor),
    "glory": ("roma-aeterna", _by_emperor),
    "barbarian_discs": ("barbaria", _barbarian_discs),
}

TABLES = frozenset({"removed", "glory", "barbarian_discs"})  # kept as sorted pairs, an empty table as no pairs


def read_piece(key: str, value: object, board: Board) -> Hashable:
    """The value of one key in its hashable form.

    :raises PositionSyntaxError: when it has another shape than the position format gives it.
    """
    return PIECES[key][1](value, key, board)


def plain_piece(key: str, value: Any) -> Any:
    """The value of one key as JSON has it."""
    if isinstance(value, tuple):
        return dict(value) if key in TABLES else list(value)
    return value
