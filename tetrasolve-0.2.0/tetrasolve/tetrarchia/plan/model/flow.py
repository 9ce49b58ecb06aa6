"""What the parts of a turn's model see of it: its layers, and the arcs that they add."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Protocol

from tetrasolve.tetrarchia.action import Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.model.formula import Formula, Lit
from tetrasolve.tetrarchia.plan.model.table import Deed, Extras, TurnLayer
from tetrasolve.tetrarchia.ruleset import Ruleset


class Flow(Protocol):
    """A turn whose layers are being written; `here[t]` has the literals of the Emperor's province in layer t."""

    formula: Formula
    board: Board
    ruleset: Ruleset
    emperor: str
    ip: int
    extras: Extras
    name: str
    outcomes: Mapping[str, Collection[Outcome]]
    layers: list[TurnLayer]
    here: list[dict[str, Lit]]

    def arc(self, start: int, origin: str | None, deed: Deed) -> Lit | None:
        """Add an arc with its conditions and its effects on things, unless it is impossible."""
        ...

    def leave(self, spent: int, place: str | None, lit: Lit) -> None:
        """The Emperor can leave a layer in this province by this literal."""
        ...

    def arrive(self, spent: int, place: str, lit: Lit) -> None:
        """The Emperor can come to a layer in this province by this literal."""
        ...

    def pay(self, end: int, place: str, lit: Lit) -> None:
        """A garrison of the active Emperor is paid by this literal."""
        ...

    def used_discs(self, spent: int) -> Sequence[Lit]:
        """The literals of his discs that are neither in the reserve of a layer nor paid before this turn."""
        ...
