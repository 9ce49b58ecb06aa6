"""What players have asked in public about the rules (``data/asked.toml``): each question is settled by the text, or open.

Sides that look open and that a sentence settles are there as well, though nobody has asked.

Each answer shows positions, in which both engines must say what it states.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from tetrasolve.errors import FindingError, TetrasolveError
from tetrasolve.strict import read_toml
from tetrasolve.tetrarchia import rules
from tetrasolve.tetrarchia.action import END, read_action
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.lint.compare import EnginesDifferError, agree
from tetrasolve.tetrarchia.position import Position
from tetrasolve.tetrarchia.ruleset import READINGS

ARMIES = "armies"
NOT_LEGAL = "not legal"
LANGUAGES = ("en", "es")


@dataclass(frozen=True, slots=True)
class Played:
    """A position that is played: an action and what it costs, or ``armies`` and where they can stand after the phase."""

    position: str
    what: str
    result: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of players with its answer, each by its language (``en``, ``es``).

    `rows` of the rulebook settle it, or it is open and `readings` take a side. Where both are there, the rows settle what was
    asked, and the readings are about something close to it. `facts` are proved and belong to the answer.
    """

    id: str
    question: Mapping[str, str]
    answer: Mapping[str, str]
    page: int
    rows: tuple[str, ...]
    readings: tuple[str, ...]
    facts: tuple[str, ...]
    shown: tuple[Played, ...]
    by_players: bool = True

    @property
    def is_open(self) -> bool:
        """Whether no row of the rulebook settles it."""
        return not self.rows

    @property
    def standing(self) -> str:
        """Where it is settled, or that it is open, in a phrase."""
        parts = [f"settled by the text: {', '.join(self.rows)}" if self.rows else "open"]
        if self.readings:
            parts.append(("see also " if self.rows else "") + ", ".join(self.readings))
        if self.facts:
            parts.append(f"proved: {', '.join(self.facts)}")
        if not self.by_players:
            parts.append("nobody has asked")
        return "; ".join(parts)


@cache
def asked() -> tuple[Asked, ...]:
    """The questions that come with the library, in the order of its file.

    :raises FindingError: when the file has a reading that does not exist, or a question that is neither settled nor open.

    >>> [question.id for question in asked() if question.is_open]
    ['entry']
    """
    text = resources.files("tetrasolve.tetrarchia").joinpath("data/asked.toml").read_text("utf-8")
    return tuple(_read(name, row) for name, row in read_toml(text).items())


def _read(name: str, row: Mapping[str, Any]) -> Asked:
    found = Asked(
        name,
        {language: row[language] for language in LANGUAGES},
        {language: row["answer"][language] for language in LANGUAGES},
        row["page"],
        tuple(row["rows"]),
        tuple(row["readings"]),
        tuple(row.get("facts", ())),
        tuple(Played(shown["position"], shown["what"], shown["result"]) for shown in row["shown"]),
        row.get("asked", True),
    )
    if unknown := {*found.readings} - READINGS.keys():
        raise FindingError(f"data/asked.toml: {name}: found {', '.join(sorted(unknown))}, expected names of readings")
    if not found.rows and not found.readings:
        raise FindingError(f"data/asked.toml: {name}: expected rows that settle it or readings that take a side")
    return found


def result_of(position: Position, what: str) -> str:
    """What the reference rules say of an action (``2 IP``, ``not legal``), or of the ``armies`` after a Barbarian phase.

    >>> result_of(Position.parse("4211 G:6 -/bit/-/- 23 - - - -/-/-/-"), "secure")
    '1 IP'

    :raises TetrasolveError: when it is no action.
    """
    if what == ARMIES:
        ends = [end for end in rules.outcomes(position) if isinstance(end, Position)]
        return " ".join(sorted({army for end in ends for army in end.armies}))
    action, *_ = read_action(what, position.board)
    if action == END:
        return "0 IP" if rules.may_end(position) else NOT_LEGAL
    return f"{rules.cost(position, action)} IP" if action in rules.legal_actions(position) else NOT_LEGAL


def problems(questions: tuple[Asked, ...], board: Board | None = None) -> list[str]:
    """What is wrong with the answers, in sentences: none where both engines play each position as it states."""
    board = board or Board.standard()
    return [f"{one.id}: {problem}" for one in questions for shown in one.shown for problem in _problems(shown, board)]


def _problems(shown: Played, board: Board) -> Iterator[str]:
    try:
        position = Position.parse(shown.position, board)
        if reasons := position.status():
            yield f"{shown.position}: cannot occur: {reasons[0]}"
            return
        agree(position)
        found = result_of(position, shown.what)
    except (TetrasolveError, EnginesDifferError) as error:
        yield f"{shown.position}, {shown.what}: {error}"
        return
    if found != shown.result:
        yield f"{shown.position}, {shown.what}: the rules say {found}, it states {shown.result}"
