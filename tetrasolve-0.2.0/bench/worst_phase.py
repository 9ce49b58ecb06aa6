"""How long questions take on the worst Barbarian phase that is known, with half a second each; kept in results/worst_phase.json.

    python bench/worst_phase.py --keep
    python bench/worst_phase.py --show
    python bench/worst_phase.py --search 600      # for so many seconds: a phase with more outcomes, if there is one

The position is the line of worst-phase.txt. Each question gets `seconds` 0.5 in this process, held on one core; another process
keeps that core busy. A question answers in time when it is back within a second.

The search scatters positions and climbs from the best one: a change of one disc, army or Emperor is kept when the kernel
counts more outcomes, or as many. A count that takes longer than `PATIENCE` seconds is given up.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from benchkit import facts
from benchkit.command import Kept

from tetrasolve.exact.executor import SerialExecutor
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.plan import plan
from tetrasolve.tetrarchia.position import REVOLT_DISC, UNREST_DISC, Phase, Position
from tetrasolve.tetrarchia.risk import risk
from tetrasolve.tetrarchia.risk.horizon import horizon
from tetrasolve.tetrarchia.ruleset import Ruleset

HERE = Path(__file__).parent
WORST = HERE / "worst-phase.txt"
RESULTS = HERE / "results" / "worst_phase.json"
SECONDS = 0.5  # for each question
GOAL = 1.0  # seconds
PATIENCE = 60.0  # seconds for one count in the search
SCATTERED = 200  # positions before the climb

Question = Callable[[Position], str]  # gives the status

QUESTIONS: dict[str, Question] = {
    "hint": lambda position: hint(position, seconds=SECONDS).status,
    "risk": lambda position: risk(position, seconds=SECONDS).status,
    "horizon": lambda position: horizon(position, 2, seconds=SECONDS, executor=SerialExecutor()).status,
    "plan": lambda position: str(plan(position, "least p_lost then least ip", seconds=SECONDS).status),
}


def worst() -> Position:
    """The position of the file, with a turn to be planned."""
    lines = WORST.read_text("utf-8").splitlines()
    return Position.parse(next(line for line in lines if not line.startswith("#")))


# -- the measurement -------------------------------------------------------------------------------------------------


def _spin() -> None:
    while True:
        pass


@contextmanager
def busy_core() -> Iterator[bool]:
    """This process and one that never rests, on one core; whether the system can do that."""
    can = hasattr(os, "sched_setaffinity")
    if can:
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    other = multiprocessing.Process(target=_spin, daemon=True)
    other.start()
    try:
        yield can
    finally:
        other.kill()
        other.join()


def report(repetitions: int) -> dict[str, Any]:
    """All that is kept."""
    position = worst()
    for question in QUESTIONS.values():  # caches and imports
        question(position)
    found: dict[str, dict[str, Any]] = {}
    with busy_core() as one_core:
        for name, question in QUESTIONS.items():
            rows: list[tuple[float, str]] = []
            for _ in range(repetitions):
                began = time.perf_counter()
                status = question(position)
                rows.append((round(time.perf_counter() - began, 3), status))
            found[name] = {
                "most": max(seconds for seconds, _ in rows),
                "seconds": [seconds for seconds, _ in rows],
                "status": sorted({status for _, status in rows}),
            }
            print(f"worst_phase: {name} done", file=sys.stderr)
    return {
        "bench": "worst_phase", "position": str(position), "outcomes": outcomes_of(position, None), "given": SECONDS,
        "goal": GOAL, "one_busy_core": one_core, "repetitions": repetitions, "commit": facts.commit(),
        "machine": facts.machine(), "kernel": facts.compiled_kernel(), "questions": found,
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The report as text."""
    yield f"{data['position']}: {data['outcomes']:,} outcomes; {data['given']} s for each question, goal {data['goal']} s"
    for name, row in data["questions"].items():
        goal = "reached" if row["most"] <= data["goal"] else "missed"
        yield f"{name:10}at most {row['most']:.2f} s of {len(row['seconds'])}, {', '.join(row['status'])}; goal: {goal}"


# -- the search ------------------------------------------------------------------------------------------------------


def outcomes_of(position: Position, seconds: float | None) -> int:
    """The distinct outcomes of the phase of a position; 0 where the time ran out."""
    try:
        stop = None if seconds is None else Stop(seconds)
        return int(fast.kernel_of(position).phase(fast.to_state(position), stop=stop)["outcomes"])
    except Stopped:
        return 0


def changed(position: Position, random: Random) -> Position | None:
    """A legal position that differs in one thing; None where the change drawn is not legal."""
    board, ids = position.board, [emperor.id for emperor in position.board.emperors]
    place = random.choice(board.ids)
    match random.randrange(4):
        case 0:
            disc = random.choice([None, None, REVOLT_DISC, UNREST_DISC, *ids])
            after = position.with_disc(place, disc)
        case 1:
            after = position.with_emperor(random.choice(ids), random.choice([None, place, place, place]))
        case 2:
            after = position.with_army(random.choice([None, *position.armies]), place)
            if not board[place].is_border:
                after = after.with_disc(place, REVOLT_DISC)  # there is one below each army
        case _:
            after = position.replace(to_move=random.choice(ids))
    return None if after.status() else after


def scattered(random: Random, board: Board, level: Ruleset) -> Position:
    """A position after many changes of a quiet one."""
    position = Position(
        board=board, ruleset=level, to_move=board.emperors[0].id, phase=Phase.BARBARIAN, ip=0,
        emperors=dict.fromkeys(emperor.id for emperor in board.emperors), armies=(),
        fleets=tuple(range(1, level.fleets + 1)), discs={},
    )  # fmt: skip
    for _ in range(random.randint(40, 160)):
        position = changed(position, random) or position
    return position


def search(seconds: float, seed: int, start: Position) -> Iterator[tuple[int, Position]]:
    """Positions with more and more outcomes, until the time is over."""
    random, until = Random(seed), time.monotonic() + seconds
    best, most = start.replace(phase=Phase.BARBARIAN, ip=0), outcomes_of(start, None)
    yield most, best
    for _ in range(SCATTERED):
        position = scattered(random, best.board, best.ruleset)
        if position.unrest or position.revolts:
            count = outcomes_of(position, 1.0)
            if count > most:
                best, most = position, count
                yield most, best
        if time.monotonic() > until:
            return
    while time.monotonic() < until:
        position = best
        for _ in range(random.choice((1, 1, 2, 3))):
            position = changed(position, random) or position
        if position != best and (count := outcomes_of(position, PATIENCE)) >= most:
            if count > most:
                yield count, position
            best, most = position, count


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "each question once")
    parser = kept.parser
    parser.add_argument("--repetitions", type=int, default=5, help="of each question (default: %(default)s)")
    parser.add_argument("--search", type=float, metavar="SECONDS", help="look for a phase with more outcomes")
    parser.add_argument("--seed", type=int, default=476, help="of the search (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.search is not None:
        for count, position in search(options.search, options.seed, worst()):
            print(f"{count:>12,}  {position}", flush=True)
        return 0
    data = report(1 if options.quick else options.repetitions)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
