"""The index of facts, ``proofs/index.json``: every fact in it must be the one that its certificate proves.

The index is JSON: the board with all of its rows, and for each fact its id, its values as text, the file of its certificate
and the SHA-256 of that file. It also holds sentences and what is known of other boards; nobody checks these here.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from board import Board
from claimed import Fact
from text import Refuted, Unreadable

FORMAT = "tetrasolve-facts 1"

Examine = Callable[[bytes], Fact | str]  # what a certificate proves: a fact, or something else, in words


def read_index(path: Path, boards: list[Board]) -> dict[str, dict[str, Any]]:
    """The facts of an index by their ids, if it speaks of one of these boards."""
    try:
        data = json.loads(path.read_text("ascii"))
        form, board = data["format"], data["board"]
        facts = {fact["id"]: fact for fact in data["facts"]}
        fields = [fact[name] for fact in data["facts"] for name in ("id", "file", "sha256")]
        values = [text for fact in facts.values() for text in fact["values"].items()]
    except OSError as error:
        raise Unreadable(str(error.strerror)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable(f"this is no index of facts ({type(error).__name__}: {error})") from None
    if form != FORMAT or len(facts) < len(data["facts"]):
        raise Unreadable(f"expected the format '{FORMAT}' and each fact once")
    if not all(isinstance(text, str) for text in [*fields, *(part for pair in values for part in pair)]):
        raise Unreadable("expected ids, files, digests and values as text")
    same = [known for known in boards if known.id == board["id"]]
    if not same:
        raise Unreadable(f"no board '{board['id']}' is at hand; name its file with --board")
    rows = list(same[0].all_rows())
    if rows != board["rows"]:
        changed = [row for row in board["rows"] if row not in rows] + [row for row in rows if row not in board["rows"]]
        names = "; ".join(map(str, changed[:4])) or "they stand in another order"
        raise Refuted(f"the rows of the board have changed: {names}{' and more' * (len(changed) > 4)}")
    if same[0].whole_digest() != board["sha256"]:
        raise Refuted("the digest of the board is not that of its rows")
    return facts


def check_facts(folder: Path, facts: list[dict[str, Any]], examine: Examine) -> Iterator[tuple[str, Exception]]:
    """Each fact that its certificate does not prove, and why."""
    for fact in facts:
        try:
            check_entry(folder, fact, examine)
        except (Refuted, Unreadable) as reason:
            yield fact["id"], reason


def check_entry(folder: Path, entry: dict[str, Any], examine: Examine) -> None:
    """Make sure that a fact of the index is what its certificate proves."""
    file = entry["file"]
    try:
        data = (folder / file).read_bytes()
    except (OSError, ValueError) as error:
        raise Unreadable(f"{file}: {getattr(error, 'strerror', None) or error}") from None
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
    for path in sorted(found.values.keys() | entry["values"].keys()):
        here, there = entry["values"].get(path), found.values.get(path)
        if here != there:
            raise Refuted(
                f"'{path}' is {here or 'missing'} in the index; its certificate proves {there or 'no such value'}"
            )
