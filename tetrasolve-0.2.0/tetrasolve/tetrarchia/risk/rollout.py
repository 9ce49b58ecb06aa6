"""Monte Carlo simulation of the phases after a layer of positions, in batches of runs with separate random streams.

Run `i` of batch `b` has the same dice in phase `k` for any position and plans, so alternatives with the same seed have common
random numbers. With strata each batch takes two runs from each of equally likely slices of the layer, sorted by threat
(stratified sampling). For both see Glasserman (2003), *Monte Carlo methods in financial engineering*, chapter 4.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate
from typing import Any, TypedDict

from tetrasolve.exact.deadline import Moment, check, stop_at
from tetrasolve.exact.executor import seed_of
from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import Rng, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.risk.causes import KernelDice, only_cause
from tetrasolve.tetrarchia.risk.course import NOBODY_ACTS, Course
from tetrasolve.tetrarchia.risk.follow import follow_rolled
from tetrasolve.tetrarchia.risk.quiet import Rose, rolled
from tetrasolve.tetrarchia.risk.tally import LOST, OPEN, key_of_over, revolts_in, table_key
from tetrasolve.tetrarchia.rules import Fall

MOST_PHASES = 255  # the dice of a run are seeded by the phase, and there are 256 seeds a run
TICKET_BITS = 96  # bits of the uniform number that draws a position


@dataclass(frozen=True)
class Runs:
    """The context of batches of runs: the course, the first layer, the number of phases, and the seed."""

    course: Course
    after: int  # phases before the layer
    keys: tuple[bytes, ...]  # its positions, least threatening first
    tickets: tuple[int, ...]  # cumulative chances, in units of 2^-TICKET_BITS
    phases: int  # the last phase, counting those before the layer
    seed: int
    batch: int  # runs in a batch, an even number
    strata: bool
    until: Moment | None = None  # a `moment`: batches that are not done by then raise `Stopped`

    @property
    def slack(self) -> float:
        """The total variation distance between the drawn and the given distribution of positions."""
        return 2.0 * len(self.keys) / 2**TICKET_BITS if len(self.keys) > 1 else 0.0

    def drawn(self, run: int, dice: Rng) -> bytes:
        """The position in which a run starts."""
        if len(self.keys) == 1:
            return self.keys[0]
        ticket = (dice.next() << 64 | dice.next()) >> (128 - TICKET_BITS)
        if self.strata:
            ticket = ((run // 2 << TICKET_BITS) + ticket) // (self.batch // 2)
        return self.keys[bisect_right(self.tickets, ticket)]


def runs_from(
    course: Course,
    after: int,
    items: Iterable[tuple[bytes, Any]],
    phases: int,
    *,
    seed: int,
    batch: int,
    strata: bool,
    until: Moment | None = None,
) -> Runs:
    """Runs that start from a layer after `after` phases; its chances need not add up to one."""
    board = course.board
    ordered = sorted(items, key=lambda item: (threat(course.state(item[0]), board), item[0]))
    shares = [int(Fraction(weight) * 2 ** (2 * TICKET_BITS)) for _, weight in ordered]
    total = sum(shares)
    tickets = tuple((part << TICKET_BITS) // total for part in accumulate(shares))
    return Runs(course, after, tuple(key for key, _ in ordered), tickets, phases, seed, batch, strata, until)


def threat(state: State, board: Board) -> tuple[int, ...]:
    """The threat of a position, a sort key: the army nearest to Roma, then the number of discs."""
    far = len(board.provinces)
    nearest = min((board.distance_to_roma.get(army, far) for army in board.unmask(state.armies)), default=far)
    return (-nearest, state.revolts.bit_count(), state.unrest.bit_count())


# -- one run -----------------------------------------------------------------------------------------------------


def dice_of(course: Course, base: int, run: int, phase: int) -> Rng:
    """The dice of a run of a batch: those of phase 0 draw its position."""
    return course.dice(base + run * (MOST_PHASES + 1) + phase & 2**64 - 1)


def path(runs: Runs, base: int, run: int) -> list[str]:
    """The state of a run after each phase, as names of a tally; a game that is over does not change."""
    course = runs.course
    first = dice_of(runs.course, base, run, 0)
    state = course.state(runs.drawn(run, first))
    ends: list[str] = []
    for phase in range(runs.after + 1, runs.phases + 1):
        dice = dice_of(runs.course, base, run, phase)
        plan = course.plan(phase)
        if plan != NOBODY_ACTS:
            state = follow_rolled(course.kernel, course.board, state, plan, dice)
            if state.result != kernel.OPEN:
                return ends + [key_of_over(state)] * (runs.phases - phase + 1)
        after = _phase(course, state, dice)
        if isinstance(after, Fall):
            return ends + [f"{LOST}:{after.name}"] * (runs.phases - phase + 1)
        state = after
        ends.append(f"{OPEN}:{table_key(state)}")
    return ends


def _phase(course: Course, state: State, dice: Rng) -> State | Fall:
    """One Barbarian phase: by the kernel, or by the reference rules where the kernel cannot give the cause of a fall."""
    cause = only_cause(state, course)
    if cause is not None:
        after = course.kernel.sample(state, dice, *course.asked)
        return cause if after.result == kernel.FALLEN else after
    end = rolled(fast.to_position(state, course.board, course.ruleset), KernelDice(dice), course.decide)
    assert not isinstance(end, Rose)
    return course.state_of(end) if isinstance(end, Position) else end


# -- a batch -----------------------------------------------------------------------------------------------------


class Batch(TypedDict):
    """What a batch of runs gives: after each phase a tally of counts, and the differences of the pairs in each stratum."""

    n: int
    tallies: list[dict[str, int]]
    split: list[int]
    squares: list[int]


def play(runs: Runs, number: int) -> Batch:
    """A batch of runs: after each phase a tally of counts, and the differences of the pairs in each stratum."""
    base = seed_of(runs.seed, "runs", number)
    length = runs.phases - runs.after
    tallies: list[Counter[str]] = [Counter() for _ in range(length)]
    split, squares = [0] * length, [0] * length
    stop = stop_at(runs.until)
    for run in range(0, runs.batch, 2):
        check(stop)
        one, two = path(runs, base, run), path(runs, base, run + 1)
        for phase, (a, b) in enumerate(zip(one, two, strict=True)):
            tallies[phase][a] += 1
            tallies[phase][b] += 1
            if a != b:
                split[phase] += is_lost(a) != is_lost(b)
                squares[phase] += (revolts_after(a) - revolts_after(b)) ** 2
    return {"n": runs.batch, "tallies": [dict(tally) for tally in tallies], "split": split, "squares": squares}


def fold(total: Batch | None, part: Batch) -> Batch:
    """The sum of the results of batches."""
    if total is None:
        return part
    return {
        "n": total["n"] + part["n"],
        "tallies": [dict(Counter(a) + Counter(b)) for a, b in zip(total["tallies"], part["tallies"], strict=True)],
        "split": [a + b for a, b in zip(total["split"], part["split"], strict=True)],
        "squares": [a + b for a, b in zip(total["squares"], part["squares"], strict=True)],
    }


def is_lost(end: str) -> bool:
    """Whether the Empire has fallen."""
    return end.startswith(LOST)


@lru_cache(maxsize=100_000)
def revolts_after(end: str) -> int:
    """The revolts on the board, 0 once the Empire has fallen."""
    return 0 if is_lost(end) else revolts_in(end)


# -- runs until the first uprising -------------------------------------------------------------------------------


class QuietBatch(TypedDict):
    """What a batch of runs up to their first uprisings gives: in which phases these come."""

    n: int
    first: list[int]


def play_quiet(runs: Runs, number: int) -> QuietBatch:
    """A batch of runs by the reference rules, each up to its first uprising: a tally of the phases of uprisings."""
    base = seed_of(runs.seed, "quiet", number)
    first = [0] * (runs.phases - runs.after)
    stop = stop_at(runs.until)
    for run in range(runs.batch):
        check(stop)
        phase = _first_uprising(runs, base, run)
        if phase is not None:
            first[phase - runs.after - 1] += 1
    return {"n": runs.batch, "first": first}


def _first_uprising(runs: Runs, base: int, run: int) -> int | None:
    course = runs.course
    state = course.state(runs.drawn(run, dice_of(runs.course, base, run, 0)))
    for phase in range(runs.after + 1, runs.phases + 1):
        dice = dice_of(runs.course, base, run, phase)
        state = follow_rolled(course.kernel, course.board, state, course.plan(phase), dice)
        if state.result != kernel.OPEN:
            return None
        position = fast.to_position(state, course.board, course.ruleset)
        end = rolled(position, KernelDice(dice), course.decide, quiet=True)
        if isinstance(end, Rose):
            return phase
        if isinstance(end, Fall):
            return None
        state = course.state_of(end)
    return None


def fold_quiet(total: QuietBatch | None, part: QuietBatch) -> QuietBatch:
    """The sum of the results of batches."""
    if total is None:
        return part
    first = [a + b for a, b in zip(total["first"], part["first"], strict=True)]
    return {"n": total["n"] + part["n"], "first": first}
