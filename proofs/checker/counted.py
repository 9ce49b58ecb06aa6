"""What the rulebook says that can be counted: on the board, in the box, in the table of levels.

Each function gives the numbers, and whether they are those of the rulebook.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product
from math import prod

from barbarian import FACES
from bare import NOTHING, USUAL, Answer, Statement
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from rules import MOST_UNREST, Turn

# -- the board (pages 5 and 11) ------------------------------------------------------------------------------------


def provinces(board: Board, _: list[str]) -> Answer:
    """42 Roman provinces in 7 regions of 6, and 6 borders."""
    regions = Counter(board.region[place] for place in board.provinces if place not in board.borders)
    values = {
        "roman": sum(regions.values()),
        "borders": len(board.borders),
        "regions": len(regions),
        "fewest": min(regions.values()),
        "most": max(regions.values()),
    }
    return values, list(values.values()) == [42, 6, 7, 6, 6]


def coordinates(board: Board, _: list[str]) -> Answer:
    """Two numbers name each province outside Italia, and II:5 is Aquitania."""
    named = {(board.region[place], number): place for place, number in board.number.items() if number}
    of_five = named[2, 5]
    once = len(named) == sum(map(bool, board.number.values()))
    values = {"named": len(named), "faces": 36, "ii-5": of_five}
    return values, once and set(named) == set(product(FACES, FACES)) and of_five == "aquitania"


CAPITALS = {
    "diocletian": "bithynia",
    "galerius": "pannonia_inferior",
    "constantius": "germania_inferior",
    "maximian": "cisalpina",
}


def capitals(board: Board, _: list[str]) -> Answer:
    """Each Emperor has a capital with his printed disc, and Roma is everybody's."""
    groups = {
        emperor: Turn(board, USUAL, 5, index, [None] * 4).strengths(board.roma, NOTHING, board.roma)[0]
        for index, emperor in enumerate(board.emperors)
    }
    values: dict[str, object] = {emperor: board.capital[emperor] for emperor in board.emperors}
    values |= {"in-roma": sum(board.roma in printed for printed in board.printed.values())}
    values |= {f"group.{emperor}": groups[emperor] for emperor in board.emperors}
    right = all(board.capital[emperor] == CAPITALS[emperor] for emperor in board.emperors)
    return values, right and values["in-roma"] == 4 and all(group >= 1 for group in groups.values())


BORDERS = ["gaetulia", "britannia", "germania_magna", "sarmatia", "persia", "libya"]


def borders(board: Board, _: list[str]) -> Answer:
    """The border of each region."""
    found = {str(board.region[border]): border for border in board.borders}
    return dict(found), [found[str(region)] for region in FACES] == BORDERS


def zones(board: Board, _: list[str]) -> Answer:
    """Three zones in a row."""
    coast = {zone: sum(zone in zones for zones in board.zones.values()) for zone in board.all_zones}
    values = {
        "zones": len(coast),
        "neighbours": len(board.adjacent),
        "inland": sum(not z for z in board.zones.values()),
    }
    in_a_row = board.adjacent == [[1, 2], [2, 3]]
    return values | {f"coast.{zone}": number for zone, number in coast.items()}, in_a_row and len(coast) == 3


def border_regions(board: Board, _: list[str]) -> Answer:
    """Of the borders, I and IV are connected to other regions as well."""
    found = sorted(
        board.region[border]
        for border in board.borders
        if any(board.region[place] != board.region[border] for place in board.links[border])
    )
    links = sum(len(board.links[border]) for border in board.borders)
    return {"borders": len(found), "regions": [f"r{region}" for region in found], "links": links}, found == [1, 4]


def no_coast(board: Board, _: list[str]) -> Answer:
    """Britannia has no coast."""
    coastal = [border for border in board.borders if board.zones[border]]
    return {"zones": len(board.zones["britannia"]), "coastal-borders": len(coastal)}, not board.zones["britannia"]


def black_sea(board: Board, _: list[str]) -> Answer:
    """The Black Sea is part of the third zone: who lies on it lies on that."""
    shore = [place for place in ("moesia_inferior", "thracia", "bithynia") if 3 in board.zones[place]]
    return {"shore": shore}, len(shore) == 3


def uneven(board: Board, _: list[str]) -> Answer:
    """Uprisings are much deadlier in some provinces and regions than in others."""
    reach = {
        place: sum(other not in board.borders for other in board.links[place])
        for place in board.provinces
        if board.number[place]
    }
    of_region = {region: sum(reach[p] for p in reach if board.region[p] == region) for region in FACES}
    values: dict[str, object] = {"most": max(reach.values()), "fewest": min(reach.values())}
    values |= {f"region.{region}": Fraction(total, 6) for region, total in of_region.items()}
    return values, max(reach.values()) >= 2 * min(reach.values()) and len(set(of_region.values())) > 1


def shortcut(board: Board, _: list[str]) -> Answer:
    """Capitals are a shortcut towards distant revolts."""
    values: dict[str, object] = {}
    from_roma = distances(board, board.roma)
    for emperor in board.emperors:
        from_capital = distances(board, board.capital[emperor])
        saved = {place: from_roma[place] - from_capital[place] for place in from_roma if place in from_capital}
        values[f"{emperor}.nearer"] = sum(number > 0 for number in saved.values())
        values[f"{emperor}.most"] = max(saved.values())
    return values, all(int(str(number)) > 0 for number in values.values())


def distances(board: Board, *starts: str, links: bool = False) -> dict[str, int]:
    """The IP to every province without fleets and revolts, or the links, from the nearest of some provinces."""
    found = dict.fromkeys(starts, 0)
    for ip in range(len(board.provinces) * 2):
        for place in [place for place, cost in found.items() if cost == ip]:
            for other, is_broken in board.links[place].items():
                cost = 1 if links else 1 + is_broken
                found[other] = min(found.get(other, 10**6), ip + cost)
    return found


def centre(board: Board, _: list[str]) -> Answer:
    """Italia is the central region, the others lie around it: none has all provinces so near."""
    values: dict[str, int] = {}
    for region in sorted(set(board.region.values())):
        members = [p for p in board.provinces if board.region[p] == region and p not in board.borders]
        values[f"region.{region}"] = max(distances(board, *members, links=True).values())
    nearest = min(far for path, far in values.items() if path != "region.0")
    return values | {"nearest": nearest}, values["region.0"] < nearest


def headquarters(board: Board, _: list[str]) -> Answer:
    """Capitals are closer to the threats beyond the borders than Roma is."""
    near = distances(board, *board.borders)
    values: dict[str, object] = {emperor: near[board.capital[emperor]] for emperor in board.emperors}
    nearer = [emperor for emperor in board.emperors if near[board.capital[emperor]] < near[board.roma]]
    return values | {"roma": near[board.roma], "nearer": nearer}, len(nearer) == len(board.emperors)


# -- contents and set-up (pages 4 and 6) ---------------------------------------------------------------------------

LEVELS = list(product((5, 4, 3), (3, 2, 1), (0, 1, 2), (0, 1, 2)))


def figures(_: Board, __: list[str]) -> Answer:
    """14 figures."""
    parts = {"emperors": 4, "dux": 1, "vicarius": 1, "fleets": 3, "armies": MOST_ARMIES, "pirates": 1, "goths": 1}
    base = parts["emperors"] + parts["fleets"] + parts["armies"]
    most = max(level[1] for level in LEVELS)
    return parts | {"sum": sum(parts.values()), "base": base}, sum(parts.values()) == 14 and most == parts["fleets"]


def discs(_: Board, __: list[str]) -> Answer:
    """62 discs."""
    parts = {"garrisons": 4 * max(level[0] for level in LEVELS), "unrest": MOST_UNREST, "revolts": MOST_REVOLTS}
    return parts | {"sum": sum(parts.values())}, list(parts.values()) == [20, 21, 21] and sum(parts.values()) == 62


def enough_revolts(_: Board, __: list[str]) -> Answer:
    """The revolts of a set-up, out of 21."""
    set_up = len(FACES) + max(level[2] for level in LEVELS)
    return {"supply": MOST_REVOLTS, "set-up": set_up}, set_up <= MOST_REVOLTS


def levels(_: Board, __: list[str]) -> Answer:
    """81 levels."""
    return {"levels": len(set(LEVELS))}, len(set(LEVELS)) == 81


def easier(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether a level is nowhere harder than another one, and not the same."""
    return a != b and a[0] >= b[0] and a[1] >= b[1] and a[2] <= b[2] and a[3] <= b[3]


def place_of_level(level: tuple[int, ...], right: Callable[[int, int], bool], _: Board, __: list[str]) -> Answer:
    """How many levels are easier in all that differs, how many harder, and how many in some things this, in some that."""
    below = sum(easier(other, level) for other in LEVELS)
    above = sum(easier(level, other) for other in LEVELS)
    return {"easier": below, "harder": above, "neither": 80 - below - above}, right(below, above)


def beside_medium(level: tuple[int, ...], told: list[str], _: Board, __: list[str]) -> Answer:
    """How a level differs from 4211."""
    signs = (1, 1, -1, -1)
    medium = (4, 2, 1, 1)
    better = [(a - b) * sign for a, b, sign in zip(level, medium, signs, strict=True)]
    found = ["easier" if number > 0 else "harder" if number < 0 else "same" for number in better]
    return {"than-4211": found}, found == told


def first_revolts(board: Board, _: list[str]) -> Answer:
    """A revolt in each outer region, on any province but the first."""
    ways = [sum(number > 1 and board.region[p] == region for p, number in board.number.items()) for region in FACES]
    return {"ways": prod(ways), "provinces": sum(ways)}, ways == [5] * 6


def additional(board: Board, _: list[str]) -> Answer:
    """An additional revolt can fall on a first province too; where a revolt lies the dice are rolled again."""
    taken = {(region, 2) for region in FACES}  # the first revolts
    throws = [pair for pair in product(FACES, FACES) if pair not in taken]
    values = {"placed": len(throws), "again": 36 - len(throws), "firsts": sum(number == 1 for _, number in throws)}
    able = {(board.region[place], number) for place, number in board.number.items() if number}
    return values, able.issuperset(throws) and list(values.values()) == [30, 6, 6]


def capital_revolts(board: Board, _: list[str]) -> Answer:
    """Some capitals can be in revolt from the start."""
    able = [place for place in board.provinces if board.number[place] > 1 and place in board.capital.values()]
    quiet = prod(Fraction(5 - sum(board.region[p] == region for p in able), 5) for region in FACES)
    return {"capitals": able, "chance": 1 - quiet}, 0 < len(able) < 4


def turn_order(board: Board, _: list[str]) -> Answer:
    """Four turns make a round."""
    return {"order": list(board.emperors), "turns": len(board.emperors)}, board.emperors == list(CAPITALS)


STATEMENTS: dict[str, tuple[int, Statement]] = {
    "book-components/figures": (4, figures),
    "book-components/discs": (4, discs),
    "book-components/revolts": (4, enough_revolts),
    "book-board/provinces": (5, provinces),
    "book-board/coordinates": (5, coordinates),
    "book-board/capitals": (5, capitals),
    "book-board/centre": (5, centre),
    "book-board/borders": (5, borders),
    "book-board/zones": (5, zones),
    "book-board/border-regions": (11, border_regions),
    "book-board/britannia": (11, no_coast),
    "book-board/black-sea": (11, black_sea),
    "book-geography/headquarters": (5, headquarters),
    "book-geography/uprisings": (11, uneven),
    "book-geography/capitals": (11, shortcut),
    "book-levels/count": (6, levels),
    "book-levels/medium": (6, partial(place_of_level, (4, 2, 1, 1), lambda below, above: below == above)),
    "book-levels/easiest": (6, partial(place_of_level, (5, 3, 0, 0), lambda _, above: above == 80)),
    "book-levels/easier": (6, partial(beside_medium, (4, 2, 0, 0), ["same", "same", "easier", "easier"])),
    "book-levels/example": (6, partial(beside_medium, (5, 1, 1, 1), ["easier", "harder", "same", "same"])),
    "book-set-up/first-revolts": (6, first_revolts),
    "book-set-up/additional": (6, additional),
    "book-set-up/capitals": (6, capital_revolts),
    "book-round/order": (7, turn_order),
}
