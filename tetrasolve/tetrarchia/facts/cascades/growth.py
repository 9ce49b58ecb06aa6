"""The most new revolts that one Barbarian phase can bring, over all positions with k revolts and u unrest.

A class of positions: k revolts, u unrest, and n borders that are not empty when the phase begins, whoever or whatever is
on them. Take no unrest first. The first uprising can be in any province that dice name, each further one only in a region whose
border is not empty. These regions divide into connected parts. A part in which nothing lies and which does not touch
the first uprising stays quiet; one that the first uprising touches costs nothing; any other must have a revolt from the
beginning, its seed. So for each choice of the borders, the first province and the parts with seeds, all new revolts of the
chain lie around the first province and these parts. Up to three armies then enter one province each.

With unrest, the first step of the phase turns some of it, s. What follows is such a phase from k + s revolts, but
not from any: each of them is connected with one of the k *roots*, the old revolts, and armies within the Empire stand on
roots. In a choice the *hosts* are the first province and the seeds. No two of them are linked, and all that
lies around them is in reach of the chain. So a host that is no root has a revolt beside it, and this place is not new; if all
roots are hosts, then so has one of these as soon as anything has turned. Where a host can only be connected to another one, the
links between them tell how many places are lost at the least. An unrest that is left at the end may be named by the last dice
instead of a new army.

The bound is the largest over all choices, all s, and all numbers of hosts that are roots. Positions in which all unrest turns,
with dice that are replayed, show how far it is reached: where they reach it the fact states a maximum, elsewhere an interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from heapq import heapify, heappop, heappush
from itertools import combinations, product
from typing import NamedTuple

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.claims.saying import listed, many
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import occupied
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.gathered import EVERY_LEVEL
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS, UNREST
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising
from tetrasolve.tetrarchia.rules.advance import Crossing
from tetrasolve.tetrarchia.rules.barbarian import begin
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.revolts import Spreading
from tetrasolve.tetrarchia.ruleset import Ruleset

CLASSES = range(3)  # borders that are not empty; with more of them the Empire can fall from a single revolt
FAR_AWAY = 99  # no way: more than any number of provinces
TRIED = 100  # ways to place armies, for each choice
Part = frozenset[str]


Links = Mapping[str, Part]


def roman_links(board: Board) -> Links:
    """For each province the Roman ones linked to it."""
    return {
        place: frozenset(other for other in board.neighbours(place) if not board[other].is_border)
        for place in board.ids
    }


def parts(board: Board, links: Links, regions: tuple[int, ...]) -> tuple[Part, ...]:
    """What dice can name in these regions, divided into those that hang together."""
    left = {board.at(region, number) for region in regions for number in FACES}
    found = []
    for place in board.ids:
        if place in left:
            part, edge = {place}, [place]
            while edge:
                new = (links[edge.pop()] & left) - part
                part |= new
                edge += new
            left -= part
            found.append(frozenset(part))
    return tuple(found)


@dataclass(frozen=True, eq=False)
class Start:
    """A choice: regions with borders that are not empty, the province that rises first, the parts with a seed.

    Without a `chain` no army is left in the reserve: three are on the map, and there is no echo.
    """

    board: Board
    links: Links = field(repr=False)
    parts: tuple[Part, ...] = field(repr=False)
    regions: tuple[int, ...]
    first: str
    seeded: tuple[Part, ...]
    chain: bool

    @cached_property
    def again(self) -> Part:
        """Provinces that can rise after the first."""
        if not self.chain:
            return frozenset()
        touched = self.links[self.first] | {self.first}
        return frozenset().union(*self.seeded, *(part for part in self.parts if part & touched))

    @cached_property
    def reach(self) -> Part:
        """The provinces that can come to revolt in the chain, the first one too."""
        return frozenset({self.first}).union(*(self.links[place] for place in (self.first, *self.again)))

    def spread(self, revolts: Iterable[str]) -> tuple[list[str], Part]:
        """The uprisings that bring as many revolts as possible from these, in order, and all revolts then."""
        board = self.board
        risen, found = [self.first], self.links[self.first].union(revolts)
        able = [p for p in board.ids if self.chain and board[p].number and board[p].region in self.regions]
        while True:
            onward = next((p for p in able if p in found and not self.links[p] <= found), None)
            if onward is None:
                return risen, found
            risen.append(onward)
            found |= self.links[onward]

    # -- armies ------------------------------------------------------------------------------------------------

    @property
    def before(self) -> int:
        """The most armies on the map when the phase begins."""
        return ARMIES - 1 if self.chain else ARMIES

    @cached_property
    def near(self) -> dict[str, str]:
        """Armies that need no further revolt, and where they go: on borders of the choice, the first province and seeds."""
        return self.ways_of([*self.borders_of(inside=True), self.first, *frozenset[str]().union(*self.seeded)])

    @cached_property
    def far(self) -> dict[str, str]:
        """Armies on further revolts."""
        return self.ways_of(p for p in self.board.ids if not self.board[p].is_border and p not in self.reach)

    @cached_property
    def coming(self) -> dict[str, str]:
        """The army of an echo."""
        return self.ways_of(self.borders_of(inside=False)) if self.chain else {}

    def borders_of(self, *, inside: bool) -> Iterator[str]:
        """The borders of the choice, or the others."""
        return (b for b in self.board.borders if (self.board[b].region in self.regions) is inside)

    def ways_of(self, places: Iterable[str]) -> dict[str, str]:
        """Where armies there go, as far as that is a Roman province out of the chain's reach."""
        board = self.board
        ways = ((place, board[place].arrow) for place in sorted(places, key=board.order.__getitem__))
        return {
            p: t for p, t in ways if t is not None and not board[t].is_border and t not in self.reach | {board.roma}
        }


@dataclass(frozen=True)
class Witness:
    """A position of a class and what the dice are to say: the uprisings, and at last where an army comes.

    Links all hold, so that all `unrest` turns; what turns counts as new.
    """

    start: Start
    revolts: Part
    armies: tuple[str, ...]
    risen: tuple[str, ...]
    coming: str | None
    new: int
    unrest: Part = frozenset()

    @property
    def falls(self) -> bool:
        """Whether the reserve of revolts does not suffice."""
        return self.new + len(self.revolts) > REVOLTS

    def position(self) -> Position:
        """Garrisons are on the borders of the choice, but for those with armies; on the last of six stands an Emperor."""
        board = self.start.board
        closed = [b for b in board.borders if board[b].region in self.start.regions and b not in self.armies]
        names = [emperor.id for emperor in board.emperors]
        standing = closed[-1:] if len(closed) == len(board.borders) else []
        discs = {
            p: UNREST_DISC if p in self.unrest else REVOLT_DISC for p in board.ids if p in self.revolts | self.unrest
        }
        discs |= {b: names[row % len(names)] for row, b in enumerate(closed) if b not in standing}
        places = dict.fromkeys(names[:1], standing[0]) if standing else {}
        return Position(board, Ruleset(), names[0], Phase.BARBARIAN, 0, places, (2, 3), self.armies, discs)

    def dice(self) -> str:
        """How the phase goes, each roll a word with its faces; the reference rules must come to the same number."""
        position = self.position()
        step, rolls, left = begin(position), [], list(self.risen)
        while not isinstance(step := settled(step, decline), (Position, Fall)):
            word, faces = self._faces(step, left)
            rolls.append(" ".join((word, *map(str, faces))))
            step = step.roll().result(faces)
        if isinstance(step, Fall):
            assert self.falls, (str(position), rolls)
        else:
            assert not self.falls and len(step.revolts - position.revolts) == self.new, (str(position), rolls)
        return ", ".join(rolls)

    def _faces(self, step: object, left: list[str]) -> tuple[str, list[int]]:
        """The dice that come now, when these provinces are still to rise."""
        board = self.start.board
        match step:
            case Activity():
                place = board[left.pop(0)]
                return "activity", [place.region, place.number]
            case Spreading() | Uprising() | Crossing():
                return "link", [max(FACES)]
            case EchoRegion() if left:
                return "echo", [board[left[0]].region]
            case EchoRegion():
                return "echo", [board[self.coming].region if self.coming else self.start.regions[0]]
            case EchoProvince() if left:
                return "province", [board[left.pop(0)].number]
            case EchoProvince():
                quiet = (n for n in FACES if not step.position.has_revolt(board.at(step.region, n)))
                return "province", [next(quiet)]
        raise AssertionError(f"no dice are foreseen for {step}")


# -- the class -------------------------------------------------------------------------------------------------


def starts(board: Board, borders: int) -> Iterator[Start]:
    """All choices with so many borders, with and without echoes."""
    links = roman_links(board)
    for regions in combinations(FACES, borders):
        divided = parts(board, links, regions)
        for first in (board.at(region, number) for region in FACES for number in FACES):
            yield Start(board, links, divided, regions, first, (), chain=False)
            touched = links[first] | {first}
            quiet = [part for part in divided if not part & touched]
            for count in range(len(quiet) + 1):
                for seeded in combinations(quiet, count):
                    yield Start(board, links, divided, regions, first, seeded, chain=True)


class Way(NamedTuple):
    """From one host on: how many places in reach of the chain are on the way at the least, and how many at all."""

    lost: int
    long: int


class Rooted:
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
    choices = [Rooted(start) for start in starts(board, borders)]
    found: list[Cell] = []
    for revolts in range(1, REVOLTS + 1):
        highest: dict[tuple[int, bool], int] = {}  # by what has turned, and whether an unrest is left
        for unrest in range(UNREST):
            found.append(_cell(choices, highest, revolts, unrest))
            if found[-1].witness.falls:
                break
        if unrest == 0:
            break
    return tuple(found)


def _cell(choices: list[Rooted], highest: dict[tuple[int, bool], int], revolts: int, unrest: int) -> Cell:
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
    return {str(borders): _of_class(board, borders) for borders in CLASSES}


def _of_class(board: Board, borders: int) -> Values:
    values: dict[str, Value] = {}
    falls: dict[int, int] = {}
    unsafe: dict[int, int] = {}  # the least unrest for which the bound does not exclude a fall, by revolts
    for revolts, unrest, bound, witness in cells(board, borders):
        if revolts + bound > REVOLTS:
            unsafe.setdefault(revolts, unrest)
        if witness.falls:
            falls[revolts] = unrest
        elif witness.new == bound:
            values[f"max.{revolts}.{unrest}"] = bound
        else:
            values |= {f"reached.{revolts}.{unrest}": witness.new, f"bound.{revolts}.{unrest}": bound}
    for revolts in range(1, cells(board, borders)[-1].revolts + 1):
        values |= _least(f".{revolts}", falls.get(revolts), unsafe.get(revolts))
    discs = (min((k + u for k, u in least.items()), default=None) for least in (falls, unsafe))
    return values | _least("", *discs)


def _least(path: str, falls: int | None, unsafe: int | None) -> dict[str, Value]:
    """The least number from which the Empire can fall, if the bound excludes all smaller ones; else what is known of it."""
    if falls is not None and falls == unsafe:
        return {f"falls-with{path}": falls}
    found = {f"falls-by{path}": falls, f"open-from{path}": unsafe}
    return {path: number for path, number in found.items() if number is not None}


def _certify(board: Board, borders: str, values: Values) -> Certificate:
    lines = [f"{cell.witness.position()}: {cell.witness.dice()}" for cell in cells(board, int(borders))]
    return fact_certificate("growth", board, f"growth/{borders}", (), values, {"witnesses": lines})


def _say(borders: str, v: Values) -> str:
    enough = sorted((int(path.rpartition(".")[2]), path) for path in v if path.startswith(("falls-with.", "falls-by.")))
    rows = listed(f"{v[path] or 'none'} with {many(revolts, 'revolt')}" for revolts, path in enough)
    most = f"and no unrest one phase brings new revolts: {_most(v)}. " if _most(v) else ""
    return f"With {occupied(borders)} {most}{_fall(v)}" + (f"; unrest that is enough: {rows}." if rows else ".")


def _fall(v: Values) -> str:
    """From how many discs the Empire can fall."""
    discs = "revolts and unrest together from which the Empire can fall in it for want of a revolt"
    if "falls-with" in v:
        return f"The least number of {discs} is {v['falls-with']}"
    if "open-from" not in v:
        return f"There is no number of {discs}"
    known = f" and {v['falls-by']} at most" if "falls-by" in v else ""
    return f"The least number of {discs} is {v['open-from']} at least{known}"


def _most(v: Values) -> str:
    """The most new revolts without unrest, equal numbers taken together."""
    groups: list[tuple[str, list[int]]] = []
    for revolts in range(1, REVOLTS + 1):
        path = f"{revolts}.0"
        if f"max.{path}" in v:
            new = f"at most {v[f'max.{path}']}"
        elif f"bound.{path}" in v:
            new = f"at most {v[f'reached.{path}']} to {v[f'bound.{path}']}"
        else:
            continue
        if not groups or groups[-1][0] != new:
            groups.append((new, []))
        groups[-1][1].append(revolts)
    return ", ".join(f"{new} from {row[0]}" + (f" to {row[-1]}" if row[1:] else "") for new, row in groups)


TOPICS = (
    Topic(
        "growth",
        "cascades",
        "The most new revolts of one phase, by the borders that are not empty",
        "a bound for every choice of borders, first province and seeds, and positions with dice that reach it",
        "growth",
        ("links", "arrows", "numbers", "regions"),
        _growth,
        _certify,
        _say,
        ruleset=EVERY_LEVEL,
        effort=0.7,
    ),
)
