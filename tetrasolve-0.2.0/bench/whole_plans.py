"""How much longer plans take with the kernel of the whole rulebook than with that of the base game.

Results are kept in results/whole_plans.json.

    python bench/whole_plans.py --keep
    python bench/whole_plans.py --show

The same turns, once in the base game and once with a module or variant that has no effect on the turn: Usurpator, and Goths who
are not on the board. Both kernels must find equal values and graphs of the same size. Processor seconds of the graph of the turn
with its solution, and of the whole answer with the reference rules' replay; of each the median of some runs, in turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from benchkit import facts, suite
from benchkit.command import Kept

from tetrasolve.tetrarchia.pieces import NO_PIECES, Goths, Pieces
from tetrasolve.tetrarchia.plan import plan, read_objective
from tetrasolve.tetrarchia.plan.graph import criteria, turn_of
from tetrasolve.tetrarchia.plan.objective import Objective
from tetrasolve.tetrarchia.position import Phase, Position

RESULTS = Path(__file__).parent / "results" / "whole_plans.json"
OBJECTIVE = "most value revolt=-3 unrest=-1 garrison=1 army=-4"
WITHOUT_EFFECT = {"usurpator": NO_PIECES, "goths": Pieces(goths=Goths(None))}
GOAL = 3.0  # times the base kernel's time


def extended(position: Position, name: str) -> Position:
    """The same turn with a module or variant that has no effect on it."""
    kind = "modules" if name == "goths" else "variants"
    ruleset = replace(position.ruleset, **{kind: frozenset({name})})
    return position.replace(ruleset=ruleset, pieces=WITHOUT_EFFECT[name])


def solved(position: Position, objective: Objective) -> tuple[object, ...]:
    """The graph of the turn and its solution."""
    turn = turn_of(position, None)
    return turn.solve(criteria(objective, position)).values, turn.nodes, turn.edges


def answered(position: Position, objective: Objective) -> tuple[object, ...]:
    """The whole answer."""
    found = plan(position, objective)
    return found.values, found.nodes, found.edges


def timed(ask: Callable[[Position, Objective], tuple[object, ...]], pair: Sequence[Position], runs: int) -> float:
    """The second position's processor seconds for each of the first's.

    :raises SystemExit: when the answers differ.
    """
    took: list[list[float]] = [[], []]
    answers: list[object] = [None, None]
    objective = read_objective(OBJECTIVE, pair[0].board)
    for run in range(runs + 1):  # the first fills the tables
        for which in (0, 1) if run % 2 else (1, 0):
            began = process_time()
            answers[which] = ask(pair[which], objective)
            took[which].append(process_time() - began)
    if answers[0] != answers[1]:
        raise SystemExit(f"whole_plans: '{pair[1]}' has another answer than in the base game")
    return median(took[1][1:]) / median(took[0][1:])


def report(count: int | None, runs: int) -> dict[str, Any]:
    """All that is kept."""
    turns = [entry.position for entry in suite.read(Phase.ROMAN)][:count]
    ratios: dict[str, list[float]] = {"solved": [], "answered": []}
    for number, position in enumerate(turns):
        for name in WITHOUT_EFFECT:
            pair = (position, extended(position, name))
            ratios["solved"].append(timed(solved, pair, runs))
            ratios["answered"].append(timed(answered, pair, runs))
        print(f"whole_plans: {number + 1} of {len(turns)} turns", file=sys.stderr)
    return {
        "bench": "whole_plans", "turns": len(turns), "runs": runs, "objective": OBJECTIVE, "with": list(WITHOUT_EFFECT),
        "commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel(), "goal": GOAL,
        "ratios": {
            name: {"min": round(min(row), 3), "median": round(median(row), 3), "max": round(max(row), 3)}
            for name, row in ratios.items()
        },
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """A line for each of the two."""
    for name, row in data["ratios"].items():
        goal = "reached" if row["median"] <= data["goal"] else "missed"
        yield (
            f"whole_plans: {name} by the whole kernel in {row['median']:.2f} [{row['min']:.2f} .. {row['max']:.2f}] times the base "
            f"kernel's time ({data['turns']} turns, each with {' and with '.join(data['with'])}); goal {data['goal']}: {goal}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "three turns, one run")
    kept.parser.add_argument("--runs", type=int, default=5, help="of each turn (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    if options.keep and options.quick:
        kept.parser.error("--keep: expected a whole run")
    return kept.finish(options, report(3, 1) if options.quick else report(None, options.runs))


if __name__ == "__main__":
    sys.exit(main())
