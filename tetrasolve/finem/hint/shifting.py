"""Fits what values of readings shift, to games with rulesets that have no curve of their own.

The logarithm of the odds that a game is won is what the curve of the ruleset with all other readings by default says, and the shift
of each of its values. Each shift in its turn takes a step of Newton, until none changes.

What is left between rulesets is estimated by moments on rulesets that the shifts were not fitted to: the shifts of one half, the
errors of the other. The square of the sum of a ruleset's errors has the errors of its games, what the shifts are off, and the rest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from tetrasolve.exact.opinion import chance_of
from tetrasolve.finem.hint.calibration import Shift

ROUNDS = 200
CLOSE = 1e-6  # the largest change of the last round
FARTHEST = 10.0  # of a shift: beyond it nearly all games had one result


@dataclass(frozen=True)
class Played:
    """States in games with one ruleset: its values, and of each state the odds without these, the result, the number of the game.

    Odds are logarithms.
    """

    values: tuple[str, ...]
    rows: Sequence[tuple[float, bool, int]]


def fitted_shifts(played: Sequence[Played]) -> dict[str, Shift]:
    """The shift of each value.

    :raises ValueError: when the games with a value all had one result, or two values cannot be separated.
    """
    by_value: dict[str, list[Played]] = defaultdict(list)
    for one in played:
        for value in one.values:
            by_value[value].append(one)
    by = dict.fromkeys(sorted(by_value), 0.0)
    for _ in range(ROUNDS):
        changes = [_stepped(value, by_value[value], by) for value in by]
        if max(changes, default=0.0) < CLOSE:
            return {value: _with_variance(value, by_value[value], by) for value in by}
    raise ValueError("the shifts of some values cannot be separated")


def spread_of(played: Sequence[Played]) -> tuple[float, float]:
    """The variance of the odds that is left between rulesets, and its standard error.

    :raises ValueError: as `fitted_shifts`, for a half of the rulesets.
    """
    halves = played[::2], played[1::2]
    more = squares = error = 0.0
    for fitted, others in (halves, halves[::-1]):
        shifts = fitted_shifts(fitted)
        by = {value: shift.by for value, shift in shifts.items()}
        for one in others:
            if not by.keys() >= {*one.values}:
                continue
            errors, information = _errors(one, by)
            off = information**2 * sum(shifts[value].variance for value in one.values)
            found = sum(errors.values()) ** 2 - sum(each * each for each in errors.values()) - off
            more, squares, error = more + found, squares + information**2, error + found * found
    if not squares:
        raise ValueError("expected games with several rulesets")
    return more / squares, sqrt(error) / squares


def _stepped(value: str, played: Sequence[Played], by: dict[str, float]) -> float:
    """Take a step of Newton for a shift; how far it was."""
    total = whole = 0.0
    for one in played:
        errors, information = _errors(one, by)
        total, whole = total + sum(errors.values()), whole + information
    step = total / whole if whole > 0 else FARTHEST
    by[value] += step
    if abs(by[value]) >= FARTHEST:
        raise ValueError(f"expected games with {value} that were won and games that were lost")
    return abs(step)


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


def _with_variance(value: str, played: Sequence[Played], by: Mapping[str, float]) -> Shift:
    """The shift with its variance by rulesets, with the correction for their number."""
    squares = whole = 0.0
    games, count = 0, len(played)
    for one in played:
        errors, information = _errors(one, by)
        squares, whole, games = squares + sum(errors.values()) ** 2, whole + information, games + len(errors)
    return Shift(by[value], squares / whole**2 * count / max(count - 1, 1), games, count)
