"""How long the first answer of a hint takes on the slowest positions that are known; kept in results/first_answer.json.

    python bench/first_answer.py --keep
    python bench/first_answer.py --show
    python bench/first_answer.py --search 600     # for so many seconds: positions that take longer, if there are some

The positions are the lines of first-answer.txt. What is timed is the first step of `think` of `tetrasolve.tetrarchia.hint.advice`,
without `seconds`, in processor seconds of this process; and the same without the figures of the coming phases, which have a
deadline of their own, in wall seconds. On a busy machine they have fewer processor seconds, so the goal is held against the time
without figures and all that they may take.

The search scatters positions at all levels and climbs from the slowest one, as that of worst_phase.py does. It times what has no
deadline: the answer without figures.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from worst_phase import changed, outcomes_of, scattered

from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import FIRST_STEP, Hint, think
from tetrasolve.tetrarchia.numbers import IP_A_TURN
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import all_levels

HERE = Path(__file__).parent
SLOWEST = HERE / "first-answer.txt"
RESULTS = HERE / "results" / "first_answer.json"
GOAL = 0.1  # seconds
PATIENCE = 60.0  # seconds for the outcomes of a phase, which are only reported
SCATTERED = 0.25  # of the time of a search, before the climb


def slowest() -> list[Position]:
    """The positions of the file."""
    lines = SLOWEST.read_text("utf-8").splitlines()
    return [Position.parse(line) for line in lines if line and not line.startswith("#")]


def first_answer(position: Position, cancel: Stop | None = None) -> tuple[float, Hint]:
    """The first answer, and how long it took."""
    began = time.process_time()
    found = next(think(position, cancel=cancel))
    return time.process_time() - began, found


def without_figures(position: Position) -> float:
    """How long it takes where no time is left for figures."""
    over = Stop()
    over.set()
    return first_answer(position, over)[0]


# -- the measurement -------------------------------------------------------------------------------------------------


def row_of(position: Position, repetitions: int) -> dict[str, Any]:
    """What is kept about one position."""
    answers = [first_answer(position) for _ in range(repetitions)]
    plans = answers[-1][1].advice
    before = position.replace(phase=Phase.BARBARIAN, ip=0)
    return {
        "position": str(position),
        "outcomes": outcomes_of(before, PATIENCE),  # if the turn ends at once; 0: not counted in time
        "milliseconds": [round(1000 * seconds, 2) for seconds, _ in answers],
        "without_figures": round(1000 * median(without_figures(position) for _ in range(repetitions)), 2),
        "plans": len(plans),
        "with_figures": sum(bool(advice.prospects.known) for advice in plans),
    }


def report(repetitions: int) -> dict[str, Any]:
    """All that is kept."""
    asked = slowest()
    for position in asked:  # tables and imports
        without_figures(position)
    return {
        "bench": "first_answer", "goal": 1000 * GOAL, "figures": 1000 * FIRST_STEP, "repetitions": repetitions,
        "clock": "processor seconds",
        "commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel(),
        "positions": [row_of(position, repetitions) for position in asked],
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The report as a table."""
    yield f"{'outcomes':>10}{'median':>9}{'max':>9}{'without figures':>18} ms   plans with figures"
    for row in data["positions"]:
        times = row["milliseconds"]
        yield (
            f"{row['outcomes']:10,}{median(times):9.1f}{max(times):9.1f}{row['without_figures']:18.1f}      "
            f"{row['with_figures']} of {row['plans']}   {row['position']}"
        )
    most = max(row["without_figures"] for row in data["positions"]) + data["figures"]
    goal = (
        "reached" if max(most, *(max(row["milliseconds"]) for row in data["positions"])) <= data["goal"] else "missed"
    )
    yield f"at most {most:.1f} ms with all the time that figures have, {data['figures']:.0f} ms; goal {data['goal']:.0f} ms: {goal}"


# -- the search ------------------------------------------------------------------------------------------------------


def at_its_start(position: Position) -> Position:
    """The turn of the Emperor who acts, with all of its IP."""
    return position.replace(phase=Phase.ROMAN, ip=IP_A_TURN)


def seconds_of(position: Position, least: float) -> float:
    """The seconds without figures, the least of three where one is at least `least`; 0 where there is no turn to be planned."""
    if position.status() or position.is_won:
        return 0.0
    seconds = without_figures(position)
    return seconds if seconds < least else min(seconds, without_figures(position), without_figures(position))


def search(seconds: float, seed: int, start: Sequence[Position]) -> Iterator[tuple[float, Position]]:
    """Positions that take longer and longer, until the time is over."""
    random, began = Random(seed), time.monotonic()
    board, levels = Board.standard(), list(all_levels())
    most, best = max(((seconds_of(position, 0.0), position) for position in start), key=lambda row: row[0])
    yield most, best
    while (spent := time.monotonic() - began) < seconds:
        if spent < SCATTERED * seconds:
            position = scattered(random, board, random.choice(levels))
        else:
            position = best.replace(phase=Phase.BARBARIAN, ip=0)
            for _ in range(random.choice((1, 1, 2, 3))):
                position = changed(position, random) or position
        position = at_its_start(position)
        if position != best and (found := seconds_of(position, most)) > most:
            most, best = found, position
            yield most, best


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "each position once")
    parser = kept.parser
    parser.add_argument("--repetitions", type=int, default=7, help="of each position (default: %(default)s)")
    parser.add_argument("--search", type=float, metavar="SECONDS", help="look for slower positions")
    parser.add_argument("--seed", type=int, default=231, help="of the search (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.search is not None:
        for seconds, position in search(options.search, options.seed, slowest()):
            print(f"{1000 * seconds:8.1f} ms  {position}", flush=True)
        return 0
    return kept.finish(options, report(1 if options.quick else options.repetitions))


if __name__ == "__main__":
    sys.exit(main())
