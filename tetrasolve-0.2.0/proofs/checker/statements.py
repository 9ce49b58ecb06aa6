"""What the rulebook says of itself: the rows of ``data/statements.toml``, worked out by this program's rules.

A claim names a row, and the row says everything else: the page, the position of an example with the actions that are played
there, what is counted, and what must come out for the rulebook to be right. So nobody who claims something chooses a position,
and a verdict is a function of the row and the board. This program knows the rows by the SHA-256 of their file: with others it
proves nothing.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from board import Board
from claimed import Fact
from expressions import evaluate
from extensions import words_of
from text import Lines, Refuted, Unreadable
from words import played

ROWS = "2c94aa74dce1c9942f33f597b1209e47b813cbb10433c356c962864205fefba6"
HERE = Path(__file__).resolve().parent
FILES = tuple(
    folder / "tetrarchia" / "data" / "statements.toml" for folder in (HERE.parent.parent / "tetrasolve", HERE.parent)
)
UNSHOWN = {"verdict": "unshown"}  # on this board there is no such position


@cache
def read_rows() -> dict[str, Mapping[str, Any]]:
    """The rows by their ids."""
    for file in FILES:
        if file.is_file():
            data = file.read_bytes()
            break
    else:
        raise Unreadable("the rows of the statements are missing: data/statements.toml beside the board file")
    if hashlib.sha256(data).hexdigest() != ROWS:
        raise Refuted(f"{file.name}: these are not the statements that this checker knows; their SHA-256 is another")
    return {row["id"]: row for row in tomllib.loads(data.decode("ascii"))["statement"]}


def prove(lines: Lines, board: Board, fact: Fact) -> dict[str, str]:
    """The values of a fact, worked out from its row."""
    rows = read_rows()
    if fact.id not in rows:
        raise lines.refuted(f"there is no statement {fact.id}")
    return work_out(rows[fact.id], board)


def work_out(row: Mapping[str, Any], board: Board) -> dict[str, str]:
    """The values of a statement, and the verdict."""
    try:
        return worked_out(row, board)
    except (Unreadable, LookupError, TypeError, ValueError, ArithmeticError, AssertionError, StopIteration):
        return UNSHOWN


def worked_out(row: Mapping[str, Any], board: Board) -> dict[str, str]:
    """The same, where something else than `unshown` is expected."""
    scope = words_of(board)
    if "position" in row:
        scope["played"] = played(board, row["position"], row.get("play", []))
    for name, text in row.get("let", {}).items():
        scope[name] = evaluate(text, scope)
    if not evaluate(row.get("needs", "True"), scope):
        return UNSHOWN
    found: dict[str, Any] = {}
    for path, text in flat(row["values"]).items():
        values = evaluate(text, {**called(found), **scope})
        found |= (
            {path.replace("*", str(key)): part for key, part in values.items()} if path[-1] == "*" else {path: values}
        )
    right = all(found[path] == value for path, value in flat(row.get("expected", {})).items())
    right = right and evaluate(row.get("holds", "True"), {**scope, **called(found)})
    return {path: written(value) for path, value in found.items()} | {"verdict": "confirmed" if right else "refuted"}


def flat(rows: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Tables within tables, by dotted names."""
    found: dict[str, Any] = {}
    for name, part in rows.items():
        found |= flat(part, f"{before}{name}.") if isinstance(part, dict) else {before + name: part}
    return found


def called(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values by names that can stand in an expression."""
    return {path.replace(".", "_").replace("-", "_"): value for path, value in values.items()}


def written(value: Any) -> str:
    """A number, a word, or a row of words, as an index writes them."""
    if isinstance(value, list | tuple):
        return ".".join(map(str, value)) + ("." if len(value) == 1 else "") if value else "-"
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
