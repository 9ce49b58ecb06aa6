"""Random walks through the game tree of the adapters."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from tetrasolve.adapters.moments import Moment, Setting, start
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Kind
from tetrasolve.tetrarchia.position import Position


def walk(setting: Setting, seed: int) -> Iterator[Moment]:
    """A game at random, moment by moment."""
    random, moment = Random(seed), start(setting)
    while moment.decider:
        yield moment
        numbers = moment.actions or [number for number, _ in moment.chances]
        moment = moment.after(random.choice(numbers))
    yield moment


def words_of_all(position: Position) -> set[str]:
    """What can be done by the reference rules, attacks without what comes of them."""
    words = set()
    for action in rules.legal_actions(position):
        leader = "" if action.figure is None else f"{action.figure}: "
        words.add(f"{leader}attack {action.place}" if action.kind == Kind.ATTACK else str(action))
    return words | ({"end"} if rules.may_end(position) else set())
