"""How far two puzzles are apart on the map: pieces that stand near each other are nearly the same.

The pieces of one kind are matched at the least cost: a step for a normal link, two for a broken one, and two for a way by
sea, where a fleet may be missing; at most `MOST` for a piece. Of Emperors only the one who moves is distinguished from the
others, so the same question to another Emperor is near. The province that is asked about counts `TARGET` times, another
kind of question `OTHER_KIND`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from heapq import heappop, heappush

from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.puzzles.matching import apart, near_pairs
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import BROKEN_LINK, BY_SEA, NORMAL_LINK, SAIL_COST
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.puzzle.kinds import MISTAKE, Question

MOST = 4  # steps: farther pieces have nothing in common
TARGET = 3  # times a piece
OTHER_KIND = 12  # steps


def distance(first: Question, second: Question) -> int:
    """How far two puzzles are apart, in steps on the map of the first; 0: the same but for IP, level and names.

    :raises ValueError: when the two are on maps with other provinces.
    """
    board = first.position.board
    if board.ids != second.position.board.ids:
        raise ValueError("puzzles on maps with other provinces cannot be compared")

    def steps(one: str, other: str) -> int:
        return _steps(board, one).get(other, MOST)

    ours, theirs = _pieces(first), _pieces(second)
    total = sum(
        (TARGET if name == "target" else 1) * apart(ours.get(name, []), theirs.get(name, []), steps, MOST)
        for name in {*ours, *theirs}
    )
    fleets = apart(first.position.fleets, second.position.fleets, lambda one, other: abs(one - other), MOST)
    return total + fleets + (0 if first.kind == second.kind else OTHER_KIND)


def alike(
    questions: Iterable[Question], below: int, *, seconds: float | None = None, cancel: Stop | None = None
) -> Iterator[tuple[int, int, int]]:
    """The pairs of puzzles that are nearer than `below`: their numbers from 1 on, and how far they are apart.

    :raises OutOfTimeError: when `seconds` are over, or `cancel` is set, before all pairs were compared.
    :raises ValueError: when two are on maps with other provinces.
    """
    stop = stop_of(seconds, cancel)
    with answering("alike", "all pairs were compared"):
        yield from near_pairs(questions, distance, below, lambda: check(stop))


def _pieces(question: Question) -> dict[str, list[str]]:
    """The provinces of the pieces by what they are."""
    found: dict[str, list[str]] = {}
    for name, place in _placed(question.position):
        found.setdefault(name, []).append(place)
    if question.target is not None and question.kind.form != MISTAKE:
        found["target"] = [question.target]
    return found


def _placed(position: Position) -> Iterator[tuple[str, str]]:
    for figure, place in position.romans.items():
        yield "active" if figure == position.to_move else "other" if figure in position.emperors else figure, place
    yield from (("army", place) for place in position.armies)
    for place, disc in position.discs.items():
        yield disc if disc not in position.emperors else "own" if disc == position.to_move else "garrison", place


@lru_cache(maxsize=4096)
def _steps(board: Board, start: str) -> Mapping[str, int]:
    """The steps from a province to each other that is nearer than `MOST`."""
    found: dict[str, int] = {}
    queue = [(0, start)]
    while queue:
        steps, place = heappop(queue)
        if place in found or steps >= MOST:
            continue
        found[place] = steps
        for other, link in board.neighbours(place).items():
            heappush(queue, (steps + (BROKEN_LINK if link.broken else NORMAL_LINK), other))
        for zone in board[place].zones:
            for other in board.coast[zone]:
                heappush(queue, (steps + BY_SEA + SAIL_COST, other))
    return found
