"""The Roman phase of Tetrarchia, written from the exact statement of the rules and from no other program.

A *table* is what lies on the board, a *state* is a table with the place of the active Emperor and the IP he has left. The
other Emperors do not move during his turn. Provinces are their ids, sets of them are frozensets.
"""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from board import Board

IP_A_TURN = 6
MOST_UNREST = 21

# The open sentences of the rules that touch a Roman phase, each with its readings, the usual one first.
READINGS: dict[str, tuple[str, ...]] = dict.fromkeys(
    ("I-SECURE-OWN", "I-SECURE-OTHERS", "I-SECURE-ROMA"), ("allowed", "forbidden")
)
READINGS |= {"I-ENTRY": ("must", "may"), "I-ENTRY-SHARED": ("share", "free-only"), "I-PASS": ("chain", "single")}
READINGS |= {"I-RESERVE": ("illegal", "falls"), "I-REVOLT-GROUP": ("largest-linked", "under-army")}
READINGS |= {"I-BATTLE-BROKEN": ("linked", "not-linked"), "I-BORDER-DEFEAT": ("stays", "removed")}
READINGS |= {"I-ENTRY-ROMA": ("open", "no-revolt", "no-disc"), "I-ROMA-COVERED": ("covered", "counts")}
# Those that touch the set-up or the Barbarian phase: no turn depends on them
LATER = {"I-SETUP-REROLL": ("both", "province"), "I-SETUP-CAPITAL": ("open", "occupied")}
LATER |= {"I-CHECK": ("each-link", "one-roll"), "I-FRESH": ("advance", "wait"), "I-ORDER": ("number", "file")}
LATER |= {"I-ORDER-DISTANCE": ("path", "links"), "I-ORDER-WITHIN-ITALIA": ("file", "reversed")}
LATER |= {"I-ORDER-ITALIA": ("first", "last"), "I-ORDER-BORDER": ("region", "last")}
LATER |= {"I-ORDER-TIE": ("order", "reversed")}
USUAL = {name: values[0] for name, values in (READINGS | LATER).items()}

NOWHERE = frozenset[str]()
ON, WON, BEATEN, FALLEN = "on", "won", "beaten", "fallen"  # does the turn continue, or how has it ended?


class Table(NamedTuple):
    """Zones with a Roman fleet, and provinces with an army, a revolt, an unrest, a garrison of each Emperor."""

    fleets: frozenset[int]
    armies: frozenset[str]
    revolts: frozenset[str]
    unrest: frozenset[str]
    garrisons: tuple[frozenset[str], ...]

    def discs(self) -> frozenset[str]:
        """Where any disc lies (a printed disc is none)."""
        return self.revolts.union(self.unrest, *self.garrisons)

    def secured(self) -> frozenset[str]:
        """Where a garrison of any Emperor lies."""
        return frozenset().union(*self.garrisons)

    def without_disc(self, place: str) -> "Table":
        """The table with no disc in this province."""
        gone = {place}
        return self._replace(
            revolts=self.revolts - gone,
            unrest=self.unrest - gone,
            garrisons=tuple(garrisons - gone for garrisons in self.garrisons),
        )


class State(NamedTuple):
    """A moment of the turn; `place` is None while the active Emperor is off the board."""

    ip: int
    place: str | None
    table: Table


class Way(NamedTuple):
    """One thing that can come of an action, with its chance in 36ths; `outcome` is of an attack only."""

    share: int
    outcome: str
    state: State
    end: str


class Action(NamedTuple):
    """An action by name, and all that can come of it: one way, or one for each outcome of an attack."""

    name: str
    ways: list[Way]


class Turn:
    """The rules of one turn of one Emperor."""

    def __init__(
        self, board: Board, readings: dict[str, str], garrisons: int, active: int, places: list[str | None]
    ) -> None:
        self.board = board
        self.readings = readings
        self.places = tuple(places)  # of all Emperors, as the turn begins
        self.supply = garrisons  # of each Emperor
        self.active = active  # 0 to 3
        self.emperor = board.emperors[active]
        self.others = [place for index, place in enumerate(places) if index != active and place is not None]
        self.linked = linked_in_battle(board, readings["I-BATTLE-BROKEN"])
        self.most_unrest = MOST_UNREST

    # -- what he may do --------------------------------------------------------------------------------------

    def may_stop(self, state: State) -> bool:
        """Whether his turn may end here."""
        if state.place is None:
            return self.readings["I-ENTRY"] == "may" or not any(self.entries(state))
        return state.place not in self.others

    def actions(self, state: State) -> Iterator[Action]:
        """All legal actions, in the order that decides between plans of equal value."""
        ip, place, table = state
        if place is None:
            for target in self.entries(state):
                yield self.sure(f"enter {target}", State(ip, target, table))
            return
        for target, cost in self.moves(state):
            yield self.sure(f"move {target}", State(ip - cost, target, table))
        if place in self.others:
            return  # who shares a province must move away first
        if ip >= 1:
            for origin, zone in self.voyages(table.fleets):
                fleets = table.fleets - {origin} | {zone}
                yield self.sure(f"sail {origin}>{zone}", State(ip - 1, place, table._replace(fleets=fleets)))
        yield from self.secure(ip, place, table)
        yield from self.subdue(ip, place, table)
        for army in self.in_order(table.armies):
            price = self.link_cost(table, place, army)
            if price is not None and price <= ip:
                yield Action(f"attack {army}", list(self.attack(ip - price, place, table, army)))

    def sure(self, name: str, after: State, end: str = ON) -> Action:
        """An action without dice."""
        return Action(name, [Way(36, "", after, end)])

    def in_order(self, provinces: Iterable[str]) -> list[str]:
        """Provinces in the order of the board file."""
        return sorted(provinces, key=self.board.row.__getitem__)

    # -- entering and moving ---------------------------------------------------------------------------------

    def entries(self, state: State) -> Iterator[str]:
        """Where he may come back to the board: Roma, or his capital if no disc lies on it. Only with all IP left."""
        capital = self.board.capital[self.emperor]
        for place in self.in_order({self.board.roma, capital}):
            closed_by = self.closing(state.table) if place == self.board.roma else state.table.discs()
            if state.ip == IP_A_TURN and place not in closed_by and place not in state.table.armies:
                sharing_allowed = self.readings["I-ENTRY-SHARED"] == "share"
                there = State(state.ip, place, state.table)
                if place not in self.others or (sharing_allowed and self.can_leave(there)):
                    yield place

    def closing(self, table: Table) -> frozenset[str]:
        """The discs that keep him out of Roma, were they there."""
        return {"open": NOWHERE, "no-revolt": table.revolts, "no-disc": table.discs()}[self.readings["I-ENTRY-ROMA"]]

    def moves(self, state: State) -> Iterator[tuple[str, int]]:
        """The provinces to which he may move, each with its cost by the cheapest way."""
        sharing = state.place in self.others
        for target, cost in self.ways(state):
            if target not in self.others:
                yield target, cost
            elif sharing and self.readings["I-PASS"] == "single":
                continue
            elif self.can_leave(State(state.ip - cost, target, state.table)):
                yield target, cost  # he passes through another Emperor, as he can get away from there

    def can_leave(self, state: State) -> bool:
        """Whether he who shares a province can move on to one that he need not share, through others if need be."""
        for target, cost in self.ways(state):
            if target not in self.others:
                return True
            if self.readings["I-PASS"] == "chain" and self.can_leave(State(state.ip - cost, target, state.table)):
                return True
        return False

    def ways(self, state: State) -> Iterator[tuple[str, int]]:
        """Where one move that he can pay leads, no matter which figure of Rome stands there."""
        ip, place, table = state
        assert place is not None
        for target, price in self.prices(place, table.fleets):
            cost = price + (target in table.revolts)
            if cost <= ip and target not in table.armies:
                yield target, cost

    def prices(self, place: str, fleets: frozenset[int]) -> tuple[tuple[str, int], ...]:
        """Where links and fleets lead, in the order of the board file, with the IP of the cheapest way."""
        return prices(self.board, place, fleets, 1)

    def link_cost(self, table: Table, place: str, target: str) -> int | None:
        """The IP to go through a link, None where there is none."""
        broken = self.board.links[place].get(target)
        return None if broken is None else 1 + broken + (target in table.revolts)

    def voyages(self, fleets: frozenset[int]) -> Iterator[tuple[int, int]]:
        """The zones between which a fleet may sail."""
        for origin in sorted(fleets):
            for target in self.board.all_zones:
                if sorted((origin, target)) in self.board.adjacent and target not in fleets:
                    yield origin, target

    # -- securing and subduing -------------------------------------------------------------------------------

    def secure(self, ip: int, place: str, table: Table) -> Iterator[Action]:
        """A garrison where he stands: 1 IP, or 2 on a border, whose region must be free of revolts."""
        border = place in self.board.borders
        cost = 2 if border else 1
        own = table.garrisons[self.active]
        if cost > ip or place in table.discs() or len(own) >= self.supply or self.printed_keeps_away(place):
            return
        if border and any(self.board.region[revolt] == self.board.region[place] for revolt in table.revolts):
            return
        garrisons = list(table.garrisons)
        garrisons[self.active] = own | {place}
        after = table._replace(garrisons=tuple(garrisons))
        won = self.board.borders <= after.secured()
        yield self.sure("secure", State(ip - cost, place, after), WON if won else ON)

    def printed_keeps_away(self, place: str, action: str = "I-SECURE") -> bool:
        """Whether a printed disc lies here and is read as one on which no garrison may lie."""
        whose = "ROMA" if place == self.board.roma else "OWN" if place in self.board.printed[self.emperor] else "OTHERS"
        there = any(place in printed for printed in self.board.printed.values())
        return there and self.readings[f"{action}-{whose}"] == "forbidden"

    def subdue(self, ip: int, place: str, table: Table) -> Iterator[Action]:
        """Against the revolt or unrest where he stands."""
        if place in table.unrest and ip >= 1:
            yield self.sure("remove", State(ip - 1, place, table.without_disc(place)))
        if place in table.revolts and ip >= 2:
            yield self.sure("remove", State(ip - 2, place, table.without_disc(place)))
        if place in table.revolts and ip >= 1:
            if len(table.unrest) < self.most_unrest:
                after = table._replace(revolts=table.revolts - {place}, unrest=table.unrest | {place})
                yield self.sure("reduce", State(ip - 1, place, after))
            elif self.readings["I-RESERVE"] == "falls":
                yield self.sure("reduce", State(ip - 1, place, table), FALLEN)

    # -- battle ----------------------------------------------------------------------------------------------

    def attack(self, ip: int, place: str, table: Table, army: str) -> Iterator[Way]:
        """All that can come of an attack, once its IP are paid."""
        victory, draw, defeat = self.odds(place, table, army)
        if victory:
            after = table.without_disc(army)._replace(armies=table.armies - {army})
            yield Way(victory, "victory", State(ip, army, after), ON)
        if draw:
            yield Way(draw, "draw", State(ip, place, table), ON)
        if defeat:
            keeps = place in self.board.borders and self.readings["I-BORDER-DEFEAT"] == "stays"
            lost = place in table.secured() and not keeps
            yield Way(defeat, "defeat", State(ip, None, table.without_disc(place) if lost else table), BEATEN)

    def odds(self, place: str, table: Table, army: str) -> tuple[int, int, int]:
        """Of 36 equally likely rolls, how many are a victory, a draw and a defeat of the Emperor."""
        return odds(*self.strengths(place, table, army))

    def strengths(self, place: str, table: Table, army: str) -> tuple[int, int, int, int]:
        """What counts in a battle: his group, the Emperors beside the army, its group, the armies beside him."""
        g = self.largest_group({place} | self.linked[place], self.own_discs(table))
        e = sum(other in self.linked[army] for other in self.allies())
        if army in table.revolts:
            r = self.largest_group({army}, table.revolts)
        elif self.readings["I-REVOLT-GROUP"] == "largest-linked":
            r = self.largest_group(self.linked[army], table.revolts)
        else:
            r = 0
        a = sum(other in self.linked[place] for other in table.armies if other != army)
        return g, e, r, a

    def allies(self) -> list[str]:
        """Where those of Rome stand who lend support."""
        return self.others

    def own_discs(self, table: Table) -> frozenset[str]:
        """Where his garrisons lie, or printed discs of his that nothing covers (Roma's perhaps only what is no garrison)."""
        seen = table.secured() & {self.board.roma} if self.readings["I-ROMA-COVERED"] == "counts" else NOWHERE
        return table.garrisons[self.active] | self.board.printed[self.emperor] - (table.discs() - seen)

    def largest_group(self, starts: set[str], members: frozenset[str]) -> int:
        """The size of the largest connected group of members that holds one of the starts; 0 if there is none."""
        largest = 0
        for start in starts & members:
            group, edge = {start}, [start]
            while edge:
                new = (self.linked[edge.pop()] & members) - group
                group |= new
                edge += new
            largest = max(largest, len(group))
        return largest


@cache
def linked_in_battle(board: Board, broken_links: str) -> dict[str, set[str]]:
    """The provinces linked to each one in a battle."""
    return {
        province: {other for other, broken in links.items() if not broken or broken_links == "linked"}
        for province, links in board.links.items()
    }


@cache
def prices(board: Board, place: str, fleets: frozenset[int], zones: int) -> tuple[tuple[str, int], ...]:
    """The IP of the cheapest way by a link or over so many zones at most, where fleets lie, one next to the other."""
    price = {target: 2 if broken else 1 for target, broken in board.links[place].items()}
    reached = fleets & board.zones[place]
    for crossed in range(1, zones + 1):
        for target in board.provinces:
            if reached & board.zones[target] and target != place:
                price[target] = min(crossed, price.get(target, crossed))
        reached = reached | {zone for zone in fleets for one in reached if sorted((zone, one)) in board.adjacent}
    return tuple((target, price[target]) for target in board.provinces if target in price)


def odds(g: int, e: int, r: int, a: int) -> tuple[int, int, int]:
    """Of 36 pairs of faces, how many make (die + g) x 2^e greater than (die + r) x 2^a, equal to it, and less."""
    differences = [(roman + g) * 2**e - (barbarian + r) * 2**a for roman in range(1, 7) for barbarian in range(1, 7)]
    return sum(d > 0 for d in differences), sum(d == 0 for d in differences), sum(d < 0 for d in differences)
