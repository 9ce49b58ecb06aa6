"""Which planted points operators make by themselves: `python tests/mutation/generated.py planted`, with seconds as in points.py.

The judge is measured on the planted changes (points.py). Here the operators are: a planted point that is open, or was open and is a
reading now, counts as made when one of their changes, in a definition of its row or of one that the plant changes, gives the
planted answer at the position that shows the plant. Of the points in tests/lint/planted-later all are measured, those that the text
settles too: an operator that makes plausible readings makes both kinds (`python tests/mutation/generated.py later`). Results are
kept in generated.jsonl and generated-later.jsonl, and only what is not there is measured.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import children, finding, running, table  # found on the path set above
from mutation.judging import Case
from plants import LATER, Plant, Shown, answer, read

from tetrasolve.files import write_text

FILES = {"planted": table.HERE / "generated.jsonl", "later": table.HERE / "generated-later.jsonl"}
SECONDS = 10  # of processor time for one change at one position


@dataclass(frozen=True)
class Made:
    """A planted point, the change of an operator that gives its answer (none: not made), and how many changes were tried."""

    plant: str
    by: str
    change: str
    tried: int


def wanted(which: str) -> Iterator[Plant]:
    """The planted points that are measured, with a position that shows them."""
    plants = read(LATER)[0] if which == "later" else read()[0]
    return (p for p in plants if (which == "later" or p.label != "settled") and p.shown is not None)


def near(plant: Plant, cases: tuple[Case, ...]) -> list[Case]:
    """The changes that may be the plant's: in definitions that it changes first, then in others of its rows."""
    places = {(f"{change.module.replace('.', '/')}.py", change.function) for change in plant.changes}
    own = [case for case in cases if any((c.path, c.name) in places for c in case.changes)]
    rows = {*plant.rows}
    return own + [case for case in cases if case not in own and rows.intersection(case.rows)]


def _answer(case: Case, shown: Shown) -> str:
    running.take_changes(case.changes)
    return answer(shown)


def made(plant: Plant, cases: tuple[Case, ...]) -> Made:
    """Whether an operator makes the plant."""
    assert plant.shown is not None
    tried = near(plant, cases)
    for number, ended in children.run([partial(_answer, case, plant.shown) for case in tried], 1, SECONDS):
        if ended.value == plant.shown.planted:
            return Made(plant.id, tried[number].id, str(tried[number].changes[0]), number + 1)
    return Made(plant.id, "", "", len(tried))


def kept(which: str = "planted") -> dict[str, Made]:
    """The results in the file, of plants that are still there."""
    known, path = {plant.id for plant in wanted(which)}, FILES[which]
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["plant"]: Made(**row) for row in rows if row["plant"] in known}


def store(which: str, results: Mapping[str, Made]) -> None:
    """Write them, in the order of the plants."""
    lines = (json.dumps(asdict(results[p.id])) + "\n" for p in wanted(which) if p.id in results)
    write_text(FILES[which], "".join(lines))


def main(which: str, seconds: float = inf) -> None:
    """Measure what is not in the file."""
    running.prepare()
    results, cases, end = kept(which), tuple(finding.cases()), time.monotonic() + seconds
    for plant in wanted(which):
        if plant.id not in results and time.monotonic() < end:
            results[plant.id] = made(plant, cases)
            store(which, results)
            print(results[plant.id], flush=True)
    count = sum(bool(result.by) for result in results.values())
    print(f"{count} of {len(results)} planted points are made by an operator")


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
