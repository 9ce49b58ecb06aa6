"""What a position must have so that two values of a reading can differ in it, and why: data/needed.toml.

A row has steps and pieces, or with `least` the fewest pieces of a position, the pawn among them. Pieces are alternatives, each a
list of terms:

================ =====================================================
term             pieces
================ =====================================================
`points n`       n points of the dice above 1
`die n`          n of them on one die
`open-u n`       n of them on dice of u tribes, and white cubes of the others
`white n`        white cubes of n tribes
`each-or n`      of n tribes a point above 1 or the white cube
`own n`          n cubes of its own suit in a region
`neighbours n`   n cubes of a tribe in a region and in one beside it
`beside n`       n cubes of a tribe beside a region of its suit that has one
`decline n`      n cubes of the decline beyond the first
================ =====================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from itertools import combinations, combinations_with_replacement, product
from types import MappingProxyType

from tetrasolve.errors import FindingError
from tetrasolve.finem.layout import REGIONS, TRIBES, Layout
from tetrasolve.finem.lint.domain import DECLINE, DICE, WHITE, Table, can_be, cube, joined, table_of
from tetrasolve.finem.lint.pairs import Pair, pairs
from tetrasolve.finem.position import Position, Step
from tetrasolve.strict import read_toml

ROWS = "data/needed.toml"
# What every position of a second turn has: the three points of a campaign, or the white cube of a tribe that they pacified
LATER = ("points 3", "white 1")

Term = Callable[[int, Layout], Iterator[Table]]


@dataclass(frozen=True, slots=True)
class Needed:
    """A row: what is needed at some steps (None: at all), and why, by language."""

    of: tuple[str, ...] = ()
    steps: frozenset[Step] | None = None
    pieces: tuple[tuple[str, ...], ...] = ()
    least: int = 1
    why: Mapping[str, str] = field(default_factory=dict)

    def seeds(self, layout: Layout) -> frozenset[Table]:
        """The smallest tables that have what is needed, and what a second turn has."""
        return _seeds(self.pieces or ((),), layout)

    def is_met(self, position: Position) -> bool:
        """Whether a position has what is needed, at one of the steps."""
        table = Counter(table_of(position))
        if (self.steps is not None and position.step not in self.steps) or table.total() < self.least - 1:
            return False
        return any(table >= Counter(seed) for seed in self.seeds(position.layout))


@cache
def rows() -> tuple[Needed, ...]:
    """All rows.

    :raises FindingError: when the file has a term, a reading or a pair of values that does not exist.
    """
    found, known = [], {name for pair in pairs() for name in (pair.id, pair.reading)}
    for row in read_toml(resources.files("tetrasolve.finem").joinpath(ROWS).read_text("utf-8"))["needed"]:
        pieces = tuple(tuple(terms) for terms in row.get("pieces", ()))
        for term in (term for terms in pieces for term in terms):
            name, _, number = term.partition(" ")
            if name not in TERMS or not number.isdecimal():
                raise FindingError(f"{ROWS}: {term!r}: expected a term like {', '.join(TERMS)}, and a number")
        if unknown := {*row["of"]} - known:
            raise FindingError(f"{ROWS}: {', '.join(sorted(unknown))}: expected readings or pairs of values")
        steps = frozenset(map(Step, row["steps"])) if "steps" in row else None
        why = MappingProxyType({language: row[language] for language in ("en", "es")})
        found.append(Needed(tuple(row["of"]), steps, pieces, row.get("least", 1), why))
    return tuple(found)


def needed(pair: Pair) -> tuple[Needed, ...]:
    """The rows of a pair of values; one that needs nothing where it has none.

    >>> from tetrasolve.finem.lint.pairs import pairs
    >>> [([*map(str, row.steps)], row.pieces) for row in needed(pairs(["E-WAR"])[0])]
    [(['civil-war'], (('own 3',),))]
    """
    found = tuple(row for row in rows() if pair.reading in row.of or pair.id in row.of)
    return found or (Needed(),)


def why_needed(pair: Pair, language: str) -> str:
    """Why a position must have what the rows of a pair say; nothing where it has none."""
    return "; ".join(row.why[language] for row in needed(pair) if row.why)


# -- terms -----------------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _seeds(pieces: Sequence[Sequence[str]], layout: Layout) -> frozenset[Table]:
    found: set[Table] = set()
    for terms in pieces:
        some: set[Table] = {()}
        for term in terms:
            ways = _ways(term, layout)
            some = {joined(one, way) for one in some for way in ways}
        ways = tuple(way for term in LATER for way in _ways(term, layout))
        later = {joined(one, way) for one in some if not _is_later(one) for way in ways}
        found |= later | {*filter(_is_later, some)}
    return frozenset(filter(can_be, found))


def _ways(term: str, layout: Layout) -> tuple[Table, ...]:
    name, _, number = term.partition(" ")
    return tuple(TERMS[name](int(number), layout))


def _is_later(table: Table) -> bool:
    """Whether a table has what a second turn has."""
    return sum(DICE <= slot < WHITE for slot in table) >= 3 or any(WHITE <= slot < DECLINE for slot in table)


def _points(number: int, _: Layout) -> Iterator[Table]:
    yield from combinations_with_replacement(range(DICE, WHITE), number)


def _die(number: int, _: Layout) -> Iterator[Table]:
    yield from ((die,) * number for die in range(DICE, WHITE))


def _open(tribes: int) -> Term:
    def term(number: int, _: Layout) -> Iterator[Table]:
        for some in combinations(range(len(TRIBES)), tribes):
            white = tuple(WHITE + at for at in range(len(TRIBES)) if at not in some)
            for points in combinations_with_replacement([DICE + at for at in some], number):
                yield (*points, *white)

    return term


def _white(number: int, _: Layout) -> Iterator[Table]:
    yield from combinations(range(WHITE, DECLINE), number)


def _each_or(number: int, _: Layout) -> Iterator[Table]:
    for some in combinations(range(len(TRIBES)), number):
        yield from (tuple(sorted(way)) for way in product(*((DICE + at, WHITE + at) for at in some)))


def _own(number: int, _: Layout) -> Iterator[Table]:
    yield from ((cube(region, region[0]),) * number for region in REGIONS)


def _neighbours(number: int, layout: Layout) -> Iterator[Table]:
    for region in REGIONS:
        for other in layout.neighbours[region]:
            for tribe in TRIBES:
                yield tuple(sorted((cube(region, tribe), cube(other, tribe)) * number))


def _beside(number: int, layout: Layout) -> Iterator[Table]:
    for region in REGIONS:
        for other in layout.neighbours[region]:
            yield tuple(sorted((cube(region, region[0]), *(cube(other, region[0]),) * number)))


def _decline(number: int, _: Layout) -> Iterator[Table]:
    yield (DECLINE,) * number


TERMS: Mapping[str, Term] = {
    "points": _points,
    "die": _die,
    "open-1": _open(1),
    "open-2": _open(2),
    "open-3": _open(3),
    "open-4": _open(4),
    "white": _white,
    "each-or": _each_or,
    "own": _own,
    "neighbours": _neighbours,
    "beside": _beside,
    "decline": _decline,
}
