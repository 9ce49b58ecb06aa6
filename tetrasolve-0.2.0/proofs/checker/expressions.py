"""The expressions in rows of statements, worked out by walking their trees: a part of Python's, without attributes.

A row binds no name but in a comprehension, and calls nothing but the words that it is given.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import prod
from typing import Any

from text import Unreadable


class Scope(dict[str, Any]):
    """What comprehensions have bound; any other name is a word."""

    def __init__(self, words: Mapping[str, Any], bound: Mapping[str, Any]) -> None:
        super().__init__(bound)
        self.words = words

    def __missing__(self, name: str) -> Any:
        return self.words[name]


OPERATORS: dict[type[ast.AST], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Pow: operator.pow,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda part, whole: part in whole,
    ast.NotIn: lambda part, whole: part not in whole,
}


def one(values: Any) -> Any:
    """What all of them are; several or none is an error."""
    (value,) = set(values)
    return value


PLAIN = (len, sum, min, max, sorted, set, list, tuple, dict, any, all, str, bool, range, zip, next)
COMMON: dict[str, Any] = {word.__name__: word for word in (*PLAIN, combinations, permutations, product, prod, Fraction)}
COMMON |= {"count": lambda values: sum(map(bool, values)), "only": one}


@cache
def tree(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text.strip(), mode="eval").body


def evaluate(text: str, words: Mapping[str, Any]) -> Any:
    """The value of an expression."""
    return value(tree(text), Scope({**COMMON, **words}, {}))


def value(node: ast.expr, scope: Scope) -> Any:  # one return a form
    """The value of a part of an expression."""
    match node:
        case ast.Constant(value=constant):
            return constant
        case ast.Name(id=name):
            return scope[name]
        case ast.Tuple(elts=parts):
            return tuple(spread(parts, scope))
        case ast.List(elts=parts):
            return spread(parts, scope)
        case ast.Set(elts=parts):
            return set(spread(parts, scope))
        case ast.Dict(keys=keys, values=parts):
            return {value(key, scope): value(part, scope) for key, part in zip(keys, parts, strict=True) if key}
        case ast.Subscript(value=whole, slice=ast.Slice(lower=None, upper=upper, step=None)) if upper is not None:
            return value(whole, scope)[: value(upper, scope)]
        case ast.Subscript(value=whole, slice=index):
            return value(whole, scope)[value(index, scope)]
        case ast.Call(func=ast.Name(id=name), args=parts, keywords=named):
            return scope[name](*spread(parts, scope), **keywords(named, scope))
        case ast.UnaryOp(op=ast.Not(), operand=part):
            return not value(part, scope)
        case ast.UnaryOp(op=ast.USub(), operand=part):
            return -value(part, scope)
        case ast.BinOp(left=left, op=op, right=right):
            return OPERATORS[type(op)](value(left, scope), value(right, scope))
        case ast.IfExp(test=test, body=yes, orelse=no):
            return value(yes if value(test, scope) else no, scope)
        case ast.BoolOp(op=op, values=parts):
            return either(isinstance(op, ast.Or), parts, scope)
        case ast.Compare(left=left, ops=ops, comparators=parts):
            return compared(value(left, scope), ops, parts, scope)
        case ast.GeneratorExp(elt=part, generators=loops):
            return (value(part, inner) for inner in bound(loops, scope))
        case ast.ListComp(elt=part, generators=loops):
            return [value(part, inner) for inner in bound(loops, scope)]
        case ast.SetComp(elt=part, generators=loops):
            return {value(part, inner) for inner in bound(loops, scope)}
        case ast.DictComp(key=key, value=part, generators=loops):
            return {value(key, inner): value(part, inner) for inner in bound(loops, scope)}
    raise Unreadable(f"no statement has {type(node).__name__} in it")


def spread(parts: list[ast.expr], scope: Scope) -> list[Any]:
    """Several parts, those with a star as many as they hold."""
    found: list[Any] = []
    for part in parts:
        found += value(part.value, scope) if isinstance(part, ast.Starred) else [value(part, scope)]
    return found


def keywords(parts: list[ast.keyword], scope: Scope) -> dict[str, Any]:
    """Arguments by name."""
    found: dict[str, Any] = {}
    for part in parts:
        found |= value(part.value, scope) if part.arg is None else {part.arg: value(part.value, scope)}
    return found


def either(so: bool, parts: list[ast.expr], scope: Scope) -> Any:
    """The first part that is as true as this, else the last one."""
    found = None
    for part in parts:
        found = value(part, scope)
        if bool(found) == so:
            break
    return found


def compared(left: Any, ops: list[ast.cmpop], parts: list[ast.expr], scope: Scope) -> bool:
    """Whether all comparisons of a row hold."""
    for op, part in zip(ops, parts, strict=True):
        right = value(part, scope)
        if not OPERATORS[type(op)](left, right):
            return False
        left = right
    return True


def bound(loops: list[ast.comprehension], scope: Scope) -> Iterator[Scope]:
    """The scopes of a comprehension, one for each turn of its loops."""
    first, *rest = loops
    for item in value(first.iter, scope):
        inner = Scope(scope.words, {**scope, **dict(pairs(first.target, item))})
        if all(value(test, inner) for test in first.ifs):
            if rest:
                yield from bound(rest, inner)
            else:
                yield inner


def pairs(target: ast.expr, item: Any) -> Iterator[tuple[str, Any]]:
    """The names of a loop with what they stand for."""
    if isinstance(target, ast.Name):
        yield target.id, item
        return
    assert isinstance(target, ast.Tuple)
    for part, inner in zip(target.elts, item, strict=True):
        yield from pairs(part, inner)
