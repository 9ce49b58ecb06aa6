"""What the end of a turn is worth after the Barbarian phase, where modules change the phase or players decide in it.

All who decide play as well as possible, each for himself: the Barbarian player (Barbaria) aims at the most of a figure of risk and
the least of an evaluation, Constantius and Galerius (Imperium) at the opposite. So a plan is made against the worst Barbarian.
Discs that are spent in the phase cost nothing. The kernel gives an interval, the reference rules a fraction where the phase is not
too large for them; the fraction must lie in the interval.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import inf, nextafter
from typing import Final, cast

from tetrasolve.exact.contest import TooManyStatesError
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.phase.exact import WITH_CHOICES
from tetrasolve.tetrarchia.phase.rounding import BEST_PLAY_ROUNDING
from tetrasolve.tetrarchia.plan.amount import Amount
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.evaluation import Evaluation, Weight
from tetrasolve.tetrarchia.plan.objective import LeastRisk, MostExpected, Term
from tetrasolve.tetrarchia.plan.policies import Watch, scene
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.optimum import Aim, What, best_phase

MOST_STATES = 20_000  # rolls, choices and results that the reference rules solve in about five seconds
WORTH: Final = "worth"
# An Empire lost in the phase counts as one full of revolts, see `tetrasolve.tetrarchia.plan.objective.RISKS`.
REVOLTS_LEFT = Evaluation((Weight("revolt", 1),), fallen=REVOLTS)


@dataclass(frozen=True, slots=True)
class Prospect:
    """A figure of the phase, or the expectation of an evaluation (`what` is ``worth``), under best play."""

    what: What
    rome_most: bool
    evaluation: Evaluation | None = None

    def __str__(self) -> str:
        return str(self.evaluation or self.what)

    def settled(self, end: Position | Fall) -> Fraction:
        """The value where no phase follows."""
        if self.evaluation is not None:
            return Fraction(self.evaluation.of(end))
        return Fraction(isinstance(end, Fall))

    def exact(self, end: Position | Fall, stop: Stop | None = None) -> Fraction:
        """The value at an end of a turn, by the reference rules.

        :raises Stopped: when `stop` is set before it is known, or the phase is too large.
        """
        if isinstance(end, Fall) or end.is_won:
            return self.settled(end)
        return _solved(self, end) if stop is None else _solve(self, end, stop)


def prospect_of(term: Term, position: Position) -> Prospect | None:
    """The prospect that a term is about; None for terms about the end of the turn, and in the base game.

    Figures of phases without choices are not among them: the kernel gives their fractions.
    """
    if isinstance(term, MostExpected) and position.rules_in_use:
        return Prospect(WORTH, rome_most=True, evaluation=term.evaluation)
    if isinstance(term, LeastRisk) and WITH_CHOICES & position.ruleset.extensions:
        match term.figure:
            case "p_lost":
                return Prospect("p_lost", rome_most=False)
            case "p_uprising" if "barbaria" in position.ruleset.extensions:  # nobody else decides about it
                return Prospect("p_uprising", rome_most=False)
            case "e_revolts":
                return Prospect(WORTH, rome_most=False, evaluation=REVOLTS_LEFT)
    return None


def _solve(prospect: Prospect, end: Position, stop: Stop | None) -> Fraction:
    worth = None if prospect.evaluation is None else prospect.evaluation.of
    aim = Aim(prospect.what, not prospect.rome_most, prospect.rome_most, worth=worth)
    try:
        return best_phase(end, aim, most_states=MOST_STATES, stop=stop).value
    except TooManyStatesError:
        raise Stopped("deadline") from None  # the limit is in place of one on time


@lru_cache(maxsize=4096)
def _solved(prospect: Prospect, end: Position) -> Fraction:
    return _solve(prospect, end, None)


class Prospects:
    """A prospect at each end of a turn of a position, to be maximised: negated if the Emperors aim at the least."""

    def __init__(self, position: Position, prospect: Prospect, watch: Watch) -> None:
        self.position, self.prospect, self.watch = position, prospect, watch
        self.kernel = cast(whole.Kernel, fast.kernel_of(position))
        evaluation = prospect.evaluation
        self.weights = None if evaluation is None else evaluation.tables(position.board)
        size = 1 if evaluation is None else evaluation.size(position.board)
        self.least, self.most = float(-size), float(size)
        self.error = float(size * BEST_PLAY_ROUNDING)
        self.known: dict[tuple[object, ...], Amount] = {}
        self.phases = 0  # that the kernel looked through,
        self.rolls = 0  # and the rolls in them
        self.closed = False  # no further phase is looked at; the others have trivial bounds

    def at(self, node: int, end: State) -> Amount:
        """The prospect at an end, as an interval, and as a fraction on demand; `node` is not needed.

        :raises Stopped: when the deadline has passed.
        """
        del node
        place = scene(end)
        found = self.known.get(place)
        if found is None and self.closed:
            return Amount(self.least, self.most, partial(self._exact, end, self.least, self.most))
        if found is None:
            self.watch.look()
            found = self.known[place] = self._by_kernel(end)
        return found

    def _by_kernel(self, end: State) -> Amount:
        if end.result != kernel.OPEN:
            over = float(self._signed(self.prospect.settled(self._position(end))))
            return Amount(over, over, Fraction)
        sign = 1 if self.prospect.rome_most else -1
        state = cast(whole.State, end)
        found = whole.best_phase(
            self.kernel, state, self.prospect.what, -sign, sign, weights=self.weights, stop=self.watch.stop
        )
        self.phases += 1
        self.rolls += found["rolls"]
        value = sign * found["value"]
        low, high = nextafter(value - self.error, -inf), nextafter(value + self.error, inf)
        return Amount(low, high, partial(self._exact, end, low, high))

    def _exact(self, end: State, low: float, high: float) -> Fraction:
        """The fraction by the reference rules, which must lie in the kernel's interval."""
        table = self._position(end)
        value = self._signed(self.prospect.exact(table, self.watch.stop))
        if not low <= value <= high:
            raise DisagreementError(
                f"'{self.prospect}' after the phase of '{table}': {value} by the reference rules, {low} to {high} by the kernel; "
                "please report this"
            )
        return value

    def _signed(self, value: Fraction) -> Fraction:
        return value if self.prospect.rome_most else -value

    def _position(self, end: State) -> Position | Fall:
        if end.result == kernel.FALLEN:
            return Fall.NO_UNREST_LEFT  # the only fall in a turn
        return fast.to_position(end, self.position.board, self.position.ruleset)
