"""The graph of a turn in the kernel, and the criteria of a search in it."""

from __future__ import annotations

from typing import Any

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Turn
from tetrasolve.tetrarchia.plan.objective import Objective, criterion, limits
from tetrasolve.tetrarchia.plan.task import Stated
from tetrasolve.tetrarchia.position import Position


def turn_of(position: Position, stated: Stated | None = None, stop: Stop | None = None) -> Turn:
    """All turn states from a legal position on; attacks end as `stated`, or by dice (None).

    :raises Stopped: when `stop` is set before all are known.
    """
    kernel = fast.kernel_for(position.board, position.ruleset)
    if stated is None:
        return Turn(kernel, fast.to_state(position), stop=stop)
    rows = {position.board.order[army]: fast.OUTCOMES.index(outcome) for army, outcome in stated}
    return Turn(kernel, fast.to_state(position), attacks=rows, stop=stop)


def criteria(objective: Objective, board: Board) -> list[tuple[Any, ...]]:
    """The constraint, if there is one, and the terms that the kernel supports, each to be maximised."""
    kept = [limits(objective.constraint, board)] if objective.constraint else []
    return kept + [one for term in objective.terms if (one := criterion(term, board)) is not None]
