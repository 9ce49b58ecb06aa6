"""What a Barbarian phase goes through: scenes, steps, and the dice between them.

A *scene* is a table with the places of the four Emperors. The rules, by which one step follows another, are in `barbarian`.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rules import Table

FACES = range(1, 7)
ACTIVITY, ECHO, ADVANCE, MARCH = "activity", "echo", "advance", "march"  # what comes next in a phase


class Scene(NamedTuple):
    """What lies on the board, and where the four Emperors stand (None: off the board)."""

    table: Table
    places: tuple[str | None, ...]
    more: tuple[object, ...] = ()  # what modules add, see `modulephase`

    def empty(self, place: str) -> bool:
        """Whether neither a figure nor a disc is there."""
        return place not in self.table.armies | self.table.discs() and place not in self.places


@dataclass(frozen=True)
class Fallen:
    """The Empire has fallen: no revolt or no unrest was left, or an army has entered Roma."""

    why: str


@dataclass(frozen=True)
class Spread:
    """Revolts: links that are broken, and lie between a revolt and an unrest, are checked one by one."""

    scene: Scene
    checked: frozenset[frozenset[str]]


@dataclass(frozen=True)
class Activity:
    """Two dice name a province."""

    scene: Scene


@dataclass(frozen=True)
class Uprising:
    """These provinces lie behind broken links around an uprising; the first one is checked now."""

    scene: Scene
    behind: tuple[str, ...]


@dataclass(frozen=True)
class Echo:
    """After an uprising: one die names a border."""

    scene: Scene


@dataclass(frozen=True)
class Again:
    """That border was not empty: one die names a province of its region."""

    scene: Scene
    region: int


@dataclass(frozen=True)
class Crossing:
    """The first of these armies checks the broken link in its way."""

    scene: Scene
    armies: tuple[str, ...]


@dataclass(frozen=True)
class Clash:
    """The first of these armies attacks the Emperor in its way."""

    scene: Scene
    armies: tuple[str, ...]


@dataclass(frozen=True)
class Rising:
    """A die names where a usurper rises in the first of these regions; then the phase goes on, with these armies."""

    scene: Scene
    regions: tuple[int, ...]
    then: str
    armies: tuple[str, ...]


Step = Scene | Fallen | Spread | Activity | Uprising | Echo | Again | Crossing | Clash | Rising


class Roll(NamedTuple):
    """Dice: a word for what they decide, and what follows each of the 6 faces, or of the 36 pairs of faces."""

    word: str
    results: list[Step]


class Solved(NamedTuple):
    """All ends of a phase with their chances, and how often each step is expected to come on the way."""

    ends: dict[Scene | Fallen, Fraction]
    visits: dict[Step, Fraction]
