"""What stands, put together by effect: `python tests/mutation/standing.py finem-rules`.

Changes that do the same at every position of the pool are one other reading. One that does what another value of a reading does
is named already; the rest is for somebody to read. What was read is in a file beside this one, a line for each effect, with a
verdict and the reason for it: the text settles it (`settled`, with a test that finds it from now on), it is an open point
(`open`), the value of a reading that cannot be compared there (`reading`), nothing but how the rules or a position are written
(`form`), or it is seen at no position under the defaults (`beside`): what another value of a reading does beside them is our
own statement, which the text says nothing about. A line without a verdict has not been read. Effects that are in the file are
not worked out again.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import children, judging, points, running, table  # found on the path set above
from mutation.games import Game, Table
from mutation.judging import Case, Seen, Verdict

from tetrasolve.files import write_text

COMPARED = 3  # positions of an effect, the smallest, at which it is compared with values of readings
NAMED = "named"  # the verdict on an effect that a value of a reading has
BESIDE = "beside"  # that on one that is seen under other values than the defaults alone
ITSELF = (NAMED, BESIDE)  # nobody has to read these
VERDICTS = frozenset(("", *ITSELF, "settled", "open", "reading", "form"))


@dataclass(frozen=True)
class Read:
    """An effect: the values of readings that have it too, and what it was read as; `case` is one of the changes that have it."""

    effect: str
    case: str
    named: tuple[str, ...] = ()
    verdict: str = ""
    why: str = ""

    @property
    def is_read(self) -> bool:
        """Whether it has a verdict."""
        return bool(self.verdict)


@dataclass(frozen=True)
class Group:
    """Changes of one effect, with the verdict on each, that seen at the smallest position first."""

    read: Read
    verdicts: tuple[Verdict, ...]

    def text(self, cases: Mapping[str, Case]) -> str:
        """The group in some lines: what is known of it, and its first change."""
        first, change = self.verdicts[0], cases[self.read.case].changes[0]
        head = f"{self.read.verdict or 'not read'} {', '.join(self.read.named)} {self.read.why}".rstrip()
        lines = (" ".join(text.split()) for text in (change.before, change.after))
        return (
            f"{head}: {len(self.verdicts)} changes, seen at {first.seen}: {first.table}"
            f"\n  {change.path}:{change.name} [{self.read.case}] {self.read.effect}\n    " + "\n    ".join(lines)
        )


def file_of(which: str) -> Path:
    """Where what was read is kept."""
    return table.HERE / f"read-{which}.jsonl"


def kept(which: str) -> dict[str, Read]:
    """What is in the file, by effect."""
    path = file_of(which)
    rows = map(json.loads, path.read_text("utf-8").splitlines()) if path.exists() else ()
    return {row["effect"]: Read(**row | {"named": tuple(row["named"])}) for row in rows}


def store(which: str, found: Sequence[Read]) -> None:
    """Write it."""
    write_text(file_of(which), "".join(json.dumps(asdict(one), ensure_ascii=False) + "\n" for one in found))


def effects(which: str) -> dict[str, list[Verdict]]:
    """The verdicts on what stands, by effect, in the order of the sizes at which they are seen."""
    found: dict[str, list[Verdict]] = defaultdict(list)
    standing = [one.verdict for one in points.kept(which).values() if one.verdict.state == "standing"]
    for verdict in sorted(standing, key=lambda one: (one.size, one.case)):
        found[verdict.effect].append(verdict)
    return found


def effect(game: Game, pool: Sequence[Seen], case: Case) -> list[tuple[Table, int]]:
    """Where a change is seen in the pool, and what the rules do there, in a process that ends with it."""
    running.take_quickly(case.changes, game)
    after = [(one, game.positions.behaviour(one.table)) for one in judging.able(case, pool)]
    return [(one.table, new) for one, new in after if new != one.behaviour]


def named(game: Game, found: Sequence[tuple[Table, int]]) -> tuple[str, ...]:
    """The values of readings that do the same at these positions."""
    return tuple(
        f"{reading.name}={value}"
        for reading in game.readings.values()
        for value in reading.options
        if all(
            (other := game.positions.with_reading(table, reading.name, value)) is not None
            and game.positions.behaviour(other) == new
            for table, new in found
        )
    )


def groups(which: str) -> Iterator[Group]:
    """What stands of a set or of the rules, by effect; what has no line in the file yet is compared with the readings."""
    found, known = effects(which), kept(which)
    by_case = {one.case: one for one in known.values()}  # of an effect that became another one
    if not found.keys() <= known.keys():
        game = points.game_of(which)
        running.prepare(game)
        cases = {case.id: case for case in points.cases(which)}
        pool = judging.pool_of(game, game.most)
        running.caches()
    for name, verdicts in found.items():
        if name in known:
            yield Group(known[name], tuple(verdicts))
            continue
        case = cases[verdicts[0].case]
        seen = children.result(partial(effect, game, pool, case), 10 * game.seconds)
        before = next((by_case[one.case] for one in verdicts if one.case in by_case), Read(name, case.id))
        like: tuple[str, ...] = ()
        verdict, why = (before.verdict, before.why) if before.verdict not in ITSELF else ("", "")
        if not verdict and not any(game.positions.is_plain(one) for one, _ in seen):
            verdict = BESIDE
        elif not verdict:
            plain = [(one, new) for one, new in seen if game.positions.is_plain(one)]
            like = children.result(partial(named, game, plain[:COMPARED]), 10 * game.seconds)
            verdict = NAMED if like else ""
        yield Group(Read(name, case.id, like, verdict, why), tuple(verdicts))


def main(which: str) -> None:
    """Keep a line for each effect, and print those that nobody has read."""
    cases, done = {case.id: case for case in points.cases(which)}, []
    wanted = effects(which).keys()
    old = [one for name, one in kept(which).items() if name in wanted]
    for group in groups(which):
        done.append(group.read)
        of = {one.effect for one in done}
        store(which, [*done, *(one for one in old if one.effect not in of)])  # an interrupted run goes on where it was
        if not group.read.is_read:
            print(group.text(cases), flush=True)
    store(which, done)
    counts = Counter(one.verdict or "not read" for one in done)
    print(f"{len(done)} effects: {', '.join(f'{count} {verdict}' for verdict, count in counts.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1])
