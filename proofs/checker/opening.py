"""The first phase at each level, over all set-ups: how many new revolts, when nothing is done before it.

The chances of set-ups are built up by the rolls: first one number of 2 to 6 in each region, then the additional revolts one
after the other, each on any province that dice name and where none lies. Only those provinces are told apart that are
asked for.

Without armies there is one uprising at most, then an army comes to some border and advances. All of this is summed up exactly.
With armies the mean lies between two numbers. To the lower one add: what the first uprising brings; then, where it brings
nothing, what an army of the set-up brings, or the army that comes at once; then what a second uprising brings, if no army of the
set-up does so too. Nothing is counted twice, as an army comes only when no further uprising does. What is left out: an army that
comes after a second uprising, one revolt at most; and what a third one and those after it bring. Each is followed by another
with chance A/6 at most, where A armies were set up, and brings no more revolts than the most neighbours of a province.
Revolts are counted even if no disc is left.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import combinations

from board import Board

FACES = range(1, 7)
HALF = Fraction(1, 2)
LEVELS = [f"{added}{armies}" for added in range(3) for armies in range(3)]

Places = frozenset[str]
Law = dict[Places, Fraction]
Step = Callable[[Places], list[tuple[Places, Fraction]]]


def level(board: Board, instance: str) -> Iterator[tuple[str, str]]:
    """The values for the levels that end in these two figures."""
    added, armies = map(int, instance)
    setups = SetUps(board, added)
    yield "uprising", str(Fraction(6 + added, 36))
    if armies:
        least, most = setups.between(armies)
        yield "least-mean", str(least)
        yield "most-mean", str(most)
        return
    chances = setups.chances()
    yield "mean", str(sum((number * chance for number, chance in chances.items()), Fraction(0)))
    for number, chance in chances.items():
        if chance:
            yield f"chance.{number}", str(chance)


class SetUps:
    """All set-ups with so many additional revolts, and what becomes of them."""

    def __init__(self, board: Board, added: int) -> None:
        self.board, self.added = board, added
        self.named = [place for place in board.provinces if board.number[place]]
        self.laws: dict[Places, Law] = {}
        self.known: dict[int, list[tuple[str, Fraction]]] = {}  # by region: what a second uprising there brings
        # how likely an uprising in one province reaches another
        self.reach = {
            place: {other: HALF if broken else Fraction(1) for other, broken in board.links[place].items()}
            for place in self.named
        }
        for reached in self.reach.values():
            for border in board.borders:
                reached.pop(border, None)
        # where an army from a border goes, and how likely it comes there
        self.way = {
            border: (board.arrow[border], HALF if board.links[border].get(board.arrow[border], True) else Fraction(1))
            for border in sorted(board.borders, key=board.row.__getitem__)
            if border in board.arrow and board.arrow[border] not in board.borders
        }

    # -- set-ups -----------------------------------------------------------------------------------------------

    def law(self, asked: Iterable[str]) -> Law:
        """The chances of what is in revolt among the provinces that are asked for."""
        places = frozenset(place for place in asked if self.board.number[place])
        if places not in self.laws:
            law: Law = {frozenset(): Fraction(1)}
            for region in FACES:
                law = spread(law, partial(self.first, places, region))
            for drawn in range(self.added):
                law = spread(law, partial(self.another, places, len(self.named) - 6 - drawn))
            self.laws[places] = law
        return self.laws[places]

    def first(self, places: Places, region: int, _: Places) -> list[tuple[Places, Fraction]]:
        """The revolt of a region."""
        able = [place for place in places if self.board.region[place] == region and self.board.number[place] > 1]
        rest = Fraction(5 - len(able), 5)
        return [(frozenset(), rest), *((frozenset([place]), Fraction(1, 5)) for place in able)]

    def another(self, places: Places, left: int, now: Places) -> list[tuple[Places, Fraction]]:
        """One additional revolt, when so many provinces that dice name are left without one."""
        rest = Fraction(left - len(places - now), left)
        return [(frozenset(), rest), *((frozenset([place]), Fraction(1, left)) for place in places - now)]

    def chance(self, inside: set[str], outside: set[str]) -> Fraction:
        """The chance that these are in revolt and those are not."""
        if inside & outside or not inside <= set(self.named):
            return Fraction(0)
        return self.law(inside | outside).get(frozenset(inside), Fraction(0))

    # -- without armies ----------------------------------------------------------------------------------------

    def chances(self) -> dict[int, Fraction]:
        """The chance of each number of new revolts."""
        found = {0: 1 - Fraction(6 + self.added, 36)}
        for place in self.named:
            for border in self.board.borders:
                target, comes = self.way.get(border, (place, Fraction(0)))
                for lying, share in self.law([place, target, *self.reach[place]]).items():
                    if place not in lying:
                        continue
                    # each province around and the one that the army enters: how likely a revolt comes there
                    fresh = {other: chance for other, chance in self.reach[place].items() if other not in lying}
                    if target not in lying:
                        fresh[target] = 1 - (1 - fresh.get(target, Fraction(0))) * (1 - comes)
                    for number, chance in coins(fresh.values()).items():
                        found[number] = found.get(number, Fraction(0)) + share * chance / (36 * 6)
        return found

    # -- with armies -------------------------------------------------------------------------------------------

    def between(self, armies: int) -> tuple[Fraction, Fraction]:
        """Numbers below and above the mean."""
        first = Fraction(0)
        for place in self.named:
            for other, reaches in self.reach[place].items():
                first += reaches * self.chance({place}, {other}) / 36
        groups = [frozenset(group) for group in combinations(self.board.borders, armies)]
        more = sum((self.by_armies(group) + self.by_second(group) for group in groups), Fraction(0)) / len(groups)
        twice = Fraction(0)  # the chance of a second uprising
        for place in self.named:
            for other in self.named:
                twice += self.both(place, other, None) * Fraction(armies, 6) / 36**2
        later = Fraction(armies, 6) / (1 - Fraction(armies, 6))
        widest = max(map(len, self.reach.values()))
        return first + more, first + more + twice * (1 + later * widest)

    def both(self, place: str, other: str, quiet: str | None) -> Fraction:
        """The chance that one is in revolt, the other too after an uprising in the first, and a third is quiet at the start."""
        outside = {quiet} if quiet is not None else set()
        spread_to = self.reach[place].get(other, Fraction(0)) * self.chance({place}, outside | {other})
        return self.chance({place, other}, outside) + spread_to

    def entered(self, group: Places) -> dict[str, Fraction]:
        """How likely armies on these borders enter each province."""
        stays: dict[str, Fraction] = {}
        for border in group & self.way.keys():
            target, comes = self.way[border]
            stays[target] = stays.get(target, Fraction(1)) * (1 - comes)
        return {target: 1 - chance for target, chance in stays.items()}

    def by_armies(self, group: Places) -> Fraction:
        """What armies add to the first uprising."""
        entered = self.entered(group)
        total = Fraction(0)
        for target, comes in entered.items():
            hit = sum(
                (self.reach[p].get(target, Fraction(0)) * self.chance({p}, {target}) for p in self.named), Fraction(0)
            )
            total += comes * (self.chance(set(), {target}) - hit / 36)
        for border in self.way.keys() - group:
            target, comes = self.way[border]
            for place in self.named:
                missed = self.chance({place}, {target}) * (1 - self.reach[place].get(target, Fraction(0)))
                total += missed / 36 / 6 * comes * (1 - entered.get(target, Fraction(0)))
        return total

    def by_second(self, group: Places) -> Fraction:
        """What a second uprising adds to all that."""
        entered = self.entered(group)
        return sum(
            (
                chance * (1 - entered.get(target, Fraction(0)))
                for border in group
                for target, chance in self.seconds(self.board.region[border])
            ),
            Fraction(0),
        )

    def seconds(self, region: int) -> list[tuple[str, Fraction]]:
        """Provinces that a second uprising in a region brings to revolt, with the chance of each uprising."""
        if region not in self.known:
            self.known[region] = [
                (
                    target,
                    reaches
                    * (1 - self.reach[place].get(target, Fraction(0)))
                    * self.both(place, other, target)
                    / 36**2,
                )
                for other in self.named
                if self.board.region[other] == region
                for target, reaches in self.reach[other].items()
                for place in self.named
                if place != target
            ]
        return self.known[region]


def spread(law: Law, step: Step) -> Law:
    """The chances after one more roll, which adds revolts."""
    after: Law = {}
    for now, share in law.items():
        for new, chance in step(now):
            after[now | new] = after.get(now | new, Fraction(0)) + share * chance
    return after


def coins(chances: Iterable[Fraction]) -> dict[int, Fraction]:
    """How many of these come true."""
    found = {0: Fraction(1)}
    for chance in chances:
        grown: dict[int, Fraction] = {}
        for number, share in found.items():
            for new, part in ((number, share * (1 - chance)), (number + 1, share * chance)):
                if part:
                    grown[new] = grown.get(new, Fraction(0)) + part
        found = grown
    return found
