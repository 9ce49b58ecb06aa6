"""The best policy of the rest of a turn: the value that the best decisions reach, and the decisions themselves, by the kernel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from tetrasolve.errors import ArgumentError, IllegalActionError
from tetrasolve.exact.certainty import Exact, Interval
from tetrasolve.exact.deadline import public_question, stop_of
from tetrasolve.finem import rules
from tetrasolve.finem.evaluation import Evaluation, Objective, read_objective
from tetrasolve.finem.fast import engine_of, option_text, state_of
from tetrasolve.finem.layout import TRIBES
from tetrasolve.finem.position import Phase, Position, Result, State, Step
from tetrasolve.finem.risk import require_followed
from tetrasolve.finem.turnrisk import POLICIES, TurnRisk, turn_risk
from tetrasolve.stop import Stop, Stopped

BEST = "best"  # the name of this policy


@dataclass(frozen=True)
class Played:
    """A card or a best decision of a line of play, whether the player decided it, and the value after it."""

    option: str
    is_decision: bool
    value: Fraction


@dataclass(frozen=True)
class BestTurn:
    """How well the rest of a turn can be played for an objective.

    `value` is the expected value under the best decisions, which see every card that is out: exact, or in an interval where the
    time ran out. `options` has the value after each option of the decision at this step, the best first, or if each card comes
    that can come; of equally good ones the order is that of the rules. `by_policy` has the value of stated policies. `line` follows
    the cards that were named, with the best decisions between them, to the first card that was not. What the time did not suffice
    for is missing.
    """

    position: Position
    objective: Objective
    value: Exact | Interval
    options: Mapping[str, Fraction]
    by_policy: Mapping[str, Fraction]
    line: tuple[Played, ...]
    status: Literal["exact", "interrupted"]

    @property
    def best(self) -> str | None:
        """The best option of the decision at this step, of equally good ones the first; None where no decision is at hand."""
        if self.position.step.is_chance or self.position.step is Step.ACT:
            return None
        return next(iter(self.options), None)

    def as_data(self) -> dict[str, Any]:
        """The answer as JSON data."""
        return {
            "status": self.status,
            "policy": BEST,
            "objective": str(self.objective),
            "value": self.value.as_data(),
            "options": {option: Exact(value).as_data() for option, value in self.options.items()},
            "by_policy": {policy: Exact(value).as_data() for policy, value in self.by_policy.items()},
            "line": [
                {"option": one.option, "decision": one.is_decision, "value": Exact(one.value).as_data()}
                for one in self.line
            ],
        }


@public_question
def best_turn(
    position: Position,
    objective: str = "p_lost",
    *,
    cards: Iterable[str] = (),
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> BestTurn:
    """The best policy of the turn from here on; in the phase of actions, if the player passes now.

    >>> from tetrasolve.finem.examples import examples
    >>> found = best_turn(examples()["limit"], "die:C=3 die:O=1")
    >>> found.best, found.value.low > found.by_policy["careful"]
    ('discard E3', True)

    :param objective: what to aim at, see `tetrasolve.finem.evaluation`.
    :param cards: the next cards, for `BestTurn.line`.
    :raises ArgumentError: when `cards` is not a list of texts.
    :raises ObjectiveError: when the objective cannot be read.
    :raises IllegalPositionError: when the position cannot occur, or the Dictator is about to ride.
    :raises IllegalActionError: when one of the cards cannot come.
    :raises ReferenceOnlyError: for readings that only the reference rules play.
    """
    stop = stop_of(seconds, cancel)
    aim = read_objective(objective)
    position.ruleset.require_kernel()
    require_followed(position, BEST, (BEST,))
    return _Question(position, aim, _read_cards(cards), stop).answer()


def _read_cards(cards: Iterable[str]) -> tuple[str, ...]:
    expected = "a list of cards, for example ['O7', 'C7']"
    if isinstance(cards, str) or not isinstance(cards, Iterable):
        raise ArgumentError("best_turn: cards", cards, expected)
    found = tuple(cards)
    for card in found:
        if not isinstance(card, str):
            raise ArgumentError("best_turn: cards", card, expected)
    return found


class _Question:
    """What is known so far."""

    def __init__(self, position: Position, aim: Objective, cards: tuple[str, ...], stop: Stop | None) -> None:
        self.position, self.aim, self.cards, self.stop = position, aim, cards, stop
        self.options: Mapping[str, Fraction] = {}
        self.by_policy: dict[str, Fraction] = {}
        self.line: list[Played] = []

    def answer(self) -> BestTurn:
        value: Exact | Interval
        status: Literal["exact", "interrupted"] = "exact"
        start: State = self.position
        if self.position.step is Step.ACT:
            start = rules.take(self.position, "pass")
        value = Interval(*self._range())
        try:
            value, self.options = self._solved(start)
            for policy in POLICIES:
                self._follow(policy)
            self._play(start)
        except Stopped as stopped:
            status = "interrupted"
            if isinstance(value, Interval) and stopped.partial is not None:
                value = self._between(stopped.partial)
        return BestTurn(self.position, self.aim, value, self.options, self.by_policy, tuple(self.line), status)

    def _solved(self, state: State) -> tuple[Exact, Mapping[str, Fraction]]:
        """The value of a state, and of its options, the best first."""
        if isinstance(state, Result) or state.phase is Phase.ROLE:
            return Exact(Fraction(self.aim.evaluation.of(state))), {}
        found = engine_of(state.ruleset).best(state_of(state), self.aim.weights, stop=self.stop)
        options = {
            option_text(code): self.aim.sign * Fraction(worth, found["unit_of_each"])
            for code, worth in found["each"].items()
        }
        ordered = dict(sorted(options.items(), key=lambda pair: -self.aim.sign * pair[1]))
        return Exact(self.aim.sign * Fraction(found["worth"], found["unit"])), ordered

    def _range(self) -> tuple[Fraction, Fraction]:
        low, high = self.aim.evaluation.range(self.position.ruleset.most_decline)
        return Fraction(low), Fraction(high)

    def _between(self, partial: Mapping[str, int]) -> Interval:
        """What was followed, and bounds of the rest."""
        low, high = self._range()
        known, rest = (
            Fraction(self.aim.sign * partial["worth"], partial["unit"]),
            1 - Fraction(partial["known"], partial["unit"]),
        )
        return Interval(known + rest * low, known + rest * high)

    def _follow(self, policy: str) -> None:
        """The value of a stated policy: the evaluation is linear in the figures of its turn."""
        risk = turn_risk(self.position, policy, cancel=self.stop)
        if risk.unknown:
            raise Stopped("set", None)
        self.by_policy[policy] = expected(risk, self.aim.evaluation)

    def _play(self, state: State) -> None:
        """The cards that were named, and the best decisions."""
        waiting = list(self.cards)
        while isinstance(state, Position) and state.phase is not Phase.ROLE:
            found = rules.node(state)
            if found.is_chance and not waiting:
                return
            option = waiting.pop(0) if found.is_chance else next(iter(self._solved(state)[1]))
            state = rules.take(state, option)
            self.line.append(Played(option, not found.is_chance, self._solved(state)[0].value))
        if waiting:
            raise IllegalActionError(waiting[0], "the turn is over before this card")


def expected(risk: TurnRisk, evaluation: Evaluation) -> Fraction:
    """The expected value of an evaluation for the figures of a turn, which are known in full."""
    constant, won, lost = evaluation.sums
    total = constant * risk.p_goes_on + won * risk.p_won + lost * risk.p_lost
    for weight, track in zip(evaluation.tracks, (risk.outbreaks, risk.decline), strict=True):
        total += weight * sum((place * share for place, share in track.items()), Fraction(0))
    die, pacified, cubes = evaluation.tribes
    for at, tribe in enumerate(TRIBES):
        total += die[at] * sum((face * share for face, share in risk.dice[tribe].items()), Fraction(0))
        total += cubes[at] * sum((number * share for number, share in risk.cubes[tribe].items()), Fraction(0))
        total += pacified[at] * risk.pacified[tribe]
    return total
