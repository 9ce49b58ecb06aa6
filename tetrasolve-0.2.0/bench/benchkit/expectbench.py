"""Full one-turn expectimax: ours, the plain loop over all ends, and that loop with equal ends shared the simple way.

All three run in the kernel, on one thread, on the same graph of the turn, and must give the same value. The plain loop
is as tight as it reasonably gets: each position once whatever IP are left, no Python, outcomes not merged, the worth of each
looked up byte by byte. Where it would take longer than `PATIENCE` it is measured on some ends drawn by the seed, and reported so.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchkit import facts, suite
from benchkit.race import BenchError, Spread, say
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.kernel import (
    BARBARIAN,
    END,
    OPEN,
    Expectimax,
    Kernel,
    Rng,
    State,
    Turn,
    expect_plain,
    expect_values,
)
from tetrasolve.tetrarchia.notation import read_position
from tetrasolve.tetrarchia.plan.expect import read_evaluation
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

if TYPE_CHECKING:
    from tetrasolve.tetrarchia.kernel import PlanTree  # a name of the stub only

POSITIONS = Path(__file__).parents[1] / "expect-positions.txt"
EVALUATION = "revolt=-3 unrest=-1 garrison=1 garrison@borders=6 army=-6 emperor=1 won=1000 fallen=-200"

# The goals: ten times the plain loop in the median, and never more than a second
TIMES_PLAIN = 10
MOST_SECONDS = 1.0

PATIENCE = 3.0  # processor seconds, guessed, beyond which the plain loop is measured on a sample
SAMPLE = 60  # its ends
TOLERANCE = 1e-6  # between values of the three; theirs are not bounded

MIDDLE = (4, 40)  # turns of a game of which one is taken


# -- positions ---------------------------------------------------------------------------------------------------


def make(seed: int) -> Iterator[Position]:
    """From a sensible game at each level a turn about to begin in its middle."""
    board = Board.standard()
    for number, ruleset in enumerate(all_levels()):
        turns = list(_game(board, ruleset, seed * 1000 + number))
        chosen = random.Random(f"expect {seed} {ruleset}").choice(turns[MIDDLE[0] :] or turns[-1:])
        yield fast.to_position(chosen, board, ruleset)


def _game(board: Board, ruleset: Ruleset, seed: int) -> Iterator[State]:
    """The beginnings of turns of a game in which each turn is planned for what it leaves on the board."""
    kernel, rng = fast.kernel_for(board, ruleset), Rng(seed)
    borders = [6 if name in board.borders else 1 for name in board.ids]
    wanted = [("linear", [-3] * 48, [-1] * 48, borders, [-6] * 48, None, 0), ("uprising",), ("ip",)]
    state = kernel.setup(ruleset.revolts, ruleset.fleets, ruleset.armies, rng)
    for _ in range(MIDDLE[1]):
        yield state
        state = _play(kernel, state, Turn(kernel, state).solve(wanted).plan(), rng)
        if state.result == OPEN:
            state = kernel.sample(state, rng)
        if state.result != OPEN:
            return


def _play(kernel: Kernel, state: State, tree: PlanTree, rng: Rng) -> State:
    """The turn played after a plan, its attacks rolled."""
    codes, fork = tree
    for code in codes:
        state = kernel.play(state, code)
    if fork is None:
        return kernel.play(state, END) if state.phase != BARBARIAN and state.result == OPEN else state
    army, branches = fork
    roll = rng.next() % 36
    for outcome, (share, rest) in sorted(branches.items()):
        if roll < share:
            return _play(kernel, kernel.play(state, 6 | army << 4 | outcome << 10), rest, rng)
        roll -= share
    raise AssertionError("the shares of an attack are 36")


def read() -> Iterator[tuple[str, Position]]:
    """All positions by where they are from: random and sensible games, and huge phases."""
    for entry in suite.read(Phase.ROMAN):
        yield "random", entry.position
    board, kind = Board.standard(), ""
    for line in POSITIONS.read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind = line.removeprefix("## ")
        elif not line.startswith("#"):
            yield kind, read_position(line, board)


# -- measuring ---------------------------------------------------------------------------------------------------


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Processor seconds, and what came of it."""
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def measure(position: Position, seed: int) -> dict[str, Any]:
    """One run of each on one position."""
    weights = read_evaluation(EVALUATION, position.board).tables(position.board)
    kernel, state = fast.kernel_for(position.board, position.ruleset), fast.to_state(position)
    graph, turn = timed(lambda: Turn(kernel, state))
    ours, found = timed(lambda: Expectimax(turn, weights))
    row: dict[str, Any] = {
        "position": str(position),
        "nodes": turn.nodes,
        "edges": turn.edges,
        "graph": graph,
        "ours": ours,
    }
    row |= {name: getattr(found, name) for name in ("value", "error", "end_nodes", "scenes", "walks", "advances")}
    row["chain positions"] = found.positions
    row["plan"], _ = timed(found.plan)
    ends = _ends(turn)
    row["ends"] = len(ends)
    sample = random.Random(seed).sample(ends, min(SAMPLE, len(ends)))
    seconds, values = timed(lambda: expect_plain(kernel, sample, weights))
    row["visits"] = sum(visits for _, visits in values) / len(sample)
    guess = seconds * len(ends) / len(sample)
    row["sampled"] = guess > PATIENCE
    if row["sampled"]:
        compare(
            position, [value for value, _ in values], [value for value, _ in expect_values(kernel, sample, weights)]
        )
        return row | {"plain": guess, "shared": None}
    row["plain"], plain = timed(lambda: Expectimax(turn, weights, "plain"))
    row["shared"], shared = timed(lambda: Expectimax(turn, weights, "shared"))
    compare(position, [plain.value, shared.value], [found.value] * 2)
    return row


def _ends(turn: Turn) -> list[State]:
    """Distinct positions, IP left not counted, on which the turn can end; only those that a phase follows."""
    found = {}
    for node in range(turn.nodes):
        state = turn.state(node)
        if state.result == OPEN and turn.may_end(node):
            found[bytes(state)[:62] + bytes(state)[63:]] = state  # byte 62: IP
    return list(found.values())


def compare(position: Position, theirs: list[float], mine: list[float]) -> None:
    """Holds the values against each other.

    :raises BenchError: when they differ.
    """
    if any(abs(a - b) > TOLERANCE for a, b in zip(theirs, mine, strict=True)):
        raise BenchError(f"the plain loop and ours differ on {position}")


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """What is reported of some positions."""
    both = [row for row in rows if row["shared"] is not None]
    shown: dict[str, Any] = {"positions": len(rows), "plain loop sampled": len(rows) - len(both)}
    for name in ("ends", "visits", "scenes", "walks", "chain positions"):
        shown[name] = Spread.of([row[name] for row in rows]).as_json()
    for name in ("graph", "ours", "plain", "plan"):
        shown[f"{name} [s]"] = Spread.of([row[name] for row in rows]).as_json()
    shown["graph and ours [s]"] = Spread.of([row["graph"] + row["ours"] for row in rows]).as_json()
    shown["plain / ours"] = Spread.of([row["plain"] / row["ours"] for row in rows]).as_json()
    shown["plain / ours, graph on both sides"] = Spread.of(
        [(row["graph"] + row["plain"]) / (row["graph"] + row["ours"]) for row in rows]
    ).as_json()
    if both:
        shown["shared [s]"] = Spread.of([row["shared"] for row in both]).as_json()
        shown["shared / ours"] = Spread.of([row["shared"] / row["ours"] for row in both]).as_json()
    return shown


def main(words: list[str]) -> int:
    """Measures, prints a table, and writes the JSON if asked to."""
    parser = argparse.ArgumentParser(prog="plan.py --expect", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument(
        "--seed", type=int, default=suite.SEED, help="of the ends that are drawn (default: %(default)s)"
    )
    parser.add_argument("--quick", action="store_true", help="try the script out; its numbers mean nothing")
    parser.add_argument("--make-positions", action="store_true", help="print the sensible positions again and stop")
    options = parser.parse_args(words)
    if options.make_positions:
        print("\n".join(map(str, make(options.seed))))
        return 0
    chosen = list(read())[:: 40 if options.quick else 1]
    rows: list[dict[str, Any]] = []
    try:
        for number, (kind, position) in enumerate(chosen):
            if number % 20 == 0:
                say(f"position {number + 1} of {len(chosen)}")
            rows.append({"kind": kind} | measure(position, options.seed))
    except BenchError as error:
        say(f"plan: {error}")
        return 1
    kinds = sorted({row["kind"] for row in rows})
    shown = {"all": summary(rows)} | {kind: summary([row for row in rows if row["kind"] == kind]) for kind in kinds}
    goals = {
        f"plain / ours, median, at least {TIMES_PLAIN}": shown["all"]["plain / ours"]["median"] >= TIMES_PLAIN,
        f"graph and ours, at most {MOST_SECONDS:g} s": shown["all"]["graph and ours [s]"]["max"] <= MOST_SECONDS,
    }
    heading = facts.heading(
        "plan --expect",
        quick=options.quick,
        seed=options.seed,
        clock="processor seconds",
        repetitions=1,
        versions={"tetrasolve": facts.version("tetrasolve")},
    )
    report = heading | {
        "evaluation": EVALUATION,
        "results": shown,
        "goals": goals,
        "rows": rows,
    }
    print("\n".join(table(shown, goals)))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
        say(f"written: {options.json}")
    return 0


def table(shown: dict[str, Any], goals: dict[str, bool]) -> Iterator[str]:
    """The report as lines to be read."""
    yield "plan --expect: one run, processor seconds; median [least to greatest]"
    for kind, results in shown.items():
        yield ""
        yield f"{kind}: {results['positions']} positions, plain loop sampled on {results['plain loop sampled']}"
        for name, values in results.items():
            if isinstance(values, dict):
                yield f"  {name:<34}{values['median']:>10.4g} [{values['min']:.4g} to {values['max']:.4g}]"
    yield ""
    for goal, reached in goals.items():
        yield f"{goal}: {'reached' if reached else 'missed'}"
