"""Optimal turn plans: objectives, the exhaustive search, plans as trees and their replay by the reference rules."""

from tetrasolve.tetrarchia.plan.exhaustive import DisagreementError, PlanResult, Status, plan
from tetrasolve.tetrarchia.plan.objective import Objective, read_objective
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, read_plan

__all__ = [
    "DisagreementError",
    "Fork",
    "Objective",
    "Plan",
    "PlanResult",
    "Status",
    "plan",
    "read_objective",
    "read_plan",
]
