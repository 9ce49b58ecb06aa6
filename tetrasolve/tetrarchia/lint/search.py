"""The search for the smallest positions in which two values of a reading differ.

Each reading is looked at on the tables that it needs: the base game, or one of the modules and variants without which it changes
nothing; where nothing is found, on tables with one more of them. On each table sizes are enumerated in order up to a limit, then
larger positions are drawn at random and made smaller. A pair of values is left alone once its smallest position is known. Where a
difference requires certain pieces, the positions that have them are enumerated between their number and the size that is known.

What has been done is kept in a `Work`, which can be written after every step: an interrupted search continues where it was.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from tetrasolve.errors import FindingError, nearest, shown
from tetrasolve.exact.cluster import Workers, executing
from tetrasolve.exact.deadline import Moment, check, moment, stop_at, stop_of
from tetrasolve.exact.executor import in_order
from tetrasolve.files import SIZE, read_text, write_text
from tetrasolve.lint.findings import Certainty, Finding, Report, Searched, Shown
from tetrasolve.lint.pairs import spelled
from tetrasolve.stop import Stop, Stopped
from tetrasolve.strict import StrictError, read_json
from tetrasolve.tetrarchia import fast, rules
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import Engines, Pair, differences
from tetrasolve.tetrarchia.lint.meeting import Meeting
from tetrasolve.tetrarchia.lint.needed import bound, needed
from tetrasolve.tetrarchia.lint.sampled import BATCH, Sampler
from tetrasolve.tetrarchia.lint.small import BASE, REBELS, Block, Table, size_of, table_of
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.readings import no_difference
from tetrasolve.tetrarchia.ruleset import MODULES, READINGS, VARIANTS

SIZE_LIMIT = 3  # pieces of the positions that are enumerated, if nothing else is asked
SOON = 2  # pieces of those that are enumerated before any is drawn: larger sizes take minutes
FEWER = 4  # times fewer batches are drawn on tables with one module more than a reading needs
BATCHES = 60  # of positions drawn on each table
MEETING = (
    3_000_000  # a size with more positions that have what a difference requires is not enumerated, and no larger one
)
LISTED = 12  # differences of a position that a finding lists
SAVED_EVERY = 2.0  # seconds
POSITIONS, PLANS = "positions", "plans"  # what a search compares
CHECKED_EVERY = 64  # positions between two looks at the deadline
SET_UPS, FLEETS = 200, 2  # seeds with which set-ups are compared, and their fleets

DOMAIN = (
    "positions that can occur, each Emperor with 4 garrisons; their size is the number of fleets, Emperors on the board, discs, "
    "armies, Dux, Vicarius and Pirates, discs of glory, discs paid for a power, and discs of the Barbarian player; "
    "order: size, IP, phase, active Emperor, places"
)

Progress = Callable[[str, int, int], None]  # stage, number done, total


def pairs_of(names: Iterable[str] = ()) -> tuple[Pair, ...]:
    """Each two values of each of these readings, in capitals or small letters; of all readings where none is named.

    :raises FindingError: for a reading that does not exist.
    """
    wanted = spelled(names, READINGS) or list(READINGS)
    for name in wanted:
        if name not in READINGS:
            near = nearest(name.upper(), READINGS, cutoff=0)
            raise FindingError(f"reading {shown(name)} does not exist, expected one like {near}")
    return tuple(
        Pair(name, *two) for name in READINGS if name in wanted for two in combinations(READINGS[name].options, 2)
    )


def digest(board: Board) -> str:
    """A digest of what findings are about: the readings with their values, and the board."""
    rows = [(r.name, list(r.options), list(r.needs)) for r in READINGS.values()]
    places = [(p.id, p.region, p.number, sorted(p.zones), p.arrow, p.printed) for p in board.provinces.values()]
    links = sorted((*sorted(link.between), link.broken) for link in board.links)
    return hashlib.sha256(json.dumps([rows, places, links]).encode()).hexdigest()[:16]


# -- what has been done ------------------------------------------------------------------------------------------------


@dataclass
class Progressed:
    """What has been done on one table.

    `counts`: positions of each whole size. `through`: for each pair the size up to which all were enumerated without a difference;
    `drawn`: the batches drawn for it. `size`, `pairs`, `blocks`, `partial`: the size that is being enumerated, for which pairs, the
    blocks done and their positions. `meeting`: for each pair, with a digest of what it needs, the sizes of which the positions that
    have what a difference requires were enumerated without one, with their number; `need`: such a size is being enumerated, for the
    need of this pair.
    """

    counts: list[int] = field(default_factory=list)
    through: dict[str, int] = field(default_factory=dict)
    drawn: dict[str, int] = field(default_factory=dict)
    size: int = 0
    pairs: list[str] = field(default_factory=list)
    blocks: int = 0
    partial: int = 0
    meeting: dict[str, dict[str, int]] = field(default_factory=dict)
    need: str = ""

    def met(self, pair: Pair) -> dict[int, int]:
        """The sizes that were enumerated for a pair by what it needs, with the number of positions."""
        need = needed().get(pair.id)
        found = {} if need is None else self.meeting.get(f"{pair.id} {need.digest}", {})
        return {int(size): count for size, count in found.items()}

    def note_met(self, pair: Pair, size: int, count: int) -> None:
        """Note that a size was enumerated for a pair, by what it needs now."""
        self.meeting.setdefault(f"{pair.id} {needed()[pair.id].digest}", {})[str(size)] = count


@dataclass
class Work:
    """A search in progress; `found` has for each pair the table, the size, the position, and whether it was enumerated.

    `about` says what is compared: ``positions`` or ``plans``. One search cannot go on with the work of the other.
    """

    rules: str
    tables: dict[str, Progressed] = field(default_factory=dict)
    found: dict[str, tuple[str, int, str, bool]] = field(default_factory=dict)
    about: str = POSITIONS

    @classmethod
    def read(cls, path: Path, board: Board, about: str = POSITIONS) -> Work:
        """The work in a file, or a new one where there is none or it is about other rules.

        :raises FindingError: when the file is no work of this kind.
        """
        new = cls(digest(board), about=about)
        if not path.exists():
            return new
        try:
            data = read_json(read_text(path, SIZE))
            if data["rules"] != new.rules:
                return new
            there = data.get("about", POSITIONS)
            tables = {name: Progressed(**row) for name, row in data["tables"].items()}
            found = {name: (row[0], row[1], row[2], row[3]) for name, row in data["found"].items()}
        except (StrictError, KeyError, TypeError, IndexError, AttributeError, ValueError) as error:
            raise FindingError(f"{path}: is no search in progress ({type(error).__name__})") from None
        if there != about:
            raise FindingError(f"{path}: is the progress of another search, expected one for {about}")
        return cls(new.rules, tables, found, about)

    def write(self, path: Path) -> None:
        """Write it, whole."""
        write_text(path, json.dumps(asdict(self)))

    def of(self, table: Table) -> Progressed:
        """What has been done on a table."""
        return self.tables.setdefault(table.name, Progressed())


# -- one part of the enumeration, and one batch ------------------------------------------------------------------------


@dataclass(frozen=True)
class Context:
    """What the jobs of one table and size share."""

    table: Table
    pairs: tuple[Pair, ...]
    blocks: tuple[Block, ...] = ()
    best: tuple[tuple[Pair, int], ...] = ()
    until: Moment | None = None
    need: str = ""  # of this pair, where only positions that have what it needs are enumerated


BlockJob = Callable[[Context, int], tuple[int, dict[Pair, str]]]  # what `_enumerated` is


def _enumerated(context: Context, number: int) -> tuple[int, dict[Pair, str]]:
    """The number of positions of a block, and for each pair that differs in one the first of them."""
    table, block, stop = context.table, context.blocks[number], stop_at(context.until)
    engines, left, count = _engines(table), list(context.pairs), 0
    found: dict[Pair, str] = {}
    sampler = Sampler(table, engines)
    states = Meeting(table, needed()[context.need]).states(block) if context.need else table.states(block)
    for count, state in enumerate(states, start=1):
        if count % CHECKED_EVERY == 0:
            check(stop)
        for pair in engines.differing(state, left, stop):
            if sampler.can_occur_under(state, pair):
                found[pair] = str(table.position(state))
                left.remove(pair)
    return count, found


def _drawn(context: Context, number: int) -> dict[Pair, tuple[int, str]]:
    """The smallest positions of a batch that differ, as text."""
    table = context.table
    sampler = Sampler(table, _engines(table))
    found = sampler.batch(f"{table.name} {number}", context.pairs, dict(context.best), stop_at(context.until))
    return {pair: (size, str(table.position(state))) for pair, (size, state) in found.items()}


_known: dict[str, Engines] = {}  # in each process the engines of the table that it works on


def _engines(table: Table) -> Engines:
    if table.name not in _known or _known[table.name].table.board is not table.board:
        _known.clear()
        _known[table.name] = Engines(table)
    return _known[table.name]


# -- the search --------------------------------------------------------------------------------------------------------


class Search:
    """A search that goes on until everything is done, or a flag is set."""

    def __init__(
        self,
        work: Work,
        board: Board,
        *,
        pairs: Sequence[Pair],
        size: int = SIZE_LIMIT,
        batches: int = BATCHES,
        stop: Stop | None = None,
        workers: Workers = 1,
        progress: Progress | None = None,
        save: Callable[[Work], object] | None = None,
        compare: BlockJob | None = None,
    ) -> None:
        self._compare = compare or _enumerated
        self.work, self.board, self.pairs, self.size, self.batches = work, board, tuple(pairs), size, batches
        self._stop, self._workers = stop, workers
        self._progress: Progress = progress or (lambda _stage, _done, _total: None)
        self._save = save or (lambda _work: None)

    def enumerate(self) -> None:
        """Enumerate the sizes that are missing on the tables that the readings need, and draw nothing.

        :raises Stopped: when the flag is set; what was done is in the work.
        """
        for table in self.first_tables():
            self._enumerate(table, self.size)

    def run(self) -> None:
        """Do what is not done yet.

        :raises Stopped: when the flag is set; what was done is in the work.
        """
        first, further = self.first_tables(), list(self.further_tables())
        self._note_known()
        for table in first:
            self._enumerate(table, min(SOON, self.size))
        for table in first:
            self._draw(
                table, [pair for pair in self._open(table) if self._is_proper(pair, table) and not self._is_inert(pair)]
            )
        for table in further:
            self._draw(table, [pair for pair in self._open(table) if self._is_wanting(pair, table)], FEWER)
        for limit in (min(SOON, self.size), self.size):
            for table in (*first, *further):
                self._enumerate(table, limit)
        for table in (*first, *further):
            self._enumerate_meeting(table)

    def first_tables(self) -> list[Table]:
        """The tables that the readings need: the base game, and each module and variant that one of them names."""
        needs = dict.fromkeys(name for pair in self.pairs for name in READINGS[pair.reading].needs)
        base = [Table(self.board)] if any(not READINGS[p.reading].needs for p in self.pairs) else []
        return base + [Table(self.board, (name,)) for name in needs]

    def further_tables(self) -> Iterator[Table]:
        """Tables with one more module or variant, or rebels, than the readings need."""
        known = {table.name for table in self.first_tables()}
        for first in self.first_tables():
            for name in (*MODULES, *VARIANTS, REBELS):
                table = Table(self.board, (*first.extensions, name))
                if name not in first.extensions and table.name not in known:
                    known.add(table.name)
                    yield table

    def _open(self, table: Table) -> list[Pair]:
        """The pairs that this table is for, and for which it can still have a smaller position than the one that is known."""
        return [
            pair
            for pair in self.pairs
            if READINGS[pair.reading].applies(table.extensions) and not self._is_settled(pair, table)
        ]

    def _is_settled(self, pair: Pair, table: Table) -> bool:
        """Whether a position is known, and it is on another table or no smaller one is left to find on this one."""
        known = self.work.found.get(pair.id)
        return known is not None and (known[0] != table.name or known[1] <= self._through(pair, table) + 1)

    def _is_proper(self, pair: Pair, table: Table) -> bool:
        """Whether sizes are enumerated on this table for a pair: one that it needs, or one where a position is known."""
        known = self.work.found.get(pair.id)
        return len(table.extensions) <= bool(READINGS[pair.reading].needs) or (
            known is not None and known[0] == table.name
        )

    def _is_inert(self, pair: Pair) -> bool:
        return no_difference(self.board, pair.reading, pair.values) is not None

    def _is_wanting(self, pair: Pair, table: Table) -> bool:
        """Whether nothing is known in which it differs, neither a position nor a set-up, and the table has one module more."""
        fits = len(table.extensions) == bool(READINGS[pair.reading].needs) + 1
        return (
            fits
            and pair.id not in self.work.found
            and not self._is_inert(pair)
            and not set_up(pair, self.board, self._stop)
        )

    def _through(self, pair: Pair, table: Table) -> int:
        """The size up to which this table was enumerated for a pair."""
        return self.work.of(table).through.get(pair.id, 0)

    def _enumerate(self, table: Table, limit: int) -> None:
        """Enumerate sizes up to a limit, in order, as long as there are open pairs for this table."""
        while pairs := self._pairs_below(table, limit):
            self._enumerate_size(table, 1 + self._through(pairs[0], table), pairs)

    def _pairs_below(self, table: Table, limit: int) -> list[Pair]:
        """Of the open pairs for which a size up to the limit is missing those for which the smallest one is."""
        pairs = [pair for pair in self._open(table) if self._is_proper(pair, table)]
        least = min((self._through(pair, table) for pair in pairs), default=limit)
        return [pair for pair in pairs if self._through(pair, table) == least] if least < limit else []

    def _enumerate_size(self, table: Table, size: int, pairs: list[Pair]) -> None:
        done = self.work.of(table)
        if not self._enumerate_blocks(table, size, pairs, table.blocks(size)):
            return
        done.counts[size - 1 :] = [done.partial, *done.counts[size:]]
        done.through.update({pair.id: size for pair in pairs if not self._is_settled(pair, table)})
        done.size = 0
        self._save(self.work)

    def _enumerate_blocks(
        self, table: Table, size: int, pairs: Sequence[Pair], blocks: Sequence[Block], need: str = ""
    ) -> bool:
        """Enumerate a size from where it was left off, until no pair is open any more; whether it came to the end."""
        done = self.work.of(table)
        if (done.size, done.need) != (size, need) or not {pair.id for pair in pairs} <= {*done.pairs}:
            done.size, done.pairs, done.blocks, done.partial = size, [pair.id for pair in pairs], 0, 0
            done.need = need
        while done.blocks < len(blocks):
            left = tuple(pair for pair in pairs if not self._is_found(pair, table, size, need))
            if not left:
                return False
            ip = blocks[done.blocks].ip
            last = next((n for n in range(done.blocks, len(blocks)) if blocks[n].ip != ip), len(blocks))
            context = Context(table, left, tuple(blocks), until=moment(self._stop), need=need)
            for number, (count, hits) in self._in_order(self._compare, context, range(done.blocks, last)):
                done.blocks, done.partial = number + 1, done.partial + count
                for pair, text in hits.items():
                    self._note(pair, table, size, text, enumerated=True)
                self._progress(f"{table.name}, {size} pieces", number + 1, len(blocks))
                self._save(self.work)
        return True

    def _is_found(self, pair: Pair, table: Table, size: int, need: str) -> bool:
        """Whether a position of this size is known for a pair, or where all of a size are enumerated, it is settled."""
        return self.work.found[pair.id][1] <= size if need else self._is_settled(pair, table)

    # -- by what is needed -------------------------------------------------------------------------------------------------

    def _note_known(self) -> None:
        """Keep the positions that somebody has found, where the values differ in them.

        :raises FindingError: when they do not.
        """
        for pair in self.pairs if self.board == Board.standard() else ():
            text = needed()[pair.id].known if pair.id in needed() else ""
            if not text:
                continue
            position = Position.parse(text, self.board)
            state: Any = fast.state_of(position, rebels=True)  # of the kernel with modules
            table = table_of(position)
            engines = Engines(table)
            if not (engines.differing(state, [pair]) and Sampler(table, engines).can_occur_under(state, pair)):
                raise FindingError(f"{pair.id}: the values do not differ in {text}, as data/needed.toml says")
            self._note(pair, table, size_of(position), text, enumerated=False)

    def _enumerate_meeting(self, table: Table) -> None:
        """Enumerate between what is needed and what is known the positions that have what is needed, size by size."""
        groups: dict[Any, list[Pair]] = {}
        for pair in self.pairs:
            known = self.work.found.get(pair.id)
            if pair.id in needed() and known is not None and known[0] == table.name:
                groups.setdefault(needed()[pair.id].key, []).append(pair)
        for group in groups.values():
            meeting = Meeting(table, needed()[group[0].id])
            while pairs := [pair for pair in group if self._least(pair, table) < self.work.found[pair.id][1]]:
                size = min(self._least(pair, table) for pair in pairs)
                pairs = [pair for pair in pairs if self._least(pair, table) == size]
                if meeting.number(size, MEETING + 1) > MEETING:
                    break
                done = self.work.of(table)
                if self._enumerate_blocks(table, size, pairs, meeting.blocks(size), pairs[0].id):
                    for pair in pairs:
                        if self.work.found[pair.id][1] > size:
                            done.note_met(pair, size, done.partial)
                done.size = 0
                self._save(self.work)

    def _least(self, pair: Pair, table: Table) -> int:
        """The least size that a position can have in which a pair differs, on the table where one is known."""
        least, _ = bound(
            pair.id, self._through(pair, table), self.work.found[pair.id][1], self.work.of(table).met(pair)
        )
        return least

    def _draw(self, table: Table, wanted: list[Pair], fewer: int = 1) -> None:
        """Draw batches of positions for these pairs, until each has its number of them or is settled."""
        done, batches = self.work.of(table), self.batches // fewer
        while True:
            pairs = [pair for pair in wanted if not self._is_settled(pair, table)]
            first = min((done.drawn.get(pair.id, 0) for pair in pairs), default=batches)
            if first >= batches:
                return
            pairs = [pair for pair in pairs if done.drawn.get(pair.id, 0) == first]
            numbers = range(first, min(batches, first + self._at_once()))
            best = tuple((p, self.work.found[p.id][1]) for p in pairs if p.id in self.work.found)
            context = Context(table, tuple(pairs), best=best, until=moment(self._stop))
            for number, hits in self._in_order(_drawn, context, numbers):
                for pair, (size, text) in hits.items():
                    self._note(pair, table, size, text, enumerated=False)
                done.drawn.update({pair.id: number + 1 for pair in pairs})
                self._progress(f"{table.name}, at random", number + 1, batches)
                self._save(self.work)

    def _at_once(self) -> int:
        """How many batches are drawn at the same time."""
        return self._workers if isinstance(self._workers, int) else self._workers.executor().workers

    def _note(self, pair: Pair, table: Table, size: int, text: str, *, enumerated: bool) -> None:
        """Keep a position that is smaller than the one that was known; of several of one size the first."""
        known = self.work.found.get(pair.id)
        if known is None or size < known[1] or (enumerated and not known[3] and size <= known[1]):
            self.work.found[pair.id] = (table.name, size, text, enumerated)

    def _in_order(self, job: Callable[[Any, int], Any], context: Context, numbers: range) -> Iterator[tuple[int, Any]]:
        """The results of jobs in the order of their numbers."""
        with executing(1 if len(numbers) == 1 else self._workers, self._stop) as executor:
            yield from in_order(executor.run(job, context, numbers), numbers)


def search(
    path: Path,
    board: Board | None = None,
    *,
    readings: Iterable[str] = (),
    size: int = SIZE_LIMIT,
    batches: int = BATCHES,
    workers: Workers = 1,
    seconds: float | None = None,
    cancel: Stop | None = None,
    progress: Progress | None = None,
) -> tuple[Report, bool]:
    """The findings for these readings, and whether the search is complete; its progress is kept in the file `path`.

    One that is stopped lists its positions, and what differs in those that were played again before that.

    :param size: the largest size that is enumerated.
    :param batches: batches of positions drawn on each table.
    :raises FindingError: for a reading that does not exist, or a file that holds something else.
    :raises OSError: when the file cannot be written.
    """
    board, stop = board or Board.standard(), stop_of(seconds, cancel)
    pairs, work = pairs_of(readings), Work.read(path, board)
    searching = Search(
        work, board, pairs=pairs, size=size, batches=batches, stop=stop, workers=workers, progress=progress,
        save=at_intervals(lambda done: done.write(path)),
    )  # fmt: skip
    complete = True
    try:
        searching.run()
    except Stopped:
        complete = False
    finally:
        work.write(path)
    found, played = report(work, board, pairs, stop)
    return found, complete and played


def at_intervals(save: Callable[[Work], object]) -> Callable[[Work], None]:
    """A function that saves, unless it did so a moment ago."""
    last = time.monotonic()

    def maybe(work: Work) -> None:
        nonlocal last
        if time.monotonic() - last >= SAVED_EVERY:
            save(work)
            last = time.monotonic()

    return maybe


# -- findings ----------------------------------------------------------------------------------------------------------


def report(work: Work, board: Board, pairs: Sequence[Pair], stop: Stop | None = None) -> tuple[Report, bool]:
    """What the work says of these pairs, and whether all positions were played again: none is once the flag is set.

    A position that is being played when the flag is set is listed without what differs, like those after it.
    """
    found, played = [], True
    for pair in pairs:
        if played:
            try:
                check(stop)
                found.append(_finding(work, board, pair, stop, play=True))
                continue
            except Stopped:
                played = False
        found.append(_finding(work, board, pair, play=False))
    return Report(work.rules, DOMAIN, tuple(found)), played


def _finding(work: Work, board: Board, pair: Pair, stop: Stop | None = None, *, play: bool) -> Finding:
    known = _found(work, board, pair)
    names = dict.fromkeys([*(READINGS[pair.reading].needs or [BASE]), *([known[0]] if known else [])])
    rows = {name: work.tables.get(name, Progressed()) for name in names}
    through = {name: row.through.get(pair.id, 0) for name, row in rows.items()}
    searched = tuple(
        Searched(
            name,
            tuple(row.counts[: through[name]]),
            row.drawn.get(pair.id, 0) * BATCH,
            tuple(sorted(row.met(pair).items())),
        )
        for name, row in rows.items()
    )
    empty = Finding(pair.id, pair.reading, pair.values, Certainty.NO_DIFFERENCE, 1, searched)
    inert = no_difference(board, pair.reading, pair.values)
    if inert:
        return replace(empty, certainty=Certainty.NONE, argument=inert)
    if known is None:
        text = set_up(pair, board, stop) if play else ""
        certainty = Certainty.SET_UP if text else Certainty.NO_DIFFERENCE
        return replace(empty, certainty=certainty, at_least=min(through.values()) + 1, argument=text)
    table, size, text, enumerated = known
    at_least, argument = bound(pair.id, through[table], size, rows[table].met(pair))
    found = differences(Position.parse(text, board), pair, stop) if play else ()
    if play and not found:
        raise FindingError(f"{pair.id}: the reference rules find no difference in {text}, where the kernel does")
    return replace(
        empty,
        certainty=Certainty.PROVED if at_least == size else Certainty.INTERVAL,
        at_least=at_least,
        table=table,
        size=size,
        position=text,
        is_first=enumerated,
        differences=tuple(Shown(d.kind, d.what, d.values) for d in found[:LISTED]),
        more=max(0, len(found) - LISTED),
        argument=argument,
    )


def _found(work: Work, board: Board, pair: Pair) -> tuple[str, int, str, bool] | None:
    """The position found for a pair, on the table that it needs: perhaps no rebels are left in it."""
    known = work.found.get(pair.id)
    return known and (table_of(Position.parse(known[2], board)).name, *known[1:])


def set_up(pair: Pair, board: Board, stop: Stop | None = None) -> str:
    """A seed with which the same dice give other set-ups under the two values; empty where none was found.

    :raises Stopped: when `stop` is set before.
    """
    known = _set_ups.get((pair, board))
    if known is None:
        known = _set_ups[pair, board] = _set_up(pair, board, stop)
    return known


_set_ups: dict[tuple[Pair, Board], str] = {}  # of the pairs that were asked for; as many as there are readings


def _set_up(pair: Pair, board: Board, stop: Stop | None) -> str:
    tables: list[tuple[str, ...]] = [(name,) for name in READINGS[pair.reading].needs]
    for names in tables or [()]:
        both = [Table(board, names).ruleset(FLEETS, [(pair.reading, value)]) for value in pair.values]
        for seed in range(SET_UPS):
            check(stop)
            one, other = (rules.random_set_up(replace(ruleset, revolts=2), seed, board=board) for ruleset in both)
            if str(one).partition(" ")[2] != str(other).partition(" ")[2]:
                return f"seed {seed}: {one} or {other}"
    return ""
