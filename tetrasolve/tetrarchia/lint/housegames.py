"""What house rules change in whole games: win rates and lengths of games with and without them, with the same set-ups and dice.

Game number n of a level has its set-up and its dice from the seed and n, and is played under each ruleset by one policy that knows
what it may do there; its evaluation was learned from games of the rulebook and is not calibrated for house rules. Where a house
rule changes how a set-up is rolled, the set-ups differ.

Games are played until the interval of the difference of the win rates is narrow enough (`GOALS` of
`tetrasolve.tetrarchia.lint.wholegames`), or for a number of games; the looks do not depend on which ruleset wins more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Any

from tetrasolve.errors import RulesetError, shown
from tetrasolve.exact.batches import Progress, Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import Moment, check, moment, stop_at, stop_of
from tetrasolve.exact.estimate import Estimate, chance, paired_difference, replications
from tetrasolve.exact.executor import Executor, SerialExecutor
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.house import STANDARD, House, house_number, house_text
from tetrasolve.tetrarchia.lint.search import digest
from tetrasolve.tetrarchia.lint.wholegames import BATCH, CONFIDENCE, FIRST, LEVELS, WON, goal_of
from tetrasolve.tetrarchia.ruleset import Ruleset

FORMAT = "tetrasolve-house-games/1"
MOST = 2_000  # games of a level under each ruleset, by default
LONGEST_SWEEP = 20  # values

Course = tuple[str, int]  # of a game: ``w`` won, ``l`` lost, ``o`` not over; and its turns
Play = Callable[[str, int, int, int, "Stop | None"], "list[Course]"]
# ruleset, seed, number of the first game, how many -> their courses


@dataclass(frozen=True, slots=True)
class HouseComparison:
    """The games of one level: how they ended and how many turns they took, by the rulebook and under house rules."""

    level: str
    house: House
    plain: tuple[Course, ...]
    changed: tuple[Course, ...]

    @property
    def games(self) -> int:
        """Games under each ruleset."""
        return len(self.plain)

    @property
    def rates(self) -> tuple[Estimate, Estimate]:
        """The chances that a game is won, in [0, 1]: by the rulebook, and under the house rules."""
        return _rate(self.plain), _rate(self.changed)

    @property
    def difference(self) -> Estimate:
        """The chance under the house rules minus that by the rulebook, in [-1, 1]."""
        pairs = [(one == WON, other == WON) for (one, _), (other, _) in zip(self.plain, self.changed, strict=True)]
        return paired_difference(pairs.count((False, True)), pairs.count((True, False)), self.games, CONFIDENCE)

    @property
    def turns(self) -> tuple[Estimate, Estimate]:
        """The mean number of turns of a game, by the rulebook and under the house rules."""
        plain, changed = ([float(turns) for _, turns in row] for row in (self.plain, self.changed))
        return replications(plain, CONFIDENCE), replications(changed, CONFIDENCE)

    @property
    def turns_difference(self) -> Estimate:
        """The mean of how many turns more a game takes under the house rules."""
        more = [float(other - one) for (_, one), (_, other) in zip(self.plain, self.changed, strict=True)]
        return replications(more, CONFIDENCE)

    @property
    def is_narrow(self) -> bool:
        """Whether the interval of the difference is as narrow as it has to be."""
        return self.difference.half_width <= goal_of(self.level)

    def as_data(self) -> dict[str, Any]:
        """The comparison for JSON."""
        return {
            "level": self.level,
            "house": dict(self.house),
            "games": self.games,
            "rates": [rate.as_data() for rate in self.rates],
            "difference": self.difference.as_data(),
            "turns": [mean.as_data() for mean in self.turns],
            "turns_difference": self.turns_difference.as_data(),
            "is_narrow": self.is_narrow,
        }

    def __str__(self) -> str:
        (plain, changed), gap = self.rates, self.difference
        (before, after), more = self.turns, self.turns_difference
        return (
            f"{self.level}: {100 * plain.value:.1f} % won by the rulebook, {100 * changed.value:.1f} % under the house rules: "
            f"{100 * gap.value:+.1f} points (95 %: {100 * gap.low:+.1f} to {100 * gap.high:+.1f}), {self.games:,} games\n"
            f"  {before.value:.1f} turns a game, then {after.value:.1f}: "
            f"{more.value:+.1f} (95 %: {more.low:+.1f} to {more.high:+.1f})"
        )


def _rate(row: Sequence[Course]) -> Estimate:
    return chance(sum(end == WON for end, _ in row), len(row), CONFIDENCE)


@dataclass(frozen=True, slots=True)
class HouseGames:
    """The comparisons of house rules at some levels; `complete` says whether all games that were asked for are played."""

    seed: int
    policy: str
    comparisons: tuple[HouseComparison, ...]
    complete: bool

    def as_data(self) -> dict[str, Any]:
        """The games for JSON."""
        return {
            "seed": self.seed,
            "policy": self.policy,
            "confidence": CONFIDENCE,
            "calibrated": False,
            "complete": self.complete,
            "levels": [found.as_data() for found in self.comparisons],
        }


def sweep_values(text: str, house: House = ()) -> tuple[House, ...]:
    """The house rules of a sweep of one number, ``ip=4..9``: one for each value, with the other house rules beside it.

    >>> sweep_values("ip=5..7")
    ((('ip', 5),), (), (('ip', 7),))

    :raises RulesetError: when it is not NAME=LEAST..MOST, there is no such number, or a value is out of range.
    """
    name, equals, values = text.partition("=")
    least, dots, most = values.partition("..")
    if not (
        equals and dots and all(part.isascii() and part.isdigit() and len(part) <= 2 for part in (least, most))
    ):  # digits
        raise RulesetError(f"sweep {shown(text)}: expected NAME=LEAST..MOST, like ip=4..9")
    number, first, last = house_number(name), int(least), int(most)
    if not 0 < last - first < LONGEST_SWEEP:
        raise RulesetError(f"sweep {shown(text)}: expected 2 to {LONGEST_SWEEP} values, the least first")
    for value in (first, last):
        number.checked(value)
    others = tuple((key, value) for key, value in house if key != name)
    chosen = ((*others, (name, value)) for value in range(first, last + 1))
    return tuple(tuple(sorted((key, value) for key, value in row if STANDARD[key] != value)) for row in chosen)


# -- playing -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Context:
    """What the jobs of one ruleset share; `stop` is for jobs of this process, `until` for those of others."""

    play: Play
    ruleset: str
    seed: int
    stop: Stop | None
    until: Moment | None


def _batch(context: _Context, number: int) -> list[Course]:
    stop = context.stop or stop_at(context.until)
    return context.play(context.ruleset, context.seed, number * BATCH, BATCH, stop)


def _joined(courses: list[Course] | None, more: list[Course]) -> list[Course]:
    return [*(courses or ()), *more]


@dataclass
class _Run:
    """One call of `play_house`: stages of rulesets, made when they are needed."""

    play: Play
    seed: int
    checkpoint: Checkpoint | None
    executor: Executor
    stop: Stop | None
    progress: Progress | None

    def __post_init__(self) -> None:
        self.stages: dict[str, Stage] = {}

    def courses(self, ruleset: str, games: int) -> tuple[Course, ...]:
        """The first games of a ruleset; fewer where it was stopped before."""
        if ruleset not in self.stages:
            here = self.stop if isinstance(self.executor, SerialExecutor) else None
            context = _Context(self.play, ruleset, self.seed, here, moment(self.stop))
            self.stages[ruleset] = Stage(ruleset, _batch, context, _joined, self.checkpoint)
        stage, batches = self.stages[ruleset], ceil(games / BATCH)
        if stage.done < batches:
            check(self.stop)
            stage.run_to(batches, self.executor, self.progress)
        return self.played(ruleset, games)

    def played(self, ruleset: str, games: int) -> tuple[Course, ...]:
        """Those that are played."""
        stage = self.stages.get(ruleset)
        return tuple((end, turns) for end, turns in ((stage.total if stage else None) or ())[:games])

    def compared(self, level: str, house: House, games: int) -> HouseComparison | None:
        """As many games as were played under both rulesets; None where they are too few for an interval."""
        plain, changed = (self.played(str(ruleset), games) for ruleset in rulesets_of(level, house))
        both = min(len(plain), len(changed))
        return HouseComparison(level, house, plain[:both], changed[:both]) if both >= BATCH else None

    def until_narrow(self, level: str, house: House, most: int) -> HouseComparison | None:
        """Play one level until the interval is narrow enough, or for so many games.

        :raises Stopped: when the flag is set before.
        """
        games = min(FIRST, most)
        while True:
            for ruleset in rulesets_of(level, house):
                self.courses(str(ruleset), games)
            found = self.compared(level, house, games)
            if found is None or found.is_narrow or games >= most:
                return found
            games = min(most, 2 * games)


def rulesets_of(level: str, house: House) -> tuple[Ruleset, Ruleset]:
    """The ruleset of a level by the rulebook, and under house rules.

    :raises RulesetError: when there is no such level, or it cannot carry the game under the house rules.
    """
    plain = Ruleset.from_text(level)
    return replace(plain, house=()), plain.with_house(house)


def play_house(
    houses: Sequence[House],
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
) -> HouseGames:
    """Compare house rules with the rulebook at each level, the levels of the first house rules first.

    `work` is a checkpoint, with which a run that was interrupted continues. `workers` changes no game.

    :raises RulesetError: when there is no such level, or it cannot carry the game under one of the house rules.
    :raises ReferenceOnlyError: for house rules that only the reference rules play.
    :raises CheckpointError: when `work` cannot be read or written, or is of another task.
    """
    for level in levels:
        for house in houses:
            for ruleset in rulesets_of(level, house):
                ruleset.require_kernel()
    stop, found, complete = stop_of(seconds, cancel), list[HouseComparison](), True
    task = {"format": FORMAT, "seed": seed, "policy": policy, "rules": digest(Board.standard()), "batch": BATCH}
    with ExitStack() as open_ones:
        checkpoint = None if work is None else open_ones.enter_context(Checkpoint(work, task))
        executor = open_ones.enter_context(executing(workers, stop))
        run = _Run(play, seed, checkpoint, executor, stop, progress)
        for house in houses:
            for level in levels:
                try:
                    one = run.until_narrow(level, house, most) if complete else run.compared(level, house, most)
                except Stopped:
                    complete, one = False, run.compared(level, house, most)
                if one is not None:
                    found.append(one)
    return HouseGames(seed, policy, tuple(found), complete)


# -- text ----------------------------------------------------------------------------------------------------------------


def house_lines(games: HouseGames) -> Iterator[str]:
    """The comparisons as lines of text."""
    for found in games.comparisons:
        yield from str(found).splitlines()


def sweep_lines(games: HouseGames, name: str) -> Iterator[str]:
    """A sweep of one number as a table, with a mark where it is the rulebook's."""
    yield f"{'level':<8}{name:>16}{'won':>9}{'95 %':>16}{'points':>9}{'95 %':>16}{'turns':>8}{'games':>8}"
    for found in games.comparisons:
        value, rate, gap = dict(found.house).get(name, STANDARD[name]), found.rates[1], found.difference
        mark = " (rulebook)" if value == STANDARD[name] else ""
        yield (
            f"{found.level:<8}{f'{value}{mark}':>16}{100 * rate.value:>7.1f} %{_ends(rate, ''):>16}{100 * gap.value:>+9.1f}"
            f"{_ends(gap, '+'):>16}{found.turns[1].value:>8.1f}{found.games:>8,}"
        )


def _ends(estimate: Estimate, sign: str) -> str:
    return f"{100 * estimate.low:{sign}.1f} to {100 * estimate.high:{sign}.1f}"


def title_of(house: House) -> str:
    """House rules as a heading."""
    return house_text(house) or "the rulebook"


def series_of(games: HouseGames, name: str) -> Mapping[str, list[tuple[int, Estimate]]]:
    """For each level the win rate at each value of the number that was swept."""
    rows: dict[str, list[tuple[int, Estimate]]] = {}
    for found in games.comparisons:
        rows.setdefault(found.level, []).append((dict(found.house).get(name, STANDARD[name]), found.rates[1]))
    return rows
