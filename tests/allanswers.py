"""All answers of a turn, by the reference rules: every distribution of ends that a policy can reach, with its greatest value.

A second way to the best other answer: nothing is kept of two, all are listed, in fractions. For short turns only.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.plan.objective import LeastIp, LeastRisk, Objective
from tetrasolve.tetrarchia.plan.replay import is_within, value_at
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.payment import payable

Values = tuple[Fraction, ...]  # whether the constraint is kept, then the terms, all to be maximised
Table = Position | None  # None: the Empire has fallen
Chances = frozenset[tuple[Table, Fraction]]
All = dict[Chances, Values]
MOST = 20_000  # answers from one position on


class TooManyError(Exception):
    """There are more answers than can be listed."""


def answers(position: Position, objective: Objective, stated: Stated | None = None) -> All:
    """Each answer with the greatest value of the policies that give it."""
    return _Lister(objective, stated).all(position, 0)


def two_best(found: All) -> tuple[Values, Values | None, bool]:
    """The greatest value, the greatest of all other answers, and whether the best answer is the only one of its value."""
    ordered = sorted(found.values(), reverse=True)
    return ordered[0], ordered[1] if len(ordered) > 1 else None, ordered.count(ordered[0]) == 1


class _Lister:
    def __init__(self, objective: Objective, stated: Stated | None) -> None:
        self.objective, self.stated = objective, stated
        self.known: dict[tuple[Position, int], All] = {}

    def all(self, position: Position, paid: int) -> All:
        key = (position, paid)
        if key not in self.known:
            self.known[key] = self.listed(position, paid)
        return self.known[key]

    def listed(self, position: Position, paid: int) -> All:
        if position.phase is Phase.BARBARIAN or position.is_won:
            return self.leaf(position, paid)
        found = dict(self.leaf(position, paid)) if rules.may_end(position) else {}
        attacks: dict[tuple[str | None, str | None], list[Action]] = {}
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK and self.stated is None:
                attacks.setdefault((action.place, action.figure), []).append(action)
            elif action.kind is not Kind.ATTACK or (action.place, action.outcome) in (self.stated or ()):
                add(found, self.after(position, action, paid))
        for actions in attacks.values():
            add(found, self.fight(position, actions, paid))
        if len(found) > MOST:
            raise TooManyError
        return found

    def after(self, position: Position, action: Action, paid: int) -> All:
        price, end = rules.cost(position, action), rules.play(position, action)
        return self.leaf(end, paid + price) if isinstance(end, Fall) else self.all(end, paid + price)

    def fight(self, position: Position, actions: list[Action], paid: int) -> All:
        """Every way to combine answers after what is rolled; what comes to the same in every way to pay is one roll."""
        results = [rules.attack_roll(position, a.place, a.figure, a.payments).results for a in actions]
        can = [payable(position, a) for a in actions]
        rolls = Counter(
            tuple(a for a, result, faces in zip(actions, results, can, strict=True) if result[i] == a and faces[i])
            for i in range(36)
        )
        branches = []
        for ways, count in rolls.items():
            branch: All = {}
            for action in ways:
                add(branch, self.after(position, action, paid))
            branches.append((Fraction(count, 36), list(branch.items())))
        number = 1
        for _, branch in branches:
            number *= len(branch)
        if number > MOST:
            raise TooManyError
        found: All = {}
        for choice in product(*(branch for _, branch in branches)):
            chances: Counter[Table] = Counter()
            rows = []
            for (share, _), (ends, values) in zip(branches, choice, strict=True):
                rows.append((share, values))
                for table, chance in ends:
                    chances[table] += share * chance
            values = tuple(sum((s * row[i] for s, row in rows), Fraction(0)) for i in range(len(rows[0][1])))
            add(found, {frozenset(chances.items()): values})
        return found

    def leaf(self, end: Position | Fall, paid: int) -> All:
        values = [Fraction(is_within(self.objective.constraint, end, paid))]
        for term in self.objective.terms:
            value = value_at(term, end, paid)
            values.append(-value if isinstance(term, (LeastRisk, LeastIp)) else value)
        table = None if isinstance(end, Fall) else end.replace(ip=0, phase=Phase.BARBARIAN)
        return {frozenset([(table, Fraction(1))]): tuple(values)}


def add(found: All, more: All) -> None:
    """Add answers, of the same ones the better."""
    for chances, values in more.items():
        if chances not in found or values > found[chances]:
            found[chances] = values
