"""The expressions in rows of statements: a part of Python's own, without attributes, assignments and built-in names.

An expression sees the words that it is given and what it binds itself. Both sides read the same rows: this module compiles
an expression, the checker in `proofs/checker` walks its tree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from types import CodeType, MappingProxyType
from typing import Any

NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.Starred),
    *(ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Subscript, ast.Slice, ast.Call, ast.keyword),
    *(ast.BoolOp, ast.boolop, ast.UnaryOp, ast.Not, ast.USub, ast.Compare, ast.cmpop, ast.IfExp),
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Pow, ast.BitAnd, ast.BitOr),
    *(ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp, ast.comprehension),
)


def count(rows: Iterable[object]) -> int:
    """How many of them are true."""
    return sum(1 for row in rows if row)


def only(rows: Iterable[Any]) -> Any:
    """What all of them are.

    :raises ValueError: when they differ, or there are none.
    """
    (one,) = set(rows)
    return one


COMMON: Mapping[str, Callable[..., object]] = MappingProxyType(
    {word.__name__: word for word in (count, only, len, sum, min, max, sorted, set, list, tuple, dict, any, all, str)}
    | {word.__name__: word for word in (range, zip, combinations, permutations, product, prod, Fraction, next, bool)}
)


@cache
def compiled(text: str) -> CodeType:
    """The code of an expression.

    :raises ValueError: when there is something in it that no statement needs.
    """
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if not isinstance(node, NODES) or (isinstance(node, ast.Name) and node.id.startswith("_")):
            raise ValueError(f"no statement has {type(node).__name__} in it: {text}")
    return compile(tree, "<statement>", "eval")


def names(text: str) -> Iterator[str]:
    """The names that an expression reads and does not bind."""
    nodes = [node for node in ast.walk(ast.parse(text.strip(), mode="eval")) if isinstance(node, ast.Name)]
    bound = {node.id for node in nodes if isinstance(node.ctx, ast.Store)}
    return (node.id for node in nodes if node.id not in bound)


def evaluate(text: str, words: Mapping[str, object]) -> Any:
    """The value of an expression."""
    return eval(compiled(text), {"__builtins__": {}, **COMMON, **words})  # noqa: S307  # its nodes have been looked at
