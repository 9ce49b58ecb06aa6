"""How few armies bar the land ways between Roma and a border, and how few revolts make the ways to all borders cost more."""

from __future__ import annotations

from tetrasolve.claims.fact import Values
from tetrasolve.claims.saying import NEVER, listed, many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.routes.reach import starts
from tetrasolve.tetrarchia.facts.routes.travel import NO_FLEET, travel
from tetrasolve.tetrarchia.facts.saying import named
from tetrasolve.tetrarchia.facts.smallest import Demand, Layer, Question, barrier, sets_kind

EVERY = "every-border"


def _land(board: Board, border: str) -> Demand:
    """Armies within the Empire stand on paths; nobody enters where one stands."""
    paths = (place for place in board.ids if board[place].arrow is not None and not board[place].is_border)
    arcs = tuple(tuple(sorted(links)) for links in travel(board).links)
    ends = board.mask(board.borders if border == EVERY else [border])
    return barrier(board, board.mask(paths), [Layer(board.order[board.roma], ends, arcs)])


def _cheapest(board: Board, start: str) -> Demand:
    """The cheapest ways from a start to each border, without a fleet; a revolt on a Roman province makes one cost more."""
    roman = board.mask(place for place in board.ids if not board[place].is_border)
    layers = []
    for border in board.borders:
        left = travel(board).potential(border, NO_FLEET)
        arcs = tuple(
            tuple(
                other
                for other, cost in sorted(links.items())
                if left[row] is not None and left[row] == _plus(left[other], cost)
            )
            for row, links in enumerate(travel(board).links)
        )
        if left[board.order[start]] is not None:
            layers.append(Layer(board.order[start], board.mask([border]), arcs))
    return barrier(board, roman, layers)


def _plus(left: int | None, cost: int) -> int | None:
    return None if left is None else left + cost


def _say_land(border: str, v: Values) -> str:
    where = "all borders" if border == EVERY else named(border)
    if v["least"] == NEVER:
        return f"By no armies within the Empire Roma is cut off from {where}."
    if v["least"] == 0:
        return f"No land way leads from Roma to {where}."
    return (
        f"By land Roma is cut off from {where} by {many(v['least'], 'army', 'armies')} on paths within the Empire and by no "
        f"fewer; {_sets(v)}."
    )


def _say_cheapest(start: str, v: Values) -> str:
    if v["least"] == NEVER:
        return f"From {named(start)} some border is so near that no revolt makes the cheapest way to it dearer."
    return (
        f"Without a fleet {many(v['least'], 'revolt')} and no fewer make the cheapest ways from {named(start)} to all borders "
        f"dearer; {_sets(v)}."
    )


def _sets(v: Values) -> str:
    """How many sets there are, one of them by name."""
    one = listed(map(named, words(v, "first")))
    return f"it must be {one}" if v["count"] == 1 else f"there are {v['count']} such sets, one is {one}"


TOPICS = (
    sets_kind(
        "barrier",
        "routes",
        "The fewest armies that cut off Roma from a border, the fewest revolts that make the cheapest ways to all borders dearer",
        "all smallest sets by branching on the shortest way left; that there are no others is a formula without a solution",
        ("links", "kinds", "regions", "arrows", "printed"),
        {
            "cut": Question(lambda board: (*board.borders, EVERY), _land, _say_land),
            "hinder": Question(starts, _cheapest, _say_cheapest),
        },
        ruleset="every ruleset of the base game, without a fleet",
    ),
)
