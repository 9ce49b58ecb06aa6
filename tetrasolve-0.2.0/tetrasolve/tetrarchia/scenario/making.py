"""Scenarios with a wanted win rate: found by bisection with probing games, confirmed by fresh ones.

A probe ends when its interval excludes the wanted rate, or its half-width is one and a half times the band's; it only guides the
search.
A confirmation has games of its own. It ends when its interval lies within the band, or excludes the wanted rate; one of both comes
to pass, since the last interval is at most half as long as the band. Confirmation number k of a search has the error
0.05 / (k (k + 1)), and these add up to 0.05 at most: that is the chance that a search gives a set-up whose win rate is outside the
band (docs/decisions/0052).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tetrasolve.errors import ArgumentError, OutOfTimeError, TetrasolveError
from tetrasolve.exact.batches import Progress, Runner, run_until
from tetrasolve.exact.checkpoint import Checkpoint
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import check, stop_of
from tetrasolve.exact.estimate import Estimate
from tetrasolve.exact.executor import seed_of
from tetrasolve.exact.stopping import StoppingRule
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.scenario.made import Made
from tetrasolve.tetrarchia.scenario.measuring import (
    BATCH,
    CONFIDENCE,
    MOST_SEED,
    WinRate,
    games_stage,
    rate_of,
    rule_for,
)
from tetrasolve.tetrarchia.scenario.policies import numbers_of, weights_of_policies
from tetrasolve.tetrarchia.scenario.setups import SetUps
from tetrasolve.tetrarchia.scenario.themes import ladder, theme

WITHIN = 0.02
NARROWEST, WIDEST = 0.005, 0.2  # bands
LADDERS = 50  # of one search, at most
PROBED = 1.5  # half-width of the longest probe, in half-widths of the band
NEAR = 0.5  # a step is confirmed when its probe is as near as this share of the band


@dataclass(frozen=True, slots=True)
class BandRule(StoppingRule):
    """Stop when the interval excludes the wanted rate, when it lies within the band around it, or when it is narrow enough."""

    wanted: float = 0.5
    within: float = WITHIN

    def is_met(self, estimate: Estimate) -> bool:
        """Whether one of the three holds."""
        return (
            self.excludes(estimate)
            or self.holds(estimate)
            or (self.half_width is not None and estimate.half_width <= self.half_width)
        )

    def excludes(self, estimate: Estimate) -> bool:
        """Whether the wanted rate is outside the interval."""
        return not estimate.low <= self.wanted <= estimate.high

    def holds(self, estimate: Estimate) -> bool:
        """Whether the interval lies within the band."""
        return self.wanted - self.within <= estimate.low and estimate.high <= self.wanted + self.within


class NoScenarioError(TetrasolveError):
    """No set-up of a theme has the wanted win rate."""


def make_scenario(
    name: str,
    win_rate: float,
    *,
    policy: str = "greedy",
    beside: Sequence[str] = ("expectimax",),
    within: float = WITHIN,
    seed: int = 0,
    workers: Workers = 1,
    checkpoint: str | Path | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> Made:
    """A set-up of a theme that the policy wins with the chance `win_rate`, in [0, 1], up to `within`, at 95 %.

    The policies `beside` are measured on it, with a half-width of `within`. The result depends on the arguments up to `seed`
    only; with a `checkpoint` file the same call continues where the last one stopped.

    :raises ArgumentError: when there is no such theme or policy, or a number is out of range.
    :raises NoScenarioError: when no set-up of the theme was confirmed.
    :raises OutOfTimeError: when the time ran out before.
    :raises CheckpointError: when `checkpoint` cannot be read or written, or is of another task.
    :raises ValueError: when there are no `workers`.
    """
    stop = stop_of(seconds, cancel)
    if not NARROWEST <= within <= WIDEST:
        raise ArgumentError("within", within, f"{NARROWEST} to {WIDEST}")
    if not within < win_rate < 1 - within:
        raise ArgumentError("win_rate", win_rate, f"more than {within} and less than {1 - within}")
    if not 0 <= seed <= MOST_SEED:
        raise ArgumentError("seed", seed, f"0 to {MOST_SEED}")
    for one in (policy, *beside):
        numbers_of(one)
    chosen = theme(name)
    task = {
        "format": "tetrasolve-scenario-search/1", "theme": asdict(chosen), "win_rate": win_rate, "policy": policy,
        "beside": list(beside), "within": within, "seed": seed, "weights": weights_of_policies(), "batch": BATCH,
    }  # fmt: skip
    with ExitStack() as open_ones:
        kept = None if checkpoint is None else open_ones.enter_context(Checkpoint(checkpoint, task))
        runner = Runner(open_ones.enter_context(executing(workers, stop)), kept, progress)
        search = _Search(name, win_rate, policy, within, seed, runner, stop)
        try:
            return search.result(beside)
        except Stopped:
            raise OutOfTimeError(
                f"{name}: the time ran out after {search.probes} probes and {search.confirmations} confirmations, before a "
                "set-up was found; the same call with a checkpoint continues"
            ) from None


@dataclass
class _Search:
    """One call of `make_scenario`."""

    theme: str
    wanted: float
    policy: str
    within: float
    seed: int
    runner: Runner
    stop: Stop | None
    probes: int = 0
    confirmations: int = 0

    def result(self, beside: Sequence[str]) -> Made:
        chosen = theme(self.theme)
        for number in range(LADDERS):
            rungs = ladder(chosen, self.seed, number)
            low, high = rungs.steps[0], rungs.steps[-1]
            while low <= high:
                check(self.stop)
                step = (low + high) // 2
                position = rungs.position(step)
                if position.status():  # discs that cannot lie there together
                    break
                set_ups = SetUps.fixed(position)
                probe = self.probe(set_ups, f"{number} {step}")
                if abs(probe.value - self.wanted) <= NEAR * self.within:
                    rate = self.confirm(set_ups, f"{number} {step}")
                    if rate is not None:
                        others = tuple(self.beside(set_ups, other) for other in beside)
                        return Made(
                            self.theme, chosen.title, self.wanted, self.within, self.seed, number, step, str(position),
                            rate, others, self.probes, self.confirmations,
                        )  # fmt: skip
                if probe.value > self.wanted:
                    low = step + 1  # too easy: more discs
                else:
                    high = step - 1
        raise NoScenarioError(
            f"{self.theme}: no set-up is won by {self.policy} with the chance {self.wanted}; {LADDERS} orders of its discs were "
            f"tried, in {self.probes} probes and {self.confirmations} confirmations"
        )

    def probe(self, set_ups: SetUps, name: str) -> Estimate:
        """A rough estimate, which only guides the search."""
        self.probes += 1
        wide = min(PROBED * self.within, 0.45)
        rule = BandRule(rule_for(wide, CONFIDENCE).most, wide, wanted=self.wanted, within=0.0)
        games = self.games(set_ups, self.policy, f"probe {name}", rule, CONFIDENCE)
        return rate_of(games, CONFIDENCE)

    def confirm(self, set_ups: SetUps, name: str) -> WinRate | None:
        """The rate by fresh games, when its interval lies within the band."""
        self.confirmations += 1
        confidence = 1 - (1 - CONFIDENCE) / (self.confirmations * (self.confirmations + 1))
        narrow = self.within / 2
        rule = BandRule(rule_for(narrow, confidence).most, narrow, wanted=self.wanted, within=self.within)
        games = self.games(set_ups, self.policy, f"confirm {name}", rule, confidence)
        rate = rate_of(games, rule.confidence_at_look(confidence)).at(confidence)
        return (
            WinRate(self.policy, self.seed_of(f"confirm {name}"), rate, games, "complete") if rule.holds(rate) else None
        )

    def beside(self, set_ups: SetUps, policy: str) -> WinRate:
        """The rate of another policy."""
        rule, name = rule_for(self.within, CONFIDENCE), f"beside {policy}"
        games = self.games(set_ups, policy, name, rule, CONFIDENCE)
        rate = rate_of(games, rule.confidence_at_look(CONFIDENCE)).at(CONFIDENCE)
        return WinRate(policy, self.seed_of(name), rate, games, "complete")

    def seed_of(self, name: str) -> int:
        """The seed of the games of a stage: no two stages share games."""
        return seed_of(self.seed, self.theme, name) & MOST_SEED

    def games(self, set_ups: SetUps, policy: str, name: str, rule: StoppingRule, confidence: float) -> str:
        """The games up to the look at which the rule is met.

        :raises Stopped: when the time is over before.
        """
        stage = games_stage(self.runner, set_ups, policy, self.seed_of(name), self.stop, name)
        at_look = rule.confidence_at_look(confidence)
        games: Any
        games, why = run_until(stage, rule, self.runner, lambda letters: rate_of(letters, at_look), self.stop)
        if why == "time":
            raise Stopped("deadline")
        return str(games)
