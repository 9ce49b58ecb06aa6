"""The words of statements about modules, variants and scenarios: what each of them changes in the rules, written down here."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple

import words
from barbarian import Phase
from board import Board
from claim import MOST_REVOLTS
from extendedphase import (
    BLACK,
    GRAY,
    Rising,
    arrives,
    barbarians,
    beaten,
    crossings,
    march,
    marched,
    named,
    passes,
    piece,
    results,
    rising,
)
from extendedturn import after, battle, by_sea, deeds, glory, legal, of_each, prices, ways
from phasesteps import FACES, Clash
from rules import MOST_UNREST, USUAL, odds
from words import Moment, Setting

MODULES = ("dux", "vicarius", "pirates", "goths")
VARIANTS = ("imperium", "mare-nostrum", "via-romana", "usurpator", "roma-aeterna", "barbaria")
MEDITERRANEAN = (2, 3)  # zones of the Pirates
FIXED = 3  # the province of a revolt in the fixed set-up of a scenario
CONSTANTIUS = 2  # in the order of the turns


def playable(level: Sequence[int], modules: Iterable[str], variants: Iterable[str] = ()) -> bool:
    """Whether there is such a game: all sets of modules and variants, but Pirates only with fewer than three fleets."""
    assert set(modules) <= set(MODULES) and set(variants) <= set(VARIANTS)
    return "pirates" not in modules or level[1] < 3


def choices(now: Setting) -> int:
    """In how many ways the players can place the fleets: none lies in the Pirates' zone."""
    return len(list(combinations(set(now.turn.board.all_zones) - {now.pieces.get("pirates")}, int(now.level[1]))))


# -- Imperium and Roma Aeterna -------------------------------------------------------------------------------------


def removed(now: Moment, emperor: str) -> int:
    """The discs that an Emperor has paid."""
    return int(now.pieces["removed"][emperor])


def block(now: Moment, army: str) -> Moment | None:
    """The position after Constantius has stopped an army that reaches him, as long as he has one of five discs."""
    step, name = march(now, army).step, now.phase.board.emperors[CONSTANTIUS]
    target = now.phase.board.arrow[army]
    if not isinstance(step, Clash) or now.scene().places[CONSTANTIUS] != target or removed(now, name) >= 5:
        return None
    return now._replace(pieces={**now.pieces, "removed": {**now.pieces["removed"], name: removed(now, name) + 1}})


def power_uses(board: Board, garrisons: int) -> int:
    """How often an Emperor can use his power in a game, one disc of his reserve each time."""
    now = words.position(board, use=("imperium",), level=f"{garrisons}200", emperor="maximian", at=board.roma)
    while "imperium reserve" in prices(now):
        used = after(now, "imperium reserve")
        now = used._replace(pieces={**used.pieces, "power": False})
    return int(now.pieces["paid"])


def boost(now: Setting, army: str, paid: int) -> int | None:
    """Of 36 throws those that Galerius wins with so many discs, each as good as one more in his group."""
    g, e, r, a = battle(now, army)
    return odds(g + paid, e, r, a)[0] if paid <= now.turn.supply else None


def great(now: Setting) -> str | None:
    """Who has two borders more than each other, without any glory."""
    borders = now.turn.board.borders
    shares = {
        name: len(own & borders) for name, own in zip(now.turn.board.emperors, now.state.table.garrisons, strict=True)
    }
    second, first = sorted(shares.values())[-2:]
    return max(shares, key=lambda name: shares[name]) if first >= second + 2 else None


# -- Usurpator and Barbaria ----------------------------------------------------------------------------------------


def way(board: Board, army: str) -> tuple[str | None, int]:
    """Where an army goes next, and its links to Roma: by arrows, or where none leads on by the shortest way in the Empire."""
    if army in board.arrow:
        steps, place = 0, army
        while place in board.arrow and steps < len(board.provinces):
            place, steps = board.arrow[place], steps + 1
        return board.arrow[army], steps if place == board.roma else len(board.provinces)
    roman = [place for place in board.provinces if place not in board.borders]
    links = words.distances(board, [board.roma], links=True, within=roman)
    nearer = [near for near in board.links[army] if near in roman and links.get(near) == links.get(army, 0) - 1]
    order = {near: (board.region[near], board.number[near], board.row[near]) for near in nearer}
    return min(nearer, default=None, key=lambda near: order[near]), links.get(army, len(board.provinces))


def player(board: Board, gray: int = GRAY, black: int = 0, **changes: Any) -> Moment:
    """A position when the Barbarians come, with these discs of their player."""
    return barbarians(words.position(board, use=("barbaria",), gray=gray, black=black, **changes))


def refilled(board: Board, emperor: str) -> int:
    """His gray discs when an Emperor's turn begins, who had none left: four in the first one's, from the reserve."""
    return min(GRAY, MOST_UNREST) if emperor == board.emperors[0] else 0


def rerolled(board: Board, gray: int, revolts: Iterable[str]) -> Fraction:
    """The chance of an uprising where he rolls again, once if he has a disc, when the dice name no revolt."""
    at = Phase(board, USUAL).at
    miss = Fraction(sum(place not in set(revolts) for place in at.values()), len(at))
    return 1 - miss ** (1 + min(gray, 1))


def turns(board: Board, army: str) -> list[str]:
    """Where he can turn an army: once it is inside the Empire, to any Roman province linked to its own."""
    if army in board.borders:
        return []
    usual = way(board, army)[0]
    return [there for there in board.links[army] if there not in board.borders and there != usual]


def cancelled(board: Board, army: str) -> tuple[bool, int]:
    """Whether an army stays where he cancels its advance, and how many discs that takes."""
    return (True, 1) if way(board, army)[0] is not None else (False, 0)


def turned(board: Board, army: str, there: str) -> list[str]:
    """Where an army is after each face of the check of a broken link over which he turns it: there, or it stays."""
    return [there if passes(face) else army for face in FACES] if board.links[army][there] else []


def black_disc(board: Board, **changes: Any) -> tuple[list[str], list[str], int]:
    """Where the black disc can go: empty Roman provinces but capitals; where an army can come instead; what is left."""
    scene = player(board, 0, BLACK, **changes).scene()
    closed = {*board.capital.values(), board.roma, *board.borders}  # Roma is a capital, by the usual reading
    places = [place for place in board.provinces if place not in closed and scene.empty(place)]
    borders = [border for border in board.borders if scene.empty(border)] if not scene.table.armies else []
    return places, borders, BLACK - 1


def reserve(now: Setting, kind: str) -> int:
    """The unrest or revolts left: glory and the gray discs are unrest, the black disc is a revolt."""
    own = now.pieces.get("gray", GRAY) if "barbaria" in now.use else 0
    if kind == "unrest":
        return MOST_UNREST - len(now.state.table.unrest) - own - sum(glory(now).values())
    return MOST_REVOLTS - len(now.state.table.revolts) - (BLACK if "barbaria" in now.use else 0)


# -- scenarios -----------------------------------------------------------------------------------------------------


class War(NamedTuple):
    """A historical scenario: the general revolt by regions and numbers, borders of rebels with the zone of the fleet."""

    level: str
    general: tuple[tuple[int, int], ...]
    rebels: dict[str, int]
    armies: tuple[str, ...]  # others than rebels
    emperors: dict[str, str]
    first: str
    pirates: int | None = None


WARS = {
    "carausian": War(
        "4221",
        ((2, 1), (2, 2), (2, 4)),
        {"britannia": 1},
        (),
        {"constantius": "germania_superior"},
        "constantius",
        1,
    ),
    "danubian": War(
        "4222",
        ((3, 3), (3, 4), (4, 1), (4, 2)),
        {},
        ("sarmatia", "germania_magna"),
        {"diocletian": "thracia", "galerius": "pannonia_superior"},
        "diocletian",
    ),
    "mauretanian": War(
        "4221", ((1, 1), (1, 2), (6, 4), (6, 5)), {"gaetulia": 1}, (), {"maximian": "carthagenensis"}, "maximian"
    ),
    "persian": War(
        "4222",
        ((6, 1), (6, 2), (5, 1), (5, 2)),
        {"persia": 3, "libya": 3},
        (),
        {"diocletian": "bithynia", "galerius": "cappadocia"},
        "diocletian",
        3,
    ),
}


def wars(board: Board) -> dict[str, dict[str, Any]]:
    """What each scenario begins with."""
    at = {(board.region[place], number): place for place, number in board.number.items() if number}
    found = {}
    for name, war in WARS.items():
        levels, revolts = tuple(map(int, war.level)), [at[pair] for pair in war.general]
        found[name] = war._asdict() | {"level": levels, "revolts": revolts, "emperors": list(war.emperors.values())}
    return found


def begun(board: Board, name: str, *, at: str | None = None, **changes: Any) -> Setting:
    """A scenario with its fixed set-up, the fleets in the first zones that are open; with nobody but who is `at` a place."""
    war, begins = WARS[name], wars(board)[name]
    provinces = {(board.region[place], number): place for place, number in board.number.items() if number}
    regions = {region for region, _ in war.general}
    revolts = [
        *begins["revolts"],
        *war.rebels,
        *(provinces[region, FIXED] for region in FACES if region not in regions),
    ]
    open_zones = [zone for zone in board.all_zones if zone != war.pirates]
    lies = {"fleets": open_zones[: int(war.level[1])], "armies": [*war.rebels, *war.armies], **changes}
    places = {war.first: at} if at is not None else war.emperors
    here = places.get(war.first)
    return words.position(
        board, level=war.level, emperor=war.first, at=here, others=places, revolts=revolts, rebels=war.rebels, **lies
    )


# -- all words -----------------------------------------------------------------------------------------------------


def words_of(board: Board) -> dict[str, Any]:
    """All words of statements."""
    plain = (playable, choices, deeds, prices, legal, after, battle, by_sea, ways, barbarians, piece, named, rising)
    more = (results, arrives, march, marched, passes, crossings, beaten, removed, block, boost, glory, great)
    boarded = (power_uses, of_each, way, player, refilled, rerolled, turns, cancelled, turned, black_disc, begun)
    return (
        words.words_of(board)
        | {word.__name__: word for word in (*plain, *more)}
        | {word.__name__: partial(word, board) for word in boarded}
        | {
            "modules": MODULES,
            "variants": VARIANTS,
            "wars": wars(board),
            "fixed_province": FIXED,
            "pirate_zone": lambda face: face if face in MEDITERRANEAN else None,
            "verb": lambda action: action.split(" ")[0],
            "goal": lambda action: action.split(" ", 1)[1],
            "kind": lambda now: "rising" if isinstance(now.step, Rising) else words.kind(now),
            "gray": lambda now: GRAY if "barbaria" in now.use else 0,
            "black": lambda now: BLACK if "barbaria" in now.use else 0,
            "unrest_left": lambda now: reserve(now, "unrest"),
            "revolts_left": lambda now: reserve(now, "revolts"),
        }
    )
