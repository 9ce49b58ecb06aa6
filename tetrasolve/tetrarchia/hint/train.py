"""How the weights of the evaluation are made: self-play on the kernel, then regression on how the games went.

::

    python -m tetrasolve.tetrarchia.hint.train --seed 7 weights.txt

Needs numpy, which nothing else here does. Each round plays games at all levels by a small expectimax with the weights so
far; some turns stray to another end, so that the networks learn what mistakes cost. What a table was worth is in part what
one step tells (the best way to play the turn; the mean after sampled phases), in part what came of it in the game as long
as the policy was kept to: TD(lambda), Sutton (1988), cut off where a turn strays, so that nothing is learned from a mistake
about the table before it. Ends that a turn might have had are learned from too, by their one step: a network that knows
only the tables of good play believes what it likes about all others, and a policy that looks for the best soon finds these.

The networks then learn from the tables of the last rounds (logistic loss, Adam). The first round plays by a guess made by
hand.

The same command gives the same weights on the same machine; elsewhere floating-point sums may come out otherwise in
their last digits.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # sums in one order, so that a seed means the same weights again

import numpy as np

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint import features
from tetrasolve.tetrarchia.hint.weights import Weights, read_weights, write_weights
from tetrasolve.tetrarchia.kernel import Networks, Player
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

START, END = 0, 1  # the two networks
TABLE = 64  # bytes
BATCHES = (256, 1024)  # tables a step; there are fewer to learn the start of a phase from
KEPT, STRAYED, OTHER = 0, 1, 3  # kinds of tables: see `kernel.Player.lessons`
MOST_TURNS = 70  # of a game to learn from; one that is not over by then counts as lost

Array = np.ndarray[Any, np.dtype[np.float32]]

# What a beginner would say about a table, as additions to the logarithm of the odds of winning. The first round plays by it.
FIRST_GUESS = {
    "revolts after fire": -6.0,
    "above 17": -3.0,
    "unrest": -1.0,
    "fire": -0.5,
    "growth": -1.0,
    "largest group": -1.0,
    "armies": -1.0,
    **{f"secured {n}": 0.9 * n for n in range(7)},
    # who has spent his garrisons inland can secure no border any more
    **{f"reserve {turn} {n}": weight for turn in range(4) for n, weight in ((0, -1.2), (1, -0.5), (2, -0.2))},
    **{f"behind {border} {n}": -0.2 * n for border in Board.standard().borders for n in range(4)},
    **{f"fall {phase}": weight for phase, weight in ((1, -5.0), (2, -2.5), (3, -1.2), (4, -0.6))},
    **{
        f"army {army} {name}": weight
        for army in range(3)
        for name, weight in (("there", -1.2), ("far", 1.0), ("victory", 1.5), ("defeat", -1.0))
    },
    **{
        f"actor {turn} {name}": weight
        for turn in range(3)
        for name, weight in (("off", -0.3), ("borders", 0.3), ("nearest border", 0.2), ("revolts", 0.2))
    },
    **{f"actor {turn} army {army} victory": 0.5 for turn in range(3) for army in range(3)},
}
FIRST_GUESS_CONSTANT = 2.0


@dataclass
class Layers:
    """One network: a hidden layer, of which the first unit is passed on as it is, the others where they are positive."""

    first: Array  # features x width
    bias: Array
    second: Array
    constant: Array  # one number

    def parts(self) -> tuple[Array, Array, Array, Array]:
        """All that is learned."""
        return self.first, self.bias, self.second, self.constant

    def flat(self) -> Array:
        """In the order of the kernel."""
        return np.concatenate([part.ravel() for part in self.parts()]).astype(np.float32)

    def forward(self, rows: Array) -> tuple[Array, Array]:
        """The hidden layer, and the logarithm of the odds of winning, of rows of features."""
        hidden = rows @ self.first + self.bias
        hidden[:, 1:] = np.maximum(hidden[:, 1:], 0)
        return hidden, hidden @ self.second + self.constant[0]


def first_guess(width: int, rng: np.random.Generator) -> Layers:
    """What a beginner would say, in the unit that is passed on; the others say nothing before they have learned."""
    first = rng.normal(0, 0.05, (features.FEATURES, width)).astype(np.float32)
    second = np.zeros(width, np.float32)
    linear = np.zeros(features.FEATURES, np.float32)
    for name, weight in FIRST_GUESS.items():
        linear[features.NAMES.index(name)] = weight
    first[:, 0], second[0] = linear, 1
    bias = np.zeros(width, np.float32)
    bias[0] = FIRST_GUESS_CONSTANT
    return Layers(first, bias, second, np.zeros(1, np.float32))


def layers_of(weights: Weights) -> list[Layers]:
    """The networks of a file of weights, to go on from."""
    found = []
    for part in (weights.start, weights.end):
        numbers = np.frombuffer(part, np.float32).copy()
        cut = features.FEATURES * weights.width
        first, rest = numbers[:cut].reshape(-1, weights.width), numbers[cut:]
        found.append(Layers(first, rest[: weights.width], rest[weights.width : -1], rest[-1:]))
    return found


def chance(logit: Array) -> Array:
    """The chance of winning."""
    return np.asarray(1 / (1 + np.exp(-logit)), np.float32)


# -- games ---------------------------------------------------------------------------------------------------------


@dataclass
class Games:
    """Tables of games, with what they were found to be worth."""

    tables: bytes
    moment: Any  # START or END of each
    garrisons: Any  # of the level
    worth: Any

    def __len__(self) -> int:
        return len(self.moment)


def players(networks: Sequence[Layers]) -> dict[int, Player]:
    """A player for each number of garrisons; nothing else of a level is needed after its set-up."""
    board = Board.standard()
    weights = Networks(networks[0].bias.size, *(network.flat().tobytes() for network in networks))
    return {n: Player(fast.kernel_for(board, Ruleset.from_level(f"{n}200")), weights) for n in (3, 4, 5)}


def play(networks: Sequence[Layers], games: int, seed: int, options: argparse.Namespace) -> tuple[Games, float]:
    """So many games over all levels, and the share that was won."""
    levels = list(all_levels())
    order = np.random.default_rng(seed).permutation(games)  # so that any number of games covers the levels evenly
    ready = players(networks)
    tables, moments, garrisons, worth, won = [], [], [], [], 0
    for number in range(games):
        level = levels[int(order[number]) % len(levels)]
        results, noted, kinds, known = ready[level.garrisons].lessons(
            1,
            level.revolts,
            level.fleets,
            level.armies,
            seed,
            first=number,
            strays=options.strays,
            most_turns=MOST_TURNS,
            others=options.others,
        )
        result = float(results[0][0] == kernel.WON)
        won += int(result)
        kind = np.frombuffer(kinds, np.uint8)
        tables.append(noted)
        moments.append(np.where(kind <= STRAYED, START, END).astype(np.uint8))
        garrisons.append(np.full(len(kind), level.garrisons, np.uint8))
        worth.append(returns(kind, np.array(known, np.float32), result, options.trace, options.discount))
    data = Games(b"".join(tables), np.concatenate(moments), np.concatenate(garrisons), np.concatenate(worth))
    return data, won / games


def returns(kind: Any, worth: Array, result: float, trace: float, discount: float) -> Array:
    """What each table was worth: in part what one step tells, in part what came of it as long as the policy was kept to.

    Each phase costs a little, so that a win now is better than the same chance of one later: who may wait for ever does.
    """
    found = worth.copy()
    later = result
    for i in range(len(kind) - 1, -1, -1):
        if kind[i] == STRAYED:
            later = found[i]
            continue
        phase = 1.0 if kind[i] == KEPT else discount
        real = trace if kind[i] != OTHER else 0.0
        found[i] = (1 - real) * phase * worth[i] + real * phase * later
        later = later if kind[i] == OTHER else found[i]
    return found


def rows_of(player: Player, tables: bytes) -> Array:
    """Their features."""
    return np.frombuffer(player.features_of_many(tables), np.float32).reshape(-1, features.FEATURES)


# -- learning ------------------------------------------------------------------------------------------------------


class Adam:
    """Kingma and Ba (2015), *Adam: a method for stochastic optimization*."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.mean = [np.zeros_like(part) for part in layers.parts()]
        self.square = [np.zeros_like(part) for part in layers.parts()]
        self.steps = 0

    def step(self, gradients: Sequence[Array], rate: float) -> None:
        """One step down."""
        self.steps += 1
        for part, gradient, mean, square in zip(self.layers.parts(), gradients, self.mean, self.square, strict=True):
            mean[:] = 0.9 * mean + 0.1 * gradient
            square[:] = 0.999 * square + 0.001 * gradient * gradient
            likely = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            part[:] = part - rate / (1 - 0.9**self.steps) * mean / likely


def batches(data: Games, which: int, rng: np.random.Generator) -> Iterator[tuple[int, Any]]:
    """Rows of tables of one moment, all of a batch with as many garrisons, in random order."""
    parts = []
    for garrisons in (3, 4, 5):
        rows = np.flatnonzero((data.moment == which) & (data.garrisons == garrisons))
        rng.shuffle(rows)
        parts += [(garrisons, rows[i : i + BATCHES[which]]) for i in range(0, len(rows), BATCHES[which])]
    for i in rng.permutation(len(parts)):
        yield parts[i]


def learn(
    networks: Sequence[Layers],
    optimizers: Sequence[Adam],
    pool: Sequence[Games],
    epochs: int,
    rates: tuple[float, float],
    rng: np.random.Generator,
) -> list[float]:
    """Fits both networks to the pool; the mean loss of the last epoch of each."""
    ready = players(networks)
    losses = []
    for which in (START, END):
        passes = epochs if which == END else 3 * epochs
        for epoch in range(passes):
            rate = rates[0] + (rates[1] - rates[0]) * epoch / max(1, passes - 1)
            total, count = 0.0, 0
            order = [(data, batch) for data in pool for batch in batches(data, which, rng)]
            for i in rng.permutation(len(order)):
                data, (garrisons, rows) = order[i]
                table = np.frombuffer(data.tables, np.uint8).reshape(-1, TABLE)[rows]
                found = rows_of(ready[garrisons], table.tobytes())
                total += descend(networks[which], optimizers[which], found, data.worth[rows], rate)
                count += len(rows)
            loss = total / count
        losses.append(loss)
    return losses


def descend(layers: Layers, optimizer: Adam, rows: Array, worth: Array, rate: float) -> float:
    """One step of the optimizer; the sum of the losses of the rows before it."""
    hidden, logit = layers.forward(rows)
    guess = chance(logit)
    error = ((guess - worth) / len(rows)).astype(np.float32)
    back = np.outer(error, layers.second)
    back[:, 1:] *= hidden[:, 1:] > 0
    gradients = (rows.T @ back + 1e-6 * layers.first, back.sum(0), hidden.T @ error, error.sum(keepdims=True))
    optimizer.step(gradients, rate)
    safe = np.clip(guess, 1e-6, 1 - 1e-6)
    return float(-(worth * np.log(safe) + (1 - worth) * np.log(1 - safe)).sum())


# -- the command ---------------------------------------------------------------------------------------------------


def train(options: argparse.Namespace) -> None:
    """All rounds; the weights are written before the first and after each."""
    rng = np.random.default_rng(options.seed)
    networks = [first_guess(options.width, rng) for _ in (START, END)]
    if options.start is not None:
        networks = layers_of(read_weights(options.start.read_text("utf-8")))
    optimizers = [Adam(network) for network in networks]
    pool: list[Games] = []
    began = time.monotonic()
    save(options, networks, 0)
    for number in range(options.rounds):
        games = options.games if number else options.first
        data, won = play(networks, games, 1000 * options.seed + number, options)
        pool = [*pool, data][-options.window :]
        last = number == options.rounds - 1
        rates = (options.rate, options.rate / 30 if last else options.rate / 3)
        losses = learn(
            networks, optimizers, pool, options.epochs * (3 if last or not (number or options.start) else 1), rates, rng
        )
        say = (
            f"round {number + 1}: {games} games, {100 * won:.1f}% won, {len(data)} tables, "
            f"losses {losses[START]:.4f} {losses[END]:.4f}, {time.monotonic() - began:.0f} s"
        )
        print(say, file=sys.stderr, flush=True)  # noqa: T201 # how far it has come
        save(options, networks, number + 1)


def save(options: argparse.Namespace, networks: Sequence[Layers], rounds: int) -> None:
    """Writes the weights with what made them."""
    made: dict[str, Any] = {
        "command": f"python -m tetrasolve.tetrarchia.hint.train {' '.join(arguments_of(options))}",
        "seed": options.seed,
        "rounds": rounds,
    }
    if options.start is not None:
        made["start"] = dict(read_weights(options.start.read_text("utf-8")).made)
    start, end = (network.flat().tobytes() for network in networks)
    options.file.write_text(write_weights(Weights(options.width, start, end, made)), "utf-8")


def arguments_of(options: argparse.Namespace) -> list[str]:
    """The options as they would be typed."""
    given = {name: value for name, value in vars(options).items() if name != "file" and value is not None}
    if options.start is not None:
        given["start"] = options.start.name
    return [*(f"--{name} {value}" for name, value in given.items()), options.file.name]


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make the weights of the evaluation by self-play.")
    parser.add_argument("file", type=Path, help="to write the weights to")
    parser.add_argument("--seed", type=int, default=7, help="of all that is drawn (default: %(default)s)")
    parser.add_argument("--start", type=Path, help="weights to go on from, rather than a guess made by hand")
    parser.add_argument("--rounds", type=int, default=40, help="of games and learning (default: %(default)s)")
    parser.add_argument("--first", type=int, default=150, help="games of the first round (default: %(default)s)")
    parser.add_argument("--games", type=int, default=100, help="of each later round (default: %(default)s)")
    parser.add_argument("--width", type=int, default=32, help="of the hidden layer (default: %(default)s)")
    parser.add_argument("--window", type=int, default=5, help="rounds that are learned from (default: %(default)s)")
    parser.add_argument("--epochs", type=int, default=2, help="over these, each round (default: %(default)s)")
    parser.add_argument("--rate", type=float, default=0.0015, help="of learning (default: %(default)s)")
    parser.add_argument("--trace", type=float, default=0.6, help="the lambda of TD(lambda) (default: %(default)s)")
    parser.add_argument(
        "--others", type=int, default=4, help="ends noted beside the one of a turn (default: %(default)s)"
    )
    parser.add_argument("--discount", type=float, default=0.995, help="of a win one phase later (default: %(default)s)")
    parser.add_argument("--strays", type=int, default=150, help="turns of 1000 that stray (default: %(default)s)")
    train(parser.parse_args(argv))


if __name__ == "__main__":
    main()
