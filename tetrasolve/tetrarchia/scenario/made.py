"""Made scenarios as files, and the sentence that says what one has."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tetrasolve.errors import ArgumentError, PositionSyntaxError
from tetrasolve.release import version
from tetrasolve.strict import StrictError, read_json
from tetrasolve.tetrarchia.board import ROMAN_NUMERALS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario.measuring import WinRate
from tetrasolve.tetrarchia.scenario.policies import weights_of_policies

ITALIA = "Italia"  # the region without a number
FORMAT = "tetrasolve-scenario/1"
BOUNDS = 2  # of an interval
MOST_GAMES = 10**12  # far more than anybody plays; a number that can be printed


@dataclass(frozen=True, slots=True)
class Made:
    """A scenario of a theme with its confirmed win rate, those of other policies, and how it was found.

    `number` and `step` are those of its ladder; `probes` and `confirmations` count what the search took.
    """

    theme: str
    title: str
    wanted: float
    within: float
    seed: int
    number: int
    step: int
    position: str
    rate: WinRate
    beside: tuple[WinRate, ...]
    probes: int
    confirmations: int

    @property
    def sentence(self) -> str:
        """What is hard about it: its discs and armies by place, and how the policies fare."""
        return " ".join((contents(Position.parse(self.position)), *compared(self.rate, self.beside)))

    def as_data(self) -> dict[str, Any]:
        """The scenario for JSON, with the versions of what made it."""
        return {
            "format": FORMAT,
            "theme": self.theme,
            "title": self.title,
            "position": self.position,
            "wanted": self.wanted,
            "within": self.within,
            "rate": self.rate.as_data(),
            "beside": [other.as_data() for other in self.beside],
            "sentence": self.sentence,
            "seed": self.seed,
            "ladder": {"number": self.number, "step": self.step},
            "search": {"probes": self.probes, "confirmations": self.confirmations},
            "versions": {"tetrasolve": version(), "weights": weights_of_policies()},
        }


def compared(rate: WinRate, beside: Sequence[WinRate]) -> list[str]:
    """How often a policy wins, and whether others win more or less often: a sentence for each whose rate is known."""
    own = rate.rate
    assert own is not None  # it was confirmed
    lines = [f"{rate.policy} wins {100 * own.value:.1f} % of {own.n:,} games."]
    for other in beside:
        if other.rate is None:
            continue
        value = other.rate
        relation = "more often" if value.low > own.high else "less often" if value.high < own.low else "about as often"
        lines.append(f"{other.policy} wins {relation}: {100 * value.value:.1f} % of {value.n:,}.")
    return lines


def contents(position: Position) -> str:
    """The discs and armies of a position by place, in one sentence.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> contents(example("movement")).startswith("Revolts: ")
    True
    """
    board = position.board
    parts = []
    for what, provinces in (("Revolts", position.revolts), ("unrest", position.unrest)):
        where = Counter(board[province].region for province in provinces)
        if where:
            ordered = sorted(where.items(), key=lambda item: (-item[1], item[0]))
            most = ", ".join(f"{count} in {ROMAN_NUMERALS[region] or ITALIA}" for region, count in ordered)
            parts.append(f"{what}: {where.total()} ({most})")
    if position.armies:
        parts.append("armies: " + ", ".join(board[army].name for army in position.armies))
    return "; ".join(parts) + "."


def position_of(text: str) -> str | None:
    """The position of a scenario file; None where the text is none.

    :raises PositionSyntaxError: when it is one, and its position is missing.
    """
    if f'"{FORMAT}"' not in text:
        return None
    try:
        data = read_json(text)
    except StrictError:
        return None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        return None
    if not isinstance(data.get("position"), str):
        raise PositionSyntaxError("position", data.get("position"), "a position in one line")
    return str(data["position"])


def read_made(text: str, source: str) -> dict[str, Any]:
    """The text of a scenario file as `tetrasolve.tetrarchia.scenario.measured` has rows: `rates` are all that are known.

    :raises ArgumentError: when it is none; `source` names it.
    :raises TetrasolveError: when its position is none.
    """
    try:
        data = read_json(text)
        texts = [data[key] for key in ("title", "sentence", "position")]
        rates = [rate for rate in (data["rate"], *data["beside"]) if rate["rate"] is not None]
        texts += [rate["policy"] for rate in rates]
        found = [rate["rate"] for rate in rates]
        shares = [share for row in found for share in (row["float"], *row["ci"])]
        is_one = (
            data["format"] == FORMAT
            and all(isinstance(part, str) and part.isprintable() for part in texts)
            and all(type(share) in (int, float) and 0 <= share <= 1 for share in shares)
            and all(len(row["ci"]) == BOUNDS and type(row["n"]) is int and 0 < row["n"] < MOST_GAMES for row in found)
        )
    except (StrictError, KeyError, TypeError):
        is_one = False
    if not is_one:
        raise ArgumentError("scenario", source, "a file of `tetrasolve scenario new`")
    Position.parse(data["position"])
    return {**data, "rates": rates}


def text_of(made: Made) -> str:
    """A scenario as the text of a file."""
    return json.dumps(made.as_data(), indent=1, ensure_ascii=False) + "\n"
