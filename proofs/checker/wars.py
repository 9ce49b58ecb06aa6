"""What the rulebook says about its historical scenarios (pages 16 to 19), each written down as it begins."""

from functools import partial
from itertools import combinations, product
from typing import NamedTuple

from barbarian import FACES, Again, Phase, Scene, Step
from bare import LATEST, NOBODY, NOTHING, USUAL, Answer, Statement, check
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from rules import IP_A_TURN, State, Turn
from text import Lines

LEVELS = {f"{g}{f}{r}{a}" for g, f, r, a in product((5, 4, 3), (3, 2, 1), (0, 1, 2), (0, 1, 2))}
FIXED = 3  # the province of a revolt in the fixed set-up


class Scenario(NamedTuple):
    """A historical scenario: provinces of the general revolt by region and number, rebels by their borders.

    `fleet` is the zone in which a fleet must lie to attack the rebels, `pirates` theirs; 0 stands for none.
    """

    level: str
    general: tuple[tuple[int, int], ...]
    rebels: dict[str, str]
    armies: tuple[str, ...]  # others than rebels
    emperors: dict[str, str]
    first: str
    modules: tuple[str, ...] = ()
    pirates: int = 0
    fleet: int = 0

    def regions(self) -> set[int]:
        """Where the war started."""
        return {region for region, _ in self.general}

    def revolts_placed(self) -> int:
        """Revolts of the general revolt, and one in each other region."""
        return len(self.general) + len(FACES) - len(self.regions())


SCENARIOS = {
    "carausian": Scenario(
        "4221",
        ((2, 1), (2, 2), (2, 4)),
        {"britannia": "dux"},
        (),
        {"constantius": "germania_superior"},
        "constantius",
        ("pirates",),
        pirates=1,
        fleet=1,
    ),
    "danubian": Scenario(
        "4222",
        ((3, 3), (3, 4), (4, 1), (4, 2)),
        {},
        ("sarmatia", "germania_magna"),
        {"diocletian": "thracia", "galerius": "pannonia_superior"},
        "diocletian",
        ("goths",),
    ),
    "mauretanian": Scenario(
        "4221",
        ((1, 1), (1, 2), (6, 4), (6, 5)),
        {"gaetulia": "goths"},
        (),
        {"maximian": "carthagenensis"},
        "maximian",
        fleet=1,
    ),
    "persian": Scenario(
        "4222",
        ((6, 1), (6, 2), (5, 1), (5, 2)),
        {"persia": "goths", "libya": "dux"},
        (),
        {"diocletian": "bithynia", "galerius": "cappadocia"},
        "diocletian",
        ("pirates",),
        pirates=3,
        fleet=3,
    ),
}


def coordinates(board: Board) -> dict[tuple[int, int], str]:
    """The provinces by region and number."""
    return {(board.region[place], number): place for place, number in board.number.items() if number}


def levels(name: str, board: Board, _: list[str]) -> Answer:
    """Its revolts and armies are as many as its level says, and nobody begins on a revolt."""
    told = SCENARIOS[name]
    at = coordinates(board)
    revolts = [at[pair] for pair in told.general]
    placed, armies = told.revolts_placed(), len(told.rebels) + len(told.armies)
    on_revolt = sum(place in revolts for place in told.emperors.values())
    values: dict[str, object] = {
        "revolts": placed,
        "level-revolts": len(FACES) + int(told.level[2]),
        "armies": armies,
        "level-armies": int(told.level[3]),
        "skipped": board.emperors.index(told.first),
        "on-a-revolt": on_revolt,
        "places": revolts,
    }
    bordered = all(border in board.borders for border in (*told.rebels, *told.armies))
    free_zones = len(board.all_zones) - int(told.pirates > 0)
    right = placed == len(FACES) + int(told.level[2]) and armies == int(told.level[3]) and not on_revolt
    return values, right and bordered and int(told.level[1]) <= free_zones


def garrisons(_: Board, __: list[str]) -> Answer:
    """Four garrisons are proposed, three can be tried."""
    numbers = {int(told.level[0]) for told in SCENARIOS.values()}
    three = sum(f"3{told.level[1:]}" in LEVELS for told in SCENARIOS.values())
    return {"least": min(numbers), "most": max(numbers), "with-three": three}, numbers == {4} and three == len(
        SCENARIOS
    )


def figures(_: Board, __: list[str]) -> Answer:
    """Pirates or Goths are used as modules, Dux or Goths as rebels, none as both in one scenario."""
    wars = SCENARIOS.values()
    values = {f"{what}.module": sum(what in war.modules for war in wars) for what in ("dux", "goths", "pirates")}
    values |= {
        f"{what}.rebels": sum(what in war.rebels.values() for war in wars) for what in ("dux", "goths", "pirates")
    }
    both = sum(not {*war.modules}.isdisjoint(war.rebels.values()) for war in wars)
    used = {path for path, number in values.items() if number}
    return values | {"both": both}, used == {
        "pirates.module",
        "goths.module",
        "dux.rebels",
        "goths.rebels",
    } and not both


def supply(_: Board, __: list[str]) -> Answer:
    """The revolts on the table, those under rebels too, are fewer than there are; others than the general ones are rolled."""
    values = {}
    for name, told in SCENARIOS.items():
        values[f"revolts.{name}"] = told.revolts_placed() + len(told.rebels)
        values[f"ways.{name}"] = (len(FACES) - 1) ** (len(FACES) - len(told.regions()))
    fits = all(values[f"revolts.{name}"] <= MOST_REVOLTS for name in SCENARIOS)
    return values | {"supply": MOST_REVOLTS}, fits


def fixed(board: Board, _: list[str]) -> Answer:
    """The fixed set-up puts the other revolts on third provinces, and nobody stands on a revolt."""
    at = coordinates(board)
    values: dict[str, object] = {}
    right = True
    for name, told in SCENARIOS.items():
        third = [at[region, FIXED] for region in FACES if region not in told.regions()]
        revolts = {at[pair] for pair in told.general}.union(third)
        values |= {f"third.{name}": len(third), f"revolts.{name}": len(revolts)}
        right &= len(revolts) == told.revolts_placed() and revolts.isdisjoint(told.emperors.values())
    return values, right


class WithRebels(Phase):
    """A Barbarian phase in which the armies of these borders are rebels, who stay."""

    rebels: frozenset[str] = frozenset()

    def march(self, scene: Scene, armies: tuple[str, ...]) -> Step:
        """All others advance."""
        return super().march(scene, tuple(army for army in armies if army not in self.rebels))


def rebels(board: Board, _: list[str]) -> Answer:
    """They stay, they block their border, and they are among the three armies."""
    values: dict[str, int] = {}
    found = {"rebels": 0, "stay": 0, "block": 0}
    for name, told in SCENARIOS.items():
        phase = WithRebels(board, LATEST)
        phase.rebels = frozenset(told.rebels)
        values[f"left.{name}"] = MOST_ARMIES - len(told.rebels) - len(told.armies)
        table = NOTHING._replace(armies=phase.rebels, revolts=phase.rebels)
        for border in told.rebels:
            after = phase.advance(Scene(table, NOBODY))
            echo = phase.echo(Scene(table, NOBODY), board.region[border])
            found["rebels"] += 1
            found["stay"] += isinstance(after, Scene) and border in after.table.armies
            found["block"] += isinstance(echo, Again)
    right = set(found.values()) == {4} and list(values.values()) == [2, 1, 2, 1]
    return values | found, right


def attacks(name: str, board: Board, _: list[str]) -> Answer:
    """To attack the rebels there must be a fleet in a zone, where as the war begins the Pirates may lie."""
    told = SCENARIOS[name]
    values = {"links": 0, "at-first": 0, "with-the-fleet": 0, "choices": 0, "without-it": 0}
    table = NOTHING._replace(armies=frozenset(told.rebels), revolts=frozenset(told.rebels))
    for border in told.rebels:
        for place in board.links[border]:
            turn = Turn(board, USUAL, 4, 0, [place, None, None, None])
            names = [action.name for action in turn.actions(State(IP_A_TURN, place, table))]
            near = f"attack {border}" in names
            values["links"] += 1
            for fleets in combinations(board.all_zones, int(told.level[1])):
                able = near and told.fleet in fleets
                values["choices"] += told.fleet in fleets
                values["with-the-fleet" if told.fleet in fleets else "without-it"] += able
                values["at-first"] += able and told.pirates not in fleets
    right = not values["without-it"] and values["with-the-fleet"] == values["choices"] > 0
    return values | {"fleet": f"zone-{told.fleet}"}, right


PAGES = {"carausian": 17, "danubian": 18, "mauretanian": 18, "persian": 19}
KNOWN: dict[str, tuple[int, Statement]] = {
    **{f"book-scenario/{name}": (page, partial(levels, name)) for name, page in PAGES.items()},
    **{
        f"book-rebels/{name}": (PAGES[name], partial(attacks, name)) for name in ("carausian", "mauretanian", "persian")
    },
    "book-wars/garrisons": (16, garrisons),
    "book-wars/figures": (16, figures),
    "book-wars/supply": (16, supply),
    "book-wars/fixed": (16, fixed),
    "book-wars/rebels": (16, rebels),
}


def check_scenario(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """Work out what a statement about scenarios says."""
    return check(lines, board, fact, KNOWN, {})
