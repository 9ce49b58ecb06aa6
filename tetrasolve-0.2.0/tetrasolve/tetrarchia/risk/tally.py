"""Tallies: summaries of the results of a phase, enough for every figure of a horizon.

A tally maps names to weights: ``lost:CAUSE`` of games that ended there, ``open:R:A`` and ``won:R:A`` of positions with R
revolts and armies in the provinces of mask A. Weights are exact fractions, sums of doubles or counts of runs; as JSON data
fractions are text.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from tetrasolve.tetrarchia.kernel import WON as WON_STATE
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

Weight: TypeAlias = "Fraction | float"
Tally: TypeAlias = "dict[str, Any]"

LOST = "lost"
OPEN = "open"
WON = "won"


def table_key(state: State) -> str:
    """The key of a position in a tally: the number of revolts and the mask of armies."""
    return f"{state.revolts.bit_count()}:{state.armies}"


def key_of(end: Position | Fall) -> str:
    """The key of a result."""
    if isinstance(end, Fall):
        return f"{LOST}:{end.name}"
    return f"{WON if end.is_won else OPEN}:{len(end.revolts)}:{end.armies_mask}"


def key_of_over(state: State) -> str:
    """The key of a game that ended in the Roman phase; it can be lost only by reducing a revolt [I-RESERVE]."""
    return f"{WON}:{table_key(state)}" if state.result == WON_STATE else f"{LOST}:{Fall.NO_UNREST_LEFT.name}"


def add(tally: Tally, key: str, weight: Weight) -> None:
    """Count a result."""
    tally[key] = tally[key] + weight if key in tally else weight


def merged(total: Tally | None, part: Mapping[str, Any]) -> Tally:
    """The sum of two tallies."""
    result = dict(total or {})
    for key, weight in part.items():
        add(result, key, weight)
    return result


def to_data(tally: Mapping[str, Weight]) -> dict[str, Any]:
    """A tally as JSON data; doubles read back unchanged."""
    return {key: str(weight) if isinstance(weight, Fraction) else weight for key, weight in tally.items()}


def from_data(data: Mapping[str, Any]) -> Tally:
    """The tally of JSON data."""
    return {key: Fraction(weight) if isinstance(weight, str) else weight for key, weight in data.items()}


def merged_data(total: dict[str, Any] | None, part: dict[str, Any]) -> dict[str, Any]:
    """`merged` for tallies as JSON data."""
    return to_data(merged(from_data(total or {}), from_data(part)))


def revolts_in(key: str) -> int:
    """The revolts of a counted position."""
    return int(key.split(":")[1])


def armies_in(key: str) -> int:
    """The mask of the armies of a counted position."""
    return int(key.split(":")[2])
