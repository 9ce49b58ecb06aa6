"""The most new revolts of one Barbarian phase, over all positions with k revolts, u unrest, and n borders not empty.

The argument is that of `growth`, and one thing more. Its first step turns s of the u unrest. The rest of the phase begins
from k + s revolts, and `growth` says what they can come to; but each of them hangs together, by links, with one of the k
revolts of the beginning, the *roots*, and an army within the Empire stands on a root. Take a choice of `growth`; its *hosts*
are the first province and the seeds. Hosts are in different parts, so no two of them are linked, and all around them is among
the places where new revolts are counted.

- If a host is no root, a revolt lies beside it, which is not new. So one place is lost; if no two hosts have a neighbour in
  common, one place for each such host. If all roots are hosts and something has turned, one place is lost as well.
- If all roots are hosts, or there is one root only, a host that is no root hangs together with another host. A revolt lies
  everywhere on the way, and those of them that are among the counted places are lost.

Armies on hosts and borders are counted as in `growth`. Any other army within stands on a root that is no host. Outside of the
counted places it may add a revolt, on a lost place too; on any other place what it adds is made up for by the place
not being new. After the last uprising dice may name an unrest that is left, in a region whose border is not empty, and then
no army comes. Without an uprising dice may name an unrest, and armies add revolts.
"""

from typing import NamedTuple

from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from growth import FALL, Choice, Places, all_choices, replay
from rules import MOST_UNREST
from text import Lines

NO_WAY = 99  # more than any number of provinces


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact: for 1, 2, ... revolts with 0, 1, ... unrest, both up to the first fall."""
    if fact.kind != "growth-unrest" or fact.instance not in [str(number) for number in range(len(board.borders) + 1)]:
        raise lines.refuted(f"there is no fact {fact.id}")
    borders = int(fact.instance)
    grounds = [Ground(board, choice, borders) for choice in all_choices(board, borders)]
    values: dict[str, str] = {}
    fallen = safe = MOST_REVOLTS + MOST_UNREST
    revolts, unrest, over = 1, 0, False
    highest: dict[tuple[int, bool], int] = {}
    for line in lines.section("witnesses"):
        if over:
            raise lines.refuted(
                "the Empire has fallen from fewer revolts without unrest, nothing is expected after that"
            )
        bound = most_new(grounds, highest, revolts, unrest)
        reached = replay(lines, board, line, revolts, borders, unrest)
        values[f"max.{revolts}.{unrest}"] = reached
        values[f"bound.{revolts}.{unrest}"] = str(bound)
        if reached != FALL and int(reached) > bound:
            raise lines.refuted("more than the bound")
        if revolts + bound > MOST_REVOLTS:
            safe = min(safe, revolts + unrest - 1)
        if reached == FALL:
            values[f"falls-with.{revolts}"] = str(unrest)
            fallen, over = min(fallen, revolts + unrest), unrest == 0
        if reached == FALL or unrest == MOST_UNREST - 1:  # with all of it on the map there is another fall
            revolts, unrest, highest = revolts + 1, 0, {}
        else:
            unrest += 1
    if not over and revolts <= MOST_REVOLTS:
        raise lines.refuted(f"expected a witness for {revolts} revolts and {unrest} unrest")
    return values | {"discs": str(fallen), "safe-discs": str(safe)}


def most_new(grounds: list["Ground"], highest: dict[tuple[int, bool], int], revolts: int, unrest: int) -> int:
    """The bound: the largest number over what turns. Numbers for fewer unrest are `highest` already."""
    for turned, left in ((unrest, False), (unrest - 1, True)):
        if turned >= 0:
            risen = max(ground.bound(revolts, turned, left) for ground in grounds)
            highest[turned, left] = turned + max(risen, MOST_ARMIES + left)
    return max(highest[turned, turned < unrest] for turned in range(unrest + 1))


class Way(NamedTuple):
    """From one host to the nearest other: counted places on the way at the least, and provinces at the least."""

    lost: int
    long: int


class Ground:
    """A choice of `growth`, with the ways between its hosts."""

    def __init__(self, board: Board, choice: Choice, borders: int) -> None:
        self.choice = choice
        self.may_name = borders > 0 and choice.armies < MOST_ARMIES  # an echo, and a region with a border not empty
        self.ways: list[Way] = []
        if len(choice.hosts) > 1:
            roman = {place: board.links[place].keys() - board.borders for place in board.provinces}
            for host in choice.hosts:
                others = frozenset[str]().union(*choice.hosts) - host
                lost = between(roman, host, others, choice.places)
                self.ways.append(Way(lost, between(roman, host, others, frozenset(roman))))

    def bound(self, roots: int, turned: int, left: bool) -> int:
        """The most that is new after the first step, from so many roots and as many more as have turned."""
        hosts = len(self.choice.hosts)
        return max(
            (
                self.with_roots(kept, roots, turned, left)
                for kept in range(min(hosts, roots) + 1)
                if hosts - kept <= turned
            ),
            default=0,
        )

    def with_roots(self, kept: int, roots: int, turned: int, left: bool) -> int:
        """The same if so many hosts are roots."""
        choice = self.choice
        lost, long = self.lost(len(choice.hosts) - kept, roots, turned)
        spare = roots + turned - len(choice.hosts)
        if spare < long:
            return 0  # there are not revolts enough
        outside = min(roots - kept, max(0, spare - lost))  # roots that are neither hosts nor on lost places
        near = choice.near if kept else choice.walls
        from_lost = choice.inside - near if lost and roots > kept else frozenset()
        others = from_lost | (choice.far - near if outside else frozenset())
        within = min(roots - kept, len(others), outside + min(lost, len(from_lost)))
        before = min(choice.armies, len(near) + within, len(choice.walls) + roots)
        named = left and self.may_name
        comes = 1 if choice.coming or named else 0
        armies = min(before + comes, len(near | others | choice.coming) + named)
        return len(choice.places) - choice.old - lost + armies

    def lost(self, others: int, roots: int, turned: int) -> tuple[int, int]:
        """The least number of lost places, and of revolts on ways, if so many hosts are no roots."""
        kept = len(self.choice.hosts) - others
        if others == 0 or not self.ways:
            number = 1 if others or (kept == roots and turned) else 0
            return number, number
        apart = all(way.long > 1 for way in self.ways)
        beside = others if apart else 1
        if roots > 1 and roots > kept:
            return beside, beside
        by_lost, by_long = sorted(way.lost for way in self.ways), sorted(way.long for way in self.ways)
        return max(beside, by_lost[others - 1]), max(beside, by_long[others - 1])


def between(links: dict[str, set[str]], start: Places, ends: Places, counted: Places) -> int:
    """The least number of counted provinces that lie between a start and an end."""
    number, here = 0, set(start)
    while here:
        while True:  # what is not counted is passed for nothing
            near = set[str]().union(*(links[place] for place in here))
            if near & ends:
                return number
            free = near - counted - here
            if not free:
                break
            here |= free
        grown = here | near
        if grown == here:
            break
        number, here = number + 1, grown
    return NO_WAY
