"""Set-up: nine cards are drawn; the first three regions get three cubes of their suit, then three two, then three one."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from tetrasolve.errors import RulesetError
from tetrasolve.finem import numbers
from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES
from tetrasolve.finem.position import NO_CUBES, Position, State, Step
from tetrasolve.finem.rules.tribes import lost_by_reserve
from tetrasolve.finem.ruleset import Ruleset


def cards_of_set_up(ruleset: Ruleset) -> int:
    """The number of cards drawn in the set-up [E-SETUP]."""
    twelve = ruleset.readings["E-SETUP"] == "twelve"
    if ruleset.readings["E-SETUP"] == "three-three-six":
        return numbers.SET_UP_GROUPS * numbers.SET_UP_CARDS_OF_TWELVE
    return numbers.SET_UP_GROUPS * (numbers.SET_UP_CARDS_OF_TWELVE if twelve else numbers.SET_UP_CARDS)


def cubes_of_set_up(ruleset: Ruleset) -> tuple[int, ...]:
    """The cubes that each card of the set-up puts, in the order of the cards [E-SETUP].

    >>> cubes_of_set_up(Ruleset("standard"))
    (3, 3, 3, 2, 2, 2, 1, 1, 1)
    """
    number = cards_of_set_up(ruleset)
    has_more_of_one = ruleset.readings["E-SETUP"] == "three-three-six"
    group = numbers.SET_UP_CARDS if has_more_of_one else number // numbers.SET_UP_GROUPS
    return tuple(max(1, numbers.SET_UP_GROUPS - at // group) for at in range(number))


def set_up(ruleset: Ruleset, cards: Sequence[str], start: str | None = None) -> State:
    """The first position of a game whose set-up draws these cards, in order; `start` is the pawn's region.

    A set-up that requires a thirteenth cube of a tribe is lost; with the readings ``again`` and ``card`` of [E-FULL] cards are
    drawn again, so it is an error here.

    :raises RulesetError: when these are not the cards of a set-up, the pawn cannot begin there, or the map is not dealt.
    """
    number = cards_of_set_up(ruleset)
    if len(cards) != number or len(set(cards)) != number or not set(cards) <= set(NUMBER):
        raise RulesetError(f"set-up {' '.join(cards)[:80]!r}: expected {number} different cards, like E5 C7")
    allowed = ruleset.layout.corners if "corner" in ruleset.options else (ruleset.layout.start,)
    pawn = allowed[0] if start is None and len(allowed) == 1 else start
    if pawn not in allowed:
        raise RulesetError(f"start {pawn!r:.20}: expected {' or '.join(allowed)}")
    position = Position(
        ruleset=ruleset,
        role=None,
        pawn=pawn,
        start=pawn,
        last=cards[-1] if ruleset.readings["E-FIRST-LAST"] == "set-up" else pawn,
        cubes=NO_CUBES,
        dice=(numbers.FIRST_DIE,) * 4,
        pacified=frozenset(),
        decline=numbers.FIRST_DECLINE,
        outbreaks=numbers.FIRST_OUTBREAKS,
        step=Step.ACT,
        left=numbers.ACTIONS,
    )
    if ruleset.readings["E-CORNER-START"] == "table":
        last = cards[-1] if ruleset.readings["E-FIRST-LAST"] == "set-up" else ruleset.layout.start
        position = position.replace(start=ruleset.layout.start, last=last)
    for card, cubes in zip(cards, cubes_of_set_up(ruleset), strict=True):
        position = position.with_count(card, card[0], cubes)
    for tribe in TRIBES:
        if position.on_map(tribe) > numbers.CUBES:
            if ruleset.readings["E-FULL"] == "lost":
                return lost_by_reserve(tribe)
            problem = f"{position.on_map(tribe)} cubes of {tribe}, there are {numbers.CUBES}: it is drawn again"
            raise RulesetError(f"set-up {' '.join(cards)}: {problem}")
    return position


def seeded(seed: int | str) -> Random:
    """The source of chance of a seed; a negative number is not the same as its positive."""
    return Random(str(seed) if isinstance(seed, int) and seed < 0 else seed)


def drawn_set_up(ruleset: Ruleset, random: Random) -> tuple[tuple[str, ...], str]:
    """The cards of a set-up and the region of the pawn, drawn with their chances; one that is drawn again is left out.

    :raises RulesetError: when the map is not dealt (`Ruleset.dealt`).
    """
    start = random.choice(ruleset.layout.corners) if "corner" in ruleset.options else ruleset.layout.start
    number, each = cards_of_set_up(ruleset), cubes_of_set_up(ruleset)
    if ruleset.readings["E-FULL"] == "card":
        return kept_cards(random.sample(REGIONS, len(REGIONS)), each), start
    while True:
        cards = tuple(random.sample(REGIONS, number))
        if ruleset.readings["E-FULL"] == "lost" or not is_full(cards, each):
            return cards, start


def kept_cards(deck: Sequence[str], cubes: Sequence[int]) -> tuple[str, ...]:
    """The first cards of a deck that put these cubes in turn, without each that would need a thirteenth of its tribe [E-FULL]."""
    cards: tuple[str, ...] = ()
    for card in deck:
        if len(cards) < len(cubes) and not is_full((*cards, card), cubes):
            cards = (*cards, card)
    return cards


def is_full(cards: Sequence[str], cubes: Sequence[int]) -> bool:
    """Whether the first cards of a set-up require more cubes of a tribe than there are."""
    needed = dict.fromkeys(TRIBES, 0)
    for card, number in zip(cards, cubes, strict=False):  # the cards drawn so far
        needed[card[0]] += number
    return max(needed.values()) > numbers.CUBES


def random_set_up(ruleset: Ruleset, seed: int | str) -> State:
    """The first position of a game, its map [E-MAP] and its set-up drawn from a seed."""
    random = seeded(seed)
    ruleset = ruleset.dealt(random)
    return set_up(ruleset, *drawn_set_up(ruleset, random))
