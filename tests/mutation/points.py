"""Judge other readings: `python tests/mutation/points.py planted` or `rules`, with seconds after which no case is begun.

`planted` are the points of tests/lint/planted, whose label is known; `rules` what operators make of the reference rules. Verdicts
are kept in a file beside this one, each with a digest of what it depends on, and a run judges only what is new or outdated: an
interrupted one goes on where it was.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import finding, judging, running, table  # found on the path set above
from mutation.judging import Case, Verdict
from plants import FOLDER, LATER, UNSEEN, read

from tetrasolve.errors import ArgumentError
from tetrasolve.files import write_text
from tetrasolve.lint.changes import Change, meaning

SETS = {"planted": FOLDER, "later": LATER, "unseen": UNSEEN}  # those that were planted after the operators are apart
EVERY = 10  # verdicts between two times that they are written


@dataclass(frozen=True)
class Kept:
    """A verdict with the digest of what it depends on."""

    verdict: Verdict
    digest: str


def file_of(which: str) -> Path:
    """Where the verdicts on `planted` or `rules` are kept."""
    return table.HERE / f"{which}.jsonl"


def cases(which: str) -> tuple[Case, ...]:
    """What is judged, in its order."""
    return tuple(finding.cases()) if which == "rules" else tuple(_planted(SETS[which]))


def _planted(folder: Path) -> Iterable[Case]:
    for plant in read(folder)[0]:
        changes = (Change(f"{c.module.replace('.', '/')}.py", c.function, c.before, c.after) for c in plant.changes)
        yield Case(plant.id, plant.label, plant.rows, tuple(changes))


def text_tests() -> dict[str, frozenset[str]]:
    """The tests that are marked with rules, by their files."""
    found: dict[str, set[str]] = {}
    for places in table.rulebook().read(table.ROOT).tests.values():
        for place in places:
            found.setdefault(place.path, set()).add(place.name)
    return {path: frozenset(names) for path, names in sorted(found.items())}


def digest(case: Case, verdict: Verdict, tests: Mapping[str, frozenset[str]]) -> str:
    """What a verdict depends on: the changes, what they change, and the test that found it, else all tests of the text."""
    parts: list[object] = []
    for change in case.changes:
        path = table.GAME / change.path
        try:
            parts += [asdict(change), meaning(path.read_text("utf-8"), change.name)]
        except (OSError, ArgumentError):
            parts += [asdict(change), "not there"]
    if verdict.state == "settled":
        path, name = _place(verdict.by)
        there = name in tests.get(path, ())
        parts.append(meaning((table.ROOT / path).read_text("utf-8"), name) if there else "not there")
    else:
        parts.append(sorted(f"{path}::{name}" for path, names in tests.items() for name in names))
    if verdict.state == "same":
        parts.append((table.HERE / "positions.py").read_text("utf-8"))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def kept(which: str) -> dict[str, Kept]:
    """The verdicts in the file, by the ids of cases."""
    path = file_of(which)
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["case"]: Kept(Verdict(**row), digest) for row in rows for digest in [row.pop("digest")]}


def valid(which: str) -> dict[str, Verdict]:
    """The verdicts that are still those of the cases, the rules and the tests."""
    tests, found = text_tests(), kept(which)
    return {
        case.id: known.verdict
        for case in cases(which)
        if (known := found.get(case.id)) is not None and known.digest == digest(case, known.verdict, tests)
    }


def _place(test: str) -> tuple[str, str]:
    path, _, name = test.partition("[")[0].partition("::")
    return path, name


def store(which: str, verdicts: Mapping[str, Verdict]) -> None:
    """Write the verdicts, in the order of the cases; those of cases that are gone are left out."""
    tests = text_tests()
    lines = [
        json.dumps(asdict(verdicts[case.id]) | {"digest": digest(case, verdicts[case.id], tests)}) + "\n"
        for case in cases(which)
        if case.id in verdicts
    ]
    write_text(file_of(which), "".join(lines))


def main(which: str, seconds: float = inf) -> None:
    """Judge what has no valid verdict."""
    found = valid(which)
    todo = [case for case in cases(which) if case.id not in found]
    began, done = time.monotonic(), 0

    def each(verdict: Verdict) -> None:
        nonlocal done
        found[verdict.case] = verdict
        done += 1
        if done % EVERY == 0:
            store(which, found)
            print(f"{done} of {len(todo)} in {time.monotonic() - began:.0f} s", flush=True)

    running.prepare()
    try:
        if todo:
            judging.judge(todo, [str(table.ROOT / path) for path in text_tests()], each, seconds=seconds)
    finally:
        store(which, found)
    for operator in dict.fromkeys(case.operator for case in cases(which)):
        states = Counter(
            found[case.id].state for case in cases(which) if case.operator == operator and case.id in found
        )
        print(f"{operator}: {', '.join(f'{count} {state}' for state, count in states.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
