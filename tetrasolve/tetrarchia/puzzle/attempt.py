"""Why a plan is not the answer: the first step after which the best value is out of reach, in the branch where that is so."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tetrasolve.exact.deadline import answering, check, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.plan.answer import PROVED
from tetrasolve.tetrarchia.plan.exhaustive import exhaustive
from tetrasolve.tetrarchia.plan.objective import LeastIp, Objective, natural
from tetrasolve.tetrarchia.plan.policies import Watch
from tetrasolve.tetrarchia.plan.replay import endings, expected_values, made_by_dice, value_at
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.puzzle.unique import Uniqueness, tables
from tetrasolve.tetrarchia.rules import Fall

Values: TypeAlias = tuple[Fraction, ...]  # of the terms of the objective, all to be maximised


@dataclass(frozen=True, slots=True)
class Mistake:
    """The step after which the best value is out of reach.

    `after` are the outcomes of the attacks before it, with their chances; `step` is the action, or ``end``. `before` and `left`
    are the best values of the objective's terms before it and after it, as they are shown.
    """

    after: tuple[tuple[str, Fraction], ...]
    step: str
    before: Values
    left: Values


@dataclass(frozen=True, slots=True)
class Attempt:
    """A plan as an answer to a puzzle: `is_right` if it is the answer; then `mistake` is None, or a detour that costs IP."""

    plan: Plan
    values: Values
    is_right: bool
    mistake: Mistake | None


def attempt(solution: Uniqueness, plan: Plan, *, seconds: float | None = None, cancel: Stop | None = None) -> Attempt:
    """What is wrong with a plan for a puzzle, if anything is.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.plan import read_plan
    >>> from tetrasolve.tetrarchia.puzzle import unique
    >>> position = example("movement")
    >>> tried = attempt(unique(position, "clear dalmatia"), read_plan("move thracia; remove", position.board))
    >>> tried.is_right, tried.mistake.step, tried.mistake.before[0], tried.mistake.left[0]
    (False, 'remove', Fraction(1, 1), Fraction(0, 1))

    :raises IllegalActionError: when an action of the plan is illegal, or a branch is missing.
    :raises OutOfTimeError: when `seconds` were over, or `cancel` set, before the mistake was found.
    """
    ends = tuple(endings(solution.position, plan))
    objective, stop = solution.objective, stop_of(seconds, cancel)
    is_right = tables(ends) == tables(solution.ends)
    with answering(f"what is wrong with '{plan}'"):
        values = expected_values(ends, objective, stop)
        search = _Search(objective, stop)
        mistake = search.mistake(solution.position, plan, 0, search.maximised(solution.values), ())
    return Attempt(plan, values, is_right, mistake)


def within_reach(state: Position | Fall, objective: Objective, paid: int, stop: Stop | None) -> Values:
    """The best values of an objective from here on, as the search gives them, when so many IP have been paid.

    :raises Stopped: when `stop` is set before they are proved.
    """
    if isinstance(state, Fall) or state.is_won or state.phase is not Phase.ROMAN:
        return tuple(value_at(term, state, paid, stop) for term in objective.terms)
    found = exhaustive(state, objective, None, Watch(stop))
    if found.status not in PROVED or found.values is None:
        check(stop)
        raise Stopped("deadline")  # a plan that is only the best so far says nothing about a mistake
    more = (paid if isinstance(term, LeastIp) else 0 for term in objective.terms)
    return tuple(value + ip for value, ip in zip(found.values, more, strict=True))


class _Search:
    """Follows a plan with the best value that is left at each step."""

    def __init__(self, objective: Objective, stop: Stop | None) -> None:
        self.objective, self.stop = objective, stop

    def maximised(self, values: Values) -> Values:
        """Values as they are shown, or back."""
        return tuple(natural(term, value) for term, value in zip(self.objective.terms, values, strict=True))

    def best(self, state: Position | Fall, paid: int) -> Values:
        """The best values from here on, when so many IP have been paid."""
        return self.maximised(within_reach(state, self.objective, paid, self.stop))

    def mistake(
        self, state: Position | Fall, plan: Plan, paid: int, best: Values, after: tuple[tuple[str, Fraction], ...]
    ) -> Mistake | None:
        """The first step that gives up something; in the first branch that has one."""
        for step in plan.steps:
            state, paid, left = self.acted(state, step, paid)
            if left != best:
                return self.lost(after, str(step), best, left)
        if plan.fork is None:
            if isinstance(state, Position) and state.phase is Phase.ROMAN and not state.is_won:
                end = self.maximised(tuple(value_at(term, state, paid, self.stop) for term in self.objective.terms))
                return None if end == best else self.lost(after, "end", best, end)
            return None
        assert isinstance(state, Position)
        branches = []
        for shows, chance, branch in plan.fork.branches:
            for part, attack, rest in made_by_dice(state, plan.fork, shows, branch):
                then, price, left = self.acted(state, attack, paid)
                branches.append((str(shows), chance * part, rest, then, price, left))
        expected = tuple(
            sum((chance * left[i] for _, chance, _, _, _, left in branches), Fraction(0)) for i in range(len(best))
        )
        if expected != best:
            return self.lost(after, str(plan.fork), best, expected)
        for shown, chance, rest, then, price, left in branches:
            found = self.mistake(then, rest, price, left, (*after, (shown, chance)))
            if found is not None:
                return found
        return None

    def acted(self, state: Position | Fall, action: Action, paid: int) -> tuple[Position | Fall, int, Values]:
        """The state after an action, the IP paid until then, and the best values that are left."""
        assert isinstance(state, Position)
        price, then = rules.cost(state, action), rules.play(state, action)
        return then, paid + price, self.best(then, paid + price)

    def lost(self, after: tuple[tuple[str, Fraction], ...], step: str, before: Values, left: Values) -> Mistake:
        """A mistake with values as they are shown."""
        return Mistake(after, step, self.maximised(before), self.maximised(left))
