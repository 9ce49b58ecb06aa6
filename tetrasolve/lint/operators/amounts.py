"""How many: bounds and numbers, and one, some or all of several."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.again import again
from tetrasolve.lint.operators.nodes import Piece, code, is_read
from tetrasolve.lint.operators.repeated import repeated
from tetrasolve.lint.patterns import matched
from tetrasolve.lint.vocabulary import Scope

_BOUNDS: Mapping[type[ast.cmpop], str] = MappingProxyType({ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">"})
# The bound moved the other way than by its sign
_SIGNS: Mapping[type[ast.cmpop], str] = MappingProxyType(
    {ast.Lt: "< {} - 1", ast.LtE: "<= {} + 1", ast.Gt: "> {} + 1", ast.GtE: ">= {} - 1"}
)
_PARTNERS = MappingProxyType({"any": "all", "all": "any", "min": "max", "max": "min"})
_FIRST = (1, 2, 3)  # of several


def bound(node: Definition, called: Scope) -> Iterator[Piece]:
    """A bound of a comparison, and a number."""
    for inner in code(node):
        if isinstance(inner, ast.Compare) and len(inner.ops) == 1 and type(inner.ops[0]) in _BOUNDS:
            sign = _BOUNDS[type(inner.ops[0])]
            left, right = ast.unparse(inner.left), ast.unparse(inner.comparators[0])
            yield inner, f"{left} {sign} {right}"
            if not isinstance(inner.comparators[0], ast.Constant):
                yield inner, f"{left} {_SIGNS[type(inner.ops[0])].format(right)}"
        elif isinstance(inner, ast.Constant) and type(inner.value) is int:
            yield inner, str(inner.value + 1)
            if inner.value > 0:
                yield inner, str(inner.value - 1)
            if inner.value > 1:
                yield inner, "0"
                yield inner, str(2 * inner.value)
        elif isinstance(inner, ast.BinOp) and isinstance(inner.op, (ast.Mult, ast.FloorDiv, ast.Mod)):
            yield from ((inner, f"({ast.unparse(inner)} {sign} 1)") for sign in "+-")
        elif is_read(inner) and any(matched(count, inner) is not None for count in called.words.counts):
            number = ast.unparse(inner)
            for text in (
                f"{number} + 1",
                f"{number} - 1",
                f"2 * {number}",
                "0",
                f"min({number}, 1)",
                f"max({number}, 1)",
            ):
                yield inner, f"({text})"


def quantity(node: Definition, called: Scope) -> Iterator[Piece]:
    """One, some or all of several, what is done again, and what is chosen twice."""
    for inner in code(node):
        match inner:
            case ast.Call(func=ast.Name(id="any" | "all" | "min" | "max" as name) as func):
                yield func, _PARTNERS[name]
            case ast.Call(func=ast.Name(id="sum"), args=[_, *_]):
                yield inner, f"min({ast.unparse(inner)}, 1)"
        if isinstance(inner, (ast.For, ast.comprehension)):
            several = ast.unparse(inner.iter)
            yield from ((inner.iter, f"list({several})[:{number}]") for number in _FIRST)
            yield inner.iter, f"list({several})[-1:]"
        elif isinstance(inner, ast.While) and isinstance(last := inner.body[-1], ast.Assign):
            yield last, f"return {ast.unparse(last.value)}"  # once
    yield from again(node)
    yield from repeated(node, called.words)
