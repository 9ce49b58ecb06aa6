"""Weights of the evaluation by regression: a guess made by hand, scaled to how games went, then bent as far as games bear it.

::

    python -m tetrasolve.tetrarchia.hint.linear --seed 7 weights.txt

Needs numpy, as `tetrasolve.tetrarchia.hint.train` does, which learns whole networks. Here only the unit that is passed on
says anything, so the logarithm of the odds of winning is a sum over the features, and what is fitted is a logistic
regression:

- the network of the start of a turn to how games went on from there: only tables after the last turn that strayed, since
  what came of earlier ones came of the mistake too;
- the network of the end of a turn to the mean of the first network after sampled phases, for ends played and for others.

Both begin with the guess (`train.FIRST_GUESS`). First two numbers are fitted, a factor and a constant: the guess is
calibrated. Then all weights are, with a penalty on the square of how far each is from the calibrated guess: a Gaussian
prior. For the second network the penalty is chosen by the loss on games that were left out; tables of one game are never on
both sides. For the first it is given, and heavy: the loss on games that were left out asks for a lighter one, but these are
games of the same policy, and a policy that looks for the best by such weights finds tables that they know nothing of, and
waits there for ever. For the same reason the first regression is to wins that count a little less with every turn they take;
its factor and constant are then fitted once more, to wins that count in full, so that a chance is a chance.

The same command gives the same weights on the same machine; elsewhere sums may come out otherwise in their last digits.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# before numpy itself: it has sums made in one order
from tetrasolve.tetrarchia.hint.train import KEPT, STRAYED, Array, Layers, chance, first_guess, players, rows_of

# isort: split
import numpy as np

from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.hint import features
from tetrasolve.tetrarchia.hint.weights import Weights, write_weights
from tetrasolve.tetrarchia.ruleset import all_levels

WIDTH = 4  # of the hidden layer: the least that the kernel takes; one unit is used
MOST_TURNS = 200  # of a game to learn from; one that is not over by then counts as lost
PENALTIES = (3000.0, 1000.0, 300.0, 100.0, 30.0, 10.0, 3.0)  # on the square of a change of a weight; heaviest first
FOLDS = 4  # one part in so many of the games is left out to choose among these
ENDS = 24  # of a turn that are looked at after sampled phases
STEPS = 30  # of Newton's method at most
CLOSE = 1e-3  # the greatest change of a weight in the last of these
TABLE = 64  # bytes


@dataclass
class Line:
    """The logarithm of the odds of winning as a sum over features: weights and a constant."""

    weights: Any  # of the features, 64-bit floats
    constant: float

    def logit(self, rows: Any) -> Any:
        """Of rows of features."""
        return rows @ self.weights + self.constant

    def scaled(self, factor: float, constant: float) -> Line:
        """The same order of tables, at other odds."""
        return Line(self.weights * factor, self.constant * factor + constant)

    def layers(self) -> Layers:
        """As a network whose other units say nothing."""
        first = np.zeros((features.FEATURES, WIDTH), np.float32)
        first[:, 0] = self.weights
        second = np.zeros(WIDTH, np.float32)
        second[0] = 1
        return Layers(first, np.zeros(WIDTH, np.float32), second, np.full(1, self.constant, np.float32))


def guess() -> Line:
    """The guess made by hand."""
    layers = first_guess(WIDTH, np.random.default_rng(0))
    return Line(layers.first[:, 0].astype(float), float(layers.bias[0]))


@dataclass
class Lessons:
    """Rows of features, what each was worth, and the number of the game it is from."""

    rows: Array
    worth: Any
    game: Any

    def __len__(self) -> int:
        return len(self.worth)

    def of(self, chosen: Any) -> Lessons:
        """Some of them."""
        return Lessons(self.rows[chosen], self.worth[chosen], self.game[chosen])


# -- games -----------------------------------------------------------------------------------------------------------


def play(start: Line, end: Line, games: int, seed: int, *, strays: int, others: int) -> tuple[Lessons, Lessons]:
    """So many games over all levels: starts of turns with how the game went, ends with what one step says."""
    levels = list(all_levels())
    order = np.random.default_rng(seed).permutation(games)  # so that any number of games covers the levels evenly
    ready = players([start.layers(), end.layers()])
    starts: list[Lessons] = []
    ends: list[Lessons] = []
    for number in range(games):
        level = levels[int(order[number]) % len(levels)]
        player = ready[level.garrisons]
        results, noted, kinds, known = player.lessons(
            1, level.revolts, level.fleets, level.armies, seed,
            first=number, strays=strays, most_turns=MOST_TURNS, ends=ENDS, others=others,
        )  # fmt: skip
        kind, tables = np.frombuffer(kinds, np.uint8), np.frombuffer(noted, np.uint8).reshape(-1, TABLE)
        for chosen, worth, found in (
            (after_last_stray(kind), np.full(len(kind), float(results[0][0] == kernel.WON)), starts),
            (kind > STRAYED, np.array(known), ends),
        ):
            rows = rows_of(player, tables[chosen].tobytes())
            found.append(Lessons(rows, worth[chosen], np.full(len(rows), number)))
    both = []
    for parts in (starts, ends):
        rows = np.concatenate([part.rows for part in parts])
        worth, game = (np.concatenate([getattr(part, name) for part in parts]) for name in ("worth", "game"))
        both.append(Lessons(rows, worth, game))
    return both[0], both[1]


def after_last_stray(kind: Any) -> Any:
    """Which tables are starts of turns from which on the policy was kept to."""
    strayed = np.flatnonzero(kind == STRAYED)
    return (kind == KEPT) & (np.arange(len(kind)) > (strayed[-1] if len(strayed) else -1))


# -- regression ------------------------------------------------------------------------------------------------------


def loss(logit: Any, worth: Any) -> float:
    """The mean logistic loss."""
    return float(np.mean(np.logaddexp(0, logit) - worth * logit))


def newton(rows: Any, worth: Any, prior: Any, penalty: Any, begin: Any) -> Any:
    """The weights with the least loss, summed over the rows, plus half the penalties on the squares from the prior."""
    found = begin.copy()
    for _ in range(STEPS):
        said = chance(rows @ found.astype(rows.dtype)).astype(rows.dtype)
        slope = rows.T @ (said - worth).astype(rows.dtype) + penalty * (found - prior)
        curve = rows.T @ (rows * np.maximum(said * (1 - said), 1e-6)[:, None])
        step = np.linalg.solve(curve.astype(float) + np.diag(penalty), slope.astype(float))
        found = found - step * min(1.0, 4 / max(np.abs(step).max(), 1e-9))  # a step too long may lead away
        if np.abs(step).max() < CLOSE:
            break
    return found


def calibrated(line: Line, lessons: Lessons) -> tuple[float, float]:
    """The factor and the constant that make the line tell chances."""
    rows = np.stack([line.logit(lessons.rows.astype(float)), np.ones(len(lessons))], 1)
    factor, constant = newton(rows, lessons.worth, np.zeros(2), np.full(2, 1e-6), np.array([0.3, 0.0]))
    return float(factor), float(constant)


def bent(prior: Line, lessons: Lessons, penalty: float, begin: Line) -> Line:
    """The regression with a penalty for all weights but the constant."""
    rows = np.concatenate([lessons.rows, np.ones((len(lessons), 1), np.float32)], 1)
    heavy = np.full(features.FEATURES + 1, penalty)
    heavy[-1] = 1e-6
    whole, first = (np.append(line.weights, line.constant) for line in (prior, begin))
    found = newton(rows, lessons.worth, whole, heavy, first)
    return Line(found[:-1], float(found[-1]))


def discounted(lessons: Lessons, discount: float) -> Lessons:
    """Wins that count less with each turn they took from there; the starts of turns of a game lie in its order."""
    left = np.zeros(len(lessons))
    for i in range(len(lessons) - 2, -1, -1):
        left[i] = left[i + 1] + 1 if lessons.game[i] == lessons.game[i + 1] else 0
    return Lessons(lessons.rows, lessons.worth * discount**left, lessons.game)


def best_bent(prior: Line, lessons: Lessons, name: str) -> Line:
    """The regression with the penalty that does best on the games left out, then on all games; the prior if none does better."""
    out = lessons.game % FOLDS == 0
    kept, left = lessons.of(~out), lessons.of(out)
    best, least, line = None, loss(prior.logit(left.rows), left.worth), prior
    say(f"{name}: {len(kept)} tables, and {len(left)} left out, with loss {least:.4f} by the calibrated guess")
    for penalty in PENALTIES:
        line = bent(prior, kept, penalty, line)
        found = loss(line.logit(left.rows), left.worth)
        say(f"{name}: penalty {penalty:g}: loss {loss(line.logit(kept.rows), kept.worth):.4f}, left out {found:.4f}")
        if found < least:
            best, least = penalty, found
        elif found > least + 0.002:
            break
    return prior if best is None else bent(prior, lessons, best, line)


# -- the command -----------------------------------------------------------------------------------------------------


def say(text: str) -> None:
    """How far it has come."""
    print(text, file=sys.stderr, flush=True)  # noqa: T201


def make(options: argparse.Namespace) -> tuple[Line, Line]:
    """The lines of both networks."""
    seed = 1000 * options.seed
    known, _ = play(guess(), guess(), options.games, seed, strays=options.strays, others=0)
    say(f"{options.games} games, {100 * known.worth.mean():.1f}% of the tables won")
    start = fitting(guess(), known, "start")
    if not options.calibrate:
        aim = discounted(known, options.discount)
        prior = fitting(guess(), aim, "start, discounted")
        start = fitting(bent(prior, aim, options.penalty, prior), known, "start, bent")
    say(f"start: loss {loss(start.logit(known.rows), known.worth):.4f}")
    _, ends = play(start, guess(), options.games // 4, seed + 1, strays=2 * options.strays, others=options.others)
    end = fitting(guess(), ends, "end")
    return start, end if options.calibrate else best_bent(end, ends, "end")


def fitting(line: Line, lessons: Lessons, name: str) -> Line:
    """The line, calibrated."""
    factor, constant = calibrated(line, lessons)
    say(f"{name}: times {factor:.4f}, {constant:+.4f}")
    return line.scaled(factor, constant)


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make the weights of the evaluation by regression.")
    parser.add_argument("file", type=Path, help="to write the weights to")
    parser.add_argument("--seed", type=int, default=7, help="of all that is drawn (default: %(default)s)")
    parser.add_argument("--games", type=int, default=1500, help="to learn from (default: %(default)s)")
    parser.add_argument("--strays", type=int, default=40, help="turns of 1000 that stray (default: %(default)s)")
    parser.add_argument(
        "--others", type=int, default=3, help="ends noted beside the one of a turn (default: %(default)s)"
    )
    parser.add_argument("--discount", type=float, default=0.98, help="of a win one turn later (default: %(default)s)")
    parser.add_argument("--penalty", type=float, default=3000.0, help="of the first regression (default: %(default)s)")
    parser.add_argument("--calibrate", action="store_true", help="scale the guess, and leave it at that")
    options = parser.parse_args(argv)
    parts = [line.layers().flat().tobytes() for line in make(options)]
    words = [
        f"--{name} {getattr(options, name)}" for name in ("seed", "games", "strays", "others", "discount", "penalty")
    ]
    words += ["--calibrate"] * options.calibrate + [options.file.name]
    made = {"command": f"python -m tetrasolve.tetrarchia.hint.linear {' '.join(words)}", "seed": options.seed}
    options.file.write_text(write_weights(Weights(WIDTH, parts[0], parts[1], made)), "utf-8")


if __name__ == "__main__":
    main()
