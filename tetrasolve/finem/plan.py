"""The best actions of a turn: all sequences of actions, each followed by the best policy of the rest of the turn.

With the horizon ``actions`` what they aim at is the position in which they end, before a card of the campaign is drawn. Such plans
are judged by a model of its own (`tetrasolve.finem.judge`) and have certificates (`tetrasolve.finem.certificate`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tetrasolve.errors import ArgumentError, IllegalPositionError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.deadline import answering, check, public_question, stop_of
from tetrasolve.finem.evaluation import Objective, read_objective
from tetrasolve.finem.fast import STEPS, option_text
from tetrasolve.finem.kernel import State
from tetrasolve.finem.plantree import Key, Tree, TreeSizeError, key_of
from tetrasolve.finem.position import Phase, Position, Step
from tetrasolve.finem.rules.actions import PASS, STAY
from tetrasolve.finem.status import require_kernel
from tetrasolve.stop import Stop, Stopped

Number = Exact | Interval
StoppedBy = Literal["deadline", "cancelled", "states"]
TURN, ACTIONS = HORIZONS = ("turn", "actions")
STATES = 150_000  # of a phase of actions that are kept if nothing else is asked for: some 200 MB
MOST_STATES = 1_000_000  # that can be asked for: more than 1 GB


@dataclass(frozen=True)
class Plan:
    """The best actions of a turn for an objective, followed by the best policy of the rest of the turn.

    `value` is the expected value under both: exact, or in an interval where the time ran out. `actions` are the best ones as far as
    no card comes between; of equally good ones those with the fewest actions, then the first. A Dictator's plan ends with ``ride``
    where one comes, and `rides` has the best actions after each card, and their value. `options` has the value of each option
    of the next decision, the best first. `ends` are the situations, but for the pawn, to which the actions can lead.

    Where the search was interrupted the actions are the best of those that were looked at, and the values lie in intervals;
    what is worth an exact number all the same, as to pass is, has it.
    `stopped_by` says why: ``deadline``, ``cancelled``, or ``states``, where the phase has more than `states`, as a
    Dictator's with four actions can have; more time does not help then, and more states do. Of a Dictator all plans without a
    ride come first, and they alone count where the search of those with rides was interrupted.
    """

    position: Position
    objective: Objective
    value: Number
    actions: tuple[str, ...]
    rides: Mapping[str, tuple[tuple[str, ...], Number]]
    options: Mapping[str, Number]
    ends: int
    status: Literal["exact", "interrupted"]
    stopped_by: StoppedBy | None = None
    states: int = STATES

    def as_data(self) -> dict[str, Any]:
        """The answer as JSON data."""
        return {
            "status": self.status,
            "stopped_by": self.stopped_by,
            "objective": str(self.objective),
            "value": self.value.as_data(),
            "actions": list(self.actions),
            "rides": {
                card: {"actions": list(actions), "value": value.as_data()}
                for card, (actions, value) in self.rides.items()
            },
            "options": {option: value.as_data() for option, value in self.options.items()},
            "ends": self.ends,
        }


@public_question
def plan(
    position: Position,
    objective: str = "p_lost",
    *,
    horizon: str = TURN,
    states: int = STATES,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Plan:
    """The best actions of the turn, all sequences considered; the Dictator's cards are chance.

    At most `states` states are kept, with or without `seconds`. Where there are more, the values are intervals, as after a
    deadline, and `Plan.stopped_by` is ``states``. States that stand for each other count once (`tetrasolve.finem.plantree`).

    >>> from tetrasolve.finem.examples import examples
    >>> found = plan(examples()["dictator"].replace(role="consul", left=2))
    >>> found.actions, found.status
    (('confront C', 'confront C'), 'exact')

    :param objective: what to aim at, see `tetrasolve.finem.evaluation`.
    :param horizon: when it is looked at: at the end of the ``turn``, or of the ``actions``.
    :param states: from 1 to 1,000,000, which take more than 1 GB.
    :raises ArgumentError: for another horizon, or another number of states.
    :raises ObjectiveError: when the objective cannot be read.
    :raises IllegalPositionError: when the position cannot occur, or is not in the phase of actions.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop = stop_of(seconds, cancel)
    if horizon not in HORIZONS:
        raise ArgumentError("horizon", horizon, f"one of {', '.join(HORIZONS)}")
    if type(states) is not int or not 1 <= states <= MOST_STATES:
        raise ArgumentError("states", states, f"a whole number from 1 to {MOST_STATES:,}")
    aim = read_objective(objective)
    require_kernel(position)
    if position.phase is not Phase.ACTIONS:
        raise IllegalPositionError([f"step {position.step}: expected a position in the phase of actions"])
    by_turn = horizon == TURN
    tree = Tree(position, aim, stop, has_rides=False, most_states=states, by_turn=by_turn)
    try:
        tree.grow()
        tree.value_ends()
        if not tree.is_cut:
            return _exact(tree)
        whole = Tree(position, aim, stop, has_rides=True, most_states=states, by_turn=by_turn, values=tree.values)
        whole.grow()
        whole.value_ends()
        return _exact(whole)
    except Stopped as stopped:
        return _bounded(tree, "cancelled" if stopped.reason == "set" else "deadline")
    except TreeSizeError:
        return _bounded(tree, "states")


class _Solved:
    """The best options, if situations that were not valued are worth `missing`."""

    def __init__(self, tree: Tree, missing: Fraction, stop: Stop | None = None) -> None:
        self.tree, self.missing, self.stop = tree, missing, stop
        self.known: dict[State, tuple[Fraction, Fraction]] = {}  # the value, and the expected number of actions
        self.best: dict[State, int] = {}

    def of(self, start: State) -> tuple[Fraction, Fraction]:
        """The value of a state, and the expected number of actions to it; each action has one state after another."""
        if start in self.known:
            return self.known[start]
        tree = self.tree
        if tree.is_over(start):
            return tree.values.get(key_of(start), self.missing), Fraction(0)
        if start not in tree.after:
            return self.missing, Fraction(0)
        check(self.stop)
        rows = {option: self.of(after) for option, after in tree.after[start].items()}
        if STEPS[start.step].is_chance:
            value = sum((row[0] for row in rows.values()), Fraction(0)) / len(rows)
            found = value, sum((row[1] for row in rows.values()), Fraction(0)) / len(rows)
        else:
            is_action = STEPS[start.step] is Step.ACT
            rows = {
                option: (value, actions + (is_action and option_text(option) != PASS))
                for option, (value, actions) in rows.items()
            }
            self.best[start] = min(rows, key=lambda option: self._order(option, *rows[option]))
            found = rows[self.best[start]]
        self.known[start] = found
        return found

    def _order(self, option: int, value: Fraction, actions: Fraction) -> tuple[Fraction, Fraction, bool]:
        """Of equal values those with the fewest actions, of these to pass or to stay."""
        return -self.tree.aim.sign * value, actions, option_text(option) not in (PASS, STAY)

    def actions(self, state: State) -> Iterator[tuple[str, State]]:
        """The best options from a state on, to the first card or the end of the phase, each with the state after it."""
        while state in self.best:
            option = self.best[state]
            state = self.tree.after[state][option]
            yield option_text(option), state


def _exact(tree: Tree) -> Plan:
    """The best plan of a tree whose ends are all valued.

    :raises Stopped: when the time runs out.
    """
    solved = _Solved(tree, Fraction(0), tree.stop)
    solved.of(tree.start)
    return _plan(tree, solved, lambda state: Exact(solved.of(state)[0]), None)


def _bounded(tree: Tree, stopped_by: StoppedBy) -> Plan:
    """The best plan if all that was not valued is the worst that can be; where the tree is cut no upper bound is known.

    Where the actions are over and the situation was valued, as after a pass, the value is exact in any case.
    """
    worst, luckiest = (tree.low, tree.high) if tree.aim.aims_at_most else (tree.high, tree.low)
    sure, hoped = _Solved(tree, worst), _Solved(tree, luckiest)

    def number(state: State) -> Number:
        one = sure.of(state)[0]
        if tree.is_over(state) and key_of(state) in tree.values:
            return Exact(one)
        other = luckiest if tree.is_cut else hoped.of(state)[0]
        return Interval(min(one, other), max(one, other))

    return _plan(tree, sure, number, stopped_by)


def _plan(tree: Tree, solved: _Solved, number: Callable[[State], Number], stopped_by: StoppedBy | None) -> Plan:
    status: Literal["exact", "interrupted"] = "interrupted" if stopped_by else "exact"
    value = number(tree.start)
    line = [*solved.actions(tree.start)]
    last = line[-1][1] if line else tree.start
    rides = {}
    if STEPS[last.step] is Step.DICTATOR and last in tree.after:
        for card, after in tree.after[last].items():
            # a last action is over with the card, wherever he goes: he stays
            texts = [STAY] if tree.is_over(after) else [text for text, _ in solved.actions(after)]
            rides[option_text(card)] = _without_pass(texts), number(after)
    first = tree.after.get(tree.start, {})
    options = {
        option_text(option): number(first[option]) if option in first else Interval(tree.low, tree.high)
        for option in (() if tree.is_over(tree.start) else tree.engine.options(tree.start))
    }
    most = tree.aim.aims_at_most
    ordered = dict(sorted(options.items(), key=lambda pair: -pair[1].low if most else pair[1].high))
    actions = _without_pass(text for text, _ in line)
    return Plan(
        tree.position, tree.aim, value, actions, rides, ordered, len(tree.ends), status, stopped_by, tree.most_states
    )


def _without_pass(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word != PASS)


@public_question
def situations(
    position: Position, objective: str = "p_lost", *, seconds: float | None = None, cancel: Stop | None = None
) -> list[tuple[tuple[str, ...], Fraction]]:
    """Every situation but for the pawn to which the actions can lead: the fewest actions to it, and its value.

    The value is that of `plan` where these actions are chosen: the best play of the rest of the turn. Rides of a Dictator are left
    out.

    >>> from tetrasolve.finem.examples import examples
    >>> found = situations(examples()["dictator"].replace(role="consul", left=1))
    >>> min(found, key=lambda row: row[1])[0]
    ('confront C',)

    :raises ObjectiveError: when the objective cannot be read.
    :raises IllegalPositionError: when the position cannot occur, or is not in the phase of actions.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set.
    """
    aim = read_objective(objective)
    require_kernel(position)
    if position.phase is not Phase.ACTIONS:
        raise IllegalPositionError([f"step {position.step}: expected a position in the phase of actions"])
    with answering("plan: situations"):
        tree = Tree(position, aim, stop_of(seconds, cancel), has_rides=False, most_states=STATES)
        tree.grow()
        tree.value_ends()
    found: dict[Key, tuple[str, ...]] = {}
    waiting: list[tuple[State, tuple[str, ...]]] = [(tree.start, ())]
    seen = {tree.start}
    for state, actions in waiting:  # which grows
        if tree.is_over(state):
            key = key_of(state)
            if key not in found or len(actions) < len(found[key]):
                found[key] = actions
            continue
        for option, after in tree.after[state].items():
            text = option_text(option)
            if after not in seen:
                seen.add(after)
                waiting.append((after, actions if text == PASS else (*actions, text)))
    return [(actions, tree.values[key]) for key, actions in found.items()]
