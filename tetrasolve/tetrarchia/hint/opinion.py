"""The chance to win the game with a plan, as the evaluation sees it: what it says, made a chance by what came of games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tetrasolve.exact.binomial import normal
from tetrasolve.exact.estimate import Estimate
from tetrasolve.tetrarchia.hint.calibration import Calibrated, shipped_calibration
from tetrasolve.tetrarchia.hint.policy import Candidate
from tetrasolve.tetrarchia.hint.prospects import Prospects
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.ruleset import Ruleset

CONFIDENCE = 0.95  # of intervals
DIGITS = 6  # of an opinion: more would tell nothing, and depend on the machine
LOOKED = {1: "ends of the turn", 2: "phases", 3: "next turns"}


@dataclass(frozen=True, slots=True)
class Opinion:
    """The chance to win in [0, 1] as the evaluation sees it, which is no fact about the game.

    `value` is the share of games that were won at this level, played on by expectimax, where as much was `said` after such a
    look; `low` and `high` are the ends of its interval at `CONFIDENCE`, open to what sampled dice leave open. It is a mean over
    many tables: of the table at hand the evaluation may think too well or too ill. `dice` is the interval of what was said for
    its dice alone. `looked` says what was evaluated: ``ends of the turn``, tables after the coming ``phases``, or after the
    best ``next turns``.
    """

    value: float
    low: float
    high: float
    said: float
    dice: tuple[float, float]
    looked: str
    kind: Literal["evaluation"] = "evaluation"

    def as_data(self) -> dict[str, Any]:
        """The opinion for JSON."""
        value, low, high, said, *dice = (
            round(chance, DIGITS) for chance in (self.value, self.low, self.high, self.said, *self.dice)
        )
        return {
            "kind": self.kind, "value": value, "interval": [low, high], "confidence": CONFIDENCE, "looked": self.looked,
            "said": said, "dice": dice,
        }  # fmt: skip

    def __str__(self) -> str:
        value, low, high = (f"{100 * chance:.1f}" for chance in (self.value, self.low, self.high))
        return f"{value} % ({low} to {high} %; evaluation, {self.looked})"


Chance: TypeAlias = "Opinion | Estimate"


def chance_data(chance: Chance) -> dict[str, Any]:
    """Either kind for JSON: always with `kind`, `value`, `interval` and `confidence`."""
    if isinstance(chance, Opinion):
        return chance.as_data()
    return {
        "kind": chance.kind, "value": chance.value, "interval": [chance.low, chance.high], "confidence": chance.confidence,
        "n": chance.n, "method": chance.method,
    }  # fmt: skip


def opinion(candidate: Candidate, found: Prospects, level: Ruleset) -> Opinion:
    """What is said of a plan, calibrated: all but the chances that the game ends in this turn, which are exact.

    The calibration is that of the default readings of the rules; it is used for others as it is.
    """
    slack = normal(CONFIDENCE) * (candidate.error or 0.0)
    fallen = sum(chance for chance, end, _ in found.ends if isinstance(end, Fall))
    won, goes_on = float(found.p_won), float(1 - found.p_won - fallen)
    curve = shipped_calibration().curves[candidate.looked]

    def calibrated(said: float) -> Calibrated:
        rest = min(max((said - won) / goes_on, 0.0), 1.0)
        return Calibrated(*(won + goes_on * chance for chance in curve.chance(rest, level, CONFIDENCE)))

    said = candidate.value
    dice = max(said - slack, 0.0), min(said + slack, 1.0)
    looked = LOOKED[candidate.looked]
    if not goes_on:
        return Opinion(won, won, won, said, dice, looked)
    return Opinion(calibrated(said).value, calibrated(dice[0]).low, calibrated(dice[1]).high, said, dice, looked)
