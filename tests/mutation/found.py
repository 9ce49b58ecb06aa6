"""Which planted open points both halves find together: `python tests/mutation/found.py later`, with seconds as in points.py.

A point is found when the judge leaves a change standing that gives the planted answer (generated.py); changes are judged in their
order until one stands, those of all points in turn; of settled points so many as a third argument says. Results are kept in a file
for each set, and only what is not there is judged.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import finding, generated, judging, points, running, table  # found on the path set above

from tetrasolve.files import write_text


@dataclass(frozen=True)
class Found:
    """A planted open point, and the first change that stands, with a table (none: not found), of so many that were judged."""

    plant: str
    by: str = ""
    change: str = ""
    table: str = ""
    judged: int = 0


def file_of(which: str) -> Path:
    """Where the results of a set are kept."""
    return table.HERE / f"found-{which}.jsonl"


def kept(which: str) -> dict[str, Found]:
    """The results in the file."""
    path = file_of(which)
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["plant"]: Found(**row) for row in rows}


def store(which: str, results: Mapping[str, Found]) -> None:
    """Write them."""
    write_text(file_of(which), "".join(json.dumps(asdict(result)) + "\n" for result in results.values()))


def main(which: str, seconds: float = inf, of_settled: float = inf) -> None:
    """Judge the changes of open points that are not found yet, then those of settled ones, so many of each."""
    game = points.game_of(which)
    running.prepare(game)
    cases = {case.id: case for case in finding.cases(game)}
    made, before = generated.kept(which), kept(which)
    beside = {p.id: points.SETS[which].beside(p.shown) for p in generated.wanted(which) if p.id in made}
    results = {plant: before.get(plant, Found(plant)) for plant in beside}
    known = {name: finding.named(game, cases, name) for plant in beside for name in made[plant].like}
    settled = {plant.id for plant in generated.wanted(which) if plant.label == "settled"}
    asked = [
        (number, plant, name)
        for plant, result in results.items()
        for number, name in enumerate(made[plant].like[result.judged :])
        if not result.by and (plant not in settled or result.judged + number < of_settled)
    ]
    rounds = sorted(asked, key=lambda one: (one[1] in settled, one[0]))  # one change of each point, then another one
    todo = [
        replace(case, id=f"{plant} {name}", beside=beside[plant])
        for _, plant, name in rounds
        if (case := known[name]) is not None
    ]

    def is_over(case: judging.Case) -> bool:
        return bool(results[case.id.partition(" ")[0]].by)

    def take(verdict: judging.Verdict) -> None:
        plant, _, name = verdict.case.partition(" ")
        if verdict.state == judging.SKIPPED or results[plant].by:
            return
        results[plant] = replace(results[plant], judged=results[plant].judged + 1)
        if verdict.state == "standing":
            (change,) = known[name].changes
            results[plant] = replace(results[plant], by=name, change=str(change), table=verdict.table)
        store(which, results)
        print(verdict.state, verdict.case, verdict.by, flush=True)

    if todo:
        files = [str(table.ROOT / path) for path in game.tests()]
        judging.judge(game, todo, files, take, seconds=seconds, is_over=is_over)
    store(which, results)
    print(f"of {len(results)} points that are or were open {sum(bool(r.by) for r in results.values())} are found")


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
