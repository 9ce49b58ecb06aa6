"""Makes the calibration, from new games with hints at some of their turns and their results.

::

    python -m tetrasolve.tetrarchia.hint.calibrate --seed 1811 --games 4860 games.jsonl calibration.json

Requires numpy. Every other game is one of the base game, at all levels in turn; the others have modules, variants, or are scenarios
(`courses.by_turns`). All are played by expectimax with the shipped weights. At one turn of `EVERY`, and at the few
turns that begin with a chance below `POOR`, each stage of the search runs as in a hint, with the default budget. The raw
value of its best plan is written to the first file, a line for each game; the same command continues an interrupted run.
Then a curve is fitted for each stage, and the second file is written. The same command gives the same files on the same machine,
whatever the number of processes, also those of a cluster (``--cluster``).
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import ClusterError, TetrasolveError
from tetrasolve.exact.cluster import executing
from tetrasolve.exact.executor import in_order
from tetrasolve.exact.opinion import logit_of
from tetrasolve.files import write_text
from tetrasolve.strict import read_json
from tetrasolve.tetrarchia.hint.learn import MANNER, say  # first: it limits numpy to one thread

import numpy as np  # isort: skip

from tetrasolve.tetrarchia import fast, kernel
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.calibration import (
    MAIN,
    RULES,
    TERMS,
    Calibration,
    Curve,
    named_set,
    networks,
    terms,
    write_calibration,
)
from tetrasolve.tetrarchia.hint.courses import by_turns, seated
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.linear import FREE, newton, sigmoid
from tetrasolve.tetrarchia.hint.policy import DEFAULT, Thinking, deepening
from tetrasolve.tetrarchia.hint.weights import WeightsError
from tetrasolve.tetrarchia.kernel import State
from tetrasolve.tetrarchia.plan.replay import endings
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

FORMAT = "tetrasolve-calibration-games/2"
EVERY = 8  # one of this many turns of a game is sampled
POOR = 0.6  # turns that start with a lower raw value are all sampled
STAGES = (1, 2, 3)
MOST_TURNS = 400  # the longest game; one that is not over by then counts as not won
CHUNK = 3  # games in one task of a process
EDGE = 20  # this many games have a position beyond each end of a curve
HIGHEST = 4.6  # the logarithm of odds, a chance of 0.99, above which raw values count as this: too few of these games are lost
DOUBT = 4.0  # the penalty on the squares of the terms that are not in `MAIN`: a priori they lie within a half of 0


# -- games -----------------------------------------------------------------------------------------------------------


def play(seed: int, first: int, last: int) -> list[dict[str, Any]]:
    """Games number `first` up to `last`: the rules, whether it was won, and the raw values of each stage for some positions."""
    found = []
    for number in range(first, last):
        course = by_turns(seed, number)
        ruleset = course.ruleset
        player, begin, engine = seated(course, seed, number)
        results, noted, *_ = player.lessons(
            1, ruleset.revolts, ruleset.fleets, ruleset.armies, seed,
            first=number, strays=0, others=0, most_turns=MOST_TURNS, start=begin, **MANNER,
        )  # fmt: skip
        won = results[0][0] == kernel.WON
        start = course.start(f"{seed} {number}")
        in_use = ruleset.extensions if start is None else start.rules_in_use
        raw = [
            row
            for position in _chosen(player, states_in(noted, engine), ruleset, number)
            if (row := raw_values(position, number))
        ]
        name = {} if course.scenario is None else {"scenario": course.scenario, "fixed": course.fixed}
        found.append({"game": number, "level": ruleset.level, "rules": sorted(in_use), **name, "won": won, "raw": raw})
    return found


def _played(context: tuple[int, int], first: int) -> list[dict[str, Any]]:
    """The games from this one on that are one job."""
    seed, games = context
    return play(seed, first, min(first + CHUNK, games))


def raw_values(position: Position, seed: int) -> list[float]:
    """The raw value of each stage's best plan; empty where one of these plans can end the game, which is exact."""
    steps = list(deepening(position, DEFAULT, seed, 1))
    return [round(step.best.value, 6) for step in steps] if all(map(_goes_on, steps)) else []


def _chosen(player: kernel.Player, noted: Sequence[State], level: Ruleset, number: int) -> Iterator[Position]:
    """The sampled positions, chosen by turn and raw value only: so the choice does not depend on the result of the game."""
    starts = [state for state in noted if state.phase == kernel.ROMAN]
    turns = range(number % EVERY, len(starts), EVERY)
    poor = [turn for turn, state in enumerate(starts) if turn not in turns and player.value(state) < POOR]
    for turn in (*turns, *poor):
        yield fast.to_position(starts[turn], Board.standard(), level)


def _goes_on(step: Thinking) -> bool:
    ends = endings(step.position, step.best.plan)
    return all(isinstance(end, Position) and not end.is_won for _, end, _ in ends)


# -- curves ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sample:
    """The raw value of a position, the level and rules of its game, whether this was won, and its number."""

    raw: float
    level: Ruleset
    rules: Sequence[str]
    won: bool
    game: int


def curve_of(samples: Sequence[Sample]) -> Curve:
    """The curve with the least logistic loss, with the covariance of its weights where games are independent.

    The terms that are not in `MAIN` have a penalty: what few games say about them counts less. Above `HIGHEST` the curve goes
    on with the slope that it has there.

    :raises WeightsError: when it decreases in the range of the positions, or there are too few games.
    """
    logits = [min(logit_of(one.raw), HIGHEST) for one in samples]
    rows = np.array([terms(logit, one.level, one.rules) for logit, one in zip(logits, samples, strict=True)])
    worth = np.array([one.won for one in samples], float)
    game = np.unique(np.array([one.game for one in samples]), return_inverse=True)[1]
    count, size = int(game.max()) + 1, len(TERMS)
    seen = _seen(logits, game, count)
    begin, penalty = np.zeros(size), np.full(size, DOUBT)
    begin[1] = 1.0  # start from the identity
    penalty[: len(MAIN)] = FREE
    found = newton(rows, worth, begin, penalty, begin)
    chance = sigmoid(rows @ found)
    curvature = rows.T @ (rows * (chance * (1 - chance))[:, None])
    scores = np.zeros((count, size))
    np.add.at(scores, game, rows * (worth - chance)[:, None])
    spread = np.linalg.inv(curvature + np.diag(penalty))
    covariance = spread @ (scores.T @ scores + np.diag(penalty)) @ spread * count / max(count - 1, 1)
    curve = Curve(tuple(map(float, found)), tuple(map(tuple, covariance.tolist())), *seen)
    if not all(curve.is_rising(level, rules) for level in all_levels() for rules in ((), RULES[:1], RULES)):
        raise WeightsError("the curve decreases in the range of the positions: more games are required")
    return curve


def _seen(logits: Sequence[float], game: Any, count: int) -> tuple[float, float]:
    """The range outside of which fewer than `EDGE` games have a position."""
    if count < EDGE:
        raise WeightsError(f"{count} games: expected at least {EDGE}")
    lowest, highest = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(lowest, game, logits)
    np.maximum.at(highest, game, logits)
    return float(np.sort(lowest)[EDGE - 1]), float(np.sort(highest)[-EDGE])


def fitted(rows: Sequence[dict[str, Any]], made: dict[str, Any]) -> Calibration:
    """The curves of all stages, from the rows of `play`."""
    flat = [
        (raw, Ruleset.from_level(row["level"]), row["rules"], row["won"], row["game"])
        for row in rows
        for raw in row["raw"]
    ]
    if not flat:
        raise WeightsError("no position was sampled: more games are required")
    curves = {stage: curve_of([Sample(raw[stage - 1], *rest) for raw, *rest in flat]) for stage in STAGES}
    sets = Counter(named_set(row["rules"]) for row in rows if row["raw"])
    return Calibration(curves, len(flat), networks(), made, sets)


# -- the command -----------------------------------------------------------------------------------------------------


def begun(path: Path, seed: int) -> list[dict[str, Any]]:
    """The games that were played before; an incomplete line is dropped.

    :raises WeightsError: when the file is of another seed or of other weights.
    """
    head = {"format": FORMAT, "weights": list(networks()), "seed": seed, "every": EVERY, "poor": POOR}
    lines = path.read_text("utf-8").split("\n")[:-1] if path.exists() else []
    if lines and read_json(lines[0]) != head:
        raise WeightsError(f"{path}: of other games: {lines[0]}")
    whole = lines or [json.dumps(head)]
    write_text(path, "\n".join(whole) + "\n")
    return [read_json(line) for line in whole[1:]]


def make(options: argparse.Namespace) -> None:
    """Play the missing games, then fit the curves."""
    rows = begun(options.games_file, options.seed)
    firsts = range(len(rows), options.games, CHUNK)
    with (
        workers_of(options) as workers,
        executing(workers, start_method="spawn") as executor,
        options.games_file.open("a", encoding="utf-8") as out,
        closing(in_order(executor.run(_played, (options.seed, options.games), firsts), firsts)) as parts,
    ):
        for first, part in parts:
            if [row["game"] for row in part] != [*range(first, min(first + CHUNK, options.games))]:
                raise ClusterError(f"a worker gave something else than the games from {first} on")
            rows += part
            out.writelines(json.dumps(row) + "\n" for row in part)
            out.flush()
            say(f"\r{len(rows)} of {options.games} games", end="")
    say("")
    made = {"command": f"python -m tetrasolve.tetrarchia.hint.calibrate --seed {options.seed} --games {options.games} "
            f"{options.games_file.name} {options.file.name}", "seed": options.seed}  # fmt: skip
    write_text(options.file, write_calibration(fitted(rows[: options.games], made)))


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Calibrate the evaluation.")
    parser.add_argument("games_file", type=Path, help="file for the games; an existing file is continued")
    parser.add_argument("file", type=Path, help="output file for the calibration")
    parser.add_argument("--seed", type=int, default=1811, help="seed of set-ups and dice (default: %(default)s)")
    parser.add_argument("--games", type=int, default=4860, help="(default: %(default)s)")
    add_workers(parser, None)
    try:
        make(parser.parse_args(argv))
    except (TetrasolveError, OSError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
