"""The findings that come with the library (``data/findings.json``), and the questions to the designer (``data/questions.toml``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType

from tetrasolve.errors import FindingError, TetrasolveError
from tetrasolve.lint.findings import Certainty, Finding, Report, Shown
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import EnginesDifferError, Pair, differences, with_value
from tetrasolve.tetrarchia.lint.needed import bound
from tetrasolve.tetrarchia.lint.search import digest, pairs_of, set_up
from tetrasolve.tetrarchia.lint.small import size_of, table_of
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.readings import no_difference
from tetrasolve.tetrarchia.ruleset import READINGS

FINDINGS = "data/findings.json"
SETTLED = "settled"
STATES = ("open", SETTLED, "answered", "printed")


@dataclass(frozen=True, slots=True)
class Question:
    """The question about a reading, answered with yes by its default, in English and Spanish.

    `state`: ``open``; ``settled`` by the text, which contradicts every value but the default, as `by` says; ``answered`` by the
    designer; or ``printed``, decided by a rulebook in print.
    """

    reading: str
    page: int
    rule: str
    english: str
    spanish: str
    state: str
    by: str = ""
    spanish_rule: str = ""
    spanish_values: Mapping[str, str] = field(default_factory=dict)
    english_values: Mapping[str, str] = field(default_factory=dict)
    spanish_by: str = ""

    @property
    def standing(self) -> str:
        """The state, with what settles the question."""
        return f"settled by the text: {self.by}" if self.by else self.state


@cache
def findings() -> Report:
    """The findings that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath(FINDINGS).read_text("utf-8")
    return Report.read(text, FINDINGS)


@cache
def questions() -> Mapping[str, Question]:
    """The question of each reading, by its name.

    :raises FindingError: when the file has a state that does not exist, or is not about the readings of the library.
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/questions.toml").read_text("utf-8")
    rows = read_toml(text)
    if rows.keys() != READINGS.keys():
        raise FindingError(
            f"data/questions.toml: expected each reading once, differs in {sorted({*rows} ^ {*READINGS})}"
        )
    found = {}
    for name, row in rows.items():
        if row["state"] not in STATES:
            raise FindingError(
                f"data/questions.toml: {name}: state {row['state']!r}, expected one of {', '.join(STATES)}"
            )
        if (row["state"] == SETTLED) != ("by" in row):
            raise FindingError(
                f"data/questions.toml: {name}: expected `by` where the state is {SETTLED}, and nowhere else"
            )
        reading, by = READINGS[name], row.get("by", "")
        if row["values"].keys() != reading.options.keys():
            raise FindingError(f"data/questions.toml: {name}: expected the values {', '.join(reading.options)}")
        found[name] = Question(
            name, reading.page, reading.rule, reading.question, row["es"], row["state"], by,
            spanish_rule=row["rule"], spanish_values=row["values"], english_values=dict(reading.options),
            spanish_by=row.get("by_es", ""),
        )  # fmt: skip
    return MappingProxyType(found)


# -- checking ----------------------------------------------------------------------------------------------------------


def problems(report: Report, board: Board | None = None) -> list[str]:
    """What is wrong with a report, in sentences: none where each position is played again by both engines with what it states.

    What was enumerated is not enumerated again; how sizes, certainty and counts belong together is checked.
    """
    board = board or Board.standard()
    found = [] if report.rules == digest(board) else ["the report is about other readings or another board"]
    missing = {pair.id for pair in pairs_of()} ^ {finding.id for finding in report.findings}
    found += [f"{name}: expected one finding" for name in sorted(missing)]
    for finding in report.findings:
        found += [f"{finding.id}: {problem}" for problem in _problems(finding, board)]
    return found


def _problems(finding: Finding, board: Board) -> Iterator[str]:
    pair = Pair(finding.reading, *finding.values)
    reading = READINGS.get(finding.reading)
    if reading is None or not {*finding.values} <= reading.options.keys() or pair.id != finding.id:
        yield "there is no such reading, or it has other values"
        return
    same = no_difference(board, finding.reading, finding.values) is not None
    if (finding.certainty is Certainty.NONE) != same:
        yield "whether it changes nothing on this board is stated wrongly"
    if finding.certainty in (Certainty.NONE, Certainty.NO_DIFFERENCE, Certainty.SET_UP):
        if finding.position is not None or finding.size is not None:
            yield "it has a position, and says that there is none"
        if (finding.certainty is Certainty.SET_UP) != bool(
            set_up(pair, board) and finding.certainty is not Certainty.NONE
        ):
            yield "whether set-ups differ is stated wrongly"
        least = min((row.up_to for row in finding.searched), default=0) + 1
        if finding.certainty is not Certainty.NONE and finding.at_least != least:
            yield f"sizes up to {least - 1} were enumerated, it says up to {finding.at_least - 1}"
        return
    yield from _problems_of_position(finding, pair, board)


def _problems_of_position(finding: Finding, pair: Pair, board: Board) -> Iterator[str]:
    if finding.position is None or finding.size is None:
        yield "it has no position"
        return
    try:
        position = Position.parse(finding.position, board)
        if reasons := [r for v in pair.values for r in with_value(position, pair.reading, v).status()]:
            yield f"its position cannot occur: {reasons[0]}"
            return
        shown = tuple(Shown(d.kind, d.what, d.values) for d in differences(position, pair))
    except (TetrasolveError, EnginesDifferError) as error:
        yield str(error)
        return
    if not shown or finding.differences != shown[: len(finding.differences)] or not finding.differences:
        yield "what differs is not what it says"
    elif len(shown) != len(finding.differences) + finding.more:
        yield f"{len(shown)} things differ, it says {len(finding.differences) + finding.more}"
    table = table_of(position)
    if table.name != finding.table:
        yield f"its table is {table.name}, it says {finding.table}"
    if size_of(position) != finding.size:
        yield f"its position has {size_of(position)} pieces, it says {finding.size}"
    rows = [row for row in finding.searched if row.table == finding.table]
    through = max((row.up_to for row in rows), default=0)
    least, argument = bound(finding.id, through, finding.size, {size: n for row in rows for size, n in row.meeting})
    if finding.at_least != least:
        yield f"sizes up to {through} were enumerated, it says that there is none below {finding.at_least}"
    if finding.argument != argument:
        yield "why no smaller position has it is stated wrongly"
    if (finding.certainty is Certainty.PROVED) != (finding.at_least == finding.size):
        yield "its certainty does not follow from what was enumerated"
