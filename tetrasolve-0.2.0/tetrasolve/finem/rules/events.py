"""Special events: a card is drawn, and its rank says what happens."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules.campaign import EVENT, above_limit, proceed
from tetrasolve.finem.rules.outbreak import outbreak
from tetrasolve.finem.rules.tribes import put, raise_die, remove

STAY, ALL = "stay", "all"


def drawn(position: Position, card: str) -> State:
    """After the card of the event is drawn."""
    position = position.replace(out=position.out | {card})
    match card[1]:
        case "5":
            return position.replace(step=Step.TRAVEL)
        case "6":
            return proceed(position.replace(is_quiet=True), EVENT)
        case "7":
            return position.replace(step=Step.RESIST) if position.occupied else proceed(position, EVENT)
        case "S":
            return position.replace(step=Step.RAISE) if any(position.dice) else proceed(position, EVENT)
        case "C":
            return position.replace(step=Step.PROTECT)
        case _:
            return position.replace(step=Step.CIVIL_WAR)


# -- 5: the pawn goes anywhere -------------------------------------------------------------------------------------------


def journeys(position: Position) -> tuple[str, ...]:
    """The regions to which the pawn can go; it may stay."""
    return (*(f"move {region}" for region in REGIONS if region != position.pawn), STAY)


def travelled(position: Position, option: str) -> State:
    """After the pawn went."""
    pawn = position.pawn if option == STAY else option.split()[1]
    return proceed(position.replace(pawn=pawn), EVENT)


# -- 7: cubes are removed ------------------------------------------------------------------------------------------------


def removals(position: Position) -> tuple[str, ...]:
    """A cube of any region, or all of a pacified tribe in one region."""
    found = []
    for region, tribes in position.occupied.items():
        for tribe, count in tribes.items():
            found.append(f"remove {region} {tribe}")
            if count > 1 and tribe in position.pacified:
                found.append(f"remove {region} {tribe} {ALL}")
    return tuple(found)


def resisted(position: Position, option: str) -> State:
    """After the cubes are removed."""
    _, region, tribe, *all_ = option.split()
    return proceed(remove(position, region, tribe, position.count(region, tribe) if all_ else 1), EVENT)


# -- S: a die rises ------------------------------------------------------------------------------------------------------


def rises(position: Position) -> tuple[str, ...]:
    """The dice that are not put away."""
    return tuple(f"raise {tribe}" for tribe in TRIBES if not position.is_eradicated(tribe))


def risen(position: Position, option: str) -> State:
    """After the die has risen."""
    after = raise_die(position, option.split()[1])
    if isinstance(after, Result):
        return after
    return after.replace(step=Step.DISCARD_EVENT) if above_limit(after) else proceed(after, EVENT)


# -- C: a region is protected --------------------------------------------------------------------------------------------


def protections(position: Position) -> tuple[str, ...]:
    """All regions."""
    del position
    return tuple(f"protect {region}" for region in REGIONS)


def protected(position: Position, option: str) -> State:
    """After a region is named: its card is replaced in this turn's invasion."""
    return proceed(position.replace(protected=option.split()[1]), EVENT)


# -- R: civil war --------------------------------------------------------------------------------------------------------


def civil_war(position: Position, card: str) -> State:
    """After the card of a civil war is drawn: each region of its rank gets a cube of its suit, or an outbreak."""
    position = position.replace(out=position.out | {card})
    for tribe in TRIBES:
        region = tribe + card[1]
        if position.is_eradicated(tribe):
            if position.ruleset.readings["E-CIVIL"] == "skip":
                continue
            position = position.with_die(tribe, numbers.FIRST_DIE)
        is_full = position.count(region, tribe) == numbers.MOST_IN_REGION
        after = outbreak(position, region, tribe) if is_full else put(position, region, tribe)
        if isinstance(after, Result):
            return after
        position = after
    return proceed(position, EVENT)
