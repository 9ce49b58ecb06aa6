"""Duplicates: set-ups of equal difficulty for a tournament, by equivalence tests on games with the same dice.

Two set-ups are *equal* up to a margin when the interval of the difference of their win rates lies within it, and *different* when
that interval excludes zero and does not. Game number n of both has the same dice. Each two of a set are tested, and the error is
divided among the pairs, so the statement about the whole set holds with the confidence (docs/decisions/0052).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import Any

from tetrasolve.errors import ArgumentError
from tetrasolve.exact.batches import Progress, Runner, Stage
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.exact.estimate import Estimate, paired_difference
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.risk.horizon import board_digest
from tetrasolve.tetrarchia.scenario.measuring import (
    BATCH,
    CONFIDENCE,
    MOST_SEED,
    games_stage,
)
from tetrasolve.tetrarchia.scenario.policies import numbers_of, weights_of_policies
from tetrasolve.tetrarchia.scenario.setups import SetUps

WITHIN = 0.05
NARROWEST, WIDEST = 0.01, 0.4  # margins
MOST_SET_UPS = 20


class Equality(StrEnum):
    """The result of a test of two set-ups."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Difference:
    """The win rate of the first of two set-ups minus that of the second, in [-1, 1]; None where no look was reached in time."""

    first: int
    second: int
    difference: Estimate | None
    verdict: Equality

    def as_data(self) -> dict[str, Any]:
        """The difference for JSON; set-ups are counted from 1."""
        return {
            "first": self.first + 1,
            "second": self.second + 1,
            "verdict": self.verdict,
            "difference": None if self.difference is None else self.difference.as_data(),
        }

    def __str__(self) -> str:
        number = "unknown" if self.difference is None else str(self.difference)
        return f"{self.first + 1} and {self.second + 1}: {self.verdict}, {number}"


def compare(
    set_ups: Sequence[SetUps],
    policy: str = "greedy",
    *,
    within: float = WITHIN,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: str | Path | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Difference, ...]:
    """Test each two of these set-ups: whether a policy wins them equally often, up to `within`.

    A test ends when the interval of the difference lies within the margin or excludes zero. All intervals hold together with
    `confidence`; only where one fails is a pair called equal that is farther apart than the margin, or one different that is not
    different at all. After `seconds`, or when `cancel` is set, other pairs are undecided. With a
    `checkpoint` file the same call continues.

    :raises ArgumentError: when there is no such policy, fewer than two or too many set-ups, or a number is out of range.
    :raises CheckpointError: when `checkpoint` cannot be read or written, or is of another task.
    :raises ValueError: when there are no `workers`.
    """
    stop = stop_of(seconds, cancel)
    numbers_of(policy)
    if not 2 <= len(set_ups) <= MOST_SET_UPS:
        raise ArgumentError("set_ups", len(set_ups), f"2 to {MOST_SET_UPS} of them")
    if not NARROWEST <= within <= WIDEST:
        raise ArgumentError("within", within, f"{NARROWEST} to {WIDEST}")
    if not 0 < confidence < 1:
        raise ArgumentError("confidence", confidence, "a number between 0 and 1, both excluded")
    if not 0 <= seed <= MOST_SEED:
        raise ArgumentError("seed", seed, f"0 to {MOST_SEED}")
    task = {
        "format": "tetrasolve-duplicates/1", "set_ups": [[one.text, board_digest(one.board)] for one in set_ups], "policy": policy,
        "within": within, "confidence": confidence, "seed": seed, "weights": weights_of_policies(), "batch": BATCH,
    }  # fmt: skip
    pairs = list(combinations(range(len(set_ups)), 2))
    rule = rule_of_pairs(within, 1 - (1 - confidence) / len(pairs))
    with ExitStack() as open_ones:
        kept = None if checkpoint is None else open_ones.enter_context(Checkpoint(checkpoint, task))
        runner = Runner(open_ones.enter_context(executing(workers, stop)), kept, progress)
        stages = [
            games_stage(runner, one, policy, seed, stop, f"set-up {number}")
            for number, one in enumerate(set_ups, start=1)
        ]
        return tuple(
            _compared(stages, pair, rule, 1 - (1 - confidence) / len(pairs), runner, within, stop) for pair in pairs
        )


def _compared(
    stages: Sequence[Stage],
    pair: tuple[int, int],
    rule: StoppingRule,
    confidence: float,
    runner: Runner,
    within: float,
    stop: Stop | None,
) -> Difference:
    found, verdict = None, Equality.UNDECIDED
    for look in rule.looks():
        try:
            for one in pair:
                if stages[one].done < look:
                    check(stop)
                    stages[one].run_to(look, runner.executor, runner.progress)
        except Stopped:
            break
        first, second = (stages[one].total[: look * BATCH] for one in pair)
        found = difference_of(first, second, rule.confidence_at_look(confidence)).at(confidence)
        verdict = verdict_of(found, within)
        if verdict is not Equality.UNDECIDED:
            break
    return Difference(*pair, found, verdict)


def difference_of(first: str, second: str, confidence: float) -> Estimate:
    """The difference of the win rates of two series of games with the same dice."""
    pairs = list(zip(first, second, strict=True))
    only_first, only_second = sum(a == "w" != b for a, b in pairs), sum(b == "w" != a for a, b in pairs)
    return paired_difference(only_first, only_second, len(pairs), confidence)


def verdict_of(difference: Estimate, within: float) -> Equality:
    """What an interval says; where it excludes zero but lies within the margin, the two are equal up to the margin."""
    if -within <= difference.low and difference.high <= within:
        return Equality.EQUAL
    if difference.low > 0 or difference.high < 0:
        return Equality.DIFFERENT
    return Equality.UNDECIDED


@lru_cache(maxsize=64)
def rule_of_pairs(within: float, confidence: float) -> StoppingRule:
    """The looks of a test, up to so many games that an interval is no longer than the margin, if each alone wins half of them.

    Such an interval lies within the margin or excludes zero. With fewer games that only one wins it is shorter.
    """
    batches = 1
    while True:
        rule, games = StoppingRule(batches, within / 2), batches * BATCH
        at_look = rule.confidence_at_look(confidence)
        if paired_difference(games // 2, games // 2, 2 * (games // 2), at_look).half_width <= within / 2:
            return rule
        batches *= 2
