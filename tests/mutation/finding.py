"""Open points: other readings of the sentences of a rulebook, made by operators, that no other sentence speaks against."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from mutation.games import Game, Rows
from mutation.judging import Case

from tetrasolve.lint.beside import guarded
from tetrasolve.lint.changes import Change, definitions
from tetrasolve.lint.operators import changes

OF_STEPS = ("quantity", "connective")  # how often, and one kind or another: which functions a step has is no rule
BESIDE = "+"  # between the id of a case and that of a condition beside which it is made


def cases(game: Game) -> Iterator[Case]:
    """Every change that an operator makes in the definitions of the rules, with the rows that state these.

    A definition that no row names belongs to those of the definitions that use it, of its file or of another.
    """
    texts = game.texts()
    rows = _all_rows(texts, game.rows(texts))
    for path, text in texts.items():
        for definition, node in definitions(text).items():
            own = rows.get((path, definition))
            if isinstance(node, ast.ClassDef) or not own or not game.holds(path, definition):
                continue
            for operator, change in changes(path, text, definition, game.words):
                is_step = (path, definition) == game.steps
                at = _of_step(change) if is_step else ()
                if operator in OF_STEPS or not is_step:
                    yield Case(f"{operator}-{_name_of(change)}", operator, tuple(sorted(own)), (change,), at=at)


def _of_step(change: Change) -> tuple[tuple[str, str], ...]:
    """The functions of a step, by their files."""
    folder, entry = change.path.rpartition("/")[0], change.before.partition(":")[2]
    return tuple((f"{folder}/{module}.py", name) for module, name in re.findall(r"(\w+)\.(\w+)", entry))


def _name_of(change: Change) -> str:
    return sha256(f"{change}".encode()).hexdigest()[:8]


def narrower(game: Game, case: Case) -> Iterator[Case]:
    """A case made only where a condition holds, for each condition that its definition asks or the game can say of it."""
    (change,) = case.changes
    for one in guarded((game.folder / change.path).read_text("utf-8"), game.words, change):
        yield replace(case, id=f"{case.id}{BESIDE}{_name_of(one)}", changes=(one,))


def named(game: Game, known: Mapping[str, Case], name: str) -> Case | None:
    """The case with an id, of those that are known or one that is narrower; None where there is none."""
    first, _, rest = name.partition(BESIDE)
    case = known.get(first)
    return case if case is None or not rest else next((one for one in narrower(game, case) if one.id == name), None)


def _all_rows(texts: Mapping[str, str], marked: Rows) -> Rows:
    """The rows of each definition: those at it, or at its class, else those of what uses it."""
    found: dict[tuple[str, str], set[str]] = {}
    users: dict[str, set[tuple[str, str]]] = defaultdict(set)  # by the name that they use
    for path, text in texts.items():
        for name, node in definitions(text).items():
            found[path, name] = _rows(path, name, marked)
            for used in uses(node) if not isinstance(node, ast.ClassDef) else ():
                users[used].add((path, name))
    left = [place for place, rows in found.items() if not rows]
    while left:
        new = {
            place: set().union(*(found[user] for user in users[place[1].rpartition(".")[2]] if user != place))
            for place in left
        }
        found |= new
        before, left = left, [place for place, rows in new.items() if not rows]
        if len(left) == len(before):
            break
    return found


def _rows(path: str, name: str, marked: Rows) -> set[str]:
    """The rows at a definition, else those at its class."""
    return marked.get((path, name)) or marked.get((path, name.rpartition(".")[0])) or set()


def uses(node: ast.AST) -> set[str]:
    """The names and attributes in a definition."""
    found = {getattr(inner, "id", getattr(inner, "attr", None)) for inner in ast.walk(node)}
    return {name for name in found if name}
