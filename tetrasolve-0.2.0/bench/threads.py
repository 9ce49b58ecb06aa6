"""How much faster two threads answer than one, on two cores; kept in bench/results/threads.json.

    python bench/threads.py --keep
    python bench/threads.py --show

The same hints, each at default settings, are found by one thread and by two, in turns; the ratio of their rates is taken within a
repetition. The positions are starts of turns in games of one level, so that both threads use the same board and rules. The machine
must be otherwise idle: the load before the run is kept with the result, and `--keep` refuses one above `BUSY`.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

from benchkit import facts
from benchkit.command import Kept

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "threads.json"
LEVEL = Ruleset.from_level("4211")
GOAL = 1.7  # times the rate of one thread
BUSY = 0.3  # load average over the last minute from which on the cores are not free
THREADS = (1, 2)


def positions(count: int, seed: int) -> list[Position]:
    """Starts of turns, the first ones of games of the expectimax."""
    player, found = new_player(Board.standard(), LEVEL), list[Position]()
    for number in range(count):
        _, noted, kinds, _ = player.lessons(
            1, LEVEL.revolts, LEVEL.fleets, LEVEL.armies, seed, first=number, strays=0, others=0, ends=8, samples=18
        )
        starts = [state for state, kind in zip(states_in(noted), kinds, strict=True) if kind == 0]
        found.append(fast.to_position(starts[len(starts) // 2], Board.standard(), LEVEL))
    return found


def answer(position: Position) -> str:
    """The best plan of a hint."""
    return str(hint(position).best.plan)


def timed(asked: Sequence[Position], threads: int) -> tuple[float, list[str]]:
    """Wall seconds for all of them, and their plans."""
    with ThreadPoolExecutor(threads) as pool:
        began = time.perf_counter()
        plans = list(pool.map(answer, asked))
        return time.perf_counter() - began, plans


def report(count: int, repetitions: int, seed: int) -> dict[str, Any]:
    """All that is kept.

    :raises SystemExit: when an answer depends on the threads.
    """
    asked = positions(count, seed)
    machine = facts.machine()
    expected = timed(asked, 1)[1]
    seconds: dict[int, list[float]] = {threads: [] for threads in THREADS}
    for repetition in range(repetitions):
        for threads in THREADS if repetition % 2 else THREADS[::-1]:
            took, plans = timed(asked, threads)
            if plans != expected:
                raise SystemExit(f"threads: {threads} threads gave other plans")
            seconds[threads].append(took)
        print(f"threads: repetition {repetition + 1} of {repetitions}", file=sys.stderr)
    ratios = [one / two for one, two in zip(*seconds.values(), strict=True)]
    return {
        "bench": "threads", "seed": seed, "positions": count, "repetitions": repetitions, "level": str(LEVEL),
        "usable_cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "commit": facts.commit(), "machine": machine, "kernel": facts.compiled_kernel(), "goal": GOAL,
        "seconds": {str(threads): [round(second, 4) for second in row] for threads, row in seconds.items()},
        "ratio": {"min": round(min(ratios), 3), "median": round(median(ratios), 3), "max": round(max(ratios), 3)},
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The result in one line."""
    ratio = data["ratio"]
    goal = "reached" if ratio["median"] >= data["goal"] else "missed"
    yield (
        f"threads: two threads give {ratio['median']:.2f} [{ratio['min']:.2f} .. {ratio['max']:.2f}] times the hints of one "
        f"({data['positions']} hints, {data['repetitions']} repetitions, load before {data['machine']['load'][0]}); "
        f"goal {data['goal']}: {goal}"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "two hints, two repetitions")
    parser = kept.parser
    parser.add_argument("--positions", type=int, default=24, help="hints in each run (default: %(default)s)")
    parser.add_argument("--repetitions", type=int, default=7, help="of both runs (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1618, help="of games (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.keep and (options.quick or os.getloadavg()[0] > BUSY):
        parser.error(f"--keep: expected a whole run on an idle machine, the load is {os.getloadavg()[0]:.2f}")
    count, repetitions = (2, 2) if options.quick else (options.positions, options.repetitions)
    data = report(count, repetitions, options.seed)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
