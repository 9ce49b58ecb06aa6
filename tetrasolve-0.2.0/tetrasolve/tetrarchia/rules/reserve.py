"""The reserve of revolts and unrest (rulebook page 11): the Empire falls when a disc has to be placed and none is left."""

from __future__ import annotations

from collections.abc import Iterable

from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules.end import Fall
from tetrasolve.tetrarchia.rules.registry import rule_modules


# Rule p11-fall-revolt
def put_revolts(position: Position, provinces: Iterable[str]) -> Position | Fall:
    """Place a revolt in each of these provinces; other discs there return to their reserves first."""
    places = frozenset(provinces)
    if len(position.revolts | places) - len(position.revolts) > position.reserve_revolts:
        return Fall.NO_REVOLT_LEFT
    placed = position.with_discs(places, REVOLT_DISC)
    for module in rule_modules(position).revolts:
        placed = module.struck(placed, places)
    return placed


# Rule p11-fall-unrest
def put_unrest(position: Position, province: str) -> Position | Fall:
    """Place an unrest in this province in place of any other disc."""
    if position.reserve_unrest == 0:
        return Fall.NO_UNREST_LEFT
    return position.with_disc(province, UNREST_DISC)
