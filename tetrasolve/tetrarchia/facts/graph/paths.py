"""The Barbarian paths: along arrows, from each border to Roma."""

from __future__ import annotations

from itertools import pairwise

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import listed, many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.graph.network import largest, map_kind
from tetrasolve.tetrarchia.facts.saying import named, provinces


def _path(board: Board, border: str) -> tuple[str, ...]:
    """The provinces of a path, border and end included; it ends where no arrow leads on, or where it has been."""
    path = [border]
    while (after := board[path[-1]].arrow) is not None and after not in path:
        path.append(after)
    return tuple(path)


def _arrow_path(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for border in board.borders:
        path = _path(board, border)
        steps = list(pairwise(path))
        broken = [f"{a}:{b}" for a, b in steps if (link := board.link(a, b)) is not None and link.broken]
        facts[border] = {"path": path, "moves": len(steps), "broken": len(broken), "checks": tuple(broken)}
    return facts


def _say_path(border: str, v: Values) -> str:
    path = words(v, "path")
    checks = listed(" to ".join(map(named, link.split(":"))) for link in words(v, "checks"))
    return (
        f"An army in {named(border)} is {many(v['moves'], 'move')} from {named(path[-1])}, by way of "
        f"{listed(map(named, path[1:-1]))}; {many(v['broken'], 'broken link')} on this way: {checks}."
    )


def _cover(board: Board) -> dict[str, Values]:
    roman = [place for place in board.ids if not board[place].is_border and place != board.roma]
    paths = [_path(board, border) for border in board.borders]
    through = {place: sum(place in path for path in paths) for place in roman}
    most, where = largest(through)
    values: dict[str, Value] = {f"paths.{place}": number for place, number in through.items()}
    safe = tuple(place for place in roman if not through[place])
    return {"": values | {"max": most, "most": where, "safe": safe, "count": len(roman) - len(safe)}}


def _say_cover(_: str, v: Values) -> str:
    return (
        f"The paths of the Barbarians lead through {many(v['count'], 'province')} before Roma; {v['max']} of them through "
        f"{provinces(v, 'most')}, none through {provinces(v, 'safe')}."
    )


TOPICS = (
    map_kind(
        "arrow/path",
        "The way of an army from each border to Roma",
        "along the arrows",
        ("arrows", "links", "kinds"),
        _arrow_path,
        _say_path,
    ),
    map_kind(
        "arrow/cover",
        "Through which provinces the Barbarian paths lead",
        "along the arrows",
        ("arrows",),
        _cover,
        _say_cover,
    ),
)
