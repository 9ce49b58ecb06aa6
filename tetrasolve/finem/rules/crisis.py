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

# The cards that an invasion can need at most, with one that a Tribune exchanges: a crisis leaves them in the deck [E-CRISIS-GONE]
LEFT = numbers.INVASIONS_OF_FIRST_CARD + numbers.DECLINE_CARDS


def drawn(position: Position, card: str) -> State:
    """After the card of a crisis is drawn."""
    position = position.replace(out=position.out | {card})
    if _is_replaced(position, card):
        return position
    after = _filled(position, card)
    if position.ruleset.readings["E-FILL"] == "held" and _is_short(position, card, after):
        return lost_by_reserve(card[0])
    return after if isinstance(after, Result) else proceed(after, CRISIS)


def _is_replaced(position: Position, card: str) -> bool:
    """Whether another card is drawn for one of an eradicated tribe, while the deck has enough for the invasion [E-CRISIS-GONE]."""
    draws_again = position.ruleset.readings["E-CRISIS-GONE"] == "again" and position.is_eradicated(card[0])
    return draws_again and len(position.deck) > LEFT


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
