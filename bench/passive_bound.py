"""Make tetrasolve/tetrarchia/data/passive-bound.json again by policy iteration: how long a passive Rome can last at most.

    python bench/passive_bound.py --out passive-bound.json

It covers the base game only, as the proof does (`tetrasolve.tetrarchia.lint.passive`). Nothing is drawn at random. For a policy of
the adversary the expected numbers of phases are solved for in floating point, and he changes to what is better until nothing is.
The numbers are then made larger by `SLACK`, which covers what is rounded, and checked by whole numbers; only a table that proves
what it says is written. It takes less than a minute, so that nothing is kept to be resumed, and needs numpy.
"""

from __future__ import annotations

import argparse
import json
import sys
from itertools import groupby
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tetrasolve.files import write_text
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.passive import (
    FORMAT,
    NAMED,
    UNITS,
    Counts,
    activities,
    all_counts,
    board_numbers,
    bound_problems,
    most_phases,
    moves,
    stored_bound,
)

SLACK = 2 / UNITS  # more than one unit in each phase: numbers are rounded to units
GAIN = 1e-12  # what is better by less of it is rounding
MOST_ROUNDS = 200  # of the policy: a few dozen are enough

Chances = dict[Counts | None, int]


class Adversary:
    """What the adversary can do from each count, and what he does."""

    def __init__(self, board: Board) -> None:
        printed, outside = board_numbers(board)
        self.counts = list(all_counts())
        self.row = {now: row for row, now in enumerate(self.counts)}
        self.options: dict[Counts, list[Chances]] = {
            now: list(activities(now, printed, outside)) for now in self.counts
        }
        self.policy: dict[Counts, Chances | Counts] = {now: options[0] for now, options in self.options.items()}

    def expected(self) -> NDArray[np.float64]:
        """The expected number of phases from each count under his policy."""
        size = len(self.counts)
        matrix, phases = np.eye(size), np.zeros(size)
        for now, choice in self.policy.items():
            row = self.row[now]
            if isinstance(choice, tuple):
                matrix[row, self.row[choice]] -= 1
                continue
            phases[row] = 1
            for after, share in choice.items():
                if after is not None:
                    matrix[row, self.row[after]] -= share / NAMED
        return np.linalg.solve(matrix, phases)

    def improve(self, found: NDArray[np.float64]) -> bool:
        """Change to what is better, and say whether anything is."""
        better = False
        for now in self.counts:
            best, choice = found[self.row[now]] * (1 + GAIN) + GAIN, None
            for option in self.options[now]:
                worth = (
                    1
                    + sum(share * found[self.row[after]] for after, share in option.items() if after is not None)
                    / NAMED
                )
                if worth > best:
                    best, choice = worth, option
            for after in moves(now):
                if found[self.row[after]] > best:
                    best, choice = found[self.row[after]], after
            if choice is not None:
                self.policy[now], better = choice, True
        return better


def main() -> int:
    """Make the table, check it, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="write the table to this file")
    path, board = parser.parse_args().out, Board.standard()
    adversary = Adversary(board)
    for number in range(1, MOST_ROUNDS + 1):
        found = adversary.expected()
        print(f"policy {number}: at most {found.max():.1f} phases", file=sys.stderr, flush=True)
        if not adversary.improve(found):
            break
    bound = {now: int(np.ceil(UNITS * (1 + SLACK) * found[row])) for now, row in adversary.row.items()}
    if wrong := next(bound_problems(bound, board), None):
        print(f"no table was written: {wrong}", file=sys.stderr)
        return 1
    rows = [[bound[now] for now in group] for _, group in groupby(adversary.counts, key=lambda now: (now[2], now[0]))]
    write_text(path, json.dumps({"format": FORMAT, "bound": rows}) + "\n")
    print(f"{path}: at most {most_phases(bound)} phases; the stored table says {most_phases(stored_bound())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
