"""Games of policies, played here, by processes or by a cluster; they go to the scripts in the order of their numbers."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any

from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import Moment, moment, stop_at
from tetrasolve.exact.executor import SerialExecutor, in_order
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.hint.courses import named, seated
from tetrasolve.tetrarchia.hint.weights import Weights

AT_ONCE = 10  # games of one job: of the slowest policy, about a minute

Result = tuple[int, int, int]  # of a game: how it ended, its turns, in which step of a phase it fell


@dataclass(frozen=True)
class Games:
    """Games `first` to `last` - 1 of a course, a level with modules or a scenario, by a policy with its numbers."""

    course: str
    policy: Mapping[str, Any]
    seed: int
    weights: Weights | None
    first: int
    last: int
    opponent: str | None = None  # who decides in the phases; None: the policy itself

    def jobs(self) -> list[Games]:
        """The same games as jobs."""
        return [
            replace(self, first=first, last=min(first + AT_ONCE, self.last))
            for first in range(self.first, self.last, AT_ONCE)
        ]


@dataclass(frozen=True)
class _Context:
    """All jobs; `stop` is for those of this process, `until` for others."""

    jobs: tuple[Games, ...]
    stop: Stop | None
    until: Moment | None


def play(games: Games, stop: Stop | None = None) -> tuple[list[Result], float]:
    """The results of games and the processor seconds they took. A game that is under way when `stop` is set does not count."""
    course, taken = named(games.course), time.thread_time()
    level, found = course.ruleset, list[Result]()
    seat = seated(course, games.seed, 0, games.weights)
    for number in range(games.first, games.last):
        if course.scenario is not None:
            seat = seated(course, games.seed, number, games.weights)
        try:
            found += seat.player.games(
                1, level.revolts, level.fleets, level.armies, games.seed,
                first=number, start=seat.start, opponent=games.opponent, stop=stop, **games.policy,
            )  # fmt: skip
        except Stopped:
            break
    return found, time.thread_time() - taken


def _played(context: _Context, number: int) -> tuple[list[tuple[int, int, int]], float]:
    return play(context.jobs[number], context.stop or stop_at(context.until))


def play_all(jobs: Sequence[Games], workers: Workers, stop: Stop | None) -> Iterator[tuple[int, list[Result], float]]:
    """For each job by its number the results and processor seconds, in order; the last one has fewer games if `stop` is set.

    With several processes, or a cluster, the jobs that are in work then are lost.
    """
    with executing(workers, stop) as executor:
        here = stop if isinstance(executor, SerialExecutor) else None
        context = _Context(tuple(jobs), here, moment(stop))
        try:
            with closing(in_order(executor.run(_played, context, range(len(jobs))), range(len(jobs)))) as results:
                for number, (found, seconds) in results:
                    yield number, found, seconds
                    if len(found) < jobs[number].last - jobs[number].first:
                        return
        except Stopped:
            return
