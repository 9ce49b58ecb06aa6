"""A third method for short turns: the reference rules try out every sequence of actions.

It shares no code with the model and none with the kernel, and knows all modules, variants and rebels. The number of turn states
is limited: it is for turns with few IP left.
"""

from __future__ import annotations

import time
from typing import TypeAlias

from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.release import version
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.plan.answer import Answer, Status
from tetrasolve.tetrarchia.plan.objective import Goal, LeastIp
from tetrasolve.tetrarchia.plan.replay import is_within, value_at
from tetrasolve.tetrarchia.plan.task import Task
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

REFERENCE = "reference"
MOST_STATES = 1_500  # about five seconds, with all modules in use

Values: TypeAlias = tuple[int, ...]
Best: TypeAlias = (
    tuple[Values, tuple[Action, ...]] | None
)  # None: no end of the turn meets the constraint, or all are left out


def solve_reference(
    task: Task, *, seconds: float | None = None, cancel: Stop | None = None, most_states: int = MOST_STATES
) -> Answer:
    """The best plan of a deterministic task by trying out everything; `unknown` where there are more turn states.

    `Answer.nodes` are turn states.
    """
    started = time.perf_counter()
    search = _Search(task, stop_of(seconds, cancel), most_states)
    try:
        best = search.best(task.position, 0)
    except (Stopped, _TooManyStatesError):
        return _answer(Status.UNKNOWN, None, search, started)
    hopeless = best is None or (isinstance(task.objective.terms[0], Goal) and best[0][0] == 0)
    return _answer(Status.INFEASIBLE_PROVED if hopeless else Status.OPTIMAL_PROVED, best, search, started)


def _answer(status: Status, best: Best, search: _Search, started: float) -> Answer:
    values, steps = (None, None) if best is None else best
    took, engine = time.perf_counter() - started, f"tetrasolve {version()}"
    return Answer(REFERENCE, status, steps, values, values, took, len(search.known), engine)


class _TooManyStatesError(Exception):
    """The turn has more states than are looked at."""


class _Search:
    def __init__(self, task: Task, stop: Stop | None, most_states: int) -> None:
        self.task, self.stop, self.most_states = task, stop, most_states
        self.known: dict[tuple[Position, int], Best] = {}

    def best(self, position: Position, paid: int) -> Best:
        """The best values from a table on, and the actions that lead to them."""
        key = (position, paid)
        if key not in self.known:
            check(self.stop)
            if len(self.known) == self.most_states:
                raise _TooManyStatesError
            self.known[key] = None  # counted while what follows is searched; no turn comes back to a table
            self.known[key] = self._search(position, paid)
        return self.known[key]

    def _search(self, position: Position, paid: int) -> Best:
        if position.phase is Phase.BARBARIAN or position.is_won:
            return self._end(position, paid)
        best = self._end(position, paid) if rules.may_end(position) else None
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK and (action.place, action.outcome) not in self.task.stated:
                continue
            after, price = rules.play(position, action), paid + rules.cost(position, action)
            found = self._end(after, price) if isinstance(after, Fall) else self.best(after, price)
            if found is not None and (best is None or found[0] > best[0]):
                best = found[0], (action, *found[1])
        return best

    def _end(self, end: Position | Fall, paid: int) -> Best:
        objective = self.task.objective
        if not is_within(objective.constraint, end, paid) or self.task.leaves_out(end):
            return None
        values = ((term, value_at(term, end, paid)) for term in objective.terms)
        return tuple(int(-value if isinstance(term, LeastIp) else value) for term, value in values), ()
