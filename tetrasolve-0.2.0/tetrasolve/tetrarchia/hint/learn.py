"""Trains the weights of the evaluation, in rounds of games with the current policy and regression on their results.

::

    python -m tetrasolve.tetrarchia.hint.learn --seed 7 weights.txt

With ``--modules`` it is one network with inputs for modules, variants and rebels, and the games are those that
`tetrasolve.tetrarchia.hint.courses.mixed` draws::

    python -m tetrasolve.tetrarchia.hint.learn --modules --seed 7 --games 8000 weights.txt

With ``--extend`` only the weights of these inputs are fitted: those of the base game stay as shipped, so that positions of the base
game keep their values::

    python -m tetrasolve.tetrarchia.hint.learn --extend --seed 7 --games 1600 --rounds 3 weights-modules.txt

Requires numpy, like `tetrasolve.tetrarchia.hint.linear` and no other part of the hints. Each round plays games at all levels
by expectimax with the current linear models; some turns are exploratory and take another end, so that the models see positions
that good play avoids. Then

- the model for starts of turns is fitted to the results of games from there, minus the luck of their dice: the value after a
  phase minus the mean value after phases sampled from the same position. The mean of this luck is 0 whatever the model, and it
  explains most of the differences between games. After an exploratory turn the result does not count for earlier positions: for
  them the game ends there with the value of the best plan (lambda returns: Sutton, 1988);
- the model for ends of turns is fitted to the mean of the first model after sampled phases, for ends played and for others.

Both are calibrated, then refitted with the previous weights as prior, so that each round builds on all rounds before it. The
first round begins with a hand-made evaluation. After the last round the model for ends is fitted again to the new model for
starts.

Each round is written when it is done; the same command continues an unfinished file. The same command gives the same weights
on the same machine, whatever the number of processes; on other machines the last digits of sums, and so games, can differ.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported: sums in a fixed order

import numpy as np

from tetrasolve.files import write_text
from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.hint import features
from tetrasolve.tetrarchia.hint.courses import Course, mixed, seated
from tetrasolve.tetrarchia.hint.linear import (
    Array,
    Lessons,
    Line,
    bent,
    calibrated,
    extended,
    first_guess,
    line_of,
    loss,
    weights_of,
)
from tetrasolve.tetrarchia.hint.weights import Weights, WeightsError, read_weights, shipped, write_weights
from tetrasolve.tetrarchia.kernel import Player
from tetrasolve.tetrarchia.ruleset import all_levels

KEPT, STRAYED, COME_TO, OTHER = range(4)  # kinds of positions: see `kernel.Player.lessons`
MOST_TURNS = 120  # the longest game to learn from
CHUNK = 25  # games in one task of a process
MANNER: dict[str, Any] = {"ends": 96, "samples": 9, "rounds": 4}  # samples of the expectimax that plays
WORTH = (-0.5, 1.5)  # bounds of the value of a position
LEFT_OUT = 5  # one of this many games is left out to measure the loss


@dataclass(frozen=True)
class Asked:
    """The options of a set of games: their number, seed, exploratory turns of 1000, and the data to record."""

    games: int
    seed: int
    strays: int
    others: int  # further ends recorded for each turn
    discount: float  # the factor for a win one turn later
    modules: bool = False
    base_game: bool = True  # some games are those of the base game


Rows = tuple[Array, Any, Any, Any]  # rows of features, their values, the number of the game, and kinds


# -- games -----------------------------------------------------------------------------------------------------------


def play(weights: Weights, asked: Asked, order: Sequence[int], first: int) -> Rows:
    """A chunk of games, from number `first` on: all starts of turns with their values, and all ends."""
    levels = list(all_levels())
    start = line_of(weights.start, weights.width)
    nothing = np.zeros(0, int)
    parts: list[Rows] = [(np.zeros((0, weights.features), np.float32), np.zeros(0), nothing, nothing.astype(np.uint8))]
    for number in range(first, min(first + CHUNK, len(order))):
        drawn = mixed(asked.seed, number, base_game=asked.base_game) if asked.modules else None
        course = drawn or Course(levels[order[number] % len(levels)])
        level = course.ruleset
        player, begin, engine = seated(course, asked.seed, number, weights)
        results, noted, kinds, known = player.lessons(
            1, level.revolts, level.fleets, level.armies, asked.seed, first=number, strays=asked.strays,
            most_turns=MOST_TURNS, others=asked.others, start=begin, **MANNER,
        )  # fmt: skip
        kind, rows = np.frombuffer(kinds, np.uint8), rows_of(player, noted, weights.features, engine)
        worth = np.array(known)
        if results[0][0] == kernel.OPEN:
            count = until_stuck(kind, rows)
            kind, rows, worth = kind[:count], rows[:count], worth[:count]
        starts = kind <= STRAYED
        won = float(results[0][0] == kernel.WON)
        worth[starts] = returns(kind, worth, start.chance(rows), won, asked.discount)[starts]
        parts.append((rows, worth, np.full(len(rows), number), kind))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value] # as `Rows`


def until_stuck(kind: Any, rows: Array) -> int:
    """The number of positions of an unfinished game up to the first turn with too few garrisons for the borders.

    From there the game can continue for ever, and counts as lost. If there is no such turn, the result is unknown: then 0.
    """
    stuck = rows[:, features.NAMES.index("spare -1")] > 0
    if not len(stuck) or not stuck[-1]:
        return 0
    free = int(np.flatnonzero(~stuck).max(initial=-1)) + 1
    starts = np.flatnonzero(kind[free:] <= STRAYED)
    return free + int(starts[0]) + 1 if len(starts) else 0


def rows_of(player: Player, data: bytes, count: int, engine: ModuleType) -> Array:
    """The first `count` features of positions of a kernel; those of modules are 0 where it knows none."""
    found = np.frombuffer(player.features_of_many(data), np.float32)
    rows = found.reshape(-1, engine.FEATURES_OF_A_POSITION)[:, :count]
    return rows if rows.shape[1] == count else np.pad(rows, ((0, 0), (0, count - rows.shape[1])))


def returns(kind: Any, known: Any, raw: Any, result: float, discount: float) -> Any:
    """The value of each start of a turn of a game: its result, or the best value at an exploratory turn, minus luck.

    A result is discounted for each turn that it took, since a model without discount would wait for ever. `known` is the
    one-step value of each position, `raw` the value of the model for starts; ends in between are not changed.
    """
    found = known.copy()
    base, luck, after = result, 0.0, result
    for i in reversed(range(len(kind))):
        if kind[i] == COME_TO:
            luck += after - known[i]
        elif kind[i] <= STRAYED:
            if kind[i] == STRAYED:
                base, luck = known[i], 0.0
            found[i] = base - luck
            after, base = raw[i], base * discount
    return found


def lessons(weights: Weights, asked: Asked, jobs: int, what: str) -> tuple[Lessons, Lessons]:
    """The starts and the ends of these games over all levels, played by several processes."""
    shuffled = np.random.default_rng(asked.seed).permutation(
        asked.games
    )  # any number of games covers the levels evenly
    order = [int(number) for number in shuffled]
    parts: list[Rows] = []
    began = time.monotonic()
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        for part in pool.map(partial(play, weights, asked, order), range(0, asked.games, CHUNK)):
            parts.append(part)
            played = min(len(parts) * CHUNK, asked.games)
            say(f"\r{what}: {played} of {asked.games} games, {time.monotonic() - began:.0f} s", end="")
    say("")
    starts, ends = gathered(parts, (KEPT, STRAYED)), gathered(parts, (COME_TO, OTHER))
    starts.worth = np.clip(starts.worth, *WORTH)
    return starts, ends


def gathered(parts: Sequence[Rows], kinds: Sequence[int]) -> Lessons:
    """The lessons of these kinds of positions."""
    chosen = [np.isin(kind, kinds) for *_, kind in parts]
    return Lessons(*(np.concatenate([part[i][c] for part, c in zip(parts, chosen, strict=True)]) for i in range(3)))


# -- rounds ----------------------------------------------------------------------------------------------------------


def learned(line: Line, known: Lessons, penalty: float, what: str) -> Line:
    """The model, calibrated, refitted with its weights as prior, and calibrated again."""
    out = known.game % LEFT_OUT == 0
    kept, left = known.of(~out), known.of(out)
    prior = calibrated(line, kept)
    tried = bent(prior, kept, penalty)
    say(
        f"  {what}: {len(known)} positions; loss on games left out {loss(line, left):.4f}, "
        f"calibrated {loss(prior, left):.4f}, bent {loss(tried, left):.4f}"
    )
    return calibrated(bent(calibrated(line, known), known, penalty), known)


def longer(line: Line, known: Lessons, penalty: float, what: str) -> Line:
    """The model with new weights for the features of modules alone."""
    out = known.game % LEFT_OUT == 0
    kept, left = known.of(~out), known.of(out)
    tried = extended(line, kept, penalty)
    say(
        f"  {what}: {len(known)} positions; loss on games left out {loss(line, left):.4f}, extended {loss(tried, left):.4f}"
    )
    return extended(line, known, penalty)


def one_round(weights: Weights, number: int, options: argparse.Namespace) -> tuple[Line, Line]:
    """The models after a round of games with the previous models."""
    fit = longer if options.extend else learned
    starts, ends = lessons(weights, asked_by(options, number), options.jobs, f"round {number + 1}")
    start, end = line_of(weights.start, weights.width), line_of(weights.end, weights.width)
    return fit(start, starts, options.penalty, "starts"), fit(end, ends, options.end_penalty, "ends")


def asked_by(options: argparse.Namespace, number: int, share: int = 1, **changes: Any) -> Asked:
    """The games of a round, or a share of so many."""
    games, seed = options.games // share, 1000 * options.seed + number
    asked = Asked(
        games, seed, options.strays, 0, options.discount, options.modules or options.extend, not options.extend
    )
    return replace(asked, **changes)


def last_round(weights: Weights, number: int, options: argparse.Namespace) -> tuple[Line, Line]:
    """The model for starts, calibrated; that for ends fitted to it, with further ends of each turn."""
    asked = asked_by(options, number, 4, others=options.others, discount=1.0)
    starts, ends = lessons(weights, asked, options.jobs, "last round")
    start, end = line_of(weights.start, weights.width), line_of(weights.end, weights.width)
    if options.extend:
        return longer(start, starts, options.penalty, "starts"), longer(end, ends, options.end_penalty, "ends")
    return calibrated(start, starts), learned(end, ends, options.end_penalty, "ends")


def make(options: argparse.Namespace) -> None:
    """Run all rounds that are not done yet; the file is written after each."""
    weights, done = begun(options)
    for number in range(done, options.rounds + 1):
        step = one_round if number < options.rounds else last_round
        start, end = step(weights, number, options)
        text = write_weights(weights_of(start, end, made_by(options, number + 1)))
        write_text(options.file, text)
        weights = read_weights(text)  # as rounded, so that a run continued from the file is the same


def made_by(options: argparse.Namespace, done: int) -> dict[str, Any]:
    """The description of how a file was made."""
    names = ("seed", "rounds", "games", "strays", "others", "discount", "penalty", "end-penalty")
    words = " ".join(f"--{name} {getattr(options, name.replace('-', '_'))}" for name in names)
    words = "".join(f"--{name} " for name in ("modules", "extend") if getattr(options, name)) + words
    made = {"command": f"python -m tetrasolve.tetrarchia.hint.learn {words} {options.file.name}", "seed": options.seed}
    return made | ({"done": done} if done <= options.rounds else {})


def begun(options: argparse.Namespace) -> tuple[Weights, int]:
    """The weights to continue from, and the number of their rounds; the hand-made weights if there are none."""
    if options.file.exists():
        weights = read_weights(options.file.read_text("utf-8"))
        done = weights.made.get("done", options.rounds + 1)
        if dict(weights.made) != made_by(options, done):
            raise WeightsError(f"{options.file}: made by another command: {weights.made.get('command')}")
        return weights, done
    if options.extend:
        return replace(shipped().fitted(modules=True), made={}), 0
    guess = first_guess(modules=options.modules)
    return read_weights(write_weights(weights_of(guess, guess, {}))), 0


# -- the command -----------------------------------------------------------------------------------------------------


def say(text: str, end: str = "\n") -> None:
    """Print progress."""
    print(text, file=sys.stderr, end=end, flush=True)  # noqa: T201


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Train the weights of the evaluation.")
    parser.add_argument("file", type=Path, help="output file for the weights; an existing file is continued")
    parser.add_argument("--modules", action="store_true", help="with inputs for modules, variants and rebels")
    parser.add_argument(
        "--extend", action="store_true", help="the same, with the shipped weights of the base game's inputs"
    )
    add = partial(parser.add_argument, type=int)
    add("--seed", default=7, help="random seed (default: %(default)s)")
    add("--rounds", default=4, help="rounds of games and regression (default: %(default)s)")
    add("--games", default=4000, help="games of each round (default: %(default)s)")
    add("--strays", default=40, help="exploratory turns of 1000 (default: %(default)s)")
    add("--others", default=3, help="further ends of each turn for the last fit (default: %(default)s)")
    add("--jobs", default=os.cpu_count() or 1, help="processes that play; they change no result (default: %(default)s)")
    add("--discount", type=float, default=0.997, help="factor for a win one turn later (default: %(default)s)")
    add(
        "--penalty", type=float, default=200.0, help="penalty on changes of the model for starts (default: %(default)s)"
    )
    add(
        "--end-penalty",
        type=float,
        default=30.0,
        help="penalty on changes of the model for ends (default: %(default)s)",
    )
    try:
        make(parser.parse_args(argv))
    except (WeightsError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
