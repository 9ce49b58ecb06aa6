"""What can come of a Barbarian phase at all, whatever players answer: for a reading about when something may be done.

The policies that are compared elsewhere spend at the first moment, and best play for revolts has no reason to wait; so they see
no difference between being asked once and being asked again.
"""

from __future__ import annotations

from collections.abc import Iterator

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Choice, Fall
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Step

ASKED_AGAIN = frozenset({"I-BLACK-WHEN"})  # readings about how often players are asked, and nothing else
CHECKED_EVERY = 256  # steps between two looks at the flag


def results(position: Position, stop: Stop | None = None) -> frozenset[Position | Fall]:
    """Every result of the phase of this position that some faces and answers lead to.

    :raises Stopped: when the flag is set.
    """
    waiting: list[Step] = [rules.begin(position)]
    seen, found = set[Step](waiting), set[Position | Fall]()
    while waiting:
        if len(seen) % CHECKED_EVERY == 0:
            check(stop)
        step = waiting.pop()
        if isinstance(step, (Position, Fall)):
            found.add(step)
            continue
        for after in _after(step):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return frozenset(found)


def _after(step: Step) -> Iterator[Step]:
    if isinstance(step, Choice):
        yield from map(step.after, step.options)
    elif not isinstance(step, (Position, Fall)):
        roll = step.roll()
        yield from (landed(step, faces, result) for faces, result in zip(roll.faces, roll.results, strict=True))
