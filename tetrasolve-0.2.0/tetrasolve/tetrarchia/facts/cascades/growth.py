"""The most new revolts that one Barbarian phase can bring, over all positions with k revolts and no unrest.

A class of positions: k revolts, and n borders that are not empty when the phase begins, whatever is on them. The
first uprising can be in any province that dice name, each further one only in a region whose border is not empty. These
regions divide into connected parts. A part in which nothing lies and which does not touch the first uprising stays quiet; one
that the first uprising touches costs nothing; any other must have a revolt from the beginning, its seed. So for each choice of
the borders, the first province and the parts with seeds, all new revolts of the chain lie around the first province and these
parts. Up to three armies then enter one province each.

The bound is the largest over all choices. Positions with dice that are replayed show how far it is reached: where they reach
it the fact states a maximum, elsewhere an interval.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations, product
from typing import NamedTuple

from tetrasolve.certify.form import Certificate
from tetrasolve.claims.fact import Topic, Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import occupied
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.gathered import EVERY_LEVEL
from tetrasolve.tetrarchia.numbers import ARMIES, REVOLTS
from tetrasolve.tetrarchia.position import REVOLT_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising
from tetrasolve.tetrarchia.rules.advance import Crossing
from tetrasolve.tetrarchia.rules.barbarian import begin
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.ruleset import Ruleset

CLASSES = range(3)  # borders that are not empty; with more of them the Empire can fall from a single revolt
TRIED = 100  # positions, for each choice
Part = frozenset[str]
Links = Mapping[str, Part]


def roman_links(board: Board) -> Links:
    """For each province the Roman ones linked to it."""
    return {
        place: frozenset(other for other in board.neighbours(place) if not board[other].is_border)
        for place in board.ids
    }


def parts(board: Board, links: Links, regions: tuple[int, ...]) -> tuple[Part, ...]:
    """What dice can name in these regions, divided into those that are connected."""
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
    def reach(self) -> Part:
        """The provinces that can be in revolt in the chain, the first one too."""
        touched = self.links[self.first] | {self.first}
        again = [*self.seeded, *(part for part in self.parts if part & touched)] if self.chain else []
        rising = frozenset({self.first}).union(*again)
        return frozenset({self.first}).union(*(self.links[place] for place in rising))

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
    def walls(self) -> dict[str, str]:
        """Armies on borders of the choice, and where they go."""
        return self.ways_of(self.borders_of(inside=True))

    @cached_property
    def near(self) -> dict[str, str]:
        """Armies that need no further revolt: on borders of the choice, the first province and seeds."""
        return self.ways_of([*self.walls, self.first, *frozenset[str]().union(*self.seeded)])

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

    # -- the bound ---------------------------------------------------------------------------------------------

    @cached_property
    def targets(self) -> tuple[int, int, int, int]:
        """How many provinces armies can enter: from near, from afar only, and from anywhere, without those afar and with them."""
        near, far, coming = (frozenset(ways.values()) for ways in (self.near, self.far, self.coming))
        return len(near), len(far - near), len(near | coming), len(near | far | coming)

    def bound(self, revolts: int) -> int:
        """More new revolts than this do not follow from so many."""
        others = revolts - 1 - len(self.seeded)
        if others < 0:
            return 0
        near, far, without, everything = self.targets
        before = min(self.before, near + min(others, far), len(frozenset(self.walls.values())) + revolts)
        armies = min(before + bool(self.coming), everything if others else without)
        return len(self.reach) - 1 - sum(len(part) > 1 for part in self.seeded) + armies

    # -- witnesses ---------------------------------------------------------------------------------------------

    def witness(self, revolts: int, wanted: int) -> Witness | None:
        """A position with so many revolts for which much is added; it stops when it has what is wanted."""
        champion: Witness | None = None
        for tried, found in enumerate(self.witnesses(revolts)):
            if champion is None or found.new > champion.new:
                champion = found
            if champion.new >= wanted or tried > TRIED:
                break
        return champion

    def witnesses(self, revolts: int) -> Iterator[Witness]:
        """Positions, by the armies, the most first, and by the seeds; further revolts lie out of reach where there is space."""
        board, order = self.board, self.board.order.__getitem__
        seeds = [sorted(part, key=order) for part in self.seeded]
        for size in range(self.before, -1 if self.chain else self.before - 1, -1):
            for armies, chosen in product(combinations([*self.near, *self.far], size), product(*seeds)):
                targets = {str(board[army].arrow) for army in armies}
                lying = {self.first, *chosen, *(army for army in armies if not board[army].is_border)}
                if len(targets) < size or targets & lying:
                    continue
                away = next((b for b, target in self.coming.items() if target not in targets | lying), None)
                entered = targets | ({str(board[away].arrow)} if away else set())
                free = [p for p in board.ids if not board[p].is_border and p not in lying | self.reach | entered]
                lying.update(free[: max(0, revolts - len(lying))])
                if len(lying) == revolts:
                    risen, after = self.spread(lying)
                    coming = away or next(self.borders_of(inside=False), None) if self.chain else None
                    new = len(after | entered) - revolts
                    yield Witness(self, frozenset(lying), armies, tuple(risen), coming, new)


@dataclass(frozen=True)
class Witness:
    """A position of a class and what the dice are to say: the uprisings, and at last where an army comes. Links all hold."""

    start: Start
    revolts: Part
    armies: tuple[str, ...]
    risen: tuple[str, ...]
    coming: str | None
    new: int

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
        discs = {p: REVOLT_DISC for p in board.ids if p in self.revolts}
        discs |= {b: names[row % len(names)] for row, b in enumerate(closed) if b not in standing}
        places = dict.fromkeys(names[:1], standing[0]) if standing else {}
        return Position(board, Ruleset(), names[0], Phase.BARBARIAN, 0, places, (2, 3), self.armies, discs)

    def dice(self) -> str:
        """How the phase goes, each roll a word with its faces; the reference rules must give the same number."""
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
            case Uprising() | Crossing():
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


class Cell(NamedTuple):
    """For some revolts the bound, and the witness that comes near to it."""

    revolts: int
    bound: int
    witness: Witness


@lru_cache(maxsize=16)
def cells(board: Board, borders: int) -> tuple[Cell, ...]:
    """By revolts, up to the first number from which the Empire can fall."""
    choices = list(starts(board, borders))
    found: list[Cell] = []
    for revolts in range(1, REVOLTS + 1):
        found.append(_cell(choices, revolts))
        if found[-1].witness.falls:
            break
    return tuple(found)


def _cell(choices: list[Start], revolts: int) -> Cell:
    bounds = {choice: choice.bound(revolts) for choice in choices}
    champion: Witness | None = None
    for choice in sorted(choices, key=bounds.__getitem__, reverse=True):
        wanted = min(bounds[choice], REVOLTS + 1 - revolts)
        if champion is not None and champion.new >= wanted:
            break
        witness = choice.witness(revolts, wanted)
        if witness is not None and (champion is None or witness.new > champion.new):
            champion = witness
    assert champion is not None
    return Cell(revolts, max(*bounds.values(), ARMIES), champion)


def _growth(board: Board) -> dict[str, Values]:
    return {str(borders): _of_class(board, borders) for borders in CLASSES}


def _of_class(board: Board, borders: int) -> Values:
    values: dict[str, Value] = {}
    for revolts, bound, witness in cells(board, borders):
        if witness.falls:
            continue
        if witness.new == bound:
            values[f"max.{revolts}"] = bound
        else:
            values |= {f"reached.{revolts}": witness.new, f"bound.{revolts}": bound}
    falls = next((cell.revolts for cell in cells(board, borders) if cell.witness.falls), None)
    unsafe = next((cell.revolts for cell in cells(board, borders) if cell.revolts + cell.bound > REVOLTS), None)
    if falls is not None and falls == unsafe:
        return values | {"falls-with": falls}
    known = {"falls-by": falls, "open-from": unsafe}
    return values | {path: number for path, number in known.items() if number is not None}


def _certify(board: Board, borders: str, values: Values) -> Certificate:
    lines = [f"{cell.witness.position()}: {cell.witness.dice()}" for cell in cells(board, int(borders))]
    return fact_certificate("growth", board, f"growth/{borders}", (), values, {"witnesses": lines})


def _say(borders: str, v: Values) -> str:
    return f"With {occupied(borders)} and no unrest one phase brings new revolts: {_most(v)}. {_fall(v)}."


def _fall(v: Values) -> str:
    """From how many revolts the Empire can fall."""
    revolts = "number of revolts from which the Empire can fall in it because none is left"
    if "falls-with" in v:
        return f"The least {revolts} is {v['falls-with']}"
    if "open-from" not in v:
        return f"There is no {revolts}"
    known = f" and {v['falls-by']} at most" if "falls-by" in v else ""
    return f"The least {revolts} is {v['open-from']} at least{known}"


def _most(v: Values) -> str:
    """The most new revolts, equal numbers taken together."""
    groups: list[tuple[str, list[int]]] = []
    for revolts in range(1, REVOLTS + 1):
        if f"max.{revolts}" in v:
            new = f"at most {v[f'max.{revolts}']}"
        elif f"bound.{revolts}" in v:
            new = f"at most {v[f'reached.{revolts}']} to {v[f'bound.{revolts}']}"
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
        effort=0.3,
    ),
)
