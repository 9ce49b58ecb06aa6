"""Cubes and dice of the tribes: put, removed, raised, pacified, eradicated; and the end of the game that follows.

A tribe is *pacified* for good from its first pacification on. It is *eradicated* when it is pacified and has no cube on the
map; its die is then put away.
"""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import WON, Position, Result, State

PREFECT = "prefect"
LOST_BY_OUTBREAKS = Result("lost: outbreaks")
LOST_BY_DECLINE = Result("lost: decline")


def lost_by_reserve(tribe: str) -> Result:
    """The end of a game in which a cube of a tribe must be put and none is left."""
    return Result(f"lost: no cube of {tribe} left")


def put(position: Position, region: str, tribe: str, number: int = 1) -> State:
    """Put cubes of a tribe on a region; without enough of them the game is lost."""
    if position.on_map(tribe) + number > numbers.CUBES:
        return lost_by_reserve(tribe)
    return position.with_count(region, tribe, position.count(region, tribe) + number)


def remove(position: Position, region: str, tribe: str, number: int) -> Position:
    """Remove cubes of a tribe from a region; a pacified tribe without cubes is eradicated [E-ERADICATE]."""
    position = position.with_count(region, tribe, position.count(region, tribe) - number)
    for other in (tribe,) if position.ruleset.readings["E-ERADICATE"] == "own" else TRIBES:
        position = _look(position, other)
    return position


def pacify(position: Position, tribe: str) -> State:
    """Pacify a tribe: its die goes to 1; with all four the game is won [E-WIN]."""
    after = position.with_die(tribe, numbers.FIRST_DIE).replace(pacified=position.pacified | {tribe})
    if after.ruleset.readings["E-ERADICATE"] == "always":
        after = _look(after, tribe)
    return Result(WON) if all_pacified(after) and after.ruleset.readings["E-WIN"] == "at-once" else after


def end_of_phase(position: Position) -> State:
    """The game is won here if all four tribes are pacified [E-WIN]."""
    if position.ruleset.readings["E-WIN"] == "turn":
        return position  # at the end of the turn
    return Result(WON) if all_pacified(position) else position


def all_pacified(position: Position) -> bool:
    """Whether all four tribes have been pacified."""
    return len(position.pacified) == len(TRIBES)


def _look(position: Position, tribe: str) -> Position:
    """Put the die of an eradicated tribe away, at the introductory level."""
    is_gone = tribe in position.pacified and not position.on_map(tribe)
    return position.with_die(tribe, 0) if is_gone and position.ruleset.is_introductory else position


def is_settled(position: Position, tribe: str) -> bool:
    """Whether the die of a tribe stays at 1 for good, since it is pacified [E-AGAIN]."""
    return tribe in position.pacified and position.ruleset.readings["E-AGAIN"] == "stays"


def can_rise(position: Position, tribe: str) -> bool:
    """Whether a point raises the die of a tribe: not one put away, settled [E-AGAIN], at 6 or above the limit [E-LIMIT]."""
    die = position.die(tribe)
    if position.is_eradicated(tribe) or is_settled(position, tribe) or die == numbers.PACIFIED_AT:
        return False  # at 6 it stays until the action is taken [E-PACIFY]
    is_lost = position.ruleset.readings["E-LIMIT"] == "lost"
    return not (is_lost and position.with_die(tribe, die + 1).points > numbers.MOST_POINTS)


def raise_die(position: Position, tribe: str, points: int = 1) -> State:
    """Raise a die point by point; one that is put away stays away, and points above eleven may be lost [E-LIMIT]."""
    readings = position.ruleset.readings
    for _ in range(points):
        if not can_rise(position, tribe):
            break
        position = position.with_die(tribe, position.die(tribe) + 1)
        if not _pacifies(position, position.die(tribe)) or waits_at_six(position, tribe):
            continue
        after = pacify(position, tribe)
        if isinstance(after, Result) or readings["E-OVER"] == "lost":
            return after
        position = after
    return position


def waits_at_six(position: Position, tribe: str) -> bool:
    """Whether a die stands at 6 and pacifies only after the points above the limit are taken off [E-LIMIT]."""
    readings = position.ruleset.readings
    is_before = readings["E-LIMIT"] == "before-six" and readings["E-PACIFY"] != "action"
    return is_before and position.die(tribe) == numbers.PACIFIED_AT and position.points > numbers.MOST_POINTS


def pacify_at_six(position: Position) -> State:
    """After the points above the limit are taken off: a die that still stands at 6 pacifies [E-LIMIT, E-PACIFY]."""
    for tribe in TRIBES if position.ruleset.readings["E-PACIFY"] != "action" else ():
        if position.die(tribe) == numbers.PACIFIED_AT:
            return pacify(position, tribe)
    return position


def _pacifies(position: Position, die: int) -> bool:
    """Whether a point that took a die here pacifies [E-PACIFY, E-PREFECT]."""
    if position.role == PREFECT and position.ruleset.points_pacify_at_5 and die >= numbers.PREFECT_AT:
        return True
    return position.ruleset.readings["E-PACIFY"] != "action" and die >= numbers.PACIFIED_AT
