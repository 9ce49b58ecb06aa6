"""Crisis: a region is filled up to three cubes of its suit; where it had one before, an outbreak follows.

Readings: E-FILL, E-CRISIS-GONE.
"""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.position import Position, Result, State
from tetrasolve.finem.rules.campaign import CRISIS, proceed
from tetrasolve.finem.rules.invasion import last_invaded
from tetrasolve.finem.rules.outbreak import outbreak
from tetrasolve.finem.rules.tribes import lost_by_reserve, put


def drawn(position: Position, card: str) -> State:
    """After the card of a crisis is drawn."""
    after = _filled(position.replace(out=position.out | {card}), card)
    if position.ruleset.readings["E-FILL"] == "held" and _is_short(position, card, after):
        return lost_by_reserve(card[0])
    return after if isinstance(after, Result) else proceed(after, CRISIS)


def _is_short(before: Position, card: str, after: State) -> bool:
    """Whether three cubes are not there, or those that do not fit are missing while the outbreak spreads [E-FILL]."""
    tribe, lay = card[0], before.count(card, card[0])
    if isinstance(after, Position) and after.is_eradicated(tribe):
        return False
    needed = [before.on_map(tribe) + numbers.CRISIS_CUBES]
    needed += [after.on_map(tribe) + lay] if isinstance(after, Position) else []
    return max(needed) > numbers.CUBES


def _filled(position: Position, card: str) -> State:
    tribe, readings = card[0], position.ruleset.readings
    if position.is_eradicated(tribe) and readings["E-CRISIS-GONE"] == "return":
        position = position.with_die(tribe, numbers.FIRST_DIE)
    before = position.count(card, tribe)
    missing = numbers.CRISIS_CUBES - before
    is_eradicated = position.is_eradicated(tribe)
    position = last_invaded(position, card, was_put=missing > 0 and not is_eradicated)
    if is_eradicated:
        return position
    if readings["E-FILL"] == "three" and position.on_map(tribe) + numbers.CRISIS_CUBES > numbers.CUBES:
        return lost_by_reserve(tribe)
    after = put(position, card, tribe, missing)
    return after if isinstance(after, Result) or not before else outbreak(after, card, tribe)
