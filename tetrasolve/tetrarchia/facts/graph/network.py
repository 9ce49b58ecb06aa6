"""The links of a board as bit masks, walked breadth first, and what all kinds of this family have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import NEVER
from tetrasolve.tetrarchia.board import Board

Derive = Callable[[Board], Mapping[str, Values]]


def map_kind(
    kind: str, title: str, how: str, rows: tuple[str, ...], derive: Derive, say: Callable[[str, Values], str]
) -> Topic:
    """A kind of this family; it has no certificates, the checker counts everything again from the rows of the board."""
    return Topic(kind, "graph", title, how, "", rows, derive, None, say, ruleset="every ruleset")


# -- walking ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def linked(board: Board, *, broken: bool = True, borders: bool = True) -> tuple[int, ...]:
    """For each province by row the mask of those linked to it; without broken links, or among Roman provinces only."""
    masks = [0] * len(board.ids)
    for link in board.links:
        a, b = link.between
        if (broken or not link.broken) and (borders or not (board[a].is_border or board[b].is_border)):
            masks[board.order[a]] |= 1 << board.order[b]
            masks[board.order[b]] |= 1 << board.order[a]
    return tuple(masks)


def neighbourhood(masks: Sequence[int], provinces: int) -> int:
    """All that is linked to one of these provinces (a mask)."""
    found = 0
    while provinces:
        low = provinces & -provinces
        found |= masks[low.bit_length() - 1]
        provinces ^= low
    return found


def rings(masks: Sequence[int], start: int) -> list[int]:
    """The provinces at 0, 1, 2, ... links from one (by row), a mask for each number."""
    found, seen = [1 << start], 1 << start
    while ring := neighbourhood(masks, found[-1]) & ~seen:
        found.append(ring)
        seen |= ring
    return found


def distances(masks: Sequence[int], start: int) -> list[int | None]:
    """The least number of links to each province by row; None where there is no way."""
    found: list[int | None] = [None] * len(masks)
    for steps, ring in enumerate(rings(masks, start)):
        for row in range(len(masks)):
            if ring >> row & 1:
                found[row] = steps
    return found


def number(steps: int | None) -> Value:
    """A number of steps as a value."""
    return NEVER if steps is None else steps


def largest(numbers: Mapping[str, int | None]) -> tuple[Value, tuple[str, ...]]:
    """The largest of some numbers, no way being larger than any, and the provinces that have it."""
    top = None if None in numbers.values() else max(filter(None, numbers.values()), default=0)
    return number(top), tuple(province for province, steps in numbers.items() if steps == top)


def smallest(numbers: Mapping[str, int | None]) -> tuple[Value, tuple[str, ...]]:
    """The smallest of some numbers, and the provinces that have it."""
    low = min((steps for steps in numbers.values() if steps is not None), default=None)
    return number(low), tuple(province for province, steps in numbers.items() if steps == low)
