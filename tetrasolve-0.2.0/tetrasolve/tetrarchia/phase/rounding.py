"""A proved bound on the rounding errors of the kernel's doubles, and the intervals that it gives.

All terms are positive, and each weight is the result of multiplications, divisions and additions of doubles, so after m
consecutive operations its relative error is at most m u / (1 - m u) with u = 2^-53 (Higham 2002, *Accuracy and stability of
numerical algorithms*, lemma 3.1). Within a phase m is at most `ROUNDINGS_A_VISIT` times the outcomes that the kernel
visits: an outcome is a sum of visits, and each visit comes after at most 21 uprisings, each of which adds at most 42 terms
a position; there are no more positions than visits.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from tetrasolve.exact.certainty import Exact, Interval

Known: TypeAlias = "Exact | Interval"

ROUNDINGS_A_VISIT = 1000  # 42 * 21 = 882, see above
ROUNDINGS_A_PHASE = 1000  # each outcome passes less than this: dice, battles, three armies, plans
ROUNDOFF = 2**53  # one rounding changes a double by at most its 2^53rd part
# Of the kernel's value under best play, for each unit of the largest result: 2^20 roundings. The values of a roll are summed
# over at most 36 faces, and rolls follow one another: at most 90 checks of revolts, 35 uprisings and echoes of 10 rolls each, three
# armies of 4 rolls, each with a roll again: 1,000 rolls of 40 roundings. Where a position leads back to itself the error is divided
# by the chance that it does not, at least 1/36; errors of later positions are not, since their weights add up to that chance.
BEST_PLAY_ROUNDING = Fraction(1, 2**32)
UNDERFLOW = Fraction(1, 2**900)  # above the sum of all weights that underflow


def roundings_of_phase(visits: int, added: int) -> int:
    """The number of roundings in a sum of `added` outcomes, in a phase with `visits` visited outcomes."""
    return ROUNDINGS_A_VISIT * visits + ROUNDINGS_A_PHASE + added


def known(weight: Fraction | float, roundings: int) -> Known:
    """A sum of positive weights after this many consecutive roundings (0 for a fraction), exact or as an interval."""
    if roundings == 0 or weight == 0:
        return Exact(Fraction(weight))
    error = Fraction(roundings, ROUNDOFF - roundings)
    exact = Fraction(weight)
    return Interval(max(exact / (1 + error) - UNDERFLOW, Fraction(0)), exact / (1 - error) + UNDERFLOW)


def capped(figure: Known) -> Known:
    """A chance, with the upper bound cut to one."""
    return Interval(min(figure.low, Fraction(1)), min(figure.high, Fraction(1))) if figure.high > 1 else figure
