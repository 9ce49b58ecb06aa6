"""The first Barbarian phase of each level without armies, when nothing is done before it: new revolts, over all set-ups.

A set-up has one revolt in each region, on a province numbered 2 to 6, then additional ones wherever dice can name a province
without a revolt. Without armies at the start a phase has at most one uprising, with an army after it. So what it adds is a sum
over pairs of provinces, one of which rises while no revolt lies in the other.

Levels with armies at the start are not here: an army on a border lets an uprising in its region continue, and the mean was no
more than an interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product

from tetrasolve.claims.fact import Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import REGIONS, nameable
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.rules.chance import FACES

MOST_ADDED = 2  # additional revolts
ROLLS = 36
UNIT = 24  # a new revolt for sure; an army's way is a sixth, and may be halved twice
FIRST = Fraction(1, len(FACES) - 1)  # how likely a number from 2 on has the first revolt of its region


def weights(board: Board) -> dict[str, dict[str, int]]:
    """For each province that dice name the new revolts that its uprising brings to others, in `UNIT`, if none lies there.

    The uprising reaches what is linked to it; the army of its echo enters another province, which may be one of these.
    """
    found: dict[str, dict[str, int]] = {}
    for place in nameable(board):
        links = board.neighbours(place).items()
        reached = {other: UNIT // (1 + link.broken) for other, link in links if not board[other].is_border}
        gains = dict(reached)
        for border in board.borders:
            target = board[border].arrow
            if target is not None and not board[target].is_border and target != place:
                link = board.link(border, target)
                comes = (UNIT - reached.get(target, 0)) // REGIONS // (1 + (link is None or link.broken))
                gains[target] = gains.get(target, 0) + comes
        found[place] = gains
    return found


def alone(board: Board, added: int, place: str, other: str) -> Fraction:
    """How likely a province is in revolt after the set-up while another one is not."""
    free = len(nameable(board)) - REGIONS  # provinces where an additional revolt can lie
    first, second = (FIRST if board[name].number > FACES[0] else Fraction(0) for name in (place, other))
    neither = 1 - first - second  # in one region, where one of them at most has the first revolt
    if board[place].region != board[other].region:
        neither += first * second
        first *= 1 - second
    if not board[other].number:
        return first + neither * Fraction(added, free)
    drawn = Fraction(
        added * (free - added), free * (free - 1)
    )  # the one is among so many of these, and the other is not
    return first * Fraction(free - added, free) + neither * drawn


def extremes(board: Board) -> Mapping[str, Value]:
    """The set-ups with no additional revolt, and the most and the fewest new revolts that one makes expect."""
    rows = {place: (1 << board.order[place], _by_mask(board, gains)) for place, gains in weights(board).items()}
    choices = [[rows[board.at(region, number)] for number in FACES[1:]] for region in FACES]
    most, least, count = 0, 10**9, 0
    for chosen in product(*choices):
        mask = sum(bit for bit, _ in chosen)
        new = sum(gain for _, gains in chosen for other, gain in gains if not mask & other)
        count += 1
        most, least = max(most, new), min(least, new)
    return {"set-ups": count, "max": Fraction(most, ROLLS * UNIT), "min": Fraction(least, ROLLS * UNIT)}


def _by_mask(board: Board, gains: Mapping[str, int]) -> list[tuple[int, int]]:
    return [(1 << board.order[other], gain) for other, gain in gains.items()]


def _derive(board: Board) -> dict[str, Values]:
    gains = [(place, other, gain) for place, row in weights(board).items() for other, gain in row.items()]
    facts: dict[str, Values] = {}
    for added in range(MOST_ADDED + 1):
        total = sum((gain * alone(board, added, place, other) for place, other, gain in gains), Fraction(0))
        facts[f"{added}0"] = {"uprising": Fraction(REGIONS + added, ROLLS), "mean": total / (ROLLS * UNIT)}
    facts["00"] = {**facts["00"], **extremes(board)}
    return facts


def _say(level: str, v: Values) -> str:
    return (
        f"At levels that end in {level} the first phase begins with {REGIONS + int(level[0])} revolts and no army. If nothing is "
        f"done against them the chance of an uprising is {v['uprising']}, and {v['mean']} new revolts are expected on average over "
        "all set-ups"
        + (f", {v['min']} from the kindest of {v['set-ups']} and {v['max']} from the harshest." if "max" in v else ".")
    )


TOPICS = (
    recounted(
        "opening",
        "cascades",
        "New revolts of the first phase at the levels without armies",
        "the chances of set-ups for each two provinces, and what an uprising in one brings to the other; at 00 all set-ups too",
        ("links", "kinds", "arrows", "numbers", "regions"),
        {"": Group(_derive, _say)},
        ruleset="the nine levels that end so, with the usual readings",
        effort=0.15,
    ),
)
