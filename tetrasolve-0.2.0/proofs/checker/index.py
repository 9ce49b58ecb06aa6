"""The index of facts, ``proofs/index.json``: every fact in it must be the one that is proved.

The index is JSON: the board with all of its rows, and for each fact its id, the form of its proof and its values as text. A
fact whose form is ``recount`` has nothing else: the checker works its values out. Any other names the file of its certificate
and the SHA-256 of that file. The index also holds sentences and what is known of other boards; nobody checks these here.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

from claimed import FACT, Fact
from files import LARGEST_CERTIFICATE, LARGEST_INDEX, read_file, read_inside
from forms import RECOUNT
from text import Refuted, Unreadable

FORMAT = "tetrasolve-facts 3"
UNCHECKED = ("neighbourhood", "topics")  # parts of the index that this program does not read
UNCHECKED_OF_A_FACT = {"sentence", "robustness"}
SHA256 = re.compile("[0-9a-f]{64}")

Entry = dict[str, Any]
Examine = Callable[[bytes], Fact | str]  # what a certificate proves: a fact, or something else, in words
Count = Callable[[str], Fact]  # the fact with this id, worked out
Form = Callable[[str], str]  # of the proofs of a kind of facts


class Board(Protocol):
    """What an index has to know of a board: its name, all rows that its facts are about, and their digest."""

    @property
    def id(self) -> str:
        """The name."""
        ...

    def all_rows(self) -> Iterable[str]:
        """The rows."""
        ...

    def whole_digest(self) -> str:
        """Their SHA-256."""
        ...


B = TypeVar("B", bound=Board)


def read_index(path: Path, boards: list[B], form_of: Form) -> tuple[dict[str, Entry], B]:
    """The facts of an index by their ids, and which of these boards it speaks of."""
    data = read_json(path)
    demand(isinstance(data, dict) and data.get("format") == FORMAT, f"expected the format '{FORMAT}'")
    demand(
        set(data) == {"format", "board", "facts", *UNCHECKED}, "expected format, board, neighbourhood, topics, facts"
    )
    board, facts = data["board"], data["facts"]
    demand(isinstance(board, dict) and set(board) == {"id", "sha256", "rows"}, "expected a board: id, sha256, rows")
    demand(texts([board["id"], board["sha256"]]) and texts(board["rows"]), "expected id, digest and rows as text")
    demand(isinstance(facts, list) and len(facts) > 0, "expected facts, at least one")
    found: dict[str, Entry] = {}
    for entry in facts:
        read_entry(entry, form_of)
        demand(entry["id"] not in found, f"the fact {entry['id']} stands there twice")
        found[entry["id"]] = entry
    return found, same_board(board, boards)


def read_json(path: Path) -> Any:
    """The JSON in a file: plain ASCII, no key twice, no number that is none."""
    try:
        text = read_file(path, LARGEST_INDEX).decode("ascii")
        return json.loads(text, object_pairs_hook=each_once, parse_constant=no_number)
    except (ValueError, RecursionError, MemoryError) as error:
        raise Unreadable(f"this is no index of facts ({type(error).__name__}: {error})") from None


def each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON with each key once."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {twice[:40]!r} stands twice in one object")
    return found


def no_number(name: str) -> None:
    """Refuse what is no number of JSON."""
    raise ValueError(f"{name} is no number")


def demand(right: bool, why: str) -> None:
    """Make sure that the index is as it should be."""
    if not right:
        raise Unreadable(why)


def texts(words: Any) -> bool:
    """Whether this is a list of text."""
    return isinstance(words, list) and all(isinstance(word, str) for word in words)


def read_entry(entry: Any, form_of: Form) -> None:
    """Make sure that an entry has the fields of a fact, each of its type, and the form of proof that its kind has."""
    demand(isinstance(entry, dict) and isinstance(entry.get("id"), str), "expected facts, each with an id")
    name, form = entry["id"], entry.get("form")
    demand(FACT.fullmatch(name) is not None, f"{name[:60]!r} is no id of a fact")
    kind = name.partition("/")[0]
    demand(form == form_of(kind), f"{name}: the form of its proof is {form!r}, expected {form_of(kind)!r}")
    fields = {"id", "topic", "form", "values"} | ({"file", "sha256"} if form != RECOUNT else set())
    demand(
        fields <= set(entry) <= fields | UNCHECKED_OF_A_FACT and "sentence" in entry,
        f"{name}: expected {', '.join(sorted(fields))}, sentence and maybe robustness",
    )
    demand(f"{name}/".startswith(f"{entry['topic']}/"), f"{name}: it is not of the topic {entry['topic']!r}")
    values = entry["values"]
    demand(
        isinstance(values, dict) and bool(values) and texts(list(values.values())), f"{name}: expected values as text"
    )
    if form != RECOUNT:
        right = (
            isinstance(entry["file"], str) and isinstance(entry["sha256"], str) and SHA256.fullmatch(entry["sha256"])
        )
        demand(bool(right), f"{name}: expected a file and its SHA-256")


def same_board(board: Entry, boards: list[B]) -> B:
    """The board that is at hand and has the rows of the index."""
    same = [known for known in boards if known.id == board["id"]]
    if not same:
        raise Unreadable(f"no board '{board['id'][:40]}' is at hand; name its file with --board")
    rows = list(same[0].all_rows())
    if rows != board["rows"]:
        changed = [row for row in board["rows"] if row not in rows] + [row for row in rows if row not in board["rows"]]
        names = "; ".join(map(str, changed[:4])) or "they stand in another order"
        raise Refuted(f"the rows of the board have changed: {names}{' and more' * (len(changed) > 4)}")
    if same[0].whole_digest() != board["sha256"]:
        raise Refuted("the digest of the board is not that of its rows")
    return same[0]


def check_facts(folder: Path, facts: list[Entry], examine: Examine, count: Count) -> Iterator[tuple[str, Exception]]:
    """Each fact that is not proved, and why."""
    for fact in facts:
        try:
            check_entry(folder, fact, examine, count)
        except (Refuted, Unreadable) as reason:
            yield fact["id"], reason
        except Exception as error:  # noqa: BLE001  # a mistake of this program proves nothing, and refutes nothing
            yield fact["id"], Unreadable(f"this program cannot check it ({type(error).__name__}: {error})")


def check_entry(folder: Path, entry: Entry, examine: Examine, count: Count) -> None:
    """Make sure that a fact of the index is the one that is proved."""
    if entry["form"] == RECOUNT:
        compare(entry["values"], count(entry["id"]).values, "counted again it is")
        return
    file = entry["file"]
    try:
        data = read_inside(folder, file, LARGEST_CERTIFICATE)
    except Unreadable as reason:
        raise Unreadable(f"{file}: {reason}") from None
    if hashlib.sha256(data).hexdigest() != entry["sha256"]:
        raise Refuted(f"{file}: this is not the certificate that the index names; the SHA-256 of the file is another")
    try:
        found = examine(data)
    except (Refuted, Unreadable) as reason:
        raise type(reason)(f"{file}: {reason}") from None
    if not isinstance(found, Fact):
        raise Refuted(f"{file}: proves no fact")
    if found.id != entry["id"]:
        raise Refuted(f"{file}: proves {found.id}")
    compare(entry["values"], found.values, "its certificate proves")


def compare(claimed: dict[str, str], proved: dict[str, str], how: str) -> None:
    """Make sure that the index has the values that are proved, all of them and no other."""
    for path in sorted(proved.keys() | claimed.keys()):
        here, there = claimed.get(path), proved.get(path)
        if here != there:
            raise Refuted(f"'{path}' is {here or 'missing'} in the index; {how} {there or 'no such value'}")
