"""Grades of fresh puzzles beside how often simulated solvers find them; kept in bench/results/puzzle_grades.json.

    python bench/puzzle_grades.py --seconds 600 --keep
    python bench/puzzle_grades.py --show

Puzzles are made by the recipe of the shipped collection from games of another seed, game after game; those that are kept are gone
on from. Two tables.
*Calibration*: the share that solvers find who see what is within reach after each action and err at random, the smaller the
error the stronger, by grade. *Other solvers*: those that the grade knows nothing of, each with Spearman's rank correlation
of the grade with the part of them that fails. They notice a few actions only, look a few actions ahead only, or know of an
action only what random play makes of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from math import log10
from pathlib import Path
from statistics import mean
from typing import Any

from benchkit.command import Kept
from benchkit.freshpuzzles import collect

from tetrasolve.puzzles.correlation import spearman
from tetrasolve.puzzles.effort import chance, effort, softmax
from tetrasolve.puzzles.lines import GRADES
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia.puzzle.grade import shares, turn_seen
from tetrasolve.tetrarchia.puzzle.puzzle import Puzzle
from tetrasolve.tetrarchia.puzzle.recipe import made_of_game, recipe
from tetrasolve.tetrarchia.puzzle.solvers import Turn

RESULTS = Path(__file__).parent / "results" / "puzzle_grades.json"
KINDS = ("kill", "secure", "uprising", "kill", "secure", "win", "pirates")
MOST_STATES, EACH, OF_A_GAME = 4000, 20.0, 2  # of a turn; seconds for a question; puzzles of a game
A_GAME = 120.0  # seconds
NOISES = (0.05, 0.1, 0.2, 0.4, 0.8)  # shares of what is at stake
NOTICED = (2, 4, 8, 16)  # actions
AHEAD = (1, 2, 3)  # actions
SHORT_SIGHTED = 0.1  # their error, a share of what is at stake
LEAST = 1e-30  # of a share, for its logarithm

Shares = Callable[[int], Sequence[float]]


def noticing(turn: Turn, count: int) -> Shares:
    """So many choices are noticed, each time any with the same chance, and the best of them is taken."""

    def of(state: int) -> list[float]:
        values, choices = turn.best_values(state), turn.region[state]
        order = sorted(range(len(choices)), key=lambda number: (choices[number].is_right, values[number]))
        row = [0.0] * len(choices)
        for place, number in enumerate(order):
            row[number] = ((place + 1) / len(order)) ** count - (place / len(order)) ** count
        return row

    return of


def short_sighted(turn: Turn, actions: int) -> Shares:
    """What is within reach with so many actions is seen, with an error."""
    stake = max(turn.aim.values()) - min(turn.aim.values())
    worths = turn.worths(actions, lambda _: 0.0)
    floor = min(turn.aim.values())
    return softmax(lambda state: [max(aim, floor) for aim, _ in worths(state)], SHORT_SIGHTED * stake)


def random_values(turn: Turn) -> list[float]:
    """What random play makes of each state: the mean over all choices at each."""
    rows = [0.0] * len(turn.ways)
    for node in turn.order:
        offers = [sum(share * rows[target] for share, target in way) for way in turn.ways[node]]
        rows[node] = mean(offers + ([turn.aim[node]] if node in turn.aim else []))
    return rows


def by_random_play(turn: Turn) -> float:
    """One over the lines that a solver goes through who prefers actions by what random play makes of them."""
    rows = random_values(turn)

    def worths(state: int) -> list[tuple[float, ...]]:
        own = [turn.aim[state]] if state in turn.aim else []
        ways = [sum(share * rows[target] for share, target in way) for way in turn.ways[state]]
        return [(round(value, 12),) for value in own + ways]

    return 1 / effort(turn.region, worths).lines


def measured(puzzle: Puzzle, stop: Stop) -> dict[str, Any]:
    """A puzzle with its grade, and the share of each solver that finds it."""
    turn = turn_seen(puzzle.solution, stop)  # type: ignore[arg-type]  # only kinds about turns are made here
    region = turn.region
    return {
        "source": puzzle.source,
        "kind": puzzle.question.kind.name,
        **puzzle.grade.data(),
        "erring": {str(noise): chance(region, shares(turn, noise)) for noise in NOISES},
        "others": {
            **{f"notices {count}": chance(region, noticing(turn, count)) for count in NOTICED},
            **{f"looks {count} ahead": chance(region, short_sighted(turn, count)) for count in AHEAD},
            "by random play": by_random_play(turn),
        },
    }


def puzzles_of(game: int, seed: int, stop: Stop) -> Iterator[dict[str, Any]]:
    """The puzzles of a game of the recipe of the shipped collection, but with another seed; its kind depends on its number."""
    parts = {part.kind: part for part in recipe()}
    part = parts[KINDS[game % len(KINDS)]]
    limit = min(part.most_states, MOST_STATES)
    part = replace(part, seed=seed, most_states=limit, each=EACH, of_a_game=OF_A_GAME)
    for puzzle in made_of_game(part, game, stop=stop):
        if puzzle.grade.number is not None:
            yield measured(puzzle, stop)


def ease(row: dict[str, Any], names: Sequence[str]) -> float:
    """The mean of the logarithms of the shares of these other solvers."""
    return mean(log10(max(row["others"][name], LEAST)) for name in names)


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The tables."""
    rows = data["puzzles"]
    yield f"{len(rows)} puzzles of {data['games']} games from seed {data['seed']} on"
    if len(rows) < 3:
        return
    yield "calibration: mean share of the solvers that err, by grade and by their error as a share of what is at stake"
    yield "grade     n  " + "".join(f"{noise:>9}" for noise in NOISES)
    for grade in GRADES:
        own = [row for row in rows if row["grade"] == grade]
        means = "".join(f"{mean(row['erring'][str(noise)] for row in own):9.4f}" for noise in NOISES) if own else ""
        yield f"{grade:5} {len(own):5}  {means}"
    grades = [float(row["grade"]) for row in rows]
    tries = [row["figures"]["tries"] / row["figures"]["random"] for row in rows]
    yield "Spearman's rank correlation of how hard a puzzle is for other solvers: with the grade, with the effort behind it"
    for name in rows[0]["others"]:
        hard = [-row["others"][name] for row in rows]
        yield f"  {name:>16} {spearman(grades, hard):6.2f} {spearman(tries, hard):6.2f}"
    everyone = tuple(rows[0]["others"])
    groups = {"all of them": everyone, "none that notices": tuple(n for n in everyone if not n.startswith("notices"))}
    for title, names in groups.items():
        hard = [-ease(row, names) for row in rows]
        yield f"  {title:>17} {spearman(grades, hard):5.2f} {spearman(tries, hard):6.2f}   n={len(rows)}"


def rows_of(game: int, seed: int) -> list[dict[str, Any]]:
    """The rows of a game; no more of one that takes long."""
    rows: list[dict[str, Any]] = []
    with suppress(Stopped):
        rows.extend(puzzles_of(game, seed, Stop(A_GAME)))
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Go on with the games for some time."""
    return collect(Kept(__doc__ or "", RESULTS, lines, quick="one game"), argv, rows_of)


if __name__ == "__main__":
    sys.exit(main())
