"""What the next Emperors can do after the end of a turn, when nothing happens in between: the best chance of a goal.

The Barbarian phases between the turns are left out, as in a campaign without dice: the position is frozen. The last turn, after
which the goal is to be met, is solved by the kernel. A turn before it is worth at each of its ends what follows there, and is
solved from these back to its start. No situation is left out, and a turn that several others lead to is solved once.
Where the value of a plan is asked for, `plan.replay` replays the best plans of the turns by the reference rules too, equal
turns once. All modules, variants, scenarios, rebels and readings that a kernel plays are covered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import inf, nextafter
from typing import TypeAlias

from tetrasolve.errors import TooLargeError
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.kernel import Solution, State, Turn
from tetrasolve.tetrarchia.plan.amount import Amount, Value
from tetrasolve.tetrarchia.plan.graph import turn_of, turn_within
from tetrasolve.tetrarchia.plan.objective import NextGoal, criterion
from tetrasolve.tetrarchia.plan.policies import PROGRESS_EVERY, Policies, Watch, table_of
from tetrasolve.tetrarchia.position import Position, next_emperor, start_of_turn
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.questions import new_turn

MOST_SITUATIONS = 20_000_000  # of all turns that follow, for all terms of an objective: about a minute
LEAST_OF_A_TURN = 100  # situations: a turn counts as so many at least, so the values that are kept are few enough


def next_turn(end: Position) -> Position:
    """The beginning of the next Emperor's turn, with no Barbarian phase before it; a power that was used is over."""
    return new_turn(start_of_turn(end, next_emperor(end)))


def open_ends(position: Position, turn: Turn) -> Iterator[Position]:
    """The ends of a turn of a position, by the states of its graph, after which the game goes on."""
    for node, row in enumerate(turn.solve([("ip",)]).end_values()):
        end = None if row is None else turn.state(node)
        if end is not None and end.result not in (kernel.WON, kernel.FALLEN):
            yield fast.to_position(end, position.board, position.ruleset)


Found: TypeAlias = Solution | Policies  # a turn that is solved; both have `plan`


def situations(
    ends: Iterable[Position], turns: int, most: int, seen: set[tuple[object, ...]] | None = None
) -> Iterator[int]:
    """The numbers of states of all turns that follow these ends, up to so many turns later; equal ones are counted once.

    A turn with more than `most` states is the last, and counts as one more than that.
    """
    seen = set() if seen is None else seen
    for end in ends:
        key = (turns, table_of(fast.state_of(end)))
        if key not in seen:
            seen.add(key)
            begun = next_turn(end)
            turn = turn_within(begun, most)
            if turn is None:
                yield most + 1
                return
            yield turn.nodes
            if turns > 1:
                yield from situations(open_ends(begun, turn), turns - 1, most, seen)


class Budget:
    """How many situations of the turns that follow may still be looked at, for all terms of an objective together."""

    def __init__(self) -> None:
        self.left = MOST_SITUATIONS

    def turn(self, begun: Position, term: NextGoal, stop: Stop | None) -> Turn:
        """The graph of a turn; it counts as `LEAST_OF_A_TURN` situations at least.

        :raises TooLargeError: when there are more situations than are looked at.
        """
        turn = turn_within(begun, max(self.left, 1), stop)
        self.left -= self.left + 1 if turn is None else max(turn.nodes, LEAST_OF_A_TURN)
        if turn is None or self.left < 0:
            raise TooLargeError(
                f"'{term}': the turns that follow have more than {MOST_SITUATIONS:,} situations, too many to look at each"
            )
        return turn


class Following:
    """The turns that can follow the ends of a turn, each played for the goal of a term; equal ones are solved once.

    :raises TooLargeError: by its methods, when there are more situations than are looked at.
    :raises Stopped: by its methods, when the deadline has passed.
    """

    def __init__(self, position: Position, term: NextGoal, watch: Watch, budget: Budget | None = None) -> None:
        self.position, self.term, self.watch = position, term, watch
        self.budget = budget or Budget()
        self.known: dict[tuple[object, ...], Fraction] = {}

    def chance(self, end: State, turns: int) -> Fraction:
        """The best chance that the goal is met so many turns after this end."""
        key = (turns, table_of(end))
        found = self.known.get(key)
        if found is None:
            self.watch.look()
            found = self.known[key] = self.best(position_of(end, self.position), turns)[0]
        return found

    def knows(self, end: Position, turns: int) -> bool:
        """Whether the chance after this end is known."""
        return (turns, table_of(fast.state_of(end))) in self.known

    def best(self, end: Position | Fall, turns: int, *, again: bool = False) -> tuple[Fraction, Found | None]:
        """The same, with the next turn as it is solved; after a victory or a fall there is none. `again`: it has been counted."""
        if isinstance(end, Fall) or end.is_won:
            return Fraction(isinstance(end, Position) and self.term.goal.is_met(end)), None
        begun = next_turn(end)
        stop = self.watch.stop
        turn = turn_of(begun, stop=stop) if again else self.budget.turn(begun, self.term, stop)
        if turns > 1:
            policies = Policies(turn, self._ends(turn, turns - 1), self.watch, whole=bool(begun.rules_in_use))
            (value,) = policies.best[0]
            assert isinstance(value, Fraction)
            return value, policies
        goal = criterion(self.term.goal, begun)
        assert goal is not None  # the kernel has all goals
        solution = turn.solve([goal], stop=self.watch.stop)
        top, bottom = solution.values[0]
        return Fraction(top, bottom), solution

    def _ends(self, turn: Turn, turns: int) -> list[Value | None]:
        """What it is worth to end a turn at each of its nodes, with so many turns to follow."""
        rows: list[Value | None] = []
        for node in range(turn.nodes):
            if node % PROGRESS_EVERY == 0:
                self.watch.look()
            rows.append((self.chance(turn.state(node), turns),) if turn.may_end(node) else None)
        return rows


def position_of(end: State, origin: Position) -> Position | Fall:
    """The end of a turn as a position, or as a fall, on the board and by the rules of another one."""
    if end.result == kernel.FALLEN:
        return Fall.NO_UNREST_LEFT  # the only fall in a turn
    return fast.to_position(end, origin.board, origin.ruleset)


class NextTurns:
    """The best chance of a goal in the turns that follow, at each end of a turn of a position."""

    def __init__(self, position: Position, term: NextGoal, watch: Watch, budget: Budget) -> None:
        self.following = Following(position, term, watch, budget)
        self.known: dict[Fraction, Amount] = {}

    def at(self, node: int, end: State) -> Amount:
        """The chance at an end; `node` is not needed.

        :raises Stopped: when the deadline has passed.
        :raises TooLargeError: when there are more situations than are looked at.
        """
        del node
        value = self.following.chance(end, self.following.term.turns)
        found = self.known.get(value)
        if found is None:
            near = float(value)
            found = self.known[value] = Amount(nextafter(near, -inf), nextafter(near, inf), lambda: value)
        return found
