"""What the rulebook says about its four modules: how they combine, who gains by them, and what each of them does.

The Dux and the Vicarius are in `helpers`, the Pirates and the Goths in `raiders`. Each of these writes down what its module
changes in the rules, and tries that wherever it could say something else.
"""

from itertools import combinations, product

import helpers
import raiders
from barbarian import FACES, Phase, Scene
from bare import LATEST, NOBODY, NOTHING, USUAL, Answer, check
from board import Board
from claimed import Fact
from raiders import LEVELS, raised_battles
from rules import IP_A_TURN, State, Turn
from text import Lines

MODULES = ("dux", "vicarius", "pirates", "goths")
VARIANTS = ("imperium", "mare nostrum", "via romana", "usurpator", "roma aeterna", "barbaria")
SCENARIOS = ("carausian revolt", "danubian wars", "mauretanian war", "great persian war")


def count(_: Board, __: list[str]) -> Answer:
    """Four modules and six variants, and as many scenarios as modules."""
    values = {"modules": len(MODULES), "variants": len(VARIANTS), "scenarios": len(SCENARIOS)}
    return values, list(values.values()) == [4, 6, 4]


def together(_: Board, __: list[str]) -> Answer:
    """Modules can be added together or separately, and variants do not depend on one another or on them."""
    sets = [set(some) for size in range(5) for some in combinations(MODULES, size)]
    able = [(level, some) for level in LEVELS for some in sets if "pirates" not in some or level[1] < 3]
    medium = sum(level == (4, 2, 1, 1) for level, _ in able)
    variants = 2 ** len(VARIANTS)
    values = {"module-sets": len(sets), "variant-sets": variants, "at-4211": medium, "variants-at-4211": variants}
    return values | {"games": len(able) * variants}, medium == len(sets) == 16


def easier(board: Board, _: list[str]) -> Answer:
    """With Dux and Vicarius the players can do all that they can do without them, and more."""
    kept = {"dux": 0, "vicarius": 0}
    more = dict(kept)
    alike = dict(kept)
    actions = 0
    table = NOTHING._replace(fleets=frozenset({2}))
    for here in board.provinces:
        turn = Turn(board, USUAL, 5, 0, [here, None, None, None])
        base = len(list(turn.actions(State(IP_A_TURN, here, table))))
        actions += base
        for figure in kept:
            kept[figure] += base  # a deployment is an action besides, and takes none away
            more[figure] += len(helpers.deployments(board, figure, helpers.NOT_YET, here, {here}, frozenset()))
    for place in Phase(board, LATEST).at.values():
        plain = Phase(board, LATEST).resolve(Scene(NOTHING, NOBODY), place)
        for figure, phase in (("dux", Phase(board, LATEST)), ("vicarius", helpers.WithVicarius(board, LATEST))):
            after = phase.resolve(Scene(NOTHING, (*NOBODY, None)), place)
            assert isinstance(plain, Scene) and isinstance(after, Scene)
            alike[figure] += after.table == plain.table
    values: dict[str, object] = {"actions": actions}
    for figure, number in more.items():
        values |= {f"{figure}.kept": kept[figure], f"{figure}.more": number, f"{figure}.activity": alike[figure]}
    return values, set(kept.values()) == {actions} and set(alike.values()) == {36}


def harder(board: Board, _: list[str]) -> Answer:
    """Pirates leave less to choose for fleets, and the Goths are worse to meet than other armies."""
    values = {"places.without": 0, "places.with": 0, "sails.without": 0, "sails.with": 0}
    for pirates, fleets in product(raiders.MEDITERRANEAN, (1, 2)):
        values["places.without"] += len(list(combinations(board.all_zones, fleets)))
        values["places.with"] += len(list(raiders.fleet_places(board, pirates, fleets)))
    turn = Turn(board, USUAL, 5, 0, [board.roma, None, None, None])
    for pirates, fleet in product(raiders.MEDITERRANEAN, board.all_zones):
        if pirates != fleet:
            values["sails.without"] += len(list(turn.voyages(frozenset({fleet}))))
            values["sails.with"] += len(raiders.voyages(turn, frozenset({fleet}), pirates))
    checks = {"check.without": sum(face >= 4 for face in FACES), "check.with": sum(face + 1 >= 4 for face in FACES)}
    battles = raised_battles()
    fewer = values["places.with"] < values["places.without"] and values["sails.with"] < values["sails.without"]
    worse = battles["better"] == 0 < battles["worse"] and checks["check.with"] > checks["check.without"]
    return values | battles | checks, fewer and worse


KNOWN = {
    "book-modules/count": (12, count),
    "book-modules/together": (12, together),
    "book-modules/easier": (12, easier),
    "book-modules/harder": (12, harder),
    **helpers.STATEMENTS,
    **raiders.STATEMENTS,
}


def check_module(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Work out what a statement about modules says."""
    return check(lines, board, fact, KNOWN, {})
