"""For all or for one: what stops, is passed over, or is drawn again where one of several does not fit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import deepcopy

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Everywhere, Piece, code, joined, names_in

_NAMES = ("one", "another", "further")  # of a thing that is drawn


def again(node: Definition) -> Iterator[Piece]:
    r"""What a loop does with all, done with the one that does not fit, and the other way.

    >>> from tetrasolve.lint.changes import definitions
    >>> text = "def f(several):\n    for one in several:\n        if one < 0:\n            return None\n    return several"
    >>> [new for _, new in again(definitions(text)["f"])]
    ['continue']
    """
    for inner in code(node):
        if isinstance(inner, ast.For):
            yield from _passed(inner)
        elif isinstance(inner, ast.While):
            yield from _one_drawn_again(inner, names_in(node))
            yield from _all_drawn_again(inner)


def _passed(loop: ast.For) -> Iterator[Piece]:
    """Where a loop ends for one of several it goes on with the next; where one is passed over the others are, too."""
    for inner in ast.walk(loop):
        for body in (getattr(inner, "body", ()), getattr(inner, "orelse", ())) if isinstance(inner, ast.If) else ():
            if body and isinstance(body[-1], (ast.Return, ast.Break)):
                yield body[-1], "continue"
            elif body and isinstance(body[-1], ast.Continue):
                yield body[-1], "break"


def _one_drawn_again(loop: ast.While, taken: set[str]) -> Iterator[Piece]:
    """Several that are drawn together until they fit, drawn one after the other: one that does not fit is passed over."""
    match loop.body:
        case [
            ast.Assign(targets=[ast.Name(id=several)], value=value),
            ast.If(test=test, body=[ast.Return() as end], orelse=[]),
        ]:
            pass
        case _:
            return
    drawn = next((inner for inner in ast.walk(value) if _is_draw(inner)), None)
    one = next(name for name in _NAMES if name not in taken)
    if not isinstance(drawn, ast.Call) or several not in names_in(test):
        return
    those, number = map(ast.unparse, drawn.args)
    further = ast.parse(f"(*{several}, {one})", mode="eval").body
    fits = ast.unparse(Everywhere(several, further).visit(deepcopy(test)))
    margin = " " * loop.col_offset
    lines = (
        f"{several} = ()",
        f"for {one} in {ast.unparse(drawn.func)}({those}, len({those})):",
        f"    if len({several}) < {number} and ({fits}):",
        f"        {several} = (*{several}, {one})",
        ast.unparse(end),
    )
    yield loop, f"\n{margin}".join(lines)


def _is_draw(node: ast.AST) -> bool:
    """Whether so many of several are drawn: the method is that of Python's `random.Random`."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "sample"
        and len(node.args) == 2
    )


def _all_drawn_again(loop: ast.While) -> Iterator[Piece]:
    """Of several that are drawn one after the other, all are drawn again where one does not fit."""
    match loop.test:
        case ast.Compare(left=ast.Call(func=ast.Name(id="len"), args=[several]), ops=[ast.Lt()]):
            name = ast.unparse(several)
        case _:
            return
    for inner in loop.body:
        match inner:
            case ast.If(body=[*_, ast.Continue() as end]):
                yield end, f"{name}.clear()\n{' ' * end.col_offset}continue"
            case ast.If(test=test, body=body, orelse=[]) if any(_is_kept(one, name) for one in body):
                end_of_all = ast.Expr(ast.parse(f"{name}.clear()", mode="eval").body)
                yield inner, joined(ast.If(test, body, [end_of_all]), like=inner)


def _is_kept(statement: ast.stmt, name: str) -> bool:
    """Whether a statement puts one more to several."""
    return ast.unparse(statement).startswith(f"{name}.append(")
