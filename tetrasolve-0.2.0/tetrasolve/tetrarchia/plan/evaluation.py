"""Linear evaluations of the position after a Barbarian phase, with their text form.

============================= =================================================================================
``revolt=-3 unrest=-1``       a weight for each disc or figure of a kind, anywhere after the phase
``army@rhaetia=-10``          in one province; also ``@borders``, or a region by its name or numeral
``garrison:galerius=2``       those of one Emperor; so ``emperor:galerius@roma=5``, and ``emperor=4`` for any of the four
``constant=10``               a constant for a game that continues
``won=500 fallen=-200``       the value of a game won in the turn, and of an Empire that falls in it or in the phase
============================= =================================================================================
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from tetrasolve.errors import ObjectiveError, shown
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.plan.places import read_places
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Position
from tetrasolve.tetrarchia.rules import Fall

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import Weights  # a name of the stub only

KINDS = ("revolt", "unrest", "garrison", "army", "emperor")
OWNED = ("garrison", "emperor")  # kinds that belong to one of the Emperors
SUMS = ("constant", "won", "fallen")
LARGEST_WEIGHT = 10**6
LARGEST_SUM = 10**9

# For the error of the plain sum of a phase's outcomes: roundings of a chance for each visit are fewer
ROUNDINGS_A_VISIT = 1_000
ROUNDINGS_AT_LEAST = 10_000
ROUNDOFF = 2**53


@dataclass(frozen=True, slots=True)
class Weight:
    """The weight of each disc or figure of a `kind`: of one Emperor (`owner`), in one province (`place`), or of all."""

    kind: str
    weight: int
    owner: str | None = None
    place: str | None = None

    def __str__(self) -> str:
        owner = f":{self.owner}" if self.owner else ""
        place = f"@{self.place}" if self.place else ""
        return f"{self.kind}{owner}{place}={self.weight}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """A linear evaluation of the position after a Barbarian phase.

    The value of a game that continues is `constant` plus the `weights` of each disc and figure; that of a won game `won`, of a
    fallen Empire `fallen`. Weights are integers of at most 10**6 (absolute), the other three of at most 10**9.
    """

    weights: tuple[Weight, ...]
    constant: int = 0
    won: int = 0
    fallen: int = 0

    def __str__(self) -> str:
        sums = [f"{name}={value}" for name in SUMS if (value := getattr(self, name))]
        return " ".join([*map(str, self.weights), *sums])

    def of(self, end: Position | Fall) -> int:
        """The value of a position, or of a fallen Empire."""
        if isinstance(end, Fall):
            return self.fallen
        if end.is_won:
            return self.won
        pieces = [
            *(
                (("revolt" if disc == REVOLT_DISC else "unrest" if disc == UNREST_DISC else "garrison"), disc, place)
                for place, disc in end.discs.items()
            ),
            *(("army", None, place) for place in end.armies),
            *(("emperor", emperor, place) for emperor, place in end.emperors.items() if place is not None),
        ]
        return self.constant + sum(
            weight.weight
            for kind, owner, place in pieces
            for weight in self.weights
            if weight.kind == kind and weight.owner in (None, owner) and weight.place in (None, place)
        )

    def tables(self, board: Board) -> Weights:
        """The weights as the kernel takes them: rows of 48, for garrisons and Emperors one for each Emperor.

        :raises ObjectiveError: when the weights of one kind in a province add up to more than 10**6.
        """
        ids = [emperor.id for emperor in board.emperors]
        rows = {kind: [[0] * len(board.ids) for _ in ids] for kind in KINDS}
        for weight in self.weights:
            places = range(len(board.ids)) if weight.place is None else (board.order[weight.place],)
            for owner in ids if weight.owner is None else (weight.owner,):
                for place in places:
                    rows[weight.kind][ids.index(owner)][place] += weight.weight
        if any(abs(value) > LARGEST_WEIGHT for kind in rows.values() for row in kind for value in row):
            raise ObjectiveError(
                f"{shown(str(self))}: weights of one kind in a province add up to over {LARGEST_WEIGHT}"
            )
        return (
            rows["revolt"][0],
            rows["unrest"][0],
            rows["garrison"],
            rows["army"][0],
            rows["emperor"],
            self.constant,
            self.won,
            self.fallen,
        )

    def rounding(self, visits: int, board: Board) -> Fraction:
        """A bound on the error of the expectation in doubles over this number of outcomes of a phase."""
        roundings = ROUNDINGS_A_VISIT * visits + ROUNDINGS_AT_LEAST
        return Fraction(roundings, ROUNDOFF - roundings) * self.size(board)

    def size(self, board: Board) -> int:
        """An upper bound on the sum of the absolute weights on any position."""
        revolt, unrest, garrison, army, emperor, *sums = self.tables(board)
        rows = [revolt, unrest, army, *(garrison or ()), *(emperor or ())]
        return sum(abs(weight) for row in rows if row is not None for weight in row) + sum(map(abs, sums))


# -- reading ---------------------------------------------------------------------------------------------------

_WORD = re.compile(r"([a-z_]+)(?::([^@=]+))?(?:@([^=]+))?=([+-]?[0-9]{1,10})", re.IGNORECASE)


def read_evaluation(text: str, board: Board | None = None) -> Evaluation:
    """An evaluation from its text form.

    >>> str(read_evaluation("revolt=-3 garrison:galerius@Roma=2 fallen=-100"))
    'revolt=-3 garrison:galerius@roma=2 fallen=-100'

    :raises ObjectiveError: when a word cannot be read; it is named.
    """
    board = board or Board.standard()
    weights: list[Weight] = []
    sums: dict[str, int] = {}
    for word in text.split():
        match = _WORD.fullmatch(word)
        if match is None:
            raise ObjectiveError(f"{shown(word)}: expected KIND=WEIGHT, KIND:EMPEROR@PLACE=WEIGHT, or {_sums()}=NUMBER")
        kind, owner, place, number = match[1].casefold(), match[2], match[3], int(match[4])
        if kind in SUMS and owner is None and place is None:
            if kind in sums:
                raise ObjectiveError(f"{shown(word)}: {kind} is given twice")
            sums[kind] = _bounded(number, LARGEST_SUM, word)
            continue
        if kind not in KINDS:
            raise ObjectiveError(f"{shown(word)}: expected a kind of {', '.join(KINDS)}, or {_sums()} without a place")
        if owner is not None and kind not in OWNED:
            raise ObjectiveError(f"{shown(word)}: a {kind} belongs to no Emperor")
        who = None if owner is None else _emperor(owner, word, board)
        number = _bounded(number, LARGEST_WEIGHT, word)
        places = (None,) if place is None else read_places(place, word, board)
        weights += [Weight(kind, number, who, where) for where in places]
    if not weights and not sums:
        raise ObjectiveError(f"{shown(text)}: expected at least one weight, like revolt=-3")
    return Evaluation(tuple(weights), **sums)


def _sums() -> str:
    return ", ".join(SUMS[:-1]) + " or " + SUMS[-1]


def _bounded(number: int, most: int, word: str) -> int:
    if abs(number) > most:
        raise ObjectiveError(f"{shown(word)}: expected a whole number up to {most}")
    return number


def _emperor(name: str, word: str, board: Board) -> str:
    for emperor in board.emperors:
        if emperor.id == name.casefold():
            return emperor.id
    raise ObjectiveError(f"{shown(word)}: expected an Emperor of {', '.join(e.id for e in board.emperors)}")
