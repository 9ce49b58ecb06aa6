"""How long a hint takes on one core: the first answer, and the last at default settings; kept in bench/results/latency.json.

    python bench/latency.py --keep
    python bench/latency.py --show

The positions are starts of turns in games of the expectimax, three of each level. Three things are timed, in wall seconds:

policy     `deepening` of `tetrasolve.tetrarchia.hint.policy`: the plans alone
hint       `think` of `tetrasolve.tetrarchia.hint.advice`: plans with exact risks and reasons
service    `tetrasolve analyse`, from the line of the request to the line of the answer, through pipes and a worker

Each is loaded before, and has answered once for each number of garrisons, which has tables of its own. This process and all
that it starts are held on one core.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from benchkit import facts
from benchkit.command import Kept

from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import BUDGETS, TOP, think
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.policy import deepening
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

RESULTS = Path(__file__).parent / "results" / "latency.json"
FEWEST = 200  # positions, in a run that is kept
A_LEVEL = 3
GOALS = {"first": 0.1, "last": 1.0}  # seconds
REPORT_EVERY = 0.01  # seconds: the shortest that the protocol takes; a step before that is over is not reported

Timed = tuple[float, float]  # seconds to the first answer, and to the last


def positions(a_level: int, seed: int, levels: Iterable[Ruleset]) -> list[Position]:
    """Starts of turns, drawn from a game of each level for each of them."""
    random, found = Random(seed), []
    for level in levels:
        player = new_player(Board.standard(), level)
        for number in range(a_level):
            _, noted, kinds, _ = player.lessons(
                1, level.revolts, level.fleets, level.armies, seed, first=number, strays=0, others=0, ends=8, samples=18
            )
            starts = [i for i, kind in enumerate(kinds) if kind == 0]
            found.append(fast.to_position(states_in(noted)[random.choice(starts)], Board.standard(), level))
    return found


# -- what is timed ---------------------------------------------------------------------------------------------


def timed(answers: Iterator[Any]) -> Timed:
    """From now to the first of these, and to the last."""
    began = time.perf_counter()
    next(answers)
    first = time.perf_counter() - began
    for _ in answers:
        pass
    return first, time.perf_counter() - began


def by_policy(position: Position) -> Timed:
    """Plans alone."""
    return timed(deepening(position, BUDGETS["search"], 0, TOP))


def by_hint(position: Position) -> Timed:
    """Plans with risks and reasons."""
    return timed(think(position))


class Service:
    """A running `tetrasolve analyse`."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tetrasolve.cli", "analyse"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603 # ours
        self.asked = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.communicate()

    def answers(self, position: Position) -> Iterator[dict[str, Any]]:
        """To a request with default settings: partial ones, then the final one."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.asked += 1
        request = {"id": str(self.asked), "ask": "hint", "position": str(position), "report_every": REPORT_EVERY}
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer["status"] not in ("partial", "done"):
                raise SystemExit(f"latency: {position}: {line}")
            yield answer
            if answer["status"] == "done":
                return
        raise SystemExit("latency: the service has ended")

    def __call__(self, position: Position) -> Timed:
        """How long that takes."""
        return timed(self.answers(position))


# -- the report ------------------------------------------------------------------------------------------------


def summary(seconds: Sequence[float], goal: float) -> dict[str, Any]:
    """In milliseconds."""
    order = sorted(seconds)
    marks = {"median": order[len(order) // 2], "95%": order[int(0.95 * (len(order) - 1))], "max": order[-1]}
    shares = sum(second <= goal for second in seconds)
    return {name: round(1000 * second, 2) for name, second in marks.items()} | {"goal": 1000 * goal, "within": shares}


def measure(asked: Sequence[Position], warm: Sequence[Position]) -> dict[str, Any]:
    """All ways to ask, one after the other."""
    found = {}
    with Service() as service:
        ways: dict[str, Callable[[Position], Timed]] = {"policy": by_policy, "hint": by_hint, "service": service}
        for name, way in ways.items():
            for position in warm:
                way(position)
            times = [way(position) for position in asked]
            found[name] = {
                "first": summary([first for first, _ in times], GOALS["first"]),
                "last": summary([last for _, last in times], GOALS["last"]),
            }
            print(f"latency: {name} done", file=sys.stderr)
    return found


def on_one_core() -> int | None:
    """Holds this process on one core, and all that it will start; which, or None where that cannot be done."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def report(a_level: int, seed: int, levels: Sequence[Ruleset]) -> dict[str, Any]:
    """All that is kept."""
    core = on_one_core()
    asked = positions(a_level, seed, levels)
    warm = positions(1, seed + 1, {level.garrisons: level for level in levels}.values())
    return {
        "bench": "latency", "seed": seed, "positions": len(asked), "levels": len(levels), "one_core": core is not None,
        "top": TOP, "commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel(),
        "weights": shipped().digest, "milliseconds": measure(asked, warm),
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The report as a table."""
    yield f"{data['positions']} positions of {data['levels']} levels, seed {data['seed']}, weights {data['weights']}"
    yield f"{'':10}{'answer':8}{'median':>9}{'95%':>9}{'max':>9}{'goal':>9} ms   within"
    for name, both in data["milliseconds"].items():
        for answer, row in both.items():
            yield (
                f"{name:10}{answer:8}{row['median']:9.1f}{row['95%']:9.1f}{row['max']:9.1f}{row['goal']:9.0f}      "
                f"{row['within']} of {data['positions']}"
            )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "a position of each of four levels")
    parser = kept.parser
    parser.add_argument("--a-level", type=int, default=A_LEVEL, help="positions of each level (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=2718, help="of games and draws (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    levels = list(all_levels())
    a_level, chosen = (1, levels[::25]) if options.quick else (options.a_level, levels)
    if options.keep and a_level * len(chosen) < FEWEST:
        parser.error(f"--keep: expected at least {FEWEST} positions, not {a_level * len(chosen)}")
    data = report(a_level, options.seed, chosen)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
