"""What an engine says about the best plan of a turn, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.action import Action


class Status(StrEnum):
    """How sure a result is."""

    OPTIMAL_PROVED = "optimal_proved"  # nothing is better
    FEASIBLE = "feasible"  # something better may exist, up to the bound
    INFEASIBLE_PROVED = "infeasible_proved"  # nothing does what is asked for
    UNKNOWN = "unknown"  # nothing was found, and nothing excluded


class DisagreementError(TetrasolveError):
    """Two methods gave different answers for a number: a bug of tetrasolve, never of its user."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What one engine found for a deterministic task.

    `values`: one whole number a term, to be maximised one after the other, of the `steps` as the reference rules carry
    them out; `bound`: no plan has more (None: no bound is known). `nodes`: what the engine calls its work.
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
