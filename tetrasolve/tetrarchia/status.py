"""Why a position cannot occur: every reason at once, each with the rule behind it.

A position without reasons is *legal*: nothing in it contradicts the rules. That does not prove that a game reaches it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia.numbers import ARMIES, BLACK_DISCS, GRAY_DISCS, IP_A_TURN, MAXIMIAN_IP, REVOLTS, UNREST
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


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wrong: `code` for programs, `where` the place, `text` for people, `rule` the rule it breaks."""

    code: str
    where: str
    text: str
    rule: str

    def __str__(self) -> str:
        return f"{self.where}: {self.text} ({self.rule})"


Check = Callable[[Position], Iterator[Reason]]


def status(position: Position) -> tuple[Reason, ...]:
    """Every reason why this position cannot occur; none when it is legal."""
    return tuple(reason for check in CHECKS for reason in check(position))


def require_legal(position: Position) -> None:
    """Refuse a position that cannot occur.

    :raises IllegalPositionError: with all reasons.
    """
    reasons = status(position)
    if reasons:
        raise IllegalPositionError(reasons)


def _discs_in_supply(position: Position) -> Iterator[Reason]:
    for name, lying, supply in (
        ("revolt", len(position.revolts), REVOLTS),
        ("unrest", len(position.unrest), UNREST),
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
            yield Reason("disc-on-border", border, text, "revolts and unrest come to Roman provinces only")


def _armies_in_supply(position: Position) -> Iterator[Reason]:
    if len(position.armies) > ARMIES:
        yield Reason(
            "too-many-armies", "armies", f"{len(position.armies)} on the board, there are {ARMIES}", "contents"
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
        elif board[army].is_border and army in position.discs:
            text = f"an army on a border with a disc ({position.discs[army]})"
            yield Reason("army-on-secured-border", army, text, "armies arrive on empty borders")
        elif not board[army].is_border and not position.has_revolt(army):
            text = "an army inside the Empire without a revolt under it"
            yield Reason("army-without-revolt", army, text, "an army that enters a Roman province puts a revolt there")


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
        if count > 1:
            yield Reason("fleets-share", f"zone {zone}", f"{count} fleets in one zone", "one fleet a zone")


def _imperium_points(position: Position) -> Iterator[Reason]:
    most = IP_A_TURN + (MAXIMIAN_IP if position.power_used and position.to_move == "maximian" else 0)
    if not 0 <= position.ip <= most:
        yield Reason("ip", "ip", f"{position.ip} IP left, expected 0 to {most}", f"{most} IP a turn")
    elif position.phase is Phase.ROMAN and position.here is None and position.ip < IP_A_TURN:
        text = f"off the board with {position.ip} IP left"
        yield Reason("off-in-mid-turn", position.to_move, text, "an Emperor enters before he spends IP")


def _pieces_in_use(position: Position) -> Iterator[Reason]:
    for key, (needs, _) in PIECES.items():
        in_use = not needs or any(name in position.ruleset.extensions for name in needs)
        if key in position.pieces and not in_use:
            text = f"{' or '.join(needs)} is not in use"
            yield Reason("piece-without-rule", key, text, "modules and variants")
        if key not in position.pieces and in_use and key not in NOT_ALWAYS:
            yield Reason(
                "piece-missing", key, f"{needs[0]} is in use and nothing is said about it", "modules and variants"
            )


def _passing_on(position: Position) -> Iterator[Reason]:
    """The figure that passes through another one is named where it need not be the active Emperor."""
    pieces = position.pieces
    helped = not (pieces.dux is None and pieces.vicarius is None and pieces.removed is None)  # else he alone is moved
    shared = {place for place, count in Counter(position.romans.values()).items() if count > 1}
    rule = "only a figure that is moved may pass through another"
    if pieces.passing is None:
        if helped and position.here is not None and position.is_shared and position.phase is Phase.ROMAN:
            yield Reason(
                "nobody-passing", position.here, "two figures of Rome, and neither is said to be passing", rule
            )
        return
    figure = pieces.passing
    led = _led_by_diocletian(position)
    if position.place_of(figure) not in shared:
        yield Reason("passing-alone", "passing", f"{figure} shares no province", rule)
    elif figure not in (position.to_move, *HELPERS, *led):
        yield Reason("passing-unmoved", "passing", f"{figure} is not the active Emperor", rule)
    elif position.here is None:
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
    if vicarius is not None and (position.has_revolt(vicarius) or position.has_unrest(vicarius)):
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
        yield Reason("no-rebels", "rebels", "an empty table", "it is there while there are rebels")
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
    if missing := _unsaid(position, position.glory):
        yield Reason("glory-missing", "glory", missing, "each Emperor has a number")
    lying, glory = len(position.unrest), sum(position.glory.values())
    if lying <= UNREST < lying + glory:
        text = f"{glory} discs of glory and {lying} unrest on the board, there are {UNREST}"
        yield Reason("too-much-glory", "glory", text, "glory discs are unrest of the reserve")


def _unsaid(position: Position, counts: Mapping[str, int]) -> str:
    """Which Emperors have no number there, in words; "" where all have."""
    missing = [emperor.id for emperor in position.board.emperors if emperor.id not in counts]
    return f"nothing is said about {', '.join(missing)}" if missing else ""


def _powers_paid(position: Position) -> Iterator[Reason]:
    if position.pieces.removed is None:
        return
    if missing := _unsaid(position, position.removed):
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
            f"nothing is said about {', '.join(missing)}",
            "he has gray discs and a black one",
        )
    rule = "the Barbarian player's reserve"
    if position.gray > GRAY_DISCS:
        yield Reason("too-many-gray", BARBARIAN_DISCS, f"{position.gray} gray, he has at most {GRAY_DISCS}", rule)
    if position.black > BLACK_DISCS:
        yield Reason("too-many-black", BARBARIAN_DISCS, f"{position.black} black, he has at most {BLACK_DISCS}", rule)
    unrest, glory, revolts = len(position.unrest), sum(position.glory.values()), len(position.revolts)
    if position.gray <= GRAY_DISCS and unrest + glory <= UNREST < unrest + glory + position.gray:
        taken = f"{unrest} unrest on the board" + (f" and {glory} of glory" if glory else "")
        text = f"{position.gray} gray, {taken}, there are {UNREST}"
        yield Reason("gray-not-left", BARBARIAN_DISCS, text, "gray discs are unrest of the reserve")
    if position.black <= BLACK_DISCS and revolts <= REVOLTS < revolts + position.black:
        text = f"{position.black} black, {revolts} revolts on the board, there are {REVOLTS}"
        yield Reason("black-not-left", BARBARIAN_DISCS, text, "the black disc is a revolt of the reserve")


CHECKS: tuple[Check, ...] = (
    _discs_in_supply,
    _discs_on_borders,
    _armies_in_supply,
    _armies_on_their_way,
    _figures_alone,
    _fleets_at_sea,
    _imperium_points,
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
