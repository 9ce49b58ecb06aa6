"""Importance splitting for falls of the Empire that are too rare for plain simulation.

A run that reaches a higher *level* (nearer to a fall) for the first time is split into several copies with separate dice, each
with its share of the weight. The mean of the total weight of copies that end in a fall is the chance of a fall, for any
levels; good levels reduce the variance. Fixed splitting: Glasserman, Heidelberger, Shahabuddin and Zajic (1999),
*Multilevel splitting for estimating rare event probabilities*.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.batches import Progress, Runner, run_until
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.deadline import SHORTEST, Moment, check, moment, stop_at, stop_of
from tetrasolve.exact.estimate import FEWEST_REPLICATIONS, Estimate, chance, replications
from tetrasolve.exact.executor import Executor, SerialExecutor, seed_of
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Rng, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.course import DECLINE, NOBODY_ACTS, Course, Plans
from tetrasolve.tetrarchia.risk.follow import follow_rolled
from tetrasolve.tetrarchia.risk.horizon import board_digest, course_of, policy_in_task, require_sense

Level: TypeAlias = Callable[[State, Board, int], int]  # the position, the board, phases left -> level

SPLIT = 2  # copies a level
MOST_LEVELS = 10  # 2^10 copies of one run at most
REVOLT_ALARM = 9  # revolts that count for no level: a set-up has six
FAR = 6  # hurdles of an army that cannot arrive in time: more than broken links on any path


def nearness(state: State, board: Board, left: int) -> int:
    """The level of a position: two for every three revolts (about one uprising), and one for each hurdle passed.

    A hurdle is a broken link or an Emperor on the path of the army that has the fewest and can still arrive in the phases
    left. Each is passed with a chance of about one half.
    """
    armies = board.unmask(state.armies)
    hurdles = [_hurdles(state, board, army) for army in armies if board.distance_to_roma.get(army, 0) <= left]
    unrestful = max(0, state.revolts.bit_count() - REVOLT_ALARM)
    return 2 * unrestful // 3 - min(hurdles, default=FAR)


def _hurdles(state: State, board: Board, army: str) -> int:
    count, place = 0, army
    while (target := board[place].arrow) is not None:
        link = board.link(place, target)
        count += (link is None or link.broken) + (board.order[target] in state.emperors)
        place = target
    return count


@dataclass(frozen=True)
class Splitting:
    """The context of replications; `level` is a module-level function, since it is sent to workers."""

    course: Course
    start: bytes
    phases: int
    seed: int
    roots: int  # runs at the start of a replication
    split: int
    level: Level
    until: Moment | None = None  # replications that are not done by then raise `Stopped`


class Replication(TypedDict):
    """What a replication gives: the weight of its falls as a fraction, and how many phases were played."""

    share: str
    played: int


def replicate(work: Splitting, number: int) -> Replication:
    """One replication: the weight of its falls, an exact fraction of its roots, and how many phases were played.

    :raises Stopped: when its time is over.
    """
    stop = stop_at(work.until)
    base = seed_of(work.seed, "splitting", number)
    dice = work.course.dice(base)
    start = work.course.state(work.start)
    level = work.level(start, work.course.board, work.phases)
    total, played = Fraction(0), 0
    for _ in range(work.roots):
        waiting = [(start, 0, level, 0)]  # the position, phases played, highest level so far, splits so far
        while waiting:
            check(stop)
            state, phase, highest, splits = waiting.pop()
            after = _phase(work.course, state, phase + 1, dice)
            played += 1
            if after.result == kernel.FALLEN:
                total += Fraction(1, work.split**splits)
            elif after.result == kernel.OPEN and phase + 1 < work.phases:
                now = work.level(after, work.course.board, work.phases - phase - 1)
                higher = min(max(now - highest, 0), MOST_LEVELS - splits)
                copies = work.split**higher
                waiting += [(after, phase + 1, max(now, highest), splits + higher)] * copies
    return {"share": str(total / work.roots), "played": played}


def _phase(course: Course, state: State, phase: int, dice: Rng) -> State:
    plan = course.plan(phase)
    if plan != NOBODY_ACTS:
        state = follow_rolled(course.kernel, course.board, state, plan, dice)
    return state if state.result != kernel.OPEN else course.kernel.sample(state, dice, *course.asked)


def _fold(total: dict[str, Any] | None, part: Replication) -> dict[str, Any]:
    shares = [] if total is None else total["shares"]
    played = 0 if total is None else total["played"]
    return {"shares": [*shares, part["share"]], "played": played + part["played"]}


def rare_fall(
    position: Position,
    phases: int,
    *,
    plans: Plans = (),
    policy: str = DECLINE,
    level: Level = nearness,
    split: int = SPLIT,
    roots: int = 1_000,
    replicas: int = 100,
    confidence: float = 0.99,
    seed: int = 0,
    seconds: float | None = None,
    cancel: Stop | None = None,
    executor: Executor | None = None,
    checkpoint: str | Path | None = None,
    progress: Progress | None = None,
) -> Estimate:
    """The chance in [0, 1] that the Empire falls within `phases` phases, by importance splitting.

    `replicas` independent replications of `roots` runs each; the value is their mean and has no bias. The interval is
    Student's over the replications, so it holds at its confidence in the limit only: where most replications see no fall,
    take more roots, or levels that lead to falls. Where none sees any, the interval is that of plain runs. `n` of the
    result counts the phases played;
    `policy` answers their choices. After `seconds`, or when `cancel` is set, it is the mean of the replications at the last
    look (see `tetrasolve.exact.stopping`).

    :raises OutOfTimeError: when fewer than `FEWEST_REPLICATIONS` were looked at in time.
    :raises IllegalPositionError: when the position cannot occur, or no Barbarian phase can follow it.
    :raises CheckpointError: when the checkpoint belongs to another task.
    :raises ValueError: when a number is out of range.
    """
    require_sense(phases, 0, 0, 0, 2, confidence)
    for name, value, least in (("split", split, 1), ("roots", roots, 1), ("replicas", replicas, FEWEST_REPLICATIONS)):
        if value < least:
            raise ValueError(f"{name} {value}: expected {least} or more")
    stop = stop_of(seconds, cancel)
    rule = StoppingRule(replicas, seconds=None if seconds is None else max(seconds, SHORTEST))
    course = course_of(position, plans, phases, policy)
    task = {
        "task": "rare fall",
        "position": position.to_json(),
        "board": board_digest(position.board),
        "plans": [str(plan) for plan in course.plans],
        "phases": phases,
        "level": f"{level.__module__}.{level.__qualname__}",
        "split": split,
        "roots": roots,
        "replicas": replicas,
        "seed": seed,
        **policy_in_task(course),
    }
    with ExitStack() as stack:
        kept = None if checkpoint is None else stack.enter_context(Checkpoint(checkpoint, task))
        runner = Runner(executor or SerialExecutor(), kept, progress)
        work = Splitting(course, bytes(course.state_of(position)), phases, seed, roots, split, level, moment(stop))
        stage = runner.stage("replications", replicate, work, _fold)
        total, _ = run_until(stage, rule, runner, lambda total: chance(0, len(total["shares"]), confidence), stop)
    if total is None or len(total["shares"]) < FEWEST_REPLICATIONS:
        raise OutOfTimeError(f"rare fall: the time ran out before {FEWEST_REPLICATIONS} replications")
    used = rule.confidence_at_look(confidence)
    shares = [float(Fraction(share)) for share in total["shares"]]
    if not any(shares):  # no run had a copy that fell, and a run weighs one at most
        found = replace(chance(0, roots * len(shares), used), n=total["played"])
    else:
        found = replications(shares, used, total["played"]).within(0, 1)
    return found.at(confidence)
