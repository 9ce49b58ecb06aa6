"""All policies of a turn, tried out by the reference rules in fractions: a second way to compute optimum, ends and runner-up."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.plan.objective import LeastIp, LeastRisk, Objective
from tetrasolve.tetrarchia.plan.replay import is_within, value_at
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.payment import payable

Values = tuple[Fraction, ...]
End = Position | Fall


@dataclass(frozen=True)
class Best:
    """The two best values from a position on, to be maximised term by term, and the positions where the best policies end."""

    first: Values
    second: Values | None
    ends: frozenset[End]


def solve(position: Position, objective: Objective, stated: Stated | None = None) -> Best:
    """The best of all policies, and the best that is worse; a value begins with whether it keeps to the constraint."""
    return _Search(objective, stated).best(position, 0)


class _Search:
    def __init__(self, objective: Objective, stated: Stated | None) -> None:
        self.objective = objective
        self.stated = stated
        self.known: dict[tuple[Position, int], Best] = {}

    def best(self, position: Position, paid: int) -> Best:
        key = (position, paid)
        if key not in self.known:
            self.known[key] = _join(self.choices(position, paid))
        return self.known[key]

    def choices(self, position: Position, paid: int) -> list[Best]:
        if position.phase is Phase.BARBARIAN or position.is_won:
            return [self.leaf(position, paid)]
        found = [self.leaf(position, paid)] if rules.may_end(position) else []
        attacks: dict[tuple[str, str | None], list[Action]] = {}
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK and self.stated is not None:
                found += [self.after(position, action, paid)] * ((action.place, action.outcome) in self.stated)
            elif action.kind is Kind.ATTACK:
                assert action.place is not None
                attacks.setdefault((action.place, action.figure), []).append(action)
            else:
                found.append(self.after(position, action, paid))
        found += [self.fight(position, actions, paid) for actions in attacks.values()]
        return found

    def after(self, position: Position, action: Action, paid: int) -> Best:
        price = rules.cost(position, action)
        end = rules.play(position, action)
        return self.leaf(end, paid + price) if isinstance(end, Fall) else self.best(end, paid + price)

    def fight(self, position: Position, actions: list[Action], paid: int) -> Best:
        """The mean over the dice; the next worse policy gives up the best in the one thing rolled where that costs least.

        Each of the 36 pairs of faces is what it comes to with each way to pay for it: a policy decides once for all pairs that
        come to the same in every way.
        """
        results = [rules.attack_roll(position, a.place, a.figure, a.payments).results for a in actions]
        can = [payable(position, a) for a in actions]
        rolls = Counter(
            frozenset(a for a, result, faces in zip(actions, results, can, strict=True) if result[i] == a and faces[i])
            for i in range(36)
        )
        branches = [
            (Fraction(count, 36), _join([self.after(position, a, paid) for a in ways])) for ways, count in rolls.items()
        ]
        first = _mean([(chance, branch.first) for chance, branch in branches])
        seconds = [
            _mean([(c, b.second if b is worse and b.second is not None else b.first) for c, b in branches])
            for _, worse in branches
            if worse.second is not None
        ]
        ends = frozenset[End]().union(*(branch.ends for _, branch in branches))
        return Best(first, max(seconds, default=None), ends)

    def leaf(self, end: End, paid: int) -> Best:
        values = [Fraction(is_within(self.objective.constraint, end, paid))]
        for term in self.objective.terms:
            value = value_at(term, end, paid)
            values.append(-value if isinstance(term, (LeastRisk, LeastIp)) else value)
        where = end.replace(ip=0) if isinstance(end, Position) else end
        return Best(tuple(values), None, frozenset([where]))


def _mean(branches: list[tuple[Fraction, Values]]) -> Values:
    return tuple(sum((c * values[i] for c, values in branches), Fraction(0)) for i in range(len(branches[0][1])))


def _join(choices: list[Best]) -> Best:
    first = max(choice.first for choice in choices)
    below = [choice.first for choice in choices if choice.first < first]
    below += [choice.second for choice in choices if choice.second is not None and choice.second < first]
    ends = frozenset[End]().union(*(choice.ends for choice in choices if choice.first == first))
    return Best(first, max(below, default=None), ends)
