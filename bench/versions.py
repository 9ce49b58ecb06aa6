"""Two versions of tetrasolve side by side: processor time of perft, ends of turns, phases, turn graphs, plans, policies and hints.

    python bench/versions.py --other OTHER/.venv/bin/python

The other interpreter has another version of tetrasolve installed. Each repetition starts both in turn, the first one alternating,
and each process times all tasks after a warm-up. The median of the ratios this/other over the repetitions is printed, with the
least and the greatest: below 1 this version is faster. The tasks use only names that both versions have.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

BENCH = Path(__file__).parent
GOAL = 1.03  # at most so much longer
TIMES = {
    "perft": 40,
    "ends": 4,
    "phases": 40,
    "turn": 2,
    "plan": 80,
    "expectimax": 12,
    "greedy": 4,
    "hints": 1,
}  # each takes a few tenths of a second


def lines(name: str, phase: str) -> list[str]:
    """Positions of a file of this folder, those before the Roman (digits) or the Barbarian (b) phase."""
    rows = [line for line in (BENCH / name).read_text("ascii").splitlines() if line and not line.startswith("#")]
    return [row for row in rows if (row.split()[1].endswith(":b")) == (phase == "barbarian")]


def tasks() -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    import tetrasolve
    from tetrasolve.tetrarchia import fast
    from tetrasolve.tetrarchia.hint.advice import BUDGETS
    from tetrasolve.tetrarchia.hint.policy import GREEDY, choose, deepening
    from tetrasolve.tetrarchia.kernel import Turn
    from tetrasolve.tetrarchia.plan.expect import best_turn
    from tetrasolve.tetrarchia.position import Position

    def states(name: str, phase: str, step: int) -> list[tuple[Any, Any]]:
        positions = [Position.parse(line) for line in lines(name, phase)[::step]]
        return [(fast.kernel_for(p.board, p.ruleset), fast.to_state(p)) for p in positions]

    turns, phases = states("positions.txt", "roman", 1), states("positions.txt", "barbarian", 2)
    starts = [Position.parse(line) for line in lines("expect-positions.txt", "roman")[:60:6]]
    example = tetrasolve.example("fight")
    wanted = [("goal", 0, 0, 0, 0, 1), ("uprising",), ("ip",)]
    return {
        "perft": lambda: [kernel.perft(state, 4) for kernel, state in turns],
        "ends": lambda: [kernel.ends(state) for kernel, state in turns],
        "phases": lambda: [kernel.phase(state) for kernel, state in phases],
        "turn": lambda: [Turn(kernel, state).solve(wanted).values for kernel, state in turns],
        "plan": lambda: tetrasolve.plan(example, "kill narbonensis"),
        "expectimax": lambda: [
            best_turn(position, "revolt=-3 garrison=1 army=-2 fallen=-40") for position in starts[:4]
        ],
        "greedy": lambda: [choose(position, GREEDY) for position in starts],
        "hints": lambda: [list(deepening(position, BUDGETS["search"], 0, 3)) for position in starts],
    }


def time_all() -> dict[str, float]:
    """Processor seconds of each task, the second time that it runs."""
    found = {}
    for name, task in tasks().items():
        task()
        began = time.process_time()
        for _ in range(TIMES[name]):
            task()
        found[name] = time.process_time() - began
    return found


def run(python: str) -> dict[str, float]:
    """The times of one version."""
    done = subprocess.run([python, __file__, "--time"], capture_output=True, text=True, check=True)  # noqa: S603  # ours
    times: dict[str, float] = json.loads(done.stdout)
    return times


def main() -> int:
    """Print the ratios; 1 where one is above the goal."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--other", metavar="PYTHON", help="interpreter with the other version")
    parser.add_argument("--repetitions", type=int, default=9)
    parser.add_argument("--time", action="store_true", help="time this version once and print JSON")
    options = parser.parse_args()
    if options.time:
        print(json.dumps(time_all()))
        return 0
    if not options.other:
        print("versions: nothing to compare with (--other PYTHON: the interpreter of another version)")
        return 0
    ratios: dict[str, list[float]] = {}
    for number in range(options.repetitions):
        pair = {python: run(python) for python in (sys.executable, options.other)[:: 1 if number % 2 else -1]}
        for name, seconds in pair[sys.executable].items():
            ratios.setdefault(name, []).append(seconds / pair[options.other][name])
    for name, found in ratios.items():
        print(f"{name:12} {median(found):5.3f}  [{min(found):.3f}, {max(found):.3f}]")
    return int(any(median(found) > GOAL for found in ratios.values()))


if __name__ == "__main__":
    sys.exit(main())
