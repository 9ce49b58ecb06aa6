"""The shortest way to Roma, for armies in provinces without an arrow (rulebook page 15).

In the base game there are none; usurpers rise in these provinces, and the Barbarian player turns armies into them.
"""

from __future__ import annotations

from functools import lru_cache

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.position import Position


def shortest_way(position: Position, army: str) -> tuple[str, int] | None:
    """The next province of an army on its shortest way, and its distance to Roma; None where there is an arrow."""
    if position.board[army].arrow is not None:
        return None
    return _ways(position.board, position.ruleset.readings["I-SHORTEST"] == "region").get(army)


# Rule p15-usurper-way
@lru_cache(maxsize=64)
def _ways(board: Board, by_region: bool) -> dict[str, tuple[str, int]]:
    """The next province and the distance to Roma from each Roman province without an arrow.

    The way has the fewest links through Roman provinces; ties go to the lower region, then the lower number [I-SHORTEST].
    Where it meets an arrow it follows it, and the distance is counted accordingly.
    """
    links = _links_to_roma(board)

    def rank(province: str) -> tuple[int, ...]:
        found = board[province]
        return (found.region, found.number, board.order[province]) if by_region else (board.order[province],)

    ways: dict[str, tuple[str, int]] = {}
    for province in sorted(links, key=links.__getitem__):
        if board[province].arrow is not None or province == board.roma:
            continue
        nearer = (p for p in board.neighbours(province) if links.get(p) == links[province] - 1)
        following = min(nearer, key=rank)
        rest = ways[following][1] if following in ways else board.distance_to_roma[following]
        ways[province] = (following, rest + 1)
    return ways


def _links_to_roma(board: Board) -> dict[str, int]:
    """The least number of links from each Roman province to Roma through Roman provinces, including broken links."""
    links = {board.roma: 0}
    edge = {board.roma}
    while edge:
        reached = {near for place in edge for near in board.neighbours(place) if not board[near].is_border}
        edge = reached - set(links)
        links |= dict.fromkeys(edge, max(links.values()) + 1)
    return links
