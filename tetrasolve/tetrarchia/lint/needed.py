"""Pieces without which two values of a reading cannot differ: a lower bound on the size of every position in which they do.

Sizes are enumerated up to two or three pieces. Where each position in which two values differ must have certain pieces, by an
argument about the rules, their number bounds the size from below without looking at any position: ``data/needed.toml`` has the
arguments. A bound that is no more than what was enumerated says nothing new and is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import chain, combinations
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import FindingError
from tetrasolve.strict import StrictError, read_toml
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.position import Position

STORED = "data/needed.toml"
KINDS = (
    "fleet",
    "emperor",
    "dux",
    "vicarius",
    "garrison",
    "unrest",
    "revolt",
    "army",
    "pirates",
    "glory",
    "paid",
    "gray",
    "black",
)


@dataclass(frozen=True, slots=True)
class Need:
    """Classes of pieces with the least number of each; the classes are sets of kinds, and no piece counts for two of them.

    `english` and `spanish` say why every position in which the values differ has them.
    """

    pieces: Mapping[frozenset[str], int]
    english: str
    spanish: str

    @property
    def total(self) -> int:
        """The number of pieces, which is a lower bound on sizes."""
        return sum(self.pieces.values())

    def is_met(self, position: Position) -> bool:
        """Whether a position has these pieces: as many for each set of classes as they ask for together (Hall's theorem)."""
        counts = pieces_of(position)
        sets = chain.from_iterable(combinations(self.pieces, n) for n in range(1, len(self.pieces) + 1))
        return all(
            sum(counts[kind] for kind in frozenset().union(*classes)) >= sum(self.pieces[one] for one in classes)
            for classes in sets
        )


def pieces_of(position: Position) -> dict[str, int]:
    """The pieces that are not in the reserve, by kind; together they are the size of the position.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.lint.small import size_of
    >>> position = example("movement")
    >>> sum(pieces_of(position).values()) == size_of(position)
    True
    """
    pirates = position.pieces.pirates
    helpers = {name: int(position.place_of(name) is not None) for name in (DUX, VICARIUS)}
    return {
        "fleet": len(position.fleets),
        "emperor": len(position.romans) - sum(helpers.values()),
        **helpers,
        "garrison": len(position.discs) - len(position.unrest) - len(position.revolts),
        "unrest": len(position.unrest),
        "revolt": len(position.revolts),
        "army": len(position.armies),
        "pirates": int(pirates is not None and pirates.zone is not None),
        "glory": sum(position.glory.values()),
        "paid": sum(position.removed.values()),
        "gray": position.gray,
        "black": position.black,
    }


@cache
def needed() -> Mapping[str, Need]:
    """What each finding that has an argument needs, by its id.

    :raises FindingError: when the file cannot be read.

    >>> needed()["I-CHECK-AGAIN=once/after-spread"].total
    4
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8")
    try:
        return MappingProxyType(needs_of(read_toml(text)["needed"], STORED))
    except (StrictError, KeyError, TypeError, AttributeError) as error:
        raise FindingError(f"{STORED}: cannot be read ({type(error).__name__}: {error})") from None


def needs_of(rows: Iterable[Mapping[str, Any]], source: str) -> dict[str, Need]:
    """What findings need, by their ids, from rows of a data file.

    :raises FindingError: for a kind of pieces that there is not.
    """
    found: dict[str, Need] = {}
    for row in rows:
        classes = {frozenset(name.split("|")): count for name, count in row["pieces"].items()}
        if unknown := sorted(frozenset().union(*classes).difference(KINDS)):
            raise FindingError(f"{source}: {', '.join(unknown)}: expected kinds among {', '.join(KINDS)}")
        need = Need(MappingProxyType(classes), row["en"], row["es"])
        found |= dict.fromkeys(row["findings"], need)
    return found


def bound(finding: str, enumerated: int, size: int) -> tuple[int, str]:
    """The least size of a position in which the values of a finding differ, and the argument for it.

    The argument is empty where it is known by enumeration: all positions of up to `enumerated` pieces. `size`: of a known position.

    :raises FindingError: when a known position is smaller than the argument allows.
    """
    need, least = needed().get(finding), min(enumerated + 1, size)
    if need is None or need.total <= least:
        return least, ""
    if need.total > size:
        raise FindingError(f"{finding}: {STORED} asks for {need.total} pieces, and a position has {size}")
    return need.total, need.english
