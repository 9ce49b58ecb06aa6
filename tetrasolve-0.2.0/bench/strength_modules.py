"""How hard modules, variants and scenarios are, and how strong the policies are there: bench/results/strength-modules.json.

    python bench/strength_modules.py --keep --seconds 3600 --jobs 2
    python bench/strength_modules.py --show

What is played is in bench/strength-modules.toml: stages, and groups of rows. The games are those of bench/strength.py, with the
shipped weights: game number n of a row has its set-up and dice from the seed and n. A level has the same set-ups with modules and
without, so the difference that a module makes is that of paired games. A scenario has set-ups of its own.

The run goes on from what is kept, and can be interrupted. Processes (--jobs) or a cluster (--cluster) change no result. Results of
other weights are not taken over.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchkit import facts
from benchkit.series import CONFIDENCE, Series, only_one_won
from strength import CHUNK_SECONDS, POLICIES, Book, PolicySeries, named_weights, play_missing

from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import ClusterError, RulesetError, TetrasolveError
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.estimate import paired_difference
from tetrasolve.stop import Stop
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.hint.courses import named
from tetrasolve.tetrarchia.hint.weights import Weights, shipped

HERE = Path(__file__).parent
TABLE, RESULTS = HERE / "strength-modules.toml", HERE / "results" / "strength-modules.json"
STRONG = 0.97  # the policies need not differ where all of them win more than this
STRONGER = ("expectimax", "search")  # than greedy


@dataclass(frozen=True)
class Row:
    """One line of the table: what is played, who plays the Barbarians, and the row that it is compared with."""

    group: str
    course: str
    opponent: str | None = None
    than: str | None = None

    def as_data(self) -> dict[str, Any]:
        """The row as JSON data."""
        return {"group": self.group, "course": self.course, "opponent": self.opponent, "than": self.than}

    def __str__(self) -> str:
        return self.course + (f", Barbarians {self.opponent}" if self.opponent else "")


@dataclass(frozen=True)
class Stage:
    """So many games of each row by each of these policies; where `until_bar` is set, of rows that have not reached the bar."""

    policies: tuple[str, ...]
    games: int
    until_bar: bool = False


@dataclass(frozen=True)
class Table:
    """All that is to be played, in this order."""

    seed: int
    stages: tuple[Stage, ...]
    rows: tuple[Row, ...]

    def compared(self, row: Row) -> Row | None:
        """The row with which one is compared: with the same player of the Barbarians, or with none.

        :raises RulesetError: when the table does not have it.
        """
        if row.than is None:
            return None
        for other in self.rows:
            if other.course == row.than and other.opponent in (row.opponent, None):
                return other
        raise RulesetError(f"{row}: the table has no row {row.than!r} to compare it with")


def read_table(path: Path = TABLE) -> Table:
    """The table of a file."""
    data = read_toml(path.read_text("utf-8"))
    stages = tuple(
        Stage(tuple(stage["policies"]), stage["games"], stage.get("until_bar", False)) for stage in data["stages"]
    )
    table = Table(data["seed"], stages, tuple(row for group in data["groups"] for row in _rows(group)))
    for row in table.rows:
        named(row.course)
        table.compared(row)
    return table


def _rows(group: dict[str, Any]) -> Iterator[Row]:
    courses = group.get("courses") or [f"{level}+{rules}" for level in group["levels"] for rules in group["rules"]]
    for course in courses:
        than = group.get("than")
        if than is not None:
            than = than.format(level=course.partition("+")[0], scenario=course.partition(" ")[0])
        for opponent in group.get("opponents", [None]):
            yield Row(group["title"], course, opponent, than)


@dataclass(frozen=True)
class Missing:
    """A row that has fewer games by a policy than it will have."""

    row: Row
    policy: str
    games: int


class Measurement:
    """A table with the games of its rows, in a file."""

    def __init__(self, table: Table, path: Path | None) -> None:
        self.table, self.path = table, path
        self.book = Book(path or Path("nowhere"))
        self.data = self.book.data
        self.data["bench"] = "strength-modules"
        used = [shipped(), shipped(modules=True)]
        weights = {named_weights(one): dict(one.made) for one in used}
        kept = [entry for entry in self.data["series"] if entry["weights"] in weights]
        if len(kept) < len(self.data["series"]):
            say(f"{len(self.data['series']) - len(kept)} series are of other weights and are not taken over")
        self.data |= {"series": kept, "weights": weights, "seed": table.seed}

    def series(self, row: Row, policy: str) -> tuple[PolicySeries, Weights]:
        """The games of a row by a policy, and the weights."""
        weights = shipped(modules=named(row.course).has_modules)
        return self.book.series(policy, row.course, self.table.seed, weights, row.opponent), weights

    def missing(self) -> list[Missing]:
        """What is still to be played, by what is known now."""
        return [one for stage in self.table.stages for one in self.missing_of(stage)]

    def missing_of(self, stage: Stage) -> list[Missing]:
        """What is still to be played of a stage."""
        rows = [row for row in self.table.rows if not stage.until_bar or self.bar(row)["reached"] is False]
        return [
            Missing(row, policy, stage.games)
            for row in rows
            for policy in stage.policies
            if self.series(row, policy)[0].data["games"] < stage.games
        ]

    def run(self, stop: Stop | None, workers: Workers = 1) -> None:
        """Plays what is missing, and keeps it on the way."""
        self.data |= {"machine": facts.machine(), "kernel": facts.compiled_kernel(), "commit": facts.commit()}
        for number, stage in enumerate(self.table.stages, start=1):
            missing = self.missing_of(stage)
            rows = [(*self.series(one.row, one.policy), one.games) for one in missing]
            done, kept = 0, time.monotonic()
            for row, is_done in play_missing(rows, workers, stop):
                if all(rows[row][0].data is not entry for entry in self.data["series"]):
                    self.data["series"].append(rows[row][0].data)  # left out of the file while it had no games
                if is_done or time.monotonic() - kept > CHUNK_SECONDS:
                    self.keep()
                    kept = time.monotonic()
                if is_done:
                    done, one, entry = done + 1, missing[row], rows[row][0].data
                    say(
                        f"stage {number} of {len(self.table.stages)}, {done} of {len(missing)}: {one.row}, {one.policy}: "
                        f"{entry['won']} of {entry['games']} won"
                    )

    def keep(self) -> None:
        """Writes the file, with what the games say."""
        self.data["table"] = [self.of_row(row) for row in self.table.rows]
        self.data["series"] = [entry for entry in self.data["series"] if entry["games"]]  # it asked for all of them
        if self.path is not None:
            self.book.write()

    def of_row(self, row: Row) -> dict[str, Any]:
        """What the games say of a row: by each policy what it won, and how much more or less than in the row compared with."""
        than = self.table.compared(row)
        found = row.as_data() | {"policies": {}}
        for policy in self.policies:
            own = self.series(row, policy)[0]
            entry = {
                "games": own.data["games"],
                "goal": self.goal(policy),
                "won": own.data["won"],
                "rate": own.data.get("rate"),
            }
            if than is not None:
                entry["difference"] = difference(own, self.series(than, policy)[0])
            found["policies"][policy] = entry
        return found | {"bar": self.bar(row)}

    @property
    def policies(self) -> list[str]:
        """Those of all stages, the weakest first."""
        return [policy for policy in POLICIES if any(policy in stage.policies for stage in self.table.stages)]

    def goal(self, policy: str) -> int:
        """How many games a row will have by this policy."""
        return max(stage.games for stage in self.table.stages if policy in stage.policies)

    def least(self, policy: str) -> int:
        """How many games of a row by this policy are a measurement: those of its first stage."""
        return min((stage.games for stage in self.table.stages if policy in stage.policies), default=1)

    def bar(self, row: Row) -> dict[str, Any]:
        """Whether expectimax and search win more than greedy, by intervals that exclude zero, or all of them nearly always."""
        greedy = self.series(row, "greedy")[0]
        others = {policy: self.series(row, policy)[0] for policy in STRONGER}
        found = {policy: difference(series, greedy) for policy, series in others.items()}
        played = [greedy, *others.values()]
        if any(series.data["games"] < self.least(series.data["name"]) for series in played):
            reached = None
        elif all(series.data["won"] > STRONG * series.data["games"] for series in played):
            reached = True
        else:
            reached = all(gain is not None and gain["ci"][0] > 0 for gain in found.values())
        return {"more_than_greedy": found, "reached": reached}


def difference(first: Series, second: Series) -> dict[str, Any] | None:
    """How much more the first won than the second, of the games that both have played; None where there are none."""
    only_first, only_second, games = only_one_won(first, second)
    return paired_difference(only_first, only_second, games, CONFIDENCE).as_data() if games else None


def say(text: str) -> None:
    """Progress."""
    print(f"strength_modules: {text}", file=sys.stderr, flush=True)


def lines(data: dict[str, Any]) -> Iterator[str]:
    """What is known, in lines."""
    group = ""
    for row in data["table"]:
        if row["group"] != group:
            group = row["group"]
            yield from ("", group)
        name = row["course"] + (f" ({row['opponent']})" if row["opponent"] else "")
        parts = [f"{policy} {_shown(found)}" for policy, found in row["policies"].items()]
        bar = {True: "reached", False: "not reached", None: "not measured"}[row["bar"]["reached"]]
        yield f"  {name:48} {'   '.join(parts)}   bar: {bar}"


def _shown(found: dict[str, Any]) -> str:
    if not found["games"]:
        return "not measured"
    text = f"{100 * found['won'] / found['games']:.1f} % of {found['games']}"
    gap = found.get("difference")
    if not gap:
        return text
    low, high = gap["ci"]
    return f"{text} ({100 * gap['float']:+.1f}: {100 * low:+.1f} to {100 * high:+.1f})"


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--table", type=Path, default=TABLE, help="what is played (default: %(default)s)")
    parser.add_argument("--json", type=Path, help="file of results, gone on from")
    parser.add_argument("--keep", action="store_true", help=f"the same with {RESULTS.name}")
    parser.add_argument("--seconds", type=float, help="how long to play; what is missing can be played later")
    add_workers(parser)
    parser.add_argument("--show", action="store_true", help="show the kept results and stop")
    parser.add_argument("--quick", action="store_true", help="try the script out: one second")
    options = parser.parse_args(argv)
    path = options.json or (RESULTS if options.keep or options.show else None)
    if options.show:
        if not path.exists():
            parser.error(f"--show: {path} is absent")
        print("\n".join(lines(json.loads(path.read_text("utf-8")))))
        return 0
    seconds = 1.0 if options.quick else options.seconds
    if seconds is not None and not seconds >= 0:
        parser.error(f"--seconds: expected at least 0, got {seconds}")
    try:
        measurement = Measurement(read_table(options.table), path)
    except (TetrasolveError, OSError, KeyError, ValueError) as error:
        parser.error(f"what is to be played or was kept cannot be read: {error!r}")
    began = time.monotonic()
    try:
        with workers_of(options) as workers:
            measurement.run(None if seconds is None else Stop(seconds), workers)
    except KeyboardInterrupt:
        say("interrupted")
    except (ClusterError, ValueError) as error:
        measurement.keep()
        parser.error(str(error))
    measurement.keep()
    print("\n".join(lines(measurement.data)))
    say(f"{len(measurement.missing())} series are still to be played; {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
