"""What lies on the table: cubes, dice, tracks and the start, whatever has been drawn in the turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.reason import Reason


def _cubes(position: Position) -> Iterator[Reason]:
    most = numbers.MOST_IN_REGION
    for region, tribes in position.occupied.items():
        for tribe, count in tribes.items():
            if count > most:
                text = f"{count} cubes of {tribe}, expected at most {most}"
                yield Reason("region-overfull", region, text, "a fourth cube is an outbreak")
    for tribe in TRIBES:
        if (count := position.on_map(tribe)) > numbers.CUBES:
            yield Reason("too-many-cubes", tribe, f"{count} on the map, there are {numbers.CUBES}", "materials")


def _dice(position: Position) -> Iterator[Reason]:
    top = numbers.PACIFIED_AT - (position.ruleset.readings["E-PACIFY"] != "action" and not _waits_at_six(position))
    for tribe, die in zip(TRIBES, position.dice, strict=True):
        if die > top:
            text = f"a die of {die}, expected at most {top}"
            by_itself = top < numbers.PACIFIED_AT
            rule = "a die of 6 pacifies by itself [E-PACIFY]" if by_itself else "no die rises above 6"
            yield Reason("die-too-high", tribe, text, rule)
        if die > numbers.FIRST_DIE and tribe in position.pacified and position.ruleset.readings["E-AGAIN"] == "stays":
            yield Reason(
                "die-of-pacified", tribe, f"a die of {die}", "the die of a pacified tribe stays at 1 [E-AGAIN]"
            )
        if die >= numbers.PREFECT_AT and position.role == "prefect" and _is_pacified_by_role(position):
            is_found = position.ruleset.readings["E-PREFECT"] == "found"
            rule = "it pacifies when the role comes [E-PREFECT]" if is_found else "it pacifies in his turn [E-PREFECT]"
            yield Reason("die-of-prefect", tribe, f"a die of {die}", rule)
        if die == 0:
            yield from _put_away(position, tribe)
        elif (
            position.ruleset.is_introductory
            and position.ruleset.readings["E-ERADICATE"] == "always"
            and position.ruleset.readings["E-CIVIL"] != "die"  # it may have come back without a cube
            and tribe in position.pacified
            and not position.on_map(tribe)
        ):
            yield Reason("not-put-away", tribe, "pacified without a cube, and its die is there", "eradication")


def _waits_at_six(position: Position) -> bool:
    """Whether one die stands at 6 until a point above the limit is taken off [E-LIMIT]."""
    in_step = position.step in (Step.DISCARD, Step.DISCARD_EVENT)
    return (
        in_step
        and position.ruleset.readings["E-LIMIT"] == "before-six"
        and position.dice.count(numbers.PACIFIED_AT) == 1
    )


def _is_pacified_by_role(position: Position) -> bool:
    """Whether a Prefect's role has pacified each die at 5: in his whole turn, or until points of it come [E-PREFECT]."""
    reading = position.ruleset.readings["E-PREFECT"]
    has_no_point = position.phase is Phase.ACTIONS or position.step in (Step.DRAW, Step.EXCHANGE)
    return reading == "standing" or (reading == "found" and has_no_point)


def _put_away(position: Position, tribe: str) -> Iterator[Reason]:
    if not position.ruleset.is_introductory:
        yield Reason("eradicated", tribe, "its die is put away", "no tribe is eradicated from the standard level on")
    if tribe not in position.pacified:
        yield Reason("eradicated-unpacified", tribe, "its die is put away and it is not pacified", "eradication")
    if position.on_map(tribe):
        text = f"its die is put away and {position.on_map(tribe)} of its cubes are on the map"
        yield Reason("eradicated-cubes", tribe, text, "eradication")


def _limit(position: Position) -> Iterator[Reason]:
    if position.ruleset.is_introductory:
        if position.step in (Step.DISCARD, Step.DISCARD_EVENT):
            yield Reason(
                "step", "step", f"{position.step} at the introductory level", "the limit from the standard level on"
            )
        return
    above = position.points - numbers.MOST_POINTS
    readings = position.ruleset.readings
    at_once = numbers.CAMPAIGN_CARDS if readings["E-LIMIT"] == "once" else 1
    at_once += readings["E-LIMIT-EVENT"] == "waits"
    most = {Step.DISCARD: at_once, Step.DISCARD_EVENT: 1}.get(position.step, 0)
    if above > most:
        text = f"{position.points} points on the dice, expected at most {numbers.MOST_POINTS + most}"
        yield Reason("too-many-points", "dice", text, "at most 11 points from the standard level on")
    elif most and above <= 0:
        yield Reason(
            "nothing-to-discard",
            "step",
            f"{position.points} points on the dice",
            "the limit from the standard level on",
        )


def _tracks(position: Position) -> Iterator[Reason]:
    last = position.ruleset.most_decline - 1
    if not numbers.FIRST_DECLINE <= position.decline <= last:
        text = f"{position.decline}, expected {numbers.FIRST_DECLINE} to {last}"
        yield Reason("decline", "decline", text, f"a decline of {last + 1} loses")
    last = numbers.MOST_OUTBREAKS - 1
    if not numbers.FIRST_OUTBREAKS <= position.outbreaks <= last:
        text = f"{position.outbreaks}, expected {numbers.FIRST_OUTBREAKS} to {last}"
        yield Reason("outbreaks", "outbreaks", text, f"outbreaks of {last + 1} lose")


def _start(position: Position) -> Iterator[Reason]:
    layout = position.layout
    is_corner = "corner" in position.ruleset.options and position.ruleset.readings["E-CORNER-START"] == "corner"
    expected = layout.corners if is_corner else (layout.start,)
    if position.start not in expected:
        text = f"{position.start}, expected {' or '.join(expected)}"
        yield Reason("start", "start", text, "set-up")


def begun_on(position: Position) -> tuple[str, ...]:
    """The regions on which the pawn can have begun, where the start need not be one of them [E-CORNER-START]."""
    at_table = position.ruleset.readings["E-CORNER-START"] == "table"
    return position.layout.corners if at_table else (position.start,)


def _foreign(position: Position) -> Iterator[Reason]:
    """Cubes on regions of another suit: only outbreaks put them there, each one on each neighbour of a region of its tribe."""
    found = [
        (region, tribe, count)
        for region, tribes in position.occupied.items()
        for tribe, count in tribes.items()
        if tribe != region[0]
    ]
    number = position.outbreaks - numbers.FIRST_OUTBREAKS
    if not found or number >= numbers.MOST_OUTBREAKS:
        return
    neighbours = position.layout.neighbours

    def reach(sources: tuple[str, ...], region: str, tribe: str) -> int:
        return sum(source[0] == tribe and region in neighbours[source] for source in sources)

    for sources in combinations_with_replacement(REGIONS, max(number, 0)):
        if all(reach(sources, region, tribe) >= count for region, tribe, count in found):
            return
    region, tribe, _ = found[0]
    text = f"cubes on regions of another suit, like {tribe} on {region}: more than {max(number, 0)} outbreaks can put there"
    yield Reason("foreign-cubes", "cubes", text, "only an outbreak puts cubes on other regions")


def _options(position: Position) -> Iterator[Reason]:
    """Steps of an event that are left out where there is nothing to choose."""
    if position.step is Step.RESIST and not position.occupied:
        yield Reason("nothing-to-remove", "cubes", "none on the map", "event 7: one cube, if there is any")
    if position.step is Step.RAISE and not any(position.dice):
        yield Reason("nothing-to-raise", "dice", "all are put away", "event S: a die that is not put away")
    elif (
        position.step is Step.RAISE
        and position.ruleset.readings["E-RAISE-STUCK"] == "not"
        and not any(_can_rise(position, tribe) for tribe in TRIBES)
    ):
        yield Reason("nothing-can-rise", "dice", "none can rise", "event S: a die that can rise [E-RAISE-STUCK]")


def _can_rise(position: Position, tribe: str) -> bool:
    """Whether a die is below 6, not of a pacified tribe that stays at 1 [E-AGAIN], and below the limit [E-LIMIT]."""
    die, readings = position.die(tribe), position.ruleset.readings
    if not 0 < die < numbers.PACIFIED_AT or (readings["E-AGAIN"] == "stays" and tribe in position.pacified):
        return False
    return readings["E-LIMIT"] != "lost" or position.with_die(tribe, die + 1).points <= numbers.MOST_POINTS


TABLE_CHECKS = (_cubes, _dice, _limit, _tracks, _start, _foreign, _options)
