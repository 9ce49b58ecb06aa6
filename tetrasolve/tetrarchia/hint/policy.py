"""The search for the best plans of a turn: all plans are evaluated, the best ones in further stages more precisely.

======== ======================== ==================================================================================
stage    policy                   value of a plan
======== ======================== ==================================================================================
1        ``greedy``               the value of the network for ends of turns
2        ``expectimax``           the mean value of the network for starts of turns after sampled Barbarian phases
3        ``search``               that mean plus the mean gain of the best plan for the next turn over its start, by a
                                  small `expectimax` at a few of these turns
======== ======================== ==================================================================================

Each stage takes the best plans of the stage before, with the same dice for all of them, so that their differences are more
precise than their values. Samples are distributed by successive halving (Karnin, Koren, Somekh, 2013): in each round the
better half of the plans gets twice as many samples. Decisions after an attack depend on its dice: a plan extends to the end
of the turn or to an attack, and then continues for each outcome. It names the discs of Galerius before the dice, and is valued as
if all of them were paid; those that the dice do not need stay where they are [I-GALERIUS-WON].
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

from tetrasolve.errors import IllegalPositionError
from tetrasolve.exact.deadline import left, require_seconds, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.action import Action
from tetrasolve.tetrarchia.hint.evaluation import ready
from tetrasolve.tetrarchia.hint.weights import Weights
from tetrasolve.tetrarchia.kernel import Player
from tetrasolve.tetrarchia.plan.codes import plan_of
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.plan.tree import Plan
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.rules import Fall
from tetrasolve.tetrarchia.rules.modules.imperium import DIOCLETIAN, MAXIMIAN
from tetrasolve.tetrarchia.status import require_kernel

Policy = Literal["greedy", "expectimax", "search"]
MOST_ENDS, MOST_SAMPLES, MOST_ROUNDS = 4096, 3600, 6  # the kernel's bounds


@dataclass(frozen=True, slots=True)
class Budget:
    """The budget of a search.

    Stage 2 samples `samples` phases after each of `ends` plans, then in each of `rounds` (the first included) twice as many
    after each of the better half. Stage 3 samples `deep_samples` next turns after each of `deep_ends` plans. With `seconds` a
    search reaches these numbers, if the time allows, and then grows until the time is over.

    :raises ValueError: when a number is out of range.
    :raises SecondsError: when `seconds` is no number of at least 0.
    """

    policy: Policy = "search"
    ends: int = 96
    samples: int = 9
    rounds: int = 4
    deep_ends: int = 3
    deep_samples: int = 16
    seconds: float | None = None

    def __post_init__(self) -> None:
        numbers = (
            ("ends", MOST_ENDS), ("rounds", MOST_ROUNDS), ("samples", MOST_SAMPLES >> max(self.rounds, 1) - 1),
            ("deep_ends", MOST_ENDS), ("deep_samples", MOST_SAMPLES),
        )  # fmt: skip
        for field, most in numbers:
            if not 1 <= getattr(self, field) <= most:
                raise ValueError(f"{field}: expected 1 to {most}, got {getattr(self, field)}")
        if self.policy not in ("greedy", "expectimax", "search"):
            raise ValueError(f"policy: expected greedy, expectimax or search, got {self.policy!r}")
        require_seconds(self.seconds)

    @property
    def work(self) -> int:
        """A measure of the time of the last stage."""
        return self.deep_ends * self.deep_samples if self.policy == "search" else self.ends * self.samples

    def includes(self, other: Budget) -> bool:
        """Whether a search with this budget does everything that one with the other does, whatever their `seconds`."""
        numbers = {"greedy": (), "expectimax": NUMBERS[:3], "search": NUMBERS}[self.policy]
        return self.policy == other.policy and all(getattr(self, name) >= getattr(other, name) for name in numbers)


NUMBERS = ("ends", "samples", "rounds", "deep_ends", "deep_samples")
GREEDY = Budget("greedy")
EXPECTIMAX = Budget("expectimax")
DEFAULT = Budget()
FIRST_STEP = Budget(deep_ends=2, deep_samples=6)  # the first budget of a search with `seconds`

# What is left out of a turn with more than 200,000 positions: in how many of the kernel's steps, with which module, and what it is
LEFT_OUT = (
    (1, "imperium", "Diocletian's power"),
    (2, "vicarius", "the Vicarius"),
    (3, "dux", "moves of the Dux"),
    (3, "imperium", "payments of Galerius"),
)
DEEPEST = 3  # the last stage
MOST_TOO_HIGH = 2  # an estimate from a small look is up to this many times too high: the work of many plans is shared


def narrowed(scope: int, extensions: Collection[str]) -> str:
    """The actions that a turn leaves out at a step of the kernel, of those that the modules in use have.

    >>> narrowed(3, {"dux", "vicarius"}), narrowed(1, {"imperium"}), narrowed(0, {"imperium"})
    ('the Vicarius and moves of the Dux', "Diocletian's power", '')
    """
    found = [what for step, module, what in LEFT_OUT if step <= scope and module in extensions]
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan for the rest of a turn.

    `value`: the raw chance that Rome wins, by the last stage that evaluated it (`stage`, see above). `error`: the standard
    error of the value from its samples, as if they were independent; None where nothing was sampled.
    """

    plan: Plan
    value: float
    stage: int
    error: float | None


@dataclass(frozen=True, slots=True)
class Thinking:
    """The best plans found, best first; plans of later stages and rounds come before others.

    `turns` and `phases` count the turns searched and the phases sampled. `narrowed` names the actions that were left out because
    the turn has too many ends; the empty text where none was.
    """

    position: Position
    budget: Budget
    seed: int
    candidates: tuple[Candidate, ...]
    turns: int
    phases: int
    seconds: float
    narrowed: str = ""

    @property
    def best(self) -> Candidate:
        """The best candidate."""
        return self.candidates[0]

    def of_top(self, top: int) -> Thinking:
        """The same with so many of the candidates at most."""
        return replace(self, candidates=self.candidates[:top])


def candidates(
    position: Position, budget: Budget = DEFAULT, seed: int = 0, top: int = 10, weights: Weights | None = None
) -> Thinking:
    """The best plans for the rest of the active Emperor's turn; reproducible for a seed without `seconds`.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> found = candidates(example("movement"), GREEDY, top=3)
    >>> len(found.candidates), found.best.stage
    (3, 1)

    :raises IllegalPositionError: when the position cannot occur, or no turn is left to be played in it.
    """
    *_, last = deepening(position, budget, seed, top, weights)
    return last


def deepening(
    position: Position,
    budget: Budget = DEFAULT,
    seed: int = 0,
    top: int = 10,
    weights: Weights | None = None,
    cancel: Stop | None = None,
    until: Stop | None = None,
    on_the_way: int | None = None,
) -> Iterator[Thinking]:
    """The successive answers that lead to that of `candidates`, each from a larger search.

    The first comes after one turn was searched; `greedy` ends with it, whatever the time. With `seconds` looks up to the whole
    budget come first, smaller ones where it does not seem to fit; then larger looks, while the next one seems to fit. A look
    that is not finished when the time is over, or when `cancel` is set, is the last answer where it can be compared with the
    one before, see `_as_far_as_it_went`. Looks up to the whole budget end with `until` instead of after `seconds`, where it is
    given. Each answer has at most `top` plans, those by another policy than the last `on_the_way`, where it is given.
    """
    stop = stop_of(budget.seconds, cancel)
    until = until or stop
    require_kernel(position, house=True)
    if position.phase is not Phase.ROMAN or position.is_won:
        raise IllegalPositionError(["expected a Roman phase, in which there is a turn to be played"])
    began = time.perf_counter()
    order: tuple[Policy, ...] = ("greedy", "expectimax", "search")
    first = budget
    if budget.seconds is not None:
        first = replace(
            budget,
            deep_ends=min(budget.deep_ends, FIRST_STEP.deep_ends),
            deep_samples=min(budget.deep_samples, FIRST_STEP.deep_samples),
        )
    taken, done = 0.0, None
    for policy in order[: order.index(budget.policy) + 1]:
        taken = time.perf_counter()
        needed = None if policy == "greedy" else until  # it takes some milliseconds, and it is required for a plan
        most = top if policy == budget.policy or on_the_way is None else on_the_way
        try:
            done = _look(position, replace(first, policy=policy), seed, most, began, weights, needed)
        except Stopped:  # a smaller look by another policy has compared other plans
            return
        yield done.of_top(most)
        taken = time.perf_counter() - taken
    if done is None or budget.seconds is None or budget.policy == "greedy":
        return
    while (step := _next(done.budget, budget, taken, left(stop), left(until))) is not None:
        taken = time.perf_counter()
        try:
            done = _look(position, step, seed, top, began, weights, stop if done.budget.includes(budget) else until)
        except Stopped as stopped:
            if (part := _as_far_as_it_went(stopped.partial, done)) is not None:
                yield part.of_top(top)
            return
        yield done.of_top(top)
        taken = time.perf_counter() - taken


def _as_far_as_it_went(cut: Thinking, done: Thinking) -> Thinking | None:
    """The answer of a look that was cut off, with the budget of the completed one before; None where that one is better.

    Stage 3 takes the plans one by one, the best of the stage before first: if it is cut off it has done what a search with
    fewer `deep_ends` does. That is an answer to be preferred if all plans that the completed look has compared in its stage 3
    are among them.
    """
    compared = {candidate.plan for candidate in done.candidates if candidate.stage == DEEPEST and candidate.error}
    again = {candidate.plan for candidate in cut.candidates if candidate.stage == DEEPEST}
    if not compared or not compared <= again or not cut.budget.includes(done.budget):
        return None
    return replace(cut, budget=done.budget)


def _next(done: Budget, named: Budget, taken: float, rest: float | None, rest_of_named: float | None) -> Budget | None:
    """The next budget, judging by the time that the last one has taken; None where a larger one does not fit.

    The named budget is tried even where it does not seem to fit: there is nothing better to do with the rest of the time.
    """
    whole = done.includes(named)
    time_left = (rest if whole else rest_of_named) or 0.0
    factor = min(time_left / taken, 8) if taken else 8
    if whole:
        larger = _larger(done, factor) if factor >= 1.5 else done  # slightly larger budgets gain little
        return None if larger == done else larger
    if taken * named.work / done.work <= MOST_TOO_HIGH * time_left or factor < 3:
        return named
    larger = _larger(done, factor / 2)
    return replace(named, **{name: min(getattr(larger, name), getattr(named, name)) for name in NUMBERS})


def choose(position: Position, budget: Budget = DEFAULT, seed: int = 0, weights: Weights | None = None) -> Plan:
    """The plan to follow; see `candidates`."""
    return candidates(position, budget, seed, 1, weights).best.plan


def value_of(
    position: Position,
    plan: Plan,
    budget: Budget = DEFAULT,
    seed: int = 0,
    weights: Weights | None = None,
    stop: Stop | None = None,
) -> Candidate:
    """The value of any plan, as the last stage of `candidates` with this budget and seed would value it, with the same dice.

    >>> from tetrasolve.tetrarchia.examples import example
    >>> best = candidates(example("movement"), EXPECTIMAX).best
    >>> value_of(example("movement"), best.plan, EXPECTIMAX) == best
    True

    :raises IllegalPositionError: when the position cannot occur.
    :raises IllegalActionError: when an action of the plan is illegal.
    :raises Stopped: when `stop` is set before its end.
    """
    value = doubt = 0.0
    stage = DEEPEST
    with ready(position, weights) as (player, _):
        for chance, end, _ in endings(position, plan):
            if isinstance(end, Fall) or end.is_won:
                value += float(chance) * (not isinstance(end, Fall))
                continue
            worth, reached, variance = _of_stopping(player, end, budget, seed, stop, rebels=bool(position.rebels))
            value, doubt, stage = (
                value + float(chance) * worth,
                doubt + float(chance) ** 2 * variance,
                min(stage, reached),
            )
    return Candidate(plan, min(max(value, 0.0), 1.0), stage, sqrt(doubt) if stage > 1 and doubt > 0 else None)


def _of_stopping(
    player: Player, end: Position, budget: Budget, seed: int, stop: Stop | None, *, rebels: bool
) -> tuple[float, int, float]:
    """The value of the end of a turn, the stage that it reached, and the variance of the value.

    The search has the end as a turn without IP, and with the Emperor's power used, so that nothing can be done any more. Only a
    power that was never paid for is still open: stopping then competes with its use for the later stages.
    """
    used = end.to_move in (DIOCLETIAN, MAXIMIAN) and end.removed.get(end.to_move, 0) > 0
    rest = end.replace(phase=Phase.ROMAN, ip=0, pieces=replace(end.pieces, power=True) if used else end.pieces)
    found = player.think(
        fast.state_of(rest, rebels=rebels), seed, top=1 if used or not end.removed else MOST_ENDS,
        policy=budget.policy, ends=budget.ends, samples=budget.samples, rounds=budget.rounds, deep_ends=budget.deep_ends,
        deep_samples=budget.deep_samples, stop=stop,
    )  # fmt: skip
    return next((worth, reached, variance) for worth, reached, variance, tree in found if tree == ((), None))


def _larger(budget: Budget, factor: float) -> Budget:
    """A budget of about `factor` times the work: more samples first, then more plans."""
    wide = sqrt(factor) if factor > 3 else 1.0
    return replace(
        budget,
        ends=min(int(budget.ends * wide), MOST_ENDS),
        samples=min(int(budget.samples * factor / wide), MOST_SAMPLES >> budget.rounds - 1),
        deep_ends=min(int(budget.deep_ends * wide), MOST_ENDS),
        deep_samples=min(int(budget.deep_samples * factor / wide), MOST_SAMPLES),
    )


def _look(
    position: Position,
    budget: Budget,
    seed: int,
    top: int,
    began: float,
    weights: Weights | None,
    stop: Stop | None,
) -> Thinking:
    """A search with this budget; where it has `seconds`, with all plans that stage 3 compares.

    :raises Stopped: when `stop` is set before its end; its `partial` is what was found until then.
    """
    cut: Stopped | None = None
    with ready(position, weights) as (player, state):
        turns, phases = player.counters()
        try:
            found = player.think(
                state,
                seed,
                top=top if budget.seconds is None else max(top, budget.deep_ends),
                policy=budget.policy,
                ends=budget.ends,
                samples=budget.samples,
                rounds=budget.rounds,
                deep_ends=budget.deep_ends,
                deep_samples=budget.deep_samples,
                stop=stop,
            )
        except Stopped as stopped:
            found, cut = stopped.partial, stopped
        after_turns, after_phases = player.counters()
        scope = player.scope()
    actions: dict[int, Action] = {}
    named_by_code = fast.engine_for(position.ruleset, rebels=bool(position.rebels)) is whole
    thinking = Thinking(
        position=position,
        budget=budget,
        seed=seed,
        candidates=tuple(
            Candidate(
                plan=plan_of(tree, position.board, named_by_code=named_by_code, actions=actions),
                value=min(max(value, 0.0), 1.0),  # a corrected mean can be outside [0, 1]
                stage=stage,
                error=sqrt(max(doubt, 0.0)) if stage > 1 and doubt > 0 else None,
            )
            for value, stage, doubt, tree in found
        ),
        turns=after_turns - turns,
        phases=after_phases - phases,
        narrowed=narrowed(scope, position.ruleset.extensions),
        seconds=time.perf_counter() - began,
    )
    if cut is not None:
        cut.partial = thinking
        raise cut
    return thinking
