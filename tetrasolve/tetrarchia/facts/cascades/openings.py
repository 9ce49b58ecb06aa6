"""The first Barbarian phase of each level, when nothing is done before it: new revolts, over all set-ups and dice.

A set-up has one revolt in each region, on a province numbered 2 to 6, then additional ones wherever dice can name a province
without a revolt. Without armies at the start a phase has at most one uprising, with an army after it: the numbers of new
revolts and their chances are exact.

An army on a border lets an uprising in its region go on, and the chain has no end that could be foreseen. So the mean is put
between two numbers. To the lower one come, for each pair and triple of provinces, what the first uprising brings, what
the armies of the set-up and one that comes after the first uprising bring, and what a second uprising brings. What is left
out is no more than what the higher one has: an army after a second uprising, and as many revolts as an uprising can bring
at all for each uprising that is expected after it. Revolts for which no disc is left are counted like others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from math import comb, prod

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import REGIONS, counted_kind, nameable
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.facts.saying import many
from tetrasolve.tetrarchia.rules.chance import FACES

MOST_ADDED = 2  # additional revolts, and additional armies
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

    def count(self, inside: set[str], outside: set[str]) -> int:
        """In how many set-ups these are in revolt and those are not."""
        if inside & outside or not all(self.board[place].number for place in inside):
            return 0
        return self.law(frozenset(inside | outside)).get(frozenset(inside), 0)

    # -- without armies ----------------------------------------------------------------------------------------

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

    # -- with armies -------------------------------------------------------------------------------------------

    def mean_between(self, armies: int) -> tuple[Fraction, Fraction]:
        """Two numbers between which the mean of new revolts lies, with so many armies at the start."""
        groups = list(combinations(self.board.borders, armies))
        least = self.by_first + sum(
            (self._by_armies(group) + self._by_second(group) for group in groups), Fraction(0)
        ) / len(groups)
        most_around = max(map(len, self.links.values()))
        again = Fraction(armies, REGIONS - armies)  # uprisings after the second, if it never fails to name a revolt
        return least, least + self.second * armies * (1 + again * most_around)

    @cached_property
    def by_first(self) -> Fraction:
        """The revolts that the first uprising brings."""
        total = sum(self._hits(place, other) for place in self.named for other in self.links[place])
        return Fraction(total, 2 * ROLLS * self.whole)

    @cached_property
    def second(self) -> Fraction:
        """How likely there is a second uprising, for each army at the start."""
        total = sum(self._both(place, other, set()) for place in self.named for other in self.named)
        return Fraction(total, 2 * ROLLS * ROLLS * REGIONS * self.whole)

    def _halves(self, place: str, other: str) -> int:
        """How likely an uprising in one reaches the other, in halves."""
        return int(2 * self.links[place].get(other, 0))

    def _hits(self, place: str, other: str) -> int:
        """Half set-ups in which one is in revolt and its uprising would bring a revolt to the other."""
        return self._halves(place, other) * self.count({place}, {other})

    def _both(self, place: str, other: str, outside: set[str]) -> int:
        """Half set-ups in which one is in revolt, the other too when the first has risen, and some are not at the start."""
        halves = self._halves(place, other)
        both = 2 * self.count({place, other}, outside)
        return both + halves * self.count({place}, outside | {other}) if halves else both

    def _entered(self, group: tuple[str, ...]) -> dict[str, Fraction]:
        """How likely armies on these borders enter each province."""
        found: dict[str, Fraction] = {}
        for border in group:
            if border in self.arrivals:
                target, passes = self.arrivals[border]
                found[target] = 1 - (1 - found.get(target, Fraction(0))) * (1 - passes)
        return found

    def _by_armies(self, group: tuple[str, ...]) -> Fraction:
        """What armies bring that the first uprising has not brought: those of the set-up, and one that comes after it."""
        entered = self._entered(group)
        total = sum((passes * sum(self._missed[target]) for target, passes in entered.items()), Fraction(0))
        for border, (target, passes) in self.arrivals.items():
            if border not in group:
                late = passes * (1 - entered.get(target, Fraction(0)))
                total += late * self._missed[target][1] / REGIONS
        return total

    @cached_property
    def _missed(self) -> Mapping[str, tuple[Fraction, Fraction]]:
        """For where armies go: how likely no revolt is there, without an uprising, and after a first one."""
        found = {}
        for target, _ in self.arrivals.values():
            risen = sum(self.count({place}, {target}) for place in self.named)
            hit = sum(self._hits(place, target) for place in self.named)
            quiet = Fraction(ROLLS * self.count(set(), {target}) - risen, ROLLS * self.whole)
            found[target] = quiet, Fraction(2 * risen - hit, 2 * ROLLS * self.whole)
        return found

    def _by_second(self, group: tuple[str, ...]) -> Fraction:
        """What a second uprising brings that nothing else has brought."""
        entered = self._entered(group)
        regions = {self.board[border].region for border in group}
        total = Fraction(0)
        for other in (place for place in self.named if self.board[place].region in regions):
            for target, new in self._second[other].items():
                total += new * (1 - entered.get(target, Fraction(0)))
        return total

    @cached_property
    def _second(self) -> Mapping[str, Mapping[str, Fraction]]:
        """For each province the revolts that a second uprising in it brings, and how likely each."""
        return {other: {target: self._new_by(other, target) for target in self.links[other]} for other in self.named}

    def _new_by(self, other: str, target: str) -> Fraction:
        """How likely dice name a province that rises and then this one, and only this brings the target to revolt."""
        total = sum(
            (2 - self._halves(place, target)) * self._both(place, other, {target})
            for place in self.named
            if place != target and self._halves(place, target) < 2
        )
        return Fraction(self._halves(other, target) * total, 8 * ROLLS * ROLLS * self.whole)


# -- the facts -------------------------------------------------------------------------------------------------


def _derive(board: Board) -> dict[str, Values]:
    facts: dict[str, Values] = {}
    for added in range(MOST_ADDED + 1):
        opening = Opening(board, added)
        uprising = Fraction(REGIONS + added, ROLLS)
        chances = opening.distribution()
        values: dict[str, Value] = {"uprising": uprising, "mean": sum((n * c for n, c in chances.items()), Fraction(0))}
        facts[f"{added}0"] = values | {f"chance.{number}": chance for number, chance in chances.items() if chance}
        for armies in range(1, MOST_ADDED + 1):
            least, most = opening.mean_between(armies)
            facts[f"{added}{armies}"] = {"uprising": uprising, "least-mean": least, "most-mean": most}
    return facts


def _say(level: str, v: Values) -> str:
    revolts = many(REGIONS + int(level[0]), "revolt")
    armies = many(int(level[1]), "army", "armies") if level[1] != "0" else "no army"
    mean = (
        f"{v['mean']}"
        if "mean" in v
        else f"between {_three(v['least-mean'], up=False)} and {_three(v['most-mean'], up=True)}"
    )
    return (
        f"At levels that end in {level} the first phase begins with {revolts} and {armies}. If nothing is done against them the "
        f"chance of an uprising is {v['uprising']}, and {mean} new revolts are expected in the mean of all set-ups."
    )


def _three(number: Value, *, up: bool) -> str:
    """A number to three places, rounded away from what it bounds.

    >>> _three(Fraction(2, 3), up=False), _three(Fraction(2, 3), up=True)
    ('0.666', '0.667')
    """
    thousandths = Fraction(str(number)) * 1000
    whole = -(-thousandths // 1) if up else thousandths // 1
    return f"{whole // 1000}.{whole % 1000:03d}"


KINDS: tuple[Kind, ...] = (
    counted_kind(
        "opening-level",
        "New revolts of the first phase at each level",
        "the chances of set-ups for each few provinces, and what uprisings and armies bring there",
        ("links", "kinds", "arrows", "numbers", "regions"),
        _derive,
        _say,
        ruleset="the nine levels that end so, with the usual readings",
        effort=0.5,
    ),
)
