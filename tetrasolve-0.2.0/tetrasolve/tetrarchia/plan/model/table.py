"""Positions in the layered model: a literal for each disc, army, fleet and figure.

A *thing* is a pair: a kind of disc (``"revolt"``, ``"unrest"`` or the Emperor whose garrison it is) with a province,
``"army"`` or ``"other"`` (another Emperor than the active one) with a province, ``"fleet"`` or ``"pirates"`` with a zone. A
figure that acts with the active Emperor's IP has a kind of its own (`figure`), with a province. ``"unused"`` with a figure: it
is not yet in play; ``"power"``: the Emperor has used his power; ``"glory"`` with a label: a disc that he won in this turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from tetrasolve.tetrarchia.action import Action, Outcome
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.numbers import UNREST
from tetrasolve.tetrarchia.pieces import DUX, HELPERS
from tetrasolve.tetrarchia.plan.model.formula import FALSE, TRUE, Formula, Lit
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.ruleset import Ruleset

Thing: TypeAlias = tuple[str, "str | int"]
SeaBattle: TypeAlias = tuple["str | None", int, Outcome, int]  # who leads it, its zone, its outcome, discs paid

ARMY, FLEET, OTHER = "army", "fleet", "other"
PIRATES, UNUSED, POWER, GLORY = "pirates", "unused", "power", "glory"
POWER_USED: Thing = (POWER, "")
DIOCLETIAN, MAXIMIAN, GALERIUS = "diocletian", "maximian", "galerius"  # whose powers are for Roman phases


def figure(name: str) -> str:
    """The kind of thing that a figure besides the active Emperor is, if it can act in his turn."""
    return f"figure {name}"


@dataclass(frozen=True)
class Extras:
    """What modules, variants and rebels add to the position of a turn, and no action changes.

    `movers` are the figures that can act besides the active Emperor, `passing` the one of them that must move on. `goths` is
    the province of their army, `rebels` gives the zone of the fleet for each rebel army, `aside` counts the unrest that is
    neither on the board nor in the reserve. `glory` and `removed` are the active Emperor's discs; `power` is his name where he
    has a power in his turn; `joined_seas`: whether fleets join their zones.
    """

    movers: Sequence[str] = ()
    passing: str | None = None
    goths: str | None = None
    rebels: Mapping[str, int] = field(default_factory=dict)
    aside: int = 0
    glory: int = 0
    removed: int = 0
    power: str | None = None
    joined_seas: bool = False
    is_base: bool = True

    @classmethod
    def of(cls, position: Position) -> Extras:
        """Those of a position."""
        if not position.rules_in_use:
            return BASE_GAME
        active, pieces = position.to_move, position.pieces
        powers = pieces.removed is not None
        movers = [name for name in HELPERS if (helper := getattr(pieces, name)) is not None and not helper.dead]
        if powers and active == DIOCLETIAN:
            movers += [name for name, place in position.emperors.items() if name != active and place is not None]
        return cls(
            movers=tuple(movers),
            passing=None if pieces.passing == active else pieces.passing,
            goths=position.goths,
            rebels={border: rebel.fleet for border, rebel in position.rebels.items()},
            aside=sum(position.glory.values()) + position.gray,
            glory=position.glory.get(active, 0),
            removed=position.removed.get(active, 0),
            power=active if powers and active in (DIOCLETIAN, MAXIMIAN, GALERIUS) else None,
            joined_seas="mare-nostrum" in position.ruleset.variants,
            is_base=False,
        )


BASE_GAME = Extras()


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
        movers = Extras.of(position).movers
        others = (place for name, place in position.emperors.items() if name not in (position.to_move, *movers))
        lying += [(OTHER, place) for place in others if place is not None]
        lying += [(figure(name), place) for name in movers if (place := position.place_of(name)) is not None]
        lying += [(UNUSED, name) for name in movers if position.place_of(name) is None]
        if position.pieces.pirates is not None and position.pieces.pirates.zone is not None:
            lying.append((PIRATES, position.pieces.pirates.zone))
        if position.power_used:
            lying.append(POWER_USED)
        return cls(dict.fromkeys(lying, TRUE))

    def __getitem__(self, thing: Thing) -> Lit:
        return self.things.get(thing, FALSE)

    def all(self, kind: str) -> dict[str | int, Lit]:
        """The possible places of a kind of thing, with their literals."""
        return {place: lit for (found, place), lit in self.things.items() if found == kind and lit != FALSE}


@dataclass(frozen=True)
class TurnLayer:
    """The state for rules after `spent` IP: the table and the game, as a figure of Rome sees it.

    `figure` acts, None: the active Emperor. `most_own` is an upper bound of the active Emperor's discs, including printed ones,
    `most_unrest` one of the unrest that is not in the reserve. `standing` has the literals of his province, which the model adds
    when it knows them; they hold where the turn passes through this layer.
    """

    formula: Formula
    board: Board
    ruleset: Ruleset
    emperor: str
    table: Table
    spent: int
    most_own: int
    most_unrest: int = 0
    extras: Extras = BASE_GAME
    figure: str | None = None
    standing: dict[str, Lit] = field(default_factory=dict)
    at_sea: dict[SeaBattle, Lit] = field(default_factory=dict)  # known answers

    def seen_by(self, name: str) -> TurnLayer:
        """The same state for another figure that acts."""
        return replace(self, figure=name)

    def reading(self, name: str) -> str:
        """The value of a reading."""
        return self.ruleset.readings[name]

    def uses(self, name: str) -> bool:
        """Whether a module or variant is in use."""
        return name in self.ruleset.extensions

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
        """Whether another figure of Rome than the one that acts is there."""
        if not self.extras.movers:
            return self.table[OTHER, place]
        return self.formula.any_of(self._others(place, self.extras.movers))

    def allies(self, place: str) -> Iterator[Lit]:
        """Whether other generals than the one that acts are there, one literal each."""
        if not self.extras.movers:
            yield self.table[OTHER, place]
        else:
            yield from self._others(place, [name for name in self.extras.movers if name == DUX or name not in HELPERS])

    def _others(self, place: str, movers: Iterable[str]) -> Iterator[Lit]:
        yield self.table[OTHER, place]
        yield from (self.table[figure(name), place] for name in movers if name != self.figure)
        if self.figure is not None:
            yield self.standing.get(place, FALSE)

    @cached_property
    def won(self) -> Lit:
        """Whether all borders are secured."""
        return self.formula.all_of(self.garrison(border) for border in self.board.borders)

    @cached_property
    def unrest_left(self) -> Lit:
        """Whether an unrest is left in the reserve."""
        if self.most_unrest < UNREST:
            return TRUE
        taken = [*self.table.all(UNREST_DISC).values(), *self.table.all(GLORY).values()]
        return -self.formula.count(taken, UNREST - self.extras.aside)


@dataclass(frozen=True, slots=True)
class Deed:
    """A possible action: its price, its conditions, and its effects.

    `target` is the province of the figure that acts after it; None where it is removed or the turn `ends`. The things that it
    `takes` are present whenever `conditions` are true; those that it `puts` are absent; what it `sweeps` is taken if it is
    present. `paying`: the number of discs that Galerius pays for it.
    """

    action: Action
    cost: int
    target: str | None
    conditions: tuple[Lit, ...]
    takes: tuple[Thing, ...] = ()
    puts: tuple[Thing, ...] = ()
    sweeps: tuple[Thing, ...] = ()
    ends: str | None = None  # BEATEN or FALLEN
    paying: int = 0

    @property
    def possible(self) -> bool:
        """Whether no condition is known to be false."""
        return FALSE not in self.conditions

    def led_by(self, layer: TurnLayer, here: str) -> Deed:
        """The same action by another figure than the active Emperor, the one that sees `layer`, from this province."""
        assert layer.figure is not None
        thing = figure(layer.figure)
        takes, puts = self.takes, self.puts
        if self.target != here and self.ends != FALLEN:
            takes += ((thing, here),)
            puts += () if self.target is None else ((thing, self.target),)
        action = replace(self.action, figure=layer.figure)
        return replace(
            self, action=action, conditions=(layer.table[thing, here], *self.conditions), takes=takes, puts=puts
        )

    def only_if(self, condition: Lit) -> Deed:
        """The same action under one more condition."""
        return replace(self, conditions=(*self.conditions, condition))


BEATEN, FALLEN = "beaten", "fallen"

Deeds: TypeAlias = Iterator[Deed]
