"""The shortest way to Roma, for armies in provinces without an arrow (rulebook page 15).

In the base game there are none; usurpers rise in these provinces, and the Barbarian player turns armies into them.
"""

from __future__ import annotations

from functools import lru_cache

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import BROKEN_LINK, NORMAL_LINK
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules.questions import chooses


def shortest_way(position: Position, army: str) -> tuple[str, int] | None:
    """The next province of an army on its shortest way, and its distance to Roma; None where there is an arrow.

    Where another army stands there it can be the next one of another way of the same length [I-WAY-BLOCKED]; the distance, by
    which armies are put in order, stays that of the usual way.
    """
    found, readings = _found(position, army), position.ruleset.readings
    if found is None:
        return None
    (usual, *others), distance = found
    if usual in position.armies and readings["I-WAY-BLOCKED"] == "another":
        usual = next((place for place in others if place not in position.armies), usual)
    return usual, distance


def chosen_ways(position: Position, army: str) -> tuple[str, ...]:
    """Where the shortest ways of an army begin, the usual one first, if a player chooses among them [I-SHORTEST].

    Those that another army blocks are among them, but where such an army takes another way anyway [I-WAY-BLOCKED].
    """
    usual, found = shortest_way(position, army), _found(position, army)
    if usual is None or found is None or not chooses(position, "I-SHORTEST"):
        return ()
    blocked = position.armies if position.ruleset.readings["I-WAY-BLOCKED"] == "another" else ()
    return (usual[0], *(place for place in found[0] if place != usual[0] and place not in blocked))


def _found(position: Position, army: str) -> tuple[tuple[str, ...], int] | None:
    """Where the shortest ways of an army without an arrow begin, and the distance."""
    if position.board[army].arrow is not None:
        return None
    readings = position.ruleset.readings
    return _ways(
        position.board,
        readings["I-SHORTEST"] != "file",
        readings["I-WAY-ARROWS"] == "links",
        NORMAL_LINK if readings["I-WAY-BROKEN"] == "one" else BROKEN_LINK,
    ).get(army)


# Rule p15-usurper-way
@lru_cache(maxsize=64)
def _ways(board: Board, by_region: bool, by_links: bool, broken: int) -> dict[str, tuple[tuple[str, ...], int]]:
    """The next provinces and the distance to Roma from each Roman province without an arrow.

    Each of the next provinces begins a shortest way, the usual one first; the distance is that of the usual one.

    The way is the shortest one through Roman provinces; ties go to the lower region, then the lower number [I-SHORTEST]. A
    broken link counts as `broken` others [I-WAY-BROKEN]. Where the way meets an arrow it follows it, and the distance is
    counted accordingly; which way is the shortest is found `by_links` alone, or with these arrows [I-WAY-ARROWS].
    """
    lengths = board.lengths_to_roma(broken, along_arrows=not by_links)

    def rank(province: str) -> tuple[int, ...]:
        found = board[province]
        return (found.region, found.number, board.order[province]) if by_region else (board.order[province],)

    ways: dict[str, tuple[tuple[str, ...], int]] = {}
    for province in sorted(lengths, key=lengths.__getitem__):
        if board[province].arrow is not None or province == board.roma:
            continue
        links = board.neighbours(province).items()
        on_way = (
            p for p, link in links if lengths.get(p) == lengths[province] - (broken if link.broken else NORMAL_LINK)
        )
        following = tuple(sorted(on_way, key=rank))
        rest = ways[following[0]][1] if following[0] in ways else board.distance_to_roma[following[0]]
        ways[province] = (following, rest + 1)
    return ways
