"""The states of a phase of actions: what follows each, and the situations after it with their values.

States that differ by the pawn alone, where that changes no value, stand for each other. This concerns a Dictator, whose cards make
the tree large. With his last action, a card, the place where he ends makes no difference: what follows does not look at the pawn.
With one action left, all regions without cubes are as good as each other: nothing is confronted there, and a move is no better
than to pass. So they are where he draws a card with one action left, because he may stay: of a stay and a move to a region without
cubes the stay is taken. So the actions of the state that stands for others are legal in all of them.

This requires that he may stay, and that a stay costs the action [E-DICTATOR, E-DICTATOR-STAY]; under the other values, and for
other roles, each state stands for itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tetrasolve.exact.deadline import check
from tetrasolve.finem.evaluation import Objective
from tetrasolve.finem.fast import KIND, STEPS, engine_of, position_of, state_of
from tetrasolve.finem.fast import RIDE as RIDE_KIND
from tetrasolve.finem.kernel import Kernel, State
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.stop import Stop

RIDE = RIDE_KIND << KIND


class TreeSizeError(Exception):
    """A phase of actions has more states than are to be kept."""


Key = tuple[Any, ...]  # of a situation after the actions: what the rest of the turn looks at


def key_of(state: State) -> Key:
    """What the rest of the turn looks at: all but the pawn, its start and the region last invaded."""
    if state.result:
        return (state.result,)
    fields = state.fields()
    names = ("cubes", "dice", "pacified", "decline", "outbreaks", "role", "step", "out")
    return tuple(fields[name] for name in names)  # type: ignore[literal-required]  # they are its names


class Tree:
    """The states of a phase of actions, what follows each of them, and the values of the situations after it.

    Without rides it is small. `is_cut` says that the Dictator could have ridden somewhere. With `merges` states stand for each
    other.
    """

    def __init__(
        self,
        position: Position,
        aim: Objective,
        stop: Stop | None,
        *,
        has_rides: bool,
        most_states: int,
        by_turn: bool = True,
        merges: bool = True,
        values: Mapping[Key, Fraction] | None = None,
    ) -> None:
        self.position, self.aim, self.stop = position, aim, stop
        self.engine: Kernel = engine_of(position.ruleset)
        self.start = state_of(position)
        self.has_rides, self.is_cut, self.by_turn = has_rides, False, by_turn
        self.most_states = most_states
        readings = position.ruleset.readings
        may_stay = readings["E-DICTATOR"] == "may" and readings["E-DICTATOR-STAY"] != "free"
        self.merges = merges and has_rides and may_stay
        self.after: dict[State, dict[int, State]] = {}
        self.ends: dict[Key, State] = {}
        self.values: dict[Key, Fraction] = dict(values or {})
        low, high = aim.evaluation.range(position.ruleset.most_decline)
        self.low, self.high = Fraction(low), Fraction(high)

    def is_over(self, state: State) -> bool:
        """Whether the phase is over."""
        return bool(state.result) or STEPS[state.step].phase is not Phase.ACTIONS

    def grow(self) -> None:
        """Find all states.

        :raises Stopped: when the time runs out.
        :raises TreeSizeError: when there are more than `most_states`.
        """
        waiting = [self.start]
        while waiting:
            check(self.stop)
            state = waiting.pop()
            if state in self.after:
                continue
            key = key_of(state) if self.is_over(state) else None
            if key in self.ends:
                continue
            if len(self.after) + len(self.ends) >= self.most_states:
                raise TreeSizeError
            if key is not None:
                self.ends[key] = state
                continue
            options = self.engine.options(state)
            if not self.has_rides:
                self.is_cut |= RIDE in options
                options = [option for option in options if option != RIDE]
            self.after[state] = {option: self._merged(self.engine.take(state, option)) for option in options}
            waiting += self.after[state].values()

    def _merged(self, state: State) -> State:
        """The state that stands for it."""
        if not self.merges or self.is_over(state):
            return state
        fields = state.fields()
        step, left = STEPS[state.step], fields["left"]
        if not left and step is Step.RIDE:  # the phase ends wherever he goes
            return self.engine.take(state, self.engine.options(state)[0])
        if not left:
            fields["pawn"] = 0
        elif left == 1 and not any(fields["cubes"][fields["pawn"]]):
            fields["pawn"] = next(region for region, cubes in enumerate(fields["cubes"]) if not any(cubes))
        else:
            return state
        return State(**fields)

    def value_ends(self) -> None:
        """The value of each situation, those with the fewest cubes first."""

        def cubes(key: Key) -> int:
            return sum(map(sum, key[0])) if len(key) > 1 else 0

        weights = self.aim.weights
        for key in sorted(self.ends.keys() - self.values.keys(), key=cubes):
            end = self.ends[key]
            known = position_of(self.position.ruleset, end)
            if end.result or not self.by_turn:
                check(self.stop)
                self.values[key] = Fraction(self.aim.evaluation.of(known))
                continue
            found = self.engine.best(end, weights, stop=self.stop)
            self.values[key] = self.aim.sign * Fraction(found["worth"], found["unit"])
