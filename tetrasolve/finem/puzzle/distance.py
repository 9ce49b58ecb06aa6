"""How far two puzzles are apart: cubes that lie near each other, and nearly the same dice and tracks, make nearly the same puzzle.

The cubes of one tribe are matched at the least cost, a step for each border between their regions and at most `MOST` for a cube.
So are the pawn and, from card to card, the cards of a hand. Each point of a die and each place of the decline and of
the outbreaks counts one, another tribe that is asked about `OTHER_TARGET`, another kind of question `OTHER_KIND`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.finem.layout import REGIONS, TRIBES, Layout
from tetrasolve.finem.position import Position
from tetrasolve.finem.puzzle.kinds import Question
from tetrasolve.puzzles.matching import apart, near_pairs
from tetrasolve.stop import Stop

MOST = 3  # steps: cubes that are farther apart have nothing in common
OTHER_TARGET = 6
OTHER_KIND = 12


def distance(first: Question, second: Question) -> int:
    """How far two puzzles are apart, in steps on the map of the first; 0: the same but for roles, readings and the like.

    >>> from tetrasolve.finem.examples import examples
    >>> from tetrasolve.finem.puzzle.kinds import kind
    >>> (question,) = kind("worst-card").questions(examples()["peril"])
    >>> distance(question, question)
    0
    """
    one, other = first.position, second.position
    ways = _ways(one.layout)

    def steps(a: str, b: str) -> int:
        return ways[a].get(b, MOST)

    def is_other(a: str, b: str) -> int:
        return MOST * (a != b)

    total = sum(apart(_cubes(one, tribe), _cubes(other, tribe), steps, MOST) for tribe in TRIBES)
    total += apart([one.pawn], [other.pawn], steps, MOST) + apart(one.hand, other.hand, is_other, MOST)
    total += sum(abs(a - b) for a, b in zip(one.dice, other.dice, strict=True))
    total += abs(one.decline - other.decline) + abs(one.outbreaks - other.outbreaks)
    if first.kind != second.kind:
        return total + OTHER_KIND
    return total + OTHER_TARGET * (first.target != second.target)


def alike(
    questions: Iterable[Question], below: int, *, seconds: float | None = None, cancel: Stop | None = None
) -> Iterator[tuple[int, int, int]]:
    """The pairs of puzzles that are nearer than `below`: their numbers from 1 on, and how far they are apart.

    :raises OutOfTimeError: when `seconds` are over, or `cancel` is set, before all pairs were compared.
    """
    stop = stop_of(seconds, cancel)
    with answering("alike", "all pairs were compared"):
        yield from near_pairs(questions, distance, below, lambda: check(stop))


def _cubes(position: Position, tribe: str) -> list[str]:
    """The region of each cube of a tribe."""
    return [region for region in REGIONS for _ in range(position.count(region, tribe))]


@lru_cache(maxsize=64)
def _ways(layout: Layout) -> Mapping[str, Mapping[str, int]]:
    """The steps from each region to each other that is nearer than `MOST`."""
    found = {}
    for start in REGIONS:
        reached, edge = {start: 0}, [start]
        for steps in range(1, MOST):
            edge = sorted({other for region in edge for other in layout.neighbours[region]} - reached.keys())
            reached |= dict.fromkeys(edge, steps)
        found[start] = reached
    return found
