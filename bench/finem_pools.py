"""How well intervals of hints hold for rulesets of the second game that have no curve of their own.

    python bench/finem_pools.py --keep
    python bench/finem_pools.py --show

Rulesets are drawn as those that shifts are fitted to, with another seed: a level, a value of ``E-PACIFY``, and one or two other
readings. Each is played by the policy ``greedy``. At the end of a turn's actions stands the interval that a hint states, and the
game is then won or lost. The mean of its ends over the first turns of all games, and over all later turns, holds the share of these
that were won or does not. The difference is that of the mean chance and this share; it has the error of both.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import CONFIDENCE

from tetrasolve.finem.hint.calibrate import Row, states
from tetrasolve.finem.hint.calibration import Curve, kind_of, shipped_calibration
from tetrasolve.finem.hint.courses import drawn_of_pool
from tetrasolve.finem.hint.weights import shipped
from tetrasolve.finem.rules import seeded

RESULTS = Path(__file__).parent / "results" / "finem_pools.json"
SEED = 2027
TURNS = {"first": "after the first turn's actions", "later": "after those of later turns"}


def held(rows: Sequence[Row], curve: Curve) -> dict[str, Any]:
    """The mean chance with its mean interval, the share of states of games that were won, and whether the one holds the other."""
    said = [curve.chance(raw) for raw, _, _ in rows]
    value, low, high = (fmean(one[at] for one in said) for at in range(3))
    won = fmean(is_won for _, is_won, _ in rows)
    return {
        "predicted": round(value, 4), "interval": [round(low, 4), round(high, 4)], "won": round(won, 4),
        "games": len({game for _, _, game in rows}), "inside": low <= won <= high,
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The tables."""
    yield f"{data['rulesets']} rulesets, {data['games']:,} games of each, seed {data['seed']}, weights {data['weights']}"
    for turn, found in data["turns"].items():
        yield (
            f"{TURNS[turn]}: the share won lies in the interval for {found['inside']} of {found['of']}; the interval is"
            f" {100 * found['width']:.1f} points wide in the mean, the difference {100 * found['difference']:.1f} points"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "3 rulesets, 20 games of each")
    kept.parser.add_argument("--rulesets", type=int, default=30, help="(default: %(default)s)")
    kept.parser.add_argument("--games", type=int, default=4000, help="of each ruleset (default: %(default)s)")
    kept.parser.add_argument(
        "--seed", type=int, default=SEED, help="of rulesets, set-ups and cards (default: %(default)s)"
    )
    options = kept.options(argv)
    if options is None:
        return 0
    count, games = (3, 20) if options.quick else (options.rulesets, options.games)
    rows = []
    for number in range(count):
        ruleset = drawn_of_pool(options.seed, number).dealt(seeded(number))
        both = states(ruleset, options.seed, range(number * games, (number + 1) * games))
        for turn, found in zip(TURNS, both, strict=True):
            curve = shipped_calibration().curve(ruleset, is_first=turn == "first")
            if curve is None:
                continue  # too few games had one of its values: a hint says that it is not calibrated
            assert curve.shifted_by
            rows.append({"ruleset": str(ruleset), "kind": kind_of(ruleset), "turn": turn, **held(found, curve)})
        print(f"finem_pools: {number + 1} of {count} done", file=sys.stderr)
    turns = {}
    for turn in TURNS:
        of = [row for row in rows if row["turn"] == turn]
        turns[turn] = {
            "inside": sum(row["inside"] for row in of),
            "of": len(of),
            "width": round(fmean(row["interval"][1] - row["interval"][0] for row in of), 4),
            "difference": round(fmean(abs(row["predicted"] - row["won"]) for row in of), 4),
        }
    data: dict[str, Any] = {
        "bench": "finem_pools", "confidence": CONFIDENCE, "seed": options.seed, "rulesets": count, "games": games,
        "policy": "greedy", "commit": facts.commit(), "machine": facts.machine(), "weights": shipped().digest,
        "calibration": dict(shipped_calibration().made), "turns": turns, "rows": rows,
    }  # fmt: skip
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
