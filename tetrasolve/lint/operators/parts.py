"""What belongs to it: an entry, an addend or an effect left out, or one more."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Piece, code, is_table, names_in
from tetrasolve.lint.vocabulary import Scope


def part(node: Definition, called: Scope) -> Iterator[Piece]:
    """One of several conditions, addends, sets or entries left out."""
    del called
    for inner in code(node):
        match inner:
            case ast.BoolOp(values=values):
                for out in values:
                    left = [value for value in values if value is not out]
                    yield inner, f"({ast.unparse(left[0] if len(left) == 1 else ast.BoolOp(inner.op, left))})"
            case ast.BinOp(op=ast.Add() | ast.Sub() | ast.BitOr() | ast.BitAnd() as joint, left=first, right=second):
                yield inner, f"({ast.unparse(first)})"
                if not isinstance(joint, ast.Sub):
                    yield inner, f"({ast.unparse(second)})"
            case (
                ast.Tuple(elts=entries, ctx=ast.Load()) | ast.List(elts=entries, ctx=ast.Load()) | ast.Set(elts=entries)
            ):
                yield from ((inner, _without(inner, out)) for out in entries if len(entries) > 1)
            case ast.Call(func=ast.Name(id="min" | "max"), args=[_, _] as entries):
                yield from ((inner, f"({ast.unparse(entry)})") for entry in entries)


def _without(several: ast.Tuple | ast.List | ast.Set, out: ast.expr) -> str:
    left = [entry for entry in several.elts if entry is not out]
    ends = "[]" if isinstance(several, ast.List) else "{}" if isinstance(several, ast.Set) else "()"
    comma = "," if isinstance(several, ast.Tuple) else ""
    return f"{ends[0]}{''.join(f'{ast.unparse(entry)}, ' for entry in left).rstrip(' ,')}{comma}{ends[1]}"


def effect(node: Definition, called: Scope) -> Iterator[Piece]:
    """An effect left out, or one more."""
    effects = called.words.effects
    for inner in code(node):
        match inner:
            case ast.Expr(value=ast.Call()) | ast.AugAssign():
                yield inner, "pass"
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name in names_in(value):
                yield inner, "pass"
            case ast.Call(func=ast.Attribute(value=ast.Call() as rest)):
                yield inner, ast.unparse(rest)  # one of several methods in a row
            case ast.Call(func=ast.Attribute(value=rest, attr=name)) if name in effects:
                yield inner, ast.unparse(rest)
            case ast.Call(func=ast.Name(id=name), args=[rest, *_]) if name in effects:
                yield inner, ast.unparse(rest)
    yield from _additions(node, called)


def _additions(node: Definition, called: Scope) -> Iterator[Piece]:
    """One more effect, on what is given back or passed on to another effect."""
    words, sites = called.words, dict[int, ast.expr]()
    for inner in code(node):
        match inner:
            case ast.Return(value=ast.Call() as value) if is_table(value, words):
                sites[id(value)] = value
            case ast.Return(value=ast.Name(id=name) as value) if name in words.tables:
                sites[id(value)] = value
            case ast.Call(func=ast.Name(), args=[(ast.Call() | ast.Name()) as value, *_]) if is_table(value, words):
                sites[id(value)] = value
    for site in sites.values():
        for more in words.additions:
            for place in called.called(words.places) if "{place}" in more else (None,):
                for figure in called.called(words.figures) if "{figure}" in more else (None,):
                    said = called.filled(more, place, figure)
                    if said is not None:
                        yield site, f"{ast.unparse(site)}{said}"
