"""How far two sets of points are apart: the cheapest way to match them, with a price for each point that is left over.

This is the metric of optimal subpattern assignment of order 1, not divided by the number of points (Schuhmacher, Vo and Vo, "A
consistent metric for performance evaluation of multi-object filters", 2008).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import TypeVar

P = TypeVar("P")


def apart(first: Sequence[P], second: Sequence[P], distance: Callable[[P, P], int], most: int) -> int:
    """The least sum of distances of matched points, each at most `most`, and `most` for each point that is left over.

    It is a metric if `distance` is one.

    >>> apart([1, 10], [2], lambda a, b: abs(a - b), 4)
    5
    """
    rows, columns = sorted((first, second), key=len)
    costs = [[min(distance(a, b), most) for b in columns] for a in rows]
    return _cheapest(costs) + most * (len(columns) - len(rows))


def near_pairs(
    items: Iterable[P], distance: Callable[[P, P], int], below: int, look: Callable[[], None] = lambda: None
) -> Iterator[tuple[int, int, int]]:
    """The pairs that are nearer than `below`: their numbers from 1 on, and how far they are apart.

    `look` is called before each item and each pair, and may raise.

    >>> list(near_pairs([1, 9, 2], lambda a, b: abs(a - b), 4))
    [(1, 3, 1)]
    """
    known = list[P]()
    for item in items:
        look()
        known.append(item)
    for (one, first), (other, second) in combinations(enumerate(known, start=1), 2):
        look()
        found = distance(first, second)
        if found < below:
            yield one, other, found


def _cheapest(costs: Sequence[Sequence[int]]) -> int:
    """The least sum of one cost in each row, no two in one column; there are at least as many columns as rows.

    The Hungarian method with potentials, one row after the other.
    """
    count, width = len(costs), len(costs[0]) if costs else 0
    row_part, column_part = [0] * (count + 1), [0] * (width + 1)
    matched = [0] * (width + 1)  # the row of each column, from 1 on; 0: none
    for row in range(1, count + 1):
        matched[0] = row
        column = 0
        least = [float("inf")] * (width + 1)
        came_from = [0] * (width + 1)
        used = [False] * (width + 1)
        while True:
            used[column] = True
            here, step, following = matched[column], float("inf"), 0
            for other in range(1, width + 1):
                if not used[other]:
                    reduced = costs[here - 1][other - 1] - row_part[here] - column_part[other]
                    if reduced < least[other]:
                        least[other], came_from[other] = reduced, column
                    if least[other] < step:
                        step, following = least[other], other
            for other in range(width + 1):
                if used[other]:
                    row_part[matched[other]] += int(step)
                    column_part[other] -= int(step)
                else:
                    least[other] -= step
            column = following
            if matched[column] == 0:
                break
        while column:
            matched[column] = matched[came_from[column]]
            column = came_from[column]
    return sum(costs[row - 1][column - 1] for column, row in enumerate(matched) if column and row)
