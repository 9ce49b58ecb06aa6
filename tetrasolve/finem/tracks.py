"""The tracks of the table: how far a campaign moves the decline, where a crisis is, and how many cards invade."""

from __future__ import annotations

from tetrasolve.finem import numbers
from tetrasolve.finem.ruleset import Ruleset


def moved(ruleset: Ruleset, decline: int, suits: int) -> int:
    """The decline after a campaign with this many different suits among its cards; it stops where it loses.

    >>> moved(Ruleset("standard"), 4, 2), moved(Ruleset("standard"), 3, 1)
    (5, 6)
    """
    if suits > 2:
        return decline
    missing = numbers.CRISIS_EVERY - decline % numbers.CRISIS_EVERY
    two = numbers.THREE_OF_A_SUIT
    match suits, ruleset.readings["E-THREE"]:
        case 2, _:
            step = numbers.TWO_OF_A_SUIT
        case _, "crisis":
            step = max(two, missing)
        case _, "two":
            step = two
        case _, "stop":
            step = min(two, missing)
        case _:
            step = missing
    return min(decline + step, ruleset.most_decline)


def moves(ruleset: Ruleset, decline: int, suits: int) -> tuple[int, ...]:
    """The places to which such a campaign can move the decline: one, or two of which the player chooses [E-THREE].

    >>> moves(Ruleset.from_text("standard?E-THREE=either"), 3, 1), moves(Ruleset.from_text("standard?E-THREE=either"), 4, 1)
    ((5, 6), (6,))
    """
    place = moved(ruleset, decline, suits)  # under `either` that of the next multiple of three
    if suits > 1 or ruleset.readings["E-THREE"] != "either":
        return (place,)
    return tuple(sorted({place, min(decline + numbers.THREE_OF_A_SUIT, ruleset.most_decline)}))


def is_crisis(ruleset: Ruleset, before: int, after: int) -> bool:
    """Whether a decline that a campaign moved from one value to another brings a crisis.

    >>> is_crisis(Ruleset("standard"), 2, 4), is_crisis(Ruleset("standard"), 3, 4)
    (True, False)
    """
    every = numbers.CRISIS_EVERY
    if ruleset.readings["E-CRISIS"] == "exact":
        return after > before and after % every == 0
    return after // every > before // every


def invasion_cards(ruleset: Ruleset, decline: int) -> int:
    """The number of cards of an invasion phase.

    >>> [invasion_cards(Ruleset("standard"), decline) for decline in (1, 4, 5, 11)]
    [2, 2, 3, 4]
    """
    last = numbers.DECLINE_CARDS - 1
    return numbers.INVASIONS_OF_FIRST_CARD + min((decline - 1) // ruleset.decline_a_card, last)
