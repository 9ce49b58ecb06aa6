"""Networks with weights of chance, so that tests say nothing about which weights are shipped."""

from __future__ import annotations

from array import array
from functools import lru_cache
from math import exp
from random import Random

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.features import FEATURES, features_of
from tetrasolve.tetrarchia.hint.weights import Weights
from tetrasolve.tetrarchia.kernel import Player, State
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

BOARD = Board.standard()
WIDTH = 8


@lru_cache
def weights(seed: int = 1) -> Weights:
    """Small numbers for all weights."""
    random = Random(seed)
    parts = [array("f", (random.gauss(0, 0.3) for _ in range((FEATURES + 2) * WIDTH + 1))) for _ in range(2)]
    return Weights(WIDTH, parts[0].tobytes(), parts[1].tobytes(), {"seed": seed})


def player(level: str, seed: int = 1) -> Player:
    return Player(fast.kernel_for(BOARD, Ruleset.from_level(level)), weights(seed).networks())


def without_units(chosen: Weights, *units: int) -> Weights:
    """The same weights with a weight of 0 for what these units of the hidden layer find."""
    parts = [array("f", part) for part in (chosen.start, chosen.end)]
    for part in parts:
        for unit in units:
            part[(FEATURES + 1) * WIDTH + unit] = 0.0
    return Weights(WIDTH, parts[0].tobytes(), parts[1].tobytes(), {})


def plainly(position: Position, chosen: Weights | None = None) -> float:
    """The value of a position from the features of the reference, in plain Python."""
    chosen = chosen or weights()
    part = chosen.start if position.phase == "roman" else chosen.end
    numbers = memoryview(part).cast("f").tolist()
    bias, second = numbers[FEATURES * WIDTH : (FEATURES + 1) * WIDTH], numbers[(FEATURES + 1) * WIDTH : -1]
    hidden = list(bias)
    for feature, value in enumerate(features_of(position)):
        for unit in range(WIDTH):
            hidden[unit] += value * numbers[feature * WIDTH + unit]
    logit = numbers[-1] + hidden[0] * second[0]
    logit += sum(max(hidden[unit], 0) * second[unit] for unit in range(1, WIDTH))
    return 1 / (1 + exp(-logit))


def in_play(level: str, seed: int, turns: int = 6) -> State:
    """The start of a turn in a game at random that is not over."""
    ruleset, rng = Ruleset.from_level(level), kernel.Rng(seed)
    engine = fast.kernel_for(BOARD, ruleset)
    state = last = engine.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, rng)
    for _ in range(turns):
        while state.phase == kernel.ROMAN and state.result == kernel.OPEN:
            state = engine.random_turn(state, rng)
        if state.result == kernel.OPEN:
            state = engine.sample(state, rng)
        if state.result != kernel.OPEN:
            return last
        last = state
    return last
