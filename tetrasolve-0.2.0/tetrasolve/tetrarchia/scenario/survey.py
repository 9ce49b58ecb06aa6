"""Measures the scenarios of the shipped collection by the recipe ``data/measured-scenarios.toml``.

    python -m tetrasolve.tetrarchia.scenario.survey --out scenarios.jsonl.xz --checkpoint build/measured.checkpoint --seconds 3600

A set-up depends on the recipe alone, and how many games are played is fixed in advance: all scenarios come to the first number of
games, then all to the second. Only the time decides which is the last, never a result, so the interval of each win rate is that of
Clopper and Pearson for its games (docs/decisions/0052). Games have numbers, so a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.batches import Runner, Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import executing
from tetrasolve.exact.deadline import is_over, stop_of
from tetrasolve.exact.executor import seed_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario.measured import Measured, write
from tetrasolve.tetrarchia.scenario.measuring import (
    BATCH,
    CONFIDENCE,
    MOST_SEED,
    WinRate,
    games_stage,
    rate_of,
)
from tetrasolve.tetrarchia.scenario.policies import weights_of_policies
from tetrasolve.tetrarchia.scenario.setups import SetUps
from tetrasolve.tetrarchia.scenario.themes import ladder, theme

DATA = "data/measured-scenarios.toml"
FORMAT = "tetrasolve-scenario-survey/1"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A set-up of the recipe: the step of the first ladder of a theme that has this share, in [0, 1], of the steps below it."""

    theme: str
    seed: int
    share: float

    @property
    def name(self) -> str:
        """What it is called in the collection."""
        return f"{self.theme}-{self.seed}-{round(100 * self.share)}"

    @property
    def games_seed(self) -> int:
        """The seed of its games, the same for all policies."""
        return seed_of(self.seed, "survey", self.name) & MOST_SEED

    def position(self) -> Position:
        """The set-up: where its discs cannot lie together, that of the next step below.

        :raises ValueError: when no step has a set-up that can be.
        """
        rungs = ladder(theme(self.theme), self.seed, 0)
        steps = rungs.steps
        for step in range(steps[int(self.share * (len(steps) - 1))], steps[0] - 1, -1):
            position = rungs.position(step)
            if not position.status():
                return position
        raise ValueError(f"{self.name}: no step has a set-up that can be")


@dataclass(frozen=True, slots=True)
class Survey:
    """A recipe: its set-ups, and for each policy the numbers of games, as many for each."""

    chosen: tuple[Chosen, ...]
    games: dict[str, tuple[int, ...]]

    @property
    def rounds(self) -> int:
        """How many numbers of games there are."""
        return min(map(len, self.games.values()))

    def data(self) -> dict[str, Any]:
        """All that the games depend on, for a checkpoint; how many are played is not among it."""
        return {
            "format": FORMAT,
            "chosen": [[one.theme, one.seed, one.share] for one in self.chosen],
            "policies": [*self.games],
            "weights": weights_of_policies(),
            "batch": BATCH,
        }


def recipe() -> Survey:
    """The recipe of the shipped collection.

    >>> len(recipe().chosen)
    55
    """
    data = read_toml(resources.files("tetrasolve.tetrarchia").joinpath(DATA).read_text("utf-8"))
    rows = product(data["seeds"], data["shares"], data["themes"])
    chosen = [Chosen(name, seed, share) for seed, share, name in rows] + [Chosen(**row) for row in data.get("more", [])]
    return Survey(tuple(chosen), {row["name"]: tuple(row["games"]) for row in data["policy"]})


class Measuring:
    """The scenarios of a recipe under way."""

    def __init__(self, survey: Survey, runner: Runner, stop: Stop | None = None) -> None:
        self.survey, self.runner, self.stop = survey, runner, stop
        self.stages: dict[tuple[str, str], Stage] = {}
        self.positions = {one.name: one.position() for one in survey.chosen}
        for one in survey.chosen:
            set_ups = SetUps.fixed(self.positions[one.name])
            for policy in survey.games:
                name = f"{one.name} {policy}"
                self.stages[one.name, policy] = games_stage(runner, set_ups, policy, one.games_seed, stop, name)

    def run(self, say: Say = lambda _: None) -> bool:
        """Play on until all games are played, or the time is over: then it is false."""
        for number in range(self.survey.rounds):
            for one in self.survey.chosen:
                for policy, games in self.survey.games.items():
                    try:
                        self._to(self.stages[one.name, policy], games[number] // BATCH)
                    except Stopped:
                        return False
                    if is_over(self.stop):
                        return False
                say(f"round {number + 1} of {self.survey.rounds}: {one.name}")
        return True

    def _to(self, stage: Stage, batches: int) -> None:
        if stage.done < batches:
            stage.run_to(batches, self.runner.executor, self.runner.progress, lambda: is_over(self.stop))

    def found(self) -> Iterator[Measured]:
        """The scenarios that all policies have come to the first number of games with."""
        for one in self.survey.chosen:
            rates = [self._rate(one, policy) for policy in self.survey.games]
            complete = [rate for rate in rates if rate is not None]
            if len(complete) == len(rates):
                chosen = theme(one.theme)
                position = str(self.positions[one.name])
                yield Measured(one.name, one.theme, chosen.title, one.seed, one.share, position, tuple(complete))

    def _rate(self, one: Chosen, policy: str) -> WinRate | None:
        """The rate by the last number of games that was reached."""
        letters = self.stages[one.name, policy].total or ""
        reached = [games for games in self.survey.games[policy] if games <= len(letters)]
        if not reached:
            return None
        own = letters[: max(reached)]
        return WinRate(policy, one.games_seed, rate_of(own, CONFIDENCE), own, "complete")


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit code 3: the time was over before all games were played."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="the collection, JSON lines as .xz")
    parser.add_argument("--checkpoint", type=Path, required=True, help="where the games are kept, to go on from")
    add_workers(parser)
    parser.add_argument("--seconds", type=float, help="stop after this time; what there is is written")
    options = parser.parse_args(argv)
    survey = recipe()
    try:
        stop = stop_of(options.seconds)
        with ExitStack() as opened:
            kept = opened.enter_context(Checkpoint(options.checkpoint, survey.data()))
            executor = opened.enter_context(executing(opened.enter_context(workers_of(options)), stop))
            measuring = Measuring(survey, Runner(executor, kept), stop)
            is_done = measuring.run(_say)
            found = list(measuring.found())
            write(options.out, found)
    except (TetrasolveError, OSError, ValueError) as error:
        parser.error(str(error))
    _say(f"{len(found)} scenarios written to {options.out}")
    return 0 if is_done else 3


def _say(text: str) -> None:
    print(f"scenarios: {text}", file=sys.stderr, flush=True)  # noqa: T201  # progress of a program


if __name__ == "__main__":
    sys.exit(main())
