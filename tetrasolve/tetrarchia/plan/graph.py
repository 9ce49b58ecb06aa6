"""The graph of a turn in the kernel, and the criteria of a search in it."""

from __future__ import annotations

from typing import Any, cast

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, kernel, whole
from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.kernel import Turn
from tetrasolve.tetrarchia.plan.objective import Objective, criterion, limits
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position

MOST_STATES = 50_000_000  # as in the kernels


def turn_of(
    position: Position, stated: Stated | None = None, stop: Stop | None = None, *, most_states: int = MOST_STATES
) -> Turn:
    """All turn states from a legal position on; attacks end as `stated`, or by dice (None).

    :raises Stopped: when `stop` is set before all are known.
    :raises KernelError: when there are more than `most_states`.
    """
    engine, state, order = fast.kernel_of(position), fast.to_state(position), position.board.order
    rows = None
    if stated is not None:
        rows = {
            len(order) if army == PIRATES else order[army]: fast.OUTCOMES.index(outcome) for army, outcome in stated
        }
    if position.rules_in_use:  # whole.Turn has all that kernel.Turn has
        return cast(
            Turn, whole.Turn(cast(whole.Kernel, engine), cast(whole.State, state), most_states, attacks=rows, stop=stop)
        )
    return Turn(engine, state, most_states, attacks=rows, stop=stop)


def turn_within(position: Position, most_states: int, stop: Stop | None = None) -> Turn | None:
    """The same with dice; None where there are more states, of which no more are made.

    :raises Stopped: when `stop` is set before it is known.
    """
    try:
        return turn_of(position, stop=stop, most_states=min(most_states, MOST_STATES))
    except (kernel.KernelError, whole.KernelError) as error:
        if not str(error).startswith("max_nodes"):
            raise
        return None


def has_at_most(position: Position, states: int) -> bool:
    """Whether the rest of the turn has at most so many states."""
    return turn_within(position, states) is not None


def criteria(objective: Objective, position: Position) -> list[tuple[Any, ...]]:
    """The constraint, if there is one, and the terms that the kernel supports for a position, each to be maximised."""
    kept = [limits(objective.constraint, position.board)] if objective.constraint else []
    return kept + [one for term in objective.terms if (one := criterion(term, position)) is not None]
