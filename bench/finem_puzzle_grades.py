"""Grades of fresh puzzles of the second game beside how often other solvers find them.

    python bench/finem_puzzle_grades.py --seconds 600 --keep
    python bench/finem_puzzle_grades.py --show

Questions come from games of the greedy policy with other seeds than those of the shipped collection, one of a game; games that are
kept (bench/results/finem_puzzle_grades.json) are gone on from. Each has one answer by the kernel. The solvers are those that the
grade knows nothing of: they notice a few choices at each step and take the best of them; or they play some turns after each
possible answer, and take the one with the best mean. Printed is Spearman's rank correlation of the grade, and of the effort behind
it, with the part of the tries of a solver that fail.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from math import log10, sqrt
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

from benchkit.command import Kept
from benchkit.freshpuzzles import collect

from tetrasolve.errors import OutOfTimeError
from tetrasolve.finem.evaluation import read_objective
from tetrasolve.finem.puzzle.grade import grade, region_of
from tetrasolve.finem.puzzle.kinds import PLAN, kind
from tetrasolve.finem.puzzle.making import played
from tetrasolve.finem.puzzle.solving import Ranked, solve
from tetrasolve.puzzles.correlation import spearman
from tetrasolve.puzzles.effort import Choice, chance
from tetrasolve.puzzles.lines import GRADES

RESULTS = Path(__file__).parent / "results" / "finem_puzzle_grades.json"
PARTS = (
    ("survive", "standard"),
    ("resist", "introductory"),
    ("protect", "standard"),
    ("tribune", "standard"),
    ("survive", "introductory"),
    ("resist", "standard"),
    ("win", "standard"),
    ("protect", "expert+sphere"),
)
EACH, ASKED = 10.0, 3  # seconds for a question; questions of a game
NOTICED = (2, 4, 8)  # choices
TURNS = (30, 300, 3000)  # that are played after each answer
REPEATS = 400  # of a solver that plays turns
LEAST = 1e-3  # of a share, for its logarithm: none of the repeats


def noticing(region: dict[int, list[Choice]], worths: dict[int, list[float]], count: int) -> float:
    """The chance of who notices so many choices, each time any with the same chance, and takes the best of them."""

    def of(state: int) -> list[float]:
        choices = region[state]
        order = sorted(range(len(choices)), key=lambda number: (choices[number].is_right, worths[state][number]))
        row = [0.0] * len(choices)
        for place, number in enumerate(order):
            row[number] = ((place + 1) / len(order)) ** count - (place / len(order)) ** count
        return row

    return chance(region, of)


def playing(found: Ranked, turns: int, random: Random) -> float:
    """The share of those who play so many turns after each answer, and find the best one: means of chances, taken as normal."""
    sign = read_objective(found.question.objective).sign
    rows = [(float(number), sqrt(float(number * (1 - number)) / turns)) for _, number in found.options]
    right = 0
    for _ in range(REPEATS):
        seen = [(sign * random.gauss(number, error), random.random(), at) for at, (number, error) in enumerate(rows)]
        right += max(seen)[2] == 0
    return right / REPEATS


def measured(name: str, level: str, seed: str) -> dict[str, Any] | None:
    """The first question of a game that has one answer, with its grade and what the solvers make of it; None without one."""
    row = kind(name)
    positions = [position for position in played(level, seed) if row.form != PLAN or position.left in (2, 4)]
    asked = [question for position in positions for question in row.questions(position)]
    Random(f"order {level} {seed}").shuffle(asked)
    for question in asked[:ASKED]:
        try:
            found = solve(question, seconds=EACH)
        except OutOfTimeError:
            continue
        if not found.is_unique:
            continue
        region, worths = region_of(found)
        random = Random(f"solvers {level} {seed}")
        return {
            "kind": name,
            "level": level,
            "position": str(question.position),
            "answers": len(found.options),
            **grade(found).data(),
            "others": {
                **{f"notices {count}": noticing(region, worths, count) for count in NOTICED},
                **{f"plays {turns} turns": playing(found, turns, random) for turns in TURNS},
            },
        }
    return None


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The tables."""
    rows = data["puzzles"]
    yield f"{len(rows)} puzzles of {data['games']} games of seed {data['seed']}"
    if len(rows) < 3:
        return
    names = tuple(rows[0]["others"])
    yield "share of the solvers that find the answer, by grade"
    yield "grade     n  " + "".join(f"{name:>18}" for name in names)
    for number in GRADES:
        own = [row for row in rows if row["grade"] == number]
        if own:
            yield f"{number:5} {len(own):5}  " + "".join(
                f"{mean(row['others'][name] for row in own):18.3f}" for name in names
            )
    grades = [float(row["grade"]) for row in rows]
    efforts = [row["figures"]["tries"] / row["figures"]["random"] for row in rows]
    yield "Spearman's rank correlation of how hard a puzzle is for other solvers: with the grade, with the effort behind it"
    groups = {name: (name,) for name in names}
    groups["all of them"] = names
    groups["who play turns"] = tuple(name for name in names if name.startswith("plays"))
    for title, some in groups.items():
        hard = [-mean(log10(max(row["others"][name], LEAST)) for name in some) for row in rows]
        yield f"  {title:>18} {spearman(grades, hard):6.2f} {spearman(efforts, hard):6.2f}"


def rows_of(game: int, seed: int) -> list[dict[str, Any]]:
    """The row of a game, if it has a puzzle."""
    name, level = PARTS[game % len(PARTS)]
    row = measured(name, level, f"grades {seed} {game}")
    return [] if row is None else [row]


def main(argv: Sequence[str] | None = None) -> int:
    """Go on with the games for some time."""
    return collect(Kept(__doc__ or "", RESULTS, lines, quick="one game"), argv, rows_of)


if __name__ == "__main__":
    sys.exit(main())
