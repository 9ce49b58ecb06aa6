"""Calibrates the evaluation on fresh games.

::

    python -m tetrasolve.finem.hint.calibrate --seed 1811 --games 12000 calibration.json

So many games are of each ruleset that has a curve, and `POOL` times as many of drawn rulesets with other readings, to which the
shifts of their values are fitted (`tetrasolve.finem.hint.courses`, `tetrasolve.finem.hint.shifting`). They are played by the policy
``greedy``. Of each turn the state after the actions counts: it is what a hint evaluates.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from tetrasolve.files import write_text
from tetrasolve.finem.hint.calibration import (
    TURNS,
    Calibration,
    Curve,
    fitted,
    kind_of,
    values_of,
    with_other_readings_by_default,
)
from tetrasolve.finem.hint.courses import drawn_of_pool
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.hint.shifting import Played, fitted_shifts, spread_of
from tetrasolve.finem.hint.weights import MOMENTS, shipped
from tetrasolve.finem.rules import seeded
from tetrasolve.finem.ruleset import Ruleset

CHUNK = 50  # games with one drawn ruleset
POOL = 8
ACTED = MOMENTS.index("acted")


Row = tuple[float, bool, int]  # of a state: its raw value, whether the game was won, the number of the game


def states(ruleset: Ruleset, seed: int, games: range) -> tuple[list[Row], list[Row]]:
    """The states after actions in these games with a ruleset: those of the first turns, and those of later ones."""
    _, kinds, values, numbers, ends = player_of(ruleset).lessons("value", seed, games.start, len(games))
    count = len(kinds)
    rows = zip(kinds, struct.unpack(f"={count}d", values), struct.unpack(f"={count}i", numbers), strict=True)
    found: tuple[list[Row], list[Row]] = [], []
    begun: set[int] = set()
    for kind, raw, number in rows:
        if kind == ACTED:
            found[number in begun].append((raw, ends[number - games.start] == "won", number))
            begun.add(number)
    return found


def of_pool(seed: int, games: int) -> Iterator[tuple[Ruleset, tuple[list[Row], list[Row]]]]:
    """Drawn rulesets with other readings, so many games in all, each with its states of first and of later turns."""
    for first in range(0, games, CHUNK):
        ruleset = drawn_of_pool(seed, first // CHUNK).dealt(seeded(first))
        yield ruleset, states(ruleset, seed, range(first, min(first + CHUNK, games)))


def played(
    curves: Mapping[str, Curve], pool: Iterable[tuple[Ruleset, tuple[list[Row], list[Row]]]]
) -> list[list[Played]]:
    """What shifts are fitted to, for each of `TURNS`: the odds of states by the curve of their kind."""
    found: list[list[Played]] = [[] for _ in TURNS]
    for ruleset, of_turns in pool:
        for at, (turn, rows) in enumerate(zip(TURNS, of_turns, strict=True)):
            if (curve := curves.get(kind_of(ruleset) + turn)) is not None:
                odds = [(curve.odds(raw), won, game) for raw, won, game in rows]
                found[at].append(Played(values_of(ruleset), odds))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Calibrate the evaluation of Et finem Imperii Romani on fresh games.")
    parser.add_argument("file", type=Path, help="output file")
    parser.add_argument("--seed", type=int, default=1811, help="of the games (default: %(default)s)")
    parser.add_argument("--games", type=int, default=12_000, help="(default: %(default)s)")
    options = parser.parse_args(argv)
    words = f"--seed {options.seed} --games {options.games} {options.file.name}"
    made = {"command": f"python -m tetrasolve.finem.hint.calibrate {words}", "seed": options.seed}
    found = {}
    for ruleset in with_other_readings_by_default():
        for turn, rows in zip(TURNS, states(ruleset, options.seed, range(options.games)), strict=True):
            kind = kind_of(ruleset) + turn
            try:
                found[kind] = fitted(rows)
            except ValueError as error:
                print(f"{kind}: not calibrated: {error}", file=sys.stderr)  # noqa: T201  # what is left out is said
            else:
                print(f"{kind}: {found[kind].games:,} games", file=sys.stderr)  # noqa: T201  # progress
    shifts, spread = {}, {}
    for turn, of in zip(TURNS, played(found, of_pool(options.seed, POOL * options.games)), strict=True):
        try:
            shifts[turn], (variance, off) = fitted_shifts(of), spread_of(of)
        except ValueError as problem:
            print(f"no shifts{turn}: {problem}", file=sys.stderr)  # noqa: T201  # what is left out is said
            continue
        spread[turn] = max(variance, 0.0)
        said = f"{len(shifts[turn])} values{turn}; variance between rulesets {variance:.4f}, its error {off:.4f}"
        print(said, file=sys.stderr)  # noqa: T201  # progress
    calibration = Calibration(found, shipped().digest, made, shifts, spread)
    write_text(options.file, json.dumps(calibration.as_data(), indent=1) + "\n")


if __name__ == "__main__":
    main()
