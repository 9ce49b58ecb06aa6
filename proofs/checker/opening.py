"""The first phase at each level, over all set-ups: how many new revolts, when nothing is done before it.

The chances of set-ups are built up by the rolls: first one number of 2 to 6 in each region, then the additional revolts one
after the other, each on any province that dice name and where none lies. Only those provinces are told apart that are
asked for.

There is one uprising at most, then an army comes to some border and advances. All of this is summed up exactly.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial

from board import Board

FACES = range(1, 7)
HALF = Fraction(1, 2)
LEVELS = [f"{added}0" for added in range(3)]

Places = frozenset[str]
Law = dict[Places, Fraction]
Step = Callable[[Places], list[tuple[Places, Fraction]]]


def level(board: Board, instance: str) -> Iterator[tuple[str, str]]:
    """The values for the levels that end in these two figures."""
    added = int(instance[0])
    setups = SetUps(board, added)
    yield "uprising", str(Fraction(6 + added, 36))
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
