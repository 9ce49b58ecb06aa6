"""Shortest ways of one Emperor over free ground, by potentials.

A certificate gives for a target, and for a setting of the fleets, a number for each province: the potential. Two things are
looked at for every province and every setting that sailing leads to. No move and no sail costs less than the drop of the
potential along it: so no way to the target costs less than the potential at its start. And one of them costs just the
drop: who follows these comes to the target, since every step costs something, and has paid the potential.

Where there is no way the potential is missing, and no move may lead from there to a province that has one.

The clock of turns counts the turns that a way takes. It is read backwards: the last action is the last of its turn, and an
action that no longer finds room within 6 IP belongs to the turn before. The least number of turns is the same
in both directions, and an earlier time on this clock is never worse than a later one.
"""

from collections.abc import Callable, Iterable
from functools import cache
from itertools import combinations

from board import Board
from claimed import Fact
from maps import row
from rules import IP_A_TURN
from text import Lines

SECURE_BORDER = 2

Fleets = frozenset[int]
Potential = list[int | None]  # one number a province, in the order of the board
Found = dict[str, dict[str, Potential]]  # by target and setting
Numbers = dict[str, int | None]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact, from potentials that fit everywhere."""
    if fact.kind not in RULES:
        raise lines.refuted(f"distances alone give no facts of the kind {fact.kind}")
    clock, targets, values = RULES[fact.kind]
    if fact.fields["clock"] != clock:
        raise lines.refuted(f"facts of the kind {fact.kind} go by the clock of {clock}")
    goals = targets(board, fact.instance)
    if not goals:
        raise lines.refuted(f"there is no fact {fact.id}")
    return values(Roads(board, read_potentials(lines, board, goals, clock)), fact.instance)


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
    """Where the fleets lie, and whether they may sail: first without, then, where there is room to sail, with it."""
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


# -- potentials ------------------------------------------------------------------------------------------------


def read_potentials(lines: Lines, board: Board, goals: list[str], clock: str) -> Found:
    """The section of potentials: for each target all settings in their order. Each is looked at."""
    expected = [(goal, setting) for goal in goals for setting in settings(board)]
    found: Found = {goal: {} for goal in goals}
    line_of: dict[tuple[str, str], int] = {}
    for line in lines.section("potentials"):
        words = line.split(" ")
        if not expected or tuple(words[:2]) != expected[0] or len(words) != 2 + len(board.provinces):
            after = " ".join(expected[0]) if expected else "nothing"
            raise lines.unreadable(f"expected {after} and a number for each province")
        goal, setting = expected.pop(0)
        found[goal][setting] = read_numbers(lines, words[2:])
        line_of[goal, setting] = lines.number
    if expected:
        raise lines.unreadable(f"expected more potentials: {' '.join(expected[0])}")
    last = lines.number
    for (goal, setting), number in line_of.items():
        lines.number = number
        look_at(lines, board, goal, setting, found[goal], clock)
    lines.number = last
    return found


def read_numbers(lines: Lines, words: list[str]) -> Potential:
    """Numbers, or - where there is no way."""
    return [None if word == "-" else lines.whole(word) for word in words]


def look_at(lines: Lines, board: Board, goal: str, setting: str, by_setting: dict[str, Potential], clock: str) -> None:
    """Make sure that a potential fits at each province: nothing is cheaper, and one step costs just the drop."""
    fleets, sails = settings(board)[setting]
    potential = by_setting[setting]
    start, after = CLOCKS[clock]
    for place, own in zip(board.provinces, potential, strict=True):
        if place == goal:
            if own != start:
                raise lines.refuted(f"the potential at {goal} itself is {start}")
            continue
        options = [(potential[board.row[other]], cost) for other, cost in ways(board, place, fleets).items()]
        if sails:
            options += [(by_setting["sail" + word_of(there)][board.row[place]], 1) for there in voyages(board, fleets)]
        best = min((after(other, cost) for other, cost in options if other is not None), default=None)
        if best != own:
            raise lines.refuted(f"by what stands elsewhere the potential at {place} is {'-' if best is None else best}")


def ip_after(other: int, cost: int) -> int:
    """The clock of IP."""
    return other + cost


def turn_after(other: int, cost: int) -> int:
    """The clock of turns: the action goes into the same turn as those after it if there is room, else into one before."""
    begun = -(-other // IP_A_TURN) * IP_A_TURN
    return other + cost if other + cost <= begun else begun + cost


def turns(time: int | None) -> int | None:
    """How many turns have begun on the clock of turns."""
    return None if time is None else -(-time // IP_A_TURN)


# What the clock shows at the target, and one step before it
CLOCKS: dict[str, tuple[int, Callable[[int, int], int]]] = {"ip": (0, ip_after), "turns": (SECURE_BORDER, turn_after)}


# -- what follows ----------------------------------------------------------------------------------------------


class Roads:
    """Distances that have been proved."""

    def __init__(self, board: Board, found: Found) -> None:
        self.board, self.found = board, found
        self.settings = settings(board)
        self.borders = [target for target in found if target in board.borders]

    def at(self, target: str, setting: str, place: str) -> int | None:
        """The distance from a province."""
        return self.found[target][setting][self.board.row[place]]


def number(found: int | None) -> str:
    """A distance as text."""
    return "never" if found is None else str(found)


def reach(roads: Roads, border: str) -> dict[str, str]:
    """IP from each province."""
    return {
        f"{setting}.{place}": number(roads.at(border, setting, place))
        for setting in roads.settings
        for place in roads.board.provinces
    }


def secure(roads: Roads, start: str) -> dict[str, str]:
    """IP from one province to secure each border, and which are the nearest."""
    values = {}
    for setting in roads.settings:
        ip = {border: roads.at(border, setting, start) for border in roads.borders}
        for border, cost in ip.items():
            values[f"{setting}.{border}"] = number(None if cost is None else cost + SECURE_BORDER)
        reached = [cost for cost in ip.values() if cost is not None]
        near = {border for border, cost in ip.items() if reached and cost == min(reached)}
        values[f"{setting}.nearest"] = row(place for place in roads.board.provinces if place in near)
    return values


def farthest(roads: Roads, _: str) -> dict[str, str]:
    """The provinces from which the way to the nearest of the targets is longest."""
    values = {}
    for setting in roads.settings:
        near: Numbers = {}
        for place in roads.board.provinces:
            ips = [ip for target in roads.found if (ip := roads.at(target, setting, place)) is not None]
            near[place] = min(ips, default=None)
        numbers = [ip for ip in near.values() if ip is not None]
        most = max(numbers) if len(numbers) == len(near) else None
        values[f"{setting}.ip"] = number(most)
        values[f"{setting}.provinces"] = row(place for place, ip in near.items() if ip == most)
    return values


def turn_range(roads: Roads, _: str) -> dict[str, str]:
    """To how many other provinces 6 IP lead."""
    values = {}
    for setting in roads.settings:
        counts = {}
        for place in roads.board.provinces:
            ips = [roads.at(target, setting, place) for target in roads.found if target != place]
            counts[place] = sum(ip is not None and ip <= IP_A_TURN for ip in ips)
            values[f"{setting}.{place}"] = str(counts[place])
        for word, who, wanted in (("max", "most", max(counts.values())), ("min", "fewest", min(counts.values()))):
            values[f"{setting}.{word}"] = str(wanted)
            values[f"{setting}.{who}"] = row(place for place in counts if counts[place] == wanted)
    return values


def all_turns(roads: Roads, border: str) -> dict[str, str]:
    """Turns from each province."""
    return {
        f"{setting}.{place}": number(turns(roads.at(border, setting, place)))
        for setting in roads.settings
        for place in roads.board.provinces
    }


def one_turn(roads: Roads, border: str) -> dict[str, str]:
    """The provinces from which one turn is enough."""
    values = {}
    for setting in roads.settings:
        near = [place for place in roads.board.provinces if turns(roads.at(border, setting, place)) == 1]
        values[f"{setting}.provinces"] = row(near)
        values[f"{setting}.count"] = str(len(near))
    return values


def apart(roads: Roads, _: str) -> dict[str, str]:
    """The least IP between two borders, and how many of them a turn can secure: three are 6 IP without a way."""
    values = {}
    for setting in roads.settings:
        ips = {f"{a}:{b}": ip for a, b in combinations(roads.borders, 2) if (ip := roads.at(a, setting, b)) is not None}
        least = min(ips.values(), default=None)
        values[f"{setting}.ip"] = number(least)
        values[f"{setting}.pairs"] = row(pair for pair, ip in ips.items() if ip == least)
        values[f"{setting}.one-turn"] = "2" if least is not None and 2 * SECURE_BORDER + least <= IP_A_TURN else "1"
    return values


def saved(roads: Roads, border: str, dear: str, cheap: str) -> int:
    """IP saved in one setting against another, over all provinces with a way in both."""
    total = 0
    for a, b in zip(roads.found[border][dear], roads.found[border][cheap], strict=True):
        if a is not None and b is not None:
            total += a - b
    return total


def sums(roads: Roads, pairs: dict[str, tuple[str, str]]) -> dict[str, str]:
    """What is saved in each pair of settings, border by border and in all."""
    values = {}
    for word, (dear, cheap) in pairs.items():
        total = 0
        for border in roads.borders:
            ip = saved(roads, border, dear, cheap)
            values[f"{word}.{border}"] = str(ip)
            total += ip
        values[f"{word}.sum"] = str(total)
    return values


def fleet(roads: Roads, zone: str) -> dict[str, str]:
    """What one more fleet saves."""
    without = [fleets for fleets in fleet_sets(roads.board) if int(zone) not in fleets]
    return sums(roads, {word_of(fleets): (word_of(fleets), word_of({*fleets, int(zone)})) for fleets in without})


def sailing(roads: Roads, word: str) -> dict[str, str]:
    """What sailing saves."""
    return sums(roads, {"sail": (word, "sail" + word)})


def entry(roads: Roads, emperor: str) -> dict[str, str]:
    """What an entry at his capital saves an Emperor who may enter in Roma too."""
    values = {}
    for setting in roads.settings:
        total = 0
        for border in roads.borders:
            roma = roads.at(border, setting, roads.board.roma)
            own = roads.at(border, setting, roads.board.capital[emperor])
            gain = 0 if roma is None or own is None else max(0, roma - own)
            values[f"{setting}.{border}"] = str(gain)
            total += gain
        values[f"{setting}.sum"] = str(total)
    return values


# -- all of them -----------------------------------------------------------------------------------------------


def borders(board: Board) -> list[str]:
    """The borders in the order of their regions."""
    return sorted(board.borders, key=lambda border: board.region[border])


def one_border(board: Board, instance: str) -> list[str]:
    """The instance is a border."""
    return [instance] if instance in board.borders else []


def all_borders(names: Callable[[Board], Iterable[str]]) -> Callable[[Board, str], list[str]]:
    """The instance is one of these, and the targets are the borders."""
    return lambda board, instance: borders(board) if instance in set(names(board)) else []


def far_targets(board: Board, instance: str) -> list[str]:
    """All borders, or Roma."""
    return borders(board) if instance == "borders" else [board.roma] if instance == board.roma else []


# For each kind of fact its clock, the targets of an instance (none: there is no such instance), and its values
RULES: dict[str, tuple[str, Callable[[Board, str], list[str]], Callable[[Roads, str], dict[str, str]]]] = {
    "route-reach": ("ip", one_border, reach),
    "route-secure": ("ip", all_borders(lambda board: [board.roma, *board.capital.values()]), secure),
    "route-farthest": ("ip", far_targets, farthest),
    "route-range": ("ip", lambda board, instance: [] if instance else board.provinces, turn_range),
    "route-turns": ("turns", one_border, all_turns),
    "route-one-turn": ("turns", one_border, one_turn),
    "route-borders": ("ip", lambda board, instance: [] if instance else borders(board), apart),
    "route-fleet": ("ip", all_borders(lambda board: map(str, board.all_zones)), fleet),
    "route-sailing": (
        "ip",
        all_borders(lambda board: [word_of(fleets) for fleets in fleet_sets(board) if voyages(board, fleets)]),
        sailing,
    ),
    "route-entry": ("ip", all_borders(lambda board: board.emperors), entry),
}
