"""Open points: other readings of the sentences of the rulebook, made by operators, that no other sentence speaks against."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from hashlib import sha256

from mutation import table
from mutation.judging import Case

from tetrasolve.lint.changes import definitions
from tetrasolve.lint.operators import changes

PLACES = ("position.py", "numbers.py", "rules/**/*.py")  # in the folder of the game
# Names of which one can stand for another, where the rulebook says "figure", "garrison", "empty", "province", "army"
GROUPS = (
    ("emperors", "generals", "romans"),
    ("garrisons", "own_discs"),
    ("has_garrison", "is_protected"),
    ("armies", "rebels"),
    ("members", "neighbours"),
    ("secured", "borders"),
)


def cases() -> Iterator[Case]:
    """Every change that an operator makes in the definitions of the rules, with the rows that state these.

    A definition that no row names belongs to those of the definitions of its file that use it.
    """
    marked: dict[tuple[str, str], set[str]] = defaultdict(set)
    coverage = table.rulebook().read(table.ROOT)
    for row, places in coverage.code.items():
        for place in places:
            marked[place.path, place.name].add(row)
    for path in sorted(path for pattern in PLACES for path in table.GAME.glob(pattern)):
        text, name = path.read_text("utf-8"), path.relative_to(table.ROOT).as_posix()
        named = definitions(text)
        used = {other: _uses(user) for other, user in named.items()}
        for definition, node in named.items():
            if isinstance(node, ast.ClassDef):
                continue
            rows = _rows(name, definition, marked) or set().union(
                *(
                    _rows(name, other, marked)
                    for other, names in used.items()
                    if other != definition and definition.rpartition(".")[2] in names
                )
            )
            for operator, change in (
                changes(path.relative_to(table.GAME).as_posix(), text, definition, GROUPS) if rows else ()
            ):
                name_of = sha256(f"{change}".encode()).hexdigest()[:8]
                yield Case(f"{operator}-{name_of}", operator, tuple(sorted(rows)), (change,))


def _rows(path: str, name: str, marked: dict[tuple[str, str], set[str]]) -> set[str]:
    """The rows at a definition, else those at its class."""
    return marked[path, name] or marked[path, name.rpartition(".")[0]]


def _uses(node: ast.AST) -> set[str]:
    """The names and attributes in a definition."""
    found = {getattr(inner, "id", getattr(inner, "attr", None)) for inner in ast.walk(node)}
    return {name for name in found if name}
