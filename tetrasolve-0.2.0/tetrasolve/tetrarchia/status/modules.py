"""Checks of a position: the figures and discs of modules, variants and scenarios, in the order of the rulebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from tetrasolve.reason import Reason
from tetrasolve.tetrarchia.numbers import BLACK_DISCS, GRAY_DISCS
from tetrasolve.tetrarchia.pieces import (
    BARBARIAN_DISCS,
    BLACK,
    GRAY,
    HELPERS,
    NOT_ALWAYS,
    PIECES,
    POWER,
    REMOVED,
    VICARIUS,
    Rebels,
)
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.status.base import Check


def _pieces_in_use(position: Position) -> Iterator[Reason]:
    used = position.pieces.plain()
    for key, (needs, _) in PIECES.items():
        in_use = not needs or any(name in position.ruleset.extensions for name in needs)
        if key == REMOVED and not in_use and _are_gone(position):
            continue
        if key in used and not in_use:
            text = f"{' or '.join(needs)} is not in use"
            yield Reason("piece-without-rule", key, text, "modules and variants")
        if key not in used and in_use and key not in NOT_ALWAYS:
            yield Reason("piece-missing", key, f"{needs[0]} is in use and this key is missing", "modules and variants")


def _are_gone(position: Position) -> bool:
    """Whether garrisons lost in an attack or at sea can be out of the game [I-GARRISON-ATTACK, I-GARRISON-SEA]."""
    readings = position.ruleset.readings
    return "gone" in (readings["I-GARRISON-ATTACK"], readings["I-GARRISON-SEA"])


def _passing_on(position: Position) -> Iterator[Reason]:
    """The key `passing` names a figure that can be passing, and is there where it is required."""
    pieces = position.pieces
    helped = not (pieces.dux is None and pieces.vicarius is None and "imperium" not in position.ruleset.variants)
    shared = {place for place, count in Counter(position.romans.values()).items() if count > 1}
    rule = "only a figure that is moved may pass through another"
    if pieces.passing is None:
        if helped and position.here is not None and position.is_shared and position.phase is Phase.ROMAN:
            yield Reason("nobody-passing", position.here, "two figures of Rome, and neither is passing", rule)
        return
    figure = pieces.passing
    led = _led_by_diocletian(position)
    if position.place_of(figure) not in shared:
        yield Reason("passing-alone", "passing", f"{figure} shares no province", rule)
    elif figure not in (position.to_move, *HELPERS, *led):
        yield Reason("passing-unmoved", "passing", f"{figure} is not the active Emperor", rule)
    elif position.here is None and position.ruleset.readings["I-HELPERS-ALONE"] == "none":
        yield Reason(
            "passing-unled", "passing", f"{figure} was moved by an Emperor off the board", "IP are his on the board"
        )


def _led_by_diocletian(position: Position) -> tuple[str, ...]:
    """The other Emperors, where the active one has the power to move them."""
    if not (position.power_used and position.to_move == "diocletian"):
        return ()
    return tuple(emperor for emperor in position.emperors if emperor != position.to_move)


def _helpers_in_place(position: Position) -> Iterator[Reason]:
    vicarius = position.place_of(VICARIUS)
    cleared = position.ruleset.readings["I-VICARIUS-UNREST"] == "removed"
    if vicarius is not None and (position.has_revolt(vicarius) or (cleared and position.has_unrest(vicarius))):
        text = f"the Vicarius on a disc ({position.discs[vicarius]})"
        yield Reason("vicarius-on-disc", vicarius, text, "he removes unrest, and dies where a revolt comes")


def _pirates_at_sea(position: Position) -> Iterator[Reason]:
    pirates = position.pieces.pirates
    if pirates is not None and pirates.zone in position.fleets:
        yield Reason("pirates-with-fleet", f"zone {pirates.zone}", "Pirates and a Roman fleet", "one fleet a zone")


def _goths_among_armies(position: Position) -> Iterator[Reason]:
    if position.pieces.goths is not None and position.pieces.goths.out:
        yield Reason("goths-out", "goths", "the Goths out of the game", "beaten Goths go back to the reserve")
    elif position.goths is not None and position.goths not in position.armies:
        yield Reason("goths-without-army", position.goths, "no army is listed there", "the Goths are an army")
    elif position.goths is not None and position.goths in position.rebels:
        yield Reason("goths-and-rebels", position.goths, "Goths and rebels", "one figure a province")


def _rebels_on_borders(position: Position) -> Iterator[Reason]:
    if position.pieces.rebels == Rebels(()):
        yield Reason("no-rebels", "rebels", "an empty board", "it is there while there are rebels")
    figures: list[str] = []
    for border, rebel in position.rebels.items():
        if not position.board[border].is_border:
            yield Reason("rebel-off-border", border, "rebels inside the Empire", "a rebel army remains on its border")
        if border not in position.armies:
            yield Reason("rebel-without-army", border, "no army is listed there", "rebels are an army")
        if not position.has_revolt(border):
            yield Reason("rebel-without-revolt", border, "no revolt under the rebels", "a rebel army is on a revolt")
        if rebel.figure in position.ruleset.modules:
            text = f"the {rebel.figure} figure is in use by its module"
            yield Reason("rebel-figure-in-use", border, text, "each figure once")
        elif rebel.figure in figures:
            yield Reason("rebel-figure-twice", border, f"a second {rebel.figure} figure", "each figure once")
        figures.append(rebel.figure)


def _glory_in_supply(position: Position) -> Iterator[Reason]:
    if position.pieces.glory is None:
        return
    if missing := _missing(position, position.glory):
        yield Reason("glory-missing", "glory", missing, "each Emperor has a number")
    lying, glory = len(position.unrest), sum(position.glory.values())
    supply = position.ruleset.numbers["unrest"]
    if lying <= supply < lying + glory:
        text = f"{glory} discs of glory and {lying} unrest on the board, there are {supply}"
        yield Reason("too-much-glory", "glory", text, "glory discs are unrest of the reserve")


def _missing(position: Position, counts: Mapping[str, int]) -> str:
    """The Emperors without a number, in words; "" if all have one."""
    missing = [emperor.id for emperor in position.board.emperors if emperor.id not in counts]
    return f"no number for {', '.join(missing)}" if missing else ""


def _powers_paid(position: Position) -> Iterator[Reason]:
    if position.pieces.removed is None:
        return
    if missing := _missing(position, position.removed):
        yield Reason("removed-missing", REMOVED, missing, "each Emperor has a number")
    for emperor, paid in position.removed.items():
        lying, supply = len(position.garrisons(emperor)), position.ruleset.garrisons
        if lying <= supply < lying + paid:
            text = f"{paid} discs paid for his power and {lying} on the board, the level gives him {supply}"
            yield Reason("too-many-removed", emperor, text, "he pays with his own discs")


def _power_used(position: Position) -> Iterator[Reason]:
    if not position.power_used or position.pieces.removed is None:
        return
    rule = "Diocletian and Maximian use their power in their own turn"
    if position.to_move not in ("diocletian", "maximian"):
        yield Reason("power-of-another", POWER, f"{position.to_move} has no power in his turn", rule)
    elif position.phase is not Phase.ROMAN:
        yield Reason("power-after-turn", POWER, "the Roman phase is over", rule)
    elif position.here is None:
        yield Reason("power-off-board", POWER, f"{position.to_move} is off the board", "IP are his on the board")
    elif not position.removed.get(position.to_move, 0):
        yield Reason("power-unpaid", POWER, f"{position.to_move} has paid no disc for it", "each use takes a disc")


def _barbarian_discs_in_supply(position: Position) -> Iterator[Reason]:
    discs = position.pieces.barbarian_discs
    if discs is None:
        return
    missing = [name for name, count in ((GRAY, discs.gray), (BLACK, discs.black)) if count is None]
    if missing:
        yield Reason(
            "barbarian-discs-missing",
            BARBARIAN_DISCS,
            f"no number for {', '.join(missing)}",
            "he has gray discs and a black one",
        )
    rule = "the Barbarian player's reserve"
    if position.gray > GRAY_DISCS:
        yield Reason("too-many-gray", BARBARIAN_DISCS, f"{position.gray} gray, he has at most {GRAY_DISCS}", rule)
    if position.black > BLACK_DISCS:
        yield Reason("too-many-black", BARBARIAN_DISCS, f"{position.black} black, he has at most {BLACK_DISCS}", rule)
    supply = position.ruleset.numbers
    unrest, glory, revolts = len(position.unrest), sum(position.glory.values()), len(position.revolts)
    if position.gray <= GRAY_DISCS and unrest + glory <= supply["unrest"] < unrest + glory + position.gray:
        taken = f"{unrest} unrest on the board" + (f" and {glory} of glory" if glory else "")
        text = f"{position.gray} gray, {taken}, there are {supply['unrest']}"
        yield Reason("gray-not-left", BARBARIAN_DISCS, text, "gray discs are unrest of the reserve")
    if position.black <= BLACK_DISCS and revolts <= supply["revolts"] < revolts + position.black:
        text = f"{position.black} black, {revolts} revolts on the board, there are {supply['revolts']}"
        yield Reason("black-not-left", BARBARIAN_DISCS, text, "the black disc is a revolt of the reserve")


MODULE_CHECKS: tuple[Check, ...] = (
    _pieces_in_use,
    _passing_on,
    _helpers_in_place,
    _pirates_at_sea,
    _goths_among_armies,
    _rebels_on_borders,
    _glory_in_supply,
    _powers_paid,
    _power_used,
    _barbarian_discs_in_supply,
)
