"""How hard each of the 81 levels is for the one-turn expectimax, kept in bench/results/levels.json.

    python bench/levels.py --games 1000 --keep
    python bench/levels.py --show

The games are those of bench/strength.py: game n of a level has its set-up and dice from the seed and n. What was played
before is kept and gone on from, the levels with the fewest games first.
Processes (--jobs) or a cluster (--cluster) change no result. Results belong to weights, by digest: those of other
weights are not mixed, but started again.
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
from benchkit.played import Games, Result, play_all
from benchkit.series import CONFIDENCE
from strength import POLICIES

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.estimate import chance
from tetrasolve.tetrarchia.hint.weights import Weights, read_weights, shipped
from tetrasolve.tetrarchia.kernel import FALLEN, WON
from tetrasolve.tetrarchia.ruleset import all_levels

RESULTS = Path(__file__).parent / "results" / "levels.json"
POLICY = POLICIES["expectimax"]
SAVE_SECONDS = 30


class Book:
    """The file of results."""

    def __init__(self, path: Path | None, seed: int, weights: Weights) -> None:
        self.path, self.weights = path, weights
        kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path and path.exists() else {}
        fresh = {
            "bench": "levels", "confidence": CONFIDENCE, "policy": POLICY, "seed": seed, "weights": weights.digest,
            "made": dict(weights.made), "levels": {},
        }  # fmt: skip
        same = all(kept.get(name) == fresh[name] for name in ("policy", "seed", "weights"))
        if kept and not same:
            print("levels: the kept results are of another seed, policy or weights; started again", file=sys.stderr)
        self.data = kept if same else fresh

    def entry(self, level: str) -> dict[str, Any]:
        """What is known of a level."""
        none = {"games": 0, "won": 0, "open": 0, "turns": 0, "seconds": 0.0, "fell_in_step": [0, 0, 0]}
        found: dict[str, Any] = self.data["levels"].setdefault(level, none)
        return found

    def write(self) -> None:
        """Keeps it, a line for each level."""
        if self.path is None:
            return
        self.data |= {"commit": facts.commit(), "machine": facts.machine(), "kernel": facts.compiled_kernel()}
        head = {name: value for name, value in self.data.items() if name != "levels"}
        rows = [f'  "{level}": {json.dumps(row)}' for level, row in sorted(self.data["levels"].items())]
        levels = '"levels": {\n' + ",\n".join(rows) + "\n }"
        text = f"{json.dumps(head, indent=1)[:-2]},\n {levels}\n}}\n"
        new = self.path.with_suffix(".new")
        new.write_text(text, "utf-8")
        new.replace(self.path)


def add(entry: dict[str, Any], results: Sequence[Result], seconds: float) -> None:
    """Games of a level that were played now."""
    entry["seconds"] = round(entry["seconds"] + seconds, 2)
    for result, turns, step in results:
        entry["games"] += 1
        entry["won"] += result == WON
        entry["open"] += result not in (WON, FALLEN)
        entry["turns"] += turns
        if step:
            entry["fell_in_step"][step - 1] += 1


def run(book: Book, levels: Sequence[str], games: int, workers: Workers = 1) -> None:
    """All of these levels up to so many games, side by side."""
    saved = time.monotonic()
    jobs = [
        job
        for level in levels
        for job in Games(level, POLICY, book.data["seed"], book.weights, book.entry(level)["games"], games).jobs()
    ]
    jobs.sort(key=lambda job: job.first)  # the level with the fewest games first
    try:
        for number, results, seconds in play_all(jobs, workers, None):
            add(book.entry(jobs[number].course), results, seconds)
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                book.write()
                done = sum(entry["games"] for entry in book.data["levels"].values())
                print(f"levels: {done} of {games * len(levels)} games", file=sys.stderr, flush=True)
    finally:
        book.write()


def table(book: Book) -> Iterator[str]:
    """What is known, in lines, the hardest level first."""
    yield f"weights {book.data['weights']}, seed {book.data['seed']}"
    yield f"{'level':6}{'games':>6}{'won':>8}   95% interval  turns  ms/turn  fell in step 1/2/3, open"
    known = [(level, entry) for level, entry in book.data["levels"].items() if entry["games"]]
    for level, entry in sorted(known, key=lambda pair: (pair[1]["won"] / pair[1]["games"], pair[0])):
        rate = chance(entry["won"], entry["games"], CONFIDENCE)
        yield (
            f"{level:6}{entry['games']:6}{100 * rate.value:7.1f}%   {100 * rate.low:5.1f} to {100 * rate.high:5.1f} "
            f"{entry['turns'] / entry['games']:6.1f} {1000 * entry['seconds'] / entry['turns']:8.2f}  "
            f"{'/'.join(map(str, entry['fell_in_step']))}, {entry['open']}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    every = [level.level for level in all_levels()]
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10, help="to be reached at each level (default: %(default)s)")
    add_workers(parser)
    parser.add_argument("--levels", default=",".join(every), help="(default: all)")
    parser.add_argument("--seed", type=int, default=285, help="of set-ups and dice (default: %(default)s)")
    parser.add_argument("--weights", type=Path, help="a file of weights rather than the shipped ones")
    parser.add_argument("--json", type=Path, default=None, help="file of results")
    parser.add_argument(
        "--keep", action="store_true", help=f"continue from {RESULTS.name}, and keep the new results there"
    )
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument("--quick", action="store_true", help="try the script out: a game at each of nine levels")
    options = parser.parse_args(argv)
    if options.show:
        kept = Book.__new__(Book)
        kept.data = json.loads((options.json or RESULTS).read_text("utf-8"))
        print("\n".join(table(kept)))
        return 0
    levels = every[::10] if options.quick else options.levels.split(",")
    if unknown := [level for level in levels if level not in every]:
        parser.error(f"--levels: no level {', '.join(unknown)}")
    weights = read_weights(options.weights.read_text("utf-8")) if options.weights else shipped()
    book = Book(options.json or (RESULTS if options.keep else None), options.seed, weights)
    try:
        with workers_of(options) as workers:
            run(book, levels, 1 if options.quick else options.games, workers)
    except (TetrasolveError, ValueError) as error:
        parser.error(str(error))
    print("\n".join(table(book)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
