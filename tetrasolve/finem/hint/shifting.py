"""Fits what values of readings shift, to games with rulesets that have no curve of their own.

The logarithm of the odds that a game is won is what the curve of the ruleset with all other readings by default says, and the shift
of each of its values. The shifts are fitted together by steps of Newton, each by itself (the likelihood has one maximum). What is
left between rulesets is estimated by moments: what the sum of a ruleset's errors varies more than the errors of its games.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tetrasolve.exact.opinion import chance_of
from tetrasolve.finem.hint.calibration import Shift

STEPS = 50
CLOSE = 1e-6  # the largest change of the last step


@dataclass(frozen=True)
class Played:
    """States in games with one ruleset: its values, and of each state the odds without these, the result, the number of the game.

    Odds are logarithms.
    """

    values: tuple[str, ...]
    rows: Sequence[tuple[float, bool, int]]


def fitted_shifts(played: Sequence[Played]) -> tuple[dict[str, Shift], float]:
    """The shift of each value, and the standard deviation that is left between rulesets."""
    by: dict[str, float] = dict.fromkeys(sorted({value for one in played for value in one.values}), 0.0)
    for _ in range(STEPS):
        sums: dict[str, list[float]] = {value: [0.0, 0.0] for value in by}
        for one in played:
            errors, information = _errors(one, by)
            for value in one.values:
                sums[value][0] += sum(errors.values())
                sums[value][1] += information
        changes = {value: error / information for value, (error, information) in sums.items()}
        by = {value: found + changes[value] for value, found in by.items()}
        if max(map(abs, changes.values()), default=0.0) < CLOSE:
            break
    return _with_variances(played, by)


def _errors(one: Played, by: Mapping[str, float]) -> tuple[dict[int, float], float]:
    """For each game what was won more than expected, and the information of all states together."""
    shift = sum(by[value] for value in one.values)
    errors: dict[int, float] = defaultdict(float)
    information = 0.0
    for odds, won, game in one.rows:
        chance = chance_of(odds + shift)
        errors[game] += won - chance
        information += chance * (1 - chance)
    return errors, information


def _with_variances(played: Sequence[Played], by: Mapping[str, float]) -> tuple[dict[str, Shift], float]:
    """The shifts with their variances, by rulesets, and what is left between these."""
    sums: dict[str, list[float]] = {value: [0.0, 0.0] for value in by}
    games = dict.fromkeys(by, 0)
    more = squares = 0.0
    for one in played:
        errors, information = _errors(one, by)
        total = sum(errors.values())
        more += total * total - sum(error * error for error in errors.values())
        squares += information * information
        for value in one.values:
            sums[value][0] += total * total
            sums[value][1] += information
            games[value] += len(errors)
    shifts = {value: Shift(by[value], square / whole**2, games[value]) for value, (square, whole) in sums.items()}
    return shifts, sqrt(max(more, 0.0) / squares) if squares else 0.0
