"""What a reading changes in whole games: the tables of the game, and the games that come with the library.

`tetrasolve.lint.wholegames` plays and compares them, and has the classes. A *table* is a level with the modules that the reading
needs. Values that only the reference rules play are left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from tetrasolve.exact.batches import Progress
from tetrasolve.exact.cluster import Workers
from tetrasolve.lint.wholegames import (
    BATCH,
    CONFIDENCE,
    DECISIVE,
    FIRST,
    FORMAT,
    GOAL,
    LOST,
    MOST,
    OPEN,
    WON,
    Comparison,
    Measure,
    Play,
    Series,
    Weight,
    play_pairs,
    weight_of,
)
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import Pair
from tetrasolve.tetrarchia.lint.search import digest, pairs_of
from tetrasolve.tetrarchia.numbers import MOST_FLEETS_WITH_PIRATES
from tetrasolve.tetrarchia.ruleset import READINGS, Ruleset

__all__ = [
    "BATCH",
    "CONFIDENCE",
    "DECISIVE",
    "FIRST",
    "FORMAT",
    "GOAL",
    "LEVELS",
    "LOST",
    "MOST",
    "OPEN",
    "WON",
    "Comparison",
    "Play",
    "ReadingGames",
    "Weight",
    "goal_of",
    "measured_pairs",
    "play_games_of_pairs",
    "problems",
    "stored_games",
    "table_of",
    "tables_of",
    "weight_of",
]

STORED = "data/reading-games.json"
LEVELS = ("4211", "3122", "5300", "4221", "4222")
GOALS = {"4211": 0.01, "3122": 0.01}  # half-widths of the interval of a difference; `GOAL` at other levels


@dataclass(frozen=True)
class ReadingGames(Series):
    """The games of a seed by a policy, compared by level.

    `rules` is the digest of the readings and of the board.
    """

    def compare(self, pair: Pair, level: str) -> Comparison | None:
        """The games that were played under both values; None where there are none.

        :raises RulesetError: when there is no such level.
        """
        found = _measure(pair, level)
        return self.compared(pair, found.table, found.rulesets, found.goal)

    def comparisons(self, pair: Pair, levels: Iterable[str] = LEVELS) -> list[Comparison]:
        """Those of the levels at which games were played."""
        return [found for level in levels if (found := self.compare(pair, level)) is not None]

    @classmethod
    def read(cls, text: str, source: str) -> ReadingGames:
        """The games in a text.

        :raises FindingError: when it cannot be read.
        """
        return cls.read_as(text, source, lambda name: str(Ruleset.from_text(name)))


def _measure(pair: Pair, level: str) -> Measure:
    table = table_of(pair.reading, level)
    first, second = map(str, tables_of(pair, level))
    return Measure(pair, table, (first, second), goal_of(table))


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
    return tuple(pair for pair in pairs_of(names) if {*pair.values} <= {*READINGS[pair.reading].played})


def play_games_of_pairs(
    pairs: Sequence[Pair],
    play: Play,
    policy: str,
    *,
    levels: Sequence[str] = LEVELS,
    seed: int = 0,
    most: int = MOST,
    work: str | Path | None = None,
    workers: Workers = 1,
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
    rules = digest(Board.standard())
    for level in levels:
        Ruleset.from_level(level)
    series, complete = play_pairs(
        [_measure(pair, level) for level in levels for pair in pairs],
        play,
        policy,
        rules,
        seed=seed,
        most=most,
        work=work,
        workers=workers,
        seconds=seconds,
        cancel=cancel,
        progress=progress,
    )
    return ReadingGames(seed, policy, rules, series), complete


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
