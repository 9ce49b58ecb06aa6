"""Optimal turn plans: objectives, the engines that find plans, and the comparison of the engines."""

from tetrasolve.tetrarchia.plan.answer import Answer, DisagreementError, Status
from tetrasolve.tetrarchia.plan.exhaustive import PlanResult
from tetrasolve.tetrarchia.plan.objective import Objective
from tetrasolve.tetrarchia.plan.planning import ENGINES, plan
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.plan.task import Task, read_attacks
from tetrasolve.tetrarchia.plan.tree import Fork, Plan, read_plan

__all__ = [
    "ENGINES",
    "Answer",
    "DisagreementError",
    "Fork",
    "Objective",
    "Plan",
    "PlanResult",
    "Status",
    "Task",
    "plan",
    "read_attacks",
    "read_objective",
    "read_plan",
]
