"""What a reading changes in whole games of this game: its tables, and the games that come with the library.

`tetrasolve.lint.wholegames` plays and compares them, and has the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from tetrasolve.exact.batches import Progress
from tetrasolve.exact.cluster import Workers
from tetrasolve.finem.lint import bylearned
from tetrasolve.finem.lint.pairs import INTRODUCTORY, STANDARD, Pair, digest, rulesets_of, table_of
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.wholegames import MOST, Comparison, Measure, Series, play_pairs
from tetrasolve.stop import Stop

STORED = "data/reading-games.json"
LEVELS = (STANDARD, INTRODUCTORY)
GOALS = {STANDARD: 0.01, INTRODUCTORY: 0.015}  # half-widths of the interval of a difference, in [0, 1]


@dataclass(frozen=True)
class ReadingGames(Series):
    """The games of a seed by a policy, compared by level."""

    def compare(self, pair: Pair, level: str) -> Comparison | None:
        """The games that were played under both values; None where there are none."""
        found = measure(pair, level)
        return self.compared(pair, found.table, found.rulesets, found.goal)

    def comparisons(self, pair: Pair, levels: Iterable[str] = LEVELS) -> list[Comparison]:
        """Those of the levels at which games were played, each table once."""
        tables = dict.fromkeys(table_of(pair, level) for level in levels)
        found = {row.table: row for level in levels if (row := self.compare(pair, level)) is not None}
        return [found[table] for table in tables if table in found]

    @classmethod
    def read(cls, text: str, source: str) -> ReadingGames:
        """The games in a text.

        :raises FindingError: when it cannot be read.
        """
        return cls.read_as(text, source, lambda name: str(Ruleset.from_text(name)))


def measure(pair: Pair, level: str) -> Measure:
    """What is played for a pair at a level; where two values can differ at one level alone, its interval is as narrow as any."""
    table = table_of(pair, level)
    first, second = map(str, rulesets_of(pair, level))
    goal = min(GOALS[other] for other in LEVELS if table_of(pair, other) == table)
    return Measure(pair, table, (first, second), goal)


def play_games(
    pairs: Sequence[Pair],
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
    """Play each pair until the interval of its difference is narrow enough; whether all is done.

    The policy is the learned greedy one (`tetrasolve.finem.lint.bylearned`).

    :raises CheckpointError: when `work` cannot be read or written, or is of another task.
    :raises ReferenceOnlyError: for a value that only the reference rules play.
    """
    rules = digest()
    measures = {(row.table, row.pair): row for level in levels for row in (measure(pair, level) for pair in pairs)}
    policy = bylearned.policy()
    series, complete = play_pairs(
        [*measures.values()],
        bylearned.play,
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


@cache
def stored_games() -> ReadingGames:
    """The games that come with the library, by the learned greedy policy.

    :raises FindingError: when the file cannot be read.
    """
    return ReadingGames.read(resources.files("tetrasolve.finem").joinpath(STORED).read_text("utf-8"), STORED)
