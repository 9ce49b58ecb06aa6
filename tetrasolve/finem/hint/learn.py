"""Trains the weights of the evaluation, in rounds of games with the policy so far and regression on what they came to.

::

    python -m tetrasolve.finem.hint.learn --seed 7 weights.txt

Requires numpy (the extra ``train``), like no other part of the hints. The games are of all levels, options and readings, but for
the values of these that came later, as `tetrasolve.finem.hint.courses` draws them. Those of the first round are played by the
plain greedy policy ``discs``, those of the others by the evaluation so far; some turns are exploratory and take another of its
best ends, so that it sees states that good play avoids.

Each of the three networks is fitted, by stochastic gradients of the log loss (Adam: Kingma and Ba, 2015), to lambda returns: the
result of the game mixed with what the evaluation so far says of the states between (Sutton, 1988). After an exploratory turn the
result does not count for the states before; for them the game ends there with the value of the best end.

With ``--looking`` further rounds teach the network for the ends of actions alone what it chooses between: of each turn the best end
and another one are looked at with the same luck several times, and fitted to the mean value of the best end of the next turn's
actions. A result says little about the difference of two ends; this mean says more.

Each round is written when it is done; the same command continues an unfinished file. The same command gives the same weights on
the same machine; on others the last digits of sums, and so games, can differ.
"""

from __future__ import annotations

import argparse
import os
import struct
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported: sums in a fixed order

import numpy as np

from tetrasolve.files import write_text
from tetrasolve.finem.fast import engine_of
from tetrasolve.finem.hint.courses import drawn
from tetrasolve.finem.hint.weights import MOMENTS, NUMBERS, EvaluationWeights, WeightsError, read_weights, write_weights
from tetrasolve.finem.kernel import FEATURE_NAMES, HIDDEN, Player
from tetrasolve.finem.rules import seeded

Array = Any  # of numpy, whose types say little about shapes
FEATURES = len(FEATURE_NAMES)
CHUNK = 50  # games with one ruleset
STRAYED, LOOKED = 4, 8  # added to the kind of a state: the turn was exploratory; its value is a mean over several lucks
ACTED = MOMENTS.index("acted")
BATCH = 1024  # states in one step of the gradient
LEFT_OUT = 10  # one of this many games is left out of a round, to measure the loss


# -- games -------------------------------------------------------------------------------------------------------------


Rows = list[tuple[Array, Array, Array]]  # for each network features, targets and numbers of games


def play(weights: EvaluationWeights, options: argparse.Namespace, number: int, first: int) -> tuple[Rows, int]:
    """A chunk of games of a round, with one ruleset; and how many were won."""
    policy, looks = "value" if number else "discs", options.looks if is_looking(number, options) else 0
    chunk = number * options.games + first
    ruleset = drawn(options.seed, chunk).dealt(seeded(chunk))
    player = Player(engine_of(ruleset), weights.networks())
    rows, kinds, values, games, ends = player.lessons(
        policy, options.seed, chunk, CHUNK, options.strays if number else 0, looks
    )
    kind, value, game = np.frombuffer(kinds, np.uint8), np.frombuffer(values), np.frombuffer(games, np.int32)
    results = np.array([float(end == "won") for end in ends])
    looked, target = kind >= LOOKED, value.copy()
    fade = options.fade if number else 1.0
    target[~looked] = returns(kind[~looked], value[~looked], game[~looked] - chunk, results, fade)
    table = np.frombuffer(rows, np.float32).reshape(-1, FEATURES)
    found: Rows = []
    for moment in range(len(MOMENTS)):
        those = (kind % STRAYED == moment) & (looked if looks and moment == ACTED else ~looked)
        found.append((table[those], target[those], game[those]))
    return found, int(results.sum())


def lessons(weights: EvaluationWeights, options: argparse.Namespace, number: int) -> Rows:
    """For each network the rows of features, the targets and the numbers of the games of a round, played by several processes."""
    amount, began = games_of(number, options), time.monotonic()
    chunks: list[Rows] = []
    won = 0
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        for rows, some in pool.map(partial(play, weights, options, number), range(0, amount, CHUNK)):
            chunks.append(rows)
            won += some
            played = CHUNK * len(chunks)
            say(f"\rround {number + 1}: {played} of {amount} games, {time.monotonic() - began:.0f} s", end="")
    say(f"; {100 * won / amount:.1f} % won")
    return [
        tuple(np.concatenate([chunk[moment][column] for chunk in chunks]) for column in range(3))  # type: ignore[misc]  # three
        for moment in range(len(MOMENTS))
    ]


def is_looking(number: int, options: argparse.Namespace) -> bool:
    """Whether a round is one of the last, which look at several lucks."""
    return bool(number >= options.rounds)


def games_of(number: int, options: argparse.Namespace) -> int:
    """The games of a round."""
    return int(options.looking_games if is_looking(number, options) else options.games)


def returns(kind: Array, value: Array, game: Array, results: Array, fade: float) -> Array:
    """The lambda return of each state: with `fade` 1 the result of its game; `value` is that of the evaluation so far.

    >>> returns(np.array([0, 1, 0, 1]), np.array([0.5, 0.6, 0.7, 0.8]), np.zeros(4, int), np.array([1.0]), 0.5).round(3)
    array([0.7, 0.8, 0.9, 1. ])
    """
    found = np.empty(len(kind))
    after, following, current = 0.0, 0.0, -1
    for i in range(len(kind) - 1, -1, -1):
        if game[i] != current:
            current = int(game[i])
            after = following = float(results[current])
        after = (1 - fade) * following + fade * after
        if kind[i] >= STRAYED:  # the result says nothing about what came before
            after = float(value[i])
        found[i], following = after, float(value[i])
    return found


# -- regression --------------------------------------------------------------------------------------------------------


class Net:
    """A network: its weights, and their steps so far."""

    def __init__(self, part: bytes) -> None:
        numbers = np.frombuffer(part, np.float32)
        at = FEATURES * HIDDEN
        self.weights: list[Array] = [
            numbers[:at].reshape(FEATURES, HIDDEN).copy(),
            numbers[at : at + HIDDEN].copy(),
            numbers[at + HIDDEN : at + 2 * HIDDEN].copy(),
            numbers[-1:].copy(),
        ]
        self.mean = [np.zeros_like(one) for one in self.weights]
        self.square = [np.zeros_like(one) for one in self.weights]
        self.steps = 0

    def chance(self, rows: Array) -> Array:
        """The chance to win of each row."""
        first, bias, second, constant = self.weights
        return 1 / (1 + np.exp(-(np.maximum(rows @ first + bias, 0) @ second + constant)))

    def step(self, rows: Array, target: Array, rate: float) -> None:
        """A step of Adam on the mean log loss of these rows."""
        first, bias, second, constant = self.weights
        hidden = np.maximum(rows @ first + bias, 0)
        error = ((1 / (1 + np.exp(-(hidden @ second + constant))) - target) / len(rows)).astype(np.float32)
        back = np.outer(error, second) * (hidden > 0)
        self.steps += 1
        slopes = (rows.T @ back, back.sum(0), hidden.T @ error, error.sum(keepdims=True))
        for at, slope in enumerate(slopes):
            self.mean[at] += (1 - 0.9) * (slope - self.mean[at])  # the constants of the paper
            self.square[at] += (1 - 0.999) * (slope**2 - self.square[at])
            steady = self.mean[at] / (1 - 0.9**self.steps)
            scaled = steady / (np.sqrt(self.square[at] / (1 - 0.999**self.steps)) + 1e-8)
            self.weights[at] -= (rate * scaled).astype(np.float32)

    def numbers(self) -> bytes:
        """The weights as bytes."""
        return b"".join(one.astype("<f4").tobytes() for one in self.weights)


def loss(chance: Array, target: Array) -> float:
    """The mean log loss."""
    kept = np.clip(chance, 1e-6, 1 - 1e-6)
    return float(-np.mean(target * np.log(kept) + (1 - target) * np.log(1 - kept)))


def fitted(part: bytes, known: tuple[Array, Array, Array], options: argparse.Namespace, seed: str, what: str) -> bytes:
    """The network after some passes over the lessons, with a rate that falls to nothing."""
    rows, target, game = known
    target = target.astype(np.float32)
    out = game % LEFT_OUT == 0
    net, random = Net(part), np.random.default_rng(int.from_bytes(seed.encode(), "big"))
    before = loss(net.chance(rows[out]), target[out])
    kept = np.flatnonzero(~out)
    total, done = options.passes * len(kept) // BATCH + 1, 0
    for _ in range(options.passes):
        random.shuffle(kept)
        for at in range(0, len(kept) - BATCH + 1, BATCH):
            some = kept[at : at + BATCH]
            net.step(rows[some], target[some], options.rate * (1 - done / total))
            done += 1
    after = loss(net.chance(rows[out]), target[out])
    say(f"  {what}: {len(rows)} states; loss on games left out {before:.4f}, then {after:.4f}")
    return net.numbers()


# -- rounds ------------------------------------------------------------------------------------------------------------


def make(options: argparse.Namespace) -> None:
    """Run all rounds that are not done yet; the file is written after each."""
    weights, done = begun(options)
    for number in range(done, options.rounds + options.looking):
        known = lessons(weights, options, number)
        parts = [
            part
            if is_looking(number, options) and at != ACTED
            else fitted(part, known[at], options, f"{options.seed} {number} {MOMENTS[at]}", MOMENTS[at])
            for at, part in enumerate(weights.parts)
        ]
        text = write_weights(EvaluationWeights((parts[0], parts[1], parts[2]), made_by(options, number + 1)))
        write_text(options.file, text)
        weights = read_weights(text)  # as rounded, so that a run continued from the file is the same


def made_by(options: argparse.Namespace, done: int) -> dict[str, Any]:
    """The description of how a file was made."""
    names = ("seed", "rounds", "games", "looking", "looking-games", "looks", "strays", "fade", "passes", "rate")
    words = " ".join(f"--{name} {getattr(options, name.replace('-', '_'))}" for name in names)
    made = {"command": f"python -m tetrasolve.finem.hint.learn {words} {options.file.name}", "seed": options.seed}
    return made | ({"done": done} if done < options.rounds + options.looking else {})


def begun(options: argparse.Namespace) -> tuple[EvaluationWeights, int]:
    """The weights to continue from, and the number of their rounds; drawn ones if there are none."""
    if options.file.exists():
        weights = read_weights(options.file.read_text("utf-8"))
        done = weights.made.get("done", options.rounds + options.looking)
        if dict(weights.made) != made_by(options, done):
            raise WeightsError(f"{options.file}: made by another command: {weights.made.get('command')}")
        return weights, done
    random = Random(f"et-finem weights {options.seed}")
    parts = []
    for _ in MOMENTS:
        first = [random.gauss(0, (2 / FEATURES) ** 0.5) for _ in range(FEATURES * HIDDEN)]  # as He et al., 2015
        second = [random.gauss(0, (1 / HIDDEN) ** 0.5) for _ in range(HIDDEN)]
        parts.append(struct.pack(f"<{NUMBERS}f", *first, *[0.0] * HIDDEN, *second, 0.0))
    return read_weights(write_weights(EvaluationWeights((parts[0], parts[1], parts[2]), {}))), 0


def say(text: str, end: str = "\n") -> None:
    """Print progress."""
    print(text, file=sys.stderr, end=end, flush=True)  # noqa: T201


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Train the weights of the evaluation of Et finem Imperii Romani.")
    parser.add_argument("file", type=Path, help="output file for the weights; an existing file is continued")
    add = partial(parser.add_argument, type=int)
    add("--seed", default=7, help="random seed (default: %(default)s)")
    add("--rounds", default=7, help="rounds of games and regression (default: %(default)s)")
    add("--games", default=20_000, help="games of each round, a multiple of 50 (default: %(default)s)")
    add("--looking", default=1, help="further rounds that look at several lucks (default: %(default)s)")
    add("--looking-games", default=1500, help="games of each of these, a multiple of 50 (default: %(default)s)")
    add("--looks", default=8, help="lucks that they look at (default: %(default)s)")
    add("--jobs", default=os.cpu_count() or 1, help="processes that play; they change no result (default: %(default)s)")
    add("--strays", default=60, help="exploratory turns of 1000 (default: %(default)s)")
    add("--passes", default=8, help="passes over the states of a round (default: %(default)s)")
    add = partial(parser.add_argument, type=float)
    add("--fade", default=0.9, help="weight of what comes later, for each state between (default: %(default)s)")
    add("--rate", default=0.003, help="first rate of the gradient's steps (default: %(default)s)")
    options = parser.parse_args(argv)
    for name in ("games", "looking_games"):
        if getattr(options, name) <= 0 or getattr(options, name) % CHUNK:
            parser.error(f"--{name.replace('_', '-')}: expected a multiple of {CHUNK}, got {getattr(options, name)}")
    try:
        make(options)
    except (WeightsError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
