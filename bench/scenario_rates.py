"""Win rates of the shipped scenarios measured a second time; kept in bench/results/scenario_rates.json.

    python bench/scenario_rates.py --keep --games 400 --jobs 2
    python bench/scenario_rates.py --show

Each scenario of `tetrasolve scenario list` is played again with dice of another seed. For each the interval of the difference
between the first and the second rate is Newcombe's (1998, *Interval estimation for the difference between independent
proportions*, method 10: two Wilson intervals). If nothing but chance differs, 95 of 100 intervals hold zero. The last line
says how many do, and the chance of so few: the lower tail of the binomial distribution.

A run goes on from the games that are kept, and neither processes nor interruptions change a result. How many games are played is
fixed by `--games`, never by a result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from math import hypot
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import write

from tetrasolve.exact.batches import Runner
from tetrasolve.exact.binomial import lower_tail
from tetrasolve.exact.cluster import executing
from tetrasolve.exact.estimate import chance
from tetrasolve.exact.executor import seed_of
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.scenario.measured import shipped
from tetrasolve.tetrarchia.scenario.measuring import BATCH, MOST_SEED, games_stage
from tetrasolve.tetrarchia.scenario.policies import weights_of_policies
from tetrasolve.tetrarchia.scenario.setups import SetUps

RESULTS = Path(__file__).parent / "results" / "scenario_rates.json"
CONFIDENCE = 0.95
QUICK_SCENARIOS = 2


def difference(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float, float]:
    """The difference of two independent rates, each given as wins and games, with the limits of its interval."""
    a, b = (chance(*pair, CONFIDENCE, "wilson") for pair in (first, second))
    value = a.value - b.value
    return value, value - hypot(a.value - a.low, b.high - b.value), value + hypot(a.high - a.value, b.value - b.low)


def compared(rows: Mapping[str, Mapping[str, Any]], policy: str) -> Iterator[tuple[str, int, int, int, int]]:
    """Of each scenario that was played again: its name, then wins and games of the first time and of the second."""
    for name, row in rows.items():
        for rate in shipped()[name]["rates"] if name in shipped() else ():
            letters = row["games"]
            if rate["policy"] == policy and row["position"] == shipped()[name]["position"] and letters:
                yield name, rate["won"], rate["rate"]["n"], letters.count("w"), len(letters)


def lines(data: dict[str, Any]) -> Iterator[str]:
    """A line for each scenario, and how many intervals hold zero."""
    held = total = 0
    for name, *counts in compared(data["scenarios"], data["policy"]):
        won, games, again, more = counts
        value, low, high = difference((won, games), (again, more))
        is_held = low <= 0 <= high
        held, total = held + is_held, total + 1
        yield (
            f"{name:28} {100 * won / games:5.1f} % of {games:5}, then {100 * again / more:5.1f} % of {more:4}: "
            f"{100 * value:+5.1f} points ({100 * low:+.1f} to {100 * high:+.1f}){'' if is_held else '  apart'}"
        )
    if total:
        yield (
            f"{data['policy']}: {held} of {total} intervals hold zero; so few or fewer by chance: "
            f"{lower_tail(held, total, CONFIDENCE):.2f}"
        )


def begun(path: Path | None, policy: str, seed: int) -> dict[str, Any]:
    """What was kept of this policy and seed with the weights of today."""
    new = {"policy": policy, "seed": seed, "weights": weights_of_policies(), "scenarios": {}}
    if path is None or not path.exists():
        return new
    data: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return data if all(data[key] == new[key] for key in ("policy", "seed", "weights")) else new


def play(data: dict[str, Any], name: str, games: int, runner: Runner) -> None:
    """The games of a scenario that are still to be played."""
    position = shipped()[name]["position"]
    row = data["scenarios"].get(name)
    letters = row["games"] if row and row["position"] == position else ""
    seed = seed_of(data["seed"], "again", name) & MOST_SEED
    stage = games_stage(runner, SetUps.fixed(Position.parse(position)), data["policy"], seed, None)
    if letters:
        stage.begin_at(len(letters) // BATCH, letters)
    if stage.done * BATCH < games:
        stage.run_to(-(-games // BATCH), runner.executor)
    data["scenarios"][name] = {"position": position, "games": stage.total}


def main(argv: Sequence[str] | None = None) -> int:
    """Play scenario after scenario, and keep each."""
    kept = Kept(__doc__ or "", RESULTS, lines, quick=f"{BATCH} games of {QUICK_SCENARIOS} scenarios")
    kept.parser.add_argument("--policy", default="greedy", help="who plays (default: %(default)s)")
    kept.parser.add_argument("--seed", type=int, default=1, help="of the dice (default: %(default)s)")
    kept.parser.add_argument("--games", type=int, default=400, help="of each scenario (default: %(default)s)")
    kept.parser.add_argument("--jobs", type=int, default=1, help="processes that play (default: %(default)s)")
    options: argparse.Namespace | None = kept.options(argv)
    if options is None:
        return 0
    target = RESULTS if options.keep else options.json
    data = begun(target, options.policy, options.seed)
    names = list(shipped())[: QUICK_SCENARIOS if options.quick else None]
    with ExitStack() as opened:
        runner = Runner(opened.enter_context(executing(options.jobs, None)))
        for name in names:
            play(data, name, BATCH if options.quick else options.games, runner)
            data |= {"versions": {"tetrasolve": facts.version("tetrasolve")}}
            if target:
                write(target, data)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
