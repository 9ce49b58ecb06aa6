"""Answers of engines: the best plan of a turn, with its status."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.action import Action


class Status(StrEnum):
    """The certainty of a result."""

    OPTIMAL_PROVED = "optimal_proved"  # no plan is better
    FEASIBLE = "feasible"  # a better plan may exist, up to the bound
    INFEASIBLE_PROVED = "infeasible_proved"  # no plan achieves the objective
    UNKNOWN = "unknown"  # no plan was found, and none excluded


PROVED = (Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED)  # those whose values are the best there are


class DisagreementError(TetrasolveError):
    """Two methods gave different answers: a bug of tetrasolve."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of one engine to a deterministic task.

    `values`: one integer for each term, maximised one after the other, of the `steps` by the reference rules; `bound`: no plan
    has more (None: no bound is known). `nodes`: the engine's measure of its work.
    """

    engine: str
    status: Status
    steps: tuple[Action, ...] | None
    values: tuple[int, ...] | None
    bound: tuple[int, ...] | None
    seconds: float
    nodes: int
    version: str
    seed: int | None = None
