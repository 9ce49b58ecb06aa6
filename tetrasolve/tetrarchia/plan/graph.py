"""The graph of a turn in the kernel, and the criteria of a search in it."""

from __future__ import annotations

from typing import Any, cast

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.action import PIRATES
from tetrasolve.tetrarchia.kernel import Turn
from tetrasolve.tetrarchia.plan.objective import Objective, criterion, limits
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position


def turn_of(position: Position, stated: Stated | None = None, stop: Stop | None = None) -> Turn:
    """All turn states from a legal position on; attacks end as `stated`, or by dice (None).

    :raises Stopped: when `stop` is set before all are known.
    """
    kernel, state, order = fast.kernel_of(position), fast.to_state(position), position.board.order
    rows = None
    if stated is not None:
        rows = {
            len(order) if army == PIRATES else order[army]: fast.OUTCOMES.index(outcome) for army, outcome in stated
        }
    if position.rules_in_use:  # whole.Turn has all that kernel.Turn has
        return cast(Turn, whole.Turn(cast(whole.Kernel, kernel), cast(whole.State, state), attacks=rows, stop=stop))
    return Turn(kernel, state, attacks=rows, stop=stop)


def criteria(objective: Objective, position: Position) -> list[tuple[Any, ...]]:
    """The constraint, if there is one, and the terms that the kernel supports for a position, each to be maximised."""
    kept = [limits(objective.constraint, position.board)] if objective.constraint else []
    return kept + [one for term in objective.terms if (one := criterion(term, position)) is not None]
