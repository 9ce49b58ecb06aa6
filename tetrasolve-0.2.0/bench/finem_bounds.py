"""What no policy of the second game exceeds: a statistical upper bound, kept in bench/results/finem_bounds.json.

    python bench/finem_bounds.py --starts 300 --keep
    python bench/finem_bounds.py --show

For each drawn set-up the least chance to lose in the first turn, exactly; their mean is lost by every policy. Beside it stand the
win rates of bench/finem_strength.py, the lower side. Kept set-ups are gone on from.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.series import write
from finem_strength import RESULTS as STRENGTH

from tetrasolve.bounds.losses import bound_of_losses
from tetrasolve.finem.bounds.firstturn import CAP, least_loss, start_of
from tetrasolve.finem.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "finem_bounds.json"
CONFIDENCE = 0.95
SAVE_SECONDS = 20
# Rulesets with the same first turn as another one: their bound is that of the other
SAME = {
    "standard": ("introductory", "standard?E-PACIFY=action", "introductory?E-PACIFY=action"),
}


def begun(path: Path | None, seed: int) -> dict[str, Any]:
    """What is kept for this seed and cap, or a new start."""
    fresh: dict[str, Any] = {
        "bench": "finem_bounds",
        "confidence": CONFIDENCE,
        "seed": seed,
        "cap": str(CAP),
        "same": {name: list(others) for name, others in SAME.items()},
        "rows": {},
    }
    kept = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
    if kept and any(kept.get(name) != fresh[name] for name in ("confidence", "seed", "cap")):
        print("finem_bounds: the kept results are of another seed or cap; started again", file=sys.stderr)
        kept = {}
    return kept or fresh


def run(data: dict[str, Any], level: str, starts: int, path: Path | None) -> None:
    """So many set-ups of a ruleset."""
    row = data["rows"].setdefault(level, {"losses": [], "seconds": 0.0})
    ruleset, saved = Ruleset.from_text(level), time.monotonic()
    while len(row["losses"]) < starts:
        began = time.process_time()
        start = start_of(ruleset, data["seed"], len(row["losses"]))
        loss = Fraction(1) if start is None else least_loss(start)
        row["losses"].append(str(loss))
        row["seconds"] = round(row["seconds"] + time.process_time() - began, 2)
        if time.monotonic() - saved > SAVE_SECONDS or len(row["losses"]) == starts:
            saved = time.monotonic()
            finish(data, path)
            print(f"{level}: {len(row['losses'])} of {starts} set-ups", file=sys.stderr, flush=True)


def finish(data: dict[str, Any], path: Path | None) -> None:
    """The bounds of what is known, kept."""
    for row in data["rows"].values():
        losses = [Fraction(loss) for loss in row["losses"]]
        if len(losses) > 1:
            row["bound"] = bound_of_losses(losses, CAP, CONFIDENCE).as_data()
            row["largest"] = float(max(losses))
    if path is not None:
        data |= {"commit": facts.commit(), "machine": facts.machine()}
        write(path, data)


def table(data: dict[str, Any], strength: dict[str, Any]) -> Iterator[str]:
    """What is known, in lines."""
    yield f"{'ruleset':30}{'won by':>12}{'95 % interval':>16}{'set-ups':>9}{'bound':>9}"
    for level, row in data["rows"].items():
        if "bound" not in row:
            continue
        high = row["bound"]["value"]["ci"][1]
        for name in (level, *SAME.get(level, ())):
            for entry in best_of(strength, name):
                low, top = entry["rate"]["ci"]
                yield (
                    f"{name:30}{entry['name']:>12}{100 * low:9.1f} to {100 * top:.1f}"
                    f"{len(row['losses']):9}{100 * high:8.2f}%"
                )


def best_of(strength: dict[str, Any], level: str) -> list[dict[str, Any]]:
    """The policy with the highest lower end of its interval."""
    rows = [entry for entry in strength["series"] if entry["level"] == level and entry["games"]]
    return [max(rows, key=lambda entry: float(entry["rate"]["ci"][0]))] if rows else []


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--starts", type=int, default=2, help="to be reached by each ruleset (default: %(default)s)")
    parser.add_argument("--levels", default="standard", help="rulesets, with commas between (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=92, help="of the set-ups (default: %(default)s)")
    parser.add_argument("--json", type=Path, help=f"file of results (default with --keep: {RESULTS.name})")
    parser.add_argument("--keep", action="store_true", help="continue from the kept results, and keep the new ones")
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument("--quick", action="store_true", help="try the script out: two set-ups")
    options = parser.parse_args(argv)
    path = options.json or (RESULTS if options.keep or options.show else None)
    data = begun(path, options.seed)
    if not options.show:
        for level in options.levels.split(","):
            run(data, level, 2 if options.quick else options.starts, path)
    print("\n".join(table(data, json.loads(STRENGTH.read_text("utf-8")))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
