"""Trains hidden units for the starts of turns, on what a search finds there; requires numpy.

::

    python -m tetrasolve.tetrarchia.hint.hidden --seed 11 linear.txt weights.txt
    python -m tetrasolve.tetrarchia.hint.hidden --join weights.txt linear-modules.txt
    python -m tetrasolve.tetrarchia.hint.hidden --extend --seed 13 --rounds 3 linear-modules.txt weights-modules.txt

The first command begins with weights made by `tetrasolve.tetrarchia.hint.learn`. Each round plays games by expectimax, half of
them at the levels `HARD`, where some turns are exploratory. The network for starts of turns is fitted to the values that the
expectimax finds there: the mean of the network itself over starts of the next turn, after the best plan. Such a value is far less
noisy than the result of a game, so hidden units can be fitted to it; and each round moves the knowledge of the network by one
turn (fitted value iteration: Ernst, Geurts, Wehenkel, 2005). The first round adds the units, the others continue from them. In
the last round the linear network for ends of turns is fitted to the mean of the network for starts after sampled phases.

Each round is written when it is done; the same command continues an unfinished file. The same command gives the same weights
on the same machine, whatever the number of processes.

The second command replaces the weights of the features of the base game in a file for modules by those of a file without.

The third fits the weights of the features of modules alone, those of the hidden units among them, in games with modules, variants
and scenarios. All other weights stay as they are, so that positions of the base game keep their values.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

from tetrasolve.files import write_text
from tetrasolve.tetrarchia.hint.learn import LEFT_OUT, MOST_TURNS, STRAYED, rows_of, say  # first: it limits numpy

import numpy as np  # isort: skip

from tetrasolve.tetrarchia.hint.courses import Course, mixed, seated
from tetrasolve.tetrarchia.hint.features import FEATURES
from tetrasolve.tetrarchia.hint.linear import Layer, Lessons, Line, bent, extended, line_of, sigmoid, weights_of
from tetrasolve.tetrarchia.hint.weights import Weights, WeightsError, read_weights, shipped, write_weights
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

HARD = ("3122", "4222", "3222", "3211", "4211", "3322")
HARD_SHARE = 0.5  # of the games; the others are at any level
MANNER: dict[str, Any] = {"ends": 96, "samples": 18, "rounds": 4}  # the expectimax that plays
ENDS_OF = 4  # ends are kept of one of this many games: they are many, and their network is linear
CHUNK = 25  # games in one task of a process
BATCH = 256  # positions of one step of the fit
SPEED, DECAY = 1e-3, 0.01  # of the steps (Adam: Kingma, Ba, 2015), and of the weights of hidden units
NEARLY = 1e-4  # values closer to 0 or 1 are moved to this distance
END_PENALTY = 30.0  # on changes of the linear models, see `linear.bent`


@dataclass(frozen=True)
class Asked:
    """The options of the games of a round: their seed, number, exploratory turns of 1000, and further ends of each turn."""

    seed: int
    games: int
    strays: int
    others: int
    modules: bool = False  # all games have some, or are scenarios


def level_of(seed: int, number: int) -> Ruleset:
    """The level of a game, which depends on the seed and the number alone."""
    random = Random(f"level {seed} {number}")
    if random.random() < HARD_SHARE:
        return Ruleset.from_level(random.choice(HARD))
    return random.choice(list(all_levels()))


def play(weights: Weights, asked: Asked, first: int) -> tuple[Lessons, Lessons]:
    """A chunk of games, from number `first` on: the starts of turns with their values, and some of the ends."""
    starts, ends = [nothing(weights.features)], [nothing(weights.features)]
    for number in range(first, min(first + CHUNK, asked.games)):
        course = mixed(asked.seed, number, base_game=False) if asked.modules else Course(level_of(asked.seed, number))
        found = lessons_of(course, weights, asked, number)
        is_start = found[2] <= STRAYED
        for parts, chosen in ((starts, is_start), (ends, ~is_start & (number % ENDS_OF == 0))):
            rows, worth, _ = (part[chosen] for part in found)
            parts.append(Lessons(rows, worth, np.full(len(worth), number)))
    return joined(starts), joined(ends)


def lessons_of(course: Course, weights: Weights, asked: Asked, number: int) -> tuple[Any, Any, Any]:
    """Rows of features, values and kinds of the positions of a game."""
    level = course.ruleset
    player, start, engine = seated(course, asked.seed, number, weights)
    others = asked.others if number % ENDS_OF == 0 else 0
    _, noted, kinds, known = player.lessons(
        1, level.revolts, level.fleets, level.armies, asked.seed, first=number, strays=asked.strays, most_turns=MOST_TURNS,
        others=others, start=start, **MANNER,
    )  # fmt: skip
    rows = rows_of(player, noted, weights.features, engine).astype(np.float16)
    return rows, np.array(known, np.float32), np.frombuffer(kinds, np.uint8)


def nothing(features: int) -> Lessons:
    """Lessons without positions."""
    return Lessons(np.zeros((0, features), np.float16), np.zeros(0, np.float32), np.zeros(0, int))


def joined(parts: Sequence[Lessons]) -> Lessons:
    """All lessons, in this order."""
    return Lessons(*(np.concatenate([getattr(part, name) for part in parts]) for name in ("rows", "worth", "game")))


def lessons(weights: Weights, asked: Asked, jobs: int, what: str) -> tuple[Lessons, Lessons]:
    """The starts and the ends of these games, played by several processes."""
    starts, ends = [], []
    began = time.monotonic()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for number, (some, others) in enumerate(
            pool.map(partial(play, weights, asked), range(0, asked.games, CHUNK)), start=1
        ):
            starts.append(some)
            ends.append(others)
            played = min(number * CHUNK, asked.games)
            say(f"\r{what}: {played} of {asked.games} games, {time.monotonic() - began:.0f} s", end="")
    say("")
    return joined(starts), joined(ends)


# -- the fit ---------------------------------------------------------------------------------------------------------


def with_units(line: Line, units: int, random: Any) -> Line:
    """The model with so many hidden units that have small weights."""
    size = len(line.weights)
    return replace(
        line, hidden=Layer(random.normal(0, 0.05, (size, units)), np.zeros(units), random.normal(0, 0.1, units))
    )


class Adam:
    """Steps for a list of arrays along their slopes, each divided by its mean size (Kingma, Ba, 2015)."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.arrays = arrays
        self.mean, self.square = ([np.zeros_like(array) for array in arrays] for _ in range(2))
        self.steps = 0

    def step(self, slopes: Sequence[Any], speed: float, decay: Sequence[float]) -> None:
        """Moves all arrays; `decay` is the share of its size by which each shrinks for a step of 1."""
        self.steps += 1
        rows = zip(self.arrays, slopes, self.mean, self.square, decay, strict=True)
        for array, slope, mean, square, less in rows:
            np.add(mean, 0.1 * (slope - mean), out=mean)
            np.add(square, 0.001 * (slope * slope - square), out=square)
            size = np.sqrt(square / (1 - 0.999**self.steps)) + 1e-8
            step = speed * (mean / (1 - 0.9**self.steps) / size + less * array)
            np.subtract(array, step.astype(array.dtype), out=array)


def fitted(line: Line, known: Lessons, passes: int, random: Any, base: int = 0) -> Line:
    """The model with all weights fitted to the values, by logistic loss in so many passes over the positions.

    With `base` only the weights of the features from this number on are fitted.
    """
    layer = line.hidden
    assert layer is not None
    straight, first, bias, second, constant = (
        np.array(array, np.float32) for array in (line.weights, layer.first, layer.bias, layer.second, [line.constant])
    )
    adam = Adam((straight[base:], first[base:], *(() if base else (bias, second, constant))))
    worth = np.clip(known.worth, NEARLY, 1 - NEARLY).astype(np.float32)
    count = len(worth)
    for rows, at in batches(count, passes, random):
        x = known.rows[rows].astype(np.float32)
        hidden = np.maximum(x @ first + bias, 0)
        slope = (sigmoid(x @ straight + hidden @ second + constant) - worth[rows]) / len(rows)
        back = np.outer(slope, second) * (hidden > 0)
        own = x[:, base:]
        slopes = [own.T @ slope, own.T @ back]
        if not base:
            slopes += [back.sum(0), hidden.T @ slope, np.array([slope.sum()])]
        adam.step(slopes, SPEED * (1 - at) + SPEED / 100, (0, DECAY, 0, DECAY, 0)[: len(slopes)])
    numbers = (np.array(array, float) for array in (first, bias, second))
    return Line(np.array(straight, float), float(constant[0]), Layer(*numbers))


def batches(count: int, passes: int, random: Any) -> Iterator[tuple[Any, float]]:
    """The rows of each step, and the share of the work that is done before it."""
    for number in range(passes):
        order = random.permutation(count)
        for first in range(0, count, BATCH):
            yield order[first : first + BATCH], (number + first / count) / passes


def distance(line: Line, known: Lessons) -> float:
    """The root of the mean square of the distances between the model and the values."""
    found = line.chance(known.rows.astype(np.float32)) - known.worth
    return float(np.sqrt(np.mean(found * found)))


def learned(line: Line, known: Lessons, options: argparse.Namespace, seed: int) -> Line:
    """The model after a round; what it says of games left out is measured by a fit without them, where that is asked for."""
    random = np.random.default_rng(seed)
    began = line if line.hidden else with_units(line, options.units, random)
    base = FEATURES if options.extend else 0
    shown = ""
    if options.measure:
        out = known.game % LEFT_OUT == 0
        tried, left = fitted(began, known.of(~out), options.passes, np.random.default_rng(seed), base), known.of(out)
        shown = f", on games left out {distance(line, left):.4f}, fitted {distance(tried, left):.4f}"
    say(f"  starts: {len(known)} positions; distance {distance(line, known):.4f}{shown}")
    return fitted(began, known, options.passes, random, base)


# -- rounds ----------------------------------------------------------------------------------------------------------


def one_round(weights: Weights, number: int, options: argparse.Namespace) -> Weights:
    """The weights after a round of games with the previous weights."""
    last = number == options.rounds - 1
    seed = 1000 * options.seed + number
    asked = Asked(seed, options.games, options.strays, options.others if last else 0, options.extend)
    starts, ends = lessons(weights, asked, options.jobs, f"round {number + 1}")
    start, end = line_of(weights.start, weights.width), line_of(weights.end, weights.width)
    start = learned(start, starts, options, seed)
    if last and options.others:
        ends.rows = ends.rows.astype(np.float32)
        fit = (extended if options.extend else bent)(end, ends, END_PENALTY)
        say(f"  ends: {len(ends)} positions; distance {distance(end, ends):.4f}, fitted {distance(fit, ends):.4f}")
        end = fit
    return weights_of(start, end, made_by(options, number + 1))


def make(options: argparse.Namespace) -> None:
    """Run all rounds that are not done yet; the file is written after each."""
    weights, done = begun(options)
    for number in range(done, options.rounds):
        text = write_weights(one_round(weights, number, options))
        write_text(options.file, text)
        weights = read_weights(text)  # as rounded, so that a run continued from the file is the same


def made_by(options: argparse.Namespace, done: int) -> dict[str, Any]:
    """The description of how a file was made: the command, and that of the weights that it began with."""
    names = ("seed", "rounds", "games", "strays", "others", "units", "passes")
    words = " ".join(["--extend"] * options.extend + [f"--{name} {getattr(options, name)}" for name in names])
    begin = read_weights(options.begin.read_text("utf-8"))
    made = {
        "command": f"python -m tetrasolve.tetrarchia.hint.hidden {words} {options.begin.name} {options.file.name}",
        "seed": options.seed,
        "begin": described(begin),
    }
    if options.extend:
        made["base"] = described(base_of(begin, options.begin))
    return made | ({"done": done} if done < options.rounds else {})


def described(weights: Weights) -> dict[str, Any]:
    """The digest of weights and how they were made."""
    return {"digest": weights.digest, **{name: value for name, value in weights.made.items() if name != "base"}}


def base_of(weights: Weights, path: Path) -> Weights:
    """The shipped weights of the base game, which these extend.

    :raises WeightsError: when they extend others, or none.
    """
    base = shipped()
    if not weights.know_modules or weights.fitted(modules=False).digest != base.digest:
        raise WeightsError(f"{path}: expected weights for modules that extend the shipped ones, {base.digest}")
    return base


def begun(options: argparse.Namespace) -> tuple[Weights, int]:
    """The weights to continue from, and the number of their rounds."""
    if not options.file.exists():
        begin = read_weights(options.begin.read_text("utf-8"))
        if options.extend:
            base_of(begin, options.begin)  # before any game is played
        return begin, 0
    weights = read_weights(options.file.read_text("utf-8"))
    done = weights.made.get("done", options.rounds)
    if dict(weights.made) != made_by(options, done):
        raise WeightsError(f"{options.file}: made by another command: {weights.made.get('command')}")
    return weights, done


def with_base(base: Weights, modules: Weights) -> Weights:
    """The weights for modules with those of another file for the features of the base game.

    Hidden units are those of the other file, so what features of modules add to them is not kept.
    """

    def part(own: bytes, more: bytes) -> Line:
        line, other = line_of(own, base.width), line_of(more, modules.width)
        return replace(line, weights=np.append(line.weights, other.weights[len(line.weights) :]))

    made = dict(modules.made) | {"base": described(base)}
    return weights_of(part(base.start, modules.start), part(base.end, modules.end), made)


# -- the command -----------------------------------------------------------------------------------------------------


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Train hidden units of the evaluation.")
    parser.add_argument(
        "begin", type=Path, help="file of the linear weights to begin with; with --join, that of the base game"
    )
    parser.add_argument("file", type=Path, help="output file; an existing file is continued, or joined with the other")
    parser.add_argument("--join", action="store_true", help="put the weights of the base game into a file for modules")
    parser.add_argument("--extend", action="store_true", help="fit the weights of the features of modules alone")
    parser.add_argument("--measure", action="store_true", help="fit without some games first, and measure on them")
    add = partial(parser.add_argument, type=int)
    add("--seed", default=11, help="random seed (default: %(default)s)")
    add("--rounds", default=4, help="rounds of games and fits (default: %(default)s)")
    add("--games", default=2000, help="games of each round (default: %(default)s)")
    add("--strays", default=60, help="exploratory turns of 1000 (default: %(default)s)")
    add(
        "--others",
        default=3,
        help="further ends of each turn for the fit of ends; 0 to leave it out (default: %(default)s)",
    )
    add("--units", default=16, help="hidden units (default: %(default)s)")
    add("--passes", default=10, help="passes over the positions of a round (default: %(default)s)")
    add("--jobs", default=os.cpu_count() or 1, help="processes that play; they change no result (default: %(default)s)")
    options = parser.parse_args(argv)
    try:
        if options.join:
            base, modules = (read_weights(path.read_text("utf-8")) for path in (options.begin, options.file))
            write_text(options.file, write_weights(with_base(base, modules)))
        else:
            make(options)
    except (WeightsError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
