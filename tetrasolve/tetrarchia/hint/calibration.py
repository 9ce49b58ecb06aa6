"""How far the evaluation can be trusted: what came of games in which it had said as much; shipped as package data.

The evaluation says of a plan how likely the game is won. A *curve* tells which share of games was won where it had said
that, by logistic regression over tables of fresh games: the logarithm of the odds is a sum over `TERMS`. There is one for
each look that can be taken (see `tetrasolve.tetrarchia.hint.policy`). Tables of one game share its outcome, so the covariance
of the weights counts games, not tables (the sandwich estimate with clusters: Liang and Zeger, 1986). `calibrate` makes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
TERMS = (
    "constant",
    "said",
    "said squared",
    "garrisons",
    "fleets",
    "revolts",
    "armies",
)  # `said`: its logarithm of odds
MIDDLE = 4, 2, 1, 1  # the level in the middle: from there the figures of a level are counted
NEARLY = 0.0005  # a chance closer to 0 or 1 is taken to be so far from it: samples do not tell such chances apart


class Calibrated(NamedTuple):
    """A chance in [0, 1], and the ends of the interval around it."""

    value: float
    low: float
    high: float


def terms(logit: float, level: Ruleset) -> tuple[float, ...]:
    """What the weights of a curve are of: see `TERMS`."""
    figures = level.garrisons, level.fleets, level.revolts, level.armies
    return (1.0, logit, logit * logit, *(float(have - middle) for have, middle in zip(figures, MIDDLE, strict=True)))


def logit_of(chance: float) -> float:
    """The logarithm of the odds of a chance in [0, 1], which is taken to be `NEARLY` away from 0 and 1 at least."""
    chance = min(max(chance, NEARLY), 1 - NEARLY)
    return log(chance / (1 - chance))


def chance_of(logit: float) -> float:
    """The chance with such odds."""
    return 1 / (1 + exp(-logit))


@dataclass(frozen=True)
class Curve:
    """The weights of `TERMS` with their covariance, and the logarithms of odds between which enough games were seen."""

    weights: Sequence[float]
    covariance: Sequence[Sequence[float]]
    least: float
    most: float

    def is_rising(self) -> bool:
        """Whether more is won where more was said, all over."""
        return all(self._slope(end) > 0 for end in (self.least, self.most))

    def chance(self, said: float, level: Ruleset, confidence: float) -> Calibrated:
        """The share of games that are won at this level from tables of which so much was said.

        Beyond what was seen the curve goes on straight, and the interval is open to that side.
        """
        logit = logit_of(said)
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
    """A curve for each look, how many games and tables they rest on, and what made them."""

    curves: Mapping[int, Curve]
    games: int
    tables: int
    weights: str
    made: Mapping[str, Any]


def write_calibration(calibration: Calibration) -> str:
    """The text of a file of it, each number with six digits."""

    def row(numbers: Sequence[float]) -> str:
        return "[" + ", ".join(f"{number:.6g}" for number in numbers) + "]"

    curves = []
    for look, curve in sorted(calibration.curves.items()):
        lines = ",\n     ".join(row(line) for line in curve.covariance)
        curves.append(
            f'  "{look}": {{\n   "seen": {row((curve.least, curve.most))},\n   "weights": {row(curve.weights)},\n'
            f'   "covariance": [\n     {lines}\n   ]\n  }}'
        )
    head = {
        "format": FORMAT, "weights": calibration.weights, "made": dict(calibration.made), "games": calibration.games,
        "tables": calibration.tables, "terms": list(TERMS),
    }  # fmt: skip
    rows = [f' "{name}": {json.dumps(value)},' for name, value in head.items()]
    return "\n".join(["{", *rows, ' "curves": {', ",\n".join(curves), " }", "}", ""])


def read_calibration(text: str) -> Calibration:
    """What `write_calibration` wrote.

    :raises WeightsError: when it is no such text, or of other terms.
    """
    try:
        data = read_json(text)
        kept = data["format"], *data["terms"]
        curves = {
            int(look): Curve(tuple(row["weights"]), tuple(map(tuple, row["covariance"])), *row["seen"])
            for look, row in data["curves"].items()
        }
        found = Calibration(curves, int(data["games"]), int(data["tables"]), data["weights"], data["made"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"expected a file of calibration, {FORMAT}: {error}") from None
    if kept != (FORMAT, *TERMS):
        raise WeightsError(f"expected a file of calibration, {FORMAT}: it says {', '.join(map(str, kept))}")
    return found


@lru_cache(maxsize=1)
def shipped_calibration() -> Calibration:
    """That of the shipped weights.

    :raises WeightsError: when it was made with other weights than those shipped.
    """
    found = read_calibration((files("tetrasolve.tetrarchia.hint") / "data" / SHIPPED).read_text("utf-8"))
    if found.weights != shipped().digest:
        raise WeightsError(f"{SHIPPED}: made with weights {found.weights}, expected {shipped().digest}")
    return found
