"""How often each policy wins: games with the same set-ups and dice for all, kept in bench/results/strength.json.

    python bench/strength.py --games 2000 --policies random,greedy,expectimax --levels 4211,4222
    python bench/strength.py --levels 4211+dux,great-persian-war --json modules.json
    python bench/strength.py --show

Game number n at a level has its set-up and its dice from the seed and n for every policy; only where the zones of the
fleets are chosen, and what attacks are made, is up to the policy. A level may have modules and variants. A scenario may stand
for a level, with its rolled set-up or, with " fixed", the one without dice.

What was played before is kept and gone on from: a run of more games adds to it, one of as many does nothing.
Processes (--jobs) or a cluster (--cluster) change no result. Results belong to a
policy with its numbers and to weights, by digest.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import benchkit.played
from benchkit import facts
from benchkit.played import Games, play_all
from benchkit.series import CONFIDENCE, Series, only_one_won, write

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import RulesetError, TetrasolveError
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.estimate import paired_difference
from tetrasolve.exact.sprt import Sprt
from tetrasolve.stop import Stop
from tetrasolve.tetrarchia.hint.courses import named
from tetrasolve.tetrarchia.hint.players import DECIDE
from tetrasolve.tetrarchia.hint.weights import Weights, read_weights, shipped
from tetrasolve.tetrarchia.kernel import FALLEN, WON
from tetrasolve.tetrarchia.scenario.policies import POLICIES

RESULTS = Path(__file__).parent / "results" / "strength.json"
LETTERS = {WON: "w", FALLEN: "l"}  # and "o" for a game that was not over after its most turns
CHUNK_SECONDS = 30  # after about so long what was played is written down

LEVELS = ("5300", "4200", "4211", "4222", "3122")


class PolicySeries(Series):
    """The games of one policy at one level."""

    def add(self, results: Sequence[tuple[int, int, int]], seconds: float) -> None:
        """Games that were played now."""
        letters = "".join(LETTERS.get(result, "o") for result, _, _ in results)
        self.add_outcomes(letters, sum(turns for _, turns, _ in results))
        self.data["seconds"] = round(self.data["seconds"] + seconds, 3)
        for _, _, step in results:
            if step:
                self.data["fell_in_step"][step - 1] += 1


class Book:
    """The file of results."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data: dict[str, Any] = {"bench": "strength", "confidence": CONFIDENCE, "series": []}
        if path.exists():
            self.data = json.loads(path.read_text("utf-8"))

    def series(self, name: str, level: str, seed: int, weights: Weights, opponent: str | None = None) -> PolicySeries:
        """What was played so far; a new one if it is for another policy, seed, weights or player of the Barbarians."""
        digest = named_weights(weights)
        wanted = {"name": name, "policy": dict(POLICIES[name]), "level": level, "seed": seed, "weights": digest}
        if name == "random":
            wanted["weights"] = None  # it does not look at them
        if opponent is not None:
            wanted["opponent"] = opponent
        for entry in self.data["series"]:
            if all(entry.get(key) == value for key, value in wanted.items()) and entry.get("opponent") == opponent:
                return PolicySeries(entry)
        entry = wanted | {"games": 0, "won": 0, "outcomes": "", "turns": 0, "seconds": 0.0, "fell_in_step": [0, 0, 0]}
        self.data["series"].append(entry)
        return PolicySeries(entry)

    def write(self) -> None:
        """Keeps it, with where and with what the last games were played."""
        self.data["series"].sort(key=lambda entry: (entry["level"], list(POLICIES).index(entry["name"])))
        write(self.path, self.data)


def named_weights(weights: Weights) -> str:
    """The digest of the weights; where they extend those of the base game for modules, the digests of both."""
    base = weights.made.get("base", {}).get("digest")
    return f"{base}+{weights.digest}" if base else weights.digest


def wanted(series: PolicySeries, weights: Weights, games: int) -> Games:
    """The games that are missing up to so many."""
    entry = series.data
    other = None if entry.get("opponent", DECIDE) == DECIDE else entry["opponent"]  # None: its own policy
    return Games(entry["level"], entry["policy"], entry["seed"], weights, len(series.outcomes), games, other)


def play(series: PolicySeries, weights: Weights, games: int) -> None:
    """So many more games, here."""
    series.add(*benchkit.played.play(wanted(series, weights, len(series.outcomes) + games)))


def play_missing(
    rows: Sequence[tuple[PolicySeries, Weights, int]], workers: Workers, stop: Stop | None = None
) -> Iterator[tuple[int, bool]]:
    """Play each of some series up to so many games: the number of a series to which games were added, and whether it is done."""
    jobs = [(row, job) for row, one in enumerate(rows) for job in wanted(*one).jobs()]
    for number, results, seconds in play_all([job for _, job in jobs], workers, stop):
        row = jobs[number][0]
        series, _, games = rows[row]
        if results:
            series.add(results, seconds)
        yield row, len(series.outcomes) >= games


def compared(first: Series, second: Series) -> dict[str, Any]:
    """Two policies on the games that both have played."""
    only_first, only_second, games = only_one_won(first, second)
    test = Sprt()
    return {
        "level": first.data["level"],
        "first": first.data["name"],
        "second": second.data["name"],
        "weights": [first.data["weights"], second.data["weights"]],
        "games": games,
        "only_first": only_first,
        "only_second": only_second,
        "difference": paired_difference(only_first, only_second, games, CONFIDENCE).as_data(),
        "sprt": {"share": test.share, "ratio": round(test.ratio(only_first, only_second), 3),
                 "verdict": test.verdict(only_first, only_second).value},
    }  # fmt: skip


def comparisons(book: Book) -> Iterator[dict[str, Any]]:
    """Level by level: each policy with the one before it, by the same weights; then each with itself by the weights before."""
    entries = [Series(entry) for entry in book.data["series"] if entry["games"]]
    known = list(book.data["weights"])  # in the order in which they were first played with
    for level in sorted({entry.data["level"] for entry in entries}):
        here = [entry for entry in entries if entry.data["level"] == level]
        groups = [[entry for entry in here if entry.data["weights"] in (own, None)] for own in known]
        for name in POLICIES:
            own = [entry for entry in here if entry.data["name"] == name and entry.data["weights"]]
            groups.append(sorted(own, key=lambda entry: known.index(entry.data["weights"])))
        for group in groups:
            for before, after in pairwise(group):
                if before.data["seed"] == after.data["seed"]:
                    yield compared(after, before)


def titled(policy: str, weights: str | None) -> str:
    """A policy with the beginning of the digest of its weights."""
    return f"{policy} {weights[:6]}" if weights else policy


def table(book: Book) -> Iterator[str]:
    """What is known, in lines."""
    wide = max((len(entry["level"]) for entry in book.data["series"]), default=6)
    yield f"{'level':{wide}} {'policy':18} {'games':>6} {'won':>7}   95% interval     turns  ms/turn  fell in step 1/2/3, open"
    for entry in book.data["series"]:
        if not entry["games"]:
            continue
        low, high = entry["rate"]["ci"]
        turns, games = entry["turns"], entry["games"]
        yield (
            f"{entry['level']:{wide}} {titled(entry['name'], entry['weights']):18} {games:6} {100 * entry['won'] / games:6.1f}%   "
            f"{100 * low:5.1f} to {100 * high:5.1f}  {turns / games:7.1f} {1000 * entry['seconds'] / turns:8.2f}  "
            f"{'/'.join(map(str, entry['fell_in_step']))}, {entry['outcomes'].count('o')}"
        )
    for found in book.data.get("compared", []):
        low, high = found["difference"]["ci"]
        first, second = map(titled, (found["first"], found["second"]), found["weights"])
        yield (
            f"{found['level']:{wide}} {first} against {second}: {100 * found['difference']['float']:+.1f} points "
            f"(95% {100 * low:+.1f} to {100 * high:+.1f}, {found['games']} paired games), SPRT: {found['sprt']['verdict']}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20, help="to be reached by each series (default: %(default)s)")
    add_workers(parser)
    parser.add_argument("--policies", default="random,greedy,expectimax", help="of " + ", ".join(POLICIES))
    parser.add_argument("--levels", default=",".join(LEVELS), help="(default: %(default)s)")
    parser.add_argument("--seed", type=int, default=285, help="of set-ups and dice (default: %(default)s)")
    parser.add_argument("--weights", type=Path, help="a file of weights rather than the shipped ones")
    parser.add_argument(
        "--json", type=Path, default=None, help=f"file of results (default with --keep: {RESULTS.name})"
    )
    parser.add_argument("--keep", action="store_true", help="continue from the kept results, and keep the new ones")
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument("--quick", action="store_true", help="try the script out: two games")
    options = parser.parse_args(argv)
    book = Book(options.json or (RESULTS if options.keep or options.show else Path("nowhere")))
    names, levels = options.policies.split(","), options.levels.split(",")
    unknown = [name for name in names if name not in POLICIES]
    try:
        courses = {level: named(level) for level in levels}
    except RulesetError as error:
        parser.error(f"--levels: {error}")
    if unknown:
        parser.error(f"--policies: no policy {', '.join(unknown)}")
    if not options.show:
        given = read_weights(options.weights.read_text("utf-8")) if options.weights else None
        games = 2 if options.quick else options.games
        book.data["machine"], book.data["kernel"] = facts.machine(), facts.compiled_kernel()
        book.data["commit"] = facts.commit()
        rows = []
        for level in levels:
            weights = given or shipped(modules=courses[level].has_modules)
            book.data.setdefault("weights", {})[named_weights(weights)] = dict(weights.made)
            rows += [(book.series(name, level, options.seed, weights), weights, games) for name in names]
        try:
            with workers_of(options) as workers:
                run(book, rows, workers, keep=options.keep or options.json)
        except (TetrasolveError, ValueError) as error:
            parser.error(str(error))
        book.data["compared"] = list(comparisons(book))
        if options.keep or options.json:
            book.write()
    print("\n".join(table(book)))
    return 0


def run(
    book: Book, rows: Sequence[tuple[PolicySeries, Weights, int]], workers: Workers = 1, *, keep: Any = None
) -> None:
    """Plays series up to so many games, keeping what was done on the way."""
    written = time.monotonic()
    for row, is_done in play_missing(rows, workers):
        series = rows[row][0]
        series.data["commit"] = book.data["commit"]
        if is_done or time.monotonic() - written > CHUNK_SECONDS:
            say = f"{series.data['level']} {series.data['name']}: {series.data['won']} of {series.data['games']} won"
            print(say, file=sys.stderr, flush=True)
            written = time.monotonic()
            if keep:
                book.data["compared"] = list(comparisons(book))
                book.write()


if __name__ == "__main__":
    sys.exit(main())
