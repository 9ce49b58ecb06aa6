"""The calibration of the evaluation: the share of games won for each raw value; shipped as package data.

The raw value of the evaluation is a chance to win. A *curve* maps raw values to the share of games that were won, by logistic
regression over positions of new games: the logarithm of the odds is a sum over `TERMS`. There is one curve for each stage of the
search (`tetrasolve.tetrarchia.hint.policy`), for all levels and all rules together: the digits of the level with their products,
and a term for each module, variant and for rebels. What was never played together is the sum of its parts; `Calibration` counts the
games for each rule and for each set of rules. Positions of one game share its result, so the covariance of the weights counts
games, not positions (the sandwich estimate with clusters: Liang and Zeger, 1986). `calibrate` makes the calibration.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import combinations
from math import fsum, sqrt
from typing import Any, NamedTuple

from tetrasolve.exact.binomial import normal
from tetrasolve.exact.opinion import chance_of, logit_of
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia.hint.weights import WeightsError, shipped
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, Ruleset

FORMAT = "tetrasolve-calibration/2"
SHIPPED = "calibration.json"
BASE_GAME = "base game"
REBELS = "rebels"
RULES = (*MODULES, *VARIANTS, REBELS)
DIGITS = "garrisons", "fleets", "revolts", "armies"
MIDDLE = 4, 2, 1, 1  # the level in the middle; the digits of a level count from there
PAIRS = tuple(combinations(range(len(DIGITS)), 2))
MAIN = "constant", "raw", "raw squared", *DIGITS  # `raw`: the logarithm of its odds
TERMS = (  # a product as `raw:revolts`
    *MAIN,
    *(f"raw:{name}" for name in DIGITS),
    *(f"{DIGITS[one]}:{DIGITS[other]}" for one, other in PAIRS),
    *RULES,
    "raw:rules",  # whether there are any
    "rebels:pirates",  # this and the next tell the scenarios apart
    "rebels:armies",
)
FEWEST = 20  # games with a rule: with fewer its term says nothing


class Calibrated(NamedTuple):
    """A chance in [0, 1], and the ends of the interval around it."""

    value: float
    low: float
    high: float


def terms(logit: float, level: Ruleset, rules: Collection[str] = ()) -> tuple[float, ...]:
    """The terms of a curve, in the order of `TERMS`; `rules` are the names of the modules and variants in use, and rebels."""
    figures = level.garrisons, level.fleets, level.revolts, level.armies
    digits = [float(have - middle) for have, middle in zip(figures, MIDDLE, strict=True)]
    rebels = float(REBELS in rules)
    return (
        1.0,
        logit,
        logit * logit,
        *digits,
        *(logit * digit for digit in digits),
        *(digits[one] * digits[other] for one, other in PAIRS),
        *(float(name in rules) for name in RULES),
        logit * bool(rules),
        rebels * ("pirates" in rules),
        rebels * digits[-1],
    )


@dataclass(frozen=True)
class Curve:
    """The weights of `TERMS` with their covariance, and the logarithms of odds between which enough games were seen."""

    weights: Sequence[float]
    covariance: Sequence[Sequence[float]]
    least: float
    most: float

    def is_rising(self, level: Ruleset, rules: Collection[str] = ()) -> bool:
        """Whether the curve increases everywhere at a level."""
        return all(self._slope(end, level, rules) > 0 for end in (self.least, self.most))

    def chance(self, raw: float, level: Ruleset, confidence: float, rules: Collection[str] = ()) -> Calibrated:
        """The share of games that are won at this level and with these rules from positions with this raw value.

        Outside the range of the data the curve is extrapolated linearly, and the interval is open to that side.
        """
        logit = logit_of(raw)
        inside = min(max(logit, self.least), self.most)
        row = terms(inside, level, rules)
        middle = fsum(weight * term for weight, term in zip(self.weights, row, strict=True))
        used = [place for place, term in enumerate(row) if term]
        spread = fsum(row[one] * row[other] * self.covariance[one][other] for one in used for other in used)
        slack = normal(confidence) * sqrt(max(spread, 0.0))
        value = chance_of(middle + self._slope(inside, level, rules) * (logit - inside))
        low = 0.0 if logit < self.least else chance_of(middle - slack)
        high = 1.0 if logit > self.most else chance_of(middle + slack)
        return Calibrated(value, low, high)

    def _slope(self, logit: float, level: Ruleset, rules: Collection[str]) -> float:
        """All terms are linear in the logarithm of the odds, but for the square."""
        without, with_one = terms(0.0, level, rules), terms(1.0, level, rules)
        linear = fsum(weight * (one - none) for weight, one, none in zip(self.weights, with_one, without, strict=True))
        squared = self.weights[TERMS.index("raw squared")]
        return linear - squared + 2 * squared * logit


@dataclass(frozen=True)
class Calibration:
    """A curve for each stage, the numbers of games and positions behind them, and the command that made them.

    `sets` has the number of games for each set of rules, as `named_set` names it. `weights` are the digests of the networks for the
    base game and for other rules.
    """

    curves: Mapping[int, Curve]
    tables: int
    weights: Sequence[str]
    made: Mapping[str, Any]
    sets: Mapping[str, int]

    @property
    def games(self) -> int:
        """The number of all games."""
        return sum(self.sets.values())

    def games_with(self, rule: str) -> int:
        """The number of games with one module or variant, or with rebels."""
        return self._games.get(rule, 0)

    @cached_property
    def _games(self) -> Mapping[str, int]:
        """The number of games with each rule: each hint asks several times."""
        found: Counter[str] = Counter()
        for name, count in self.sets.items():
            for rule in name.split(", "):
                found[rule] += count
        return found

    def games_of_each(self, rules: Collection[str]) -> int:
        """The fewest games with one of these rules; without any, those of the base game."""
        return min(self.games_with(rule) for rule in rules or [BASE_GAME])

    def covers(self, rules: Collection[str]) -> bool:
        """Whether there are at least `FEWEST` games with each of these rules."""
        return self.games_of_each(rules) >= FEWEST


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
        "format": FORMAT, "weights": list(calibration.weights), "made": dict(calibration.made),
        "tables": calibration.tables, "sets": dict(sorted(calibration.sets.items())), "terms": list(TERMS),
    }  # fmt: skip
    rows = [f' "{name}": {json.dumps(value, ensure_ascii=False)},' for name, value in head.items()]
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
        sets = {str(name): int(count) for name, count in data["sets"].items()}
        found = Calibration(curves, int(data["tables"]), tuple(data["weights"]), data["made"], sets)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise WeightsError(f"expected a file of calibration, {FORMAT}: {error}") from None
    if kept != (FORMAT, *TERMS):
        raise WeightsError(f"expected a file of calibration, {FORMAT}: it says {', '.join(map(str, kept))}")
    return found


def networks() -> tuple[str, ...]:
    """The digests of the shipped networks, for the base game and for other rules."""
    return tuple(shipped(modules=modules).digest for modules in (False, True))


@lru_cache(maxsize=1)
def shipped_calibration() -> Calibration:
    """The calibration of the shipped weights.

    :raises WeightsError: when it was made with other weights than those shipped.
    """
    text = (files("tetrasolve.tetrarchia.hint") / "data" / SHIPPED).read_text("utf-8")
    found = read_calibration(text)
    if tuple(found.weights) != networks():
        made, expected = " and ".join(found.weights), " and ".join(networks())
        raise WeightsError(f"{SHIPPED}: made with weights {made}, expected {expected}")
    return found
