"""What a reading changes in whole games: win rates under two of its values, with the same set-ups and dice.

Game number n of a *table* (a level, with the modules that the reading needs) has its set-up and its dice from the seed and n, under
both values, and both are played by one policy that knows its rules. So only the games that are won under one value alone tell them
apart. Values that only the reference rules play are left out.

The games of each table under each value are a row of letters. More games are played until the interval of the difference is narrow
enough (`GOALS`), so its length is fixed, and its ends are those of `paired_difference` at the number of games that this took.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from importlib import resources
from math import ceil
from pathlib import Path
from typing import Any

from tetrasolve.errors import FindingError, TetrasolveError, shown
from tetrasolve.exact.batches import Progress, Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.deadline import Moment, check, moment, stop_at, stop_of
from tetrasolve.exact.estimate import Estimate, chance, paired_difference
from tetrasolve.exact.executor import Executor, ProcessExecutor, SerialExecutor
from tetrasolve.files import SIZE, write_text
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import StrictError, read_json, record
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.search import digest, pairs_of
from tetrasolve.tetrarchia.numbers import MOST_FLEETS_WITH_PIRATES
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

FORMAT = "tetrasolve-reading-games/1"
STORED = "data/reading-games.json"
CONFIDENCE = 0.95
LEVELS = ("4211", "3122", "5300", "4200", "4222")
GOALS = {"4211": 0.01, "3122": 0.01}  # half-widths of the interval of a difference
GOAL = 0.02  # at other levels
DECISIVE = 0.02
BATCH = 25  # games of one job
FIRST, MOST = 200, 20_000  # games of a table before the first look, and the most by default
WON, LOST, OPEN = "w", "l", "o"  # of a game; open where it was not over after its most turns

Play = Callable[
    [str, int, int, int, "Stop | None"], str
]  # ruleset, seed, number of the first game, how many -> their letters


class Weight(StrEnum):
    """The class of a reading by whole games; the gravest first."""

    DECISIVE = "decisive"
    TACTICAL = "tactical"
    COSMETIC = "cosmetic"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Comparison:
    """The games of one table under both values: how many, won under each, and won under that one alone."""

    pair: Pair
    table: str
    games: int
    won: tuple[int, int]
    alone: tuple[int, int]

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
        return self.difference.half_width <= goal_of(self.table)

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval of the difference excludes zero."""
        return self.difference.low > 0 or self.difference.high < 0

    @property
    def is_decisive(self) -> bool:
        """Whether the interval lies more than 2 points from zero."""
        return self.difference.low > DECISIVE or self.difference.high < -DECISIVE


@dataclass(frozen=True)
class ReadingGames:
    """The games of a seed by a policy: for each ruleset a text with a letter for each game, ``w``, ``l`` or ``o``.

    `rules` is the digest of the readings and of the board.
    """

    seed: int
    policy: str
    rules: str
    series: Mapping[str, str]

    def compare(self, pair: Pair, level: str) -> Comparison | None:
        """The games that were played under both values; None where there are none.

        :raises RulesetError: when there is no such level.
        """
        first, second = (self.series.get(str(ruleset), "") for ruleset in tables_of(pair, level))
        games = min(len(first), len(second))
        if not games:
            return None
        both = [*zip(first, second, strict=False)]
        won = (first[:games].count(WON), second[:games].count(WON))
        alone = (
            sum(one == WON != other for one, other in both),
            sum(other == WON != one for one, other in both),
        )
        return Comparison(pair, table_of(pair.reading, level), games, won, alone)

    def comparisons(self, pair: Pair, levels: Iterable[str] = LEVELS) -> list[Comparison]:
        """Those of the levels at which games were played."""
        return [found for level in levels if (found := self.compare(pair, level)) is not None]

    def write(self, path: str | Path) -> None:
        """Write it to a file, whole.

        :raises OSError: when it cannot be written.
        """
        data = {"format": FORMAT, "seed": self.seed, "policy": self.policy, "rules": self.rules}
        write_text(path, json.dumps(data | {"series": dict(sorted(self.series.items()))}, indent=1) + "\n")

    @classmethod
    def read(cls, text: str, source: str) -> ReadingGames:
        """The games in a text.

        :raises FindingError: when it cannot be read.
        """
        try:
            data = read_json(text, size=SIZE)
            if not isinstance(data, dict) or data.pop("format", None) != FORMAT:
                raise FindingError(f"{source}: expected games that say {FORMAT!r}")
            found: ReadingGames = record(cls, data, source)
        except StrictError as error:
            raise FindingError(f"{source}: {error}") from None
        for name, letters in found.series.items():
            if wrong := sorted({*letters} - {WON, LOST, OPEN}):
                raise FindingError(f"{source}: {shown(name)}: expected letters {WON}, {LOST} and {OPEN}, found {wrong}")
            try:
                canonical = str(Ruleset.from_text(name))
            except TetrasolveError as error:
                raise FindingError(f"{source}: {error}") from None
            if canonical != name:
                raise FindingError(f"{source}: expected the ruleset {canonical}, found {shown(name)}")
        return found


def weight_of(comparisons: Sequence[Comparison]) -> Weight:
    """The class of two values, by the intervals of all tables that were measured."""
    if any(found.is_decisive for found in comparisons):
        return Weight.DECISIVE
    if any(found.excludes_zero for found in comparisons):
        return Weight.TACTICAL
    return Weight.COSMETIC if comparisons and all(found.is_narrow for found in comparisons) else Weight.UNKNOWN


def goal_of(table: str) -> float:
    """The half-width that the interval of a difference must have, in [0, 1]."""
    return GOALS.get(table.partition("+")[0], GOAL)


def table_of(reading: str, level: str) -> str:
    """The table on which a reading is measured: a level with the modules and variants that the reading needs.

    With Pirates a level has at most two fleets.

    >>> table_of("I-CHECK", "5300"), table_of("I-PIRATES-ZONE", "5300")
    ('5300', '5200+pirates')
    """
    ruleset, needs = Ruleset.from_level(level), READINGS[reading].needs
    if "pirates" in needs:
        ruleset = replace(ruleset, fleets=min(ruleset.fleets, MOST_FLEETS_WITH_PIRATES))
    return "+".join((str(ruleset), *needs))


def tables_of(pair: Pair, level: str) -> tuple[Ruleset, Ruleset]:
    """The ruleset of a table under each of two values."""
    ruleset = Ruleset.from_text(table_of(pair.reading, level))
    first, second = (ruleset.with_readings([(pair.reading, value)]) for value in pair.values)
    return first, second


def measured_pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Each two values that the kernels play, of these readings; of all where none is named.

    :raises FindingError: for a reading that does not exist.
    """
    return tuple(pair for pair in pairs_of(names) if not pair.by_reference)


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
    return (letters or "") + more


class _Run:
    """One call of `play_games_of_pairs`: stages of rulesets, made when they are needed."""

    def __init__(
        self,
        play: Play,
        seed: int,
        *,
        checkpoint: Checkpoint | None,
        executor: Executor,
        stop: Stop | None,
        progress: Progress | None,
    ) -> None:
        self._play, self._seed, self._checkpoint, self._executor = play, seed, checkpoint, executor
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
            self._stages[ruleset] = Stage(ruleset, _batch, context, _joined, self._checkpoint)
        return self._stages[ruleset]

    def _extend(self, ruleset: str, games: int) -> None:
        stage, batches = self._stage(ruleset), ceil(games / BATCH)
        self._asked[ruleset] = max(games, self._asked.get(ruleset, 0))
        if stage.done < batches:
            check(self._stop)
            stage.run_to(batches, self._executor, self._progress)

    def until_narrow(self, pair: Pair, level: str, most: int) -> None:
        """Play two values until the interval of their difference is narrow enough, or for so many games.

        :raises Stopped: when the flag is set before.
        """
        games = min(FIRST, most)
        while True:
            rulesets = [str(ruleset) for ruleset in tables_of(pair, level)]
            for ruleset in rulesets:
                self._extend(ruleset, games)
            letters = {ruleset: self._letters(ruleset)[:games] for ruleset in rulesets}
            found = ReadingGames(self._seed, "", "", letters).compare(pair, level)
            if found is None or found.is_narrow or games >= most:
                return
            games = min(most, _further(found))


def _further(found: Comparison) -> int:
    """How many games may be enough, in whole batches: at most twice as many as now.

    The length of an interval goes down with the root of the number of games, and with the number itself where no game differs.
    """
    ratio = found.difference.half_width / goal_of(found.table)
    wanted = found.games * (ratio**2 if any(found.alone) else ratio)
    return min(2 * found.games, ceil(max(wanted, found.games + BATCH) / BATCH) * BATCH)


def play_games_of_pairs(
    pairs: Sequence[Pair],
    play: Play,
    policy: str,
    *,
    levels: Sequence[str] = LEVELS,
    seed: int = 0,
    most: int = MOST,
    work: str | Path | None = None,
    workers: int = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[ReadingGames, bool]:
    """Play each two values at each level until the interval of their difference is narrow enough; whether all is done.

    `work` is a checkpoint, with which a run that was interrupted continues. Levels come one after the other, so that an
    interrupted run has the first of them for all pairs. The number of processes changes no game.

    :raises RulesetError: when there is no such level.
    :raises CheckpointError: when `work` cannot be read or written, or is of another task.
    """
    stop, rules = stop_of(seconds, cancel), digest(Board.standard())
    for level in levels:
        Ruleset.from_level(level)
    task = {"format": FORMAT, "seed": seed, "policy": policy, "rules": rules, "batch": BATCH}
    complete = True
    with ExitStack() as open_ones:
        checkpoint = None if work is None else open_ones.enter_context(Checkpoint(work, task))
        executor: Executor = SerialExecutor()
        if workers > 1:
            executor = open_ones.enter_context(ProcessExecutor(workers, stop=stop))
        run = _Run(play, seed, checkpoint=checkpoint, executor=executor, stop=stop, progress=progress)
        try:
            for level in levels:
                for pair in pairs:
                    run.until_narrow(pair, level, most)
        except Stopped:
            complete = False
    return ReadingGames(seed, policy, rules, run.series()), complete


# -- stored ------------------------------------------------------------------------------------------------------------


@cache
def stored_games() -> ReadingGames:
    """The games that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8")
    return ReadingGames.read(text, STORED)


def problems(games: ReadingGames, play: Play, policy: str, sample: int = 0) -> Iterator[str]:
    """What is wrong with games, in sentences; the first `sample` games of each ruleset are played again."""
    if games.rules != digest(Board.standard()):
        yield "the games are of other readings, or of another board"
    if games.policy != policy:
        yield f"the games are by {games.policy}, expected {policy}"
    known = {str(one) for pair in measured_pairs() for level in LEVELS for one in tables_of(pair, level)}
    for ruleset in sorted(games.series.keys() - known):
        yield f"{ruleset}: no two values are compared on this table"
    for ruleset, letters in games.series.items():
        wanted = letters[:sample]
        if wanted and (again := play(ruleset, games.seed, 0, len(wanted), None)) != wanted:
            yield f"{ruleset}: the first games end {again}, the file says {wanted}"
