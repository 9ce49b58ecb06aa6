"""Compares alternatives by simulation with common random numbers.

Run `i` of all alternatives has the same dice in each phase. What the alternatives have in common cancels in the difference, so
its interval is narrower than that of two separate estimates.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.batches import Progress, Runner, run_until
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.deadline import SHORTEST, check, moment, stop_at, stop_of
from tetrasolve.exact.estimate import Estimate, chance, mean, paired_difference
from tetrasolve.exact.executor import Executor, seed_of
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.numbers import REVOLTS
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.course import DECLINE, Plans
from tetrasolve.tetrarchia.risk.horizon import (
    BATCH,
    CONFIDENCE,
    RUNS,
    all_cores,
    board_digest,
    course_of,
    policy_in_task,
    require_sense,
)
from tetrasolve.tetrarchia.risk.rollout import Runs, is_lost, path, revolts_after, runs_from

Alternatives: TypeAlias = "Mapping[str, tuple[Position, Plans]]"


@dataclass(frozen=True, slots=True)
class Compared:
    """One alternative: its own chance of a fall and expected revolts, and both minus those of the first alternative.

    `revolts`: chance times revolts on the board after the last phase, over games not lost.
    """

    name: str
    lost: Estimate
    revolts: Estimate
    lost_difference: Estimate
    revolts_difference: Estimate

    def as_data(self) -> dict[str, Any]:
        """The estimates as JSON data."""
        names = ("lost", "revolts", "lost_difference", "revolts_difference")
        return {"name": self.name, **{name: getattr(self, name).as_data() for name in names}}


def compare(
    alternatives: Alternatives,
    phases: int,
    *,
    policy: str = DECLINE,
    runs: int = RUNS,
    batch: int = BATCH,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    seconds: float | None = None,
    cancel: Stop | None = None,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> tuple[Compared, ...]:
    """The alternatives after `phases` phases each, estimated from the same dice; each interval holds with `confidence`.

    An alternative is a position with the plans of its coming turns, as in `horizon`;
    `policy` answers the choices of the phases. After `seconds`, or when `cancel` is set,
    the estimates are those of the runs at the last look, and their `n` says how many these are (see `tetrasolve.exact.stopping`).

    :raises OutOfTimeError: when the time ran out before the first look.
    :raises IllegalPositionError: when a position cannot occur, or no Barbarian phase can follow it.
    :raises CheckpointError: when the checkpoint belongs to another task.
    :raises ValueError: when there is no alternative, or a number is out of range.
    """
    require_sense(phases, 0, 0, runs, batch, confidence)
    if not alternatives or not runs:
        raise ValueError("expected at least one alternative, and runs")
    stop = stop_of(seconds, cancel)
    timed = None if seconds is None else max(seconds, SHORTEST)
    rule = StoppingRule(-(-runs // batch), seconds=timed)
    games = []
    for position, plans in alternatives.values():
        course = course_of(position, plans, phases, policy)
        start = ((bytes(course.state_of(position)), Fraction(1)),)
        games.append(runs_from(course, 0, start, phases, seed=seed, batch=batch, strata=False, until=moment(stop)))
    described = {
        name: [position.to_json(), board_digest(position.board), [str(plan) for plan in game.course.plans]]
        for (name, (position, _)), game in zip(alternatives.items(), games, strict=True)
    }
    task = {"task": "compare", "alternatives": described, "phases": phases, "batch": batch, "runs": runs, "seed": seed}
    task |= policy_in_task(games[0].course)
    with ExitStack() as stack:
        kept = None if checkpoint is None else stack.enter_context(Checkpoint(checkpoint, task))
        runner = Runner(executor or stack.enter_context(all_cores(cancel)), kept, progress)
        stage = runner.stage("runs", play_together, tuple(games), fold)
        total, _ = run_until(stage, rule, runner, lambda total: chance(0, total["n"], confidence), stop)
    if total is None:
        raise OutOfTimeError("compare: the time ran out before the first look at the runs")
    n, rows, used = total["n"], total["rows"], rule.confidence_at_look(confidence)
    return tuple(_compared(name, row, n, used, confidence) for name, row in zip(alternatives, rows, strict=True))


# The sums of each alternative: falls and revolts, and their differences from the first alternative's.
SUMS = ("lost", "revolts", "squares", "only_here", "only_first", "more", "more_squares")


class Together(TypedDict):
    """What a batch of runs of all alternatives gives: the sums of each."""

    n: int
    rows: list[dict[str, int]]


def play_together(games: tuple[Runs, ...], number: int) -> Together:
    """A batch of runs of every alternative with the same dice.

    :raises Stopped: when its time is over.
    """
    stop = stop_at(games[0].until)
    base = seed_of(games[0].seed, "runs", number)
    rows = [dict.fromkeys(SUMS, 0) for _ in games]
    for run in range(games[0].batch):
        check(stop)
        ends = [path(game, base, run)[-1] for game in games]
        first, first_revolts = is_lost(ends[0]), revolts_after(ends[0])
        for row, end in zip(rows, ends, strict=True):
            lost, revolts = is_lost(end), revolts_after(end)
            row["lost"] += lost
            row["revolts"] += revolts
            row["squares"] += revolts * revolts
            row["only_here"] += lost and not first
            row["only_first"] += first and not lost
            row["more"] += revolts - first_revolts
            row["more_squares"] += (revolts - first_revolts) ** 2
    return {"n": games[0].batch, "rows": rows}


def fold(total: Together | None, part: Together) -> Together:
    """The sum of the results of batches."""
    if total is None:
        return part
    rows = [{name: a[name] + b[name] for name in SUMS} for a, b in zip(total["rows"], part["rows"], strict=True)]
    return {"n": total["n"] + part["n"], "rows": rows}


def _compared(name: str, row: Mapping[str, int], n: int, used: float, confidence: float) -> Compared:
    """The estimates of one alternative: intervals computed for the confidence `used`, stated at `confidence`."""
    return Compared(
        name=name,
        lost=chance(row["lost"], n, used).at(confidence),
        revolts=mean(row["revolts"], row["squares"], n, REVOLTS, used).within(0, REVOLTS).at(confidence),
        lost_difference=paired_difference(row["only_here"], row["only_first"], n, used).at(confidence),
        revolts_difference=mean(row["more"], row["more_squares"], n, 2 * REVOLTS, used).at(confidence),
    )
