"""The search for the smallest positions in which the best plans of a turn differ under two values of a reading.

Sizes are enumerated as `tetrasolve.tetrarchia.lint.search` does, and interrupted searches continue. Where this finds nothing, the
positions of other findings are tried, with the objectives too that look through the whole phase after the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from tetrasolve.exact.cluster import Workers
from tetrasolve.exact.deadline import check, is_over, left, stop_at, stop_of
from tetrasolve.stop import Stop, Stopped
from tetrasolve.tetrarchia import whole
from tetrasolve.tetrarchia.action import END, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.bestplans import (
    Known,
    PlanFinding,
    constructed_objectives,
    constructed_turns,
    finding_of,
    plan_objectives,
    reason_of,
    served_by,
)
from tetrasolve.tetrarchia.lint.compare import Engines, Pair, with_value
from tetrasolve.tetrarchia.lint.search import (
    CHECKED_EVERY,
    PLANS,
    Context,
    Progress,
    Search,
    Work,
    at_intervals,
    pairs_of,
)
from tetrasolve.tetrarchia.lint.small import BASE, Table, table_of
from tetrasolve.tetrarchia.lint.stored import findings
from tetrasolve.tetrarchia.lint.turnvalue import best_by_reference
from tetrasolve.tetrarchia.numbers import IP_A_TURN
from tetrasolve.tetrarchia.plan.graph import MOST_STATES, criteria
from tetrasolve.tetrarchia.plan.reading import read_objective
from tetrasolve.tetrarchia.position import Phase, Position
from tetrasolve.tetrarchia.ruleset import READINGS

SIZE = 2  # pieces of the positions that are enumerated, if nothing else is asked
A_CANDIDATE = 5.0  # seconds for one plan of a candidate
PLACES = 4  # in which the active Emperor is tried where he is off the board

BestValues = tuple[tuple[Fraction, ...], ...]  # for each objective its best value and IP


class TurnValues:
    """The best values of turns of a table under values of readings, for all objectives that are enumerated."""

    def __init__(self, table: Table) -> None:
        self.table, self._engines = table, Engines(table)
        position = Position.parse(_start(table), table.board)
        texts = [one.text for one in plan_objectives() if one.is_enumerated and one.fits(table.extensions)]
        terms = [read_objective(text, table.board) for text in texts]
        rows = [(objective, criteria(objective, position)) for objective in terms]
        self._criteria = [
            row for objective, row in rows if len(row) == len(objective.terms)
        ]  # those that kernels solve

    def differing(self, state: whole.State, pairs: Sequence[Pair], stop: Stop | None = None) -> list[Pair]:
        """Those of the pairs under whose values a turn has other best values.

        :raises Stopped: when the flag is set.
        """
        seen: dict[int, BestValues] = {}

        def best(reading: str, value: str) -> BestValues:
            kernel = self._engines.kernel(reading, value)
            if id(kernel) not in seen:  # all defaults share one kernel
                seen[id(kernel)] = self._best(kernel, state, stop)
            return seen[id(kernel)]

        return [p for p in pairs if best(p.reading, p.first) != best(p.reading, p.second)]

    def _best(self, kernel: Any, state: whole.State, stop: Stop | None) -> BestValues:
        turn = whole.Turn(kernel, state, MOST_STATES, stop=stop)
        return tuple(
            tuple(Fraction(top, bottom) for top, bottom in turn.solve(row, stop=stop).values) for row in self._criteria
        )


def _start(table: Table) -> str:
    """A position of a table, for what depends on its rules alone."""
    block = next(block for block in table.blocks(1) if block.phase == whole.ROMAN and block.ip == IP_A_TURN)
    return str(table.position(next(iter(table.states(block)))))


_known: dict[str, TurnValues] = {}  # in each process the table that it works on


def _solved(context: Context, number: int) -> tuple[int, dict[Pair, str]]:
    """The number of turns of a block, and for each pair the first position in which a best value differs."""
    table, block, stop = context.table, context.blocks[number], stop_at(context.until)
    if block.phase != whole.ROMAN:
        return 0, {}
    if table.name not in _known or _known[table.name].table.board is not table.board:
        _known.clear()
        _known[table.name] = TurnValues(table)
    turns, open_, count = _known[table.name], list(context.pairs), 0
    found: dict[Pair, str] = {}
    for count, state in enumerate(table.states(block), start=1):
        if count % CHECKED_EVERY == 0:
            check(stop)
        for pair in turns.differing(state, open_, stop):
            position = table.position(state)
            if not any(with_value(position, pair.reading, value).status() for value in pair.values):
                found[pair] = str(position)
                open_.remove(pair)
    return count, found


def search_plans(
    path: Path,
    board: Board | None = None,
    *,
    readings: Iterable[str] = (),
    size: int = SIZE,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[tuple[PlanFinding, ...], bool]:
    """The findings about plans for these readings (none named: all), and whether the search is complete.

    Its progress is kept in the file `path`.

    :raises FindingError: for a reading that does not exist, or a file that holds something else.
    :raises OSError: when the file cannot be written.
    """
    board, stop = board or Board.standard(), stop_of(seconds, cancel)
    work, pairs = Work.read(path, board, PLANS), pairs_of(readings)
    wanted = [pair for pair in pairs if not pair.by_reference and reason_of(pair, board) is None]
    searching = Search(
        work, board, pairs=wanted, size=size, stop=stop, workers=workers, progress=progress,
        save=at_intervals(lambda done: done.write(path)), compare=_solved,
    )  # fmt: skip
    complete = True
    try:
        searching.enumerate()
    except Stopped:
        complete = False
    finally:
        work.write(path)
    found = []
    for pair in pairs:
        if is_over(stop):
            complete = False
        found.append(_finding(work, pair, board, stop))
        if progress is not None:
            progress("plans", len(found), len(pairs))
    return tuple(found), complete


def _finding(work: Work, pair: Pair, board: Board, stop: Stop | None) -> PlanFinding:
    table, *_ = READINGS[pair.reading].needs or [BASE]
    reason = reason_of(pair, board)
    if reason is not None and reason[0] is Known.NONE:
        return PlanFinding(pair.id, Known.NONE, table, (), argument=reason[1])
    known = work.found.get(pair.id)
    rows = work.tables
    counts = {name: tuple(row.counts[: row.through.get(pair.id, 0)]) for name, row in rows.items()}
    served = [*constructed_objectives(pair), *_served(pair, board)]
    candidates = [Position.parse(known[2], board)] if known is not None else list(_candidates(pair, board))
    for position in candidates:
        if is_over(stop):
            break
        enumerated = counts.get(table_of(position).name, ())
        if found := finding_of(
            pair, position, enumerated, served=served, seconds=min(left(stop) or A_CANDIDATE, A_CANDIDATE), cancel=stop
        ):
            return found
    if reason is not None:
        return PlanFinding(pair.id, reason[0], table, (), argument=reason[1])
    if pair.by_reference:
        return PlanFinding(pair.id, Known.NOT_SEARCHED, table, (), argument=_not_searched(candidates, pair))
    tables = READINGS[pair.reading].needs or (BASE,)
    least = min(tables, key=lambda name: len(counts.get(name, ())))
    return PlanFinding(pair.id, Known.NO_DIFFERENCE, least, counts.get(least, ()))


def _not_searched(tried: Sequence[Position], pair: Pair) -> str:
    """Why no difference is stated of a value that the reference rules alone play, and what they tried."""
    alone = "only the reference rules play one of the values"
    if not tried:
        return f"{alone}, and no position with a turn is known in which they differ"
    if "imperium" in tried[0].ruleset.extensions:
        return (
            f"{alone}, and they do not try out turns with Imperium, in which an Emperor pays after his dice have fallen"
        )
    aim = read_objective("reach roma", tried[0].board)
    if any(
        best_by_reference(with_value(one, pair.reading, value), aim) is None for one in tried for value in pair.values
    ):
        return f"{alone}, and the turn in which the values differ is too long for them to try out every policy"
    turns = f"{len(tried)} turn{'s' if len(tried) > 1 else ''}"
    return f"{alone}; in {turns} near the position where the values differ they find no objective that differs"


def _served(pair: Pair, board: Board) -> list[str]:
    """The objectives of the actions that differ in the position of the finding about actions."""
    finding = findings().named(pair.id)
    if finding.position is None:
        return []
    position, found = Position.parse(finding.position, board), []
    for row in finding.differences:
        if position.phase is Phase.ROMAN and row.what != str(END):
            action, *_ = read_action(row.what, board)
            found.append(served_by(action, position))
    return [text for text in dict.fromkeys(found) if text]


def _candidates(pair: Pair, board: Board) -> Iterator[Position]:
    """Positions that were constructed, and those of the Roman phase near that of the finding about actions and phases."""
    yield from (Position.parse(text, board) for text in constructed_turns(pair))
    finding = findings().named(pair.id)
    if finding.position is None:
        return
    position = Position.parse(finding.position, board)
    if position.phase is Phase.ROMAN:
        yield position
        return
    turn, who = position.replace(phase=Phase.ROMAN, ip=0), position.to_move
    turns = [turn]
    if position.emperors[who] is None:  # without IP he is on the board: where nothing is near, if there is such a place
        near = {*position.discs, *position.armies, *position.romans.values()}
        near |= {other for place in near for other in board.neighbours(place)}
        turns = [turn.with_emperor(who, place) for place in board.provinces if place not in near][:PLACES]
    for one in turns:
        if not any(with_value(one, pair.reading, value).status() for value in pair.values):
            yield one
