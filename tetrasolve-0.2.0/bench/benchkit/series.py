"""Games that were kept: a series of them with a letter for each result, and pairs of series on the same games."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetrasolve.exact.estimate import chance

CONFIDENCE = 0.95


@dataclass
class Series:
    """The games of one contestant at one level, from number 0 on: w won, l lost, o open after its most turns."""

    data: dict[str, Any]

    @property
    def outcomes(self) -> str:
        """A letter for each game."""
        return str(self.data["outcomes"])

    def add_outcomes(self, letters: str, turns: int) -> None:
        """Games that were played now, and the turns of all of them."""
        self.data["outcomes"] += letters
        self.data["turns"] += turns
        self.data["games"] = len(self.outcomes)
        self.data["won"] = self.outcomes.count("w")
        self.data["rate"] = chance(self.data["won"], self.data["games"], CONFIDENCE).as_data()


def only_one_won(first: Series, second: Series) -> tuple[int, int, int]:
    """Of the games that both have played: how many only the first won, how many only the second, and their number."""
    pairs = list(zip(first.outcomes, second.outcomes, strict=False))
    return sum(a == "w" != b for a, b in pairs), sum(b == "w" != a for a, b in pairs), len(pairs)


def write(path: Path, data: dict[str, Any]) -> None:
    """Keeps results as JSON; what was there before stays whole until all is written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(data, indent=1) + "\n", "utf-8")
    new.replace(path)
