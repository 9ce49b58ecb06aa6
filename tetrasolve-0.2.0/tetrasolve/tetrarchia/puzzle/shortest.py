"""The shortest fall: the fewest uprisings after which the Empire can fall in one Barbarian phase, if the dice help.

All steps of the phase are listed by the reference rules, choices declined, and uprisings are counted back from the falls. The
numbers do not depend on chances.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from tetrasolve.errors import TooLargeError
from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, uprisings
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.questions import landed
from tetrasolve.tetrarchia.rules.step import Rolling, Settled, unmarked

MOST_STEPS = 4_000  # of a phase: a few seconds
CHECK_EVERY = 64  # steps between looks at the time

Results = tuple[tuple[Settled, int], ...]


class Course:
    """All steps of the phase of a position, each with what follows its faces and whether that is an uprising.

    :raises TooLargeError: when there are more than `MOST_STEPS`.
    :raises Stopped: when `stop` is set before all are listed.
    """

    def __init__(self, position: Position, stop: Stop | None = None) -> None:
        self.first = settled(rules.begin(position), decline)
        self.after: dict[Settled, Results] = {}
        waiting = [self.first]
        while waiting:
            step = waiting.pop()
            if step in self.after or isinstance(step, (Position, Fall)):
                continue
            if len(self.after) % CHECK_EVERY == 0:
                check(stop)
            if len(self.after) >= MOST_STEPS:
                raise TooLargeError(f"the phase has more than {MOST_STEPS:,} steps")
            self.after[step] = _results(step)
            waiting += [result for result, _ in self.after[step]]
        self.least = self._least()

    def _least(self) -> dict[Settled, int]:
        """The fewest uprisings from each step to a fall; a step that cannot lead to one is left out."""
        before: dict[Settled, list[tuple[Settled, int]]] = {}
        for step, results in self.after.items():
            for result, risen in results:
                before.setdefault(result, []).append((step, risen))
        least: dict[Settled, int] = {step: 0 for step in before if isinstance(step, Fall)}
        waiting = deque(least)
        while waiting:
            step = waiting.popleft()
            for origin, risen in before.get(step, ()):
                if origin not in least or least[step] + risen < least[origin]:
                    least[origin] = least[step] + risen
                    waiting.append(origin)
        return least

    @property
    def falls_at_once(self) -> bool:
        """Whether the Empire can fall before a province is named."""
        waiting, seen = [self.first], {self.first}
        while waiting:
            step = waiting.pop()
            if isinstance(step, Fall):
                return True
            if not isinstance(step, Position) and not isinstance(unmarked(step), Activity):
                fresh = {result for result, _ in self.after[step]} - seen
                seen |= fresh
                waiting += fresh
        return False

    def by_first(self) -> Mapping[str, int]:
        """The fewest uprisings by the province that the dice name first; those that cannot lead to a fall are left out."""
        found: dict[str, int] = {}
        for step, results in self.after.items():
            rolled = unmarked(step)
            if isinstance(rolled, Activity):
                for place, (result, risen) in zip(rolled.places(), results, strict=True):
                    if result in self.least:
                        number = self.least[result] + risen
                        found[place] = min(found.get(place, number), number)
        return found


def _results(step: Rolling) -> Results:
    """What follows each face of a step, and 1 where it is an uprising."""
    rolled, roll = unmarked(step), step.roll()
    risen = frozenset(uprisings(rolled)) if isinstance(rolled, (Activity, EchoProvince)) else frozenset()
    return tuple(
        (settled(landed(step, faces, result), decline), int(faces in risen))
        for faces, result in zip(roll.faces, roll.results, strict=True)
    )
