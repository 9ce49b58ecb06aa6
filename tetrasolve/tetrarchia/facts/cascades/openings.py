"""The first Barbarian phase of each level, when nothing is done before it: new revolts, over all set-ups and dice.

A set-up has one revolt in each region, on a province numbered 2 to 6, then additional ones wherever dice can name a province
without a revolt. Without armies at the start a phase has at most one uprising, with an army after it: the numbers of new
revolts and their chances are exact.

Levels with armies at the start are not here: an army on a border lets an uprising in its region go on, and the mean was no
more than an interval.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

from tetrasolve.claims.fact import Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import REGIONS, nameable
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.rules.chance import FACES

MOST_ADDED = 2  # additional revolts
HALF = Fraction(1, 2)
ROLLS = 36

Part = frozenset[str]


class Opening:
    """All set-ups with so many additional revolts."""

    def __init__(self, board: Board, added: int) -> None:
        self.board, self.added = board, added
        self.named = nameable(board)
        self.free = len(self.named) - REGIONS  # provinces that can have an additional revolt
        self.whole = 5**REGIONS * comb(self.free, added)  # all set-ups, in whose number chances are counted
        self._laws: dict[Part, Mapping[Part, int]] = {}
        self.links: Mapping[str, Mapping[str, Fraction]] = {
            place: {
                other: HALF if link.broken else Fraction(1)
                for other, link in board.neighbours(place).items()
                if not board[other].is_border
            }
            for place in self.named
        }

    @cached_property
    def arrivals(self) -> Mapping[str, tuple[str, Fraction]]:
        """For each border the province that an army from there enters, and how likely it passes its link."""
        found = {}
        for border in self.board.borders:
            target = self.board[border].arrow
            if target is not None and not self.board[target].is_border:
                link = self.board.link(border, target)
                found[border] = (target, HALF if link is None or link.broken else Fraction(1))
        return found

    def law(self, places: Part) -> Mapping[Part, int]:
        """In how many set-ups which of these provinces are in revolt, the others being quiet."""
        if places not in self._laws:
            self._laws[places] = self._law(places)
        return self._laws[places]

    def _law(self, places: Part) -> Mapping[Part, int]:
        found: defaultdict[Part, int] = defaultdict(int)
        named = [place for place in places if self.board[place].number]
        by_region = [self._first(named, region) for region in FACES]
        for choice in product(*by_region):
            first = frozenset(place for place, _ in choice if place)
            share = prod(number for _, number in choice)
            others = [place for place in named if place not in first]
            for size in range(min(self.added, len(others)) + 1):
                ways = share * comb(self.free - len(others), self.added - size)
                for more in combinations(others, size):
                    found[first.union(more)] += ways
        return found

    def _first(self, named: list[str], region: int) -> list[tuple[str, int]]:
        """Which of these has the first revolt of a region, or by how many numbers none of them."""
        able = [place for place in named if self.board[place].region == region and self.board[place].number != FACES[0]]
        return [*((place, 1) for place in able), ("", len(FACES) - 1 - len(able))]

    def distribution(self) -> dict[int, Fraction]:
        """The chances of the numbers of new revolts, when all borders are empty."""
        found: defaultdict[int, Fraction] = defaultdict(Fraction)
        found[0] = 1 - Fraction(REGIONS + self.added, ROLLS)
        for place in self.named:
            for border in self.board.borders:
                target, passes = self.arrivals.get(border, (place, Fraction(0)))
                for lying, lying_so in self.law(frozenset({place, target, *self.links[place]})).items():
                    if place in lying:
                        for new, part in self._risen(place, lying, target, passes):
                            found[new] += part * Fraction(lying_so, self.whole * ROLLS * REGIONS)
        return dict(sorted(found.items()))

    def _risen(self, place: str, lying: Part, target: str, passes: Fraction) -> Iterator[tuple[int, Fraction]]:
        """How many revolts an uprising and its army bring, and how likely that is."""
        around = self.links[place]
        broken = sum(holds < 1 for other, holds in around.items() if other not in lying and other != target)
        normal = sum(holds == 1 for other, holds in around.items() if other not in lying and other != target)
        enters = Fraction(0)
        if target not in lying:
            reached = around.get(target, Fraction(0))
            enters = reached + (1 - reached) * passes
        for well in range(broken + 1):
            chance = Fraction(comb(broken, well), 2**broken)
            yield normal + well, chance * (1 - enters)
            yield normal + well + 1, chance * enters


# -- the kindest and the harshest set-up -----------------------------------------------------------------------


def extremes(board: Board) -> Mapping[str, Value]:
    """The set-ups without additional revolts and armies, and the most and the fewest new revolts that one makes expect.

    There is one revolt in each region, on a province numbered 2 to 6.
    """
    numbers = FACES[1:]
    choices = [[board.order[board.at(region, number)] for number in numbers] for region in FACES]
    around = _weights(board)
    arrivals = _arrivals(board)
    most, least, count = 0, 10**9, 0
    for chosen in product(*choices):
        mask = sum(1 << row for row in chosen)
        new = 0
        for row in chosen:
            new += sum(weight for other, weight in around[row] if not mask >> other & 1)
            new += sum(weight for target, weight in arrivals[row] if not mask >> target & 1)
        count += 1
        most, least = max(most, new), min(least, new)
    scale = 36 * UNIT
    return {"set-ups": count, "max": Fraction(most, scale), "min": Fraction(least, scale)}


UNIT = 24  # a new revolt for sure; an army's way is a sixth, and may be halved twice


def _weights(board: Board) -> list[list[tuple[int, int]]]:
    """For each row the Roman provinces around it, with the chance that an uprising reaches them, in `UNIT`."""
    return [
        [
            (board.order[other], UNIT // 2 if link.broken else UNIT)
            for other, link in board.neighbours(place).items()
            if not board[other].is_border
        ]
        for place in board.ids
    ]


def _arrivals(board: Board) -> list[list[tuple[int, int]]]:
    """For each row where the army of its echo goes, and how likely that adds a revolt which its uprising did not."""
    found: list[list[tuple[int, int]]] = []
    for place, reached in zip(board.ids, map(dict, _weights(board)), strict=True):
        ways = []
        for border in board.borders:
            target = board[border].arrow
            if target is not None and not board[target].is_border and target != place:
                link = board.link(border, target)
                weight = (UNIT - reached.get(board.order[target], 0)) // 6
                ways.append((board.order[target], weight // 2 if link is None or link.broken else weight))
        found.append(ways)
    return found


# -- the facts -------------------------------------------------------------------------------------------------


def _derive(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for added in range(MOST_ADDED + 1):
        opening = Opening(board, added)
        uprising = Fraction(REGIONS + added, ROLLS)
        chances = opening.distribution()
        values: dict[str, Value] = {"uprising": uprising, "mean": sum((n * c for n, c in chances.items()), Fraction(0))}
        facts[f"{added}0"] = values | {f"chance.{number}": chance for number, chance in chances.items() if chance}
    facts["00"] = {**facts["00"], **extremes(board)}
    return facts


def _say(level: str, v: Values) -> str:
    return (
        f"At levels that end in {level} the first phase begins with {REGIONS + int(level[0])} revolts and no army. If nothing is "
        f"done against them the chance of an uprising is {v['uprising']}, and {v['mean']} new revolts are expected in the mean of "
        "all set-ups"
        + (f", {v['min']} from the kindest of {v['set-ups']} and {v['max']} from the harshest." if "max" in v else ".")
    )


KINDS = (
    recounted(
        "opening",
        "cascades",
        "New revolts of the first phase at the levels without armies",
        "the chances of set-ups for each few provinces, and what uprisings bring there; at 00 all set-ups too",
        ("links", "kinds", "arrows", "numbers", "regions"),
        {"": Group(_derive, _say)},
        ruleset="the nine levels that end so, with the usual readings",
        effort=0.3,
    ),
)
