"""How many uprisings there are in one Barbarian phase: a bound over all positions.

After an uprising the chain continues only if the echo finds a border that is not empty and then a province in revolt: of 36
rolls no more are of this kind than revolts lie in regions whose borders are not empty, and there are 21 revolts in all.
So the chain ends with certainty, whatever the position, and its expected length is bounded by a geometric series.
"""

from __future__ import annotations

from fractions import Fraction

from tetrasolve.claims.fact import Value, Values
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import nameable
from tetrasolve.tetrarchia.facts.gathered import Group, recounted
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.rules.chance import FACES

PAIRS = 36  # of faces


def _most(board: Board, borders: int) -> int:
    """The most revolts that an echo can name when so many borders are not empty."""
    sizes = sorted((sum(board[p].region == region for p in nameable(board)) for region in FACES), reverse=True)
    return min(REVOLTS, sum(sizes[:borders]))


def _chain(board: Board) -> dict[str, Values]:
    values: dict[str, Value] = {}
    first = Fraction(min(REVOLTS, len(nameable(board))), PAIRS)
    for borders in range(len(board.borders) + 1):
        most = _most(board, borders)
        further = Fraction(most, PAIRS - most)  # p + p^2 + ...
        found = {"goes-on": Fraction(most, PAIRS), "further": further, "mean": first * (1 + further)}
        values |= {f"borders.{borders}.{path}": _number(number) for path, number in found.items()}
    return {"": values}


def _number(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


def _say(_: str, v: Values) -> str:
    last = max(int(path.split(".")[1]) for path in v)
    most, goes_on = v[f"borders.{last}.mean"], v[f"borders.{last}.goes-on"]
    return (
        f"No position makes one expect more than {most} uprisings in the next phase, and none with all borders empty more than "
        f"{v['borders.0.mean']}: an uprising is followed by another one with a chance of {goes_on} at most."
    )


TOPICS = (
    recounted(
        "chain",
        "cascades",
        "Chains of uprisings end, and how many uprisings can be expected at most",
        "the provinces that an echo can name, by the borders that are not empty, and a geometric series",
        ("numbers", "regions"),
        {"": Group(_chain, _say)},
    ),
)
