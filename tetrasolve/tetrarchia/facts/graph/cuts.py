"""Where the map falls apart: provinces and links that hold it together, and what is left without broken links."""

from __future__ import annotations

from functools import lru_cache

from tetrasolve.claims.fact import Value, Values
from tetrasolve.claims.saying import below, listed, many, words
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.graph.network import linked, map_kind, rings
from tetrasolve.tetrarchia.facts.saying import named, provinces


class _Cuts:
    """Articulation provinces and bridges by one walk in depth (Tarjan's low points).

    The low point of a province is the earliest province that it and what was found from it can come back to without the
    link by which it was found.
    """

    def __init__(self, board: Board) -> None:
        self.board = board
        self.found: dict[str, int] = {}  # when
        self.low: dict[str, int] = {}
        self.parts: dict[str, int] = {}  # how many parts its neighbours fall into without it
        self.bridges: set[frozenset[str]] = set()
        for place in board.ids:
            if place not in self.found:
                self.parts[place] = self._walk(place, None)

    def _walk(self, place: str, before: str | None) -> int:
        """Walk on from a province; how many parts of what is found from it hang on it alone."""
        self.found[place] = self.low[place] = len(self.found)
        hanging = 0
        for other in self.board.neighbours(place):
            if other == before:
                continue
            if other not in self.found:
                self.parts[other] = 1 + self._walk(other, place)
                self.low[place] = min(self.low[place], self.low[other])
                hanging += self.low[other] >= self.found[place]
                if self.low[other] > self.found[place]:
                    self.bridges.add(frozenset((place, other)))
            else:
                self.low[place] = min(self.low[place], self.found[other])
        return hanging


@lru_cache(maxsize=4)
def _cuts(board: Board) -> _Cuts:
    return _Cuts(board)


def _articulation(board: Board) -> dict[str, Values]:
    cuts = _cuts(board)
    vital = tuple(place for place in board.ids if cuts.parts[place] > 1)
    values: dict[str, Value] = {"count": len(vital), "provinces": vital}
    values |= {f"parts.{place}": cuts.parts[place] for place in vital}
    return {"": values}


def _say_articulation(_: str, v: Values) -> str:
    if not v["count"]:
        return "Without any one province the others remain linked with each other."
    parts = listed(f"{named(place)} ({many(number, 'part')})" for place, number in below(v, "parts").items())
    return f"The map falls apart without one of {many(v['count'], 'province')}: {parts}."


def _bridge(board: Board) -> dict[str, Values]:
    bridges = _cuts(board).bridges
    ordered = tuple(
        f"{a}:{b}" for row, a in enumerate(board.ids) for b in board.ids[row + 1 :] if frozenset((a, b)) in bridges
    )
    return {"": {"count": len(ordered), "links": ordered}}


def _say_bridge(_: str, v: Values) -> str:
    links = listed(" - ".join(map(named, link.split(":"))) for link in words(v, "links"))
    return f"{many(v['count'], 'link')} must hold for the map to be in one piece: {links}."


def _unbroken(board: Board) -> dict[str, Values]:
    masks = linked(board, broken=False)
    parts: list[tuple[str, ...]] = []
    left = (1 << len(board.ids)) - 1
    while left:
        part = sum(rings(masks, (left & -left).bit_length() - 1))
        parts.append(board.unmask(part))
        left &= ~part
    values: dict[str, Value] = {
        "parts": len(parts),
        "largest": max(map(len, parts)),
        "alone": tuple(part[0] for part in parts if len(part) == 1),
    }
    values |= {f"part.{part[0]}": part for part in parts if len(part) > 1}
    return {"": values}


def _say_unbroken(_: str, v: Values) -> str:
    sizes = sorted((len(words(below(v, "part"), part)) for part in below(v, "part")), reverse=True)
    return (
        f"When no broken link holds, the map is in {many(v['parts'], 'part')}: of {listed(map(str, sizes))} provinces, "
        f"and alone {provinces(v, 'alone')}."
    )


TOPICS = (
    map_kind(
        "map/articulation",
        "Provinces without which the map falls apart",
        "by a walk in depth and its low points",
        ("links",),
        _articulation,
        _say_articulation,
    ),
    map_kind(
        "map/bridge",
        "Links without which the map falls apart",
        "by a walk in depth and its low points",
        ("links",),
        _bridge,
        _say_bridge,
    ),
    map_kind(
        "map/unbroken",
        "What hangs together when no broken link holds",
        "by walks along normal links",
        ("links", "kinds"),
        _unbroken,
        _say_unbroken,
    ),
)
