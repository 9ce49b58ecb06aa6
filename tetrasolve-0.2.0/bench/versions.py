"""Two versions of tetrasolve side by side: processor time of perft, ends of turns, phases, turn graphs, plans, policies and hints.

`hints` is the search of a hint alone, `hint` the public function at default settings with its reasons: a later version may give
more of these.

    python bench/versions.py --other OTHER/.venv/bin/python --keep
    python bench/versions.py --show

The other interpreter has another version of tetrasolve installed. Each repetition starts both in turn, the first one alternating,
and each process times all tasks after a warm-up. The median of the ratios this/other over the repetitions is printed, with the
least and the greatest: below 1 this version is faster. The tasks use only names that both versions have.

What the policies choose must be the same, which is looked at in each repetition: the plans of `greedy` and `hints`, and the best
one of `hint`, are compared. Where the weights have changed since, those of the other version are put in place for the run: the
three files of `tetrasolve/tetrarchia/hint/data`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib import metadata
from pathlib import Path
from statistics import median
from typing import Any

BENCH = Path(__file__).parent
RESULTS = BENCH / "results" / "versions.json"
GOAL = 1.03  # at most so much longer,
GOALS = {
    "turn": 0.1,
    "greedy": 0.5,
    "hints": 0.5,
    "hint": 0.5,
}  # and what is to be faster than the version that these goals were set for
TIMES = {
    "perft": 40,
    "ends": 4,
    "phases": 40,
    "turn": 2,
    "plan": 80,
    "expectimax": 12,
    "greedy": 40,
    "hints": 2,
    "hint": 1,
}  # each takes a few tenths of a second


def lines(name: str, phase: str) -> list[str]:
    """Positions of a file of this folder, those before the Roman (digits) or the Barbarian (b) phase."""
    rows = [line for line in (BENCH / name).read_text("ascii").splitlines() if line and not line.startswith("#")]
    return [row for row in rows if (row.split()[1].endswith(":b")) == (phase == "barbarian")]


def tasks() -> dict[str, Callable[[], object]]:
    """What is timed, by name."""
    import tetrasolve
    from tetrasolve.tetrarchia import fast
    from tetrasolve.tetrarchia.hint.advice import BUDGETS, hint
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
        "hint": lambda: [hint(position) for position in starts],
    }


def chosen() -> dict[str, list[str]]:
    """The plans of the policies at all positions of the files."""
    from tetrasolve.tetrarchia.hint.advice import BUDGETS, hint
    from tetrasolve.tetrarchia.hint.policy import GREEDY, choose
    from tetrasolve.tetrarchia.position import Position

    turns = [Position.parse(row) for name in ("positions.txt", "expect-positions.txt") for row in lines(name, "roman")]
    return {
        "greedy": [str(choose(position, GREEDY)) for position in turns],
        "hints": [str(choose(position, BUDGETS["search"])) for position in turns[::4]],
        "hint": [str(hint(position).best.plan) for position in turns[::8]],
    }


def time_all(times: dict[str, int]) -> dict[str, float]:
    """Processor seconds of each task, so many times after the first."""
    found = {}
    for name, task in tasks().items():
        task()
        began = time.process_time()
        for _ in range(times[name]):
            task()
        found[name] = time.process_time() - began
    return found


def own_report(*, quick: bool) -> dict[str, Any]:
    """What one version says of itself."""
    from tetrasolve.tetrarchia import kernel

    return {
        "seconds": time_all(dict.fromkeys(TIMES, 1) if quick else TIMES),
        "chosen": {} if quick else chosen(),
        "version": metadata.version("tetrasolve"),
        "commit": commit_of(Path(kernel.__file__).parents[2]),
    }


def commit_of(tree: Path) -> str | None:
    """That of a source tree."""
    done = subprocess.run(["git", "-C", str(tree), "rev-parse", "HEAD"], capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip() or None


def run(python: str, *, quick: bool) -> dict[str, Any]:
    """The report of one version."""
    command = [python, __file__, "--own", *(["--quick"] if quick else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603  # ours
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def report(other: str, repetitions: int, *, quick: bool) -> dict[str, Any]:
    """All that is kept."""
    from benchkit import facts

    ratios: dict[str, list[float]] = {}
    differ: dict[str, int] = {}
    choices: dict[str, int] = {}
    for number in range(repetitions):
        ours, theirs = sys.executable, other
        pair = {python: run(python, quick=quick) for python in (ours, theirs)[:: 1 if number % 2 else -1]}
        for name, seconds in pair[ours]["seconds"].items():
            ratios.setdefault(name, []).append(seconds / pair[theirs]["seconds"][name])
        for name, plans in pair[ours]["chosen"].items():
            found = sum(plan != same for plan, same in zip(plans, pair[theirs]["chosen"][name], strict=True))
            choices[name], differ[name] = len(plans), max(found, differ.get(name, 0))
    return {
        "bench": "versions", "quick": quick, "clock": "processor seconds", "repetitions": repetitions,
        "commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel(),
        "other": {"version": pair[other]["version"], "commit": pair[other]["commit"]},
        "choices": choices, "differ": differ,
        "ratios": {
            name: {
                "median": round(median(found), 4), "min": round(min(found), 4), "max": round(max(found), 4),
                "goal": GOALS.get(name, GOAL), "reached": median(found) <= GOALS.get(name, GOAL),
            }
            for name, found in ratios.items()
        },
    }  # fmt: skip


def shown(data: dict[str, Any]) -> Iterator[str]:
    """The report as text."""
    yield f"processor time of this version as a multiple of that of {data['other']['commit'] or data['other']['version']}"
    for name, found in data["ratios"].items():
        verdict = "reached" if found["reached"] else "missed"
        yield f"{name:12} {found['median']:5.3f}  [{found['min']:.3f}, {found['max']:.3f}]  goal {found['goal']:g}: {verdict}"
    for name, count in data["choices"].items():
        yield f"{name}: {count} choices, {data['differ'][name]} of them not the same"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the ratios; 1 where one is above the goal or a choice is not the same."""
    if "--own" in sys.argv[1:] and argv is None:
        print(json.dumps(own_report(quick="--quick" in sys.argv)))
        return 0
    from benchkit.command import Kept

    kept = Kept(__doc__ or "", RESULTS, shown, "each task once, two repetitions, no choices compared")
    kept.parser.add_argument("--other", metavar="PYTHON", help="interpreter with the other version")
    kept.parser.add_argument("--repetitions", type=int, default=9)
    options = kept.options(argv)
    if options is None:
        return 0
    if not options.other:
        print("versions: nothing to compare with (--other PYTHON: the interpreter of another version)")
        return 0
    data = report(options.other, 2 if options.quick else options.repetitions, quick=options.quick)
    kept.finish(options, data)
    return int(not all(found["reached"] for found in data["ratios"].values()) or any(data["differ"].values()))


if __name__ == "__main__":
    sys.exit(main())
