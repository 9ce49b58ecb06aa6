"""Rollouts: estimates of the chance that Rome wins, from games played to their end by a fast policy.

The methods are those of backgammon: games from two compared positions have the same dice as far as possible (common random
numbers); in each 36 games the first roll of the first phase names each province once (stratified dice); and the luck of the
dice, as measured by the evaluation, is subtracted from the result (luck adjustment, a control variate whose mean is 0 for any
evaluation). The policy makes mistakes, so this is the chance of winning *if the policy continues*. A rollout of a few turns
that ends with the evaluation is fast and has the bias of the evaluation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from tetrasolve.errors import OutOfTimeError
from tetrasolve.exact.deadline import stop_of
from tetrasolve.exact.estimate import FEWEST_REPLICATIONS, Estimate, chance, replications, student
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.hint.evaluation import ready
from tetrasolve.tetrarchia.hint.weights import Weights
from tetrasolve.tetrarchia.position import Position

BLOCK = 36  # games with each first roll once
MOST_TURNS = 400  # a longer game is unlikely to end


@dataclass(frozen=True, slots=True)
class Rollout:
    """The estimates from the games of a position.

    `adjusted`: the chance of winning, luck adjusted, from the means of blocks of 36 games; its interval is Student's, so it
    has its confidence in the limit of many blocks. `plain`: the share of games won, with an interval that always holds;
    None where games end after a number of turns. `games`: the result of each, and its value minus its luck.
    """

    position: Position
    seed: int
    adjusted: Estimate
    plain: Estimate | None
    games: tuple[tuple[int, float], ...]


def rollout(
    position: Position,
    games: int = 20 * BLOCK,
    seed: int = 0,
    confidence: float = 0.95,
    policy: str = "greedy",
    turns: int = MOST_TURNS,
    weights: Weights | None = None,
    seconds: float | None = None,
    cancel: Stop | None = None,
) -> Rollout:
    """Play games from a position to their end, or for `turns` turns; in a Roman phase the policy plays the rest of the turn.

    After `seconds`, or when `cancel` is set, the whole blocks of 36 games that are over count; at least 20 have to be.

    :raises OutOfTimeError: when fewer are over.
    :raises ValueError: with fewer than 20 blocks of 36 games, or a number that is no multiple of 36.
    :raises IllegalPositionError: when the position cannot occur.
    """
    if games % BLOCK or games < FEWEST_REPLICATIONS * BLOCK:
        raise ValueError(f"games: expected a multiple of {BLOCK}, at least {FEWEST_REPLICATIONS * BLOCK}, got {games}")
    stop = stop_of(seconds, cancel)
    with ready(position, weights) as (player, state):
        try:
            played = tuple(player.rollouts(state, games, seed, policy=policy, most_turns=turns, stop=stop))
        except Stopped as stopped:
            played = tuple(stopped.partial or ())
    games = len(played) // BLOCK * BLOCK
    if games < FEWEST_REPLICATIONS * BLOCK:
        raise OutOfTimeError(
            f"games from '{position}': the time ran out after {len(played)}; an estimate requires more"
        )
    played = played[:games]
    means = [fsum(adjusted for _, adjusted in played[i : i + BLOCK]) / BLOCK for i in range(0, games, BLOCK)]
    won = sum(result == kernel.WON for result, _ in played)
    return Rollout(
        position=position,
        seed=seed,
        adjusted=replications(means, confidence, games),
        plain=None if any(result == kernel.OPEN for result, _ in played) else chance(won, games, confidence),
        games=played,
    )


@dataclass(frozen=True, slots=True)
class Compared:
    """One of several compared positions: its luck-adjusted mean over `games` games, and whether it was dropped early.

    `behind`: its distance from the best one, with an interval from paired games; None for the best.
    """

    position: Position
    mean: float
    games: int
    dropped: bool
    behind: Estimate | None


def compare(
    positions: Sequence[Position],
    blocks: int = 20,
    seed: int = 0,
    confidence: float = 0.99,
    policy: str = "greedy",
    turns: int = MOST_TURNS,
    weights: Weights | None = None,
) -> tuple[Compared, ...]:
    """Compare positions, in the order given, by games with common random numbers; clearly worse ones are dropped early.

    After each 36 games from the fifth block on, a position is dropped if its distance from the best so far is significant at the
    confidence divided among all looks and positions (Bonferroni). The result is a choice by simulation, not a proof.

    :raises ValueError: with fewer than 5 blocks, or fewer than two positions.
    """
    if blocks < 5 or len(positions) < 2:
        raise ValueError(f"expected two positions and 5 blocks or more, got {len(positions)} and {blocks}")
    values: list[list[float]] = [[] for _ in positions]
    alive = list(range(len(positions)))
    share = (1 - confidence) / (blocks * len(positions))
    for block in range(blocks):
        for i in alive:
            with ready(positions[i], weights) as (player, state):
                played = player.rollouts(state, BLOCK, seed, first=block * BLOCK, policy=policy, most_turns=turns)
            values[i].append(fsum(adjusted for _, adjusted in played) / BLOCK)
        if block < 4:
            continue
        best = max(alive, key=lambda i: fsum(values[i]))
        alive = [i for i in alive if i == best or not _is_behind(values[best], values[i], 1 - share)]
        if len(alive) == 1:
            break
    best = max(alive, key=lambda i: fsum(values[i]) / len(values[i]))
    return tuple(
        Compared(
            position=position,
            mean=fsum(values[i]) / len(values[i]),
            games=len(values[i]) * BLOCK,
            dropped=i not in alive,
            behind=None if i == best else _distance(values[best], values[i], confidence),
        )
        for i, position in enumerate(positions)
    )


def _differences(best: Sequence[float], other: Sequence[float]) -> list[float]:
    return [a - b for a, b in zip(best, other, strict=False)]  # one of them may have been dropped


def _is_behind(best: Sequence[float], other: Sequence[float], confidence: float) -> bool:
    found = _distance(best, other, confidence)
    return found.low > 0


def _distance(best: Sequence[float], other: Sequence[float], confidence: float) -> Estimate:
    """The mean of paired differences of blocks, by Student's t (with few blocks the quantile is a little too small)."""
    differences = _differences(best, other)
    n = len(differences)
    mean = fsum(differences) / n
    variance = fsum((x - mean) ** 2 for x in differences) / (n - 1)
    half = student(confidence, n - 1) * sqrt(variance / n)
    return Estimate(mean, mean - half, mean + half, n * BLOCK, confidence, "replications")
