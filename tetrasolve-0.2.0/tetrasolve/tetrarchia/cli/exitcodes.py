"""Exit codes of searches."""

from __future__ import annotations

from tetrasolve.tetrarchia.plan.answer import Status

REFUTED = 1
OUT_OF_TIME = 3


def exit_code(status: Status) -> int:
    """0 answered, 1 proved that there is no such plan, 3 out of time."""
    match status:
        case Status.OPTIMAL_PROVED:
            return 0
        case Status.INFEASIBLE_PROVED:
            return REFUTED
        case Status.FEASIBLE | Status.UNKNOWN:
            return OUT_OF_TIME
