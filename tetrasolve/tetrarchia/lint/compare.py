"""What two values of a reading make of one position: by the kernel quickly, and by the reference rules in words.

Where a value is played by the reference rules only, they compare the values too.

They differ in what is legal, in what an action costs or does, in the chances of an attack or to pay all that it names, or in the
Barbarian phase: in its distribution while nobody decides (`decline`) or by a fixed rule (`eager`), in what some answers can lead
to, or in what best play can reach.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from typing import Any

from tetrasolve.exact.deadline import check
from tetrasolve.lint.pairs import ReadingPair
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, rules, whole
from tetrasolve.tetrarchia.action import END, Action, Kind
from tetrasolve.tetrarchia.lint.possible import ASKED_AGAIN, results
from tetrasolve.tetrarchia.lint.small import Table
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall, Figures
from tetrasolve.tetrarchia.rules.optimum import Aim, What, best_phase
from tetrasolve.tetrarchia.rules.payment import payable
from tetrasolve.tetrarchia.rules.questions import CHOSEN, chooses
from tetrasolve.tetrarchia.ruleset import READINGS

CLOSE = 1e-9  # chances of the kernel are doubles: those of one distribution added in another order are this close
DECIDED = frozenset({"imperium", "barbaria"})  # variants with decisions in the Barbarian phase
AIMS: tuple[What, ...] = ("e_revolts",)  # of this the Barbarian player aims at the most, and Rome at the least
MOST_REVOLTS, MOST_DISCS = (
    3,
    2,
)  # in a position in which best play is compared, and discs that can be spent: it takes long


class Pair(ReadingPair):
    """A reading with two of its values; `first` comes first in the data file."""

    __slots__ = ()

    @property
    def by_reference(self) -> bool:
        """Whether the reference rules compare the values: where the kernels do not play one, or what can come of a phase counts."""
        return self.reading in ASKED_AGAIN or not {*self.values}.isdisjoint(READINGS[self.reading].reference)


class EnginesDifferError(AssertionError):
    """The reference rules and the kernel give a position different results."""


# -- by the kernel -----------------------------------------------------------------------------------------------------


class Engines:
    """The kernels of a table, one for each value of each reading; `others` are values of readings that all of them have."""

    def __init__(self, table: Table, others: Sequence[tuple[str, str]] = ()) -> None:
        self.table, self._others = table, tuple(others)
        self.decided = not DECIDED.isdisjoint(table.extensions)
        self._kernels: dict[tuple[str, str], Any] = {}

    def kernel(self, reading: str, value: str) -> Any:
        """The kernel of the whole rulebook with this value; it does not depend on the number of fleets."""
        key = (reading, value)
        if key not in self._kernels:
            ruleset = self.table.ruleset(readings=[*self._others, key])
            self._kernels[key] = fast.kernel_for(self.table.board, ruleset, rebels=True)
        return self._kernels[key]

    def is_slow(self, state: whole.State) -> bool:
        """Whether the readable rules would need more than seconds for its Barbarian phase, where there are decisions in it."""
        return self.decided and state.phase == whole.BARBARIAN and not _is_quick(state)

    def differing(self, state: whole.State, pairs: Sequence[Pair], stop: Stop | None = None) -> list[Pair]:
        """Those of the pairs under whose values a position is not the same.

        :raises Stopped: when the flag is set.
        """
        seen: dict[int, Any] = {}
        roman = state.phase == whole.ROMAN

        def does(reading: str, value: str) -> Any:
            kernel = self.kernel(reading, value)
            if id(kernel) not in seen:  # all defaults share one kernel
                seen[id(kernel)] = _turn(kernel, state) if roman else _phase(kernel, state, self.decided, stop)
            return seen[id(kernel)]

        same = _same_turn if roman else _same_phase
        return [
            p
            for p in pairs
            if (
                self._differs(state, p, stop)
                if p.by_reference
                else not same(does(p.reading, p.first), does(p.reading, p.second))
            )
        ]

    def _differs(self, state: whole.State, pair: Pair, stop: Stop | None) -> bool:
        """Whether the reference rules make something else of a position, which can occur under both values."""
        position = self.table.position(state)
        one, other = (with_value(position, pair.reading, value) for value in pair.values)
        if one.status() or other.status():
            return False
        return next(_differences(one, other, stop), None) is not None


def _turn(kernel: Any, state: whole.State) -> tuple[Any, ...]:
    """What can be done, what each action costs and leads to, and the odds of each attack."""
    codes = kernel.legal(state)
    if kernel.may_end(state):
        codes.append(whole.END)
    odds = [whole.attack_odds(kernel, state, code) for code in codes if code & 15 in (whole.ATTACK, whole.PIRATES)]
    return (
        codes,
        [kernel.play(state, code) for code in codes],
        [kernel.cost(state, code) for code in codes],
        odds,
    )


def _same_turn(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return one == other


def _is_quick(state: whole.State) -> bool:
    return state.revolts.bit_count() <= MOST_REVOLTS and state.gray + state.black <= MOST_DISCS


def _phase(kernel: Any, state: whole.State, decided: bool, stop: Stop | None) -> tuple[Any, ...]:
    """The distributions of the phase, and the values of best play."""
    declined = kernel.outcomes(state, whole.DECLINE, stop=stop)
    if not decided:
        return (declined,), ()
    aims = AIMS if _is_quick(state) else ()
    best = tuple(whole.best_phase(kernel, state, aim, 1, -1, stop=stop)["value"] for aim in aims)
    return (declined, kernel.outcomes(state, whole.EAGER, stop=stop)), best


def _same_phase(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    if one == other:
        return True
    if any(abs(a - b) > CLOSE for a, b in zip(one[1], other[1], strict=True)):
        return False
    for a, b in zip(one[0], other[0], strict=True):
        first, second = dict(a), dict(b)
        if first.keys() != second.keys() or any(abs(first[key] - second[key]) > CLOSE for key in first):
            return False
    return True


# -- by the reference rules --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs: its class, what it is, and what it is under each of two values.

    ``legal``: an action is possible under one of them; ``cost``, ``effect``, ``odds``: of an action that both allow; ``phase``: a
    figure, or the chance of a result of the Barbarian phase; ``possible``: a result that some answers in it lead to; ``best``: what
    best play in it can reach.
    """

    kind: str
    what: str
    values: tuple[str, str]


def differences(position: Position, pair: Pair, stop: Stop | None = None) -> tuple[Difference, ...]:
    """What the reference rules make of a position under both values, where it is not the same.

    :raises EnginesDifferError: when the kernel has other results under one of the values that it plays.
    :raises Stopped: when `stop` is set before it is known.
    """
    both = [with_value(position, pair.reading, value) for value in pair.values]
    for table in both:
        agree(table, stop)
    one, other = both
    return tuple(_differences(one, other, stop))


def agree(position: Position, stop: Stop | None = None) -> None:
    """Compare the engines on a position, unless its readings are played by the reference rules alone.

    :raises EnginesDifferError: when the kernel has other results.
    :raises Stopped: when `stop` is set before it is known.
    """
    if not position.ruleset.reference_only:
        (_agree_on_turn if position.phase is Phase.ROMAN else _agree_on_phase)(position, stop)


def _differences(one: Position, other: Position, stop: Stop | None = None) -> Iterator[Difference]:
    """What differs between one position under two readings."""
    return (_turn_differences if one.phase is Phase.ROMAN else _phase_differences)(one, other, stop)


@dataclass(frozen=True, slots=True)
class _Flag:
    """A flag as an argument of a cached function: all flags are equal, and what is stopped is not kept."""

    stop: Stop | None = field(compare=False)


def with_value(position: Position, reading: str, value: str) -> Position:
    """The same position with this value of a reading."""
    return position.replace(ruleset=position.ruleset.with_readings([(reading, value)]))


@lru_cache(maxsize=4)
def _actions(position: Position, flag: _Flag) -> dict[Action, tuple[int, Position | Fall]]:
    """Each action with its cost and its result."""
    found = {}
    for a in (*rules.legal_actions(position), *([END] if rules.may_end(position) else [])):
        check(flag.stop)
        found[a] = (0 if a == END else rules.cost(position, a), rules.play(position, a))
    return found


def _odds(position: Position, action: Action) -> tuple[int, ...]:
    """In how many of the 36 throws an attack ends in each way."""
    assert action.place is not None, "it is an attack"
    results = rules.attack_roll(position, action.place, action.figure, action.payments).results
    return tuple(sum(result.outcome is outcome for result in results) for outcome in fast.OUTCOMES)


def _turn_differences(one: Position, other: Position, stop: Stop | None) -> Iterator[Difference]:
    first, second = _actions(one, _Flag(stop)), _actions(other, _Flag(stop))
    for here, there, values in ((first, second, ("legal", "not legal")), (second, first, ("not legal", "legal"))):
        for action in here:
            if action not in there:
                yield Difference("legal", str(action), values)
    for action in first:
        check(stop)
        if action not in second:
            continue
        (cost, after), (other_cost, other_after) = first[action], second[action]
        if cost != other_cost:
            yield Difference("cost", str(action), (f"{cost} IP", f"{other_cost} IP"))
        if action.kind is Kind.ATTACK:
            odds = _odds(one, action), _odds(other, action)
            paid = sum(payable(one, action)), sum(payable(other, action))
            if odds[0] != odds[1]:
                words = ["victory {}, draw {}, defeat {} of 36".format(*row) for row in odds]
                yield Difference("odds", str(action), (words[0], words[1]))
            elif paid[0] != paid[1]:
                words = [f"all of it can be paid with {count} of 36" for count in paid]
                yield Difference("odds", str(action), (words[0], words[1]))
        ends = _text(after, one), _text(other_after, one)
        if ends[0] != ends[1]:
            yield Difference("effect", str(action), ends)


def _text(result: Position | Fall, like: Position) -> str:
    """A result as text under the ruleset of another position, so that results of two readings can be compared."""
    return f"fallen: {result}" if isinstance(result, Fall) else str(result.replace(ruleset=like.ruleset))


@lru_cache(maxsize=8)
def _solved(position: Position, policy: str, flag: _Flag) -> rules.SolvedPhase:
    return rules.solve(position, rules.POLICIES[policy], flag.stop)


def _policies(*positions: Position) -> tuple[str, ...]:
    """The policies that may differ in one of these positions."""
    decided = any(
        not DECIDED.isdisjoint(p.ruleset.extensions) or any(chooses(p, reading) for reading in CHOSEN)
        for p in positions
    )
    return tuple(rules.POLICIES) if decided else ("decline",)


def _phase_differences(one: Position, other: Position, stop: Stop | None) -> Iterator[Difference]:
    policies = _policies(one, other)
    for policy in policies:
        note = "" if len(policies) == 1 else f", policy {policy}"
        first, second = (_solved(position, policy, _Flag(stop)) for position in (one, other))
        a, b = first.figures(), second.figures()
        for row in fields(Figures):
            values = getattr(a, row.name), getattr(b, row.name)
            if values[0] != values[1]:
                yield Difference("phase", f"{row.name}{note}", (str(values[0]), str(values[1])))
        ends = [{_text(end, one): chance for end, chance in solved.ends.items()} for solved in (first, second)]
        for text in sorted({*ends[0], *ends[1]}):
            chances = ends[0].get(text, Fraction(0)), ends[1].get(text, Fraction(0))
            if chances[0] != chances[1]:
                yield Difference("phase", f"result {text}{note}", (str(chances[0]), str(chances[1])))
    if any(one.ruleset.readings[name] != other.ruleset.readings[name] for name in ASKED_AGAIN) and one.black:
        possible = [{_text(end, one) for end in results(position, stop)} for position in (one, other)]
        for text in sorted(possible[0] ^ possible[1]):
            values = ("possible", "impossible") if text in possible[0] else ("impossible", "possible")
            yield Difference("possible", f"result {text}", values)
    for what in _aims(one, other):
        values = _best(one, what, _Flag(stop)), _best(other, what, _Flag(stop))
        if values[0] != values[1]:
            yield Difference("best", what, (str(values[0]), str(values[1])))


def _aims(position: Position, *others: Position) -> tuple[What, ...]:
    """What best play is compared for; `others` are the same position under other values."""
    is_quick = len(position.revolts) <= MOST_REVOLTS and position.gray + position.black <= MOST_DISCS
    return AIMS if is_quick and len(_policies(position, *others)) > 1 else ()


@lru_cache(maxsize=8)
def _best(position: Position, what: What, flag: _Flag) -> Fraction:
    """The most that the Barbarian player reaches while Rome aims at the least."""
    return best_phase(position, Aim(what, barbarian_most=True, rome_most=False), stop=flag.stop).value


# -- both --------------------------------------------------------------------------------------------------------------


def _engines(position: Position) -> Iterator[tuple[Any, Any]]:
    """The kernels that know the position, each with its state."""
    yield fast.kernel_for(position.board, position.ruleset, rebels=True), fast.state_of(position, rebels=True)
    if fast.engine_for(position.ruleset, rebels=bool(position.rebels)) is not whole:
        yield fast.kernel_of(position), fast.state_of(position)


def _agree_on_turn(position: Position, stop: Stop | None) -> None:
    expected, board = _actions(position, _Flag(stop)), position.board
    for kernel, state in _engines(position):
        codes = [*kernel.legal(state), *([whole.END] if kernel.may_end(state) else [])]
        found = {fast.to_action(code, board): code for code in codes}
        _require(found.keys() == expected.keys(), position, "legal actions")
        for action, code in found.items():
            cost, after = expected[action]
            _require(kernel.cost(state, code) == cost, position, f"the cost of {action}")
            played = kernel.play(state, code)
            if isinstance(after, Fall):
                _require(played.result == whole.FALLEN, position, f"{action}")
            else:
                same = played == fast.state_of(after, rebels=isinstance(state, whole.State))
                _require(same, position, f"{action}")
            if action.kind is Kind.ATTACK and isinstance(state, whole.State):
                _require(whole.attack_odds(kernel, state, code) == _odds(position, action), position, f"{action}")


def _agree_on_phase(position: Position, stop: Stop | None) -> None:
    for kernel, state in _engines(position):
        for policy in _policies(position):
            number = whole.EAGER if policy == "eager" else whole.DECLINE
            listed = dict(kernel.outcomes(state, number, stop=stop))
            lost = sum(chance for after, chance in listed.items() if after.result == whole.FALLEN)
            ends = _solved(position, policy, _Flag(stop)).ends
            expected = {
                fast.state_of(after, rebels=isinstance(state, whole.State)): chance
                for after, chance in ends.items()
                if isinstance(after, Position)
            }
            found = {after: chance for after, chance in listed.items() if after.result != whole.FALLEN}
            _require(found.keys() == expected.keys(), position, "the results of the phase")
            far = [after for after, chance in expected.items() if abs(found[after] - chance) > CLOSE]
            _require(not far, position, "the chances of the phase")
            fallen = sum(chance for after, chance in ends.items() if isinstance(after, Fall))
            _require(abs(lost - fallen) <= CLOSE, position, "the chance that the Empire falls")
        for what in _aims(position):
            best = whole.best_phase(kernel, state, what, 1, -1)["value"]
            _require(abs(best - _best(position, what, _Flag(stop))) <= CLOSE, position, f"best play for {what}")


def _require(agree: bool, position: Position, what: str) -> None:
    if not agree:
        raise EnginesDifferError(f"the reference rules and the kernel differ in {what} of {position}")
