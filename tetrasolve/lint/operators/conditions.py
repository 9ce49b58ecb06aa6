"""On which condition: how conditions are joined, that one always or never holds, and which branch is taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Piece, code
from tetrasolve.lint.operators.repeated import joined_kinds
from tetrasolve.lint.vocabulary import Scope

_OPPOSITES: Mapping[type[ast.operator], ast.operator] = MappingProxyType(
    {ast.Add: ast.Sub(), ast.Sub: ast.Add(), ast.BitOr: ast.BitAnd(), ast.BitAnd: ast.BitOr()}
)


def connective(node: Definition, called: Scope) -> Iterator[Piece]:
    """How two conditions, numbers or sets are joined, and two kinds of choices."""
    yield from joined_kinds(node, called.words)
    for inner in code(node):
        if isinstance(inner, ast.BoolOp):
            other: ast.boolop = ast.Or() if isinstance(inner.op, ast.And) else ast.And()
            yield inner, f"({ast.unparse(ast.BoolOp(other, inner.values))})"
        elif isinstance(inner, ast.BinOp) and type(inner.op) in _OPPOSITES:
            yield inner, f"({ast.unparse(ast.BinOp(inner.left, _OPPOSITES[type(inner.op)], inner.right))})"


def choice(node: Definition, called: Scope) -> Iterator[Piece]:
    """Which of two branches is taken, or which answer is given."""
    for inner in code(node):
        if isinstance(inner, ast.IfExp):
            yield inner, f"({ast.unparse(inner.body)})"
            yield inner, f"({ast.unparse(inner.orelse)})"
            yield inner, f"({ast.unparse(ast.IfExp(inner.test, inner.orelse, inner.body))})"
        elif isinstance(inner, ast.If):
            yield inner.test, "True"
            yield inner.test, "False"
    if (
        isinstance(node, ast.FunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns) == "tuple[str, ...]"
    ):
        given = [inner.value for inner in code(node) if isinstance(inner, ast.Return) and inner.value is not None]
        yield from ((value, f"(*{ast.unparse(value)}, {waiver})") for value in given for waiver in called.waivers)
    answers = [inner for inner in code(node) if isinstance(inner, ast.Return) and _is_step(inner.value)]
    for one in answers:
        for other in answers:
            assert one.value is not None and other.value is not None
            if ast.dump(one.value) != ast.dump(other.value):
                yield one.value, ast.unparse(other.value)
        yield from ((one.value, end) for end in called.ends if one.value is not None)


def _is_step(value: ast.expr | None) -> bool:
    """Whether an answer says what happens: a call, a name, or a choice between such, and no word."""
    return isinstance(value, (ast.Call, ast.Name, ast.Attribute, ast.IfExp))


def condition(node: Definition, called: Scope) -> Iterator[Piece]:
    """Where `choice` decides a branch, this decides each condition, also in what is returned; `part` does those that are joined."""
    del called
    joined = {id(value) for inner in code(node) if isinstance(inner, ast.BoolOp) for value in inner.values}
    for inner in code(node):
        is_denied = isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not)
        if (is_denied or isinstance(inner, (ast.Compare, ast.BoolOp))) and id(inner) not in joined:
            yield inner, "True"
            yield inner, "False"
