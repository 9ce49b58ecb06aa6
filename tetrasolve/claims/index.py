"""The index of proved facts, ``index.json``: what is claimed of which board, and how it is proved.

It is JSON, written in one way only: the same facts give the same bytes. Whoever changes it by hand is told so, since
reading is strict; whether its numbers are those of the certificates is for the checker to say.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tetrasolve import files
from tetrasolve.claims.fact import RECOUNT, Fact, Topic, Value, read_value, value_text
from tetrasolve.claims.subject import Subject
from tetrasolve.errors import FactError, shown
from tetrasolve.strict import StrictError, read_json

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
        """What is to be said of a topic."""
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
    pairs: Pairs | None
    digest: str


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
        index = _Reader(source).index(text)
        if index.text() != text:
            line = next(
                (
                    row
                    for row, (a, b) in enumerate(zip(index.text().split("\n"), text.split("\n"), strict=False))
                    if a != b
                ),
                -1,
            )
            raise FactError(f"{source}: line {line + 1} is not as this library writes it; {WRITTEN_BY}")
        return index

    def text(self) -> str:
        """The whole text: JSON, everything that holds nothing nested on one line."""
        topics = dict.fromkeys(entry.topic for entry in self.entries)
        data = {
            "format": FORMAT,
            "board": {"id": self.board_id, "sha256": self.digest, "rows": list(self.rows)},
            "neighbourhood": {kind: list(counts) for kind, counts in self.neighbourhood.items()},
            "topics": [_topic_data(topic) for topic in topics],
            "facts": [_entry_data(entry) for entry in self.entries],
        }
        return _json(data) + "\n"

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


def _topic_data(topic: TopicRow) -> dict[str, Any]:
    return {
        "id": topic.id,
        "family": topic.family,
        "title": topic.title,
        "how": topic.how,
        "form": topic.form,
        "rows": list(topic.rows),
        "ruleset": topic.ruleset,
        "certainty": topic.certainty,
    }


def _entry_data(entry: Entry) -> dict[str, Any]:
    data: dict[str, Any] = {
        "id": entry.id,
        "topic": entry.topic.id,
        "sentence": entry.sentence,
        "form": entry.topic.form,
        "values": dict(entry.values),
    }
    if entry.topic.form != RECOUNT:
        data |= {"file": entry.file, "sha256": entry.sha256}
    found = entry.robustness
    if found is not None:
        data["robustness"] = {
            "verdict": found.verdict,
            "tried": found.tried,
            "breaks": {change: [count, *values] for change, (count, values) in found.breaks.items()},
            "unsteady": list(found.unsteady),
            "digest": found.digest,
        }
        if found.pairs is not None:
            pairs = found.pairs
            data["robustness"]["pairs"] = {
                "possible": pairs.possible,
                "tried": pairs.tried,
                "breaking": pairs.breaking,
                "first": list(pairs.first),
            }
    return data


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


class _Reader:
    """Takes the parts of an index, each with its place for errors to name."""

    def __init__(self, source: str) -> None:
        self.source = source

    def index(self, text: str) -> Index:
        try:
            data = read_json(text)
        except StrictError as error:
            raise FactError(f"{self.source}: {error}") from None
        if isinstance(data, dict) and data.get("format") != FORMAT:
            expected = f"expected {FORMAT!r}; `tetrasolve facts prove` writes it again"
            raise FactError(f"{self.source}: format is {shown(data.get('format'))}, {expected}")
        names = ("format", "board", "neighbourhood", "topics", "facts")
        _, board, near, topics, facts = self.fields(data, "the index", names)
        name, digest, rows = self.fields(board, "board", ("id", "sha256", "rows"))
        found = {}
        for row in self.items(topics, "topics"):
            topic = self.topic(row)
            found[topic.id] = topic
        entries = tuple(self.entry(row, found) for row in self.items(facts, "facts"))
        if len({entry.id for entry in entries}) < len(entries):
            raise FactError(f"{self.source}: a fact stands there twice")
        text_rows = tuple(self.text(row, "a row of the board") for row in self.items(rows, "rows of the board"))
        joined = "".join(f"{row}\n" for row in text_rows)
        if hashlib.sha256(joined.encode("utf-8")).hexdigest() != digest:
            raise FactError(f"{self.source}: the rows of the board have another SHA-256 than {shown(digest)}")
        return Index(
            self.text(name, "id of the board"), digest, text_rows, entries, MappingProxyType(self.counts(near))
        )

    def counts(self, data: Any) -> dict[str, tuple[int, int]]:
        where = "neighbourhood"
        if not (isinstance(data, dict) and all(map(_ROWS.fullmatch, data))):
            raise FactError(f"{self.source}: {where}: found {shown(data)}, expected counts for kinds of rows")
        found = {}
        for kind, counts in data.items():
            if len(self.items(counts, where)) != 2:
                raise FactError(f"{self.source}: {where}: {kind}: found {shown(counts)}, expected two numbers")
            found[kind] = (self.whole(counts[0], where), self.whole(counts[1], where))
        return found

    def topic(self, data: Any) -> TopicRow:
        names = ("id", "family", "title", "how", "form", "rows", "ruleset", "certainty")
        values = dict(zip(names, self.fields(data, "a topic", names), strict=True))
        where = f"topic {shown(values['id'])}"
        rows = tuple(self.text(row, f"rows of {where}") for row in self.items(values.pop("rows"), f"rows of {where}"))
        if not (all(map(_ROWS.fullmatch, rows)) and len(set(rows)) == len(rows)):
            raise FactError(
                f"{self.source}: rows of {where}: found {shown(rows)}, expected lower-case words, each once"
            )
        return TopicRow(rows=rows, **{name: self.text(value, f"{name} of {where}") for name, value in values.items()})

    def entry(self, data: Any, topics: Mapping[str, TopicRow]) -> Entry:
        known = set(data) if isinstance(data, dict) else set()
        robustness = data.pop("robustness") if "robustness" in known else None
        more = ("file", "sha256") if known & {"file", "sha256"} else ()
        names = ("id", "topic", "sentence", "form", "values", *more)
        name, topic, sentence, form, values, *proof = self.fields(data, "a fact", names)
        file, digest = proof or ("", "")
        where = f"fact {self.text(name, 'id of a fact')}"
        if topic not in topics or not f"{name}/".startswith(f"{topic}/"):
            raise FactError(
                f"{self.source}: {where}: topic is {shown(topic)}, expected the topic with which its id begins"
            )
        if form != topics[topic].form or (form == RECOUNT) != (file == ""):
            raise FactError(
                f"{self.source}: {where}: form is {shown(form)}, expected that of its topic, and a file if need be"
            )
        if form != RECOUNT and not (isinstance(file, str) and _FILE.fullmatch(file)):
            raise FactError(
                f"{self.source}: {where}: file is {shown(file)}, expected FAMILY/ID.cert or FAMILY/ID.cert.xz"
            )
        if form != RECOUNT and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
            raise FactError(f"{self.source}: {where}: sha256 is {shown(digest)}, expected 64 figures")
        return Entry(
            name,
            topics[topic],
            self.text(sentence, f"sentence of {where}"),
            MappingProxyType(dict(self.values(values, where))),
            file,
            digest,
            None if robustness is None else self.robustness(robustness, where),
        )

    def values(self, data: Any, where: str) -> Iterator[tuple[str, str]]:
        if not isinstance(data, dict) or not data:
            raise FactError(f"{self.source}: values of {where}: expected an object that is not empty")
        for path, value in data.items():
            try:
                read_value(self.text(value, f"value {path} of {where}"))
            except ValueError as error:
                raise FactError(f"{self.source}: {where}: value {shown(path)}: {error}") from None
            yield path, value

    def robustness(self, data: Any, where: str) -> Robustness:
        more = ("pairs",) if isinstance(data, dict) and "pairs" in data else ()
        names = ("verdict", "tried", "breaks", "unsteady", "digest", *more)
        verdict, tried, breaks, unsteady, digest, *pairs = self.fields(data, f"robustness of {where}", names)
        if verdict not in VERDICTS:
            raise FactError(
                f"{self.source}: {where}: verdict is {shown(verdict)}, expected one of {', '.join(VERDICTS)}"
            )
        if not isinstance(breaks, dict):
            raise FactError(f"{self.source}: {where}: breaks is {shown(breaks)}, expected an object")
        rows = {}
        for change, row in breaks.items():
            count, *values = self.items(row, f"{change} of {where}") or [None]
            rows[change] = (
                self.whole(count, f"{change} of {where}"),
                tuple(self.text(value, f"{change} of {where}") for value in values),
            )
        return Robustness(
            verdict,
            self.whole(tried, f"tried of {where}"),
            MappingProxyType(rows),
            tuple(self.text(path, f"unsteady of {where}") for path in self.items(unsteady, f"unsteady of {where}")),
            self.pairs(pairs[0], where) if pairs else None,
            self.text(digest, f"digest of {where}"),
        )

    def pairs(self, data: Any, where: str) -> Pairs:
        *counts, first = self.fields(data, f"pairs of {where}", ("possible", "tried", "breaking", "first"))
        possible, tried, breaking = (self.whole(count, f"pairs of {where}") for count in counts)
        names = tuple(self.text(name, f"pairs of {where}") for name in self.items(first, f"pairs of {where}"))
        return Pairs(possible, tried, breaking, names)

    # -- small parts -----------------------------------------------------------------------------------------------

    def fields(self, data: Any, where: str, names: Sequence[str]) -> list[Any]:
        if not isinstance(data, dict) or set(data) != set(names):
            found = ", ".join(map(str, data)) if isinstance(data, dict) else shown(data)
            raise FactError(f"{self.source}: {where}: found {found}, expected {', '.join(names)}")
        return [data[name] for name in names]

    def items(self, data: Any, where: str) -> list[Any]:
        if not isinstance(data, list):
            raise FactError(f"{self.source}: {where}: found {shown(data)}, expected a list")
        return data

    def text(self, data: Any, where: str) -> str:
        if not (isinstance(data, str) and data and data.isprintable()):
            raise FactError(f"{self.source}: {where}: found {shown(data)}, expected printable text")
        return data

    def whole(self, data: Any, where: str) -> int:
        if not isinstance(data, int) or isinstance(data, bool) or data < 0:
            raise FactError(f"{self.source}: {where}: found {shown(data)}, expected a whole number")
        return data
