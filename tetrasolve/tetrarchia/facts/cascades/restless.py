"""The most new revolts that one Barbarian phase can bring, over all positions with k revolts and u unrest.

The first step of the phase turns some of the unrest, s of it. What comes then is a phase of `growth` from k + s revolts, but
not from any: each of them hangs together with one of the k *roots*, the old revolts, and armies within the Empire stand on
roots. In a choice of `growth` let the *hosts* be the first province and the seeds. No two of them are linked, and all that
lies around them is in reach of the chain. So a host that is no root has a revolt beside it, and this place is not new; if all
roots are hosts, then so has one of these as soon as anything has turned. Where a host can only hang on another one, the links
between them tell how many places are lost at the least. An unrest that is left at the end may be named by the last dice
instead of a new army.

The bound is the largest over all choices, all s, and all numbers of hosts that are roots. Positions in which all unrest turns,
with dice that are replayed, show how far it is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from itertools import combinations, product
from typing import NamedTuple

from tetrasolve.certify.form import Certificate
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.growth import FALL, Part, Start, Witness, starts
from tetrasolve.tetrarchia.facts.cascades.uprisings import READINGS, occupied
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.facts.saying import listed, many, whole
from tetrasolve.tetrarchia.ruleset import ARMIES, REVOLTS, UNREST

FAR_AWAY = 99  # no way: more than any number of provinces
TRIED = 100  # ways to place armies, for each choice


class Way(NamedTuple):
    """From one host on: how many places in reach of the chain are on the way at the least, and how many at all."""

    lost: int
    long: int


class Restless:
    """A choice of `growth`, and what it can come to when revolts hang together."""

    def __init__(self, start: Start) -> None:
        self.start, self.board = start, start.board
        self.hosts: tuple[Part, ...] = (frozenset({start.first}), *start.seeded)
        on_hosts = frozenset[str]().union(*self.hosts)
        self.walls = start.ways_of(start.borders_of(inside=True))
        self.on_hosts = start.ways_of(on_hosts)
        self.inside = start.ways_of(start.reach)
        self.most_new = len(start.reach) - 1 - sum(len(part) > 1 for part in start.seeded)
        self._targets: dict[tuple[bool, bool, bool], tuple[int, int, int, int]] = {}

    def targets(self, *, hosts: bool, far: bool, lost: bool) -> tuple[int, int, int, int]:
        """How many provinces armies can enter out of reach.

        From borders and hosts; else from afar or from places that are lost; from these alone; from all, and from empty borders.
        """
        key = hosts, far, lost
        if key not in self._targets:
            near = frozenset(self.walls.values()) | frozenset(self.on_hosts.values() if hosts else ())
            by = frozenset(self.inside.values() if lost else ()) - near
            others = by | (frozenset(self.start.far.values() if far else ()) - near)
            everything = near | others | frozenset(self.start.coming.values())
            self._targets[key] = len(near), len(others), len(by), len(everything)
        return self._targets[key]

    @cached_property
    def walled(self) -> int:
        """Where armies on borders go."""
        return len(frozenset(self.walls.values()))

    # -- the ways between hosts --------------------------------------------------------------------------------

    @cached_property
    def to_others(self) -> tuple[Way, ...]:
        """For each host the way to the nearest other one."""
        found = []
        for host in self.hosts:
            others = frozenset[str]().union(*(other for other in self.hosts if other is not host))
            found.append(self._way(host, others))
        return tuple(found)

    def _way(self, start: Part, ends: Part) -> Way:
        return Way(self._least(start, ends, self.start.reach), self._least(start, ends, None))

    def _least(self, start: Part, ends: Part, counted: Part | None) -> int:
        """The least number of provinces between a start and an end: of those that count, or of all."""
        rings, seen = [set(start)], set(start)
        for ring in rings:
            waiting = list(ring)
            new = set[str]()
            for place in waiting:
                for other in self.start.links[place]:
                    if other in ends:
                        return len(rings) - 1
                    if other not in seen:
                        seen.add(other)
                        if counted is None or other in counted:
                            new.add(other)
                        else:
                            waiting.append(other)  # costs nothing
            if new:
                rings.append(new)
        return FAR_AWAY

    # -- the bound ---------------------------------------------------------------------------------------------

    def bound(self, roots: int, turned: int, *, left: bool) -> int:
        """More new revolts than this do not follow from so many roots and what has turned; `left`: an unrest is left."""
        hosts = range(max(0, len(self.hosts) - turned), min(len(self.hosts), roots) + 1)
        return max((self._with(number, roots, turned, left=left) for number in hosts), default=0)

    def _with(self, hosts: int, roots: int, turned: int, *, left: bool) -> int:
        """The same if so many of the hosts are roots."""
        lost, long = self._lost(hosts, roots, turned)
        spare = roots + turned - len(self.hosts)
        if spare < long:
            return 0
        far = min(roots - hosts, max(0, spare - lost))
        named = left and self.start.chain and bool(self.start.regions)
        on_lost = lost > 0 and roots > hosts
        near, others, from_lost, everything = self.targets(hosts=hosts > 0, far=far > 0, lost=on_lost)
        inside = min(roots - hosts, others, far + min(lost, from_lost))
        before = min(self.start.before, near + inside, self.walled + roots)
        armies = min(before + (bool(self.start.coming) or named), everything + named)
        return self.most_new - lost + armies

    def _lost(self, hosts: int, roots: int, turned: int) -> tuple[int, int]:
        """How many places beside hosts, or on ways between them, are not new; and how many revolts lie on such ways."""
        others = len(self.hosts) - hosts
        if not others or len(self.hosts) == 1:
            beside = int(others > 0 or (hosts == roots and turned > 0))
            return beside, beside
        alone = min(way.long for way in self.to_others) > 1  # none of them share what lies around them
        beside = others if alone else 1
        if roots > max(1, hosts):
            return beside, beside  # a root may lie beside any of them
        lost, long = (sorted(numbers)[others - 1] for numbers in zip(*self.to_others, strict=True))
        return max(lost, beside), max(long, beside)

    # -- witnesses ---------------------------------------------------------------------------------------------

    def witness(self, roots: int, unrest: int, wanted: int) -> Witness | None:
        """A position with so many roots and unrest for which much is added; it stops when it has what is wanted."""
        champion: Witness | None = None
        tried = 0
        sources = list(dict.fromkeys([*self.start.near, *self.start.far, *self.inside]))
        for size in range(self.start.before, -1 if self.start.chain else self.start.before - 1, -1):
            for armies in combinations(sources, size):
                for found in self._with_armies(armies, roots, unrest):
                    if champion is None or found.new > champion.new:
                        champion = found
                    if champion.new >= wanted:
                        return champion
                    tried += 1
                if tried > TRIED:
                    return champion
        return champion

    def _with_armies(self, armies: tuple[str, ...], roots: int, unrest: int) -> Iterator[Witness]:
        """Positions with these armies, by the seeds and by the hosts that are roots."""
        order = self.board.order.__getitem__
        inside = {army for army in armies if not self.board[army].is_border}
        targets = {str(self.board[army].arrow) for army in armies}
        if len(targets) < len(armies):
            return
        for seeds in product(*(sorted(part, key=order) for part in self.start.seeded)):
            hosts = (self.start.first, *seeds)
            if targets.isdisjoint(inside.union(hosts)):
                for size in range(min(len(hosts), roots), -1, -1):
                    for kept in combinations(hosts, size):
                        if 0 < len(inside.union(kept)) <= roots:
                            found = self._grown(armies, hosts, inside.union(kept), roots, roots + unrest)
                            if found is not None:
                                yield found

    def _grown(
        self, armies: tuple[str, ...], hosts: tuple[str, ...], roots: set[str], most: int, discs: int
    ) -> Witness | None:
        """All hosts joined to these roots, then more roots and unrest, out of reach where there is room."""
        board, start = self.board, self.start
        targets = {str(board[army].arrow) for army in armies}
        away = next((b for b, target in start.coming.items() if target not in targets | roots | set(hosts)), None)
        coming = away or next(start.borders_of(inside=False), None)
        entered = targets | ({str(board[away].arrow)} if away else set())
        dear = start.reach | entered
        lying = set(roots)
        for host in hosts:
            lying |= _joined(start, lying, host, dear) if host not in lying else set()
        if len(lying) > discs or not lying.issuperset(hosts):
            return None
        roman = [place for place in board.ids if not board[place].is_border]
        while len(lying) < discs:
            free = [place for place in roman if place not in lying | dear]
            if len(roots) < most and free:
                place = max(free, key=lambda p: len(_room(start, p, lying | dear)))
                roots.add(place)
            else:
                edge = [place for place in roman if place not in lying and start.links[place] & lying]
                if not edge:
                    return None
                place = min(edge, key=lambda p: p in dear)
            lying.add(place)
        roots.update([place for place in roman if place in lying - roots][: most - len(roots)])
        risen, after = start.spread(lying)
        old = frozenset(roots)
        new = len(after | entered | lying) - len(old)
        return Witness(start, old, armies, tuple(risen), coming if start.chain else None, new, frozenset(lying) - old)


def _joined(start: Start, lying: set[str], goal: str, dear: Iterable[str]) -> set[str]:
    """The provinces of a way from what lies there to a goal, over few that are dear."""
    order = start.board.order
    waiting: list[tuple[int, int, int, tuple[str, ...]]] = [(0, 0, order[place], (place,)) for place in lying]
    done = set[str]()
    heapify(waiting)
    while waiting:
        lost, long, _, way = heappop(waiting)
        if way[-1] == goal:
            return set(way)
        if way[-1] not in done:
            done.add(way[-1])
            for other in start.links[way[-1]] - done:
                heappush(waiting, (lost + (other in dear), long + 1, order[other], (*way, other)))
    return set()


def _room(start: Start, place: str, closed: set[str]) -> set[str]:
    """What hangs together with a province without what is closed."""
    found, edge = {place}, [place]
    while edge:
        new = set(start.links[edge.pop()]) - found - closed
        found |= new
        edge += new
    return found


# -- the class -------------------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """For some revolts and unrest the bound, and the witness that comes near to it."""

    revolts: int
    unrest: int
    bound: int
    witness: Witness


@lru_cache(maxsize=16)
def cells(board: Board, borders: int) -> tuple[Cell, ...]:
    """By revolts, then unrest, both up to the first number from which the Empire can fall."""
    choices = [Restless(start) for start in starts(board, borders)]
    found: list[Cell] = []
    for revolts in range(1, REVOLTS + 1):
        highest: dict[tuple[int, bool], int] = {}  # by what has turned, and whether an unrest is left
        for unrest in range(UNREST):
            found.append(_cell(choices, highest, revolts, unrest))
            if found[-1].witness.value == FALL:
                break
        if unrest == 0:
            break
    return tuple(found)


def _cell(choices: list[Restless], highest: dict[tuple[int, bool], int], revolts: int, unrest: int) -> Cell:
    bounds = [choice.bound(revolts, unrest, left=False) for choice in choices]
    highest[unrest, False] = max(*bounds, ARMIES)
    if unrest:
        turned = unrest - 1
        highest[turned, True] = max(*(c.bound(revolts, turned, left=True) for c in choices), ARMIES + 1)
    most = max(turned + highest[turned, turned < unrest] for turned in range(unrest + 1))
    champion: Witness | None = None
    for number in sorted(range(len(choices)), key=lambda number: -bounds[number]):
        wanted = min(unrest + bounds[number], REVOLTS + 1 - revolts)
        if champion is not None and champion.new >= wanted:
            break
        witness = choices[number].witness(revolts, unrest, wanted)
        if witness is not None and (champion is None or witness.new > champion.new):
            champion = witness
    assert champion is not None
    return Cell(revolts, unrest, most, champion)


def _growth(board: Board) -> dict[str, Values]:
    return {str(borders): _of_class(board, borders) for borders in range(len(board.borders) + 1)}


def _of_class(board: Board, borders: int) -> Values:
    values: dict[str, Value] = {}
    safe, fallen = UNREST + REVOLTS, UNREST + REVOLTS
    for revolts, unrest, bound, witness in cells(board, borders):
        values[f"max.{revolts}.{unrest}"] = witness.value
        values[f"bound.{revolts}.{unrest}"] = bound
        if witness.value == FALL:
            values[f"falls-with.{revolts}"] = unrest
            fallen = min(fallen, revolts + unrest)
        if revolts + bound > REVOLTS:
            safe = min(safe, revolts + unrest - 1)
    values |= {"discs": fallen, "safe-discs": safe}
    return values


def _certify(board: Board, borders: str, values: Values) -> Certificate:
    lines = [f"{cell.witness.position()}: {cell.witness.dice()}" for cell in cells(board, int(borders))]
    return fact_certificate("growth-unrest", board, f"growth-unrest/{borders}", (), values, {"witnesses": lines})


def _say(borders: str, v: Values) -> str:
    enough = sorted((int(path[11:]), whole(v, path)) for path in v if path.startswith("falls-with."))
    least, safe = whole(v, "discs"), whole(v, "safe-discs")
    if not enough:
        return f"With {occupied(borders)} the Empire cannot be seen to fall in one phase for want of a revolt."
    doubt = "" if safe == least - 1 else f" (that fewer are not enough is proved up to {safe})"
    rows = listed(f"{unrest or 'none'} with {many(revolts, 'revolt')}" for revolts, unrest in enough)
    return (
        f"With {occupied(borders)} the least number of revolts and unrest together from which the Empire can fall in one phase for "
        f"want of a revolt is {least}{doubt}; unrest that is enough: {rows}."
    )


KINDS = (
    Kind(
        "growth-unrest",
        "cascades",
        "The most new revolts of one phase with unrest on the map",
        "a bound for every choice of `growth`, by the revolts that all others hang on; positions with dice that come to it",
        "growth-unrest",
        ("links", "arrows", "numbers", "regions"),
        _growth,
        _certify,
        _say,
        ruleset=READINGS,
        effort=0.7,
    ),
)
