"""The win rate of a set-up under a policy: games until the interval is narrow enough.

The looks at the games are fixed in advance, after 5, 10, 20, ... games, and the interval of each is computed for its share of the
error (`tetrasolve.exact.stopping`), so the confidence holds whichever look is the last one: docs/decisions/0052. As many games
are planned as make the interval narrow enough whatever their results are.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from tetrasolve.errors import ArgumentError, ClusterError, shown
from tetrasolve.exact.batches import Progress, Runner, Stage, run_until
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import Moment, check, moment, share, stop_at, stop_of
from tetrasolve.exact.estimate import Estimate, chance
from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.hint.played import ENDS, OPEN
from tetrasolve.tetrarchia.risk.horizon import board_digest
from tetrasolve.tetrarchia.scenario.policies import numbers_of, weights_of_policies
from tetrasolve.tetrarchia.scenario.setups import SetUps

FORMAT = "tetrasolve-win-rate/1"
BATCH = 5  # games of one job: of the slowest policy, about half a minute
HALF_WIDTH = 0.02
CONFIDENCE = 0.95
NARROWEST = 0.001  # half-width: some two million games
MOST_SEED = 2**63 - 1
TWO = ("greedy", "expectimax")


@dataclass(frozen=True, slots=True)
class WinRate:
    """The share of games that a policy wins, in [0, 1]: an estimate, or None where no look was reached in time.

    `games` has a letter for each game of the look, ``w`` won, ``l`` lost, ``o`` not over after 400 turns, which counts as not
    won. `status` is ``interrupted`` where the interval is wider than was asked for.
    """

    policy: str
    seed: int
    rate: Estimate | None
    games: str
    status: Literal["complete", "interrupted"]

    def as_data(self) -> dict[str, Any]:
        """The rate for JSON."""
        return {
            "policy": self.policy,
            "seed": self.seed,
            "status": self.status,
            "rate": None if self.rate is None else self.rate.as_data(),
            "won": self.games.count("w"),
            "lost": self.games.count("l"),
            "open": self.games.count(OPEN),
        }

    def __str__(self) -> str:
        return f"{self.policy}: {'unknown' if self.rate is None else self.rate}"


def measure(
    set_ups: SetUps,
    policies: Sequence[str] = TWO,
    *,
    half_width: float = HALF_WIDTH,
    confidence: float = CONFIDENCE,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: str | Path | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[WinRate, ...]:
    """The win rates of a set-up under these policies, each with a half-width of its interval of at most `half_width`.

    Each interval holds with `confidence`. All policies have the same dice, from `seed`. The result depends neither on `workers`,
    a number of processes or a cluster, nor on interruptions: with a `checkpoint` file the same call continues.
    After `seconds`, or when `cancel` is set, each rate is that of its last look.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> found = measure(SetUps.fixed(example("movement")), ["random"], half_width=0.2)
    >>> found[0].status, found[0].rate.half_width <= 0.2
    ('complete', True)

    :raises ArgumentError: when there is no such policy, or none, or one is named twice.
    :raises CheckpointError: when `checkpoint` cannot be read or written, or is of another task.
    :raises ValueError: when a number is out of range.
    """
    stop = stop_of(seconds, cancel)
    if not policies or len(set(policies)) < len(policies):
        raise ArgumentError("policies", list(policies), "at least one, each once")
    for policy in policies:
        numbers_of(policy)
    if not 0 <= seed <= MOST_SEED:
        raise ValueError(f"seed {seed}: expected 0 to {MOST_SEED}")
    rule = rule_for(half_width, confidence)
    task = {
        "format": FORMAT, "set_up": set_ups.text, "board": board_digest(set_ups.board), "weights": weights_of_policies(),
        "seed": seed, "half_width": half_width, "confidence": confidence, "batch": BATCH,
    }  # fmt: skip
    found = []
    with ExitStack() as open_ones:
        kept = None if checkpoint is None else open_ones.enter_context(Checkpoint(checkpoint, task))
        runner = Runner(open_ones.enter_context(executing(workers, stop)), kept, progress)
        for number, policy in enumerate(policies):
            part = share(stop, 1 / (len(policies) - number))
            stage = games_stage(runner, set_ups, policy, seed, part)
            found.append(_measured(stage, rule, runner, policy, seed, confidence, part))
    return tuple(found)


def _measured(
    stage: Stage, rule: StoppingRule, runner: Runner, policy: str, seed: int, confidence: float, stop: Stop | None
) -> WinRate:
    at_look = rule.confidence_at_look(confidence)
    games, why = run_until(stage, rule, runner, lambda letters: rate_of(letters, at_look), stop)
    if games is None:  # no look since the call began: that of the one before
        last = max((look for look in rule.looks() if look <= stage.done), default=0)
        games = (stage.total or "")[: last * BATCH]
    rate = rate_of(games, at_look).at(confidence) if games else None
    return WinRate(policy, seed, rate, games, "interrupted" if why == "time" else "complete")


def rate_of(games: str, confidence: float) -> Estimate:
    """The share of games won, by the letters of their results."""
    return chance(games.count("w"), len(games), confidence)


@lru_cache(maxsize=64)
def rule_for(half_width: float, confidence: float) -> StoppingRule:
    """The rule that stops at this half-width: with the fewest batches after which every interval is narrow enough.

    The interval is the longest where half of the games are won.

    >>> rule_for(0.02, 0.95).most * BATCH
    5080

    :raises ValueError: when a number is out of range.
    """
    if not NARROWEST <= half_width < 0.5:
        raise ValueError(f"half_width {half_width}: expected at least {NARROWEST} and less than 0.5")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence}: expected a number between 0 and 1, both excluded")

    def is_enough(batches: int) -> bool:
        rule, games = StoppingRule(batches, half_width), batches * BATCH
        return rule.is_met(chance(games // 2, games, rule.confidence_at_look(confidence)))

    most = 1
    while not is_enough(most):
        most *= 2
    low = most // 2
    while most - low > 1:
        middle = (low + most) // 2
        low, most = (low, middle) if is_enough(middle) else (middle, most)
    return StoppingRule(most, half_width)


# -- games in batches --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Context:
    """What the jobs of a stage share; `stop` is for jobs of this process, `until` for those of others."""

    set_ups: SetUps
    policy: str
    seed: int
    stop: Stop | None
    until: Moment | None


def _batch(context: _Context, number: int) -> str:
    stop = context.stop or stop_at(context.until)
    check(stop)
    return context.set_ups.play(context.policy, context.seed, number * BATCH, BATCH, stop)


def _joined(letters: str | None, more: str) -> str:
    """The games so far with a batch more.

    :raises ClusterError: when it is no batch of games, as a worker of a cluster may answer.
    """
    if len(more) != BATCH or set(more) - {*ENDS.values(), OPEN}:
        raise ClusterError(f"a worker gave something else than {BATCH} games: {shown(more)}")
    return (letters or "") + more


def games_stage(
    runner: Runner, set_ups: SetUps, policy: str, seed: int, stop: Stop | None, name: str | None = None
) -> Stage:
    """The games of a policy as a stage of batches, named after the policy; its total is a letter for each game.

    :raises CheckpointError: when the checkpoint holds letters that are no games, or another number of them.
    """
    here = stop if isinstance(runner.executor, SerialExecutor) else None
    stage = runner.stage(name or policy, _batch, _Context(set_ups, policy, seed, here, moment(stop)), _joined)
    letters = stage.total
    if runner.checkpoint is not None and letters is not None:
        allowed = {*ENDS.values(), OPEN}
        if not isinstance(letters, str) or len(letters) != stage.done * BATCH or set(letters) - allowed:
            raise runner.checkpoint.refuse(stage.name, "expected a letter for each game")
    return stage
