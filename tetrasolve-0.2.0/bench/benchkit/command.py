"""The command line that the measurements share, and their report."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from benchkit import facts, suite
from benchkit.peers import Stockfish, peer_versions, process_clock
from benchkit.race import BenchError, Contestant, Race, Ratio, Spread, race, say
from tetrasolve.files import write_text
from tetrasolve.tetrarchia import kernel

LEAST_REPETITIONS = 5
QUICK_SECONDS = 0.001
QUICK_REPETITIONS = 2

Peer = TypeVar("Peer")


@dataclass
class Bench:
    """A measurement: its options, what takes part in it, and what is missing."""

    name: str
    options: argparse.Namespace
    things: ExitStack = field(default_factory=ExitStack)  # closed at the end
    missing: list[str] = field(default_factory=list)
    work: dict[str, Any] = field(default_factory=dict)  # what was measured, for the report
    stockfish: Stockfish | None = None

    @property
    def quick(self) -> bool:
        """Whether the script is only tried out."""
        return bool(self.options.quick)

    @property
    def seed(self) -> int:
        """What is drawn by chance is drawn from this."""
        return int(self.options.seed)

    @property
    def wall(self) -> bool:
        """Wall seconds rather than processor seconds."""
        return bool(self.options.clock == "wall")

    def peer(self, make: Callable[[], Peer]) -> Peer | None:
        """A peer, or None where it is missing or unwanted; what is missing is reported in one line."""
        if not self.options.peers:
            return None
        try:
            return make()
        except BenchError as error:
            say(f"{self.name}: {error}")
            self.missing.append(str(error).partition(" is missing")[0])
            return None

    def start_stockfish(self, depth: int) -> list[Contestant]:
        """Its perft as a contestant, or none."""
        self.stockfish = self.peer(lambda: Stockfish(self.wall, self.options.stockfish))
        if self.stockfish is None:
            return []
        self.things.enter_context(self.stockfish)
        return [self.stockfish.contestant(depth)]

    def race(self, contestants: Sequence[Contestant]) -> Race:
        """The race with the repetitions and seconds asked for."""
        return race(contestants, self.options.repetitions, self.options.seconds)

    def report(self, run: Race, ratios: Sequence[Ratio]) -> dict[str, Any]:
        """All there is to say, as JSON."""
        heading = facts.heading(
            self.name,
            quick=self.quick,
            seed=self.seed,
            clock="wall seconds" if self.wall else "processor seconds",
            repetitions=self.options.repetitions,
            versions={"tetrasolve": facts.version("tetrasolve")} | peer_versions(self.stockfish),
        )
        return heading | {
            "missing": self.missing,
            "work": self.work,
            "results": run.results_json(),
            "ratios": run.ratios_json(ratios),
        }


def arguments(about: str, argv: Sequence[str] | None, *, makes_positions: bool = False) -> argparse.Namespace:
    """The options that were given."""
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the results there")
    parser.add_argument(
        "--seed", type=int, default=suite.SEED, help="of what is drawn by chance (default: %(default)s)"
    )
    parser.add_argument("--repetitions", type=int, metavar="N", help=f"at least {LEAST_REPETITIONS} (default: 7)")
    parser.add_argument("--seconds", type=float, help="length of a run (default: 0.7)")
    parser.add_argument("--clock", choices=("processor", "wall"), default="processor", help="(default: %(default)s)")
    parser.add_argument("--stockfish", metavar="COMMAND", help="the Stockfish to run, if not `stockfish`")
    parser.add_argument("--no-peers", dest="peers", action="store_false", help="measure the library alone")
    parser.add_argument("--quick", action="store_true", help="try the script out; its numbers mean nothing")
    if makes_positions:
        parser.add_argument("--make-positions", action="store_true", help="write positions.txt again and stop")
    options = parser.parse_args(argv)
    if options.quick:
        options.repetitions = options.repetitions or QUICK_REPETITIONS
        options.seconds = options.seconds or QUICK_SECONDS
    options.repetitions = options.repetitions or 7
    options.seconds = options.seconds or 0.7
    if options.repetitions < (1 if options.quick else LEAST_REPETITIONS):
        parser.error(f"--repetitions: expected at least {LEAST_REPETITIONS}, got {options.repetitions}")
    if options.seconds < 0:
        parser.error(f"--seconds: expected a positive number, got {options.seconds}")
    return options


def main(bench: Bench, measure: Callable[[Bench], tuple[Race, Sequence[Ratio]]]) -> int:
    """Measures, prints a table, and writes the JSON if asked to."""
    if kernel.CHECKED:
        say(f"{bench.name}: this is the checked build of the kernel, many times slower than the ordinary one")
    if not bench.wall:
        try:
            process_clock(os.getpid())
        except (OSError, AttributeError):
            bench.options.clock = "wall"
            say(f"{bench.name}: this system tells no processor seconds of other processes: wall seconds it is")
    try:
        with bench.things:
            report = bench.report(*measure(bench))
    except BenchError as error:
        say(f"{bench.name}: {error}")
        return 1
    print("\n".join(table(report)))
    if bench.options.json:
        write_text(bench.options.json, json.dumps(report, indent=2) + "\n")
        say(f"written: {bench.options.json}")
    return 0


def start(name: str, about: str | None, measure: Callable[[Bench], tuple[Race, Sequence[Ratio]]]) -> None:
    """Runs a script that has no options of its own."""
    sys.exit(main(Bench(name, arguments(about or name, None)), measure))


# -- measurements whose results are kept ---------------------------------------------------------------------------------


class Kept:
    """A script that keeps its results in a file and shows them as lines: the options for that, and what they do."""

    def __init__(self, about: str, results: Path, lines: Callable[[dict[str, Any]], Iterable[str]], quick: str) -> None:
        self.results, self.lines = results, lines
        self.parser = argparse.ArgumentParser(description=about.partition("\n")[0])
        self.parser.add_argument("--json", type=Path, help="file to write the results to")
        self.parser.add_argument("--keep", action="store_true", help=f"write them to {results.name}")
        self.parser.add_argument("--show", action="store_true", help="show the kept results and stop")
        self.parser.add_argument("--quick", action="store_true", help=f"try the script out: {quick}")

    def options(self, argv: Sequence[str] | None) -> argparse.Namespace | None:
        """The options; None where the kept results were to be shown, which they are now."""
        options = self.parser.parse_args(argv)
        if not options.show:
            return options
        if not self.results.exists():
            self.parser.error("--show: no results are kept yet; --keep keeps them")
        self.show(json.loads(self.results.read_text("utf-8")))
        return None

    def finish(self, options: argparse.Namespace, data: dict[str, Any]) -> int:
        """Write the results where the options say, and show them; the exit code."""
        target = self.results if options.keep else options.json
        if target:
            write_text(target, json.dumps(data, indent=1) + "\n")
        self.show(data)
        return 0

    def show(self, data: dict[str, Any]) -> None:
        """Print results."""
        print("\n".join(self.lines(data)))


def table(report: dict[str, Any]) -> list[str]:
    """The report as lines to be read."""
    lines = [f"{report['bench']}: medians [least to greatest] of {report['repetitions']} runs, {report['clock']}", ""]
    rows = [
        (name, f"{_short(Spread(**spread))} {unit}/s")
        for name, result in report["results"].items()
        for unit, spread in result["per_second"].items()
    ]
    rows += [("", "")] if report["ratios"] else []
    for name, found in report["ratios"].items():
        spread = Spread(found["median"], found["min"], found["max"])
        goal = f"  goal {found['goal']:g}: {'reached' if found['reached'] else 'missed'}" if "goal" in found else ""
        rows.append((name, f"{_short(spread)}{goal}"))
    width = max(len(name) for name, _ in rows)
    return lines + [f"{name:<{width}}  {text}".rstrip() for name, text in rows]


def _short(spread: Spread) -> str:
    return f"{_number(spread.median):>7} [{_number(spread.min)} to {_number(spread.max)}]"


def _number(value: float) -> str:
    """Three digits, with k, M, G for thousands, millions, thousands of millions."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if value >= size:
            return f"{value / (1e3 if letter == 'k' else size):.3g}{letter}"
    return f"{value:.3g}" if value < 1e3 else f"{value:.0f}"
