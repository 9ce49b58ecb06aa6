"""Which: a name, or what a pattern says, exchanged for another one of its kind."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy

from tetrasolve.lint.changes import Definition
from tetrasolve.lint.operators.nodes import Everywhere, Piece, code, is_read, is_text, joined, span
from tetrasolve.lint.patterns import filled, matched
from tetrasolve.lint.vocabulary import Scope


def names(node: Definition, called: Scope) -> Iterator[Piece]:
    """Names and what patterns say, each where it stands, and then everywhere in the definition."""
    found = list(_exchanges(node, called))
    yield from found
    if not isinstance(node, ast.FunctionDef) or not (body := [s for s in node.body if not is_text(s)]):
        return
    texts = Counter((ast.unparse(old), new) for old, new in found)
    for (old, new), count in texts.items():
        if count > 1 and old.isidentifier() | ("." in old):
            whole = ast.parse(new, mode="eval").body
            changed = [Everywhere(old, whole).visit(deepcopy(statement)) for statement in body]
            yield span(body[0], body[-1]), joined(*changed)


def _exchanges(node: Definition, called: Scope) -> Iterator[Piece]:
    words = called.words
    for inner in code(node):
        if not isinstance(inner, ast.expr) or not is_read(inner):
            continue
        if isinstance(inner, ast.Attribute):
            for other in _others(inner.attr, words.groups):
                yield inner, f"{ast.unparse(inner.value)}.{other}"
        if isinstance(inner, ast.Name):
            yield from ((inner, other) for other in _others(inner.id, words.groups))
            yield from ((inner, other) for other in _others(inner.id, called.functions))
        if isinstance(inner, (ast.Name, ast.Attribute)):
            kin = _others(ast.unparse(inner), called.kinds)
            known = {other for other in kin if other in called.texts or other.endswith(words.always)}
            yield from ((inner, other) for other in sorted(known))
        for pattern, *others in words.rewrites:
            if (parts := matched(pattern, inner)) is not None:
                yield from ((inner, f"({filled(other, parts)})") for other in others)
    for one, other in _siblings(node):
        for inner in code(node):
            if isinstance(inner, ast.Name) and inner.id == one and isinstance(inner.ctx, ast.Load):
                yield inner, other


def _others(name: str, groups: Iterable[tuple[str, ...]]) -> Iterator[str]:
    for group in groups:
        if name in group:
            yield from (other for other in group if other != name)


def _siblings(node: Definition) -> Iterator[tuple[str, str]]:
    """Names of one kind: parameters with the same annotation, names assigned together, and those of one comprehension."""
    families: list[list[str]] = []
    if isinstance(node, ast.FunctionDef):
        kinds: dict[str, list[str]] = {}
        for argument in node.args.args:
            kinds.setdefault(ast.unparse(argument.annotation) if argument.annotation else "", []).append(argument.arg)
        families += [names for kind, names in kinds.items() if kind]
    for inner in code(node):
        if isinstance(inner, ast.Tuple) and isinstance(inner.ctx, ast.Store):
            families.append([entry.id for entry in inner.elts if isinstance(entry, ast.Name)])
        generators = [part.target.id for part in getattr(inner, "generators", ()) if isinstance(part.target, ast.Name)]
        families.append(generators)
    for family in families:
        yield from ((one, other) for one in family for other in family if one != other)
