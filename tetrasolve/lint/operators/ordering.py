"""In which order: what follows one another, and what is done once for all or for each."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Piece, can_move, code, joined, span
from tetrasolve.lint.vocabulary import Scope


def order(node: Definition, called: Scope) -> Iterator[Piece]:
    """What comes first, and what is done once for all or for each."""
    del called
    for inner in [node, *code(node)]:
        for body in (getattr(inner, "body", None), getattr(inner, "orelse", None)):
            for first, second in pairwise(body if isinstance(body, list) else ()):
                if can_move(first) and can_move(second) and not isinstance(inner, ast.ClassDef):
                    yield span(first, second), joined(second, first)
            if isinstance(body, list) and not isinstance(inner, ast.ClassDef):
                yield from _moved(body)
        if isinstance(inner, ast.For):
            yield inner.iter, f"list({ast.unparse(inner.iter)})[::-1]"
        elif isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "sorted":
            yield inner, f"{ast.unparse(inner)}[::-1]"
            yield inner, f"list({ast.unparse(inner.args[0])})"
        elif isinstance(inner, (ast.Tuple, ast.List)) and isinstance(inner.ctx, ast.Load) and len(inner.elts) > 1:
            yield from ((inner, _exchanged(inner, at)) for at in range(len(inner.elts) - 1))
            yield from ((inner, text) for at in range(len(inner.elts)) for text in _first_or_last(inner, at))


def _moved(body: list[ast.stmt]) -> Iterator[Piece]:
    """A statement of a block first or last in it; one of a loop once for all, before or after it; one beside it for each."""
    free = [statement for statement in body if can_move(statement)]
    for statement in free:
        others = [other for other in free if other is not statement]
        if len(others) > 1 and pairwise_adjacent(body, free):
            if statement not in free[:2]:
                yield span(free[0], free[-1]), joined(statement, *others)
            if statement not in free[-2:]:
                yield span(free[0], free[-1]), joined(*others, statement)
    for at, loop in enumerate(body):
        if isinstance(loop, ast.For) and not loop.orelse:
            first, last = loop.body[0], loop.body[-1]
            if len(loop.body) > 1 and can_move(last):
                yield loop, joined(_with_body(loop, loop.body[:-1]), last)
            if len(loop.body) > 1 and can_move(first):
                yield loop, joined(first, _with_body(loop, loop.body[1:]), like=loop)
            if at + 1 < len(body) and can_move(body[at + 1]):
                yield span(loop, body[at + 1]), joined(_with_body(loop, [*loop.body, body[at + 1]]))
            if at and can_move(body[at - 1]):
                yield span(body[at - 1], loop), joined(_with_body(loop, [body[at - 1], *loop.body]))


def pairwise_adjacent(body: list[ast.stmt], some: list[ast.stmt]) -> bool:
    """Whether some statements of a block follow one another without others between them."""
    start = body.index(some[0])
    return body[start : start + len(some)] == some


def _with_body(loop: ast.For, body: list[ast.stmt]) -> ast.stmt:
    """A loop with other statements in it."""
    return ast.copy_location(ast.For(loop.target, loop.iter, body, []), loop)


def _first_or_last(several: ast.Tuple | ast.List, at: int) -> Iterator[str]:
    """A list with one of its entries first, and last, the others in their order; not where that exchanges two neighbours."""
    others = [entry for entry in several.elts if entry is not several.elts[at]]
    if at > 1:
        yield ast.unparse(type(several)([several.elts[at], *others], ast.Load()))
    if at < len(others) - 1:
        yield ast.unparse(type(several)([*others, several.elts[at]], ast.Load()))


def _exchanged(several: ast.Tuple | ast.List, at: int) -> str:
    """A list with two neighbours exchanged."""
    entries = [*several.elts]
    entries[at : at + 2] = entries[at + 1], entries[at]
    return ast.unparse(type(several)(entries, ast.Load()))
