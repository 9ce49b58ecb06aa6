"""Calibrates the evaluation on fresh games.

::

    python -m tetrasolve.finem.hint.calibrate --seed 1811 --games 12000 calibration.json

The games are of all levels, options and readings, but for the values of these that came later, as `tetrasolve.finem.hint.courses`
draws them with another seed than that of the training, and are played by the policy ``greedy``. Of each turn the state after the
actions counts: it is what a hint evaluates.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

from tetrasolve.files import write_text
from tetrasolve.finem.hint.calibration import KINDS, Calibration, fitted, kind_of
from tetrasolve.finem.hint.courses import drawn
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.hint.weights import MOMENTS, shipped
from tetrasolve.finem.rules import seeded

CHUNK = 50  # games with one ruleset
ACTED = MOMENTS.index("acted")


def collected(seed: int, games: int) -> dict[str, list[tuple[float, bool, int]]]:
    """For each kind of rules the states after actions: raw value, whether the game was won, its number."""
    found: dict[str, list[tuple[float, bool, int]]] = {kind: [] for kind in KINDS}
    for first in range(0, games, CHUNK):
        ruleset = drawn(seed, first).dealt(seeded(first))
        _, kinds, values, numbers, ends = player_of(ruleset).lessons("value", seed, first, min(CHUNK, games - first))
        count = len(kinds)
        rows = zip(kinds, struct.unpack(f"={count}d", values), struct.unpack(f"={count}i", numbers), strict=True)
        found[kind_of(ruleset)] += [(raw, ends[n - first] == "won", n) for kind, raw, n in rows if kind == ACTED]
        print(f"\r{min(first + CHUNK, games)} of {games} games", end="", file=sys.stderr, flush=True)  # noqa: T201  # progress
    print(file=sys.stderr)  # noqa: T201  # the end of that line
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Calibrate the evaluation of Et finem Imperii Romani on fresh games.")
    parser.add_argument("file", type=Path, help="output file")
    parser.add_argument("--seed", type=int, default=1811, help="of the games (default: %(default)s)")
    parser.add_argument("--games", type=int, default=12_000, help="(default: %(default)s)")
    options = parser.parse_args(argv)
    rows = collected(options.seed, options.games)
    words = f"--seed {options.seed} --games {options.games} {options.file.name}"
    made = {"command": f"python -m tetrasolve.finem.hint.calibrate {words}", "seed": options.seed}
    curves = {}
    for kind, states in rows.items():
        try:
            curves[kind] = fitted(states)
        except ValueError as error:
            print(f"{kind}: not calibrated: {error}", file=sys.stderr)  # noqa: T201  # what is left out is said
    write_text(options.file, json.dumps(Calibration(curves, shipped().digest, made).as_data(), indent=1) + "\n")


if __name__ == "__main__":
    main()
