"""The features of modules, variants and rebels, in plain Python; they follow those of `tetrasolve.tetrarchia.hint.features`.

`TABLE` declares each: its name, its meaning, and the range of its values. All are 0 in the base game. Emperors are numbered in
the order in which they act next, from 0. *The table of the next turn* is the position itself at the start of a turn; at the end of
a turn it is the position after a phase in which the Barbarians do only what is certain.

The kernel computes the same row (`whole.Player.features`); tests compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint import features
from tetrasolve.tetrarchia.hint.features import (
    IP,
    acting,
    attacks_of,
    can_be_attacked,
    costs_from,
    costs_of,
    in_order,
    odds_named,
    odds_of,
    projected,
)
from tetrasolve.tetrarchia.numbers import ATTACK_PIRATES, REMOVE_REVOLT
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS, Helper
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules.modules.imperium import purse
from tetrasolve.tetrarchia.rules.modules.pirates import at_sea, zone_of

PLAYED = (
    "dux",
    "vicarius",
    "pirates",
    "goths",
    "mare-nostrum",
    "via-romana",
    "usurpator",
    "roma-aeterna",
    "imperium",
    "barbaria",
)
EMPERORS = range(4)
ARMIES = range(features.ARMIES)
GRAY = range(5)  # discs of the Barbarian player
ROUND = 4  # turns


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature: its name, what it means, and the largest value that it can have; the least is 0."""

    name: str
    meaning: str
    most: float = 1.0


def _table(board: Board) -> Iterator[Feature]:
    yield from (Feature(f"plays {name}", f"1 if {name} is played") for name in PLAYED)
    yield Feature("rebels", "rebel armies, by 3")
    yield Feature("rebels open", "those that the fleets allow to attack, by 3")
    yield from _of_dux(board)
    yield from _of_vicarius(board)
    yield from _of_pirates()
    yield Feature("goths reserve", "1 if the Goths can still arrive")
    yield from (Feature(f"goths army {n}", f"1 if they are army {n} in the order of advance") for n in ARMIES)
    yield Feature("usurper regions", "regions behind secured borders with five revolts, by 6")
    yield Feature("usurper fullest", "the most revolts in such a region, by 6")
    yield from (Feature(f"glory {turn}", f"glory discs of Emperor {turn}, by 21") for turn in EMPERORS)
    yield Feature("unrest left", "unrest discs in the reserve, by 21; 0 where only the board takes them from it")
    yield from (Feature(f"removed {turn}", f"discs paid by Emperor {turn}, by 5", 2.0) for turn in EMPERORS)
    yield from (Feature(f"payable {turn}", f"1 if Emperor {turn} can pay for his power") for turn in EMPERORS)
    yield Feature("power", "1 once the active Emperor has used his power in this turn")
    yield from (Feature(f"gray {n}", f"1 if the Barbarian player has {n} gray discs") for n in GRAY)
    yield Feature("black", "his black discs")
    yield Feature("refill", "Barbarian phases until he gets new gray discs, by 4")
    yield Feature("transfer", "1 if Emperor 0 stands on a garrison that he can transfer")


def _of_dux(board: Board) -> Iterator[Feature]:
    yield Feature("dux reserve", "1 if the Dux can be deployed")
    yield Feature("dux dead", "1 if he is dead")
    yield from (Feature(f"dux {place}", f"1 if he stands in {place}") for place in board.ids)
    yield Feature("dux revolts", "revolts that he can remove on the table of the next turn, by 6", 4.0)
    yield Feature("dux reach", "provinces that he can reach there, by 48")
    for army in ARMIES:
        yield Feature(f"dux army {army} met", f"1 if he can attack army {army} there")
        yield Feature(f"dux army {army} victory", "the chance of victory of his best attack on it")
        yield Feature(f"dux army {army} defeat", "the chance of defeat of that attack")


def _of_vicarius(board: Board) -> Iterator[Feature]:
    yield Feature("vicarius reserve", "1 if the Vicarius can be deployed")
    yield Feature("vicarius dead", "1 if he is dead")
    yield from (Feature(f"vicarius {place}", f"1 if he stands in {place}") for place in board.ids)
    yield Feature("vicarius revolts", "revolts linked to him, by 6", 2.0)


def _of_pirates() -> Iterator[Feature]:
    yield from (Feature(f"pirates zone {zone}", f"1 if the Pirates are in zone {zone}") for zone in (1, 2, 3))
    yield Feature("pirates beaten", "1 if they are beaten")
    yield Feature("pirates revolts", "revolts on their coast on the table of the next turn, by 10", 2.1)
    yield Feature("pirates armies", "armies there, by 3")
    yield Feature("pirates met", "1 if Emperor 0 can attack them there")
    yield Feature("pirates victory", "the chance of victory of that attack")
    yield Feature("pirates defeat", "the chance of its defeat")


TABLE: tuple[Feature, ...] = tuple(_table(Board.standard()))
MODULE_NAMES: tuple[str, ...] = tuple(feature.name for feature in TABLE)


def module_features_of(position: Position) -> list[float]:
    """The row of features of modules, variants and rebels, in the order of `MODULE_NAMES`.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> any(module_features_of(example("movement")))
    False
    """
    row = dict.fromkeys(MODULE_NAMES, 0.0)
    ends = position.phase is not Phase.ROMAN
    table = projected(position)[0] if ends else position
    used = position.ruleset.extensions
    row |= {f"plays {name}": float(name in used) for name in PLAYED}
    row["rebels"] = len(position.rebels) / 3
    row["rebels open"] = sum(can_be_attacked(position, border) for border in position.rebels) / 3
    for played, part in (
        ("dux", _dux(position, table)),
        ("vicarius", _vicarius(position)),
        ("pirates", _pirates(position, table)),
        ("goths", _goths(position)),
        ("usurpator", _usurpers(position)),
        ("roma-aeterna", _glory(position)),
        ("imperium", _imperium(position)),
        ("barbaria", _barbaria(position)),
        ("via-romana", _transfer(position)),
    ):
        if played in used:
            row.update(part)
    if not used.isdisjoint(("roma-aeterna", "barbaria")):
        row["unrest left"] = position.reserve_unrest / 21
    assert len(row) == len(MODULE_NAMES)
    return list(row.values())


def _helper(name: str, helper: Helper | None) -> Iterator[tuple[str, float]]:
    if helper is not None:
        state = "dead" if helper.dead else "reserve" if helper.place is None else helper.place
        yield f"{name} {state}", 1.0


def _dux(position: Position, table: Position) -> Iterator[tuple[str, float]]:
    yield from _helper("dux", position.pieces.dux)
    place = table.place_of(DUX)
    if place is None:
        return
    costs = costs_from(table, {place})
    near = [revolt for revolt in table.revolts if table.board[revolt].number]
    yield "dux revolts", sum(costs.get(revolt, IP) <= IP - REMOVE_REVOLT for revolt in near) / 6
    yield "dux reach", len(costs) / 48
    yield from ((f"dux {name}", value) for name, value in attacks_of(table, DUX, costs).items())


def _vicarius(position: Position) -> Iterator[tuple[str, float]]:
    yield from _helper("vicarius", position.pieces.vicarius)
    place = position.place_of(VICARIUS)
    if place is not None:
        yield "vicarius revolts", sum(near in position.revolts for near in position.board.neighbours(place)) / 6


def _pirates(position: Position, table: Position) -> Iterator[tuple[str, float]]:
    zone = zone_of(position)
    yield ("pirates beaten" if zone is None else f"pirates zone {zone}"), 1.0
    if zone is None:
        return
    coast = frozenset(table.board.coast[zone])
    yield "pirates revolts", len(table.revolts & coast) / 10
    yield "pirates armies", len(coast.intersection(table.armies)) / 3
    emperor = acting(position)[0]
    others = {place for figure, place in table.romans.items() if figure != emperor}
    costs = costs_of(table, emperor)
    if any(costs.get(place, IP) <= IP - ATTACK_PIRATES for place in coast - others):
        yield from odds_named("pirates ", *odds_of(at_sea(table, emperor, zone))).items()


def _goths(position: Position) -> Iterator[tuple[str, float]]:
    goths = position.pieces.goths
    yield "goths reserve", float(goths is not None and goths.in_reserve)
    yield from ((f"goths army {n}", float(army == position.goths)) for n, army in enumerate(in_order(position)))


def _usurpers(position: Position) -> Iterator[tuple[str, float]]:
    board = position.board
    behind = [position.revolts & {*board.members(board[border].region)} for border in position.secured]
    yield "usurper regions", sum(len(revolts) == 5 for revolts in behind) / 6
    yield "usurper fullest", max(map(len, behind), default=0) / 6


def _glory(position: Position) -> Iterator[tuple[str, float]]:
    for turn, emperor in enumerate(acting(position)):
        yield f"glory {turn}", position.glory[emperor] / 21


def _imperium(position: Position) -> Iterator[tuple[str, float]]:
    for turn, emperor in enumerate(acting(position)):
        yield f"removed {turn}", position.removed[emperor] / 5
        yield f"payable {turn}", float(bool(purse(position, emperor)))
    yield "power", float(position.power_used and position.phase is Phase.ROMAN)


def _barbaria(position: Position) -> Iterator[tuple[str, float]]:
    yield f"gray {position.gray}", 1.0
    yield "black", float(position.black)
    turn = [emperor.id for emperor in position.board.emperors].index(position.to_move)
    yield "refill", (ROUND - turn) / ROUND


def _transfer(position: Position) -> Iterator[tuple[str, float]]:
    emperor = acting(position)[0]
    place = position.emperors[emperor]
    moves = position.ruleset.readings["I-VIA-BORDER"] == "moves"
    own = place is not None and place in position.garrisons(emperor)
    yield "transfer", float(own and (moves or not position.board[place or ""].is_border))
