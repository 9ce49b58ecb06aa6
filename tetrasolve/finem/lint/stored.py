"""What comes with the library: findings, effects on a turn, questions to the author, and sides that are no readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from tetrasolve.errors import FindingError, TetrasolveError
from tetrasolve.finem.lint.domain import size_of
from tetrasolve.finem.lint.effects import TurnEffect
from tetrasolve.finem.lint.pairs import digest, pairs
from tetrasolve.finem.lint.search import NAMES_ALONE, can_occur, differences
from tetrasolve.finem.position import Position
from tetrasolve.finem.ruleset import READINGS
from tetrasolve.lint.findings import Certainty, Finding, Report
from tetrasolve.strict import read_json, read_toml

FINDINGS, EFFECTS, QUESTIONS, POINTS = (
    "data/findings.json",
    "data/turn-effects.json",
    "data/questions.toml",
    "data/open-points.toml",
)
LANGUAGES = ("en", "es")


@dataclass(frozen=True, slots=True)
class Question:
    """The question about a reading, which its default answers with yes: by language, with the sentence and the values in words.

    `asks` has the question about one of the other values, where it has its own. `settled` says what in the text decides it, where
    something does, and `no_game` why no game changes, where none can; `note` what its smallest position does not show by itself.
    """

    reading: str
    text: Mapping[str, str]
    rule: Mapping[str, str]
    values: Mapping[str, Mapping[str, str]]
    asks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    settled: Mapping[str, str] = field(default_factory=dict)
    no_game: Mapping[str, str] = field(default_factory=dict)
    note: Mapping[str, str] = field(default_factory=dict)

    def about(self, value: str, language: str) -> str:
        """The question that tells a value from the default."""
        return self.asks.get(language, {}).get(value, self.text[language])


@dataclass(frozen=True, slots=True)
class OpenPoint:
    """A side that is no reading: the question by language, which the side taken answers with yes, and the other.

    `settled` says what decides it, and `no_game` why no game changes; where both are empty it is an open point without a switch.
    Such a one can have a position in which both sides differ, after the cards and decisions of `play`.
    """

    id: str
    section: str
    text: Mapping[str, str]
    taken: Mapping[str, str]
    other: Mapping[str, str]
    settled: Mapping[str, str]
    no_game: Mapping[str, str]
    position: str = ""
    play: str = ""


def _text(name: str) -> str:
    return resources.files("tetrasolve.finem").joinpath(name).read_text("utf-8")


@cache
def findings() -> Report:
    """The findings that come with the library.

    :raises FindingError: when the file cannot be read.
    """
    return Report.read(_text(FINDINGS), FINDINGS)


@cache
def effects() -> Mapping[str, TurnEffect]:
    """The effects on a turn, by pair.

    :raises FindingError: when the file cannot be read.
    """
    try:
        rows: Any = read_json(_text(EFFECTS))
        return MappingProxyType({row["id"]: TurnEffect(**row) for row in rows})
    except (KeyError, TypeError, ValueError) as error:
        raise FindingError(f"{EFFECTS}: {error}") from None


@cache
def questions() -> Mapping[str, Question]:
    """The question of each reading.

    :raises FindingError: when the file is not about the readings of the library.
    """
    rows = read_toml(_text(QUESTIONS))
    if rows.keys() != READINGS.keys():
        raise FindingError(f"{QUESTIONS}: expected each reading once, differs in {sorted({*rows} ^ {*READINGS})}")
    found = {}
    for name, row in rows.items():
        reading = READINGS[name]
        if row["values"].keys() != reading.options.keys():
            raise FindingError(f"{QUESTIONS}: {name}: expected the values {', '.join(reading.options)}")
        asks = {"en": reading.asks, "es": row.get("asks", {})}
        if not asks["es"].keys() == asks["en"].keys() <= {*list(reading.options)[1:]}:
            raise FindingError(f"{QUESTIONS}: {name}: expected questions about {', '.join(reading.asks) or 'no value'}")
        found[name] = Question(
            name,
            {"en": reading.question, "es": row["es"]},
            {"en": reading.rule, "es": row["rule"]},
            {"en": reading.options, "es": row["values"]},
            asks,
            row.get("settled", {}),
            row.get("no_game", {}),
            row.get("note", {}),
        )
    if {name for name, question in found.items() if question.no_game} != NAMES_ALONE:
        raise FindingError(f"{QUESTIONS}: expected no_game of {', '.join(sorted(NAMES_ALONE))}")
    return MappingProxyType(found)


@cache
def open_points() -> tuple[OpenPoint, ...]:
    """The sides taken that are no readings, in the order of the file.

    >>> [point.id for point in open_points() if point.settled][:3]
    ['cards-stay-out', 'consul-cost', 'war-one-cube']
    """
    rows = read_toml(_text(POINTS))
    return tuple(
        OpenPoint(
            name,
            row["section"],
            {language: row[language] for language in LANGUAGES},
            row["taken"],
            row["other"],
            row.get("settled", {}),
            row.get("no_game", {}),
            row.get("position", ""),
            row.get("play", ""),
        )
        for name, row in rows.items()
    )


# -- checking ----------------------------------------------------------------------------------------------------------


def problems(report: Report) -> list[str]:
    """What is wrong with a report, in sentences: none where the reference rules find at each position what it states.

    What was enumerated is not enumerated again; how sizes, certainty and counts belong together is checked.
    """
    found = [] if report.rules == digest() else ["the report is about other readings or numbers"]
    known = {pair.id: pair for pair in pairs()}
    missing = known.keys() ^ {finding.id for finding in report.findings}
    found += [f"{name}: expected one finding" for name in sorted(missing)]
    for finding in report.findings:
        if finding.id in known:
            found += [f"{finding.id}: {problem}" for problem in _problems(finding)]
    return found


def _problems(finding: Finding) -> Iterator[str]:
    through = max((row.up_to for row in finding.searched), default=0)
    if finding.position is None or finding.size is None:
        if finding.certainty not in (Certainty.SET_UP, Certainty.NO_DIFFERENCE):
            yield "it has no position"
        if finding.at_least != through + 1:
            yield f"sizes up to {through} were enumerated, it says up to {finding.at_least - 1}"
        return
    try:
        position = Position.parse(finding.position)
        second = position.ruleset.with_readings([(finding.reading, finding.values[1])])
        if not can_occur(position, second):
            yield "its position cannot occur under both values"
        shown = differences(position, next(pair for pair in pairs([finding.reading]) if pair.id == finding.id))
    except TetrasolveError as error:
        yield str(error)
        return
    if not shown or tuple(shown[: len(finding.differences)]) != finding.differences or not finding.differences:
        yield "what differs is not what it says"
    elif len(shown) != len(finding.differences) + finding.more:
        yield f"{len(shown)} things differ, it says {len(finding.differences) + finding.more}"
    if size_of(position) != finding.size:
        yield f"its position has {size_of(position)} pieces, it says {finding.size}"
    if (finding.certainty is Certainty.PROVED) != (finding.at_least == finding.size):
        yield "its certainty does not follow from its size"
    if finding.at_least > through + 1:
        yield f"sizes up to {through} were enumerated, it says that there is none below {finding.at_least}"
