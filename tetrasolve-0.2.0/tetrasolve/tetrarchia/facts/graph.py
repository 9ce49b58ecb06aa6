"""The map as a graph: what follows from its links, coasts and arrows alone, whatever stands there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import pairwise
from math import inf
from typing import TYPE_CHECKING

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import NEVER
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.topics import topics_of

if TYPE_CHECKING:
    import networkx

Numbers = Mapping[str, float]  # by province; infinite where there is no way

MOST_UPRISINGS = 5


@lru_cache(maxsize=16)
def _graph(board: Board, *, broken: bool = True, borders: bool = True) -> networkx.Graph:
    """All links; or without the broken ones, or among Roman provinces only."""
    graph = board.to_networkx()
    graph.remove_edges_from([(a, b) for a, b, is_broken in graph.edges.data("broken") if is_broken and not broken])
    graph.remove_nodes_from([] if borders else board.borders)
    return graph


def _in_order(board: Board, places: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(places, key=board.order.__getitem__))


def _number(steps: float) -> Value:
    return NEVER if steps == inf else int(steps)


def _all(path: str, numbers: Numbers) -> dict[str, Value]:
    """A value for each province."""
    return {f"{path}.{place}": _number(steps) for place, steps in numbers.items()}


def _extreme(pick: Callable[[Iterable[float]], float], numbers: Numbers, word: str, who: str) -> dict[str, Value]:
    """The largest or the smallest of some numbers, and the provinces that have it."""
    wanted = pick(numbers.values())
    return {word: _number(wanted), who: tuple(place for place, steps in numbers.items() if steps == wanted)}


# -- provinces and links ---------------------------------------------------------------------------------------


def _count(board: Board) -> dict[str, Values]:
    ends = [(board[link.between[0]], board[link.between[1]], link.broken) for link in board.links]
    inner = [(a, b) for a, b, _ in ends if not (a.is_border or b.is_border)]
    broken = sum(is_broken for _, _, is_broken in ends)
    return {
        "": {
            "provinces": len(board.ids),
            "borders": len(board.borders),
            "roman": len(board.ids) - len(board.borders),
            "links": len(ends),
            "broken": broken,
            "normal": len(ends) - broken,
            "roman-links": len(inner),
            "border-links": len(ends) - len(inner),
            "border-broken": sum(is_broken for a, b, is_broken in ends if a.is_border or b.is_border),
            "across-regions": sum(a.region != b.region for a, b in inner),
        }
    }


def _degree(board: Board) -> dict[str, Values]:
    links = {place: len(board.neighbours(place)) for place in board.ids}
    broken = {place: sum(link.broken for link in board.neighbours(place).values()) for place in board.ids}
    most, fewest = _extreme(max, links, "max", "most"), _extreme(min, links, "min", "fewest")
    return {"": _all("links", links) | _all("broken", broken) | most | fewest}


def _border(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for border in board.borders:
        links = board.neighbours(border)
        by_row = _in_order(board, links)
        facts[border] = {
            "links": len(links),
            "broken": sum(link.broken for link in links.values()),
            "neighbours": by_row,
            "other-regions": tuple(place for place in by_row if board[place].region != board[border].region),
        }
    return facts


def _coast(board: Board) -> dict[str, Values]:
    only = {
        zone: tuple(place for place in coast if len(board[place].zones) == 1) for zone, coast in board.coast.items()
    }
    return {
        str(zone): {"count": len(coast), "provinces": coast, "only": only[zone]} for zone, coast in board.coast.items()
    }


def _inland(board: Board) -> dict[str, Values]:
    dry = tuple(place for place in board.ids if not board[place].is_border and not board[place].is_coastal)
    two = tuple(place for place in board.ids if len(board[place].zones) > 1)
    wet = tuple(border for border in board.ids if board[border].is_border and board[border].is_coastal)
    return {"": {"count": len(dry), "provinces": dry, "two-coasts": two, "border-coasts": wet}}


# -- what holds the map together -------------------------------------------------------------------------------


def _articulation(board: Board) -> dict[str, Values]:
    import networkx

    graph = _graph(board)
    vital = _in_order(board, networkx.articulation_points(graph))
    before = networkx.number_connected_components(graph)
    values: dict[str, Value] = {"count": len(vital), "provinces": vital}
    for place in vital:
        rest = graph.subgraph(set(graph) - {place})
        values[f"parts.{place}"] = networkx.number_connected_components(rest) - before + 1
    return {"": values}


def _bridge(board: Board) -> dict[str, Values]:
    import networkx

    pairs = [_in_order(board, pair) for pair in networkx.bridges(_graph(board))]
    bridges = sorted(pairs, key=lambda pair: [board.order[place] for place in pair])
    return {"": {"count": len(bridges), "links": tuple(map(":".join, bridges))}}


def _unbroken(board: Board) -> dict[str, Values]:
    import networkx

    found = networkx.connected_components(_graph(board, broken=False))
    parts = sorted((_in_order(board, part) for part in found), key=lambda part: board.order[part[0]])
    values: dict[str, Value] = {"parts": len(parts), "largest": max(map(len, parts))}
    values["alone"] = tuple(part[0] for part in parts if len(part) == 1)
    return {"": values | {f"part.{part[0]}": part for part in parts if len(part) > 1}}


# -- distances in links ----------------------------------------------------------------------------------------


def _steps(graph: networkx.Graph, start: str) -> dict[str, float]:
    """The links from a province to each."""
    import networkx

    return {**dict.fromkeys(graph, inf), **networkx.single_source_shortest_path_length(graph, start)}


def _farthest(graph: networkx.Graph) -> dict[str, float]:
    """The links from each province to the farthest other."""
    return {place: max(_steps(graph, place).values()) for place in graph}


def _distance(board: Board) -> dict[str, Values]:
    steps = {start: _steps(_graph(board), start) for start in (board.roma, *board.borders)}
    return {start: _all("to", far) | _extreme(max, far, "max", "farthest") for start, far in steps.items()}


def _radius(board: Board) -> dict[str, Values]:
    far = _farthest(_graph(board))
    ends = _extreme(min, far, "radius", "centre") | _extreme(max, far, "diameter", "rim")
    return {"": _all("links", far) | ends}


def _spread(board: Board) -> dict[str, Values]:
    far = _farthest(_graph(board, borders=False))
    ends = _extreme(min, far, "min", "quickest") | _extreme(max, far, "max", "slowest")
    return {"": _all("links", far) | ends}


def _reach(board: Board) -> dict[str, Values]:
    """How many other Roman provinces lie within so many links of each, if all broken links hold, and if none does."""
    facts: dict[str, dict[str, Value]] = {str(links): {} for links in range(1, MOST_UPRISINGS + 1)}
    for word, broken in (("linked", True), ("unlinked", False)):
        graph = _graph(board, broken=broken, borders=False)
        steps = {place: _steps(graph, place).values() for place in graph}
        for links, values in facts.items():
            counts = {place: sum(0 < far <= int(links) for far in steps[place]) for place in graph}
            values.update(_all(word, counts) | _extreme(max, counts, f"max-{word}", f"most-{word}"))
    return dict(facts)


# -- arrows ----------------------------------------------------------------------------------------------------


def _way(board: Board, border: str) -> tuple[str, ...]:
    """The provinces of a path, border and end included; it ends where no arrow leads on, or where it has been."""
    path = [border]
    while (after := board[path[-1]].arrow) is not None and after not in path:
        path.append(after)
    return tuple(path)


def _path(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for border in board.borders:
        path = _way(board, border)
        broken = [f"{a}:{b}" for a, b in pairwise(path) if (link := board.link(a, b)) is not None and link.broken]
        facts[border] = {"path": path, "moves": len(path) - 1, "broken": len(broken), "checks": tuple(broken)}
    return facts


def _cover(board: Board) -> dict[str, Values]:
    roman = [place for place in board.ids if not board[place].is_border and place != board.roma]
    paths = [_way(board, border) for border in board.borders]
    through = {place: sum(place in path for path in paths) for place in roman}
    safe = tuple(place for place in roman if not through[place])
    values = _all("paths", through) | _extreme(max, through, "max", "most")
    return {"": values | {"safe": safe, "count": len(roman) - len(safe)}}


TOPICS = topics_of(
    "graph",
    {
        "map/count": _count,
        "map/degree": _degree,
        "map/border": _border,
        "map/coast": _coast,
        "map/inland": _inland,
        "map/articulation": _articulation,
        "map/bridge": _bridge,
        "map/unbroken": _unbroken,
        "map/distance": _distance,
        "map/radius": _radius,
        "map/reach": _reach,
        "map/spread": _spread,
        "arrow/path": _path,
        "arrow/cover": _cover,
    },
    "every ruleset",
)
