"""What facts are about: the board of a game, or whatever data its rules read, and the boards that differ in one row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from tetrasolve.claims.families import Claims

Apply: TypeAlias = Callable[[Any], Any]  # from a board of the game to another one


@dataclass(frozen=True, slots=True)
class Change:
    """What may be otherwise: `rows` that would be wrong, of these `kinds`, and the board it makes of a board.

    `doubt` is one minus the confidence in the row that is wrong (in the surest of them, where there are two).
    """

    name: str
    kinds: frozenset[str]
    rows: tuple[str, ...]
    doubt: float
    apply: Apply


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """The possible changes of a board, in the order of its rows, and how many of each kind of rows are impossible."""

    changes: tuple[Change, ...]
    impossible: Mapping[str, int]

    def about(self, kinds: Collection[str]) -> tuple[Change, ...]:
        """The changes of rows of these kinds."""
        return tuple(change for change in self.changes if change.kinds & set(kinds))


class Subject(Protocol):
    """The board that facts are about, with the claims that its game makes. It must be picklable: workers get a copy.

    `board` is the game's own object: what `Topic.derive` and `Topic.certify` are called with, and what a `Change` is
    applied to. Everything else here is what the machinery of claims has to know of it.
    """

    @property
    def claims(self) -> Claims:
        """The claims of the game."""
        ...

    @property
    def board(self) -> Any:
        """The game's own object."""
        ...

    @property
    def id(self) -> str:
        """The name of the board in an index and in certificates: one word."""
        ...

    def rows(self) -> tuple[str, ...]:
        """All rows on which any rule depends, each a line of ASCII text."""
        ...

    def digest(self) -> str:
        """The SHA-256 of the rows, each with a line feed at its end."""
        ...

    def uncertain_rows(self) -> Mapping[str, float]:
        """The rows that are not certain, by the names that changes give them, with the confidence of each."""
        ...

    def neighbourhood(self) -> Neighbourhood:
        """Every board that differs from this one in one uncertain row. Called often: cache it."""
        ...

    def both(self, first: Change, second: Change) -> Any | None:
        """The board with two changes; None where they are about the same row, or cannot be true together."""
        ...

    def readings(self) -> Mapping[str, str]:
        """The open sentences of the rules by name, each with the reading that claims call the usual one."""
        ...

    def names(self) -> Mapping[str, str]:
        """The words of values that name something of the game, with the names that readers know."""
        ...

    def places(self) -> tuple[str, ...]:
        """Those of these words that name places of the board, in its order."""
        ...

    def question(self, row: str) -> str:
        """What to look up about an uncertain row, as a question."""
        ...
