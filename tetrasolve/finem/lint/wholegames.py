"""What a reading changes in whole games of this game: its tables, and the games that come with the library.

`tetrasolve.lint.wholegames` plays and compares them, and has the classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from tetrasolve.errors import FindingError
from tetrasolve.exact.batches import Progress
from tetrasolve.exact.cluster import Workers
from tetrasolve.finem.lint import byreference, played
from tetrasolve.finem.lint.pairs import INTRODUCTORY, STANDARD, Pair, digest, rulesets_of, table_of
from tetrasolve.finem.ruleset import Ruleset
from tetrasolve.lint.wholegames import MOST, Comparison, Measure, Series, play_pairs
from tetrasolve.stop import Stop

STORED = "data/reading-games.json"
# Of the pairs whose games are played by the reference rules, `Pair.is_later`: a file for each run, the longest first
OF_REFERENCE = ("data/reference-games.json", "data/reference-games-later.json", "data/reference-games-latest.json")
LEVELS = (STANDARD, INTRODUCTORY)
GOALS = {STANDARD: 0.01, INTRODUCTORY: 0.015}  # half-widths of the interval of a difference, in [0, 1]


@dataclass(frozen=True)
class ReadingGames(Series):
    """The games of a seed by the greedy policy, compared by level."""

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
    """What is played for a pair at a level."""
    table = table_of(pair, level)
    first, second = map(str, rulesets_of(pair, level))
    return Measure(pair, table, (first, second), GOALS[Ruleset.from_text(table).level])


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

    Where the games of one of them are those of the reference rules (`Pair.is_later`), all are played by these, with the policy
    of `tetrasolve.finem.lint.byreference`: games of one series are of one policy.

    :raises CheckpointError: when `work` cannot be read or written, or is of another task.
    """
    rules = digest()
    measures = {(row.table, row.pair): row for level in levels for row in (measure(pair, level) for pair in pairs)}
    by = byreference if any(pair.is_later for pair in pairs) else played
    series, complete = play_pairs(
        [*measures.values()],
        by.play,
        by.POLICY,
        rules,
        seed=seed,
        most=most,
        work=work,
        workers=workers,
        seconds=seconds,
        cancel=cancel,
        progress=progress,
    )
    return ReadingGames(seed, by.POLICY, rules, series), complete


@cache
def stored_games() -> ReadingGames:
    """The games that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    return _read(STORED)


@cache
def stored_games_of_reference() -> ReadingGames:
    """The games of pairs whose second value came later (`Pair.is_later`), by the reference rules and their policy.

    :raises FindingError: when a file cannot be read, or its games are not of the same seed, policy and rules.
    """
    return _joined([(_read(name), name) for name in OF_REFERENCE])


def _joined(found: Sequence[tuple[ReadingGames, str]]) -> ReadingGames:
    """The games of all files; those of one ruleset are the same, as far as both have them."""
    whole = found[0][0]
    for games, name in found[1:]:
        if replace(games, series=whole.series) != whole:
            raise FindingError(f"{name}: expected games of the seed, policy and rules of {found[0][1]}")
        for ruleset, letters in games.series.items():
            if not whole.series.get(ruleset, letters).startswith(letters):
                raise FindingError(f"{name}: {ruleset}: expected the first games of {found[0][1]}")
        whole = replace(whole, series={**games.series, **whole.series})
    return whole


def _read(name: str) -> ReadingGames:
    return ReadingGames.read(resources.files("tetrasolve.finem").joinpath(name).read_text("utf-8"), name)
