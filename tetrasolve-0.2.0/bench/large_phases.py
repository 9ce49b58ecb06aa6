"""What an outcome of a large Barbarian phase costs; kept in results/large_phases.json.

    python bench/large_phases.py --keep
    python bench/large_phases.py --show
    python bench/large_phases.py --search 600     # for so many seconds: phases of about a million outcomes

The positions are the lines of large-phases.txt. What is timed is `Kernel.phase`, all figures with the number of distinct outcomes,
in processor seconds of this process, after a first call that takes the memory. With `--other PYTHON`, the interpreter of another
version, the same is timed there.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

HERE = Path(__file__).parent
POSITIONS = HERE / "large-phases.txt"
RESULTS = HERE / "results" / "large_phases.json"
GOAL = 40.0  # nanoseconds for an outcome
WANTED = (700_000, 1_500_000)  # outcomes that the search looks for
PATIENCE = 0.6  # seconds for one phase of the search,
CLIMB = 12.0  # and for all that begin at one position


def positions() -> list[str]:
    """The lines of the file."""
    return [line for line in POSITIONS.read_text("utf-8").splitlines() if line and not line.startswith("#")]


def seconds_of(repetitions: int) -> list[tuple[int, int, list[float]]]:
    """Outcomes, visits and processor seconds of each phase."""
    from tetrasolve.tetrarchia import fast
    from tetrasolve.tetrarchia.position import Position

    rows = []
    for line in positions():
        position = Position.parse(line)
        engine, state = fast.kernel_of(position), fast.to_state(position)
        found, seconds = engine.phase(state), []
        for _ in range(repetitions):
            began = time.process_time()
            engine.phase(state)
            seconds.append(time.process_time() - began)
        rows.append((int(found["outcomes"]), int(found["visits"]), seconds))
    return rows


def report(repetitions: int, other: str | None) -> dict[str, Any]:
    """All that is kept."""
    from benchkit import facts

    rows = seconds_of(repetitions)
    theirs: list[tuple[int, int, list[float]]] = []
    if other:
        command = [other, __file__, "--own", str(repetitions)]
        theirs = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)  # noqa: S603  # ours
    found = []
    for number, (line, (outcomes, visits, seconds)) in enumerate(zip(positions(), rows, strict=True)):
        row = {
            "position": line, "outcomes": outcomes, "visits": visits,
            "nanoseconds": [round(1e9 * each / outcomes, 1) for each in seconds],
        }  # fmt: skip
        if theirs:
            row["other"] = [round(1e9 * each / outcomes, 1) for each in theirs[number][2]]
        found.append(row)
    return {
        "bench": "large_phases", "goal": GOAL, "repetitions": repetitions, "clock": "processor seconds",
        "commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel(), "positions": found,
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The report as a table."""
    yield f"{'outcomes':>10}{'visits':>10}{'median':>8}{'max':>8} ns an outcome"
    for row in data["positions"]:
        times = row["nanoseconds"]
        goal = "reached" if median(times) <= data["goal"] else "missed"
        other = f"  other version {median(row['other']):.1f}" if "other" in row else ""
        yield (
            f"{row['outcomes']:10,}{row['visits']:10,}{median(times):8.1f}{max(times):8.1f}  goal {data['goal']:.0f}: {goal}"
            f"{other}  {row['position']}"
        )


def search(seconds: float, seed: int) -> Iterator[tuple[int, str]]:
    """Phases with as many outcomes as are wanted, each from a start of its own."""
    from worst_phase import changed, outcomes_of, scattered

    from tetrasolve.tetrarchia.board import Board
    from tetrasolve.tetrarchia.ruleset import all_levels

    random, board, levels = Random(seed), Board.standard(), list(all_levels())
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        best, most = scattered(random, board, random.choice(levels)), 0
        stop = min(until, time.monotonic() + CLIMB)
        while most < WANTED[0] and time.monotonic() < stop:
            position = best
            for _ in range(random.choice((1, 1, 2, 3))):
                position = changed(position, random) or position
            if position.is_won or not (position.unrest or position.revolts):
                continue
            count = outcomes_of(position, PATIENCE)
            if most <= count <= WANTED[1]:
                best, most = position, count
        if most >= WANTED[0]:
            yield most, str(best)


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    if argv is None and sys.argv[1:2] == ["--own"]:
        print(json.dumps(seconds_of(int(sys.argv[2]))))
        return 0
    from benchkit.command import Kept

    kept = Kept(__doc__ or "", RESULTS, lines, "each phase once")
    kept.parser.add_argument("--repetitions", type=int, default=11, help="of each phase (default: %(default)s)")
    kept.parser.add_argument("--other", metavar="PYTHON", help="interpreter with another version")
    kept.parser.add_argument(
        "--search", type=float, metavar="SECONDS", help="look for phases of about a million outcomes"
    )
    kept.parser.add_argument("--seed", type=int, default=232, help="of the search (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.search is not None:
        for count, line in search(options.search, options.seed):
            print(f"{count:>12,}  {line}", flush=True)
        return 0
    return kept.finish(options, report(1 if options.quick else options.repetitions, options.other))


if __name__ == "__main__":
    sys.exit(main())
