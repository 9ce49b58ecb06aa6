"""Checks of a position: discs, armies, Emperors, fleets and IP, which every game has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from tetrasolve.reason import Reason
from tetrasolve.tetrarchia.numbers import MAXIMIAN_IP
from tetrasolve.tetrarchia.pieces import HELPERS
from tetrasolve.tetrarchia.position import Phase, Position

Check = Callable[[Position], Iterator[Reason]]


def _discs_in_supply(position: Position) -> Iterator[Reason]:
    numbers = position.ruleset.numbers
    for name, lying, supply in (
        ("revolt", len(position.revolts), numbers["revolts"]),
        ("unrest", len(position.unrest), numbers["unrest"]),
    ):
        if lying > supply:
            yield Reason(f"too-many-{name}", name, f"{lying} on the board, there are {supply}", "contents")
    for emperor in position.board.emperors:
        lying = len(position.garrisons(emperor.id))
        if lying > position.ruleset.garrisons:
            text = f"{lying} garrisons on the board, the level gives him {position.ruleset.garrisons}"
            yield Reason("too-many-garrisons", emperor.id, text, "difficulty level")


def _discs_on_borders(position: Position) -> Iterator[Reason]:
    if "barbaria" in position.ruleset.variants and position.ruleset.readings["I-BLACK-PLACE"] == "any":
        return  # the black disc may have come there
    for border in position.board.borders:
        if position.has_unrest(border) or (position.has_revolt(border) and border not in position.rebels):
            text = f"{position.discs[border]} outside the Empire"
            yield Reason("disc-on-border", border, text, "revolts and unrest are placed in Roman provinces only")


def _armies_in_supply(position: Position) -> Iterator[Reason]:
    if len(position.armies) > (supply := position.ruleset.numbers["armies"]):
        yield Reason(
            "too-many-armies", "armies", f"{len(position.armies)} on the board, there are {supply}", "contents"
        )
    for province, count in Counter(position.armies).items():
        if count > 1:
            yield Reason("armies-share", province, f"{count} armies in one province", "one figure a province")


def _armies_on_their_way(position: Position) -> Iterator[Reason]:
    board = position.board
    for army in dict.fromkeys(position.armies):
        if army == board.roma:
            yield Reason("army-in-roma", army, "an army in Roma", "the game has ended")
        elif army in position.rebels:
            continue  # they have no way
        elif army not in board.distance_to_roma and not _may_rise(position, army):
            yield Reason("army-off-path", army, "an army on no Barbarian path", "armies follow the arrows")
        elif board[army].is_border and army in position.discs and not _may_be_secured(position, army):
            text = f"an army on a border with a disc ({position.discs[army]})"
            yield Reason("army-on-secured-border", army, text, "armies arrive on empty borders")
        elif not board[army].is_border and not position.has_revolt(army):
            text = "an army inside the Empire without a revolt under it"
            yield Reason("army-without-revolt", army, text, "an army that enters a Roman province puts a revolt there")


def _may_be_secured(position: Position, border: str) -> bool:
    """Whether an army may be on a border with this disc.

    The Goths may have left a garrison there [I-GOTHS-BORDER, I-GOTHS-BOTH], an army may have been turned there
    [I-TURN-BORDERS], or the black disc have come under it [I-BLACK-EMPTY, I-BLACK-PLACE].
    """
    readings = position.ruleset.readings
    if readings["I-TURN-BORDERS"] == "may":
        return True
    if position.has_revolt(border) and readings["I-BLACK-EMPTY"] == "no-disc" and readings["I-BLACK-PLACE"] == "any":
        return True
    kept = readings["I-GOTHS-BORDER"] == "stays" or readings["I-GOTHS-BOTH"] == "figure"
    return kept and position.goths == border and position.has_garrison(border)


def _may_rise(position: Position, province: str) -> bool:
    """Whether an army can be on a province without an arrow: a usurper, or one that was turned."""
    lost = not position.ruleset.variants.isdisjoint(("usurpator", "barbaria"))
    return lost and not position.board[province].is_border


def _figures_alone(position: Position) -> Iterator[Reason]:
    for province, count in Counter(position.romans.values()).items():
        figures = [figure for figure, place in position.romans.items() if place == province]
        who = "an Emperor" if figures[0] not in HELPERS else f"the {figures[0].title()}"
        if province in position.armies:
            yield Reason("emperor-with-army", province, f"{who} and an army", "one figure a province")
        passing = position.phase is Phase.ROMAN and position.passing in figures and count == 2
        if count > 1 and not passing:
            kind = "figures of Rome" if any(figure in HELPERS for figure in figures) else "Emperors"
            text = f"{count} {kind} in one province"
            yield Reason("emperors-share", province, text, "only the active Emperor may pass through another")


def _fleets_at_sea(position: Position) -> Iterator[Reason]:
    if len(position.fleets) != position.ruleset.fleets:
        text = f"{len(position.fleets)} on the board, the level has {position.ruleset.fleets}"
        yield Reason("fleet-count", "fleets", text, "difficulty level; fleets are never lost")
    for zone, count in Counter(position.fleets).items():
        if count > 1 and position.ruleset.readings["I-FLEETS"] == "apart":
            yield Reason("fleets-share", f"zone {zone}", f"{count} fleets in one zone", "one fleet a zone")


def _imperium_points(position: Position) -> Iterator[Reason]:
    full = position.ruleset.numbers["ip"]
    most = full + (MAXIMIAN_IP if position.power_used and position.to_move == "maximian" else 0)
    if not 0 <= position.ip <= most:
        yield Reason("ip", "ip", f"{position.ip} IP left, expected 0 to {most}", f"{most} IP a turn")
    elif (
        position.phase is Phase.ROMAN
        and position.here is None
        and position.ip < full
        and position.ruleset.readings["I-HELPERS-ALONE"] == "none"
    ):
        text = f"off the board with {position.ip} IP left"
        yield Reason("off-in-mid-turn", position.to_move, text, "an Emperor enters before he spends IP")


BASE_CHECKS: tuple[Check, ...] = (
    _discs_in_supply,
    _discs_on_borders,
    _armies_in_supply,
    _armies_on_their_way,
    _figures_alone,
    _fleets_at_sea,
    _imperium_points,
)
