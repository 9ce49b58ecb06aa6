"""Every plan of a turn by the reference rules alone: the optimum, and whether one answer or several reach it.

No kernel and no search of the library takes part. All states that the legal actions lead to are looked at, and dice are followed
face by face. A plan is best only if it goes on with a best one in each of its branches, so at each state the best answers are
those of the best choices; of these, two are kept, since two are enough to know that there are two.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple, TypeAlias

from tetrasolve.exact.deadline import check
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.plan.nextturn import next_turn
from tetrasolve.tetrarchia.plan.objective import RISKS, Goal, LeastIp, LeastRisk, NextGoal, Objective, Value
from tetrasolve.tetrarchia.plan.prospect import prospect_of
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.activity import Activity, EchoProvince, uprisings
from tetrasolve.tetrarchia.rules.choices import decline, settled
from tetrasolve.tetrarchia.rules.payment import payable

Values: TypeAlias = tuple[Fraction, ...]  # of the terms, all to be maximised
Table: TypeAlias = Position | Fall | None  # None: the Empire has fallen
Chances: TypeAlias = frozenset[tuple[Table, Fraction]]

DEEPEST = 10_000  # frames: a turn has some dozens of actions, and each takes a few
KEPT = 2  # answers of a state: enough to know that there is more than one


class Best(NamedTuple):
    """The best values from a state on, and one or two of the answers that are best in the terms that are asked for."""

    values: Values
    answers: frozenset[Chances]


class TooManyStatesError(Exception):
    """There are more states than are looked at."""


class EveryPlan:
    """The turns from some state on; `asked` is the number of terms in which another answer must be worse."""

    def __init__(self, objective: Objective, asked: int, most_states: int, stop: Stop | None = None) -> None:
        sys.setrecursionlimit(max(DEEPEST, sys.getrecursionlimit()))
        self.objective, self.asked, self.most_states, self.stop = objective, asked, most_states, stop
        self.known: dict[tuple[Position, int], Best] = {}
        self.after: dict[Table, Values] = {}

    def best(self, position: Position | Fall, paid: int = 0) -> Best:
        """The best from a state on, when so many IP have been paid.

        :raises TooManyStatesError: when there are more states than are looked at.
        :raises Stopped: when `stop` is set before all are known.
        """
        if isinstance(position, Fall) or position.phase is Phase.BARBARIAN or position.is_won:
            return self._end(position, paid)
        key = (position, paid)
        if key not in self.known:
            check(self.stop)
            if len(self.known) >= self.most_states:
                raise TooManyStatesError
            self.known[key] = self._chosen(self._offers(position, paid))
        return self.known[key]

    def _offers(self, position: Position, paid: int) -> list[Best]:
        offers = [self._end(position, paid)] if rules.may_end(position) else []
        attacks: dict[tuple[str | None, str | None], list[Action]] = {}
        for action in rules.legal_actions(position):
            if action.kind is Kind.ATTACK:
                attacks.setdefault((action.place, action.figure), []).append(action)
            else:
                offers.append(self._played(position, action, paid))
        offers += [self.fought(position, ways, paid) for ways in attacks.values()]
        return offers

    def losses(self, position: Position, actions: list[Action]) -> list[Fraction]:
        """What each action of a turn gives up of the best first term; an attack is judged before its dice."""
        found, now, paid = [], position, 0
        for action in actions:
            best = self.best(now, paid).values[0]
            if action.kind is Kind.ATTACK:
                after = self.fought(now, [w for w in rules.legal_actions(now) if _is_same_attack(w, action)], paid)
            else:
                after = self._played(now, action, paid)
            found.append(best - after.values[0])
            then = rules.play(now, action)
            if isinstance(then, Position):
                now, paid = then, paid + rules.cost(now, action)
        return found

    def _played(self, position: Position, action: Action, paid: int) -> Best:
        return self.best(rules.play(position, action), paid + rules.cost(position, action))

    def fought(self, position: Position, ways: list[Action], paid: int) -> Best:
        """An attack; after the dice he chooses what he pays, where there is a choice."""
        results = [rules.attack_roll(position, a.place, a.figure, a.payments).results for a in ways]
        able = [payable(position, a) for a in ways]
        rolls = Counter(
            tuple(way for way, faces, can in zip(ways, results, able, strict=True) if faces[face] == way and can[face])
            for face in range(len(results[0]))
        )
        branches = [
            (Fraction(count, len(results[0])), self._chosen([self._played(position, way, paid) for way in fits]))
            for fits, count in rolls.items()
        ]
        values = tuple(
            sum((share * best.values[term] for share, best in branches), Fraction(0))
            for term in range(len(self.objective.terms))
        )
        joined: set[Chances] = set()
        for choice in product(*(best.answers for _, best in branches)):
            chances: Counter[Table] = Counter()
            for (share, _), answer in zip(branches, choice, strict=True):
                for table, chance in answer:
                    chances[table] += share * chance  # type: ignore[assignment]  # chances are fractions
            joined.add(frozenset(chances.items()))  # type: ignore[arg-type]  # the same
        return Best(values, _two(joined))

    def _chosen(self, offers: list[Best]) -> Best:
        values = max(offer.values for offer in offers)
        answers: set[Chances] = set()
        for offer in offers:
            if offer.values[: self.asked] == values[: self.asked]:
                answers |= offer.answers
        return Best(values, _two(answers))

    def _end(self, end: Position | Fall, paid: int) -> Best:
        table: Table = None if isinstance(end, Fall) else end.replace(ip=0, phase=Phase.BARBARIAN)
        if table not in self.after:
            self.after[table] = tuple(
                Fraction(0) if isinstance(term, LeastIp) else self._value(term, end) for term in self.objective.terms
            )
        values = tuple(
            Fraction(-paid) if isinstance(term, LeastIp) else value
            for term, value in zip(self.objective.terms, self.after[table], strict=True)
        )
        return Best(values, frozenset([frozenset([(table, Fraction(1))])]))

    def _value(self, term: object, end: Position | Fall) -> Fraction:
        """A term at an end, without the kernel."""
        if isinstance(term, NextGoal):
            if isinstance(end, Fall) or end.is_won:
                return Fraction(isinstance(end, Position) and term.goal.is_met(end))
            one = Objective((term.goal if term.turns == 1 else replace(term, turns=term.turns - 1),))
            return EveryPlan(one, 1, self.most_states, self.stop).best(next_turn(end)).values[0]
        if isinstance(term, LeastRisk):
            prospect = prospect_of(term, end) if isinstance(end, Position) else None
            if prospect is not None:  # somebody chooses in the phase
                return -prospect.exact(end, self.stop)
            return -phase_figure(term.figure, end, self.stop)
        if isinstance(term, Value):
            return Fraction(term.of(end)) if isinstance(end, Position) else Fraction(0)
        assert isinstance(term, Goal), "puzzles ask for no other terms"
        return Fraction(isinstance(end, Position) and term.is_met(end))


def _is_same_attack(way: Action, action: Action) -> bool:
    return (way.kind, way.place, way.figure) == (action.kind, action.place, action.figure)


def _two(answers: set[Chances]) -> frozenset[Chances]:
    return frozenset(list(answers)[:KEPT])


def phase_figure(figure: str, end: Position | Fall, stop: Stop | None = None) -> Fraction:
    """A figure of the Barbarian phase by the reference rules; a fall counts as 21 revolts."""
    if isinstance(end, Fall):
        return Fraction(RISKS[figure])
    if end.is_won:
        return Fraction(0)
    begins = end.replace(phase=Phase.BARBARIAN, ip=0)
    if figure == "p_uprising":
        return rules.uprising_chance(begins, stop=stop)
    found = rules.solve(begins, stop=stop).figures()
    if figure == "e_revolts":
        return found.e_revolts + REVOLTS * found.p_lost
    value: Fraction = getattr(found, figure)
    return value


def new_revolts(position: Position) -> dict[str, Fraction]:
    """The chance of a new revolt in each province, counted in the outcomes of the phase."""
    found: Counter[str] = Counter()
    for end, chance in rules.outcomes(position.replace(phase=Phase.BARBARIAN, ip=0)).items():
        if isinstance(end, Position):
            for place in end.revolts - position.revolts:
                found[place] += chance  # type: ignore[assignment]  # chances are fractions
    return dict(found)  # type: ignore[arg-type]  # the same


def named_first(position: Position, most: int) -> set[str]:
    """The provinces that can be named first with a fall after at most so many uprisings, by following all steps forward."""
    found = set()
    for step in _activities(settled(rules.begin(position), decline)):
        faces = step.roll().faces
        for place, shown, result in zip(step.places(), faces, step.roll().results, strict=True):
            if _falls(settled(result, decline), most - (shown in set(uprisings(step))), {}):
                found.add(place)
    return found


def _activities(first: object) -> set[Activity]:
    waiting, seen, found = [first], set(), set()
    while waiting:
        step = waiting.pop()
        if isinstance(step, Activity):
            found.add(step)
        elif step not in seen and not isinstance(step, (Position, Fall)):
            seen.add(step)
            waiting += [settled(result, decline) for result in step.roll().results]
    return found


def _falls(step: object, left: int, known: dict[object, int]) -> bool:
    """Whether a fall is possible with so many uprisings more; `known` has for each step with how many it was looked at."""
    if left < 0 or isinstance(step, Position):
        return False
    if isinstance(step, Fall):
        return True
    if known.get(step, -1) >= left:
        return False
    known[step] = left
    risen = set(uprisings(step)) if isinstance(step, EchoProvince) else set()
    roll = step.roll()
    return any(
        _falls(settled(result, decline), left - (shown in risen), known)
        for shown, result in zip(roll.faces, roll.results, strict=True)
    )
