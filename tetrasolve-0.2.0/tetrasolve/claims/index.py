"""The index of proved facts, ``index.json``: what is claimed of which board, and how it is proved.

It is JSON, written in one way only: the same facts give the same bytes. A change made by hand is reported, since
reading is strict; whether its numbers are those of the certificates is for the checker to say.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tetrasolve import files
from tetrasolve.claims.fact import RECOUNT, Fact, Topic, Value, read_value, value_text
from tetrasolve.claims.subject import Subject
from tetrasolve.errors import FactError, shown
from tetrasolve.strict import StrictError, plain, read_json, record

FORMAT = "tetrasolve-facts 3"
NAME = "index.json"
WRITTEN_BY = "it is written by `tetrasolve facts prove`, not by hand"

# Verdicts on robustness, the strongest first
READS_NONE = "reads no row"
ANY_TWO = "holds whichever two rows are wrong"
ANY_ONE = "holds whichever row is wrong"
BREAKS = "breaks"
VERDICTS = (READS_NONE, ANY_TWO, ANY_ONE, BREAKS)

_FILE = re.compile(r"[a-z]+/[a-z][a-z0-9-]*(/[a-z0-9][a-z0-9_.+=-]*)?\.cert(\.xz)?")
_ROWS = re.compile(r"[a-z]+")  # a kind of board rows; whether the game has it is for `checking.stale`
_SHA256 = re.compile(r"[0-9a-f]{64}")


# -- what stands in it -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TopicRow:
    """What the index says of a topic of facts; the fields are those of `Topic`."""

    id: str
    family: str
    title: str
    how: str
    form: str
    rows: tuple[str, ...]
    ruleset: str
    certainty: str

    @property
    def kind(self) -> str:
        """The kind of the claims."""
        return self.id.partition("/")[0]

    @staticmethod
    def of(topic: Topic) -> TopicRow:
        """What the index holds of a topic."""
        return TopicRow(
            topic.id, topic.family, topic.title, topic.how, topic.form, topic.rows, topic.ruleset, topic.certainty
        )


@dataclass(frozen=True, slots=True)
class Pairs:
    """What came of changing two rows at a time: of `possible` pairs so many were `tried`, and so many of these break it.

    Where not all were tried, the tried ones are drawn at random, and their share is an estimate.
    """

    possible: int
    tried: int
    breaking: int
    first: tuple[str, ...] = ()

    @property
    def all_tried(self) -> bool:
        """Whether nothing is left to chance."""
        return self.tried == self.possible


@dataclass(frozen=True, slots=True)
class Robustness:
    """What happens to the values of a fact on the boards next to this one.

    `tried` counts the changes of one row that were made; `breaks` has those that change a value: how many values, and the
    first of them with what they become. `unsteady` are the paths of all values that some of these changes alter: every
    other value holds whichever row is wrong. `digest` names all that the answer depends on.
    """

    verdict: str
    tried: int
    breaks: Mapping[str, tuple[int, tuple[str, ...]]]
    unsteady: tuple[str, ...]
    digest: str
    pairs: Pairs | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A proved fact: its values as text, the file of its certificate (below the folder of the index) and the file's SHA-256.

    A fact whose form is `RECOUNT` has no certificate: file and SHA-256 are empty.
    """

    id: str
    topic: TopicRow
    sentence: str
    values: Mapping[str, str]
    file: str
    sha256: str
    robustness: Robustness | None = None

    @property
    def instance(self) -> str:
        """Which of its topic it is; empty where there is one only."""
        return self.id[len(self.topic.id) + 1 :]

    def value(self, path: str) -> Value:
        """The exact value at a path.

        :raises FactError: when the fact has no such value.
        """
        if path not in self.values:
            raise FactError(f"fact {self.id} has no value {shown(path)}, but {', '.join(self.values)}")
        return read_value(self.values[path])

    def says(self, fact: Fact) -> bool:
        """Whether this is the fact, with the same sentence and the same values."""
        return (self.id, self.sentence, dict(self.values)) == (fact.id, fact.sentence, texts(fact))


def texts(fact: Fact) -> dict[str, str]:
    """The values of a fact as text, in ascending order of their paths."""
    return {path: value_text(fact.values[path]) for path in sorted(fact.values)}


def entry_of(fact: Fact, file: str, sha256: str, robustness: Robustness | None = None) -> Entry:
    """What the index says of a fact that is proved in this file."""
    return Entry(
        fact.id, TopicRow.of(fact.topic), fact.sentence, MappingProxyType(texts(fact)), file, sha256, robustness
    )


@dataclass(frozen=True)
class Index:
    """All proved facts about a board, in the order of the families; `rows` are all rows of the board they speak of.

    `neighbourhood` says, once robustness has been asked, how many changes there are of each kind of rows, and how many were
    left out since they cannot be.
    """

    board_id: str
    digest: str
    rows: tuple[str, ...]
    entries: tuple[Entry, ...]
    neighbourhood: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    source: str = field(default=NAME, compare=False)

    @staticmethod
    def about(subject: Subject, entries: Iterable[Entry]) -> Index:
        """The index of facts about a subject."""
        return Index(subject.id, subject.digest(), subject.rows(), tuple(entries))

    @staticmethod
    def load(path: str | Path) -> Index:
        """The index in a file.

        :raises FactError: when there is none, or it is not as this library writes it; what is wrong is named.
        """
        path = Path(path)
        try:
            text = files.read_text(path, encoding="ascii")
        except FileNotFoundError:
            raise FactError(f"{path}: is missing; `tetrasolve facts prove` writes it") from None
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise FactError(f"{shown(str(path))}: cannot be read as an index of facts ({why})") from None
        return replace(Index.from_text(text, str(path)), source=str(path))

    @staticmethod
    def from_text(text: str, source: str = NAME) -> Index:
        """The index with this text.

        :raises FactError: as `load`.
        """
        try:
            index = _read(text)
        except StrictError as error:
            raise FactError(f"{source}: {error}") from None
        if (again := index.text()) != text:
            lines = zip(again.split("\n"), text.split("\n"), strict=False)
            line = next((number for number, (a, b) in enumerate(lines, start=1) if a != b), 0)
            raise FactError(f"{source}: line {line} is not as this library writes it; {WRITTEN_BY}")
        return index

    def text(self) -> str:
        """The whole text: JSON, everything that holds nothing nested on one line."""
        board = _Board(self.board_id, self.digest, self.rows)
        rows = tuple(_Fact.of(entry) for entry in self.entries)
        return _json(plain(_File(FORMAT, board, self.neighbourhood, self.topics, rows))) + "\n"

    def write(self, path: str | Path) -> None:
        """Write it to a file, in one step: a reader finds the old index or the new one.

        :raises OSError: when the file cannot be written.
        """
        files.write_text(path, self.text(), "ascii")

    @cached_property
    def by_id(self) -> Mapping[str, Entry]:
        """Facts by their ids."""
        return MappingProxyType({entry.id: entry for entry in self.entries})

    def __getitem__(self, fact_id: str) -> Entry:
        if fact_id not in self.by_id:
            raise FactError(f"{shown(fact_id)} is no fact of the index; `tetrasolve facts list` has them all")
        return self.by_id[fact_id]

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of its facts, in their order."""
        return tuple(dict.fromkeys(entry.topic.kind for entry in self.entries))

    @property
    def topics(self) -> tuple[TopicRow, ...]:
        """The topics of its facts, in their order."""
        return tuple(dict.fromkeys(entry.topic for entry in self.entries))

    def changed_rows(self, subject: Subject) -> tuple[str, ...]:
        """What is different on a board, a sentence for each row; none when the facts speak of this very board."""
        now = subject.rows()
        gone = [f"'{row}' is not a row of the board any more" for row in self.rows if row not in now]
        new = [f"'{row}' is a new row of the board" for row in now if row not in self.rows]
        if not gone and not new and now != self.rows:
            return ("the rows of the board stand in another order",)
        return (*gone, *new)


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(files.read_bytes(path)).hexdigest()


# -- writing -----------------------------------------------------------------------------------------------------------


def _json(data: Any, depth: int = 0) -> str:
    """JSON in which a list or an object that holds another goes over several lines, and every other thing on one."""
    parts = list(data.values() if isinstance(data, dict) else data) if isinstance(data, dict | list) else []
    if depth and not any(isinstance(part, dict | list) for part in parts) and not _is_long(data):
        return json.dumps(data)
    pad, end = "\n" + " " * (depth + 1), "\n" + " " * depth
    if isinstance(data, dict):
        rows = [f"{json.dumps(key)}: {_json(part, depth + 1)}" for key, part in data.items()]
        return f"{{{pad}{f',{pad}'.join(rows)}{end}}}"
    return f"[{pad}{f',{pad}'.join(_json(part, depth + 1) for part in data)}{end}]"


def _is_long(data: Any) -> bool:
    """Whether a list or an object is better read with a line for each part, as the rows of the board and tables are."""
    return (
        len(data) > 16 and (isinstance(data, dict) or " " in str(data[0])) if isinstance(data, list | dict) else False
    )


# -- reading -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Board:
    """The object ``board``."""

    id: str
    sha256: str
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Fact:
    """A row of ``facts``."""

    id: str
    topic: str
    sentence: str
    form: str
    values: Mapping[str, str]
    file: str | None = None
    sha256: str | None = None
    robustness: Robustness | None = None

    @staticmethod
    def of(entry: Entry) -> _Fact:
        topic, proof = entry.topic, (entry.file or None, entry.sha256 or None)
        return _Fact(entry.id, topic.id, entry.sentence, topic.form, entry.values, *proof, entry.robustness)

    def entry(self, topics: Mapping[str, TopicRow]) -> Entry:
        """What it says.

        :raises StrictError: when its parts do not go together.
        """
        where = f"fact {shown(self.id)}"
        if self.topic not in topics or not f"{self.id}/".startswith(f"{self.topic}/"):
            raise _wrong(where, "topic", self.topic, "a topic with which its id begins")
        topic = topics[self.topic]
        if self.form != topic.form or (self.form == RECOUNT) != (self.file is None and self.sha256 is None):
            raise _wrong(where, "form", self.form, "that of its topic, and a file if need be")
        if self.form != RECOUNT and not _FILE.fullmatch(self.file or ""):
            raise _wrong(where, "file", self.file, "FAMILY/ID.cert or FAMILY/ID.cert.xz")
        if self.form != RECOUNT and not _SHA256.fullmatch(self.sha256 or ""):
            raise _wrong(where, "sha256", self.sha256, "64 figures")
        if self.robustness is not None and self.robustness.verdict not in VERDICTS:
            raise _wrong(where, "verdict", self.robustness.verdict, f"one of {', '.join(VERDICTS)}")
        if not self.values:
            raise StrictError("found none", where=f"values of {where}", expected="at least one")
        for path, text in self.values.items():
            try:
                read_value(text)
            except ValueError as error:
                raise StrictError(f"value {shown(path)}: {error}", where=where) from None
        return Entry(self.id, topic, self.sentence, self.values, self.file or "", self.sha256 or "", self.robustness)


@dataclass(frozen=True, slots=True)
class _File:
    """The whole index as it stands in the file."""

    format: str
    board: _Board
    neighbourhood: Mapping[str, tuple[int, int]]
    topics: tuple[TopicRow, ...]
    facts: tuple[_Fact, ...]


def _read(text: str) -> Index:
    """The index with this text.

    :raises StrictError: when it is none.
    """
    data = read_json(text)
    if isinstance(data, dict) and data.get("format") != FORMAT:
        expected = f"{FORMAT!r}; `tetrasolve facts prove` writes it again"
        raise StrictError(f"format is {shown(data.get('format'))}", expected=expected)
    file = record(_File, data, "the index")
    topics = {topic.id: topic for topic in file.topics}
    for rows in ({"neighbourhood": tuple(file.neighbourhood)}, {name: topic.rows for name, topic in topics.items()}):
        for name, kinds in rows.items():
            if not (all(map(_ROWS.fullmatch, kinds)) and len(set(kinds)) == len(kinds)):
                raise _wrong(f"topic {shown(name)}", "rows", kinds, "lower-case words, each once")
    entries = tuple(row.entry(topics) for row in file.facts)
    if len({entry.id for entry in entries}) < len(entries):
        raise StrictError("a fact stands there twice")
    digest = hashlib.sha256("".join(f"{row}\n" for row in file.board.rows).encode("utf-8")).hexdigest()
    if digest != file.board.sha256:
        raise StrictError(f"the rows of the board have another SHA-256 than {shown(file.board.sha256)}")
    return Index(file.board.id, digest, file.board.rows, entries, file.neighbourhood)


def _wrong(where: str, field: str, found: object, expected: str) -> StrictError:
    return StrictError(f"{field} is {shown(found)}", where=where, expected=expected)
