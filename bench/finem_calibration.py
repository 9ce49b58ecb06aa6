"""How well hints of the second game know the chance to win, on fresh games; kept in bench/results/finem_calibration.json.

    python bench/finem_calibration.py --keep
    python bench/finem_calibration.py --show

Games of the policy ``greedy`` with other seeds than those of training and calibration, at single rulesets: each level with the
values of ``E-PACIFY`` that have a curve, all other readings by default, and each expert option. At the end of each turn's actions
stands the chance that a hint states, the calibrated value; the game is then won or lost. *First turn* is the first of these in each
game. Chances are sorted into ten bins. All positions of a game share its outcome, so intervals count games: they are those of
bench/calibration.py, as are the Brier score and that of a predictor that always says the share that was won.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import CONFIDENCE
from calibration import Sample, brier, reliability, won_between

from tetrasolve.finem.hint.calibrate import states
from tetrasolve.finem.hint.calibration import kind_of, shipped_calibration
from tetrasolve.finem.hint.weights import shipped
from tetrasolve.finem.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "finem_calibration.json"
RULESETS = (
    "introductory",
    "introductory?E-PACIFY=action",
    "standard",
    "standard?E-PACIFY=action",
    "expert+corner",
    "expert+sphere",
    "expert+cap3",
    "expert+corner+sphere+cap3",
    "expert+corner+sphere+cap3?E-PACIFY=action",
)
SEED = 2021
MOMENTS = {"turn": "end of the actions", "first": "end of the first turn's actions"}
CHUNK = 500  # games in one call


def tables(ruleset: Ruleset, games: int, seed: int) -> dict[str, list[Sample]]:
    """The ends of actions in so many games, each with the calibrated chance; of each game the first one apart."""
    opening, later = (shipped_calibration().curve(ruleset, is_first=is_first) for is_first in (True, False))
    if opening is None or later is None:
        raise SystemExit(f"finem_calibration: {ruleset}: hints have no curve for these rules")
    found: dict[str, list[Sample]] = {moment: [] for moment in MOMENTS}
    for first in range(0, games, CHUNK):
        beginnings, others = states(ruleset, seed, range(first, min(first + CHUNK, games)))
        firsts = [Sample(opening.chance(raw)[0], number, won) for raw, won, number in beginnings]
        found["first"] += firsts
        found["turn"] += firsts
        found["turn"] += [Sample(later.chance(raw)[0], number, won) for raw, won, number in others]
    return found


def scored(samples: Sequence[Sample]) -> dict[str, Any]:
    """Scores and bins of a moment, and what was predicted less what was won, with its interval."""
    low, high = won_between(samples, CONFIDENCE)
    mean = sum(one.chance for one in samples) / len(samples)
    won = sum(one.won for one in samples) / len(samples)
    difference = {"value": round(mean - won, 4), "ci": [round(mean - high, 4), round(mean - low, 4)]}
    return brier(samples, CONFIDENCE) | {"difference": difference, "bins": reliability(samples, CONFIDENCE)}


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The tables."""
    yield f"{data['games']:,} games of each ruleset, seed {data['seed']}, weights {data['weights']}"
    for name, group in data["groups"].items():
        for moment, found in group["moments"].items():
            low, high = found["difference"]["ci"]
            yield (
                f"{name}, {MOMENTS[moment]}: {found['tables']:,} positions, predicted {found['predicted']:.3f},"
                f" won {found['base_rate']:.3f}, difference {found['difference']['value']:+.3f} ({low:+.3f} to {high:+.3f});"
                f" Brier {found['brier']:.4f}, of the base rate {found['brier_of_base_rate']:.4f}"
            )
        for row in group["moments"]["turn"]["bins"]:
            yield (
                f"  {row['from']:.1f} to {row['to']:.1f} {row['tables']:7} positions {row['games']:6} games:"
                f" predicted {row['predicted']:.3f}, won {row['won']:.3f} ({row['ci'][0]:.3f} to {row['ci'][1]:.3f})"
            )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "20 games of each ruleset")
    kept.parser.add_argument("--games", type=int, default=10_000, help="of each ruleset (default: %(default)s)")
    kept.parser.add_argument("--seed", type=int, default=SEED, help="of set-ups and cards (default: %(default)s)")
    options = kept.options(argv)
    if options is None:
        return 0
    games = 20 if options.quick else options.games
    data: dict[str, Any] = {
        "bench": "finem_calibration", "confidence": CONFIDENCE, "seed": options.seed, "games": games, "policy": "greedy",
        "commit": facts.commit(), "machine": facts.machine(), "weights": shipped().digest,
        "calibration": dict(shipped_calibration().made), "groups": {},
    }  # fmt: skip
    for name in RULESETS:
        ruleset = Ruleset.from_text(name)
        found = tables(ruleset, games, options.seed)
        moments = {moment: scored(samples) for moment, samples in found.items()}
        data["groups"][name] = {"kind": kind_of(ruleset), "moments": moments}
        print(f"finem_calibration: {name} done", file=sys.stderr)
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
