"""A plan as the lines of play that it can come to, each action with the positions before and after it, by the reference rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from tetrasolve.errors import IllegalActionError, UnreadableActionError, shown
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import Action, Kind, Outcome, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.replay import made_of
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Battle, Fall
from tetrasolve.tetrarchia.rules.battle import battle
from tetrasolve.tetrarchia.rules.payment import valued


class Step(NamedTuple):
    """One action with its IP, and the positions before and after it."""

    before: Position
    action: Action
    ip: int
    after: Position | Fall

    @property
    def figure(self) -> str:
        """Who acts: the active Emperor, another Emperor, ``"dux"`` or ``"vicarius"``."""
        return self.action.figure or self.before.to_move

    @property
    def origin(self) -> str | None:
        """The province of this figure before the action."""
        return self.before.place_of(self.figure)

    def is_attack(self, outcome: Outcome | None = None) -> bool:
        """Whether it is an attack, with this outcome if one is given."""
        return self.action.kind is Kind.ATTACK and outcome in (None, self.action.outcome)

    def battle(self, position: Position | None = None) -> Battle:
        """The combat values of an attack, in its own or in another position before it."""
        assert self.action.place is not None
        return battle(valued(position or self.before, self.action), self.figure, self.action.place)


@dataclass(frozen=True, slots=True)
class Line:
    """What happens when the dice of all attacks of a plan have these outcomes: its chance in (0, 1], and its actions."""

    start: Position
    chance: Fraction
    steps: tuple[Step, ...]
    end: Position | Fall

    @property
    def ip(self) -> int:
        """The IP paid."""
        return sum(step.ip for step in self.steps)

    def of(self, *kinds: Kind) -> Iterator[tuple[int, Step]]:
        """The actions of these kinds, with their numbers from 0 on."""
        return ((number, step) for number, step in enumerate(self.steps) if step.action.kind in kinds)


def line_of(position: Position, actions: Sequence[Action], chance: Fraction = Fraction(1)) -> Line:
    """The line of these actions, attacks with their outcomes.

    :raises IllegalActionError: when an action is illegal.
    """
    steps: list[Step] = []
    state: Position | Fall = position
    for action in actions:
        if isinstance(state, Fall):
            raise IllegalActionError(action, "the Empire has fallen")
        after = rules.play(state, action)
        steps.append(Step(state, action, rules.cost(state, action), after))
        state = after
    return Line(position, chance, tuple(steps), state)


def read_actions(text: str, board: Board) -> tuple[Action, ...]:
    """Actions with semicolons between them, attacks with their outcomes.

    :raises UnreadableActionError: when one cannot be read or is not complete.
    """
    found = [(part.strip(), read_action(part, board)) for part in text.split(";")]
    for part, actions in found:
        if len(actions) != 1:
            raise UnreadableActionError(f"{shown(part)} is not complete: it could be {' or '.join(map(str, actions))}")
    return tuple(actions[0] for _, actions in found)


def lines(position: Position, plan: Plan) -> Iterator[Line]:
    """All lines of a plan, in its order.

    :raises IllegalActionError: when an action is illegal.
    """
    for chance, actions in _played(plan):
        yield line_of(position, actions, chance)


def _played(plan: Plan) -> Iterator[tuple[Fraction, tuple[Action, ...]]]:
    """The actions of each line, with its chance."""
    if plan.fork is None:
        yield Fraction(1), plan.steps
        return
    for shows, chance, branch in plan.fork.branches:
        attack, rest = made_of(plan.fork, shows, branch, goes_on=True)  # the plan was replayed before
        for share, actions in _played(rest):
            yield chance * share, (*plan.steps, attack, *actions)
