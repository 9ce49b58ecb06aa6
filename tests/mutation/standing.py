"""What stands, put together by effect: `python tests/mutation/standing.py finem-rules`.

Changes that do the same at every position of the pool are one other reading. One that does what another value of a reading does
is named already; the rest is for somebody to read, the text settles it or it is an open point. Those that are seen only beside
readings that are no defaults come last.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from mutation import children, judging, points, running  # found on the path set above
from mutation.games import Game, Table
from mutation.judging import Case, Seen

COMPARED = 3  # positions of an effect, the smallest, at which it is compared with values of readings
Effect = frozenset[tuple[Table, int]]  # where the rules differ from those that they are, and what they do there


@dataclass(frozen=True)
class Group:
    """Changes of one effect: the smallest position, the values of readings that have it too, and how many positions show it."""

    table: str
    cases: tuple[Case, ...]
    named: tuple[str, ...]
    seen: int

    def __str__(self) -> str:
        change = self.cases[0].changes[0]
        head = f"{', '.join(self.named) or 'not named'}: {len(self.cases)} changes, seen at {self.seen}: {self.table}"
        lines = (" ".join(text.split()) for text in (change.before, change.after))
        return f"{head}\n  {change.path}:{change.name} [{self.cases[0].id}]\n    " + "\n    ".join(lines)


def effect(game: Game, pool: Sequence[Seen], case: Case) -> Effect:
    """What a change does, in a process that ends with it."""
    running.take_quickly(case.changes, game)
    after = [(one, game.positions.behaviour(one.table)) for one in judging.able(case.changes, pool)]
    return frozenset((one.table, new) for one, new in after if new != one.behaviour)


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
    """What stands of a set or of the rules, what is seen at the smallest positions first."""
    game = points.game_of(which)
    running.prepare(game)
    kept = points.kept(which)
    wanted = [case for case in points.cases(which) if case.id in kept and kept[case.id].verdict.state == "standing"]
    pool = judging.pool_of(game, game.most)
    running.caches()
    by_effect: dict[Effect, list[Case]] = defaultdict(list)
    work = [partial(effect, game, pool, case) for case in wanted]
    for number, ended in children.run(work, 1, 10 * game.seconds):
        if ended.value:
            by_effect[ended.value].append(wanted[number])
    order = {one.table: number for number, one in enumerate(pool)}
    for found, cases in sorted(by_effect.items(), key=lambda one: min(order[table] for table, _ in one[0])):
        first = sorted(found, key=lambda pair: order[pair[0]])
        like = children.result(partial(named, game, first[:COMPARED]), 10 * game.seconds)
        yield Group(str(first[0][0]), tuple(cases), like, len(found))


if __name__ == "__main__":
    for group in groups(sys.argv[1]):
        print(group, flush=True)
