"""How the weights of the evaluation are made: rounds of games by the policy so far, and of regression on what came of them.

::

    python -m tetrasolve.tetrarchia.hint.learn --seed 7 weights.txt

Needs numpy, which nothing else of the hints does but `tetrasolve.tetrarchia.hint.linear`. Each round plays games at all
levels by expectimax with the lines so far; some turns stray to another end, so that the lines see tables that good play
avoids. Then

- the line of the start of a turn learns from how games went on from there, less the luck of their dice: the value after a
  phase less the mean value after phases sampled from the same table. That luck is 0 in the mean whatever the line is worth,
  and most of what games differ in. Where a turn strays, what came of it is not held against the tables before: the game is
  as good as over there, with the value that the best way to play had (lambda returns: Sutton, 1988);
- the line of the end of a turn learns from the mean of the first line after sampled phases, for ends played and for others.

Both are calibrated, and bent from where they were before, so that a round builds on all rounds before it. The first begins
with a guess made by hand. Once the last round is over the line of ends is fitted again, to the new line of starts.

Each round is written when it is done; the same command on a file that is not finished goes on with it. The same command
gives the same weights on the same machine, however many processes play; elsewhere sums may come out otherwise in their last
digits, and so may games.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy comes: it has sums made in one order

import numpy as np

from tetrasolve.files import write_text
from tetrasolve.tetrarchia import kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint import features
from tetrasolve.tetrarchia.hint.linear import (
    Array,
    Lessons,
    Line,
    bent,
    calibrated,
    first_guess,
    line_of,
    loss,
    weights_of,
)
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import Weights, WeightsError, read_weights, write_weights
from tetrasolve.tetrarchia.kernel import Player
from tetrasolve.tetrarchia.ruleset import all_levels

KEPT, STRAYED, COME_TO, OTHER = range(4)  # kinds of tables: see `kernel.Player.lessons`
MOST_TURNS = 120  # of a game to learn from
CHUNK = 25  # games that a process plays before it tells of them
MANNER: dict[str, Any] = {"ends": 96, "samples": 9, "rounds": 4}  # of the expectimax that plays
WORTH = (-0.5, 1.5)  # a table is taken to be worth no less and no more
LEFT_OUT = 5  # of so many games one is left out when it is told how well the line does


@dataclass(frozen=True)
class Asked:
    """Which games are to be played: so many, from this seed, so many of 1000 turns straying, and what is told of them."""

    games: int
    seed: int
    strays: int
    others: int  # ends noted beside the one of a turn
    discount: float  # of a win one turn later


Rows = tuple[Array, Any, Any, Any]  # rows of features, what they were worth, the number of the game, and kinds


# -- games -----------------------------------------------------------------------------------------------------------


def play(weights: Weights, asked: Asked, order: Sequence[int], first: int) -> Rows:
    """A chunk of games, from number `first` on: all starts of turns with what they were worth, and all ends."""
    levels = list(all_levels())
    start = line_of(weights.start)
    nothing = np.zeros(0, int)
    parts: list[Rows] = [(np.zeros((0, features.FEATURES), np.float32), np.zeros(0), nothing, nothing.astype(np.uint8))]
    for number in range(first, min(first + CHUNK, len(order))):
        level = levels[order[number] % len(levels)]
        player = new_player(Board.standard(), level, weights)
        results, noted, kinds, known = player.lessons(
            1, level.revolts, level.fleets, level.armies, asked.seed,
            first=number, strays=asked.strays, most_turns=MOST_TURNS, others=asked.others, **MANNER,
        )  # fmt: skip
        kind, rows = np.frombuffer(kinds, np.uint8), rows_of(player, noted)
        worth = np.array(known)
        if results[0][0] == kernel.OPEN:
            told = until_stuck(kind, rows)
            kind, rows, worth = kind[:told], rows[:told], worth[:told]
        starts = kind <= STRAYED
        won = float(results[0][0] == kernel.WON)
        worth[starts] = returns(kind, worth, start.chance(rows), won, asked.discount)[starts]
        parts.append((rows, worth, np.full(len(rows), number), kind))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value] # as `Rows`


def until_stuck(kind: Any, rows: Array) -> int:
    """How many tables of a game that was broken off there are up to the first turn with too few garrisons for the borders.

    From there it may go on for ever, and is as good as lost. Nothing is known of another one: then it is none.
    """
    stuck = rows[:, features.NAMES.index("spare -1")] > 0
    if not len(stuck) or not stuck[-1]:
        return 0
    free = int(np.flatnonzero(~stuck).max(initial=-1)) + 1
    starts = np.flatnonzero(kind[free:] <= STRAYED)
    return free + int(starts[0]) + 1 if len(starts) else 0


def rows_of(player: Player, tables: bytes) -> Array:
    """Their features."""
    return np.frombuffer(player.features_of_many(tables), np.float32).reshape(-1, features.FEATURES)


def returns(kind: Any, known: Any, said: Any, result: float, discount: float) -> Any:
    """What each start of a turn of a game was worth: its result, or the best value where it strayed, less luck.

    A result counts a little less with each turn that it took: a line that sees no reason to hurry waits for ever. `known` is
    what one step says of each table, `said` what the line of starts says; ends in between count as they lie.
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
            after, base = said[i], base * discount
    return found


def lessons(weights: Weights, asked: Asked, jobs: int, what: str) -> tuple[Lessons, Lessons]:
    """The starts and the ends of these games over all levels, by as many processes."""
    shuffled = np.random.default_rng(asked.seed).permutation(asked.games)  # any number covers the levels evenly
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
    """The tables of these kinds."""
    chosen = [np.isin(kind, kinds) for *_, kind in parts]
    return Lessons(*(np.concatenate([part[i][c] for part, c in zip(parts, chosen, strict=True)]) for i in range(3)))


# -- rounds ----------------------------------------------------------------------------------------------------------


def learned(line: Line, known: Lessons, penalty: float, what: str) -> Line:
    """The line, calibrated, bent, and calibrated again."""
    out = known.game % LEFT_OUT == 0
    kept, left = known.of(~out), known.of(out)
    prior = calibrated(line, kept)
    tried = bent(prior, kept, penalty)
    say(
        f"  {what}: {len(known)} tables; loss on games left out {loss(line, left):.4f}, "
        f"calibrated {loss(prior, left):.4f}, bent {loss(tried, left):.4f}"
    )
    return calibrated(bent(calibrated(line, known), known, penalty), known)


def one_round(weights: Weights, number: int, options: argparse.Namespace) -> tuple[Line, Line]:
    """The lines after games by the lines before."""
    asked = Asked(options.games, 1000 * options.seed + number, options.strays, 0, options.discount)
    starts, ends = lessons(weights, asked, options.jobs, f"round {number + 1}")
    start, end = line_of(weights.start), line_of(weights.end)
    return learned(start, starts, options.penalty, "starts"), learned(end, ends, options.end_penalty, "ends")


def last_round(weights: Weights, number: int, options: argparse.Namespace) -> tuple[Line, Line]:
    """The line of starts made to tell chances; that of ends fitted to it, with other ends that turns might have had."""
    asked = Asked(options.games // 4, 1000 * options.seed + number, options.strays, options.others, 1.0)
    starts, ends = lessons(weights, asked, options.jobs, "last round")
    start, end = line_of(weights.start), line_of(weights.end)
    return calibrated(start, starts), learned(end, ends, options.end_penalty, "ends")


def make(options: argparse.Namespace) -> None:
    """All rounds that are not done yet; the file is written after each."""
    weights, done = begun(options)
    for number in range(done, options.rounds + 1):
        step = one_round if number < options.rounds else last_round
        start, end = step(weights, number, options)
        text = write_weights(weights_of(start, end, made_by(options, number + 1)))
        write_text(options.file, text)
        weights = read_weights(text)  # as rounded: who goes on from the file finds the same


def made_by(options: argparse.Namespace, done: int) -> dict[str, Any]:
    """What a file says of how it came about."""
    names = ("seed", "rounds", "games", "strays", "others", "discount", "penalty", "end-penalty")
    words = " ".join(f"--{name} {getattr(options, name.replace('-', '_'))}" for name in names)
    made = {"command": f"python -m tetrasolve.tetrarchia.hint.learn {words} {options.file.name}", "seed": options.seed}
    return made | ({"done": done} if done <= options.rounds else {})


def begun(options: argparse.Namespace) -> tuple[Weights, int]:
    """The weights to go on from, and how many rounds made them; the guess if there are none."""
    if options.file.exists():
        weights = read_weights(options.file.read_text("utf-8"))
        done = weights.made.get("done", options.rounds + 1)
        if dict(weights.made) != made_by(options, done):
            raise WeightsError(f"{options.file}: made by another command: {weights.made.get('command')}")
        return weights, done
    guessed = weights_of(first_guess(), first_guess(), {})
    return read_weights(write_weights(guessed)), 0


# -- the command -----------------------------------------------------------------------------------------------------


def say(text: str, end: str = "\n") -> None:
    """How far it has come."""
    print(text, file=sys.stderr, end=end, flush=True)  # noqa: T201


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Make the weights of the evaluation.")
    parser.add_argument("file", type=Path, help="to write the weights to, or to go on with")
    add = partial(parser.add_argument, type=int)
    add("--seed", default=7, help="of all that is drawn (default: %(default)s)")
    add("--rounds", default=4, help="of games and regression (default: %(default)s)")
    add("--games", default=4000, help="of each round (default: %(default)s)")
    add("--strays", default=40, help="turns of 1000 that stray (default: %(default)s)")
    add("--others", default=3, help="ends looked at beside the one of a turn, for the last fit (default: %(default)s)")
    add("--jobs", default=os.cpu_count() or 1, help="processes that play; they change no result (default: %(default)s)")
    add("--discount", type=float, default=0.997, help="of a win one turn later (default: %(default)s)")
    add("--penalty", type=float, default=200.0, help="on a change of the line of starts (default: %(default)s)")
    add("--end-penalty", type=float, default=30.0, help="on a change of the line of ends (default: %(default)s)")
    try:
        make(parser.parse_args(argv))
    except (WeightsError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
