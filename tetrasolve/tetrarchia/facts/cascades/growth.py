"""The most new revolts that one Barbarian phase can bring, over all positions without unrest.

A class of positions: k revolts, no unrest, and n borders that are not empty when the phase begins, whoever or whatever is
on them. The first uprising can be in any province that dice name, each further one only in a region whose border is not
empty. These regions fall into parts that hang together by links. A part in which nothing lies and which does not touch
the first uprising stays quiet; one that the first uprising touches costs nothing; any other must have a revolt from the
beginning, its seed. So for each choice of the borders, the first province and the parts with seeds, all new revolts of the
chain lie around the first province and these parts. Up to three armies then enter one province each. The largest of the
bounds holds for the class; a position with dice that are replayed shows how far it is reached.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import combinations

from tetrasolve.certify.form import Certificate
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import READINGS, occupied
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.facts.saying import whole
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, EchoRegion, Uprising
from tetrasolve.tetrarchia.rules.advance import Crossing
from tetrasolve.tetrarchia.rules.barbarian import begin
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.revolts import Spreading
from tetrasolve.tetrarchia.ruleset import ARMIES, REVOLTS, Ruleset

FALL = "fall"  # instead of a number: the reserve of revolts can be emptied
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

    def bound(self, revolts: int) -> int:
        """More revolts than this cannot be added to so many by this choice."""
        spare = revolts - 1 - len(self.seeded)
        if spare < 0:
            return 0
        seeds = sum(len(part) > 1 for part in self.seeded)  # what lies among others of its part is not new
        near, far, coming = (frozenset(ways.values()) for ways in (self.near, self.far, self.coming))
        before = min(self.before, len(near) + min(spare, len(far - near)))
        targets = near | coming | (far if spare else frozenset())
        return len(self.reach) - 1 - seeds + min(before + bool(coming), len(targets))

    # -- witnesses ---------------------------------------------------------------------------------------------

    def witness(self, revolts: int) -> Witness | None:
        """A position with so many revolts for which much is added; None where there is no room for it."""
        champion: Witness | None = None
        sources = [*self.near, *self.far] if revolts > 1 else list(self.near)
        for size in range(self.before, -1 if self.chain else self.before - 1, -1):
            for armies in combinations(sources, size):
                found = self._with_armies(armies, revolts)
                if found is not None and (champion is None or found.new > champion.new):
                    champion = found
                    if champion.new >= self.bound(revolts):
                        return champion
            if champion is not None:
                break
        return champion

    def _with_armies(self, armies: tuple[str, ...], revolts: int) -> Witness | None:
        board = self.board
        seeds = {min(part, key=board.order.__getitem__) for part in self.seeded}
        under = {army for army in armies if not board[army].is_border} | {self.first} | seeds
        targets = {str(board[army].arrow) for army in armies}
        if len(targets) < len(armies) or targets & under or len(under) > revolts:
            return None
        away = next((b for b, target in self.coming.items() if target not in targets | under), None)
        coming = away or next(self.borders_of(inside=False), None)
        entered = targets | ({str(board[away].arrow)} if away else set())
        rest = [p for p in board.ids if not board[p].is_border and p not in under]
        rest.sort(key=lambda place: place in self.reach | entered)
        lying = frozenset(under.union(rest[: revolts - len(under)]))
        risen, after = self.spread(lying)
        return Witness(
            self, lying, armies, tuple(risen), coming if self.chain else None, len(after | entered) - revolts
        )


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
    def value(self) -> int | str:
        """The number of new revolts, or the fall."""
        return FALL if self.new + len(self.revolts) > REVOLTS else self.new

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
        new = FALL if isinstance(step, Fall) else len(step.revolts - position.revolts)
        assert new == self.value, (str(position), rolls, new, self.value)
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


@lru_cache(maxsize=16)
def best(board: Board, borders: int) -> tuple[tuple[int, Witness], ...]:
    """For 1, 2, ... revolts the bound of the class and a witness that comes near to it, up to the first that falls."""
    found: list[tuple[int, Witness]] = []
    choices = list(starts(board, borders))
    for revolts in range(1, REVOLTS + 1):
        bounds = [start.bound(revolts) for start in choices]
        ranked = sorted(range(len(choices)), key=lambda number: -bounds[number])
        champion: Witness | None = None
        for number in ranked:
            if champion is not None and champion.new >= min(bounds[number], REVOLTS + 1 - revolts):
                break
            witness = choices[number].witness(revolts)
            if witness is not None and (champion is None or witness.new > champion.new):
                champion = witness
        assert champion is not None
        found.append((max(bounds[ranked[0]], ARMIES), champion))
        if champion.value == FALL:
            break
    return tuple(found)


def _growth(board: Board) -> dict[str, Values]:
    return {str(borders): _of_class(board, borders) for borders in range(len(board.borders) + 1)}


def _of_class(board: Board, borders: int) -> Values:
    values: dict[str, Value] = {"falls-from": 0, "safe-to": 0}
    for revolts, (bound, witness) in enumerate(best(board, borders), start=1):
        values[f"max.{revolts}"] = witness.value
        values[f"bound.{revolts}"] = bound
        if witness.value == FALL:
            values["falls-from"] = revolts
        if revolts + bound <= REVOLTS:
            values["safe-to"] = revolts
    return values


def _certify(board: Board, borders: str, values: Values) -> Certificate:
    lines = [f"{witness.position()}: {witness.dice()}" for _, witness in best(board, int(borders))]
    return fact_certificate("growth", board, f"growth/{borders}", (), values, {"witnesses": lines})


def _say(borders: str, v: Values) -> str:
    falls, safe = whole(v, "falls-from"), whole(v, "safe-to")
    never = "no number of revolts is enough that the Empire can fall in it for want of another"
    least = (
        f"the least number of revolts from which the Empire can fall in it for want of another is {falls}"
        if falls
        else never
    )
    doubt = "" if not falls or safe == falls - 1 else f" (that fewer are not enough is proved up to {safe})"
    most = f"one phase can add at most {_most(v, (falls or REVOLTS + 1) - 1)}; " if falls != 1 else "for one phase "
    return f"With {occupied(borders)} and no unrest {most}{least}{doubt}."


def _most(v: Values, last: int) -> str:
    """The most new revolts, equal numbers taken together."""
    said: list[list[object]] = []
    for k in range(1, last + 1):
        new = str(v[f"max.{k}"]) if v[f"max.{k}"] == v[f"bound.{k}"] else f"{v[f'max.{k}']} or up to {v[f'bound.{k}']}"
        if said and said[-1][0] == new:
            said[-1][2] = k
        else:
            said.append([new, k, k])
    return ", ".join(f"{new} revolts to {first}" + (f" to {to}" if to != first else "") for new, first, to in said)


KINDS = (
    Kind(
        "growth",
        "cascades",
        "The most new revolts of one phase, by the borders that are not empty",
        "a bound for every choice of borders, first province and seeds, and positions with dice that come to it",
        "growth",
        ("links", "arrows", "numbers", "regions"),
        _growth,
        _certify,
        _say,
        ruleset=READINGS,
        effort=0.4,
    ),
)
