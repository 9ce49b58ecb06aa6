"""How many uprisings there are in one Barbarian phase: bounds over all positions.

After an uprising the chain goes on only if the echo finds a border that is not empty and then a province in revolt: of 36
rolls no more are of this kind than revolts lie in regions whose borders are not empty, and there are 21 revolts in all.
So the chain ends with certainty, whatever the position, and its expected length is bounded by a geometric series. The
bounds are simple, and not the least: `worst` has the maximum.
"""

from __future__ import annotations

from fractions import Fraction

from tetrasolve.certify.form import Certificate
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.cascades.uprisings import nameable, occupied
from tetrasolve.tetrarchia.facts.certificates import fact_certificate
from tetrasolve.tetrarchia.facts.fact import Kind, Value, Values
from tetrasolve.tetrarchia.rules.chance import FACES
from tetrasolve.tetrarchia.ruleset import REVOLTS

PAIRS = 36  # of faces
LISTED = 8  # numbers of uprisings whose chances are bounded


# -- bounds ----------------------------------------------------------------------------------------------------


def _most(board: Board, borders: int) -> int:
    """The most revolts that an echo can name when so many borders are not empty."""
    sizes = sorted((sum(board[p].region == region for p in nameable(board)) for region in FACES), reverse=True)
    return min(REVOLTS, sum(sizes[:borders]))


def _further(named: int) -> Fraction:
    """Further uprisings expected after one, when an echo names no more than so many revolts: p + p^2 + ..."""
    return Fraction(named, PAIRS - named)


def _number(value: Fraction) -> Value:
    return int(value) if value.denominator == 1 else value


def _bounds(board: Board) -> dict[str, Values]:
    first = Fraction(min(REVOLTS, len(nameable(board))), PAIRS)
    facts: dict[str, Values] = {}
    for borders in range(len(board.borders) + 1):
        most = _most(board, borders)
        values: dict[str, Value] = {
            "first": _number(first),
            "goes-on": _number(Fraction(most, PAIRS)),
            "further": _number(_further(most)),
            "mean": _number(first * (1 + _further(most))),
        }
        for number in range(1, LISTED + 1):
            values[f"at-least.{number}"] = _number(first * Fraction(most, PAIRS) ** (number - 1))
        facts[str(borders)] = values
    return facts


def _certify_bound(board: Board, borders: str, values: Values) -> Certificate:
    most = _most(board, int(borders))
    rest = [Fraction(named, PAIRS) * (1 + _further(most)) for named in range(most)] + [_further(most)]
    lines = [f"{named} {bound}" for named, bound in enumerate(rest)]
    return fact_certificate("chain", board, f"chain-bound/{borders}", (), values, {"states": lines})


def _say_bound(borders: str, v: Values) -> str:
    return (
        f"With {occupied(borders)} an uprising is followed by another one with chance {v['goes-on']} at "
        f"most, so the chain ends with certainty; no position makes one expect more than {v['mean']} uprisings in a phase, or "
        f"more than {v['further']} after the first, and the chance of four or more is {v['at-least.4']} at most."
    )


KINDS = (
    Kind(
        "chain-bound",
        "cascades",
        "Chains of uprisings end, and how long they can be expected to be at most",
        "a geometric series for the most revolts that an echo can name",
        "chain",
        ("numbers", "regions"),
        _bounds,
        _certify_bound,
        _say_bound,
        certainty="proved",
    ),
)
