"""Calibrates the evaluation on fresh games.

::

    python -m tetrasolve.finem.hint.calibrate --seed 1811 --games 12000 calibration.json

So many games are of each ruleset that is a kind of its own, and as many together of all levels, options and readings, but for the
values of these that came later, as `tetrasolve.finem.hint.courses` draws them with another seed than that of the training. They are
played by the policy ``greedy``. Of each turn the state after the actions counts: it is what a hint evaluates.
"""

from __future__ import annotations

import argparse
import json
import struct
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tetrasolve.files import write_text
from tetrasolve.finem.hint.calibration import (
    LEVEL_KINDS,
    TURNS,
    Calibration,
    fitted,
    kind_of,
    with_other_readings_by_default,
)
from tetrasolve.finem.hint.courses import drawn
from tetrasolve.finem.hint.players import player_of
from tetrasolve.finem.hint.weights import MOMENTS, shipped
from tetrasolve.finem.rules import seeded
from tetrasolve.finem.ruleset import Ruleset

CHUNK = 50  # games with one ruleset
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


def of_levels(seed: int, games: int) -> dict[str, list[Row]]:
    """The states in so many games of drawn rulesets, by level and value of E-PACIFY."""
    found: dict[str, list[Row]] = {kind + turn: [] for kind in LEVEL_KINDS for turn in TURNS}
    for first in range(0, games, CHUNK):
        ruleset = drawn(seed, first).dealt(seeded(first))
        kind = f"{ruleset.level}, {ruleset.readings['E-PACIFY']}"
        for turn, rows in zip(TURNS, states(ruleset, seed, range(first, min(first + CHUNK, games))), strict=True):
            found[kind + turn] += rows
    return found


def of_kinds(seed: int, games: int) -> Iterator[tuple[str, list[Row]]]:
    """Each kind of rules and turns with the states that its curve is fitted to."""
    yield from of_levels(seed, games).items()
    for ruleset in with_other_readings_by_default():
        for turn, rows in zip(TURNS, states(ruleset, seed, range(games)), strict=True):
            yield kind_of(ruleset) + turn, rows


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
    for kind, rows in of_kinds(options.seed, options.games):
        try:
            found[kind] = fitted(rows)
        except ValueError as error:
            print(f"{kind}: not calibrated: {error}", file=sys.stderr)  # noqa: T201  # what is left out is said
        else:
            print(f"{kind}: {found[kind].games:,} games", file=sys.stderr)  # noqa: T201  # progress
    write_text(options.file, json.dumps(Calibration(found, shipped().digest, made).as_data(), indent=1) + "\n")


if __name__ == "__main__":
    main()
