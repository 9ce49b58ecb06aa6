"""The calibration of the evaluation: the share of games won for each raw value; shipped as package data.

The raw value of the evaluation is a chance to win. A *curve* maps raw values to the share of games that were won, by logistic
regression over positions of new games: the logarithm of the odds is a sum over `TERMS`. There is one curve for each stage of the
search (`tetrasolve.tetrarchia.hint.policy`). Positions of one game share its result, so the covariance of the weights counts
games, not positions (the sandwich estimate with clusters: Liang and Zeger, 1986). `calibrate` makes the calibration.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import exp, fsum, log, sqrt
from typing import Any, NamedTuple

from tetrasolve.exact.binomial import normal
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia.hint.weights import WeightsError, shipped
from tetrasolve.tetrarchia.ruleset import Ruleset

FORMAT = "tetrasolve-calibration/1"
SHIPPED = "calibration.json"
BASE_GAME = "base game"
TERMS = (
    "constant",
    "raw",
    "raw squared",
    "garrisons",
    "fleets",
    "revolts",
    "armies",
)  # `raw`: the logarithm of its odds
MIDDLE = 4, 2, 1, 1  # the level in the middle; the digits of a level count from there
NEARLY = 0.0005  # chances closer to 0 or 1 are moved to this distance: samples cannot distinguish them


class Calibrated(NamedTuple):
    """A chance in [0, 1], and the ends of the interval around it."""

    value: float
    low: float
    high: float


def terms(logit: float, level: Ruleset) -> tuple[float, ...]:
    """The terms of a curve, in the order of `TERMS`."""
    figures = level.garrisons, level.fleets, level.revolts, level.armies
    return (1.0, logit, logit * logit, *(float(have - middle) for have, middle in zip(figures, MIDDLE, strict=True)))


def logit_of(chance: float) -> float:
    """The logarithm of the odds of a chance in [0, 1], kept at least `NEARLY` away from 0 and 1."""
    chance = min(max(chance, NEARLY), 1 - NEARLY)
    return log(chance / (1 - chance))


def chance_of(logit: float) -> float:
    """The chance with these odds."""
    return 1 / (1 + exp(-logit))


@dataclass(frozen=True)
class Curve:
    """The weights of `TERMS` with their covariance, and the logarithms of odds between which enough games were seen."""

    weights: Sequence[float]
    covariance: Sequence[Sequence[float]]
    least: float
    most: float

    def is_rising(self) -> bool:
        """Whether the curve increases everywhere."""
        return all(self._slope(end) > 0 for end in (self.least, self.most))

    def chance(self, raw: float, level: Ruleset, confidence: float) -> Calibrated:
        """The share of games that are won at this level from positions with this raw value.

        Outside the range of the data the curve is extrapolated linearly, and the interval is open to that side.
        """
        logit = logit_of(raw)
        inside = min(max(logit, self.least), self.most)
        row = terms(inside, level)
        middle = fsum(weight * term for weight, term in zip(self.weights, row, strict=True))
        spread = fsum(
            one * other * covariance
            for one, line in zip(row, self.covariance, strict=True)
            for other, covariance in zip(row, line, strict=True)
        )
        slack = normal(confidence) * sqrt(max(spread, 0.0))
        value = chance_of(middle + self._slope(inside) * (logit - inside))
        low = 0.0 if logit < self.least else chance_of(middle - slack)
        high = 1.0 if logit > self.most else chance_of(middle + slack)
        return Calibrated(value, low, high)

    def _slope(self, logit: float) -> float:
        return self.weights[1] + 2 * self.weights[2] * logit


@dataclass(frozen=True)
class Calibration:
    """A curve for each stage, the numbers of games and positions behind them, and the command that made them.

    `rules` names the modules, variants and rebels of the games, see `named_set`.
    """

    curves: Mapping[int, Curve]
    games: int
    tables: int
    weights: str
    made: Mapping[str, Any]
    rules: str = BASE_GAME


def named_set(rules: Iterable[str]) -> str:
    """Modules, variants and rebels by name, in alphabetical order; without any the base game.

    >>> named_set({"dux", "barbaria"})
    'barbaria, dux'
    """
    return ", ".join(sorted(rules)) or BASE_GAME


def write_calibration(calibration: Calibration) -> str:
    """The text of a calibration file, each number with six digits."""

    def row(numbers: Sequence[float]) -> str:
        return "[" + ", ".join(f"{number:.6g}" for number in numbers) + "]"

    curves = []
    for stage, curve in sorted(calibration.curves.items()):
        lines = ",\n     ".join(row(line) for line in curve.covariance)
        curves.append(
            f'  "{stage}": {{\n   "seen": {row((curve.least, curve.most))},\n   "weights": {row(curve.weights)},\n'
            f'   "covariance": [\n     {lines}\n   ]\n  }}'
        )
    head = {
        "format": FORMAT, "weights": calibration.weights, "made": dict(calibration.made), "games": calibration.games,
        "tables": calibration.tables, "terms": list(TERMS),
        **({} if calibration.rules == BASE_GAME else {"rules": calibration.rules}),
    }  # fmt: skip
    rows = [f' "{name}": {json.dumps(value)},' for name, value in head.items()]
    return "\n".join(["{", *rows, ' "curves": {', ",\n".join(curves), " }", "}", ""])


def read_calibration(text: str) -> Calibration:
    """The calibration in the text of a file.

    :raises WeightsError: when it is another text, or has other terms.
    """
    try:
        data = read_json(text)
        kept = data["format"], *data["terms"]
        curves = {
            int(stage): Curve(tuple(row["weights"]), tuple(map(tuple, row["covariance"])), *row["seen"])
            for stage, row in data["curves"].items()
        }
        numbers = int(data["games"]), int(data["tables"])
        found = Calibration(curves, *numbers, data["weights"], data["made"], data.get("rules", BASE_GAME))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"expected a file of calibration, {FORMAT}: {error}") from None
    if kept != (FORMAT, *TERMS):
        raise WeightsError(f"expected a file of calibration, {FORMAT}: it says {', '.join(map(str, kept))}")
    return found


def shipped_calibration() -> Calibration:
    """The calibration of the shipped weights for the base game.

    :raises WeightsError: when it was made with other weights than those shipped.
    """
    return _shipped()[BASE_GAME]


def calibration_of(rules: str) -> Calibration | None:
    """The calibration of the shipped weights for a set of rules, as `named_set` names it; None where there is none.

    :raises WeightsError: when one was made with other weights than those shipped.
    """
    return _shipped().get(rules)


@lru_cache(maxsize=1)
def _shipped() -> Mapping[str, Calibration]:
    """Every file ``calibration*.json`` of the package, by the rules that it is for."""
    found = {}
    for file in (files("tetrasolve.tetrarchia.hint") / "data").iterdir():
        if not file.name.startswith("calibration") or not file.name.endswith(".json"):
            continue
        read = read_calibration(file.read_text("utf-8"))
        expected = shipped(modules=read.rules != BASE_GAME).digest
        if read.weights != expected:
            raise WeightsError(f"{file.name}: made with weights {read.weights}, expected {expected}")
        found[read.rules] = read
    return found
