"""Contestants who take turns, so that whatever else the machine does meanwhile befalls all of them alike."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

Counts = Mapping[str, int]  # what a run has done, by unit: {"games": 810, "states": 40731}
Clock = Callable[[], float]


class BenchError(Exception):
    """A measurement that cannot be made, or that contradicts itself; the text is one line."""


def say(text: str) -> None:
    """Progress, for the person who waits."""
    print(text, file=sys.stderr, flush=True)


@dataclass(frozen=True)
class Contestant:
    """Somebody with work to do: `work` does it once and tells how much it was, `clock` gives its seconds so far."""

    name: str
    work: Callable[[], Counts]
    clock: Clock = time.process_time
    stretch: bool = True  # repeat the work within a run until the run is long enough to be timed well


@dataclass(frozen=True)
class Run:
    """One run: what was done, and in how many seconds."""

    counts: Counts
    seconds: float

    def rate(self, unit: str) -> float:
        """So many a second."""
        return self.counts[unit] / self.seconds


@dataclass(frozen=True)
class Spread:
    """Median, least and greatest of several measurements."""

    median: float
    min: float
    max: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Of these measurements."""
        return cls(median(values), min(values), max(values))

    def as_json(self) -> dict[str, float]:
        """To four significant digits, which is more than they deserve."""
        return {name: float(f"{value:.4g}") for name, value in vars(self).items()}


@dataclass(frozen=True)
class Ratio:
    """The rate of one contestant over that of another, each in its own unit."""

    name: str
    upper: tuple[str, str]  # contestant, unit
    lower: tuple[str, str]
    goal: float | None = None


@dataclass(frozen=True)
class Race:
    """The runs of all contestants, one each a repetition."""

    runs: Mapping[str, Sequence[Run]]

    def rates(self, name: str, unit: str) -> list[float]:
        """Those of one contestant, repetition by repetition."""
        return [run.rate(unit) for run in self.runs[name]]

    def can_tell(self, ratio: Ratio) -> bool:
        """Whether both sides of a ratio took part."""
        return ratio.upper[0] in self.runs and ratio.lower[0] in self.runs

    def ratio(self, ratio: Ratio) -> Spread:
        """Taken within each repetition, where both sides met the same machine."""
        pairs = zip(self.rates(*ratio.upper), self.rates(*ratio.lower), strict=True)
        return Spread.of([upper / lower for upper, lower in pairs])

    def results_json(self) -> dict[str, Any]:
        """For each contestant its counts and seconds a run, and its rates."""
        return {
            name: {
                "counts": [dict(run.counts) for run in runs],
                "seconds": [round(run.seconds, 6) for run in runs],
                "per_second": {unit: Spread.of([r.rate(unit) for r in runs]).as_json() for unit in runs[0].counts},
            }
            for name, runs in self.runs.items()
        }

    def ratios_json(self, ratios: Sequence[Ratio]) -> dict[str, Any]:
        """The ratios that can be computed, with their goals."""
        found: dict[str, Any] = {}
        for ratio in filter(self.can_tell, ratios):
            spread = self.ratio(ratio)
            found[ratio.name] = spread.as_json()
            if ratio.goal is not None:
                found[ratio.name] |= {"goal": ratio.goal, "reached": spread.median >= ratio.goal}
        return found


def race(contestants: Sequence[Contestant], repetitions: int, seconds: float) -> Race:
    """Everybody runs once a repetition, after a run that does not count.

    A different one begins each time. `seconds` is how long a run should take; work that ends sooner is done several
    times over.

    :raises BenchError: when a run is too short for its clock.
    """
    times: dict[str, int] = {}
    for contestant in contestants:
        say(f"warming up: {contestant.name}")
        once = timed(contestant, 1).seconds
        if contestant.stretch and once < seconds:
            once = timed(contestant, 1).seconds  # warm now, so that the guess is a good one
        times[contestant.name] = max(1, round(seconds / max(once, 1e-6))) if contestant.stretch else 1
    runs: dict[str, list[Run]] = {contestant.name: [] for contestant in contestants}
    for repetition in range(repetitions):
        say(f"repetition {repetition + 1} of {repetitions}")
        first = repetition % len(contestants)
        for contestant in (*contestants[first:], *contestants[:first]):
            runs[contestant.name].append(timed(contestant, times[contestant.name]))
    return Race(runs)


def timed(contestant: Contestant, times: int) -> Run:
    """One run: the work, so many times over.

    :raises BenchError: when the clock did not move.
    """
    counts: dict[str, int] = {}
    begin = contestant.clock()
    for _ in range(times):
        for unit, count in contestant.work().items():
            counts[unit] = counts.get(unit, 0) + count
    seconds = contestant.clock() - begin
    if seconds <= 0:
        raise BenchError(f"{contestant.name}: the run was too short for its clock")
    return Run(counts, seconds)
