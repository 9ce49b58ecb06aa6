"""What a fleet, a sail and an entry at one's capital are worth: the IP that they save on the ways to the borders.

Sums are over all provinces as starts. A start without any way to a border has nothing to save there and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value, Values
from tetrasolve.tetrarchia.facts.routes.potentials import Distances, borders, distances, route_kind
from tetrasolve.tetrarchia.facts.routes.reach import FREE
from tetrasolve.tetrarchia.facts.routes.travel import SAIL, Potential, travel, word_of
from tetrasolve.tetrarchia.facts.saying import many, named


def saved(dear: Potential, cheap: Potential) -> int:
    """How many IP the second potential saves on the first, over all provinces."""
    return sum(a - b for a, b in zip(dear, cheap, strict=True) if a is not None and b is not None)


def _sums(found: Distances, pairs: Iterable[tuple[str, str, str]]) -> dict[str, Value]:
    """For pairs of settings, each with its word, what the second saves: border by border, and in all."""
    values: dict[str, Value] = {}
    for word, dear, cheap in pairs:
        by_border = {border: saved(found[border][dear], found[border][cheap]) for border in found}
        values |= {f"{word}.{border}": ip for border, ip in by_border.items()}
        values[f"{word}.sum"] = sum(by_border.values())
    return values


# -- fleets ----------------------------------------------------------------------------------------------------


def _fleet(board: Board) -> dict[str, Values]:
    found = distances(board, board.borders)
    facts: dict[str, Values] = {}
    for zone in board.coast:
        without = [fleets for fleets in travel(board).fleet_sets if zone not in fleets]
        pairs = [(word_of(fleets), word_of(fleets), word_of(fleets | {zone})) for fleets in without]
        facts[str(zone)] = _sums(found, pairs)
    return facts


def _say_fleet(zone: str, v: Values) -> str:
    others = next(path for path in sorted(v, key=len, reverse=True) if path.endswith(".sum") and path != "none.sum")
    return (
        f"On the ways from all provinces to all borders a fleet in zone {zone} saves {many(v['none.sum'], 'IP', 'IP')} where there "
        f"is no other, and {v[others]} IP where fleets lie in zones {' and '.join(others.partition('.')[0])}."
    )


def _sailing(board: Board) -> dict[str, Values]:
    found = distances(board, board.borders)
    ways = travel(board)
    words = [word_of(fleets) for fleets in ways.fleet_sets if ways.voyages[fleets]]
    return {word: _sums(found, [(SAIL, word, SAIL + word)]) for word in words}


def _say_sailing(word: str, v: Values) -> str:
    fleets = f"a fleet in zone {word}" if len(word) == 1 else f"fleets in zones {' and '.join(word)}"
    return f"With {fleets}, to sail first saves {many(v['sail.sum'], 'IP', 'IP')} on the ways from all provinces to all borders."


# -- entries ---------------------------------------------------------------------------------------------------


def _entry(board: Board) -> dict[str, Values]:
    found = distances(board, board.borders)
    facts: dict[str, Values] = {}
    for emperor in board.emperors:
        values: dict[str, Value] = {}
        for setting in travel(board).settings:
            ip = {border: _gain(board, found[border][setting], emperor.capital) for border in board.borders}
            values |= {f"{setting}.{border}": gain for border, gain in ip.items()}
            values[f"{setting}.sum"] = sum(ip.values())
        facts[emperor.id] = values
    return facts


def _gain(board: Board, potential: Potential, capital: str) -> int:
    """IP saved by him who may enter at his capital as well as in Roma."""
    roma, own = potential[board.order[board.roma]], potential[board.order[capital]]
    return 0 if roma is None or own is None else max(0, roma - own)


def _say_entry(emperor: str, v: Values) -> str:
    return (
        f"To enter at his capital instead of Roma saves {named(emperor)} {v['none.sum']} IP on the ways to the six borders "
        f"without a fleet, and {v['123.sum']} IP with a fleet in every zone."
    )


KINDS = (
    route_kind(
        "route-fleet",
        "How many IP a fleet saves",
        f"sums of differences of shortest ways, {FREE}",
        _fleet,
        _say_fleet,
        targets=borders,
        rows=("links", "kinds", "zones"),
    ),
    route_kind(
        "route-sailing",
        "How many IP the leave to sail saves",
        f"sums of differences of shortest ways, {FREE}",
        _sailing,
        _say_sailing,
        targets=borders,
        rows=("links", "kinds", "zones"),
    ),
    route_kind(
        "route-entry",
        "How many IP an entry at one's capital saves",
        f"differences of shortest ways, {FREE}",
        _entry,
        _say_entry,
        targets=borders,
    ),
)
