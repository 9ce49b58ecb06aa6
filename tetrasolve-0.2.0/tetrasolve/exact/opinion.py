"""Opinions: chances that an evaluation gives, which are no facts about a game, and the odds by which they are calibrated."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import Any, Literal

CONFIDENCE = 0.95  # of intervals
DIGITS = 6  # of an opinion: more would depend on the machine
NEARLY = 0.0005  # chances closer to 0 or 1 are moved to this distance: samples cannot distinguish them


@dataclass(frozen=True, slots=True)
class Opinion:
    """A chance in [0, 1] as an evaluation sees it.

    `raw` is the value of the evaluation, `value` the same calibrated by results of games, `low` and `high` the ends of its
    interval at `CONFIDENCE`. A game adds what its calibration rests on.

    >>> Opinion(0.5, 0.4, 0.6, 0.55).said("evaluation", games=0)
    '50.0 % (evaluation, not calibrated)'
    """

    value: float
    low: float
    high: float
    raw: float

    @property
    def kind(self) -> Literal["evaluation"]:
        """What kind of number it is."""
        return "evaluation"

    def figures(self) -> dict[str, Any]:
        """The parts of its JSON data that the opinions of all games have."""
        low, high = round(self.low, DIGITS), round(self.high, DIGITS)
        return {
            "kind": self.kind,
            "value": round(self.value, DIGITS),
            "interval": [low, high],
            "confidence": CONFIDENCE,
        }

    def said(self, about: str, games: int) -> str:
        """The chance in words, `about` what it is; with `games` of a calibration its interval."""
        value, low, high = (f"{100 * chance:.1f}" for chance in (self.value, self.low, self.high))
        return f"{value} % ({low} to {high} %; {about})" if games else f"{value} % ({about}, not calibrated)"


def logit_of(chance: float) -> float:
    """The logarithm of the odds of a chance in [0, 1], kept at least `NEARLY` away from 0 and 1."""
    kept = min(max(chance, NEARLY), 1 - NEARLY)
    return log(kept / (1 - kept))


def chance_of(logit: float) -> float:
    """The chance with these odds."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))
