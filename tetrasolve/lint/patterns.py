"""Patterns of expressions: an underscore and a letter stand for any expression, the same one wherever they stand again."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from copy import deepcopy
from functools import lru_cache


def matched(pattern: str, node: ast.AST) -> Mapping[str, ast.expr] | None:
    """What the names of a pattern stand for where it fits an expression; None where it does not.

    >>> {name: ast.unparse(part) for name, part in matched("_x.has(_p)", ast.parse("table.has(a + 1)", mode="eval").body).items()}
    {'_x': 'table', '_p': 'a + 1'}
    """
    found: dict[str, ast.expr] = {}
    known = _parsed(pattern)
    fits = type(known) in (type(node), ast.Name) and _fits(known, node, found)
    return found if fits else None


def filled(text: str, parts: Mapping[str, ast.expr]) -> str:
    """A text with expressions in place of its names, in parentheses where they need them.

    >>> filled("not _x.has(_p)", {"_x": ast.Name("t"), "_p": ast.Name("a")})
    'not t.has(a)'
    """
    return ast.unparse(_Filler(parts).visit(deepcopy(_parsed(text))))


@lru_cache(maxsize=512)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


class _Filler(ast.NodeTransformer):
    def __init__(self, parts: Mapping[str, ast.expr]) -> None:
        self._parts = parts

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._parts.get(node.id, node)


def _fits(pattern: object, node: object, found: dict[str, ast.expr]) -> bool:
    if isinstance(pattern, ast.Name) and len(pattern.id) == 2 and pattern.id[0] == "_" and isinstance(node, ast.expr):
        known = found.setdefault(pattern.id, node)
        return known is node or ast.dump(known) == ast.dump(node)
    if isinstance(pattern, list) and isinstance(node, list):
        return len(pattern) == len(node) and all(_fits(*pair, found) for pair in zip(pattern, node, strict=True))
    if isinstance(pattern, ast.AST):
        return type(pattern) is type(node) and all(
            _fits(getattr(pattern, field), getattr(node, field), found)
            for field in pattern._fields
            if field != "ctx"  # whether it is read or written
        )
    return pattern == node
