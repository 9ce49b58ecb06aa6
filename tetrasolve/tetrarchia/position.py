"""Positions: everything on the board, and whose turn it is. Immutable, hashable, equal by value.

A `Position` can be impossible: `tetrasolve.tetrarchia.status` lists every reason, and nothing is repaired. Sets of provinces
are available by name (``position.revolts``) and, for the kernel, as 48-bit masks (``position.revolts_mask``).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.pieces import (
    DUX,
    HELPERS,
    NO_PIECES,
    VICARIUS,
    BarbarianDiscs,
    Goths,
    Helper,
    Pieces,
    Rebel,
    Rebels,
    typed,
)
from tetrasolve.tetrarchia.ruleset import Ruleset

if TYPE_CHECKING:
    from tetrasolve.reason import Reason

UNREST_DISC = "unrest"
REVOLT_DISC = "revolt"


class Phase(StrEnum):
    """The two halves of an Emperor's turn."""

    ROMAN = "roman"
    BARBARIAN = "barbarian"


@dataclass(frozen=True, eq=False)
class Position:
    """The position: `emperors` by id (None: off the board), `fleets` as zones, `armies` as provinces, `discs` by province.

    A disc is ``"unrest"``, ``"revolt"`` or the Emperor whose garrison it is; printed discs are not listed. `pieces`
    holds the figures and discs of modules and variants; it can be given as a mapping too, by their keys of the JSON form.
    """

    given_by: ClassVar[str] = "example('fight'), build(...).position or Position.parse(text)"

    board: Board
    ruleset: Ruleset
    to_move: str
    phase: Phase
    ip: int
    emperors: Mapping[str, str | None]
    fleets: tuple[int, ...]
    armies: tuple[str, ...]
    discs: Mapping[str, str]
    pieces: Pieces = NO_PIECES

    def __post_init__(self) -> None:
        for name in _KEPT_IN_ORDER:
            self.__dict__[name] = self._in_order(name, self.__dict__[name])

    def _in_order(self, name: str, value: Any) -> Any:
        """The normal form of a field's value: equal positions have equal values."""
        match name:
            case "emperors":
                return MappingProxyType({emperor.id: value.get(emperor.id) for emperor in self.board.emperors})
            case "fleets":
                return tuple(sorted(value))
            case "armies":
                return tuple(sorted(value, key=self.board.order.__getitem__))
            case "discs":
                return MappingProxyType(dict(value))
            case "pieces":
                pieces = Pieces.of(value)
                return NO_PIECES if pieces == NO_PIECES else pieces
        return value

    # -- figures ---------------------------------------------------------------------------------------------

    @property
    def here(self) -> str | None:
        """The province of the active Emperor, None while he is off the board."""
        return self.emperors[self.to_move]

    @cached_property
    def generals(self) -> Mapping[str, str]:
        """The figures that can lead a battle, with their provinces: the Emperors on the board, and the Dux."""
        places = {emperor: place for emperor, place in self.emperors.items() if place is not None}
        dux = self.pieces.dux
        return MappingProxyType(places if dux is None or dux.place is None else {**places, DUX: dux.place})

    @cached_property
    def romans(self) -> Mapping[str, str]:
        """Every figure of Rome on the board with its province: the generals, and the Vicarius."""
        vicarius = self.pieces.vicarius
        if vicarius is None or vicarius.place is None:
            return self.generals
        return MappingProxyType({**self.generals, VICARIUS: vicarius.place})

    def place_of(self, figure: str) -> str | None:
        """The province of a figure of Rome, ``"dux"``, ``"vicarius"`` or an Emperor; None where it is not on the board."""
        if figure in self.emperors:
            return self.emperors[figure]
        helper = self.pieces.dux if figure == DUX else self.pieces.vicarius if figure == VICARIUS else None
        return None if helper is None else helper.place

    def emperors_at(self, province: str) -> tuple[str, ...]:
        """The Emperors in a province, in turn order (two while one passes through)."""
        return tuple(emperor for emperor, place in self.emperors.items() if place == province)

    def others_at(self, province: str, figure: str | None = None) -> tuple[str, ...]:
        """The figures of Rome in a province besides this one (default: the active Emperor)."""
        if province not in self.romans.values():
            return ()
        mover = figure or self.to_move
        return tuple(other for other, place in self.romans.items() if place == province and other != mover)

    @cached_property
    def passing(self) -> str | None:
        """The figure that shares a province with another figure of Rome and must move on; None if there is none."""
        if self.pieces.passing is not None:
            return self.pieces.passing
        return self.to_move if self.here is not None and self.others_at(self.here) else None

    @property
    def is_shared(self) -> bool:
        """Whether two figures of Rome share a province, so that one of them must move on."""
        return self.passing is not None

    def is_empty(self, province: str) -> bool:
        """Whether neither a figure nor a disc is in a province (a printed disc does not count)."""
        return province not in self.discs and province not in self.armies and province not in self.romans.values()

    @property
    def goths(self) -> str | None:
        """The province of the Goths, None while they are in the reserve or not in use."""
        goths = self.pieces.goths
        return None if goths is None else goths.place

    @property
    def rules_in_use(self) -> frozenset[str]:
        """The names of the rule modules in use: those of the ruleset, and ``"rebels"`` if there are any."""
        names = self.ruleset.extensions
        return names if self.pieces.rebels is None else names | {"rebels"}

    @property
    def rebels(self) -> Mapping[str, Rebel]:
        """The rebel armies by their borders."""
        rebels = self.pieces.rebels
        return {} if rebels is None else dict(rebels.armies)

    @property
    def glory(self) -> Mapping[str, int]:
        """The glory discs of each Emperor; empty where they are not in use."""
        glory = self.pieces.glory
        return {} if glory is None else dict(glory.discs)

    @property
    def removed(self) -> Mapping[str, int]:
        """The discs that each Emperor has paid for his power; empty where they are not in use."""
        removed = self.pieces.removed
        return {} if removed is None else dict(removed.discs)

    @property
    def power_used(self) -> bool:
        """Whether the active Emperor has used his power in this turn."""
        return self.pieces.power

    @property
    def gray(self) -> int:
        """The gray discs of the Barbarian player, unrest discs that are not in the reserve; 0 without him."""
        discs = self.pieces.barbarian_discs
        return 0 if discs is None else discs.gray or 0

    @property
    def black(self) -> int:
        """The black discs of the Barbarian player, revolt discs that are not in the reserve; 0 without him."""
        discs = self.pieces.barbarian_discs
        return 0 if discs is None else discs.black or 0

    # -- discs -----------------------------------------------------------------------------------------------

    def has_revolt(self, province: str) -> bool:
        """Whether a revolt lies in a province."""
        return self.discs.get(province) == REVOLT_DISC

    def has_unrest(self, province: str) -> bool:
        """Whether an unrest lies in a province."""
        return self.discs.get(province) == UNREST_DISC

    def has_garrison(self, province: str) -> bool:
        """Whether a garrison disc of any Emperor lies in a province; a printed disc does not count."""
        return self.discs.get(province, UNREST_DISC) not in (UNREST_DISC, REVOLT_DISC)

    # Rule p05-printed-disc, p08-secure-effect
    def is_protected(self, province: str) -> bool:
        """Whether a garrison or an uncovered printed disc keeps unrest away."""
        return self.has_garrison(province) or (province not in self.discs and bool(self.board[province].printed))

    @cached_property
    def revolts(self) -> frozenset[str]:
        """The provinces with a revolt."""
        return frozenset(province for province, disc in self.discs.items() if disc == REVOLT_DISC)

    @cached_property
    def unrest(self) -> frozenset[str]:
        """The provinces with an unrest."""
        return frozenset(province for province, disc in self.discs.items() if disc == UNREST_DISC)

    def garrisons(self, emperor: str) -> frozenset[str]:
        """The provinces with a garrison disc of this Emperor."""
        return frozenset(province for province, disc in self.discs.items() if disc == emperor)

    def own_discs(self, emperor: str) -> frozenset[str]:
        """The provinces where this Emperor's discs count in battle: garrisons and uncovered printed discs.

        Whether a garrison covers Roma's for the other three: [I-ROMA-COVERED].
        """
        if emperor in HELPERS:
            return frozenset()
        printed = (province for province in self.board.printed(emperor) if province not in self.discs)
        own = self.garrisons(emperor).union(printed)
        roma = self.board.roma
        if self.ruleset.readings["I-ROMA-COVERED"] == "counts" and emperor in self.board[roma].printed:
            return own | {roma} if self.has_garrison(roma) else own
        return own

    # -- reserve ---------------------------------------------------------------------------------------------

    # Rule p04-revolts
    @property
    def reserve_revolts(self) -> int:
        """Revolts left in the reserve, without the Barbarian player's disc."""
        return self.ruleset.numbers["revolts"] - len(self.revolts) - (0 if self.pieces is NO_PIECES else self.black)

    # Rule p04-unrest
    @property
    def reserve_unrest(self) -> int:
        """Unrest left in the reserve, without glory discs and those of the Barbarian player."""
        if self.pieces is NO_PIECES:
            return self.ruleset.numbers["unrest"] - len(self.unrest)
        return self.ruleset.numbers["unrest"] - len(self.unrest) - sum(self.glory.values()) - self.gray

    # Rule p11-garrisons-return
    def reserve_garrisons(self, emperor: str) -> int:
        """Garrisons of this Emperor left in the reserve, without those paid for his power."""
        lost = 0 if self.pieces is NO_PIECES else self.removed.get(emperor, 0)
        return self.ruleset.garrisons - lost - len(self.garrisons(emperor))

    # Rule p13-goths-three, p16-rebel-counts
    @property
    def reserve_armies(self) -> int:
        """Armies left in the reserve."""
        return self.ruleset.numbers["armies"] - len(self.armies)

    # -- borders ---------------------------------------------------------------------------------------------

    @cached_property
    def secured(self) -> tuple[str, ...]:
        """The borders with a garrison, by region."""
        return tuple(border for border in self.board.borders if self.has_garrison(border))

    # Rule p04-win, p11-victory
    @property
    def is_won(self) -> bool:
        """Whether all six borders are secured, or by a house rule fewer: the game is over."""
        return len(self.secured) >= self.ruleset.numbers["borders-to-win"]

    # -- masks -----------------------------------------------------------------------------------------------

    @property
    def revolts_mask(self) -> int:
        """`revolts` as a 48-bit integer, bit = row of the board file."""
        return self.board.mask(self.revolts)

    @property
    def unrest_mask(self) -> int:
        """`unrest` as a 48-bit integer."""
        return self.board.mask(self.unrest)

    def garrisons_mask(self, emperor: str) -> int:
        """`garrisons` as a 48-bit integer."""
        return self.board.mask(self.garrisons(emperor))

    @property
    def armies_mask(self) -> int:
        """`armies` as a 48-bit integer."""
        return self.board.mask(self.armies)

    # -- changing --------------------------------------------------------------------------------------------

    def replace(self, **changes: Any) -> Position:
        """The same position with other fields."""
        new, old = object.__new__(Position), self.__dict__
        fields = {name: old[name] for name in _FIELDS}  # those that do not change are in normal form already
        for name, value in changes.items():
            if name not in fields:
                raise TypeError(f"a position has no field {name!r}")
            fields[name] = self._in_order(name, value)
        new.__dict__.update(fields)
        return new

    def with_emperor(self, emperor: str, place: str | None) -> Position:
        """The same position with an Emperor elsewhere, or off the board."""
        return self.replace(emperors={**self.emperors, emperor: place})

    # Rule p12-dux-dies
    def with_figure(self, figure: str, place: str | None) -> Position:
        """The same position with a figure of Rome elsewhere, or off the board (for Dux and Vicarius: dead).

        A figure that moves to another one is `passing` until it moves on.
        """
        pieces = self.pieces
        if pieces is NO_PIECES:
            return self.with_emperor(figure, place)
        moved = (
            self.with_piece(figure, Helper(place, dead=place is None))
            if figure in HELPERS
            else self.with_emperor(figure, place)
        )
        if pieces.dux is None and pieces.vicarius is None and "imperium" not in self.ruleset.variants:
            return moved  # nobody but the active Emperor can be moved
        if place is not None and moved.others_at(place, figure):
            return moved.with_piece("passing", figure)
        passing = self.passing
        shared = None if passing is None else moved.romans.get(passing)  # None also for one that cannot be passing
        if passing is None or (passing != figure and shared is not None and moved.others_at(shared, passing)):
            return moved
        return moved.without_piece("passing")  # where either makes room, the one who came is alone again [I-MAKE-ROOM]

    def with_piece(self, key: str, value: Hashable) -> Position:
        """The same position with another value of a key of `pieces`, typed or in the hashable form of JSON."""
        return self.replace(pieces=replace(self.pieces, **{key: typed(key, value)}))

    def without_piece(self, key: str) -> Position:
        """The same position without a key of `pieces`."""
        absent = getattr(NO_PIECES, key)
        return (
            self if getattr(self.pieces, key) == absent else self.replace(pieces=replace(self.pieces, **{key: absent}))
        )

    def with_barbarian_discs(self, gray: int, black: int) -> Position:
        """The same position with these numbers of the Barbarian player's discs."""
        return self.with_piece("barbarian_discs", BarbarianDiscs(black, gray))

    # Rule p07-one-disc, p11-one-of-each
    def with_disc(self, province: str, disc: str | None) -> Position:
        """The same position with this disc in a province in place of any other, or with none."""
        discs = dict(self.discs)
        discs.pop(province, None)
        if disc is not None:
            discs[province] = disc
        return self.replace(discs=discs)

    def with_discs(self, provinces: frozenset[str], disc: str) -> Position:
        """The same position with this disc in each of these provinces."""
        return self.replace(discs={**self.discs, **dict.fromkeys(provinces, disc)})

    def with_army(self, old: str | None, new: str | None) -> Position:
        """The same position with an army moved, placed (`old` None) or removed (`new` None).

        The Goths stay the Goths when they move, and go to the reserve when removed; a removed rebel army is an ordinary one there.
        """
        armies = list(self.armies)
        if old is not None:
            armies.remove(old)
        if new is not None:
            armies.append(new)
        changed = self.replace(armies=tuple(armies))
        if old is None or self.pieces is NO_PIECES:
            return changed
        if old == self.goths:
            changed = changed.with_piece("goths", Goths(new))
        return changed.without_rebel(old) if old in self.rebels else changed

    # Rule p16-rebel-stays
    def without_rebel(self, border: str) -> Position:
        """The same position without rebels on this border; an army there becomes an ordinary one."""
        left = tuple((place, rebel) for place, rebel in self.rebels.items() if place != border)
        return self.with_piece("rebels", Rebels(left)) if left else self.without_piece("rebels")

    # -- value -----------------------------------------------------------------------------------------------

    @cached_property
    def _key(self) -> tuple[Hashable, ...]:
        return (
            self.to_move,
            self.phase,
            self.ip,
            tuple(self.emperors.values()),
            self.fleets,
            self.armies,
            frozenset(self.discs.items()),
            None if self.pieces is NO_PIECES else self.pieces,
        )

    @cached_property
    def _hash(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self._hash == other._hash
            and self._key == other._key
            and self.ruleset == other.ruleset
            and self.board == other.board
        )

    def __hash__(self) -> int:
        return self._hash

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: object) -> Position:
        return self

    # -- forms: each is another module's business, reached from here so that a position can speak for itself ----

    def status(self) -> tuple[Reason, ...]:
        """Every reason why this position cannot occur; none when it is legal."""
        from tetrasolve.tetrarchia.status import status

        return status(self)

    @staticmethod
    def from_json(text: str | bytes, board: Board | None = None) -> Position:
        """A position from its JSON form.

        :raises PositionSyntaxError: when the text cannot be read; the field is named.
        """
        from tetrasolve.tetrarchia.jsonform import read_json

        return read_json(text, board)

    def to_json(self) -> str:
        """The JSON form; `from_json` gives the same position back."""
        from tetrasolve.tetrarchia.jsonform import write_json

        return write_json(self)

    @staticmethod
    def parse(text: str, board: Board | None = None) -> Position:
        """A position from its one-line notation.

        :raises PositionSyntaxError: when the text cannot be read; the field is named.
        """
        from tetrasolve.tetrarchia.notation import read_position

        return read_position(text, board)

    def _repr_svg_(self) -> str:
        from tetrasolve.tetrarchia.draw import board_svg

        return board_svg(self.board, self)

    def __str__(self) -> str:
        from tetrasolve.tetrarchia.notation import write_position

        return write_position(self)

    def __repr__(self) -> str:
        return f"<Position {self}>"


_FIELDS = tuple(f.name for f in fields(Position))
_KEPT_IN_ORDER = ("emperors", "fleets", "armies", "discs", "pieces")


# Rule p07-two-phases
def start_of_turn(position: Position, emperor: str) -> Position:
    """The same position with this Emperor about to begin his Roman phase with 6 IP."""
    return position.replace(to_move=emperor, phase=Phase.ROMAN, ip=position.ruleset.numbers["ip"])


# Rule p07-turn-order
def next_emperor(position: Position) -> str:
    """Whose turn comes next (Diocletian, Galerius, Constantius, Maximian, and so on)."""
    order = [emperor.id for emperor in position.board.emperors]
    return order[(order.index(position.to_move) + 1) % len(order)]
