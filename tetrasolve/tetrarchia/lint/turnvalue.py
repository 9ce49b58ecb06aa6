"""The best value of a turn by the reference rules alone: every policy is tried out, the dice of attacks included.

It is a second way to what `tetrasolve.tetrarchia.plan` searches with the kernel, for turns with few states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, TypeAlias

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.objective import LeastIp, LeastRisk, MostExpected, NextGoal, Objective, Term, natural
from tetrasolve.tetrarchia.plan.prospect import prospect_of
from tetrasolve.tetrarchia.plan.replay import is_within, value_at
from tetrasolve.tetrarchia.plan.tree import Fork, Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

MOST_STATES = 400  # about two seconds
MOST_PHASES = 40  # ends whose phase is computed

Values: TypeAlias = tuple[Fraction, ...]  # whether the constraint is met, then each term so that more is better


Option: TypeAlias = Action | tuple[Action, ...] | None  # an action, an attack by its outcomes, or the end of the turn


class _TooLargeError(Exception):
    """The turn has more states or phases than are looked at."""


def best_by_reference(
    position: Position,
    objective: Objective,
    *,
    claimed: Sequence[Fraction] | None = None,
    stop: Stop | None = None,
    most_states: int = MOST_STATES,
) -> tuple[Fraction, ...] | None:
    """The best value of each term by the reference rules; None where they have none.

    They have none where the turn is too long for them, no policy meets the constraint for sure, or Imperium is in use.
    With Imperium an Emperor pays after his dice have fallen, which is no choice of this search.

    :raises DisagreementError: when it is not what is `claimed`.
    :raises Stopped: when `stop` is set before it is known.
    """
    found = plan_by_reference(position, objective, stop=stop, most_states=most_states)
    if found is None:
        return None
    values, _ = found
    if claimed is not None and values != tuple(claimed):
        raise DisagreementError(
            f"the best turn of '{position}' for '{objective}' has {', '.join(map(str, values))} by the reference rules, "
            f"{', '.join(map(str, claimed))} by the search; please report this"
        )
    return values


def plan_by_reference(
    position: Position, objective: Objective, *, stop: Stop | None = None, most_states: int = MOST_STATES
) -> tuple[tuple[Fraction, ...], Plan] | None:
    """The best value of each term with a plan that reaches it, by the reference rules; None as for `best_by_reference`.

    Figures of the phase are those of the kernel too, where it plays the readings in use.

    :raises Stopped: when `stop` is set before it is known.
    """
    if "imperium" in position.ruleset.extensions:
        return None
    search = _Search(objective, stop, most_states)
    try:
        meets, *found = search.best(position, 0)
    except _TooLargeError:
        return None
    if meets < 1:
        return None
    return tuple(natural(term, value) for term, value in zip(objective.terms, found, strict=True)), search.plan(
        position, 0
    )


class _Search:
    def __init__(self, objective: Objective, stop: Stop | None, most_states: int) -> None:
        self.terms, self.stop, self.most_states = objective.terms, stop, most_states
        self._constraint = objective.constraint
        self.looks_ahead = any(isinstance(term, (LeastRisk, MostExpected, NextGoal)) for term in self.terms)
        self.known: dict[tuple[Position, int], tuple[Values, Option]] = {}
        self.phases = 0

    def best(self, position: Position | Fall, paid: int) -> Values:
        """The best values from a position on, compared one term after the other."""
        if isinstance(position, Fall) or position.phase is Phase.BARBARIAN or position.is_won:
            return self._end(position, paid)
        key = (position, paid)
        if key not in self.known:
            check(self.stop)
            if len(self.known) >= self.most_states:
                raise _TooLargeError
            self.known[key] = max(self._options(position, paid), key=itemgetter(0))
        return self.known[key][0]

    def plan(self, position: Position | Fall, paid: int) -> Plan:
        """The plan of the best option in each position, after `best`."""
        if isinstance(position, Fall) or (position, paid) not in self.known:
            return Plan()
        _, option = self.known[position, paid]
        if option is None:
            return Plan()
        if isinstance(option, Action):
            rest = self.plan(rules.play(position, option), paid + rules.cost(position, option))
            return Plan((option, *rest.steps), rest.fork)
        first, *_ = option
        place = first.place
        assert place is not None, "an attack is on something"
        thrown = rules.attack_roll(position, place, first.figure, ()).results
        branches = tuple(
            (
                action.outcome,
                _share(thrown, action),
                self.plan(rules.play(position, action), paid + rules.cost(position, action)),
            )
            for action in option
            if action.outcome is not None
        )
        return Plan((), Fork(place, branches, first.figure))

    def _options(self, position: Position, paid: int) -> Iterator[tuple[Values, Option]]:
        if rules.may_end(position):
            yield self._end(position, paid), None
        attacks: dict[tuple[str | None, str | None], list[Action]] = defaultdict(list)
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK:
                attacks[action.place, action.figure].append(action)
            else:
                yield self.best(rules.play(position, action), paid + rules.cost(position, action)), action
        for (place, figure), actions in attacks.items():
            assert place is not None, "an attack is on something"
            thrown = rules.attack_roll(position, place, figure, ()).results
            parts = [
                (
                    _share(thrown, action),
                    self.best(rules.play(position, action), paid + rules.cost(position, action)),
                )
                for action in actions
            ]
            means = tuple(
                sum((chance * values[term] for chance, values in parts), Fraction(0))
                for term in range(1 + len(self.terms))
            )
            yield means, tuple(actions)

    def _end(self, end: Position | Fall, paid: int) -> Values:
        if self.looks_ahead:
            self.phases += 1
            if self.phases > MOST_PHASES:
                raise _TooLargeError
        values = ((term, _value_at(term, end, paid, self.stop)) for term in self.terms)
        row = (-value if isinstance(term, (LeastRisk, LeastIp)) else value for term, value in values)
        return Fraction(is_within(self._constraint, end, paid)), *row


def _share(thrown: Sequence[Any], action: Action) -> Fraction:
    """The chance of the outcome of an attack."""
    return Fraction(sum(result.outcome is action.outcome for result in thrown), len(thrown))


def _value_at(term: Term, end: Position | Fall, paid: int, stop: Stop | None) -> Fraction:
    """What a term is worth at an end; figures of the phase by the reference rules alone where no kernel plays the readings."""
    if not isinstance(term, LeastRisk) or isinstance(end, Fall) or end.is_won or not end.ruleset.reference_only:
        return value_at(term, end, paid, stop)
    if prospect_of(term, end) is not None:
        return value_at(term, end, paid, stop)  # under best play, which the reference rules solve in any case
    figures = rules.figures(end.replace(phase=Phase.BARBARIAN, ip=0))
    value: Fraction = getattr(figures, term.figure)
    return value + REVOLTS * figures.p_lost if term.figure == "e_revolts" else value
