"""The dice alone, turn by turn: a relaxation of the game in which cards are as kind as they can be and no cube is in the way.

A *dice state* is the four dice and which tribes are pacified. A turn has any role (none in the first), up to four pacifications by
action where the rules allow them, three points of a campaign, and the point of an event S where the campaign has three suits; from
the standard level on points above eleven are taken off in every way. Eradication is left out: it only takes away. So each game is a
way through these states, turn by turn, and what cannot be reached here cannot be reached in a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, product

from tetrasolve.finem import numbers
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.ruleset import Ruleset

Faces = tuple[int, int, int, int]
State = tuple[Faces, frozenset[str]]
START: State = ((numbers.FIRST_DIE,) * 4, frozenset())
HANDS = tuple(  # 20 by their suits; those of three suits, which leave the decline where it is, come first
    sorted(combinations_with_replacement(TRIBES, numbers.CAMPAIGN_CARDS), key=lambda hand: -len({*hand}))
)
NO_ROLE, PREFECT = "none", "prefect"  # no other role matters to the dice


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the dice: the role, the tribes pacified by action, the suits of the campaign, the die that event S raises.

    `after` are the dice after it; `raised` is empty without such an event, and `hand` is empty where the actions have won.
    """

    role: str
    pacified: tuple[str, ...]
    hand: tuple[str, ...]
    raised: str
    after: State


def actions(rules: Ruleset, state: State, role: str) -> Iterator[tuple[tuple[str, ...], State]]:
    """The dice after pacifications by action, with the tribes pacified, at most four."""
    free = rules.readings["E-PACIFY"] == "free"
    enough = numbers.PREFECT_AT if role == PREFECT else numbers.PACIFIED_AT
    dice, pacified = state
    can = [tribe for tribe, die in zip(TRIBES, dice, strict=True) if free or die >= enough]
    for chosen in product((False, True), repeat=len(can)):
        taken = tuple(tribe for tribe, is_chosen in zip(can, chosen, strict=True) if is_chosen)
        faces = [numbers.FIRST_DIE if tribe in taken else die for tribe, die in zip(TRIBES, dice, strict=True)]
        yield taken, (_four(faces), pacified | {*taken})


def campaigns(rules: Ruleset, state: State, role: str) -> Iterator[tuple[tuple[str, ...], str, State]]:
    """The dice after a campaign, with its suits and the die that an event S raises (empty: none)."""
    is_event_first = rules.readings["E-ORDER"] == "listed" and rules.readings["E-WHEN"] == "at-once"
    for hand in HANDS:
        has_event = len({*hand}) == len(hand) and rules.readings["E-EVENT"] == "three-suits"
        for raised in ("", *TRIBES) if has_event else ("",):
            parts = [[raised] if raised else [], [*hand]]
            first, second = parts if is_event_first else reversed(parts)
            for middle in cut(rules, points(rules, state, role, first)):
                for after in cut(rules, points(rules, middle, role, second)):
                    yield hand, raised, after


def points(rules: Ruleset, state: State, role: str, tribes: list[str]) -> State:
    """The dice after a point for each of these tribes, those of one tribe in a row."""
    dice, pacified = [*state[0]], {*state[1]}
    lost: set[str] = set()
    for tribe in tribes:
        at = TRIBES.index(tribe)
        if dice[at] == numbers.PACIFIED_AT or tribe in lost:
            continue
        dice[at] += 1
        early = role == PREFECT and rules.readings["E-PREFECT"] == "turn" and dice[at] >= numbers.PREFECT_AT
        if early or (dice[at] == numbers.PACIFIED_AT and rules.readings["E-PACIFY"] != "action"):
            dice[at] = numbers.FIRST_DIE
            pacified.add(tribe)
            lost |= {tribe} if rules.readings["E-OVER"] == "lost" else set()
    return _four(dice), frozenset(pacified)


def above(rules: Ruleset, state: State) -> int:
    """The points that have to be taken off."""
    if rules.is_introductory:
        return 0
    four = rules.readings["E-ELEVEN"] == "four"
    counted = [die for tribe, die in zip(TRIBES, state[0], strict=True) if four or tribe not in state[1]]
    return max(0, sum(counted) - numbers.MOST_POINTS)


def cut(rules: Ruleset, state: State) -> Iterator[State]:
    """The dice after the points above the limit are taken off, in every way."""
    number = above(rules, state)
    if not number:
        yield state
        return
    four = rules.readings["E-ELEVEN"] == "four"
    spare = [
        die - numbers.FIRST_DIE if four or tribe not in state[1] else 0
        for tribe, die in zip(TRIBES, state[0], strict=True)
    ]
    for way in product(*(range(most + 1) for most in spare)):
        if sum(way) == number:
            yield _four([die - off for die, off in zip(state[0], way, strict=True)]), state[1]


def _four(dice: list[int]) -> Faces:
    o, c, e, b = dice
    return o, c, e, b


def is_won(state: State) -> bool:
    """Whether all tribes are pacified."""
    return len(state[1]) == len(TRIBES)


def soonest(rules: Ruleset) -> tuple[int, str, tuple[Turn, ...]]:
    """The fewest turns to pacify all tribes, the phase in which it happens, and the turns of one way.

    The tribes are alike here, so of states that differ in their order only the first is followed.
    """
    known = {_alike(START)}
    level: dict[State, tuple[Turn, ...]] = {START: ()}
    while True:
        following: dict[State, tuple[Turn, ...]] = {}
        best: tuple[Turn, ...] = ()
        for state, way in level.items():
            for role in (PREFECT, NO_ROLE) if way else (NO_ROLE,):
                for taken, middle in actions(rules, state, role):
                    if is_won(middle):
                        return len(way) + 1, "actions", (*way, Turn(role, taken, (), "", middle))
                    for hand, raised, after in campaigns(rules, middle, role):
                        turn = Turn(role, taken, hand, raised, after)
                        if is_won(after):
                            best = best or (*way, turn)
                        elif (key := _alike(after)) not in known:
                            known.add(key)
                            following[after] = (*way, turn)
        if best:
            return len(best), "campaign", best
        level = following


def reached(rules: Ruleset) -> Iterator[tuple[int, State]]:
    """Each state at the beginning of a turn that can be reached, up to the order of the tribes, with the first such turn."""
    known = {_alike(START)}
    level, turn = [START], 1
    while level:
        yield from ((turn, state) for state in level)
        following = []
        for state in level:
            for role in (PREFECT, NO_ROLE) if turn > 1 else (NO_ROLE,):
                for _, middle in actions(rules, state, role):
                    if is_won(middle):
                        continue
                    for _, _, after in campaigns(rules, middle, role):
                        if not is_won(after) and (key := _alike(after)) not in known:
                            known.add(key)
                            following.append(after)
        level, turn = following, turn + 1


def _alike(state: State) -> tuple[tuple[int, bool], ...]:
    """The state without the order of its tribes."""
    return tuple(sorted((die, tribe in state[1]) for tribe, die in zip(TRIBES, state[0], strict=True)))
