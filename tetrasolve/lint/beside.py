"""Changes made only where a condition holds: what their definition asks itself, or what the game can say. No game is named here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from textwrap import dedent

from tetrasolve.lint.changes import Change, Definition, definitions
from tetrasolve.lint.operators import OPERATORS, Places, code, narrowed
from tetrasolve.lint.vocabulary import Scope, Vocabulary, scope


def guarded(text: str, words: Vocabulary, change: Change) -> Iterator[Change]:
    r"""A change of an operator made only where a condition holds: those that its definition asks, then the senses of the game.

    Nothing for a change that no operator makes.

    >>> from tetrasolve.lint.operators import changes
    >>> text = "def f(n, far):\n    return n + 1 if far else n + 2"
    >>> first, *_ = [c for _, c in changes("a.py", text, "f")]
    >>> [c.after.strip() for c in guarded(text, Vocabulary(), first)]
    ['return n + (2 if far else 1) if far else n + 2', 'return n + (2 if not (far) else 1) if far else n + 2']
    """
    node = definitions(text)[change.name]
    place, called = Places(change.path, text, change.name), scope(node, words, text)
    found = next(
        (
            (old, new)
            for pieces in OPERATORS.values()
            for old, new in pieces(node, called)
            if place.change(old, new)[0] == change
        ),
        None,
    )
    if found is None:
        return
    old, new = found
    yield from (place.change(old, text)[0] for text in narrowed(old, new, words))
    before = "\n".join(line for statement in _statements(old) for line in ast.unparse(statement).splitlines())
    said = _conditions(node, old, called)
    for condition in (*said, *(f"not ({one})" for one in said)):
        if isinstance(old, ast.expr):
            if _is_expression(new):
                yield place.change(old, f"({new} if {condition} else {before})")[0]
        elif before:
            margin = " " * old.col_offset  # type: ignore[attr-defined]  # statements have one
            inner = f"\n{margin}    "
            first, second = (inner.join(dedent(part).splitlines()) for part in (margin + new, before))
            yield place.change(old, f"if {condition}:{inner}{first}\n{margin}else:{inner}{second}")[0]


def _statements(node: ast.AST) -> list[ast.AST]:
    """What a piece replaces: an expression, or statements; nothing where it is only a place."""
    return [] if isinstance(node, ast.Pass) else [node]


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def _conditions(node: Definition, old: ast.AST, called: Scope) -> list[str]:
    """What a definition asks anywhere but in what is replaced, and what the game can say of what the definition names."""
    inside = {id(inner) for inner in ast.walk(old)}
    own: list[str] = []
    for inner in code(node):
        tests = [inner.test] if isinstance(inner, (ast.If, ast.IfExp, ast.While)) else [*getattr(inner, "ifs", ())]
        tests += inner.values if isinstance(inner, ast.BoolOp) else []
        tests += [inner] if isinstance(inner, ast.Compare) else []
        asked = [test for test in tests if id(test) not in inside and old not in ast.walk(test)]
        asked = [test for test in asked if not called.names_value(test)]
        own += [f"({ast.unparse(test)})" if isinstance(test, ast.IfExp) else ast.unparse(test) for test in asked]
    said = called.said(called.called(called.words.places), called.called(called.words.figures))
    return list(dict.fromkeys([*own, *said]))
