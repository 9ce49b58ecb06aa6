"""The figures and discs that modules and variants add to a position, by their keys of the JSON form.

====================== ====================================================================================
``dux``, ``vicarius``  a province, null (not yet in play) or ``"dead"``
``passing``            the figure of Rome that shares a province with another one and must move on, if there is one;
                       only with Dux, Vicarius or Imperium: without them it is the active Emperor
``pirates``            their sea zone, or null: defeated
``goths``              ``"reserve"``, or their province, which `armies` lists too
``rebels``             for each border with a rebel army, the ``figure`` it uses and the zone of the ``fleet``
                       without which it cannot be attacked; only while there are rebels
``glory``              the glory discs of each Emperor
``removed``            the discs that each Emperor has paid for his power, or lost [I-GARRISON-ATTACK], out of the game for good
``power``              true while the active Emperor has used his power in this turn; else it is absent
``barbarian_discs``    the ``gray`` and ``black`` discs of the Barbarian player
====================== ====================================================================================

A key occurs in a position only where it is in use. `Pieces` holds a typed value for each. `Pieces.plain` gives the keys above with
values in a hashable form of JSON, tables as sorted pairs. Rules are in `tetrasolve.tetrarchia.rules.modules`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, cast

from tetrasolve.errors import PositionSyntaxError, named
from tetrasolve.tetrarchia.board import Board

DUX = "dux"
VICARIUS = "vicarius"
# Rule p04-figures
HELPERS = (DUX, VICARIUS)  # figures of Rome besides the Emperors
DEAD = "dead"
RESERVE = "reserve"
OUT = "out"
PASSING = "passing"
REMOVED = "removed"
POWER = "power"
BARBARIAN_DISCS = "barbarian_discs"
GRAY = "gray"
BLACK = "black"
MOVED_BY_OTHERS = (*HELPERS, REMOVED)  # with one of these keys other figures than the active Emperor can be moved
REBEL_FIGURES = ("dux", "goths")

Pairs = tuple[tuple[str, int], ...]

# -- the values ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Helper:
    """Dux or Vicarius: his province while he is on the board; else he is dead, or not yet in play."""

    place: str | None = None
    dead: bool = False

    @property
    def is_unused(self) -> bool:
        """Whether he has not come into play yet."""
        return self.place is None and not self.dead

    def plain(self) -> Hashable:
        """A province, None or ``"dead"``."""
        return DEAD if self.dead else self.place

    @classmethod
    def of(cls, value: object) -> Helper:
        """From `plain`."""
        return cls(dead=True) if value == DEAD else cls(cast("str | None", value))


@dataclass(frozen=True, slots=True)
class Pirates:
    """The Pirates: their sea zone, None while they are beaten."""

    zone: int | None = None

    def plain(self) -> Hashable:
        """A zone or None."""
        return self.zone

    @classmethod
    def of(cls, value: object) -> Pirates:
        """From `plain`."""
        return cls(cast("int | None", value))


@dataclass(frozen=True, slots=True)
class Goths:
    """The Goths: the province of their army; else they are in the reserve, or `out` of the game, which cannot occur."""

    place: str | None = None
    out: bool = False

    @property
    def in_reserve(self) -> bool:
        """Whether they can arrive."""
        return self.place is None and not self.out

    def plain(self) -> Hashable:
        """A province, ``"reserve"`` or ``"out"``."""
        return OUT if self.out else RESERVE if self.place is None else self.place

    @classmethod
    def of(cls, value: object) -> Goths:
        """From `plain`."""
        return cls(out=True) if value == OUT else cls(None if value == RESERVE else cast(str, value))


@dataclass(frozen=True, slots=True)
class Rebel:
    """A rebel army: the `figure` used for it, and the zone of the `fleet` without which it cannot be attacked."""

    figure: str
    fleet: int


@dataclass(frozen=True, slots=True)
class Rebels:
    """The rebel armies, with their borders in alphabetical order."""

    armies: tuple[tuple[str, Rebel], ...]

    def plain(self) -> Hashable:
        """The same pairs."""
        return self.armies

    @classmethod
    def of(cls, value: object) -> Rebels:
        """From pairs or a table."""
        table = dict(cast("Mapping[str, Rebel]", value))
        return cls(tuple(sorted(table.items(), key=lambda pair: pair[0])))


@dataclass(frozen=True, slots=True)
class Counts:
    """Discs of each Emperor: glory, or those paid for a power; by Emperor in alphabetical order."""

    discs: Pairs

    def plain(self) -> Hashable:
        """The same pairs."""
        return self.discs

    @classmethod
    def of(cls, value: object) -> Counts:
        """From pairs or a table."""
        return cls(tuple(sorted(dict(cast("Mapping[str, int]", value)).items())))


@dataclass(frozen=True, slots=True)
class BarbarianDiscs:
    """The discs of the Barbarian player; None for a number that is missing in an impossible position."""

    black: int | None = None
    gray: int | None = None

    def plain(self) -> Hashable:
        """Pairs of colours and numbers."""
        counts = ((BLACK, self.black), (GRAY, self.gray))
        return tuple((colour, count) for colour, count in counts if count is not None)

    @classmethod
    def of(cls, value: object) -> BarbarianDiscs:
        """From pairs or a table."""
        return cls(**dict(cast("Mapping[str, int]", value)))


Piece = Helper | Pirates | Goths | Rebels | Counts | BarbarianDiscs


@dataclass(frozen=True, slots=True)
class Pieces:
    """The figures and discs of modules, variants and rebels on a table; None and False where they are not in use.

    `passing` is a figure of Rome.

    >>> pieces = Pieces(dux=Helper("asia"), goths=Goths())
    >>> pieces.dux.place, pieces.goths.in_reserve, pieces.plain()
    ('asia', True, {'dux': 'asia', 'goths': 'reserve'})
    """

    barbarian_discs: BarbarianDiscs | None = None
    dux: Helper | None = None
    glory: Counts | None = None
    goths: Goths | None = None
    passing: str | None = None
    pirates: Pirates | None = None
    power: bool = False
    rebels: Rebels | None = None
    removed: Counts | None = None
    vicarius: Helper | None = None

    def plain(self) -> dict[str, Hashable]:
        """The keys in use, in alphabetical order, with their values in the hashable form."""
        values = ((key, getattr(self, key)) for key in _KEYS)
        return {
            key: value if isinstance(value, (str, bool)) else value.plain()
            for key, value in values
            if value is not None and value is not False
        }

    @classmethod
    def of(cls, values: Pieces | Mapping[str, object]) -> Pieces:
        """The pieces with these values by key, typed or in the hashable form.

        :raises TypeError: for a key that does not exist.
        """
        if isinstance(values, Pieces):
            return values
        return cls(**{key: typed(key, value) for key, value in values.items()})


_KEYS = tuple(sorted(Pieces.__dataclass_fields__))
NO_PIECES = Pieces()  # the base game; all its positions have this object

_TYPES: Mapping[str, type[Piece]] = {
    BARBARIAN_DISCS: BarbarianDiscs,
    DUX: Helper,
    "glory": Counts,
    "goths": Goths,
    "pirates": Pirates,
    "rebels": Rebels,
    REMOVED: Counts,
    VICARIUS: Helper,
}


def typed(key: str, value: object) -> Any:
    """The typed value of a key, from itself or from the hashable form."""
    kind = _TYPES.get(key)
    return value if kind is None or isinstance(value, kind) else kind.of(value)


# -- reading the JSON form -------------------------------------------------------------------------------------

Reader = Callable[[object, str, Board], Hashable]


def _province(value: object, where: str, board: Board) -> str:
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, "a province id")


def _figure(value: object, where: str, board: Board) -> Hashable:
    """A figure that comes into play once: null not yet, then a province, then "dead"."""
    if value is None or value == DEAD:
        return value
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, 'a province id, null (not yet in play) or "dead"')


def _zone(value: object, where: str, board: Board) -> Hashable:
    if value is None or (_is_count(value) and 1 <= value <= len(board.zones)):  # type: ignore[operator]  # a count is an int
        return value
    raise PositionSyntaxError(where, value, f"a sea zone from 1 to {len(board.zones)} or null")


def _goths(value: object, where: str, board: Board) -> Hashable:
    if value in (RESERVE, OUT):
        return value
    if isinstance(value, str) and value in board.provinces:
        return value
    raise PositionSyntaxError(where, value, 'a province id, "reserve" or "out"')


def _passing(value: object, where: str, board: Board) -> Hashable:
    names = (*HELPERS, *(emperor.id for emperor in board.emperors))
    if isinstance(value, str) and value in names:
        return value
    raise PositionSyntaxError(where, value, f"one of {', '.join(names)}")


def _rebels(value: object, where: str, board: Board) -> Hashable:
    if not isinstance(value, dict):
        raise PositionSyntaxError(where, value, "a table of borders with their rebels")
    rebels = {}
    for border, rebel in value.items():
        if border not in board.provinces:
            raise PositionSyntaxError(f"{where}.{named(border)}", border, "a province id")
        rebels[border] = _rebel(rebel, f"{where}.{border}", board)
    return tuple(sorted(rebels.items(), key=lambda pair: pair[0]))


def _rebel(value: object, where: str, board: Board) -> Rebel:
    if not isinstance(value, dict) or set(value) != {"figure", "fleet"}:
        raise PositionSyntaxError(where, value, "a table with the keys figure, fleet")
    figure, zone = value["figure"], value["fleet"]
    if figure not in REBEL_FIGURES:
        raise PositionSyntaxError(f"{where}.figure", figure, f"one of {', '.join(REBEL_FIGURES)}")
    if not _is_count(zone) or not 1 <= zone <= len(board.zones):
        raise PositionSyntaxError(f"{where}.fleet", zone, f"a sea zone from 1 to {len(board.zones)}")
    return Rebel(figure, zone)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _counts(value: object, where: str, names: tuple[str, ...]) -> Hashable:
    if not isinstance(value, dict):
        raise PositionSyntaxError(where, value, "a table of numbers")
    for name, count in value.items():
        if name not in names:
            raise PositionSyntaxError(f"{where}.{named(name)}", name, f"one of {', '.join(names)}")
        if not _is_count(count) or not 0 <= count <= 99:
            raise PositionSyntaxError(f"{where}.{name}", count, "a number of discs from 0 to 99")
    return tuple(sorted(value.items()))


def _by_emperor(value: object, where: str, board: Board) -> Hashable:
    return _counts(value, where, tuple(emperor.id for emperor in board.emperors))


def _power(value: object, where: str, board: Board) -> Hashable:
    del board  # the same on every board
    if value is True:
        return value
    raise PositionSyntaxError(where, value, "true, or no such key")


def _barbarian_discs(value: object, where: str, board: Board) -> Hashable:
    del board  # the Barbarian player's discs are the same on every board
    return _counts(value, where, (GRAY, BLACK))


# Key of the JSON form: (modules or variants, one of which it requires; empty for scenarios), reader of its value.
PIECES: Mapping[str, tuple[tuple[str, ...], Reader]] = {
    "dux": (("dux",), _figure),
    "vicarius": (("vicarius",), _figure),
    PASSING: (("dux", "vicarius", "imperium"), _passing),
    "pirates": (("pirates",), _zone),
    "goths": (("goths",), _goths),
    "rebels": ((), _rebels),
    REMOVED: (("imperium",), _by_emperor),
    POWER: (("imperium",), _power),
    "glory": (("roma-aeterna",), _by_emperor),
    BARBARIAN_DISCS: (("barbaria",), _barbarian_discs),
}

NOT_ALWAYS = frozenset({PASSING, POWER, "rebels"})  # all other keys occur in every position with their module
TABLES = frozenset({"rebels", REMOVED, "glory", BARBARIAN_DISCS})  # kept as sorted pairs, an empty table as no pairs


def read_piece(key: str, value: object, board: Board) -> Hashable:
    """The typed value of one key, from its JSON form.

    :raises PositionSyntaxError: when it does not have the form that the position format requires.
    """
    return cast(Hashable, typed(key, PIECES[key][1](value, key, board)))


def plain_piece(key: str, value: Any) -> Any:
    """The JSON value of one key, from the hashable form."""
    if key == "rebels":
        return {border: asdict(rebel) for border, rebel in value}
    return dict(value) if key in TABLES else value
