"""Results of campaigns: the plan of each turn, and a bound for all plans."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias, TypeVar

from tetrasolve.tables import as_html
from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.plan.answer import Status
from tetrasolve.tetrarchia.plan.campaign.question import Campaign
from tetrasolve.tetrarchia.position import Position

Steps: TypeAlias = tuple[Action, ...]
Value: TypeAlias = tuple[int, int]  # turns, IP paid: less is better, turns first
Progress: TypeAlias = Callable[[Value | None, Value], None]  # the value found so far, and the bound


class Linked(Protocol):
    """A node of a search that knows the one that it was reached from."""

    @property
    def parent(self) -> Self | None:
        """The node before; None at the first."""


L = TypeVar("L", bound=Linked)


def line_to(node: L) -> list[L]:
    """The nodes from the first one to this."""
    line, at = [node], node.parent
    while at is not None:
        line.append(at)
        at = at.parent
    return line[::-1]


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """One turn of a campaign: the position at its beginning, the actions, the IP paid."""

    position: Position
    steps: Steps
    paid: int

    @property
    def emperor(self) -> str:
        """The Emperor of the turn."""
        return self.position.to_move


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """An answer, replayed by the reference rules.

    `value`: turns and IP of `plans` (None: no plan was found); `bound`: no plan needs less, compared one after the other
    (None when there is no plan). `infeasible_proved`: no plan of at most `campaign.most_turns` turns meets the goal. `nodes`
    is the engine's measure of its work.
    """

    campaign: Campaign
    status: Status
    plans: tuple[TurnPlan, ...] | None
    value: Value | None
    bound: Value | None
    engine: str
    seconds: float
    nodes: int
    version: str
    seed: int | None = None

    @property
    def turns(self) -> int | None:
        """The number of turns of the plan."""
        return None if self.value is None else self.value[0]

    @property
    def ip(self) -> int | None:
        """The IP that the plan pays."""
        return None if self.value is None else self.value[1]

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.plan.campaign.text import campaign_lines

        return "\n".join(campaign_lines(self))

    def _repr_svg_(self) -> str:
        from tetrasolve.tetrarchia.plan.campaign.text import turn_pictures

        return next(turn_pictures(self))

    def _repr_html_(self) -> str:
        from tetrasolve.tetrarchia.plan.campaign.text import turn_pictures

        return as_html(str(self), "".join(turn_pictures(self)))


def status_of(value: Value | None, *, closed: bool) -> Status:
    """The status of a search that is finished (`closed`) or out of time."""
    if closed:
        return Status.INFEASIBLE_PROVED if value is None else Status.OPTIMAL_PROVED
    return Status.UNKNOWN if value is None else Status.FEASIBLE
