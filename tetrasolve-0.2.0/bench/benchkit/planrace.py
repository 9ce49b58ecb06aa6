"""Who proves the best plan of a turn how fast: our search, the same turn as a model for CP-SAT and Z3, and clingo."""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from benchkit import facts, suite
from benchkit.clingo_turn import solve_clingo
from benchkit.race import BenchError, Spread, say
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import OPEN, ROMAN, Rng
from tetrasolve.tetrarchia.plan import Status, Task, read_objective
from tetrasolve.tetrarchia.plan.exhaustive import exhaustive
from tetrasolve.tetrarchia.plan.judge import maximised
from tetrasolve.tetrarchia.plan.solvers import solve
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import all_levels

OBJECTIVE = "most value revolt=-3 unrest=-1 garrison=1 garrison@borders=6"
POSITIONS = 108
QUICK_POSITIONS = 2
MOMENTS = 5  # times the search takes each turn, of which the median counts: it is over in milliseconds
LIMIT = 6.0  # wall seconds for a turn, after which Z3 and clingo are stopped, and counted as if they had needed no more
CPSAT_LIMIT = 60.0

TIMES_THE_BEST = 100  # the goals: our search, against the best of the others, in the median
CPSAT_SECONDS = 10.0  # and the longest that CP-SAT may take

Values = tuple[int, ...]
Engine = Callable[[Task], "tuple[Status, Values | None]"]


def _search(task: Task) -> tuple[Status, Values | None]:
    found = exhaustive(task.position, task.objective, task.stated)
    return found.status, maximised(found)


def _solver(name: str, limit: float) -> Engine:
    def run(task: Task) -> tuple[Status, Values | None]:
        answer = solve(name, task, seconds=limit)
        return answer.status, answer.values

    return run


def _clingo(task: Task) -> tuple[Status, Values | None]:
    """By an encoding of our own."""
    answer = solve_clingo(task, seconds=LIMIT)
    return answer.status, answer.values


SEARCH = "exhaustive"
OTHERS: dict[str, Engine] = {"cpsat": _solver("cpsat", CPSAT_LIMIT), "z3": _solver("z3", LIMIT), "clingo": _clingo}


def positions(count: int, seed: int) -> list[Position]:
    """Turns about to begin: those of the suite, then of further random games, each from a level of its own."""
    known = (entry.position for entry in suite.read(Phase.ROMAN) if entry.position.ip > 0)
    return list(islice(_chain(known, _games(seed)), count))


def _chain(*sources: Iterator[Position]) -> Iterator[Position]:
    for source in sources:
        yield from source


def _games(seed: int) -> Iterator[Position]:
    draw = random.Random(f"plans {seed}")
    levels = list(all_levels())
    board = Board.standard()
    while True:
        ruleset = draw.choice(levels)
        kernel, dice = fast.kernel_for(board, ruleset), Rng(draw.getrandbits(32))
        state = kernel.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, dice)
        turns, wanted = 0, draw.randint(1, 24)
        while state.result == OPEN and turns < wanted:
            turns += state.phase != ROMAN
            state = kernel.random_turn(state, dice) if state.phase == ROMAN else kernel.sample(state, dice)
        if state.result == OPEN:
            yield fast.to_position(state, board, ruleset)


@dataclass
class Times:
    """What an engine did: its seconds for each turn, and how many it proved."""

    seconds: list[float] = field(default_factory=list)
    proved: int = 0

    def as_json(self) -> dict[str, Any]:
        """In the form of the reports."""
        return {"proved": self.proved, "seconds": Spread.of(self.seconds).as_json()}


def main(words: list[str]) -> int:
    """Measures, prints a table, and writes the JSON if asked to."""
    parser = argparse.ArgumentParser(prog="plan.py --engines", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument("--seed", type=int, default=suite.SEED, help="of the random games (default: %(default)s)")
    parser.add_argument("--turns", type=int, default=POSITIONS, help="how many (default: %(default)s)")
    parser.add_argument("--objective", default=OBJECTIVE, help="without dice (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="try the script out; its numbers mean nothing")
    options = parser.parse_args(words)
    try:
        shown = measure(QUICK_POSITIONS if options.quick else options.turns, options.seed, options.objective)
    except BenchError as error:
        say(f"plan: {error}")
        return 1
    heading = facts.heading(
        "plan --engines",
        quick=options.quick,
        seed=options.seed,
        clock="processor seconds",
        repetitions=1,
        versions={name: facts.version(name) for name in ("tetrasolve", "ortools", "z3-solver", "clingo")},
    )
    report = heading | {
        "results": shown,
    }
    print("\n".join(table(shown)))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
        say(f"written: {options.json}")
    return 0


def measure(count: int, seed: int, objective: str = OBJECTIVE) -> dict[str, Any]:
    """All engines on all turns, one after the other on each.

    :raises BenchError: when two of them prove different optima.
    """
    times = {name: Times() for name in (SEARCH, *OTHERS)}
    ratios: dict[str, list[float]] = {name: [] for name in OTHERS}
    best_ratios: list[float] = []
    for number, position in enumerate(positions(count, seed), start=1):
        task = Task(position, read_objective(objective, position.board))
        ours, (_, optimum) = _timed(_search, task, MOMENTS)
        _note(times[SEARCH], ours, proved=True)
        others: list[float] = []
        for name, engine in OTHERS.items():
            seconds, (status, values) = _timed(engine, task, 1)
            proved = status in (Status.OPTIMAL_PROVED, Status.INFEASIBLE_PROVED)
            if proved and values != optimum:
                raise BenchError(f"{name} proves {values} and the search {optimum}: {position}")
            _note(times[name], seconds, proved=proved)
            ratios[name].append(seconds / ours)
            others += [seconds] if proved else []
        best_ratios.append(min(others, default=LIMIT) / ours)
        say(f"turn {number} of {count}: {', '.join(f'{name} {t.seconds[-1]:.3g}' for name, t in times.items())}")
    slowest = max(times["cpsat"].seconds)
    return {
        "objective": objective,
        "turns": count,
        "limit": LIMIT,
        "engines": {name: found.as_json() for name, found in times.items()},
        "times the search": {name: Spread.of(found).as_json() for name, found in ratios.items()},
        "best of the others / search": Spread.of(best_ratios).as_json()
        | {"goal": TIMES_THE_BEST, "reached": median(best_ratios) >= TIMES_THE_BEST},
        "slowest proof by cpsat": {
            "seconds": slowest,
            "goal": CPSAT_SECONDS,
            "reached": times["cpsat"].proved == count and slowest <= CPSAT_SECONDS,
        },
    }


def _timed(engine: Engine, task: Task, times: int) -> tuple[float, tuple[Status, Values | None]]:
    """Processor seconds of an engine on a turn, the median of so many, and its answer."""
    taken = []
    for _ in range(times):
        started = time.process_time()
        text = engine(task)
        taken.append(time.process_time() - started)
    return median(taken), text


def _note(times: Times, seconds: float, *, proved: bool) -> None:
    times.seconds.append(seconds)
    times.proved += proved


def table(report: dict[str, Any]) -> list[str]:
    """The report as lines to be read."""
    lines = [f"{report['turns']} turns, {report['objective']}: processor seconds to a proved optimum", ""]
    for name, found in report["engines"].items():
        lines.append(f"{name:<12} proved {found['proved']:>4}  {_spread(found['seconds'])} s")
    lines.append("")
    for name, spread in report["times the search"].items():
        lines.append(f"{name + ' / search':<28} {_spread(spread)}")
    best, slowest = report["best of the others / search"], report["slowest proof by cpsat"]
    lines.append(f"{'best of the others / search':<28} {_spread(best)}  goal {best['goal']}: {_reached(best)}")
    lines.append(
        f"{'slowest proof by cpsat':<28} {slowest['seconds']:.3g} s  goal {slowest['goal']:g} s: {_reached(slowest)}"
    )
    return lines


def _spread(spread: dict[str, float]) -> str:
    return f"{spread['median']:>8.3g} [{spread['min']:.3g} to {spread['max']:.3g}]"


def _reached(goal: dict[str, Any]) -> str:
    return "reached" if goal["reached"] else "missed"
