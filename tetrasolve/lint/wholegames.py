"""What a reading changes in whole games: win rates under two of its values, with the same chance. Independent of the game.

Game number n of a *table* (rules that one of two values completes) has set-up and chance from the seed and n, under both
values, and both are played by one policy that knows its rules. So only games that are won under one value alone tell them apart.

The games of each table under each value are a row of letters. More games are played until the interval of the difference is narrow
enough (`Measure.goal`); its ends are those of `paired_difference` at the number of games that this took.

============== ==============================================================================================
class          defined by the intervals of the difference, on all tables that were measured
============== ==============================================================================================
``decisive``   one lies more than 2 points from zero
``tactical``   one excludes zero
``cosmetic``   none excludes zero, and each is as narrow as it has to be
``unknown``    none excludes zero, and one is not narrow enough yet, or no game was played
============== ==============================================================================================
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol, Self

from tetrasolve.errors import ClusterError, FindingError, TetrasolveError, shown
from tetrasolve.exact.batches import Progress, Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import Moment, check, moment, stop_at, stop_of
from tetrasolve.exact.estimate import Estimate, chance, paired_difference
from tetrasolve.exact.executor import Executor, SerialExecutor
from tetrasolve.files import SIZE, write_text
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import StrictError, read_json, record

FORMAT = "tetrasolve-reading-games/1"
CONFIDENCE = 0.95
GOAL = 0.02  # half-width of the interval of a difference, where a game states no other
DECISIVE = 0.02
BATCH = 25  # games of one job
FIRST, MOST = 200, 20_000  # games of a table before the first look, and the most by default
WON, LOST, OPEN = "w", "l", "o"  # of a game; open where it was not over after its most turns

Play = Callable[
    [str, int, int, int, "Stop | None"], str
]  # ruleset, seed, number of the first game, how many -> their letters


class Pair(Protocol):
    """A reading with two of its values."""

    @property
    def reading(self) -> str:
        """The reading."""
        ...

    @property
    def values(self) -> tuple[str, str]:
        """Both values."""
        ...


class Weight(StrEnum):
    """The class of a reading by whole games; the gravest first."""

    DECISIVE = "decisive"
    TACTICAL = "tactical"
    COSMETIC = "cosmetic"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The games of one table under both values: how many, won under each, and won under that one alone.

    `goal` is the half-width that the interval of the difference must have, in [0, 1].
    """

    pair: Pair
    table: str
    games: int
    won: tuple[int, int]
    alone: tuple[int, int]
    goal: float = GOAL

    @property
    def rates(self) -> tuple[Estimate, Estimate]:
        """The chances that a game is won, in [0, 1]."""
        first, second = (chance(won, self.games, CONFIDENCE) for won in self.won)
        return first, second

    @property
    def difference(self) -> Estimate:
        """The chance under the second value minus that under the first, in [-1, 1]."""
        return paired_difference(self.alone[1], self.alone[0], self.games, CONFIDENCE)

    def as_data(self) -> dict[str, Any]:
        """The comparison for JSON."""
        first, second = self.rates
        return {
            "table": self.table,
            "games": self.games,
            "won": list(self.won),
            "won_alone": list(self.alone),
            "rates": [first.as_data(), second.as_data()],
            "difference": self.difference.as_data(),
            "is_narrow": self.is_narrow,
        }

    @property
    def is_narrow(self) -> bool:
        """Whether the interval of the difference is as narrow as it has to be."""
        return self.difference.half_width <= self.goal

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval of the difference excludes zero."""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def is_decisive(self) -> bool:
        """Whether the interval lies more than 2 points from zero."""
        return self.difference.low > DECISIVE or self.difference.high < -DECISIVE


@dataclass(frozen=True)
class Series:
    """The games of a seed by a policy: for each ruleset a text with a letter for each game, ``w``, ``l`` or ``o``.

    `rules` is the digest of the rules that they are about.
    """

    seed: int
    policy: str
    rules: str
    series: Mapping[str, str]

    def compared(self, pair: Pair, table: str, rulesets: Sequence[str], goal: float = GOAL) -> Comparison | None:
        """The games that were played under both values; None where there are none."""
        first, second = (self.series.get(ruleset, "") for ruleset in rulesets)
        games = min(len(first), len(second))
        if not games:
            return None
        both = Counter(zip(first, second, strict=False))
        won = (first[:games].count(WON), second[:games].count(WON))
        alone = (
            sum(count for (one, other), count in both.items() if one == WON != other),
            sum(count for (one, other), count in both.items() if other == WON != one),
        )
        return Comparison(pair, table, games, won, alone, goal)

    def write(self, path: str | Path) -> None:
        """Write it to a file, whole.

        :raises OSError: when it cannot be written.
        """
        data = {"format": FORMAT, "seed": self.seed, "policy": self.policy, "rules": self.rules}
        write_text(path, json.dumps(data | {"series": dict(sorted(self.series.items()))}, indent=1) + "\n")

    @classmethod
    def read_as(cls, text: str, source: str, canonical: Callable[[str], str]) -> Self:
        """The games in a text; `canonical` is a ruleset as the game writes it.

        :raises FindingError: when it cannot be read.
        """
        try:
            data = read_json(text, size=SIZE)
            if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
                raise FindingError(f"{source}: expected games that say {FORMAT!r}")
            found: Self = record(cls, data, source)
        except StrictError as error:
            raise FindingError(f"{source}: {error}") from None
        for name, letters in found.series.items():
            if wrong := sorted({*letters} - {WON, LOST, OPEN}):
                raise FindingError(f"{source}: {shown(name)}: expected letters {WON}, {LOST} and {OPEN}, found {wrong}")
            try:
                usual = canonical(name)
            except TetrasolveError as error:
                raise FindingError(f"{source}: {error}") from None
            if usual != name:
                raise FindingError(f"{source}: expected the ruleset {usual}, found {shown(name)}")
        return found


def weight_of(comparisons: Sequence[Comparison]) -> Weight:
    """The class of two values, by the intervals of all tables that were measured."""
    if any(found.is_decisive for found in comparisons):
        return Weight.DECISIVE
    if any(found.excludes_zero for found in comparisons):
        return Weight.TACTICAL
    return Weight.COSMETIC if comparisons and all(found.is_narrow for found in comparisons) else Weight.UNKNOWN


@dataclass(frozen=True, slots=True)
class Measure:
    """What is played for two values: the name of the table, the ruleset under each value, and how narrow the interval must be."""

    pair: Pair
    table: str
    rulesets: tuple[str, str]
    goal: float = GOAL


# -- playing -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Context:
    """What the jobs of one ruleset share; `stop` is for jobs of this process, `until` for those of others."""

    play: Play
    ruleset: str
    seed: int
    stop: Stop | None
    until: Moment | None


def _batch(context: _Context, number: int) -> str:
    stop = context.stop or stop_at(context.until)
    return context.play(context.ruleset, context.seed, number * BATCH, BATCH, stop)


def _joined(letters: str | None, more: str) -> str:
    """The games so far with a batch more.

    :raises ClusterError: when it is no batch of games, as a worker of a cluster may answer.
    """
    if len(more) != BATCH or set(more) - {WON, LOST, OPEN}:
        raise ClusterError(f"a worker gave something else than {BATCH} games: {shown(more)}")
    return (letters or "") + more


class _Run:
    """One call of `play_pairs`: stages of rulesets, made when they are needed."""

    def __init__(
        self,
        play: Play,
        seed: int,
        *,
        known: Mapping[str, str],
        checkpoint: Checkpoint | None,
        executor: Executor,
        stop: Stop | None,
        progress: Progress | None,
    ) -> None:
        self._play, self._seed, self._checkpoint, self._executor = play, seed, checkpoint, executor
        self._known = known
        self._stop, self._progress = stop, progress
        self._stages: dict[str, Stage] = {}
        self._asked: dict[str, int] = {}  # games of each ruleset

    def series(self) -> dict[str, str]:
        """The games that were asked for and are played; a checkpoint may hold more."""
        letters = {ruleset: self._letters(ruleset)[:games] for ruleset, games in sorted(self._asked.items())}
        return {ruleset: played for ruleset, played in letters.items() if played}

    def _letters(self, ruleset: str) -> str:
        return self._stage(ruleset).total or ""

    def _stage(self, ruleset: str) -> Stage:
        if ruleset not in self._stages:
            here = self._stop if isinstance(self._executor, SerialExecutor) else None
            context = _Context(self._play, ruleset, self._seed, here, moment(self._stop))
            stage = Stage(ruleset, _batch, context, _joined, self._checkpoint)
            known = len(self._known.get(ruleset, "")) // BATCH
            if known and not stage.has_begun:
                stage.begin_at(known, self._known[ruleset][: known * BATCH])
            self._stages[ruleset] = stage
        return self._stages[ruleset]

    def _extend(self, ruleset: str, games: int) -> None:
        stage, batches = self._stage(ruleset), ceil(games / BATCH)
        self._asked[ruleset] = max(games, self._asked.get(ruleset, 0))
        if stage.done < batches:
            check(self._stop)
            stage.run_to(batches, self._executor, self._progress)

    def until_narrow(self, measured: Measure, most: int) -> None:
        """Play two values until the interval of their difference is narrow enough, or for so many games.

        :raises Stopped: when the flag is set before.
        """
        games = min(FIRST, most)
        while True:
            for ruleset in measured.rulesets:
                self._extend(ruleset, games)
            letters = {ruleset: self._letters(ruleset)[:games] for ruleset in measured.rulesets}
            found = Series(self._seed, "", "", letters).compared(
                measured.pair, measured.table, measured.rulesets, measured.goal
            )
            if found is None or found.is_narrow or games >= most:
                return
            games = min(most, _further(found))


def _further(found: Comparison) -> int:
    """How many games may be enough, in whole batches: at most twice as many as now.

    The length of an interval goes down with the root of the number of games, and with the number itself where no game differs.
    """
    ratio = found.difference.half_width / found.goal
    wanted = found.games * (ratio**2 if any(found.alone) else ratio)
    return min(2 * found.games, ceil(max(wanted, found.games + BATCH) / BATCH) * BATCH)


def play_pairs(
    measures: Sequence[Measure],
    play: Play,
    policy: str,
    rules: str,
    *,
    seed: int = 0,
    most: int = MOST,
    known: Mapping[str, str] = MappingProxyType({}),
    work: str | Path | None = None,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[dict[str, str], bool]:
    """Play each two values until the interval of their difference is narrow: the letters by ruleset, and whether all is done.

    `work` is a checkpoint, with which a run that was interrupted continues; `known` are letters of games that are played already.
    Processes or a cluster (`workers`) change no game.

    :param rules: the digest of the rules.
    :raises CheckpointError: when `work` cannot be read or written, or is of another task.
    """
    stop = stop_of(seconds, cancel)
    task = {"format": FORMAT, "seed": seed, "policy": policy, "rules": rules, "batch": BATCH}
    complete = True
    with ExitStack() as open_ones:
        checkpoint = None if work is None else open_ones.enter_context(Checkpoint(work, task))
        executor = open_ones.enter_context(executing(workers, stop))
        run = _Run(play, seed, known=known, checkpoint=checkpoint, executor=executor, stop=stop, progress=progress)
        try:
            for measured in measures:
                run.until_narrow(measured, most)
        except Stopped:
            complete = False
    return run.series(), complete
