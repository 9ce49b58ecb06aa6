"""A moment of a turn with modules, variants or rebels, and what does not change in that turn."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from board import Board
from rules import MOST_UNREST, ON, Table

DUX, VICARIUS = 4, 5  # figures after the four Emperors
HELPERS = {DUX: "dux", VICARIUS: "vicarius"}
DEAD = "dead"  # in place of a province
RESERVE = "reserve"  # in place of a province: where a disc is paid from
DIOCLETIAN, GALERIUS, CONSTANTIUS, MAXIMIAN = range(4)  # in the order of the turns


class Dice(NamedTuple):
    """Dice that lie on the table: with how many discs Galerius has at least a draw, and a victory; None: with no number."""

    target: str
    price: int  # IP
    draw: int | None
    victory: int | None

    def outcome(self, paid: int) -> str:
        """How the battle ends when so many discs are paid."""
        if self.victory is not None and paid >= self.victory:
            return "victory"
        return "draw" if self.draw is not None and paid >= self.draw else "defeat"

    def __str__(self) -> str:
        parts = [self.outcome(0)]
        parts += [f"draw for {self.draw}"] if self.draw and self.draw != self.victory else []
        parts += [f"victory for {self.victory}"] if self.victory else []
        return ", ".join(parts)


class Situation(NamedTuple):
    """A moment of the turn. A figure that is not on the board is nowhere (None), the Dux and the Vicarius may be `DEAD`.

    `passing` is the figure that shares a province and must move on.
    """

    ip: int
    places: tuple[str | None, ...]
    table: Table
    passing: int | None
    goths: str | None  # None: in the reserve
    pirates: int | None  # their zone
    rebels: frozenset[str]
    glory: tuple[int, ...]
    paid: tuple[int, ...]  # discs for powers, of each Emperor
    power: bool  # whether it is used in this turn
    dice: Dice | None

    def others(self, figure: int) -> list[str]:
        """Where the other figures of Rome stand."""
        return [place for who, place in enumerate(self.places) if who != figure and place is not None and place != DEAD]

    def allies(self, figure: int) -> list[str]:
        """Where those stand who lead troops, but this one: the Vicarius has none."""
        return self._replace(places=self.places[:VICARIUS]).others(figure)

    def put(self, figure: int, place: str | None) -> "Situation":
        """The same with a figure elsewhere, beside nobody; a helper that leaves the board is dead."""
        where = DEAD if place is None and figure in HELPERS else place
        return self._replace(places=(*self.places[:figure], where, *self.places[figure + 1 :]), passing=None)


class Result(NamedTuple):
    """One thing that can come of a deed, with its chance in 36ths; of an attack the outcome, or what the dice show."""

    share: int
    outcome: str
    after: Situation
    end: str


class Deed(NamedTuple):
    """An action by name, and all that can come of it."""

    name: str
    results: list[Result]


class Rules(NamedTuple):
    """What stays the same in a turn."""

    board: Board
    use: frozenset[str]  # modules and variants
    readings: dict[str, str]
    supply: int  # garrisons of each Emperor, those paid among them
    active: int
    fleets: Mapping[str, int]  # the zones of the fleets without which rebels cannot be attacked, by border
    gray: int  # discs of the Barbarian player
    stated: Mapping[str, str] | None  # how attacks end; None: the dice decide
    black: int = 0  # the disc of the Barbarian player that is not on the board

    def unrest_left(self, now: Situation) -> int:
        """Unrest in the reserve: discs of glory and gray ones are unrest."""
        return MOST_UNREST - len(now.table.unrest) - sum(now.glory) - self.gray

    def reserve(self, now: Situation) -> int:
        """The active Emperor's garrisons in the reserve."""
        return self.supply - now.paid[self.active] - len(now.table.garrisons[self.active])

    def in_order(self, provinces: Iterable[str]) -> list[str]:
        """Provinces in the order of the board file."""
        return sorted(provinces, key=self.board.row.__getitem__)

    def name(self, figure: int, deed: str) -> str:
        """A deed with the figure that does it, where that is not the active Emperor."""
        who = HELPERS.get(figure) or self.board.emperors[figure]
        return deed if figure == self.active else f"{who}: {deed}"


def sure(name: str, after: Situation, end: str = ON) -> Deed:
    """A deed without dice."""
    return Deed(name, [Result(36, "", after, end)])
