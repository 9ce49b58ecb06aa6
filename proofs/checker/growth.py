"""The most new revolts of one Barbarian phase, over all positions with k revolts, u unrest, and n borders that are not empty.

*Without unrest.* The proof of a bound is a short argument and a finite count. Revolts do not spread by themselves. The first
uprising is in a province that dice name, each further one in such a province of a region whose border is not empty, and
where a revolt lies by then. Divide these provinces into connected parts. If the first province neither is in
a part nor touches it, no uprising can begin in the part unless a revolt lay there from the start; call that its seed. So
let U be the parts that do not touch the first province and have a seed. All revolts of the chain are old, or lie around
the first province, around a part that it touches, or around a part of U. Of these places the first province is old, and so
is one seed in each part of U; a seed that has a neighbour in its part is one of these places. At last each of at most three armies
enters one province. An army within the Empire stands on an old revolt. If that is the first province, a seed, or outside
these places, the army may add a revolt; if it is another of these places, the place is not new, which makes up for what
the army adds. An army that an echo brings comes to an empty border; then at most two were on the map before. Without an
uprising only armies add revolts. The checker tries all choices of borders, first province and U, and takes the largest number.

*With unrest.* The first step turns s of the u unrest. The rest of the phase begins from k + s revolts; but each of them is
connected with one of the k revolts of the beginning, the *roots*, and an army within the Empire stands on a root. The *hosts*
of a choice are the first province and the seeds. Hosts are in different parts, so no two of them are linked, and all around
them is among the places where new revolts are counted.

- If a host is no root, a revolt lies beside it, which is not new. So one place is lost; if no two hosts have a neighbour in
  common, one place for each such host. If all roots are hosts and something has turned, one place is lost as well.
- If all roots are hosts, or there is one root only, a host that is no root is connected with another host. A revolt lies
  everywhere on the way, and those of them that are among the counted places are lost.

Armies on hosts and borders are counted as before. Any other army within the Empire stands on a root that is no host. Outside the
counted places it may add a revolt, on a lost place too; on any other place what it adds is made up for by the place
not being new. After the last uprising dice may name an unrest that is left, in a region whose border is not empty, and then
no army comes. Without an uprising dice may name an unrest, and armies add revolts.

*What the certificate chooses.* A position and dice for each k and u, which are replayed. They prove that so much *can* happen. A
poor choice proves less: `max` is stated only where the replay reaches the bound; elsewhere `reached` and `bound` stand apart. The
least unrest, or the least number of discs, from which the Empire can fall is stated only where the bounds exclude
every smaller number; otherwise a number that is enough (`falls-by`) and the first that is not excluded (`open-from`) are.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from barbarian import FACES, Again, Fallen, Phase, Scene, Step
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from phasetext import read_plain
from rules import MOST_UNREST
from text import Lines, Unreadable

CLASSES = ("0", "1", "2")  # borders that are not empty; with more of them the Empire can fall from a single revolt
NO_WAY = 99  # more than any number of provinces
Places = frozenset[str]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact: for 1, 2, ... revolts with 0, 1, ... unrest, both up to the first fall."""
    if fact.kind != "growth" or fact.instance not in CLASSES:
        raise lines.refuted(f"there is no fact {fact.id}")
    borders = int(fact.instance)
    grounds = [Ground(board, choice, borders) for choice in all_choices(board, borders)]
    values: dict[str, str] = {}
    unsafe: dict[int, list[int]] = {}  # numbers of unrest from which the bound does not exclude a fall, by revolts
    falls: dict[int, int] = {}
    revolts, unrest = 1, 0
    highest: dict[tuple[int, bool], int] = {}
    for line in lines.section("witnesses"):
        if falls.get(revolts - 1) == 0 or revolts > MOST_REVOLTS:
            raise lines.refuted("nothing is expected after the last number of revolts, or after a fall without unrest")
        bound = most_new(grounds, highest, revolts, unrest)
        reached = replay(lines, board, line, (revolts, unrest), borders)
        if revolts + bound > MOST_REVOLTS:
            unsafe.setdefault(revolts, []).append(unrest)
        elif reached is None:
            raise lines.refuted("the Empire falls against the bound")
        if reached is None:
            falls[revolts] = unrest
        elif reached > bound:
            raise lines.refuted("more than the bound")
        elif reached == bound:
            values[f"max.{revolts}.{unrest}"] = str(bound)
        else:
            values |= {f"reached.{revolts}.{unrest}": str(reached), f"bound.{revolts}.{unrest}": str(bound)}
        if reached is None or unrest == MOST_UNREST - 1:  # with all of it on the map there is another fall
            revolts, unrest, highest = revolts + 1, 0, {}
        else:
            unrest += 1
    if falls.get(revolts - 1) != 0 and revolts <= MOST_REVOLTS:
        raise lines.refuted(f"expected a witness for {revolts} revolts and {unrest} unrest")
    for number in range(1, revolts):
        values |= least(f".{number}", falls.get(number), min(unsafe.get(number, ()), default=None))
    together = {number + other for number, several in unsafe.items() for other in several}
    fallen = min((number + other for number, other in falls.items()), default=None)
    return values | least("", fallen, min(together, default=None))


def least(path: str, falls: int | None, unsafe: int | None) -> dict[str, str]:
    """The least number from which the Empire can fall: exact if the first that is not excluded is one from which it does."""
    if falls == unsafe:
        return {} if falls is None else {f"falls-with{path}": str(falls)}
    found = {"falls-by": falls, "open-from": unsafe}
    return {f"{word}{path}": str(number) for word, number in found.items() if number is not None}


# -- the bound -------------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """Where revolts of a chain can come to lie: `places`, of which some are surely old; and where armies can go."""

    places: Places
    old: int
    seeds: int
    armies: int  # on the map before
    near: Places  # provinces out of the chain's reach that an army from a border, the first province or a seed enters
    far: Places  # ... that one from another old revolt enters
    coming: Places  # ... that one from an empty border enters
    walls: Places  # ... that one from a border that is not empty enters
    inside: Places  # ... that one from `places` enters
    hosts: tuple[Places, ...]  # where the first province, and each seed, can be


def all_choices(board: Board, borders: int) -> Iterator[Choice]:
    """For each set of so many borders, each first province, and each U; and without echoes, with three armies on the map."""
    around = {place: frozenset(board.links[place]) - board.borders for place in board.provinces}
    named = [place for place in board.provinces if board.number[place]]
    for closed in combinations(sorted(board.borders), borders):
        regions = {board.region[border] for border in closed}
        again = [place for place in named if board.region[place] in regions]
        for first in named:
            near = around[first] | {first}
            yield choice(board, around, closed, first, [], echo=False)
            touched: list[Places] = []
            quiet: list[Places] = []
            for part in hanging_together(again, around):
                (touched if part & near else quiet).append(part)
            for count in range(len(quiet) + 1):
                for seeded in combinations(quiet, count):
                    yield choice(board, around, closed, first, touched, echo=True, seeded=seeded)


def hanging_together(places: list[str], around: dict[str, Places]) -> Iterator[Places]:
    """These provinces, divided by the links among them."""
    left = set(places)
    while left:
        part = {min(left)}
        while True:
            grown = part | {place for place in left if around[place] & part}
            if grown == part:
                break
            part = grown
        left -= part
        yield frozenset(part)


def choice(
    board: Board,
    around: dict[str, Places],
    closed: tuple[str, ...],
    first: str,
    touched: list[Places],
    *,
    echo: bool,
    seeded: tuple[Places, ...] = (),
) -> Choice:
    """What the argument needs to know of a choice."""
    rising = {first}.union(*touched, *seeded)
    places = frozenset({first}).union(*(around[place] for place in rising))

    def entered(armies: Iterable[str]) -> Places:
        targets = {board.arrow[army] for army in armies if army in board.arrow}
        return frozenset(targets) - places - board.borders - {board.roma}

    outside = [place for place in board.provinces if place not in board.borders | places]
    return Choice(
        places,
        old=1 + sum(len(part) > 1 for part in seeded),
        seeds=len(seeded),
        armies=MOST_ARMIES - 1 if echo else MOST_ARMIES,
        near=entered([*closed, first, *frozenset().union(*seeded)]),
        far=entered(outside),
        coming=entered(board.borders.difference(closed)) if echo else frozenset(),
        walls=entered(closed),
        inside=entered(places),
        hosts=(frozenset({first}), *seeded),
    )


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


# -- witnesses -------------------------------------------------------------------------------------------------


def replay(lines: Lines, board: Board, line: str, expected: tuple[int, int], borders: int) -> int | None:
    """The number of new revolts in a position of the class with the dice that are stated; None: a fall for want of one."""
    text, colon, dice = line.partition(": ")
    try:
        phase, scene = read_plain(text, board)
    except Unreadable as error:
        raise lines.unreadable(f"position: {error}") from None
    closed = sum(not scene.empty(border) for border in board.borders)
    discs = len(scene.table.revolts), len(scene.table.unrest)
    if not colon or discs != expected or closed != borders:
        raise lines.refuted(
            "expected a position with {} revolts, {} unrest and {} borders not empty".format(*expected, borders)
        )
    end = thrown(lines, phase, scene, dice)
    if isinstance(end, Fallen):
        if end.why != "revolts":
            raise lines.refuted("the Empire falls for another reason")
        return None
    return len(end.table.revolts - scene.table.revolts)


def thrown(lines: Lines, phase: Phase, scene: Scene, dice: str) -> Scene | Fallen:
    """How the phase ends with these dice: each roll a word and its faces, in the order in which they are rolled."""
    step: Step = phase.begin(scene)
    for roll in dice.split(", "):
        word, *faces = roll.split(" ")
        if isinstance(step, Scene | Fallen):
            raise lines.refuted(f"'{roll}' is left when the phase is over")
        expected, results = phase.roll(step)
        if word != expected or 6 ** len(faces) != len(results) or any(face not in map(str, FACES) for face in faces):
            raise lines.refuted(f"'{roll}' is not the roll that comes now, '{expected}'")
        if word == "link" and faces[0] not in "16":
            raise lines.unreadable("a link that holds is written 6, another 1")
        index = 0
        for face in faces:
            index = 6 * index + int(face) - 1
        if isinstance(step, Again):
            look_at_order(lines, phase, step, int(faces[0]))
        step = results[index]
    if not isinstance(step, Scene | Fallen):
        raise lines.refuted("the dice end before the phase does")
    return step


def look_at_order(lines: Lines, phase: Phase, step: Again, number: int) -> None:
    """The order in which provinces rise does not matter, so it is fixed: always the first one that brings a revolt."""
    board, revolts = phase.board, step.scene.table.revolts
    place = phase.at[step.region, number]
    able = [
        other
        for other in board.provinces
        if other in revolts
        and board.number[other]
        and not step.scene.empty(phase.border[board.region[other]])
        and board.links[other].keys() - board.borders - revolts
    ]
    if place in revolts and [place] != able[:1]:
        raise lines.unreadable(
            f"expected {able[0] if able else 'no other province'} to rise next, the first one that can bring a revolt"
        )
