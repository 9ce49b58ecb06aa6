"""What the rulebook says of itself that can be counted: on the board, in the box, in the table of levels."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.fact import Kind, Value
from tetrasolve.tetrarchia.facts.statements import Answer, Statement, statements
from tetrasolve.tetrarchia.position import Position, next_emperor
from tetrasolve.tetrarchia.rules.chance import GivenDice
from tetrasolve.tetrarchia.rules.setup import FIRST_PROVINCE
from tetrasolve.tetrarchia.ruleset import ARMIES, REVOLTS, UNREST, Ruleset, all_levels

LEVELS = tuple((level.garrisons, level.fleets, level.revolts, level.armies) for level in all_levels())
FACES = range(1, 7)

# -- the board -----------------------------------------------------------------------------------------------------


def _provinces(board: Board) -> Answer:
    sizes = [len(board.members(region.number)) for region in board.regions]
    values = {
        "roman": sum(sizes),
        "borders": len(board.borders),
        "regions": len(sizes),
        "fewest": min(sizes),
        "most": max(sizes),
    }
    return Answer(values, values == {"roman": 42, "borders": 6, "regions": 7, "fewest": 6, "most": 6})


def _coordinates(board: Board) -> Answer:
    pairs = {(place.region, place.number) for place in board.provinces.values() if place.number}
    fifth = board.at(2, 5)
    values: dict[str, Value] = {"named": len(pairs), "faces": len(FACES) ** 2, "ii-5": fifth}
    return Answer(values, pairs == set(product(FACES, FACES)) and fifth == "aquitania")


CAPITALS = {
    "diocletian": "bithynia",
    "galerius": "pannonia_inferior",
    "constantius": "germania_inferior",
    "maximian": "cisalpina",
}


def _capitals(board: Board) -> Answer:
    bare = Position.parse("5300 D:6 -/-/-/- 123 - - - -/-/-/-", board)
    values: dict[str, Value] = {emperor.id: emperor.capital for emperor in board.emperors}
    right = values == CAPITALS
    values["in-roma"] = len(board[board.roma].printed)
    for emperor in board.emperors:
        beside = bare.with_emperor(emperor.id, board.roma)
        values[f"group.{emperor.id}"] = rules.battle(beside, emperor.id, board.roma).garrisons
    return Answer(values, right and values["in-roma"] == 4)


BORDERS = ("gaetulia", "britannia", "germania_magna", "sarmatia", "persia", "libya")


def _borders(board: Board) -> Answer:
    return Answer({str(board[b].region): b for b in board.borders}, board.borders == BORDERS)


def _zones(board: Board) -> Answer:
    values: dict[str, Value] = {f"coast.{zone}": len(coast) for zone, coast in board.coast.items()}
    values["zones"] = len(board.zones)
    values["neighbours"] = len(board.adjacent_zones)
    values["inland"] = sum(not place.is_coastal for place in board.provinces.values())
    in_a_row = board.adjacent_zones == {frozenset({1, 2}), frozenset({2, 3})}
    return Answer(values, in_a_row and len(board.zones) == 3)


def _border_regions(board: Board) -> Answer:
    abroad = [
        board[border].region
        for border in board.borders
        if not {board[place].region for place in board.neighbours(border)} <= {board[border].region}
    ]
    links = sum(len(board.neighbours(border)) for border in board.borders)
    values: dict[str, Value] = {"borders": len(abroad), "regions": tuple(f"r{r}" for r in abroad), "links": links}
    return Answer(values, abroad == [1, 4])


def _britannia(board: Board) -> Answer:
    coastal = sum(board[border].is_coastal for border in board.borders)
    zones = len(board["britannia"].zones)
    return Answer({"zones": zones, "coastal-borders": coastal}, zones == 0)


def _black_sea(board: Board) -> Answer:
    shore = tuple(place for place in ("moesia_inferior", "thracia", "bithynia") if 3 in board[place].zones)
    return Answer({"shore": shore}, len(shore) == 3)


def _uneven(board: Board) -> Answer:
    reach = {
        place.id: sum(not board[other].is_border for other in board.neighbours(place.id))
        for place in board.provinces.values()
        if place.number
    }
    regions = [Fraction(sum(reach[place] for place in board.members(region)), 6) for region in FACES]
    most, fewest = max(reach.values()), min(reach.values())
    values: dict[str, Value] = {"most": most, "fewest": fewest}
    values |= {f"region.{region}": _exact(mean) for region, mean in zip(FACES, regions, strict=True)}
    return Answer(values, most >= 2 * fewest and len(set(regions)) > 1)


def _exact(number: Fraction | int) -> Value:
    return Fraction(number) if Fraction(number).denominator > 1 else int(number)


def _shortcut(board: Board) -> Answer:
    import networkx

    network = networkx.Graph()
    network.add_weighted_edges_from((*link.between, 2 if link.broken else 1) for link in board.links)
    network.add_nodes_from(board.ids)
    starts = {board.roma, *(emperor.capital for emperor in board.emperors)}
    ways = {start: networkx.single_source_dijkstra_path_length(network, start) for start in starts}
    values: dict[str, Value] = {}
    for emperor in board.emperors:
        saved = [ways[board.roma][place] - ip for place, ip in ways[emperor.capital].items()]
        values[f"{emperor.id}.nearer"] = sum(number > 0 for number in saved)
        values[f"{emperor.id}.most"] = max(saved)
    return Answer(values, all(isinstance(number, int) and number > 0 for number in values.values()))


def _centre(board: Board) -> Answer:
    """How far the farthest province is from each region, in links."""
    import networkx

    network = networkx.Graph(link.between for link in board.links)
    network.add_nodes_from(board.ids)
    numbers = [region.number for region in board.regions]
    values: dict[str, Value] = {}
    for number in numbers:
        near = networkx.multi_source_dijkstra_path_length(network, set(board.members(number)))
        values[f"region.{number}"] = max(near.values())
    others = [values[f"region.{number}"] for number in numbers if number]
    nearest = min(int(str(number)) for number in others)
    return Answer({**values, "nearest": nearest}, int(str(values["region.0"])) < nearest)


def _headquarters(board: Board) -> Answer:
    """The IP from Roma and from each capital to the nearest border."""
    import networkx

    network = networkx.Graph()
    network.add_weighted_edges_from((*link.between, 2 if link.broken else 1) for link in board.links)
    network.add_nodes_from(board.ids)
    near = networkx.multi_source_dijkstra_path_length(network, set(board.borders))
    values: dict[str, Value] = {emperor.id: near[emperor.capital] for emperor in board.emperors}
    nearer = tuple(emperor.id for emperor in board.emperors if near[emperor.capital] < near[board.roma])
    return Answer({**values, "roma": near[board.roma], "nearer": nearer}, len(nearer) == len(values))


# -- contents and set-up -------------------------------------------------------------------------------------------


def _figures(board: Board) -> Answer:
    most_fleets = max(fleets for _, fleets, _, _ in LEVELS)
    parts = {
        "emperors": len(board.emperors),
        "dux": 1,
        "vicarius": 1,
        "fleets": most_fleets,
        "armies": ARMIES,
        "pirates": 1,
        "goths": 1,
    }
    values = {**parts, "sum": sum(parts.values()), "base": len(board.emperors) + most_fleets + ARMIES}
    return Answer(values, values["sum"] == 14)


def _discs(board: Board) -> Answer:
    garrisons = len(board.emperors) * max(garrisons for garrisons, _, _, _ in LEVELS)
    values = {"garrisons": garrisons, "unrest": UNREST, "revolts": REVOLTS, "sum": garrisons + UNREST + REVOLTS}
    return Answer(values, values == {"garrisons": 20, "unrest": 21, "revolts": 21, "sum": 62})


def _enough_revolts(board: Board) -> Answer:
    set_up = len(board.borders) + max(revolts for _, _, revolts, _ in LEVELS)
    return Answer({"supply": REVOLTS, "set-up": set_up}, set_up <= REVOLTS)


def _count(board: Board) -> Answer:
    del board
    return Answer({"levels": len(set(LEVELS))}, len(set(LEVELS)) == 81)


def _hardness(level: tuple[int, ...]) -> tuple[int, ...]:
    garrisons, fleets, revolts, armies = level
    return (-garrisons, -fleets, revolts, armies)


def _among(level: tuple[int, int, int, int], told: str, board: Board) -> Answer:
    del board
    own = _hardness(level)
    easier = harder = 0
    for other in LEVELS:
        steps = [a - b for a, b in zip(_hardness(other), own, strict=True)]
        easier += any(steps) and max(steps) <= 0
        harder += any(steps) and min(steps) >= 0
    right = easier == harder if told == "medium" else harder == len(LEVELS) - 1
    return Answer({"easier": easier, "harder": harder, "neither": len(LEVELS) - 1 - easier - harder}, right)


def _than_medium(level: tuple[int, int, int, int], told: tuple[str, ...], board: Board) -> Answer:
    del board
    steps = [a - b for a, b in zip(_hardness(level), _hardness((4, 2, 1, 1)), strict=True)]
    found = tuple("easier" if step < 0 else "harder" if step > 0 else "same" for step in steps)
    return Answer({"than-4211": found}, found == told)


def _first_revolts(board: Board) -> Answer:
    able = [_able(board, region) for region in FACES]
    values = {"ways": prod(map(len, able)), "provinces": sum(map(len, able))}
    return Answer(values, all(len(places) == 5 for places in able))


def _additional(board: Board) -> Answer:
    """Where the 36 throws of an additional revolt put it, each first revolt lying on a second province."""
    level, placed = Ruleset.from_level("5310"), []
    for throw in product(FACES, FACES):
        try:
            table = rules.set_up(level, (1, 2, 3), GivenDice([2] * len(board.borders) + [*throw]), board)
        except LookupError:
            continue  # rolled again
        (place,) = (place for place in table.revolts if (board[place].region, board[place].number) == throw)
        placed.append(place)
    firsts = sum(board[place].number == FIRST_PROVINCE for place in placed)
    values = {"placed": len(placed), "again": len(FACES) ** 2 - len(placed), "firsts": firsts}
    return Answer(values, values == {"placed": 30, "again": 6, "firsts": 6})


def _able(board: Board, region: int) -> list[str]:
    """The provinces on which a first revolt can lie."""
    return [board.at(region, number) for number in FACES if number != FIRST_PROVINCE]


def _capital_revolts(board: Board) -> Answer:
    capitals = {emperor.capital for emperor in board.emperors}
    outside = [place for place in board.ids if place in capitals and board[place].number]
    able = tuple(place for place in outside if place in _able(board, board[place].region))
    quiet = prod(Fraction(5 - sum(board[place].region == region for place in able), 5) for region in FACES)
    return Answer({"capitals": able, "chance": _exact(1 - quiet)}, 0 < len(able) < len(capitals))


def _order(board: Board) -> Answer:
    now = Position.parse("5300 D:6 -/-/-/- 123 - - - -/-/-/-", board)
    order = [now.to_move]
    while (following := next_emperor(now.replace(to_move=order[-1]))) not in order:
        order.append(following)
    return Answer({"order": tuple(order), "turns": len(order)}, order == list(CAPITALS))


# -- the facts -----------------------------------------------------------------------------------------------------


def _kind(name: str, title: str, how: str, rows: tuple[str, ...], instances: Mapping[str, Statement]) -> Kind:
    return statements(name, "rulebook", title, how, rows, instances)


BOARD = _kind(
    "book-board",
    "The board as the rulebook tells it",
    "Rows of the board file are counted.",
    ("regions", "numbers", "links", "zones", "printed"),
    {
        "provinces": Statement(
            5, _provinces, "{roman} Roman provinces in {regions} regions of {most}, and {borders} borders."
        ),
        "coordinates": Statement(
            5, _coordinates, "The {faces} throws of two dice name {named} provinces; II:5 is {ii-5}."
        ),
        "capitals": Statement(
            5,
            _capitals,
            "Diocletian has his capital in {diocletian}, Galerius in {galerius}, Constantius in {constantius}, Maximian in"
            " {maximian}; the disc in Roma is a garrison of {in-roma} Emperors.",
        ),
        "borders": Statement(5, _borders, "The borders of I to VI are {1}, {2}, {3}, {4}, {5} and {6}."),
        "zones": Statement(
            5,
            _zones,
            "{zones} zones in a row, with {coast.1}, {coast.2} and {coast.3} coastal provinces; {inland} have no coast.",
        ),
        "border-regions": Statement(
            11, _border_regions, "{borders} borders are linked to other regions too: {regions}."
        ),
        "britannia": Statement(11, _britannia, "Britannia has no coast; {coastal-borders} borders have one."),
        "centre": Statement(
            5,
            _centre,
            "From Italia no province is farther than {region.0} links, from every other region some is at least {nearest} away.",
        ),
        "black-sea": Statement(11, _black_sea, "Provinces on the Black Sea lie on the third zone: {shore}."),
    },
)
GEOGRAPHY = _kind(
    "book-geography",
    "What the map does to the game",
    "Links to Roman provinces are counted; cheapest ways without fleets, by Dijkstra's algorithm.",
    ("links", "kinds", "regions", "numbers", "printed"),
    {
        "uprisings": Statement(
            11, _uneven, "An uprising can bring revolts to {most} provinces in one place, and to {fewest} in another."
        ),
        "headquarters": Statement(
            5,
            _headquarters,
            "From the capitals of Diocletian, Galerius, Constantius and Maximian the nearest border is {diocletian}, {galerius},"
            " {constantius} and {maximian} IP away, from Roma {roma}.",
        ),
        "capitals": Statement(
            11,
            _shortcut,
            "From the capitals of Diocletian, Galerius, Constantius and Maximian {diocletian.nearer}, {galerius.nearer},"
            " {constantius.nearer} and {maximian.nearer} provinces are nearer than from Roma.",
        ),
    },
)
COMPONENTS = _kind(
    "book-components",
    "What is in the box, and what the rules can need",
    "Pieces are added up, and held against levels and scenarios.",
    (),
    {
        "figures": Statement(4, _figures, "{sum} figures, {base} of them in the base game."),
        "discs": Statement(4, _discs, "{garrisons} garrisons, {unrest} unrest and {revolts} revolts are {sum} discs."),
        "revolts": Statement(
            4,
            _enough_revolts,
            "No set-up needs more than {set-up} revolts; there are {supply}.",
        ),
    },
)
LEVEL = _kind(
    "book-levels",
    "The levels of difficulty",
    "All levels are compared in each of their four figures.",
    (),
    {
        "count": Statement(6, _count, "There are {levels} levels."),
        "medium": Statement(
            6,
            partial(_among, (4, 2, 1, 1), "medium"),
            "{easier} levels are easier than 4211 in all that differs, {harder} harder, {neither} neither.",
        ),
        "easiest": Statement(
            6, partial(_among, (5, 3, 0, 0), "easiest"), "All {harder} others are harder than 5300 in all that differs."
        ),
        "easier": Statement(
            6,
            partial(_than_medium, (4, 2, 0, 0), ("same", "same", "easier", "easier")),
            "4200 is easier than 4211; garrisons, fleets, revolts, armies: {than-4211}.",
        ),
        "example": Statement(
            6,
            partial(_than_medium, (5, 1, 1, 1), ("easier", "harder", "same", "same")),
            "5111 gives more power and hinders at sea; garrisons, fleets, revolts, armies: {than-4211}.",
        ),
    },
)
SET_UP = _kind(
    "book-set-up",
    "The set-up",
    "Faces of dice are counted.",
    ("numbers", "regions", "printed"),
    {
        "first-revolts": Statement(
            6, _first_revolts, "The first revolts fall in {ways} ways, on {provinces} provinces."
        ),
        "additional": Statement(
            6,
            _additional,
            "{placed} of 36 throws place an additional revolt at once, {firsts} on first provinces; {again} are made again.",
        ),
        "capitals": Statement(
            6,
            _capital_revolts,
            "Capitals can be in revolt from the start, {capitals}: one of them is with a chance of {chance}.",
        ),
    },
)
ORDER = Statement(7, _order, "A round has {turns} turns: {order}.")
KINDS = (BOARD, GEOGRAPHY, COMPONENTS, LEVEL, SET_UP)
