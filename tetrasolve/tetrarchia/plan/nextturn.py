"""What the next Emperor can do after the end of a turn, when nothing happens in between: the best chance of a goal.

The Barbarian phase between the turns is left out, as in a campaign without dice: the position is frozen. The kernel solves the
next turn from each end; where the value of a plan is asked for, `plan.replay` replays the best plan of that turn by the reference
rules too. All modules, variants, scenarios, rebels and readings that a kernel plays are covered.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.kernel import Solution, State, Turn
from tetrasolve.tetrarchia.plan.amount import Amount
from tetrasolve.tetrarchia.plan.graph import turn_of
from tetrasolve.tetrarchia.plan.objective import Goal, criterion
from tetrasolve.tetrarchia.plan.policies import Watch, table_of
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.questions import new_turn


def next_turn(end: Position) -> Position:
    """The beginning of the next Emperor's turn, with no Barbarian phase before it; a power that was used is over."""
    return new_turn(start_of_turn(end, next_emperor(end)))


def open_ends(position: Position, turn: Turn) -> Iterator[Position]:
    """The ends of a turn of a position, by the states of its graph, after which the game goes on."""
    for node, row in enumerate(turn.solve([("ip",)]).end_values()):
        end = None if row is None else turn.state(node)
        if end is not None and end.result not in (kernel.WON, kernel.FALLEN):
            yield fast.to_position(end, position.board, position.ruleset)


def best_next(goal: Goal, end: Position | Fall, stop: Stop | None = None) -> tuple[Fraction, Solution | None]:
    """The best chance, in [0, 1], that the goal is met at the end of the next Emperor's turn, and the kernel's solution of it.

    After a victory or a fall there is no such turn, nor a solution; after a victory the goal is met if it is met there.

    :raises Stopped: when `stop` is set before it is known.
    """
    if isinstance(end, Fall) or end.is_won:
        return Fraction(isinstance(end, Position) and goal.is_met(end)), None
    begun = next_turn(end)
    solution = turn_of(begun, stop=stop).solve([_criterion(goal, begun)], stop=stop)
    top, bottom = solution.values[0]
    return Fraction(top, bottom), solution


def _criterion(goal: Goal, position: Position) -> tuple[object, ...]:
    found = criterion(goal, position)
    assert found is not None  # the kernel has all goals
    return found


class NextTurns:
    """The best chance of a goal in the next turn, at each end of a turn of a position."""

    def __init__(self, position: Position, goal: Goal, watch: Watch) -> None:
        self.position, self.goal, self.watch = position, goal, watch
        self.known: dict[tuple[object, ...], Amount] = {}

    def at(self, node: int, end: State) -> Amount:
        """The chance at an end; `node` is not needed.

        :raises Stopped: when the deadline has passed.
        """
        del node
        table = table_of(end)
        found = self.known.get(table)
        if found is None:
            self.watch.look()
            value, _ = best_next(self.goal, self._position(end), self.watch.stop)
            near = float(value)
            found = self.known[table] = Amount(nextafter(near, -inf), nextafter(near, inf), lambda: value)
        return found

    def _position(self, end: State) -> Position | Fall:
        if end.result == kernel.FALLEN:
            return Fall.NO_UNREST_LEFT  # the only fall in a turn
        return fast.to_position(end, self.position.board, self.position.ruleset)
