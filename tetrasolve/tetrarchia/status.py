"""Why a position cannot occur: every reason at once, each with the rule behind it.

A position without reasons is *legal*: nothing in it contradicts the rules. That does not prove that a game reaches it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tetrasolve.errors import IllegalPositionError
from tetrasolve.tetrarchia.pieces import PIECES
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import ARMIES, IP_A_TURN, REVOLTS, UNREST


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
    for border in position.board.borders:
        if position.has_revolt(border) or position.has_unrest(border):
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
        elif army not in board.distance_to_roma:
            yield Reason("army-off-path", army, "an army on no Barbarian path", "armies follow the arrows")
        elif board[army].is_border and army in position.discs:
            text = f"an army on a border with a disc ({position.discs[army]})"
            yield Reason("army-on-secured-border", army, text, "armies arrive on empty borders")
        elif not board[army].is_border and not position.has_revolt(army):
            text = "an army inside the Empire without a revolt under it"
            yield Reason("army-without-revolt", army, text, "an army that enters a Roman province puts a revolt there")


def _emperors_alone(position: Position) -> Iterator[Reason]:
    places = [place for place in position.emperors.values() if place is not None]
    for province, count in Counter(places).items():
        if province in position.armies:
            yield Reason("emperor-with-army", province, "an Emperor and an army", "one figure a province")
        passing = position.phase is Phase.ROMAN and position.here == province and count == 2
        if count > 1 and not passing:
            text = f"{count} Emperors in one province"
            yield Reason("emperors-share", province, text, "only the active Emperor may pass through another")


def _fleets_at_sea(position: Position) -> Iterator[Reason]:
    if len(position.fleets) != position.ruleset.fleets:
        text = f"{len(position.fleets)} on the board, the level has {position.ruleset.fleets}"
        yield Reason("fleet-count", "fleets", text, "difficulty level; fleets are never lost")
    for zone, count in Counter(position.fleets).items():
        if count > 1:
            yield Reason("fleets-share", f"zone {zone}", f"{count} fleets in one zone", "one fleet a zone")


def _imperium_points(position: Position) -> Iterator[Reason]:
    if not 0 <= position.ip <= IP_A_TURN:
        yield Reason("ip", "ip", f"{position.ip} IP left, expected 0 to {IP_A_TURN}", "6 IP a turn")
    elif position.phase is Phase.ROMAN and position.here is None and position.ip < IP_A_TURN:
        text = f"off the board with {position.ip} IP left"
        yield Reason("off-in-mid-turn", position.to_move, text, "an Emperor enters before he spends IP")


def _pieces_in_use(position: Position) -> Iterator[Reason]:
    for key in position.pieces:
        needs = PIECES[key][0]
        if needs is None:
            yield Reason("piece-without-rule", key, "scenarios are not in use", "historical scenarios")
        elif needs not in position.ruleset.modules | position.ruleset.variants:
            yield Reason("piece-without-rule", key, f"{needs} is not in use", "modules and variants")


CHECKS: tuple[Check, ...] = (
    _discs_in_supply,
    _discs_on_borders,
    _armies_in_supply,
    _armies_on_their_way,
    _emperors_alone,
    _fleets_at_sea,
    _imperium_points,
    _pieces_in_use,
)
