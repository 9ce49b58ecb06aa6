"""Shortest ways of one Emperor where nobody stands and nothing lies in the way: counted from the target back.

A setting says where the fleets lie, and whether they may sail. By the clock of IP a way costs the sum of its actions. By the
clock of turns an action lies within one turn of 6 IP, and what is left of a turn is lost; this clock is read
backwards, from the garrison that is placed at the target: an action for which the turn has no IP left belongs to the
turn before. The least number of turns is the same in both directions, and an earlier time is never worse than a later one,
so on both clocks the earliest time of a state follows from the earliest times of those that one action leads to.
"""

from collections.abc import Callable, Iterable
from functools import cache, partial
from itertools import combinations

from board import Board
from maps import extreme, row
from rules import IP_A_TURN

SECURE_BORDER = 2
MOST_REVOLTS = 3  # that are put where they hinder most

Fleets = frozenset[int]
State = tuple[str, Fleets]
Values = dict[str, str]


# -- settings --------------------------------------------------------------------------------------------------


def word_of(fleets: Iterable[int]) -> str:
    """A set of fleets as a word."""
    return "".join(map(str, sorted(fleets))) or "none"


@cache
def fleet_sets(board: Board) -> list[Fleets]:
    """All sets of zones, the smaller ones first."""
    zones = list(board.all_zones)
    return [frozenset(chosen) for size in range(len(zones) + 1) for chosen in combinations(zones, size)]


@cache
def voyages(board: Board, fleets: Fleets) -> list[Fleets]:
    """The sets to which one sail leads."""
    return [
        fleets - {origin} | {zone}
        for origin in sorted(fleets)
        for zone in board.all_zones
        if zone not in fleets and sorted((origin, zone)) in board.adjacent
    ]


@cache
def settings(board: Board) -> dict[str, tuple[Fleets, bool]]:
    """Where the fleets lie, and whether they may sail: first without, then, where there are IP to sail, with it."""
    still = {word_of(fleets): (fleets, False) for fleets in fleet_sets(board)}
    return still | {"sail" + word_of(fleets): (fleets, True) for fleets in fleet_sets(board) if voyages(board, fleets)}


@cache
def ways(board: Board, place: str, fleets: Fleets) -> dict[str, int]:
    """What one move costs to each province to which one leads."""
    cost = {other: 2 if broken else 1 for other, broken in board.links[place].items()}
    for other in board.provinces:
        if other != place and fleets & board.zones[place] & board.zones[other]:
            cost[other] = 1
    return cost


# -- shortest ways ---------------------------------------------------------------------------------------------


def ip_after(other: int, cost: int) -> int:
    """The clock of IP."""
    return other + cost


def turn_after(other: int, cost: int) -> int:
    """The clock of turns: the action goes into the same turn as those after it if the IP suffice, else into one before."""
    begun = -(-other // IP_A_TURN) * IP_A_TURN
    return other + cost if other + cost <= begun else begun + cost


# What the clock shows at the target, and one step before it
CLOCKS: dict[str, tuple[int, Callable[[int, int], int]]] = {"ip": (0, ip_after), "turns": (SECURE_BORDER, turn_after)}


@cache
def times(board: Board, goal: str, setting: str, clock: str = "ip") -> dict[str, int]:
    """What the clock shows at each province from which there is a way to the goal."""
    fleets, sails = settings(board)[setting]
    found = everywhere(board, goal, len(fleets) if sails else fleets, clock)
    return {place: time for (place, there), time in found.items() if there == fleets}


@cache
def everywhere(board: Board, goal: str, start: Fleets | int, clock: str) -> dict[State, int]:
    """The earliest time of each state: with these fleets, which stay, or with so many, which may sail.

    Links and voyages lead both ways at one price, so steps back are steps.
    """
    begin, after = CLOCKS[clock]
    ends = [start] if isinstance(start, frozenset) else [some for some in fleet_sets(board) if len(some) == start]
    found: dict[State, int] = {}
    waiting: dict[int, list[State]] = {begin: [(goal, fleets) for fleets in ends]}
    while waiting:
        now = min(waiting)
        for place, fleets in waiting.pop(now):
            if (place, fleets) in found:
                continue
            found[place, fleets] = now
            steps = [((other, fleets), cost) for other, cost in ways(board, place, fleets).items()]
            if not isinstance(start, frozenset):
                steps += [((place, there), 1) for there in voyages(board, fleets)]
            for state, cost in steps:
                if state not in found:
                    waiting.setdefault(after(now, cost), []).append(state)
    return found


def turns(time: int) -> int:
    """How many turns have begun on the clock of turns."""
    return -(-time // IP_A_TURN)


# -- facts -----------------------------------------------------------------------------------------------------


def number(found: int | None, more: int = 0) -> str:
    """A distance, and what is paid at its end, as text."""
    return "never" if found is None else str(found + more)


def borders(board: Board) -> list[str]:
    """The borders in the order of their regions."""
    return sorted(board.borders, key=lambda border: board.region[border])


def to_border(board: Board, border: str) -> Values:
    """IP to the border from each province, turns to secure it, and from where one turn is enough."""
    values = {}
    for setting in settings(board):
        ip, clock = times(board, border, setting), times(board, border, setting, "turns")
        near = [place for place in board.provinces if place in clock and turns(clock[place]) == 1]
        for place in board.provinces:
            values[f"ip.{setting}.{place}"] = number(ip.get(place))
            values[f"turns.{setting}.{place}"] = number(turns(clock[place]) if place in clock else None)
        values |= {f"near.{setting}": row(near), f"count.{setting}": str(len(near))}
    return values


def entering(board: Board, start: str) -> Values:
    """IP from one province to secure each border, and which are the nearest."""
    values: Values = {}
    for setting in settings(board):
        ip = {border: times(board, border, setting).get(start) for border in borders(board)}
        values |= {f"{setting}.{border}": number(cost, SECURE_BORDER) for border, cost in ip.items()}
        least = min((cost for cost in ip.values() if cost is not None), default=None)
        near = [place for place in board.provinces if least is not None and ip.get(place) == least]
        values[f"{setting}.nearest"] = row(near)
    return values


def farthest(board: Board, goals: list[str]) -> Values:
    """The provinces from which the way to the nearest of some goals is longest."""
    values = {}
    for setting in settings(board):
        near = {}
        for place in board.provinces:
            ips = [times(board, goal, setting).get(place) for goal in goals]
            near[place] = min((ip for ip in ips if ip is not None), default=None)
        some = [ip for ip in near.values() if ip is not None]
        most = max(some) if len(some) == len(near) else None
        values[f"{setting}.ip"] = number(most)
        values[f"{setting}.provinces"] = row(place for place, ip in near.items() if ip == most)
    return values


def turn_range(board: Board) -> Values:
    """To how many other provinces 6 IP lead."""
    values: Values = {}
    for setting in settings(board):
        counts = dict.fromkeys(board.provinces, -1)  # without the province itself
        for goal in board.provinces:
            for place, ip in times(board, goal, setting).items():
                counts[place] += ip <= IP_A_TURN
        values |= {f"{setting}.{place}": str(count) for place, count in counts.items()}
        values |= extreme(max, counts, f"{setting}.max", f"{setting}.most")
        values |= extreme(min, counts, f"{setting}.min", f"{setting}.fewest")
    return values


def apart(board: Board) -> Values:
    """The least IP between two borders, and how many of them a turn can secure: three are 6 IP without a way."""
    values = {}
    for setting in settings(board):
        pairs = combinations(borders(board), 2)
        ips = {f"{a}:{b}": times(board, a, setting)[b] for a, b in pairs if b in times(board, a, setting)}
        least = min(ips.values(), default=None)
        values[f"{setting}.ip"] = number(least)
        values[f"{setting}.pairs"] = row(pair for pair, ip in ips.items() if ip == least)
        values[f"{setting}.one-turn"] = "2" if least is not None and 2 * SECURE_BORDER + least <= IP_A_TURN else "1"
    return values


# -- with revolts in the way -----------------------------------------------------------------------------------


def cheapest(
    board: Board, start: str, border: str, fleets: Fleets, revolts: frozenset[str]
) -> tuple[int, frozenset[str]] | None:
    """The IP of a cheapest way where each province in revolt costs 1 IP more, and the provinces that it enters."""
    paid, before = {start: 0}, dict[str, str]()
    waiting = {0: [start]}
    while waiting:
        now = min(waiting)
        for place in waiting.pop(now):
            for other, cost in ways(board, place, fleets).items() if paid[place] == now else ():
                ip = now + cost + (other in revolts)
                if ip < paid.get(other, ip + 1):
                    paid[other], before[other] = ip, place
                    waiting.setdefault(ip, []).append(other)
    if border not in paid:
        return None
    way = [border]
    while before[way[-1]] != start:
        way.append(before[way[-1]])
    return paid[border], frozenset(way)


def dearest(board: Board, start: str, border: str, fleets: Fleets) -> list[int | None]:
    """The most IP that 1, 2, and so on revolts can make the cheapest way cost.

    Every placement is considered: one of which no revolt lies on a cheapest way leaves it as cheap, any other has a revolt in
    one of its provinces, and all of these are tried.
    """
    found: list[int | None] = []
    placements = {frozenset[str]()}
    most = None
    for _ in range(MOST_REVOLTS + 1):
        further = set()
        for revolts in placements:
            way = cheapest(board, start, border, fleets, revolts)
            if way is not None:
                most = max(most or 0, way[0])
                further |= {revolts | {place} for place in way[1] - revolts - board.borders}
        placements = further
        found.append(most)
    return found[1:]


def blocked(board: Board, start: str) -> Values:
    """What revolts can do to the ways from a province, without a fleet and with one in every zone."""
    values = {}
    for fleets in (fleet_sets(board)[0], fleet_sets(board)[-1]):
        for border in borders(board):
            for revolts, ip in enumerate(dearest(board, start, border, fleets), start=1):
                values[f"{revolts}.{word_of(fleets)}.{border}"] = number(ip)
    return values


def routes(board: Board) -> dict[str, Callable[[], Values]]:
    """The instances of `route`, each with the function that counts its values."""
    starts = dict.fromkeys((board.roma, *board.capital.values()))
    return {
        **{f"to-{border}": partial(to_border, board, border) for border in borders(board)},
        **{f"secure-from-{start}": partial(entering, board, start) for start in starts},
        **{f"blocked/{start}": partial(blocked, board, start) for start in starts},
        "farthest-from-borders": lambda: farthest(board, borders(board)),
        "farthest-from-roma": lambda: farthest(board, [board.roma]),
        "one-turn": lambda: turn_range(board),
        "two-borders": lambda: apart(board),
    }


COUNTS = {"route": routes}
