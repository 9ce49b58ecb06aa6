"""The calibration of the evaluation: the share of games won for each raw value; shipped as package data.

The raw value of the evaluation is a chance to win. A curve maps it to the share of games that were won from states with it, by
logistic regression on fresh games: the logarithm of the odds is a constant and a slope for each *kind of rules*. A level with
options and ``E-PACIFY`` as ``automatic`` or ``action`` is a kind if all other readings are at their defaults, and has a curve. Each
other value of a reading shifts the constant, by as much at all levels, and the interval has the error of that and the spread that
is left between rulesets besides. The first turn has a curve and shifts of its own, since games are won from its states more often
than from later ones with the same raw value. States of one game share its result, so the covariance counts games, not states (the
sandwich estimate with clusters: Liang and Zeger, 1986). `tetrasolve.finem.hint.calibrate` makes it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from importlib.resources import files
from itertools import combinations
from math import sqrt
from typing import Any

from tetrasolve.exact.binomial import normal
from tetrasolve.exact.opinion import CONFIDENCE, chance_of, logit_of
from tetrasolve.finem.hint.weights import WeightsError, shipped
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import DEALT, LEVELS, MAP, OPTIONS, Ruleset
from tetrasolve.strict import read_json

FORMAT = "tetrasolve-finem-calibration/2"
SHIPPED = "calibration.json"
PACIFY = ("automatic", "action")
TURNS = (", first turn", ", later turns")
FEWEST = 100  # games of a kind: with fewer it is not calibrated
FEWEST_RULESETS = 10  # with a value of a reading: with fewer nothing is shifted by it


@dataclass(frozen=True, slots=True)
class Shift:
    """What a value of a reading adds to the constant of a curve, the variance of that, and how many games and rulesets had it."""

    by: float
    variance: float
    games: int
    rulesets: int


@dataclass(frozen=True, slots=True)
class Curve:
    """For one kind of rules: the constant and the slope, their covariance, and how many games and states they rest on.

    `shifted_by` are the values of readings that it was shifted by, each with the number of games with it.
    """

    constant: float
    slope: float
    covariance: tuple[float, float, float]
    games: int
    states: int
    shifted_by: tuple[tuple[str, int], ...] = ()

    def shifted(self, shifts: Mapping[str, Shift], spread: float) -> Curve:
        """The curve of a ruleset that has other values, where so much variance is left between such rulesets."""
        constant = self.constant + sum(shift.by for shift in shifts.values())
        first, both, second = self.covariance
        first += sum(shift.variance for shift in shifts.values()) + spread
        names = tuple((value, shift.games) for value, shift in shifts.items())
        return replace(self, constant=constant, covariance=(first, both, second), shifted_by=names)

    def odds(self, raw: float) -> float:
        """The logarithm of the odds at a raw value."""
        return self.constant + self.slope * logit_of(raw)

    def chance(self, raw: float) -> tuple[float, float, float]:
        """The share of games won at a raw value, and the ends of its interval at `CONFIDENCE`."""
        logit = logit_of(raw)
        middle = self.odds(raw)
        first, both, second = self.covariance
        error = normal(CONFIDENCE) * sqrt(max(first + 2 * both * logit + second * logit * logit, 0.0))
        return chance_of(middle), chance_of(middle - error), chance_of(middle + error)


@dataclass(frozen=True, slots=True)
class Calibration:
    """The curve of each kind of rules, the digest of the weights they belong to, and the command that made them.

    `shifts` are those of values of readings, for each of `TURNS`, `spread` is the variance that is left between rulesets.
    """

    curves: Mapping[str, Curve]
    weights: str
    made: Mapping[str, Any]
    shifts: Mapping[str, Mapping[str, Shift]] = field(default_factory=dict)
    spread: Mapping[str, float] = field(default_factory=dict)

    def curve(self, ruleset: Ruleset, *, is_first: bool) -> Curve | None:
        """The curve for the first turn or a later one with a ruleset.

        None where too few games were played with rules of its kind, or with one of its values.
        """
        turn, values = turn_of(is_first=is_first), values_of(ruleset)
        found, known = self.curves.get(kind_of(ruleset) + turn), self.shifts.get(turn, {})
        if found is None or found.games < FEWEST:
            return None
        if not values:
            return found
        shifts = {
            value: known[value] for value in values if value in known and known[value].rulesets >= FEWEST_RULESETS
        }
        return found.shifted(shifts, self.spread[turn]) if len(shifts) == len(values) else None

    def as_data(self) -> dict[str, Any]:
        """The calibration as JSON data."""
        return {
            "format": FORMAT,
            "weights": self.weights,
            "made": dict(self.made),
            "spread": dict(self.spread),
            "shifts": {
                turn: {name: [one.by, one.variance, one.games, one.rulesets] for name, one in of.items()}
                for turn, of in self.shifts.items()
            },
            "kinds": {
                kind: {
                    "constant": curve.constant,
                    "slope": curve.slope,
                    "covariance": list(curve.covariance),
                    "games": curve.games,
                    "states": curve.states,
                }
                for kind, curve in self.curves.items()
            },
        }


def kind_of(ruleset: Ruleset) -> str:
    """The kind of rules of a ruleset.

    >>> kind_of(Ruleset.from_text("expert+sphere?E-PACIFY=action,E-ORDER=dice-first"))
    'expert+sphere, action'
    """
    options = [option for option in OPTIONS if option in ruleset.options]
    level = "expert" if options and not ruleset.is_introductory else ruleset.level  # the same rules
    return f"{'+'.join((level, *options))}, {ruleset.readings['E-PACIFY']}"


def values_of(ruleset: Ruleset) -> tuple[str, ...]:
    """The values of readings that are no defaults, but for E-PACIFY.

    >>> values_of(Ruleset.from_text("standard?E-PACIFY=action,E-ORDER=dice-first"))
    ('E-ORDER=dice-first',)
    """
    found = [f"{name}={value}" for name, value in ruleset.interpretations if name not in ("E-PACIFY", MAP)]
    return (*found, f"{MAP}={DEALT}") if ruleset.readings[MAP] == DEALT else tuple(found)


def turn_of(*, is_first: bool) -> str:
    """What the name of a kind says of the turn."""
    return TURNS[not is_first]


def with_other_readings_by_default() -> tuple[Ruleset, ...]:
    """The rulesets that have a curve, one of each kind."""
    options = [frozenset(some) for count in range(len(OPTIONS) + 1) for some in combinations(OPTIONS, count)]
    return tuple(
        Ruleset(level, some, (("E-PACIFY", pacify),))
        for level in LEVELS
        for some in options
        for pacify in PACIFY
        if level == "introductory" or bool(some) == (level == "expert")
    )


def fitted(rows: Sequence[tuple[float, bool, int]]) -> Curve:
    """The curve of states: raw value, whether the game was won, number of the game. Newton's method, with clusters of games.

    :raises ValueError: when there are fewer than two games, or all had the same result.
    """
    points = [(logit_of(raw), float(won), game) for raw, won, game in rows]
    numbers = {game for _, _, game in points}
    if len(numbers) < 2 or len({won for _, won, _ in points}) < 2:
        raise ValueError("expected games that were won and games that were lost")
    constant, slope = 0.0, 1.0
    for _ in range(50):  # it converges in fewer than ten steps
        a, b, c, u, v = 1e-9, 0.0, 1e-9, 0.0, 0.0  # the smallest numbers keep the matrix invertible
        for logit, won, _ in points:
            chance = chance_of(constant + slope * logit)
            weight = chance * (1 - chance)
            a, b, c = a + weight, b + weight * logit, c + weight * logit * logit
            u, v = u + won - chance, v + (won - chance) * logit
        whole = a * c - b * b
        step = (c * u - b * v) / whole, (a * v - b * u) / whole
        constant, slope = constant + step[0], slope + step[1]
        if max(map(abs, step)) < 1e-10:
            break
    scores: dict[int, list[float]] = {}
    for logit, won, game in points:
        error = won - chance_of(constant + slope * logit)
        score = scores.setdefault(game, [0.0, 0.0])
        score[0] += error
        score[1] += error * logit
    p = sum(one * one for one, _ in scores.values())
    q = sum(one * other for one, other in scores.values())
    r = sum(other * other for _, other in scores.values())
    i, j, k = c / whole, -b / whole, a / whole  # the inverse
    covariance = (
        i * i * p + 2 * i * j * q + j * j * r,
        i * j * p + (i * k + j * j) * q + j * k * r,
        j * j * p + 2 * j * k * q + k * k * r,
    )
    return Curve(constant, slope, covariance, len(numbers), len(points))


def read_calibration(text: str) -> Calibration:
    """The calibration in the text of a file.

    :raises WeightsError: when it is another text.
    """
    try:
        data = read_json(text)
        if data["format"] != FORMAT:
            raise WeightsError(f"expected {FORMAT}")
        curves = {
            kind: Curve(
                float(row["constant"]),
                float(row["slope"]),
                (float(row["covariance"][0]), float(row["covariance"][1]), float(row["covariance"][2])),
                int(row["games"]),
                int(row["states"]),
            )
            for kind, row in data["kinds"].items()
        }
        shifts = {
            turn: {
                name: Shift(float(by), float(variance), int(games), int(rulesets))
                for name, (by, variance, games, rulesets) in of.items()
            }
            for turn, of in data["shifts"].items()
        }
        spread = {turn: float(found) for turn, found in data["spread"].items()}
        return Calibration(curves, str(data["weights"]), dict(data["made"]), shifts, spread)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise WeightsError(f"expected a calibration, {FORMAT}: {error}") from None


@lru_cache(maxsize=1)
def shipped_calibration() -> Calibration:
    """The calibration that ships with the library.

    :raises WeightsError: when it is of other weights than those that ship.
    """
    found = read_calibration((files("tetrasolve.finem.hint") / "data" / SHIPPED).read_text("utf-8"))
    if found.weights != shipped().digest:
        raise WeightsError(f"{SHIPPED}: of the weights {found.weights}, expected those of {shipped().digest}")
    return found


def is_first(position: Position) -> bool:
    """Whether it is the first turn: it has no role."""
    return position.role is None


def curve_of(position: Position) -> Curve | None:
    """The shipped curve for a position; None where its rules are not calibrated."""
    return shipped_calibration().curve(position.ruleset, is_first=is_first(position))
