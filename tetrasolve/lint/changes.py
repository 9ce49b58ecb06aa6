"""Small changes of source text, each in one definition of one file."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from tetrasolve.errors import ArgumentError

Definition = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.AnnAssign


@dataclass(frozen=True, slots=True)
class Change:
    """A change of one file: in the definition `name` the text `before` becomes `after`.

    `path` is a file as seen from the folder of the package; `name` is empty for the whole file. Where `before` stands
    there several times, `number` counts them from 1; with 0 it must stand there once.
    """

    path: str
    name: str
    before: str
    after: str
    number: int = 0

    def applied(self, text: str) -> str:
        r"""The text of the file after the change.

        :raises ArgumentError: when the definition is not there, or `before` does not stand in it as often as expected.

        >>> Change("a.py", "f", "1", "2").applied("one = 1\ndef f(): return 1")
        'one = 1\ndef f(): return 2'
        """
        first, last = extent(text, self.name) if self.name else (0, len(text))
        count = text.count(self.before, first, last)
        if not self.before or (count != 1 if self.number == 0 else count < self.number):
            raise ArgumentError("change", f"{self}", f"text that stands there once, found {count} times")
        at = first - 1
        for _ in range(self.number or 1):
            at = text.index(self.before, at + 1, last)
        return text[:at] + self.after + text[at + len(self.before) :]

    def __str__(self) -> str:
        place = f"{self.path}:{self.name}" if self.name else self.path
        return f"{place}: {self.before!r} becomes {self.after!r}" + (f" (number {self.number})" if self.number else "")


@lru_cache(maxsize=64)  # callers ask for many definitions of the modules of a game in turn
def definitions(text: str) -> Mapping[str, Definition]:
    """The functions, classes and constants of a module by their names, ``Class.method`` for what a class holds.

    The syntax trees are shared between callers, which must not change them.
    """
    return MappingProxyType(dict(_named(ast.parse(text).body, "")))


def _named(body: list[ast.stmt], outer: str) -> Iterator[tuple[str, Definition]]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield outer + node.name, node
                if isinstance(node, ast.ClassDef):
                    yield from _named(node.body, f"{outer}{node.name}.")
            case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
                yield outer + ast.unparse(target), node


def extent(text: str, name: str) -> tuple[int, int]:
    """Where a definition of a module begins, with its decorators, and ends.

    :raises ArgumentError: when it has no such definition.
    """
    node = definitions(text).get(name)
    if node is None:
        raise ArgumentError("definition", name, "one of the module")
    first = min([node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))])
    lines = text.splitlines(keepends=True)
    last, column = (node.end_lineno or node.lineno) - 1, node.end_col_offset or 0
    width = len(lines[last].encode()[:column].decode())  # columns of syntax trees count bytes
    return sum(map(len, lines[: first - 1])), sum(map(len, lines[:last])) + width


def meaning(text: str, name: str) -> str:
    """A definition without its comments, docstrings and layout: equal for texts that do the same in the same way.

    :raises ArgumentError: when the module has no such definition.
    """
    node = definitions(text).get(name)
    if node is None:
        raise ArgumentError("definition", name, "one of the module")
    return without_words(node)


def without_words(node: ast.AST) -> str:
    """A syntax tree as text, without docstrings."""
    tree = ast.parse(ast.unparse(node))
    for inner in ast.walk(tree):
        body = getattr(inner, "body", None)
        if isinstance(inner, (ast.FunctionDef, ast.ClassDef)) and body and ast.get_docstring(inner) is not None:
            inner.body = body[1:] or [ast.Pass()]
    return ast.dump(tree)
