"""The exact risk of one Barbarian phase by the kernel, beside the model checker Storm and plain Monte Carlo.

All answer the same questions about the same positions: the chances of an uprising, of a fall and of a new army, the
expected uprisings and revolts. Storm is given the chain of the reference rules, one state a step, as text in its explicit
format; reading it (building the model) and checking are measured together and apart, in doubles and in rational
numbers. Monte Carlo rolls as many phases as the chance of an uprising needs for a standard error of 1% of itself.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchkit import suite
from benchkit.command import Bench, start
from benchkit.peers import own_clock
from benchkit.race import BenchError, Contestant, Race, Ratio
from benchkit.suite import Entry
from phase import distribution, figures, moderate, sizes

from tetrasolve.tetrarchia.kernel import Rng
from tetrasolve.tetrarchia.position import Phase
from tetrasolve.tetrarchia.risk.storm import PROPERTIES, write_drn

# The goals: a hundred times Storm, model building included, and cheaper than the Monte Carlo of 1% error
TIMES_STORM = 100
TIMES_MONTE_CARLO = 1

PHASES = 12
RELATIVE_ERROR = 0.01


def rolls_needed(entry: Entry) -> int:
    """How many rolled phases give the chance of an uprising to 1% of itself (one standard error)."""
    p = entry.kernel.phase(entry.state)["p_uprising"]
    return math.ceil((1 - p) / (p * RELATIVE_ERROR**2))


def monte_carlo(entries: Sequence[Entry], seed: int) -> dict[str, int]:
    """The same figures from rolled phases, as many as they need."""
    dice = Rng(seed)
    for entry in entries:
        sample, state = entry.kernel.sample, entry.state
        for _ in range(rolls_needed(entry)):
            sample(state, dice)
    return {"phases": len(entries)}


class Storm:
    """Storm on the chains of some phases, in one kind of number."""

    def __init__(self, stormpy: Any, folder: Path, entries: Sequence[Entry], number: Any) -> None:
        self.stormpy = stormpy
        self.read = stormpy.build_model_from_drn[number]
        self.paths = [str(folder / f"{row}.drn") for row in range(len(entries))]
        self.properties = [stormpy.parse_properties(formula)[0] for formula in PROPERTIES.values()]
        self.models = [self.read(path) for path in self.paths]

    def build(self) -> dict[str, int]:
        """The models, from their text."""
        for path in self.paths:
            self.read(path)
        return {"phases": len(self.paths)}

    def check(self, models: Sequence[Any] | None = None) -> dict[str, int]:
        """All figures of all models."""
        for model in self.models if models is None else models:
            for question in self.properties:
                if '"lost"' in str(question) and not model.labeling.contains_label("lost"):
                    continue  # Storm refuses a label that no state has
                self.stormpy.model_checking(model, question)
        return {"phases": len(self.models)}

    def both(self) -> dict[str, int]:
        """From text to figures."""
        return self.check([self.read(path) for path in self.paths])


def stormpy_module() -> Any:
    """Storm's Python side."""
    try:
        import stormpy
    except ModuleNotFoundError:
        raise BenchError("stormpy is missing: pip install stormpy") from None
    return stormpy


def storms(bench: Bench, entries: Sequence[Entry], folder: Path) -> list[Contestant]:
    """Storm in doubles and in rational numbers; nobody where stormpy is missing."""
    stormpy = bench.peer(stormpy_module)
    if stormpy is None:
        return []
    for row, entry in enumerate(entries):
        (folder / f"{row}.drn").write_text(write_drn(entry.position), "utf-8")
    clock = own_clock(bench.wall)
    contestants: list[Contestant] = []
    for name, number in (("doubles", float), ("fractions", stormpy.Rational)):
        storm = Storm(stormpy, folder, entries, number)
        contestants += [
            Contestant(f"Storm, {name}, building and checking", storm.both, clock),
            Contestant(f"Storm, {name}, building", storm.build, clock),
            Contestant(f"Storm, {name}, checking", storm.check, clock),
        ]
    return contestants


def measure(bench: Bench) -> tuple[Race, Sequence[Ratio]]:
    """The kernel, Storm and Monte Carlo on the same phases of moderate size."""
    entries = list(suite.read(Phase.BARBARIAN))
    some = [
        entry
        for entry in moderate(entries, sizes(entries), 2 if bench.quick else PHASES, bench.seed)
        if entry.kernel.phase(entry.state)["p_uprising"] > 0
    ]
    if not some:
        raise BenchError("none of the phases drawn can have an uprising: try another --seed")
    bench.work = {"phases": distribution(sizes(some)), "rolls for 1%": [rolls_needed(entry) for entry in some]}
    clock = own_clock(bench.wall)
    with tempfile.TemporaryDirectory() as folder:
        contestants = [
            Contestant("kernel", lambda: figures(some), clock),
            Contestant("Monte Carlo to 1%", lambda: monte_carlo(some, bench.seed), clock),
            *storms(bench, some, Path(folder)),
        ]
        race = bench.race(contestants)
    ours = ("kernel", "phases")
    ratios = [Ratio("kernel / Monte Carlo to 1%", ours, ("Monte Carlo to 1%", "phases"), TIMES_MONTE_CARLO)]
    for contestant in contestants[2:]:
        goal = TIMES_STORM if contestant.name.endswith("building and checking") else None
        ratios.append(Ratio(f"kernel / {contestant.name}", ours, (contestant.name, "phases"), goal))
    return race, ratios


if __name__ == "__main__":
    start("risk", __doc__, measure)
