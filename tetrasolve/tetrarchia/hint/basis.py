"""What an answer of the evaluation rests on: which network it is, and how many games its chances were calibrated on.

Two networks ship. One was trained on the base game. The other has the same weights for the features of the base game, and weights
for those of modules, variants and rebels that were trained on games with these; it evaluates positions with any of them. Chances
are calibrated for each set of rules; a set without calibration has raw chances, in the interval from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetrasolve.tetrarchia.hint.calibration import BASE_GAME, Calibration, calibration_of, named_set
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.position import Position


@dataclass(frozen=True, slots=True)
class Basis:
    """The network by its digest, whether it was trained with modules, the rules in use, and the games of their calibration."""

    network: str
    trained_with_modules: bool
    rules: str
    games: int

    def as_data(self) -> dict[str, Any]:
        """The basis as JSON data."""
        trained = "modules" if self.trained_with_modules else BASE_GAME
        return {"network": self.network, "trained": trained, "rules": self.rules, "calibration_games": self.games}

    @property
    def evaluator(self) -> str:
        """The network as text."""
        trained = "trained with modules" if self.trained_with_modules else f"trained on the {BASE_GAME}"
        return f"network {self.network[:8]}, {trained}"

    def __str__(self) -> str:
        if not self.games:
            return f"{self.evaluator}; its chances were never calibrated with {self.rules}"
        games = f"of the {BASE_GAME}" if self.rules == BASE_GAME else f"with {self.rules}"
        return f"{self.evaluator}, calibrated on {self.games:,} games {games}"


def basis_of(position: Position) -> Basis:
    """The basis of an answer about a position."""
    rules = position.rules_in_use
    found, network = calibration(position), shipped(modules=bool(rules))
    return Basis(network.digest, network.know_modules, named_set(rules), 0 if found is None else found.games)


def calibration(position: Position) -> Calibration | None:
    """The calibration for the rules in use on a position; None where there is none."""
    return calibration_of(named_set(position.rules_in_use))
