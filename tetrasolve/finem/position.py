"""Positions: everything on the table at one moment of a turn, and what happens next.

A position is a value; what is impossible can be represented, and `Position.status` names every reason. The game stops only
where a card is drawn or the player decides: `Step` lists these moments.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tetrasolve.finem.layout import NUMBER, REGIONS, TRIBES, Layout
from tetrasolve.finem.ruleset import Ruleset

if TYPE_CHECKING:
    from tetrasolve.reason import Reason


class Phase(StrEnum):
    """The four phases of a turn."""

    ACTIONS = "actions"
    CAMPAIGN = "campaign"
    INVASION = "invasion"
    ROLE = "role"


class Step(StrEnum):
    """What happens next: a card is drawn (chance), or the player decides."""

    ACT = "act"  # the player takes one of `left` actions
    DICTATOR = "dictator"  # chance: the Dictator's card
    RIDE = "ride"  # the Dictator moves by `card`
    DRAW = "draw"  # chance: a card of the campaign
    EXCHANGE = "exchange"  # the Tribune may exchange a card of the campaign
    EVENT = "event"  # chance: the card of a special event
    TRAVEL = "travel"  # event 5: the pawn goes anywhere
    RESIST = "resist"  # event 7: cubes are removed
    RAISE = "raise"  # event S: a die rises
    PROTECT = "protect"  # event C: a region is named
    CIVIL_WAR = "civil-war"  # chance: the rank of a civil war, event R
    DISCARD_EVENT = "discard-event"  # points above the limit after event S
    CRISIS = "crisis"  # chance: the card of a crisis
    DISCARD = "discard"  # points above the limit after the campaign
    INVADE = "invade"  # chance: a card of the invasion, `left` of them
    SWAP = "swap"  # the Tribune may exchange a card of the invasion
    ROLE = "role"  # chance: the role of the next turn
    APPOINT = "appoint"  # the Emperor names it
    CHOOSE = "choose"  # how far the decline moves, or the order in which the cards of a campaign count; of values of readings
    ORDER = "order"  # the Tribune says which card of the invasion is carried out next [E-INVASION-ORDER]

    @property
    def phase(self) -> Phase:
        """The phase in which it is."""
        return _PHASES[self]

    @property
    def is_chance(self) -> bool:
        """Whether a card is drawn; otherwise the player decides."""
        return self in _CHANCE


_PHASES: Mapping[Step, Phase] = {
    **dict.fromkeys(Step, Phase.CAMPAIGN),
    **dict.fromkeys((Step.ACT, Step.DICTATOR, Step.RIDE), Phase.ACTIONS),
    **dict.fromkeys((Step.INVADE, Step.SWAP, Step.ORDER), Phase.INVASION),
    **dict.fromkeys((Step.ROLE, Step.APPOINT), Phase.ROLE),
}
_CHANCE = (Step.DICTATOR, Step.DRAW, Step.EVENT, Step.CIVIL_WAR, Step.CRISIS, Step.INVADE, Step.ROLE)

Cubes = tuple[tuple[int, int, int, int], ...]  # of the tribes in each region
Dice = tuple[int, int, int, int]

NO_CUBES: Cubes = ((0, 0, 0, 0),) * len(REGIONS)


def cubes_of(cubes: Mapping[str, Mapping[str, int]]) -> Cubes:
    """The cubes of regions by name and tribe, as positions keep them.

    >>> cubes_of({"O6": {"C": 2}})[1]
    (0, 2, 0, 0)
    """
    rows = (tuple(cubes.get(region, {}).get(tribe, 0) for tribe in TRIBES) for region in REGIONS)
    return tuple((o, c, e, b) for o, c, e, b in rows)


@dataclass(frozen=True)
class Result:
    """The end of a game: ``won``, or ``lost: why``."""

    text: str

    @property
    def is_won(self) -> bool:
        """Whether the player has won."""
        return self.text == WON

    def __str__(self) -> str:
        return self.text


WON = "won"


@dataclass(frozen=True)
class Position:
    """A position at one step of a turn.

    `role` is None in the first turn. `start` is the region on which the pawn began, `last` the one last invaded. `cubes` has
    the numbers of the four tribes for each region of `REGIONS`, `dice` those of the campaign dice (0: put away). `out` has the
    cards drawn in this turn, `hand` those of a campaign or of a Tribune's invasion, `card` is the one by which the Dictator moves,
    or that the Tribune has seen and not taken yet [E-EXCHANGE]. `protected` is the region named by event C,
    `is_quiet` says that event 6 came, `has_exchanged` that the Tribune has exchanged a card, `has_travel` that the player can
    travel as the Consul besides his role, until the actions end [E-EMPEROR-TRAVEL].
    """

    ruleset: Ruleset
    role: str | None
    pawn: str
    start: str
    last: str
    cubes: Cubes
    dice: Dice
    pacified: frozenset[str]
    decline: int
    outbreaks: int
    step: Step
    left: int = 0
    card: str | None = None
    hand: tuple[str, ...] = ()
    out: frozenset[str] = frozenset()
    protected: str | None = None
    is_quiet: bool = False
    has_exchanged: bool = False
    has_travel: bool = False

    # -- what lies where -------------------------------------------------------------------------------------------

    @property
    def layout(self) -> Layout:
        """The map."""
        return self.ruleset.layout

    def count(self, region: str, tribe: str) -> int:
        """The cubes of a tribe in a region."""
        return self.cubes[NUMBER[region]][TRIBES.index(tribe)]

    def on_map(self, tribe: str) -> int:
        """The cubes of a tribe on the map."""
        return self._totals[TRIBES.index(tribe)]

    @cached_property
    def _totals(self) -> tuple[int, ...]:
        return tuple(map(sum, zip(*self.cubes, strict=True)))

    def die(self, tribe: str) -> int:
        """The campaign die of a tribe; 0 where it is put away."""
        return self.dice[TRIBES.index(tribe)]

    def is_eradicated(self, tribe: str) -> bool:
        """Whether a tribe is eradicated: its die is put away."""
        return self.die(tribe) == 0

    @cached_property
    def occupied(self) -> Mapping[str, Mapping[str, int]]:
        """The cubes of each region that has any, by tribe."""
        rows = zip(REGIONS, self.cubes, strict=True)
        return MappingProxyType(
            {
                region: MappingProxyType({tribe: n for tribe, n in zip(TRIBES, row, strict=True) if n})
                for region, row in rows
                if any(row)
            }
        )

    @property
    def deck(self) -> tuple[str, ...]:
        """The cards that can be drawn."""
        return tuple(region for region in REGIONS if region not in self.out)

    @property
    def phase(self) -> Phase:
        """The phase of the turn."""
        return self.step.phase

    @property
    def points(self) -> int:
        """The points that the limit of the dice counts [E-ELEVEN]."""
        counts_all = self.ruleset.readings["E-ELEVEN"] == "four"
        dice = zip(TRIBES, self.dice, strict=True)
        return sum(die for tribe, die in dice if counts_all or tribe not in self.pacified)

    # -- changes -----------------------------------------------------------------------------------------------------

    def replace(self, **changes: Any) -> Position:
        """The same position with other values of these fields."""
        if not changes.keys() <= _FIELDS:
            raise TypeError(f"no field of a position: {', '.join(sorted(changes.keys() - _FIELDS))}")
        # A rule asks for this at each step, and dataclasses.replace takes four times as long. Nothing happens after `__init__`.
        found = object.__new__(Position)
        values = {**self.__dict__, **changes}
        for name in _KEPT:
            values.pop(name, None)
        found.__dict__.update(values)
        return found

    def with_count(self, region: str, tribe: str, number: int) -> Position:
        """The same position with this number of cubes of a tribe in a region."""
        at = NUMBER[region]
        row = _changed(self.cubes[at], tribe, number)
        return self.replace(cubes=(*self.cubes[:at], row, *self.cubes[at + 1 :]))

    def with_die(self, tribe: str, face: int) -> Position:
        """The same position with this die."""
        return self.replace(dice=_changed(self.dice, tribe, face))

    # -- forms: each is another module's business, reached from here so that a position can speak for itself -----------

    def status(self) -> tuple[Reason, ...]:
        """Every reason why this position cannot occur; none when it is legal."""
        from tetrasolve.finem.status import status

        return status(self)

    @staticmethod
    def from_json(text: str | bytes) -> Position:
        """A position from its JSON form.

        :raises PositionSyntaxError: when the text cannot be read; the field is named.
        """
        from tetrasolve.finem.jsonform import read_json

        return read_json(text)

    def to_json(self) -> str:
        """The JSON form; `from_json` gives the same position back."""
        from tetrasolve.finem.jsonform import write_json

        return write_json(self)

    @staticmethod
    def parse(text: str) -> Position:
        """A position from its one-line notation.

        :raises PositionSyntaxError: when the text cannot be read; the field is named.
        """
        from tetrasolve.finem.notation import read_position

        return read_position(text)

    def __str__(self) -> str:
        from tetrasolve.finem.notation import write_position

        return write_position(self)

    def __repr__(self) -> str:
        return f"<Position {self}>"


_FIELDS = frozenset(field.name for field in dataclasses.fields(Position))
_KEPT = tuple(name for name, value in vars(Position).items() if isinstance(value, cached_property))  # not a field


def _changed(row: tuple[int, int, int, int], tribe: str, number: int) -> tuple[int, int, int, int]:
    o, c, e, b = (number if name == tribe else old for name, old in zip(TRIBES, row, strict=True))
    return o, c, e, b


State = Position | Result


def in_order(cards: Iterable[str]) -> Iterator[str]:
    """Cards in the order of `REGIONS`."""
    return iter(sorted(cards, key=NUMBER.__getitem__))
