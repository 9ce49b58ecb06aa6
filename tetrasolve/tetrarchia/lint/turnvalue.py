"""The best value of a turn by the reference rules alone: every policy is tried out, the dice of attacks included.

It is a second way to what `tetrasolve.tetrarchia.plan` searches with the kernel, for turns with few states.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeAlias

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.plan.answer import DisagreementError
from tetrasolve.tetrarchia.plan.objective import LeastIp, LeastRisk, MostExpected, NextGoal, Objective, natural
from tetrasolve.tetrarchia.plan.replay import is_within, value_at
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall

MOST_STATES = 400  # about two seconds
MOST_PHASES = 40  # ends whose phase is computed

Values: TypeAlias = tuple[Fraction, ...]  # whether the constraint is met, then each term so that more is better


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
    if "imperium" in position.ruleset.extensions:
        return None
    search = _Search(objective, stop, most_states)
    try:
        best = search.best(position, 0)
    except _TooLargeError:
        return None
    meets, *found = best
    if meets < 1:
        return None
    values = tuple(natural(term, value) for term, value in zip(objective.terms, found, strict=True))
    if claimed is not None and values != tuple(claimed):
        raise DisagreementError(
            f"the best turn of '{position}' for '{objective}' has {', '.join(map(str, values))} by the reference rules, "
            f"{', '.join(map(str, claimed))} by the search; please report this"
        )
    return values


class _Search:
    def __init__(self, objective: Objective, stop: Stop | None, most_states: int) -> None:
        self.terms, self.stop, self.most_states = objective.terms, stop, most_states
        self._constraint = objective.constraint
        self.looks_ahead = any(isinstance(term, (LeastRisk, MostExpected, NextGoal)) for term in self.terms)
        self.known: dict[tuple[Position, int], Values] = {}
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
            self.known[key] = max(self._options(position, paid))
        return self.known[key]

    def _options(self, position: Position, paid: int) -> Iterator[Values]:
        if rules.may_end(position):
            yield self._end(position, paid)
        attacks: dict[tuple[str | None, str | None], list[Action]] = defaultdict(list)
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK:
                attacks[action.place, action.figure].append(action)
            else:
                yield self.best(rules.play(position, action), paid + rules.cost(position, action))
        for (place, figure), actions in attacks.items():
            assert place is not None, "an attack is on something"
            thrown = rules.attack_roll(position, place, figure, ()).results
            parts = [
                (
                    Fraction(sum(result.outcome is action.outcome for result in thrown), len(thrown)),
                    self.best(rules.play(position, action), paid + rules.cost(position, action)),
                )
                for action in actions
            ]
            yield tuple(
                sum((chance * values[term] for chance, values in parts), Fraction(0))
                for term in range(1 + len(self.terms))
            )

    def _end(self, end: Position | Fall, paid: int) -> Values:
        if self.looks_ahead:
            self.phases += 1
            if self.phases > MOST_PHASES:
                raise _TooLargeError
        values = ((term, value_at(term, end, paid, self.stop)) for term in self.terms)
        row = (-value if isinstance(term, (LeastRisk, LeastIp)) else value for term, value in values)
        return Fraction(is_within(self._constraint, end, paid)), *row
