"""What no policy of the second game exceeds, kept in bench/results/finem_bounds.json.

    python bench/finem_bounds.py --starts 300 --keep
    python bench/finem_bounds.py --show

Two parts. The race of the dice against the decline, a relaxed process without cubes, gives a proved bound for each kind of rules.
And for each drawn set-up the least chance to lose in the first turn is exact; their mean is lost by every policy. Together they
give a statistical bound. Beside it stand the win rates of bench/finem_strength.py, the lower side. Kept set-ups and races are gone
on from.
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

from tetrasolve.bounds.bound import UpperBound
from tetrasolve.bounds.losses import bound_of_losses, bound_with_later
from tetrasolve.exact.certainty import Exact
from tetrasolve.finem.bounds.firstturn import CAP, least_loss, start_of
from tetrasolve.finem.bounds.race import METHOD, race
from tetrasolve.finem.hint.players import games
from tetrasolve.finem.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "finem_bounds.json"
CONFIDENCE = 0.95
SAVE_SECONDS = 20
EARLY = "greedy"
EARLY_GAMES = 4000
TURNS = 32  # of a race: with the 24 before them the bounds no longer change in six digits
# Rulesets with the same first turn, under the name of the one whose set-ups are drawn
SAME = {
    "standard": ("introductory", "standard?E-PACIFY=action", "introductory?E-PACIFY=action", "expert+cap3"),
    "expert+corner": (),
    "expert+sphere": (),
    "expert+corner+sphere": ("expert+corner+sphere+cap3",),
}
# Rulesets with the same race: it knows no map
RACES = {
    "standard": ("expert+corner", "expert+sphere", "expert+corner+sphere"),
    "introductory": (),
    "standard?E-PACIFY=action": (),
    "introductory?E-PACIFY=action": (),
    "expert+cap3": ("expert+corner+sphere+cap3",),
}


def begun(path: Path | None, seed: int) -> dict[str, Any]:
    """What is kept for this seed and cap, or a new start."""
    fresh: dict[str, Any] = {
        "bench": "finem_bounds",
        "confidence": CONFIDENCE,
        "seed": seed,
        "cap": str(CAP),
        "rows": {},
        "races": {},
        "bounds": {},
    }
    kept = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
    if kept and any(kept.get(name) != fresh[name] for name in ("confidence", "seed", "cap")):
        print("finem_bounds: the kept results are of another seed or cap; started again", file=sys.stderr)
        kept = {}
    kept.pop("same", None)
    return fresh | kept


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


def run_races(data: dict[str, Any], turns: int, path: Path | None) -> None:
    """The races that are missing."""
    for name in RACES:
        if name in data["races"]:
            continue
        began = time.process_time()
        found = race(Ruleset.from_text(name), turns)
        assert isinstance(found.start.value, Exact)
        data["races"][name] = {
            "turns": turns,
            "value": str(found.start.value.value),
            "least_later": str(found.least_later),
            "float": float(found.start.high),
            "seconds": round(time.process_time() - began, 2),
        }
        finish(data, path)
        print(f"{name}: a race of {turns} turns", file=sys.stderr, flush=True)


def run_early(data: dict[str, Any], path: Path | None, number: int) -> None:
    """How many games a policy has lost by each of the first turns: what a bound by these turns could say at best."""
    if "early" in data:
        return
    played = games(Ruleset("standard"), EARLY, data["seed"], 0, number)
    lost = [sum(end != "won" and turns <= turn for end, turns in played) / number for turn in range(1, 5)]
    data["early"] = {"level": "standard", "policy": EARLY, "games": number, "lost_by_turn": lost}
    finish(data, path)


def finish(data: dict[str, Any], path: Path | None) -> None:
    """The bounds of what is known, kept."""
    for level, row in data["rows"].items():
        losses = [Fraction(loss) for loss in row["losses"]]
        if len(losses) < 2:
            continue
        first = bound_of_losses(losses, CAP, CONFIDENCE)
        row["bound"] = first.as_data()
        row["largest"] = float(max(losses))
        for name in (level, *SAME[level]):
            of = next(kind for kind, others in RACES.items() if name in (kind, *others))
            if of in data["races"]:
                data["bounds"][name] = both(first, data["races"][of]) | {"set_ups": len(losses), "race": of}
    if path is not None:
        data |= {"commit": facts.commit(), "machine": facts.machine()}
        write(path, data)


def both(first: UpperBound, kept: dict[str, Any]) -> dict[str, Any]:
    """The bound of the first turn and of the race together, as data."""
    whole = UpperBound(Exact(Fraction(kept["value"])), METHOD)
    return bound_with_later(first, whole, Fraction(kept["least_later"])).as_data()


def table(data: dict[str, Any], strength: dict[str, Any]) -> Iterator[str]:
    """What is known, in lines."""
    yield f"{'ruleset':30}{'won by':>12}{'95 % interval':>16}{'race (proved)':>15}{'set-ups':>9}{'bound':>9}"
    for name, bound in data["bounds"].items():
        for entry in best_of(strength, name):
            low, top = entry["rate"]["ci"]
            proved = data["races"][bound["race"]]["float"]
            yield (
                f"{name:30}{entry['name']:>12}{100 * low:9.1f} to {100 * top:.1f}"
                f"{100 * proved:14.2f}%{bound['set_ups']:9}{100 * bound['value']['ci'][1]:8.2f}%"
            )


def best_of(strength: dict[str, Any], level: str) -> list[dict[str, Any]]:
    """The policy with the highest lower end of its interval."""
    rows = [entry for entry in strength["series"] if entry["level"] == level and entry["games"]]
    return [max(rows, key=lambda entry: float(entry["rate"]["ci"][0]))] if rows else []


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--starts", type=int, default=2, help="to be reached by each ruleset (default: %(default)s)")
    parser.add_argument(
        "--levels",
        type=lambda text: text.split(","),
        default=[*SAME],
        help="whose set-ups, with commas between (default: all)",
    )
    parser.add_argument("--turns", type=int, default=TURNS, help="of a race (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=92, help="of the set-ups (default: %(default)s)")
    parser.add_argument("--json", type=Path, help=f"file of results (default with --keep: {RESULTS.name})")
    parser.add_argument("--keep", action="store_true", help="continue from the kept results, and keep the new ones")
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument("--quick", action="store_true", help="try the script out: two set-ups, races of two turns")
    options = parser.parse_args(argv)
    path = options.json or (RESULTS if options.keep or options.show else None)
    data = begun(path, options.seed)
    if not options.show:
        unknown = {*options.levels} - SAME.keys()
        if unknown:
            parser.error(f"--levels: {', '.join(sorted(unknown))}: expected some of {', '.join(SAME)}")
        run_early(data, path, 20 if options.quick else EARLY_GAMES)
        run_races(data, 2 if options.quick else options.turns, path)
        for level in options.levels:
            run(data, level, 2 if options.quick else options.starts, path)
    print("\n".join(table(data, json.loads(STRENGTH.read_text("utf-8")))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
