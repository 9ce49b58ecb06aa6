"""Positions in the layered model: a literal for each disc, army, fleet and figure.

A *thing* is a pair: a kind of disc (``"revolt"``, ``"unrest"`` or the Emperor whose garrison it is) with a province,
``"army"`` or ``"other"`` (another Emperor than the active one) with a province, ``"fleet"`` with a zone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

Thing: TypeAlias = tuple[str, "str | int"]

ARMY, FLEET, OTHER = "army", "fleet", "other"


@dataclass(frozen=True)
class Table:
    """The literals of things; things that are not listed are absent."""

    things: Mapping[Thing, Lit]

    @classmethod
    def of(cls, position: Position) -> Table:
        """The table of a position, with constant literals."""
        lying: list[Thing] = [(disc, province) for province, disc in position.discs.items()]
        lying += [(ARMY, province) for province in position.armies]
        lying += [(FLEET, zone) for zone in position.fleets]
        others = (place for name, place in position.emperors.items() if name != position.to_move)
        lying += [(OTHER, place) for place in others if place is not None]
        return cls(dict.fromkeys(lying, TRUE))

    def __getitem__(self, thing: Thing) -> Lit:
        return self.things.get(thing, FALSE)

    def all(self, kind: str) -> dict[str | int, Lit]:
        """The possible places of a kind of thing, with their literals."""
        return {place: lit for (found, place), lit in self.things.items() if found == kind and lit != FALSE}


@dataclass(frozen=True)
class TurnLayer:
    """The state for rules after `spent` IP: the table and the game.

    `most_own` is an upper bound of the active Emperor's discs, including printed ones.
    """

    formula: Formula
    board: Board
    ruleset: Ruleset
    emperor: str
    table: Table
    spent: int
    most_own: int

    def reading(self, name: str) -> str:
        """The value of a reading."""
        return self.ruleset.readings[name]

    def revolt(self, place: str) -> Lit:
        """Whether a revolt lies there."""
        return self.table[REVOLT_DISC, place]

    def unrest(self, place: str) -> Lit:
        """Whether an unrest lies there."""
        return self.table[UNREST_DISC, place]

    def garrison(self, place: str) -> Lit:
        """Whether a garrison of any Emperor lies there; a printed disc does not count."""
        return self.formula.any_of(self.table[owner.id, place] for owner in self.board.emperors)

    def free_of_discs(self, place: str) -> Lit:
        """Whether no disc lies there."""
        return self.formula.all_of((-self.revolt(place), -self.unrest(place), -self.garrison(place)))

    def shared(self, place: str) -> Lit:
        """Whether another Emperor is there."""
        return self.table[OTHER, place]

    @cached_property
    def won(self) -> Lit:
        """Whether all borders are secured."""
        return self.formula.all_of(self.garrison(border) for border in self.board.borders)


@dataclass(frozen=True)
class Deed:
    """A possible action of the active Emperor: its price, its conditions, and its effects.

    `target` is his province after it; None where it ends his turn (`ends`). The things that it `takes` are present whenever
    `conditions` are true; those that it `puts` are absent.
    """

    action: Action
    cost: int
    target: str | None
    conditions: tuple[Lit, ...]
    takes: tuple[Thing, ...] = ()
    puts: tuple[Thing, ...] = ()
    ends: str | None = None  # BEATEN or FALLEN

    @property
    def possible(self) -> bool:
        """Whether no condition is known to be false."""
        return FALSE not in self.conditions


BEATEN, FALLEN = "beaten", "fallen"

Deeds: TypeAlias = Iterator[Deed]
