"""How well the evaluation knows the chance of winning: what it says of tables, beside how their games went.

    python bench/calibration.py --keep
    python bench/calibration.py --show

The games are fresh ones by the expectimax of bench/strength.py with the weights at hand, at all levels as often. Each start
of a turn, and each end of one, is a table that the evaluation says a chance of; the game is then won or lost. At one turn of
four a hint is asked for as well: its chance is what came of other games, those of the calibration that is shipped. Tables are
sorted into ten bins by the predicted chance. All tables of a game share its outcome, so the intervals count games, not tables: a
bin has as many independent tables as Kish's effective sample size says of the tables of each game in it, rounded down, and
its interval is Wilson's at that size. The Brier score is the mean square of the predicted chance less the result; beside it stands
that of a predictor that always says the share that was won (the base rate), with an interval for the difference from the
spread between games.

Then games of single levels, modules, variants and scenarios, so many of each. For each of these groups stands what the hints
said on average beside the share of games that were won, each game counted with its number of hints, and an interval for the
difference, which is Wilson's as in a bin, and the Brier score and the bins of the group.
These intervals hold together: at 95 % all of them contain what they are about.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.command import Kept
from benchkit.series import CONFIDENCE

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import TetrasolveError
from tetrasolve.exact.binomial import normal, wilson
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.executor import Job, in_order
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.fast import to_position
from tetrasolve.tetrarchia.hint.advice import hint
from tetrasolve.tetrarchia.hint.courses import named, seated
from tetrasolve.tetrarchia.hint.evaluation import states_in
from tetrasolve.tetrarchia.hint.players import new_player
from tetrasolve.tetrarchia.hint.weights import Weights, read_weights, shipped
from tetrasolve.tetrarchia.kernel import ROMAN, WON
from tetrasolve.tetrarchia.rules import scenarios
from tetrasolve.tetrarchia.ruleset import MODULES, VARIANTS, all_levels
from tetrasolve.tetrarchia.scenario.policies import POLICIES

RESULTS = Path(__file__).parent / "results" / "calibration.json"
BINS = 10
FEWEST = 5000  # tables, in a run that is kept
MOST_TURNS = 400  # of a game; one that is not over by then counts as not won, as in bench/strength.py
MOMENTS = {"start": "start of a turn", "end": "end of a turn", "hint": "hint for a turn"}
EVERY = 4  # turns: at one of them a hint is asked for
GROUPS = (
    "5300", "4211", "4222", "3122",
    *(f"4211+{name}" for name in (*MODULES, *VARIANTS)),
    *(f"{name}{how}" for name in scenarios() for how in ("", " fixed")),
)  # fmt: skip


@dataclass(frozen=True)
class Sample:
    """The predicted chance of one table, the game it is from, and whether that was won."""

    chance: float
    game: int
    won: bool


Said = list[tuple[str, float]]  # moments, and the chances that are predicted there


def tables(weights: Weights, games: int, seed: int, workers: Workers = 1) -> dict[str, list[Sample]]:
    """All tables of so many games, the levels one after another."""
    found: dict[str, list[Sample]] = {moment: [] for moment in MOMENTS}
    for number, (said, won) in played(_tables_of_game, (weights, seed), games, workers):
        for moment, chance in said:
            found[moment].append(Sample(chance, number, won))
    return {moment: samples for moment, samples in found.items() if samples}


def group(name: str, games: int, seed: int, workers: Workers = 1) -> list[Sample]:
    """The hints in so many games of a level with modules, or of a scenario."""
    rows = played(_hints_of_game, (name, seed), games, workers)
    return [Sample(chance, number, won) for number, (said, won) in rows for _, chance in said]


def played(job: Job, context: Any, games: int, workers: Workers) -> Iterator[tuple[int, tuple[Said, bool]]]:
    """What a job says of each game, in their order."""
    with executing(workers) as executor, closing(executor.run(job, context, range(games))) as results:
        yield from in_order(results, range(games))


def _tables_of_game(context: tuple[Weights, int], number: int) -> tuple[list[tuple[str, float]], bool]:
    """What is said of the tables of a game, and whether it was won; of `EVERY` starts of turns one has a hint."""
    weights, seed = context
    levels = list(all_levels())
    level = levels[number % len(levels)]
    asks = weights == shipped()  # hints are by these
    player = new_player(Board.standard(), level, weights)
    policy = POLICIES["expectimax"]
    results, noted, *_ = player.lessons(
        1, level.revolts, level.fleets, level.armies, seed, first=number, strays=0, others=0,
        ends=policy["ends"], samples=policy["samples"], most_turns=MOST_TURNS,
    )  # fmt: skip
    said, starts = [], number % EVERY
    for state in states_in(noted):
        moment = "start" if state.phase == ROMAN else "end"
        said.append((moment, player.value(state)))
        starts += moment == "start"
        if moment == "start" and asks and starts % EVERY == 0:
            best = hint(to_position(state, Board.standard(), level), top=1, seed=number, budget="expectimax").best
            said.append(("hint", best.win.value))
    return said, results[0][0] == WON


def _hints_of_game(context: tuple[str, int], number: int) -> tuple[list[tuple[str, float]], bool]:
    """The hints in a game of a course, and whether it was won."""
    name, seed = context
    course = named(name)
    level = course.ruleset
    player, start, engine = seated(course, seed, number)
    policy = POLICIES["expectimax"]
    results, noted, *_ = player.lessons(
        1, level.revolts, level.fleets, level.armies, seed, first=number, strays=0, others=0,
        ends=policy["ends"], samples=policy["samples"], most_turns=MOST_TURNS, start=start,
    )  # fmt: skip
    turns = [state for state in states_in(noted, engine) if state.phase == ROMAN]
    said = []
    for state in turns[number % EVERY :: EVERY]:
        best = hint(to_position(state, Board.standard(), level), top=1, seed=number, budget="expectimax").best
        said.append(("hint", best.win.value))
    return said, results[0][0] == WON


def effective(samples: Sequence[Sample]) -> int:
    """As how many independent samples these count: Kish's effective sample size of those of each game, rounded down."""
    of_games = Counter(one.game for one in samples).values()
    return int(len(samples) ** 2 / sum(n * n for n in of_games) + 1e-9)


def won_between(samples: Sequence[Sample], confidence: float) -> tuple[float, float]:
    """The interval of the chance to win of which the share that was won is an estimate."""
    size = effective(samples)
    return wilson(round(size * sum(one.won for one in samples) / len(samples)), size, confidence)


def difference(name: str, samples: Sequence[Sample], confidence: float) -> dict[str, Any]:
    """What was predicted and what was won, and the difference with its interval, in which games are independent.

    The interval is that of the share that was won. One from the spread of the differences between games would be too narrow
    where hardly a game is lost: without any it says nothing about the games that could have been.
    """
    scores = brier(samples, confidence)
    low, high = won_between(samples, confidence)
    mean = sum(one.chance for one in samples) / len(samples)
    return {
        "group": name, "games": scores["games"], "hints": scores["tables"], "effective": effective(samples),
        "predicted": scores["predicted"], "won": scores["base_rate"],
        "brier": scores["brier"], "brier_of_base_rate": scores["brier_of_base_rate"],
        "bins": reliability(samples, CONFIDENCE),
        "difference": {
            "value": round(mean - sum(one.won for one in samples) / len(samples), 4),
            "ci": [round(mean - high, 4), round(mean - low, 4)],
        },
    }  # fmt: skip


def reliability(samples: Sequence[Sample], confidence: float) -> list[dict[str, Any]]:
    """For each bin that is not empty: what was predicted on average, the share that was won, and its interval."""
    bins: list[list[Sample]] = [[] for _ in range(BINS)]
    for one in samples:
        bins[min(int(one.chance * BINS), BINS - 1)].append(one)
    rows = []
    for number, inside in enumerate(bins):
        if not inside:
            continue
        share = sum(one.won for one in inside) / len(inside)
        low, high = won_between(inside, confidence)
        rows.append({
            "from": number / BINS, "to": (number + 1) / BINS, "tables": len(inside), "games": len({one.game for one in inside}),
            "effective": effective(inside), "predicted": round(sum(one.chance for one in inside) / len(inside), 4),
            "won": round(share, 4), "ci": [round(low, 4), round(high, 4)],
        })  # fmt: skip
    return rows


def brier(samples: Sequence[Sample], confidence: float) -> dict[str, Any]:
    """The Brier score, that of the base rate, and by how much it is less, with an interval."""
    base = sum(one.won for one in samples) / len(samples)
    gains: Counter[int] = Counter()
    score = constant = 0.0
    for one in samples:
        own, other = (one.chance - one.won) ** 2, (base - one.won) ** 2
        score, constant = score + own, constant + other
        gains[one.game] += other - own  # type: ignore[assignment] # a sum for each game
    mean = (constant - score) / len(samples)
    counts = Counter(one.game for one in samples)
    spread = sqrt(sum((gains[game] - mean * n) ** 2 for game, n in counts.items())) / len(samples)
    half = normal(confidence) * spread
    return {
        "tables": len(samples), "games": len(counts), "base_rate": round(base, 4),
        "predicted": round(sum(one.chance for one in samples) / len(samples), 4),
        "brier": round(score / len(samples), 5), "brier_of_base_rate": round(constant / len(samples), 5),
        "gain": {"value": round(mean, 5), "ci": [round(mean - half, 5), round(mean + half, 5)]},
    }  # fmt: skip


def report(
    weights: Weights, games: int, of_each: int, seed: int, names: Sequence[str] = GROUPS, workers: Workers = 1
) -> dict[str, Any]:
    """All that is kept."""
    found = tables(weights, games, seed, workers)
    each = 1 - (1 - CONFIDENCE) / len(names)  # of one interval, so that all hold together
    groups = (
        [difference(name, group(name, of_each, seed, workers), each) for name in names] if weights == shipped() else []
    )
    return {
        "bench": "calibration", "confidence": CONFIDENCE, "seed": seed, "games": games, "commit": facts.commit(),
        "machine": facts.machine(), "kernel": facts.compiled_kernel(), "policy": POLICIES["expectimax"],
        "weights": {"digest": weights.digest, "made": dict(weights.made)},
        "moments": {
            moment: brier(samples, CONFIDENCE) | {"bins": reliability(samples, CONFIDENCE)} for moment, samples in found.items()
        },
        "groups": groups, "networks": [shipped().digest, shipped(modules=True).digest],  # of the hints in the groups
    }  # fmt: skip


def lines(data: dict[str, Any]) -> Iterator[str]:
    """The report as a table."""
    yield f"{data['games']} games, seed {data['seed']}, weights {data['weights']['digest']}"
    for moment, found in data["moments"].items():
        low, high = found["gain"]["ci"]
        yield ""
        yield (
            f"{MOMENTS[moment]}: {found['tables']} tables, predicted {found['predicted']:.3f}, won {found['base_rate']:.3f}; Brier "
            f"{found['brier']:.4f}, of the base rate {found['brier_of_base_rate']:.4f} "
            f"(better by {found['gain']['value']:.4f}, 95% {low:.4f} to {high:.4f})"
        )
        yield from _bins(found["bins"])
    if data["groups"]:
        yield ""
        yield (
            f"{'group':>28} {'games':>6} {'hints':>6} {'predicted':>9} {'won':>6} {'Brier':>6}   "
            "difference, simultaneous 95% intervals"
        )
    for row in data["groups"]:
        low, high = row["difference"]["ci"]
        yield (
            f"{row['group']:>28} {row['games']:6} {row['hints']:6} {row['predicted']:9.3f} {row['won']:6.3f} "
            f"{row['brier']:6.4f}   {row['difference']['value']:+.3f} ({low:+.3f} to {high:+.3f})"
        )
    for row in data["groups"]:
        yield from ("", f"hints at {row['group']}:", *_bins(row["bins"]))


def _bins(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield f"{'bin':>10} {'tables':>7} {'games':>6} {'predicted':>9} {'won':>6}   95% interval"
    for row in rows:
        yield (
            f"{row['from']:.1f} to {row['to']:.1f} {row['tables']:7} {row['games']:6} {row['predicted']:9.3f} "
            f"{row['won']:6.3f}   {row['ci'][0]:.3f} to {row['ci'][1]:.3f}"
        )


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    kept = Kept(__doc__ or "", RESULTS, lines, "six games")
    parser = kept.parser
    parser.add_argument("--games", type=int, default=810, help="(default: %(default)s)")
    parser.add_argument("--of-each", type=int, default=100, help="games of each group (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1812, help="of set-ups and dice (default: %(default)s)")
    parser.add_argument("--weights", type=Path, help="a file of weights rather than the shipped ones")
    add_workers(parser)
    options = kept.options(argv)
    if options is None:
        return 0
    weights = read_weights(options.weights.read_text("utf-8")) if options.weights else shipped()
    try:
        with workers_of(options) as workers:
            if options.quick:
                data = report(weights, 6, 1, options.seed, GROUPS[::9], workers)
            else:
                data = report(weights, options.games, options.of_each, options.seed, workers=workers)
    except (TetrasolveError, ValueError) as error:
        parser.error(str(error))
    if options.keep and any(found["tables"] < FEWEST for found in data["moments"].values()):
        parser.error(f"--keep: expected at least {FEWEST} tables of each moment; play more games")
    return kept.finish(options, data)


if __name__ == "__main__":
    sys.exit(main())
