"""The parts of a definition that operators change, and the text of what they put there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.vocabulary import Scope, Vocabulary

Piece = tuple[ast.AST, str]  # what is replaced, and the text that takes its place

NO_RULES = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Delete)  # errors and words: what they say is no rule


def code(node: Definition) -> Iterator[ast.AST]:
    """The nodes of a definition without its decorators, its signature, its docstrings, and what is said in errors."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                yield from code(statement)
            elif not is_text(statement):
                yield from _walk(statement)
    elif node.value is not None:
        yield from _walk(node.value)


def _walk(node: ast.AST) -> Iterator[ast.AST]:
    waiting = [node]
    while waiting:
        inner = waiting.pop(0)
        if not isinstance(inner, NO_RULES):
            yield inner
            waiting += ast.iter_child_nodes(inner)


def is_read(node: ast.AST) -> bool:
    """Whether a node is an expression whose value is taken."""
    return isinstance(node, ast.expr) and not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def is_text(statement: ast.stmt) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def can_move(statement: ast.stmt) -> bool:
    """Whether it does something, and is neither a docstring nor the end of the function."""
    return isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For)) and not is_text(statement)


def is_table(value: ast.expr, words: Vocabulary) -> bool:
    """Whether an expression is a position: a name for one, or an effect on one."""
    match value:
        case ast.Name(id=name):
            return name in words.tables
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name in words.effects
    return False


def names_in(node: ast.AST) -> set[str]:
    """The names in a piece of code."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def senses(node: ast.AST, called: Scope) -> list[str]:
    """What can be said of the places and figures that an expression names, and of the position if it names some."""
    names = {ast.unparse(inner) for inner in ast.walk(node) if isinstance(inner, (ast.Name, ast.Attribute))}
    places = [place for place in called.words.places if place in names]
    figures = [figure for figure in called.words.figures if figure in names]
    return called.said(places, figures)


def span(first: ast.stmt, second: ast.stmt) -> ast.AST:
    """A node that reaches from one statement to the end of the other."""
    node = ast.Pass()
    node.lineno, node.col_offset = first.lineno, first.col_offset
    node.end_lineno, node.end_col_offset = second.end_lineno, second.end_col_offset
    return node


def joined(*statements: ast.stmt, indent: bool = False, like: ast.stmt | None = None) -> str:
    """Statements as text, indented as the first of them is, or as another one; the first line too where that is asked for."""
    margin = " " * (like or statements[0]).col_offset
    text = f"\n{margin}".join(line for statement in statements for line in ast.unparse(statement).splitlines())
    return margin + text if indent else text


class Everywhere(ast.NodeTransformer):
    """Puts an expression in place of another one, wherever its value is taken."""

    def __init__(self, old: str, new: ast.expr) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> Any:
        """What takes the place of a node."""
        if isinstance(node, (ast.Name, ast.Attribute)) and is_read(node) and ast.unparse(node) == self._old:
            return self._new
        return node if isinstance(node, NO_RULES) else self.generic_visit(node)
