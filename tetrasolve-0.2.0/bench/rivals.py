"""Our policy against others at equal wall time a turn: paired games, kept in bench/results/rivals.json.

    python bench/rivals.py --games 100 --keep
    python bench/rivals.py --contestants ours,flat --seconds 0.5 --games 20 --keep
    python bench/rivals.py --try-settings --games 10
    python bench/rivals.py --show

Rivals are one-turn searches that a good engineer would build in a day on the same kernel, with our own network (`halving`) or a
plain count of discs (`discs`) at the leaves; flat Monte Carlo; and the Monte Carlo tree search of OpenSpiel on the adapter. Game
n of a seed has the same set-up and dice for all, see `benchkit.samedice`.

Each contestant has so many seconds a turn; what it took is measured and kept. What was played before is kept and gone on from.
Wall time decides here, so nothing can be repeated to the letter: run it on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.contestants import DISCS, FlatMonteCarlo, OneTurn, OpenSpielMcts, Ours
from benchkit.race import BenchError
from benchkit.samedice import Contestant, play
from benchkit.series import CONFIDENCE, Series, only_one_won, write

from tetrasolve.exact.estimate import paired_difference
from tetrasolve.tetrarchia import fast
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import Weights, read_weights, shipped
from tetrasolve.tetrarchia.ruleset import Ruleset

RESULTS = Path(__file__).parent / "results" / "rivals.json"
GOAL = 0.0  # by which the chance of ours must be greater, at the confidence

# Ours begins with a small look that fits into a tenth of a second, and grows.
CONTESTANTS: dict[str, dict[str, Any]] = {
    "ours": {"ends": 16, "samples": 36, "deep_ends": 2, "deep_samples": 4},
    "halving": {"evaluation": "ours", "ends": 96, "samples": 9, "rounds": 4},
    "discs": {"evaluation": "discs", **DISCS, "ends": 96, "samples": 9, "rounds": 4},
    "flat": {"aim": "progress", "share": 0.95, "ends": 256, "shares": "halving"},
    "mcts": {"search": "c++", "aim": "progress", "turns": 6, "rollouts": 1, "uct_c": 0.2, "solve": True},
    "mcts-kernel": {"search": "python", "aim": "progress", "share": 0.5, "rollouts": 8, "uct_c": 0.1, "solve": False},
}  # fmt: skip

# What was tried for the rivals, by contestant: what differs from the settings above.
TRIED: dict[str, list[dict[str, Any]]] = {
    "discs": [
        {"secured": 1.0},
        {"secured": 1.0, "army": -0.4},
        {"secured": 1.0, "army": -1.6},
        {"secured": 0.5},
        {},
        {"secured": 1.0, "revolt": -0.5},
    ],
    "flat": [
        {},
        {"aim": "victory"},
        {"aim": "endurance"},
        {"aim": "borders", "turns": 4},
        {"share": 0.5},
        {"share": 0.8},
        {"share": 0.9, "ends": 1024},
        {"share": 0.98, "ends": 1024},
        {"ends": 64},
        {"ends": 1024},
        {"shares": "even"},
        {"shares": "ucb", "c": 0.1, "ends": 64},
    ],
    "mcts": [
        {},
        {"aim": "victory", "turns": 400},
        {"aim": "standing"},
        {"aim": "borders"},
        {"turns": 2},
        {"turns": 400},
        {"uct_c": 0.05},
        {"uct_c": 1.4},
        {"rollouts": 4},
        {"solve": False},
    ],
    "mcts-kernel": [
        {},
        {"aim": "victory"},
        {"share": 0.8},
        {"uct_c": 0.03},
        {"uct_c": 0.5},
        {"rollouts": 2},
        {"rollouts": 32},
    ],
}


class TimedSeries(Series):
    """The games of one contestant at one level, and how long its turns took."""

    def add(self, result: str, turns: int, milliseconds: Counter[int]) -> None:
        """A game that was played now."""
        times = Counter({int(key): many for key, many in self.data["milliseconds"].items()}) + milliseconds
        self.data["milliseconds"] = {str(key): times[key] for key in sorted(times)}
        self.add_outcomes(result, turns)
        every = sorted(times.elements())
        self.data["milliseconds_a_turn"] = {
            "median": every[len(every) // 2],
            "mean": round(sum(every) / len(every), 1),
            "95%": every[int(0.95 * (len(every) - 1))],
            "max": every[-1],
        }


class Book:
    """The file of results."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.data: dict[str, Any] = {"bench": "rivals", "confidence": CONFIDENCE, "goal": GOAL, "series": []}
        if path is not None and path.exists():
            self.data = json.loads(path.read_text("utf-8")) | {"goal": GOAL}

    def series(
        self, name: str, settings: dict[str, Any], level: str, seed: int, seconds: float, own: str
    ) -> TimedSeries:
        """What was played so far; a new one for other settings, another time, seed or weights."""
        weights = own if name in ("ours", "halving") else None  # the others do not look at them
        wanted = {
            "name": name,
            "settings": settings,
            "level": level,
            "seed": seed,
            "seconds": seconds,
            "weights": weights,
        }
        for entry in self.data["series"]:
            if all(entry[key] == value for key, value in wanted.items()):
                return TimedSeries(entry)
        entry = wanted | {
            "games": 0,
            "won": 0,
            "outcomes": "",
            "turns": 0,
            "milliseconds": {},
            "commit": facts.commit(),
        }
        self.data["series"].append(entry)
        return TimedSeries(entry)

    def write(self) -> None:
        """Keeps it."""
        self.data["compared"] = list(comparisons(self))
        if self.path is None:
            return
        self.data["machine"], self.data["kernel"] = facts.machine(), facts.compiled_kernel()
        self.data["versions"] = {"open-spiel": facts.version("open-spiel")}
        write(self.path, self.data)


def contestant(series: Series, weights: Weights) -> Contestant:
    """Who plays a series, made again for each game, so that a game depends on nothing that was before."""
    data = series.data
    level = Ruleset.from_level(data["level"])
    rules = fast.kernel_for(Board.standard(), level)
    seed = 1_000_003 * data["seed"] + len(series.outcomes)
    settings = dict(data["settings"])
    if data["name"] == "ours":
        return Ours(rules, level, data["seconds"], seed, weights, settings)
    if "evaluation" in settings:
        return OneTurn(rules, level, data["seconds"], seed, weights, settings)
    kinds: dict[bool, Any] = {True: OpenSpielMcts, False: FlatMonteCarlo}
    rival: Contestant = kinds["search" in settings](rules, level, data["seconds"], seed, settings)
    return rival


def run(book: Book, series: TimedSeries, weights: Weights, games: int) -> None:
    """Plays a series up to so many games, keeping each."""
    level = Ruleset.from_level(series.data["level"])
    rules, player = fast.kernel_for(Board.standard(), level), new_player(Board.standard(), level, weights)
    while len(series.outcomes) < games:
        played = play(contestant(series, weights), rules, player, level, series.data["seed"], len(series.outcomes))
        series.add(played.result, played.turns, played.milliseconds)
        series.data["commit"] = facts.commit()
        book.write()
        say = f"{series.data['level']} {series.data['name']}: {series.data['won']} of {series.data['games']} won"
        print(say, file=sys.stderr, flush=True)


def comparisons(book: Book) -> Iterator[dict[str, Any]]:
    """Ours with each rival, on the games that both have played in the same time."""
    entries = [Series(entry) for entry in book.data["series"] if entry["games"]]
    for ours in entries:
        for rival in entries:
            same = all(ours.data[key] == rival.data[key] for key in ("level", "seed", "seconds"))
            if ours.data["name"] == "ours" and rival.data["name"] != "ours" and same:
                yield compared(ours, rival)


def compared(ours: Series, rival: Series) -> dict[str, Any]:
    """Ours with one rival; `reached` is whether the whole interval lies above the goal, `missed` whether it lies below."""
    only_ours, only_rival, games = only_one_won(ours, rival)
    difference = paired_difference(only_ours, only_rival, games, CONFIDENCE)
    return {
        "level": ours.data["level"],
        "seconds": ours.data["seconds"],
        "rival": rival.data["name"],
        "settings": rival.data["settings"],
        "ours": ours.data["settings"],
        "weights": ours.data["weights"],
        "games": games,
        "only_ours": only_ours,
        "only_rival": only_rival,
        "difference": difference.as_data(),
        "above_goal": difference.above(GOAL),
    }


def table(book: Book) -> Iterator[str]:
    """What is known, in lines."""
    yield f"{'level':5} {'contestant':12} {'s/turn':>6} {'games':>5} {'won':>6}   95% interval   ms a turn: median, mean, 95%, most"
    for entry in book.data["series"]:
        if not entry["games"]:
            continue
        low, high = entry["rate"]["ci"]
        times = entry["milliseconds_a_turn"]
        settings = ", ".join(f"{name} {value}" for name, value in entry["settings"].items())
        turns = entry["turns"] / entry["games"]
        yield (
            f"{entry['level']:5} {entry['name']:12} {entry['seconds']:6} {entry['games']:5} "
            f"{100 * entry['won'] / entry['games']:5.1f}%   {100 * low:5.1f} to {100 * high:5.1f}   "
            f"{times['median']}, {times['mean']}, {times['95%']}, {times['max']}; {turns:.1f} turns; {settings}"
        )
    for found in book.data.get("compared", []):
        low, high = found["difference"]["ci"]
        difference = 100 * found["difference"]["float"]
        verdict = {True: "above", False: "below", None: "not distinguished from"}[found["above_goal"]]
        yield (
            f"{found['level']} at {found['seconds']} s: ours against {found['rival']}: {difference:+.1f} points "
            f"(95% {100 * low:+.1f} to {100 * high:+.1f}, {found['games']} paired games), {verdict} the goal of {100 * GOAL:.0f}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=20, help="to be reached by each series (default: %(default)s)")
    parser.add_argument("--contestants", default=",".join(CONTESTANTS), help="(default: %(default)s)")
    parser.add_argument("--levels", default="4211", help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=0.1, help="wall time of a turn (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=285, help="of set-ups and dice (default: %(default)s)")
    parser.add_argument("--weights", type=Path, help="a file of weights rather than the shipped ones")
    parser.add_argument("--try-settings", action="store_true", help="play the rivals with all settings that were tried")
    parser.add_argument("--json", type=Path, default=None, help="file of results")
    parser.add_argument(
        "--keep", action="store_true", help=f"continue from {RESULTS.name}, and keep the new results there"
    )
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument(
        "--quick", action="store_true", help="try the script out: one game, a hundredth of a second a turn"
    )
    options = parser.parse_args(argv)
    if not options.seconds > 0:
        parser.error(f"--seconds: expected more than 0, got {options.seconds}")
    book = Book(options.json or (RESULTS if options.keep or options.show else None))
    names = options.contestants.split(",")
    if unknown := [name for name in names if name not in CONTESTANTS]:
        parser.error(f"--contestants: no {', '.join(unknown)}; there are {', '.join(CONTESTANTS)}")
    if options.show:
        print("\n".join(table(book)))
        return 0
    weights = read_weights(options.weights.read_text("utf-8")) if options.weights else shipped()
    seconds, games = (0.01, 1) if options.quick else (options.seconds, options.games)
    for level in options.levels.split(","):
        for name in names:
            for changed in TRIED.get(name, []) if options.try_settings else [{}]:
                settings = {**CONTESTANTS[name], **changed}
                series = book.series(name, settings, level, options.seed, seconds, weights.digest)
                try:
                    run(book, series, weights, games)
                except BenchError as missing:
                    print(f"rivals: {missing}; the rest is measured without it", file=sys.stderr)
    book.write()
    print("\n".join(table(book)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
