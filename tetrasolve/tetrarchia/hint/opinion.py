"""The chance to win the game with a plan: the raw value of the evaluation, calibrated by the results of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from tetrasolve.exact import opinion as exact
from tetrasolve.exact.binomial import normal
from tetrasolve.exact.estimate import Estimate
from tetrasolve.exact.opinion import CONFIDENCE, DIGITS
from tetrasolve.tetrarchia.hint.calibration import Calibrated, shipped_calibration
from tetrasolve.tetrarchia.hint.policy import Candidate
from tetrasolve.tetrarchia.hint.prospects import Prospects
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.rules import Fall

EVALUATED = {1: "ends of the turn", 2: "phases", 3: "next turns"}


@dataclass(frozen=True, slots=True)
class Opinion(exact.Opinion):
    """The chance to win in [0, 1] as the evaluation sees it; not a fact about the game.

    `value` is the share of games that were won at this level, continued by expectimax, among positions with the same `raw` value;
    `low` and `high` are the ends of its interval, which includes the error of sampled dice. It is a mean over
    many positions: for a single one the evaluation can be too high or too low. `dice` is the interval of the raw value for its
    sampled dice alone. `evaluated` says which positions were evaluated: ``ends of the turn``, positions after the coming
    ``phases``, or after the best ``next turns``. Where too few games were played with one of the rules in use `games` is 0: then
    `value` is the raw value, and the interval says nothing.
    """

    dice: tuple[float, float]
    evaluated: str
    games: int = 0  # of the calibration, with each of the rules in use

    def as_data(self) -> dict[str, Any]:
        """The opinion as JSON data."""
        raw, *dice = (round(chance, DIGITS) for chance in (self.raw, *self.dice))
        return {
            **self.figures(), "evaluated": self.evaluated, "raw": raw, "dice": dice, "calibration_games": self.games,
        }  # fmt: skip

    def __str__(self) -> str:
        return self.said(f"evaluation, {self.evaluated}", self.games)


Chance: TypeAlias = "Opinion | Estimate"


def chance_data(chance: Chance) -> dict[str, Any]:
    """An opinion or an estimate as JSON data, with `kind`, `value`, `interval` and `confidence`."""
    if isinstance(chance, Opinion):
        return chance.as_data()
    return {
        "kind": chance.kind, "value": chance.value, "interval": [chance.low, chance.high], "confidence": chance.confidence,
        "n": chance.n, "method": chance.method,
    }  # fmt: skip


def opinion(candidate: Candidate, found: Prospects, position: Position) -> Opinion:
    """The opinion of a plan for a position; the chances that the game ends in this turn are exact and not calibrated.

    It is calibrated where there are enough games with each of the rules in use. The calibration was made with the default readings
    of the rules and is used for others unchanged; with house rules nothing is calibrated.
    """
    level, rules, known = position.ruleset, position.rules_in_use, shipped_calibration()
    slack = normal(CONFIDENCE) * (candidate.error or 0.0)
    fallen = sum(chance for chance, end, _ in found.ends if isinstance(end, Fall))
    won, goes_on = float(found.p_won), float(1 - found.p_won - fallen)
    raw = candidate.value
    dice = max(raw - slack, 0.0), min(raw + slack, 1.0)
    evaluated = EVALUATED[candidate.stage]
    games = known.games_of_each(rules) if known.covers(rules) and not level.house else 0
    if not goes_on:
        return Opinion(won, won, won, raw, dice, evaluated, games)
    if not games:
        return Opinion(raw, won, won + goes_on, raw, dice, evaluated)
    curve = known.curves[candidate.stage]

    def calibrated(raw: float) -> Calibrated:
        rest = min(max((raw - won) / goes_on, 0.0), 1.0)
        return Calibrated(*(won + goes_on * chance for chance in curve.chance(rest, level, CONFIDENCE, rules)))

    return Opinion(
        calibrated(raw).value, calibrated(dice[0]).low, calibrated(dice[1]).high, raw, dice, evaluated, games
    )
