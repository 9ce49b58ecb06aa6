"""Optimal turn plans by exhaustive search: the kernel looks at every turn state, the reference rules replay the answer.

The search covers all policies: what the Emperor does after an attack may depend on how it went. Every number in it is
an exact integer, so equal plans are found equal. What comes back has been carried out by the reference rules, branch by
branch, and has the value that the search says; otherwise there is an error and no answer.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from tetrasolve.errors import IllegalPositionError, TetrasolveError
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.kernel import Turn
from tetrasolve.tetrarchia.plan.objective import Goal, Objective, Term, natural, read_objective
from tetrasolve.tetrarchia.plan.replay import endings, expected_values
from tetrasolve.tetrarchia.plan.tree import Fork, Plan
from tetrasolve.tetrarchia.position import Phase, Position

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree  # a name of the stub only


class Status(StrEnum):
    """How sure a result is."""

    OPTIMAL_PROVED = "optimal_proved"
    INFEASIBLE_PROVED = "infeasible_proved"


class DisagreementError(TetrasolveError):
    """Two roads to a number gave different answers: a bug of tetrasolve, never of its user."""


@dataclass(frozen=True, slots=True)
class PlanResult:
    """An optimal turn plan and how it was found.

    `values` are the exact values of the objective's terms, chances in [0, 1] and IP paid as they are;
    `optimal_ends` counts the end positions in which some optimal plan can end (IP left not a difference);
    `runner_up` is the best plan that is worse, None when all plans are equally good.
    `infeasible_proved`: no plan reaches the first goal with a chance above zero; the plan is the best of the rest.
    """

    position: Position
    objective: Objective
    status: Status
    plan: Plan
    values: tuple[Fraction, ...]
    optimal_ends: int
    runner_up: Plan | None
    runner_up_values: tuple[Fraction, ...] | None
    nodes: int
    edges: int
    seconds: float
    engine: str = "exhaustive"

    @property
    def named_values(self) -> tuple[tuple[Term, Fraction], ...]:
        """The terms of the objective with their values."""
        return tuple(zip(self.objective.terms, self.values, strict=True))

    @property
    def others_as_good(self) -> int:
        """How many other end positions are as good as those of the plan itself (IP left not a difference)."""
        own = {
            end.replace(ip=0) if isinstance(end, Position) else end for _, end, _ in endings(self.position, self.plan)
        }
        return self.optimal_ends - len(own)


def plan(position: Position, objective: Objective | str) -> PlanResult:
    """An optimal plan for the rest of the active Emperor's turn.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> result = plan(example("movement"), "clear dalmatia")
    >>> result.status, result.values  # Dalmatia is cleared for sure, for 6 IP
    (<Status.OPTIMAL_PROVED: 'optimal_proved'>, (Fraction(1, 1), Fraction(6, 1)))

    :raises ObjectiveError: when the objective cannot be read.
    :raises IllegalPositionError: when the position cannot occur, or nothing is left to be decided in it.
    """
    if isinstance(objective, str):
        objective = read_objective(objective, position.board)
    if position.phase is not Phase.ROMAN or position.is_won:
        raise IllegalPositionError(
            ["the game is won" if position.is_won else "it is the Barbarian phase: no turn to plan"]
        )
    started = time.perf_counter()
    turn = Turn(fast.kernel_for(position.board, position.ruleset), fast.to_state(position))
    solution = turn.solve(objective.criteria(position.board))
    best = _plan(position, solution.plan())
    values = _checked(position, objective, best, solution.values)
    second_tree, second_values = solution.runner_up_plan(), solution.runner_up
    second = second_checked = None
    if second_tree is not None and second_values is not None:
        second = _plan(position, second_tree)
        second_checked = _checked(position, objective, second, second_values)
    hopeless = isinstance(objective.terms[0], Goal) and values[0] == 0
    return PlanResult(
        position=position,
        objective=objective,
        status=Status.INFEASIBLE_PROVED if hopeless else Status.OPTIMAL_PROVED,
        plan=best,
        values=values,
        optimal_ends=solution.optimal_ends,
        runner_up=second,
        runner_up_values=second_checked,
        nodes=turn.nodes,
        edges=turn.edges,
        seconds=time.perf_counter() - started,
    )


def _plan(position: Position, tree: PlanTree) -> Plan:
    """The kernel's plan in the words of the game."""
    codes, fork = tree
    steps = tuple(fast.to_action(code, position.board) for code in codes)
    if fork is None:
        return Plan(steps)
    army, branches = fork
    return Plan(
        steps,
        Fork(
            position.board.ids[army],
            tuple(
                (fast.OUTCOMES[outcome], Fraction(share, 36), _plan(position, subtree))
                for outcome, (share, subtree) in sorted(branches.items())
            ),
        ),
    )


def _checked(
    position: Position, objective: Objective, found: Plan, claimed: tuple[tuple[int, int], ...]
) -> tuple[Fraction, ...]:
    """The values of a plan as the reference rules make them, which must be those the search claims."""
    replayed = expected_values(position, found, objective)
    searched = tuple(
        natural(term, Fraction(top, bottom)) for term, (top, bottom) in zip(objective.terms, claimed, strict=True)
    )
    if replayed != searched:
        raise DisagreementError(
            f"plan '{found}' of position '{position}' for '{objective}': the search says "
            f"{', '.join(map(str, searched))}, the reference rules {', '.join(map(str, replayed))}; please report this"
        )
    return replayed
