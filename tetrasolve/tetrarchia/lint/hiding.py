"""Readings that hide one another: a value of one under which two values of another do not differ.

For each finding each other value that its table allows is put into the rules, and the smallest position is compared again. Where
its values do not differ any more, the value *hides* them there; then positions are drawn at random under it. Where they differ in
one of these, the value hides them in the smallest position only; where in none, perhaps everywhere, which is not proved.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve.errors import FindingError
from tetrasolve.exact.deadline import check
from tetrasolve.lint.findings import Finding
from tetrasolve.stop import Stop
from tetrasolve.strict import StrictError, read_json
from tetrasolve.tetrarchia import fast, whole
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import Engines, Pair
from tetrasolve.tetrarchia.lint.sampled import BATCH, Sampler
from tetrasolve.tetrarchia.lint.small import table_of
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import READINGS

STORED = "data/hiding.json"
FORMAT = 1
BATCHES = 4  # of positions drawn under each value that hides


@dataclass(frozen=True, slots=True)
class Hidden:
    """A finding whose values do not differ in its smallest position under `reading` = `value`.

    `position`: another one in which they differ under it, found among positions drawn at random in `batches`; empty where none was.
    `control`: in how many of these batches they differ under the usual values, so that a batch without a difference says something.
    """

    finding: str
    reading: str
    value: str
    batches: int
    control: int
    position: str = ""

    def sentence(self) -> str:
        """What is known, in one sentence."""
        here = f"hidden by {self.reading}={self.value} in this position"
        if self.position:
            return here
        return (
            f"{here}, and in {self.batches} batches of {BATCH:,} drawn at random, of which {self.control} have one that "
            "differs under the usual values"
        )


def played(findings: Sequence[Finding]) -> Iterator[tuple[Finding, Pair, Position]]:
    """The findings with a position whose values the kernels play."""
    board = Board.standard()
    for finding in findings:
        pair = Pair(finding.reading, *finding.values)
        if finding.position is not None and not pair.by_reference:
            yield finding, pair, Position.parse(finding.position, board)


def hiding(pair: Pair, position: Position, stop: Stop | None = None) -> list[tuple[str, str]]:
    """The values of other readings under which two values do not differ in a position; all are played by the kernels.

    :raises Stopped: when `stop` is set before.
    """
    table = table_of(position)
    state: Any = fast.state_of(position, rebels=True)  # of the kernel with modules
    found = []
    for reading in READINGS.values():
        if reading.name == pair.reading or not reading.applies(table.extensions):
            continue
        for value in reading.options:
            check(stop)
            if value == reading.default or value in reading.reference:
                continue
            if not Engines(table, [(reading.name, value)]).differing(state, [pair], stop):
                found.append((reading.name, value))
    return found


def search_hidden(findings: Sequence[Finding], stop: Stop | None = None) -> Iterator[Hidden]:
    """Every finding and value that hides it, with what a batch of positions drawn at random shows.

    :raises Stopped: when `stop` is set before.
    """
    for finding, pair, position in played(findings):
        table, hidden_by = table_of(position), hiding(pair, position, stop)
        usual = Sampler(table, Engines(table))
        control = sum(_drawn(usual, pair, number, stop) is not None for number in range(BATCHES)) if hidden_by else 0
        for name, value in hidden_by:
            sampler = Sampler(table, Engines(table, [(name, value)]))
            shown = (_drawn(sampler, pair, number, stop) for number in range(BATCHES))
            text = next((str(table.position(state)) for state in shown if state is not None), "")
            yield Hidden(finding.id, name, value, BATCHES, control, text)


def _drawn(sampler: Sampler, pair: Pair, number: int, stop: Stop | None) -> whole.State | None:
    """A state of a batch in which two values differ; None where there is none."""
    found = sampler.batch(f"hidden {pair.id} {number}", [pair], {}, stop)
    return found[pair][1] if found else None


def to_text(hidden: Sequence[Hidden]) -> str:
    """The text of a file that holds them."""
    return json.dumps({"format": FORMAT, "hidden": [*map(asdict, hidden)]}, indent=1) + "\n"


@cache
def stored_hidden() -> Mapping[str, tuple[Hidden, ...]]:
    """Those that come with the library, by finding.

    :raises FindingError: when the file cannot be read.
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath(STORED).read_text("utf-8")
    try:
        data = read_json(text)
        if data["format"] != FORMAT:
            raise FindingError(f"{STORED}: expected hidden readings of format {FORMAT}")
        rows = [Hidden(**row) for row in data["hidden"]]
    except (StrictError, KeyError, TypeError, ValueError) as error:
        raise FindingError(f"{STORED}: holds no hidden readings ({type(error).__name__})") from None
    return {row.finding: tuple(other for other in rows if other.finding == row.finding) for row in rows}


def hidden_problems(findings: Sequence[Finding], stop: Stop | None = None) -> Iterator[str]:
    """What is wrong with those that come with the library: they are compared again, and positions that differ played again.

    :raises Stopped: when `stop` is set before.
    """
    stored = stored_hidden()
    for finding, pair, position in played(findings):
        rows = stored.get(finding.id, ())
        again = hiding(pair, position, stop)
        if [(row.reading, row.value) for row in rows] != again:
            yield f"{finding.id}: hidden by {again}, the file says {[(row.reading, row.value) for row in rows]}"
        for row in rows:
            if row.position:
                other = Position.parse(row.position, position.board)
                engines = Engines(table_of(other), [(row.reading, row.value)])
                state: Any = fast.state_of(other, rebels=True)
                if pair not in engines.differing(state, [pair], stop):
                    yield f"{finding.id}: its values do not differ in '{row.position}' under {row.reading}={row.value}"
    if unknown := stored.keys() - {finding.id for finding in findings}:
        yield f"there are no findings {sorted(unknown)}"
