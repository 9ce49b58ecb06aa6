"""Distances in links, and what uprisings can reach: each reaches the Roman provinces linked to it, with domino effect."""

from __future__ import annotations

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import NEVER, many
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.graph.network import distances, largest, linked, map_kind, number, rings, smallest
from tetrasolve.tetrarchia.facts.saying import named, provinces

MOST_UPRISINGS = 5


def _from(board: Board, start: str, *, borders: bool = True) -> dict[str, int | None]:
    """The links from a province to each; among Roman provinces only, or all."""
    steps = distances(linked(board, borders=borders), board.order[start])
    return {place: steps[row] for place, row in board.order.items() if borders or not board[place].is_border}


# -- distances -------------------------------------------------------------------------------------------------


def _distance(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for start in (board.roma, *board.borders):
        steps = _from(board, start)
        far, where = largest(steps)
        to: dict[str, Value] = {f"to.{place}": number(links) for place, links in steps.items()}
        facts[start] = to | {"max": far, "farthest": where}
    return facts


def _say_distance(start: str, v: Values) -> str:
    return f"No province is more than {many(v['max'], 'link')} from {named(start)}; so far lies {provinces(v, 'farthest')}."


def _radius(board: Board) -> dict[str, Values]:
    eccentricity: dict[str, int | None] = {}
    for place in board.ids:
        far, _ = largest(_from(board, place))
        eccentricity[place] = far if isinstance(far, int) else None
    radius, centre = smallest(eccentricity)
    diameter, rim = largest(eccentricity)
    values: dict[str, Value] = {f"links.{place}": number(links) for place, links in eccentricity.items()}
    return {"": values | {"radius": radius, "centre": centre, "diameter": diameter, "rim": rim}}


def _say_radius(_: str, v: Values) -> str:
    return (
        f"From the centre of the map ({provinces(v, 'centre')}) no province is farther than {many(v['radius'], 'link')}; "
        f"the farthest two are {v['diameter']} links apart (ends: {provinces(v, 'rim')})."
    )


# -- uprisings -------------------------------------------------------------------------------------------------


def _uprising(board: Board) -> dict[str, Values]:
    return {str(links): _within(board, links) for links in range(1, MOST_UPRISINGS + 1)}


def _within(board: Board, links: int) -> Values:
    """How many other Roman provinces lie within so many links of each, if all broken links hold, and if none does."""
    roman = [place for place in board.ids if not board[place].is_border]
    values: dict[str, Value] = {}
    counts: dict[str, int | None] = {}
    for word, broken in (("linked", True), ("unlinked", False)):
        masks = linked(board, broken=broken, borders=False)
        for place in roman:
            counts[place] = sum(rings(masks, board.order[place])[: links + 1]).bit_count() - 1
            values[f"{word}.{place}"] = number(counts[place])
        values[f"max-{word}"], values[f"most-{word}"] = largest(counts)
    return values


def _say_uprising(links: str, v: Values) -> str:
    chain = "an uprising" if links == "1" else f"{links} uprisings in a row, each linked to the one before,"
    return (
        f"When every broken link holds, {chain} can come to any of {many(v['max-linked'], 'other province')} at most (from "
        f"{provinces(v, 'most-linked')}); when none holds, of {v['max-unlinked']} (from {provinces(v, 'most-unlinked')})."
    )


def _spread(board: Board) -> dict[str, Values]:
    needed: dict[str, int | None] = {}
    for place in board.ids:
        if not board[place].is_border:
            far, _ = largest(_from(board, place, borders=False))
            needed[place] = far if isinstance(far, int) else None
    least, quickest = smallest(needed)
    most, slowest = largest(needed)
    values: dict[str, Value] = {f"links.{place}": number(links) for place, links in needed.items()}
    return {"": values | {"min": least, "quickest": quickest, "max": most, "slowest": slowest}}


def _say_spread(_: str, v: Values) -> str:
    if v["min"] == NEVER:
        return "From no province can uprisings reach the whole Empire by links."
    return (
        f"Revolts that begin in one province must spread over {many(v['min'], 'link')} at least to reach the whole Empire "
        f"(from {provinces(v, 'quickest')}), and over {v['max']} from {provinces(v, 'slowest')}."
    )


TOPICS = (
    map_kind(
        "map/distance",
        "How many links lie between provinces",
        "breadth first, from Roma and from each border",
        ("links",),
        _distance,
        _say_distance,
    ),
    map_kind(
        "map/radius",
        "Centre, radius and diameter of the map",
        "breadth first from every province",
        ("links",),
        _radius,
        _say_radius,
    ),
    map_kind(
        "map/reach",
        "How far a number of uprisings can reach",
        "breadth first over Roman provinces, once with every broken link and once with none",
        ("links", "kinds"),
        _uprising,
        _say_uprising,
    ),
    map_kind(
        "map/spread",
        "How far unrest must spread to reach the whole Empire",
        "breadth first over Roman provinces",
        ("links",),
        _spread,
        _say_spread,
    ),
)
