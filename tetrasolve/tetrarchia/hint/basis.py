"""What an answer of the evaluation rests on: which network it is, and how many games its chances were calibrated on.

Two networks ship. One was trained on the base game. The other has the same weights for the features of the base game, and weights
for those of modules, variants and rebels that were trained on games with these; it evaluates positions with any of them. Chances
are calibrated by games with each of the rules in use; the basis says how many had exactly these rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetrasolve.tetrarchia.hint.calibration import BASE_GAME, named_set, shipped_calibration
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.position import Position

RAW_VALUES = "the chances here are raw values of the network: no calibration is applied to them"


@dataclass(frozen=True, slots=True)
class Basis:
    """The network by its digest, whether it was trained with modules, the rules in use, and the games of their calibration.

    `games` were played with exactly these rules, `games_of_each` with each of them, whatever else was in use; `all_games` are those
    of the whole calibration.
    """

    network: str
    trained_with_modules: bool
    rules: str
    games: int
    games_of_each: int
    all_games: int
    is_calibrated: bool

    def as_data(self) -> dict[str, Any]:
        """The basis as JSON data."""
        trained = "modules" if self.trained_with_modules else BASE_GAME
        return {
            "network": self.network, "trained": trained, "rules": self.rules, "calibrated": self.is_calibrated,
            "calibration_games": self.games, "calibration_games_of_each_rule": self.games_of_each,
            "calibration_games_in_all": self.all_games,
        }  # fmt: skip

    @property
    def evaluator(self) -> str:
        """The network as text."""
        trained = "trained with modules" if self.trained_with_modules else f"trained on the {BASE_GAME}"
        return f"network {self.network[:8]}, {trained}"

    def __str__(self) -> str:
        if not self.is_calibrated:
            return f"{self.evaluator}; its chances were never calibrated with {self.rules}"
        if self.rules == BASE_GAME:
            return f"{self.evaluator}, calibrated on {self.games:,} games of the {BASE_GAME}"
        if self.games == self.games_of_each:
            return f"{self.evaluator}, calibrated on {_games(self.games)} with {self.rules}"
        each = _games(self.games_of_each)
        if ", " not in self.rules:
            return (
                f"{self.evaluator}, calibrated on {each} with {self.rules}, {self.games:,} of them without other rules"
            )
        exactly = f"calibrated on {_games(self.games)} with" if self.games else "never calibrated with"
        return f"{self.evaluator}, {exactly} exactly {self.rules}; each of these rules was in use in at least {each}"


def _games(count: int) -> str:
    return "1 game" if count == 1 else f"{count:,} games"


def basis_of(position: Position) -> Basis:
    """The basis of an answer about a position."""
    house = frozenset(f"{name}={value}" for name, value in position.ruleset.house)
    rules, known = position.rules_in_use | house, shipped_calibration()
    network, name = shipped(modules=bool(rules)), named_set(rules)
    return Basis(
        network.digest,
        network.know_modules,
        name,
        games=known.sets.get(name, 0),
        games_of_each=known.games_of_each(rules),
        all_games=known.games,
        is_calibrated=known.covers(rules),
    )
