"""Positions in which every card loses: the fewest cubes on the map with which each card of the deck loses.

Two outbreaks have been (the track stands at 3), so the next one loses. No tribe is eradicated.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from tetrasolve.claims.fact import Topic, Values
from tetrasolve.claims.saying import many, words
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import RANKS, REGIONS, TRIBES

FEWEST_OUT, MOST_OUT = numbers.CAMPAIGN_CARDS, 12  # cards out before the last card of an invasion: at most 12


def _of_invasion(cards: int) -> int:
    """The cubes of a tribe with which so many of its cards lose: three in each of their regions, or all there are."""
    return min(numbers.MOST_IN_REGION * cards, numbers.CUBES)


def _of_crisis(cards: int) -> int:
    """The same for a crisis: one in each region brings an outbreak; ten and more leave too few to fill an empty one."""
    return min(cards, numbers.CUBES - numbers.CRISIS_CUBES + 1)


def _fewest(out: int, of: Callable[[int], int]) -> Values:
    """The fewest cubes with so many cards out, and how many cards of a tribe are then left in the deck, most first."""
    ways = product(range(len(RANKS) + 1), repeat=len(TRIBES))
    found = min((sum(map(of, way)), tuple(sorted(way, reverse=True))) for way in ways if sum(way) == len(REGIONS) - out)
    return {"cubes": found[0], "deck": tuple(map(str, found[1])), "out": out}


def _invasions(board: object) -> dict[str, Values]:
    del board
    return {str(out): _fewest(out, _of_invasion) for out in range(FEWEST_OUT, MOST_OUT + 1)}


def _crises(board: object) -> dict[str, Values]:
    del board
    return {
        str(out): _fewest(out, _of_crisis) for out in range(FEWEST_OUT, 9)
    }  # a Dictator's four, the campaign's, a Tribune's


def _say(values: Values, what: str) -> str:
    left = ", ".join(words(values, "deck"))
    return (
        f"With {many(values['out'], 'card')} out and two outbreaks behind, {values['cubes']} cubes on the map are the fewest with "
        f"which every card of {what} loses (of the tribes {left} cards are in the deck)."
    )


TOPICS = (
    Topic(
        "doom-invasion", "doom", "Every card of an invasion loses", "all ways to divide the deck among the tribes", "",
        ("numbers",), _invasions, None, lambda _, values: _say(values, "an invasion"), ruleset="every level, E-PROTECT=card",
    ),
    Topic(
        "doom-crisis", "doom", "Every card of a crisis loses", "all ways to divide the deck among the tribes", "", ("numbers",),
        _crises, None, lambda _, values: _say(values, "a crisis"), ruleset="every level, E-FILL=missing, E-PROTECT=card",
    ),
)  # fmt: skip
