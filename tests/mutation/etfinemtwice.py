"""A choice of the second game that is made once or twice, or of one kind, of another or of both, in place of a step.

A second choice is one of the same step, in the position after the first has had its effect and before the game goes on. Where two
choices do together what one does, or two others, that is no other reading: they are left out. What chance brings is no choice.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import lru_cache
from types import FunctionType
from typing import Any

from tetrasolve.finem.layout import REGIONS, TRIBES
from tetrasolve.finem.position import Position, State, Step

THEN = " then "  # between two choices
# The functions by which the game goes on when a choice has had its effect: what they are given is the position after it
GOING_ON = ("proceed", "_with_left", "_ended", "_counted", "_carried_out")
# What is asked about until the choice is made: an action costs one however much is done, and the Dictator's card lies before him
STAYS = {Step.ACT: ("left",), Step.RIDE: ("card",)}
NAMES = {"region": frozenset(REGIONS), "tribe": frozenset(TRIBES)}  # that a choice can say

Options = Callable[[Position], tuple[str, ...]]
After = Callable[[Position, str], State]


def twice(
    options: Options,
    after: After,
    of: str = "",
    holds: Callable[..., bool] | None = None,
    same: str = "",
    kinds: Callable[[str, str], bool] = lambda _first, _second: True,
) -> tuple[Options, After]:
    """What can be chosen, and what follows, where one thing can be chosen, or two.

    Two, where this `holds` of the position and the region or tribe that each of both names, where both name the `same`, or where
    their words for what is done are of such `kinds`.
    """
    effect = effect_of(after)

    def fits(position: Position, option: str) -> bool:
        named = [[word] for word in option.split() if word in NAMES[of]] if of else [[]]
        return holds is None or (bool(named) and all(holds(position, *one) for one in named))

    def seconds(position: Position, first: str) -> tuple[Position, tuple[str, ...]]:
        now = _asked_again(position, effect(position, first))
        if not isinstance(now, Position) or not fits(position, first):
            return position, ()
        found = (o for o in options(now) if fits(now, o) and kinds(_kind(first), _kind(o)))
        return now, tuple(o for o in found if not same or _shared(same, first, o))

    @lru_cache(maxsize=1000)  # it is asked for each option again, whether that can come
    def both(position: Position) -> tuple[str, ...]:
        found = options(position)
        if position.step.is_chance:
            return found
        known = {effect(position, option) for option in found}
        more = []
        for first in found:
            now, those = seconds(position, first)
            for second in those:
                state = effect(now, second)
                more += [f"{first}{THEN}{second}"] if state not in known else []
                known.add(state)
        return (*found, *more)

    def taken(position: Position, option: str) -> State:
        first, then, second = option.partition(THEN)
        now = _asked_again(position, effect(position, first)) if then else position
        return after(now, second or first) if isinstance(now, Position) else now

    return both, taken


def either_or_both(options: Options, after: After, **only: Any) -> tuple[Options, After]:
    """As `twice`, where two things can be chosen if they are of two kinds."""
    return twice(options, after, kinds=operator.ne, **only)


def _kind(option: str) -> str:
    """What a choice does, without the regions, tribes and numbers that it says."""
    return " ".join(word for word in option.split() if word.islower())


def _shared(same: str, first: str, second: str) -> bool:
    return bool(NAMES[same].intersection(first.split(), second.split()))


def _asked_again(before: Position, state: State) -> State:
    """The position after a choice, at its step. A Dictator who rides has not moved yet: that leaves all as it was."""
    if not isinstance(state, Position):
        return state
    return state.replace(**{name: getattr(before, name) for name in ("step", *STAYS.get(before.step, ()))})


def effect_of(after: After) -> After:
    """What a choice does before the game goes on."""
    names = {name: _given for name in GOING_ON if name in after.__globals__}
    return FunctionType(after.__code__, {**after.__globals__, **names}, after.__name__, after.__defaults__)


def _given(position: Any, *_: object) -> Any:
    return position
