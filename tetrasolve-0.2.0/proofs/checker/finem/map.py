"""The map of the game: cards on the places of a grid, read from the data file of the game, and what is adjacent.

A region is a card, named by suit and rank. Its number is six times the place of the suit in `SUITS`, and the place of the rank.
"""

import hashlib
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

from files import LARGEST_BOARD, read_file
from text import Unreadable

SUITS = "OCEB"
RANKS = "567SCR"
CARDS = tuple(suit + rank for suit in SUITS for rank in RANKS)
AT = {card: number for number, card in enumerate(CARDS)}
BORDERS = ("flat", "gap", "skip")
ID = "et-finem"


class Map(NamedTuple):
    """The rows of the grid with a card or "." on each place, the start and the corners (row and column from 1), the numbers."""

    name: str
    grid: tuple[tuple[str, ...], ...]
    start: tuple[int, int]
    corners: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[str, int], ...]

    @property
    def id(self) -> str:
        """The name by which an index calls it."""
        return ID

    def all_rows(self) -> list[str]:
        """Everything that the rules read, a line each."""
        rows = [f"row {number} {' '.join(row)}" for number, row in enumerate(self.grid, start=1)]
        rows.append(f"start {self.start[0]} {self.start[1]}")
        rows += [f"corner {row} {column}" for row, column in self.corners]
        return rows + [f"number {name} {value}" for name, value in self.numbers]

    def whole_digest(self) -> str:
        """The SHA-256 of these lines, each with a line feed."""
        return hashlib.sha256("".join(f"{row}\n" for row in self.all_rows()).encode("ascii")).hexdigest()

    def number(self, name: str) -> int:
        """A number of the rules."""
        return dict(self.numbers)[name]

    def card(self, place: tuple[int, int]) -> str:
        """The card on a place, counted from 1."""
        return self.grid[place[0] - 1][place[1] - 1]

    def adjacent(self, border: str, cards: tuple[str, ...] = ()) -> tuple[tuple[int, ...], ...]:
        """For each region the numbers of those next to it; `cards` lie on the places instead of the printed ones."""
        height, width = len(self.grid), len(self.grid[0])
        places = [(y, x) for y in range(height) for x in range(width) if self.grid[y][x] != "."]
        lies = dict(zip(places, cards or [self.grid[y][x] for y, x in places], strict=True))
        pairs: set[tuple[str, str]] = set()
        for y, x in places:
            for down, right in ((0, 1), (1, 0)):
                ahead = (y + down, x + right)
                if ahead in lies:
                    pairs.add((lies[y, x], lies[ahead]))
                elif border != "flat" and (ahead[0] == height or ahead[1] == width):
                    other = (ahead[0] % height, ahead[1] % width)
                    while border == "skip" and other not in lies:  # there is (y, x) itself, if no other
                        other = (other[0] + down, other[1] + right)
                    if other in lies and other != (y, x):
                        pairs.add((lies[y, x], lies[other]))
            for down, right in ((0, -1), (-1, 0)):  # where an empty place lies behind the border on the far side
                ahead = (y + down, x + right)
                if border == "skip" and (ahead[0] < 0 or ahead[1] < 0):
                    other = (ahead[0] % height, ahead[1] % width)
                    while other not in lies:
                        other = (other[0] + down, other[1] + right)
                    if other != (y, x):
                        pairs.add((lies[y, x], lies[other]))
        found: list[set[int]] = [set() for _ in CARDS]
        for one, another in pairs:
            found[AT[one]].add(AT[another])
            found[AT[another]].add(AT[one])
        return tuple(tuple(sorted(row)) for row in found)


def is_map(path: Path) -> bool:
    """Whether a board file is one of this game; one that cannot be read is none."""
    try:
        data = read_file(path, LARGEST_BOARD)
    except Unreadable:
        return False
    return b"[numbers]" in data and b"[map]" in data


def read_map(path: Path) -> Map:
    """The map in a data file of the game."""
    try:
        data = tomllib.loads(read_file(path, LARGEST_BOARD).decode("utf-8"))
        grid = tuple(tuple(row.split()) for row in data["map"]["rows"])
        start = place(data["map"]["start"])
        corners = tuple(place(corner) for corner in data["map"]["corners"])
        numbers = tuple(sorted((name, whole(row["value"])) for name, row in data["numbers"].items()))
        found = Map(str(path), grid, start, corners, numbers)
        cards = [card for row in grid for card in row if card != "."]
        if sorted(cards) != sorted(CARDS) or len({len(row) for row in grid}) != 1:
            raise Unreadable(f"{path}: expected rows of one length with each of the 24 cards once")
        if any(found.card(where) == "." for where in (start, *corners)):
            raise Unreadable(f"{path}: the pawn begins on a place without a card")
        found.all_rows()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError) as error:
        raise Unreadable(f"{path}: this is no map of the game ({type(error).__name__}: {error})") from None
    return found


def place(value: Any) -> tuple[int, int]:
    """Row and column, counted from 1."""
    row, column = value
    return whole(row), whole(column)


def whole(value: Any) -> int:
    """A whole number from 1 to 24."""
    if type(value) is not int or not 1 <= value <= 24:
        raise ValueError(f"{value!r:.20}: expected a whole number from 1 to 24")
    return value
