"""The most new revolts of one Barbarian phase, over all positions with k revolts, no unrest, and n borders not empty.

The proof of a bound is a short argument and a finite count. Without unrest revolts do not spread by themselves. The first
uprising is in a province that dice name, each further one in such a province of a region whose border is not empty, and
where a revolt lies then. Divide these provinces into parts that hang together by links. If the first province neither is in
a part nor touches it, then no uprising can begin in the part unless a revolt lay there from the start; call that its seed. So
let U be the parts that do not touch the first province and have a seed. All revolts of the chain are old ones, or lie around
the first province, around a part that it touches, or around a part of U. Of these places the first province is old, and so
is one seed in each part of U; a seed that has a neighbour in its part is one of these places. At last each of three armies at most
enters one province. An army from within the Empire stands on an old revolt. If that is the first province, a seed, or outside
these places, the army may add a revolt; if it is another of these places, what the army adds is made up for by the place not
being new. An army that an echo brings comes to an empty border; then at most two were on the map before. Without an uprising only
armies add revolts. This program tries all choices of borders, first province and U, and takes the largest number.

That a bound is reached, or how nearly, is shown by a position and dice for each k, which are replayed.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from barbarian import FACES, Again, Fallen, Phase, Scene, Step
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from phasetext import read_plain
from text import Lines, Unreadable

FALL = "fall"
Places = frozenset[str]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact."""
    if fact.kind != "growth" or fact.instance not in [str(number) for number in range(len(board.borders) + 1)]:
        raise lines.refuted(f"there is no fact {fact.id}")
    choices = list(all_choices(board, int(fact.instance)))
    values = {"falls-from": "0", "safe-to": "0"}
    revolts = 0
    for line in lines.section("witnesses"):
        revolts += 1
        if values["falls-from"] != "0":
            raise lines.refuted("the Empire has fallen from fewer revolts, nothing is expected after that")
        bound = max(MOST_ARMIES, *(choice.bound(revolts) for choice in choices))
        reached = replay(lines, board, line, revolts, int(fact.instance))
        values[f"bound.{revolts}"] = str(bound)
        values[f"max.{revolts}"] = reached
        if reached == FALL:
            values["falls-from"] = str(revolts)
        elif int(reached) > bound:
            raise lines.refuted("more than the bound")
        if revolts + bound <= MOST_REVOLTS:
            values["safe-to"] = str(revolts)
    if values["falls-from"] == "0" and revolts != MOST_REVOLTS:
        raise lines.refuted(f"expected witnesses for each number of revolts up to {MOST_REVOLTS}, or up to a fall")
    return values


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

    def bound(self, revolts: int) -> int:
        """The most new revolts from so many."""
        spare = revolts - 1 - self.seeds
        if spare < 0:
            return 0
        before = min(self.armies, len(self.near) + min(spare, len(self.far - self.near)))
        targets = self.near | self.coming | (self.far if spare > 0 else frozenset())
        armies = before + (1 if self.coming else 0)
        return len(self.places) - self.old + min(armies, len(targets))


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


# -- witnesses -------------------------------------------------------------------------------------------------


def replay(lines: Lines, board: Board, line: str, revolts: int, borders: int, unrest: int = 0) -> str:
    """The number of new revolts in a position of the class with the dice that are stated; or the fall for want of one."""
    text, colon, dice = line.partition(": ")
    try:
        phase, scene = read_plain(text, board)
    except Unreadable as error:
        raise lines.unreadable(f"position: {error}") from None
    closed = sum(not scene.empty(border) for border in board.borders)
    discs = len(scene.table.revolts), len(scene.table.unrest)
    if not colon or discs != (revolts, unrest) or closed != borders:
        raise lines.refuted(
            f"expected a position with {revolts} revolts, {unrest} unrest and {borders} borders not empty"
        )
    end = thrown(lines, phase, scene, dice)
    if isinstance(end, Fallen):
        if end.why != "revolts":
            raise lines.refuted("the Empire falls for another reason")
        return FALL
    return str(len(end.table.revolts - scene.table.revolts))


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
