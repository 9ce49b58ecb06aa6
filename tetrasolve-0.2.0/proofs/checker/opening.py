"""The first phase at levels without armies, over all set-ups: how many new revolts, when nothing is done before it.

There is one uprising at most, then an army appears on some border and advances. So the number that is expected is a sum over
pairs of provinces: dice raise the first, and a revolt is placed in the second if none lies there. How likely the first of a pair
is in revolt and the second is not follows roll by roll: one number of 2 to 6 in each region, then the additional revolts one
after the other, each on any province that dice name and where none lies.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product

from board import Board

FACES = range(1, 7)
LEVELS = [f"{added}0" for added in range(3)]

Pair = tuple[str, str]
Gains = dict[Pair, Fraction]


def opening(board: Board, digits: str) -> Iterator[tuple[str, str]]:
    """The values for the levels that end in these two figures; with no more revolts the extremes of all set-ups too."""
    added, gains = int(digits[0]), weights(board)
    yield "uprising", str(Fraction(len(FACES) + added, 36))
    yield "mean", str(sum((gain * first_alone(board, added, pair) for pair, gain in gains.items()), Fraction(0)))
    if added == 0:
        yield from extremes(board, gains)


def weights(board: Board) -> Gains:
    """For two provinces the chance that dice raise the first, and that it brings a revolt to the second if none lies there.

    It does if the uprising reaches it, or if the army of the echo enters it and the uprising has not reached it.
    """
    found: Gains = {}
    for place in (place for place in board.provinces if board.number[place]):
        reached = {other: over(broken) for other, broken in board.links[place].items() if other not in board.borders}
        gains = dict(reached)
        for border in board.borders:
            target = board.arrow.get(border)
            if target is not None and target not in board.borders and target != place:
                comes = over(board.links[border].get(target, True)) / 6 * (1 - reached.get(target, Fraction(0)))
                gains[target] = gains.get(target, Fraction(0)) + comes
        found |= {(place, other): gain / 36 for other, gain in gains.items()}
    return found


def over(broken: bool) -> Fraction:
    """How likely a link holds."""
    return Fraction(1, 2) if broken else Fraction(1)


def first_alone(board: Board, added: int, pair: Pair) -> Fraction:
    """How likely the first of two provinces is in revolt after the set-up, and the second is not."""
    named = [place for place in pair if board.number[place]]
    free = sum(number > 0 for number in board.number.values()) - len(FACES)
    chances = {frozenset[str](): Fraction(1)}  # of what is in revolt among the two
    for region in FACES:
        able = [place for place in named if board.region[place] == region and board.number[place] > 1]
        chances = spread(chances, able, len(FACES) - 1)
    for drawn in range(added):
        chances = spread(chances, named, free - drawn)
    return chances.get(frozenset(pair[:1]), Fraction(0))


def spread(chances: dict[frozenset[str], Fraction], able: list[str], of: int) -> dict[frozenset[str], Fraction]:
    """The chances after one more roll, which puts a revolt in one of so many provinces; these are those of the pair."""
    after: dict[frozenset[str], Fraction] = {}
    for lying, share in chances.items():
        new = [place for place in able if place not in lying]
        for place in new:
            after[lying | {place}] = after.get(lying | {place}, Fraction(0)) + share / of
        after[lying] = after.get(lying, Fraction(0)) + share * (of - len(new)) / of
    return after


def extremes(board: Board, gains: Gains) -> Iterator[tuple[str, str]]:
    """The set-ups with one revolt in each region, and the most and the fewest new revolts that one makes expect."""
    scale = 36 * 6 * 4  # every gain is a whole number of this part
    whole: dict[str, dict[str, int]] = {}
    for (place, other), gain in gains.items():
        whole.setdefault(place, {})[other] = int(gain * scale)
    able = [place for place, number in board.number.items() if number > 1]  # a one is rolled again
    new = [
        sum(gain for place in chosen for other, gain in whole[place].items() if other not in chosen)
        for chosen in product(*([place for place in able if board.region[place] == region] for region in FACES))
    ]
    yield "set-ups", str(len(new))
    yield "max", str(Fraction(max(new), scale))
    yield "min", str(Fraction(min(new), scale))


COUNTS = {"opening": lambda board: {digits: partial(opening, board, digits) for digits in LEVELS}}
