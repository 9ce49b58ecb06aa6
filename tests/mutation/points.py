"""Judge other readings: `python tests/mutation/points.py planted` or `rules`, with seconds and a number of processes.

`planted` are the points of tests/lint/planted, whose label is known; `rules` what operators make of the reference rules; those of
the second game are `finem` and `finem-rules`. Verdicts are kept in a file beside this one, each with a digest of what it
depends on, and a run judges only what is new or outdated: an interrupted one goes on where it was.
After the seconds no further case is begun.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from math import inf
from pathlib import Path
from types import MappingProxyType
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import finemplants
import plants  # found on the path set above
from mutation import finding, judging, running, table  # found on the path set above
from mutation.etfinem import ET_FINEM
from mutation.games import Game
from mutation.judging import Case, Verdict
from mutation.tetrarchia import TETRARCHIA

from tetrasolve.errors import ArgumentError
from tetrasolve.files import write_text
from tetrasolve.lint.changes import Change, meaning


@dataclass(frozen=True)
class PlantedSet:
    """A set of planted points: of a game, how they are read, and what the rules answer where one is shown."""

    game: Game
    read: Callable[[], tuple[Any, ...]]
    answer: Callable[[Any], str] = plants.answer
    makes: tuple[str, ...] = (
        "open",
        "named",
        "settled",
    )  # the labels of those of which it is measured whether operators make them
    beside: Callable[[Any], tuple[tuple[str, str], ...]] = (
        lambda _: ()
    )  # the values of readings of a position that shows a point
    leads: Callable[[Any], frozenset[str]] = lambda _: frozenset()  # where choices lead; nothing: words are compared
    wanted: Callable[[Any], frozenset[str]] = lambda _: frozenset()  # of these, by planted rules, what is asked for
    page: str = "where-readings-differ.md"  # of docs/explanation, which has its figures


SETS = MappingProxyType(  # those that were planted after the operators are apart
    {
        "planted": PlantedSet(TETRARCHIA, lambda: plants.read()[0], makes=("open", "named")),
        "later": PlantedSet(TETRARCHIA, lambda: plants.read(plants.LATER)[0]),
        "unseen": PlantedSet(TETRARCHIA, lambda: plants.read(plants.UNSEEN)[0]),
        "finem": PlantedSet(
            ET_FINEM,
            finemplants.read,
            finemplants.answer,
            makes=("open", "settled"),
            beside=finemplants.beside,
            leads=finemplants.leads,
            wanted=finemplants.wanted,
            page="et-finem-rules.md",
        ),
    }
)
RULES = {"rules": TETRARCHIA, "finem-rules": ET_FINEM}  # what operators make
MANY = (
    "restriction",
    "effect",
)  # operators that make most of the changes, and fewer that somebody would mean: judged last
EVERY = 10  # verdicts between two lines of progress
SECONDS = 30  # between two times that verdicts are written


@dataclass(frozen=True)
class Kept:
    """A verdict with the digest of what it depends on."""

    verdict: Verdict
    digest: str


def file_of(which: str) -> Path:
    """Where the verdicts on `planted` or `rules` are kept."""
    return table.HERE / f"{which}.jsonl"


def game_of(which: str) -> Game:
    """The game of a set of points, or of the rules."""
    return RULES[which] if which in RULES else SETS[which].game


def cases(which: str) -> tuple[Case, ...]:
    """What is judged, in its order."""
    if which not in RULES:
        return tuple(_planted(SETS[which]))
    if which not in _MADE:
        found = list(finding.cases(RULES[which]))
        _MADE[which] = tuple(sorted(found, key=lambda case: case.operator in MANY))
    return _MADE[which]


_MADE: dict[
    str, tuple[Case, ...]
] = {}  # of the files; no cache of a function, all of which are emptied with each change


def _planted(chosen: PlantedSet) -> Iterable[Case]:
    """The planted changes, each beside the values of readings of the position that shows it."""
    for plant in chosen.read():
        changes = (Change(f"{c.module.replace('.', '/')}.py", c.function, c.before, c.after) for c in plant.changes)
        beside = chosen.beside(plant.shown) if plant.shown is not None else ()
        yield Case(plant.id, plant.label, getattr(plant, "rows", ()), tuple(changes), beside)


def digest(case: Case, verdict: Verdict, tests: Mapping[str, frozenset[str]], game: Game) -> str:
    """What a verdict depends on: the changes, what they change, and the test that found it, the positions that do not show it, or
    else the names of all tests of the text.
    """
    parts: list[object] = [case.beside] if case.beside else []
    for change in case.changes:
        path = game.folder / change.path
        try:
            parts += [asdict(change), _meaning(path, change.name)]
        except (OSError, ArgumentError):
            parts += [asdict(change), "not there"]
    if case.at and game.repeated is not None:
        parts.append(game.repeated.read_text("utf-8"))
    if verdict.state == "settled":
        path, name = _place(verdict.by)
        there = name in tests.get(path, ())
        parts.append(_meaning(table.ROOT / path, name) if there else "not there")
    elif verdict.state == "same":
        parts.append(game.positions.source.read_text("utf-8"))
    else:
        parts.append(sorted(f"{path}::{name}" for path, names in tests.items() for name in names))
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@cache
def _meaning(path: Path, name: str) -> str:
    return meaning(path.read_text("utf-8"), name)


def kept(which: str) -> dict[str, Kept]:
    """The verdicts in the file, by the ids of cases."""
    path = file_of(which)
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["case"]: Kept(Verdict(**row), digest) for row in rows for digest in [row.pop("digest")]}


def valid(which: str) -> dict[str, Verdict]:
    """The verdicts that are still those of the cases, the rules and the tests."""
    game, found = game_of(which), kept(which)
    tests = game.tests()
    return {
        case.id: known.verdict
        for case in cases(which)
        if (known := found.get(case.id)) is not None and known.digest == digest(case, known.verdict, tests, game)
    }


def _place(test: str) -> tuple[str, str]:
    path, _, name = test.partition("[")[0].partition("::")
    return path, name


def _line(verdict: Verdict, text: str) -> str:
    """A verdict with its digest, without the fields that say nothing."""
    row = {name: value for name, value in asdict(verdict).items() if value or name != "effect"}
    return json.dumps(row | {"digest": text}) + "\n"


class _Store:
    """The verdicts on cases as lines of their file, in the order of the cases; those of cases that are gone are left out.

    An outdated one stays until its case is judged again.
    """

    def __init__(self, which: str, wanted: Iterable[Case]) -> None:
        self._path, self._game = file_of(which), game_of(which)
        self._cases, self._tests = {case.id: case for case in wanted}, self._game.tests()
        self._lines = {name: _line(known.verdict, known.digest) for name, known in kept(which).items()}
        self._written = time.monotonic()

    def add(self, verdict: Verdict) -> None:
        """A verdict, in place of another on its case; now and then all are written."""
        text = digest(self._cases[verdict.case], verdict, self._tests, self._game)
        self._lines[verdict.case] = _line(verdict, text)
        if time.monotonic() > self._written + SECONDS:
            self.write()

    def write(self) -> None:
        """Write the file."""
        write_text(self._path, "".join(self._lines[case] for case in self._cases if case in self._lines))
        self._written = time.monotonic()


def main(which: str, seconds: float = inf, processes: float = 2) -> None:
    """Judge what has no valid verdict."""
    game = game_of(which)
    wanted, found = cases(which), valid(which)
    last = {name: known.verdict for name, known in kept(which).items()}
    before = {name: verdict.state for name, verdict in last.items()}
    turn = {None: 0, "standing": 1}  # what was never judged first, then what stood, then what else is outdated
    todo = sorted((c for c in wanted if c.id not in found), key=lambda case: turn.get(before.get(case.id), 2))
    store, began, done = _Store(which, wanted), time.monotonic(), 0

    def each(verdict: Verdict) -> None:
        nonlocal done
        found[verdict.case] = verdict
        store.add(verdict)
        done += 1
        if done % EVERY == 0:
            print(f"{done} of {len(todo)} in {time.monotonic() - began:.0f} s", flush=True)

    running.prepare(game)
    try:
        if todo:
            files = [str(table.ROOT / path) for path in game.tests()]
            known = [(case, last[case.id]) for case in wanted if case.id in last]
            judging.judge(
                game, todo, files, each, seconds=seconds, processes=int(processes), known=known, valid={*found}
            )
    finally:
        store.write()
    for operator in dict.fromkeys(case.operator for case in wanted):
        states = Counter(found[case.id].state for case in wanted if case.operator == operator and case.id in found)
        print(f"{operator}: {', '.join(f'{count} {state}' for state, count in states.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:]))
