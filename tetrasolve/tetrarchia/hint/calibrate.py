"""How the calibration is made: fresh games, hints at some of their turns, and what came of them.

::

    python -m tetrasolve.tetrarchia.hint.calibrate --seed 1811 --games 2430 said.jsonl calibration.json

Needs numpy. Games at all levels are played by expectimax with the shipped weights. At one turn of `EVERY`, and at all that begin
with a chance below `POOR`, which are few, each look is taken as a hint takes it, with the default budget. What it says of its
best plan is kept in the first file, a line for each game; the same command goes on where it was interrupted. Then a curve is
fitted for each look, and the second file is written. The same command gives the same files on the same machine, however many
processes play.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from os import cpu_count
from pathlib import Path
from typing import Any

from tetrasolve.files import write_text
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia.hint.learn import MANNER, say  # first: it tells numpy to use one thread

import numpy as np  # isort: skip

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.calibration import TERMS, Calibration, Curve, logit_of, terms, write_calibration
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.linear import FREE, newton, sigmoid
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.policy import DEFAULT, Thinking, deepening
from tetrasolve.tetrarchia.hint.weights import WeightsError, shipped
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

FORMAT = "tetrasolve-said/1"
EVERY = 8  # of so many turns of a game one is looked at
POOR = 0.6  # what the evaluation says of a start: below, it is looked at in any case
LOOKS = (1, 2, 3)
MOST_TURNS = 400  # of a game; one that is not over by then counts as not won
CHUNK = 3  # games that a process plays before it tells of them
EDGE = 20  # so many games have a table beyond each end of a curve


# -- games -----------------------------------------------------------------------------------------------------------


def play(seed: int, first: int, last: int) -> list[dict[str, Any]]:
    """Games number `first` up to `last`: the level, whether it was won, and for tables what each look said."""
    levels = list(all_levels())
    found = []
    for number in range(first, last):
        level = levels[number % len(levels)]
        player = new_player(Board.standard(), level)
        results, noted, *_ = player.lessons(
            1, level.revolts, level.fleets, level.armies, seed,
            first=number, strays=0, others=0, most_turns=MOST_TURNS, **MANNER,
        )  # fmt: skip
        won = results[0][0] == kernel.WON
        said = [row for position in _chosen(player, noted, level, number) if (row := looked(position, number))]
        found.append({"game": number, "level": level.level, "won": won, "said": said})
    return found


def looked(position: Position, seed: int) -> list[float]:
    """What each look says of its best plan; nothing where one of these plans may end the game, which is no matter of opinion."""
    steps = list(deepening(position, DEFAULT, seed, 1))
    return [round(step.best.value, 6) for step in steps] if all(map(_goes_on, steps)) else []


def _chosen(player: kernel.Player, noted: bytes, level: Ruleset, number: int) -> Iterator[Position]:
    """By turn and by what is said, never by what came: so the choice changes no share that is won where so much is said."""
    starts = [state for state in states_in(noted) if state.phase == kernel.ROMAN]
    turns = range(number % EVERY, len(starts), EVERY)
    poor = [turn for turn, state in enumerate(starts) if turn not in turns and player.value(state) < POOR]
    for turn in (*turns, *poor):
        yield fast.to_position(starts[turn], Board.standard(), level)


def _goes_on(step: Thinking) -> bool:
    ends = endings(step.position, step.best.plan)
    return all(isinstance(end, Position) and not end.is_won for _, end, _ in ends)


# -- curves ----------------------------------------------------------------------------------------------------------


def curve_of(said: Sequence[float], levels: Sequence[Ruleset], won: Sequence[bool], games: Sequence[int]) -> Curve:
    """The curve with the least logistic loss, with the covariance of its weights where games are independent.

    :raises WeightsError: when it falls where tables were seen, or there are too few games.
    """
    logits = [logit_of(chance) for chance in said]
    rows = np.array([terms(logit, level) for logit, level in zip(logits, levels, strict=True)])
    worth, game = np.array(won, float), np.unique(np.array(games), return_inverse=True)[1]
    count, size = int(game.max()) + 1, len(TERMS)
    seen = _seen(logits, game, count)
    begin = np.zeros(size)
    begin[1] = 1.0  # what was said is what comes
    found = newton(rows, worth, begin, np.full(size, FREE), begin)
    chance = sigmoid(rows @ found)
    curvature = rows.T @ (rows * (chance * (1 - chance))[:, None])
    scores = np.zeros((count, size))
    np.add.at(scores, game, rows * (worth - chance)[:, None])
    spread = np.linalg.inv(curvature + np.diag(np.full(size, FREE)))
    covariance = spread @ (scores.T @ scores) @ spread * count / max(count - 1, 1)
    curve = Curve(tuple(map(float, found)), tuple(map(tuple, covariance.tolist())), *seen)
    if not curve.is_rising():
        raise WeightsError("the curve falls where tables were seen: expected more games")
    return curve


def _seen(logits: Sequence[float], game: Any, count: int) -> tuple[float, float]:
    """From where to where at least `EDGE` games have a table below, and one above."""
    if count < EDGE:
        raise WeightsError(f"{count} games: expected at least {EDGE}")
    lowest, highest = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(lowest, game, logits)
    np.maximum.at(highest, game, logits)
    return float(np.sort(lowest)[EDGE - 1]), float(np.sort(highest)[-EDGE])


def fitted(rows: Sequence[dict[str, Any]], made: dict[str, Any]) -> Calibration:
    """The curves of all looks, from lines as `play` makes them."""
    flat = [(said, row["level"], row["won"], row["game"]) for row in rows for said in row["said"]]
    if not flat:
        raise WeightsError("no table was looked at: expected more games")
    said, levels, won, games = zip(*flat, strict=True)
    rulesets = [Ruleset.from_level(level) for level in levels]
    curves = {look: curve_of([chances[look - 1] for chances in said], rulesets, won, games) for look in LOOKS}
    return Calibration(curves, len(set(games)), len(flat), shipped().digest, made)


# -- the command -----------------------------------------------------------------------------------------------------


def begun(path: Path, seed: int) -> list[dict[str, Any]]:
    """The games that were played before; a line that was not finished is played again.

    :raises WeightsError: when the file is of another seed or of other weights.
    """
    head = {"format": FORMAT, "weights": shipped().digest, "seed": seed, "every": EVERY, "poor": POOR}
    lines = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
    if lines and read_json(lines[0]) != head:
        raise WeightsError(f"{path}: of other games: {lines[0]}")
    whole = lines or [json.dumps(head)]
    write_text(path, "\n".join(whole) + "\n")
    return [read_json(line) for line in whole[1:]]


def make(options: argparse.Namespace) -> None:
    """The games that are missing, then the curves."""
    rows = begun(options.said, options.seed)
    firsts = range(len(rows), options.games, CHUNK)
    lasts = [min(first + CHUNK, options.games) for first in firsts]
    with (
        ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool,
        options.said.open("a", encoding="utf-8") as out,
    ):
        for part in pool.map(partial(play, options.seed), firsts, lasts):
            rows += part
            out.writelines(json.dumps(row) + "\n" for row in part)
            out.flush()
            say(f"\r{len(rows)} of {options.games} games", end="")
    say("")
    made = {"command": f"python -m tetrasolve.tetrarchia.hint.calibrate --seed {options.seed} --games {options.games} "
            f"{options.said.name} {options.file.name}", "seed": options.seed}  # fmt: skip
    write_text(options.file, write_calibration(fitted(rows[: options.games], made)))


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Measure how far the evaluation can be trusted.")
    parser.add_argument("said", type=Path, help="to keep what was said in, or to go on with")
    parser.add_argument("file", type=Path, help="to write the calibration to")
    parser.add_argument("--seed", type=int, default=1811, help="of set-ups and dice (default: %(default)s)")
    parser.add_argument("--games", type=int, default=2430, help="(default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1, help="processes that play (default: %(default)s)")
    try:
        make(parser.parse_args(argv))
    except (WeightsError, OSError, json.JSONDecodeError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
