"""Special events: a card is drawn, and its rank says what happens."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position, Result, State, Step
from tetrasolve.finem.rules.campaign import EVENT, above_limit, proceed
from tetrasolve.finem.rules.invasion import last_invaded
from tetrasolve.finem.rules.outbreak import chain_of, looked_at
from tetrasolve.finem.rules.tribes import can_rise, raise_die, remove

STAY, ALL, KEEP, MAY = "stay", "all", "keep", "may"


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
        case "S" if not any(_may_name(position, tribe) for tribe in TRIBES):
            return proceed(position, EVENT)
        case "S":
            return position.replace(step=Step.RAISE) if any(position.dice) else proceed(position, EVENT)
        case "C":
            return position.replace(step=Step.PROTECT)
        case _:
            return position.replace(step=Step.CIVIL_WAR)


# -- 5: the pawn goes anywhere -------------------------------------------------------------------------------------------


def journeys(position: Position) -> tuple[str, ...]:
    """The regions to which the pawn can go; it may stay [E-TRAVEL]."""
    may_stay = position.ruleset.readings["E-TRAVEL"] == MAY
    return (*(f"move {region}" for region in REGIONS if region != position.pawn), *((STAY,) if may_stay else ()))


def travelled(position: Position, option: str) -> State:
    """After the pawn went."""
    pawn = position.pawn if option == STAY else option.split()[1]
    return proceed(position.replace(pawn=pawn), EVENT)


# -- 7: cubes are removed ------------------------------------------------------------------------------------------------


def removals(position: Position) -> tuple[str, ...]:
    """A cube of any region, or all of a pacified tribe in one region, or both; or none [E-RESIST, E-RESIST-ALL]."""
    found = []
    for region, tribes in position.occupied.items():
        for tribe, count in tribes.items():
            found.append(f"remove {region} {tribe}")
            if count > 1 and tribe in position.pacified:
                found.append(f"remove {region} {tribe} {ALL}")
    if position.ruleset.readings["E-RESIST-ALL"] == "besides":
        found = _removals_besides(position)
    return (*found, *((KEEP,) if position.ruleset.readings["E-RESIST"] == MAY else ()))


def _removals_besides(position: Position) -> list[str]:
    """A cube, or all of a pacified tribe in one region and one of its cubes in this region or another [E-RESIST-ALL]."""
    found = []
    for region, tribes in position.occupied.items():
        for tribe in tribes:
            found.append(f"remove {region} {tribe}")
            others = [one for one in position.occupied if position.count(one, tribe) and tribe in position.pacified]
            found += [f"remove {region} {tribe} {ALL} {one}" for one in others]
    return found


def resisted(position: Position, option: str) -> State:
    """After the cubes are removed: one, all in a region, or all there and the one of the region that is named last."""
    if option == KEEP:
        return proceed(position, EVENT)
    _, region, tribe, *all_ = option.split()
    for one in all_[1:]:
        position = remove(position, one, tribe, 1)
    return proceed(remove(position, region, tribe, position.count(region, tribe) if all_ else 1), EVENT)


# -- S: a die rises ------------------------------------------------------------------------------------------------------


def _may_name(position: Position, tribe: str) -> bool:
    """Whether a die can be named; one that cannot rise may be left out [E-RAISE-STUCK]."""
    return can_rise(position, tribe) or position.ruleset.readings["E-RAISE-STUCK"] != "not"


def rises(position: Position) -> tuple[str, ...]:
    """The dice that are not put away; or none [E-RAISE]."""
    found = tuple(
        f"raise {tribe}" for tribe in TRIBES if not position.is_eradicated(tribe) and _may_name(position, tribe)
    )
    return (*found, *((KEEP,) if position.ruleset.readings["E-RAISE"] == MAY else ()))


def risen(position: Position, option: str) -> State:
    """After the die has risen; a point above the limit may go at once, where no other die may pay for it [E-LIMIT-DICE].

    Or it waits for the points of the campaign [E-LIMIT-EVENT].
    """
    if option == KEEP:
        return proceed(position, EVENT)
    tribe = option.split()[1]
    after = raise_die(position, tribe)
    if isinstance(after, Result):
        return after
    if above_limit(after) and position.ruleset.readings["E-LIMIT-DICE"] == "raised":
        return proceed(after.with_die(tribe, after.die(tribe) - 1), EVENT)
    if after.ruleset.readings["E-LIMIT-EVENT"] == "waits":
        return proceed(after, EVENT)
    return after.replace(step=Step.DISCARD_EVENT) if above_limit(after) else proceed(after, EVENT)


# -- C: a region is protected --------------------------------------------------------------------------------------------


def protections(position: Position) -> tuple[str, ...]:
    """All regions, or those whose card can still be drawn [E-PROTECT-OUT]."""
    found = REGIONS if position.ruleset.readings["E-PROTECT-OUT"] == "any" else position.deck
    return tuple(f"protect {region}" for region in found)


def protected(position: Position, option: str) -> State:
    """After a region is named: its card is replaced in this turn's invasion."""
    return proceed(position.replace(protected=option.split()[1]), EVENT)


# -- R: civil war --------------------------------------------------------------------------------------------------------


def civil_war(position: Position, card: str) -> State:
    """After the card of a civil war is drawn: each region of its rank gets a cube of its suit, or an outbreak [E-WAR-ORDER]."""
    position = position.replace(out=position.out | {card})
    together, of_card = position.ruleset.readings["E-WAR-ORDER"] == "together", False
    last, civil = position.ruleset.readings["E-WAR-LAST"], position.ruleset.readings["E-CIVIL"]
    back = tuple(tribe for tribe in TRIBES if position.is_eradicated(tribe) and civil == "die")
    for tribe in TRIBES:
        region, is_gone = tribe + card[1], position.is_eradicated(tribe)
        if is_gone and civil == "return":
            position, is_gone = position.with_die(tribe, numbers.FIRST_DIE), False
        was_put = not is_gone and position.count(region, tribe) < numbers.MOST_IN_REGION
        of_card = of_card or (region == card and was_put)
        if last in ("counts", "card"):
            position = last_invaded(position, region, was_put=was_put)
        if is_gone:
            continue
        position = _struck(position, region, tribe)
        after = looked_at(position, () if together else (tribe,))
        if isinstance(after, Result) and not together:
            return after
    if last in ("card", "card-only"):
        position = last_invaded(position, card, was_put=of_card)
    for tribe in back:  # at the end: its region was not invaded
        position = position.with_die(tribe, numbers.FIRST_DIE)
    after = looked_at(position, TRIBES)
    return after if isinstance(after, Result) else proceed(after, EVENT)


def _struck(position: Position, region: str, tribe: str) -> Position:
    """After a region of a civil war, whether that loses or not [E-WAR]."""
    count = position.count(region, tribe)
    if count < numbers.MOST_IN_REGION:
        return position.with_count(region, tribe, count + 1)
    return chain_of(position, region, tribe) if position.ruleset.readings["E-WAR"] == "outbreak" else position
