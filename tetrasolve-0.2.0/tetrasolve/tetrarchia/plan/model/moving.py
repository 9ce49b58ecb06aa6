"""Entering, moving, passing through, sailing: the constraints of page 7 for one layer.

Each function gives the possible actions of the figure that acts, with their price and conditions; that it can leave a province
that it shares involves several layers and is part of `turn`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tetrasolve.tetrarchia.action import enter, move, sail
from tetrasolve.tetrarchia.pieces import VICARIUS
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Lit
from tetrasolve.tetrarchia.plan.model.table import ARMY, FLEET, PIRATES, Deed, Deeds, Thing, TurnLayer, figure
from tetrasolve.tetrarchia.position import UNREST_DISC

NORMAL, BROKEN, BY_SEA = 1, 2, 1
INTO_A_REVOLT = 1
SAIL = 1


def entries(layer: TurnLayer) -> Deeds:
    """Entering in Roma, or in his capital if no disc lies there, at no cost."""
    board = layer.board
    emperor = board.emperor(layer.emperor)
    assert emperor is not None
    for place in dict.fromkeys((board.roma, emperor.capital)):
        free = _uncovered(layer) if place == board.roma else layer.free_of_discs(place)
        vicarius = layer.table[figure(VICARIUS), place] if layer.reading("I-VICARIUS-ENTRY") == "closed" else FALSE
        company = TRUE if layer.reading("I-ENTRY-SHARED") == "share" else -layer.shared(place)
        yield Deed(enter(place), 0, place, (free, company, -vicarius, -layer.table[ARMY, place]))


def _uncovered(layer: TurnLayer) -> Lit:
    """Whether no disc closes Roma [I-ENTRY-ROMA]."""
    roma, closed_by = layer.board.roma, layer.reading("I-ENTRY-ROMA")
    if closed_by == "open":
        return TRUE
    return -layer.revolt(roma) if closed_by == "no-revolt" else layer.free_of_discs(roma)


def moves(layer: TurnLayer, here: str) -> Deeds:
    """Moves by link or fleet, whichever is cheaper, not to an army; 1 IP more into a revolt.

    The Vicarius enters no revolt, and removes unrest where he enters.
    """
    single = layer.reading("I-PASS") == "single"
    closed = layer.reading("I-VICARIUS-PASS") == "closed" and layer.figure != VICARIUS
    calm = layer.figure == VICARIUS
    for target in _destinations(layer, here):
        vicarius = layer.table[figure(VICARIUS), target] if closed else FALSE
        passing = layer.formula.any_of((-layer.shared(here), -layer.shared(target))) if single else TRUE
        sweeps: tuple[Thing, ...] = ((UNREST_DISC, target),) if calm else ()
        for way, cheapest in _ways(layer, here, target):
            tolls = ((0, -layer.revolt(target)), (INTO_A_REVOLT, layer.revolt(target)))
            for toll, revolt in tolls[:1] if calm else tolls:
                conditions = (cheapest, revolt, -layer.table[ARMY, target], passing, -vicarius)
                yield Deed(move(target), way + toll, target, conditions, sweeps=sweeps)


def _destinations(layer: TurnLayer, here: str) -> list[str]:
    """Linked provinces, and those on the coasts that fleets can reach."""
    board = layer.board
    coasts = (place for zone in _zones(layer, here) for place in board.coast[zone])
    found = {*board.neighbours(here), *coasts} - {here}
    return sorted(found, key=board.order.__getitem__)


def _zones(layer: TurnLayer, here: str) -> Iterable[int]:
    """The zones on whose coast a way by sea from here can end."""
    zones = layer.board[here].zones
    return layer.board.coast if zones and layer.extras.joined_seas else zones


def _ways(layer: TurnLayer, here: str, target: str) -> Iterator[tuple[int, Lit]]:
    """The possible prices of the cheapest way, with their conditions."""
    link = layer.board.link(here, target)
    if link is not None and not link.broken:
        yield NORMAL, TRUE
        return
    sea = by_sea(layer, here, target)
    yield BY_SEA, sea
    if link is not None:
        yield BROKEN, -sea  # through two zones it costs as much
    elif layer.extras.joined_seas:
        yield from _through_zones(layer, here, target, sea)


def by_sea(layer: TurnLayer, here: str, target: str) -> Lit:
    """Whether a fleet lies in a zone on whose coast both provinces are."""
    shared = layer.board[here].zones & layer.board[target].zones
    return layer.formula.any_of(layer.table[FLEET, zone] for zone in sorted(shared))


def _through_zones(layer: TurnLayer, here: str, target: str, nearer: Lit) -> Iterator[tuple[int, Lit]]:
    """Mare Nostrum: the prices of ways through several adjacent zones, each with a fleet, where there is none `nearer`.

    How many zones: [I-MARE-ZONES].
    """
    most = 2 if layer.reading("I-MARE-ZONES") == "two" else len(layer.board.coast)
    formula, table, board = layer.formula, layer.table, layer.board
    ways: list[tuple[int, ...]] = [(zone,) for zone in sorted(board[here].zones)]
    while ways := [(*way, zone) for way in ways for zone in board.adjacent(way[-1]) if zone not in way]:
        if len(ways[0]) > most:
            return
        ending = (way for way in ways if way[-1] in board[target].zones)
        reached = formula.any_of(formula.all_of(table[FLEET, zone] for zone in way) for way in ending)
        yield BY_SEA * len(ways[0]), formula.all_of((reached, -nearer))
        nearer = formula.any_of((nearer, reached))


def sails(layer: TurnLayer, here: str) -> Deeds:
    """Sailing of any fleet to an adjacent zone without one and without Pirates, while he shares no province."""
    board, table = layer.board, layer.table
    for origin in board.coast:
        for target in board.adjacent(origin):
            free = (-table[FLEET, target], -table[PIRATES, target])
            conditions = (table[FLEET, origin], *free, -layer.shared(here))
            goes, comes = ((FLEET, origin),), ((FLEET, target),)
            yield Deed(sail(origin, target), SAIL, here, conditions, takes=goes, puts=comes)


def link_price(layer: TurnLayer, here: str, target: str) -> int | None:
    """The price of a link without revolts; None without a link."""
    link = layer.board.link(here, target)
    return None if link is None else BROKEN if link.broken else NORMAL
