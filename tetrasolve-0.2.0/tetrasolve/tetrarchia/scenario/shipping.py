"""Makes a collection of scenarios by the recipe ``data/scenario-collection.toml``: one scenario on each line of a JSON lines file.

    python -m tetrasolve.tetrarchia.scenario.shipping --out scenarios.jsonl --work build/scenarios --jobs 2

Scenarios are made one after the other. A run that was stopped goes on with those that the file does not have yet, and in the middle
of a search with its checkpoint. Where a theme has no set-up of a wanted win rate, a line of the file says so.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from tetrasolve import files
from tetrasolve.cli.workers import add_workers, workers_of
from tetrasolve.errors import ArgumentError, OutOfTimeError, TetrasolveError
from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.deadline import stop_of
from tetrasolve.stop import Stop
from tetrasolve.strict import read_json, read_toml
from tetrasolve.tetrarchia.scenario.making import NoScenarioError, make_scenario
from tetrasolve.tetrarchia.scenario.policies import weights_of_policies

DATA = "data/scenario-collection.toml"
NONE = "tetrasolve-no-scenario/1"  # format of a line about a search without a result


@dataclass(frozen=True, slots=True)
class Wanted:
    """A scenario of the recipe; what it depends on beside the weights."""

    theme: str
    win_rate: float
    policy: str
    beside: tuple[str, ...]
    within: float
    seed: int

    @property
    def name(self) -> str:
        """What its checkpoint is called."""
        return f"{self.theme}-{self.win_rate:g}-{self.policy}-{self.seed}"

    def is_that_of(self, line: dict[str, Any]) -> bool:
        """Whether a line of the collection is about this one, by the present weights."""
        made = {"theme": self.theme, "wanted": self.win_rate, "within": self.within, "seed": self.seed}
        beside = [rate["policy"] for rate in line["beside"]]
        return (
            all(line[key] == value for key, value in made.items())
            and (line["rate"]["policy"], beside) == (self.policy, [*self.beside])
            and line["versions"]["weights"] == weights_of_policies()
        )

    def none(self, reason: str) -> dict[str, Any]:
        """The line that says that there is none."""
        return {
            "format": NONE, "theme": self.theme, "wanted": self.win_rate, "within": self.within, "seed": self.seed,
            "rate": {"policy": self.policy}, "beside": [{"policy": policy} for policy in self.beside], "reason": reason,
            "versions": {"weights": weights_of_policies()},
        }  # fmt: skip


def recipe() -> tuple[Wanted, ...]:
    """The scenarios of the recipe, so that a run that is stopped has all themes.

    >>> len(recipe())
    56
    """
    data = read_toml(resources.files("tetrasolve.tetrarchia").joinpath(DATA).read_text("utf-8"))
    rows = product(data["seeds"], data["win_rates"], data["themes"])
    return tuple(
        Wanted(name, rate, data["policy"], tuple(data["beside"]), data["within"], seed) for seed, rate, name in rows
    )


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The lines of a collection; none where there is no file.

    :raises ArgumentError: when a line is none.
    """
    if not path.exists():
        return []
    lines = [read_json(line) for line in path.read_text("utf-8").splitlines()]
    keys = {"theme", "wanted", "within", "seed", "rate", "beside", "versions"}
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, dict) or not keys <= line.keys():
            raise ArgumentError(
                f"{path}, line {number}", type(line).__name__, f"an object with {', '.join(sorted(keys))}"
            )
    return lines


def make_all(
    wanted: Sequence[Wanted],
    out: Path,
    work: Path,
    *,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    say: Callable[[str], None] = lambda _: None,
) -> bool:
    """Make these scenarios, and write the file after each; False when the time ran out before.

    :raises TetrasolveError: when the file or a checkpoint cannot be read.
    :raises OSError: when a file cannot be written.
    """
    stop = stop_of(seconds, cancel)
    work.mkdir(parents=True, exist_ok=True)
    lines = read_lines(out)
    for one in wanted:
        if any(one.is_that_of(line) for line in lines):
            continue
        checkpoint = work / one.name
        try:
            line = make_scenario(
                one.theme, one.win_rate, policy=one.policy, beside=one.beside, within=one.within, seed=one.seed, workers=workers,
                checkpoint=checkpoint, cancel=stop,
            ).as_data()  # fmt: skip
        except NoScenarioError as error:
            line = one.none(str(error))
        except OutOfTimeError:
            return False
        lines.append(line)
        files.write_text(out, "".join(_written(lines, wanted)))
        checkpoint.unlink(missing_ok=True)
        say(f"{len(lines)} of {len(wanted)}: {one.name}")
    return True


def _written(lines: Sequence[dict[str, Any]], wanted: Sequence[Wanted]) -> Iterator[str]:
    """The lines in the order of the recipe; those of other recipes or weights are left out."""
    for one in wanted:
        yield from (json.dumps(line, ensure_ascii=False) + "\n" for line in lines if one.is_that_of(line))


def main(argv: Sequence[str] | None = None) -> int:
    """The command line; exit code 3: the time was over before the collection was complete."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--out", type=Path, required=True, help="the collection, JSON lines; if it is there, go on with it"
    )
    parser.add_argument("--work", type=Path, required=True, help="folder of the checkpoints")
    add_workers(parser)
    parser.add_argument("--seconds", type=float, help="stop after this time; what there is is written")
    options = parser.parse_args(argv)
    try:
        with workers_of(options) as workers:
            is_done = make_all(recipe(), options.out, options.work, workers=workers, seconds=options.seconds, say=_say)
    except (TetrasolveError, OSError, ValueError) as error:
        parser.error(str(error))
    return 0 if is_done else 3


def _say(text: str) -> None:
    print(f"scenarios: {text}", file=sys.stderr, flush=True)  # noqa: T201  # progress of a program


if __name__ == "__main__":
    sys.exit(main())
