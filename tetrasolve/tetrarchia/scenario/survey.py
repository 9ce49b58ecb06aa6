"""Measures the scenarios of the shipped collection by the recipe ``data/measured-scenarios.toml``.

    python -m tetrasolve.tetrarchia.scenario.survey --out scenarios.jsonl.xz --checkpoint build/measured.checkpoint --seconds 3600

A set-up depends on the recipe alone, and how many games are played is fixed in advance: all scenarios come to the first number of
games, then all to the second. Only the time decides which is the last, never a result, so the interval of each win rate is that of
Clopper and Pearson for its games (docs/decisions/0052). Games have numbers, so a run that was stopped goes on; without its
checkpoint, from the collection that is there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import product
from typing import Any

from tetrasolve.cli.collections import Run, run_script
from tetrasolve.exact.batches import Runner, Stage
from tetrasolve.exact.deadline import is_over
from tetrasolve.exact.executor import seed_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.hint.played import OPEN
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario.measured import Measured, read, write
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
        self.seeds = {one.name: one.games_seed for one in survey.chosen}
        self.positions = {one.name: one.position() for one in survey.chosen}
        for one in survey.chosen:
            set_ups = SetUps.fixed(self.positions[one.name])
            for policy in survey.games:
                name = f"{one.name} {policy}"
                self.stages[one.name, policy] = games_stage(runner, set_ups, policy, one.games_seed, stop, name)

    def begin_with(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """Go on from win rates that were measured before, where no game is played yet; gives how many were taken.

        The order of the results within them is not kept, and nothing depends on it. Rows of another set-up, seed or
        other weights are left out.
        """
        taken = 0
        for row in rows:
            known = row["name"] in self.positions and row["position"] == str(self.positions[row["name"]])
            if not known or row["versions"]["weights"] != weights_of_policies():
                continue
            for rate in row["rates"]:
                stage = self.stages.get((row["name"], rate["policy"]))
                games = rate["won"] + rate["lost"] + rate["open"]
                is_own = stage is not None and games % BATCH == 0 and rate["seed"] == self.seeds[row["name"]]
                if is_own and stage is not None and not stage.done:
                    letters = (letter * rate[key] for letter, key in (("w", "won"), ("l", "lost"), (OPEN, "open")))
                    stage.begin_at(games // BATCH, "".join(letters))
                    taken += 1
        return taken

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
    survey = recipe()

    def make(run: Run) -> tuple[bool, int]:
        measuring = Measuring(survey, Runner(run.executor, run.checkpoint), run.stop)
        if run.out.exists():
            run.say(f"{measuring.begin_with(read(run.out))} win rates taken from {run.out}")
        is_done = measuring.run(run.say)
        found = list(measuring.found())
        write(run.out, found)
        return is_done, len(found)

    return run_script("scenarios", __doc__ or "", survey.data(), make, argv)


if __name__ == "__main__":
    sys.exit(main())
