"""What a reading changes in whole games: the tables of the game, and the games that come with the library.

`tetrasolve.lint.wholegames` plays and compares them, and has the classes. A *table* is a level, which may have modules, with those
that the reading needs. Games with values that only the reference rules play are a series of its own, with the games of both values
by them (`tetrasolve.tetrarchia.hint.byreference`); its tables are levels with what the smallest position in which the values differ
has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from pathlib import Path

from tetrasolve.errors import FindingError, RulesetError, shown
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
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.numbers import MOST_FLEETS_WITH_PIRATES
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import MODULES, READINGS, VARIANTS, Ruleset

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
    "WITHOUT_GAMES",
    "WON",
    "Comparison",
    "Play",
    "ReadingGames",
    "Weight",
    "games_of",
    "goal_of",
    "level_of",
    "measured_pairs",
    "play_games_of_pairs",
    "played_by_reference",
    "problems",
    "reference_pairs",
    "stored_games",
    "stored_games_by_reference",
    "table_of",
    "tables_of",
    "weight_of",
]

STORED, BY_REFERENCE = "data/reading-games.json", "data/reference-games.json"
LEVELS = ("4211", "3122", "5300", "4221", "4222")
GOALS = {"4211": 0.01, "3122": 0.01}  # half-widths of the interval of a difference; `GOAL` at other levels
# Values that only allow an action more, or make one cheaper: the plans of those games, which are the kernel's, do not use it
WITHOUT_GAMES = frozenset(
    {
        "I-GALERIUS-WON=goes-on",
        "I-HELPERS-ALONE=act",
        "I-HELPERS-ALONE=deploy",
        "I-MAKE-ROOM=either",
        "I-MARE-SAIL=joined",
        "I-PASS-HELPERS=act",
        "I-PASS-HELPERS=all",
        "I-PASS-POWER=may",
        "I-VIA-PRICE=cheapest",
    }
)


@dataclass(frozen=True)
class ReadingGames(Series):
    """The games of a seed by a policy, compared by level.

    `rules` is the digest of the readings and of the board.
    """

    def is_of(self, seed: int, policy: str) -> bool:
        """Whether a run of this seed and policy can go on with these games."""
        return (self.seed, self.policy, self.rules) == (seed, policy, digest(Board.standard()))

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
    table = str(_table(pair, level))
    first, second = map(str, tables_of(pair, level))
    return Measure(pair, table, (first, second), goal_of(table))


def goal_of(table: str) -> float:
    """The half-width that the interval of a difference must have, in [0, 1]."""
    return GOALS.get(table.partition("+")[0], GOAL)


def table_of(reading: str, level: str) -> str:
    """The table on which a reading is measured: a level, which may have modules, with those that the reading needs.

    With Pirates a level has at most two fleets.

    >>> table_of("I-CHECK", "5300"), table_of("I-PIRATES-ZONE", "5300"), table_of("I-CHECK", "4211+dux")
    ('5300', '5200+pirates', '4211+dux')
    """
    return str(_with(level, READINGS[reading].needs))


def level_of(text: str) -> Ruleset:
    """A level at which readings are measured, as it prints: four figures, and modules and variants if any.

    :raises RulesetError: when there is no such level, or the text has readings or house rules, too.
    """
    ruleset = Ruleset.from_text(text)
    if ruleset.interpretations or ruleset.house:
        raise RulesetError(
            f"level {shown(text)}: expected four figures and modules, like 4211 or 4211+dux, and neither readings nor house rules"
        )
    return ruleset


def _with(level: str, extensions: Sequence[str]) -> Ruleset:
    ruleset = level_of(level)
    names = ruleset.extensions.union(extensions)
    fleets = min(ruleset.fleets, MOST_FLEETS_WITH_PIRATES) if "pirates" in names else ruleset.fleets
    return replace(ruleset, fleets=fleets, modules=names.intersection(MODULES), variants=names.intersection(VARIANTS))


def played_by_reference(pair: Pair) -> bool:
    """Whether games of two values are those of the reference rules: the kernels do not play one of them."""
    return not {*pair.values}.isdisjoint(READINGS[pair.reading].reference)


def _table(pair: Pair, level: str) -> Ruleset:
    """The table on which two values are measured; a reading may need more than it says for one of its values."""
    if not played_by_reference(pair):
        return _with(level, READINGS[pair.reading].needs)
    shown = findings().named(pair.id).position
    needs = READINGS[pair.reading].needs if shown is None else sorted(Position.parse(shown).ruleset.extensions)
    return _with(level, needs)


def tables_of(pair: Pair, level: str) -> tuple[Ruleset, Ruleset]:
    """The ruleset of a table under each of two values."""
    ruleset = _table(pair, level)
    first, second = (ruleset.with_readings([(pair.reading, value)]) for value in pair.values)
    return first, second


def measured_pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Each two values that the kernels play, of these readings; of all where none is named.

    :raises FindingError: for a reading that does not exist.
    """
    return tuple(pair for pair in pairs_of(names) if not played_by_reference(pair))


def reference_pairs(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """The default with each value that the kernels do not play, where games tell something.

    >>> [pair.id for pair in reference_pairs(["I-CHECK"])]
    ['I-CHECK=each-link/each-unrest']

    :raises FindingError: for a reading that does not exist.
    """
    return tuple(
        pair
        for pair in pairs_of(names)
        if pair.values[0] == READINGS[pair.reading].default
        and pair.values[1] in READINGS[pair.reading].reference
        and f"{pair.reading}={pair.values[1]}" not in WITHOUT_GAMES
    )


def play_games_of_pairs(
    pairs: Sequence[Pair],
    play: Play,
    policy: str,
    *,
    levels: Sequence[str] = LEVELS,
    seed: int = 0,
    most: int = MOST,
    known: ReadingGames | None = None,
    work: str | Path | None = None,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[ReadingGames, bool]:
    """Play each two values at each level until the interval of their difference is narrow enough; whether all is done.

    `work` is a checkpoint, with which a run that was interrupted continues; `known` are games of another run, which are not
    played again. Levels come one after the other, so that an interrupted run has the first of them for all pairs. The number of
    processes changes no game.

    :raises RulesetError: when there is no such level.
    :raises FindingError: when `known` is of another seed, policy or digest of the rules.
    :raises CheckpointError: when `work` cannot be read or written, or is of another task.
    """
    rules = digest(Board.standard())
    if known is not None and not known.is_of(seed, policy):
        raise FindingError("the games to go on with are of another seed or policy, or of other readings")
    for level in levels:
        level_of(level)
    series, complete = play_pairs(
        [_measure(pair, level) for level in levels for pair in pairs],
        play,
        policy,
        rules,
        seed=seed,
        most=most,
        known={} if known is None else known.series,
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
    """The games that come with the library, of values that the kernels play.

    :raises FindingError: when the file cannot be read.
    """
    return _stored(STORED)


@cache
def stored_games_by_reference() -> ReadingGames:
    """The games that come with the library, of values that only the reference rules play.

    :raises FindingError: when the file cannot be read.
    """
    return _stored(BY_REFERENCE)


def _stored(name: str) -> ReadingGames:
    text = resources.files("tetrasolve.tetrarchia").joinpath(name).read_text("utf-8")
    return ReadingGames.read(text, name)


def games_of(pair: Pair) -> ReadingGames:
    """The stored games that compare two values.

    >>> games_of(Pair("I-CHECK", "each-link", "each-unrest")) is stored_games_by_reference()
    True
    """
    return stored_games_by_reference() if played_by_reference(pair) else stored_games()


def problems(
    games: ReadingGames, play: Play, policy: str, sample: int = 0, *, pairs: Sequence[Pair] | None = None
) -> Iterator[str]:
    """What is wrong with games, in sentences; the first `sample` games of each ruleset are played again.

    `pairs` are those that the games compare: without it all whose values the kernels play.
    """
    if games.rules != digest(Board.standard()):
        yield "the games are of other readings, or of another board"
    if games.policy != policy:
        yield f"the games are by {games.policy}, expected {policy}"
    known = {
        str(one)
        for pair in (measured_pairs() if pairs is None else pairs)
        for level in LEVELS
        for one in tables_of(pair, level)
    }
    for ruleset in sorted(games.series.keys() - known):
        yield f"{ruleset}: no two values are compared on this table"
    for ruleset, letters in games.series.items():
        wanted = letters[:sample]
        if wanted and (again := play(ruleset, games.seed, 0, len(wanted), None)) != wanted:
            yield f"{ruleset}: the first games end {again}, the file says {wanted}"
