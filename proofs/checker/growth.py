"""The most new revolts of one Barbarian phase, over all positions without unrest, with k revolts and n borders that are not empty.

The proof of a bound is a short argument and a finite count. Revolts do not spread by themselves. The first uprising is in a
province that dice name, each further one in such a province of a region whose border is not empty, and where a revolt
lies by then. Divide these provinces into connected parts. If the first province neither is in a part nor touches it, no
uprising can begin in the part unless a revolt lay there from the start; call that its seed. So let U be the parts that do not
touch the first province and have a seed. All revolts of the chain are old, or lie around the first province, around a part
that it touches, or around a part of U. Of these places the first province is old, and so is one seed in each part of U; a
seed that has a neighbour in its part is one of these places.

At last each of at most three armies enters one province. An army within the Empire stands on an old revolt. If that is the
first province, a seed, or outside these places, the army may add a revolt; if it is another of these places, the place is not
new, which makes up for what the army adds. An army that an echo brings appears on an empty border; then at most two were on
the map before. Without an uprising only armies add revolts. The checker tries all choices of borders, first province and U, and
takes the largest number.

*What the certificate chooses.* A position and dice for each k, which are replayed. They prove that so much *can* happen. A poor
choice proves less: `max` is stated only where the replay reaches the bound; elsewhere `reached` and `bound` stand apart. The
least number of revolts from which the Empire can fall is stated only where the bounds exclude every smaller one;
otherwise a number that is enough (`falls-by`) and the first that is not excluded (`open-from`) are.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from barbarian import Phase
from board import Board
from claim import MOST_ARMIES, MOST_REVOLTS
from claimed import Fact
from phasesteps import FACES, Fallen, Scene, Step
from phasetext import read_phase
from text import Lines, Unreadable

CLASSES = ("0", "1", "2")  # borders that are not empty; with more of them the Empire can fall from a single revolt
Places = frozenset[str]


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of the fact: for 1, 2, ... revolts, up to the first fall."""
    if fact.kind != "growth" or fact.instance not in CLASSES:
        raise lines.refuted(f"there is no fact {fact.id}")
    borders = int(fact.instance)
    choices = list(all_choices(board, borders))
    values: dict[str, str] = {}
    unsafe = falls = None  # the least number whose bound does not exclude a fall; the number that falls
    revolts = 0
    for line in lines.section("witnesses"):
        revolts += 1
        if falls is not None or revolts > MOST_REVOLTS:
            raise lines.refuted("nothing is expected after the last number of revolts, or after a fall")
        bound = max(MOST_ARMIES, *(most_new(choice, revolts) for choice in choices))
        reached = replay(lines, board, line, revolts, borders)
        if unsafe is None and revolts + bound > MOST_REVOLTS:
            unsafe = revolts
        if reached is None:
            falls = revolts
        if (reached is None and unsafe is None) or (reached or 0) > bound:
            raise lines.refuted("more than the bound")
        if reached == bound:
            values[f"max.{revolts}"] = str(bound)
        elif reached is not None:
            values |= {f"reached.{revolts}": str(reached), f"bound.{revolts}": str(bound)}
    if falls is None and revolts < MOST_REVOLTS:
        raise lines.refuted(f"expected a witness for {revolts + 1} revolts")
    if falls == unsafe:
        return values | ({} if falls is None else {"falls-with": str(falls)})
    known = {"falls-by": falls, "open-from": unsafe}
    return values | {path: str(number) for path, number in known.items() if number is not None}


# -- the bound -------------------------------------------------------------------------------------------------


class Choice(NamedTuple):
    """Where a chain can place revolts: `places`, of which some are surely old; and where armies can go."""

    places: Places
    old: int
    needed: int  # old revolts: the first province and the seeds
    armies: int  # on the map before
    walls: int  # provinces that armies on borders which are not empty enter
    near: Places  # provinces out of the chain's reach that an army from a border, the first province or a seed enters
    far: Places  # ... that one from another old revolt enters
    coming: Places  # ... that one from an empty border enters


def most_new(choice: Choice, revolts: int) -> int:
    """The most that so many revolts can add in a choice; 0 where there are too few for it."""
    others = revolts - choice.needed
    if others < 0:
        return 0
    near = len(choice.near) + min(others, len(choice.far - choice.near))
    before = min(choice.armies, near, choice.walls + revolts)
    targets = choice.near | choice.coming | (choice.far if others else frozenset())
    return len(choice.places) - choice.old + min(before + bool(choice.coming), len(targets))


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

    return Choice(
        places,
        old=1 + sum(len(part) > 1 for part in seeded),
        needed=1 + len(seeded),
        armies=MOST_ARMIES - 1 if echo else MOST_ARMIES,
        walls=len(entered(closed)),
        near=entered([*closed, first, *frozenset().union(*seeded)]),
        far=entered(place for place in board.provinces if place not in board.borders | places),
        coming=entered(board.borders.difference(closed)) if echo else frozenset(),
    )


# -- witnesses -------------------------------------------------------------------------------------------------


def replay(lines: Lines, board: Board, line: str, revolts: int, borders: int) -> int | None:
    """The number of new revolts in a position of the class with the stated dice; None where the Empire falls."""
    text, colon, dice = line.partition(": ")
    try:
        phase, scene = read_phase(text, board)
    except Unreadable as error:
        raise lines.unreadable(f"position: {error}") from None
    closed = sum(not scene.empty(border) for border in board.borders)
    if not colon or not text.startswith("4211 "):
        raise lines.unreadable("expected a position of level 4211, under the usual readings, a colon and dice")
    if len(scene.table.revolts) != revolts or scene.table.unrest or closed != borders:
        raise lines.refuted(f"expected {revolts} revolts, no unrest, and {borders} borders that are not empty")
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
        index = 0
        for face in faces:
            index = 6 * index + int(face) - 1
        step = results[index]
    if not isinstance(step, Scene | Fallen):
        raise lines.refuted("the dice end before the phase does")
    return step
