"""Only where, of whom and when: a condition more, or one less."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Piece, code, is_table, is_text, joined, senses
from tetrasolve.lint.vocabulary import Scope


def restriction(node: Definition, called: Scope) -> Iterator[Piece]:
    """A condition less, or one more; nothing where one holds."""
    for inner in code(node):
        for part in getattr(inner, "generators", ()):
            for test in part.ifs:
                yield test, "True"
            for sense in senses(part.target, called):
                yield part.iter, f"{ast.unparse(part.iter)} if {sense}"
                yield part.iter, f"{ast.unparse(part.iter)} if not ({sense})"
        if isinstance(inner, (ast.If, ast.While)):
            test = ast.unparse(inner.test)
            for sense in senses(inner.test, called) or senses(node, called):
                yield inner.test, f"({test}) and {sense}"
                yield inner.test, f"({test}) and not ({sense})"
                yield inner.test, f"({test}) or {sense}"
            for time in called.times:
                yield inner.test, f"({test}) and {time}"
                yield inner.test, f"({test}) and not ({time})"
    yield from _answers(node, called)
    yield from _nothing(node, called)


def _nothing(node: Definition, called: Scope) -> Iterator[Piece]:
    """Nothing happens where a condition holds: a function that gives a position gives back what it was given."""
    if not isinstance(node, ast.FunctionDef) or called.table not in {argument.arg for argument in node.args.args}:
        return
    ends = [inner.value for inner in code(node) if isinstance(inner, ast.Return) and inner.value is not None]
    first = next((s for s in node.body if not is_text(s)), None)
    given = {argument.arg for argument in node.args.args}
    if any(is_table(value, called.words) for value in ends) and isinstance(
        first, (ast.Assign, ast.If, ast.For, ast.Return)
    ):
        margin = " " * first.col_offset
        said = called.said(
            *([one for one in called.called(kind) if one.partition(".")[0] in given] for kind in _kinds(called))
        )
        for sense in (*said, *called.times):
            yield _before(first), f"if {sense}:\n{margin}    return {called.table}\n{margin}"


def _kinds(called: Scope) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return called.words.places, called.words.figures


def _before(statement: ast.stmt) -> ast.AST:
    """The place before a statement."""
    node = ast.Pass()
    node.lineno = node.end_lineno = statement.lineno
    node.col_offset = node.end_col_offset = statement.col_offset
    return node


def _answers(node: Definition, called: Scope) -> Iterator[Piece]:
    """One more condition of what is legal, or of what a function says of a place: at its last statement."""
    if not isinstance(node, ast.FunctionDef) or node.returns is None or not isinstance(node.body[-1], ast.Return):
        return
    last, kind = node.body[-1], ast.unparse(node.returns)
    said = called.said(called.called(called.words.places), called.called(called.words.figures))
    for sense in (*said, *called.times):
        if kind == "str | None":
            for where in (sense, f"not ({sense})"):
                yield last, f"if {where}:\n{' ' * (last.col_offset + 4)}return 'not here'\n{joined(last, indent=True)}"
        elif kind == "bool" and last.value is not None:
            value = ast.unparse(last.value)
            for where in (f"({value}) and {sense}", f"({value}) and not ({sense})"):
                yield last.value, where
            if sense in said:
                yield last.value, f"({value}) or {sense}"
