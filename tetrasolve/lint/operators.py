"""Operators that change one definition: each gives other ways to read the sentence that it states. No game is named here.

=============== =================================================================================
operator        what it changes
=============== =================================================================================
`bound`         a bound of a comparison, or a number, by one
`quantity`      ``any`` and ``all``, ``min`` and ``max``
`connective`    ``and`` and ``or``
`part`          one of several conditions left out
`restriction`   a condition of a comprehension left out
`effect`        one of several effects left out
`order`         two statements that follow one another exchanged
`choice`        a choice between two values, or of an ``if``, always made in the same way
`condition`     a condition, also one that is returned or passed on, taken as always or as never true
`names`         a name exchanged for another one of its group, which the game states
=============== =================================================================================
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from types import MappingProxyType

from tetrasolve.errors import ArgumentError
from tetrasolve.lint.changes import Change, Definition, definitions, extent

Groups = Iterable[tuple[str, ...]]  # names of which one can stand for another
Piece = tuple[ast.AST, str]  # what is replaced, and the text that takes its place

_BOUNDS: Mapping[type[ast.cmpop], str] = MappingProxyType({ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"})
_PARTNERS = MappingProxyType({"any": "all", "all": "any", "min": "max", "max": "min"})


def changes(path: str, text: str, name: str, groups: Groups = ()) -> Iterator[tuple[str, Change]]:
    r"""Every change of a definition of this file that an operator makes, with the name of the operator.

    :raises ArgumentError: when the file has no such definition.

    >>> for operator, change in changes("a.py", "def f(n):\n    return n < 3", "f"):
    ...     print(operator, change.after.strip())
    bound return n <= 3
    bound return n < 4
    bound return n < 2
    condition return True
    condition return False
    """
    node = definitions(text).get(name)
    if node is None:
        raise ArgumentError("definition", name, f"one of {path}")
    seen = {text}
    for operator, pieces in OPERATORS.items():
        for old, new in pieces(node, tuple(groups)):
            change = _placed(path, text, name, old, new)
            after = change.applied(text)
            if after not in seen:
                seen.add(after)
                yield operator, change


def _placed(path: str, text: str, name: str, node: ast.AST, new: str) -> Change:
    """The change of the lines of a node, so that the text is easy to read and seldom stands there twice."""
    lines = text.splitlines(keepends=True)
    first, last = node.lineno - 1, node.end_lineno - 1  # type: ignore[attr-defined]  # expressions and statements have both
    head = lines[first].encode()[: node.col_offset].decode()  # type: ignore[attr-defined]
    tail = lines[last].encode()[node.end_col_offset :].decode()  # type: ignore[attr-defined]
    before, after = "".join(lines[first : last + 1]), head + new + tail
    start, end = extent(text, name)
    begin = sum(map(len, lines[:first]))
    cut = max(0, begin + len(before) - end)  # the definition can end before its last line does
    before, after = before[: len(before) - cut], after[: len(after) - cut]
    skip = max(0, start - begin)
    before, after, begin = before[skip:], after[skip:], begin + skip
    number, at = 0, start - 1
    while at < begin:
        at, number = text.index(before, at + 1, end), number + 1
    return Change(path, name, before, after, number)


# -- operators -------------------------------------------------------------------------------------------------


def _code(node: Definition) -> Iterator[ast.AST]:
    """The nodes of a definition without its decorators, its signature and its docstrings."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                yield from _code(statement)
            elif not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                yield from ast.walk(statement)
    elif node.value is not None:
        yield from ast.walk(node.value)


def _bound(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and type(inner.ops[0]) in _BOUNDS:
            sign = _BOUNDS[type(inner.ops[0])]
            yield inner, f"{ast.unparse(inner.left)} {sign} {ast.unparse(inner.comparators[0])}"
        elif isinstance(inner, ast.Constant) and type(inner.value) is int:
            yield inner, str(inner.value + 1)
            if inner.value > 0:
                yield inner, str(inner.value - 1)


def _quantity(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        if isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id in _PARTNERS:
            yield inner.func, _PARTNERS[inner.func.id]


def _connective(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        if isinstance(inner, ast.BoolOp):
            other: ast.boolop = ast.Or() if isinstance(inner.op, ast.And) else ast.And()
            yield inner, f"({ast.unparse(ast.BoolOp(other, inner.values))})"


def _part(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        if isinstance(inner, ast.BoolOp):
            for out in inner.values:
                left = [value for value in inner.values if value is not out]
                yield inner, f"({ast.unparse(left[0] if len(left) == 1 else ast.BoolOp(inner.op, left))})"


def _restriction(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        for part in getattr(inner, "generators", ()):
            for test in part.ifs:
                yield test, "True"


def _effect(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        match inner:
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield inner, "pass"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in _names(value):
                yield inner, "pass"
            case ast.Call(func=ast.Attribute(value=ast.Call() as rest)):
                yield inner, ast.unparse(rest)  # one of several methods in a row


def _names(node: ast.AST) -> set[str]:
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def _order(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in [node, *_code(node)]:
        for body in (getattr(inner, "body", None), getattr(inner, "orelse", None)):
            for first, second in pairwise(body if isinstance(body, list) else ()):
                if _can_move(first) and _can_move(second) and not isinstance(inner, ast.ClassDef):
                    yield _span(first, second), _joined(second, first)


def _can_move(statement: ast.stmt) -> bool:
    """Whether it does something, and is neither a docstring nor the end of the function."""
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.If, ast.For)) and not is_text


def _span(first: ast.stmt, second: ast.stmt) -> ast.AST:
    """A node that reaches from one statement to the end of the other."""
    node = ast.Pass()
    node.lineno, node.col_offset = first.lineno, first.col_offset
    node.end_lineno, node.end_col_offset = second.end_lineno, second.end_col_offset
    return node


def _joined(*statements: ast.stmt) -> str:
    """Statements as text, indented as the first of them is."""
    indent = "\n" + " " * statements[0].col_offset
    return indent.join(line for statement in statements for line in ast.unparse(statement).splitlines())


def _choice(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    del groups
    for inner in _code(node):
        if isinstance(inner, ast.IfExp):
            yield inner, f"({ast.unparse(inner.body)})"
            yield inner, f"({ast.unparse(inner.orelse)})"
        elif isinstance(inner, ast.If):
            yield inner.test, "True"
            yield inner.test, "False"


def _condition(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    """Where `choice` decides a branch, this decides each condition, also in what is returned; `part` does those that are joined."""
    del groups
    joined = {id(value) for inner in _code(node) if isinstance(inner, ast.BoolOp) for value in inner.values}
    for inner in _code(node):
        is_denied = isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.Not)
        if (is_denied or isinstance(inner, (ast.Compare, ast.BoolOp))) and id(inner) not in joined:
            yield inner, "True"
            yield inner, "False"


def _exchange(node: Definition, groups: tuple[tuple[str, ...], ...]) -> Iterator[Piece]:
    for inner in _code(node):
        if isinstance(inner, ast.Attribute):
            for group in groups:
                for other in group if inner.attr in group else ():
                    if other != inner.attr:
                        yield inner, f"{ast.unparse(inner.value)}.{other}"


OPERATORS: Mapping[str, Callable[[Definition, tuple[tuple[str, ...], ...]], Iterator[Piece]]] = MappingProxyType(
    {
        "bound": _bound,
        "quantity": _quantity,
        "connective": _connective,
        "part": _part,
        "restriction": _restriction,
        "effect": _effect,
        "order": _order,
        "choice": _choice,
        "condition": _condition,
        "names": _exchange,
    }
)
