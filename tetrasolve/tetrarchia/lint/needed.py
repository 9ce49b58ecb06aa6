"""Pieces without which two values of a reading cannot differ: a lower bound on the size of every position in which they do.

Sizes are enumerated up to two or three pieces. Where each position in which two values differ must have certain pieces, by an
argument about the rules, their number bounds the size from below without looking at any position: ``data/needed.toml`` has the
arguments. A bound that is no more than what was enumerated says nothing new and is left out. Where a known position has more pieces
than that, the positions between that have these pieces are enumerated (`tetrasolve.tetrarchia.lint.meeting`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from itertools import chain, combinations
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import FindingError
from tetrasolve.strict import StrictError, read_toml
from tetrasolve.tetrarchia.pieces import DUX, VICARIUS
from tetrasolve.tetrarchia.position import Phase, Position

STORED = "data/needed.toml"
ENUMERATED = "enumerated that have what a difference requires"
KINDS = (
    "fleet",
    "emperor",
    "dux",
    "vicarius",
    "garrison",
    "secured",
    "unrest",
    "revolt",
    "army",
    "inside",
    "pirates",
    "glory",
    "paid",
    "gray",
    "black",
)
# Kinds that are part of another one: a garrison on a border, and an army inside the Empire (the revolt under it is a piece, too)
PARTS = {"garrison": "secured", "army": "inside"}


@dataclass(frozen=True)
class Need:
    """Classes of pieces with the least number of each; the classes are sets of kinds, and no piece counts for two of them.

    `english` and `spanish` say why every position in which the values differ has them. `phase`: where it is one of this phase.
    `known`: a position that somebody has found in which the values differ.
    """

    pieces: Mapping[frozenset[str], int]
    english: str
    spanish: str
    phase: Phase | None = None
    known: str = ""

    @property
    def total(self) -> int:
        """The number of pieces, which is a lower bound on sizes."""
        return sum(self.pieces.values())

    @property
    def key(self) -> tuple[object, ...]:
        """What it asks for, without the reason: equal for needs that the same positions meet."""
        return frozenset(self.pieces.items()), self.phase

    @property
    def digest(self) -> str:
        """A short text for the same: work that was done for it is no work for a row that asks for something else."""
        pieces = sorted((sorted(kinds), count) for kinds, count in self.pieces.items())
        return hashlib.sha256(repr((pieces, self.phase)).encode()).hexdigest()[:8]

    @cached_property
    def _sets(self) -> tuple[tuple[frozenset[str], int], ...]:
        """Kinds that several classes have together, with the number of pieces that these ask for."""
        chosen = chain.from_iterable(combinations(self.pieces, n) for n in range(1, len(self.pieces) + 1))
        return tuple((frozenset().union(*some), sum(self.pieces[one] for one in some)) for some in chosen)

    def missing(self, counts: Mapping[str, int]) -> int:
        """How many pieces more are needed beside these: the most that any set of classes lacks (Hall's theorem)."""
        return max(0, *(asked - sum(counts.get(kind, 0) for kind in kinds) for kinds, asked in self._sets))

    def is_met(self, position: Position) -> bool:
        """Whether a position has these pieces, and is of the phase."""
        return self.phase in (None, position.phase) and not self.missing(pieces_of(position))


def pieces_of(position: Position) -> dict[str, int]:
    """The pieces that are not in the reserve, by kind; together they are the size of the position.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> from tetrasolve.tetrarchia.lint.small import size_of
    >>> position = example("movement")
    >>> sum(pieces_of(position).values()) == size_of(position)
    True
    """
    pirates, board = position.pieces.pirates, position.board
    helpers = {name: int(position.place_of(name) is not None) for name in (DUX, VICARIUS)}
    secured, inside = len(position.secured), sum(not board[army].is_border for army in position.armies)
    return {
        "fleet": len(position.fleets),
        "emperor": len(position.romans) - sum(helpers.values()),
        **helpers,
        "garrison": len(position.discs) - len(position.unrest) - len(position.revolts) - secured,
        "secured": secured,
        "unrest": len(position.unrest),
        "revolt": len(position.revolts),
        "army": len(position.armies) - inside,
        "inside": inside,
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
        classes = {_kinds(name): count for name, count in row["pieces"].items()}
        if unknown := sorted(frozenset().union(*classes).difference(KINDS)):
            raise FindingError(f"{source}: {', '.join(unknown)}: expected kinds among {', '.join(KINDS)}")
        phase = Phase(row["phase"]) if "phase" in row else None
        need = Need(MappingProxyType(classes), row["en"], row["es"], phase, row.get("known", ""))
        found |= dict.fromkeys(row["findings"], need)
    return found


def _kinds(name: str) -> frozenset[str]:
    """The kinds of a class, as ``army|revolt``, with those that are part of one of them."""
    kinds = name.split("|")
    return frozenset((*kinds, *(PARTS[kind] for kind in kinds if kind in PARTS)))


def bound(finding: str, enumerated: int, size: int, meeting: Mapping[int, int] | None = None) -> tuple[int, str]:
    """The least size of a position in which the values of a finding differ, and the argument for it.

    The argument is empty where it is known by enumeration: all positions of up to `enumerated` pieces. `size`: of a known position;
    `meeting`: of larger sizes the number of positions that were enumerated since they have what is needed.

    :raises FindingError: when a known position is smaller than the argument allows.
    """
    need, least = needed().get(finding), min(enumerated + 1, size)
    if need is not None and need.total > size:
        raise FindingError(f"{finding}: {STORED} asks for {need.total} pieces, and a position has {size}")
    if need is None:
        return least, ""
    first = least = max(need.total, least)
    while least < size and meeting and least in meeting:
        least += 1
    if least > first:
        assert meeting is not None
        count = sum(meeting[number] for number in range(first, least))
        sizes = f"{first}" if first + 1 == least else f"{first} to {least - 1}"
        return least, f"all {count:,} positions of {sizes} pieces {ENUMERATED}: {need.english}"
    return (least, need.english) if least > min(enumerated + 1, size) else (least, "")
