"""The historical scenarios (pages 16 to 19): how they begin, and what it takes to attack their rebels."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import combinations
from math import prod

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Value
from tetrasolve.tetrarchia.facts.rulebook.tables import barbarians, kind
from tetrasolve.tetrarchia.facts.statements import Answer, Statement
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import advance
from tetrasolve.tetrarchia.rules.activity import EchoProvince, EchoRegion
from tetrasolve.tetrarchia.rules.chance import GivenDice
from tetrasolve.tetrarchia.rules.scenario import FIXED_PROVINCE
from tetrasolve.tetrarchia.ruleset import REVOLTS, Ruleset

SCENARIOS: Mapping[str, str] = {
    "carausian": "carausian-revolt",
    "danubian": "danubian-wars",
    "mauretanian": "mauretanian-war",
    "persian": "great-persian-war",
}
CERTIFICATE = "scenario"


def _regions(board: Board, name: str) -> set[int]:
    """The regions of a general revolt."""
    revolts = rules.scenario(name).revolts
    return {place.region for coordinates in revolts if (place := board.find(coordinates)) is not None}


def _general(board: Board, name: str) -> int:
    """The revolts of a general revolt, and one in each region that it leaves out."""
    return len(rules.scenario(name).revolts) + len(board.borders) - len(_regions(board, name))


def _levels(name: str, board: Board) -> Answer:
    told = rules.scenario(SCENARIOS[name])
    level = Ruleset.from_level(told.level)
    found = [board.find(coordinates) for coordinates in told.revolts]
    revolts = tuple(place.id for place in found if place is not None)
    placed, armies = _general(board, told.name), len(told.rebels) + len(told.armies)
    values: dict[str, Value] = {
        "revolts": placed,
        "level-revolts": len(board.borders) + level.revolts,
        "armies": armies,
        "level-armies": level.armies,
        "skipped": [emperor.id for emperor in board.emperors].index(told.first),
        "on-a-revolt": sum(place in revolts for place in told.emperors.values()),
        "places": revolts,
    }
    right = placed == values["level-revolts"] and armies == level.armies and values["on-a-revolt"] == 0
    return Answer(values, right and {*told.rebels, *told.armies} <= {*board.borders})


# -- all four ------------------------------------------------------------------------------------------------------


def _garrisons(board: Board) -> Answer:
    del board
    levels = [Ruleset.from_level(rules.scenario(name).level) for name in SCENARIOS.values()]
    garrisons = {level.garrisons for level in levels}
    with_three = sum(rules.scenario(name).ruleset(garrisons=3).garrisons == 3 for name in SCENARIOS.values())
    values: dict[str, Value] = {"least": min(garrisons), "most": max(garrisons), "with-three": with_three}
    return Answer(values, garrisons == {4} and with_three == 4)


def _figures(board: Board) -> Answer:
    """How many scenarios use a module, and how many its figure as rebels only."""
    del board
    wars = [rules.scenario(name) for name in SCENARIOS.values()]
    rebels = [{rebel.figure for rebel in war.rebels.values()} for war in wars]
    values = {f"{module}.module": sum(module in war.modules for war in wars) for module in ("dux", "goths", "pirates")}
    values |= {f"{figure}.rebels": sum(figure in row for row in rebels) for figure in ("dux", "goths", "pirates")}
    both = sum(bool(row & war.modules) for row, war in zip(rebels, wars, strict=True))
    used = {path for path, number in values.items() if number}
    right = used == {"pirates.module", "goths.module", "dux.rebels", "goths.rebels"} and both == 0
    return Answer({**values, "both": both}, right)


def _supply(board: Board) -> Answer:
    """The revolts of a scenario with those under rebels, and in how many ways the others can fall."""
    values: dict[str, Value] = {}
    fits = True
    for short, name in SCENARIOS.items():
        on_table = _general(board, name) + len(rules.scenario(name).rebels)
        values[f"revolts.{short}"] = on_table
        values[f"ways.{short}"] = prod(5 for _ in range(len(board.borders) - len(_regions(board, name))))
        fits &= on_table <= REVOLTS
    return Answer({**values, "supply": REVOLTS}, fits)


def _begun(name: str, board: Board, fleets: tuple[int, ...] | None = None) -> Position:
    """The scenario with its fixed set-up, the fleets in the first zones that are open."""
    war = rules.scenario(name)
    closed = war.pirates
    zones = [zone for zone in range(1, len(board.zones) + 1) if zone != closed]
    fleets = tuple(zones[: war.ruleset().fleets]) if fleets is None else fleets
    return rules.scenario_set_up(name, fleets, GivenDice([]), fixed=True, board=board)


def _fixed(board: Board) -> Answer:
    """The fixed set-up: what lies on provinces numbered three, and what else."""
    values: dict[str, Value] = {}
    right = True
    for short, name in SCENARIOS.items():
        table = _begun(name, board)
        regions = _regions(board, name)
        others = [place for place in table.revolts if board[place].number and board[place].region not in regions]
        standing = [place for place in table.emperors.values() if place in table.revolts]
        values[f"third.{short}"] = len(others)
        values[f"revolts.{short}"] = len(table.revolts) - len(table.rebels)
        right &= all(board[place].number == FIXED_PROVINCE == 3 for place in others) and not standing
        right &= values[f"revolts.{short}"] == _general(board, name)
    return Answer(values, right)


def _rebels(board: Board) -> Answer:
    """Rebels do not advance, their border takes no other army, and they are among the three."""
    found = {"rebels": 0, "stay": 0, "block": 0}
    values: dict[str, Value] = {}
    for short, name in SCENARIOS.items():
        table = barbarians(_begun(name, board))
        values[f"left.{short}"] = table.reserve_armies
        for border in table.rebels:
            alone = table.replace(armies=tuple(table.rebels))
            after = advance.begin(alone, frozenset())
            echo = EchoRegion(alone).roll().results[board[border].region - 1]
            found["rebels"] += 1
            found["stay"] += isinstance(after, Position) and border in after.armies
            found["block"] += isinstance(echo, EchoProvince)
    lefts = [values[f"left.{short}"] for short in SCENARIOS]
    right = found["rebels"] == found["stay"] == found["block"] == 4 and lefts == [2, 1, 2, 1]
    return Answer({**values, **found}, right)


def _attacks(name: str, board: Board) -> Answer:
    """Attacks on the rebels from each linked province, with each choice of zones: as it begins, and with no Pirates left."""
    table = _begun(SCENARIOS[name], board).replace(emperors={})
    zones = range(1, len(board.zones) + 1)
    found = {"links": 0, "at-first": 0, "with-the-fleet": 0, "choices": 0, "without-it": 0}
    pirates = table.pieces.get("pirates")
    choices = list(combinations(zones, table.ruleset.fleets))
    for border, rebel in table.rebels.items():
        for place in board.neighbours(border):
            attack, here = Action(Kind.ATTACK, border), table.with_emperor(table.to_move, place)
            found["links"] += 1
            for fleets in choices:
                free = here.with_piece("pirates", None) if "pirates" in here.pieces else here
                legal = rules.objection(free.replace(fleets=fleets), attack) is None
                found["choices"] += rebel.fleet in fleets
                found["with-the-fleet" if rebel.fleet in fleets else "without-it"] += legal
                if pirates not in fleets:
                    found["at-first"] += rules.objection(here.replace(fleets=fleets), attack) is None
    values: dict[str, Value] = {**found, "fleet": f"zone-{next(iter(table.rebels.values())).fleet}"}
    return Answer(values, not found["without-it"] and found["with-the-fleet"] == found["choices"] > 0)


_PAGES = {"carausian": 17, "danubian": 18, "mauretanian": 18, "persian": 19}
SCENARIO = kind(
    "book-scenario",
    "The historical scenarios",
    "The revolts and armies of a scenario are held against its level.",
    ("numbers", "regions"),
    {
        name: Statement(
            page,
            partial(_levels, name),
            "{revolts} revolts and {armies} armies, as the level says; nobody begins on a revolt, and {skipped} turns are skipped.",
        )
        for name, page in _PAGES.items()
    },
    certificate=CERTIFICATE,
)
_NAMES = "the Carausian, Danubian, Mauretanian and Persian war"
WAR = kind(
    "book-wars",
    "What the scenarios have in common",
    "All four are set up, with the fixed set-up where dice would matter.",
    ("numbers", "regions", "zones", "links", "kinds", "arrows", "printed"),
    {
        "garrisons": Statement(
            16,
            _garrisons,
            "The scenarios begin with {least} to {most} garrisons; {with-three} can be played with three.",
        ),
        "figures": Statement(
            16,
            _figures,
            "The Pirates are used in {pirates.module}, the Goths in {goths.module}; as rebels only the Dux in {dux.rebels} and"
            " the Goths in {goths.rebels}.",
        ),
        "supply": Statement(
            16,
            _supply,
            f"In {_NAMES} {{revolts.carausian}}, {{revolts.danubian}}, {{revolts.mauretanian}} and {{revolts.persian}} revolts"
            " lie on the table, of {supply}, in {ways.carausian}, {ways.danubian}, {ways.mauretanian} and {ways.persian} ways.",
        ),
        "fixed": Statement(
            16,
            _fixed,
            "With the fixed set-up {third.carausian}, {third.danubian}, {third.mauretanian} and {third.persian} revolts lie on"
            " third provinces, and no Emperor begins on one.",
        ),
        "rebels": Statement(
            16,
            _rebels,
            f"Of {{rebels}} rebel armies {{stay}} stay and {{block}} keep others from their border; in {_NAMES}"
            " {left.carausian}, {left.danubian}, {left.mauretanian} and {left.persian} armies are left.",
        ),
    },
    effort=0.01,
    certificate=CERTIFICATE,
)
REBELS = kind(
    "book-rebels",
    "Attacks on rebels",
    "Each linked province is tried with each choice of zones for the fleets.",
    ("zones", "links", "kinds", "regions", "numbers", "printed"),
    {
        name: Statement(
            _PAGES[name],
            partial(_attacks, name),
            "With a fleet in {fleet} the rebels can be attacked in {with-the-fleet} of {choices} cases, without it in {without-it};"
            " as the war begins in {at-first}.",
        )
        for name in ("carausian", "mauretanian", "persian")
    },
    effort=0.01,
    certificate=CERTIFICATE,
)
KINDS = (SCENARIO, WAR, REBELS)
