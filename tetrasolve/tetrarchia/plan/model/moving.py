"""Entering, moving, passing through, sailing: the constraints of page 7 for one layer.

Each function gives the possible actions of the active Emperor, with their price and conditions; that he can leave a province
that he shares involves several layers and is part of `turn`.
"""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.tetrarchia.action import enter, move, sail
from tetrasolve.tetrarchia.plan.model.formula import TRUE, Lit
from tetrasolve.tetrarchia.plan.model.table import ARMY, FLEET, Deed, Deeds, TurnLayer

NORMAL, BROKEN, BY_SEA = 1, 2, 1
INTO_A_REVOLT = 1
SAIL = 1


def entries(layer: TurnLayer) -> Deeds:
    """Entering in Roma, or in his capital if no disc lies there, at no cost."""
    board = layer.board
    emperor = board.emperor(layer.emperor)
    assert emperor is not None
    for place in dict.fromkeys((board.roma, emperor.capital)):
        free = TRUE if place == board.roma else layer.free_of_discs(place)
        company = TRUE if layer.reading("I-ENTRY-SHARED") == "share" else -layer.shared(place)
        yield Deed(enter(place), 0, place, (free, company, -layer.table[ARMY, place]))


def moves(layer: TurnLayer, here: str) -> Deeds:
    """Moves by link or fleet, whichever is cheaper, not to an army; 1 IP more into a revolt."""
    single = layer.reading("I-PASS") == "single"
    for target in _destinations(layer, here):
        passing = layer.formula.any_of((-layer.shared(here), -layer.shared(target))) if single else TRUE
        for way, cheapest in _ways(layer, here, target):
            for toll, revolt in ((0, -layer.revolt(target)), (INTO_A_REVOLT, layer.revolt(target))):
                yield Deed(move(target), way + toll, target, (cheapest, revolt, -layer.table[ARMY, target], passing))


def _destinations(layer: TurnLayer, here: str) -> list[str]:
    """Linked provinces, and those on the coasts of the same zones."""
    board = layer.board
    coasts = (place for zone in board[here].zones for place in board.coast[zone])
    found = {*board.neighbours(here), *coasts} - {here}
    return sorted(found, key=board.order.__getitem__)


def _ways(layer: TurnLayer, here: str, target: str) -> Iterator[tuple[int, Lit]]:
    """The possible prices of the cheapest way, with their conditions."""
    sea = by_sea(layer, here, target)
    link = layer.board.link(here, target)
    if link is None:
        yield BY_SEA, sea
    elif not link.broken:
        yield NORMAL, TRUE
    else:
        yield BY_SEA, sea
        yield BROKEN, -sea


def by_sea(layer: TurnLayer, here: str, target: str) -> Lit:
    """Whether a fleet lies in a zone on whose coast both provinces are."""
    shared = layer.board[here].zones & layer.board[target].zones
    return layer.formula.any_of(layer.table[FLEET, zone] for zone in sorted(shared))


def sails(layer: TurnLayer, here: str) -> Deeds:
    """Sailing of any fleet to an adjacent zone without one, while he shares no province."""
    board, table = layer.board, layer.table
    for origin in board.coast:
        for target in board.adjacent(origin):
            conditions = (table[FLEET, origin], -table[FLEET, target], -layer.shared(here))
            goes, comes = ((FLEET, origin),), ((FLEET, target),)
            yield Deed(sail(origin, target), SAIL, here, conditions, takes=goes, puts=comes)


def link_price(layer: TurnLayer, here: str, target: str) -> int | None:
    """The price of a link without revolts; None without a link."""
    link = layer.board.link(here, target)
    return None if link is None else BROKEN if link.broken else NORMAL
