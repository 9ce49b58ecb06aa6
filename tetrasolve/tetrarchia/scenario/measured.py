"""The collection of scenarios that ships with the library: set-ups of the themes with measured win rates.

`tetrasolve.tetrarchia.scenario.survey` makes it. Each line is a JSON object of the format ``tetrasolve-measured-scenario/1``.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tetrasolve import files
from tetrasolve.errors import ArgumentError
from tetrasolve.release import version
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario.made import compared, contents
from tetrasolve.tetrarchia.scenario.measuring import WinRate
from tetrasolve.tetrarchia.scenario.policies import weights_of_policies

FORMAT = "tetrasolve-measured-scenario/1"
LARGEST = 10**7  # bytes of a file of the collection
SHIPPED = "data/measured-scenarios.jsonl.xz"


@dataclass(frozen=True, slots=True)
class Measured:
    """A scenario with its measured win rates, the first policy's first; `share` is that of its step, see ``scenario.survey``."""

    name: str
    theme: str
    title: str
    seed: int
    share: float
    position: str
    rates: tuple[WinRate, ...]

    @property
    def sentence(self) -> str:
        """What is hard about it: its discs and armies by place, and how the policies fare."""
        return " ".join((contents(Position.parse(self.position)), *compared(self.rates[0], self.rates[1:])))

    def as_data(self) -> dict[str, Any]:
        """The scenario for JSON, with the versions of what measured it."""
        return {
            "format": FORMAT,
            "name": self.name,
            "theme": self.theme,
            "title": self.title,
            "position": self.position,
            "rates": [rate.as_data() for rate in self.rates],
            "sentence": self.sentence,
            "seed": self.seed,
            "share": self.share,
            "versions": {"tetrasolve": version(), "weights": weights_of_policies()},
        }


def write(path: Path, scenarios: Sequence[Measured]) -> None:
    """Write a compressed collection; equal scenarios give equal bytes.

    :raises OSError: when it cannot be written.
    """
    text = "".join(json.dumps(one.as_data(), ensure_ascii=False) + "\n" for one in scenarios)
    files.write_bytes(path, lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a compressed collection.

    :raises ArgumentError: when it is none.
    :raises OSError: when it cannot be read.
    """
    try:
        rows = [read_json(line) for line in files.unpack(files.read_bytes(path, LARGEST)).decode().splitlines()]
    except ValueError as error:
        raise ArgumentError("collection", str(path), f"what `write` has written: {error}") from None
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict) or row.get("format") != FORMAT:
            raise ArgumentError(f"{path}, line {number}", type(row).__name__, f"an object with the format {FORMAT}")
    return rows


@cache
def shipped() -> Mapping[str, Mapping[str, Any]]:
    """The scenarios that ship with the library, by name, as `Measured.as_data` gives them.

    >>> len(shipped()) >= 50
    True
    """
    data = files.unpack(resources.files("tetrasolve.tetrarchia").joinpath(SHIPPED).read_bytes()).decode()
    rows = (read_json(line) for line in data.splitlines())
    return MappingProxyType({row["name"]: MappingProxyType(row) for row in rows})


def scenario(name: str) -> Mapping[str, Any]:
    """The scenario with this name.

    :raises ArgumentError: when there is none.
    """
    if name not in shipped():
        raise ArgumentError("scenario", name, "a name of `tetrasolve scenario list`, or the file of one that was made")
    return shipped()[name]


def rate_in(row: Mapping[str, Any], policy: str) -> Mapping[str, Any]:
    """The estimate of how often a policy wins a scenario.

    :raises ArgumentError: when it was not measured.
    """
    for rate in row["rates"]:
        if rate["policy"] == policy:
            found: Mapping[str, Any] = rate["rate"]
            return found
    measured = ", ".join(rate["policy"] for rate in row["rates"])
    raise ArgumentError("policy", policy, f"one of those that were measured: {measured}")


def rate_lines(row: Mapping[str, Any]) -> Iterator[str]:
    """How often each policy wins a scenario, in words: the share, its 95 % interval, and the games."""
    for rate in row["rates"]:
        low, high = (100 * bound for bound in rate["rate"]["ci"])
        yield f"{rate['policy']} wins {100 * rate['rate']['float']:.0f} % ({low:.0f} to {high:.0f} %, {rate['rate']['n']} games)"


def select(
    theme: str | None = None, policy: str = "greedy", low: float = 0.0, high: float = 1.0
) -> Iterator[Mapping[str, Any]]:
    """The scenarios of a theme (None: of all) that a policy wins at least as often as `low` and at most as often as `high`.

    :raises ArgumentError: when the policy was not measured.
    """
    for row in shipped().values():
        if theme in (None, row["theme"]) and low <= rate_in(row, policy)["float"] <= high:
            yield row
