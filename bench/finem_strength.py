"""How often each policy of the second game wins: the same cards for all, kept in bench/results/finem_strength.json.

    python bench/finem_strength.py --games 40000 --policies discs,greedy --levels standard,introductory
    python bench/finem_strength.py --keep --recipe
    python bench/finem_strength.py --show

Game number n of a ruleset has its set-up, the cards of each turn and its roles from the seed, n and the turn for every policy.
The recipe has the rows of the published table: rulesets, policies and numbers of games.

What was played before is kept and gone on from: a run of more games adds to it, one of as many does nothing. Results belong to a
policy with its numbers, and to weights by digest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.series import CONFIDENCE, Series, only_one_won, write

from tetrasolve.errors import RulesetError
from tetrasolve.exact.estimate import paired_difference
from tetrasolve.finem.hint.players import POLICIES, games, numbers_of
from tetrasolve.finem.hint.weights import EvaluationWeights, read_weights, shipped
from tetrasolve.finem.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "finem_strength.json"
CHUNK_SECONDS = 20  # after about so long what was played is written down
FEW, MANY = 10, 1000  # games in one call: of a search, of the others
BLIND = ("random", "discs")  # policies that look at no weights

EXPERT = ("expert+corner", "expert+sphere", "expert+cap3", "expert+corner+sphere+cap3")
# Levels, policies and games of the published table, in the order in which they are played
RECIPE: tuple[tuple[tuple[str, ...], tuple[str, ...], int], ...] = (
    (("standard", "standard?E-PACIFY=action"), ("discs", "greedy"), 40_000),
    (("standard",), ("search",), 5760),
    (("introductory", "introductory?E-PACIFY=action"), ("discs", "greedy"), 40_000),
    (("standard?E-PACIFY=action",), ("search",), 7000),
    (EXPERT, ("discs", "greedy"), 10_000),
    (("standard?E-PACIFY=free", "introductory?E-PACIFY=free"), ("discs", "greedy"), 1000),
    (("standard", "introductory"), ("random",), 10_000),
    (("standard",), ("expectimax",), 1000),
    (("introductory", *EXPERT), ("search",), 2000),
    (("introductory?E-PACIFY=action",), ("search",), 1000),
    (("standard?E-PACIFY=action", "introductory", "introductory?E-PACIFY=action", *EXPERT), ("expectimax",), 1000),
    (("standard?E-PACIFY=free", "introductory?E-PACIFY=free"), ("expectimax", "search"), 100),
)


class Book:
    """The file of results."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.data: dict[str, Any] = {"bench": "finem_strength", "confidence": CONFIDENCE, "series": []}
        if path is not None and path.exists():
            self.data = json.loads(path.read_text("utf-8"))

    def series(self, policy: str, level: str, seed: int, weights: EvaluationWeights) -> Series:
        """What was played so far; a new one if it is for another policy, seed or weights."""
        digest = None if policy in BLIND else weights.digest
        wanted = {"name": policy, "policy": numbers_of(policy), "level": level, "seed": seed, "weights": digest}
        for entry in self.data["series"]:
            if all(entry.get(key) == value for key, value in wanted.items()):
                return Series(entry)
        entry = wanted | {"games": 0, "won": 0, "outcomes": "", "turns": 0, "seconds": 0.0, "ends": {}}
        self.data["series"].append(entry)
        return Series(entry)

    def write(self) -> None:
        """Keeps it, with the comparisons."""
        self.data["series"].sort(key=lambda entry: (entry["level"], POLICIES.index(entry["name"])))
        self.data["compared"] = list(comparisons(self))
        if self.path is not None:
            write(self.path, self.data)


def block(
    level: str, name: str, seed: int, weights: EvaluationWeights, first: int, number: int
) -> tuple[list[tuple[str, int]], float]:
    """Some games, and the processor time that they took."""
    taken = time.process_time()
    played = games(Ruleset.from_text(level), name, seed, first, number, weights=weights)
    return list(played), time.process_time() - taken


def play(series: Series, weights: EvaluationWeights, wanted: int, pool: ProcessPoolExecutor, jobs: int) -> None:
    """Games up to so many, or as many as fit into `CHUNK_SECONDS`; the processes change no result."""
    began = time.monotonic()
    name = series.data["name"]
    most = FEW if "samples" in series.data["policy"] else MANY
    while series.data["games"] < wanted and time.monotonic() - began < CHUNK_SECONDS:
        first = len(series.outcomes)
        starts = list(range(first, wanted, most))[: 2 * jobs]
        task = partial(block, series.data["level"], name, series.data["seed"], weights)
        for played, seconds in pool.map(task, starts, [min(most, wanted - at) for at in starts]):
            letters = "".join("w" if end == "won" else "l" if end else "o" for end, _ in played)
            series.add_outcomes(letters, sum(turns for _, turns in played))
            series.data["seconds"] = round(series.data["seconds"] + seconds, 3)
            ends = Counter(series.data["ends"]) + Counter(kind_of(end) for end, _ in played)
            series.data["ends"] = dict(sorted(ends.items()))


def kind_of(end: str) -> str:
    """How a game ended, without the tribe."""
    return "lost: cubes" if end.startswith("lost: no cube") else end or "open"


def comparisons(book: Book) -> Iterator[dict[str, Any]]:
    """Each pair of policies at each level, on the games that both have played with the same seed."""
    entries = [Series(entry) for entry in book.data["series"] if entry["games"]]
    for first, second in combinations(entries, 2):
        one, other = second.data, first.data
        if one["level"] != other["level"] or one["seed"] != other["seed"]:
            continue
        if one["weights"] and other["weights"] and one["weights"] != other["weights"]:
            continue
        only_first, only_second, number = only_one_won(second, first)
        yield {
            "level": one["level"],
            "first": one["name"],
            "second": other["name"],
            "weights": [one["weights"], other["weights"]],
            "games": number,
            "only_first": only_first,
            "only_second": only_second,
            "difference": paired_difference(only_first, only_second, number, CONFIDENCE).as_data(),
        }


def table(book: Book) -> Iterator[str]:
    """What is known, in lines."""
    wide = max((len(entry["level"]) for entry in book.data["series"]), default=6)
    yield f"{'level':{wide}} {'policy':18} {'games':>6}     won   95% interval     turns  ms/turn  ends"
    for entry in book.data["series"]:
        if not entry["games"]:
            continue
        low, high = entry["rate"]["ci"]
        named = f"{entry['name']} {entry['weights'][:6]}" if entry["weights"] else entry["name"]
        lost = ", ".join(
            f"{end.removeprefix('lost: ')} {100 * count / entry['games']:.1f}%"
            for end, count in entry["ends"].items()
            if end != "won"
        )
        yield (
            f"{entry['level']:{wide}} {named:18} {entry['games']:6} {100 * entry['won'] / entry['games']:6.1f}%   "
            f"{100 * low:5.1f} to {100 * high:5.1f}  {entry['turns'] / entry['games']:6.1f} "
            f"{1000 * entry['seconds'] / entry['turns']:8.3f}  {lost}"
        )
    for found in book.data.get("compared", []):
        low, high = found["difference"]["ci"]
        yield (
            f"{found['level']:{wide}} {found['first']} against {found['second']}: {100 * found['difference']['float']:+.1f} points "
            f"(95% {100 * low:+.1f} to {100 * high:+.1f}, {found['games']} paired games)"
        )


def rows_of(options: argparse.Namespace) -> list[tuple[str, str, int]]:
    """Level, policy and games of each series to be played, in order."""
    if options.recipe:
        return [(level, name, number) for levels, names, number in RECIPE for level in levels for name in names]
    return [(level, name, options.games) for level in options.levels.split(",") for name in options.policies.split(",")]


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20, help="to be reached by each series (default: %(default)s)")
    parser.add_argument("--policies", default="discs,greedy", help="of " + ", ".join(POLICIES))
    parser.add_argument("--levels", default="standard", help="rulesets, with commas between (default: %(default)s)")
    parser.add_argument("--recipe", action="store_true", help="the rows of the published table")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=285, help="of set-ups, cards and roles (default: %(default)s)")
    parser.add_argument("--weights", type=Path, help="a file of weights rather than the shipped ones")
    parser.add_argument("--json", type=Path, help=f"file of results (default with --keep: {RESULTS.name})")
    parser.add_argument("--keep", action="store_true", help="continue from the kept results, and keep the new ones")
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument("--quick", action="store_true", help="try the script out: two games")
    options = parser.parse_args(argv)
    book = Book(options.json or (RESULTS if options.keep or options.show else None))
    if not options.show:
        rows = rows_of(options)
        unknown = sorted({name for _, name, _ in rows if name not in POLICIES})
        if unknown:
            parser.error(f"--policies: no policy {', '.join(unknown)}")
        try:
            for level in {level for level, _, _ in rows}:
                Ruleset.from_text(level)
        except RulesetError as error:
            parser.error(f"--levels: {error}")
        weights = read_weights(options.weights.read_text("utf-8")) if options.weights else shipped()
        book.data["machine"], book.data["commit"] = facts.machine(), facts.commit()
        book.data.setdefault("weights", {})[weights.digest] = dict(weights.made)
        with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
            for level, name, number in rows:
                series = book.series(name, level, options.seed, weights)
                wanted = 2 if options.quick else number
                while series.data["games"] < wanted:
                    play(series, weights, wanted, pool, options.jobs)
                    series.data["commit"] = book.data["commit"]
                    print(
                        f"{level} {name}: {series.data['won']} of {series.data['games']} won",
                        file=sys.stderr,
                        flush=True,
                    )
                    book.write()
    book.data["compared"] = list(comparisons(book))
    print("\n".join(table(book)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
