"""How far from perfect the policy is at each of the 81 levels: its win rate and an upper bound, kept in bench/results/bounds.json.

    python bench/bounds.py --games 1000 --keep
    python bench/bounds.py --show

The win rates are those of bench/levels.py. The bound is proved (`tetrasolve.tetrarchia.bounds.unavoidable`). Beside it the games
say how little any bound can show that looks at the turns before a victory is possible: what the policy loses in them is an upper
estimate of what the best policy loses in them. Kept games are gone on from, the levels with the fewest first.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.series import CONFIDENCE
from levels import POLICY
from levels import RESULTS as LEVELS

from tetrasolve.exact.estimate import chance
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.bounds.unavoidable import proved_bound
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import shipped
from tetrasolve.tetrarchia.kernel import FALLEN
from tetrasolve.tetrarchia.ruleset import Ruleset, all_levels

RESULTS = Path(__file__).parent / "results" / "bounds.json"
TURNS = 8  # no game is won in fewer than nine turns: the fact tempo/victory-soonest
CHUNK = 20  # games of a level at once
SAVE_SECONDS = 30


def begun(path: Path | None, seed: int) -> dict[str, Any]:
    """What is kept for this seed, these weights and this policy, or a new start."""
    weights = shipped()
    fresh: dict[str, Any] = {
        "bench": "bounds", "confidence": CONFIDENCE, "turns": TURNS, "policy": POLICY, "seed": seed, "weights": weights.digest,
        "made": dict(weights.made), "levels": {},
    }  # fmt: skip
    kept = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
    if kept and any(kept.get(name) != fresh[name] for name in ("turns", "policy", "seed", "weights")):
        print("bounds: the kept results are of another seed, policy or weights; started again", file=sys.stderr)
        kept = {}
    return kept or fresh


def write(path: Path | None, data: dict[str, Any]) -> None:
    """Keeps it, a line for each level."""
    if path is None:
        return
    data |= {"commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel()}
    head = {name: value for name, value in data.items() if name != "levels"}
    rows = [f'  "{level}": {json.dumps(row)}' for level, row in sorted(data["levels"].items())]
    new = path.with_suffix(".new")
    new.write_text(f"{json.dumps(head, indent=1)[:-2]},\n " + '"levels": {\n' + ",\n".join(rows) + "\n }\n}\n", "utf-8")
    new.replace(path)


def entry(data: dict[str, Any], level: str) -> dict[str, Any]:
    """What is known of a level: its bound, and games of the first turns."""
    if level not in data["levels"]:
        data["levels"][level] = {"bound": proved_bound(Ruleset.from_level(level)).as_data(), "games": 0, "fallen": 0}
    found: dict[str, Any] = data["levels"][level]
    return found


def run(data: dict[str, Any], levels: Sequence[str], games: int, path: Path | None) -> None:
    """The first turns of so many games of each level."""
    saved = time.monotonic()
    while True:
        level = min(levels, key=lambda level: entry(data, level)["games"])
        known = entry(data, level)
        count = min(games - known["games"], CHUNK)
        if count <= 0:
            break
        ruleset = Ruleset.from_level(level)
        numbers = (ruleset.revolts, ruleset.fleets, ruleset.armies, data["seed"])
        player = new_player(Board.standard(), ruleset, shipped())
        results = player.games(count, *numbers, first=known["games"], most_turns=TURNS, **POLICY)
        known["games"] += count
        known["fallen"] += sum(result == FALLEN for result, _, _ in results)
        if time.monotonic() - saved > SAVE_SECONDS:
            saved = time.monotonic()
            write(path, data)
            print(f"bounds: {sum(row['games'] for row in data['levels'].values())} games", file=sys.stderr, flush=True)
    write(path, data)


def table(data: dict[str, Any], rates: dict[str, Any]) -> Iterator[str]:
    """What is known, in lines, the widest gap first."""
    yield f"weights {data['weights']}, seed {data['seed']}; the bound is 1 minus the proved loss, the gap bound minus won"
    yield f"{'level':6}{'won':>7}   95% interval   proved loss   gap   lost in {data['turns']} turns, 95% interval"
    won = {
        level: chance(row["won"], row["games"], CONFIDENCE) for level, row in rates["levels"].items() if row["games"]
    }
    for level in sorted(data["levels"].keys() & won.keys(), key=lambda level: (won[level].value, level)):
        row, rate = data["levels"][level], won[level]
        loss = loss_of(row["bound"])
        early = chance(row["fallen"], row["games"], CONFIDENCE) if row["games"] else None
        lost = f"{100 * early.value:5.2f}%  {100 * early.low:.2f} to {100 * early.high:.2f}" if early else "no games"
        yield (
            f"{level:6}{100 * rate.value:6.1f}%   {100 * rate.low:5.1f} to {100 * rate.high:5.1f}  {loss:11.1e}"
            f"{100 * (1 - loss - rate.value):6.1f}   {lost}"
        )


def loss_of(bound: dict[str, Any]) -> float:
    """One minus the bound, from its fraction: in floats the bound itself may be 1."""
    from fractions import Fraction

    return float(1 - Fraction(bound["value"]["exact"]))


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    every = [level.level for level in all_levels()]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10, help="to be reached at each level (default: %(default)s)")
    parser.add_argument("--levels", default=",".join(every), help="(default: all)")
    parser.add_argument("--seed", type=int, default=285, help="of set-ups and dice (default: %(default)s)")
    parser.add_argument("--json", type=Path, default=None, help="file of results")
    parser.add_argument(
        "--keep", action="store_true", help=f"continue from {RESULTS.name}, and keep the new results there"
    )
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    options = parser.parse_args(argv)
    rates = json.loads(LEVELS.read_text("utf-8"))
    if options.show:
        print("\n".join(table(json.loads((options.json or RESULTS).read_text("utf-8")), rates)))
        return 0
    levels = options.levels.split(",")
    if unknown := [level for level in levels if level not in every]:
        parser.error(f"--levels: no level {', '.join(unknown)}")
    path = options.json or (RESULTS if options.keep else None)
    data = begun(path, options.seed)
    run(data, levels, options.games, path)
    print("\n".join(table(data, rates)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
