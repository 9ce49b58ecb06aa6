"""The rows of ``data/statements.toml``: what the rulebook says of itself, and how that is counted or played.

A *topic* is a heading with the kinds of board rows that its statements read. A *statement* has its page and a sentence with
values in braces. `let` binds names, `values` gives the numbers; both are expressions (`expressions`) over the words of
`words`, in the order of the row. A value named ``*`` or ``name.*`` is a table of values. The statement is confirmed where the
values are those in `expected` and what `holds` says is true. An *example* names a position besides, in one line, and the
actions that are played there: the word `played` is the position before and after each of them. Where `needs` is not true the
statement cannot be shown on the board.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from tetrasolve.claims.fact import Value, Values
from tetrasolve.errors import TetrasolveError
from tetrasolve.tetrarchia.board import Board
from tetrasolve.tetrarchia.facts.rulebook.expressions import evaluate
from tetrasolve.tetrarchia.facts.rulebook.words import played, words_of

UNSHOWN = "unshown"  # the verdict where a board has no such position
EXAMPLE, COUNT = "statement-example", "statement-count"  # the two kinds of claims


@dataclass(frozen=True, slots=True)
class Statement:
    """A row: see above."""

    id: str
    page: int
    says: str
    values: Mapping[str, str]
    rulebook: str = ""
    position: str | None = None
    play: tuple[str, ...] = ()
    let: Mapping[str, str] = field(default_factory=dict)
    expected: Mapping[str, Any] = field(default_factory=dict)
    holds: str = "True"
    needs: str = "True"

    @property
    def claim(self) -> str:
        """The kind of its claim."""
        return COUNT if self.position is None else EXAMPLE

    def expressions(self) -> tuple[str, ...]:
        """All its expressions."""
        return (*self.let.values(), self.needs, *self.values.values(), self.holds)

    @property
    def topic(self) -> str:
        """The id of its topic."""
        return "/".join(self.id.split("/")[:2])

    def work_out(self, board: Board, words: Mapping[str, object] | None = None) -> dict[str, Value]:
        """Its values on a board, `verdict` among them; `words` are in place of those of the reference rules.

        :raises TetrasolveError: when the board does not show it; also LookupError, TypeError, ValueError, ArithmeticError.
        """
        scope: dict[str, Any] = {**words_of(board), **(words or {})}
        if self.position is not None:
            scope["played"] = played(board, self.position, self.play, scope["after"])
        for name, text in self.let.items():
            scope[name] = evaluate(text, scope)
        if not evaluate(self.needs, scope):
            return {"verdict": UNSHOWN}
        found: dict[str, Any] = {}
        for path, text in self.values.items():
            value = evaluate(text, scope)
            found |= (
                {path.replace("*", str(key)): part for key, part in value.items()} if path[-1] == "*" else {path: value}
            )
            scope = {name.translate(_NAME): part for name, part in found.items()} | scope  # a word keeps its meaning
        scope |= {name.translate(_NAME): part for name, part in found.items()}
        right = all(found[path] == value for path, value in self.expected.items()) and evaluate(self.holds, scope)
        return {path: _value(value) for path, value in found.items()} | {"verdict": "confirmed" if right else "refuted"}


_NAME = str.maketrans("-.", "__")


def _value(value: Any) -> Value:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return tuple(map(str, value))
    return int(value) if not isinstance(value, str) and value == int(value) else value


@lru_cache(maxsize=256)
def worked_out(statement_id: str, board: Board) -> Values:
    """The values of a statement on a board; where the board does not show it the verdict alone."""
    try:
        return MappingProxyType(statements()[statement_id].work_out(board))
    except (TetrasolveError, LookupError, TypeError, ValueError, ArithmeticError, AssertionError):
        return MappingProxyType({"verdict": UNSHOWN})


@cache
def _data() -> Mapping[str, Any]:
    file = resources.files("tetrasolve.tetrarchia").joinpath("data/statements.toml")
    return tomllib.loads(file.read_text("ascii"))


def topics() -> list[dict[str, Any]]:
    """The topics, in the order of the file: id, title, how, the board rows that it reads, maybe ruleset and effort."""
    found: list[dict[str, Any]] = _data()["topic"]
    return found


@cache
def statements() -> Mapping[str, Statement]:
    """All statements by their ids, in the order of the file."""
    tables = ("let", "values", "expected")
    rows = (
        Statement(**row | {"play": tuple(row.get("play", ()))} | {name: _flat(row.get(name, {})) for name in tables})
        for row in _data()["statement"]
    )
    return {statement.id: statement for statement in rows}


def _flat(rows: Mapping[str, Any]) -> dict[str, Any]:
    """Tables within tables by dotted names."""
    found: dict[str, Any] = {}
    for name, part in rows.items():
        found |= (
            {f"{name}.{path}": one for path, one in _flat(part).items()} if isinstance(part, dict) else {name: part}
        )
    return found
