"""How many Barbarian phases the kernel works out exactly in a second, beside the reference rules and Stockfish's perft.

The positions are the Barbarian phases of positions.txt. The kernel is measured three ways: `visits` goes through every
branch and merges nothing, `figures` merges equal outcomes and gives the phase's exact figures, `outcomes` hands each
merged outcome to Python. The reference gives the figures too, in fractions; it works on phases of moderate size.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from statistics import mean, median

from benchkit import suite
from benchkit.command import Bench, start
from benchkit.peers import own_clock
from benchkit.race import BenchError, Contestant, Race, Ratio
from benchkit.suite import Entry

from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.kernel import Kernel, State
from tetrasolve.tetrarchia.position import Phase

# The goals: 2e7 outcomes/s where Stockfish's perft makes 1.7e8 nodes/s, and a thousand phases for one of the reference
OUTCOMES_A_NODE = 0.118
TIMES_THE_REFERENCE = 1_000

# Outcomes of the phases that the reference is given: a smaller one measures calls, a larger one takes it seconds
MODERATE = (20, 1_000)
REFERENCE_PHASES = 30


def sizes(entries: Sequence[Entry]) -> list[int]:
    """Distinct outcomes of each phase, all falls as one."""
    return [round(entry.kernel.phase(entry.state)["outcomes"]) for entry in entries]


def distribution(outcomes: Sequence[int]) -> dict[str, float]:
    """How large the phases are."""
    return {
        "phases": len(outcomes),
        "median": median(outcomes),
        "mean": round(mean(outcomes), 1),
        "max": max(outcomes),
        "outcomes": sum(outcomes),
    }


def moderate(entries: Sequence[Entry], outcomes: Sequence[int], count: int, seed: int) -> list[Entry]:
    """Some phases of moderate size, drawn by a seed."""
    small, large = MODERATE
    fit = [entry for entry, size in zip(entries, outcomes, strict=True) if small <= size <= large]
    return random.Random(f"reference {seed}").sample(fit, min(count, len(fit)))


def visits(entries: Sequence[Entry]) -> Callable[[], dict[str, int]]:
    """Every branch of every phase, kernel by kernel."""
    states: dict[Kernel, list[State]] = {}
    for entry in entries:
        states.setdefault(entry.kernel, []).append(entry.state)

    def run() -> dict[str, int]:
        done = [kernel.bench_phase(chosen, 1) for kernel, chosen in states.items()]
        return {"phases": sum(phases for phases, _ in done), "visits": sum(seen for _, seen in done)}

    return run


def figures(entries: Sequence[Entry]) -> dict[str, int]:
    """The exact figures of every phase, its equal outcomes merged."""
    return {"phases": len(entries), "outcomes": sum(sizes(entries))}


def outcomes_listed(entries: Sequence[Entry]) -> dict[str, int]:
    """Every merged outcome as a Python object."""
    return {"phases": len(entries), "outcomes": sum(len(entry.kernel.outcomes(entry.state)) for entry in entries)}


def reference(entries: Sequence[Entry]) -> dict[str, int]:
    """The same figures by the readable rules."""
    return {"phases": len(entries), "outcomes": sum(rules.figures(entry.position).outcomes for entry in entries)}


def measure(bench: Bench) -> tuple[Race, Sequence[Ratio]]:
    """The kernel on all phases, the kernel and the reference on the moderate ones, and the yardstick."""
    entries = list(suite.read(Phase.BARBARIAN))
    outcomes = sizes(entries)
    some = moderate(entries, outcomes, 2 if bench.quick else REFERENCE_PHASES, bench.seed)
    bench.work = {"all": distribution(outcomes), "moderate": distribution(sizes(some))}
    fast, slow = figures(some), reference(some)
    if fast != slow:
        raise BenchError(f"kernel and reference disagree: {fast} and {slow}")
    clock = own_clock(bench.wall)
    contestants = [
        Contestant("kernel, visits", visits(entries), clock),
        Contestant("kernel, figures", lambda: figures(entries), clock),
        Contestant("kernel, outcomes", lambda: outcomes_listed(entries), clock),
        Contestant("kernel, visits, moderate phases", visits(some), clock),
        Contestant("kernel, figures, moderate phases", lambda: figures(some), clock),
        Contestant("reference, figures, moderate phases", lambda: reference(some), clock),
        *bench.start_stockfish(3 if bench.quick else 6),
    ]
    base = ("reference, figures, moderate phases", "phases")
    ratios = [
        Ratio(f"{way} / reference", (f"kernel, {way}, moderate phases", "phases"), base, TIMES_THE_REFERENCE)
        for way in ("visits", "figures")
    ]
    if bench.stockfish:
        yardstick = (contestants[-1].name, "nodes")
        ratios += [
            Ratio("visits / nodes of Stockfish", ("kernel, visits", "visits"), yardstick, OUTCOMES_A_NODE),
            Ratio("outcomes / nodes of Stockfish", ("kernel, figures", "outcomes"), yardstick, OUTCOMES_A_NODE),
        ]
    return bench.race(contestants), ratios


if __name__ == "__main__":
    start("phase", __doc__, measure)
